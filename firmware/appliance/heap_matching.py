"""Matching of the pieces of a heap in two photos of one table.

The eye numbers the pieces of a heap anew in each photo, the most certain one first, so a number
may mean another piece in the next photo.
"""

from collections.abc import Mapping
from itertools import chain

from vision.reading import GridReading, PieceKey

FaceByPiece = Mapping[PieceKey, str | None]
"""Face of each piece as a person has answered; None if there is no piece."""


def match_pieces(
    heap: str,
    before: GridReading,
    answers: FaceByPiece,
    now: GridReading,
    answers_now: FaceByPiece,
    removed: Mapping[PieceKey, str],
) -> dict[PieceKey, PieceKey]:
    """Return the pieces of a heap in a new photo by the earlier ones that were read or answered.

    A piece is found by the face of its answer, else by that as it was read, else by its order;
    those without an answer are found first. One that the eye does not see, such as one that a
    person has added, gets a free number.

    Args:
        heap: Name of the heap.
        before: Earlier reading of the board by the eye.
        answers: Faces that a person has given for its pieces.
        now: New reading of the board by the eye.
        answers_now: Faces that a person has given for pieces of ``now``; these keep their numbers.
        removed: Faces of pieces that a person has removed, as they were read then.
    """
    read, answered = _faces(heap, before), _in_heap(heap, answers)
    unseen = {piece: face for piece, face in removed.items() if piece not in read}
    left = _faces(heap, now) | _in_heap(heap, answers_now)
    taken = set(left)
    found: dict[PieceKey, PieceKey] = {}
    as_read = {piece: face for piece, face in read.items() if piece not in answered}
    by_face = as_read, answered, read, _in_heap(heap, unseen)
    for piece, face in chain.from_iterable(faces.items() for faces in by_face):
        same = [] if face is None else [each for each in left if left[each] == face]
        if piece not in found and same:
            found[piece] = piece if piece in same else min(same)
            del left[found[piece]]
    for piece in sorted(read.keys() - found.keys()):
        if left:
            found[piece] = min(left)
            del left[min(left)]
    for piece in sorted(answered.keys() - found.keys()):
        is_free = piece not in taken
        found[piece] = piece if is_free else (heap, 1 + max(number for _, number in taken))
        taken.add(found[piece])
    return found


def _faces(heap: str, grid: GridReading) -> dict[PieceKey, str | None]:
    """Return the faces of the pieces of a heap; None for one that could not be read."""
    unread = dict.fromkeys(slot for slot in grid.unsure_slots if slot[0] == heap)
    return unread | {each.key: each.face for each in grid.loose if each.container == heap}


def _in_heap(heap: str, answers: FaceByPiece) -> dict[PieceKey, str | None]:
    return {piece: answers[piece] for piece in sorted(answers) if piece[0] == heap}
