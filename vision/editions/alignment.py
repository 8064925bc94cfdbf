"""Lay one picture of a tile over another, more exactly than corners can say."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, floats

MOST_STEPS: Final = 20


def best_fit(first: Image, second: Image, start: FloatImage, blurs: Sequence[float]) -> FloatImage:
    """The affine map from a picture to another at which they fit best.

    Maximises the enhanced correlation coefficient (Evangelidis and Psarakis 2008).

    Args:
        first: grey levels (h, w).
        second: grey levels of any size.
        start: the map (2, 3) to begin with, from pixels of the first picture to the second.
        blurs: standard deviations in pixels under which they are laid, the coarsest first.

    Returns:
        The map (2, 3); ``start`` where they are so unlike that no map is better than another.
    """
    moved = start
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, MOST_STEPS, 1e-3)
    try:
        for blur in blurs:
            soft, softer = (cv2.GaussianBlur(levels, (0, 0), blur) for levels in (first, second))
            _, found = cv2.findTransformECC(soft, softer, moved, cv2.MOTION_AFFINE, steps)
            moved = floats(found)
    except cv2.error:
        return start
    return moved


def grey(picture: Image) -> Image:
    """Grey levels (h, w) of a picture (h, w, 3) BGR."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
