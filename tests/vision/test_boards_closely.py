"""Doubtful places, and what a closer look at their drawing tells of them."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from pictured import CLEAN, described, drawn_face, edition_of, hidden, photo_of

from vision.arrays import floats
from vision.boards.closely import answers_looked_at_closely
from vision.boards.eye import read_boards
from vision.boards.grid_compared import compared_grid
from vision.boards.judge import (
    LIKELIER_BY_DRAWING,
    MOST_ALTERNATIVES,
    NOT_BARE,
    Answer,
    CloseLook,
    answer_looked_at_closely,
)
from vision.boards.known import KnownEdition
from vision.boards.places import Places
from vision.boards.surface import Lens, Surface
from vision.editions.edition import Edition
from vision.editions.folder import own_edition
from vision.pyramid import Pyramid
from vision.simulate.content import Content
from vision.simulate.photos import dealer
from vision.simulate.table import simulate_table

KNOWN = KnownEdition(edition_of(described(("a", "b", "c")))).in_grid
UNALIKE = 0.9
DOUBTFUL = Answer(2, 1, 0.7, 0.01, is_sure=False, alternatives=((0, 0), (None, 0)))
BARE = replace(DOUBTFUL, face=None, turn=0, alternatives=((2, 1),))


def looked(answer=DOUBTFUL, *, empty=None, is_burnt=False, everything_else=UNALIKE, **near):
    """The answer after a closer look to which pictures such as ``b2`` are so near."""
    distances = np.full(12, everything_else, np.float32)
    for name, distance in near.items():
        face, turn = KNOWN.names.index(name[0]), int(name[1])
        distances[(KNOWN.faces == face) & (KNOWN.turns == turn)] = distance
    return answer_looked_at_closely(answer, CloseLook(distances, empty, is_burnt), KNOWN)


class TestAnswers:
    def test_what_leads_is_the_answer_however_little_it_is_alike_and_never_sure(self):
        for distance in (0.1, UNALIKE - LIKELIER_BY_DRAWING - 0.01):
            answer = looked(b2=distance)
            assert (answer.face, answer.turn, answer.is_sure) == (1, 2, False)

    def test_what_was_thought_before_may_be_as_well(self):
        assert looked(b2=0.5).alternatives == ((2, 1), (0, 0), (None, 0))
        assert looked(a0=0.5).alternatives == ((2, 1), (None, 0))
        assert looked(c1=0.5).alternatives == ((0, 0), (None, 0))
        many = replace(DOUBTFUL, alternatives=((0, 0), (0, 1), (0, 2), (0, 3)))
        assert len(looked(many, b2=0.5).alternatives) == MOST_ALTERNATIVES

    def test_without_a_lead_the_answer_stays(self):
        assert looked(b2=UNALIKE - LIKELIER_BY_DRAWING / 2) == DOUBTFUL
        assert looked(b2=0.5, a0=0.5 + LIKELIER_BY_DRAWING / 2) == DOUBTFUL

    def test_what_is_burnt_out_was_a_guess_before(self):
        assert looked(b2=UNALIKE - LIKELIER_BY_DRAWING / 2, is_burnt=True).face == 1

    def test_where_nothing_is_drawn_any_more_the_answer_stays(self):
        assert looked(is_burnt=True, everything_else=1.0) == DOUBTFUL

    def test_a_board_that_shows_is_empty(self):
        assert looked(empty=0.3, b2=0.5).face is None
        assert looked(empty=0.5, b2=0.3).face == 1
        assert looked(empty=0.31, b2=0.3) == DOUBTFUL

    def test_a_bare_table_has_no_tile_by_chance(self):
        by_chance = UNALIKE - (NOT_BARE + LIKELIER_BY_DRAWING) / 2
        assert looked(BARE, b2=by_chance) == BARE
        assert looked(BARE, b2=by_chance, is_burnt=True) == BARE
        assert looked(BARE, b2=UNALIKE - NOT_BARE - 0.01).face == 1
        assert looked(BARE, b2=by_chance, empty=UNALIKE).face == 1

    def test_the_clearer_the_lead_the_higher_the_confidence(self):
        leads = [0.0, 0.03, 0.06, 0.1, 0.2]
        told = [looked(b2=UNALIKE - lead, is_burnt=True).confidence for lead in leads]
        assert told == sorted(told)
        assert told[0] < 0.1
        assert told[-1] > 0.95


class TestTellsOfAGrid:
    @pytest.mark.parametrize(("lead", "tells"), [(0.05, False), (0.09, False), (0.11, True)])
    def test_a_plain_drawing_does_though_it_is_not_sure(self, lead, tells):
        answer = looked(b2=UNALIKE - lead)
        assert not answer.is_sure
        assert answer.tells_of_a_grid is tells

    def test_a_bare_place_never_does(self):
        assert not looked(empty=0.2).tells_of_a_grid

    def test_before_it_is_looked_at_closely_a_tile_must_be_sure(self):
        doubtful = Answer(0, 0, 0.2, 0.5, is_sure=False)
        assert not doubtful.tells_of_a_grid
        assert replace(doubtful, is_sure=True).tells_of_a_grid


@cache
def table():
    """City Blocks in good light."""
    game = "city-blocks"
    content = dealer(game)(np.random.default_rng(4), own_edition(game).description, 0)
    content = Content(content.grids[:1], ())
    return simulate_table(6, own_edition(game), content, (1728, 972), CLEAN)


def read(image):
    (grid,) = read_boards(photo_of(image), own_edition("city-blocks")).grids
    return grid


def lies(row, column):
    """What lies in a cell of the table, and the corners of its place in the photo."""
    city = table().truth["cities"][0]
    return city["grid"][row][column], floats(city["tile_corners_px"][row * 6 + column])


def cells():
    return [(row, column) for row in range(5) for column in range(6)]


def test_what_is_left_of_a_print_under_a_reflection_tells_what_it_is():
    city = table().truth["cities"][0]
    top, bottom = floats(city["corners_px"])[1:3]
    light = np.zeros(table().image.shape[:2], np.float32)
    middle, radius = np.rint((top + bottom) / 2).astype(int).tolist(), np.hypot(*(top - bottom)) / 2
    cv2.circle(light, middle, round(radius), 210.0, -1)
    lit = table().image + cv2.GaussianBlur(light, (0, 0), 30)[..., None]
    grid = read(np.clip(lit, 0, 255).astype(np.uint8))
    assert len(grid.unsure) >= 5
    for row, column in cells():
        assert grid.grid[row][column] == city["grid"][row][column]


def test_the_part_of_a_tile_that_nothing_hides_tells_what_it_is():
    places = [cell for cell in cells() if lies(*cell)[0] is not None][::2]
    quads = [lies(*place)[1] for place in places]
    upper = [[q[0], q[1], *(0.4 * q[[1, 0]] + 0.6 * q[[2, 3]])] for q in quads]
    grid = read(hidden(table().image, upper))
    assert set(places) <= set(grid.unsure)
    for row, column in cells():
        assert grid.grid[row][column] == lies(row, column)[0]


PLAIN, DRAWN = 0, 1
SOME_PLAIN = described(("plain", "drawn", "other"))


@pytest.mark.parametrize(("face", "is_exchanged"), [(PLAIN, False), (DRAWN, True)])
def test_a_face_without_a_drawing_is_not_exchanged_for_one_by_chance(face, is_exchanged):
    """What light leaves of a white place is specks, which are about as much like any drawing."""
    plain = np.full((96, 96, 3), 240, np.uint8)
    pictures = {"plain": (plain,), "drawn": (drawn_face(2),), "other": (drawn_face(3),)}
    known = KnownEdition(Edition(SOME_PLAIN, pictures))
    tile = cv2.resize(drawn_face(3), (80, 80), interpolation=cv2.INTER_AREA)
    image = np.full((160, 160, 3), 255, np.uint8)
    image[40:120, 40:120] = np.clip(tile.astype(np.int16) + 180, 0, 255)
    to_pixels = np.array([[80.0, 0.0, 40.0], [0.0, 80.0, 40.0], [0.0, 0.0, 1.0]])
    places = Places(Surface(to_pixels, Lens.of((160, 160))), 1, 1)
    seen = compared_grid(Pyramid.of(image), places, known)
    before = {(0, 0): Answer(face, 0, 0.9, 0.0, is_sure=False)}
    after = answers_looked_at_closely(seen, places.cells, before, known)
    assert (after != before) is is_exchanged


def test_what_is_sure_is_not_looked_at_again():
    known = KnownEdition(edition_of(described(("a", "b", "c"))))
    sure = {(0, 0): Answer(0, 0, 0.1, 0.5, is_sure=True)}
    places = Places(Surface(np.diag([80.0, 80.0, 1.0]), Lens.of((80, 80))), 1, 1)
    seen = compared_grid(Pyramid.of(drawn_face(2, 80)), places, known)
    assert answers_looked_at_closely(seen, places.cells, sure, known) == sure
