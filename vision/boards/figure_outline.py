"""The paint of figures, and their outline: they lean away from the camera in a flat picture."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats
from vision.boards.description import Description, TokenDescription
from vision.boards.lying import Part

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


def painted(colours: FloatImage, colour_bgr: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Which colours (h, w, 3) are those of a paint, lighter or darker."""
    paint = floats(colour_bgr)
    square, paint_square = squares(colours), float(paint @ paint)
    along = cv2.transform(colours, paint[None])
    near: NDArray[np.bool_] = (along > 0) & (along**2 > PAINT_ANGLE**2 * paint_square * square)
    near &= (square > DARK**2 * paint_square) & (square < BRIGHT**2 * paint_square)
    return near


def squares(picture: FloatImage) -> FloatImage:
    """The sum of the squares (h, w) of all channels."""
    return np.asarray(cv2.transform(picture * picture, _EACH), np.float32)


MOST_LEAN = 4.0
"""Tile edges: a plane that would show figures longer than a city was fitted badly."""


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
    x, y = float(place[0] - camera[0]) * factor, float(place[1] - camera[1]) * factor
    too_far = max(1.0, float(np.hypot(x, y)) / MOST_LEAN)
    return x / too_far, y / too_far


def outline_of(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> tuple[FloatImage, tuple[int, int]]:
    """A mask of a figure's outline, not to be written to, and where in it (x, y) its foot is."""
    return _outline(*_in_pixels(token, description, lean))


def _in_pixels(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> tuple[float, float, tuple[float, float]]:
    """The radius of a figure's foot, its height, and how far its head is seen from its foot."""
    scale = TOKEN_PX / description.tile_mm
    return (
        token.foot_mm * scale / 2,
        token.height_mm * scale,
        (lean[0] * TOKEN_PX, lean[1] * TOKEN_PX),
    )


def _reach(radius: float, lean: tuple[float, float]) -> int:
    return int(np.ceil(radius + max(abs(lean[0]), abs(lean[1])))) + 2


@lru_cache(maxsize=64)
def _outline(
    radius: float, high: float, lean: tuple[float, float]
) -> tuple[FloatImage, tuple[int, int]]:
    """The same in pixels; figures of several colours are sought in the same places."""
    head = radius * HEAD
    x, y = lean
    reach = _reach(radius, lean)
    size = 2 * reach + 1
    mask = np.zeros((size, size), np.uint8)
    foot = (reach, reach)
    cv2.circle(mask, foot, round(radius), 1, -1)
    steps = 12
    for step in range(1, steps + 1):
        share = step / steps
        wide = radius + (head - radius) * share
        shift = share * (1 - head / max(high, 1.0))
        cv2.circle(
            mask, (round(reach + x * shift), round(reach + y * shift)), max(round(wide), 1), 1, -1
        )
    outline = mask.astype(np.float32)
    outline.setflags(write=False)
    return outline, foot


@lru_cache(maxsize=64)
def _ring(radius: float, high: float, lean: tuple[float, float]) -> FloatImage:
    """A mask of what surrounds the same outline, RING_PX wider on each side."""
    outline, _foot = _outline(radius, high, lean)
    wider = np.pad(outline.astype(np.uint8), RING_PX)
    ring = cv2.dilate(wider, _disc(RING_PX)) - cv2.dilate(wider, _disc(RING_PX // 2))
    mask = ring.astype(np.float32)
    mask.setflags(write=False)
    return mask


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
        return outline_of(token, self.description, self._lean(token, place))

    def reach(self, token: TokenDescription, place: tuple[float, float]) -> int:
        """From the foot of a figure to the edge of its mask, in pixels."""
        radius, _high, lean = _in_pixels(token, self.description, self._lean(token, place))
        return _reach(radius, lean)

    def foot(self, token: TokenDescription) -> FloatImage:
        """The mask of what a figure stands on."""
        return outline_of(token, self.description, (0.0, 0.0))[0]

    def foot_radius(self, token: TokenDescription) -> float:
        """Of what a figure stands on, in pixels."""
        return _in_pixels(token, self.description, (0.0, 0.0))[0]

    def _lean(self, token: TokenDescription, place: tuple[float, float]) -> tuple[float, float]:
        return lean_of(place, token, self.description, self.camera)

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
        _mask, at = self.outline(token, foot)
        ring = _ring(*_in_pixels(token, self.description, self._lean(token, foot)))
        seen = self._under(paint, foot, (at[0] + RING_PX, at[1] + RING_PX), ring.shape)
        return float((seen * ring).sum() / ring.sum())

    def erase(self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]) -> None:
        """Take away what a figure explains, and a little more."""
        mask, at = self.outline(token, foot)
        grown = cv2.dilate(mask.astype(np.uint8), _disc(4))
        seen, under = self._overlap(paint, foot, at, grown.shape)
        paint[seen] *= 1 - grown[under]

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
        part = np.zeros(shape, np.float32)
        seen, under = self._overlap(paint, foot, at, shape)
        part[under] = paint[seen]
        return part

    def _overlap(
        self,
        paint: FloatImage,
        foot: tuple[float, float],
        at: tuple[int, int],
        shape: tuple[int, ...],
    ) -> tuple[Part, Part]:
        """What a picture and a mask on it have in common: the part of either."""
        left, top = self._corner(foot, at)
        y, x = (
            (max(first, 0), max(min(first + side, whole), first, 0))
            for first, side, whole in zip((top, left), shape, paint.shape, strict=True)
        )
        return (slice(*y), slice(*x)), (
            slice(y[0] - top, y[1] - top),
            slice(x[0] - left, x[1] - left),
        )


def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
