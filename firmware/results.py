"""Who has won, in words."""

from collections.abc import Sequence

from firmware.language import _, _n


def winner_sentence(
    winners: Sequence[str], points: str, count: int, decided_by: str | None = None
) -> str:
    """One line naming the winner, or all who share the victory.

    Args:
        winners: their names, at least one.
        points: what they have, as it is to be shown, such as ``57?`` for what may change.
        count: the number in ``points``.
        decided_by: the sentence of the tie-break by which a single winner is ahead.
    """
    if len(winners) > 1:
        together = _("{names} and {last}").format(names=", ".join(winners[:-1]), last=winners[-1])
        return _n(
            "{winners} share the victory with {points} point",
            "{winners} share the victory with {points} points",
            count,
            winners=together,
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
        "{winner} wins with {points} point by tie-break, {tie_break}",
        "{winner} wins with {points} points by tie-break, {tie_break}",
        count,
        winner=winners[0],
        points=points,
        tie_break=decided_by,
    )
