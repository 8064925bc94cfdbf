"""Sheets to print: PDF files that are true to scale when printed at 100 %.

Coordinates are millimetres from the top left corner of the page, y down. Text, marks and rulers
are vectors, drawn tiles and boards are pictures; the font is embedded, so that a sheet looks the
same on each printer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from firmware.language import N_, _
from firmware.printing import (
    between_two_cities_sheets,
    cities_sheets,
    city_blocks_sheets,
    dice_board_sheets,
)
from firmware.printing.calibration_sheet import calibration_sheet
from firmware.printing.choices import Choices
from firmware.printing.document import Document
from firmware.printing.page import Paper
from firmware.printing.sheet import Sheet, Size, draw_sheets

DPI: Final = 300.0
"""How finely pictures are printed."""

CALIBRATION: Final = "calibration"


@dataclass(frozen=True, slots=True)
class GameSheets:
    """The sheets of a game.

    Attributes:
        title: of the file.
        make: gives the sheets for a size of paper.
        options: fields of ``Choices`` that mean something for this game.
    """

    title: str
    make: Callable[[Size, Choices], list[Sheet]]
    options: frozenset[str] = frozenset()


GAMES: Final[Mapping[str, GameSheets]] = {
    "between-two-cities": GameSheets(
        "Between Two Cities",
        between_two_cities_sheets.game_sheets,
        frozenset({"copies", "is_full", "is_duplex"}),
    ),
    "cities": GameSheets("Cities", cities_sheets.game_sheets, frozenset({"sets"})),
    "city-blocks": GameSheets("City Blocks", city_blocks_sheets.game_sheets),
    "dice-board": GameSheets(
        N_("Dice board"), dice_board_sheets.game_sheets, frozenset({"is_duplex"})
    ),
}
"""The games whose own drawn editions can be printed, by their identifiers."""

SHEETS: Final = (CALIBRATION, *GAMES)
"""What can be printed."""


def sheet_document(
    name: str, paper: Paper, choices: Choices | None = None, dpi: float = DPI
) -> Document:
    """A sheet, or all sheets of a game.

    Args:
        name: one of ``SHEETS``.
        paper: size of the pages.
        choices: only those that mean something for this game, with values in their ranges.
        dpi: how finely pictures are drawn.
    """
    if name == CALIBRATION:
        return calibration_sheet(paper)
    game = GAMES[name]
    return draw_sheets(_(game.title), game.make(paper.size_mm, choices or Choices()), dpi)


def sheet_pdf(name: str, paper: Paper, choices: Choices | None = None, dpi: float = DPI) -> bytes:
    """The same as the content of a PDF file, the same for each call."""
    return sheet_document(name, paper, choices, dpi).pdf()
