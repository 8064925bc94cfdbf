"""Free tiles with gaps between them, as hands lay them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import CLEAN, photo_of

from vision.boards.eye import read_boards
from vision.boards.gaps import LEAST, MOST, USUAL, tile_share
from vision.editions.folder import own_edition
from vision.simulate.content import Content
from vision.simulate.photos import dealer
from vision.simulate.table import simulate_table

EDITION = own_edition("cities")
SIZE_WH = (1536, 864)


class TestShare:
    @given(st.integers(0, 99), st.floats(0.87, 1.0))
    def test_it_is_that_of_the_tiles_wherever_each_of_them_lies(self, seed, share):
        rng = np.random.default_rng(seed)
        tiles = np.repeat(np.arange(16), 6)
        drawn = rng.uniform(-0.5, 0.5, (len(tiles), 2))
        off = rng.normal(0, 0.1, (16, 2))[tiles]
        seen = share * drawn + off + rng.normal(0, 0.01, drawn.shape)
        found = tile_share(tiles, seen.astype(np.float32), drawn.astype(np.float32))
        assert found == pytest.approx(share, abs=0.015)

    def test_without_two_features_in_a_tile_it_is_the_usual_one(self):
        ones = np.ones((3, 2), np.float32)
        assert tile_share(np.arange(3), 0.1 * ones, 0.4 * ones) == pytest.approx(USUAL)

    @pytest.mark.parametrize(("seen", "bound"), [(0.5, LEAST), (1.5, MOST)])
    def test_what_no_hand_does_is_not_believed(self, seen, bound):
        drawn = np.random.default_rng(1).uniform(-0.5, 0.5, (90, 2)).astype(np.float32)
        found = tile_share(np.repeat(np.arange(9), 10), seen * drawn, drawn)
        assert found == bound


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_city_laid_with_wide_gaps_is_read_without_a_question(seed):
    dealt = dealer("cities")(np.random.default_rng(seed), EDITION.description, 0)
    careless = replace(CLEAN, carelessness=3.0, tilt=0.3, share=0.75)
    table = simulate_table(
        seed, EDITION, Content((replace(dealt.grids[0], tokens=()),), ()), SIZE_WH, careless
    )
    (truth,) = table.truth["cities"]
    (grid,) = read_boards(photo_of(table.image), EDITION).grids
    assert {name for row in grid.tiles for name in row} == {
        n for row in truth["tiles"] for n in row
    }
    assert grid.unsure == ()
    read, laid = (edges_of(quads) for quads in (grid.tile_quads_px, truth["tile_corners_px"]))
    assert read.mean() == pytest.approx(laid.mean(), rel=0.015)


def edges_of(quads):
    """Lengths of the edges of tiles, pixels."""
    corners = np.array(quads, float).reshape(16, 4, 2)
    return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
