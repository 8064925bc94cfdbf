"""The sheet for ``stadtblick calibrate``: the board of ``vision.calibration.sheet``, and rulers."""

from collections.abc import Iterator

import numpy as np

from firmware.base.language import _, format_number
from firmware.printing.pdf_pages import Document, Page, Paper, Rectangle
from firmware.printing.piece_sheets import draw_inch_ruler, draw_mm_ruler
from vision.calibration.sheet import (
    BOARD_MM,
    DICTIONARY_NAME,
    MARKER_MM,
    MARKER_MODULES,
    SQUARE_MM,
    SQUARES_XY,
    charuco_board,
)

RULER_MM = 150
RULER_INCHES = 6
_TITLE_TOP_MM = 14.0
_BOARD_TOP_MM = 31.0
"""Leaves a white rim around the board, as every printer does at the edges of the paper."""
_RULER_BELOW_BOARD_MM = 5.0
_BETWEEN_RULERS_MM = 10.5


def calibration_sheet(paper: Paper) -> Document:
    """Draw title, board and rulers; letter paper gets a ruler in inches as well."""
    title = _("Stadtblick calibration sheet")
    document = Document(title)
    page = document.new_page(paper.size_mm)
    left = (page.size_mm[0] - BOARD_MM[0]) / 2
    _write_head(page, title, left)
    page.fill(_black_parts(left, _BOARD_TOP_MM))
    ruler_top = _BOARD_TOP_MM + BOARD_MM[1] + _RULER_BELOW_BOARD_MM
    draw_mm_ruler(page, left, ruler_top, RULER_MM)
    if paper is Paper.LETTER:
        draw_inch_ruler(page, left, ruler_top + _BETWEEN_RULERS_MM, RULER_INCHES)
    return document


def _write_head(page: Page, title: str, left: float) -> None:
    page.write(title, left, _TITLE_TOP_MM, size=13)
    board = _(
        "ChArUco board of {columns} x {rows} squares of {square} mm, markers {dictionary} of "
        "{marker} mm"
    ).format(
        columns=SQUARES_XY[0],
        rows=SQUARES_XY[1],
        square=format_number(SQUARE_MM),
        dictionary=DICTIONARY_NAME.upper(),
        marker=format_number(MARKER_MM),
    )
    after = page.write_wrapped(board, left, _TITLE_TOP_MM + 5, BOARD_MM[0], size=8)
    check = _(
        "Print at 100% (actual size), check that the ruler below is {mm} mm long, and glue the "
        "sheet to something flat."
    ).format(mm=RULER_MM)
    page.write_wrapped(check, left, after, BOARD_MM[0], size=8)


def _black_parts(left: float, top: float) -> Iterator[Rectangle]:
    """Yield the black squares, and the black modules of the markers in the white ones."""
    module = MARKER_MM / MARKER_MODULES
    count = round(SQUARE_MM / module)
    columns, rows = SQUARES_XY
    modules = charuco_board().generateImage((columns * count, rows * count))
    squares = modules.reshape(rows, count, columns, count).swapaxes(1, 2)
    for row, column in np.ndindex(rows, columns):
        x, y = left + column * SQUARE_MM, top + row * SQUARE_MM
        if not squares[row, column].any():
            yield x, y, SQUARE_MM, SQUARE_MM
            continue
        for down, across in np.argwhere(squares[row, column] == 0):
            yield x + across * module, y + down * module, module, module
