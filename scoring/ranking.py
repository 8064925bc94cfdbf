"""Who stands where, and next to whom: the same for every game that compares number by number."""

from collections.abc import Sequence
from dataclasses import dataclass

Standing = tuple[int, ...]
"""What a player is compared by, the higher the better: the final score, then what breaks ties."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """How a player stands to those with the same final score.

    A player who shares the rank is compared with those who share it; else with the next better
    ones of the same final score; the best ones with the next worse.

    Attributes:
        against: indices of the players compared with.
        by: the first place of the standings in which they differ, from 1, as 0 is the final
            score; None if in none, so that the rank is shared.
        own: this player's number in that place; None if shared.
        other: the number of those in ``against``; None if shared.
    """

    against: tuple[int, ...]
    by: int | None = None
    own: int | None = None
    other: int | None = None


def rank_of(player: int, standings: Sequence[Standing]) -> int:
    """The rank of a player; those who share one leave out the next ones: 1, 1, 3."""
    return 1 + sum(standing > standings[player] for standing in standings)


def tie_break(player: int, standings: Sequence[Standing]) -> TieBreak | None:
    """How a player stands to those with the same final score; None: nobody has the same."""
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
