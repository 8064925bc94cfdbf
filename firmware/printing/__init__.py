"""Sheets to print: PDF files that are true to scale when printed at 100 %.

Coordinates are millimetres from the top left corner of the page, y down. Everything is drawn as
vectors; the font is embedded, so that the sheet looks the same on each printer.
"""

from collections.abc import Callable, Mapping
from typing import Final

from firmware.printing.calibration_sheet import draw_calibration_sheet
from firmware.printing.page import Page, Paper

SHEETS: Final[Mapping[str, Callable[[Page], None]]] = {"calibration": draw_calibration_sheet}
"""What can be printed, by name."""


def sheet_pdf(name: str, paper: Paper) -> bytes:
    """A sheet as the content of a PDF file, the same for each call.

    Args:
        name: one of ``SHEETS``.
        paper: size of the page, upright.
    """
    page = Page(paper)
    SHEETS[name](page)
    return page.pdf()
