"""How alike two pictures are, for tests that compare what they see with the drawn faces."""

import cv2

from vision.arrays import Image


def likeness(first: Image, second: Image) -> float:
    """Normalised correlation of two pictures over all pixels and channels, -1 to 1."""
    return float(cv2.matchTemplate(first, second, cv2.TM_CCOEFF_NORMED)[0, 0])
