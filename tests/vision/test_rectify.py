"""Cutting tiles out of a photo: the crop is what lies under the quad, read upright."""

import cv2
import numpy as np
import pytest
from likeness import likeness
from vision.networks import EMBLEM_SIZE_PX, EMBLEM_WINDOW, FACE_MARGIN, FACE_SIZE_PX
from vision.stems import in_patches

from scoring.faces import Face
from vision.arrays import Corners, Image, floats
from vision.editions.own import face_picture
from vision.pyramid import Pyramid
from vision.rectify import crop_patches, crop_window, crop_windows, emblem_crop, face_crop, in_tiles

WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)


def outline(left: int, top: int, size: int) -> Corners:
    """The outer edge of ``size`` x ``size`` pixels; (0, 0) is the centre of the top left pixel."""
    corners = floats([[0, 0], [size, 0], [size, size], [0, size]])
    return corners + floats([left, top]) - np.float32(0.5)


def noise_picture(seed: int, height: int, width: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def test_an_upright_quad_of_the_size_of_the_crop_is_copied_pixel_by_pixel() -> None:
    picture = noise_picture(1, 60, 80)
    crop = crop_window(picture, outline(23, 11, 32), WHOLE_TILE, 32)
    assert np.array_equal(crop, picture[11:43, 23:55])


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_tile_that_lies_turned_is_turned_back(turns: int) -> None:
    picture = noise_picture(2, 60, 60)
    quad = np.roll(outline(10, 20, 32), -turns, axis=0)
    crop = crop_window(picture, quad, WHOLE_TILE, 32)
    assert np.array_equal(crop, np.rot90(picture[20:52, 10:42], turns))


def test_a_window_is_a_part_of_the_tile() -> None:
    picture = noise_picture(3, 60, 60)
    crop = crop_window(picture, outline(10, 20, 32), (0.5, 0.25, 1.0, 0.75), 16)
    assert np.array_equal(crop, picture[28:44, 26:42])


def test_a_window_may_reach_beyond_the_tile_and_beyond_the_picture() -> None:
    picture = np.full((20, 20, 3), 50, np.uint8)
    picture[:, :10] = 200
    crop = crop_window(picture, outline(0, 0, 20), (-0.5, 0.0, 0.5, 1.0), 20)
    assert (crop == 200).all(), "the edge of the picture goes on"


def test_a_tile_seen_aslant_comes_out_straight() -> None:
    drawn = face_picture(Face.PARK, 96)
    quad = floats([[40, 30], [118, 44], [102, 130], [22, 104]])
    warp = cv2.getPerspectiveTransform(floats([[0, 0], [96, 0], [96, 96], [0, 96]]) - 0.5, quad)
    photo = np.asarray(cv2.warpPerspective(drawn, warp, (160, 160)), np.uint8)
    crop = crop_window(photo, quad, WHOLE_TILE, 48)
    assert likeness(crop, face_picture(Face.PARK, 48)) > 0.95


@pytest.mark.parametrize("as_pyramid", [False, True])
def test_many_tiles_cut_out_at_once_look_as_each_alone(as_pyramid: bool) -> None:
    image = noise_picture(4, 300, 400)
    picture = Pyramid.of(image) if as_pyramid else image
    quads = [outline(10, 20, 40), outline(100, 90, 150), outline(60, 200, 33)[[1, 2, 3, 0]]]
    together = crop_windows(picture, quads, (-0.1, -0.1, 1.1, 1.1), 32)
    for quad, crop in zip(quads, together, strict=True):
        assert np.array_equal(crop, crop_window(picture, quad, (-0.1, -0.1, 1.1, 1.1), 32))


@pytest.mark.parametrize("as_pyramid", [False, True])
def test_crops_in_patches_have_the_pixels_of_crops(as_pyramid: bool) -> None:
    image = noise_picture(5, 300, 400)
    picture = Pyramid.of(image) if as_pyramid else image
    quads = [outline(10, 20, 40), outline(100, 90, 150)]
    crops = crop_windows(picture, quads, WHOLE_TILE, 24)
    patches = crop_patches(picture, quads, WHOLE_TILE, 24, 3)
    assert np.array_equal(patches, in_patches(crops, 3))


@pytest.mark.parametrize("as_pyramid", [False, True])
def test_of_no_tile_nothing_is_cut_out(as_pyramid: bool) -> None:
    image = noise_picture(3, 60, 80)
    picture = Pyramid.of(image) if as_pyramid else image
    assert crop_patches(picture, [], WHOLE_TILE, 24, 3).shape == (0, 64, 27)


def test_points_of_a_tile_lie_where_perspective_puts_them() -> None:
    quads = floats([[[40, 30], [118, 44], [102, 130], [22, 104]], outline(7, 8, 50)])
    points = floats([[[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]] * 2)
    found = in_tiles(points, quads)
    assert np.allclose(found[:, :4], quads, atol=1e-3)
    first, second, third, fourth = quads[0].astype(float)
    way, other = third - first, fourth - second  # the middle lies where the diagonals cross
    along = np.linalg.solve(np.column_stack([way, -other]), second - first)[0]
    assert np.allclose(found[0, 4], first + along * way, atol=1e-3)
    assert np.allclose(found[1, 4], quads[1].mean(axis=0), atol=1e-3)


def test_lines_too_fine_for_the_crop_become_grey_instead_of_a_pattern() -> None:
    picture = np.zeros((128, 128, 3), np.uint8)
    picture[::4] = 255  # one line for each row of the crop, beside the row's middle
    crop = crop_window(picture, outline(0, 0, 128), WHOLE_TILE, 32)
    assert np.abs(crop.astype(int) - 255 // 4).max() <= 2


def test_a_face_crop_shows_the_tile_with_its_margin() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[60:140, 50:130] = 255
    crop = face_crop(picture, outline(50, 60, 80))
    assert crop.shape == (FACE_SIZE_PX, FACE_SIZE_PX, 3)
    margin_px = FACE_SIZE_PX * FACE_MARGIN / (1 + 2 * FACE_MARGIN)
    inner = slice(int(margin_px) + 2, -int(margin_px) - 2)
    assert (crop[inner, inner] == 255).all()
    outer = np.ones((FACE_SIZE_PX, FACE_SIZE_PX), bool)
    outer[int(margin_px) - 1 : -int(margin_px) + 1, int(margin_px) - 1 : -int(margin_px) + 1] = (
        False
    )
    assert not crop[outer].any()


def test_an_emblem_crop_shows_the_top_left_of_the_tile() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    right, bottom = (round(100 * side) for side in EMBLEM_WINDOW[2:])
    picture[40 : 40 + bottom, 30 : 30 + right] = (10, 120, 230)
    crop = emblem_crop(picture, outline(30, 40, 100))
    assert crop.shape == (EMBLEM_SIZE_PX, EMBLEM_SIZE_PX, 3)
    inner = crop[1:-1, 1:-1].astype(int)  # at the edge the pixels beyond shine in
    assert np.abs(inner - (10, 120, 230)).max() <= 1
