"""From distances to answers: sure, unsure, alternatives, nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import described, drawn_face, edition_of

from vision.arrays import floats
from vision.boards.judge import (
    ALIKE,
    CLEAR_LEAD,
    DRAWING_ALIKE,
    DRAWING_LEAD,
    LIKELIER_BY_DRAWING,
    MOST_ALTERNATIVES,
    NOTHING,
    PLAINLY_DRAWN,
    STRANGE,
    Answer,
    JudgedBy,
    answer_by_drawing,
    answer_for,
    answers_for,
)
from vision.boards.known import KnownEdition
from vision.editions.description import FaceDescription
from vision.editions.edition import Edition

THREE = described(("a", "b", "c"))
KNOWN = KnownEdition(edition_of(THREE)).in_grid
TURNS_MATTER = KnownEdition(edition_of(replace(THREE, turns_matter=True))).in_grid
FAR = 1.9


def distances(**near):
    """To all pictures: far from all but those named, such as ``b2``: b turned by two quarters."""
    table = np.full(12, FAR, np.float32)
    for name, distance in near.items():
        face, turn = KNOWN.names.index(name[0]), int(name[1])
        table[np.flatnonzero((KNOWN.faces == face) & (KNOWN.turns == turn))] = distance
    return table


def judged(empty=None, *, known=KNOWN, **near):
    return answer_for(distances(**near), known, empty=empty)


UNLIKE = floats([1, 1, 1])
"""The drawings of the three faces have nothing in common."""


def by_drawing(answer, *, empty=None, known=KNOWN, everything_else=FAR, others=UNLIKE, **near):
    table = np.minimum(distances(**near), np.float32(everything_else))
    return answer_by_drawing(answer, table, known, others, empty=empty)


class TestAnswers:
    def test_one_picture_much_nearer_than_all_others_is_sure(self):
        answer = judged(b2=0.1)
        assert (answer.face, answer.turn, answer.is_sure) == (1, 2, True)
        assert answer.alternatives == ()
        assert answer.confidence > 0.9

    def test_a_tile_far_from_its_picture_is_unsure(self):
        answer = judged(b2=ALIKE + 0.05)
        assert (answer.face, answer.is_sure) == (1, False)

    def test_two_faces_nearly_as_near_are_unsure_and_named(self):
        answer = judged(b2=0.2, c1=0.2 + CLEAR_LEAD / 2, a0=0.3)
        assert (answer.face, answer.is_sure) == (1, False)
        assert answer.alternatives == ((2, 1), (0, 0))
        assert answer.confidence < 0.6

    def test_another_turn_of_the_same_face_is_another_answer_only_where_turns_matter(self):
        assert judged(b2=0.2, b0=0.21).is_sure
        answer = judged(b2=0.2, b0=0.21, known=TURNS_MATTER)
        assert not answer.is_sure
        assert answer.alternatives == ((1, 0),)

    def test_a_free_place_unlike_any_picture_has_no_tile_but_may_have(self):
        answer = judged(a3=NOTHING + 0.1)
        assert answer.face is None
        assert not answer.is_sure
        assert answer.alternatives[0] == (0, 3)

    def test_a_place_that_looks_like_the_board_is_empty_for_certain(self):
        answer = judged(empty=0.1)
        assert (answer.face, answer.is_sure) == (None, True)

    def test_a_tile_that_looks_about_like_the_board_is_unsure_and_may_be_nothing(self):
        answer = judged(empty=0.3, b0=0.25)
        assert (answer.face, answer.is_sure) == (1, False)
        assert (None, 0) in answer.alternatives

    def test_a_single_face_needs_no_rival_to_be_sure(self):
        alone = KnownEdition(edition_of(described(("a",)))).in_grid
        near, far = floats([0.1, 1, 1, 1]), floats([1, 1, 1, 1])
        assert answer_for(near, alone, empty=None).is_sure
        assert not answer_for(far, alone, empty=None).is_sure

    @given(
        st.lists(st.floats(0, 2.5, width=32), min_size=12, max_size=12),
        st.none() | st.floats(0, 2.5),
        st.booleans(),
    )
    def test_the_nearest_is_the_answer_and_only_the_unsure_have_alternatives(
        self, table, empty, turns_matter
    ):
        known = TURNS_MATTER if turns_matter else KNOWN
        answer = answer_for(floats(table), known, empty=empty)
        assert 0 <= answer.confidence <= 1
        assert len(answer.alternatives) <= MOST_ALTERNATIVES
        assert (answer.face, answer.turn) not in answer.alternatives
        assert len(set(answer.alternatives)) == len(answer.alternatives)
        if answer.is_sure:
            assert answer.alternatives == ()
            assert answer.distance <= ALIKE
        if answer.face is not None:
            of_face = floats(table)[(KNOWN.faces == answer.face) & (KNOWN.turns == answer.turn)]
            assert of_face[0] == answer.distance == min(table)

    @given(
        st.lists(
            st.tuples(
                st.lists(st.floats(0, 1, width=32), min_size=12, max_size=12),
                st.floats(0, 1, width=32),
            ),
            max_size=3,
        ),
        st.booleans(),
    )
    def test_places_are_judged_together_as_each_alone(self, places, with_board):
        table = floats([near for near, _ in places]).reshape(-1, 12)
        empty = floats([far for _, far in places]) if with_board else None
        assert answers_for(table, TURNS_MATTER, empty) == [
            answer_for(floats(near), TURNS_MATTER, empty=far if with_board else None)
            for near, far in places
        ]

    @given(st.floats(0, 2), st.floats(0, 2))
    def test_the_nearer_a_tile_is_the_more_confident_the_answer(self, one, other):
        near, far = sorted((one, other))
        assert judged(b0=near).confidence >= judged(b0=far).confidence

    @pytest.mark.parametrize("judged_by", JudgedBy)
    @pytest.mark.parametrize("distance", [1e3, 1e30, np.inf])
    def test_what_is_far_from_every_picture_is_not_confident_at_all(self, judged_by, distance):
        answer = Answer(0, 0, distance, -distance, is_sure=False, judged_by=judged_by)
        assert answer.confidence == 0


class TestAnswersByDrawing:
    def test_a_drawing_that_says_clearly_what_it_is_makes_it_sure(self):
        answer = by_drawing(judged(b2=0.8), b2=0.2, everything_else=0.75)
        assert (answer.face, answer.turn, answer.is_sure) == (1, 2, True)
        assert answer.alternatives == ()
        assert answer.confidence > 0.95

    def test_a_drawing_less_alike_needs_more_of_a_lead(self):
        rival = DRAWING_LEAD + 0.02
        assert by_drawing(judged(b2=0.8), b2=PLAINLY_DRAWN, a0=PLAINLY_DRAWN + rival).is_sure
        assert not by_drawing(judged(b2=0.8), b2=0.5, a0=0.5 + rival).is_sure

    @pytest.mark.parametrize(
        "near", [{"b2": DRAWING_ALIKE + 0.05}, {"b2": 0.2, "a0": 0.2 + LIKELIER_BY_DRAWING / 2}]
    )
    def test_otherwise_the_doubt_stays(self, near):
        doubtful = judged(c0=0.8)
        assert by_drawing(doubtful, **near) == doubtful

    def test_a_drawing_that_leads_a_little_is_the_answer_but_not_sure(self):
        answer = by_drawing(judged(c0=0.8), b2=0.5, a0=0.55)
        assert (answer.face, answer.turn, answer.is_sure) == (1, 2, False)
        assert answer.alternatives[0] == (2, 0)
        assert answer.confidence < 0.5

    def test_another_turn_is_a_rival_only_where_turns_matter(self):
        near = {"b2": 0.3, "b0": 0.31}
        assert by_drawing(judged(b2=0.8), **near).is_sure
        assert not by_drawing(judged(b2=0.8), known=TURNS_MATTER, **near).is_sure

    def test_a_place_without_a_tile_has_the_one_whose_drawing_is_seen(self):
        nothing = judged(b2=NOTHING + 0.2)
        assert nothing.face is None
        answer = by_drawing(nothing, b2=0.5, a0=0.58)
        assert (answer.face, answer.is_sure) == (1, False)
        assert (None, 0) in answer.alternatives

    def test_a_drawing_no_more_like_a_tile_than_like_the_board_leaves_the_doubt(self):
        doubtful = judged(b2=0.8)
        assert by_drawing(doubtful, empty=0.2, b2=0.3) == doubtful
        assert by_drawing(doubtful, empty=0.31, b2=0.3) == doubtful
        assert by_drawing(doubtful, empty=0.7, b2=0.3).is_sure

    def test_a_drawing_no_nearer_than_that_of_another_face_may_be_of_none_of_them(self):
        alike = floats([0.5, 0.3, 0.5])
        doubtful = judged(b2=0.6)
        assert by_drawing(doubtful, b2=0.2, others=alike).is_sure
        assert not by_drawing(doubtful, b2=0.28, others=alike).is_sure
        assert by_drawing(judged(c0=0.6), c0=0.28, others=alike).is_sure

    def test_a_tile_unlike_every_picture_needs_a_drawing_that_is_plainly_the_same(self):
        alike = floats([0.5, 0.4, 0.5])
        assert by_drawing(judged(b2=STRANGE - 0.1), b2=0.25, others=alike).is_sure
        assert not by_drawing(judged(b2=STRANGE + 0.1), b2=0.25, others=alike).is_sure
        assert by_drawing(judged(b2=STRANGE + 0.1), b2=0.15, others=alike).is_sure


class TestKnownFaces:
    def test_each_face_is_known_by_all_its_pictures_in_all_its_turns(self):
        description = described(("a", "b"))
        pictures = {"a": (drawn_face(1), drawn_face(2)), "b": (drawn_face(3),)}
        known = KnownEdition(Edition(description, pictures)).in_grid
        assert known.names == ("a", "b")
        assert known.faces.tolist() == [0] * 8 + [1] * 4
        assert known.turns.tolist() == [0, 1, 2, 3] * 3

    def test_cells_are_those_of_the_description(self):
        face = FaceDescription("quad", ("quad.png",), (("p", "q"), ("r", "s")))
        description = described(("a",))
        known = KnownEdition(
            Edition(
                type(description)(
                    name="x", game=description.game, rows=4, columns=4, tile_mm=40.0,
                    turned=description.turned, faces=(face,), tile_cells=(2, 2),
                ),
                {"quad": (drawn_face(1),)},
            )
        )  # fmt: skip
        assert known.cells_of("quad") == (("p", "q"), ("r", "s"))

    def test_a_turn_that_moves_no_cell_means_the_same(self):
        assert meanings(described(("a",))) == [0, 0, 0, 0]
        assert meanings(with_cells(("p", "q"), ("r", "s"))) == [0, 1, 2, 3]
        assert meanings(with_cells(("p", "q"), ("q", "p"))) == [0, 1, 0, 1]
        assert meanings(with_cells(("p", "p"), ("p", "p"))) == [0, 0, 0, 0]

    def test_each_turn_in_the_grid_is_another_where_a_game_asks_for_it(self):
        assert meanings(replace(described(("a",)), turns_matter=True)) == [0, 1, 2, 3]


def meanings(description):
    return KnownEdition(edition_of(description)).in_grid.meanings.tolist()


def with_cells(*cells):
    faces = (FaceDescription("a", ("a.png",), cells),)
    return replace(described(("a",)), faces=faces, tile_cells=(2, 2))
