"""Tiles that were seen, put together to grids."""

import numpy as np
import pytest

from vision.arrays import floats
from vision.editions.model import GridFormat
from vision.eye.lattice import fit_grids
from vision.eye.leftovers import find_leftovers_of_output
from vision.eye.locate import (
    CHANNELS,
    STRIDE_PX,
    TILE,
    Detections,
    LocatorOutput,
    to_probabilities,
)

SIZE_WH = 768, 448
TILE_PX = 36.0


def cities_at(rng):
    """Middles of six cities near each other, and the ways along their first edges."""
    places = np.array(list(np.ndindex(2, 3)))[:, ::-1] + 0.5
    middles = places * np.array(SIZE_WH) / (3, 2) + rng.uniform(-6, 6, (6, 2))
    return middles, rng.uniform(0, np.pi / 2, 6)


def seen(middles, angles):
    """All tiles of such cities, each seen where it lies."""
    centres, edges = [], []
    for middle, angle in zip(middles, angles, strict=True):
        right = np.array([np.cos(angle), np.sin(angle)]) * TILE_PX
        down = np.array([-right[1], right[0]])
        for row, column in np.ndindex(4, 4):
            centres.append(middle + right * (column - 1.5) + down * (row - 1.5))
            edges.append([right, down])
    many = np.ones(len(centres), np.float32)
    return Detections(floats(centres), floats(edges), many * 0.95, many * 0.01, many * 0.05)


def found(detections, grid_format):
    """Find grids from these tiles alone."""
    maps = np.full((CHANNELS, SIZE_WH[1] // STRIDE_PX, SIZE_WH[0] // STRIDE_PX), -4.0, np.float32)
    output = LocatorOutput(maps, to_probabilities(maps[TILE]), floats([1, 1]), detections)
    first, *_ = fit_grids(output, SIZE_WH, grid_format)
    return first


@pytest.mark.parametrize("cells", [(1, 1), (2, 2)])
def test_no_city_takes_tiles_of_another(cells):
    """Some tiles of one city always lie on the lattice of another by chance."""
    rng = np.random.default_rng(7)
    for _ in range(30):
        middles, angles = cities_at(rng)
        result = found(seen(middles, angles), GridFormat(4, 4, 7, tile_cells=cells))
        at = [grid.corners_px(result.camera).mean(axis=0) for grid in result.grids]
        off = np.hypot(*(np.array(at)[:, None] - np.array(middles)).transpose(2, 0, 1))
        assert off.shape == (6, 6)
        assert (off.min(axis=0) < TILE_PX / 10).all()


def test_tiles_beside_all_grids_are_grouped():
    """Though of a tile of 2x2 fields each field may be seen as one."""
    middles, angles = cities_at(np.random.default_rng(3))
    detections = seen(middles, angles)
    # More cities than the game has: one is left
    result = found(detections, GridFormat(4, 4, 5, tile_cells=(2, 2)))
    quads = [grid.corners_px(result.camera) for grid in result.grids]
    (group,) = find_leftovers_of_output(detections, floats([1, 1]), quads, TILE_PX)
    assert group.tile_count == pytest.approx(16 * 0.95, rel=0.1)


def test_a_single_tile_beside_all_grids_is_a_group():
    middles, angles = cities_at(np.random.default_rng(3))
    detections = seen(middles, angles)
    (group, *_) = find_leftovers_of_output(
        detections.take(np.arange(1)), floats([1, 1]), [], TILE_PX
    )
    assert group.tile_count == pytest.approx(0.95, rel=0.1)
