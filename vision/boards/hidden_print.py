"""Where the print of a board does not show although nothing there has another colour.

A hand or a thing of the board's own colours looks like the board, but is not drawn like it. Light
may burn out the print, and what lies on it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points, floats
from vision.boards.heap_ground import COARSE_PX, HeapGround
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import TILE_PX, darkest
from vision.boards.piece_colours import DAZZLING
from vision.boards.pieces import square
from vision.boards.strange import RIM, largest_part

LEAST_ALIKE: Final = 0.25
"""Correlation of what is seen with what is printed; of things that lie there, it is about 0."""
LEAST_DRAWN: Final = 0.25
"""Mean square of what is printed, evened, that shows whether it is seen."""
AROUND_PX: Final = 9
"""Box within which brightness and contrast are brought to the same level."""
COMPARED_PX: Final = 13
"""Box within which both are compared."""
LEAST_CONTRAST: Final = 4.0
"""Levels: fainter contrast is noise."""
GROWN: Final = 1.35
"""A piece, its shadow and what is compared with them are so many times as wide as a piece."""
_THICK: Final = np.ones((4, 4), np.uint8)
_ROUND_LIGHT: Final = np.ones((5, 5), np.uint8)

_Grey = NDArray[np.float32]


class HiddenPrint(NamedTuple):
    """How large, in pieces, the largest part of a heap's ground is where the print does not show.

    Attributes:
        by_things: where light leaves colours, so that something lies there.
        in_all: where light may have burnt it out as well.
    """

    by_things: float
    in_all: float


def hidden_print(
    ground: HeapGround, known: KnownEdition, pieces: Sequence[tuple[Points, float]]
) -> HiddenPrint:
    """Where the print of a board should show on a heap's ground, and does not.

    Args:
        ground: of the heap.
        known: the edition.
        pieces: that were read there, middle (2,) in grid coordinates and angle of each.
    """
    offset = (floats(ground.window[:2]) - known.board_offset[0]) * COARSE_PX
    column, row = (int(v) for v in np.rint(offset))
    tall, wide = ground.coarse.shape[:2]
    printed, strength = _printed(known, row, column, tall, wide)
    height, width = printed.shape
    if min(height, width) < COARSE_PX:
        return HiddenPrint(0.0, 0.0)
    top, left = max(-row, 0), max(-column, 0)
    flat = ground.coarse[top : top + height, left : left + width]
    seen = _evened(np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.float32))
    alike = _mean(seen * printed)
    is_missing = alike < LEAST_ALIKE * np.sqrt(_mean_square(seen) * strength)
    missing = (is_missing & (strength > LEAST_DRAWN)).astype(np.uint8)
    begin = floats(ground.window[:2]) + floats([left, top]) / COARSE_PX
    for middle, angle in pieces:
        corners = (middle + GROWN * square((0, 0), angle) - begin) * COARSE_PX
        cv2.fillConvexPoly(missing, np.rint(corners).astype(np.int32), 0)
    dazzling = (darkest(flat) > DAZZLING).astype(np.uint8)
    in_colour = missing * (cv2.dilate(dazzling, _ROUND_LIGHT) == 0)
    masks = np.asarray(in_colour, np.uint8), missing
    return HiddenPrint(*(largest_part(mask, _THICK) / COARSE_PX**2 for mask in masks))


@kept
def _printed(
    known: KnownEdition, row: int, column: int, tall: int, wide: int
) -> tuple[_Grey, _Grey]:
    """What is printed in a part of the board, evened, and its mean square; 0 in the board's RIM.

    Args:
        known: the edition.
        row: of the board's picture, COARSE_PX for each edge of a piece, where the part begins.
        column: see ``row``.
        tall: of the part, as far as it lies on the board.
        wide: see ``tall``.
    """
    if known.board_flat is None:
        return np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32)
    scale = COARSE_PX / TILE_PX
    grey = cv2.cvtColor(known.board_flat, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    even = _evened(np.asarray(small, np.float32))
    strength = _mean_square(even)
    rim = round(RIM * COARSE_PX)
    inner = np.zeros_like(strength)
    inner[rim:-rim, rim:-rim] = strength[rim:-rim, rim:-rim]
    part = np.s_[max(row, 0) : max(row + tall, 0), max(column, 0) : max(column + wide, 0)]
    return even[part], inner[part]


def _evened(grey: _Grey) -> _Grey:
    """The same brightness and contrast round every pixel, see ``evened``, but quicker."""
    box = (AROUND_PX, AROUND_PX)
    away = grey - cv2.blur(grey, box)
    spread = np.maximum(cv2.blur(away * away, box), 0) + np.float32(LEAST_CONTRAST**2)
    return np.asarray(away / np.sqrt(spread), np.float32)


def _mean(values: _Grey) -> _Grey:
    return np.asarray(cv2.blur(values, (COMPARED_PX, COMPARED_PX)), np.float32)


def _mean_square(values: _Grey) -> _Grey:
    # The sums that OpenCV carries along may end a little below 0
    return np.asarray(np.maximum(_mean(values * values), 0), np.float32)
