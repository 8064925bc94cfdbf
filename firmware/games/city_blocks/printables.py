"""Printed sheets of City Blocks: the drawn edition, to be cut out and played with."""

from firmware.base.language import _
from firmware.printing.boards import board_sheets
from firmware.printing.pdf_pages import Size
from firmware.printing.piece_sheets import PrintedSheet, piece_sheets
from firmware.printing.print_options import PrintOptions
from firmware.printing.svg import load_built_in_drawings
from scoring.faces import BuildingKind
from scoring.games.city_blocks import NAME
from scoring.games.city_blocks.legality import SPECIALS
from vision.editions.folder import built_in_edition


def printed_sheets(paper_mm: Size, _options: PrintOptions) -> list[PrintedSheet]:
    """Return the parts of the board, then 40 buildings and 15 value tiles."""
    edition = built_in_edition(NAME).description
    names = [
        face.name
        for face in edition.faces
        for _copy in range(SPECIALS[BuildingKind.SCHOOL] if face.name.endswith("-school") else 1)
    ]
    (board,) = load_built_in_drawings(NAME, ["board"])
    pieces = load_built_in_drawings(NAME, names)
    return [
        *board_sheets(board, edition, paper_mm, _("City Blocks: board")),
        *piece_sheets(_("City Blocks: buildings and value tiles"), pieces, paper_mm),
    ]
