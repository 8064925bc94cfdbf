"""Sentences on who has won, or can still win."""

from collections.abc import Sequence

from firmware.base.language import _, _n
from firmware.wording.ranges import ShownNumbers


def all_of(names: Sequence[str]) -> str:
    """Return names joined by "and"."""
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def any_of(names: Sequence[str]) -> str:
    """Return names joined by "or"."""
    if len(names) < 2:
        return "".join(names)
    return _("{names} or {last}").format(names=", ".join(names[:-1]), last=names[-1])


def bounds_sentence(numbers: ShownNumbers) -> str:
    """Return a sentence on ranges that are only bounds; empty if none are."""
    if not numbers.shows_bounds:
        return ""
    return _("Rough ranges: too much is open to try every case.")


def winner_sentence(
    winners: Sequence[str], points: str, count: int, decided_by: str | None = None
) -> str:
    """Return a line that names the winner, or all who share the victory.

    Args:
        winners: Names of the winners, at least one.
        points: Points of each as shown, such as ``57?`` or ``55–57`` if they may change.
        count: Number that decides between the words point and points.
        decided_by: Sentence of the tie-break that a single winner won by; None without a tie.
    """
    if len(winners) > 1:
        return _n(
            "{winners} share the victory with {points} point",
            "{winners} share the victory with {points} points",
            count,
            winners=all_of(winners),
            points=points,
        )
    if decided_by is None:
        return _n(
            "{winner} wins with {points} point",
            "{winner} wins with {points} points",
            count,
            winner=winners[0],
            points=points,
        )
    return _n(
        "{winner} wins with {points} point after a tie: {tie_break}",
        "{winner} wins with {points} points after a tie: {tie_break}",
        count,
        winner=winners[0],
        points=points,
        tie_break=decided_by,
    )


def result_sentence(numbers: ShownNumbers, names: Sequence[str], as_read: str) -> str:
    """Return a sentence on the winner that is true whatever lies at the open places.

    Args:
        numbers: Points and ranks of the result.
        names: Names of all players, in seat order.
        as_read: Sentence on the winner as read.
    """
    if numbers.wins_anyway:
        return _("{sentence}, whatever the open tiles are").format(sentence=as_read)
    if numbers.contenders:
        can_win = any_of([names[player] for player in numbers.contenders])
        return _("{names}: the open tiles decide who wins").format(names=can_win)
    if numbers.may_others_win:
        return _("{sentence}, unless somebody else turns out to play").format(sentence=as_read)
    return as_read
