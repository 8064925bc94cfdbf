"""Between Two Cities: a finished table in, a score sheet out.

    table = Table(tuple(parse_city(text) for text in texts))
    sheet = score(table)

``list_breaches`` returns all breaches of the rules by a table; ``score`` refuses such a table. The
numbers are those of the rulebook's section "Wertung" and of its reference card.
"""

from typing import Final

from scoring.areas import empty_cells_of_grids
from scoring.errors import TableError
from scoring.faces import city_name
from scoring.games.between_two_cities.legality import SUPPLY, list_breaches
from scoring.games.between_two_cities.points import (
    cities_of_seats,
    city_reasons,
    factory_ranks,
    score_players,
    tiles_by_building_type,
)
from scoring.games.between_two_cities.score_sheet import BuildingType, CityScore, Points, ScoreSheet
from scoring.games.between_two_cities.table import Table, Variant

__all__ = ["LEVELS", "NAME", "SUPPLY", "VARIANTS", "cities_of_seats", "list_breaches", "score"]

NAME: Final = "between-two-cities"
"""Identifier of the game in files and JSON."""

LEVELS: Final[tuple[int, ...]] = (1,)
"""The game has no levels."""

VARIANTS: Final[tuple[str, ...]] = tuple(variant.value for variant in Variant)
"""Ways in which the players share the cities; the first one is the default."""


def score(table: Table, *, lenient: bool = False) -> ScoreSheet:
    """Score a finished table.

    Args:
        table: Table to score.
        lenient: True to score cities with missing tiles too, as they lie; the sheet then lists the
            places without a tile in ``missing``.

    Returns:
        Points of every city with their reasons, and the players with their ranks.

    Raises:
        TableError: The rules do not allow the table; it names every breach that ``list_breaches``
            finds.
    """
    breaches = list_breaches(table, lenient=lenient)
    if breaches:
        raise TableError(breaches)
    tiles = [tiles_by_building_type(city.grid) for city in table.cities]
    ranks = factory_ranks([len(city[BuildingType.FACTORIES]) for city in tiles])
    reasons = [
        city_reasons(city.grid, sorted_tiles, rank)
        for city, sorted_tiles, rank in zip(table.cities, tiles, ranks, strict=True)
    ]
    cities = tuple(
        CityScore(city_name(index), Points.of(own_reasons), own_reasons)
        for index, own_reasons in enumerate(reasons)
    )
    players = score_players(table, [city.total for city in cities], tiles)
    return ScoreSheet(
        game=NAME,
        variant=table.variant,
        cities=cities,
        players=players,
        winners=tuple(index for index, player in enumerate(players) if player.rank == 1),
        missing=empty_cells_of_grids(city.grid for city in table.cities),
    )
