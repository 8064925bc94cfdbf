"""Comparison of two grey images of one view: the area in which something changed but the light.

The images are compared window by window, by the normalised cross-correlation of the logarithms of
brightness. Light that grows, fades or changes its colour leaves the pattern of a window as it was;
an object that was added or removed does not.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats

Grey = NDArray[np.uint8]
"""Grey image (h, w)."""
Mask = NDArray[np.uint8]
"""Mask of an image (h, w): 1 for pixels that are compared, 0 for the rest."""

_LOG_OFFSET: Final = 12.0
"""Grey levels added before the logarithm; with less, noise in dark areas dominates."""
_LOG_TABLE: Final = floats(np.log((np.arange(256) + _LOG_OFFSET) / 128))
"""Logarithm by grey level."""
MIN_PATTERN: Final = 0.09
"""Minimum standard deviation of the logarithm within a window that shows a pattern. Larger: faint
objects that were added are missed; smaller: noise counts as a change."""
MIN_COMPARED_SHARE: Final = 0.3
"""Minimum share of a window's pixels within the mask, for a window that is compared. Larger:
changes at the edge of the mask are missed; smaller: a few pixels decide."""
NOISE_BLUR_PX: Final = 0.8
"""Standard deviation of the blur that keeps sensor noise from looking like a pattern."""


def count_changed_px(
    before: Grey, now: Grey, mask: Mask, window_px: float, min_correlation: float
) -> int:
    """Count the pixels whose surrounding window shows something else than before.

    Args:
        before: Earlier image.
        now: Later image of the same shape.
        mask: Pixels to compare.
        window_px: Side of a window.
        min_correlation: Minimum correlation of the patterns in two equal windows.
    """
    side = max(3, round(window_px) | 1)
    weights = floats(mask)
    first, second = (
        floats(cv2.GaussianBlur(cv2.LUT(levels, _LOG_TABLE), (0, 0), NOISE_BLUR_PX)) * weights
        for levels in (before, now)
    )
    # Means over windows. With n the compared share these are n² times variance and covariance
    share = _window_means(weights, side)
    mean_1, mean_2 = _window_means(first, side), _window_means(second, side)
    variance_1 = np.maximum(share * _window_means(first * first, side) - mean_1 * mean_1, 0)
    variance_2 = np.maximum(share * _window_means(second * second, side) - mean_2 * mean_2, 0)
    covariance = share * _window_means(first * second, side) - mean_1 * mean_2
    patterned = np.maximum(variance_1, variance_2) > (MIN_PATTERN * share) ** 2
    same = covariance > min_correlation * cv2.sqrt(variance_1 * variance_2)
    compared = (share > MIN_COMPARED_SHARE) & (mask > 0)
    return int(np.count_nonzero(patterned & ~same & compared))


def _window_means(values: FloatImage, side: int) -> FloatImage:
    return np.asarray(cv2.boxFilter(values, -1, (side, side)), np.float32)
