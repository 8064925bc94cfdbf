"""Confidences of games known by pictures that keep their word."""

from dataclasses import replace

import numpy as np
import pytest
from pictured import without_timings

from vision.boards.confidence import (
    MOST,
    Kind,
    calibrated,
    calibrated_grid,
    kind_of,
    right_shares,
)
from vision.boards.eye import read_boards, read_uncalibrated
from vision.editions.folder import own_edition
from vision.photo import decode_photo
from vision.reading import GridReading, LoosePiece, Reading
from vision.simulate.photos import take_photo

SIZE_WH = (100, 100)
SMALL_WH = (1152, 648)


def quad(left, top, side=20.0):
    right, bottom = left + side, top + side
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def grid_of(names, confidence, unsure=(), *, quads=None, tiles=None, beside=()):
    tiles = (tuple(names),) if tiles is None else tiles
    return GridReading(
        corners_px=quad(0.0, 0.0),
        grid=(tuple(names),),
        confidence=(tuple(confidence),),
        unsure=tuple(unsure),
        tiles=tiles,
        turns=tuple((0,) * len(row) for row in tiles),
        tile_quads_px=quads or tuple((quad(10.0, 10.0),) * len(row) for row in tiles),
        loose=tuple(beside),
    )


def piece(confidence, *, unsure):
    return LoosePiece("row", 0, "value-1", quad(40.0, 40.0), confidence, unsure)


def without_confidences(reading):
    grids = (
        replace(grid, confidence=(), loose=tuple(replace(p, confidence=0.0) for p in grid.loose))
        for grid in reading.grids
    )
    return without_timings(replace(reading, grids=tuple(grids)))


def test_what_a_confidence_means_follows_from_flag_place_and_content():
    inside, outside = quad(10.0, 10.0), quad(90.0, 10.0)
    grid = grid_of(
        ("park", None, "park", None, "park", None),
        (0.9,) * 6,
        unsure=[(0, n) for n in range(2, 6)],
        quads=((inside, inside, inside, inside, outside, outside),),
    )
    assert [kind_of(grid, (0, n), SIZE_WH) for n in range(6)] == [
        Kind.SURE, Kind.SURE, Kind.UNSURE, Kind.EMPTY, Kind.OUTSIDE, Kind.OUTSIDE,
    ]  # fmt: skip


def test_the_cells_of_a_wide_tile_lie_where_the_tile_lies():
    grid = grid_of(
        ("park", "park", "cafe", "cafe"),
        (0.9,) * 4,
        unsure=[(0, n) for n in range(4)],
        tiles=(("parks", "cafes"),),
        quads=((quad(10.0, 10.0), quad(90.0, 10.0)),),
    )
    kinds = [kind_of(grid, (0, n), SIZE_WH) for n in range(4)]
    assert kinds == [Kind.UNSURE, Kind.UNSURE, Kind.OUTSIDE, Kind.OUTSIDE]


def test_each_confidence_is_told_by_the_curve_of_its_kind():
    grid = grid_of(
        ("park", "park", None),
        (0.5, 0.5, 0.5),
        unsure=[(0, 1), (0, 2)],
        beside=(piece(0.5, unsure=False), piece(0.5, unsure=True)),
    )
    told = calibrated_grid(grid, SIZE_WH)
    shares = right_shares()
    kinds = (Kind.SURE, Kind.UNSURE, Kind.EMPTY, Kind.PIECE)
    sure, unsure, empty, in_doubt = (shares[kind].at(0.5) for kind in kinds)
    assert told.confidence == ((sure, unsure, empty),)
    assert [each.confidence for each in told.loose] == [sure, in_doubt]
    assert sure > unsure


def test_the_curves_of_this_release_never_fall_and_never_promise_all():
    for kind, curve in right_shares().items():
        told = [curve.at(raw) for raw in np.linspace(0.0, 1.0, 201)]
        assert told == sorted(told)
        assert 0 < told[0] <= told[-1] <= MOST
        # Pieces in doubt are right as often whatever is judged of them
        assert told[0] < told[-1] or kind is Kind.PIECE


def test_boards_have_a_curve_for_every_kind():
    assert right_shares().keys() == set(Kind)


def test_nothing_but_confidences_changes():
    rng = np.random.default_rng(3)
    for _ in range(50):
        cells = [(0, n) for n in range(6)]
        grid = grid_of(
            [("park", None)[n] for n in rng.integers(0, 2, 6)],
            np.round(rng.random(6), 3).tolist(),
            unsure=[cell for cell in cells if rng.random() < 0.5],
            beside=[piece(float(rng.random()), unsure=bool(rng.integers(2)))],
        )
        reading = Reading("p.jpg", "cities", "standard", SIZE_WH, (grid,))
        told = calibrated(reading)
        assert without_confidences(told) == without_confidences(reading)
        assert all(0 <= value <= MOST for value in told.grids[0].confidence[0])


@pytest.mark.parametrize("condition", ["covered", "edge"])
def test_a_photo_is_read_with_the_same_flags_and_told_confidences(condition):
    edition = own_edition("city-blocks")
    photo = decode_photo(take_photo(edition, condition, 3, SMALL_WH).jpeg, "photo.jpg")
    raw, told = read_uncalibrated(photo, edition), read_boards(photo, edition)
    assert without_timings(told) == without_timings(calibrated(raw))
    assert without_confidences(told) == without_confidences(raw)
    assert told.grids[0].confidence != raw.grids[0].confidence
