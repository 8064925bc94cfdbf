"""Where the outline of a figure fits its paint: as a plain search over all places finds it."""

import numpy as np
import pytest

from vision.arrays import floats
from vision.boards.figure_outline import TOKEN_PX, Standing
from vision.boards.footprint import Footprint
from vision.boards.hue import purest
from vision.boards.paint_fits import NO_FIT, PaintFits, Rooms
from vision.editions.folder import own_edition

DESCRIPTION = own_edition("cities").description
TOKEN = DESCRIPTION.tokens[0]
MARGIN = 0.25
CORNERS = [(row, column) for row in (0.0, 1.0) for column in (0.0, 1.0)]
SIDE = round((2 + 2 * MARGIN) * TOKEN_PX)
CAMERA = (1.0, 3.5, 3.0)
"""It sees figures lean upwards, the farther up the more."""
STANDING = Standing(DESCRIPTION, CAMERA, MARGIN)


def rooms():
    return Rooms.of(CORNERS, TOKEN, STANDING)


def painted(*feet):
    """A picture of figures that stand there, in tile edges."""
    paint = np.zeros((SIDE, SIDE), np.uint8)
    for foot in feet:
        spot = STANDING.spot(TOKEN, (float(foot[0]), float(foot[1])))
        paint.put(spot.under(paint.shape), 1)
    return paint


class TestFootprint:
    MASK = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]], np.uint8)

    @pytest.mark.parametrize("foot", [(4, 3), (0, 0), (9, 6), (0, 6), (9, 3)])
    def test_it_is_the_part_of_a_mask_inside_the_picture(self, foot):
        wide = np.zeros((9, 12), np.uint8)
        wide[foot[1] : foot[1] + 3, foot[0] : foot[0] + 3] = self.MASK
        picture = np.zeros((7, 10), np.uint8)
        picture.put(Footprint.of(self.MASK).pixels(foot, picture.shape), 1)
        assert picture.tolist() == wide[1:8, 1:11].tolist()

    def test_a_picture_of_another_width_has_other_numbers(self):
        footprint = Footprint.of(self.MASK)
        assert footprint.pixels((1, 1), (3, 3)).tolist() == [1, 4, 5, 6]
        assert footprint.pixels((1, 1), (3, 5)).tolist() == [1, 6, 7, 10]


class TestPaintFits:
    def test_shares_are_those_of_a_count_at_each_pixel(self):
        paint = (np.random.default_rng(3).random((SIDE, SIDE)) < 0.4).astype(np.uint8)
        room = rooms()
        wider = np.pad(paint, room.border)
        for number, (top, left) in enumerate(room.corners_px.tolist()):
            shares, shape = room.shares(wider, number), room.shapes[number]
            assert shares.shape == (TOKEN_PX, TOKEN_PX)
            for y, x in ((0, 0), (0, TOKEN_PX - 1), (17, 23), (TOKEN_PX - 1, TOKEN_PX - 1)):
                under = shape.under.pixels((left + x, top + y), paint.shape)
                assert shares[y, x] == np.float32(np.count_nonzero(paint.take(under)) / shape.area)

    def test_figures_are_found_one_after_the_other_whatever_was_taken_away(self):
        feet = [(0.3, 0.4), (0.9, 0.95), (1.6, 0.5), (1.4, 1.7)]
        fits, found = PaintFits(painted(*feet), rooms(), 0.3), []
        for _ in feet:
            share, foot = fits.best()
            assert share > 0.8
            found.append(foot)
            fits.take_away(STANDING.spot(TOKEN, foot))
        assert np.allclose(sorted(found), sorted(feet), atol=0.06)
        assert fits.best() == NO_FIT

    @pytest.mark.parametrize("seed", range(8))
    def test_after_each_the_rest_fits_as_in_a_picture_of_the_rest(self, seed):
        paint, room = painted(*np.random.default_rng(seed).random((14, 2)) * 2), rooms()
        least = 0.1
        fits = PaintFits(paint, room, least)
        for _ in range(40):
            best = fits.best()
            assert PaintFits(paint, room, least).best() == best
            spot = STANDING.spot(TOKEN, best[1])
            fits.take_away(spot)
            spot.erase(paint)


def test_the_purest_colours_of_groups_are_told_apart():
    greys = np.full((8, 3), 100, np.float32)
    reds = np.tile(floats([20, 20, 200]), (4, 1))
    colours = np.concatenate([greys, reds, reds[:, ::-1]])
    groups = [np.arange(8, 12), np.array([12, 14, 15]), np.arange(8)]
    pure = purest(colours, groups)
    assert np.allclose(pure, [[0.1, 0.1, 1], [1, 0.1, 0.1], [1, 1, 1]])
