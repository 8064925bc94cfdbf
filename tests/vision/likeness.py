"""Similarity of pictures, for tests that compare photos with the drawn faces."""

import cv2

from vision.arrays import Image


def likeness(first: Image, second: Image) -> float:
    """Normalised correlation of two pictures over all pixels and channels, -1 to 1."""
    return float(cv2.matchTemplate(first, second, cv2.TM_CCOEFF_NORMED)[0, 0])


def fits(first: Image, second: Image) -> float:
    """Correlation of two pictures of tiles of any size, one of which may lie a little aside."""
    small = [cv2.resize(each, (48, 48), interpolation=cv2.INTER_AREA) for each in (first, second)]
    return float(cv2.matchTemplate(small[1], small[0][2:-2, 2:-2], cv2.TM_CCOEFF_NORMED).max())
