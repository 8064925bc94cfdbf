"""Plates with letters on a photo, each at a place where it hides as little as possible."""

from collections.abc import Sequence
from itertools import product
from math import cos, pi, sin

import cv2
import numpy as np

from firmware import drawing, quads
from firmware.drawing import DARK, Box, Colour, Picture
from vision.reading import Point, Quad

LIGHT: Colour = (255, 255, 255)

BADGE_SHARE = 0.62
"""Height of the letters of a badge as a share of a tile's side."""

BADGE_DIRECTIONS = 16

NOTICE_WIDTH, NOTICE_HEIGHT = 0.5, 0.03
"""Largest width and height of the letters of a notice as a share of the photo's."""

OVERVIEW_PX = 400
"""Longest side of the small picture in which free places are searched."""


class Plates:
    """Draws plates on a photo and keeps them apart.

    Args:
        picture: the photo, drawn on in place.
        visible: what lies on it and should stay visible.
    """

    def __init__(self, picture: Picture, visible: Sequence[Quad]) -> None:
        self._picture = picture
        self._size_wh = picture.shape[1], picture.shape[0]
        self._taken = _Overview(self._size_wh, visible)

    def draw_badge(self, corners_px: Quad, tile_side: float, text: str) -> None:
        """Write a text beside a city, as large as its tiles, of a side in pixels, allow."""
        scale = drawing.scale_to_fit([text], tile_side * 3.6, tile_side * BADGE_SHARE)
        size = _plate_size(text, scale)
        middle = self._taken.free_place_beside(corners_px, size)
        self._draw(middle, text, scale, ink=LIGHT, ground=DARK)

    def draw_notice(self, text: str, *, ink: Colour, ground: Colour) -> None:
        """Write a text about the whole photo at its upper or lower edge."""
        width, height = self._size_wh
        scale = drawing.scale_to_fit([text], width * NOTICE_WIDTH, height * NOTICE_HEIGHT)
        middle = self._taken.free_place_at_edge(_plate_size(text, scale))
        self._draw(middle, text, scale, ink=ink, ground=ground)

    def _draw(self, middle: Point, text: str, scale: float, *, ink: Colour, ground: Colour) -> None:
        size = _plate_size(text, scale)
        box = _box_round(middle, size)
        rim = max(2, round(size[1] / 16))
        drawing.fill(self._picture, _grown(box, 2 * rim), DARK)
        drawing.fill(self._picture, _grown(box, rim), LIGHT)
        drawing.fill(self._picture, box, ground)
        drawing.label(self._picture, middle, text, scale, ink=ink, ground=ground)
        self._taken.take(box)


def _plate_size(text: str, scale: float) -> tuple[float, float]:
    width, height = drawing.text_size(text, scale, drawing.stroke_px(scale))
    return width * 1.1 + height * 0.6, height * 1.35


def _box_round(middle: Point, size: tuple[float, float]) -> Box:
    left, top = round(middle[0] - size[0] / 2), round(middle[1] - size[1] / 2)
    return left, top, left + round(size[0]), top + round(size[1])


def _grown(box: Box, by_px: int) -> Box:
    left, top, right, bottom = box
    return left - by_px, top - by_px, right + by_px, bottom + by_px


class _Overview:
    """A small picture of what is taken, to find places where a badge hides nothing."""

    def __init__(self, size_wh: tuple[int, int], visible: Sequence[Quad]) -> None:
        self._size_wh = size_wh
        self._scale = OVERVIEW_PX / max(size_wh)
        width, height = size_wh
        shape = (max(1, round(height * self._scale)), max(1, round(width * self._scale)))
        self._taken = np.zeros(shape, np.uint8)
        for quad in visible:
            corners = np.array(quad) * self._scale
            cv2.fillPoly(self._taken, [corners.round().astype(np.int32)], 1)

    def take(self, box: Box) -> None:
        """Note that something was drawn in a box."""
        left, top, right, bottom = self._small(box)
        self._taken[top:bottom, left:right] = 1

    def free_place_beside(self, quad: Quad, size: tuple[float, float]) -> Point:
        """The middle for a box of that size near a quad, inside the photo, hiding the least."""
        candidates = [
            self._moved_inside(_beside(quad, size, 2 * pi * n / BADGE_DIRECTIONS, gap), size)
            for gap, n in product((0.12, 0.5), range(BADGE_DIRECTIONS))
        ]
        return min(candidates, key=lambda middle: self._hidden(_box_round(middle, size)))

    def free_place_at_edge(self, size: tuple[float, float]) -> Point:
        """The middle for a box of that size at the upper or lower edge, hiding the least."""
        width, height = self._size_wh
        corners = product((0.0, height), (0.0, width / 2, width))
        candidates = [self._moved_inside((x, y), size) for y, x in corners]
        return min(candidates, key=lambda middle: self._hidden(_box_round(middle, size)))

    def _hidden(self, box: Box) -> int:
        left, top, right, bottom = self._small(_grown(box, round((box[3] - box[1]) / 6)))
        return int(self._taken[top:bottom, left:right].sum())

    def _small(self, box: Box) -> Box:
        left, top, right, bottom = (max(round(edge * self._scale), 0) for edge in box)
        return left, top, right + 1, bottom + 1

    def _moved_inside(self, middle: Point, size: tuple[float, float]) -> Point:
        margin = size[1] / 4
        x, y = (
            min(max(at, half + margin), max(whole - half - margin, half + margin))
            for at, half, whole in zip(
                middle, (size[0] / 2, size[1] / 2), self._size_wh, strict=True
            )
        )
        return x, y


def _beside(quad: Quad, size: tuple[float, float], angle: float, gap: float) -> Point:
    """The middle of a box just outside of a quad in a direction; 0 is downwards."""
    towards = (sin(angle), cos(angle))
    x, y = quads.middle(quad)
    reach = max((px - x) * towards[0] + (py - y) * towards[1] for px, py in quad)
    reach += abs(towards[0]) * size[0] / 2 + abs(towards[1]) * size[1] / 2 + gap * size[1]
    return x + towards[0] * reach, y + towards[1] * reach
