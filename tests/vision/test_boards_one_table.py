"""All grids lie on one table, so one tells how large the tiles of another are."""

from itertools import product

import numpy as np
import pytest
from camera_views import seen_by_camera
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import floats, transformed
from vision.boards.features import Votes
from vision.boards.lattice_growth import Lattice
from vision.boards.one_table import OneTable, of_one_size

CELLS = np.array([*product(range(4), repeat=2)], np.intp)


def lattice(table, *, at=(0.0, 0.0), turn=0.0, size=1.0):
    """A grid of 4 by 4 tiles somewhere on a table, with tiles so much larger than others."""
    c, s = size * np.cos(turn), size * np.sin(turn)
    place = np.array([[c, -s, at[0]], [s, c, at[1]], [0, 0, 1]])
    return Lattice(
        np.asarray(table @ place, np.float64), np.arange(16), CELLS, np.zeros(16, np.intp)
    )


tables = st.builds(
    lambda tilt, heading: seen_by_camera(tilt=tilt, heading=heading)[0],
    st.floats(0, 0.6),
    st.floats(-3, 3),
)
places = st.tuples(st.floats(-5, 5), st.floats(-5, 5))


class TestSizes:
    @given(tables, places, places, st.floats(-3, 3))
    def test_a_grid_tells_how_large_the_tiles_of_another_are(self, table, here, there, turn):
        one = OneTable.of([lattice(table, at=here)])
        assert one.off(lattice(table, at=there, turn=turn)) < np.log(1.02)

    @given(tables, places, st.floats(-3, 3), st.sampled_from([0.6, 0.75, 1.35, 1.6]))
    def test_tiles_of_another_size_are_none_of_this_table(self, table, there, turn, size):
        one = OneTable.of([lattice(table), lattice(table, at=(5, 1))])
        assert one.holds(lattice(table, at=there, turn=turn))
        assert not one.holds(lattice(table, at=there, turn=turn, size=size))

    def test_one_grid_alone_tells_less_than_several(self):
        table, _ = seen_by_camera(tilt=0.3, heading=0.4)
        larger = lattice(table, at=(3, 4), size=1.2)
        assert OneTable.of([lattice(table)]).holds(larger)
        assert not OneTable.of([lattice(table), lattice(table, at=(5, 1))]).holds(larger)

    @given(tables, st.tuples(st.integers(400, 3000), st.integers(300, 2000)))
    def test_no_grid_that_lies_in_the_photo_has_smaller_tiles_than_the_least(self, table, size_wh):
        one = OneTable.of([lattice(table)])
        least = one.least_width(size_wh, (4, 4))
        across = np.linspace(0, 1, 9)
        points = floats([*product(across, across)]) * floats(size_wh)
        widths = one.widths(points)
        away = np.minimum(points, floats(size_wh) - points).min(axis=1)
        of_whole_grids = widths[away >= 2 * widths]
        assert least >= widths.min() * 0.999
        assert not len(of_whole_grids) or least <= of_whole_grids.min() * 1.001

    def test_beyond_the_horizon_tiles_have_next_to_no_size(self):
        table, _ = seen_by_camera(tilt=1.2, heading=0.0)
        near, far = transformed(floats([[1.5, 1.5], [1.5, -400.0]]), table)
        above = floats([far + n * (far - near) for n in (1, 10)])
        assert OneTable.of([lattice(table)]).widths(above).max() < 1

    def test_tiles_in_one_row_tell_of_no_slope_across_it(self):
        """Else the size of tiles elsewhere would be anything."""
        table, _ = seen_by_camera()
        row = np.array([(0, column) for column in range(8)], np.intp)
        one = OneTable.of([Lattice(table, np.arange(8), row, np.zeros(8, np.intp))])
        points = transformed(floats([[4, 0.5], [4, 5], [4, -5]]), table)
        assert one.widths(points) == pytest.approx(one.widths(points[:1])[0], rel=0.01)


class TestVotes:
    def test_only_those_for_tiles_of_the_right_size_are_left(self):
        table, _ = seen_by_camera(tilt=0.3, heading=0.4)
        one = OneTable.of([lattice(table), lattice(table, at=(5, 1))])
        points = transformed(floats([[2.5, 3], [4, 4], [6, 1], [1, 6]]), table)
        factors = floats([1.0, 1.1, 0.6, 1.7])
        votes = Votes(
            points, np.zeros((4, 2), np.float32), np.arange(4, dtype=np.int32),
            np.zeros(4, np.float32), floats(one.widths(points) * factors),
        )  # fmt: skip
        assert one.only_on_it(votes).pictures.tolist() == [0, 1]


class TestOddOnes:
    TABLE = seen_by_camera(tilt=0.3, heading=0.4)[0]
    ALIKE = (lattice(TABLE), lattice(TABLE, at=(5, 1), turn=2), lattice(TABLE, at=(1, 6), turn=1))

    @pytest.mark.parametrize("number", [0, 1, 3])
    @pytest.mark.parametrize("size", [0.7, 1.4])
    def test_the_one_that_differs_from_all_others_is_left_out(self, number, size):
        odd = lattice(self.TABLE, at=(6, 6), turn=1, size=size)
        several = [*self.ALIKE]
        several.insert(number, odd)
        assert [*map(id, of_one_size(several))] == [*map(id, self.ALIKE)]

    def test_of_two_nobody_knows_which_one_is_wrong(self):
        odd = lattice(self.TABLE, at=(6, 6), size=2)
        assert of_one_size([self.ALIKE[0], odd]) == [self.ALIKE[0], odd]

    def test_those_that_agree_are_all_kept(self):
        assert of_one_size(self.ALIKE) == [*self.ALIKE]
        assert of_one_size([]) == []
