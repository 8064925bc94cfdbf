"""Way up of grids whose tiles differ little when they are turned."""

import cv2
import numpy as np

from tests.vision.laid_out import learned_layout_of, photo_of_layout
from tests.vision.pictured import described, drawn_face
from vision.editions.description import TileTurns
from vision.eye.read import read_tiles

FACES = "abcdefgh"
TAUGHT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("a", "c", "e", "g"), ("b", "d", "f", "h"))
TABLE = (("h", "d", "c", "a"), ("b", "f", "e", "g"), ("c", "h", "d", "b"), ("a", "f", "g", "e"))
FRAME = (60, 214, 250)


def frame():
    tile = np.full((128, 128, 3), FRAME, np.uint8)
    return cv2.rectangle(tile, (2, 2), (125, 125), (60, 60, 60), 2)


def framed(number):
    """A small drawing in a broad frame."""
    tile = frame()
    tile[38:90, 38:90] = cv2.resize(drawn_face(number + 1), (52, 52), interpolation=cv2.INTER_AREA)
    return tile


def ringed(number):
    """Rings, which look the same in any turn."""
    tile = frame()
    for radius in range(8 + 3 * number, 60, 14 + 2 * number):
        cv2.circle(tile, (64, 64), radius, (60, 40, 150), 4, cv2.LINE_AA)
    return tile


def read_table(draw):
    pictures = {name: draw(number) for number, name in enumerate(FACES)}
    photo, corners = photo_of_layout(pictures, TAUGHT, tile_px=110)
    description = described(tuple(FACES), tile_turns=TileTurns.UPRIGHT)
    edition = learned_layout_of(description, photo, corners, TAUGHT).edition
    photo, _ = photo_of_layout(pictures, TABLE, tile_px=70)
    (grid,) = read_tiles(photo, edition).grids
    return grid


def test_way_up_is_clear_for_small_drawings_in_broad_frames():
    grid = read_table(framed)
    assert grid.faces == TABLE
    assert not grid.unsure


def test_way_up_is_unclear_for_symmetric_drawings():
    assert len(read_table(ringed).unsure) == 16
