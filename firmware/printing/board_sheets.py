"""Pages with a board, in parts to be glued together."""

from collections.abc import Callable
from functools import cache, partial
from typing import Final

from firmware.language import _
from firmware.printing.board_cut import BoardPart, PrintedBoard, Seam, cut_board
from firmware.printing.cut_marks import HAIRLINE_GREY, HAIRLINE_MM, MARKS_MM, draw_cut_marks
from firmware.printing.page import BLACK, Page, Rectangle, Spot
from firmware.printing.pictures import Pictures, for_pdf
from firmware.printing.sheet import Sheet, Size, free_area
from vision.arrays import Image

_LETTER_POINTS: Final = 7.0
_ARROW_MM: Final = 2.0
_ARROW_AWAY_MM: Final = 0.6
_LETTER_ASIDE_MM: Final = 2.6
_HALF_LETTER_MM: Final = 0.9


def board_sheets(board: PrintedBoard, paper_mm: Size, title: str) -> list[Sheet]:
    """One page for each part of a board, row by row.

    Args:
        board: the board.
        paper_mm: size of the paper, upright.
        title: of the pages; the number of the part is added.
    """
    cut = cut_board(board, paper_mm)
    draw = cache(board.draw)
    sheets = []
    for number, part in enumerate(cut.parts, 1):
        draw_part = partial(_draw_part, board, draw, part)
        if cut.count == 1:
            sheets.append(Sheet(cut.page_mm, title, "", draw_part))
        else:
            name = _("part {n} of {count}").format(n=number, count=cut.count)
            sheets.append(Sheet(cut.page_mm, f"{title}, {name}", _how_to_join(), draw_part))
    return sheets


def _how_to_join() -> str:
    return _(
        "Cut at the corner marks. What lies beyond a line between two arrows is the flap: glue "
        "the part whose edge has the same letter onto it, up to the line."
    )


def _draw_part(
    board: PrintedBoard,
    draw: Callable[[int], Image],
    part: BoardPart,
    page: Page,
    pictures: Pictures,
) -> None:
    left, top, width, height = part.area_mm
    room = free_area(page.size_mm)
    x, y = room[0] + (room[2] - width) / 2, room[1] + MARKS_MM
    image = draw(pictures.pixels(max(board.size_mm)))
    cropped, shown = _crop(image, board.size_mm, part.area_mm)
    page.place(for_pdf(cropped), (shown[0] - left + x, shown[1] - top + y, *shown[2:]))
    draw_cut_marks(page, [(x, y, width, height)])
    for seam in part.seams:
        offset = seam.at_mm - (left if seam.is_upright else top)
        _draw_seam(page, seam, (x, y, width, height), offset)


def _crop(image: Image, size_mm: Size, area_mm: Rectangle) -> tuple[Image, Rectangle]:
    """The pixels of an area, and what area of the board these pixels are."""
    left, top, width, height = area_mm
    across, down = image.shape[1] / size_mm[0], image.shape[0] / size_mm[1]
    x1, x2 = round(left * across), round((left + width) * across)
    y1, y2 = round(top * down), round((top + height) * down)
    shown = x1 / across, y1 / down, (x2 - x1) / across, (y2 - y1) / down
    return image[y1:y2, x1:x2], shown


def _draw_seam(page: Page, seam: Seam, part: Rectangle, offset: float) -> None:
    """A line where a flap begins, and at both ends of the seam an arrow and its letter."""
    left, top, width, height = part
    if seam.is_upright:
        ends = (left + offset, top), (left + offset, top + height)
        outwards = (0.0, -1.0), (0.0, 1.0)
    else:
        ends = (left, top + offset), (left + width, top + offset)
        outwards = (-1.0, 0.0), (1.0, 0.0)
    for end, direction in zip(ends, outwards, strict=True):
        _draw_arrow(page, seam.letter, end, direction)
    if seam.is_flap:
        page.draw_lines([ends], width=HAIRLINE_MM, colour=HAIRLINE_GREY)


def _draw_arrow(page: Page, letter: str, end: Spot, direction: Spot) -> None:
    """An arrow that points to the end of a seam from outside, and a letter beside it."""
    (x, y), (dx, dy) = end, direction
    tip, tail, half = _ARROW_AWAY_MM, _ARROW_AWAY_MM + _ARROW_MM, _ARROW_MM / 2
    corners = [
        (x + dx * tip, y + dy * tip),
        (x + dx * tail - dy * half, y + dy * tail + dx * half),
        (x + dx * tail + dy * half, y + dy * tail - dx * half),
    ]
    page.fill_polygon(corners, BLACK)
    middle = (tip + tail) / 2
    across = x + dx * middle + abs(dy) * _LETTER_ASIDE_MM
    down = y + dy * middle + abs(dx) * _LETTER_ASIDE_MM
    page.write_centred(letter, across, down + _HALF_LETTER_MM, size=_LETTER_POINTS)
