"""A tile that lies about is no part of a city, even if it happens to lie in line with it."""

from dataclasses import replace

import pytest
from laid_out import photo_of_layout

from vision.boards.eye import read_boards
from vision.boards.folder import own_edition

EDITION = own_edition("cities")
PICTURES = {name: several[0] for name, several in EDITION.pictures.items()}
CITY = tuple(tuple(f"tile-{4 * row + column + 1}" for column in range(4)) for row in range(4))
STRAY = (None, None, "tile-20", None)
TILE_PX = 120


def read(layout, *, hidden_rows=0.0):
    """A photo of a layout of which so many rows at the top lie beyond its edge."""
    photo, corners = photo_of_layout(PICTURES, layout, TILE_PX)
    top = round(float(corners[:2, 1].max()) + hidden_rows * TILE_PX) if hidden_rows else 0
    image = photo.image_bgr[top:]
    cut = replace(photo, image_bgr=image, size_wh=(image.shape[1], image.shape[0]))
    return read_boards(cut, EDITION)


@pytest.mark.parametrize("rows", [(*CITY, STRAY), (STRAY, *CITY)])
def test_beside_a_whole_city_it_is_left_out(rows):
    (grid,) = read(rows).grids
    assert grid.tiles == CITY
    assert not grid.unsure


def test_beside_a_city_that_runs_off_the_photo_nobody_knows_whether_it_belongs_to_it():
    reading = read((*CITY, STRAY), hidden_rows=0.8)
    assert not reading.grids
    assert len(reading.unread) == 1


def test_a_city_that_runs_off_the_photo_without_it_is_read():
    (grid,) = read(CITY, hidden_rows=0.8).grids
    assert grid.tiles[1:] == CITY[1:]
    assert {row for row, _ in grid.unsure} == {0, 1}


def test_a_row_of_one_tile_belongs_to_a_city_that_is_seen_on_all_sides():
    (grid,) = read((*CITY[:3], (None, None, CITY[3][2], None))).grids
    assert grid.tiles[:3] == CITY[:3]
    assert grid.tiles[3][2] == CITY[3][2]
    assert {(6, 0), (6, 3 * 2)} <= {*grid.unsure}
