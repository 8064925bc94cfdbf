"""Grids that are plain to see are found by few features of a small copy, others by all."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN

from vision.arrays import floats
from vision.boards import photo_features
from vision.boards.find import FEATURES_FOR_BOARD, find_grids
from vision.boards.free_tiles import AT_A_GLANCE_PX, WHITE_AT_A_GLANCE
from vision.boards.known import known_edition
from vision.boards.photo_features import (
    EVERY_FEATURE,
    MOST_FEATURES,
    OTHER_AREAS_PX,
    WORK_AREA_PX,
)
from vision.editions.folder import own_edition
from vision.photo import decode_photo
from vision.pyramid import Pyramid
from vision.simulate.content import Content
from vision.simulate.photos import dealer, take_photo
from vision.simulate.table import simulate_table

BOARD = own_edition("dice-board")
TILES = replace(own_edition("cities"), locator=None)
SIZE_WH = (1152, 648)
SPOTS = 1500


def simulated(edition, size_wh):
    """A photo that a board or city fills mostly, and the truth about it."""
    content = dealer(edition.description.game)(np.random.default_rng(4), edition.description, 0)
    table = simulate_table(6, edition, Content(content.grids[:1], ()), size_wh, CLEAN)
    return table.image, table.truth["cities"][0]


@cache
def near():
    """A photo that a board fills mostly, and the corners of the board's cells."""
    image, truth = simulated(BOARD, SIZE_WH)
    return image, np.array(truth["corners_px"])


@cache
def far():
    """The same as a small part of a photo of a spotted cloth."""
    rng = np.random.default_rng(1)
    (width, height), (image, corners) = SIZE_WH, near()
    photo = np.full((2 * height, 2 * width, 3), 120, np.uint8)
    for _ in range(SPOTS):
        at = int(rng.integers(2 * width)), int(rng.integers(2 * height))
        colour = tuple(int(level) for level in rng.integers(20, 240, 3))
        cv2.circle(photo, at, int(rng.integers(6, 14)), colour, -1)
    left, top = width // 2, height // 2
    photo[top : top + height, left : left + width] = image
    return photo, corners + np.array([left, top])


@cache
def city():
    """A photo of free tiles, and the corners of each of them."""
    image, truth = simulated(TILES, (1536, 864))
    return image, np.array(truth["tile_corners_px"])


def under_a_lamp():
    """The same with light on the table beside the tiles."""
    image, tiles = city()
    photo = image.copy()
    height, width = photo.shape[:2]
    side = int(np.sqrt(2 * WHITE_AT_A_GLANCE * height * width))
    left = 0 if tiles[..., 0].min() > width - tiles[..., 0].max() else width - side
    photo[:side, left : left + side] = 255
    return photo, tiles


def mostly_covered():
    """The same with paper on most of the tiles."""
    image, tiles = city()
    photo = image.copy()
    for corners in tiles[:9]:
        cv2.fillConvexPoly(photo, np.rint(corners).astype(np.int32), (90, 110, 100))
    return photo, tiles


def overexposed():
    """The same with so much light that next to no contrast is left."""
    image, tiles = city()
    return np.clip(np.rint(238 + image / 255.0 * 8), 0, 255).astype(np.uint8), tiles


def without_tiles():
    """The same with gaps where some of the tiles were."""
    image, tiles = city()
    photo = image.copy()
    for corners in tiles[[1, 6, 8, 11, 14]]:
        cv2.fillConvexPoly(photo, np.rint(corners).astype(np.int32), (90, 110, 100))
    return photo, tiles


@cache
def simulated_photo(condition, seed):
    """Several cities, none of them plain to see at a glance, and the truth about them."""
    shot = take_photo(TILES, condition, seed)
    return decode_photo(shot.jpeg, "photo.jpg").image_bgr, shot.truth["cities"]


def a_deck():
    """One tile alone on a table."""
    image, tiles = city()
    (left, top), (right, bottom) = tiles[5].min(axis=0), tiles[5].max(axis=0)
    photo = np.full_like(image, 120)
    rows, columns = (slice(int(low), int(high)) for low, high in ((top, bottom), (left, right)))
    photo[rows, columns] = image[rows, columns]
    return photo


def bare_table():
    """The table alone."""
    return np.full_like(a_deck(), 120)


@pytest.fixture
def looks(monkeypatch):
    """How many features at most were taken, and of how large a copy, look by look."""
    each: list[tuple[int, float]] = []
    features_of = photo_features.features_of

    def noted(image, most, area_px, **kwargs):
        each.append((most, area_px))
        return features_of(image, most, area_px, **kwargs)

    monkeypatch.setattr(photo_features, "features_of", noted)
    return each


@pytest.mark.parametrize(
    ("photo", "counts"), [(near, {FEATURES_FOR_BOARD}), (far, {FEATURES_FOR_BOARD, MOST_FEATURES})]
)
def test_a_board_for_which_few_features_do_not_do_is_found_by_all(photo, counts, looks):
    image, corners = photo()
    known = known_edition(BOARD)
    (found,) = find_grids(Pyramid.of(image), known)
    assert {most for most, _ in looks} == counts
    rows, columns = BOARD.description.tile_rows, BOARD.description.tile_columns
    right, bottom = columns * known.pitch[0], rows * known.pitch[1]
    off = found.surface.quad(0, 0, right, bottom) - corners
    tile_px = np.hypot(*(corners[1] - corners[0])) / right
    assert np.hypot(*off.T).max() < 0.1 * tile_px


@pytest.mark.parametrize(
    ("photo", "sizes"),
    [
        (city, [AT_A_GLANCE_PX]),
        (without_tiles, [AT_A_GLANCE_PX]),
        (under_a_lamp, [AT_A_GLANCE_PX, WORK_AREA_PX]),
        (mostly_covered, [AT_A_GLANCE_PX, WORK_AREA_PX]),
        # The first close look tells how large tiles of other cities would be
        (overexposed, [AT_A_GLANCE_PX, WORK_AREA_PX, WORK_AREA_PX]),
    ],
)
def test_free_tiles_that_light_or_something_else_may_hide_are_looked_at_closely(
    photo, sizes, looks
):
    image, tiles = photo()
    (found,) = find_grids(Pyramid.of(image), known_edition(TILES))
    assert [area_px for _, area_px in looks] == sizes
    # Each tile is a cell of its own, and lies in the middle of it
    at = found.surface.inverse(tiles.mean(axis=1))
    cells = np.floor(at)
    assert len(np.unique(cells, axis=0)) == len(tiles)
    assert np.abs(at - cells - 0.5).max() < 0.1


def test_what_a_glance_shows_plainly_is_not_looked_at_again(looks):
    """Of the rest of the photo fewer features are taken, in proportion."""
    for photo in (under_a_lamp, mostly_covered):
        find_grids(Pyramid.of(photo()[0]), known_edition(TILES))
    (_, (beside_the_city, _), _, (everywhere, _)) = looks
    assert beside_the_city < 0.9 * everywhere


@pytest.mark.parametrize(
    ("condition", "seed", "closely"),
    [("sloppy", 230172, False), ("covered", 230111, False), ("handheld", 230116, True)],
)
def test_tiles_of_one_size_are_enough_unless_something_like_a_grid_is_left(
    condition, seed, closely, looks
):
    """In the first two photos all is found at a glance; in the last one two cities are far away.

    So tiles are small there, and the photo is looked at more closely than usual.
    """
    image, truth = simulated_photo(condition, seed)
    found = find_grids(Pyramid.of(image), known_edition(TILES))
    at_a_glance, *closer = [area_px for _, area_px in looks]
    assert at_a_glance == AT_A_GLANCE_PX
    assert [area_px > WORK_AREA_PX for area_px in closer] == [True] * closely
    assert len(found) == len(truth) >= 3
    for place in truth:
        at = place["tile_corners_px"]
        middles = floats([np.mean(corners, axis=0) for corners in at if corners is not None])
        nearest = [np.abs(grid.surface.inverse(middles) % 1 - 0.5).max() for grid in found]
        assert min(nearest) < 0.2


def test_cities_on_a_cloth_with_a_thousand_dots_are_found_by_all_features(looks):
    image, truth = simulated_photo("wide", 260117)
    found = find_grids(Pyramid.of(image), known_edition(TILES))
    assert EVERY_FEATURE in [most for most, _ in looks]
    assert len(found) == len(truth) == 4


@pytest.mark.parametrize("photo", [a_deck, bare_table])
def test_where_no_grid_is_seen_it_is_sought_in_other_sizes(photo, looks):
    assert find_grids(Pyramid.of(photo()), known_edition(TILES)) == []
    assert [area_px for _, area_px in looks] == [AT_A_GLANCE_PX, WORK_AREA_PX, *OTHER_AREAS_PX]
