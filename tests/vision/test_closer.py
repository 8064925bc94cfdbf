"""Where tiles are too small to be seen at once, the locator looks closer, and only there."""

import numpy as np

from scoring.faces import Face
from vision.arrays import Image, floats
from vision.closer import area_to_look_closer, with_closer_look
from vision.editions.own import face_picture
from vision.locate import Detection, find_tiles
from vision.search import Group, groups_of

SIZE_WH = (2304, 1296)
SHRINK = 3.0
"""How much smaller the locator sees a picture of this size."""


def city(left: float, top: float, seen_px: float, rows: int = 4, growth: float = 0.0) -> Group:
    """Rows of four tiles, so wide as the locator sees them; each column wider by ``growth``."""
    group = {}
    for column in range(4):
        size = (seen_px + growth * column) * SHRINK
        for row in range(rows):
            centre = floats([left + size * (column + 0.5), top + size * (row + 0.5)])
            group[row, column] = Detection(centre, floats([size, 0]), floats([0, size]), 0.9)
    return group


def test_where_all_tiles_are_large_there_is_nothing_to_look_at_closer() -> None:
    assert area_to_look_closer([city(300, 300, 22), city(1500, 700, 22)], SIZE_WH) is None
    assert area_to_look_closer([], SIZE_WH) is None


def test_the_far_end_of_a_table_that_recedes_is_looked_at_closer() -> None:
    near, far = city(1800, 600, 24), city(1000, 600, 18.5)
    area = area_to_look_closer([near, far], SIZE_WH)
    assert area is not None
    left, top, right, bottom = area
    assert (left, top, bottom) == (0, 0, SIZE_WH[1])
    assert 500 < right < 1200


def test_round_a_city_of_small_tiles_of_which_some_are_missing_it_looks_closer() -> None:
    whole, in_part = city(1700, 900, 22), city(600, 300, 15, rows=2)
    area = area_to_look_closer([whole, in_part], SIZE_WH)
    assert area is not None
    left, top, right, bottom = area
    assert left < 600 < 780 < right < 1700
    assert top < 300 - 90
    assert bottom > 300 + 4 * 45
    assert area_to_look_closer([whole, city(600, 300, 20, rows=2)], SIZE_WH) is None


def test_the_area_ends_with_the_picture() -> None:
    area = area_to_look_closer([city(0, 0, 15, rows=2)], SIZE_WH)
    assert area is not None
    assert area[:2] == (0, 0)


def table(tile_px: int, places: list[tuple[int, int]]) -> Image:
    """Cities of drawn tiles on a plain table."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), (70, 90, 110), np.uint8)
    tiles = [face_picture(face, tile_px) for face in Face]
    for left, top in places:
        for n in range(16):
            x, y = left + n % 4 * tile_px, top + n // 4 * tile_px
            picture[y : y + tile_px, x : x + tile_px] = tiles[n % len(tiles)]
    return picture


TWO_PLACES = [(300, 300), (1500, 700)]


def test_in_the_area_tiles_are_seen_that_were_missed_and_beyond_it_all_stay() -> None:
    picture = table(42, TWO_PLACES)
    tiles = find_tiles(picture)
    at_once = groups_of(tiles)
    seen = with_closer_look(picture, tiles, at_once, (150.0, 150.0, 650.0, 650.0))
    beyond = [tile for tile in tiles if tile.centre[0] > 650]
    assert [tile for tile in seen if tile.centre[0] > 650] == beyond
    assert max(len(group) for group in at_once) < 16
    (city,) = [group for group in groups_of(seen) if len(group) == 16]
    found = floats([tile.centre for tile in city.values()])
    expected = floats([(300 + 42 * (n % 4 + 0.5), 300 + 42 * (n // 4 + 0.5)) for n in range(16)])
    away = np.hypot(*(found[:, None] - expected).T)
    assert (away.min(axis=1) < 0.15 * 42).all()


def test_a_city_seen_whole_stays_as_it_is_at_the_edge_of_the_area() -> None:
    picture = table(66, TWO_PLACES)
    tiles = find_tiles(picture)
    groups = groups_of(tiles)
    (first,) = [group for group in groups if next(iter(group.values())).centre[0] < 1000]
    assert len(first) == 16
    cut = (150.0, 150.0, 300.0 + 2.5 * 66, 650.0)
    seen = with_closer_look(picture, tiles, groups, cut)
    assert all(any(tile is other for other in seen) for tile in first.values())
    assert sum(tile.centre[0] < 1000 for tile in seen) == 16
