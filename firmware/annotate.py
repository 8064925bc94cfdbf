"""The photo with everything that was read drawn on it, for a person to check at a glance.

The kinds of marks differ in shape as well as in colour, so that every eye can tell them apart:
a sure tile has a solid outline and light letters on dark, an unsure one a dashed outline, a ``?``
and dark letters on a bright ground, a missing one a cross, an unread region is hatched.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import cos, hypot, pi, sin

import cv2
import numpy as np

from firmware import drawing
from firmware.drawing import DARK, Box, Colour, Picture
from firmware.screens import texts
from vision.reading import Cell, CityReading, Point, Quad, Reading, Unread, city_name

SURE: Colour = (233, 200, 86)
UNSURE: Colour = (0, 190, 255)
MISSING: Colour = (180, 110, 255)
UNREAD: Colour = (180, 110, 255)
LIGHT: Colour = (255, 255, 255)

LABEL_SHARE = 0.78
"""Width of the longest label as a share of a tile's side; the corners of its ground then stay
inside the tile however it is turned."""

BADGE_SHARE = 0.62
"""Height of the letters of a badge as a share of a tile's side."""

BADGE_DIRECTIONS = 16
OVERVIEW_PX = 400
"""Longest side of the small picture in which free places for badges are searched."""


def annotate(photo_bgr: Picture, reading: Reading, totals: Sequence[int] | None = None) -> Picture:
    """Draw a reading on its photo.

    Args:
        photo_bgr: uint8, shape (height, width, 3), the photo that was read, of the size
            ``reading.size_wh``; it is not changed.
        reading: what was read.
        totals: points of each city of the reading; None: badges show the letters alone.

    Returns:
        A new picture of the same size.

    Raises:
        ValueError: The photo is of another size than the reading, or there is not one total for
            each city.
    """
    _check(photo_bgr, reading, totals)
    picture = photo_bgr.copy()
    for region in reading.unread:
        _draw_unread(picture, region)
    for city in reading.cities:
        # Marks that ask for a look come last, so that no neighbour's outline covers them.
        for cell in sorted(_cells(city), key=partial(_asks_for_a_look, city)):
            _draw_tile_outline(picture, city, cell)
        scale = _label_scale(city)
        for cell in _cells(city):
            _draw_tile_label(picture, city, cell, scale)
    _draw_badges(picture, reading, totals)
    return picture


def _check(photo_bgr: Picture, reading: Reading, totals: Sequence[int] | None) -> None:
    width, height = reading.size_wh
    if photo_bgr.shape != (height, width, 3):
        raise ValueError(
            f"the reading is of a colour photo of {width}x{height} pixels, "
            f"but the picture has the shape {photo_bgr.shape}: annotate the photo that was read"
        )
    if totals is not None and len(totals) != len(reading.cities):
        raise ValueError(
            f"there are {len(totals)} totals for {len(reading.cities)} cities: give one for each"
        )


def _cells(city: CityReading) -> list[Cell]:
    return [(row, column) for row, faces in enumerate(city.grid) for column in range(len(faces))]


def _asks_for_a_look(city: CityReading, cell: Cell) -> bool:
    return cell in city.unsure or city.grid[cell[0]][cell[1]] is None


def tile_quad(city: CityReading, cell: Cell) -> Quad:
    """Where a tile lies; where that is not known, its even share of the city."""
    row, column = cell
    known = city.tile_quads_px[row][column]
    if known is not None:
        return known
    rows, columns = len(city.grid), len(city.grid[row])
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    transform = cv2.getPerspectiveTransform(unit, np.array(city.corners_px, np.float32))
    corners = [(column + dx, row + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
    placed = cv2.perspectiveTransform(np.array([corners], np.float64), transform)[0]
    top_left, top_right, bottom_right, bottom_left = ((float(x), float(y)) for x, y in placed)
    return top_left, top_right, bottom_right, bottom_left


def _side(quad: Quad) -> float:
    edges = zip(quad, quad[1:] + quad[:1], strict=True)
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in edges) / 4


def _middle(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def _line_px(side_px: float) -> int:
    return max(1, round(side_px / 36))


def _draw_tile_outline(picture: Picture, city: CityReading, cell: Cell) -> None:
    quad = tile_quad(city, cell)
    width_px = _line_px(_side(quad))
    if city.grid[cell[0]][cell[1]] is None:
        colour = UNSURE if cell in city.unsure else MISSING
        drawing.outline(picture, quad, colour, width_px, dashed=True)
        drawing.cross(picture, quad, colour, width_px, share=0.3)
    elif cell in city.unsure:
        drawing.outline(picture, quad, UNSURE, 2 * width_px, dashed=True)
    else:
        drawing.outline(picture, quad, SURE, width_px, dashed=False)


def _label_of(city: CityReading, cell: Cell) -> str:
    face = city.grid[cell[0]][cell[1]]
    if face is None:
        text = texts.NO_TILE_UNSURE if cell in city.unsure else texts.NO_TILE
    else:
        text = texts.FACES[face] + ("?" if cell in city.unsure else "")
    return drawing.drawable(text)


def _label_scale(city: CityReading) -> float:
    """One scale for the whole city: at which its longest label fits on its smallest tile."""
    side = min(_side(tile_quad(city, cell)) for cell in _cells(city))
    labels = [_label_of(city, cell) for cell in _cells(city)]
    longest = [*labels, *(drawing.drawable(text) for text in texts.FACES.values())]
    return drawing.scale_to_fit(longest, side * LABEL_SHARE, side * 0.3)


def _draw_tile_label(picture: Picture, city: CityReading, cell: Cell, scale: float) -> None:
    middle = _middle(tile_quad(city, cell))
    text = _label_of(city, cell)
    if cell in city.unsure:
        drawing.label(picture, middle, text, scale, ink=DARK, ground=UNSURE)
    elif city.grid[cell[0]][cell[1]] is None:
        drawing.label(picture, middle, text, scale, ink=DARK, ground=MISSING)
    else:
        drawing.label(picture, middle, text, scale, ink=LIGHT, ground=DARK, opacity=0.7)


def _draw_unread(picture: Picture, region: Unread) -> None:
    side = _side(region.corners_px)
    width_px = _line_px(side / 4)
    drawing.hatch(picture, region.corners_px, UNREAD, width_px, max(side / 10, 6.0))
    drawing.outline(picture, region.corners_px, UNREAD, 2 * width_px, dashed=True)
    lines = _wrapped(drawing.drawable(f"{texts.NOT_READ_BECAUSE} {region.why}"), 18)
    scale = drawing.scale_to_fit(lines, side * LABEL_SHARE, side * 0.1)
    step = drawing.text_size("Ag", scale, drawing.stroke_px(scale))[1] * 1.35
    x, y = _middle(region.corners_px)
    for number, line in enumerate(lines):
        middle = (x, y + (number - (len(lines) - 1) / 2) * step)
        drawing.label(picture, middle, line, scale, ink=DARK, ground=UNREAD)


def _wrapped(text: str, letters: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _draw_badges(picture: Picture, reading: Reading, totals: Sequence[int] | None) -> None:
    taken = _Overview(reading)
    for index, city in enumerate(reading.cities):
        text = city_name(index)
        if totals is not None:
            doubtful = bool(city.unsure) or any(None in row for row in city.grid)
            text += f" {totals[index]}{'?' if doubtful else ''}"
        tile_side = _side(city.corners_px) / max(len(city.grid), 1)
        scale = drawing.scale_to_fit([text], tile_side * 3.6, tile_side * BADGE_SHARE)
        width, height = drawing.text_size(text, scale, drawing.stroke_px(scale))
        size = (width * 1.1 + height * 0.6, height * 1.35)
        middle = taken.free_place_beside(city.corners_px, size)
        _draw_badge(picture, middle, text, scale, size)
        taken.take(_box_round(middle, size))


def _draw_badge(
    picture: Picture, middle: Point, text: str, scale: float, size: tuple[float, float]
) -> None:
    box = _box_round(middle, size)
    rim = max(2, round(size[1] / 16))
    drawing.fill(picture, _grown(box, 2 * rim), DARK)
    drawing.fill(picture, _grown(box, rim), LIGHT)
    drawing.fill(picture, box, DARK)
    drawing.label(picture, middle, text, scale, ink=LIGHT, ground=DARK)


def _box_round(middle: Point, size: tuple[float, float]) -> Box:
    left, top = round(middle[0] - size[0] / 2), round(middle[1] - size[1] / 2)
    return left, top, left + round(size[0]), top + round(size[1])


def _grown(box: Box, by_px: int) -> Box:
    left, top, right, bottom = box
    return left - by_px, top - by_px, right + by_px, bottom + by_px


class _Overview:
    """A small picture of what is taken, to find places where a badge hides nothing."""

    def __init__(self, reading: Reading) -> None:
        self._size_wh = reading.size_wh
        self._scale = OVERVIEW_PX / max(reading.size_wh)
        width, height = reading.size_wh
        shape = (max(1, round(height * self._scale)), max(1, round(width * self._scale)))
        self._taken = np.zeros(shape, np.uint8)
        quads = [each.corners_px for each in reading.cities]
        quads += [each.corners_px for each in reading.unread]
        for quad in quads:
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
    x, y = _middle(quad)
    reach = max((px - x) * towards[0] + (py - y) * towards[1] for px, py in quad)
    reach += abs(towards[0]) * size[0] / 2 + abs(towards[1]) * size[1] / 2 + gap * size[1]
    return x + towards[0] * reach, y + towards[1] * reach
