"""A picture at full, half and quarter size, so that what is cut out small needs no smoothing."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Homography, Image

LEVELS = 3
SMALLEST_PX = 64
"""No level has a side shorter than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Pyramid:
    """A picture and smaller copies of it, each half as wide and high as the one before."""

    levels: tuple[Image, ...]

    @classmethod
    def of(cls, image: Image) -> "Pyramid":
        """Of a picture (h, w, 3); a last row or column that has no partner is left out."""
        levels = [image]
        while len(levels) < LEVELS and min(levels[-1].shape[:2]) >= 2 * SMALLEST_PX:
            levels.append(halved(levels[-1]))
        return cls(tuple(levels))

    @property
    def image(self) -> Image:
        """The picture itself."""
        return self.levels[0]

    def levels_for(self, steps_px: NDArray[np.float64]) -> NDArray[np.intp]:
        """For each distance the first level in which points lie a pixel apart at most."""
        levels = np.ceil(np.log2(np.maximum(steps_px, 1.0))).astype(np.intp)
        return np.minimum(levels, len(self.levels) - 1)


Picture = Image | Pyramid
"""What tiles are found in and cut out of; a pyramid is quicker where there are many."""


def halved(image: Image) -> Image:
    """Half as wide and high, each pixel the mean of four."""
    height, width = (side // 2 for side in image.shape[:2])
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def to_level(level: int) -> Homography:
    """From pixels of the picture to pixels of a level; in both (0, 0) is the centre of a pixel."""
    k = 2.0**level
    return np.array([[1 / k, 0, (1 - k) / (2 * k)], [0, 1 / k, (1 - k) / (2 * k)], [0, 0, 1]])
