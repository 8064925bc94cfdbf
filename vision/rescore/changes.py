"""Whether anything but the light changed between two photos of the same view.

Two grey pictures are compared window by window: light that grows, fades or changes its colour
leaves the pattern of a window as it was, a thing that came or went does not (normalised
cross-correlation of the logarithms).
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, floats
from vision.patches import Pyramid

Grey = NDArray[np.uint8]
"""A grey picture (h, w)."""
Mask = NDArray[np.uint8]
"""Of a picture (h, w): 1 for what counts, 0 for the rest."""

_LARGEST_PX: Final = 400
"""Longer side of a small picture at most; the photo is halved until it is no larger."""
_DARKEST: Final = 12.0
"""Added to grey levels before their logarithm is taken, lest noise in the dark counts as much."""
_LOGARITHMS: Final = floats(np.log((np.arange(256) + _DARKEST) / 128))
_PATTERN: Final = 0.09
"""Standard deviation of the logarithm within a window from which on it shows a pattern."""
_LEAST_SEEN: Final = 0.3
"""Share of a window that must count for the window to be compared."""
_TILE_PX: Final = 28.0
"""Tiles at least as large show all by which they differ."""
_NOISE_PX: Final = 0.8
"""Blur that spares the sensor's noise from being taken for a pattern."""


def level_for_tiles(tile_px: float) -> int:
    """The smallest level of a picture in which tiles are large enough to be told apart."""
    return int(np.log2(max(tile_px / _TILE_PX, 1.0)))


def thumbnail(picture: Pyramid) -> Grey:
    """The photo small and grey."""
    halvings = 0
    while max(picture.level(halvings).shape[:2]) > _LARGEST_PX:
        halvings += 1
    return grey(picture.level(halvings))


def grey(image: Image) -> Grey:
    """The picture (h, w, 3) without its colours, read-only."""
    levels = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels.flags.writeable = False
    return levels


def changed_px(before: Grey, now: Grey, where: Mask, window_px: float, least_alike: float) -> int:
    """In how many places a picture shows something else than before.

    Args:
        before: the earlier picture.
        now: the later one, of the same shape.
        where: what is compared of them.
        window_px: side of a window.
        least_alike: correlation of the patterns in a window from which on they are the same.

    Returns:
        The number of windows that differ; there is one round every pixel.
    """
    side = max(3, round(window_px) | 1)
    counted = floats(where)
    first, second = (
        floats(cv2.GaussianBlur(cv2.LUT(levels, _LOGARITHMS), (0, 0), _NOISE_PX)) * counted
        for levels in (before, now)
    )
    # Sums over windows as shares of their area; with n = seen, n² times variance and covariance
    seen = _summed(counted, side)
    sum_1, sum_2 = _summed(first, side), _summed(second, side)
    variance_1 = np.maximum(seen * _summed(first * first, side) - sum_1 * sum_1, 0)
    variance_2 = np.maximum(seen * _summed(second * second, side) - sum_2 * sum_2, 0)
    together = seen * _summed(first * second, side) - sum_1 * sum_2
    patterned = np.maximum(variance_1, variance_2) > (_PATTERN * seen) ** 2
    alike = together > least_alike * cv2.sqrt(variance_1 * variance_2)
    return int(np.count_nonzero(patterned & ~alike & (seen > _LEAST_SEEN) & (where > 0)))


def _summed(values: FloatImage, side: int) -> FloatImage:
    return np.asarray(cv2.boxFilter(values, -1, (side, side)), np.float32)
