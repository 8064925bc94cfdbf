"""A small drawing board over OpenCV: shapes in own units, supersampled, with smooth edges.

Coordinates: x to the right, y down, (0, 0) the top left corner of the board (a corner, not the
centre of a pixel). Angles are degrees, clockwise as seen, 0 pointing right. Colours are BGR.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

Colour = tuple[int, int, int]
"""Blue, green, red; 0 to 255."""

Spot = tuple[float, float]
"""x and y in the units of the board."""

_SUBPIXEL_BITS = 4


def from_hex(rgb: str) -> Colour:
    """The BGR colour of a web colour such as ``#f2c230``."""
    value = int(rgb.removeprefix("#"), 16)
    return value & 255, value >> 8 & 255, value >> 16


IVORY = from_hex("#fffaf0")
INK = from_hex("#2b2a33")


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """A colour between two: ``share`` 0 is the first, 1 the second."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return blue, green, red


def ring(centre: Spot, radius: float, corners: int, start: float = -90.0) -> list[Spot]:
    """The corners of a regular polygon, the first one in the direction ``start``."""
    return arc(centre, radius, radius, start, start + 360.0 * (corners - 1) / corners, corners)


def arc(
    centre: Spot, radius_x: float, radius_y: float, start: float, end: float, points: int = 24
) -> list[Spot]:
    """Points along an elliptic arc from angle ``start`` to angle ``end``, both included."""
    angles = [math.radians(start + (end - start) * i / max(1, points - 1)) for i in range(points)]
    return [
        (centre[0] + radius_x * math.cos(a), centre[1] + radius_y * math.sin(a)) for a in angles
    ]


class Board:
    """A picture being drawn, or a part of one with its own origin and scale."""

    def __init__(self, image: Image, px_per_unit: float, origin_px: Spot = (0.0, 0.0)) -> None:
        """Draw on ``image`` in place; ``origin_px`` is where this board's (0, 0) lies in it."""
        self.image = image
        self.px_per_unit = px_per_unit
        self.origin_px = origin_px

    def part(self, x: float, y: float, scale: float = 1.0) -> "Board":
        """A board on the same picture with its origin at (x, y) and units ``scale`` as large."""
        origin = (
            self.origin_px[0] + x * self.px_per_unit,
            self.origin_px[1] + y * self.px_per_unit,
        )
        return Board(self.image, self.px_per_unit * scale, origin)

    def polygon(self, spots: Sequence[Spot], colour: Colour) -> None:
        """Fill a polygon, which may be concave."""
        cv2.fillPoly(
            self.image, [self._fixed(spots)], self._ink(colour), cv2.LINE_AA, _SUBPIXEL_BITS
        )

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Fill an upright rectangle."""
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def round_box(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: Colour
    ) -> None:
        """Fill an upright rectangle with round corners."""
        near_x, far_x, near_y, far_y = left + radius, right - radius, top + radius, bottom - radius
        corners = [
            ((far_x, near_y), -90.0),
            ((far_x, far_y), 0.0),
            ((near_x, far_y), 90.0),
            ((near_x, near_y), 180.0),
        ]
        outline: list[Spot] = []
        for centre, start in corners:
            outline += arc(centre, radius, radius, start, start + 90.0, 8)
        self.polygon(outline, colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.oval(x, y, radius, radius, colour)

    def oval(
        self,
        x: float,
        y: float,
        radius_x: float,
        radius_y: float,
        colour: Colour,
        turn: float = 0.0,
    ) -> None:
        """Fill an ellipse, turned clockwise by ``turn`` degrees."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        outline = arc((0.0, 0.0), radius_x, radius_y, 0.0, 352.5, 48)
        self.polygon([(x + u * cos - v * sin, y + u * sin + v * cos) for u, v in outline], colour)

    def stroke(
        self, spots: Sequence[Spot], width: float, colour: Colour, *, closed: bool = False
    ) -> None:
        """Draw a line of the given width through the spots, with round joints and ends."""
        thickness = max(1, round(width * self.px_per_unit))
        cv2.polylines(
            self.image,
            [self._fixed(spots)],
            closed,
            self._ink(colour),
            thickness,
            cv2.LINE_AA,
            _SUBPIXEL_BITS,
        )

    def text(
        self, text: str, x: float, y: float, height: float, colour: Colour, weight: float
    ) -> None:
        """Write a line centred on (x, y); ``height`` of the capitals, ``weight`` of the strokes."""
        font, thickness = cv2.FONT_HERSHEY_DUPLEX, max(1, round(weight * self.px_per_unit))
        scale = cv2.getFontScaleFromHeight(font, max(1, round(height * self.px_per_unit)), 1)
        (width_px, height_px), _ = cv2.getTextSize(text, font, scale, thickness)
        corner = (
            round(self.origin_px[0] + x * self.px_per_unit - width_px / 2),
            round(self.origin_px[1] + y * self.px_per_unit + height_px / 2),
        )
        cv2.putText(
            self.image, text, corner, font, scale, self._ink(colour), thickness, cv2.LINE_AA
        )

    def _fixed(self, spots: Sequence[Spot]) -> NDArray[np.int32]:
        pixels = np.asarray(spots, np.float64) * self.px_per_unit + self.origin_px - 0.5
        fixed: NDArray[np.int32] = np.rint(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)
        return fixed

    def _ink(self, colour: Colour) -> tuple[int, ...]:
        return (*colour, 255) if self.image.shape[2] == 4 else colour
