"""Simulated tables: what the ground truth says is what the picture shows."""

import json
import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
import pytest
from likeness import best_likeness, likeness

from scoring.faces import Face
from vision.arrays import Image, floats, transformed
from vision.editions.own import face_picture
from vision.rectify import crop_window
from vision.simulate.scene import TableCanvas, camera_view, rectangle, rotated, square
from vision.simulate.table import SimulatedTable, Surroundings, simulate_table

Grid = list[list[Face | None]]

FACES = tuple(Face)
WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
CROP_PX = 32
SIZE_WH = (720, 480)
CLEAN = Surroundings(material="felt", tile_px=32, props=0, strays=3, strength=0, score_board=False)
MISSING = ((0, 1), (2, 3), (3, 0))


def grid_from(first: int) -> Grid:
    return [[FACES[(first + 4 * row + column) % 9] for column in range(4)] for row in range(4)]


def grid_with_missing_tiles() -> Grid:
    grid = grid_from(0)
    for row, column in MISSING:
        grid[row][column] = None
    return grid


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return simulate_table(
        7, [grid_from(0), grid_from(4), grid_with_missing_tiles()], SIZE_WH, CLEAN
    )


def tiles_of_cities(truth: dict[str, Any]) -> Iterator[tuple[str | None, Any]]:
    for city in truth["cities"]:
        yield from zip(chain.from_iterable(city["grid"]), city["tile_corners_px"], strict=True)


def lies_in_the_picture(quad: list[list[float]]) -> bool:
    return all(0 <= x < SIZE_WH[0] and 0 <= y < SIZE_WH[1] for x, y in quad)


def test_the_truth_is_json_and_repeats_the_grids_asked_for(table: SimulatedTable) -> None:
    cities = json.loads(json.dumps(table.truth))["cities"]
    assert [city["grid"] for city in cities] == [
        grid_from(0),
        grid_from(4),
        grid_with_missing_tiles(),
    ]


def test_every_quad_of_the_truth_frames_its_tile_upright(table: SimulatedTable) -> None:
    framed = [(face, quad) for face, quad in tiles_of_cities(table.truth) if face is not None]
    assert len(framed) == 3 * 16 - len(MISSING)
    for face, quad in framed:
        crop = crop_window(table.image, floats(quad), WHOLE_TILE, CROP_PX)
        alike, seen, turns = best_likeness(crop)
        assert (seen, turns) == (face, 0)
        assert alike > 0.85


def test_a_quad_moved_by_a_tenth_of_a_tile_frames_it_worse(table: SimulatedTable) -> None:
    for face, quad in tiles_of_cities(table.truth):
        if face is None:
            continue
        drawn = face_picture(Face(face), CROP_PX)
        crops = [
            crop_window(table.image, floats(quad) + floats(move), WHOLE_TILE, CROP_PX)
            for move in ((0, 0), (3.2, 0), (-3.2, 0), (0, 3.2), (0, -3.2))
        ]
        framed, *moved = (likeness(crop, drawn) for crop in crops)
        assert framed > max(moved)


def test_where_the_truth_says_no_tile_the_table_shows(table: SimulatedTable) -> None:
    city = table.truth["cities"][2]
    quads = city["tile_corners_px"]
    assert [divmod(n, 4) for n, quad in enumerate(quads) if quad is None] == list(MISSING)
    place = floats(np.mean([quads[0], quads[2]], axis=0))  # of the tile missing between these two
    assert best_likeness(crop_window(table.image, place, WHOLE_TILE, CROP_PX))[0] < 0.5


def test_the_corners_of_a_city_are_those_of_its_outer_tiles(table: SimulatedTable) -> None:
    whole, other, incomplete = table.truth["cities"]
    for city in (whole, other):
        quads = city["tile_corners_px"]
        outer = [quads[0][0], quads[3][1], quads[15][2], quads[12][3]]
        assert city["corners_px"] == outer
    known, place_of_missing = incomplete["corners_px"][2], incomplete["corners_px"][3]
    assert known == incomplete["tile_corners_px"][15][2]
    tile_above = floats(incomplete["tile_corners_px"][8])
    expected = tile_above[3] + (tile_above[3] - tile_above[0])  # a tile further down
    assert place_of_missing == pytest.approx(expected, abs=0.1 * CLEAN.tile_px)


def test_stray_tiles_are_listed_and_framed(table: SimulatedTable) -> None:
    strays = table.truth["stray_tiles"]
    assert len(strays) == CLEAN.strays
    whole = [stray for stray in strays if lies_in_the_picture(stray["corners_px"])]
    assert len(whole) >= 2
    for stray in whole:
        crop = crop_window(table.image, floats(stray["corners_px"]), WHOLE_TILE, CROP_PX)
        alike, face, turns = best_likeness(crop)
        assert (face, turns) == (stray["face"], 0)
        assert alike > 0.85


def test_cities_run_clockwise_from_six_o_clock_round_the_middle() -> None:
    table = simulate_table(3, [grid_from(n) for n in range(4)], SIZE_WH, CLEAN)
    centres = [np.mean(city["corners_px"], axis=0) for city in table.truth["cities"]]
    x0, y0 = np.mean(centres, axis=0)
    clockwise = [math.atan2(x0 - x, y - y0) % math.tau for x, y in centres]
    assert clockwise == sorted(clockwise)


def test_the_same_seed_gives_the_same_photo_and_another_seed_another() -> None:
    around = Surroundings(tile_px=24, props=3)
    first, again, other = (simulate_table(s, [grid_from(0)], (300, 220), around) for s in (1, 1, 2))
    assert np.array_equal(first.image, again.image)
    assert first.truth == again.truth
    assert not np.array_equal(first.image, other.image)
    assert first.truth["cities"] != other.truth["cities"]


def test_the_photo_has_the_size_asked_for() -> None:
    table = simulate_table(1, [grid_from(0)], (300, 220), Surroundings(tile_px=24))
    assert table.image.shape == (220, 300, 3)
    assert table.image.dtype == np.uint8


def test_the_middle_of_the_plane_lies_in_the_middle_of_the_picture_at_the_asked_size() -> None:
    view = camera_view((201, 101), tile_px=40, tilt=0, towards=0, roll=0)
    assert transformed(square((0, 0), 0), view) == pytest.approx(square((100, 50), 0, 40), abs=1e-3)


def test_a_tilted_camera_sees_far_tiles_smaller() -> None:
    view = camera_view((200, 200), tile_px=20, tilt=0.6, towards=0, roll=0)
    widths = []
    for y in (-3.0, 3.0):
        left, right = transformed([[-0.5, y], [0.5, y]], view)
        widths.append(right[0] - left[0])
    far, near = sorted(widths)
    assert far < 0.9 * near


def test_quads_turn_clockwise_about_their_centre() -> None:
    quarter = math.pi / 2
    assert rotated(floats([[1, 0]]), quarter) == pytest.approx(floats([[0, 1]]), abs=1e-6)
    turned = square((5, 3), quarter, 2)
    assert turned == pytest.approx(np.roll(square((5, 3), 0, 2), -1, axis=0), abs=1e-5)
    wide = rectangle((0, 0), 0, (4, 2))
    assert wide.tolist() == [[-2, -1], [2, -1], [2, 1], [-2, 1]]


def test_what_lies_towards_the_horizon_of_the_camera_is_not_laid() -> None:
    view = camera_view((100, 100), tile_px=20, tilt=1.2, towards=0, roll=0)
    top = np.full((100, 100, 3), 90, np.uint8)

    def tile(_: np.random.Generator) -> tuple[int, Image]:
        return 0, face_picture(FACES[0], CROP_PX)

    canvas = TableCanvas(top, view)
    rng = np.random.default_rng(0)
    for y in (-400.0, 400.0):
        canvas.lay_stray(rng, (0.0, y), tile)
    assert len(canvas.tiles) == 1, "only the one on the near side"
    assert np.array_equal(canvas.finished(), top)
    canvas.lay_stray(rng, (0.0, 0.0), tile)
    assert [stray.city for stray in canvas.tiles] == [-1, -1]
    assert not np.array_equal(canvas.finished(), top)
