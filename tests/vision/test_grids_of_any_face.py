"""Grids of a table whose faces have no names yet."""

from functools import cache

import numpy as np

from scoring.faces import Face
from tests.vision.cities import STANDARD, table_of_cities
from tests.vision.pictured import CLEAN
from vision.editions.model import empty_model
from vision.patches.cut import Pyramid, embed_quads
from vision.teaching.grids_of_any_face import find_grids_by_faces
from vision.teaching.tile_groups import group_tiles

CITY = [(2 * list(Face))[start : start + 4] for start in range(4)]
MODEL = empty_model(STANDARD.description)


def off_true_tiles(quads_px, truth):
    """Return how far tiles are off the nearest true ones, in pixels."""
    true = np.array([q for city in truth["cities"] for q in city["tile_corners_px"]]).mean(axis=1)
    return np.linalg.norm(quads_px.mean(axis=1)[:, None] - true, axis=2).min(axis=1)


@cache
def table():
    """Two cities of the same tiles."""
    return table_of_cities(4, [CITY] * 2, (1024, 576), CLEAN, things=())


def test_all_tiles_of_unknown_faces_are_found():
    groups = group_tiles(Pyramid(table().image), MODEL)
    assert len(groups.quads_px) == 32
    assert groups.is_size_confirmed
    assert off_true_tiles(groups.quads_px, table().truth).max() < table().tile_px / 4


def test_other_cities_are_found_by_the_faces_of_one():
    pyramid = Pyramid(table().image)
    quads = np.array(table().truth["cities"][0]["tile_corners_px"], np.float32)
    names = [str(face) for row in CITY for face in row]
    grids = find_grids_by_faces(pyramid, quads, embed_quads(pyramid, quads), names, MODEL)
    found = np.concatenate([each.quads_px for each in grids])
    assert len(found) == 32
    assert off_true_tiles(found, table().truth).max() < table().tile_px / 4
