"""Tiles found one by one are chained into lattices and cut into cities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.lattice import chains, fitted, windows
from vision.locate import Detection


def tiles_of_city(
    centre: tuple[float, float],
    turn: float,
    *,
    size: float = 60.0,
    rows: int = 4,
    columns: int = 4,
    missing: frozenset[tuple[int, int]] = frozenset(),
    shift: float = 0.0,
    seed: int = 0,
) -> list[Detection]:
    """Detections of a perfect city, at times with tiles missing or shifted (tile widths)."""
    rng = np.random.default_rng(seed)
    right = size * np.array([np.cos(turn), np.sin(turn)], np.float32)
    down = size * np.array([-np.sin(turn), np.cos(turn)], np.float32)
    found = []
    for row in range(rows):
        for column in range(columns):
            if (row, column) in missing:
                continue
            x, y = column - (columns - 1) / 2, row - (rows - 1) / 2
            place = np.array(centre, np.float32) + 1.04 * (x * right + y * down)
            place = place + rng.uniform(-shift, shift, 2).astype(np.float32) * size
            found.append(Detection(place, right, down, 0.9))
    return found


def test_no_tiles_make_no_group() -> None:
    assert chains([]) == []


@given(turn=st.floats(0, 2 * np.pi), shift=st.floats(0, 0.12), seed=st.integers(0, 50))
def test_a_city_at_any_angle_is_one_group_of_sixteen(turn: float, shift: float, seed: int) -> None:
    tiles = tiles_of_city((700, 500), turn, shift=shift, seed=seed)
    groups = chains(tiles)
    assert [len(group) for group in groups] == [16]
    (square,) = windows(groups[0], 4, 4)
    assert set(square) == {(r, c) for r in range(4) for c in range(4)}


def test_cells_follow_the_way_the_tiles_are_read() -> None:
    tiles = tiles_of_city((700, 500), np.deg2rad(90))
    (square,) = windows(chains(tiles)[0], 4, 4)
    top_left = square[0, 0].centre
    assert top_left[0] > 700  # turned clockwise by a quarter, the top left lies to the upper right
    assert top_left[1] < 500


def test_two_cities_side_by_side_are_told_apart() -> None:
    tiles = tiles_of_city((300, 300), 0.0, columns=8)
    squares = windows(chains(tiles)[0], 4, 4)
    assert sorted(len(square) for square in squares) == [16, 16]


def test_a_left_over_tile_touching_a_city_stays_out_of_it() -> None:
    tiles = tiles_of_city((300, 300), 0.0)
    stray = Detection(
        tiles[3].centre + tiles[3].right * np.float32(1.04), tiles[3].right, tiles[3].down, 0.9
    )
    squares = windows(chains([*tiles, stray])[0], 4, 4)
    assert [len(square) for square in squares] == [16, 1]
    assert stray not in squares[0].values()


def test_tiles_at_another_angle_are_no_neighbours() -> None:
    tiles = tiles_of_city((300, 300), 0.0, columns=2)
    turned = tiles_of_city((430, 300), np.deg2rad(40), columns=1)
    assert max(len(group) for group in chains([*tiles, *turned])) == 8


@pytest.mark.parametrize("missing", [{(1, 2)}, {(0, 0), (3, 3)}, {(1, 1), (1, 2), (2, 1)}])
def test_a_missing_tile_is_expected_where_it_would_lie(missing: set[tuple[int, int]]) -> None:
    whole = tiles_of_city((700, 500), 0.3)
    tiles = tiles_of_city((700, 500), 0.3, missing=frozenset(missing))
    lattice = fitted(windows(chains(tiles)[0], 4, 4)[0], 4, 4)
    assert lattice is not None
    for row, column in missing:
        middle = lattice.quad((row, column)).mean(axis=0)
        assert np.hypot(*(middle - whole[4 * row + column].centre)) < 3


def test_one_tile_seen_the_wrong_way_round_keeps_its_cell() -> None:
    tiles = tiles_of_city((700, 500), 0.3)
    odd = tiles[6]
    tiles[6] = Detection(odd.centre, -odd.down, odd.right, 0.95)
    (group,) = chains(tiles)
    assert len(group) == 16


def test_tiles_that_lie_on_no_plane_make_no_lattice() -> None:
    line = {(0, c): tile for c, tile in enumerate(tiles_of_city((500, 500), 0.0, rows=1))}
    crumpled = {
        cell: Detection(np.array([500, 500], np.float32), tile.right, tile.down, 0.9)
        for cell, tile in line.items()
    }
    assert fitted(crumpled, 4, 4) is None
