"""Sheets to print: PDF files that are true to scale when printed at 100 %.

Coordinates are millimetres from the top left corner of the page, y down. Everything is drawn as
vectors and the font is embedded, so that a sheet looks the same on each printer.
"""

from typing import Final

from firmware.base.language import _
from firmware.games import PrintOptions, games
from firmware.printing.calibration_sheet import calibration_sheet
from firmware.printing.page import Document, Paper
from firmware.printing.sheet import draw_sheets

CALIBRATION: Final = "calibration"


def printable_sheets() -> tuple[str, ...]:
    """What can be printed."""
    return CALIBRATION, *(name for name, game in games().items() if game.print_help is not None)


def sheet_document(name: str, paper: Paper, options: PrintOptions | None = None) -> Document:
    """A sheet, or all sheets of a game."""
    if name == CALIBRATION:
        return calibration_sheet(paper)
    game = games()[name]
    return draw_sheets(_(game.title), game.sheets(paper.size_mm, options or PrintOptions()))
