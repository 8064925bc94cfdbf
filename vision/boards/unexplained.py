"""Cells on which something stands or lies that neither their picture nor a figure explains."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.figure_outline import TOKEN_PX, squares_apart
from vision.boards.hue import degrees_apart

OFF_PLACE_PX = 5
"""A drawing may lie up to half of this off its place."""
OTHER = 45.0
"""By so many levels a pixel differs from all that is drawn near it where something hides it."""
A_LITTLE_OTHER = 30.0
"""The same where it hides something of nearly its own colour."""
LIKE_PAINT, NEARER = 20.0, 6.0
"""Degrees, as directions, that a colour may differ from a figure's paint to be of it in part, and
by which it is nearer to it than what is drawn."""
SIDE_SHARE = 0.75
"""Side of a square that a figure fills, as a share of its foot."""
FILLED = 0.65
"""Share of such a square that must be other than drawn; gaps between tiles fill less."""
INNER = 0.15
"""Such squares begin so far inside a cell, in cells; nearer to its edge only a gap may be seen."""


def apart_from_drawn(even: FloatImage, expected: FloatImage) -> FloatImage:
    """By how many levels each pixel (h, w) differs from all that is drawn near it.

    Args:
        even: (h, w, 3) the grid without its light, TOKEN_PX a tile.
        expected: the same as drawn; not a number where no tile lies.
    """
    near = np.ones((OFF_PLACE_PX, OFF_PLACE_PX), np.uint8)
    drawn = expected.copy()
    cv2.patchNaNs(drawn, 0)
    nearest = cv2.dilate(drawn, near)
    cv2.min(even, nearest, dst=nearest)
    cv2.max(nearest, cv2.erode(drawn, near, dst=drawn), dst=nearest)
    apart = np.asarray(cv2.sqrt(squares_apart(even, np.asarray(nearest, np.float32))), np.float32)
    np.copyto(apart, 0, where=np.isnan(expected[..., 0]))
    return apart


def apart_from_paints(
    expected: FloatImage, paints: Sequence[tuple[int, int, int]]
) -> NDArray[np.float32]:
    """Degrees (h, w, k), as directions, between paints and all that is drawn near each pixel.

    Args:
        expected: (h, w, 3) a tile as drawn.
        paints: of figures, BGR, k at least 1.
    """
    near = np.ones((OFF_PLACE_PX, OFF_PLACE_PX), np.uint8)
    drawn = degrees_apart(expected, floats(paints).T)
    return floats(cv2.erode(drawn, near)).reshape(drawn.shape)


def nearer_to_a_paint(
    even: FloatImage, drawn: NDArray[np.float32], paints: Sequence[tuple[int, int, int]]
) -> NDArray[np.bool_]:
    """Where (h, w) a tile has plainly more of the colour of a figure than what is drawn near it.

    Args:
        even: (h, w, 3) the tile without its light.
        drawn: see ``apart_from_paints``.
        paints: of figures, BGR, at least one.
    """
    seen = degrees_apart(even, floats(paints).T)
    is_nearer = (seen < LIKE_PAINT) & (seen < drawn - NEARER)
    return np.asarray(is_nearer.any(axis=2), np.bool_)


def unexplained_cells(
    other: FloatImage,
    corners: Iterable[tuple[Cell, tuple[float, float], tuple[float, float]]],
    foot: float,
    margin: float,
) -> list[Cell]:
    """The cells on which something as large as a figure differs from what is drawn.

    Args:
        other: (h, w) 1 where the grid is other than drawn and no figure explains it, else 0.
        corners: of each cell its top left and bottom right corner (x, y) in tile edges.
        foot: diameter of a figure in tile edges.
        margin: what ``other`` shows around the grid, in tile edges.
    """
    side = max(1, round(foot * SIDE_SHARE * TOKEN_PX))
    share = cv2.blur(other, (side, side), borderType=cv2.BORDER_CONSTANT)
    if share.max() < FILLED:
        return []
    found: list[Cell] = []
    for cell, (left, top), (right, bottom) in corners:
        room = (right - left) * INNER
        x0, x1 = (round((x + margin) * TOKEN_PX) for x in (left + room, right - room))
        y0, y1 = (round((y + margin) * TOKEN_PX) for y in (top + room, bottom - room))
        if float(share[y0:y1, x0:x1].max()) >= FILLED:
            found.append(cell)
    return found
