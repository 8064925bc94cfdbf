"""Whole tables of the games that Stadtblick brings editions of, read from simulated photos."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN, hidden, photo_of, verdict_of, without_timings

from vision.boards.eye import read_boards
from vision.editions.folder import own_edition
from vision.errors import PhotoError
from vision.exposure import MUCH_LIGHT
from vision.figures.verdict import Fate
from vision.photo import Photo, decode_photo
from vision.reading import NoteCode, note
from vision.simulate.content import Content, GridContent
from vision.simulate.photos import dealer, take_photo
from vision.simulate.table import simulate_table

GAMES = ("cities", "city-blocks", "dice-board")
BOARD_GAMES = GAMES[1:]
SIZE_WH = (1152, 648)


@cache
def taken(game, condition="normal", seed=3):
    return take_photo(own_edition(game), condition, seed, SIZE_WH)


@cache
def table_of(game):
    """A tidy table in good light, and its truth."""
    content = dealer(game)(np.random.default_rng(4), own_edition(game).description, 0)
    content = Content(content.grids[:1], ())
    return simulate_table(6, own_edition(game), content, SIZE_WH, CLEAN)


@cache
def reading_of(game):
    return read_boards(photo_of(table_of(game).image), own_edition(game))


def cells_of(verdict):
    return {cell.at: cell for cell in verdict.grids[0].cells}


@pytest.mark.parametrize("game", GAMES)
def test_a_table_in_ordinary_light_is_read_as_it_is(game):
    shot = taken(game)
    reading = read_boards(decode_photo(shot.jpeg, "photo.jpg"), own_edition(game))
    verdict = verdict_of(game, shot.truth, reading)
    assert [grid.fate for grid in verdict.grids] == [Fate.FOUND] * len(shot.truth["cities"])
    cells = [cell for grid in verdict.grids for cell in grid.cells]
    assert [cell for cell in cells if not cell.right or cell.flagged] == []
    others = [one for grid in verdict.grids for one in grid.tokens + grid.beside]
    assert [one for one in others if one.truth is not None and not one.right] == []
    assert [one for one in others if one.silently_wrong] == []
    assert verdict.invented == ()
    assert max(grid.corner_error for grid in verdict.grids) < 0.1


@pytest.mark.parametrize("game", GAMES)
def test_the_reading_says_where_each_tile_lies_and_how_it_is_turned(game):
    truth = table_of(game).truth["cities"][0]
    (read,) = reading_of(game).grids
    quarters = quarters_to(truth, read) if game == "cities" else 0
    tiles, turns = (np.array(table, object) for table in (truth["tiles"], truth["turns"]))
    turned = np.rot90([[None if t is None else (t + quarters) % 4 for t in r] for r in turns],
                      -quarters)  # fmt: skip
    assert np.array_equal(np.rot90(tiles, -quarters), np.array(read.tiles, object))
    if game != "city-blocks":  # there it makes no difference how a building lies
        assert np.array_equal(turned, np.array(read.turns, object))
    corners = np.array([q or [[0, 0]] * 4 for q in truth["tile_corners_px"]]).mean(axis=1)
    corners = np.rot90(corners.reshape(*tiles.shape, 2), -quarters)
    for row, quads in enumerate(read.tile_quads_px):
        for column, quad in enumerate(quads):
            assert quad is not None
            if read.tiles[row][column] is not None:
                side = np.hypot(*np.subtract(quad[1], quad[0]))
                off = np.mean(quad, axis=0) - corners[row, column]
                assert np.hypot(*off) < 0.1 * side


@pytest.mark.parametrize(
    ("condition", "seed"),
    [
        ("covered", 280282),  # next to nothing is seen of a row under a hand
        ("edge", 280148),  # runs off the photo close to another city
        ("handheld", 320009),  # lies far away at a slant
        ("glare", 280064),  # bleached, with others that are plain to see
        ("glare", 610178),  # bleached, so that next to no tile of it is sure
        ("glare", 260083),  # the same; with it there are as many as can be, and light hides none
        ("covered", 330111),  # under a hand and light, so that a border has no tile that is sure
        ("wide", 610098),  # with a stray tile nearly in line with it
    ],
)
def test_a_city_that_is_hard_to_see_is_looked_at_again_until_all_are_read(condition, seed):
    shot = take_photo(own_edition("cities"), condition, seed)
    reading = read_boards(decode_photo(shot.jpeg, "photo.jpg"), own_edition("cities"))
    verdict = verdict_of("cities", shot.truth, reading)
    assert [grid.fate for grid in verdict.grids] == [Fate.FOUND] * len(shot.truth["cities"])
    assert [cell for grid in verdict.grids for cell in grid.cells if cell.silently_wrong] == []
    assert reading.unread == verdict.invented == ()


def test_a_white_city_is_not_read_off_its_place():
    """Light makes bare table beside it look like tiles."""
    shot = take_photo(own_edition("cities"), "glare", 760026)
    reading = read_boards(decode_photo(shot.jpeg, "photo.jpg"), own_edition("cities"))
    verdict = verdict_of("cities", shot.truth, reading)
    assert sorted(grid.fate for grid in verdict.grids) == [Fate.FOUND] * 3 + [Fate.UNREAD]
    assert verdict.invented == ()


def test_beside_what_only_the_network_sees_a_city_is_read():
    """Here it takes four tiles of a white city and others for a part of one, a row off."""
    shot = take_photo(own_edition("cities"), "jpeg", 730146)
    reading = read_boards(decode_photo(shot.jpeg, "photo.jpg"), own_edition("cities"))
    assert len(reading.grids) == len(shot.truth["cities"])
    assert reading.unread == ()


def slanted(photo, truth):
    """A photo as if it was taken from the side, and the middles of its cities there.

    Its bottom is twice as far away as its top.
    """
    width, height = photo.size_wh
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    farther = np.array([[0, 0], [0, 0], [-width, -height], [width, -height]], np.float32) / 4
    plane = cv2.getPerspectiveTransform(corners, corners + farther)
    smooth = cv2.GaussianBlur(photo.image_bgr, (0, 0), 0.7)
    image = cv2.warpPerspective(smooth, plane, (width, height), borderValue=(90, 100, 110))
    middles = np.mean([city["corners_px"] for city in truth], axis=1, dtype=np.float32)
    return photo_of(image), cv2.perspectiveTransform(middles[None], plane)[0]


@pytest.mark.parametrize(
    ("condition", "seed"),
    [("normal", 280114), ("blur", 280258), ("blur", 280277), ("handheld", 280287)],
)
def test_cities_at_the_far_end_of_a_table_are_found_too(condition, seed):
    """What is near tells how small tiles are there."""
    shot = take_photo(own_edition("cities"), condition, seed)
    photo, middles = slanted(decode_photo(shot.jpeg, "photo.jpg"), shot.truth["cities"])
    reading = read_boards(photo, own_edition("cities"))
    assert len(middles) == 4
    for middle in middles:
        corners = [np.array(grid.corners_px) for grid in reading.grids]
        sides = [np.hypot(*(each[1] - each[0])) for each in corners]
        away = [np.hypot(*(each.mean(axis=0) - middle)) for each in corners]
        assert min(np.divide(away, sides)) < 0.2


def quarters_to(truth, read):
    """By how many quarters the truth is turned clockwise to lie as it was read."""
    first = np.subtract(truth["corners_px"], np.array(read.corners_px)[0])
    return -int(np.hypot(*first.T).argmin()) % 4


@pytest.mark.parametrize("game", GAMES)
def test_a_covered_tile_is_flagged_and_all_others_are_read(game):
    table = table_of(game)
    truth = table.truth["cities"][0]
    columns = len(truth["tiles"][0])
    lying = [n for n, quad in enumerate(truth["tile_corners_px"]) if quad is not None]
    covered = [lying[len(lying) // 3], lying[-2]]
    image = hidden(table.image, [truth["tile_corners_px"][n] for n in covered])
    verdict = verdict_of(game, table.truth, read_boards(photo_of(image), own_edition(game)))
    down = len(truth["grid"]) // len(truth["tiles"])
    cells = {(n // columns, n % columns) for n in covered}
    for at, cell in cells_of(verdict).items():
        if (at[0] // down, at[1] // down) in cells:
            assert cell.flagged
        else:
            assert not cell.silently_wrong
            assert cell.right


@pytest.mark.parametrize(("side", "colour"), [("top", (70, 75, 80)), ("left", (235, 235, 235))])
def test_a_hidden_row_of_free_tiles_never_shifts_the_grid_silently(side, colour):
    table = table_of("cities")
    quads = table.truth["cities"][0]["tile_corners_px"]
    row = quads[:4] if side == "top" else quads[::4]
    reading = read_boards(photo_of(hidden(table.image, row, colour)), own_edition("cities"))
    verdict = verdict_of("cities", table.truth, reading)
    if verdict.grids[0].fate is Fate.FOUND:
        assert not any(cell.silently_wrong for cell in verdict.grids[0].cells)
    else:
        assert verdict.grids[0].fate is Fate.UNREAD
        assert reading.unread[0].why.code in set(NoteCode)


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_outside_the_photo_is_flagged_and_the_rest_is_read(game):
    table = table_of(game)
    (whole,) = reading_of(game).grids
    cut = round(whole.centre_px[0])
    reading = read_boards(photo_of(table.image[:, :cut]), own_edition(game))
    for read in reading.grids:  # or the whole grid is unread
        for row, quads in enumerate(whole.tile_quads_px):
            for column, quad in enumerate(quads):
                high = len(whole.grid) // len(whole.tiles)
                at = (row * high, column * high)
                if max(x for x, _ in quad) > cut + 2:
                    assert at in read.unsure
                elif at not in read.unsure:
                    assert read.tiles[row][column] == whole.tiles[row][column]
    if game != "cities":
        assert len(reading.grids) == 1


def cut_off(image, quads, columns):
    """The left part of the photo: what lies left of so many columns of tiles of the city."""
    first, last = (np.mean(quads[column::4], axis=(0, 1))[0] for column in (0, 3))
    return image[:, : round(float(first + (last - first) / 3 * (columns - 0.5)))]


@pytest.mark.parametrize("columns", [2.7, 3.0])
def test_a_city_that_runs_off_the_photo_is_read_as_far_as_it_is_seen(columns):
    table = table_of("cities")
    quads = table.truth["cities"][0]["tile_corners_px"]
    (whole,) = reading_of("cities").grids
    image = cut_off(table.image, quads, columns)
    (read,) = read_boards(photo_of(image), own_edition("cities")).grids
    assert read.notes == (note(NoteCode.OVER_THE_EDGE, edges="right"),)
    unsure = np.zeros((8, 8), bool)
    unsure[tuple(np.transpose(read.unsure))] = True
    assert unsure[:, 6:].all()
    assert not unsure[:, :4].any()
    assert [row[:2] for row in read.tiles] == [row[:2] for row in whole.tiles]


@pytest.mark.parametrize("colour", [(70, 75, 80), (235, 235, 235), (40, 60, 150)])
def test_a_city_that_runs_off_the_photo_is_unread_where_its_other_end_is_covered(colour):
    table = table_of("cities")
    quads = table.truth["cities"][0]["tile_corners_px"]
    image = cut_off(hidden(table.image, quads[::4], colour), quads, 3.1)
    reading = read_boards(photo_of(image), own_edition("cities"))
    assert reading.grids == ()
    assert reading.unread


@pytest.mark.parametrize(("gone", "is_read"), [((5,), True), ((1, 5, 9, 13), False)])
def test_a_city_that_runs_off_the_photo_is_read_with_a_gap_but_not_with_many(gone, is_read):
    table = table_of("cities")
    quads = table.truth["cities"][0]["tile_corners_px"]
    image = cut_off(hidden(table.image, [quads[n] for n in gone], (70, 90, 75)), quads, 3.0)
    reading = read_boards(photo_of(image), own_edition("cities"))
    assert (len(reading.grids), len(reading.unread)) == ((1, 0) if is_read else (0, 1))


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_on_an_empty_board_nothing_is_said_to_lie_for_certain(game):
    description = own_edition(game).description
    nothing = ((None,) * description.tile_columns,) * description.tile_rows
    content = Content((GridContent(nothing, nothing),), ())
    table = simulate_table(2, own_edition(game), content, SIZE_WH, CLEAN)
    (read,) = read_boards(photo_of(table.image), own_edition(game)).grids
    unsure = set(read.unsure)
    said = {(r, c) for r, row in enumerate(read.grid) for c, name in enumerate(row) if name}
    assert said <= unsure
    assert len(unsure) < 0.15 * description.rows * description.columns
    assert all(piece.unsure for piece in read.loose)
    assert (read.unsure_slots, read.figures, read.unsure_figures) == ((), (), ())


@pytest.mark.parametrize("game", GAMES)
def test_a_photo_without_any_grid_gives_none(game):
    shot = taken(game, "no-city", 2)
    try:
        grids = read_boards(decode_photo(shot.jpeg, "photo.jpg"), own_edition(game)).grids
    except PhotoError:  # the photo is refused
        grids = ()
    assert grids == ()


@pytest.mark.parametrize(("level", "is_told"), [(255, True), (244, True), (225, False)])
def test_of_cities_a_white_part_of_the_photo_is_told_as_one_may_lie_there(level, is_told):
    image = table_of("cities").image
    light = np.full((image.shape[0], image.shape[1] // 2, 3), level, np.uint8)
    notes = read_boards(photo_of(np.hstack([image, light])), own_edition("cities")).notes
    assert (MUCH_LIGHT in notes) == is_told
    assert MUCH_LIGHT not in reading_of("cities").notes


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_another_game_gives_no_grid(game):
    other = GAMES[(GAMES.index(game) + 1) % 3]
    assert read_boards(photo_of(table_of(other).image), own_edition(game)).grids == ()


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (np.zeros((480, 640, 3), np.uint8), "photo-too-dark"),
        (np.full((480, 640, 3), 140, np.uint8), "photo-blurred"),
    ],
)
def test_a_photo_that_shows_nothing_is_refused(image, code):
    for game in GAMES:
        with pytest.raises(PhotoError) as caught:
            read_boards(photo_of(image), own_edition(game))
        assert caught.value.code == code


def test_a_photo_is_read_the_same_each_time():
    photo = photo_of(table_of("city-blocks").image)
    again = read_boards(photo, own_edition("city-blocks"))
    assert without_timings(again) == without_timings(reading_of("city-blocks"))


@pytest.mark.parametrize("game", GAMES)
def test_of_a_photo_decoded_at_half_its_size_pixels_are_those_of_the_whole(game):
    image = table_of(game).image
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    size_wh = (2 * image.shape[1], 2 * image.shape[0])
    assert size_wh == (large.shape[1], large.shape[0])
    (reduced,) = read_boards(Photo(image, "photo.jpg", size_wh, 2), own_edition(game)).grids
    (normal,) = reading_of(game).grids
    for name in ("corners_px", "tile_quads_px"):
        small, full = (np.array(getattr(grid, name)) for grid in (normal, reduced))
        assert np.allclose(full, (small + 0.5) * 2 - 0.5, atol=0.02)
    assert [t.kind for t in reduced.figures] == [t.kind for t in normal.figures]
    for small, full in zip(normal.figures, reduced.figures, strict=True):
        assert full.foot_px == pytest.approx((np.array(small.foot_px) + 0.5) * 2 - 0.5, abs=0.03)
    for small, full in zip(normal.loose, reduced.loose, strict=True):
        assert np.allclose(full.corners_px, (np.array(small.corners_px) + 0.5) * 2 - 0.5, atol=0.02)


@pytest.mark.parametrize("game", GAMES)
def test_the_reading_names_photo_game_and_edition(game):
    reading = reading_of(game)
    assert (reading.photo, reading.game, reading.edition) == ("photo.jpg", game, "standard")
    assert reading.size_wh == SIZE_WH
    assert set(reading.timings_ms) == {"locate", "recognise"}


def sure_in_slots(read):
    places = ("row", "column")
    return {(p.place, p.number): p.face for p in read.loose if p.place in places and not p.unsure}


def test_a_table_turned_by_a_half_is_read_with_its_pixels_turned():
    table = table_of("city-blocks")
    (upright,) = reading_of("city-blocks").grids
    (read,) = read_boards(photo_of(np.rot90(table.image, 2)), own_edition("city-blocks")).grids
    assert read.grid == upright.grid
    assert sure_in_slots(read) == sure_in_slots(upright)
    last = np.array(SIZE_WH) - 1
    assert np.allclose(read.corners_px, last - np.array(upright.corners_px), atol=2)


def test_edition_without_tokens_has_none():
    edition = own_edition("cities")
    plain = replace(edition, description=replace(edition.description, tokens=()))
    (read,) = read_boards(photo_of(table_of("cities").image), plain).grids
    assert (read.figures, read.unsure_figures) == ((), ())
