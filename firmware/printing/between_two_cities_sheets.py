"""The tiles of Between Two Cities to print."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from firmware.language import _
from firmware.printing.choices import Choices
from firmware.printing.pictures import Piece
from firmware.printing.piece_sheets import Side, piece_sheets, two_sided_sheets
from firmware.printing.sheet import Sheet, Size
from scoring.faces import Face
from vision.simulate.faces import draw_back, draw_face

TILE_MM: Final = 45.0
COPIES: Final = 6
"""Of each face unless chosen otherwise: 54 tiles, of which three cities need 48."""

SINGLES: Final[Mapping[Face, int]] = {
    Face.SHOP: 16,
    Face.FACTORY: 16,
    Face.TAVERN_FOOD: 5,
    Face.TAVERN_BED: 5,
    Face.TAVERN_MUSIC: 5,
    Face.TAVERN_DRINK: 5,
    Face.OFFICE: 20,
    Face.PARK: 16,
    Face.HOUSE: 20,
}
"""The 108 single tiles of a box."""

DUPLEX_HALVES: Final[Mapping[Face, int]] = {
    Face.SHOP: 8,
    Face.FACTORY: 8,
    Face.TAVERN_FOOD: 2,
    Face.TAVERN_BED: 2,
    Face.TAVERN_MUSIC: 2,
    Face.TAVERN_DRINK: 2,
    Face.OFFICE: 8,
    Face.PARK: 8,
    Face.HOUSE: 8,
}
"""The two halves of its 24 duplex tiles, taken together."""

_BACK: Final = Piece("back", draw_back)


def game_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """Single tiles, and for a whole box the halves of the duplex tiles, with backs if chosen."""
    if choices.is_full:
        halves_note = _(
            "Two halves glued side by side, or one below the other, are a duplex tile. Any two "
            "go together."
        )
        return [
            *_tile_sheets(_("Between Two Cities: single tiles"), "", SINGLES, paper_mm, choices),
            *_tile_sheets(
                _("Between Two Cities: halves of duplex tiles"),
                halves_note,
                DUPLEX_HALVES,
                paper_mm,
                choices,
            ),
        ]
    copies = COPIES if choices.copies is None else choices.copies
    supply = dict.fromkeys(Face, copies)
    return _tile_sheets(_("Between Two Cities: tiles"), "", supply, paper_mm, choices)


def _tile_sheets(
    title: str, note: str, supply: Mapping[Face, int], paper_mm: Size, choices: Choices
) -> list[Sheet]:
    tiles = [
        Piece(face.value, partial(draw_face, face))
        for face, count in supply.items()
        for _copy in range(count)
    ]
    if not choices.is_duplex:
        return piece_sheets(title, tiles, TILE_MM, paper_mm, note)
    front = Side(title, tiles)
    back = Side(_("Between Two Cities: backs of the tiles"), [_BACK] * len(tiles))
    # All backs have the same border: no gap is needed between them
    return two_sided_sheets(front, back, TILE_MM, paper_mm, gap_mm=0.0, note=note)
