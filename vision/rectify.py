"""Cut tiles out of a photo so that each is seen straight from above.

Quads are (4, 2) float32: top left, top right, bottom right, bottom left as read upright, in
pixels with (0, 0) the centre of the top left pixel.
"""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image, floats
from vision.pyramid import Picture, Pyramid, to_level

UNIT_SQUARE: Corners = floats([[0, 0], [1, 0], [1, 1], [0, 1]])

Quads = Sequence[Corners] | NDArray[np.float32]
"""Corners of several tiles; as (n, 4, 2), too."""

Window = tuple[float, float, float, float]
"""A part of a tile: left, top, right, bottom in tile widths."""

PIXELS_AT_ONCE = 2**16
"""Of crops; more would leave the processor's cache."""
SPARSEST = 1.4
"""Pixels of the picture for one of a crop from which on fine lines would alias."""


def squares_to(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Homographies (n, 3, 3) from the unit square to each of the quads (n, 4, 2).

    In closed form: Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, 2.2.3.
    """
    first, second, third, fourth = np.asarray(quads, np.float64).transpose(1, 0, 2)
    x1, y1 = (second - third).T
    x2, y2 = (fourth - third).T
    x, y = (first - second + third - fourth).T
    cross = x1 * y2 - x2 * y1
    cross = np.where(cross == 0, 1.0, cross)  # without area there is no tile either
    g, h = (x * y2 - x2 * y) / cross, (x1 * y - x * y1) / cross
    found = np.ones((len(first), 3, 3))
    found[:, :2, 0] = second - first + g[:, None] * second
    found[:, :2, 1] = fourth - first + h[:, None] * fourth
    found[:, :2, 2] = first
    found[:, 2, 0], found[:, 2, 1] = g, h
    return found


def crop_window(picture: Picture, quad_px: Corners, window: Window, size_px: int) -> Image:
    """The part ``window`` of a tile, square BGR.

    Tiles larger than the crop are smoothed, lest fine lines alias: taken from a smaller level of a
    pyramid, or sampled twice as densely and averaged.
    """
    crop: Image = crop_windows(picture, [quad_px], window, size_px)[0]
    return crop


def crop_windows(picture: Picture, quads_px: Quads, window: Window, size_px: int) -> Image:
    """The same of many tiles at once, which is quicker: (n, size_px, size_px, 3)."""
    quads = floats(quads_px).reshape(-1, 4, 2)
    if isinstance(picture, Pyramid):
        crops = _cut(picture, quads, window, size_px, _points_of(window, size_px))
        return crops.reshape(-1, size_px, size_px, 3)
    warps = squares_to(quads)
    fine = _steps_px(quads, window, size_px) > SPARSEST
    crops = np.empty((len(quads), size_px, size_px, 3), np.uint8)
    even = _warped(picture, warps[~fine], _points_of(window, size_px), size_px)
    crops[~fine] = even.reshape(-1, size_px, size_px, 3)
    side = 2 * size_px
    for n in np.flatnonzero(fine):
        dense = _warped(picture, warps[n : n + 1], _points_of(window, side), side)
        square = dense.reshape(side, side, 3)
        crops[n] = cv2.resize(square, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return crops


def _steps_px(quads: NDArray[np.float32], window: Window, size_px: int) -> NDArray[np.float64]:
    """How far apart in the picture the pixels of crops lie."""
    return np.sqrt(np.maximum(areas(quads), 1.0)) * (window[2] - window[0]) / size_px


def _cut(
    picture: Pyramid,
    quads: NDArray[np.float32],
    window: Window,
    size_px: int,
    points: NDArray[np.float32],
) -> Image:
    """Points of tiles, each tile from the level that suits it: (n, points, 3)."""
    warps = squares_to(quads)
    levels = picture.levels_for(_steps_px(quads, window, size_px) / SPARSEST)
    different = set(levels.tolist())
    if len(different) == 1:
        (level,) = different
        return _warped(picture.levels[level], to_level(level) @ warps, points, size_px)
    crops = np.empty((len(quads), size_px**2, 3), np.uint8)
    for level in different:
        here = levels == level
        shrunk = to_level(level) @ warps[here]
        crops[here] = _warped(picture.levels[level], shrunk, points, size_px)
    return crops


def areas(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Areas (n,) of convex quads (n, 4, 2)."""
    (x1, y1), (x2, y2) = (quads[:, 2] - quads[:, 0]).T, (quads[:, 3] - quads[:, 1]).T
    return np.abs(np.asarray(x1 * y2 - x2 * y1, np.float64)) / 2


def _warped(
    image: Image, warps: NDArray[np.float64], points: NDArray[np.float32], size_px: int
) -> Image:
    """Points (3, size_px²) of tiles, which ``warps`` (n, 3, 3) take to the image, each BGR."""
    crops = np.empty((len(warps), size_px**2, 3), np.uint8)
    some = max(1, PIXELS_AT_ONCE // size_px**2)
    for start in range(0, len(warps), some):
        few = np.asarray(warps[start : start + some], np.float32)
        x, y, depth = ((few[:, row] @ points).reshape(-1, size_px) for row in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):  # on the horizon
            x, y = x / depth, y / depth
        cut = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        crops[start : start + some] = cut.reshape(-1, size_px**2, 3)
    return crops


@lru_cache(maxsize=4)
def _points_of(window: Window, size_px: int) -> NDArray[np.float32]:
    """Where a crop's pixels lie in its tile, as columns (x, y, 1) in tile widths."""
    left, top, right, bottom = window
    steps = (np.arange(size_px) + 0.5) / size_px
    x, y = np.meshgrid(left + (right - left) * steps, top + (bottom - top) * steps)
    return floats([x.ravel(), y.ravel(), np.ones(size_px**2)])
