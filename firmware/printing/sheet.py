"""A page of something to cut out: what is on it, below it a ruler and how to print it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.language import _
from firmware.printing.page import MM_PER_INCH, Colour, Document, Page, Rectangle, Size, Spot

MARGIN_MM: Final = 8.0
"""Nothing is nearer to the edge of the paper: few printers reach it."""

RULER_MM: Final = 80
_FOOT_MM: Final = 12.0
_TITLE_POINTS, _TEXT_POINTS = 7.0, 6.0
_FIRST_BASELINE_MM: Final = 2.2
_BESIDE_RULER_MM: Final = 12.0
_NUMBER_MM: Final = 1.5
"""Half a number of the ruler, which stands out over its first line."""

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
class Sheet:
    """One page.

    Attributes:
        size_mm: of the paper as it is held.
        title: what the page has.
        note: what to do with it; may be empty.
        draw: draws what is to be cut out, within ``free_area`` of the page; None: the page stays
            empty, for it is the back of the one before.
    """

    size_mm: Size
    title: str
    note: str
    draw: Callable[[Page], None] | None


def free_area(size_mm: Size) -> Rectangle:
    """The part of a page for what is to be cut out."""
    width, height = size_mm
    return MARGIN_MM, MARGIN_MM, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - _FOOT_MM


def with_empty_backs(sheets: Sequence[Sheet]) -> list[Sheet]:
    """An empty page behind each sheet, so that both sides of the paper can be printed."""
    return [each for sheet in sheets for each in (sheet, Sheet(sheet.size_mm, "", "", None))]


def draw_sheets(title: str, sheets: Sequence[Sheet]) -> Document:
    """Draw sheets in order, numbered; ``title`` is that of the file."""
    document = Document(title)
    for number, sheet in enumerate(sheets, 1):
        page = document.new_page(sheet.size_mm)
        if sheet.draw is not None:
            sheet.draw(page)
            _draw_foot(page, sheet, number, len(sheets))
    return document


def _draw_foot(page: Page, sheet: Sheet, number: int, count: int) -> None:
    top = page.size_mm[1] - MARGIN_MM - _FOOT_MM + 1
    left = MARGIN_MM + _NUMBER_MM
    draw_mm_ruler(page, left, top, RULER_MM)
    left += RULER_MM + _BESIDE_RULER_MM
    width = page.size_mm[0] - MARGIN_MM - left
    place = _("page {n} of {count}").format(n=number, count=count)
    baseline = page.write_wrapped(
        f"{sheet.title} · {place}", left, top + _FIRST_BASELINE_MM, width, size=_TITLE_POINTS
    )
    check = _("Print at 100 %, no scaling: the ruler must be {mm} mm long.").format(mm=RULER_MM)
    page.write_wrapped(f"{check} {sheet.note}".strip(), left, baseline, width, size=_TEXT_POINTS)


def draw_mm_ruler(page: Page, left: float, top: float, length_mm: int) -> None:
    """A ruler with a line each millimetre and a number each centimetre, in mm."""
    numbers = range(0, length_mm + 1, 10)
    _draw_ruler(page, left, top, 10.0, numbers, parts=10, unit="mm")


def draw_inch_ruler(page: Page, left: float, top: float, length_inches: int) -> None:
    """A ruler with a line each eighth of an inch and a number each inch."""
    numbers = range(length_inches + 1)
    _draw_ruler(page, left, top, MM_PER_INCH, numbers, parts=8, unit="in")


def _draw_ruler(
    page: Page, left: float, top: float, number_mm: float, numbers: range, *, parts: int, unit: str
) -> None:
    """A base line, and one for each of the parts between two numbers, on their true places."""
    half, step_mm = _LINE_MM / 2, number_mm / parts
    length = number_mm * (len(numbers) - 1)
    lines = [(left - half, top - half, length + _LINE_MM, _LINE_MM)]
    for step in range(parts * (len(numbers) - 1) + 1):
        tall = _LONG_MM if step % parts == 0 else _SHORT_MM
        if step % parts == parts // 2:
            tall = _MIDDLE_MM
        lines.append((left + step * step_mm - half, top, _LINE_MM, tall))
    page.fill(lines)
    baseline = top + _NUMBER_BELOW_MM
    for place, number in enumerate(numbers):
        page.write_centred(str(number), left + place * number_mm, baseline, size=_NUMBER_POINTS)
    page.write(unit, left + length + 5, baseline, size=_NUMBER_POINTS)


def draw_cut_marks(page: Page, pieces: Sequence[Rectangle]) -> None:
    """Draw hairlines where pieces touch, and marks where their edges meet the rim of them all."""
    page.draw_lines(_common_edges(pieces), width=HAIRLINE_MM, colour=HAIRLINE_GREY)
    page.draw_lines(_marks(pieces), width=HAIRLINE_MM)


def _marks(pieces: Sequence[Rectangle]) -> Iterator[tuple[Spot, Spot]]:
    """For each straight line along edges, a mark beyond its first and last piece."""
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
    """The edges that two pieces of one size share."""
    corners = {(round(left, _DECIMALS), round(top, _DECIMALS)) for left, top, _, _ in pieces}
    for left, top, width, height in pieces:
        right, bottom = left + width, top + height
        if (round(right, _DECIMALS), round(top, _DECIMALS)) in corners:
            yield (right, top), (right, bottom)
        if (round(left, _DECIMALS), round(bottom, _DECIMALS)) in corners:
            yield (left, bottom), (right, bottom)
