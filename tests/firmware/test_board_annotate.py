"""The annotated photo of games known by pictures."""

from dataclasses import replace

import numpy as np
import pytest

from firmware.board_games.annotate import annotate_boards
from firmware.board_games.places_px import at_decoded_size, cell_quad, outline_quad, slot_quad
from firmware.board_games.scan import check_boards, score_boards
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    EMPTY_ROW,
    READING_ONLY,
    SIZE_WH,
    blocks,
    city,
    grid_reading,
    piece,
    reading,
)
from vision.photo import Photo

GREY = np.full((SIZE_WH[1], SIZE_WH[0], 3), 110, np.uint8)
CITY_CELL_PX = 260 / 8


def drawn(seen, description):
    return annotate_boards(GREY, check_boards(seen, description))


def changed(picture, quad):
    """Share of the pixels inside a quad that are not as in the photo."""
    (left, top), _, (right, bottom), _ = ((round(x), round(y)) for x, y in quad)
    part = picture[top:bottom, left:right]
    return float((part != 110).any(axis=2).mean())


def cell(picture, grid, description, at):
    (left, top), _, (right, bottom), _ = cell_quad(grid, description, at)
    return picture[round(top) : round(bottom), round(left) : round(right)]


def test_the_photo_itself_stays_as_it_is():
    before = GREY.copy()
    drawn(reading(CITIES, city()), CITIES)
    assert (before == GREY).all()


def test_every_field_has_a_label():
    grid = city()
    picture = drawn(reading(CITIES, grid), CITIES)
    for row in range(8):
        for column in range(8):
            assert changed(picture, cell_quad(grid, CITIES, (row, column))) > 0.1


def test_an_unsure_field_looks_different():
    sure, unsure = city(), city(unsure=((2, 3),))
    pictures = [drawn(reading(CITIES, grid), CITIES) for grid in (sure, unsure)]
    places = [cell(picture, sure, CITIES, (2, 3)) for picture in pictures]
    assert (places[0] != places[1]).mean() > 0.2
    elsewhere = [cell(picture, sure, CITIES, (6, 6)) for picture in pictures]
    assert (elsewhere[0] == elsewhere[1]).all()


def test_a_figure_has_a_ring_of_its_colour():
    grid = city(tourists={(0, 0): "red", (2, 2): "blue"})
    picture = drawn(reading(CITIES, grid), CITIES).astype(int)
    red, blue = (cell(picture, grid, CITIES, at) for at in ((0, 0), (2, 2)))
    assert (red[..., 2] - red[..., 0] > 100).mean() > 0.05
    assert (blue[..., 0] - blue[..., 2] > 100).mean() > 0.05


def test_a_figure_that_may_stand_there_is_marked():
    grid, asked = city(), city(unsure_figures=((4, 4),))
    pictures = [drawn(reading(CITIES, each), CITIES) for each in (grid, asked)]
    places = [cell(picture, grid, CITIES, (4, 4)) for picture in pictures]
    assert (places[0] != places[1]).mean() > 0.1


def test_a_missing_field_is_crossed_and_an_empty_plot_is_left_alone():
    grid = city("." * 8 + "/" + "/".join(["SSCCPPWW"] * 7))
    picture = drawn(reading(CITIES, grid), CITIES)
    assert changed(picture, cell_quad(grid, CITIES, (0, 0))) > 0.1
    board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, piece("row", 1, 3))
    picture = drawn(reading(CITY_BLOCKS, board), CITY_BLOCKS)
    assert changed(picture, cell_quad(board, CITY_BLOCKS, (2, 3))) == 0
    assert changed(picture, cell_quad(board, CITY_BLOCKS, (0, 0))) > 0.05


def test_pieces_beside_a_board_and_slots_that_are_not_sure_are_marked():
    lying = piece("row", 1, 3)
    board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, lying, unsure_slots=(("column", 2),))
    picture = drawn(reading(CITY_BLOCKS, board), CITY_BLOCKS)
    assert changed(picture, lying.corners_px) > 0.2
    slot = slot_quad(board, CITY_BLOCKS, "column", 2)
    assert changed(picture, slot) > 0.1
    x, y = (sum(axis) / 4 for axis in zip(*slot, strict=True))
    assert (x, y) == pytest.approx((410, 90), abs=0.5), "above the third column"


def test_the_outline_of_a_board_is_that_of_its_edges():
    board = blocks("-- -- -- -- -- --" + EMPTY_ROW * 4)
    (left, top), _, (right, bottom), _ = outline_quad(board, CITY_BLOCKS)
    px_per_mm = 100 / 35
    assert right - left == pytest.approx(270 * px_per_mm, abs=0.5)
    assert bottom - top == pytest.approx(240 * px_per_mm, abs=0.5)


def test_what_was_scored_stands_beside_it():
    scan = score_boards(reading(CITIES, city(tourists={(0, 0): "red"})), CITIES)
    scored, read = annotate_boards(GREY, scan), drawn(scan.reading, CITIES)
    assert (scored != read).any(axis=2).mean() > 0.005


def test_unread_regions_are_hatched():
    seen = reading(READING_ONLY, unread=["too dark"])
    assert changed(drawn(seen, READING_ONLY), seen.unread[0].corners_px) > 0.2


def test_a_photo_of_another_size_is_refused():
    seen = reading(READING_ONLY, grid_reading(READING_ONLY, [["sun"] * 3] * 2))
    with pytest.raises(ValueError, match="annotate the photo that was read"):
        annotate_boards(GREY[:100], check_boards(seen, READING_ONLY))


def test_a_photo_that_was_decoded_smaller_is_drawn_on_in_its_own_pixels():
    tourists = {(0, 0): "red"}
    grid = city(tourists=tourists)
    scan = check_boards(reading(CITIES, grid, unread=["dark"]), CITIES)
    half = Photo(GREY[::2, ::2].copy(), "table.jpg", SIZE_WH, 2)
    smaller = at_decoded_size(scan, half)
    assert smaller.reading.size_wh == (480, 360)
    x, y = grid.corners_px[2]
    assert smaller.reading.grids[0].corners_px[2] == pytest.approx((x / 2, y / 2), abs=0.5)
    assert annotate_boards(half.image_bgr, smaller).shape == (360, 480, 3)
    assert replace(smaller, reading=scan.reading) == scan
