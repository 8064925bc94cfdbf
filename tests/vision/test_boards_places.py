"""Which places of a lattice may be those of a grid."""

import numpy as np
import pytest

from vision.arrays import floats
from vision.boards.find import Found
from vision.boards.places import beside_others, tiles_of
from vision.boards.surface import Lens, Surface

TILE_PX = 50.0
AREAS = [(0, 0, 4, 4), (0, 1, 4, 4), (0, 2, 4, 4)]


def found_at(left, top):
    """A lattice of which the first place has its corner here, pixels."""
    plane = np.array([[TILE_PX, 0, left], [0, TILE_PX, top], [0, 0, 1]])
    return Found(Surface(plane, Lens.of((1000, 800))), 100)


def outline(left, top, right, bottom):
    return floats([(left, top), (right, top), (right, bottom), (left, bottom)])


class TestBesideOthers:
    @pytest.mark.parametrize(
        ("left", "expected"),
        [(301, AREAS[:1]), (351, AREAS[:2]), (401, AREAS)],
        ids=["touches the first", "one tile away", "far away"],
    )
    def test_no_tile_lies_on_another_grid(self, left, expected):
        other = outline(left, 100, left + 200, 300)
        assert beside_others(AREAS, found_at(100, 100), [other]) == expected

    def test_it_may_overlap_another_by_less_than_half_a_tile(self):
        other = outline(300 - 0.4 * TILE_PX, 100, 500, 300)
        assert beside_others(AREAS, found_at(100, 100), [other]) == AREAS[:1]

    def test_where_all_lie_on_another_nothing_is_ruled_out(self):
        other = outline(0, 0, 1000, 800)
        assert beside_others(AREAS, found_at(100, 100), [other]) == AREAS

    def test_tiles_of_an_area_are_its_rows_and_columns(self):
        assert tiles_of((1, 2, 1, 2)) == {(1, 2), (1, 3)}
