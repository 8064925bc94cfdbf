"""Where a board is cut into parts that fit the paper, and which of their edges meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase
from typing import Final

from firmware.printing.cut_marks import MARKS_MM
from firmware.printing.page import Rectangle
from firmware.printing.sheet import Size, free_area
from vision.arrays import Image
from vision.editions.description import BoardDescription

FLAP_MM: Final = 10.0
"""How far a part goes on beyond a seam, for the next part to be glued on."""

Ends = tuple[float, float]
"""From where to where on the board, in mm, without the flap."""


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """A board to print.

    Attributes:
        size_mm: its width and height.
        draw: gives its picture for a longer side in pixels.
        seams_x_mm: where a seam from top to bottom disturbs least: along the streets.
        seams_y_mm: the same for seams from left to right.
    """

    size_mm: Size
    draw: Callable[[int], Image]
    seams_x_mm: tuple[float, ...]
    seams_y_mm: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BoardCut:
    """How a board is cut.

    Attributes:
        page_mm: size of the page that each part gets, as it is held.
        columns: the parts side by side.
        rows: the parts one below the other.
    """

    page_mm: Size
    columns: tuple[Ends, ...]
    rows: tuple[Ends, ...]

    @property
    def count(self) -> int:
        """How many parts there are."""
        return len(self.columns) * len(self.rows)

    @property
    def parts(self) -> list["BoardPart"]:
        """All parts, row by row."""
        return [
            _part(self, row, column)
            for row in range(len(self.rows))
            for column in range(len(self.columns))
        ]


@dataclass(frozen=True, slots=True)
class Seam:
    """An edge of a part that meets that of another one.

    Attributes:
        letter: the same on both parts.
        at_mm: its x on the board if it runs from top to bottom, else its y.
        is_upright: whether it runs from top to bottom.
        is_flap: whether this part goes on beyond it, for the other one to be glued on.
    """

    letter: str
    at_mm: float
    is_upright: bool
    is_flap: bool


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A part of a board.

    Attributes:
        area_mm: what of the board it shows, with its flaps.
        seams: where it meets other parts.
    """

    area_mm: Rectangle
    seams: tuple[Seam, ...]


def printed_board(
    description: BoardDescription, plots: tuple[int, int], draw: Callable[[int], Image]
) -> PrintedBoard:
    """A board with seams between its plots; ``plots`` are its rows and columns."""
    (x, y), (across, down) = description.first_cell_mm, description.cell_mm
    return PrintedBoard(
        description.size_mm,
        draw,
        tuple(x + (number + 0.5) * across for number in range(plots[1] - 1)),
        tuple(y + (number + 0.5) * down for number in range(plots[0] - 1)),
    )


def cut_board(board: PrintedBoard, paper_mm: Size) -> BoardCut:
    """The cut with the fewest parts, on pages held upright or sideways."""
    cuts = []
    for page_mm in (paper_mm, (paper_mm[1], paper_mm[0])):
        _, _, width, height = free_area(page_mm)
        columns = _cut(board.size_mm[0], board.seams_x_mm, width - 2 * MARKS_MM)
        rows = _cut(board.size_mm[1], board.seams_y_mm, height - 2 * MARKS_MM)
        cuts.append(BoardCut(page_mm, columns, rows))
    return min(cuts, key=lambda cut: cut.count)


def _cut(length: float, seams: Sequence[float], room: float) -> tuple[Ends, ...]:
    """Parts of about the same length; each but the last has room for its flap."""
    for count in range(1, len(seams) + 2):
        wished = [length * number / count for number in range(1, count)]
        chosen = [_nearest(seams, wish) for wish in wished]
        parts = tuple(pairwise((0.0, *chosen, length)))
        flaps = [FLAP_MM] * (count - 1) + [0.0]
        if all(end - start + flap <= room for (start, end), flap in zip(parts, flaps, strict=True)):
            return parts
    raise ValueError(f"no room for a board of {length} mm in parts of {room} mm")


def _nearest(seams: Sequence[float], wish: float) -> float:
    return min(seams, key=lambda seam: abs(seam - wish))


def _part(cut: BoardCut, row: int, column: int) -> BoardPart:
    (left, right), (upper, lower) = cut.columns[column], cut.rows[row]
    columns, rows = len(cut.columns), len(cut.rows)
    seams = []
    for place, x in ((column, left), (column + 1, right)):
        if 0 < place < columns:
            letter = ascii_uppercase[row * (columns - 1) + place - 1]
            seams.append(Seam(letter, x, is_upright=True, is_flap=place > column))
    for place, y in ((row, upper), (row + 1, lower)):
        if 0 < place < rows:
            letter = ascii_uppercase[rows * (columns - 1) + (place - 1) * columns + column]
            seams.append(Seam(letter, y, is_upright=False, is_flap=place > row))
    right_flap = FLAP_MM if column + 1 < columns else 0.0
    lower_flap = FLAP_MM if row + 1 < rows else 0.0
    area = left, upper, right - left + right_flap, lower - upper + lower_flap
    return BoardPart(area, tuple(seams))
