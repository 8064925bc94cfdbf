"""A printed board laid exactly: from about right to right."""

import cv2
import numpy as np
import pytest
from pictured import drawn_board

from vision.arrays import transformed
from vision.boards.settle import FEWEST_MARKS, MARK_PX, BoardMarks, settled
from vision.boards.surface import Lens, Surface
from vision.pyramid import Pyramid

COLUMNS, ROWS = 12, 9
TOP_LEFT = (-1.5, -1.0)
SIZE_WH = (1000, 800)
PLANE = np.array([[62.0, -9, 170], [11, 60, 120], [4e-3, 6e-3, 1]])
"""From grid coordinates to the photo."""
CORNERS = np.array([[-1.5, -1], [10.5, -1], [10.5, 8], [-1.5, 8]])


def board_picture(seed=3):
    """Something printed all over: many squares and spots of any colour."""
    rng = np.random.default_rng(seed)
    picture = np.full((ROWS * 60, COLUMNS * 60, 3), 150, np.uint8)
    for _ in range(260):
        x, y = (int(rng.integers(side)) for side in (COLUMNS * 60, ROWS * 60))
        colour = tuple(int(c) for c in rng.integers(20, 240, 3))
        size = int(rng.integers(6, 22))
        cv2.rectangle(picture, (x, y), (x + size, y + size), colour, -1)
    return picture


PICTURE = board_picture()
MARKS = BoardMarks.of(PICTURE, TOP_LEFT, (COLUMNS, ROWS))


def photo_of(picture):
    to_grid = np.array([[1 / 60, 0, TOP_LEFT[0] + 0.5 / 60], [0, 1 / 60, TOP_LEFT[1] + 0.5 / 60]])
    to_photo = PLANE @ np.vstack([to_grid, [0, 0, 1]])
    return cv2.warpPerspective(
        picture, to_photo, SIZE_WH, flags=cv2.INTER_AREA, borderValue=(60, 90, 70)
    )


def settled_in(photo, about, marks=MARKS):
    return settled(about, Pyramid.of(photo), marks).surface


def off_at_the_corners(surface):
    """How far the corners of the board are off, in pixels."""
    return np.linalg.norm(surface.at(CORNERS) - transformed(CORNERS, PLANE), axis=1).max()


def moved(right=0.0, down=0.0, scale=1.0):
    """The true surface, but for a shift and a scale on the grid."""
    to_grid = np.array([[scale, 0, right], [0, scale, down], [0, 0, 1]])
    return Surface(PLANE @ to_grid, Lens.of(SIZE_WH))


@pytest.mark.parametrize(
    "about", [moved(), moved(0.06, -0.05), moved(-0.03, 0.04, 1.008), moved(scale=0.99)]
)
def test_a_board_that_is_a_little_off_is_put_right(about):
    photo = photo_of(PICTURE)
    assert off_at_the_corners(settled_in(photo, about)) < 0.6


def test_light_and_shade_do_not_matter():
    shade = np.linspace(0.35, 1.0, SIZE_WH[0])[None, :, None]
    photo = (photo_of(PICTURE) * shade).astype(np.uint8)
    assert off_at_the_corners(settled_in(photo, moved(0.05, 0.03))) < 0.6


def test_things_on_the_board_are_left_out():
    covered = PICTURE.copy()
    covered[120:300, 150:420] = (200, 60, 40)
    cv2.circle(covered, (560, 400), 70, (20, 180, 220), -1)
    found = settled_in(photo_of(covered), moved(0.05, 0.03))
    assert off_at_the_corners(found) < 0.8


def test_where_the_drawing_is_not_seen_nothing_is_moved():
    about = moved(0.05, 0.03)
    assert settled_in(photo_of(np.full_like(PICTURE, 130)), about) is about
    assert settled_in(photo_of(board_picture(seed=8)), about) is about


def test_a_board_without_drawing_has_no_marks():
    blank = BoardMarks.of(np.full((90, 120, 3), 90, np.uint8), TOP_LEFT, (COLUMNS, ROWS))
    about = moved(0.05)
    assert len(blank.pixels) < FEWEST_MARKS
    assert settled_in(photo_of(PICTURE), about, blank) is about


def test_marks_lie_where_the_drawing_is():
    marks = BoardMarks.of(drawn_board(), (0.0, 0.0), (8.0, 6.0))
    height, width = marks.drawing.shape
    assert len(marks.pixels) > 0
    assert np.allclose(marks.places, (marks.pixels + 0.5) / [width, height] * [8, 6], atol=1e-4)


@pytest.mark.parametrize("size_mm", [183, 189, 191, 381, 767])
def test_boards_of_any_size_are_drawn_as_large_as_they_are_laid_flat(size_mm):
    """Where half a pixel is left, two ways of rounding would part."""
    side = size_mm / 48
    marks = BoardMarks.of(PICTURE, (-(20 - 24) / 48, -(20 - 24) / 48), (side, side))
    flat = moved().flat(Pyramid.of(photo_of(PICTURE)), marks.window, MARK_PX)
    assert flat.shape[:2] == marks.drawing.shape


def test_it_tells_how_much_of_the_drawing_the_photo_shows_where_it_belongs():
    """So nobody takes something else for the board."""
    seen = settled(moved(0.03), Pyramid.of(photo_of(PICTURE)), MARKS)
    assert seen.followed > 0.5
    other = settled(moved(0.03), Pyramid.of(photo_of(board_picture(seed=8))), MARKS)
    assert other.followed == 0


def test_what_lies_outside_the_photo_is_not_missed():
    whole = photo_of(PICTURE)
    cut = Pyramid.of(np.ascontiguousarray(whole[:, : SIZE_WH[0] // 2]))
    in_part = settled(moved(0.03), cut, MARKS).followed
    assert in_part == pytest.approx(
        settled(moved(0.03), Pyramid.of(whole), MARKS).followed, abs=0.1
    )
