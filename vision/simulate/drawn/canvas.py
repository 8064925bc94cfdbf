"""Pictures of tiles and boards at any size: painted large, then reduced."""

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Image
from vision.simulate.drawing import Board

Painter = Callable[[Board], None]
"""Draws on the board it is given."""

SMALLEST_PICTURE_PX = 8

_LEAST_MASTER_PX = 400
_FINE_UP_TO_PX = 700
_DOUBLE_UP_TO_PX = 2000


def draw_tile(paint: Painter, size_px: int) -> Image:
    """Draw a square tile of 100 x 100 units.

    Args:
        paint: draws it from edge to edge.
        size_px: edge of the picture.

    Returns:
        A new BGR picture (size_px, size_px, 3).

    Raises:
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    return draw_sheet(paint, (100.0, 100.0), size_px)


def draw_sheet(
    paint: Painter,
    size: tuple[float, float],
    longer_px: int,
    least_master_px: int = _LEAST_MASTER_PX,
) -> Image:
    """Draw a sheet of ``size`` (width, height) units, such as millimetres.

    Args:
        paint: draws it from edge to edge.
        size: width and height in the units of ``paint``.
        longer_px: longer side of the picture.
        least_master_px: longer side at which the thinnest lines are still drawn as thin as they
            should be; smaller pictures are reduced from there.

    Returns:
        A new BGR picture (h, w, 3).

    Raises:
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    if longer_px < SMALLEST_PICTURE_PX:
        raise ValueError(f"a picture of {longer_px} px; it needs {SMALLEST_PICTURE_PX} px or more")
    scale = longer_px / max(size)
    width, height = (max(1, round(length * scale)) for length in size)
    times = _supersampling(longer_px, least_master_px)
    master = np.zeros((height * times, width * times, 3), np.uint8)
    paint(Board(master, scale * times))
    reduced = cv2.resize(master, (width, height), interpolation=cv2.INTER_AREA)
    return reduced.astype(np.uint8, copy=False)


def _supersampling(longer_px: int, least_master_px: int) -> int:
    if longer_px > _DOUBLE_UP_TO_PX:
        times = 1
    elif longer_px > _FINE_UP_TO_PX:
        times = 2
    else:
        times = 4
    return max(times, -(-least_master_px // longer_px))
