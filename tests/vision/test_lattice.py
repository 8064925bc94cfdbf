"""Tiles found one by one are chained into lattices and cut into cities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision.lattice import chains, evened, quads_of, windows
from vision.locate import Detection
from vision.plane import OUTLIER, plane_through


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


@pytest.mark.parametrize("missing", [{(1, 2)}, {(0, 0), (3, 3)}, {(1, 1), (1, 2), (2, 1)}])
def test_a_missing_tile_is_expected_where_it_would_lie(missing: set[tuple[int, int]]) -> None:
    whole = chains(tiles_of_city((700, 500), 0.3))[0]
    tiles = {cell: tile for cell, tile in whole.items() if cell not in missing}
    plane = plane_through(quads_of(tiles))
    assert plane is not None
    for cell in missing:
        off = plane.quad(cell).mean(axis=0) - whole[cell].centre
        assert np.hypot(*off) < 3


def test_a_misplaced_tile_does_not_bend_the_plane() -> None:
    tiles = chains(tiles_of_city((700, 500), 0.3))[0]
    quads = quads_of(tiles)
    straight = plane_through(quads)
    quads[2, 1] = quads[2, 1] + np.float32(25)
    plane = plane_through(quads)
    assert straight is not None
    assert plane is not None
    assert np.abs(plane.quads(tiles) - straight.quads(tiles)).max() < 1


def test_quads_of_a_group_are_named_alike() -> None:
    quads = quads_of(chains(tiles_of_city((700, 500), np.deg2rad(44.5), shift=0.05))[0])
    tops = [quad[1] - quad[0] for quad in quads.values()]
    assert all(float(tops[0] @ top) > 0 for top in tops)


def city_quads(
    shift: float = 0.0, missing: frozenset[tuple[int, int]] = frozenset()
) -> dict[tuple[int, int], np.ndarray]:  # type: ignore[type-arg]
    """Quads of a city's tiles by their place, which are the same whatever the shift."""
    tiles = tiles_of_city((700, 500), 0.3, shift=shift, seed=3, missing=missing)
    places = sorted({(r, c) for r in range(4) for c in range(4)} - missing)
    return {
        place: tile.centre
        + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ [tile.right, tile.down] / 2
        for place, tile in zip(places, tiles, strict=True)
    }


def mean_error(quads: dict[tuple[int, int], np.ndarray]) -> float:  # type: ignore[type-arg]
    straight = city_quads()
    return float(np.mean([np.abs(quads[cell] - straight[cell]).mean() for cell in straight]))


def test_what_tiles_are_off_their_grid_is_about_halved() -> None:
    quads = city_quads(shift=0.08)
    assert mean_error(evened(quads)) < 0.75 * mean_error(quads)


def test_a_perfect_grid_stays_as_it_is_to_a_hundredth_of_a_tile() -> None:
    assert mean_error(evened(city_quads())) < 0.01 * 60


def test_tiles_are_left_alone_where_one_lies_far_off_the_grid() -> None:
    quads = city_quads(shift=0.05)
    quads[2, 1] = quads[2, 1] + np.float32(3 * OUTLIER * 60)
    left = evened(quads)
    assert all(np.array_equal(left[cell], quads[cell]) for cell in quads)


def test_tiles_are_left_alone_where_some_were_not_found() -> None:
    quads = city_quads(shift=0.05, missing=frozenset({(1, 2)}))
    left = evened(quads)
    assert set(left) == set(quads)
    assert all(np.array_equal(left[cell], quads[cell]) for cell in quads)


def test_a_single_row_has_quads_too() -> None:
    group = chains(tiles_of_city((700, 500), 0.2, columns=1))[0]
    assert len(quads_of(group)) == 4


def test_tiles_that_lie_on_no_plane_make_no_plane() -> None:
    heap = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], np.float32)
    assert plane_through({(0, 0): heap}) is None
    assert plane_through({(r, c): heap for r in range(2) for c in range(2)}) is None
