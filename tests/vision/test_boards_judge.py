"""From distances to answers: sure, unsure, alternatives, nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import described, drawn_face, edition_of

from vision.arrays import floats
from vision.boards.description import FaceDescription
from vision.boards.edition import PicturedEdition
from vision.boards.judge import (
    ALIKE,
    CLEAR_LEAD,
    MOST_ALTERNATIVES,
    NOTHING,
    QUARTERS_ALIKE,
    QUARTERS_LEAD,
    answer_by_quarters,
    answer_for,
)
from vision.boards.known import KnownEdition

KNOWN = KnownEdition(edition_of(described(("a", "b", "c")))).in_grid
FAR = 1.9


def distances(**near):
    """To all pictures: far from all but those named, such as ``b2``: b turned by two quarters."""
    table = np.full(12, FAR, np.float32)
    for name, distance in near.items():
        face, turn = KNOWN.names.index(name[0]), int(name[1])
        table[np.flatnonzero((KNOWN.faces == face) & (KNOWN.turns == turn))] = distance
    return table


def judged(empty=None, *, turn_matters=False, **near):
    return answer_for(distances(**near), KNOWN, empty=empty, turn_matters=turn_matters)


def by_quarters(answer, *, turn_matters=False, **near):
    return answer_by_quarters(answer, distances(**near), KNOWN, turn_matters=turn_matters)


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
        answer = judged(b2=0.2, b0=0.21, turn_matters=True)
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
        assert answer_for(near, alone, empty=None, turn_matters=False).is_sure
        assert not answer_for(far, alone, empty=None, turn_matters=False).is_sure

    @given(
        st.lists(st.floats(0, 2.5, width=32), min_size=12, max_size=12),
        st.none() | st.floats(0, 2.5),
        st.booleans(),
    )
    def test_the_nearest_is_the_answer_and_only_the_unsure_have_alternatives(
        self, table, empty, turn_matters
    ):
        answer = answer_for(floats(table), KNOWN, empty=empty, turn_matters=turn_matters)
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

    @given(st.floats(0, 2), st.floats(0, 2))
    def test_the_nearer_a_tile_is_the_more_confident_the_answer(self, one, other):
        near, far = sorted((one, other))
        assert judged(b0=near).confidence >= judged(b0=far).confidence


class TestAnswersByQuarters:
    def test_three_quarters_that_say_clearly_what_it_is_make_it_sure(self):
        doubtful = judged(b2=0.8)
        answer = by_quarters(doubtful, b2=0.1)
        assert (answer.face, answer.turn, answer.is_sure) == (1, 2, True)
        assert answer.alternatives == ()

    @pytest.mark.parametrize(
        "near",
        [{"b2": QUARTERS_ALIKE + 0.1}, {"b2": 0.2, "a0": 0.2 + QUARTERS_LEAD / 2}],
    )
    def test_otherwise_the_doubt_stays(self, near):
        doubtful = judged(b2=0.8)
        assert by_quarters(doubtful, **near) == doubtful

    def test_quarters_that_contradict_the_whole_leave_it_to_a_person(self):
        answer = by_quarters(judged(b2=0.8), c1=0.1)
        assert (answer.face, answer.is_sure) == (1, False)
        assert answer.alternatives[0] == (2, 1)

    def test_quarters_that_contradict_the_turn_leave_it_to_a_person_where_turns_matter(self):
        answer = by_quarters(judged(b2=0.8, turn_matters=True), b0=0.1, turn_matters=True)
        assert (answer.face, answer.turn, answer.is_sure) == (1, 2, False)
        assert answer.alternatives[0] == (1, 0)
        assert by_quarters(judged(b2=0.8), b0=0.1).is_sure

    def test_a_place_without_a_tile_may_have_the_one_that_quarters_see(self):
        nothing = judged(b2=NOTHING + 0.2)
        assert nothing.face is None
        answer = by_quarters(nothing, b2=0.1)
        assert not answer.is_sure
        assert answer.alternatives[0] == (1, 2)


class TestKnownFaces:
    def test_each_face_is_known_by_all_its_pictures_in_all_its_turns(self):
        description = described(("a", "b"))
        pictures = {"a": (drawn_face(1), drawn_face(2)), "b": (drawn_face(3),)}
        known = KnownEdition(PicturedEdition(description, pictures)).in_grid
        assert known.names == ("a", "b")
        assert known.faces.tolist() == [0] * 8 + [1] * 4
        assert known.turns.tolist() == [0, 1, 2, 3] * 3

    def test_cells_are_those_of_the_description(self):
        face = FaceDescription("quad", ("quad.png",), (("p", "q"), ("r", "s")))
        description = described(("a",))
        known = KnownEdition(
            PicturedEdition(
                type(description)(
                    name="x", game=description.game, rows=4, columns=4, tile_mm=40.0,
                    turned=description.turned, faces=(face,), tile_cells=(2, 2),
                ),
                {"quad": (drawn_face(1),)},
            )
        )  # fmt: skip
        assert known.cells_of("quad") == (("p", "q"), ("r", "s"))

    def test_turns_matter_if_they_move_cells_or_a_game_asks_for_them(self):
        single = described(("a",))
        assert not single.turn_matters
        assert replace(single, tile_cells=(2, 2)).turn_matters
        assert replace(single, game="dice-board").turn_matters
