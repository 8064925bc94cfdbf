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
Mask = NDArray[np.uint8]
"""(h, w) 1 or 0."""
RING_PX = 5
GROWN_PX = 2
"""By so much more than its outline a figure explains."""
OUTLINE_STEPS = 12
_SHARES = np.linspace(0, 1, OUTLINE_STEPS + 1)[1:].tolist()
_EACH = np.ones((1, 3), np.float32)
HEAD = 0.55
"""Width of a figure's head as a share of its foot."""

PAINT_ANGLE = math.cos(math.radians(19))
"""Colours of a figure differ from its paint by no more than this as directions."""
DARK, BRIGHT = 0.28, 1.7
"""Of its paint, how dark and how bright parts of a figure seem."""


def painted(
    colours: FloatImage, square: FloatImage, colour_bgr: tuple[int, int, int]
) -> NDArray[np.bool_]:
    """Which colours (h, w) are those of a paint, lighter or darker.

    Args:
        colours: (h, w, 3).
        square: (h, w) their ``squares``, the same for all paints.
        colour_bgr: the paint.
    """
    paint = floats(colour_bgr)
    paint_square = float(paint @ paint)
    along = np.asarray(cv2.transform(colours, paint[None]), np.float32)
    near: NDArray[np.bool_] = along > 0
    near &= along * along > PAINT_ANGLE**2 * paint_square * square
    near &= square > DARK**2 * paint_square
    near &= square < BRIGHT**2 * paint_square
    return near


def squares(picture: FloatImage) -> FloatImage:
    """The sum of the squares (h, w) of all channels."""
    return sums(picture * picture)


def sums(picture: FloatImage) -> FloatImage:
    """The sum (h, w) of all channels."""
    return np.asarray(cv2.transform(picture, _EACH), np.float32)


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
    def rest(self) -> Mask:
        """All but the outline and a little more (h, w)."""
        return np.asarray(1 - cv2.dilate(self.outline.astype(np.uint8), _disc(GROWN_PX)), np.uint8)

    @cached_property
    def ring(self) -> FloatImage:
        """A mask of what surrounds the outline, RING_PX wider on each side, of the sum 1."""
        mask = self.outline.astype(np.uint8)
        wider = cv2.copyMakeBorder(mask, *(RING_PX,) * 4, cv2.BORDER_CONSTANT)
        ring = cv2.dilate(wider, _disc(RING_PX)) - cv2.dilate(wider, _disc(RING_PX // 2))
        return floats(ring / ring.sum())


@lru_cache(maxsize=256)
def _shape(radius: float, high: float, lean: tuple[int, int]) -> FigureShape:
    """The same in pixels; figures of several colours are sought in the same places."""
    head = radius * HEAD
    x, y = lean
    reach = math.ceil(radius + max(abs(x), abs(y))) + 2
    size = 2 * reach + 1
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (reach, reach), round(radius), 1, -1)
    for share in _SHARES:
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

    def spot(self, token: TokenDescription, foot: tuple[float, float]) -> "Spot":
        """Where a figure is seen that has its foot at a place."""
        x, y = (round((place + self.margin) * TOKEN_PX) for place in foot)
        return Spot(self.shape(token, foot), (x, y))


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where a figure is seen in flat pictures.

    Attributes:
        shape: of the figure.
        foot_px: (x, y).
    """

    shape: FigureShape
    foot_px: tuple[int, int]

    def painted_share(self, paint: Mask) -> float:
        """Share of the figure's outline that has its paint."""
        return self._amount(paint, self.shape.outline) / self.shape.area

    def painted_around(self, paint: Mask) -> float:
        """Share of what surrounds the outline that has the paint, as larger things have."""
        return self._amount(paint, self.shape.ring)

    def most(self, values: FloatImage) -> float:
        """The greatest of some values (h, w) under the figure's outline, as a share of its area."""
        seen, under = self._overlap(values, self.shape.outline)
        return float((values[seen] * self.shape.outline[under]).max(initial=0.0)) / self.shape.area

    def colours(self, picture: FloatImage) -> NDArray[np.float32]:
        """The known colours (n, 3) of a picture (h, w, 3) under the outline."""
        seen, under = self._overlap(picture, self.shape.outline)
        colours = picture[seen][self.shape.outline[under] > 0]
        return floats(colours[~np.isnan(colours[:, 0])])

    def colour(self, picture: FloatImage) -> NDArray[np.float32]:
        """The median colour (3,) of a picture (h, w, 3) under the outline; 0 if unknown."""
        return median_colour(self.colours(picture))

    def erase(self, paint: FloatImage | Mask) -> None:
        """Take away what the figure explains, and a little more."""
        seen, under = self._overlap(paint, self.shape.rest)
        paint[seen] *= self.shape.rest[under]

    def _amount(self, paint: Mask, mask: FloatImage) -> float:
        """The sum of a picture under a mask whose middle lies on the figure's foot."""
        seen, under = self._overlap(paint, mask)
        return float((paint[seen] * mask[under]).sum())

    def _overlap(self, picture: FloatImage | Mask, mask: FloatImage | Mask) -> tuple[Part, Part]:
        """What a picture and a mask on the foot have in common: the part of either."""
        (x, y), (tall, wide) = self.foot_px, mask.shape
        rows = _in_common(y - tall // 2, tall, picture.shape[0])
        columns = _in_common(x - wide // 2, wide, picture.shape[1])
        return (rows[0], columns[0]), (rows[1], columns[1])


def median_colour(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median (3,) of each channel of colours (n, 3); 0 if there are none."""
    middle = len(colours) // 2
    return floats(np.partition(colours, middle, axis=0)[middle] if len(colours) else np.zeros(3))


def _in_common(first: int, side: int, whole: int) -> tuple[slice, slice]:
    """What a stretch that begins at a pixel has in common with a whole one: the part of either."""
    begin = max(first, 0)
    end = max(min(first + side, whole), begin)
    return slice(begin, end), slice(begin - first, end - first)


@lru_cache(maxsize=4)
def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
