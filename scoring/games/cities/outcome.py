"""Outcome of a table from the standings of its players: many tables that differ in few fields."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.games.cities.legality import status
from scoring.games.cities.points import standing
from scoring.games.cities.table import City, Table
from scoring.outcome import Outcome, ranked
from scoring.ranking import Standing


@dataclass(frozen=True, slots=True)
class CityContribution:
    """All of a city that the ranks of its table depend on.

    Attributes:
        standing: Final score of its player, then the points of each tourist, best first.
    """

    standing: Standing

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most points of the city: the same, as no other city changes them."""
        return self.standing[0], self.standing[0]


def city_contribution(city: City, level: int) -> CityContribution | None:
    """Return what a city contributes at a level; None if nobody can have laid it like that."""
    if status(Table((city,), level), lenient=True):
        return None
    return CityContribution(standing(city, level))


def outcome(contributions: Sequence[CityContribution]) -> Outcome:
    """Return the points and ranks of a table whose cities contribute these."""
    standings = [each.standing for each in contributions]
    return ranked([each[0] for each in standings], standings)
