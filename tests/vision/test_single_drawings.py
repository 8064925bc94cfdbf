"""Faces known by one tile alone, in a game whose other faces have several drawings."""

from functools import cache

import cv2
import pytest

from tests.vision.laid_out import learned_layout_of, photo_of_layout
from tests.vision.pictured import described, drawn_face
from vision.editions.description import TileTurns
from vision.eye import grid_faces
from vision.eye.read import read_tiles
from vision.eye.votes import collect_votes

FACES = "abcdefgh"
TABLE = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("c", "g", "d", "b*"), ("b", "f", "g", "h"))
CROWNED = (2, 3)
"""Place of the tile that is drawn like a taught one, with two more emblems."""


def crowned(drawing, crowns):
    tile = drawn_face(drawing)
    for number in range(crowns):
        centre = (100 - number * 44, 26)
        cv2.circle(tile, centre, 18, (250, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(tile, centre, 12, (40, 40, 200), -1, cv2.LINE_AA)
    return tile


PICTURES = {
    **{name: drawn_face(number + 1) for number, name in enumerate(FACES)},
    "b": crowned(2, 1),
    "b*": crowned(2, 3),
    "a2": drawn_face(30),
}


@cache
def edition_taught(last):
    """Return an edition taught by a photo whose last row shows these."""
    layout = (("a", "b", "c", "d"), ("e", "f", "g", "h"), last)
    photo, _ = photo_of_layout(PICTURES, layout, tile_px=110)
    names = tuple(tuple(drawing[0] for drawing in row) for row in layout)
    description = described(tuple(FACES), tile_turns=TileTurns.UPRIGHT)
    return learned_layout_of(description, photo, None, names).edition


def read_table(edition):
    photo, _ = photo_of_layout(PICTURES, TABLE, tile_px=70)
    (grid,) = read_tiles(photo, edition).grids
    return grid


@cache
def unsure_places(last):
    return read_table(edition_taught(last)).unsure


def test_tile_with_more_emblems_is_asked_about():
    assert CROWNED in unsure_places(("a2", "c", "d", "e"))


@pytest.mark.parametrize("last", [("a2", "c", "d", "e"), ("a", "c", "d", "e")])
def test_tiles_drawn_as_taught_stay_sure(last):
    assert set(unsure_places(last)) <= {CROWNED}


def test_tile_with_more_emblems_gets_no_vote(monkeypatch):
    seen = []

    def collect(tiles, confidence, window_minimum):
        seen.append(window_minimum)
        return collect_votes(tiles, confidence, window_minimum)

    monkeypatch.setattr(grid_faces, "collect_votes", collect)
    read_table(edition_taught(("a2", "c", "d", "e")))
    (window_minimum,) = seen
    row, column = CROWNED
    assert window_minimum[row * len(TABLE[0]) + column] == 0
