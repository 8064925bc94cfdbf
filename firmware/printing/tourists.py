"""Tourists of Cities to fold, and discs in their colours."""

from typing import Final

from firmware.printing.cut_marks import MARKS_MM, draw_cut_marks
from firmware.printing.page import Colour, Page, Rectangle
from firmware.printing.pictures import Pictures
from firmware.printing.sheet import free_area
from vision.editions.description import TokenDescription
from vision.editions.folder import own_edition

PER_COLOUR: Final = 7
"""Tourists of a player (rulebook)."""

_STRIPS_IN_A_ROW: Final = 14
_DISCS_IN_A_ROW: Final = PER_COLOUR
_BETWEEN_DISCS_MM: Final = 3.0
_FOLD_MM: Final = 0.15
_SHADE: Final = 0.45
_HEAD_AT, _HEAD_RADIUS = 0.78, 0.11
_BODY: Final = (
    (-0.10, 0.05),
    (0.10, 0.05),
    (0.21, 0.40),
    (0.11, 0.64),
    (-0.11, 0.64),
    (-0.21, 0.40),
)
"""Across and up from the middle of the feet, in heights of the figure."""


def draw_tourists(page: Page, _pictures: Pictures) -> None:
    """Strips that fold to standing figures, and below them discs, seven of each in four colours."""
    kinds = own_edition("cities").description.tokens
    tokens = [token for token in kinds for _copy in range(PER_COLOUR)]
    foot, tall = kinds[0].foot_mm, kinds[0].height_mm
    _, top, _, _ = free_area(page.size_mm)
    strips = _places(
        page, len(tokens), (foot, foot + 2 * tall), _STRIPS_IN_A_ROW, 0.0, top + MARKS_MM
    )
    for token, strip in zip(tokens, strips, strict=True):
        _draw_strip(page, token, strip)
    draw_cut_marks(page, strips)
    below = strips[-1][1] + strips[-1][3] + 2 * MARKS_MM
    discs = _places(page, len(tokens), (foot, foot), _DISCS_IN_A_ROW, _BETWEEN_DISCS_MM, below)
    for token, (left, top, width, height) in zip(tokens, discs, strict=True):
        page.fill_circle((left + width / 2, top + height / 2), width / 2, _colour(token))


def _places(
    page: Page, count: int, size: tuple[float, float], in_a_row: int, gap: float, top: float
) -> list[Rectangle]:
    """Rows of rectangles in the middle of the width."""
    across, down = size[0] + gap, size[1] + gap
    left = (page.size_mm[0] - in_a_row * across + gap) / 2
    return [
        (left + number % in_a_row * across, top + number // in_a_row * down, *size)
        for number in range(count)
    ]


def _draw_strip(page: Page, token: TokenDescription, strip: Rectangle) -> None:
    """Foot, back upside down, front and foot again, with lines to fold between them."""
    left, top, width, _ = strip
    colour = _colour(token)
    dark = (colour[0] * _SHADE, colour[1] * _SHADE, colour[2] * _SHADE)
    page.fill([strip], colour)
    folds = [top + width / 2 + part * token.height_mm for part in range(3)]
    for feet, upwards in ((folds[0], 1.0), (folds[2], -1.0)):
        _draw_figure(page, (left + width / 2, feet), upwards * token.height_mm, dark)
    lines = [((left, y), (left + width, y)) for y in folds]
    page.draw_lines(lines, width=_FOLD_MM, dashed=True)


def _draw_figure(page: Page, feet: tuple[float, float], height: float, colour: Colour) -> None:
    """A person; a negative height draws them upright on the page, a positive one upside down."""
    x, y = feet
    page.fill_polygon([(x + across * height, y + up * height) for across, up in _BODY], colour)
    page.fill_circle((x, y + _HEAD_AT * height), _HEAD_RADIUS * abs(height), colour)


def _colour(token: TokenDescription) -> Colour:
    blue, green, red = token.colour_bgr
    return red / 255, green / 255, blue / 255
