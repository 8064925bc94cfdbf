"""Tiles are found where they lie, and their shape is the same whichever way they are turned."""

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision.locate import (
    COLDEST,
    LIKELY,
    WARMEST,
    WORK_AREA_PX,
    Detection,
    edges_of,
    find_tiles,
    gather_votes,
    shape_of,
    without_strong_tint,
)
from vision.networks import LOCATOR_CHANNELS, LOCATOR_STRIDE_PX, LOCATOR_UNIT_PX

from vision.arrays import Image
from vision.photo import decode_photo
from vision.simulate.games.between_two_cities import take_photo

angles = st.floats(0, 2 * np.pi)


def tile_edges(
    angle: float, size: float, flatter: float, towards: float
) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Edges of a square, seen flattened in one direction by a factor."""
    along = np.array([np.cos(towards), np.sin(towards)])
    squash = np.eye(2) - (1 - flatter) * np.outer(along, along)
    right = size * np.array([np.cos(angle), np.sin(angle)])
    down = size * np.array([-np.sin(angle), np.cos(angle)])
    return (squash @ right).astype(np.float32), (squash @ down).astype(np.float32)


@given(angles, st.floats(10, 200), st.floats(0.55, 1), angles)
def test_edges_come_back_up_to_a_quarter_turn(
    angle: float, size: float, flatter: float, towards: float
) -> None:
    right, down = tile_edges(angle, size, flatter, towards)
    found = Detection(np.zeros(2, np.float32), *edges_of(shape_of(right, down)), 1.0)
    nearest = min(range(4), key=lambda n: float(np.hypot(*(found.ways[n] - right))))
    assert np.allclose(found.ways[nearest], right, atol=0.01 * size)
    assert np.allclose(found.ways[(nearest + 1) % 4], down, atol=0.01 * size)


@given(angles, st.floats(0.55, 1), angles)
def test_a_quarter_turn_changes_nothing(angle: float, flatter: float, towards: float) -> None:
    right, down = tile_edges(angle, 40, flatter, towards)
    assert np.allclose(shape_of(right, down), shape_of(down, -right), atol=1e-4)


def maps_of_one_tile(centre: tuple[float, float], size: float) -> np.ndarray:  # type: ignore[type-arg]
    """What a perfect locator says of one upright tile in 20x30 cells."""
    maps = np.zeros((LOCATOR_CHANNELS, 20, 30), np.float32)
    rows, columns = np.mgrid[0:20, 0:30]
    x = columns * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    y = rows * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    inside = (np.abs(x - centre[0]) < size / 2) & (np.abs(y - centre[1]) < size / 2)
    maps[0] = np.where(inside, 4.0, -4.0)
    maps[1], maps[2] = (centre[0] - x) / LOCATOR_UNIT_PX, (centre[1] - y) / LOCATOR_UNIT_PX
    shape = shape_of(np.array([size, 0], np.float32), np.array([0, size], np.float32))
    maps[3:] = shape[:, None, None]
    return maps


def test_nothing_is_found_where_nothing_is_likely() -> None:
    empty = np.full((LOCATOR_CHANNELS, 20, 30), -5.0, np.float32)
    assert 1 / (1 + np.exp(5.0)) < LIKELY
    assert gather_votes(empty) == []


@given(st.floats(60, 150), st.floats(50, 100), st.floats(24, 60))
def test_the_votes_of_one_tile_make_one_detection(x: float, y: float, size: float) -> None:
    (found,) = gather_votes(maps_of_one_tile((x, y), size))
    assert np.allclose(found.centre, (x, y), atol=0.5)
    assert abs(found.size - size) < 0.5


def test_detections_are_given_in_the_larger_picture_pixel_centres_on_pixel_centres() -> None:
    maps = maps_of_one_tile((100, 70), 40)
    (small,), (large,) = gather_votes(maps), gather_votes(maps, np.array([3, 2], np.float32))
    assert np.allclose(large.centre + 0.5, (small.centre + 0.5) * [3, 2], atol=1e-3)
    assert np.allclose(large.right, small.right * [3, 2], atol=1e-3)
    assert np.allclose(large.down, small.down * [3, 2], atol=1e-3)


@cache
def table() -> tuple[Image, np.ndarray]:  # type: ignore[type-arg]
    """A photo of some cities, 1152 pixels wide, and the middles of their tiles."""
    shot = take_photo("normal", 5, name="table", size_wh=(1152, 648))
    corners = [quad for city in shot.truth["cities"] for quad in city["tile_corners_px"]]
    return decode_photo(shot.jpeg, "table.jpg").image_bgr, np.array(corners).mean(axis=1)


def smaller_table(width: int) -> tuple[Image, np.ndarray]:  # type: ignore[type-arg]
    """The same with fewer pixels."""
    image, middles = table()
    small = cv2.resize(image, (width, width * 9 // 16), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), middles * (width / 1152)


def found_share(middles: np.ndarray, tiles: list[Detection]) -> float:  # type: ignore[type-arg]
    """Share of tiles that were found where they are, within a fifth of a tile."""
    away = np.linalg.norm(middles[:, None] - [tile.centre for tile in tiles], axis=2)
    return float((away.min(axis=1) < 0.2 * tiles[0].size).mean())


@pytest.mark.parametrize("width", [640, 960, 1152])
@pytest.mark.parametrize("closer", [1.0, 1.8])
def test_tiles_are_found_where_they_are_however_small_the_photo(width: int, closer: float) -> None:
    image, middles = smaller_table(width)
    assert found_share(middles, find_tiles(image, WORK_AREA_PX * closer)) > 0.9


def test_a_part_of_a_small_photo_is_looked_at_closer() -> None:
    image, middles = smaller_table(800)
    left, top, right, bottom = area = (200.0, 100.0, 800.0, 450.0)
    x, y = middles.T
    inside = (x > left + 40) & (x < right - 40) & (y > top + 40) & (y < bottom - 40)
    assert inside.sum() >= 8
    assert found_share(middles[inside], find_tiles(image, WORK_AREA_PX * 1.8, area)) > 0.9


BROWN = (90, 130, 170)


def plain(colour: tuple[float, ...]) -> Image:
    return np.full((80, 80, 3), np.clip(colour, 0, 255), np.uint8)


def test_a_brown_table_is_seen_as_it_is() -> None:
    picture = plain(BROWN)
    assert without_strong_tint(picture) is picture


@pytest.mark.parametrize("gains", [(0.4, 0.9, 1.4), (2.7, 1.0, 0.5)])
def test_a_tint_that_no_table_has_is_made_weaker(gains: tuple[float, ...]) -> None:
    tinted = plain(tuple(np.multiply(BROWN, gains)))
    blue, green, red = without_strong_tint(tinted)[0, 0].tolist()
    assert WARMEST - 0.05 <= np.log(blue / red) <= COLDEST + 0.05
    assert green == tinted[0, 0, 1]


def test_what_is_white_with_light_does_not_hide_a_tint() -> None:
    white = plain((255, 255, 255))
    assert without_strong_tint(white) is white
    half = np.vstack([white, plain((30, 130, 240))])
    assert (without_strong_tint(half)[-1, 0] != half[-1, 0]).any()


@pytest.mark.parametrize("gains", [(0.35, 0.9, 1.3), (1.3, 1.0, 0.4)])
def test_tiles_are_found_in_the_light_that_a_camera_misjudged(gains: tuple[float, ...]) -> None:
    image, middles = table()
    tinted = np.clip(image * np.array(gains), 0, 255).astype(np.uint8)
    assert found_share(middles, find_tiles(tinted)) > 0.9
