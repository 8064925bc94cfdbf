"""Tiles found one by one are chained into lattices and cut into cities."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.boards.chains import chains, windows
from vision.boards.tile_locator import Detection


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


def test_columns_run_to_the_right_of_rows_not_mirrored() -> None:
    tiles = tiles_of_city((700, 500), np.deg2rad(50))
    (square,) = windows(chains(tiles)[0], 4, 4)
    right = square[0, 1].centre - square[0, 0].centre
    down = square[1, 0].centre - square[0, 0].centre
    assert right[0] * down[1] - right[1] * down[0] > 0


def test_two_cities_side_by_side_are_told_apart() -> None:
    tiles = tiles_of_city((300, 300), 0.0, columns=8)
    squares = windows(chains(tiles)[0], 4, 4)
    assert sorted(len(square) for square in squares) == [16, 16]


def test_a_left_over_tile_touching_a_city_stays_out_of_it() -> None:
    tiles = tiles_of_city((300, 300), 0.0)
    beside = tiles[3].centre + np.float32(1.04) * tiles[3].ways[0]
    stray = Detection(beside, tiles[3].right, tiles[3].down, 0.9)
    squares = windows(chains([*tiles, stray])[0], 4, 4)
    assert [len(square) for square in squares] == [16, 1]
    assert stray not in squares[0].values()


def test_tiles_at_another_angle_are_no_neighbours() -> None:
    tiles = tiles_of_city((300, 300), 0.0, columns=2)
    turned = tiles_of_city((430, 300), np.deg2rad(40), columns=1)
    assert max(len(group) for group in chains([*tiles, *turned])) == 8
