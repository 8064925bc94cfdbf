"""Several grids on one table, seen by one camera, and their surfaces."""

from itertools import product

import numpy as np
import pytest
from camera_views import FOCAL_PX, SIZE_WH, seen_by_camera
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import floats
from vision.boards.bundle_adjustment import surfaces_on_one_table
from vision.boards.surface import MOST_LENS, Lens, Surface, fitted_surfaces

TILES = floats(list(product(range(4), repeat=2))) + np.float32(0.5)
CORNERS = floats([[0, 0], [4, 0], [4, 4], [0, 4]])
PLACES = ((0, 0, 0.3, 1.0), (6, 1, -0.4, 1.04), (1, 6, 1.2, 1.0), (7, 7, 2.0, 0.97))
"""Where grids lie on the table: x, y, turn and size."""


def table_of(tilt=0.3, heading=0.5, strength=0.0, distance=24.0):
    """A table seen at a slant."""
    plane, _ = seen_by_camera(tilt, heading, roll=0.2, distance=distance, middle=(5.0, 5.0))
    return Surface(plane, Lens.of(SIZE_WH, strength))


def laid_on(table, place):
    """A grid that lies there."""
    x, y, turn, size = place
    cosine, sine = size * np.cos(turn), size * np.sin(turn)
    return table.moved(np.array([[cosine, -sine, x], [sine, cosine, y], [0, 0, 1]]))


def seen(surface, seed, noise_px=0.0):
    """The middles of the tiles of a grid and where they were seen."""
    noise = np.random.default_rng(seed).normal(0, noise_px, TILES.shape)
    return TILES, floats(surface.at(TILES) + noise)


def off(found, true):
    """How far the corners of a grid were found from where they are, at most, in pixels."""
    return float(np.linalg.norm(found.at(CORNERS) - true.at(CORNERS), axis=1).max())


class TestSurfacesOnOneTable:
    @given(st.floats(-0.65, 0.65), st.floats(-3, 3), st.sampled_from([-0.1, 0.0, 0.05, 0.12]))
    def test_grids_are_found_where_they_lie_however_they_lie(self, tilt, heading, strength):
        table = table_of(tilt, heading, strength)
        true = [laid_on(table, place) for place in PLACES]
        found = surfaces_on_one_table([seen(each, 0) for each in true], SIZE_WH)
        assert found[0].lens.strength == pytest.approx(strength, abs=0.01)
        assert max(map(off, found, true)) < 0.5

    def test_what_each_grid_tells_of_the_table_makes_the_others_more_exact(self):
        """Than planes that are fitted to each grid by itself."""
        together, alone = [], []
        for seed in range(12):
            table = table_of(heading=seed, strength=0.06)
            true = [laid_on(table, place) for place in PLACES]
            noisy = [seen(each, 4 * seed + n, noise_px=1.5) for n, each in enumerate(true)]
            together += map(off, surfaces_on_one_table(noisy, SIZE_WH), true)
            alone += map(off, fitted_surfaces(noisy, SIZE_WH), true)
        assert np.median(together) < 0.75 * np.median(alone)

    def test_points_that_are_wrong_move_no_grid_far(self):
        true = [laid_on(table_of(), place) for place in PLACES]
        matches = [seen(each, n, noise_px=0.3) for n, each in enumerate(true)]
        matches[1][1][5] += 30
        matches[2][1][0] -= 40
        found = surfaces_on_one_table(matches, SIZE_WH)
        assert max(map(off, found, true)) < 4

    def test_a_grid_that_does_not_lie_on_the_table_of_the_others_is_found_as_well(self):
        true = [laid_on(table_of(), place) for place in PLACES[:3]]
        true.append(laid_on(table_of(tilt=-0.3, heading=2.0), PLACES[3]))
        found = surfaces_on_one_table([seen(each, 0) for each in true], SIZE_WH)
        assert off(found[3], true[3]) < 2

    @pytest.mark.parametrize("place", PLACES)
    def test_a_single_grid_is_enough_and_tells_of_no_lens(self, place):
        true = laid_on(table_of(), place)
        (found,) = surfaces_on_one_table([seen(true, 0)], SIZE_WH)
        assert found.lens.strength == 0
        assert off(found, true) < 0.1

    def test_where_points_hardly_tell_of_the_lens_it_is_taken_for_a_usual_one(self):
        """Grids in the middle of the photo, where no lens moves much."""
        for seed in range(8):
            true = [laid_on(table_of(heading=seed, distance=60), place) for place in PLACES[:2]]
            noisy = [seen(each, 2 * seed + n, noise_px=0.6) for n, each in enumerate(true)]
            found = surfaces_on_one_table(noisy, SIZE_WH)
            assert abs(found[0].lens.strength) < 0.1

    def test_a_table_that_recedes_tells_the_focal_length(self):
        true = [laid_on(table_of(tilt=0.5), place) for place in PLACES]
        found = surfaces_on_one_table([seen(each, 0) for each in true], SIZE_WH)
        assert found[0].lens.focal_px == pytest.approx(FOCAL_PX, rel=0.02)

    @pytest.mark.parametrize("seed", range(8))
    def test_points_that_the_photo_shows_on_a_line_or_anywhere_make_no_trouble(self, seed):
        rng = np.random.default_rng(seed)
        along = rng.uniform(0, 4, (16, 1))
        on_a_line = TILES, floats(along * [100, 50])
        anywhere = TILES, floats(rng.uniform(0, 2000, (16, 2)))
        for grids in ([on_a_line], [anywhere], [on_a_line, anywhere, on_a_line]):
            found = surfaces_on_one_table(grids, SIZE_WH)
            assert all(np.isfinite(each.plane).all() for each in found)
            assert abs(found[0].lens.strength) <= MOST_LENS

    @pytest.mark.parametrize("count", [5, len(TILES)])
    def test_a_grid_that_the_photo_shows_as_one_point_lies_on_no_table(self, count):
        one_point = TILES[:count], np.full((count, 2), 700, np.float32)
        (found,) = surfaces_on_one_table([one_point], SIZE_WH)
        (alone,) = fitted_surfaces([one_point], SIZE_WH)
        assert found.plane.tolist() == alone.plane.tolist()

    def test_no_grids_are_no_surfaces(self):
        assert surfaces_on_one_table([], SIZE_WH) == []
