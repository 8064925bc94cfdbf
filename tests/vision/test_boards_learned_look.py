"""The network that knows the tiles of an own edition, and the features that help it out."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN, hidden, photo_of, verdict_of, without_timings

from vision.arrays import floats, transformed
from vision.boards import free_tiles
from vision.boards import learned_look as learned_look_module
from vision.boards import photo_features as features_of_photo
from vision.boards.descriptors import DIMENSIONS
from vision.boards.eye import read_boards
from vision.boards.features import Features, PictureIndex
from vision.boards.find import _of_tiles, find_grids
from vision.boards.gaps import USUAL
from vision.boards.grid_compared import compared_grid
from vision.boards.judge import answers_for
from vision.boards.known import KnownEdition, known_edition
from vision.boards.learned_look import (
    AREAS_PX,
    SMALLEST_PX,
    _are_plain,
    _grids,
    learned_look,
)
from vision.boards.leftovers import may_be_a_grid
from vision.boards.one_table import OneTable
from vision.boards.photo_features import is_dazzling, photo_features
from vision.boards.placed_anew import MOST_OFF
from vision.boards.places import Places, shifted
from vision.boards.tile_fit import fitted_tiles
from vision.boards.tile_locator import Detection, locate
from vision.boards.tile_look import full_grid
from vision.editions.folder import own_edition, own_games
from vision.figures.verdict import Fate
from vision.photo import decode_photo
from vision.pyramid import Pyramid
from vision.simulate.content import Content
from vision.simulate.photos import dealer, take_photo
from vision.simulate.table import simulate_table

EDITION = own_edition("cities")
BY_FEATURES = replace(EDITION, locator=None)
SIZE_WH = (1536, 864)
IN_PLACE = np.eye(3)
CELLS = [(row, column) for row in range(4) for column in range(4)]


@cache
def table(edition=EDITION, count=1):
    """A photo of a table with so many grids, and the truth about it."""
    content = dealer(edition.description.game)(np.random.default_rng(4), edition.description, 0)
    laid = Content(content.grids[:count], ())
    table = simulate_table(12, edition, laid, SIZE_WH, CLEAN)
    return table.image, table.truth


def seen(image, edition=EDITION):
    return learned_look(Pyramid.of(image), known_edition(edition))


def read(image, edition=EDITION):
    return read_boards(photo_of(image), edition)


@pytest.fixture
def no_features(monkeypatch):
    """Looking for features fails."""

    def fail(*_arguments, **_options):
        raise AssertionError("features were looked for")

    monkeypatch.setattr(free_tiles, "photo_features", fail)
    monkeypatch.setattr(free_tiles, "looked_at_closely", fail)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_it_sees_whole_cities_where_they_lie(count):
    image, truth = table(count=count)
    look = seen(image)
    assert look.is_plain
    outlines = [
        grid.surface.quad(*grid.lattice.extent[1::-1], *np.add(grid.lattice.extent[:1:-1], 1))
        for grid in look.whole
    ]
    assert len(outlines) == len(truth["cities"]) == count
    for city in truth["cities"]:
        middle, edge = np.mean(city["corners_px"], axis=0), city_edge(city)
        apart = [np.hypot(*(outline.mean(axis=0) - middle)) / edge for outline in outlines]
        assert min(apart) < 0.1


def city_edge(city):
    """The edge of a tile, pixels."""
    return float(np.sqrt(cv2.contourArea(floats(city["tile_corners_px"][5]))))


def test_cities_that_it_sees_plainly_are_read_without_features(no_features):
    image, truth = table(count=2)
    reading = read(image)
    verdict = verdict_of("cities", truth, reading)
    assert [grid.fate for grid in verdict.grids] == [Fate.FOUND] * 2
    assert [cell for grid in verdict.grids for cell in grid.cells if cell.silently_wrong] == []
    assert reading.unread == verdict.invented == ()


@pytest.mark.parametrize("numbers", [range(4), [0, 4, 8, 12]])
def test_a_city_of_which_a_side_is_hidden_is_left_to_the_features(numbers):
    image, truth = table(count=2)
    photo = hidden(image, [truth["cities"][0]["tile_corners_px"][number] for number in numbers])
    look = seen(photo)
    assert len(look.whole) == 1
    assert not look.is_plain
    assert not any(_of_tiles(part).is_certain for part in look.perhaps)
    assert len(read(photo).grids) == len(read(photo, BY_FEATURES).grids)


def test_missing_tiles_within_a_city_do_not_matter(no_features):
    image, truth = table(count=2)
    photo = hidden(image, [truth["cities"][0]["tile_corners_px"][number] for number in (5, 10)])
    assert len(seen(photo).whole) == 2
    assert len(read(photo).grids) == 2


@pytest.mark.parametrize("numbers", [[0, 1, 2, 4, 5, 6], [0, 1, 3, 4, 12]])
def test_nor_do_many_if_all_its_sides_are_seen(no_features, numbers):
    image, truth = table(count=2)
    photo = hidden(image, [truth["cities"][0]["tile_corners_px"][number] for number in numbers])
    look = seen(photo)
    assert [_of_tiles(grid).is_certain for grid in (*look.whole, *look.perhaps)] == [True, True]
    reading = read(photo)
    verdict = verdict_of("cities", truth, reading)
    assert [grid.fate for grid in verdict.grids] == [Fate.FOUND] * 2
    assert [cell for grid in verdict.grids for cell in grid.cells if cell.silently_wrong] == []


def test_they_do_where_light_dazzles():
    image, truth = table(count=2)
    city = truth["cities"][0]["tile_corners_px"]
    photo = hidden(image, [city[number] for number in (0, 1, 2, 4, 5, 6)])
    photo = np.rint(photo * 0.2 + 200).astype(np.uint8)
    look = seen(photo)
    assert look.is_plain
    assert len(look.perhaps) == 1
    assert looks_for_features(photo)


def looks_for_features(photo):
    """Whether features are looked for in a photo."""
    looked = []

    def looking(*arguments, **options):
        looked.append(arguments)
        return photo_features(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        for module in (free_tiles, features_of_photo):
            patch.setattr(module, "photo_features", looking)
        read(photo)
    return bool(looked)


@pytest.mark.parametrize(
    ("moved", "gone", "is_plain"),
    [
        ({}, [(0, 0), (1, 1), (2, 2), (3, 0), (3, 1)], True),
        # one side does not show
        ({}, [(0, n) for n in range(4)], False),
        # a row that may be strays, for another one that is hidden
        ({(3, 0): (0, 0.3), (3, 2): (0, 0.3)}, [(3, 1), (3, 3)], False),
        ({(3, 1): (0.2, 0)}, [(3, 0), (3, 2), (3, 3)], False),
    ],
)
def test_a_part_of_a_grid_is_plain_if_all_its_tiles_are_in_line(moved, gone, is_plain):
    (whole,) = _grids([{cell: tile_at(*cell) for cell in CELLS}])
    square = {}
    for cell in CELLS:
        if cell not in gone:
            right, down = moved.get(cell, (0, 0))
            square[cell] = tile_at(cell[0] + down + 6, cell[1] + right + 9)
    parts = _grids([square])
    assert _are_plain(parts, [whole], (4, 4), the_table(), SIZE_WH) == is_plain


def test_nor_is_one_of_another_size():
    (whole,) = _grids([{cell: tile_at(*cell) for cell in CELLS}])
    larger = _grids([{cell: tile_at(*(np.array(cell) + 6), edge=45.0) for cell in CELLS}])
    assert not _are_plain(larger, [whole], (4, 4), the_table(), SIZE_WH)


@pytest.mark.parametrize(("gone", "has_others"), [(0, False), (6, True)])
def test_beside_a_part_what_is_hardly_likely_counts_too(monkeypatch, gone, has_others):
    """It may be what shows of yet another one."""
    edge = 45.0
    whole = [tile_at(*cell, edge) for cell in CELLS]
    missing = [(row, column) for row in (0, 1) for column in range(3)][:gone]
    part = [tile_at(row, column + 8, edge) for row, column in CELLS if (row, column) not in missing]
    faint = [replace(turned_tile(9, 6 * n, 20 + 30 * n, 0.9), likelihood=0.6) for n in (0, 1)]
    monkeypatch.setattr(learned_look_module, "find_tiles", lambda *_, **__: whole + part + faint)
    look = seen(np.zeros((*SIZE_WH[::-1], 3), np.uint8))
    assert len(look.whole) + len(look.perhaps) == 2
    assert look.has_others == has_others


def test_light_on_the_table_makes_the_eye_look_closely():
    image, _ = table(count=1)
    photo = np.hstack([image, np.full_like(image[:, : SIZE_WH[0] // 4], 255)])
    assert len(read(photo).grids) == 1
    assert looks_for_features(photo)


def test_a_table_without_tiles_shows_it_nothing():
    plain = np.full((*SIZE_WH[::-1], 3), 120, np.uint8)
    noise = np.random.default_rng(2).integers(0, 256, plain.shape, np.uint8)
    for look in map(seen, (plain, noise)):
        assert not look.whole
        assert not look.is_plain


def test_what_lies_on_the_board_of_another_game_is_no_city():
    image, _ = table(own_edition("city-blocks"))
    assert not seen(image).whole


def test_an_edition_without_a_network_is_looked_for_by_features():
    image, _ = table()
    assert not seen(image, BY_FEATURES).whole
    assert len(read(image, BY_FEATURES).grids) == 1


@pytest.mark.parametrize(
    ("condition", "seed"),
    [("normal", 3), ("cluttered", 5), ("edge", 7), ("missing", 11), ("dim", 13)],
)
def test_the_same_cities_are_found_with_it_and_without(condition, seed):
    shot = take_photo(EDITION, condition, seed)
    photo = decode_photo(shot.jpeg, "photo.jpg")
    ours, theirs = read_boards(photo, EDITION), read_boards(photo, BY_FEATURES)
    for reading in (ours, theirs):
        verdict = verdict_of("cities", shot.truth, reading)
        assert [grid.fate for grid in verdict.grids] == [Fate.FOUND] * len(shot.truth["cities"])
        assert [one for grid in verdict.grids for one in grid.cells if one.silently_wrong] == []
    assert len(ours.unread) == len(theirs.unread)


def test_it_reads_the_same_again():
    image, _ = table(count=2)
    assert without_timings(read(image)) == without_timings(read(image))


def test_every_network_of_an_own_edition_is_there():
    picture = np.zeros((64, 64, 3), np.uint8)
    names = {own_edition(game).locator for game in own_games()} - {None}
    assert names == {"cities"}
    for name in names:
        assert locate(picture, name).shape == (8, 8, 8)


def test_a_plain_photo_waits_for_no_features_of_pictures(monkeypatch):
    monkeypatch.setattr(PictureIndex, "of", fail_to_learn)
    known = KnownEdition(EDITION)
    image, _ = table(count=2)
    assert len(find_grids(Pyramid.of(image), known)) == 2


@pytest.mark.parametrize("game", ["cities", "city-blocks", "dice-board"])
def test_an_edition_that_was_made_ready_makes_no_photo_wait(monkeypatch, game):
    edition = own_edition(game)
    known = KnownEdition(edition)
    known.make_ready()
    monkeypatch.setattr(PictureIndex, "of", fail_to_learn)
    image, _ = table(edition)
    assert len(find_grids(Pyramid.of(image), known)) == 1
    noise = np.random.default_rng(3).integers(0, 256, (540, 960, 3), np.uint8)
    assert find_grids(Pyramid.of(noise), known) == []


def fail_to_learn(*_arguments, **_options):
    raise AssertionError("features of pictures were made")


def compared_with(image, found, known, moved=IN_PLACE):
    """A grid laid flat where it is taken to be, and what is sure of it."""
    rows, columns = full_grid(known)
    top, left, _, _ = found.cells
    surface = shifted(found.surface, (top, left)).moved(moved)
    places = Places.with_gaps(surface, rows, columns, found.tile_share)
    seen = compared_grid(Pyramid.of(image), places, known)
    answers = answers_for(seen.table, known.in_grid, None)
    return seen, places, dict(zip(places.cells, answers, strict=True))


@cache
def found_by_features():
    """A city, exactly where it lies."""
    image, _ = table()
    known = known_edition(BY_FEATURES)
    (found,) = find_grids(Pyramid.of(image), known)
    return image, found, known


@pytest.mark.parametrize("share", [0.925, 0.94])
def test_how_wide_gaps_are_is_seen_by_what_the_tiles_show(share):
    """Where the network finds a tile does not tell how large it is."""
    image, found, known = found_by_features()
    wrong = replace(found, tile_share=found.tile_share / share * USUAL)
    seen, places, answers = compared_with(image, wrong, known)
    fit = fitted_tiles(seen, places.cells, answers, known)
    assert fit.share(wrong.tile_share) == pytest.approx(found.tile_share, abs=0.015)


def test_gaps_as_usual_are_left_as_they_are():
    image, found, known = found_by_features()
    seen, places, answers = compared_with(image, found, known)
    fit = fitted_tiles(seen, places.cells, answers, known)
    assert fit.share(found.tile_share) == found.tile_share
    assert fit.off < MOST_OFF


@pytest.mark.parametrize("numbers", [(), (0, 1, 5, 10)])
@pytest.mark.parametrize("slant", [(0.0, 0.0), (0.012, -0.006)])
def test_where_tiles_lie_is_seen_by_what_they_show(slant, numbers):
    """Also of tiles that are moved, turned and seen from another side, some of them hidden."""
    image, found, known = found_by_features()
    _, truth = table()
    photo = hidden(image, [truth["cities"][0]["tile_corners_px"][number] for number in numbers])
    wrong = np.array([[1.01, -0.012, 0.03], [0.012, 0.99, -0.02], [*slant, 1.0]])
    seen, places, answers = compared_with(photo, found, known, wrong)
    fit = fitted_tiles(seen, places.cells, answers, known)
    right = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4]])
    told = transformed(right, np.asarray(wrong) @ fit.plane)
    assert np.hypot(*(transformed(right, wrong) - right).T).max() > 0.05
    assert np.hypot(*(told - right).T).max() < 0.03


def test_a_few_tiles_do_not_tell_how_their_plane_lies():
    image, found, known = found_by_features()
    _, truth = table()
    photo = hidden(image, truth["cities"][0]["tile_corners_px"][:10])
    seen, places, answers = compared_with(photo, found, known)
    assert fitted_tiles(seen, places.cells, answers, known) is None


@pytest.fixture
def nothing_by_features(monkeypatch):
    """Features show nothing, as where light leaves too little."""
    nothing = Features(
        np.zeros((0, 2), np.float32), *[np.zeros(0, np.float32)] * 2,
        np.zeros(0, np.bool_), np.zeros((0, DIMENSIONS), np.float32),
    )  # fmt: skip
    monkeypatch.setattr(free_tiles, "photo_features", lambda *_, **__: nothing)
    monkeypatch.setattr(free_tiles, "looked_at_closely", lambda *_, **__: iter([nothing] * 9))


@pytest.mark.usefixtures("nothing_by_features")
def test_half_a_city_that_only_the_network_sees_is_not_passed_over():
    image, truth = table(count=2)
    photo = hidden(image, [truth["cities"][0]["tile_corners_px"][number] for number in range(4)])
    reading = read(photo)
    assert len(reading.grids) + len(reading.unread) == 2


@pytest.mark.usefixtures("nothing_by_features")
@pytest.mark.parametrize("white", [0.5, 0.8])
def test_cities_that_only_the_network_sees_under_dazzling_light_are_read(white):
    image, _ = table(count=2)
    photo = np.rint(image * (1 - white) + 255 * white).astype(np.uint8)
    photo[:80] = 255
    assert is_dazzling(Pyramid.of(photo))
    assert len(read(photo).grids) == 2


@pytest.mark.parametrize("numbers", [range(2, 16), [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14]])
def test_what_shows_of_a_city_under_paper_is_not_taken_for_strays(numbers):
    """Parts of a few tiles are left, here and there."""
    image, truth = table(count=2)
    quads = np.array(truth["cities"][0]["tile_corners_px"])
    part = [quad + 0.45 * (quads[15] - quads[0]).mean(axis=0) / 3 for quad in quads[list(numbers)]]
    photo = hidden(image, part)
    look = seen(photo)
    assert len(look.whole) == 1
    assert not look.is_plain


@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_a_grid_may_go_on_where_other_tiles_lie_in_line(side):
    (grid,) = _grids([{cell: tile_at(*cell) for cell in CELLS}])
    beyond = [((-1, 1), (-1, 2)), ((4, 0), (4, 3)), ((1, -1), (3, -1)), ((0, 4), (2, 4))][side]
    assert grid.may_go_on([tile_at(*cell) for cell in beyond])
    assert not grid.may_go_on([tile_at(*beyond[0])])
    assert not grid.may_go_on([tile_at(*np.multiply(cell, 3)) for cell in beyond])
    assert not grid.may_go_on([])


def tile_at(row, column, edge=30.0):
    """A tile in its place of a lattice."""
    centre = floats([(column + 0.5) * edge + 200, (row + 0.5) * edge + 200])
    return Detection(centre, floats([edge, 0]), floats([0, edge]), 0.9)


def test_tiles_that_lie_on_a_grid_leave_nothing_certain():
    (grid,) = _grids([{cell: tile_at(*cell) for cell in CELLS}])
    ghosts = {(0, n): tile_at(0.5, n + 0.5) for n in range(3)}
    assert grid.is_under(ghosts)
    assert not grid.is_under({(0, n): tile_at(6.5, n + 0.5) for n in range(3)})


def test_tiles_in_a_row_are_no_grid():
    assert _grids([{(0, n): tile_at(0, n) for n in range(4)}]) == []


@pytest.mark.parametrize("shrink", [1.0, 0.5])
def test_large_tiles_are_seen_where_they_lie_too(shrink):
    image, truth = table()
    left, top = np.min(truth["cities"][0]["corners_px"], axis=0) - 40
    right, bottom = np.max(truth["cities"][0]["corners_px"], axis=0) + 40
    parts = slice(max(int(top), 0), int(bottom)), slice(max(int(left), 0), int(right))
    close = cv2.resize(image[parts], None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    (grid,) = seen(close).whole
    quads = np.array(truth["cities"][0]["tile_corners_px"])
    middles = (quads.mean(axis=1) - [parts[1].start, parts[0].start]) * shrink
    told = grid.surface.at(grid.lattice.middles)
    edge = city_edge(truth["cities"][0]) * shrink
    apart = np.hypot(*(told[:, None] - middles).transpose(2, 0, 1)).min(axis=1) / edge
    assert np.median(apart) < 0.03


def test_small_tiles_in_a_corner_are_reason_for_a_close_look():
    """The network may miss them there."""
    image, truth = table()
    as_seen = city_edge(truth["cities"][0]) * np.sqrt(AREAS_PX[0] / np.prod(SIZE_WH))
    shrink = 0.9 * SMALLEST_PX / as_seen
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    photo = np.full_like(image, 120)
    photo[: small.shape[0], : small.shape[1]] = small
    assert not seen(photo).is_plain


def the_table():
    """On which a whole grid lies."""
    (grid,) = _grids([{cell: tile_at(*cell) for cell in CELLS}])
    return OneTable.of([grid.lattice])


def turned_tile(row, column, degrees, size=1.0):
    """A tile of some size that lies about."""
    tile = tile_at(row, column)
    c, s = (size * 30 * way(np.deg2rad(degrees)) for way in (np.cos, np.sin))
    return replace(tile, right=floats([c, s]), down=floats([-s, c]))


@pytest.mark.parametrize(
    ("left", "may_be"),
    [
        ([], False),
        ([[turned_tile(8, 2, 10)], [turned_tile(8, 8, 40)], [turned_tile(0, 9, 70)]], False),
        # partly covered, near one another or far apart
        ([[turned_tile(8, 2, 10, 0.7)], [turned_tile(9, 4, 40, 0.6)]], True),
        ([[turned_tile(8, 2, 10, 0.7)], [turned_tile(0, 12, 40, 0.6)]], False),
        # pointing the same way, but for quarter turns, or each another one
        ([[turned_tile(8 + n % 2, 3 * n, 20 + 90 * n)] for n in range(4)], False),
        ([[turned_tile(8 + n % 2, 1 + n, 20 + 90 * n)] for n in range(4)], True),
        ([[turned_tile(8 + n % 2, 1 + n, 20 * n)] for n in range(4)], False),
        # edge to edge, of the size that tiles have here, or of another one at the photo's edge only
        ([[turned_tile(9, n, 0) for n in range(3)]], True),
        ([[turned_tile(9, 2 * n, 0, 1.7) for n in range(3)]], False),
        ([[turned_tile(-6.5, 2 * n, 0, 1.7) for n in range(3)]], True),
    ],
)
def test_what_is_left_over_may_be_a_part_of_a_grid(left, may_be):
    assert may_be_a_grid(left, the_table(), SIZE_WH) == may_be


def test_beside_as_many_cities_as_there_can_be_light_hides_none(no_features):
    most = EDITION.description.most_grids
    deals = (dealer("cities")(np.random.default_rng(n), EDITION.description, 0) for n in range(50))
    content = next(dealt for dealt in deals if len(dealt.grids) == most)
    laid = simulate_table(12, EDITION, Content(content.grids, ()), SIZE_WH, CLEAN)
    photo = np.hstack([laid.image, np.full_like(laid.image[:, : SIZE_WH[0] // 4], 255)])
    assert len(read(photo).grids) == most
