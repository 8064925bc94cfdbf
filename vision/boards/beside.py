"""Pieces that lie beside the cells of a board: in slots, or anywhere in a heap."""

from dataclasses import dataclass

import numpy as np

from vision.arrays import floats
from vision.boards.compare import compared, distances_here
from vision.boards.grid_compared import ComparedGrid, plots_at
from vision.boards.heap import pieces_in_heap
from vision.boards.judge import answers_for
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.looks import TILE_PX
from vision.boards.pieces import READABLE, Piece, grid_xy, square
from vision.boards.view import View, in_pixels
from vision.boards.windows import Sheet
from vision.editions.description import Slots

SLOT_ROOM = 0.3
"""Around a slot, in edges of a piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """All that lies beside the cells.

    Attributes:
        pieces: in slots, then in heaps.
        unreadable: slots (name, number) in which something lies that is none of the pieces.
    """

    pieces: tuple[Piece, ...] = ()
    unreadable: tuple[tuple[str, int], ...] = ()


def read_beside(seen: ComparedGrid, known: KnownEdition) -> Beside:
    """What lies in the slots and heaps of a board.

    Args:
        seen: the grid of the board.
        known: the edition.
    """
    board = known.description.board
    if board is None or not known.beside.names:
        return Beside()
    pieces: list[Piece] = []
    unreadable: list[tuple[str, int]] = []
    for slots in board.slots:
        found, riddles = _in_slots(seen.view, known, slots, seen.light)
        pieces += found
        unreadable += riddles
    for heap in board.heaps:
        found, riddles = pieces_in_heap(seen, known, heap)
        pieces += found
        unreadable += riddles
    return Beside(tuple(pieces), tuple(unreadable))


def _in_slots(
    view: View,
    known: KnownEdition,
    slots: Slots,
    light: Light | None,
) -> tuple[list[Piece], list[tuple[str, int]]]:
    middles = floats(
        [
            grid_xy(
                known,
                slots.first_mm[0] + n * slots.step_mm[0],
                slots.first_mm[1] + n * slots.step_mm[1],
            )
            for n in range(slots.count)
        ]
    )
    room = 0.5 + SLOT_ROOM
    left, top = (float(v) for v in middles.min(axis=0) - room)
    right, bottom = (float(v) for v in middles.max(axis=0) + room)
    sheet = Sheet(view.softened((left, top, right, bottom)))
    at = in_pixels(middles, (left, top))
    plots = plots_at(middles, known, known.beside)
    comparison = compared(sheet, at, known.beside, plots)
    table = comparison.total(known.beside, light, middles)
    empty = None
    if plots is not None:
        empty = distances_here(sheet, at, plots, comparison, light, middles)
    allowed = {known.beside.names.index(name) for name in slots.faces}
    pieces: list[Piece] = []
    riddles: list[tuple[str, int]] = []
    answers = answers_for(table, known.beside, empty)
    for number, (middle, answer) in enumerate(zip(middles, answers, strict=True)):
        if answer.face is None and answer.is_sure:
            continue
        if answer.face not in allowed or answer.distance > READABLE:
            riddles.append((slots.name, number))
            continue
        y, x = (float(v) / TILE_PX for v in comparison.shifts[number])
        centre = floats([float(middle[0]) + x, float(middle[1]) + y])
        quad = view.surface.at(square(centre, answer.turn * np.pi / 2))
        pieces.append(Piece(slots.name, number, answer, quad))
    return pieces, riddles
