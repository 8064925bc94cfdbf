"""Where the pieces of a heap lie, by the features of their pictures."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points, floats, median
from vision.boards.features import PictureIndex, Votes, features_of, votes_for, wrapped
from vision.boards.heap_ground import HeapGround
from vision.boards.piece_colours import Whereabouts
from vision.boards.view import Window

FEATURES_IN_SQUARE = 30
"""So many features are taken at most, on average, where a piece has room."""
FEWEST_AGREEING, ENOUGH_AGREEING = 2, 3
"""Votes for a piece; with fewer than the latter, which may be two blobs side by side, it must be
plainly alike."""
SAME_PLACE = 0.25
"""Votes for one piece put its middle so near, in its edges."""
SAME_TURN = np.deg2rad(20)
SAME_SIZE = (0.75, 1.33)
"""Pieces seem so large relative to what is known of their size."""
APART = 0.6
"""Middles of two pieces that do not lie on one another are further apart than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where a piece may lie.

    Attributes:
        middle: (2,) in grid coordinates.
        angle: radians, clockwise.
        votes: how many features say so; 0: none, but the shape of what lies there does.
        are_of_one: whether these are features of one picture.
    """

    middle: Points
    angle: float
    votes: int
    are_of_one: bool = False


def poses_by_features(
    ground: HeapGround,
    index: PictureIndex,
    where: Whereabouts,
    board: Window,
) -> list[Pose]:
    """Where pieces may lie, the best supported first.

    Beside the board, where no print tells of a piece that hides it, single features count, too.

    Args:
        ground: of a heap.
        index: of the pictures of pieces.
        where: pieces may lie there.
        board: its edges, in grid coordinates.
    """
    may_lie, dazzled = (np.ones((1, 1), np.uint8) if each is None else each for each in where)
    if not may_lie.any():
        return []
    edge = ground.edge_px
    votes = _votes(ground, index, may_lie, is_dazzling=False)
    if dazzled.any():
        # More contrast shows bleached pieces, and hides some that are hardly bleached
        votes = votes.with_new(_votes(ground, index, dazzled, is_dazzling=True))
    votes = votes.only((votes.widths > SAME_SIZE[0] * edge) & (votes.widths < SAME_SIZE[1] * edge))
    # How large pieces are is known better than any feature tells
    centres = replace(votes, widths=np.full(len(votes), edge, np.float32)).centres
    angles = votes.angles
    x, y = (centres[:, None, axis] - centres[:, axis] for axis in (0, 1))
    agree = np.hypot(x, y) < SAME_PLACE * edge
    one, other = np.nonzero(agree)
    agree[one, other] = np.abs(wrapped(angles[one] - angles[other])) < SAME_TURN
    found: list[Pose] = []
    while agree.any():
        counts = np.count_nonzero(agree, axis=1)
        best = int(counts.argmax())
        if counts[best] < FEWEST_AGREEING:
            break
        group = np.flatnonzero(agree[best])
        middle = median(centres[group])
        first = angles[group[0]]
        angle = float(first + median(wrapped(angles[group] - first)))
        are_of_one = len(np.unique(votes.pictures[group])) == 1
        found.append(Pose(ground.in_grid(floats(middle)), angle, len(group), are_of_one))
        taken = np.linalg.norm(centres - middle, axis=1) <= APART * edge
        agree[taken] = False
        agree[:, taken] = False
    places = ground.in_grid(centres)
    is_beside = ((places < floats(board[:2])) | (places > floats(board[2:]))).any(axis=1)
    lone = np.flatnonzero(is_beside & agree.any(axis=1)).tolist()
    return [*found, *(Pose(places[n], float(angles[n]), 1, are_of_one=True) for n in lone)]


def _votes(
    ground: HeapGround, index: PictureIndex, where: NDArray[np.uint8], *, is_dazzling: bool
) -> Votes:
    """What features say of where pieces lie, in pixels of the ground; ``where`` is not all 0."""
    height, width = ground.taken.shape[:2]
    top, bottom = _ends(where.max(axis=1))
    left, right = _ends(where.max(axis=0))
    rows, columns = where.shape
    y = slice(top * height // rows, bottom * height // rows)
    x = slice(left * width // columns, right * width // columns)
    image, part = ground.taken[y, x], where[top:bottom, left:right]
    squares = image.shape[0] * image.shape[1] / ground.edge_px**2
    most = round(FEATURES_IN_SQUARE * squares * np.count_nonzero(part) / part.size)
    features = features_of(image, most, where=part, is_dazzling=is_dazzling)
    return votes_for(index, replace(features, points=features.points + floats([x.start, y.start])))


def _ends(line: NDArray[np.uint8]) -> tuple[int, int]:
    """The first place that is not 0, and the one after the last."""
    places = np.flatnonzero(line)
    return int(places[0]), int(places[-1]) + 1
