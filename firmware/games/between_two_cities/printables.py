"""Printed sheets of Between Two Cities: the drawn edition, to be cut out and played with."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from firmware.base.language import _
from firmware.printing.pdf_pages import Size
from firmware.printing.piece_sheets import PrintedSheet, PrintSide, piece_sheets, two_sided_sheets
from firmware.printing.print_options import PrintOptions
from firmware.printing.svg import load_built_in_drawings
from scoring.faces import Face
from scoring.games.between_two_cities import NAME, SUPPLY

COPIES: Final = 6
"""Copies of each face by default: 54 tiles, of which three cities need 48."""


def printed_sheets(paper_mm: Size, options: PrintOptions) -> list[PrintedSheet]:
    """Return sheets of single tiles; for a whole box the halves of duplex tiles, too."""
    tiles = partial(_tile_sheets, paper_mm, is_duplex=options.is_duplex)
    if not options.is_full:
        copies = COPIES if options.copies is None else options.copies
        return tiles(_("Between Two Cities: tiles"), dict.fromkeys(Face, copies))
    singles = {face: supply.singles for face, supply in SUPPLY.items()}
    halves = {face: supply.duplex_halves for face, supply in SUPPLY.items()}
    note = _(
        "Two halves glued side by side, or one below the other, are a duplex tile. Any two "
        "go together."
    )
    return [
        *tiles(_("Between Two Cities: single tiles"), singles),
        *tiles(_("Between Two Cities: halves of duplex tiles"), halves, note),
    ]


def _tile_sheets(
    paper_mm: Size, title: str, supply: Mapping[Face, int], note: str = "", *, is_duplex: bool
) -> list[PrintedSheet]:
    names = [face.value for face, count in supply.items() for _copy in range(count)]
    tiles = load_built_in_drawings(NAME, names)
    if not is_duplex:
        return piece_sheets(title, tiles, paper_mm, note)
    backs = load_built_in_drawings(NAME, ["back"] * len(tiles))
    back = PrintSide(_("Between Two Cities: backs of the tiles"), backs)
    # All backs have the same border: no gap is needed between them
    return two_sided_sheets(PrintSide(title, tiles), back, paper_mm, gap_mm=0.0, note=note)
