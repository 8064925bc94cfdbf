"""Sheets to print: PDF files that are true to scale when printed at 100 %.

Coordinates are millimetres from the top left corner of the page, y down. Everything is drawn as
vectors and the font is embedded, so that a sheet looks the same on each printer.
"""

from typing import Final

from firmware.language import _
from firmware.printing.calibration_sheet import calibration_sheet
from firmware.printing.games import GAMES, Choices
from firmware.printing.page import Document, Paper
from firmware.printing.sheet import draw_sheets

CALIBRATION: Final = "calibration"
SHEETS: Final = (CALIBRATION, *GAMES)
"""What can be printed."""


def sheet_document(name: str, paper: Paper, choices: Choices | None = None) -> Document:
    """A sheet, or all sheets of a game.

    Args:
        name: one of ``SHEETS``.
        paper: size of the pages.
        choices: only those that mean something for this game, with values in their ranges.
    """
    if name == CALIBRATION:
        return calibration_sheet(paper)
    game = GAMES[name]
    return draw_sheets(_(game.title), game.make(paper.size_mm, choices or Choices()))


def sheet_pdf(name: str, paper: Paper, choices: Choices | None = None) -> bytes:
    """The same as the content of a PDF file, the same for each call."""
    return sheet_document(name, paper, choices).pdf()
