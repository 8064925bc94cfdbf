"""Whole tables of the games that Stadtblick brings editions of, with figures and loose pieces."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.pictured import verdict_of
from vision.arrays import floats
from vision.editions.folder import built_in_edition, built_in_games
from vision.eye.figures import PossibleFigures, decide_figures
from vision.eye.ledger import RejectionReason
from vision.eye.read import read_tiles, recognise_table
from vision.lab.evaluation.verdict import GridFate
from vision.lab.simulate.simulated_photos import take_photo
from vision.photo.load import decode_photo

GAMES = built_in_games()
SIZE_WH = (1280, 720)
CITIES = built_in_edition("cities").description


@cache
def shot(game, condition, seed):
    """A photo of a table, and its truth."""
    made = take_photo(built_in_edition(game), condition, seed, SIZE_WH)
    return decode_photo(made.jpeg, "photo.jpg"), made.truth


@cache
def read(game, condition, seed):
    """The reading of a table, and all that the eye recognised for it."""
    recognised = []

    def recorded(*given):
        recognised.append(recognise_table(*given))
        return recognised[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.eye.read.recognise_table", recorded)
        reading = read_tiles(shot(game, condition, seed)[0], built_in_edition(game))
    return reading, *recognised


@cache
def verdict(game, condition, seed):
    _photo, truth = shot(game, condition, seed)
    return verdict_of(game, truth, read(game, condition, seed)[0])


def distance(quad, point):
    """Distance of a point from a quad (4, 2), negative outside."""
    x, y = (float(v) for v in point)
    return cv2.pointPolygonTest(cv2.convexHull(floats(quad)), (x, y), measureDist=True)


DIFFICULT = [
    *[("covered", game) for game in GAMES], ("missing", "cities"), ("missing", "dice-board"),
    ("handheld", "city-blocks"), ("handheld", "dice-board"),
]  # fmt: skip
TABLES = [
    *[(game, "normal", 1) for game in GAMES],
    *[(game, condition, 5) for condition, game in DIFFICULT],
    *[(game, "no-city", 3) for game in GAMES],
    ("between-two-cities", "no-city", 9),
]
"""Tables that other tests read as well; each reason of a rejection is needed on one of them."""


@pytest.mark.parametrize(("game", "condition", "seed"), TABLES)
def test_detected_tiles_are_all_read_unread_or_rejected(game, condition, seed):
    _reading, table = read(game, condition, seed)
    quads = [
        *(grid.corners_px for grid in table.grids),
        *table.unread,
        *(each.quad_px for each in table.rejected),
    ]
    assert len(table.detected_px) > 0
    lost = [at for at in table.detected_px if max(distance(q, at) for q in quads) < -1]
    assert lost == []


def test_supply_that_lies_face_down_is_rejected():
    _reading, table = read("between-two-cities", "no-city", 9)
    assert RejectionReason.FACE_DOWN in {each.reason for each in table.rejected}
    assert not table.unread


@pytest.mark.parametrize("game", GAMES)
def test_table_in_ordinary_light_is_read_with_few_questions(game):
    judged = verdict(game, "normal", 1)
    assert {grid.fate for grid in judged.grids} == {GridFate.FOUND}
    assert judged.invented == ()
    cells = [cell for grid in judged.grids for cell in grid.cells]
    assert all(cell.right or cell.flagged for cell in cells)
    assert np.mean([cell.right and not cell.flagged for cell in cells]) > 0.75
    assert max(grid.corner_error for grid in judged.grids) < 0.25


def test_most_tourists_are_seen_and_none_is_confused():
    seen = [
        one for seed in (1, 2) for g in verdict("cities", "normal", seed).grids for one in g.tokens
    ]
    true = [one for one in seen if one.truth is not None]
    assert len(true) > 5
    assert np.mean([one.right for one in true]) > 0.6
    assert not [one for one in seen if one.read not in (None, one.truth) and one.silently_wrong]


def test_value_tiles_are_read_in_slots_and_heaps():
    tables = ("normal", 1), ("normal", 2), ("handheld", 5), ("covered", 5)
    grids = [grid for table in tables for grid in verdict("city-blocks", *table).grids]
    seen = [one for grid in grids for one in grid.beside]
    true = [one for one in seen if one.truth is not None]
    assert len(true) > 10
    assert np.mean([one.right for one in true]) > 0.8
    assert not [one for one in seen if one.read is not None and one.silently_wrong]


@pytest.mark.parametrize(("condition", "game"), DIFFICULT)
def test_on_a_difficult_table_no_tile_is_wrong_without_a_question(condition, game):
    judged = verdict(game, condition, 5)
    cells = [cell for grid in judged.grids for cell in grid.cells]
    assert not [cell for cell in cells if cell.silently_wrong]
    assert judged.invented == ()


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_read_on_an_empty_table(game):
    assert verdict(game, "no-city", 3).invented == ()


@pytest.mark.parametrize("seed", [3, 9])
def test_face_down_supply_and_score_board_are_no_unread_city(seed):
    reading, _table = read("between-two-cities", "no-city", seed)
    assert (reading.grids, reading.unread) == ((), ())


def test_a_face_down_pile_cut_off_by_the_photo_is_no_city():
    """Backs resemble a face a little; other piles on the table show that they are backs."""
    edition = built_in_edition("between-two-cities")
    jpeg = take_photo(edition, "no-city", 4080, (2304, 1296)).jpeg
    reading = read_tiles(decode_photo(jpeg, "photo.jpg"), edition)
    assert (reading.grids, reading.unread) == ((), ())


def test_a_place_of_whose_pieces_none_is_known_is_asked_about():
    blocks = built_in_edition("city-blocks")
    board = blocks.description.board
    known = replace(blocks.model, loose=blocks.model.loose.of_faces(["value-1"]))
    places = tuple(replace(place, faces=("value-2",)) for place in board.slots)
    heaps = tuple(replace(heap, faces=("value-2",)) for heap in board.heaps)
    described = replace(blocks.description, board=replace(board, slots=places, heaps=heaps))
    photo, _truth = shot("city-blocks", "normal", 1)
    (grid,) = read_tiles(photo, replace(blocks, description=described, model=known)).grids
    assert grid.loose == ()
    assert {("row", 0), ("column", 5)} <= set(grid.unsure_slots)


def test_a_board_that_has_no_places_for_known_pieces_is_read():
    blocks = built_in_edition("city-blocks")
    bare = replace(blocks.description.board, slots=(), heaps=())
    described = replace(blocks.description, board=bare)
    photo, _truth = shot("city-blocks", "normal", 1)
    (grid,) = read_tiles(photo, replace(blocks, description=described)).grids
    assert (grid.loose, grid.unsure_slots) == ((), ())


def standing(feet, kinds, chance=0.9, windows=None):
    """Figures of kinds at places in tiles, as they would have been seen."""
    off = np.full((len(feet), len(CITIES.tokens)), 0.9)
    off[np.arange(len(kinds)), kinds] = 0.1
    return PossibleFigures(
        (4, 4),
        np.array(feet, np.float32),
        off,
        np.zeros((len(feet), 6)),
        np.full(len(feet), chance),
        np.zeros((16, 9), bool),
        np.full(len(feet), np.nan) if windows is None else np.array(windows),
    )


class TestFigures:
    def test_figure_stands_on_cell_of_its_foot_or_the_next(self):
        stood, unsure = decide_figures(standing([(0.25, 0.25), (3.3, 1.75)], [1, 1]), CITIES)
        assert [(each.cell, each.kind) for each in stood] == [((0, 0), 1), ((3, 6), 1)]
        assert unsure == []
        _, unsure = decide_figures(standing([(0.49, 0.25)], [0]), CITIES)
        assert unsure == [(0, 0), (0, 1)]

    def test_doubtful_figures_are_flagged(self):
        three = standing([(0.25, 0.25), (1.25, 1.25), (2.25, 2.25)], [0, 0, 2])
        _, unsure = decide_figures(three, CITIES)
        assert unsure == [(4, 4)]
        one = standing([(0.25, 0.25)], [0])
        far = replace(one, colour_distances=one.colour_distances + 0.8)
        _, unsure = decide_figures(far, CITIES)
        assert unsure == [(0, 0)]
        stood, unsure = decide_figures(standing([(0.25, 0.25)], [0], chance=0.2), CITIES)
        assert (stood, unsure) == ([], [(0, 0)])

    def test_detection_over_an_unchanged_tile_is_no_figure(self):
        bush = standing([(0.25, 0.25)], [0], windows=[0.95])
        assert decide_figures(bush, CITIES)[0] == []

    def test_figure_over_an_odd_window_is_sure_in_dim_light(self):
        dim = standing([(0.25, 0.25)], [0], chance=0.3, windows=[0.5])
        stood, unsure = decide_figures(dim, CITIES)
        assert ([each.cell for each in stood], unsure) == ([(0, 0)], [])

    def test_read_figure_is_not_asked_about_for_its_faint_part(self):
        two = standing([(0.25, 0.25), (0.3, 0.3)], [0, 0], windows=[0.5, 0.5])
        assert decide_figures(two, CITIES)[1] == [(0, 0)], "one of two would be lost"
        evidence = two.evidence.copy()
        evidence[1, 2:4] = 1.0
        faint = replace(
            two,
            evidence=evidence,
            colour_distances=two.colour_distances + np.array([[0.0], [0.7]]),
        )
        stood, unsure = decide_figures(faint, CITIES)
        assert ([each.cell for each in stood], unsure) == ([(0, 0)], [])

    @pytest.mark.parametrize("quarters", [1, 2, 3])
    def test_figures_turn_with_their_grid(self, quarters):
        turned = standing([(0.25, 1.25)], [0]).turned(quarters)
        back = turned.turned(4 - quarters)
        assert np.allclose(back.feet, [(0.25, 1.25)])
        assert {1: (2.75, 0.25), 2: (3.75, 2.75), 3: (1.25, 3.75)}[quarters] == pytest.approx(
            tuple(turned.feet[0].tolist())
        )


@pytest.mark.parametrize(
    ("condition", "seed"), [("handheld", 5), ("patterned", 11), ("sloppy", 320001)]
)
def test_no_question_is_raised_by_score_boards_and_cloths(condition, seed):
    reading = read("between-two-cities", condition, seed)[0]
    assert reading.grids
    assert reading.unread == ()
