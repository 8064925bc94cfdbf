"""How alike two pictures are, for tests that compare what they see with the drawn faces."""

from functools import cache

import cv2
import numpy as np

from scoring.faces import Face
from vision.arrays import Image
from vision.editions.own import face_picture


def likeness(first: Image, second: Image) -> float:
    """Normalised correlation of two pictures over all pixels and channels, -1 to 1."""
    return float(cv2.matchTemplate(first, second, cv2.TM_CCOEFF_NORMED)[0, 0])


@cache
def every_face_every_way(size_px: int) -> tuple[tuple[Image, Face, int], ...]:
    """Each drawn face in its four turns: the picture, the face, the quarter turns clockwise."""
    return tuple(
        (np.rot90(face_picture(face, size_px), -turns).copy(), face, turns)
        for face in Face
        for turns in range(4)
    )


def best_likeness(crop: Image) -> tuple[float, Face, int]:
    """How like the likeliest drawn face a square crop is, that face, and its quarter turns."""
    return max(
        (likeness(crop, picture), face, turns)
        for picture, face, turns in every_face_every_way(crop.shape[0])
    )
