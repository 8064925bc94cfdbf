"""Planes seen through a lens, the camera above them, and grids turned and moved on them."""

from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from camera_views import FOCAL_PX, SIZE_WH, seen_by_camera
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import floats, transformed
from vision.boards.camera import USUAL_FOCAL, camera_above, focal_of
from vision.boards.extent import opposite_ends
from vision.boards.find import Found
from vision.boards.judge import Answer
from vision.boards.place_seen import PLAIN_TABLE, PLAIN_TILE, PlaceSeen
from vision.boards.placed_anew import fitted_anew, known_again
from vision.boards.places import (
    Places,
    chosen,
    corners_inside,
    quarter_turned,
    shifted,
    straightened,
    turns_to_photo_up,
)
from vision.boards.surface import MOST_LENS, Lens, Surface, fitted_surfaces
from vision.boards.tile_fit import TileFit
from vision.pyramid import Pyramid

CORNERS = floats([[0, 0], [4, 0], [4, 4], [0, 4]])


slants = st.builds(
    seen_by_camera,
    tilt=st.floats(-0.7, 0.7),
    heading=st.floats(-3, 3),
    roll=st.floats(-3, 3),
    distance=st.floats(7, 20),
)
strengths = st.floats(-MOST_LENS, MOST_LENS)
pixels = st.lists(
    st.tuples(st.floats(0, SIZE_WH[0] - 1), st.floats(0, SIZE_WH[1] - 1)), min_size=1, max_size=8
)


def surface_of(plane, strength=0.0):
    return Surface(plane, Lens.of(SIZE_WH, strength))


class TestLens:
    @given(strengths, pixels)
    def test_seen_undoes_straightened_anywhere_in_the_photo(self, strength, points):
        lens = Lens.of(SIZE_WH, strength)
        assert np.abs(lens.seen(lens.straightened(points)) - points).max() < 0.1

    def test_a_corner_belongs_further_out_by_its_strength(self):
        corner, middle = np.array([0.0, 0.0]), (np.array(SIZE_WH) - 1) / 2
        straight = Lens.of(SIZE_WH, 0.1).straightened([corner])[0]
        assert np.allclose(straight - middle, 1.1 * (corner - middle))

    @given(strengths)
    def test_the_middle_stays_where_it_is(self, strength):
        middle = (np.array([SIZE_WH]) - 1) / 2
        lens = Lens.of(SIZE_WH, strength)
        assert np.allclose(lens.straightened(middle), middle)
        assert np.allclose(lens.seen(middle), middle)

    @given(strengths, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
    def test_what_lies_far_outside_the_photo_stays_outside(self, strength, x, y):
        away = np.array([x, y])
        seen = Lens.of(SIZE_WH, strength).seen([away])[0]
        assert np.isfinite(seen).all()
        if max(abs(away - (np.array(SIZE_WH) - 1) / 2) / SIZE_WH) > 1.5:
            assert not ((seen >= 0) & (seen <= np.array(SIZE_WH) - 1)).all()


class TestSurface:
    @given(slants, st.floats(-0.1, 0.1))
    def test_inverse_undoes_at(self, seen, strength):
        surface = surface_of(seen[0], strength)
        assert np.abs(surface.inverse(surface.at(CORNERS)) - CORNERS).max() < 0.01

    def test_moved_has_other_coordinates_of_the_same_places(self):
        surface = surface_of(seen_by_camera(tilt=0.3)[0], 0.05)
        doubled = surface.moved(np.diag([2.0, 2.0, 1.0]))
        assert np.allclose(doubled.at(CORNERS / 2), surface.at(CORNERS), atol=1e-3)

    def test_a_quad_has_its_corners_in_the_order_of_reading(self):
        surface = surface_of(seen_by_camera()[0])
        assert np.array_equal(surface.quad(0, 0, 4, 4), surface.at(CORNERS))

    @pytest.mark.parametrize("strength", [0.0, 0.08])
    def test_flat_shows_each_place_where_it_is(self, strength):
        surface = surface_of(seen_by_camera(tilt=0.25, heading=0.4, roll=0.3)[0], strength)
        ys, xs = np.mgrid[0 : SIZE_WH[1], 0 : SIZE_WH[0]]
        at = surface.inverse(np.column_stack([xs.ravel(), ys.ravel()]))
        on = np.floor(at).astype(int)
        checks = np.where(on.sum(axis=1) % 2, 220, 30).reshape(ys.shape).astype(np.uint8)
        flat = surface.flat(Pyramid.of(np.dstack([checks] * 3)), (-0.5, -0.5, 4.5, 4.5), 40)
        assert flat.shape == (200, 200, 3)
        for row, column in product(range(4), repeat=2):
            inner = flat[20 + 40 * row + 4 : 60 + 40 * row - 4, 20 + 40 * column + 4 :][:, :32]
            assert np.abs(inner.astype(int) - (220 if (row + column) % 2 else 30)).max() < 25


def matches(surface, seed, count=240, noise_px=0.4, wrong=0.0, cells=7):
    """Points of a grid and where they were seen, some of them wrong."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, cells, (count, 2))
    seen = surface.at(points) + rng.normal(0, noise_px, (count, 2))
    off = rng.random(count) < wrong
    seen[off] += rng.uniform(-25, 25, (off.sum(), 2))
    return floats(points), floats(seen)


class TestFittedSurfaces:
    @pytest.mark.parametrize("strength", [-0.09, 0.0, 0.05, 0.13])
    def test_a_known_lens_and_plane_are_found_though_some_matches_are_wrong(self, strength):
        plane, _ = seen_by_camera(tilt=0.2, heading=1.0, distance=11, middle=(3.5, 3.5))
        true = surface_of(plane, strength)
        (found,) = fitted_surfaces([matches(true, 4, wrong=0.08)], SIZE_WH)
        assert found.lens.strength == pytest.approx(strength, abs=0.02)
        places = list(product(range(8), repeat=2))
        assert np.linalg.norm(found.at(places) - true.at(places), axis=1).max() < 2.0

    def test_grids_of_one_photo_are_seen_through_one_lens(self):
        planes = [
            seen_by_camera(tilt=0.3, distance=18, middle=(x, 3.5))[0] for x in (-1.0, 8.0)
        ]  # one left of the middle of the photo, one right of it
        true = [surface_of(plane, 0.1) for plane in planes]
        found = fitted_surfaces([matches(s, n, cells=5) for n, s in enumerate(true)], SIZE_WH)
        assert found[0].lens == found[1].lens
        assert found[0].lens.strength == pytest.approx(0.1, abs=0.03)

    def test_a_few_matches_give_a_plane_without_a_lens(self):
        true = surface_of(seen_by_camera(tilt=0.2)[0])
        (found,) = fitted_surfaces([matches(true, 1, count=12, noise_px=0.0, cells=4)], SIZE_WH)
        assert found.lens.strength == 0
        assert np.abs(found.at(CORNERS) - true.at(CORNERS)).max() < 0.1

    @pytest.mark.parametrize("seed", range(30, 35))
    def test_points_that_the_photo_shows_on_a_line_make_no_trouble(self, seed):
        rng = np.random.default_rng(seed)
        along = rng.uniform(0, 4, (60, 1))
        matched = floats(rng.uniform(0, 4, (60, 2))), floats(along * [100, 50])
        (found,) = fitted_surfaces([matched], (1000, 800))
        assert np.isfinite(found.plane).all()
        assert np.isfinite(found.lens.strength)

    def test_no_grids_are_no_surfaces(self):
        assert fitted_surfaces([], SIZE_WH) == []


class TestCamera:
    @given(slants, st.sampled_from([1.0, -1.0, 1e-3, -250.0]))
    def test_it_stands_where_it_stood_however_the_homography_is_scaled(self, seen, scale):
        plane, place = seen
        found = camera_above(plane * scale, SIZE_WH, FOCAL_PX)
        assert np.allclose(found, [place[0], place[1], abs(place[2])], atol=1e-6)

    @pytest.mark.parametrize("share", [0.6, 0.8, 1.2])
    def test_slanted_planes_tell_the_focal_length(self, share):
        focal_px = share * SIZE_WH[0]
        planes = [
            seen_by_camera(tilt, heading, distance=12 * share, focal_px=focal_px)[0]
            for tilt, heading in ((0.5, 0.3), (0.6, 1.2))
        ]
        assert focal_of(planes, SIZE_WH) == pytest.approx(focal_px, rel=1e-4)

    def test_planes_seen_from_straight_above_tell_none(self):
        plane, _ = seen_by_camera(tilt=0.0, focal_px=500)
        assert focal_of([plane], SIZE_WH) == pytest.approx(USUAL_FOCAL * SIZE_WH[0])
        assert focal_of([], SIZE_WH) == pytest.approx(USUAL_FOCAL * SIZE_WH[0])


class TestGridsTurnedAndMoved:
    SURFACE = surface_of(seen_by_camera(tilt=0.2, heading=0.2)[0], 0.04)

    @pytest.mark.parametrize("turns", range(4))
    def test_a_turned_grid_begins_at_the_next_corner_and_covers_the_same(self, turns):
        rows, columns = 2, 3
        corners = self.SURFACE.quad(0, 0, columns, rows)
        turned = quarter_turned(self.SURFACE, rows, columns, turns)
        across, down = (columns, rows) if turns % 2 == 0 else (rows, columns)
        assert np.allclose(
            turned.quad(0, 0, across, down), np.roll(corners, -turns, axis=0), atol=1e-3
        )

    def test_four_quarter_turns_change_nothing(self):
        surface = self.SURFACE
        for rows, columns in ((2, 3), (3, 2), (2, 3), (3, 2)):
            surface = quarter_turned(surface, rows, columns, 1)
        assert np.allclose(surface.at(CORNERS), self.SURFACE.at(CORNERS), atol=1e-3)

    @given(st.floats(-3.1, 3.1))
    def test_a_grid_turned_to_the_photos_up_has_its_top_nearest_to_it(self, heading):
        surface = surface_of(seen_by_camera(tilt=0.1, heading=heading)[0])
        turned = quarter_turned(surface, 4, 4, turns_to_photo_up(surface, 4, 4))
        top_left, top_right, _, bottom_left = turned.quad(1, 1, 3, 3)
        right, down = top_right - top_left, bottom_left - top_left
        assert right[0] > 0.95 * abs(right[1]) - 1
        assert down[1] > 0.95 * abs(down[0]) - 1

    def test_a_shifted_surface_begins_at_that_row_and_column(self):
        begun = shifted(self.SURFACE, (2, -1))
        assert np.allclose(begun.at([[0, 0]]), self.SURFACE.at([[-1, 2]]), atol=1e-3)

    def test_tiles_in_their_places_need_no_straightening(self):
        places = Places(self.SURFACE, 4, 4)
        before = floats([places.middle(cell) for cell in places.cells])
        assert straightened(places, before, before + np.float32(0.01), 0.04) is None
        assert straightened(places, before[:3], before[:3] + np.float32(1), 0.04) is None

    def test_a_grid_that_lies_off_and_stretched_is_put_right(self):
        places = Places(self.SURFACE, 4, 4)
        before = floats([places.middle(cell) for cell in places.cells])
        move = np.array([[1.03, 0.02, 0.1], [-0.01, 0.98, -0.05], [0, 0, 1]])
        better = straightened(places, before, transformed(before, move), 0.04)
        assert better is not None
        assert np.allclose(better.at(before), self.SURFACE.at(transformed(before, move)), atol=0.1)

    def test_points_at_the_edge_of_the_picture_are_inside_it(self):
        assert corners_inside(floats([[0, 0], [99, 49]]), (100, 50))
        assert not corners_inside(floats([[0, 0], [105, 49]]), (100, 50))
        assert not corners_inside(floats([[-9, 0], [99, 49]]), (100, 50))


class TestPlaceSeen:
    def test_a_drawing_like_a_picture_speaks_for_a_tile_and_one_like_none_against_it(self):
        assert PlaceSeen(0.2, 0.0).evidence == PLAIN_TILE
        assert PlaceSeen(0.78, 0.0).evidence == PLAIN_TABLE

    @given(st.floats(0, 1), st.floats(0, 0.8), st.floats(0, 0.8))
    def test_the_less_is_seen_the_more_alike_a_tile_must_be(self, unlike, some, more):
        some, more = sorted((some, more))
        assert PlaceSeen(unlike, more).evidence <= PlaceSeen(unlike, some).evidence

    @given(st.floats(0, 1), st.floats(0.81, 1))
    def test_what_hardly_shows_tells_nothing(self, unlike, hidden):
        assert PlaceSeen(unlike, hidden).evidence == 0


class TestChoosingTheWindow:
    """Two windows of 2 by 4 tiles, that begin in column 0 or 1 of five."""

    AREAS = ((0, 0, 2, 4), (0, 1, 2, 4))
    TILE, BARE, HIDDEN = PLAIN_TILE, PLAIN_TABLE, 0.0

    def choice(self, first, last):
        """Of columns of places with this evidence; those between belong to both windows."""
        columns = {0: first, 4: last}
        return chosen(self.AREAS, {(r, c): columns[c] for r in range(2) for c in columns})

    def test_a_column_of_tiles_belongs_to_the_grid(self):
        assert self.choice(self.TILE, self.BARE) == (self.AREAS[0], [])
        assert self.choice(self.BARE, self.TILE) == (self.AREAS[1], [])

    def test_two_columns_that_look_alike_leave_it_open(self):
        assert self.choice(self.BARE, self.BARE)[1]
        assert self.choice(self.HIDDEN, self.HIDDEN)[1]
        assert self.choice(self.TILE, self.TILE)[1]

    def test_a_bare_place_does_not_tell_that_the_other_end_is_a_hidden_one(self):
        """Something may cover the tiles of one end where the other lies outside the photo."""
        assert self.choice(self.HIDDEN, self.BARE) == (self.AREAS[0], [self.AREAS[1]])

    def test_every_other_window_is_weighed_and_not_only_the_one_that_comes_nearest(self):
        areas = (*self.AREAS, (1, 0, 2, 4))
        columns = (self.HIDDEN, self.TILE, self.TILE, self.TILE, self.BARE)
        evidence = {(r, c): columns[c] for r in range(2) for c in range(5)}
        evidence |= {(2, c): -0.5 for c in range(5)}
        assert chosen(areas, evidence) == (areas[0], [areas[1]])


class TestEndsOfAGrid:
    """A window of 2 by 2 tiles that begins in column 1, or one that begins in column 0."""

    BEST, OTHER = (0, 1, 2, 2), (0, 0, 2, 2)
    TILE, BARE, GONE = PlaceSeen(0.15, 0.0), PlaceSeen(0.78, 0.0), PlaceSeen(1.0, 1.0)

    def ends(self, first, last):
        columns = {0: (first, first), 2: last if isinstance(last, tuple) else (last, last)}
        evidence = {(r, c): seen[r].evidence for c, seen in columns.items() for r in range(2)}
        return opposite_ends(self.BEST, [self.OTHER], evidence)

    def test_a_tile_that_is_seen_tells_where_the_grid_ends(self):
        assert self.ends(self.BARE, self.TILE) == set()
        assert self.ends(self.BARE, PlaceSeen(0.2, 0.5)) == set()

    def test_one_tile_is_enough_if_something_covers_the_others(self):
        assert self.ends(self.BARE, (self.BARE, self.TILE)) == set()

    def test_a_bare_place_tells_it_if_the_grid_runs_off_the_photo(self):
        assert self.ends(self.BARE, self.GONE) == {(0, 0), (1, 0)}

    def test_a_place_that_is_neither_seen_to_be_a_tile_nor_bare_tells_nothing(self):
        assert self.ends(PlaceSeen(0.55, 0.0), self.GONE) is None
        assert self.ends(PlaceSeen(0.78, 0.85), self.GONE) is None
        assert self.ends(self.TILE, self.GONE) is None

    def test_a_strip_of_table_at_the_edge_of_the_photo_leaves_it_open(self):
        assert self.ends(self.BARE, PlaceSeen(0.6, 0.75)) is None
        assert self.ends(self.BARE, self.BARE) is None


class TestKnownAgain:
    """A grid of 4 by 4 tiles, as its features tell; the tiles of the top row are not sure."""

    SURFACE = surface_of(seen_by_camera(tilt=0.2, heading=0.2)[0])
    ANSWERS: ClassVar = {
        (r, c): Answer(0, 0, distance=0.1, lead=1.0, is_sure=r > 0)
        for r, c in product(range(4), repeat=2)
    }

    @pytest.mark.parametrize(("votes", "top"), [((3, 0, 0, 0), 1), ((4, 2, 3, 1), 0)])
    def test_a_row_of_which_no_tile_is_sure_belongs_to_it_if_many_features_say_so(self, votes, top):
        by_tile = {cell: 20 for cell in self.ANSWERS if cell[0] > 0}
        by_tile |= {(0, column): count for column, count in enumerate(votes)}
        found = Found(self.SURFACE, 300, 14, (0, 0, 3, 3), by_tile)
        again = known_again(found, Places(self.SURFACE, 4, 4), self.ANSWERS)
        assert again.cells == (top, 0, 3, 3)


class TestFittedAnew:
    """What tiles tell of where their grid lies: too far right, or with other gaps."""

    PLACES = Places(surface_of(seen_by_camera(tilt=0.2, heading=0.2)[0]), 4, 4, (1.02, 1.02))

    def fitted(self, off, size=1.0):
        plane = np.array([[1.0, 0, off], [0, 1, 0], [0, 0, 1]])
        nothing = np.zeros((0, 2), np.float32)
        return fitted_anew(self.PLACES, TileFit(nothing, nothing, plane, off, size))

    def test_it_stays_if_its_tiles_nearly_lie_in_their_places(self):
        assert self.fitted(off=0.05) is self.PLACES

    def test_it_moves_with_tiles_that_lie_further_off(self):
        before, after = self.PLACES.surface, self.fitted(off=0.1).surface
        assert np.allclose(after.at([[1.0, 2.0]]), before.at([[1.1, 2.0]]), atol=0.01)

    def test_smaller_tiles_have_larger_gaps(self):
        anew = self.fitted(off=0.0, size=0.95)
        assert anew.pitch[0] == pytest.approx(1.02 / 0.95)
        last = [[4 * pitch for pitch in self.PLACES.pitch]]
        assert np.allclose(
            anew.surface.at([[4 * pitch for pitch in anew.pitch]]),
            self.PLACES.surface.at(last),
            atol=0.01,
        )
