"""The paint of figures, and their outline: they lean away from the camera in a flat picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats
from vision.boards.description import Description, TokenDescription

TOKEN_PX = 80
"""Pixels for each edge of a tile at which figures are looked for."""
RING_PX = 10
_EACH = np.ones((1, 3), np.float32)
HEAD = 0.55
"""Width of a figure's head as a share of its foot."""

PAINT_ANGLE = np.cos(np.deg2rad(19))
"""Colours of a figure differ from its paint by no more than this as directions."""
DARK, BRIGHT = 0.28, 1.7
"""Of its paint, how dark and how bright parts of a figure seem."""


def painted(flat: FloatImage, colour_bgr: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Which pixels (h, w) have a paint, lighter or darker."""
    paint = floats(colour_bgr)
    square, paint_square = squares(flat), float(paint @ paint)
    along = cv2.transform(flat, paint[None])
    near: NDArray[np.bool_] = (along > 0) & (along**2 > PAINT_ANGLE**2 * paint_square * square)
    near &= (square > DARK**2 * paint_square) & (square < BRIGHT**2 * paint_square)
    return near


def squares(picture: FloatImage) -> FloatImage:
    """The sum of the squares (h, w) of all channels."""
    return np.asarray(cv2.transform(picture * picture, _EACH), np.float32)


def outline_area(token: TokenDescription, description: Description) -> float:
    """Of what a figure stands on, in square pixels."""
    radius = token.foot_mm / description.tile_mm * TOKEN_PX / 2
    return float(np.pi * radius**2)


def lean_of(
    place: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: NDArray[np.float64],
) -> tuple[float, float]:
    """How far a figure's head is seen from its foot, in tile edges."""
    high = token.height_mm / description.tile_mm
    factor = high / max(float(camera[2]) - high, 0.5)
    return float(place[0] - camera[0]) * factor, float(place[1] - camera[1]) * factor


def outline_of(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> tuple[FloatImage, tuple[int, int]]:
    """A mask of a figure's outline, and where in it (x, y) its foot is."""
    radius = token.foot_mm / description.tile_mm * TOKEN_PX / 2
    head = radius * HEAD
    x, y = lean[0] * TOKEN_PX, lean[1] * TOKEN_PX
    reach = int(np.ceil(radius + max(abs(x), abs(y)))) + 2
    size = 2 * reach + 1
    mask = np.zeros((size, size), np.uint8)
    foot = (reach, reach)
    cv2.circle(mask, foot, round(radius), 1, -1)
    steps = 12
    for step in range(1, steps + 1):
        share = step / steps
        wide = radius + (head - radius) * share
        shift = share * (1 - head / max(token.height_mm / description.tile_mm * TOKEN_PX, 1.0))
        cv2.circle(
            mask, (round(reach + x * shift), round(reach + y * shift)), max(round(wide), 1), 1, -1
        )
    return mask.astype(np.float32), foot


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Figures of a game as a camera sees them in a flat picture of a grid.

    Attributes:
        description: of the game.
        camera: (x, y, height) in grid coordinates.
        margin: what the picture shows around the grid, in tile edges.
    """

    description: Description
    camera: NDArray[np.float64]
    margin: float

    def outline(
        self, token: TokenDescription, place: tuple[float, float]
    ) -> tuple[FloatImage, tuple[int, int]]:
        """The mask of a figure standing about a place, and where in it (x, y) its foot is."""
        lean = lean_of(place, token, self.description, self.camera)
        return outline_of(token, self.description, lean)

    def painted_share(
        self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]
    ) -> float:
        """Share of a figure's outline that has its paint."""
        mask, at = self.outline(token, foot)
        return float((self._under(paint, foot, at, mask.shape) * mask).sum() / mask.sum())

    def painted_around(
        self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]
    ) -> float:
        """Share of what surrounds a figure's outline that has its paint, as larger things have."""
        mask, at = self.outline(token, foot)
        room = cv2.copyMakeBorder(mask, RING_PX, RING_PX, RING_PX, RING_PX, cv2.BORDER_CONSTANT)
        ring = cv2.dilate(room, _disc(RING_PX)) - cv2.dilate(room, _disc(RING_PX // 2))
        seen = self._under(paint, foot, (at[0] + RING_PX, at[1] + RING_PX), ring.shape)
        return float((seen * ring).sum() / ring.sum())

    def erase(self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]) -> None:
        """Take away what a figure explains, and a little more."""
        mask, at = self.outline(token, foot)
        grown = cv2.dilate(mask, _disc(4))
        left, top = self._corner(foot, at)
        tall, wide = paint.shape
        y0, y1 = max(top, 0), min(top + grown.shape[0], tall)
        x0, x1 = max(left, 0), min(left + grown.shape[1], wide)
        if y0 < y1 and x0 < x1:
            paint[y0:y1, x0:x1] *= 1 - grown[y0 - top : y1 - top, x0 - left : x1 - left]

    def _corner(self, foot: tuple[float, float], at: tuple[int, int]) -> tuple[int, int]:
        """The first pixel (x, y) under a mask whose pixel ``at`` lies on a figure's foot."""
        x, y = (round((place + self.margin) * TOKEN_PX) for place in foot)
        return x - at[0], y - at[1]

    def _under(
        self,
        paint: FloatImage,
        foot: tuple[float, float],
        at: tuple[int, int],
        shape: tuple[int, ...],
    ) -> FloatImage:
        """The part of a picture under a mask, 0 beyond its edge."""
        left, top = self._corner(foot, at)
        reach = max(shape)
        wider = cv2.copyMakeBorder(paint, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
        y, x = top + reach, left + reach
        return np.asarray(wider[y : y + shape[0], x : x + shape[1]], np.float32)


def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
