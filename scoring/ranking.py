"""Who stands where, and next to whom: the same for every game that compares number by number."""

from collections.abc import Sequence

Standing = tuple[int, ...]
"""What a player is compared by, the higher the better: the final score, then what breaks ties."""


def rank_of(player: int, standings: Sequence[Standing]) -> int:
    """The rank of a player; those who share one leave out the next ones: 1, 1, 3."""
    return 1 + sum(standing > standings[player] for standing in standings)


def nearest_rivals(
    player: int, standings: Sequence[Standing]
) -> tuple[tuple[int, ...], int | None]:
    """With whom a player is compared of those with the same final score, and what decides.

    Compared are those who share the rank; else the next better ones; for the best the next worse.

    Returns:
        The rivals, none if nobody has the same final score; and the first place of the standings
        in which they differ from the player, None if in none.
    """
    own = standings[player]
    rivals = {
        index: standing
        for index, standing in enumerate(standings)
        if index != player and standing[0] == own[0]
    }
    if not rivals:
        return (), None
    at_least_as_good = [standing for standing in rivals.values() if standing >= own]
    nearest = min(at_least_as_good) if at_least_as_good else max(rivals.values())
    against = tuple(index for index, standing in rivals.items() if standing == nearest)
    return against, next((place for place in range(len(own)) if own[place] != nearest[place]), None)
