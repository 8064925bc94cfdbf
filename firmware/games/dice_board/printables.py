"""Printed sheets of the dice board: the drawn edition, to be cut out and played with."""

from typing import Final

from firmware.base.language import _
from firmware.printing.boards import board_sheets
from firmware.printing.pdf_pages import Size
from firmware.printing.piece_sheets import (
    PrintedSheet,
    PrintSide,
    two_sided_sheets,
    with_empty_backs,
)
from firmware.printing.print_options import PrintOptions
from firmware.printing.svg import load_built_in_drawings
from scoring.games.dice_board import NAME
from vision.editions.folder import built_in_edition

GAP_MM: Final = 3.0
"""Gap between two cards: a back that is printed half of it off its front still covers the card."""

_TURNED: Final = "-sight"


def printed_sheets(paper_mm: Size, options: PrintOptions) -> list[PrintedSheet]:
    """Return 80 cards, fronts and backs, then the parts of the board.

    The cards come first, so that a printer that prints on both sides meets their fronts and
    backs on one sheet of paper.
    """
    edition = built_in_edition(NAME).description
    signs = [face.name for face in edition.faces if not face.name.endswith(_TURNED)]
    front = PrintSide(_("Dice board: fronts of the cards"), load_built_in_drawings(NAME, signs))
    sights = load_built_in_drawings(NAME, [sign + _TURNED for sign in signs])
    back = PrintSide(_("Dice board: backs of the cards"), sights)
    (board,) = load_built_in_drawings(NAME, ["board"])
    parts = board_sheets(board, edition, paper_mm, _("Dice board: board"))
    return [
        *two_sided_sheets(front, back, paper_mm, GAP_MM),
        *(with_empty_backs(parts) if options.is_duplex else parts),
    ]
