"""Confidences that keep their word."""

import numpy as np
import pytest

from scoring.faces import Face
from vision.confidence import Kind, calibrated, fitted, kind_of, right_shares
from vision.reading import GridReading, Reading

QUAD = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def reading_of(*confidences, unsure=(), missing=()):
    cells = [(0, n) for n in range(len(confidences))]
    city = GridReading(
        corners_px=QUAD,
        grid=(tuple(None if cell in missing else Face.PARK for cell in cells),),
        confidence=(tuple(confidences),),
        unsure=tuple(unsure),
        tile_quads_px=((QUAD,) * len(cells),),
    )
    return Reading("p.jpg", "between-two-cities", "standard", (640, 480), (city,))


def test_the_curve_finds_the_share_that_is_right():
    rng = np.random.default_rng(1)
    raw = rng.uniform(0.5, 1.0, 40_000)
    truly = (2 * raw - 1) ** 2  # far below what the raw confidence says
    curve = fitted(list(raw), list(rng.random(len(raw)) < truly))
    for value in (0.6, 0.75, 0.9, 0.97):
        assert curve.at(value) == pytest.approx((2 * value - 1) ** 2, abs=0.05)


def test_the_curve_never_falls():
    rng = np.random.default_rng(2)
    for _ in range(20):
        raw = np.round(rng.random(300), int(rng.integers(1, 4)))
        curve = fitted(list(raw), list(rng.random(300) < rng.random()))
        values = [curve.at(value) for value in np.linspace(0, 1, 101)]
        assert values == sorted(values)
        assert all(0 < value < 1 for value in values)


def test_few_cells_never_promise_much():
    assert fitted([0.99] * 3, [True] * 3).at(0.99) == pytest.approx(4 / 5)
    assert fitted([0.99] * 998, [True] * 998).at(0.99) == pytest.approx(0.999)
    assert fitted([0.99] * 3, [False] * 3).at(0.99) == pytest.approx(1 / 5)


def test_no_tile_is_certain_beyond_all_doubt():
    assert fitted([1.0] * 50_000, [True] * 50_000).at(1.0) < 1


def test_nothing_can_be_fitted_to_no_cells():
    with pytest.raises(ValueError, match="no cells"):
        fitted([], [])


def test_a_flag_and_an_empty_place_change_what_a_confidence_means():
    reading = reading_of(0.99, 0.99, 0.99, unsure=[(0, 1), (0, 2)], missing=[(0, 2)])
    (city,) = reading.grids
    assert [kind_of(city, (0, n)) for n in range(3)] == [Kind.SURE, Kind.UNSURE, Kind.EMPTY]
    shares = right_shares()
    (told,) = calibrated(reading).grids
    kinds = Kind.SURE, Kind.UNSURE, Kind.EMPTY
    assert told.confidence == (tuple(shares[kind].at(0.99) for kind in kinds),)
    sure, unsure, empty = told.confidence[0]
    assert sure > unsure
    assert sure > empty


def test_only_the_confidence_changes():
    reading = reading_of(0.97, 0.42, unsure=[(0, 1)])
    (before,), (after,) = reading.grids, calibrated(reading).grids
    assert (after.grid, after.unsure) == (before.grid, before.unsure)
    assert after.confidence != before.confidence
