"""Where a part of a board does not look as it is printed, because something lies there."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import FloatImage, Points, floats
from vision.boards.known import KnownEdition, kept
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, brightest, colour_shares
from vision.boards.view import View, Window

OTHER_COLOUR = 0.055
"""Difference of colours, as shares of the three channels, from which on a place looks unlike."""
LEAST_PIECE = 0.4
"""Smaller areas than this share of a piece are marks, shadows and reflections."""
SIZES = (0.75, 1.3)
"""Edges of a rectangle that may be a single piece."""
_SMOOTH_PX = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class StrangeArea:
    """An area that looks unlike the printed board.

    Attributes:
        middle: (2,) in grid coordinates.
        angle: of its sides, radians.
        is_piece: whether it has the shape of a single piece.
        pieces: how many pieces cover so much.
        reach: how far it extends from its middle, in edges of a piece.
    """

    middle: Points
    angle: float
    is_piece: bool
    pieces: float
    reach: float


def strange_areas(
    view: View, known: KnownEdition, window: Window, light: Light | None
) -> list[StrangeArea]:
    """The areas of a window, as far as it lies on the board, that look unlike it.

    Args:
        view: of the board.
        known: the edition.
        window: in grid coordinates.
        light: on the grid.
    """
    if known.board_flat is None:
        return []
    left, top = (float(v) for v in known.board_offset[0])
    tall, wide = (side / TILE_PX for side in known.board_flat.shape[:2])
    x0, y0 = max(window[0], left), max(window[1], top)
    x1, y1 = min(window[2], left + wide), min(window[3], top + tall)
    if x1 - x0 < 1 or y1 - y0 < 1:
        return []
    flat = view.softened((x0, y0, x1, y1))
    if light is not None:
        middle = floats([[(x0 + x1) / 2, (y0 + y1) / 2]])
        flat = np.asarray(flat / light.factor(middle), np.float32)
    row, column = round((y0 - top) * TILE_PX), round((x0 - left) * TILE_PX)
    drawn = _drawn_shares(known, row, column, flat.shape[0], flat.shape[1])
    height, width = drawn.shape[:2]
    apart = brightest(np.abs(_shares(flat[:height, :width]) - drawn))
    other = (apart > OTHER_COLOUR).astype(np.uint8)
    opened = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    areas = (_area(np.asarray(outline, np.int32), (x0, y0)) for outline in outlines)
    return [area for area in areas if area.pieces >= LEAST_PIECE]


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


def _area(outline: np.ndarray, begin: tuple[float, float]) -> StrangeArea:
    """The area with an outline in a flat picture that begins at a place of the grid."""
    (x, y), (first, second), degrees = cv2.minAreaRect(outline)
    edges = (first / TILE_PX, second / TILE_PX)
    return StrangeArea(
        floats([(x + 0.5) / TILE_PX + begin[0], (y + 0.5) / TILE_PX + begin[1]]),
        float(np.deg2rad(degrees)),
        all(SIZES[0] <= edge <= SIZES[1] for edge in edges),
        float(cv2.contourArea(outline)) / TILE_PX**2,
        max(float(np.hypot(*edges)) / 2, 0.5),
    )
