"""Small map of the table that shows which city is which, as in the photo."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from PIL import ImageDraw

from firmware.base.photo_quads import enlarge, mean_side_px, quad_centre
from firmware.screens import typeset
from firmware.screens.canvas import Box, Canvas
from firmware.screens.view import TableMap
from scoring.faces import city_name
from vision.reading import Point, Quad, transform_quad

NOT_READ = "?"
"""Sign in place of the letter of a region that was not read."""
LETTER_SIZES = (24, 20, 16, 12)
LETTER_SHARE = 0.72
"""Share of a city's side for the cell of its letter, which then fits at every turn."""

SMALLEST_WITH_LETTER = 13
"""A city is drawn at least so large that its letter fits inside."""

SMALLEST_PLAIN = 6

TILE_MARK_SIDE = 5
"""Width and height of the block in the middle of the cross."""

GROWTH_ROUNDS = 4
"""Growing a city at the edge makes the map smaller, and with it that city; this often is enough."""


def draw_map(canvas: Canvas, table: TableMap, box: Box, marked: int | None = None) -> None:
    """Draw every city at its place, turned as on the table, with its letter inside.

    The cities fill the box: the margin of the photo is left out, its proportions are kept. What
    could not be read is a dashed shape with a question mark. One city may be marked: it is filled.
    """
    placed = _outlines(canvas, table, box, SMALLEST_WITH_LETTER)
    for index, quad in enumerate(placed):
        if index == marked:
            canvas.draw.polygon(_rounded(quad), fill=typeset.LIT)
        letter = city_name(index) if index < len(table.cities) else NOT_READ
        _letter(canvas, quad, letter, dark=index == marked)


def draw_place_on_map(canvas: Canvas, table: TableMap, box: Box, city: int) -> None:
    """Draw the cities as in ``draw_map``, smaller and without letters, one of them filled.

    What was not read counts on behind the cities.
    """
    placed = _outlines(canvas, table, box, SMALLEST_PLAIN)
    if city < len(placed):
        canvas.draw.polygon(_rounded(placed[city]), fill=typeset.LIT)


def draw_tile_on_map(canvas: Canvas, tiles: Sequence[Point], box: Box, marked: int) -> None:
    """Draw a point for each tile at its place in the photo, and a cross through one of them.

    Args:
        canvas: Canvas to draw on.
        tiles: Centres of the tiles, in pixels of the photo.
        box: Box that they fill; the proportions of the photo are kept.
        marked: Index of the tile that is marked.
    """
    mark = TILE_MARK_SIDE // 2
    margin = mark + 1
    xs, ys = zip(*tiles, strict=True)
    least_x, least_y = min(xs), min(ys)
    span_x, span_y = max(xs) - least_x, max(ys) - least_y
    width, height = (box[edge + 2] - box[edge] - 2 * margin - 1 for edge in (0, 1))
    scale = min(width / max(span_x, 1), height / max(span_y, 1))
    left = box[0] + margin + (width - span_x * scale) / 2
    top = box[1] + margin + (height - span_y * scale) / 2
    shown = [
        (round(left + (x - least_x) * scale), round(top + (y - least_y) * scale)) for x, y in tiles
    ]
    canvas.draw.point(shown, fill=typeset.LIT)
    x, y = shown[marked]
    for line in ((x, box[1], x, box[3] - 1), (box[0], y, box[2] - 1, y)):
        canvas.draw.line(line, fill=0, width=3)
        canvas.draw.line(line, fill=typeset.LIT)
    canvas.draw.rectangle((x - margin, y - margin, x + margin, y + margin), fill=0)
    canvas.draw.rectangle((x - mark, y - mark, x + mark, y + mark), fill=typeset.LIT)


def _outlines(canvas: Canvas, table: TableMap, box: Box, smallest_side: int) -> list[Quad]:
    """Draw the outlines; return them in pixels of the display, those of the cities first."""
    quads = [*table.cities, *table.unread]
    if not quads:
        return []
    placed = _Fit(box, smallest_side).of(quads)
    for index, quad in enumerate(placed):
        corners = _rounded(quad)
        canvas.draw.polygon(corners, fill=0)
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            _line(canvas.draw, start, end, dashed=index >= len(table.cities))
    return placed


def _rounded(quad: Quad) -> list[Point]:
    return [(round(x), round(y)) for x, y in quad]


@dataclass(frozen=True, slots=True)
class _Fit:
    """Scales photo pixels to display pixels so that all quads together fill a box."""

    box: Box
    smallest_side: int

    def of(self, quads: list[Quad]) -> list[Quad]:
        for _ in range(GROWTH_ROUNDS):
            smallest = self.smallest_side / self._scale(quads)
            quads = [enlarge(quad, max(smallest / max(mean_side_px(quad), 1), 1)) for quad in quads]
        scale = self._scale(quads)
        left, top, right, bottom = _bounds(quads)
        width, height = self._room
        origin_x = self.box[0] + (width - (right - left) * scale) / 2
        origin_y = self.box[1] + (height - (bottom - top) * scale) / 2

        def shown(points: Sequence[Point]) -> list[Point]:
            return [
                ((x - left) * scale + origin_x, (y - top) * scale + origin_y) for x, y in points
            ]

        return [transform_quad(quad, shown) for quad in quads]

    @property
    def _room(self) -> tuple[int, int]:
        left, top, right, bottom = self.box
        return right - left - 1, bottom - top - 1

    def _scale(self, quads: list[Quad]) -> float:
        """Return the number of display pixels to a photo pixel."""
        left, top, right, bottom = _bounds(quads)
        width, height = self._room
        return min(width / max(right - left, 1), height / max(bottom - top, 1))


def _bounds(quads: list[Quad]) -> tuple[float, float, float, float]:
    xs, ys = zip(*(point for quad in quads for point in quad), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _letter(canvas: Canvas, quad: Quad, letter: str, *, dark: bool) -> None:
    room = mean_side_px(quad) * LETTER_SHARE
    size = next((size for size in LETTER_SIZES if size * 0.75 <= room), LETTER_SIZES[-1])
    middle_x, middle_y = quad_centre(quad)
    half_width, half_height = typeset.cell_width(size) / 2, size / 2
    left = round(middle_x - half_width + 0.5)
    top = round(middle_y - half_height + 0.5)
    box = (left, top, left + int(2 * half_width), top + size)
    canvas.text(box, letter, sizes=(size,), dark=dark)


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
