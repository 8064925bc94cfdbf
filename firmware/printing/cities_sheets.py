"""The tiles and tourists of Cities to print."""

from functools import partial
from typing import Final

from firmware.language import _
from firmware.printing.choices import Choices
from firmware.printing.pictures import Piece
from firmware.printing.piece_sheets import piece_sheets
from firmware.printing.sheet import Sheet, Size
from firmware.printing.tourists import draw_tourists
from vision.simulate.drawn import cities

SETS: Final = 2
"""Unless chosen otherwise: one for each of two players."""


def game_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """A set of 24 tiles for each player, and one page of tourists in all four colours."""
    tiles = [
        Piece(cities.face_name(number), partial(cities.draw_tile, number))
        for number in cities.TILES
    ]
    sheets: list[Sheet] = []
    for number in range(1, (SETS if choices.sets is None else choices.sets) + 1):
        title = _("Cities: tiles of set {n}").format(n=number)
        sheets += piece_sheets(title, tiles, cities.TILE_MM, paper_mm)
    note = _(
        "Fold the strips at the dashed lines, glue their long parts together and bend the short "
        "ones out as feet; or glue the discs onto coins. Any pawns of these colours will do as "
        "well."
    )
    return [*sheets, Sheet(paper_mm, _("Cities: tourists"), note, draw_tourists)]
