"""Which votes agree, and which full grid holds most of them: the same as by trying all."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import floats
from vision.boards.agreement import Agreement, Likeness
from vision.boards.features import Votes, wrapped
from vision.boards.lattice_growth import _belonging, _in_best_window

LIKE = Likeness(apart=0.3, turn=0.5, size=1.5)

vote = st.tuples(
    st.floats(0, 100), st.floats(0, 100), st.floats(-3.1, 3.1), st.floats(5, 60)
)  # fmt: skip
cell = st.tuples(st.integers(-3, 6), st.integers(-3, 6))


def votes_of(rows):
    """Votes from the middles of pictures: (x, y, angle, width)."""
    table = floats(rows).reshape(-1, 4)
    return Votes(
        table[:, :2],
        np.zeros((len(table), 2), np.float32),
        np.zeros(len(table), np.int32),
        table[:, 2],
        table[:, 3],
    )


def agree(votes, one, other):
    apart = np.linalg.norm(votes.centres[one] - votes.centres[other])
    turn = abs(wrapped(votes.angles[one] - votes.angles[other]))
    size = abs(np.log(votes.widths[one] / votes.widths[other]))
    return apart < LIKE.apart * votes.widths[one] and turn < LIKE.turn and size < np.log(LIKE.size)


@given(st.lists(vote, max_size=40))
def test_all_pairs_that_agree_are_found(rows):
    votes = votes_of(rows)
    found = Agreement.of(votes, LIKE)
    pairs = list(zip(found.one.tolist(), found.other.tolist(), strict=True))
    everything = product(range(len(votes)), repeat=2)
    assert pairs == sorted(pairs, key=lambda pair: pair[0])
    assert set(pairs) == {(a, b) for a, b in everything if a == b or agree(votes, a, b)}
    assert len(set(pairs)) == len(pairs)


class TestLargest:
    ROWS = ((10, 10, 0, 20), (11, 10, 0, 20), (10, 12, 0, 20), (80, 80, 0, 20), (81, 80, 0, 20))

    def test_most_agree_in_the_largest_cluster(self):
        found = Agreement.of(votes_of(self.ROWS), LIKE)
        assert found.largest().tolist() == [0, 1, 2]

    def test_votes_that_are_taken_do_not_count(self):
        found = Agreement.of(votes_of(self.ROWS), LIKE)
        left = np.array([False, False, True, True, True])
        assert found.largest(left).tolist() == [3, 4]
        assert len(found.largest(np.zeros(5, bool))) == 0

    def test_neither_do_turned_or_larger_ones(self):
        rows = (*self.ROWS[:3], (10, 10, 2, 20), (10, 10, 0, 60))
        assert Agreement.of(votes_of(rows), LIKE).largest().tolist() == [0, 1, 2]

    def test_none_of_none(self):
        assert len(Agreement.of(votes_of([]), LIKE).largest()) == 0


@given(st.lists(cell, min_size=1, max_size=30), st.sampled_from([(4, 4), (2, 3), (1, 1)]))
def test_no_full_grid_holds_more_votes_than_the_best(cells, tiles):
    cells = np.array(cells)
    chosen = _in_best_window(cells, tiles)
    counts = [
        int(np.all((cells >= begin) & (cells < np.add(begin, size)), axis=1).sum())
        for size in {tiles, tiles[::-1]}
        for begin in product(range(-6, 7), repeat=2)
    ]
    assert chosen.sum() == max(counts)
    span = sorted(np.ptp(cells[chosen], axis=0) + 1)
    assert span[0] <= min(tiles)
    assert span[1] <= max(tiles)


def test_to_a_tile_far_from_all_votes_none_belongs():
    votes = votes_of([(10, 10, 0, 20), (11, 10, 0, 20)])
    tile = np.zeros((1, 2), np.intp)
    here = np.array([[20.0, 0, 0], [0, 20, 0], [0, 0, 1]])
    far = np.array([[20.0, 0, 900], [0, 20, 900], [0, 0, 1]])
    numbers, cells, turns = _belonging(votes, here, tile, 0.3, 1)
    assert numbers.tolist() == [0, 1]
    assert cells.tolist() == [[0, 0], [0, 0]]
    assert turns.tolist() == [0, 0]
    assert [len(each) for each in _belonging(votes, far, tile, 0.3, 1)] == [0, 0, 0]
