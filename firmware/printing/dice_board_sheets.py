"""The board and cards of the dice board to print."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from firmware.language import _
from firmware.printing.board_cut import printed_board
from firmware.printing.board_sheets import board_sheets
from firmware.printing.choices import Choices
from firmware.printing.pictures import Piece
from firmware.printing.piece_sheets import Side, two_sided_sheets
from firmware.printing.sheet import Sheet, Size, with_empty_backs
from vision.simulate.drawn import dice_board
from vision.simulate.drawn.dice_board_cards import FACES, draw_face

GAP_MM: Final = 3.0
"""Between two cards: a back that is printed half of it off its front still covers the card."""

_TURNED = "-sight"


def game_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """80 cards, fronts and backs, then the parts of the board.

    The cards come first, so that a printer that prints on both sides meets their fronts and
    backs on one sheet of paper.
    """
    signs = [face for face in FACES if not face.endswith(_TURNED)]
    front = Side(_("Dice board: fronts of the cards"), _cards(signs))
    back = Side(_("Dice board: backs of the cards"), _cards([sign + _TURNED for sign in signs]))
    board = printed_board(
        dice_board.BOARD, (dice_board.PLOTS, dice_board.PLOTS), dice_board.draw_board
    )
    parts = board_sheets(board, paper_mm, _("Dice board: board"))
    return [
        *two_sided_sheets(front, back, dice_board.CARD_MM, paper_mm, GAP_MM),
        *(with_empty_backs(parts) if choices.is_duplex else parts),
    ]


def _cards(faces: Sequence[str]) -> list[Piece]:
    return [Piece(face, partial(draw_face, face)) for face in faces]
