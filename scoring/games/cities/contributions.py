"""Fast scoring of all tables that are possible while some tiles are unsure."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.games.cities.legality import list_breaches
from scoring.games.cities.points import rank_key
from scoring.games.cities.table import City, Table
from scoring.outcome import Outcome, outcome_by_rank_keys
from scoring.ranking import RankKey


@dataclass(frozen=True, slots=True)
class CityContribution:
    """Summary of a city from which its table can be scored and ranked.

    Attributes:
        rank_key: Final score of its player, then the points of each tourist, best first.
    """

    rank_key: RankKey

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most points of the city: the same, as no other city changes them."""
        return self.rank_key[0], self.rank_key[0]


def city_contribution(city: City, level: int) -> CityContribution | None:
    """Return the contribution of a city at a level; None if the rules forbid the city."""
    if list_breaches(Table((city,), level), lenient=True):
        return None
    return CityContribution(rank_key(city, level))


def rank_contributions(contributions: Sequence[CityContribution]) -> Outcome:
    """Return the points and ranks of a table whose cities contribute these."""
    rank_keys = [each.rank_key for each in contributions]
    return outcome_by_rank_keys([each[0] for each in rank_keys], rank_keys)
