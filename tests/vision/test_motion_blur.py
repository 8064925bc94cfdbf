"""Photos that a moving camera blurred: its movement is found, and the photo sharpened."""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.faces import Face
from vision.arrays import Floats, Image, floats
from vision.editions.built_in import tile_picture
from vision.eye.motion_blur import (
    MIN_GRID_DEPTH,
    edge_evenness,
    find_movement,
    is_motion_blurred,
    sharpen,
)
from vision.patches.cut import Pyramid

TILE_PX = 60
SIDE_PX = 4 * TILE_PX


@dataclass(frozen=True)
class Outline:
    """Outline of a city in a photo."""

    corners_px: Floats
    tile_px: float = TILE_PX


CITY = Outline(floats([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]]))


def city() -> Image:
    faces = list(Face)
    tiles = [tile_picture(faces[n % 9], TILE_PX) for n in range(16)]
    rows = [np.hstack([tile[..., :3] for tile in tiles[4 * r : 4 * r + 4]]) for r in range(4)]
    return np.ascontiguousarray(np.vstack(rows))


def moved(image: Image, length_px: float, angle: float) -> Image:
    """Return an image as a camera takes it that moves evenly along a line."""
    height, width = image.shape[:2]
    steps = np.linspace(-0.5, 0.5, 41) * length_px
    shifts = [(float(s * np.cos(angle)), float(s * np.sin(angle))) for s in steps]
    total = np.zeros(image.shape)
    for x, y in shifts:
        shift = np.array([[1, 0, x], [0, 1, y]])
        total += cv2.warpAffine(
            image.astype(np.float32), shift, (width, height), borderMode=cv2.BORDER_REFLECT_101
        )
    return np.asarray(np.round(total / len(shifts)), np.uint8)


def test_edges_of_still_photo_are_even_and_outer_grids_ignored() -> None:
    still, beyond = Pyramid(city()), floats([3 * SIDE_PX, 3 * SIDE_PX])
    beside = [Outline(floats(CITY.corners_px + beyond)), Outline(floats(-CITY.corners_px - beyond))]
    assert edge_evenness(still, [CITY, *beside]) == edge_evenness(still, [CITY])
    assert edge_evenness(still, beside[:1]) == 0.0


def test_edges_across_a_movement_are_weak() -> None:
    assert not is_motion_blurred(Pyramid(city()), [CITY])
    assert is_motion_blurred(Pyramid(moved(city(), 15, 0.0)), [CITY])


@given(length_px=st.floats(6, 20), angle=st.floats(0, np.pi))
def test_movement_is_found_to_a_pixel(length_px: float, angle: float) -> None:
    found = find_movement(Pyramid(moved(city(), length_px, angle)), [CITY])
    assert found is not None
    assert found.depth > MIN_GRID_DEPTH
    there = np.array([np.cos(angle), np.sin(angle)]) * length_px
    here = np.array([found.x_px, found.y_px])
    assert min(np.linalg.norm(here - there), np.linalg.norm(here + there)) < 1


@pytest.mark.parametrize("sigma_px", [0.0, 1.0, 3.0])
def test_still_photo_shows_no_movement_even_out_of_focus(sigma_px: float) -> None:
    image = city() if not sigma_px else cv2.GaussianBlur(city(), (0, 0), sigma_px)
    found = find_movement(Pyramid(np.asarray(image, np.uint8)), [CITY])
    assert found is not None
    assert found.depth < MIN_GRID_DEPTH


def test_movement_of_large_tiles_is_measured_in_the_image() -> None:
    large = np.asarray(cv2.resize(city(), None, fx=4, fy=4), np.uint8)
    outline = Outline(floats(4 * CITY.corners_px), 4 * TILE_PX)
    found = find_movement(Pyramid(moved(large, 48, 0.5)), [outline])
    assert found is not None
    assert found.length_px == pytest.approx(48, abs=3)


def test_photo_smaller_than_a_block_shows_no_movement() -> None:
    small = np.asarray(cv2.resize(city(), (90, 90)), np.uint8)
    assert find_movement(Pyramid(small), [Outline(floats(CITY.corners_px * 0.375), 22.5)]) is None


def test_tiles_of_few_pixels_show_no_movement() -> None:
    small = np.asarray(cv2.resize(city(), (160, 160)), np.uint8)
    outline = Outline(floats(CITY.corners_px * 0.2), TILE_PX * 0.2)
    assert find_movement(Pyramid(small), [outline]) is None


@given(length_px=st.floats(6, 16), angle=st.floats(0, np.pi))
def test_sharpened_photo_is_nearer_to_the_still_one(length_px: float, angle: float) -> None:
    blurred = moved(city(), length_px, angle)
    movement = find_movement(Pyramid(blurred), [CITY])
    assert movement is not None
    inner = np.s_[TILE_PX:-TILE_PX, TILE_PX:-TILE_PX]
    before = np.abs(blurred[inner].astype(float) - city()[inner]).mean()
    after = np.abs(sharpen(blurred, movement)[inner].astype(float) - city()[inner]).mean()
    assert after < 0.7 * before
