"""Sheets to print by their names: the calibration sheet, and those of the games."""

from typing import Final

from firmware.base.language import _
from firmware.games.registry import games
from firmware.printing.calibration_sheet import calibration_sheet
from firmware.printing.pdf_pages import Document, Paper
from firmware.printing.piece_sheets import draw_sheets
from firmware.printing.print_options import PrintOptions

CALIBRATION: Final = "calibration"


def printable_sheets() -> tuple[str, ...]:
    """Return the names of all sheets that can be printed."""
    return CALIBRATION, *(name for name, game in games().items() if game.print_help is not None)


def sheet_document(name: str, paper: Paper, options: PrintOptions | None = None) -> Document:
    """Draw the calibration sheet, or all sheets of a game."""
    if name == CALIBRATION:
        return calibration_sheet(paper)
    game = games()[name]
    return draw_sheets(_(game.title), game.printed_sheets(paper.size_mm, options or PrintOptions()))
