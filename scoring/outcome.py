"""Points and ranks of a table without reasons, to compare many tables that differ in few tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.ranking import RankKey, rank_of


class Contribution(Protocol):
    """All of a city that the points and ranks of its table depend on; equal ones change nothing."""

    def __hash__(self) -> int: ...

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and most points of the city, whatever lies in others."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """Points and ranks of one table.

    Attributes:
        cities: Points of each city, in the order of the table; empty in games that score none.
        finals: Final score of each player, in seat order.
        ranks: Rank of each player: 1 is best, equal players share a rank.
    """

    cities: tuple[int, ...]
    finals: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """Players of rank 1, in seat order."""
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 1)


def ranked(cities: Sequence[int], rank_keys: Sequence[RankKey]) -> Outcome:
    """Return the outcome of a table whose players are compared number by number.

    Args:
        cities: Points of each city.
        rank_keys: Final score of each player, then what breaks ties.
    """
    ranks = tuple(rank_of(player, rank_keys) for player in range(len(rank_keys)))
    return Outcome(tuple(cities), tuple(key[0] for key in rank_keys), ranks)
