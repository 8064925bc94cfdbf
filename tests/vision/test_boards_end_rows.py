"""Whether the first and last rows of a grid belong to it, or are strays in line with it."""

import numpy as np
import pytest

from vision.arrays import floats
from vision.boards.end_rows import borders_are_known, may_end_in_strays
from vision.boards.places import Places
from vision.boards.surface import Lens, Surface

PLACES = Places(Surface(np.diag([90.0, 90.0, 1.0]), Lens.of((900, 700))), 4, 4, (1.0, 1.0))
ALL = frozenset(PLACES.cells)
TOP, LEFT = ([(0, n) for n in range(4)], [(n, 0) for n in range(4)])


def seen_at(moved):
    """The middles of the places, some of them moved by (x, y)."""
    return floats([np.add(PLACES.middle(cell), moved.get(cell, (0, 0))) for cell in PLACES.cells])


def all_by(cells, x, y):
    return dict.fromkeys(cells, (x, y))


@pytest.mark.parametrize(
    ("border", "away", "along"),
    [
        (TOP, (0, -1), (1, 0)),
        ([(3, n) for n in range(4)], (0, 1), (1, 0)),
        (LEFT, (-1, 0), (0, 1)),
        ([(n, 3) for n in range(4)], (1, 0), (0, 1)),
    ],
    ids=["top", "bottom", "left", "right"],
)
class TestBorder:
    FAR, NEAR = 0.1, 0.03

    def test_with_gaps_it_may_be_strays_if_all_of_it_lies_further_out(self, border, away, along):
        for gaps in (border[:1], border[1:3], border[1:]):
            moved = all_by(border, *np.multiply(away, self.FAR))
            assert may_end_in_strays(PLACES, seen_at(moved), ALL - {*gaps})

    def test_without_gaps_it_belongs_to_the_grid(self, border, away, along):
        assert not may_end_in_strays(PLACES, seen_at(all_by(border, *np.multiply(away, 0.2))), ALL)

    def test_so_it_does_if_a_tile_of_it_is_in_line(self, border, away, along):
        moved = all_by(border[:2], *np.multiply(away, self.FAR))
        assert not may_end_in_strays(PLACES, seen_at(moved), ALL - {border[3]})

    @pytest.mark.parametrize("far", [NEAR, -FAR])
    def test_or_lies_a_little_or_further_in(self, border, away, along, far):
        moved = all_by(border, *np.multiply(away, far))
        assert not may_end_in_strays(PLACES, seen_at(moved), ALL - {border[3]})

    def test_or_others_are_as_far_off_their_places(self, border, away, along):
        inner = {(1, 1): np.multiply(along, 2 * self.FAR)}
        moved = {**all_by(border, *np.multiply(away, self.FAR)), **inner}
        assert not may_end_in_strays(PLACES, seen_at(moved), ALL - {border[3]})

    def test_or_is_moved_along_the_grid(self, border, away, along):
        moved = all_by(border, *np.multiply(along, self.FAR))
        assert not may_end_in_strays(PLACES, seen_at(moved), ALL - {border[3]})


def test_a_grid_that_is_turned_as_a_whole_ends_in_no_strays():
    turned = {
        cell: np.array([[0.0, 0.05], [-0.05, 0.0]]) @ PLACES.middle(cell) for cell in PLACES.cells
    }
    assert not may_end_in_strays(PLACES, seen_at(turned), ALL - {(0, 0), (2, 3)})


@pytest.mark.parametrize(("rows", "columns"), [(2, 5), (2, 9), (9, 2), (3, 5)])
def test_tiles_in_one_row_tell_nothing_of_another_one(rows, columns):
    places = Places(PLACES.surface, rows, columns, (1.0, 1.0))
    middles = floats([places.middle(cell) for cell in places.cells])
    for gap in places.cells:
        assert not may_end_in_strays(places, middles, {*places.cells} - {gap})


def test_a_few_tiles_tell_nothing():
    strays = seen_at(all_by(TOP, 0, -0.2))
    others = [(row, column) for row in (1, 2) for column in range(4)]
    assert may_end_in_strays(PLACES, strays, {(0, 1), *others})
    assert not may_end_in_strays(PLACES, strays, {(0, 1), *others[1:]})
    assert not may_end_in_strays(PLACES, seen_at({}), frozenset())


@pytest.mark.parametrize(("gone", "are_known"), [(TOP, False), (LEFT, False), (TOP[1:], True)])
def test_borders_are_known_by_one_tile_each(gone, are_known):
    assert borders_are_known(PLACES, ALL - {*gone}) == are_known
