"""Detected tiles that lie in no grid: what is left unread, and what is no grid."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from scoring.faces import Face
from tests.vision.cities import STANDARD, table_of_cities
from vision.arrays import floats
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.eye.acceptance import (
    find_rejection_reason,
    find_tile_backs,
    is_readable,
    lies_on_face_down_pile,
)
from vision.eye.face_ranking import Ranking
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.leftovers import account_for_leftovers, may_continue_beyond_edge
from vision.eye.locate import run_locator
from vision.eye.locator_runs import first_areas
from vision.eye.placement import embed_grids_at, make_candidates
from vision.eye.quads import overlap_share
from vision.eye.read import recognise_image
from vision.eye.recognise import recognise_grids
from vision.lab.simulate.simulated_table import Surroundings
from vision.patches.cut import UNIT_SQUARE, Pyramid, points_in_quads
from vision.patches.embedding import PART_COUNT

GRID = [[list(Face)[(2 * row + column) % 9] for column in range(4)] for row in range(4)]
GRID_FORMAT = model_of(STANDARD).grid_format
SIZE_WH = 1000, 600
TILE_PX = 60.0


@cache
def table():
    return table_of_cities(4, [GRID] * 2, surroundings=Surroundings(props=0, strays=0))


def cut_off(tiles_across: float):
    """Return the photo from that many tiles of its leftmost city on, and its corners."""
    cities = [floats(city["corners_px"]) for city in table().truth["cities"]]
    city = min(cities, key=lambda corners: corners[:, 0].max())
    right, left = city[:, 0].max(), city[:, 0].min()
    start = int(right - tiles_across / 4 * (right - left))
    return np.ascontiguousarray(table().image[:, start:]), city - floats([start, 0])


@pytest.mark.parametrize("tiles_across", [1.1, 1.6])
def test_city_of_which_little_is_in_the_photo_is_left_unread(tiles_across):
    image, city = cut_off(tiles_across)
    reading = recognise_image(Pyramid(image), model_of(STANDARD))
    assert all(overlap_share(grid.corners_px, city) < 0.1 for grid in reading.grids)
    assert any(overlap_share(quad, city) > 0.5 for quad in reading.unread)


def test_thing_is_left_unread_once():
    ledger = Ledger()
    square = floats([[0, 0], [90, 0], [90, 90], [0, 90]])
    ledger.leave_unread(square)
    ledger.leave_unread(square + 5)
    ledger.leave_unread(square + 200)
    assert len(ledger.unread) == 2


def tiles(cells, at=(0.0, 0.0), turn=0.0):
    """Return tiles in these cells of a lattice whose cell (0, 0) begins at a place."""
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array(cells, float)[:, None] + UNIT_SQUARE
    return floats(TILE_PX * corners @ np.array([[c, s], [-s, c]]) + at)


def may_run_off(tile_quads_px):
    return may_continue_beyond_edge(tile_quads_px, SIZE_WH, GRID_FORMAT)


@pytest.mark.parametrize(
    "tile_quads_px",
    [
        tiles([(0, 0), (0, 1), (0, 2), (0, 3)], (20.0, 200.0)),
        tiles([(0, 0), (1, 0), (2, 0), (3, 0)], (400.0, 560.0)),
        tiles([(0, 0), (1, 0), (0, 1)], (10.0, 20.0), turn=-np.pi / 4),
        tiles([(0, 0), (0, 1), (0, 2)], (-10.0, -10.0)),
    ],
    ids=["column", "row", "turned corner", "corner of the photo"],
)
def test_tiles_along_the_edge_may_be_a_grid_cut_off(tile_quads_px):
    assert may_run_off(tile_quads_px)


@pytest.mark.parametrize(
    "tile_quads_px",
    [
        tiles([(0, 0), (0, 1), (0, 2), (0, 3)], (400.0, 200.0)),
        tiles([(0, 0), (1, 0), (2, 0), (3, 0)], (-20.0, 200.0)),
        tiles([(0, 0), (0, 1), (0, 2)], (20.0, 200.0)),
        tiles([(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)], (20.0, 200.0)),
    ],
    ids=["in the middle", "away from the edge", "too few", "too many"],
)
def test_tiles_with_room_beside_them_are_no_grid_cut_off(tile_quads_px):
    assert not may_run_off(tile_quads_px)


def draw_tiles(looks, first=(2, 2), quarters=0):
    """Draw tiles of these looks (rows, columns), each as another face and turned by quarters.

    Returns:
        The photo, and the grid of four rows and columns from the cell ``first`` on.
    """
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), 40, np.uint8)
    for (row, column), look in np.ndenumerate(np.array(looks)):
        if look < 0:
            continue
        rng = np.random.default_rng(look)
        tile = np.full((55, 55, 3), rng.integers(60, 250, 3), np.uint8)
        for left, top in rng.integers(2, 30, (3, 2)):
            tile[top : top + 20, left : left + 20] = rng.integers(60, 250, 3)
        x, y = (int(TILE_PX * n) + 3 for n in (column, row))
        image[y : y + 55, x : x + 55] = np.rot90(tile, quarters)
    corner = TILE_PX * floats(first)
    places = np.argwhere(np.ones((4, 4)))[:, ::-1]
    pyramid = Pyramid(image)
    camera, placed = embed_grids_at(pyramid, [tiles(places, tuple(corner)).reshape(4, 4, 4, 2)])
    return pyramid, make_candidates(pyramid, camera, placed, model_of(STANDARD))[0]


def looks_at(rows, columns):
    """Return looks of which those in these rows and columns all differ and the rest are bare."""
    looks = np.full((10, 16), -1)
    looks[rows, columns] = np.arange(160).reshape(10, 16)[rows, columns] + 5
    return looks


WHOLE = np.ones(16, bool)
WHOLE_IN_PART = np.arange(16) < 9


@pytest.mark.parametrize(
    ("columns", "why"), [(slice(2, 6), None), (slice(2, 8), RejectionReason.OTHER_SHAPE)]
)
def test_squares_are_a_grid_unless_they_go_on_beside_it(columns, why):
    pyramid, candidate = draw_tiles(looks_at(slice(2, 6), columns))
    assert find_rejection_reason(pyramid, candidate, WHOLE, typical_similarity=0.4) is why


@pytest.mark.parametrize(
    ("columns", "why"), [(slice(2, 7), None), (slice(1, 7), RejectionReason.OTHER_SHAPE)]
)
def test_squares_along_three_sides_are_no_grid_despite_known_tile(columns, why):
    pyramid, candidate = draw_tiles(looks_at(slice(2, 7), columns))
    candidate.similarity[3] = 0.9
    assert find_rejection_reason(pyramid, candidate, WHOLE, typical_similarity=0.6) is why


@pytest.mark.parametrize(
    ("alike", "is_position_certain", "why"),
    [
        (7, False, None),
        (12, False, RejectionReason.FACE_DOWN),
        (12, True, None),
        (14, True, RejectionReason.FACE_DOWN),
    ],
    ids=["few alike", "most, position uncertain", "most, as in a city", "nearly all"],
)
def test_tiles_lie_face_down_if_most_look_the_same(alike, is_position_certain, why):
    looks = looks_at(slice(2, 6), slice(2, 6))
    looks[2:6, 2:6].flat[:alike] = 1
    pyramid, candidate = draw_tiles(looks)
    placed = replace(candidate.placed, is_position_certain=is_position_certain)
    candidate = replace(candidate, placed=placed)
    assert find_rejection_reason(pyramid, candidate, WHOLE, typical_similarity=0.6) is why


@pytest.mark.parametrize(("alike", "on_pile"), [(0, False), (3, False), (6, True)])
def test_grid_with_tiles_of_supply_lies_on_it_if_few_remain(alike, on_pile):
    looks = looks_at(slice(2, 6), slice(2, 6))
    pile = draw_tiles(np.where(looks >= 0, 1, -1), quarters=1)
    looks[2:6, 2:6].flat[:alike] = 1
    _, candidate = draw_tiles(looks)
    assert lies_on_face_down_pile(candidate, WHOLE, find_tile_backs(pile[0], [pile[1]])) is on_pile


def test_pile_that_the_photo_cuts_off_shows_backs():
    looks = np.full((10, 16), -1)
    looks[:3, 2:6] = 1
    pyramid, pile = draw_tiles(looks, first=(2, -1))
    assert len(find_tile_backs(pyramid, [pile])) == 4


def test_cut_off_city_beside_supply_does_not_lie_on_it():
    looks = looks_at(slice(2, 6), slice(2, 6))
    pile = draw_tiles(np.where(looks >= 0, 1, -1))
    _, candidate = draw_tiles(looks)
    assert not lies_on_face_down_pile(candidate, WHOLE_IN_PART, find_tile_backs(pile[0], [pile[1]]))


def test_city_of_one_look_in_most_places_is_no_sure_supply():
    looks = looks_at(slice(2, 6), slice(2, 6))
    looks[2:6, 2:6].flat[:10] = 1
    pyramid, candidate = draw_tiles(looks)
    assert not len(find_tile_backs(pyramid, [candidate]))


def rank_tiles(faces, similarity):
    """Return the ranking of tiles with these likeliest faces, all of the same similarity."""
    of_each = np.full(len(faces), similarity)
    shown = np.array(faces)[:, None]
    return Ranking(shown, of_each, of_each, of_each, np.ones((len(faces), PART_COUNT)))


@pytest.mark.parametrize(
    ("similarity", "face", "readable"),
    [(0.75, None, False), (0.85, None, True), (0.75, "red-house-1", True)],
    ids=["cloth", "empty board", "board full of one face"],
)
def test_squares_a_little_like_empty_plots_are_no_board(similarity, face, readable):
    model = model_of(built_in_edition("city-blocks"))
    pyramid, candidate = draw_tiles(looks_at(slice(2, 6), slice(2, 6)))
    ranking = rank_tiles([model.references.faces.index(face)] * 16, similarity)
    found = is_readable(pyramid, candidate, WHOLE, ranking, model, has_known_grid=True)
    assert found is readable


def test_mat_whose_squares_are_a_little_like_faces_cannot_be_read():
    pyramid, candidate = draw_tiles(np.ones((10, 16), int))
    ranking, model = rank_tiles(range(16), similarity=0.75), model_of(STANDARD)
    assert not is_readable(pyramid, candidate, WHOLE, ranking, model, has_known_grid=True)


def test_city_under_rejected_grid_is_left_unread():
    city = floats(table().truth["cities"][0]["corners_px"])
    pyramid, model, ledger = Pyramid(table().image), model_of(STANDARD), Ledger()
    ledger.reject(city, RejectionReason.FEW_WHOLE_TILES)
    output = run_locator(pyramid, GRID_FORMAT, first_areas(GRID_FORMAT)[0])
    account_for_leftovers(pyramid, [output], (), (), model, ledger)
    assert any(overlap_share(quad, city) > 0.5 for quad in ledger.unread)


def test_a_known_tile_or_two_among_others_are_no_city():
    model = model_of(STANDARD)
    factories_alone = replace(model, references=model.references.of_faces([Face.FACTORY]))
    pyramid, ledger = Pyramid(table().image), Ledger()
    output = run_locator(pyramid, GRID_FORMAT, first_areas(GRID_FORMAT)[0])
    account_for_leftovers(pyramid, [output], (), (), factories_alone, ledger)
    assert not ledger.unread
    reasons = {each.reason for each in ledger.rejected}
    assert RejectionReason.NO_KNOWN_FACE in reasons


def place_cities(model):
    """Return the photo of the table, and its two cities as candidates."""
    places = floats([np.argwhere(np.ones((4, 4)))[:, ::-1]])[0][:, None] + UNIT_SQUARE
    quads = [
        points_in_quads(np.repeat(floats(city["corners_px"])[None], 16, axis=0), places / 4)
        for city in table().truth["cities"]
    ]
    pyramid = Pyramid(table().image)
    camera, placed = embed_grids_at(pyramid, [each.reshape(4, 4, 4, 2) for each in quads])
    return pyramid, make_candidates(pyramid, camera, placed, model)


@pytest.mark.parametrize(
    ("certain", "unread"),
    [((False, False), 0), ((False, True), 2)],
    ids=["table top", "another edition"],
)
def test_grids_like_no_face_are_unread_if_one_surely_lies_there(certain, unread):
    model, ledger = model_of(STANDARD), Ledger()
    of_houses = replace(model, references=model.references.of_faces([Face.HOUSE]))
    pyramid, candidates = place_cities(of_houses)
    candidates = [
        replace(
            each,
            similarity=each.similarity.clip(max=0.7),
            placed=replace(each.placed, is_position_certain=is_certain),
        )
        for each, is_certain in zip(candidates, certain, strict=True)
    ]
    recognise_grids(pyramid, candidates, of_houses, ledger=ledger)
    assert len(ledger.unread) == unread


@pytest.mark.parametrize(
    ("beside_known", "unread"), [(True, 1), (False, 0)], ids=["beside a known grid", "alone"]
)
def test_grid_with_blurred_tiles_is_left_unread_beside_a_known_one(beside_known, unread):
    model, ledger = model_of(STANDARD), Ledger()
    pyramid, (city, known) = place_cities(model)
    whole = floats(np.where(np.arange(16) < 11, 0.9, 0.3))
    blurred = replace(
        city,
        similarity=floats(city.similarity - 0.3),
        placed=replace(
            city.placed, embeddings=replace(city.placed.embeddings, whole_probability=whole)
        ),
    )
    candidates = [blurred, known] if beside_known else [blurred]
    recognise_grids(pyramid, candidates, model, ledger=ledger)
    assert len(ledger.unread) == unread
    assert len(ledger.rejected) == 1 - unread


def test_grid_whose_colours_light_has_washed_out_is_left_unread():
    model, ledger = model_of(STANDARD), Ledger()
    pyramid, (candidate, *_) = place_cities(model)
    washed_out = replace(candidate, similarity=candidate.similarity * np.float32(0.4))
    account_for_leftovers(pyramid, (), (), [washed_out], model, ledger)
    assert len(ledger.unread) == 1
