"""Faces that look alike but for a number: where that can hardly be read, it is asked about."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.refusals import refused
from tests.vision.laid_out import learned_layout_of, photo_of_layout
from tests.vision.pictured import NAMES, described, drawn_face
from vision.editions.description import TileTurns
from vision.errors import PhotoError
from vision.eye.read import read_tiles

NUMBERS = ("3", "5", "6", "8")
LAYOUT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("i", "j", "k", "l"))
TABLE = (*LAYOUT, ("d", "g", "j", "a"))


def numbered(number, drawing):
    """Return one of three drawings with a number on it."""
    tile = drawn_face(drawing + 1)
    cv2.putText(tile, number, (10, 66), cv2.FONT_HERSHEY_DUPLEX, 2.0, (250, 250, 250), 4)
    return tile


PICTURES = {name: numbered(NUMBERS[number % 4], number // 4) for number, name in enumerate(NAMES)}


@cache
def taught():
    photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
    return learned_layout_of(described(tile_turns=TileTurns.UPRIGHT), photo, None, LAYOUT).edition


def read_blurred(sigma, tile_px):
    """The table as a camera sees it that is a little out of focus."""
    photo, _ = photo_of_layout(PICTURES, TABLE, tile_px=tile_px)
    image = cv2.GaussianBlur(photo.image_bgr, (0, 0), sigma * tile_px / 70)
    (grid,) = read_tiles(replace(photo, image_bgr=np.asarray(image, np.uint8)), taught()).grids
    return grid


def wrong_in(grid):
    return {
        (row, column)
        for row, column in np.ndindex(4, 4)
        if grid.faces[row][column] != TABLE[row][column]
    }


@pytest.mark.parametrize("tile_px", [60, 80, 100])
def test_numbers_are_distinguished(tile_px):
    grid = read_blurred(1.0, tile_px)
    assert wrong_in(grid) <= set(grid.unsure)
    assert len(grid.unsure) <= 2


def asks_about_what_is_wrong(sigma, tile_px):
    """Return whether wrong numbers are asked about, or a photo without a clear one is refused."""
    try:
        grid = read_blurred(sigma, tile_px)
    except PhotoError as error:
        return error.code == "photo-blurred"
    return wrong_in(grid) <= set(grid.unsure)


@pytest.mark.parametrize("tile_px", [50, 60, 70, 80])
@pytest.mark.parametrize("sigma", [1.5, 2.0, 2.3])
def test_numbers_that_can_hardly_be_read_are_asked_about(tile_px, sigma):
    assert asks_about_what_is_wrong(sigma, tile_px)


def test_a_further_photo_of_them_is_taken_but_not_under_exchanged_names():
    photo, corners = photo_of_layout(PICTURES, LAYOUT, tile_px=120)
    before = taught()
    added = learned_layout_of(before.description, photo, corners, LAYOUT, before).edition
    assert len(added.model.references.face_index) > len(before.model.references.face_index)
    exchanged = (("b", "a", *LAYOUT[0][2:]), *LAYOUT[1:])
    with refused("teach-alike"):
        learned_layout_of(before.description, photo, corners, exchanged, before)
