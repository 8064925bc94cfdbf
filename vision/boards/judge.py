"""From distances to answers: what lies in each place, and whether that is certain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boards.known import KnownFaces

ALIKE = 0.62
"""A tile further from the most similar picture than this may be something else."""
CLEAR_LEAD = 0.12
"""A tile must be nearer by so much to its picture than to that of any other face."""
CLEAR_TURN = 0.08
"""The same for another turn of the same face, where that matters."""
LIKELIER = 0.45
"""Other faces so little further away are offered as alternatives."""
MOST_ALTERNATIVES = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What lies in one place.

    Attributes:
        face: number of the face, None: nothing.
        turn: quarters by which it is turned clockwise.
        distance: to the most similar picture.
        lead: how much further away the next face is.
        is_sure: whether nobody needs to look.
        alternatives: numbers of other faces, None: nothing; likeliest first.
    """

    face: int | None
    turn: int
    distance: float
    lead: float
    is_sure: bool
    alternatives: tuple[int | None, ...] = ()

    @property
    def confidence(self) -> float:
        """How likely the face is right, 0 to 1."""
        fit = 1 / (1 + np.exp((self.distance - ALIKE) * 8))
        clear = 1 / (1 + np.exp((CLEAR_LEAD - self.lead) * 25))
        return float(min(fit * clear * 1.05, 0.999))


def answer_for(
    distances: NDArray[np.float32],
    known: KnownFaces,
    *,
    empty: float | None,
    turn_matters: bool,
) -> Answer:
    """What lies in a place.

    Args:
        distances: (n,) to the pictures of ``known``.
        known: the pictures.
        empty: distance to what the board shows there; None: no board.
        turn_matters: whether another turn of the same face is another answer.
    """
    best = int(distances.argmin())
    face = int(known.faces[best])
    per_face = np.full(len(known.names), np.inf, np.float32)
    np.minimum.at(per_face, known.faces, distances)
    rivals: list[tuple[float, int | None]] = [
        (float(distance), number) for number, distance in enumerate(per_face) if number != face
    ]
    nearest = float(distances[best])
    if empty is not None:
        rivals.append((empty, None))
    rivals.sort(key=lambda rival: rival[0])
    other_turn = distances[(known.faces == face) & (known.turns != known.turns[best])]
    turn_lead = float(other_turn.min()) - nearest if len(other_turn) else np.inf
    answer: int | None = face
    if empty is not None and empty < nearest:
        answer, nearest, best_turn = None, empty, 0
        rivals = [r for r in rivals if r[1] is not None]
        rivals.append((float(per_face[face]), face))
        rivals.sort(key=lambda rival: rival[0])
        turn_lead = np.inf
    else:
        best_turn = int(known.turns[best])
    lead = rivals[0][0] - nearest if rivals else 2.0
    is_sure = nearest <= ALIKE and lead >= CLEAR_LEAD
    if turn_matters and turn_lead < CLEAR_TURN:
        is_sure = False
    near = tuple(number for distance, number in rivals if distance - nearest < LIKELIER)
    return Answer(
        answer, best_turn, nearest, lead, is_sure, () if is_sure else near[:MOST_ALTERNATIVES]
    )
