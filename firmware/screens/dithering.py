"""Black-and-white pictures of photos.

Grey levels are dithered by Bill Atkinson's method: six eighths of the error of each pixel go to its
neighbours, so that light backgrounds stay clean and emblems stand out. Floyd-Steinberg dithering,
which passes on all of the error, would cover a picture of this size with an even grain.
"""

import cv2
import numpy as np
import numpy.typing as npt

from firmware.screens.view import Bitmap

Grey = npt.NDArray[np.float32]
"""Shape (height, width), 0 is dark, 255 light."""

DARKEST, LIGHTEST = 2, 98
"""Percentiles of the grey levels that become black and white."""

SHAPE_SIGMA_PX, DETAIL_SIGMA_PX = 4.0, 1.2
"""Standard deviations of two unsharp masks: details finer than each become twice as strong, as
dithering would otherwise swallow them."""

LOCAL_CONTRAST = 2.0
"""Clip limit of the adaptive histogram equalisation; larger values bring out more noise."""

LIT_FROM = 128
"""Lowest grey level that becomes a lit pixel."""


def to_bitmap(image_bgr: npt.NDArray[np.uint8], size_wh: tuple[int, int]) -> Bitmap:
    """Reduce a picture to lit and dark pixels that look like a photo of few colours.

    Args:
        image_bgr: Shape (height, width, 3), uint8, at least as large as the result.
        size_wh: Width and height of the result in pixels.
    """
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA)
    even = cv2.createCLAHE(clipLimit=LOCAL_CONTRAST, tileGridSize=(2, 2)).apply(small)
    shapes = _sharpen(_stretch(even.astype(np.float32)), SHAPE_SIGMA_PX)
    lit = _dither(np.clip(_sharpen(shapes, DETAIL_SIGMA_PX), 0, 255))
    return Bitmap(size_wh, np.packbits(lit, axis=1).tobytes())


def _stretch(grey: Grey) -> Grey:
    dark, light = np.percentile(grey, (DARKEST, LIGHTEST))
    spread = max(float(light - dark), 1.0)
    return np.asarray(np.clip((grey - dark) * 255 / spread, 0, 255), np.float32)


def _sharpen(grey: Grey, sigma_px: float) -> Grey:
    return 2 * grey - np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma_px), np.float32)


def _dither(grey: Grey) -> npt.NDArray[np.bool_]:
    """Return lit pixels as dense as the grey level; the error of each goes to its neighbours."""
    height, width = grey.shape
    # Lists: going through an array pixel by pixel takes five times as long
    levels = np.pad(grey, ((0, 2), (1, 2))).tolist()
    for y in range(height):
        row, below, second_below = levels[y : y + 3]
        for x in range(1, width + 1):
            value = row[x]
            row[x] = 255.0 if value >= LIT_FROM else 0.0
            error = (value - row[x]) / 8
            row[x + 1] += error
            row[x + 2] += error
            below[x - 1] += error
            below[x] += error
            below[x + 1] += error
            second_below[x] += error
    return np.array(levels)[:height, 1 : width + 1] >= LIT_FROM
