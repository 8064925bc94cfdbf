"""Printed boards that look the same from several sides, as of crosswords and abstract games."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.pictured import described, drawn_face, grid_of, photo_of, table_of
from vision.editions.description import BoardDescription, TileTurns
from vision.editions.edition import Edition
from vision.eye.read import read_tiles
from vision.reading import NoteCode

SIDE = 8
CELL_MM, RIM_MM = 40.0, 30.0
BOARD_MM = SIDE * CELL_MM + 2 * RIM_MM
PX_PER_MM = 2


def plain_board():
    """A board of equal plots with a plain rim: the same after each quarter turn."""
    side = int(BOARD_MM * PX_PER_MM)
    board = np.full((side, side, 3), (70, 110, 60), np.uint8)
    for row, column in np.ndindex(SIDE, SIDE):
        left, top = (int((RIM_MM + CELL_MM * place) * PX_PER_MM) for place in (column, row))
        step = int(CELL_MM * PX_PER_MM)
        cv2.rectangle(board, (left, top), (left + step, top + step), (160, 190, 170), 3)
    return board


def marked_board():
    """The same board with shapes along one side, which show the way up."""
    board = plain_board()
    for n in range(2 * SIDE):
        middle = int((RIM_MM + CELL_MM * n / 2) * PX_PER_MM), int(RIM_MM * PX_PER_MM / 2)
        cv2.circle(board, middle, 22, (40, 220, 240) if n % 2 else (200, 40, 60), -1)
    return board


@cache
def edition(tile_turns, draw=plain_board):
    first = RIM_MM + CELL_MM / 2
    board = BoardDescription(
        image="board.png",
        size_mm=(BOARD_MM, BOARD_MM),
        first_cell_mm=(first, first),
        cell_mm=(CELL_MM, CELL_MM),
    )
    description = described(tuple("abcdef"), SIDE, SIDE, tile_turns, board)
    pictures = {face.name: (drawn_face(n + 1),) for n, face in enumerate(description.faces)}
    return Edition(description, pictures, draw())


def reading_of(tile_turns, tiles):
    """Grid as laid with a number of tiles, and the reading of its photo."""
    known = edition(tile_turns)
    laid = grid_of(known.description, seed=4, empty=SIDE * SIDE - tiles)
    table = table_of(known, laid, size_wh=(1000, 800))
    (grid,) = read_tiles(photo_of(table.image), known).grids
    return laid, grid


def notes(grid):
    return {note.code for note in grid.notes}


def test_tiles_show_the_way_up():
    laid, grid = reading_of(TileTurns.UPRIGHT, tiles=20)
    assert grid.faces == laid.tiles
    assert len(grid.unsure) <= 2


def test_bare_board_asks_for_its_way_up_alone():
    _, grid = reading_of(TileTurns.UPRIGHT, tiles=0)
    assert NoteCode.WAY_UP_UNCERTAIN in notes(grid)
    assert NoteCode.POSITION_UNCERTAIN not in notes(grid)


@pytest.mark.parametrize("tiles", [0, 20])
def test_way_up_is_not_asked_where_tiles_lie_any_way(tiles):
    _, grid = reading_of(TileTurns.ANY, tiles)
    assert not notes(grid) & {NoteCode.WAY_UP_UNCERTAIN, NoteCode.POSITION_UNCERTAIN}


def test_way_up_is_asked_where_the_rim_hides_it():
    laid = grid_of(edition(TileTurns.ANY).description, seed=4, empty=SIDE * SIDE - 20)
    image = table_of(edition(TileTurns.ANY), laid, size_wh=(1000, 800)).image
    (grid,) = read_tiles(photo_of(image), edition(TileTurns.ANY, marked_board)).grids
    assert NoteCode.WAY_UP_UNCERTAIN in notes(grid)
    assert len(grid.unsure) == SIDE * SIDE
