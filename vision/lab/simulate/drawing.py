"""Sketches: shapes in free units, drawn with OpenCV and with smooth edges.

Coordinates: x to the right, y down, (0, 0) the top left corner of the sketch (a corner, not the
centre of a pixel). Angles are degrees, clockwise as seen, 0 pointing right. Colours are BGR.
"""

import math
from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, floats

Rng = np.random.Generator
T = TypeVar("T")
Colour = tuple[int, int, int]
"""Blue, green, red; 0 to 255."""
Spot = tuple[float, float]
"""Point (x, y) in the units of the sketch."""

_SUBPIXEL_BITS = 4


def one_of(rng: Rng, some: Sequence[T]) -> T:
    """Choose one of some things."""
    return some[int(rng.integers(len(some)))]


def from_hex(rgb: str) -> Colour:
    """Return the BGR colour of a web colour such as ``#f2c230``."""
    value = int(rgb.removeprefix("#"), 16)
    return value & 255, value >> 8 & 255, value >> 16


IVORY = from_hex("#fffaf0")
INK = from_hex("#2b2a33")
WHITE: Colour = (250, 250, 250)
BLACK: Colour = (15, 15, 15)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours: ``share`` 0 gives the first, 1 the second."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return blue, green, red


def random_colour(
    rng: Rng,
    saturation: tuple[float, float] = (0.2, 0.9),
    brightness: tuple[float, float] = (0.2, 0.95),
) -> Colour:
    """Return a colour of any hue, its saturation and brightness (0 to 1) from given ranges."""
    value = rng.uniform(*brightness)
    chroma = value * rng.uniform(*saturation)
    sector = rng.uniform(0, 6)
    blue, green, red = (
        round(255 * (value - chroma * min(1.0, max(0.0, 2 - abs((sector - peak + 3) % 6 - 3)))))
        for peak in (1, 5, 3)
    )
    return blue, green, red


def vary_colour(colour: Colour, rng: Rng, spread: float) -> Colour:
    """Vary the brightness and each channel of a colour by a standard deviation."""
    steps = rng.normal(0, spread) + rng.normal(0, spread / 3, 3)
    blue, green, red = (int(v) for v in np.clip(np.add(colour, steps), 0, 255))
    return blue, green, red


def ring(centre: Spot, radius: float, corners: int, start: float = -90.0) -> list[Spot]:
    """Return the corners of a regular polygon, the first one in the direction ``start``."""
    return arc(centre, radius, radius, start, start + 360.0 * (corners - 1) / corners, corners)


def arc(
    centre: Spot, radius_x: float, radius_y: float, start: float, end: float, points: int = 24
) -> list[Spot]:
    """Return points along an elliptic arc from angle ``start`` to angle ``end``, both included."""
    angles = [math.radians(start + (end - start) * i / max(1, points - 1)) for i in range(points)]
    return [
        (centre[0] + radius_x * math.cos(a), centre[1] + radius_y * math.sin(a)) for a in angles
    ]


_HEAD = arc((0.0, -0.6), 0.33, 0.36, 150, 390, 12)
_SILHOUETTES: Sequence[Sequence[Spot]] = (
    [(-0.7, 1), (-0.7, -0.1), (0, -1), (0.7, -0.1), (0.7, 1)],  # a house
    [(-0.45, 0.9), (-0.35, -0.5), (0, -1), (0.35, -0.5), (0.45, 0.9)],  # a tower
    [(-1, 0.8), (-1, -0.5), (-0.5, 0.1), (0, -0.9), (0.5, 0.1), (1, -0.5), (1, 0.8)],  # a crown
    [(-0.7, -0.8), (0.7, -0.8), (0.4, 0.9), (-0.4, 0.9)],  # a cup
    [*_HEAD, (0.9, 0), (0.4, 0.15), (0.65, 1), (0, 0.5), (-0.65, 1), (-0.4, 0.15), (-0.9, 0)],
    [(-1, -0.3), (0.2, -0.3), (0.2, -0.9), (1, 0), (0.2, 0.9), (0.2, 0.3), (-1, 0.3)],  # an arrow
    [*arc((0.45, -0.4), 0.5, 0.5, -180, 30), (0, 1), *arc((-0.45, -0.4), 0.5, 0.5, 150, 360)],
    [(0, -1), (0.5, -0.2), (0.3, -0.2), (0.8, 0.6), (0.15, 0.6), (0.15, 1), (-0.15, 1),
     (-0.15, 0.6), (-0.8, 0.6), (-0.3, -0.2), (-0.5, -0.2)],  # a fir
)  # fmt: skip


def any_shape(rng: Rng) -> list[Spot]:
    """Return a random shape as games have, within -1 to 1."""
    kind = rng.random()
    if kind < 0.4:
        wide = float(rng.uniform(0.75, 1.0))
        return [(x * wide, y) for x, y in one_of(rng, _SILHOUETTES)]
    if kind < 0.7:  # a polygon or a star
        corners, start = int(rng.integers(3, 9)), float(rng.uniform(0, 360))
        inner = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.3, 0.8))
        inner *= math.cos(math.pi / corners)
        tips, dents = (
            ring((0, 0), radius, corners, start + turn)
            for radius, turn in ((1.0, 0.0), (inner, 180 / corners))
        )
        return [spot for pair in zip(tips, dents, strict=True) for spot in pair]
    angle = np.linspace(0, 2 * np.pi, 96, endpoint=False)  # a blob, flower or gear
    radius = np.ones_like(angle)
    for _ in range(int(rng.integers(1, 4))):
        wave = np.cos(int(rng.integers(1, 9)) * angle + rng.uniform(0, 6.3))
        radius += rng.uniform(0.1, 0.5) * (np.sign(wave) if rng.random() < 0.3 else wave)
    points = floats([radius * np.cos(angle), radius * np.sin(angle)]).T
    points -= (points.min(axis=0) + points.max(axis=0)) / 2
    return [(float(x), float(y)) for x, y in points / np.abs(points).max()]


class Sketch:
    """Picture being drawn, or a part of one with its own origin and scale."""

    def __init__(self, image: Image, px_per_unit: float, origin_px: Spot = (0.0, 0.0)) -> None:
        """Draw on ``image`` in place; ``origin_px`` is where this sketch's (0, 0) lies in it."""
        self.image = image
        self.px_per_unit = px_per_unit
        self.origin_px = origin_px

    def part(self, x: float, y: float, scale: float = 1.0) -> "Sketch":
        """Return a sketch on the same picture with its origin at (x, y) and scaled units."""
        left = self.origin_px[0] + x * self.px_per_unit
        top = self.origin_px[1] + y * self.px_per_unit
        return Sketch(self.image, self.px_per_unit * scale, (left, top))

    def polygon(self, spots: Sequence[Spot], colour: Colour) -> None:
        """Fill a polygon, which may be concave."""
        ink = self._ink(colour)
        cv2.fillPoly(self.image, [self._fixed(spots)], ink, cv2.LINE_AA, _SUBPIXEL_BITS)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        colour: Colour,
        radius: float = 0,
    ) -> None:
        """Fill an upright rectangle, with round corners if ``radius`` is positive."""
        x, y = (left + radius, right - radius), (top + radius, bottom - radius)
        outline: list[Spot] = []
        for column, row, start in ((1, 0, -90), (1, 1, 0), (0, 1, 90), (0, 0, 180)):
            corner = x[column], y[row]
            outline += arc(corner, radius, radius, start, start + 90, 8) if radius else [corner]
        self.polygon(outline, colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.oval(x, y, radius, radius, colour)

    def oval(
        self, x: float, y: float, radius_x: float, radius_y: float, colour: Colour, turn: float = 0
    ) -> None:
        """Fill an ellipse, turned clockwise by ``turn`` degrees."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        outline = arc((0.0, 0.0), radius_x, radius_y, 0.0, 352.5, 48)
        self.polygon([(x + u * cos - v * sin, y + u * sin + v * cos) for u, v in outline], colour)

    def stroke(
        self, spots: Sequence[Spot], width: float, colour: Colour, *, closed: bool = False
    ) -> None:
        """Draw a line of the given width through the spots, with round joints and ends."""
        thick, ink = max(1, round(width * self.px_per_unit)), self._ink(colour)
        fixed = [self._fixed(spots)]
        cv2.polylines(self.image, fixed, closed, ink, thick, cv2.LINE_AA, _SUBPIXEL_BITS)

    def text(
        self, text: str, x: float, y: float, height: float, colour: Colour, weight: float
    ) -> None:
        """Write a line centred on (x, y); ``height`` of the capitals, ``weight`` of the strokes."""
        font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(weight * self.px_per_unit))
        scale = cv2.getFontScaleFromHeight(font, max(1, round(height * self.px_per_unit)), 1)
        (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
        left = round(self.origin_px[0] + x * self.px_per_unit - wide / 2)
        bottom = round(self.origin_px[1] + y * self.px_per_unit + high / 2)
        ink = self._ink(colour)
        cv2.putText(self.image, text, (left, bottom), font, scale, ink, thick, cv2.LINE_AA)

    def paste(self, picture: Image, left: float, top: float, right: float, bottom: float) -> None:
        """Lay a picture (h, w, 3) into an upright rectangle."""
        x0, y0, x1, y1 = (round(v * self.px_per_unit) for v in (left, top, right, bottom))
        part = self.image[y0:y1, x0:x1]
        part[..., :3] = cv2.resize(picture, part.shape[1::-1], interpolation=cv2.INTER_AREA)
        part[..., 3:] = 255

    def _fixed(self, spots: Sequence[Spot]) -> NDArray[np.int32]:
        pixels = np.asarray(spots, np.float64) * self.px_per_unit + self.origin_px - 0.5
        return np.rint(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)

    def _ink(self, colour: Colour) -> tuple[int, ...]:
        return (*colour, 255) if self.image.shape[2] == 4 else colour
