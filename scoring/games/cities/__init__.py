"""Cities: a finished table in, a score sheet out.

    table = Table(tuple(parse_city(text) for text in texts), level=3)
    sheet = score(table)

``list_breaches`` returns all breaches of the rules by a table; ``score`` refuses such a table. The
numbers are those of the rulebook's sections "Wertung" and "Spielstufen".
"""

from typing import Final

from scoring.areas import empty_cells_of_grids
from scoring.errors import TableError
from scoring.games.cities.legality import list_breaches
from scoring.games.cities.points import score_players
from scoring.games.cities.score_sheet import ScoreSheet
from scoring.games.cities.table import LEVELS, Table

__all__ = ["LEVELS", "NAME", "VARIANTS", "list_breaches", "score"]

NAME: Final = "cities"
"""Identifier of the game in files and JSON."""

VARIANTS: Final[tuple[str, ...]] = ("standard",)
"""The game has no variants."""


def score(table: Table, *, lenient: bool = False) -> ScoreSheet:
    """Score a finished table.

    Args:
        table: Table with one city for each player, and the level they played at.
        lenient: True to score cities with missing fields too, as they lie: such a place belongs to
            no area and ends every view. The sheet then lists these places in ``missing``.

    Returns:
        Points of every tourist with their reasons, and the players with their ranks.

    Raises:
        TableError: The rules do not allow the table; it names every breach that ``list_breaches``
            finds.
    """
    breaches = list_breaches(table, lenient=lenient)
    if breaches:
        raise TableError(breaches)
    players = score_players(table)
    return ScoreSheet(
        game=NAME,
        level=table.level,
        players=players,
        winners=tuple(index for index, player in enumerate(players) if player.rank == 1),
        missing=empty_cells_of_grids(city.fields for city in table.cities),
    )
