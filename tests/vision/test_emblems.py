"""Faces that look alike but for a number: where that can hardly be read, it is asked about."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from laid_out import lesson_of, photo_of_layout
from pictured import NAMES, described, drawn_face

from tests.refusals import refused
from vision.editions.description import Turned
from vision.eye.read import read_tiles

NUMBERS = ("3", "5", "6", "8")
LAYOUT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("i", "j", "k", "l"))
TABLE = (*LAYOUT, ("d", "g", "j", "a"))
HARDLY_READABLE = [(1.5, 50), (1.5, 60), (1.5, 70), (1.5, 80), (2.0, 50), (2.3, 50)]
UNREADABLE = [(2.0, 60), (2.0, 70), (2.0, 80), (2.3, 60), (2.3, 70), (2.3, 80)]
"""Blurs, in pixels at 70 pixels a tile, and sizes of tiles; with the latter no tile is sure."""


def numbered(number, drawing):
    """Return one of three drawings with a number on it."""
    tile = drawn_face(drawing + 1)
    cv2.putText(tile, number, (10, 66), cv2.FONT_HERSHEY_DUPLEX, 2.0, (250, 250, 250), 4)
    return tile


PICTURES = {name: numbered(NUMBERS[number % 4], number // 4) for number, name in enumerate(NAMES)}


@cache
def taught():
    photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
    return lesson_of(described(turned=Turned.UPRIGHT), photo, None, LAYOUT).edition


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


@pytest.mark.parametrize(("sigma", "tile_px"), HARDLY_READABLE)
def test_numbers_that_can_hardly_be_read_are_asked_about(sigma, tile_px):
    grid = read_blurred(sigma, tile_px)
    assert wrong_in(grid) <= set(grid.unsure)


@pytest.mark.parametrize(("sigma", "tile_px"), UNREADABLE)
def test_a_photo_in_which_no_number_is_clear_is_refused(sigma, tile_px):
    with refused("photo-blurred"):
        read_blurred(sigma, tile_px)


def test_a_further_photo_of_them_is_taken_but_not_under_exchanged_names():
    photo, corners = photo_of_layout(PICTURES, LAYOUT, tile_px=120)
    before = taught()
    added = lesson_of(before.description, photo, corners, LAYOUT, before).edition
    assert len(added.model.references.face_index) > len(before.model.references.face_index)
    exchanged = (("b", "a", *LAYOUT[0][2:]), *LAYOUT[1:])
    with refused("teach-alike"):
        lesson_of(before.description, photo, corners, exchanged, before)
