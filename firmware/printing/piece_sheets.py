"""Pages of pieces to cut out, with a ruler and advice on printing below them."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from firmware.base.language import _
from firmware.printing.pdf_pages import MM_PER_INCH, Colour, Document, Page, Rectangle, Size, Spot
from firmware.printing.svg import Drawing

MARGIN_MM: Final = 8.0
"""Unprinted margin of the paper: few printers reach its edge."""

RULER_MM: Final = 80
_FOOT_MM: Final = 12.0
_TITLE_POINTS, _TEXT_POINTS = 7.0, 6.0
_FIRST_BASELINE_MM: Final = 2.2
_BESIDE_RULER_MM: Final = 12.0
_NUMBER_MM: Final = 1.5
"""Half the width of a number of the ruler: the 0 stands out that far beyond the first line."""

_LINE_MM: Final = 0.15
_LONG_MM, _MIDDLE_MM, _SHORT_MM = 4.5, 3.2, 2.0
_NUMBER_POINTS: Final = 7.0
_NUMBER_BELOW_MM: Final = 7.5

MARKS_MM: Final = 4.5
"""The space around pieces that their cut marks need."""

HAIRLINE_MM: Final = 0.1
HAIRLINE_GREY: Final[Colour] = (0.35, 0.35, 0.35)
"""Seen on light and on dark pictures."""

_MARK_AWAY_MM: Final = 1.5
_DECIMALS: Final = 4


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """Page of a printed document.

    Attributes:
        size_mm: Width and height of the paper as it is held.
        title: Title of the page.
        note: Advice on its use; may be empty.
        draw: Function that draws the pieces within ``free_area``; None if the page is the empty
            back of the one before.
    """

    size_mm: Size
    title: str
    note: str
    draw: Callable[[Page], None] | None


def free_area(size_mm: Size) -> Rectangle:
    """Return the part of a page in which pieces may lie."""
    width, height = size_mm
    return MARGIN_MM, MARGIN_MM, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - _FOOT_MM


def with_empty_backs(sheets: Sequence[PrintedSheet]) -> list[PrintedSheet]:
    """Return the sheets with an empty page behind each, for printing on both sides."""
    return [each for sheet in sheets for each in (sheet, PrintedSheet(sheet.size_mm, "", "", None))]


def draw_sheets(title: str, sheets: Sequence[PrintedSheet]) -> Document:
    """Draw sheets in order, numbered; ``title`` is that of the file."""
    document = Document(title)
    for number, sheet in enumerate(sheets, 1):
        page = document.new_page(sheet.size_mm)
        if sheet.draw is not None:
            sheet.draw(page)
            _draw_foot(page, sheet, number, len(sheets))
    return document


def _draw_foot(page: Page, sheet: PrintedSheet, number: int, count: int) -> None:
    top = page.size_mm[1] - MARGIN_MM - _FOOT_MM + 1
    left = MARGIN_MM + _NUMBER_MM
    draw_mm_ruler(page, left, top, RULER_MM)
    left += RULER_MM + _BESIDE_RULER_MM
    width = page.size_mm[0] - MARGIN_MM - left
    page_number = _("page {n} of {count}").format(n=number, count=count)
    baseline = page.write_wrapped(
        f"{sheet.title} · {page_number}", left, top + _FIRST_BASELINE_MM, width, size=_TITLE_POINTS
    )
    check = _("Print at 100%, no scaling: the ruler must be {mm} mm long.").format(mm=RULER_MM)
    page.write_wrapped(f"{check} {sheet.note}".strip(), left, baseline, width, size=_TEXT_POINTS)


class _RulerScale(NamedTuple):
    """Scale of a ruler.

    Attributes:
        unit: Unit of the numbers.
        number_mm: Distance of two numbers.
        step: Difference of two numbers.
        parts: Number of parts between two numbers.
    """

    unit: str
    number_mm: float
    step: int
    parts: int


_MILLIMETRES: Final = _RulerScale("mm", number_mm=10.0, step=10, parts=10)
_INCHES: Final = _RulerScale("in", number_mm=MM_PER_INCH, step=1, parts=8)


def draw_mm_ruler(page: Page, left: float, top: float, length_mm: int) -> None:
    """Draw a ruler with a line each millimetre and a number each centimetre, in mm."""
    _draw_ruler(page, left, top, length_mm // _MILLIMETRES.step, _MILLIMETRES)


def draw_inch_ruler(page: Page, left: float, top: float, length_inches: int) -> None:
    """Draw a ruler with a line each eighth of an inch and a number each inch."""
    _draw_ruler(page, left, top, length_inches, _INCHES)


def _draw_ruler(page: Page, left: float, top: float, count: int, scale: _RulerScale) -> None:
    """Draw a base line and a line for each part; ``count`` is that of the numbers after 0."""
    half, step_mm = _LINE_MM / 2, scale.number_mm / scale.parts
    length = scale.number_mm * count
    lines = [(left - half, top - half, length + _LINE_MM, _LINE_MM)]
    for step in range(scale.parts * count + 1):
        tall = _LONG_MM if step % scale.parts == 0 else _SHORT_MM
        if step % scale.parts == scale.parts // 2:
            tall = _MIDDLE_MM
        lines.append((left + step * step_mm - half, top, _LINE_MM, tall))
    page.fill(lines)
    baseline = top + _NUMBER_BELOW_MM
    for index in range(count + 1):
        x = left + index * scale.number_mm
        page.write_centred(str(index * scale.step), x, baseline, size=_NUMBER_POINTS)
    page.write(scale.unit, left + length + 5, baseline, size=_NUMBER_POINTS)


def draw_cut_marks(page: Page, pieces: Sequence[Rectangle]) -> None:
    """Draw hairlines where pieces touch, and marks where their edges meet the rim of them all."""
    page.draw_lines(_common_edges(pieces), width=HAIRLINE_MM, colour=HAIRLINE_GREY)
    page.draw_lines(_marks(pieces), width=HAIRLINE_MM)


def _marks(pieces: Sequence[Rectangle]) -> Iterator[tuple[Spot, Spot]]:
    """Yield, for each line along edges, a mark beyond its first and last piece."""
    upright: defaultdict[float, list[float]] = defaultdict(list)
    level: defaultdict[float, list[float]] = defaultdict(list)
    for left, top, width, height in pieces:
        for x in (left, left + width):
            upright[round(x, _DECIMALS)] += (top, top + height)
        for y in (top, top + height):
            level[round(y, _DECIMALS)] += (left, left + width)
    for x, ends in upright.items():
        yield from (((x, near), (x, far)) for near, far in _beyond(ends))
    for y, ends in level.items():
        yield from (((near, y), (far, y)) for near, far in _beyond(ends))


def _beyond(ends: Sequence[float]) -> tuple[tuple[float, float], tuple[float, float]]:
    first, last = min(ends), max(ends)
    return (first - MARKS_MM, first - _MARK_AWAY_MM), (last + _MARK_AWAY_MM, last + MARKS_MM)


def _common_edges(pieces: Sequence[Rectangle]) -> Iterator[tuple[Spot, Spot]]:
    """Yield the edges that two pieces of one size share."""
    corners = {(round(left, _DECIMALS), round(top, _DECIMALS)) for left, top, _, _ in pieces}
    for left, top, width, height in pieces:
        right, bottom = left + width, top + height
        if (round(right, _DECIMALS), round(top, _DECIMALS)) in corners:
            yield (right, top), (right, bottom)
        if (round(left, _DECIMALS), round(bottom, _DECIMALS)) in corners:
            yield (left, bottom), (right, bottom)


class PrintSide(NamedTuple):
    """Front or back of pieces that are printed on both sides.

    Attributes:
        title: Title of the pages with this side.
        pieces: Drawing of this side of each piece.
    """

    title: str
    pieces: Sequence[Drawing]


def piece_sheets(
    title: str, pieces: Sequence[Drawing], paper_mm: Size, note: str = ""
) -> list[PrintedSheet]:
    """Return pages of pieces that touch, printed on one side."""
    slots = _slots(paper_mm, pieces[0].size_mm, 0.0)
    return [
        PrintedSheet(paper_mm, title, note, partial(_draw_pieces, part, slots, 0.0))
        for part in _in_parts(pieces, len(slots))
    ]


def two_sided_sheets(
    front: PrintSide, back: PrintSide, paper_mm: Size, gap_mm: float, note: str = ""
) -> list[PrintedSheet]:
    """Return pages of fronts, each followed by the page of their backs.

    The backs lie as in a mirror, so that they come to lie behind their fronts when the paper is
    turned over its long edge. They run out to the middle of the gaps: no printer meets the back
    quite exactly.

    Args:
        front: Fronts, along which is cut.
        back: Backs in the order of the fronts.
        paper_mm: Size of the paper, upright.
        gap_mm: Gap between two pieces.
        note: Note on each page of fronts.
    """
    slots = _slots(paper_mm, front.pieces[0].size_mm, gap_mm)
    behind = [
        (paper_mm[0] - left - width, top, width, height) for left, top, width, height in slots
    ]
    back_note = _(
        "Print on the back of the page before, turned over its long edge, or glue both sheets "
        "together back to back; cut along the marks of the fronts."
    )
    sheets = []
    count = len(slots)
    for fronts, backs in zip(
        _in_parts(front.pieces, count), _in_parts(back.pieces, count), strict=True
    ):
        sheets += [
            PrintedSheet(paper_mm, front.title, note, partial(_draw_pieces, fronts, slots, 0.0)),
            PrintedSheet(
                paper_mm, back.title, back_note, partial(_draw_pieces, backs, behind, gap_mm / 2)
            ),
        ]
    return sheets


def _slots(paper_mm: Size, piece_mm: Size, gap_mm: float) -> list[Rectangle]:
    """Return as many slots as a page has room for with cut marks, row by row, centred."""
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


def _in_parts(pieces: Sequence[Drawing], most: int) -> list[Sequence[Drawing]]:
    return [pieces[first : first + most] for first in range(0, len(pieces), most)]


def _draw_pieces(
    pieces: Sequence[Drawing], slots: Sequence[Rectangle], bleed_mm: float, page: Page
) -> None:
    taken = slots[: len(pieces)]
    for piece, (left, top, _width, _height) in zip(pieces, taken, strict=True):
        page.place(piece, left, top, bleed=bleed_mm)
    draw_cut_marks(page, taken)
