"""Tourists of Cities to fold, and discs in their colours."""

from collections.abc import Iterator
from typing import Final

from firmware.printing.cut_marks import MARKS_MM, draw_cut_marks
from firmware.printing.page import Colour, Page, Rectangle
from firmware.printing.pictures import Pictures
from firmware.printing.sheet import free_area
from vision.boards.description import TokenDescription
from vision.boards.folder import own_edition

PER_COLOUR: Final = 7
"""Tourists of a player (rulebook)."""

_IN_A_ROW: Final = 14
_PALE: Final[Colour] = (1.0, 1.0, 1.0)
_GAP_MM: Final = 6.0


def draw_tourists(page: Page, _pictures: Pictures) -> None:
    """Strips that fold to standing figures, and below them discs, seven of each in four colours."""
    tokens = own_edition("cities").description.tokens
    pieces = [token for token in tokens for _copy in range(PER_COLOUR)]
    left, top, width, _height = free_area(page.size_mm)
    foot, tall = tokens[0].foot_mm, tokens[0].height_mm
    left += (width - _IN_A_ROW * foot) / 2
    top += MARKS_MM
    strips = list(_rows(len(pieces), left, top, (foot, foot + 2 * tall), 0.0))
    for token, strip in zip(pieces, strips, strict=True):
        _draw_strip(page, token, strip)
    draw_cut_marks(page, strips)
    below = strips[-1][1] + strips[-1][3] + MARKS_MM + _GAP_MM
    for token, disc in zip(
        pieces, _rows(len(pieces), left, below, (foot, foot), 1.0), strict=True
    ):
        middle = disc[0] + foot / 2, disc[1] + foot / 2
        page.fill_circle(middle, foot / 2 - 0.4, _colour(token))
