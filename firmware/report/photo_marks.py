"""Lines and letters on a photo that are readable on any background: each has a dark rim.

Plates with letters find places where they hide as little as possible.

Pictures are uint8 arrays of shape (height, width, 3), BGR, drawn on in place; points are pixels,
x to the right, y down.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, cos, hypot, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.base import picture_text
from firmware.base.photo_quads import quad_centre
from vision.reading import Point, Quad

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; right and bottom exclusive."""

LINE: Final = picture_text.ASCENT + picture_text.DESCENT
"""Height of a line as a share of the size of its letters."""
REFERENCE: Final = 32
"""Size of letters at which texts are measured, to compute the size that fits."""
DARK: Colour = (20, 20, 20)
LIGHT: Colour = (255, 255, 255)

BADGE_SHARE = 0.62
"""Height of the letters of a badge as a share of a tile's side."""
BADGE_DIRECTIONS = 16
"""Number of directions from a city in which a place for its badge is tried."""
NOTICE_WIDTH, NOTICE_HEIGHT = 0.5, 0.03
"""Largest width and height of the letters of a notice as a share of the photo's."""
OVERVIEW_PX = 400
"""Longest side of the mask in which free places are searched."""


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """Colours of a label.

    Attributes:
        ink: Colour of the letters.
        background: Colour of the background.
        opacity: Opacity of the background, up to 1.
    """

    ink: Colour
    background: Colour
    opacity: float = 1.0


_BADGE_STYLE: Final = LabelStyle(LIGHT, DARK)


def size_to_fit(texts: Iterable[str], width_px: float, height_px: float) -> int:
    """Return the largest size at which every text fits into the box, at least 1."""
    size = int(height_px / LINE)
    apart = set(texts)
    widest = max(picture_text.text_width_px(text, REFERENCE) for text in apart)
    size = max(1, min(size, int(REFERENCE * width_px / max(widest, 1)) + 1))
    # Letters are set to whole pixels, so that small ones are not as wide in proportion
    while size > 1 and max(picture_text.text_width_px(text, size) for text in apart) > width_px:
        size -= 1
    return size


def label(picture: Picture, at: Point, text: str, size: int, style: LabelStyle) -> Box:
    """Write one line centred on a point, on a background of its own.

    Returns:
        The box of the background.
    """
    width, height = picture_text.text_width_px(text, size), round(size * picture_text.ASCENT)
    pad = max(2, round(height * 0.3))
    left = round(at[0] - width / 2)
    base = round(at[1] + height / 2)
    below = max(pad, round(size * picture_text.DESCENT) + 1)
    box = (left - pad, base - height - pad, left + width + pad, base + below)
    fill(picture, box, style.background, style.opacity)
    _write(picture, (left, base), text, size, style.ink)
    return box


def _write(picture: Picture, start: tuple[int, int], text: str, size: int, ink: Colour) -> None:
    """Write a line from the beginning of its base line on."""
    letters, (left, top) = picture_text.text_mask(text, size)
    left, top = start[0] + left, start[1] + top
    x, y, width, height = _inside(picture, (left, top, letters.shape[1], letters.shape[0]))
    if width <= 0 or height <= 0:
        return
    part = picture[y : y + height, x : x + width]
    cover = letters[y - top : y - top + height, x - left : x - left + width, None] / np.float32(255)
    part[:] = np.rint(part + (np.array(ink, np.float32) - part) * cover)


def fill(picture: Picture, box: Box, colour: Colour, opacity: float = 1.0) -> None:
    """Lay a colour over a box; what lies outside of the picture is left out."""
    left, top, right, bottom = (max(edge, 0) for edge in box)
    part = picture[top:bottom, left:right]
    if part.size:
        colours = np.full_like(part, colour)
        part[:] = cv2.addWeighted(colours, opacity, part, 1 - opacity, 0)


def outline(
    picture: Picture, corners: Sequence[Point], colour: Colour, width_px: int, *, dashed: bool
) -> None:
    """Draw the edges of a polygon in a colour with a dark rim, solid or in dashes."""
    ends = [*corners[1:], corners[0]]
    for rim in (True, False):
        for start, end in zip(corners, ends, strict=True):
            for piece in _dashes(start, end, 7.0 * width_px) if dashed else ((start, end),):
                _segment(picture, *piece, DARK if rim else colour, width_px + 2 * rim)


def cross(picture: Picture, quad: Quad, colour: Colour, width_px: int, share: float) -> None:
    """Draw both diagonals of a quad, but for ``share`` of them round its middle."""
    for rim in (True, False):
        for corner in quad:
            inner = _between(quad_centre(quad), corner, share)
            _segment(picture, corner, inner, DARK if rim else colour, width_px + 2 * rim)


def ring(
    picture: Picture, at: Point, radius_px: float, colour: Colour, width_px: int, *, dashed: bool
) -> None:
    """Draw a circle in a colour with a light and a dark rim, solid or in dashes."""
    centre, radius = (round(at[0]), round(at[1])), max(2, round(radius_px))
    starts = range(0, 360, 45)
    sweep = 28 if dashed else 45
    for line, width in ((DARK, width_px + 4), (LIGHT, width_px + 2), (colour, width_px)):
        for start in starts:
            cv2.ellipse(
                picture, centre, (radius, radius), 0, start, start + sweep, line, width, cv2.LINE_AA
            )


def hatch(
    picture: Picture, corners: Sequence[Point], colour: Colour, width_px: int, pitch_px: float
) -> None:
    """Draw slanted lines over the inside of a polygon."""
    shape = np.array(corners).round().astype(np.int32)
    left, top, width, height = _inside(picture, cv2.boundingRect(shape))
    if width <= 0 or height <= 0:
        return
    lines = np.zeros((height, width), np.uint8)
    for offset in np.arange(-height, width, pitch_px):
        cv2.line(lines, (int(offset), height), (int(offset) + height, 0), 255, width_px)
    inside = np.zeros_like(lines)
    cv2.fillPoly(inside, [shape - (left, top)], 255)
    picture[top : top + height, left : left + width][(lines & inside) > 0] = colour


def _inside(picture: Picture, box: Sequence[int]) -> Box:
    """Return the part of a rectangle (left, top, width, height) that lies on the picture."""
    left, top, width, height = box
    right, bottom = min(left + width, picture.shape[1]), min(top + height, picture.shape[0])
    left, top = max(left, 0), max(top, 0)
    return left, top, right - left, bottom - top


def _dashes(start: Point, end: Point, period_px: float) -> list[tuple[Point, Point]]:
    """Return the dashes of a line; one lies at either end, so that corners are drawn."""
    count = max(1, ceil(hypot(end[0] - start[0], end[1] - start[1]) / period_px))
    unit = 1 / (2 * count - 1) if count > 1 else 1.0
    return [
        (_between(start, end, 2 * n * unit), _between(start, end, (2 * n + 1) * unit))
        for n in range(count)
    ]


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _segment(picture: Picture, start: Point, end: Point, colour: Colour, width_px: int) -> None:
    ends = [(round(x), round(y)) for x, y in (start, end)]
    cv2.line(picture, ends[0], ends[1], colour, width_px, cv2.LINE_AA)


class Plates:
    """Plates with letters on a photo, kept apart.

    The place where a plate hides the least is found in a small mask of all that is taken.

    Args:
        picture: Photo, drawn on in place.
        visible: Things on it that should stay visible.
    """

    def __init__(self, picture: Picture, visible: Sequence[Quad]) -> None:
        height, width = picture.shape[:2]
        self._picture = picture
        self._size_wh = width, height
        self._scale = OVERVIEW_PX / max(width, height)
        shape = (max(1, round(height * self._scale)), max(1, round(width * self._scale)))
        self._taken = np.zeros(shape, np.uint8)
        for quad in visible:
            corners = np.array(quad) * self._scale
            cv2.fillPoly(self._taken, [corners.round().astype(np.int32)], 1)

    def draw_badge(self, corners_px: Quad, tile_side: float, text: str) -> None:
        """Write a text beside a city, as large as its tiles, of a side in pixels, allow."""
        letters = size_to_fit([text], tile_side * 3.6, tile_side * BADGE_SHARE)
        size = _plate_size(text, letters)
        places = [
            _beside(corners_px, size, 2 * pi * n / BADGE_DIRECTIONS, gap)
            for gap, n in product((0.12, 0.5), range(BADGE_DIRECTIONS))
        ]
        self._draw(places, text, letters, _BADGE_STYLE)

    def draw_notice(self, text: str, style: LabelStyle) -> None:
        """Write a text about the whole photo at its upper or lower edge."""
        width, height = self._size_wh
        letters = size_to_fit([text], width * NOTICE_WIDTH, height * NOTICE_HEIGHT)
        places = [(x, y) for y, x in product((0.0, height), (0.0, width / 2, width))]
        self._draw(places, text, letters, style)

    def _draw(self, places: Sequence[Point], text: str, letters: int, style: LabelStyle) -> None:
        """Draw a plate within the photo, with its middle where it hides the least."""
        size = _plate_size(text, letters)
        inside = [self._moved_inside(place, size) for place in places]
        at = min(inside, key=lambda place: self._hidden(_box_round(place, size)))
        box = _box_round(at, size)
        rim = max(2, round(size[1] / 16))
        fill(self._picture, _grown(box, 2 * rim), DARK)
        fill(self._picture, _grown(box, rim), LIGHT)
        fill(self._picture, box, style.background)
        label(self._picture, at, text, letters, style)
        self._overview_of(box)[:] = 1

    def _hidden(self, box: Box) -> int:
        """Return the taken area that a plate would hide, in pixels."""
        return int(self._overview_of(_grown(box, round((box[3] - box[1]) / 6))).sum())

    def _overview_of(self, box: Box) -> Picture:
        left, top, right, bottom = (max(round(edge * self._scale), 0) for edge in box)
        return self._taken[top : bottom + 1, left : right + 1]

    def _moved_inside(self, at: Point, size: tuple[float, float]) -> Point:
        margin = size[1] / 4
        x, y = (
            min(
                max(along, length / 2 + margin),
                max(whole - length / 2 - margin, length / 2 + margin),
            )
            for along, length, whole in zip(at, size, self._size_wh, strict=True)
        )
        return x, y


def _plate_size(text: str, letters: int) -> tuple[float, float]:
    width, height = picture_text.text_width_px(text, letters), letters * LINE
    return width * 1.1 + height * 0.6, height * 1.35


def _box_round(at: Point, size: tuple[float, float]) -> Box:
    left, top = round(at[0] - size[0] / 2), round(at[1] - size[1] / 2)
    return left, top, left + round(size[0]), top + round(size[1])


def _grown(box: Box, by_px: int) -> Box:
    left, top, right, bottom = box
    return left - by_px, top - by_px, right + by_px, bottom + by_px


def _beside(quad: Quad, size: tuple[float, float], angle: float, gap: float) -> Point:
    """Return the middle of a box just outside of a quad in a direction; 0 is downwards."""
    towards = (sin(angle), cos(angle))
    x, y = quad_centre(quad)
    reach = max((px - x) * towards[0] + (py - y) * towards[1] for px, py in quad)
    reach += abs(towards[0]) * size[0] / 2 + abs(towards[1]) * size[1] / 2 + gap * size[1]
    return x + towards[0] * reach, y + towards[1] * reach
