"""Printed boards are found by few features, or if these do not do, by all."""

from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN

from vision.boards import find
from vision.boards.find import FEWER_FEATURES, MOST_FEATURES, find_grids
from vision.boards.folder import own_edition
from vision.boards.known import known_edition
from vision.pyramid import Pyramid
from vision.simulate.boards.content import Content
from vision.simulate.boards.photos import DEALERS
from vision.simulate.boards.table import simulate_board_table

EDITION = own_edition("dice-board")
SIZE_WH = (1152, 648)
SPOTS = 1500


@cache
def near():
    """A photo that a board fills mostly, and the corners of the board's cells."""
    content = DEALERS["dice-board"](np.random.default_rng(4), EDITION.description, 0)
    content = Content(content.grids[:1], ())
    table = simulate_board_table(6, EDITION, content, SIZE_WH, CLEAN)
    return table.image, np.array(table.truth["cities"][0]["corners_px"])


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


@pytest.fixture
def looks(monkeypatch):
    """How many features at most were taken, look by look."""
    most_each: list[int] = []
    features_of = find.features_of

    def noted(image, most, *args, **kwargs):
        most_each.append(most)
        return features_of(image, most, *args, **kwargs)

    monkeypatch.setattr(find, "features_of", noted)
    return most_each


@pytest.mark.parametrize(
    ("photo", "counts"), [(near, {FEWER_FEATURES}), (far, {FEWER_FEATURES, MOST_FEATURES})]
)
def test_a_board_for_which_few_features_do_not_do_is_found_by_all(photo, counts, looks):
    image, corners = photo()
    known = known_edition(EDITION)
    (found,) = find_grids(Pyramid.of(image), known)
    assert set(looks) == counts
    rows, columns = EDITION.description.tile_rows, EDITION.description.tile_columns
    right, bottom = columns * known.pitch[0], rows * known.pitch[1]
    off = found.surface.quad(0, 0, right, bottom) - corners
    tile_px = np.hypot(*(corners[1] - corners[0])) / right
    assert np.hypot(*off.T).max() < 0.1 * tile_px
