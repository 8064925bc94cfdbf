"""Where a part of a board does not look as it is printed, because something lies there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points, floats
from vision.boards.heap_ground import HeapGround
from vision.boards.known import KnownEdition, kept
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, brightest, colour_shares, darkest
from vision.boards.piece_colours import DAZZLING
from vision.boards.pieces import square

OTHER_COLOUR = 0.055
"""Difference of colours, as shares of the three channels, from which on a place looks unlike."""
LEAST_PIECE = 0.4
"""Smaller areas than this share of a piece are marks, shadows and reflections."""
SIZES = (0.75, 1.3)
"""Edges of a rectangle that may be a single piece."""
GROWN = 1.12
"""Shadows and slanted edges make a piece's square seem so many times as wide."""
RIM = 0.25
"""So far inside the board's outer edge, in edges of a piece, the table beside it may show where the
board is taken to lie a little off; nothing is looked for there beside a piece."""
_SMOOTH_PX = 2.0
_THICK = np.ones((5, 5), np.uint8)
"""Thinner things are edges and lines that lie a little off."""


@dataclass(frozen=True, slots=True, eq=False)
class StrangeArea:
    """An area that looks unlike the printed board.

    Attributes:
        middle: (2,) in grid coordinates.
        angle: of its sides, radians.
        is_piece: whether it has the shape of a single piece.
        pieces: how many pieces cover so much.
        reach: how far it extends from its middle, in edges of a piece.
        mask: (h, w) 1 where it is, but for the board's RIM and where light dazzles, TILE_PX for
            each edge of a piece.
        begin: (2,) where the mask begins, in grid coordinates.
    """

    middle: Points
    angle: float
    is_piece: bool
    pieces: float
    reach: float
    mask: NDArray[np.uint8]
    begin: Points

    def left_over(self, pieces: Sequence[tuple[Points, float]]) -> float:
        """How large, in pieces, the largest part of it is that none of some pieces covers.

        Args:
            pieces: middle (2,) in grid coordinates and angle of each.
        """
        # With room around it, so that thin edges vanish at its border, too
        room = len(_THICK)
        mask = np.pad(self.mask, room)
        for middle, angle in pieces:
            corners = (middle + GROWN * square((0, 0), angle) - self.begin) * TILE_PX + room
            cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 0)
        return largest_part(mask, _THICK) / TILE_PX**2


def largest_part(mask: NDArray[np.uint8], thick: NDArray[np.uint8]) -> float:
    """How many pixels the largest part of a mask (h, w) has, without what is less thick."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, thick)
    if not opened.any():  # as nearly always
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    return float(stats[1:, cv2.CC_STAT_AREA].max())


def strange_areas(
    ground: HeapGround, known: KnownEdition, light: Light | None
) -> list[StrangeArea]:
    """The areas of a heap's ground, as far as it lies on the board, that look unlike it.

    Args:
        ground: of the heap.
        known: the edition.
        light: on the grid.
    """
    if known.board_flat is None:
        return []
    # Where its first pixel lies on the board
    offset = (floats(ground.window[:2]) - known.board_offset[0]) * TILE_PX
    column, row = (int(v) for v in np.rint(offset))
    bottom = max(known.board_flat.shape[0] - row, 0)
    right = max(known.board_flat.shape[1] - column, 0)
    flat = ground.flat[max(-row, 0) : bottom, max(-column, 0) : right]
    if min(flat.shape[:2]) < TILE_PX:
        return []
    is_dazzling = darkest(flat) > DAZZLING * ground.view.gain
    top, left = max(row, 0), max(column, 0)
    x0, y0 = (float(v) for v in floats([left, top]) / TILE_PX + known.board_offset[0])
    if light is not None:
        tall, wide = (side / TILE_PX for side in flat.shape[:2])
        factor = light.factor(floats([[x0 + wide / 2, y0 + tall / 2]]))
        flat = np.asarray(cv2.transform(flat, np.diag(1 / factor[0])), np.float32)
    drawn = _drawn_shares(known, top, left, flat.shape[0], flat.shape[1])
    height, width = drawn.shape[:2]
    apart = brightest(np.asarray(cv2.absdiff(_shares(flat[:height, :width]), drawn), np.float32))
    other = (apart > OTHER_COLOUR).astype(np.uint8)
    opened = cv2.morphologyEx(other, cv2.MORPH_OPEN, _THICK)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, _THICK)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    mask = np.asarray(closed, np.uint8)
    mask[is_dazzling[:height, :width] | _at_rim(known.board_flat, top, left)[:height, :width]] = 0
    areas = (_area(np.asarray(outline, np.int32), mask, (x0, y0)) for outline in outlines)
    return [area for area in areas if area.pieces >= LEAST_PIECE]


def _at_rim(board: FloatImage, top: int, left: int) -> NDArray[np.bool_]:
    """Which pixels of a board's flat picture, from one on, lie in its RIM."""
    rim = round(RIM * TILE_PX)
    at_rim = np.ones(board.shape[:2], np.bool_)
    at_rim[rim:-rim, rim:-rim] = False
    return at_rim[top:, left:]


@kept
def _drawn_shares(
    known: KnownEdition, row: int, column: int, height: int, width: int
) -> FloatImage:
    """The shares of the print in a part of the board's flat picture, as far as it goes."""
    if known.board_flat is None:
        return np.zeros((0, 0, 3), np.float32)
    return _shares(known.board_flat[row : row + height, column : column + width])


def _shares(picture: FloatImage) -> FloatImage:
    """Each channel as a share of all three, smoothed."""
    return colour_shares(np.asarray(cv2.GaussianBlur(picture, (0, 0), _SMOOTH_PX), np.float32))


def _area(
    outline: NDArray[np.int32], mask: NDArray[np.uint8], begin: tuple[float, float]
) -> StrangeArea:
    """The area with an outline in the mask of a flat picture that begins at a place of the grid."""
    left, top, width, height = cv2.boundingRect(outline)
    inside = np.zeros((height, width), np.uint8)
    cv2.drawContours(inside, [outline], -1, 1, cv2.FILLED, offset=(-left, -top))
    (x, y), (first, second), degrees = cv2.minAreaRect(outline)
    edges = (first / TILE_PX, second / TILE_PX)
    return StrangeArea(
        floats([(x + 0.5) / TILE_PX + begin[0], (y + 0.5) / TILE_PX + begin[1]]),
        float(np.deg2rad(degrees)),
        all(SIZES[0] <= edge <= SIZES[1] for edge in edges),
        float(cv2.contourArea(outline)) / TILE_PX**2,
        max(float(np.hypot(*edges)) / 2, 0.5),
        inside & mask[top : top + height, left : left + width],
        floats([(left + 0.5) / TILE_PX + begin[0], (top + 0.5) / TILE_PX + begin[1]]),
    )
