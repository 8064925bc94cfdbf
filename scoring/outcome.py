"""Points and ranks of a table without reasons, to compare many tables that differ in few tiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.ranking import RankKey, rank_of


class Contribution(Protocol):
    """Summary of a city from which its table can be scored and ranked.

    Cities with equal contributions can be exchanged without changing the outcome.
    """

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
        others_win: True if somebody wins who is none of these players, alone or together with
            them.
    """

    cities: tuple[int, ...]
    finals: tuple[int, ...]
    ranks: tuple[int, ...]
    others_win: bool = False

    @property
    def winners(self) -> tuple[int, ...]:
        """Players of rank 1, in seat order."""
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 1)


def outcome_by_rank_keys(cities: Sequence[int], rank_keys: Sequence[RankKey]) -> Outcome:
    """Return the outcome of a table whose players are compared number by number.

    Args:
        cities: Points of each city.
        rank_keys: Final score of each player, then what breaks ties.
    """
    ranks = tuple(rank_of(player, rank_keys) for player in range(len(rank_keys)))
    return Outcome(tuple(cities), tuple(key[0] for key in rank_keys), ranks)


def outcome_by_totals(totals: Sequence[int], others: Sequence[int]) -> Outcome:
    """Return the outcome for players without cities, compared by their points alone.

    Args:
        totals: Points of each player.
        others: Points of further players, who have no rank in the outcome.
    """
    found = outcome_by_rank_keys((), [(points,) for points in (*totals, *others)])
    others_win = 1 in found.ranks[len(totals) :]
    return Outcome((), tuple(totals), found.ranks[: len(totals)], others_win)


@dataclass(frozen=True, slots=True)
class FinalBounds:
    """Bounds of final scores.

    Attributes:
        players: Least and most points of each player, in seat order.
        others: Upper bound for each player who is not in ``players`` but may own pieces at open
            places.
    """

    players: tuple[tuple[int, int], ...]
    others: tuple[int, ...] = ()


class AssignmentScorer(Protocol):
    """Fast scorer for the possible contents of the open places of one board."""

    @property
    def contents(self) -> Mapping[Any, tuple[str | None, ...]]:
        """Contents to try at each open place, None for an empty one.

        Contents that always score the same are represented by one of them.
        """
        ...

    def score_assignment(self, assignment: Sequence[str | None]) -> Outcome | None:
        """Return points and ranks of an assignment.

        Args:
            assignment: One of the contents for each open place, in their order.

        Returns:
            The outcome; None if the box does not hold so many pieces of a kind.
        """
        ...

    def bounds(self) -> FinalBounds:
        """Return bounds over all assignments together, without trying each."""
        ...
