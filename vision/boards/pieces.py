"""A piece beside the cells of a board, and where it lies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Corners, Points, floats
from vision.boards.judge import Answer
from vision.boards.known import KnownEdition

READABLE = 0.95
"""What is further from any picture than this is no piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece that was found.

    Attributes:
        place: name of the slots or heap.
        number: of the slot, or within the heap.
        answer: what it shows.
        corners_px: (4, 2) as read upright, pixels of the decoded photo.
    """

    place: str
    number: int
    answer: Answer
    corners_px: Corners


def grid_xy(known: KnownEdition, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Grid coordinates of a point of the board."""
    offset = known.board_offset[0]
    tile = known.description.tile_mm
    return x_mm / tile + float(offset[0]), y_mm / tile + float(offset[1])


def square(middle: Sequence[float] | Points, angle: float) -> Points:
    """Grid coordinates of the corners of a piece."""
    c, s = np.cos(angle), np.sin(angle)
    corners = floats([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return floats(corners @ floats([[c, s], [-s, c]]) + floats(middle))
