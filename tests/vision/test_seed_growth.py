"""A table of letter tiles, of which the locator detects hardly any, is read all the same."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.described import FREE
from tests.vision.pictured import verdict_of
from vision.editions.description import FaceDescription, TileTurns
from vision.editions.description_toml import parse_description
from vision.editions.edition import Edition
from vision.editions.learning import model_of
from vision.eye.acceptance import NO_BACKGROUND
from vision.eye.read import read_tiles
from vision.eye.seed_growth import find_tile_of_missed_grid, grow_from_tiles
from vision.lab.evaluation.verdict import GridFate
from vision.lab.simulate.simulated_photos import take_photo
from vision.patches.cut import Pyramid
from vision.photo.load import decode_photo

LETTERS = "ABCDEHKLMNTX"
SIZE_WH = (1536, 864)


def letter_tile(letter):
    """A plain tile with one letter."""
    picture = np.full((160, 160, 3), (168, 214, 236), np.uint8)
    (width, height), _ = cv2.getTextSize(letter, 0, 3.4, 12)
    at = (160 - width) // 2, (160 + height) // 2
    return cv2.putText(picture, letter, at, 0, 3.4, (20, 24, 30), 12, cv2.LINE_AA)


@cache
def letter_edition():
    """An edition of plain letter tiles, two grids of 4 x 4 at most."""
    described = replace(
        parse_description(FREE, "here"),
        faces=tuple(FaceDescription(each, (), ((each,),)) for each in LETTERS.lower()),
        rows=4,
        columns=4,
        tile_turns=TileTurns.UPRIGHT,
        tokens=(),
        most_grids=2,
    )
    return Edition(described, {each.lower(): (letter_tile(each),) for each in LETTERS})


@cache
def letter_table(condition, seed):
    """A simulated photo of letter tiles, and its truth."""
    shot = take_photo(letter_edition(), condition, seed, SIZE_WH)
    return decode_photo(shot.jpeg, "photo.jpg"), shot.truth


@pytest.mark.parametrize(("condition", "seed"), [("wide", 0), ("noise", 1)])
def test_letters_are_read_where_locator_detects_few_tiles(condition, seed):
    photo, truth = letter_table(condition, seed)
    verdict = verdict_of("reading-only", truth, read_tiles(photo, letter_edition()))
    assert all(grid.fate is GridFate.FOUND for grid in verdict.grids)
    assert not any(each.silently_wrong for grid in verdict.grids for each in grid.all_verdicts)


def one_tile(moved_tiles=0.0):
    """Return the photo of a letter table, one tile's place moved to the right, and the grid."""
    photo, truth = letter_table("normal", 2)
    corners = np.float32(truth["cities"][0]["corners_px"])
    right, down = (corners[1] - corners[0]) / 4, (corners[3] - corners[0]) / 4
    first = corners[0] + right + down + moved_tiles * right
    tile = np.float32([first, first + right, first + right + down, first + down])
    return Pyramid(photo.image_bgr), tile, corners


class TestTileOfMissedGrid:
    def find(self, moved_tiles=0.0, *, is_grid_known=False):
        pyramid, tile, corners = one_tile(moved_tiles)
        known_quads_px = [corners] if is_grid_known else []
        model = model_of(letter_edition())
        return find_tile_of_missed_grid(pyramid, tile[None], known_quads_px, model)

    def test_tile_with_neighbours_lies_in_a_grid(self):
        assert self.find() is not None

    def test_tile_of_a_known_grid_is_none_of_another(self):
        assert self.find(is_grid_known=True) is None

    def test_place_beside_the_grid_is_no_tile(self):
        assert self.find(moved_tiles=-4.0) is None


class TestGrowth:
    def grow(self, moved_tiles=0.0, background=NO_BACKGROUND):
        pyramid, tile, corners = one_tile(moved_tiles)
        return grow_from_tiles(pyramid, tile[None], model_of(letter_edition()), background), corners

    def test_grid_grows_from_one_tile(self):
        grown, corners = self.grow()
        middle_px = grown.corners_px.mean(axis=0)
        assert np.linalg.norm(middle_px - corners.mean(axis=0)) < 5

    def test_nothing_grows_beside_the_grid(self):
        assert self.grow(moved_tiles=-4.0)[0] is None

    def test_nothing_grows_on_known_background(self):
        grown, _ = self.grow()
        assert self.grow(background=grown.placed.embeddings.vectors)[0] is None

    def test_nothing_grows_without_detections(self):
        pyramid, model = Pyramid(letter_table("normal", 2)[0].image_bgr), model_of(letter_edition())
        assert grow_from_tiles(pyramid, np.empty((0, 4, 2), np.float32), model) is None
