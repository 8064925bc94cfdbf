"""A tile that lies about is no part of a city, even if it happens to lie in line with it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from laid_out import TABLE, photo_of_flat, photo_of_layout
from pictured import described, edition_of

from vision.boards.extent import window_of
from vision.boards.eye import read_boards
from vision.boards.find import Found, find_grids
from vision.boards.grid import see_grid
from vision.boards.grid_reading import if_hardly_readable
from vision.boards.judge import JudgedBy
from vision.boards.known import known_edition
from vision.boards.places import choices, shifted
from vision.boards.side_by_side import placed_apart
from vision.boards.surface import Lens, Surface
from vision.editions.folder import own_edition
from vision.pyramid import Pyramid

EDITION = own_edition("cities")
PICTURES = {name: several[0] for name, several in EDITION.pictures.items()}
CITY = tuple(tuple(f"tile-{4 * row + column + 1}" for column in range(4)) for row in range(4))
STRAY = (None, None, "tile-20", None)
TILE_PX = 120


SURFACE = Surface(np.diag([90.0, 90.0, 1.0]), Lens.of((900, 700)))


def found_tiles(seen, extent, tile_share=1.0):
    """A grid of which so many features speak for some tiles."""
    return Found(SURFACE, 300, len(seen), extent, seen, tile_share)


class TestChoices:
    """Of four rows, the lower ones of which are seen, and a tile below in line with them."""

    KNOWN = known_edition(EDITION)

    @pytest.mark.parametrize(("rows", "top"), [((0, 1, 2), -1), ((0, 1), -2)])
    @pytest.mark.parametrize("by_chance", [{}, {(3, 0): 1}])
    def test_the_grid_may_end_before_a_stray_tile(self, rows, top, by_chance):
        seen = {(row, column): 9 for row in rows for column in range(4)}
        found = found_tiles({**seen, (3, 2): 9, **by_chance}, (0, 0, 3, 3))
        areas = choices(found, self.KNOWN)
        assert {(0, 0, 4, 4), (top, 0, 4, 4)} <= {*areas}

    def test_a_tile_beside_faint_ones_is_no_stray(self):
        seen = {(row, column): 2 for row in range(4) for column in range(4)}
        assert choices(found_tiles({**seen, (3, 2): 9}, (0, 0, 3, 3)), self.KNOWN) == [(0, 0, 4, 4)]


class TestSingleRow:
    KNOWN = known_edition(edition_of(described(rows=1, columns=8)))

    def test_none_of_its_tiles_is_a_stray_one(self):
        found = found_tiles({(0, column): 9 for column in range(8)}, (0, 0, 0, 7))
        assert choices(found, self.KNOWN) == [(0, 0, 1, 8)]

    def test_tiles_that_seem_to_overlap_are_looked_at_all_the_same(self):
        found = found_tiles({(0, column): 9 for column in range(7)}, (0, 0, 0, 6), tile_share=1.02)
        picture = Pyramid.of(np.full((700, 900, 3), 120, np.uint8))
        areas = choices(found, self.KNOWN)
        area, is_certain = window_of(picture, found, areas, self.KNOWN)
        assert area in areas
        assert not is_certain


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


def seen_city(edition):
    """What is seen of a city in plain view."""
    known = known_edition(edition)
    photo, _ = photo_of_layout(PICTURES, CITY, TILE_PX)
    picture = Pyramid.of(photo.image_bgr)
    (found,) = find_grids(picture, known)
    return see_grid(picture, found, known)


def test_two_cities_that_are_sure_of_the_same_tile_are_both_unread():
    """As may be if they nearly touch, and the end of one is hidden."""
    grid = seen_city(replace(EDITION, locator=None))
    below = replace(grid, places=replace(grid.places, surface=shifted(grid.places.surface, (3, 0))))
    beside = replace(
        grid, places=replace(grid.places, surface=shifted(grid.places.surface, (0, 4)))
    )
    assert [each.places.is_certain for each in placed_apart([grid, below])] == [False, False]
    assert [each.places.is_certain for each in placed_apart([grid, beside])] == [True, True]
    assert placed_apart([grid]) == [grid]


def test_tiles_that_only_a_close_look_tells_belong_to_a_city_as_well():
    """If they alone tell where a city ends, they must not be tiles of another one."""
    grid = seen_city(replace(EDITION, locator=None))
    doubtful = {cell: replace(answer, is_sure=False) for cell, answer in grid.answers.items()}
    looked_at = {
        cell: replace(answer, judged_by=JudgedBy.CLOSE_LOOK, lead=0.3)
        for cell, answer in doubtful.items()
    }
    owner = replace(grid, answers=doubtful, closer=looked_at)
    below = replace(grid, places=replace(grid.places, surface=shifted(grid.places.surface, (3, 0))))
    assert [each.places.is_certain for each in placed_apart([owner, below])] == [False, False]
    unsettled = replace(owner, places=replace(owner.places, is_certain=False))
    assert [each.places.is_certain for each in placed_apart([unsettled, below])] == [False, True]


@pytest.mark.parametrize(
    ("begin", "is_certain"), [((0, 0), True), ((0, 1), False), ((-1, 0), False), ((1, -1), False)]
)
def test_what_only_a_close_look_tells_of_is_no_city_if_it_goes_on(begin, is_certain):
    grid, known = seen_city(EDITION), known_edition(EDITION)
    looked_at = {
        cell: replace(answer, is_sure=False, judged_by=JudgedBy.CLOSE_LOOK, lead=0.3)
        for cell, answer in grid.answers.items()
    }
    off = replace(grid.places, surface=shifted(grid.places.surface, begin), is_certain=False)
    seen = replace(grid, places=off, answers=looked_at)
    assert if_hardly_readable(seen, known).places.is_certain == is_certain


def test_what_lies_on_a_city_that_a_network_sees_as_a_whole_leaves_it_certain():
    grid = seen_city(EDITION)
    assert grid.found.is_whole
    other = replace(
        grid,
        found=replace(grid.found, is_likely=False),
        places=replace(grid.places, surface=shifted(grid.places.surface, (2, 0))),
    )
    assert [each.places.is_certain for each in placed_apart([grid, other])] == [True, False]


def test_a_row_of_one_tile_belongs_to_a_city_that_is_seen_on_all_sides():
    (grid,) = read((*CITY[:3], (None, None, CITY[3][2], None))).grids
    assert grid.tiles[:3] == CITY[:3]
    assert grid.tiles[3][2] == CITY[3][2]
    assert {(6, 0), (6, 6)} <= {*grid.unsure}


PAPER = (225, 228, 232)


def beside_a_hidden_row(columns, gap, edge=80):
    """A photo of a city with paper on its first row, and tiles so far below its last one."""
    flat = np.full((round(6.5 * edge), 6 * edge, 3), TABLE, np.uint8)
    laid = {(row, column): CITY[row][column] for row in range(4) for column in range(4)}
    strays = {(4 + gap, column): f"tile-{20 + n}" for n, column in enumerate(columns)}
    for (row, column), name in {**laid, **strays}.items():
        top, left = round((row + 0.5) * edge), round((column + 1) * edge)
        size = (edge, edge)
        tile = cv2.resize(PICTURES[name], size, interpolation=cv2.INTER_AREA)
        flat[top : top + edge, left : left + edge] = tile
    flat[round(0.3 * edge) : round(1.5 * edge), round(0.7 * edge) : round(5.3 * edge)] = PAPER
    photo, _ = photo_of_flat(flat)
    return photo


@pytest.mark.parametrize("columns", [(1, 2), (0, 1, 3)])
@pytest.mark.parametrize("edition", [EDITION, replace(EDITION, locator=None)])
def test_instead_of_a_hidden_row_none_is_taken_that_lies_a_little_apart(edition, columns):
    reading = read_boards(beside_a_hidden_row(columns, 0.2), edition)
    assert not reading.grids
    assert len(reading.unread) == 1


@pytest.mark.parametrize("lower", [0, 1, 2])
@pytest.mark.parametrize("missing", [[0], [7], [0, 1]], ids=["left", "right", "two"])
def test_of_two_cities_that_touch_none_is_read_with_tiles_of_the_other(missing, lower):
    """Where a column is missing at the far end, the next one of the other may be taken for it."""
    other = tuple(tuple(f"tile-{(4 * r + c + 9) % 24 + 1}" for c in range(4)) for r in range(4))
    layout = np.full((4 + lower, 8), None, object)
    layout[:4, :4], layout[lower : lower + 4, 4:] = CITY, other
    layout[:, missing] = None
    reading = read(tuple(tuple(row) for row in layout))
    assert reading.unread
    for grid in reading.grids:
        assert grid.tiles in (CITY, other)
