"""Reasons why a city is hard to read."""

import cv2
import numpy as np

from scoring.faces import Face
from vision.arrays import Image, floats
from vision.editions.built_in import tile_picture
from vision.eye.photo_quality import grid_quality_note
from vision.reading import NoteCode, note

SIDE_PX = 240
OUTLINE = floats([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]])


def city() -> Image:
    faces = list(Face)
    tiles = [tile_picture(faces[n % 9], 60) for n in range(16)]
    rows = [np.hstack([tile[..., :3] for tile in tiles[4 * r : 4 * r + 4]]) for r in range(4)]
    return np.ascontiguousarray(np.vstack(rows))


def test_dark_cities_want_light_and_blurred_ones_focus() -> None:
    assert grid_quality_note(city(), OUTLINE, 60.0) is None
    dark = np.asarray(city() // 6, np.uint8)
    assert grid_quality_note(dark, OUTLINE, 60.0) == note(NoteCode.TOO_DARK)
    blurred = np.asarray(cv2.GaussianBlur(city(), (0, 0), 6), np.uint8)
    assert grid_quality_note(blurred, OUTLINE, 60.0) == note(NoteCode.OUT_OF_FOCUS)
