"""Tiles are found where they lie, and their shape is the same whichever way they are turned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import Image
from vision.boards.tile_locator import (
    COLDEST,
    LIKELY,
    LOCATOR_STRIDE_PX,
    LOCATOR_UNIT_PX,
    WARMEST,
    Detection,
    edges_of,
    gather_votes,
    without_strong_tint,
)

CHANNELS = 8
AREA_PX = 332_000
SAME = np.ones(2, np.float32)
angles = st.floats(0, 2 * np.pi)


@given(angles, st.floats(0, 0.6), angles)
def test_edges_are_those_of_the_shape(towards: float, stretch: float, angle: float) -> None:
    shape = [
        0.5,
        stretch * np.cos(towards),
        stretch * np.sin(towards),
        np.cos(angle),
        np.sin(angle),
    ]
    right, down = edges_of(np.array(shape, np.float32))
    found = Detection(np.zeros(2, np.float32), right, down, 1.0)
    assert found.size == pytest.approx(LOCATOR_UNIT_PX * 2**0.5, rel=1e-4)
    moments = np.outer(right, right) + np.outer(down, down)
    seen = (moments[0, 0] - moments[1, 1], 2 * moments[0, 1]) / np.trace(moments)
    assert seen == pytest.approx(shape[1:3], abs=1e-4)


def maps_of_one_tile(centre: tuple[float, float], size: float) -> np.ndarray:  # type: ignore[type-arg]
    """What a perfect locator says of one upright tile in 20x30 cells."""
    maps = np.zeros((CHANNELS, 20, 30), np.float32)
    rows, columns = np.mgrid[0:20, 0:30]
    x = columns * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    y = rows * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    inside = (np.abs(x - centre[0]) < size / 2) & (np.abs(y - centre[1]) < size / 2)
    maps[0] = np.where(inside, 4.0, -4.0)
    maps[1], maps[2] = (centre[0] - x) / LOCATOR_UNIT_PX, (centre[1] - y) / LOCATOR_UNIT_PX
    maps[3:] = np.array([np.log2(size / LOCATOR_UNIT_PX), 0, 0, 1, 0])[:, None, None]
    return maps


def test_nothing_is_found_where_nothing_is_likely() -> None:
    empty = np.full((CHANNELS, 20, 30), -5.0, np.float32)
    assert 1 / (1 + np.exp(5.0)) < LIKELY
    assert gather_votes(empty, SAME) == []


@given(st.floats(60, 150), st.floats(50, 100), st.floats(24, 60))
def test_the_votes_of_one_tile_make_one_detection(x: float, y: float, size: float) -> None:
    (found,) = gather_votes(maps_of_one_tile((x, y), size), SAME)
    assert np.allclose(found.centre, (x, y), atol=0.5)
    assert abs(found.size - size) < 0.5


def test_detections_are_given_in_the_larger_picture_pixel_centres_on_pixel_centres() -> None:
    maps = maps_of_one_tile((100, 70), 40)
    (small,), (large,) = gather_votes(maps, SAME), gather_votes(maps, np.array([3, 2], np.float32))
    assert np.allclose(large.centre + 0.5, (small.centre + 0.5) * [3, 2], atol=1e-3)
    assert np.allclose(large.right, small.right * [3, 2], atol=1e-3)
    assert np.allclose(large.down, small.down * [3, 2], atol=1e-3)


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
