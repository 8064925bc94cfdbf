"""Pages with a board, in parts that fit the paper and are glued together along streets."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from string import ascii_uppercase
from typing import Final

from firmware.base.language import _
from firmware.printing.pdf_pages import Page, Size, Spot
from firmware.printing.piece_sheets import (
    HAIRLINE_GREY,
    HAIRLINE_MM,
    MARKS_MM,
    PrintedSheet,
    draw_cut_marks,
    free_area,
)
from firmware.printing.svg import Drawing
from vision.editions.description import Description

FLAP_MM: Final = 10.0
"""Width of the flap beyond a seam, to which the next part is glued."""

_LETTER_POINTS: Final = 7.0
_ARROW_MM: Final = 2.0
_ARROW_AWAY_MM: Final = 0.6
_LETTER_ASIDE_MM: Final = 2.6
_HALF_LETTER_MM: Final = 0.9

_Ends = tuple[float, float]
"""From where to where on the board, in mm, without the flap."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """Division of a board into parts: the size of the page of each part, and the parts."""

    page_mm: Size
    columns: tuple[_Ends, ...]
    rows: tuple[_Ends, ...]

    @property
    def count(self) -> int:
        return len(self.columns) * len(self.rows)


def board_sheets(
    board: Drawing, description: Description, paper_mm: Size, title: str
) -> list[PrintedSheet]:
    """Return as few pages as possible, one for each part of a board, row by row.

    Args:
        board: Drawing of the board.
        description: Description of the edition: seams run between its plots.
        paper_mm: Size of the paper, upright.
        title: Title of the pages; the number of the part is added.

    Raises:
        ValueError: The paper is too small for the plots, or the edition has no board.
    """
    cut = _cut_board(board.size_mm, *_streets(description), paper_mm)
    how_to_join = _(
        "Cut at the corner marks. What lies beyond a line between two arrows is the flap: glue "
        "the part whose edge has the same letter onto it, up to the line."
    )
    sheets = []
    for number in range(cut.count):
        draw = partial(_draw_part, board, cut, *divmod(number, len(cut.columns)))
        if cut.count == 1:
            sheets.append(PrintedSheet(cut.page_mm, title, "", draw))
        else:
            name = _("part {n} of {count}").format(n=number + 1, count=cut.count)
            sheets.append(PrintedSheet(cut.page_mm, f"{title}, {name}", how_to_join, draw))
    return sheets


def _streets(description: Description) -> tuple[list[float], list[float]]:
    """Return the positions, in mm, of streets along which seams may run down and across."""
    if description.board is None:
        raise ValueError(f"{description.name} has no board")
    (x, y), (across, down) = description.board.first_cell_mm, description.board.cell_mm
    upright = [x + (number + 0.5) * across for number in range(description.columns - 1)]
    level = [y + (number + 0.5) * down for number in range(description.rows - 1)]
    return upright, level


def _cut_board(
    size_mm: Size, upright: Sequence[float], level: Sequence[float], paper_mm: Size
) -> _Cut:
    """Return the cut with the fewest parts."""
    cuts = []
    for page_mm in (paper_mm, (paper_mm[1], paper_mm[0])):
        _left, _top, width, height = free_area(page_mm)
        columns = _cut(size_mm[0], upright, width - 2 * MARKS_MM)
        rows = _cut(size_mm[1], level, height - 2 * MARKS_MM)
        cuts.append(_Cut(page_mm, columns, rows))
    return min(cuts, key=lambda cut: cut.count)


def _cut(length: float, seams: Sequence[float], room: float) -> tuple[_Ends, ...]:
    """Return parts of about the same length; each but the last has room for its flap."""
    for count in range(1, len(seams) + 2):
        wished = [length * number / count for number in range(1, count)]
        chosen = [min(seams, key=lambda seam: abs(seam - wish)) for wish in wished]
        parts = tuple(pairwise((0.0, *chosen, length)))
        flaps = [FLAP_MM] * (count - 1) + [0.0]
        if all(end - start + flap <= room for (start, end), flap in zip(parts, flaps, strict=True)):
            return parts
    raise ValueError(f"no room for a board of {length} mm in parts of {room} mm")


def _draw_part(board: Drawing, cut: _Cut, row: int, column: int, page: Page) -> None:
    (left, right), (upper, lower) = cut.columns[column], cut.rows[row]
    width = right - left + (FLAP_MM if column + 1 < len(cut.columns) else 0.0)
    height = lower - upper + (FLAP_MM if row + 1 < len(cut.rows) else 0.0)
    x, y = (page.size_mm[0] - width) / 2, free_area(page.size_mm)[1] + MARKS_MM
    part = x, y, width, height
    page.place(board, x - left, y - upper, shown=part)
    draw_cut_marks(page, [part])
    # A seam has the same letter on both parts
    columns, rows = len(cut.columns), len(cut.rows)
    for seam, at in ((column, x), (column + 1, x + right - left)):
        if 0 < seam < columns:
            letter = ascii_uppercase[row * (columns - 1) + seam - 1]
            _draw_seam(page, letter, ((at, y), (at, y + height)), is_flap=seam > column)
    for seam, at in ((row, y), (row + 1, y + lower - upper)):
        if 0 < seam < rows:
            letter = ascii_uppercase[rows * (columns - 1) + (seam - 1) * columns + column]
            _draw_seam(page, letter, ((x, at), (x + width, at)), is_flap=seam > row)


def _draw_seam(page: Page, letter: str, ends: tuple[Spot, Spot], *, is_flap: bool) -> None:
    """Draw a line where a flap begins, and an arrow and its letter at both ends of the seam.

    Args:
        page: Page to draw on.
        letter: Letter of the seam.
        ends: Upper and lower, or left and right end.
        is_flap: True if this part goes on beyond the seam, as a flap for glue.
    """
    outwards = (0.0, 1.0) if ends[0][0] == ends[1][0] else (1.0, 0.0)
    _draw_arrow(page, letter, ends[0], (-outwards[0], -outwards[1]))
    _draw_arrow(page, letter, ends[1], outwards)
    if is_flap:
        page.draw_lines([ends], width=HAIRLINE_MM, colour=HAIRLINE_GREY)


def _draw_arrow(page: Page, letter: str, end: Spot, direction: Spot) -> None:
    """Draw an arrow that points to the end of a seam from outside, and a letter beside it."""
    (x, y), (dx, dy) = end, direction
    tip, tail, half = _ARROW_AWAY_MM, _ARROW_AWAY_MM + _ARROW_MM, _ARROW_MM / 2
    corners = ((tip, 0.0), (tail, half), (tail, -half))
    page.fill_polygon(
        [(x + dx * out - dy * aside, y + dy * out + dx * aside) for out, aside in corners]
    )
    middle = (tip + tail) / 2
    across = x + dx * middle + abs(dy) * _LETTER_ASIDE_MM
    down = y + dy * middle + abs(dx) * _LETTER_ASIDE_MM
    page.write_centred(letter, across, down + _HALF_LETTER_MM, size=_LETTER_POINTS)
