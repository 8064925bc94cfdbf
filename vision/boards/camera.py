"""Where the camera stood above a grid, as far as the picture of the grid tells.

Method: a plane's homography is the camera matrix times two columns of a rotation and a translation
(R. Hartley and A. Zisserman, "Multiple View Geometry", 2nd ed., 8.1); that the columns are at right
angles and equally long gives the focal length, if the plane is seen at a slant.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Homography

USUAL_FOCAL = 0.8
"""Focal length of a usual camera, in widths of its picture."""
FOCAL_RANGE = (0.35, 1.6)
LEAST_SLANT = 0.12
"""Perspective, as change of scale over half a picture, from which on it tells the focal length."""


def camera_above(
    plane: Homography, size_wh: tuple[int, int], focal_px: float
) -> NDArray[np.float64]:
    """The place of the camera in grid coordinates (x, y, height), all in tile edges.

    Args:
        plane: from grid coordinates to pixels without distortion.
        size_wh: of the picture.
        focal_px: focal length.
    """
    columns = _centred(plane, size_wh)
    columns[:2] /= focal_px
    # Of a few numbers, Python's own functions take less time than numpy's
    (a, b, c), (d, e, f), _ = columns.T.tolist()
    scale = (math.hypot(a, b, c) + math.hypot(d, e, f)) / 2
    columns /= math.copysign(scale, columns[2, 2])
    (a, b, c), (d, e, f), away = columns.T.tolist()
    rotation = np.array([[a, d, b * f - c * e], [b, e, c * d - a * f], [c, f, a * e - b * d]])
    _, u, vt = cv2.SVDecomp(rotation)
    place = -(u @ vt).T @ away
    return np.asarray([place[0], place[1], abs(place[2])], np.float64)


def focal_of(planes: Sequence[Homography], size_wh: tuple[int, int]) -> float:
    """The focal length in pixels of a camera that sees these planes, as far as they tell it."""
    width = size_wh[0]
    usual = USUAL_FOCAL * width
    # For each plane h1' w h2 = 0 and h1' w h1 = h2' w h2 with w = diag(1/f^2, 1/f^2, 1)
    products: list[float] = []
    squares: list[float] = []
    for plane in planes:
        (a, b, _), (c, d, _), (e, f, _) = _centred(plane, size_wh).tolist()
        scale = abs(a * d - b * c)
        if scale == 0 or math.hypot(e, f) * width / 2 < LEAST_SLANT * math.hypot(a, c):
            continue
        skew, stretch = (a * b + c * d) / scale, (a * a + c * c - b * b - d * d) / scale
        both, more = e * f / scale, (e * e - f * f) / scale
        products.append(-(skew * both + stretch * more))
        squares.append(both * both + more * more)
    if not products or sum(products) <= 0:
        return usual
    # f^2 = -a.b / b.b where the slant gives b weight
    focal = math.sqrt(_least_squares(products, squares))
    return min(max(focal, FOCAL_RANGE[0] * width), FOCAL_RANGE[1] * width)


def _least_squares(products: Sequence[float], squares: Sequence[float]) -> float:
    """The f^2 that best solves a + f^2 b = 0 for all planes."""
    return sum(products) / max(sum(squares), 1e-30)


def _centred(plane: Homography, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The homography to pixels counted from the middle of the picture."""
    width, height = size_wh
    middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    return np.asarray(middle @ plane, np.float64)
