"""Cutting tiles out of a photo: a quad or a region of it, read upright."""

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.vision.likeness import likeness
from vision.arrays import Corners, Image, floats
from vision.editions.built_in import tile_picture
from vision.patches.cut import WHOLE_QUAD, cut_upright


def outline(left: int, top: int, size: int) -> Corners:
    """The outer edge of ``size`` x ``size`` pixels; (0, 0) is the centre of the top left pixel."""
    corners = floats([[0, 0], [size, 0], [size, size], [0, size]])
    return corners + floats([left, top]) - np.float32(0.5)


def noise_picture(seed: int, height: int, width: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def test_upright_quad_of_equal_size_is_copied_exactly() -> None:
    picture = noise_picture(1, 60, 80)
    cut = cut_upright(picture, outline(23, 11, 32), WHOLE_QUAD, 32)
    assert np.array_equal(cut, picture[11:43, 23:55])
    picture = noise_picture(3, 60, 60)
    cut = cut_upright(picture, outline(10, 20, 32), (0.5, 0.25, 1.0, 0.75), 16)
    assert np.array_equal(cut, picture[28:44, 26:42])
    picture = np.full((20, 20, 3), 50, np.uint8)
    picture[:, :10] = 200
    cut = cut_upright(picture, outline(0, 0, 20), (-0.5, 0.0, 0.5, 1.0), 20)
    assert (cut == 200).all(), "the edge of the picture goes on"


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_tile_that_lies_turned_is_turned_back(turns: int) -> None:
    picture = noise_picture(2, 60, 60)
    quad = np.roll(outline(10, 20, 32), -turns, axis=0)
    cut = cut_upright(picture, quad, WHOLE_QUAD, 32)
    assert np.array_equal(cut, np.rot90(picture[20:52, 10:42], turns))


def test_a_tile_seen_aslant_comes_out_straight() -> None:
    drawn = tile_picture(Face.PARK, 96)
    quad = floats([[40, 30], [118, 44], [102, 130], [22, 104]])
    warp = cv2.getPerspectiveTransform(floats([[0, 0], [96, 0], [96, 96], [0, 96]]) - 0.5, quad)
    photo = np.asarray(cv2.warpPerspective(drawn, warp, (160, 160)), np.uint8)
    cut = cut_upright(photo, quad, WHOLE_QUAD, 48)
    assert likeness(cut, tile_picture(Face.PARK, 48)) > 0.95


def test_lines_too_fine_for_the_cut_become_grey_instead_of_a_pattern() -> None:
    picture = np.zeros((128, 128, 3), np.uint8)
    picture[::4] = 255  # one line for each row of the cut, beside the row's middle
    cut = cut_upright(picture, outline(0, 0, 128), WHOLE_QUAD, 32)
    assert np.abs(cut.astype(int) - 255 // 4).max() <= 2
