"""Fast scoring of all tables that are possible while some tiles are unsure.

A table with unsure tiles is ranked once for each combination of what may lie there. So each city is
scored once for each assignment of its open places, and the tables are put together from these
contributions.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from scoring.faces import Face
from scoring.games.between_two_cities.legality import SUPPLY
from scoring.games.between_two_cities.points import (
    FACTORY_POINTS,
    cities_of_seats,
    city_reasons,
    factory_ranks,
    final_score,
    rank_key,
    tiles_by_building_type,
)
from scoring.games.between_two_cities.score_sheet import BuildingType, ReasonKind
from scoring.games.between_two_cities.table import City, Table
from scoring.outcome import Outcome, outcome_by_rank_keys

_FACTORIES: Final = tuple(BuildingType).index(BuildingType.FACTORIES)
_SUPPLY: Final = tuple(SUPPLY[face].total for face in Face)


@dataclass(frozen=True, slots=True)
class CityContribution:
    """Summary of a city from which its table can be scored and ranked.

    Attributes:
        points: Points of everything but factories, which other cities change.
        counts: Number of tiles of each building type, in the order of ``BuildingType``.
        faces: Number of tiles of each face, in the order of ``Face``; the box limits them.
    """

    points: int
    counts: tuple[int, ...]
    faces: tuple[int, ...]

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most points of the city, whatever factories others have."""
        each = FACTORY_POINTS.values()
        factories = self.counts[_FACTORIES]
        return self.points + min(each) * factories, self.points + max(each) * factories


def city_contribution(city: City) -> CityContribution | None:
    """Return what a 4x4 city contributes; None for a city without any tile."""
    laid = Counter(face for row in city.grid for face in row if face is not None)
    if not laid:
        return None
    tiles = tiles_by_building_type(city.grid)
    # Points of factories depend on other cities: they are left out below, so any rank will do
    reasons = city_reasons(city.grid, tiles, ReasonKind.FACTORIES_FEWER)
    return CityContribution(
        sum(each.points for each in reasons if each.category is not BuildingType.FACTORIES),
        tuple(len(tiles[building_type]) for building_type in BuildingType),
        tuple(laid[face] for face in Face),
    )


def rank_contributions(table: Table, contributions: Sequence[CityContribution]) -> Outcome | None:
    """Return the points and ranks of a table whose cities contribute these.

    Args:
        table: Table with players and variant; its tiles are not used.
        contributions: Contribution of each city.

    Returns:
        The outcome; None if the game has fewer tiles of a face than lie on the table.
    """
    for laid, supply in zip(
        zip(*(c.faces for c in contributions), strict=True), _SUPPLY, strict=True
    ):
        if sum(laid) > supply:
            return None
    ranks = factory_ranks([each.counts[_FACTORIES] for each in contributions])
    totals = [
        each.points + FACTORY_POINTS[rank] * each.counts[_FACTORIES]
        for each, rank in zip(contributions, ranks, strict=True)
    ]
    counts = [each.counts for each in contributions]
    seats = cities_of_seats(table)
    return outcome_by_rank_keys(
        totals, [rank_key(table.variant, seat, totals, counts) for seat in seats]
    )


def final_scores(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the final score of each player from the points of the cities.

    It is monotonic in the points of each city, so bounds of cities give bounds of players.
    """
    return tuple(
        final_score(table.variant, [totals[city] for city in seat])
        for seat in cities_of_seats(table)
    )


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """Winners that some orders of the cities round the table have in common.

    Attributes:
        pairs: Indices of the two cities of each winner, the smaller one first.
        final: Final score of the winners.
        orders: Number of orders with these winners; mirrored ones count apart.
    """

    pairs: tuple[tuple[int, int], ...]
    final: int
    orders: int


def outcomes_by_order(table: Table, totals: Sequence[int]) -> tuple[OrderOutcome, ...]:
    """Return the winners under each order of the cities, those of most orders first.

    Args:
        table: Table of the standard game that the rules allow.
        totals: Points of each of its cities.
    """
    tiles = [tiles_by_building_type(city.grid) for city in table.cities]
    counts = [tuple(len(each[building_type]) for building_type in BuildingType) for each in tiles]
    found: Counter[tuple[tuple[tuple[int, int], ...], int]] = Counter()
    for rest in permutations(range(1, len(table.cities))):
        seats = cities_of_seats(replace(table, order=(0, *rest)))
        rank_keys = [rank_key(table.variant, seat, totals, counts) for seat in seats]
        best = max(rank_keys)
        won = sorted(
            (min(seat), max(seat))
            for seat, own in zip(seats, rank_keys, strict=True)
            if own == best
        )
        found[tuple(won), best[0]] += 1
    return tuple(
        OrderOutcome(pairs, final, orders)
        for (pairs, final), orders in sorted(found.items(), key=lambda each: (-each[1], each[0]))
    )
