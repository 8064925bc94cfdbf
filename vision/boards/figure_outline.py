"""The paint of figures, and their outline: they lean away from the camera in a flat picture."""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats
from vision.boards.footprint import Footprint, Mask
from vision.boards.looks import TILE_PX
from vision.editions.description import Description, TokenDescription

TOKEN_PX = TILE_PX
"""Pixels for each edge of a tile at which figures are looked for: as tiles are compared."""
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
    colours: FloatImage, colour_lengths: FloatImage, colour_bgr: tuple[int, int, int]
) -> NDArray[np.bool_]:
    """Which colours (h, w) are those of a paint, lighter or darker.

    Args:
        colours: (h, w, 3).
        colour_lengths: (h, w) their ``lengths``, the same for all paints.
        colour_bgr: the paint.
    """
    paint = floats(colour_bgr)
    length = math.hypot(*colour_bgr)
    along = np.asarray(cv2.transform(colours, paint[None]), np.float32)
    near: NDArray[np.bool_] = along > colour_lengths * np.float32(PAINT_ANGLE * length)
    near &= colour_lengths > DARK * length
    near &= colour_lengths < BRIGHT * length
    return near


def lengths(picture: FloatImage) -> FloatImage:
    """The lengths (h, w) of colours (h, w, 3)."""
    return np.asarray(cv2.sqrt(squares(picture)), np.float32)


def squares(picture: FloatImage) -> FloatImage:
    """The sum of the squares (h, w) of all channels."""
    return sums(picture * picture)


def squares_apart(picture: FloatImage, other: FloatImage) -> FloatImage:
    """The same of how much a picture differs from another one."""
    apart = picture - other
    return sums(np.multiply(apart, apart, out=apart))


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
    outline: Mask
    reach: int

    @cached_property
    def under(self) -> Footprint:
        """What the outline covers."""
        return Footprint.of(self.outline)

    @cached_property
    def area(self) -> int:
        """Of the outline, in pixels."""
        return len(self.under)

    @cached_property
    def tight(self) -> Mask:
        """The outline without the empty rows and columns around it."""
        (top, left), (bottom, right) = self.under.first, self.under.last
        rows = slice(self.reach + top, self.reach + bottom + 1)
        columns = slice(self.reach + left, self.reach + right + 1)
        return np.ascontiguousarray(self.outline[rows, columns])

    @cached_property
    def foot(self) -> NDArray[np.bool_]:
        """A mask (h, w) of what lies no farther from its middle than the radius."""
        reach = int(self.radius)
        away = np.arange(-reach, reach + 1)
        return np.asarray(np.hypot(away[:, None], away) <= self.radius, np.bool_)

    @cached_property
    def grown(self) -> Footprint:
        """The outline and a little more."""
        return Footprint.of(np.asarray(cv2.dilate(self.outline, _disc(GROWN_PX)), np.uint8))

    @cached_property
    def ring(self) -> Footprint:
        """What surrounds the outline, RING_PX wider on each side."""
        wider = cv2.copyMakeBorder(self.outline, *(RING_PX,) * 4, cv2.BORDER_CONSTANT)
        ring = cv2.dilate(wider, _disc(RING_PX)) - cv2.dilate(wider, _disc(RING_PX // 2))
        return Footprint.of(np.asarray(ring, np.uint8))


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
    return FigureShape(radius, mask, reach)


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
    _spots: dict[tuple[str, tuple[float, float]], "Spot"] = field(
        default_factory=dict, init=False, repr=False
    )

    def shape(self, token: TokenDescription, place: tuple[float, float]) -> FigureShape:
        """How a figure standing about a place is seen."""
        lean = lean_of(place, token, self.description, self.camera)
        return shape_of(token, self.description, lean)

    def spot(self, token: TokenDescription, foot: tuple[float, float]) -> "Spot":
        """Where a figure is seen that has its foot at a place."""
        key = token.kind, foot
        if key not in self._spots:
            x, y = (round((place + self.margin) * TOKEN_PX) for place in foot)
            self._spots[key] = Spot(self.shape(token, foot), (x, y))
        return self._spots[key]


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where a figure is seen in flat pictures.

    Attributes:
        shape: of the figure.
        foot_px: (x, y).
    """

    shape: FigureShape
    foot_px: tuple[int, int]

    def under(self, size: tuple[int, ...]) -> NDArray[np.intp]:
        """Numbers of the pixels (n,) of a picture (h, w) that the figure's outline covers."""
        return self.shape.under.pixels(self.foot_px, size)

    def painted_share(self, paint: Mask) -> float:
        """Share of the figure's outline that has its paint."""
        return np.count_nonzero(paint.take(self.under(paint.shape))) / self.shape.area

    def painted_around(self, paint: Mask) -> float:
        """Share of what surrounds the outline that has the paint, as larger things have."""
        ring = self.shape.ring
        return np.count_nonzero(paint.take(ring.pixels(self.foot_px, paint.shape))) / len(ring)

    def colour(self, picture: FloatImage) -> NDArray[np.float32]:
        """The median known colour (3,) of a picture (h, w, 3) under the outline; 0 if unknown."""
        colours = picture.reshape(-1, 3).take(self.under(picture.shape), axis=0)
        return median_colour(colours[~np.isnan(colours[:, 0])])

    def erase(self, paint: FloatImage | Mask) -> None:
        """Take away what the figure explains, and a little more."""
        paint.put(self.shape.grown.pixels(self.foot_px, paint.shape), 0)


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """The patches of a mask.

    Attributes:
        numbers: (h, w) of the patch to which each pixel belongs; 0: to none.
        sizes: (n,) of the patch with each number, in pixels; 0 for none.
    """

    numbers: NDArray[np.int32]
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, mask: Mask) -> Self:
        """Those of which a mask (h, w) is made."""
        _, found = cv2.connectedComponents(mask)
        numbers = np.asarray(found, np.int32)
        inside = np.flatnonzero(mask.view(np.bool_))
        return cls(numbers, np.bincount(numbers.take(inside), minlength=1))

    def largest(self, spot: Spot) -> float:
        """The size of the largest one under a figure's outline, as a share of its area."""
        seen = self.sizes.take(self.numbers.take(spot.under(self.numbers.shape)))
        return int(seen.max(initial=0)) / spot.shape.area


def median_colour(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median (3,) of each channel of colours (n, 3); 0 if there are none."""
    middle = len(colours) // 2
    return floats(np.partition(colours, middle, axis=0)[middle] if len(colours) else np.zeros(3))


@lru_cache(maxsize=4)
def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
