"""The board, buildings and value tiles of City Blocks to print."""

from functools import partial
from typing import Final

from firmware.language import _
from firmware.printing.board_cut import printed_board
from firmware.printing.board_sheets import board_sheets
from firmware.printing.choices import Choices
from firmware.printing.pictures import Piece
from firmware.printing.piece_sheets import piece_sheets
from firmware.printing.sheet import Sheet, Size
from vision.simulate.drawn import city_blocks
from vision.simulate.drawn.city_blocks_tiles import FACES, draw_face

SCHOOLS: Final = 2
"""Of each player; of all other buildings and value tiles there is one."""


def game_sheets(paper_mm: Size, _choices: Choices) -> list[Sheet]:
    """The parts of the board, then 40 buildings and 15 value tiles."""
    board = printed_board(
        city_blocks.BOARD, (city_blocks.ROWS, city_blocks.COLUMNS), city_blocks.draw_board
    )
    pieces = [
        Piece(face, partial(draw_face, face))
        for face in FACES
        for _copy in range(SCHOOLS if face.endswith("-school") else 1)
    ]
    return [
        *board_sheets(board, paper_mm, _("City Blocks: board")),
        *piece_sheets(
            _("City Blocks: buildings and value tiles"), pieces, city_blocks.TILE_MM, paper_mm
        ),
    ]
