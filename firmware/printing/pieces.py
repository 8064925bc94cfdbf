"""Pages full of pieces that are all of one size."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from firmware.language import _
from firmware.printing.page import Page, Rectangle, Size
from firmware.printing.sheet import MARKS_MM, Sheet, draw_cut_marks, free_area
from firmware.printing.svg import Drawing


class Side(NamedTuple):
    """One side of pieces that are printed on both.

    Attributes:
        title: of the pages with this side.
        pieces: what this side shows of each piece.
    """

    title: str
    pieces: Sequence[Drawing]


def piece_sheets(
    title: str, pieces: Sequence[Drawing], paper_mm: Size, note: str = ""
) -> list[Sheet]:
    """Pages of pieces that touch, printed on one side.

    Args:
        title: of each page.
        pieces: of one size, in order, each as often as it is needed.
        paper_mm: size of the paper, upright.
        note: on each page.
    """
    places = _places(paper_mm, pieces[0].size_mm, 0.0)
    return [
        Sheet(paper_mm, title, note, partial(_draw, part, places, 0.0))
        for part in _parts(pieces, len(places))
    ]


def two_sided_sheets(
    front: Side, back: Side, paper_mm: Size, gap_mm: float, note: str = ""
) -> list[Sheet]:
    """Pages of fronts, each followed by the page of their backs.

    The backs lie as in a mirror, so that they come to lie behind their fronts when the paper is
    turned over its long edge. They run out to the middle of the gaps: no printer meets the back
    quite exactly.

    Args:
        front: the sides along which is cut.
        back: their backs, in the same order.
        paper_mm: size of the paper, upright.
        gap_mm: between two pieces.
        note: on each page of fronts.
    """
    places = _places(paper_mm, front.pieces[0].size_mm, gap_mm)
    behind = [
        (paper_mm[0] - left - width, top, width, height) for left, top, width, height in places
    ]
    back_note = _(
        "Print on the back of the page before, turned over its long edge, or glue both sheets "
        "together back to back; cut along the marks of the fronts."
    )
    sheets = []
    count = len(places)
    for fronts, backs in zip(_parts(front.pieces, count), _parts(back.pieces, count), strict=True):
        sheets += [
            Sheet(paper_mm, front.title, note, partial(_draw, fronts, places, 0.0)),
            Sheet(paper_mm, back.title, back_note, partial(_draw, backs, behind, gap_mm / 2)),
        ]
    return sheets


def _places(paper_mm: Size, piece_mm: Size, gap_mm: float) -> list[Rectangle]:
    """As many places as a page has room for with cut marks, row by row, in its middle."""
    left, top, width, height = free_area(paper_mm)
    across, down = piece_mm[0] + gap_mm, piece_mm[1] + gap_mm
    columns = int((width - 2 * MARKS_MM + gap_mm) // across)
    rows = int((height - 2 * MARKS_MM + gap_mm) // down)
    left += (width - (columns * across - gap_mm)) / 2
    top += MARKS_MM
    return [
        (left + column * across, top + row * down, *piece_mm)
        for row in range(rows)
        for column in range(columns)
    ]


def _parts(pieces: Sequence[Drawing], most: int) -> list[Sequence[Drawing]]:
    return [pieces[first : first + most] for first in range(0, len(pieces), most)]


def _draw(
    pieces: Sequence[Drawing], places: Sequence[Rectangle], bleed_mm: float, page: Page
) -> None:
    taken = places[: len(pieces)]
    for piece, (left, top, _width, _height) in zip(pieces, taken, strict=True):
        page.place(piece, left, top, bleed=bleed_mm)
    draw_cut_marks(page, taken)
