"""Ranks and tie-breaks of players, for games that compare number by number."""

from collections.abc import Sequence
from dataclasses import dataclass

RankKey = tuple[int, ...]
"""Numbers to compare players by, the first difference decides, higher is better: the final score,
then the tie-breakers in their order."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Comparison of a player with those of the same final score.

    Players who share a rank are compared with each other. A player alone at a rank is compared with
    the next better ones of the same final score. The best one is compared with the next worse.

    Attributes:
        against: Indices of the players compared with.
        by: First index at which the rank keys differ, from 1, as 0 is the final score; None if
            they are equal, so that the rank is shared.
        own: This player's number there; None if shared.
        other: Number there of the players in ``against``; None if shared.
    """

    against: tuple[int, ...]
    by: int | None = None
    own: int | None = None
    other: int | None = None


def rank_of(player: int, rank_keys: Sequence[RankKey]) -> int:
    """Return the rank of a player; after a shared rank the next ones are left out: 1, 1, 3."""
    return 1 + sum(key > rank_keys[player] for key in rank_keys)


def explain_tie(player: int, rank_keys: Sequence[RankKey]) -> TieBreak | None:
    """Compare a player with those of the same final score; None if there are none."""
    own = rank_keys[player]
    rivals = {
        index: key for index, key in enumerate(rank_keys) if index != player and key[0] == own[0]
    }
    if not rivals:
        return None
    at_least_as_good = [key for key in rivals.values() if key >= own]
    nearest = min(at_least_as_good) if at_least_as_good else max(rivals.values())
    against = tuple(index for index, key in rivals.items() if key == nearest)
    for index, (mine, other) in enumerate(zip(own, nearest, strict=True)):
        if mine != other:
            return TieBreak(against, index, mine, other)
    return TieBreak(against)
