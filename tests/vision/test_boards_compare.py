"""Tiles cut out of flat pictures, and pictures compared first roughly, then in full."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import described, drawn_board, drawn_face, edition_of, texture_distances

from vision.arrays import floats
from vision.boards.coarse import MOST_AXES, CoarseFaces
from vision.boards.compare import (
    BARE,
    KEPT,
    PLACES_AT_ONCE,
    Plots,
    compared,
    distances_here,
)
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.looks import (
    BLOCK_PX,
    STRIDE_PX,
    TILE_PX,
    looks_of,
    softened,
)
from vision.boards.windows import COARSE_SHIFTS, FINE_SHIFTS, Sheet, corners_about
from vision.editions.description import Turned

MANY_NAMES = tuple(f"face-{number}" for number in range(20))
KNOWN = KnownEdition(edition_of(described(MANY_NAMES))).in_grid
HEIGHT, WIDTH = 3 * TILE_PX, 4 * TILE_PX
FLAT = softened(drawn_board(WIDTH, HEIGHT))
SHEET = Sheet(FLAT)
GRID_XY = floats([[x, y] for y in range(HEIGHT) for x in range(WIDTH)]) / TILE_PX
UNLIT = Light(np.zeros((3, 3)), np.eye(3) * 0.01)


def tile_of(picture, top, left):
    """A tile cut out the plain way, channel by channel."""
    return picture[top : top + TILE_PX, left : left + TILE_PX].transpose(2, 0, 1)


def table_with(*lying):
    """A flat picture on which faces (number, turn) lie side by side, and their middles."""
    tiles = [
        np.rot90(cv2.resize(drawn_face(face + 1), (TILE_PX, TILE_PX)), -turn)
        for face, turn in lying
    ]
    middles = [((n + 0.5) * TILE_PX, TILE_PX / 2) for n in range(len(tiles))]
    return softened(np.hstack(tiles)), middles


def in_full(flat, middle):
    """Distances (pictures,) at the best of all shifts, every picture compared in full."""
    corner = corners_about([middle])[0]
    best = np.full(len(KNOWN.looks), np.inf)
    base = None
    for shifts in (COARSE_SHIFTS, FINE_SHIFTS):
        around = corner + shifts if base is None else corner + COARSE_SHIFTS[base] + shifts
        table = texture_distances(looks_of(Sheet(flat).tiles(around)), KNOWN.looks)
        base = int(table.min(axis=1).argmin()) if base is None else base
        best = np.minimum(best, table.min(axis=0))
    return best


class TestTilesCutOut:
    @given(st.integers(0, HEIGHT - TILE_PX), st.integers(0, WIDTH - TILE_PX))
    def test_they_are_parts_of_the_picture_thinned_out(self, top, left):
        expected = tile_of(FLAT, top, left)[:, ::STRIDE_PX, ::STRIDE_PX]
        assert np.array_equal(SHEET.tiles(np.array([[top, left]]))[0], expected)

    @given(st.integers(0, HEIGHT - TILE_PX), st.integers(0, WIDTH - TILE_PX))
    def test_coarse_ones_are_the_means_of_blocks(self, top, left):
        side = TILE_PX // BLOCK_PX
        blocks = tile_of(FLAT, top, left).reshape(3, side, BLOCK_PX, side, BLOCK_PX)
        found = SHEET.coarse_tiles(np.array([[top, left]]))[0]
        assert np.allclose(found, blocks.mean(axis=(2, 4)), atol=0.01)

    @pytest.mark.parametrize("outermost", [(4, 4), (3, 9)])
    def test_coarse_ones_are_cut_out_at_all_shifts_together(self, outermost):
        corners = np.array([outermost, (31, 70), (41, 60)])
        expected = SHEET.coarse_tiles(corners[:, None] + COARSE_SHIFTS)
        assert np.allclose(SHEET.coarse_tiles_around(corners), expected, atol=1e-3)

    def test_a_picture_with_numbers_of_another_kind_has_the_same_tiles(self):
        flat = np.random.default_rng(5).integers(0, 256, (61, 63, 3))
        corners = np.array([(9, 12)])
        expected = Sheet(floats(flat)).tiles(corners)
        assert Sheet(flat.astype(np.float64)).tiles(corners).tolist() == expected.tolist()

    def test_a_tile_beyond_the_edge_is_moved_inside(self):
        beyond = np.array([[-7, 5], [HEIGHT, WIDTH]])
        inside = np.array([[0, 5], [HEIGHT - TILE_PX, WIDTH - TILE_PX]])
        assert np.array_equal(SHEET.tiles(beyond), SHEET.tiles(inside))

    def test_all_shifts_of_a_place_come_one_after_the_other(self):
        corners = np.array([[10, 20], [30, 40]])
        tiles = SHEET.tiles(corners[:, None] + FINE_SHIFTS)
        assert tiles.shape == (18, 3, TILE_PX // STRIDE_PX, TILE_PX // STRIDE_PX)
        assert np.array_equal(tiles[9:], SHEET.tiles(corners[1] + FINE_SHIFTS))

    def test_a_tile_about_a_place_has_it_in_its_middle(self):
        assert corners_about([(50.2, 20.0), (99.6, 70.4)]).tolist() == [[0, 30], [50, 80]]


def blocks_of(*corners):
    """The tiles of the board that begin there, as they are compared roughly."""
    return SHEET.coarse_tiles(np.array(corners))


class TestCoarseFaces:
    FEW = blocks_of((0, 0), (30, 70), (60, 20))

    def test_a_picture_is_like_itself_and_unlike_others(self):
        table = CoarseFaces.of(self.FEW).distances(looks_of(self.FEW))
        assert np.allclose(table.diagonal(), 0, atol=1e-3)
        assert table[~np.eye(3, dtype=bool)].min() > 0.3

    def test_few_pictures_are_told_apart_as_well_as_by_all_their_blocks(self):
        tiles = looks_of(blocks_of(*((n * 7, n * 11) for n in range(8))))
        expected = texture_distances(tiles, looks_of(self.FEW))
        assert np.allclose(CoarseFaces.of(self.FEW).distances(tiles), expected, atol=2e-3)

    def test_where_no_pieces_lie_beside_the_grid_there_is_nothing_to_compare_with(self):
        none = KnownEdition(edition_of(described(("a",)))).beside
        tiles = looks_of(blocks_of((0, 0), (30, 70)))
        assert none.coarse.distances(tiles).shape == (2, 0)
        assert len(none.looks) == len(none.faces) == 0

    def test_of_many_pictures_only_the_main_axes_are_kept(self):
        assert len(KNOWN.looks) > MOST_AXES
        axes = KNOWN.coarse.axes
        assert len(axes) == MOST_AXES
        assert np.allclose(axes @ axes.T, np.eye(MOST_AXES), atol=1e-5)
        kept = (KNOWN.coarse.along**2).sum() / KNOWN.coarse.textured.sum()
        assert 0.85 < kept < 1


class TestComparedRoughlyThenInFull:
    LYING = ((3, 1), (17, 0), (8, 2), (11, 3))

    def test_what_is_most_alike_is_as_far_as_if_all_were_compared_in_full(self):
        flat, middles = table_with(*self.LYING)
        table = compared(Sheet(flat), middles, KNOWN).texture
        for row, middle in zip(table, middles, strict=True):
            expected = in_full(flat, middle)
            assert row.argmin() == expected.argmin()
            assert row.min() == pytest.approx(expected.min(), abs=1e-4)
            assert np.sort(row)[1] == pytest.approx(np.sort(expected)[1], abs=0.15)

    def test_so_it_is_for_what_is_none_of_the_pictures(self):
        middle = (1.7 * TILE_PX, 1.4 * TILE_PX)
        row, expected = compared(SHEET, [middle], KNOWN).texture[0], in_full(FLAT, middle)
        assert row.min() == pytest.approx(expected.min(), abs=0.05)

    def test_a_tile_off_its_place_is_as_far_as_if_all_were_compared_in_full(self):
        flat, middles = table_with(*self.LYING)
        for (x, y), (right, down) in zip(middles[1:3], ((6, 2), (-4, -2)), strict=True):
            place = (x - right, y - down)
            framed = cv2.copyMakeBorder(flat, 8, 8, 0, 0, cv2.BORDER_REPLICATE)
            row = compared(Sheet(framed), [(place[0], place[1] + 8)], KNOWN).texture[0]
            expected = in_full(framed, (place[0], place[1] + 8))
            assert row.argmin() == expected.argmin()
            assert row.min() == pytest.approx(expected.min(), abs=1e-4)

    def test_pictures_not_compared_in_full_are_less_alike_than_those_that_were(self):
        middles = [(1.7 * TILE_PX, 1.4 * TILE_PX), (2.2 * TILE_PX, 1.6 * TILE_PX)]
        for row, middle in zip(compared(SHEET, middles, KNOWN).texture, middles, strict=True):
            is_exact = np.abs(row - in_full(FLAT, middle)) < 1e-4
            assert KEPT <= is_exact.sum() < len(row)
            assert row[~is_exact].min() >= np.sort(row[is_exact])[KEPT - 1]

    def test_how_many_places_are_compared_together_makes_no_difference(self):
        many = [(20 + 6.5 * n, 20 + 4 * n) for n in range(PLACES_AT_ONCE + 3)]
        together = compared(SHEET, many, KNOWN)
        for number in (0, PLACES_AT_ONCE - 1, PLACES_AT_ONCE, PLACES_AT_ONCE + 2):
            alone = compared(SHEET, many[number : number + 1], KNOWN)
            assert alone.texture[0] == pytest.approx(together.texture[number], abs=1e-4)
            assert alone.shifts[0].tolist() == together.shifts[number].tolist()
            colour = together.seen.colour[number]
            assert alone.seen.colour[0] == pytest.approx(colour, abs=1e-3)

    def test_a_bare_place_is_as_unlike_all_pictures_as_the_print(self):
        middles = [(1.7 * TILE_PX, 1.4 * TILE_PX), (2.5 * TILE_PX, 2.5 * TILE_PX)]
        plots = Plots.of(SHEET, middles, KNOWN)
        dimmed = Sheet(FLAT * np.float32(0.8) + np.float32(5))
        bare = compared(dimmed, middles, KNOWN, plots)
        assert bare.bare.all()
        assert np.array_equal(bare.texture, plots.unlike)
        assert bare.empty == pytest.approx([0, 0], abs=0.05)
        assert bare.shifts.tolist() == [[0, 0]] * 2
        assert plots.unlike.min() == pytest.approx(
            compared(SHEET, middles, KNOWN).texture.min(), abs=0.2
        )

    def test_what_hides_a_good_part_of_the_print_is_not_bare(self):
        middle = (1.7 * TILE_PX, 1.4 * TILE_PX)
        plots = Plots.of(SHEET, [middle], KNOWN)
        covered = FLAT.copy()
        covered[:, round(middle[0]) :] = 90
        seen = compared(Sheet(covered), [middle], KNOWN, plots)
        assert seen.empty[0] > BARE * plots.unlike.min()
        assert not seen.bare.any()

    def test_a_tile_on_a_board_is_compared_as_if_there_were_none(self):
        flat, middles = table_with(*self.LYING)
        plots = Plots.of(SHEET, middles, KNOWN)
        on_board = compared(Sheet(flat), middles, KNOWN, plots)
        free = compared(Sheet(flat), middles, KNOWN)
        assert not on_board.bare.any()
        assert np.array_equal(on_board.texture, free.texture)
        assert np.array_equal(on_board.shifts, free.shifts)
        assert np.isinf(free.empty).all()

    def test_an_edition_of_one_picture_is_compared_too(self):
        one = KnownEdition(edition_of(described(("a",), turned=Turned.UPRIGHT))).in_grid
        flat, middles = table_with((0, 0))
        assert compared(Sheet(flat), middles, one).texture[0] == pytest.approx([0], abs=0.05)

    def test_each_place_is_compared_with_its_own_part_of_the_board(self):
        middles = [(20 + 6.0 * n, 20 + 4.0 * n) for n in range(PLACES_AT_ONCE + 3)]
        assert here_on_board(SHEET, middles, middles) == pytest.approx(
            np.zeros(len(middles)), abs=1e-4
        )
        assert here_on_board(SHEET, middles[::-1], middles)[0] > 0.3

    def test_the_board_is_known_where_the_grid_lies_a_little_off(self):
        middles = [(1.7 * TILE_PX, 1.4 * TILE_PX)]
        off = [(middles[0][0] + 2, middles[0][1] - 2)]
        assert compared(SHEET, off, KNOWN, Plots.of(SHEET, middles, KNOWN)).empty[0] > 0.2
        assert here_on_board(SHEET, off, middles) == pytest.approx([0], abs=1e-4)

    def test_each_place_is_compared_with_the_board_in_the_light_that_falls_there(self):
        middles = [(20 + 6.0 * n, 20 + 4.0 * n) for n in range(PLACES_AT_ONCE + 3)]
        light = Light(np.array([[0.1, 0.2, 0.3], [0.1, 0, -0.1], [0.2, 0.1, 0]]), np.eye(3) * 0.01)
        seen = Sheet(FLAT * light.factor(GRID_XY).reshape(FLAT.shape))
        in_light = here_on_board(seen, middles, middles, light)
        assert in_light.max() < 0.2
        assert here_on_board(seen, middles, middles, UNLIT).min() > 0.25
        for n in range(len(middles)):
            alone = here_on_board(seen, middles[n : n + 1], middles[n : n + 1], light)
            assert alone == pytest.approx(in_light[n : n + 1], abs=1e-4)


def here_on_board(sheet, middles, on_board, light=None):
    """Distances (n,) of places to what the empty board shows there."""
    plots = Plots.of(SHEET, on_board, KNOWN)
    comparison = compared(sheet, middles, KNOWN, plots)
    return distances_here(sheet, middles, plots, comparison, light, floats(middles) / TILE_PX)
