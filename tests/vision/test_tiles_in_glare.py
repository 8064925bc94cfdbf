"""Tiles in glare: where light hides the print, nobody can be sure what lies there."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.laid_out import learned_layout_of, photo_of_layout
from tests.vision.pictured import NAMES, described, drawn_face
from vision.arrays import floats
from vision.eye.read import read_tiles
from vision.patches.cut import UNIT_SQUARE, points_in_quads

LAYOUT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("i", "j", "k", "l"))
TABLE = (*LAYOUT, ("d", "g", "j", "a"))
PLAIN = "a"


def plain_face():
    """Return a grey tile with a small dark dot in a corner."""
    tile = np.full_like(drawn_face(1), 120)
    return cv2.circle(tile, (15, 15), 6, (40, 40, 40), -1)


PICTURES = {name: drawn_face(number + 1) for number, name in enumerate(NAMES)} | {
    PLAIN: plain_face()
}


@cache
def taught():
    photo, corners = photo_of_layout(PICTURES, LAYOUT, tile_px=90)
    return learned_layout_of(described(), photo, corners, LAYOUT).edition


def read_with_white_tile(row, column):
    """Return the grid of the table's photo in which one tile is white, but for its edges."""
    photo, corners = photo_of_layout(PICTURES, TABLE, tile_px=90)
    image = photo.image_bgr.copy()
    inside = 0.04 + 0.92 * UNIT_SQUARE
    quad = points_in_quads(floats(corners)[None], (inside + floats([column, row]))[None] / 4)[0]
    cv2.fillConvexPoly(image, np.rint(quad).astype(np.int32), (255, 255, 255))
    (grid,) = read_tiles(replace(photo, image_bgr=image), taught()).grids
    return grid


@pytest.mark.parametrize("column", range(4))
def test_white_tile_is_asked_about_though_it_resembles_a_plain_face(column):
    grid = read_with_white_tile(3, column)
    assert grid.faces[3][column] == PLAIN
    assert grid.unsure == ((3, column),)
