"""A small map of the table: which city is which, as the photo sees it."""

from collections.abc import Callable
from math import hypot

from PIL import ImageDraw

from firmware.quads import mean_side, middle
from firmware.screens import texts, typeset
from firmware.screens.canvas import HEIGHT, SIDE_WIDTH, WIDTH, Canvas
from scoring.faces import city_name
from vision.reading import Point, Quad, Reading

MAP_WIDTH = WIDTH - SIDE_WIDTH - 5
"""Pixels of the display left of the column of hints."""

LETTER_SIZES = (24, 20, 16, 12)
LETTER_SHARE = 0.72
"""How much of a city's side a letter's cell may take so that it fits at every turn of the city."""

SMALLEST_SIDE = 13
"""A city is drawn at least so large that its letter fits inside."""

GROWTH_ROUNDS = 4
"""Growing a city at the edge makes the map smaller, and with it that city; this often is enough."""


def draw_map(canvas: Canvas, *, reading: Reading) -> None:
    """Draw every city at its place, turned as on the table, with its letter inside.

    The cities fill the map: the margin of the photo is left out, its proportions are kept. What
    could not be read is a dashed shape with a question mark.
    """
    quads = [city.corners_px for city in reading.cities]
    unread = [each.corners_px for each in reading.unread]
    if not quads and not unread:
        return
    placed = _fit_to_map([*quads, *unread])
    for index, quad in enumerate(placed):
        is_city = index < len(quads)
        corners = [(round(x), round(y)) for x, y in quad]
        canvas.draw.polygon(corners, fill=0)
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            _line(canvas.draw, start, end, dashed=not is_city)
    for index, quad in enumerate(placed):
        _letter(canvas, quad, city_name(index) if index < len(quads) else texts.NOT_READ)


def _fit_to_map(quads: list[Quad]) -> list[Quad]:
    """Scale photo pixels to display pixels so that all quads together fill the map."""
    for _ in range(GROWTH_ROUNDS):
        quads = [_grown(quad, SMALLEST_SIDE / _map_scale(quads)) for quad in quads]
    scale = _map_scale(quads)
    left, top, right, bottom = _bounds(quads)
    margin_x = (MAP_WIDTH - 1 - (right - left) * scale) / 2
    margin_y = (HEIGHT - 1 - (bottom - top) * scale) / 2
    return [
        _each_corner(
            quad, lambda x, y: ((x - left) * scale + margin_x, (y - top) * scale + margin_y)
        )
        for quad in quads
    ]


def _map_scale(quads: list[Quad]) -> float:
    """Display pixels to a photo pixel."""
    left, top, right, bottom = _bounds(quads)
    return min((MAP_WIDTH - 1) / max(right - left, 1), (HEIGHT - 1) / max(bottom - top, 1))


def _bounds(quads: list[Quad]) -> tuple[float, float, float, float]:
    xs, ys = zip(*(point for quad in quads for point in quad), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _grown(quad: Quad, smallest_side: float) -> Quad:
    factor = max(smallest_side / max(mean_side(quad), 1.0), 1.0)
    middle_x, middle_y = middle(quad)
    return _each_corner(
        quad,
        lambda x, y: (middle_x + (x - middle_x) * factor, middle_y + (y - middle_y) * factor),
    )


def _each_corner(quad: Quad, move: Callable[[float, float], Point]) -> Quad:
    top_left, top_right, bottom_right, bottom_left = quad
    return move(*top_left), move(*top_right), move(*bottom_right), move(*bottom_left)


def _letter(canvas: Canvas, quad: Quad, letter: str) -> None:
    room = mean_side(quad) * LETTER_SHARE
    size = next((size for size in LETTER_SIZES if size * 0.75 <= room), LETTER_SIZES[-1])
    middle_x, middle_y = middle(quad)
    half_width, half_height = typeset.cell_width(size) / 2, size / 2
    left = round(middle_x - half_width + 0.5)
    top = round(middle_y - half_height + 0.5)
    box = (left, top, left + int(2 * half_width), top + size)
    canvas.text(box, letter, sizes=(size,))


def _line(draw: ImageDraw.ImageDraw, start: Point, end: Point, *, dashed: bool) -> None:
    if not dashed:
        draw.line((start, end), fill=typeset.LIT)
        return
    steps = max(round(hypot(end[0] - start[0], end[1] - start[1])), 1)
    for step in range(0, steps, 3):
        share = step / steps
        draw.point(
            (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share),
            fill=typeset.LIT,
        )
