"""The one-bit picture of a tile that is not sure."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.report.place_pictures import place_bitmap, quad_bitmap
from firmware.scan.make_scan import make_unscored_scan
from firmware.screens.dithering import to_bitmap
from firmware.screens.view import CROP_SIDE, Bitmap
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    FULL_BOARD,
    blocks,
    city,
    piece,
    reading,
)
from tests.firmware.samples import example, square
from vision.photo.load import Photo
from vision.reading import Place, PlaceKind

SIDE = 150
SIZE = (CROP_SIDE, CROP_SIDE)


def shown_at(photo, scan, place):
    return place_bitmap(photo, scan.reading, scan.description, place)


def lit(bitmap: Bitmap) -> np.ndarray:
    return np.array(Image.frombytes("1", bitmap.size_wh, bitmap.bits))


def grey(level: np.ndarray) -> np.ndarray:
    return np.dstack([level.astype(np.uint8)] * 3)


def ramp() -> np.ndarray:
    return grey(np.tile(np.linspace(0, 255, SIDE), (SIDE, 1)))


def photo_of(image_bgr: np.ndarray, scale: int = 1) -> Photo:
    height, width = image_bgr.shape[:2]
    return Photo(image_bgr, "table.jpg", (width * scale, height * scale), scale)


class TestOneBit:
    def test_the_lighter_the_more_is_lit(self):
        columns = lit(to_bitmap(ramp(), SIZE)).mean(axis=0)
        thirds = columns[:13].mean(), columns[13:25].mean(), columns[25:].mean()
        assert thirds[0] < 0.25 < thirds[1] < 0.75 < thirds[2]

    @pytest.mark.parametrize(("dark", "light"), [(0, 60), (90, 110), (200, 255)])
    def test_a_dim_or_pale_emblem_is_as_clear_as_a_strong_one(self, dark, light):
        level = np.full((SIDE, SIDE), light)
        level[45:105, 45:105] = dark
        shown = lit(to_bitmap(grey(level), SIZE))
        assert shown[15:23, 15:23].mean() < 0.1
        assert shown[2:8].mean() > 0.9

    @pytest.mark.parametrize("level", [0, 128, 255])
    def test_a_surface_of_one_colour_is_no_error(self, level):
        assert to_bitmap(grey(np.full((SIDE, SIDE), level)), SIZE).size_wh == (CROP_SIDE, CROP_SIDE)


class TestTileCrop:
    @pytest.mark.parametrize("turn", [0, 33, 90, 180, 251])
    def test_shows_the_tile_upright_however_it_lies(self, turn):
        image = np.full((400, 400, 3), 128, np.uint8)
        quad = square((200, 200), 120, turn)
        corners = np.array(quad)
        upper = np.array(
            [corners[0], corners[1], corners[1:3].mean(axis=0), corners[[0, 3]].mean(axis=0)]
        )
        cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (255, 255, 255))
        cv2.fillConvexPoly(image, np.round(upper).astype(np.int32), (0, 0, 0))
        shown = lit(quad_bitmap(photo_of(image), quad))
        assert shown[4:15, 4:-4].mean() < 0.1
        assert shown[-15:-4, 4:-4].mean() > 0.9

    def test_takes_the_corners_in_pixels_of_the_full_photo(self):
        image = np.full((400, 400, 3), 255, np.uint8)
        cv2.circle(image, (200, 200), 25, (0, 0, 0), -1)
        small = quad_bitmap(photo_of(image), square((200, 200), 100, 0))
        large = quad_bitmap(photo_of(image, scale=4), square((801.5, 801.5), 400, 0))
        assert (lit(small) == lit(large)).mean() > 0.97


class TestPlacePictures:
    PHOTO = photo_of(np.full((1296, 2304, 3), 99, np.uint8))

    def test_are_of_any_place_however_sure(self):
        for cell in ((1, 2), (3, 3)):
            place = Place(PlaceKind.TILE, 0, cell)
            assert shown_at(self.PHOTO, example(), place).size_wh == (CROP_SIDE, CROP_SIDE)
        scan = example()
        unknown = replace(scan.reading.grids[0], tile_quads_px=((None,) * 4,) * 4)
        grids = (unknown, *scan.reading.grids[1:])
        shown = replace(scan, reading=replace(scan.reading, grids=grids))
        assert shown_at(self.PHOTO, shown, Place(PlaceKind.TILE, 0, (0, 0))) is not None
        photo = photo_of(np.full((720, 960, 3), 99, np.uint8))
        board = blocks(FULL_BOARD, piece("row", 1, 7), unsure_slots=(("row", 0), ("blue", 0)))
        scan = make_unscored_scan(reading(CITY_BLOCKS, board), CITY_BLOCKS)
        assert shown_at(photo, scan, Place(PlaceKind.LOOSE, 0, ("row", 0))) is not None
        assert shown_at(photo, scan, Place(PlaceKind.LOOSE, 0, ("blue", 0))) is None
        asked = make_unscored_scan(reading(CITIES, city(unsure_figures=((4, 4),))), CITIES)
        assert shown_at(photo, asked, Place(PlaceKind.FIGURE, 0, (4, 4))) is not None
