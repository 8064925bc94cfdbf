"""Figures on the tiles of Cities: seen, hidden, or not there."""

from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN, photo_of

from vision.arrays import floats
from vision.boards.eye import read_boards
from vision.boards.figure_outline import TOKEN_PX
from vision.boards.known import known_edition
from vision.boards.standing import picture_apart_from_paints
from vision.boards.unexplained import (
    OTHER,
    apart_from_drawn,
    apart_from_paints,
    nearer_to_a_paint,
    unexplained_cells,
)
from vision.editions.folder import own_edition
from vision.simulate.content import Content, GridContent
from vision.simulate.table import simulate_table

SIZE_WH = (1152, 648)
EDITION = own_edition("cities")
NAMES = [face.name for face in EDITION.description.faces][:16]
TREE = "tile-21"
GREEN, RED = "tourist-green", "tourist-red"
ON_GREEN_TREE = (0, 1)
FOOT = EDITION.description.tokens[0].foot_mm / EDITION.description.tile_mm


def layout():
    names = [TREE, *(name for name in NAMES if name != TREE)][:16]
    return tuple(tuple(names[4 * row : 4 * row + 4]) for row in range(4))


@cache
def table_with(*tokens):
    grid = GridContent(layout(), ((0,) * 4,) * 4, tokens=tokens)
    return simulate_table(6, EDITION, Content((grid,), ()), SIZE_WH, CLEAN)


def read(image):
    (grid,) = read_boards(photo_of(image), EDITION).grids
    return grid


def upright(at, read_grid):
    """A cell of the layout in a reading, which may be turned."""
    cells = np.arange(64).reshape(8, 8)
    for _ in range(4):
        if np.array(read_grid.tiles)[tuple(np.argwhere(cells == 0)[0] // 2)] == TREE:
            row, column = np.argwhere(cells == at[0] * 8 + at[1])[0]
            return int(row), int(column)
        cells = np.rot90(cells)
    raise AssertionError("the first tile was not read")


class TestReading:
    PLACES = ((2, 2), (3, 5), (5, 1), (6, 7))

    def test_figures_are_read_and_nothing_else_is_flagged(self):
        grid = read(table_with(*((at, RED) for at in self.PLACES)).image)
        assert {token.at for token in grid.figures} == {upright(at, grid) for at in self.PLACES}
        assert {token.kind for token in grid.figures} == {RED}
        assert grid.unsure_figures == ()

    def test_a_thing_of_another_colour_as_large_as_a_figure_is_flagged(self):
        table = table_with(*((at, RED) for at in self.PLACES))
        corners = floats(table.truth["cities"][0]["corners_px"])
        plane = cv2.getPerspectiveTransform(floats([[0, 0], [8, 0], [8, 8], [0, 8]]), corners)
        middle = cv2.perspectiveTransform(floats([[[4.5, 1.5]]]), plane)[0, 0]
        image = table.image.copy()
        radius = round(float(np.linalg.norm(corners[1] - corners[0])) / 4 * FOOT / 2)
        cv2.circle(image, tuple(int(v) for v in middle), radius, (190, 60, 170), -1, cv2.LINE_AA)
        grid = read(image)
        assert upright((1, 4), grid) in grid.unsure_figures
        assert {token.at for token in grid.figures} == {upright(at, grid) for at in self.PLACES}

    def test_a_figure_on_water_is_flagged_as_none_may_stand_there(self):
        shown = table_with().truth["cities"][0]["grid"]
        water = next((r, c) for r in range(8) for c in range(8) if shown[r][c] == "water")
        grid = read(table_with(*((at, RED) for at in (*self.PLACES, water))).image)
        assert set(grid.unsure_figures) == {upright(water, grid)}

    def test_a_green_figure_on_a_green_tree_is_never_overlooked_silently(self):
        places = (*self.PLACES[:2], ON_GREEN_TREE)
        grid = read(table_with(*((at, GREEN) for at in places)).image)
        at = upright(ON_GREEN_TREE, grid)
        assert at in grid.unsure_figures or at in {token.at for token in grid.figures}

    def test_a_green_tree_alone_is_no_figure(self):
        grid = read(table_with(*((at, GREEN) for at in self.PLACES)).image)
        assert {token.at for token in grid.figures} == {upright(at, grid) for at in self.PLACES}
        assert upright(ON_GREEN_TREE, grid) not in grid.unsure_figures


class TestColoursOfFigures:
    """Through a veil a red figure on a brown café is but a redder brown."""

    BROWN, REDDER, PALER = (99, 105, 155), (67, 66, 170), (120, 127, 186)
    PAINTS = tuple(token.colour_bgr for token in EDITION.description.tokens)
    SPOT = np.s_[14:22, 12:20]

    def seen(self, colour, drawn=BROWN):
        expected = np.full((TOKEN_PX, TOKEN_PX, 3), self.BROWN, np.float32)
        expected[20:24, 18:22] = drawn
        even = expected.copy()
        even[self.SPOT] = colour
        return nearer_to_a_paint(even, apart_from_paints(expected, self.PAINTS), self.PAINTS)

    def test_what_is_nearer_to_a_paint_than_the_drawing_is_noticed(self):
        nearer = self.seen(self.REDDER)
        assert nearer[self.SPOT].all()
        assert nearer.sum() == nearer[self.SPOT].sum()

    def test_light_and_a_drawing_that_lies_a_little_off_are_not(self):
        assert not self.seen(self.PALER).any()
        assert not self.seen(self.REDDER, drawn=(60, 60, 180))[18:22, 16:20].any()


def test_what_is_drawn_is_turned_with_its_tile():
    known = known_edition(EDITION)
    upright, turned = (
        picture_apart_from_paints(known, known.in_grid.names[0], turn) for turn in (0, 1)
    )
    assert np.abs(upright - turned).max() > 10
    assert np.allclose(np.rot90(upright, -1), turned, atol=0.1)


def lit(table, cell, *, dark=1.0, veil=0.0):
    """The table with a shadow, or a veil of light, that grows across a tile from its right edge.

    Args:
        table: with a city of 8 by 8 cells.
        cell: on whose tile it lies.
        dark: share of the light that is left at the left edge.
        veil: what is added there, as a share of what is lacking to white.
    """
    corners = floats(table.truth["cities"][0]["corners_px"])
    plane = cv2.getPerspectiveTransform(corners, floats([[0, 0], [8, 0], [8, 8], [0, 8]]))
    height, width = table.image.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=2)
    at = cv2.perspectiveTransform(floats(pixels).reshape(1, -1, 2), plane).reshape(height, width, 2)
    top, left = cell[0] // 2 * 2, cell[1] // 2 * 2
    beside = np.maximum(np.abs(at[..., 1] - top - 1) - 1, 0)
    across = np.clip((left + 2 - at[..., 0]) / 2, 0, 1) * np.clip(1 - beside, 0, 1)
    across *= np.clip(at[..., 0] - left + 1, 0, 1)
    seen = table.image * (1 + (dark - 1) * across)[..., None]
    seen += (255 - seen) * (veil * across)[..., None]
    return np.rint(seen).astype(np.uint8)


class TestPoorLight:
    PLACES = ((2, 2), (3, 5), (5, 1), (6, 7))
    AT = (4, 4)

    @pytest.mark.parametrize("colour", ["tourist-blue", "tourist-red", "tourist-yellow"])
    @pytest.mark.parametrize(
        "light",
        [{"dark": d} for d in (0.4, 0.25, 0.15, 0.05)] + [{"veil": v} for v in (0.5, 0.65, 0.8)],
    )
    def test_a_figure_is_read_or_asked_about(self, colour, light):
        table = table_with(*((at, colour) for at in (*self.PLACES, self.AT)))
        grid = read(lit(table, self.AT, **light))
        at = upright(self.AT, grid)
        seen = {token.at for token in grid.figures}
        on_unsure_tile = at in grid.unsure
        assert at in seen or at in grid.unsure_figures or on_unsure_tile

    @pytest.mark.parametrize("light", [{"dark": 0.5}, {"veil": 0.3}])
    def test_where_light_changes_little_nothing_is_asked(self, light):
        table = table_with(*((at, RED) for at in self.PLACES))
        assert read(lit(table, self.AT, **light)).unsure_figures == ()


class TestUnexplained:
    DRAWN = np.random.default_rng(5).uniform(60, 200, (12, 12, 3)).astype(np.float32)
    FLAT = cv2.resize(DRAWN, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_LINEAR)
    CELLS = tuple(
        ((row, column), (column / 2, row / 2), ((column + 1) / 2, (row + 1) / 2))
        for row in range(2)
        for column in range(2)
    )

    def found(self, seen):
        other = (apart_from_drawn(floats(seen), self.FLAT) > OTHER).astype(np.float32)
        return unexplained_cells(other, self.CELLS, FOOT, 0.0)

    def test_a_tile_a_little_off_its_place_is_explained(self):
        assert self.found(np.roll(self.FLAT, (2, -2), axis=(0, 1))) == []

    @pytest.mark.parametrize("cell", [(0, 0), (0, 1), (1, 0), (1, 1)])
    def test_something_as_large_as_a_figure_is_not(self, cell):
        seen = self.FLAT.copy()
        middle = tuple(round((n + 0.5) * TOKEN_PX / 2) for n in reversed(cell))
        cv2.circle(seen, middle, round(FOOT * TOKEN_PX / 2), (0, 0, 255), -1)
        assert self.found(seen) == [cell]

    def test_a_thin_line_is_no_figure(self):
        seen = self.FLAT.copy()
        seen[9:11] = 0
        assert self.found(seen) == []

    @pytest.mark.parametrize("foot", [1e-3, 0.01, 0.1])
    def test_figures_may_be_ever_so_small(self, foot):
        nothing = np.zeros((TOKEN_PX, TOKEN_PX), np.float32)
        assert unexplained_cells(nothing, self.CELLS, foot, 0.0) == []

    def test_beside_the_tiles_anything_may_lie(self):
        expected = self.FLAT.copy()
        expected[:, TOKEN_PX // 2 :] = np.nan
        seen = np.where(np.isnan(expected), 0, self.FLAT)
        assert float(apart_from_drawn(floats(seen), expected).max()) < OTHER
