"""A page of something to cut out: what is on it, below it a ruler and how to print it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.language import _
from firmware.printing.document import Document
from firmware.printing.page import Page, Rectangle
from firmware.printing.pictures import Pictures
from firmware.printing.ruler import draw_mm_ruler

MARGIN_MM = 8.0
"""Nothing is nearer to the edge of the paper: few printers reach it."""

RULER_MM = 80
_FOOT_MM = 12.0
_TITLE_POINTS, _TEXT_POINTS = 7.0, 6.0
_FIRST_BASELINE_MM = 2.2
_BESIDE_RULER_MM = 12.0
_NUMBER_MM = 1.5
"""Half a number of the ruler, which stands out over its first line."""

Size = tuple[float, float]
"""Width and height in mm."""


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
    draw: Callable[[Page, Pictures], None] | None


def free_area(size_mm: Size) -> Rectangle:
    """The part of a page for what is to be cut out."""
    width, height = size_mm
    return MARGIN_MM, MARGIN_MM, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - _FOOT_MM


def with_empty_backs(sheets: Sequence[Sheet]) -> list[Sheet]:
    """An empty page behind each sheet, so that both sides of the paper can be printed."""
    return [each for sheet in sheets for each in (sheet, Sheet(sheet.size_mm, "", "", None))]


def draw_sheets(title: str, sheets: Sequence[Sheet], dpi: float) -> Document:
    """Draw sheets, numbered.

    Args:
        title: of the file.
        sheets: in order.
        dpi: how finely pictures are drawn.
    """
    document, pictures = Document(title), Pictures(dpi)
    for number, sheet in enumerate(sheets, 1):
        page = document.new_page(sheet.size_mm)
        if sheet.draw is not None:
            sheet.draw(page, pictures)
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
