"""Tables of tiles that cover several cells each."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from pictured import (
    described,
    drawn_face,
    edition_of,
    grid_of,
    photo_of,
    table_of,
)

from vision.boards.eye import read_boards
from vision.boards.figure_outline import TOKEN_PX, Standing
from vision.boards.tokens import FlatGrid, find_figures
from vision.editions.description import BoardDescription, FaceDescription, TokenDescription
from vision.editions.edition import Edition
from vision.simulate.content import GridContent, cell_grid

NAMES = ("a", "b", "c", "d", "e", "f")
BOARD = BoardDescription(
    image="board.png",
    size_mm=(320.0, 240.0),
    first_cell_mm=(60.0, 50.0),
    cell_mm=(40.0, 35.0),
    plots=frozenset((r, c) for r in range(4) for c in range(6) if c < 4 or r < 2),
)
PAWN = TokenDescription("pawn", (200, 30, 190), 16.0, 20.0)


def with_wide_tiles(board=None, rows=4, columns=6):
    """Tiles of 2 x 2 cells, all of which show something else."""
    faces = tuple(
        FaceDescription(
            name, (f"{name}.png",), ((f"{name}1", f"{name}2"), (f"{name}3", f"{name}4"))
        )
        for name in NAMES
    )
    return replace(
        described(NAMES, rows, columns, board=board), faces=faces, tile_cells=(2, 2), tile_mm=60.0
    )


@cache
def printed(tokens=()):
    return edition_of(replace(with_wide_tiles(BOARD), tokens=tokens))


def printed_grid(**more):
    """Tiles on all plots but one."""
    grid = grid_of(printed().description)
    tiles, turns = (np.array(table, object) for table in (grid.tiles, grid.turns))
    for cell in ((0, 1), (1, 2)):
        tiles[cell] = turns[cell] = None
    return GridContent(tuple(map(tuple, tiles.tolist())), tuple(map(tuple, turns.tolist())), **more)


@cache
def printed_table():
    return table_of(printed(), printed_grid())


@cache
def read_from_printed():
    (grid,) = read_boards(photo_of(printed_table().image), printed()).grids
    return grid


class TestOnAPrintedBoard:
    def test_they_are_read_cell_by_cell(self):
        grid = read_from_printed()
        assert grid.unsure == ()
        assert grid.tiles == printed_grid().tiles
        assert grid.grid == cell_grid(printed().description, printed_grid())

    def test_the_corners_are_those_of_all_cells_and_of_each_tile(self):
        truth, grid = printed_table().truth["cities"][0], read_from_printed()
        assert np.abs(np.subtract(grid.corners_px, truth["corners_px"])).max() < 3
        for row, column in ((0, 0), (1, 1)):
            lies = truth["tile_corners_px"][row * 3 + column]
            off = np.subtract(grid.tile_quads_px[row][column], lies)
            assert np.abs(off).max() < 4

    def test_figures_stand_on_their_cells(self):
        edition = printed((PAWN,))
        cells = ((0, 0), (1, 5), (2, 3))
        content = printed_grid(tokens=tuple((cell, "pawn") for cell in cells))
        (grid,) = read_boards(photo_of(table_of(edition, content).image), edition).grids
        assert tuple(token.at for token in grid.figures) == cells


def symmetric(name):
    """A face that looks the same in each turn, with the same in all its cells."""
    quarter = drawn_face(NAMES.index(name) + 1, 64)
    rows = (
        np.hstack([quarter, np.rot90(quarter, -1)]),
        np.hstack([np.rot90(quarter, -3), np.rot90(quarter, -2)]),
    )
    return np.ascontiguousarray(np.vstack(rows))


def test_a_tile_is_sure_if_only_turns_that_mean_the_same_look_the_same():
    description = with_wide_tiles(rows=8, columns=8)
    alike, other = ("a", "b", "c"), ("d", "e", "f")
    faces = tuple(
        replace(face, cells=((face.name,) * 2,) * 2) if face.name in alike else face
        for face in description.faces
    )
    description = replace(description, faces=faces)
    pictures = {
        name: (symmetric(name) if name in (*alike, "d") else drawn_face(n + 1),)
        for n, name in enumerate((*alike, *other))
    }
    edition = Edition(description, pictures)
    content = grid_of(description, seed=2)
    (read,) = read_boards(photo_of(table_of(edition, content).image), edition).grids
    assert read.unsure
    assert {read.tiles[row // 2][column // 2] for row, column in read.unsure} == {"d"}
    seen = [np.rot90(np.array(content.tiles), -n).tolist() for n in range(4)]
    assert [list(row) for row in read.tiles] in seen


def test_a_figure_where_the_last_tile_reaches_beyond_its_cell_stands_on_that_cell():
    board = replace(BOARD, cell_mm=(30.0, 30.0), plots=frozenset())
    description = replace(with_wide_tiles(board, 2, 2), tile_mm=62.5, tokens=(PAWN,))
    margin, pitch = 0.25, 60.0 / 62.5
    side = round((pitch + 2 * margin) * TOKEN_PX)
    flat = np.full((side, side, 3), 90, np.float32)
    foot = round((0.975 + margin) * TOKEN_PX)
    cv2.circle(flat, (foot, foot), TOKEN_PX // 8, [float(level) for level in PAWN.colour_bgr], -1)
    expected = np.full(flat.shape, 90, np.float32)
    standing = Standing(description, (0.5, 0.5, 20.0), margin)
    found = find_figures(
        FlatGrid(flat, flat, flat, expected, np.zeros(flat.shape[:2], np.bool_)),
        standing,
        (1, 1),
        (pitch, pitch),
    )
    assert {figure.cell for figure in found} == {(1, 1)}
