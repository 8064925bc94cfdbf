"""A grid as seen straight from above, in one exposure."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import FloatImage, Points, floats, percentile
from vision.boards.looks import SOFTENED_PX, TILE_PX
from vision.boards.surface import Surface
from vision.pyramid import Pyramid

BRIGHT = 200.0
"""To which the brightest parts of a grid are brought."""

Window = tuple[float, float, float, float]
"""Left, top, right, bottom in grid coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Flat pictures of parts of a surface.

    Attributes:
        picture: the photo, decoded.
        surface: where the grid lies in it.
        gain: by which all pictures are brightened.
    """

    picture: Pyramid
    surface: Surface
    gain: float

    @classmethod
    def of(cls, picture: Pyramid, surface: Surface, window: Window) -> "View":
        """A view in which this part of the surface is well exposed."""
        flat = surface.flat(picture, window, TILE_PX // 2)
        return cls(picture, surface, BRIGHT / max(percentile(flat, 95), 1.0))

    def softened(self, window: Window, tile_px: int = TILE_PX) -> FloatImage:
        """A part of the surface, as smooth as pictures are when they are compared."""
        flat = self.surface.flat(self.picture, window, tile_px).astype(np.float32)
        soft = cv2.GaussianBlur(flat, (0, 0), SOFTENED_PX * tile_px / TILE_PX)
        return np.asarray(soft * np.float32(self.gain), np.float32)


def in_pixels(
    places: Points, window: Window | tuple[float, float], tile_px: int = TILE_PX
) -> list[tuple[float, float]]:
    """Where places (n, 2) in grid coordinates lie in a flat picture of this window."""
    at = (places - floats(window[:2])) * np.float32(tile_px)
    return [(float(x), float(y)) for x, y in at]
