"""Pictures of tiles that are kept to tell later whether the very tile still lies there."""

import base64

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.patches.comparison import (
    MAX_OTHER_TILE_COSINE,
    MIN_SAME_TILE_COSINE,
    cut_patch,
    patch_from_text,
    patch_similarity,
    patch_to_text,
)

SIDE = 60


def photo_of(face: str) -> np.ndarray:
    """A table with one upright tile at (40, 30)."""
    photo = np.full((130, 150, 3), 90, np.uint8)
    picture = built_in_edition(BETWEEN_TWO_CITIES).pictures[face][0]
    photo[30 : 30 + SIDE, 40 : 40 + SIDE] = cv2.resize(
        picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA
    )
    return photo


def quad_at(x: float, y: float, side: float) -> np.ndarray:
    return floats([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def patch_of(face: str) -> np.ndarray:
    patch = cut_patch(photo_of(face), quad_at(40, 30, SIDE))
    assert patch is not None
    return patch


def test_patch_of_a_darker_and_smaller_photo_shows_the_same_tile():
    photo = cv2.resize(photo_of("park"), None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    patch = cut_patch((photo * 0.6).astype(np.uint8), quad_at(28, 21, 0.7 * SIDE))
    assert patch_similarity(patch_of("park"), patch) > MIN_SAME_TILE_COSINE


def test_patch_of_a_turned_photo_shows_the_same_tile():
    turned = cv2.rotate(photo_of("office"), cv2.ROTATE_180)
    patch = cut_patch(turned, np.roll(quad_at(49, 39, SIDE), 2, axis=0))
    assert patch_similarity(patch_of("office"), patch) > MIN_SAME_TILE_COSINE


def test_patches_of_two_faces_show_two_tiles():
    assert patch_similarity(patch_of("park"), patch_of("shop")) < MAX_OTHER_TILE_COSINE


def test_patches_of_two_taverns_do_not_surely_show_one_tile():
    assert patch_similarity(patch_of("tavern-food"), patch_of("tavern-bed")) < MIN_SAME_TILE_COSINE


@pytest.mark.parametrize("x", [40.0, 400.0])
def test_no_patch_is_cut_without_extent_or_outside(x):
    assert cut_patch(photo_of("park"), quad_at(x, 30, 0 if x == 40 else SIDE)) is None


def test_patch_is_decoded_as_it_was():
    patch = patch_of("house")
    assert patch_similarity(patch, patch_from_text(patch_to_text(patch))) > MIN_SAME_TILE_COSINE


def large_picture() -> str:
    return base64.b64encode(cv2.imencode(".jpg", np.zeros((900, 900, 3)))[1].tobytes()).decode()


@pytest.mark.parametrize("text", ["", "no base64!", "////", large_picture(), "A" * 50_000])
def test_text_that_is_no_patch_is_refused(text):
    assert patch_from_text(text) is None
