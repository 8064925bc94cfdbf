"""The paint of figures, and their outline: they lean away from the camera in a flat picture."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats
from vision.boards.description import Description, TokenDescription
from vision.boards.looks import TILE_PX
from vision.boards.lying import Part

TOKEN_PX = TILE_PX
"""Pixels for each edge of a tile at which figures are looked for: as tiles are compared."""
RING_PX = 5
GROWN_PX = 2
"""By so much more than its outline a figure explains."""
OUTLINE_STEPS = 12
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


def lean_of(
    place: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: tuple[float, float, float],
) -> tuple[float, float]:
    """How far a figure's head is seen from its foot, in tile edges."""
    high = token.height_mm / description.tile_mm
    factor = high / max(camera[2] - high, 0.5)
    x, y = (place[0] - camera[0]) * factor, (place[1] - camera[1]) * factor
    too_far = max(1.0, math.hypot(x, y) / MOST_LEAN)
    return x / too_far, y / too_far


def outline_of(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> tuple[FloatImage, tuple[int, int]]:
    """A mask of a figure's outline, not to be written to, and where in it (x, y) its foot is."""
    shape = shape_of(token, description, lean)
    return shape.outline, (shape.reach, shape.reach)


def shape_of(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> "FigureShape":
    """How a figure is seen whose head leans so far from its foot, in tile edges."""
    scale = TOKEN_PX / description.tile_mm
    # Whole pixels, so that figures near one another share a shape
    x, y = (round(way * TOKEN_PX) for way in lean)
    return _shape(token.foot_mm * scale / 2, token.height_mm * scale, (x, y))


@dataclass(frozen=True)
class FigureShape:
    """A figure as it is seen in a flat picture; masks are not to be written to.

    Attributes:
        radius: of what it stands on, in pixels.
        outline: (h, w) mask; its foot is in the middle.
        reach: from the foot to the edge of the mask, in pixels.
    """

    radius: float
    outline: FloatImage
    reach: int

    @cached_property
    def area(self) -> float:
        """Of the outline, in pixels."""
        return float(self.outline.sum())

    @cached_property
    def grown(self) -> NDArray[np.uint8]:
        """The outline and a little more (h, w)."""
        return np.asarray(cv2.dilate(self.outline.astype(np.uint8), _disc(GROWN_PX)), np.uint8)

    @cached_property
    def ring(self) -> FloatImage:
        """A mask of what surrounds the outline, RING_PX wider on each side, of the sum 1."""
        wider = np.pad(self.outline.astype(np.uint8), RING_PX)
        ring = cv2.dilate(wider, _disc(RING_PX)) - cv2.dilate(wider, _disc(RING_PX // 2))
        return floats(ring / ring.sum())


@lru_cache(maxsize=64)
def _shape(radius: float, high: float, lean: tuple[int, int]) -> FigureShape:
    """The same in pixels; figures of several colours are sought in the same places."""
    head = radius * HEAD
    x, y = lean
    reach = math.ceil(radius + max(abs(x), abs(y))) + 2
    size = 2 * reach + 1
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (reach, reach), round(radius), 1, -1)
    for share in np.linspace(0, 1, OUTLINE_STEPS + 1)[1:].tolist():
        wide = radius + (head - radius) * share
        shift = share * (1 - head / max(high, 1.0))
        middle = round(reach + x * shift), round(reach + y * shift)
        cv2.circle(mask, middle, max(round(wide), 1), 1, -1)
    return FigureShape(radius, floats(mask), reach)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Figures of a game as a camera sees them in a flat picture of a grid.

    Attributes:
        description: of the game.
        camera: (x, y, height) in grid coordinates.
        margin: what the picture shows around the grid, in tile edges.
    """

    description: Description
    camera: tuple[float, float, float]
    margin: float

    def shape(self, token: TokenDescription, place: tuple[float, float]) -> FigureShape:
        """How a figure standing about a place is seen."""
        lean = lean_of(place, token, self.description, self.camera)
        return shape_of(token, self.description, lean)

    def painted_share(
        self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]
    ) -> float:
        """Share of a figure's outline that has its paint."""
        shape = self.shape(token, foot)
        return self._amount(paint, foot, shape.outline) / shape.area

    def painted_around(
        self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]
    ) -> float:
        """Share of what surrounds a figure's outline that has its paint, as larger things have."""
        return self._amount(paint, foot, self.shape(token, foot).ring)

    def most(self, values: FloatImage, token: TokenDescription, foot: tuple[float, float]) -> float:
        """The greatest of some values (h, w) under a figure's outline, as a share of its area."""
        shape = self.shape(token, foot)
        seen, under = self._overlap(values, foot, shape.outline.shape)
        return float((values[seen] * shape.outline[under]).max(initial=0.0)) / shape.area

    def colour(
        self, picture: FloatImage, token: TokenDescription, foot: tuple[float, float]
    ) -> NDArray[np.float32]:
        """The median colour (3,) of a picture (h, w, 3) under a figure's outline; 0 if unknown."""
        outline = self.shape(token, foot).outline
        seen, under = self._overlap(picture, foot, outline.shape)
        colours = picture[seen][outline[under] > 0]
        known = colours[~np.isnan(colours[:, 0])]
        middle = len(known) // 2
        return floats(np.partition(known, middle, axis=0)[middle] if len(known) else np.zeros(3))

    def erase(self, paint: FloatImage, token: TokenDescription, foot: tuple[float, float]) -> None:
        """Take away what a figure explains, and a little more."""
        grown = self.shape(token, foot).grown
        seen, under = self._overlap(paint, foot, grown.shape)
        paint[seen] *= 1 - grown[under]

    def _amount(self, paint: FloatImage, foot: tuple[float, float], mask: FloatImage) -> float:
        """The sum of a picture under a mask whose middle lies on a figure's foot."""
        seen, under = self._overlap(paint, foot, mask.shape)
        return float((paint[seen] * mask[under]).sum())

    def _overlap(
        self, paint: FloatImage, foot: tuple[float, float], shape: tuple[int, ...]
    ) -> tuple[Part, Part]:
        """What a picture and a mask on a foot have in common: the part of either."""
        x, y = (round((place + self.margin) * TOKEN_PX) for place in foot)
        rows = _in_common(y - shape[0] // 2, shape[0], paint.shape[0])
        columns = _in_common(x - shape[1] // 2, shape[1], paint.shape[1])
        return (rows[0], columns[0]), (rows[1], columns[1])


def _in_common(first: int, side: int, whole: int) -> tuple[slice, slice]:
    """What a stretch that begins at a pixel has in common with a whole one: the part of either."""
    begin = max(first, 0)
    end = max(min(first + side, whole), begin)
    return slice(begin, end), slice(begin - first, end - first)


def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
