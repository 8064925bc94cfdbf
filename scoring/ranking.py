"""Ranks and tie-breaks of players, for games that compare number by number."""

from collections.abc import Sequence
from dataclasses import dataclass

Standing = tuple[int, ...]
"""Numbers to compare players by, higher is better: the final score, then the tie-breakers."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Comparison of a player with those of the same final score.

    A player who shares the rank is compared with those who share it; else with the next better
    ones of the same final score; the best ones with the next worse.

    Attributes:
        against: Indices of the players compared with.
        by: First place of the standings in which they differ, from 1, as 0 is the final
            score; None if in none, so that the rank is shared.
        own: This player's number in that place; None if shared.
        other: Number of those in ``against``; None if shared.
    """

    against: tuple[int, ...]
    by: int | None = None
    own: int | None = None
    other: int | None = None


def rank_of(player: int, standings: Sequence[Standing]) -> int:
    """Return the rank of a player; after a shared rank the next ones are left out: 1, 1, 3."""
    return 1 + sum(standing > standings[player] for standing in standings)


def tie_break(player: int, standings: Sequence[Standing]) -> TieBreak | None:
    """Compare a player with those of the same final score; None if there are none."""
    own = standings[player]
    rivals = {
        index: standing
        for index, standing in enumerate(standings)
        if index != player and standing[0] == own[0]
    }
    if not rivals:
        return None
    at_least_as_good = [standing for standing in rivals.values() if standing >= own]
    nearest = min(at_least_as_good) if at_least_as_good else max(rivals.values())
    against = tuple(index for index, standing in rivals.items() if standing == nearest)
    for place, (mine, other) in enumerate(zip(own, nearest, strict=True)):
        if mine != other:
            return TieBreak(against, place, mine, other)
    return TieBreak(against)
