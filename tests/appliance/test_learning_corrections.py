"""Learning corrected tiles: what looks like another face is asked about, and it can be undone."""

import pytest

from firmware.appliance.features.learning_corrections import (
    LearnCorrections,
    TeachingUndone,
    TilesLearned,
    UndoTeaching,
)
from firmware.appliance.stored_settings import UseSettings
from firmware.screens.question_views import DoubtfulTileView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Notice, Question
from scoring.faces import Face
from tests.appliance.appliance_machine import EXAMPLE

CORNER = (0, (0, 0))
"""A shop in EXAMPLE."""
SECOND = (1, (0, 0))


def apply_corrections(machine, face, **doubts):
    """Scan with a corner that is not sure or is, say what it is, and agree to learn it."""
    machine.scan(*EXAMPLE, **doubts)
    machine.pick(1, 1, 1)
    machine.answer(face)
    assert machine.view.question is Question.LEARN_TILES
    machine.press("ok")


@pytest.fixture
def warned(machine):
    """The eye was sure of a shop, and a person says that it is a park."""
    apply_corrections(machine, Face.PARK)
    return machine


@pytest.fixture
def learned(warned):
    warned.press("ok")
    warned.handle(TilesLearned(warned.effect_of(LearnCorrections).job_id))
    return warned


def test_tile_that_the_eye_was_sure_of_is_asked_about(warned):
    assert isinstance(warned.view, DoubtfulTileView)


def test_question_names_both_faces(warned):
    assert (str(warned.view.seen), str(warned.view.answer)) == ("shop", "park")


def test_unsure_tile_with_suspected_face_is_learned_at_once(machine):
    apply_corrections(machine, Face.PARK, unsure={CORNER: (Face.PARK,)})
    assert machine.effect_of(LearnCorrections)


def test_unsure_tile_of_another_face_is_asked_about(machine):
    apply_corrections(machine, Face.PARK, unsure={CORNER: (Face.HOUSE,)})
    assert isinstance(machine.view, DoubtfulTileView)


def test_yes_learns_the_tile(warned):
    warned.press("ok")
    assert [each.content for each in warned.effect_of(LearnCorrections).corrections] == [Face.PARK]


def test_no_learns_nothing_else(warned):
    warned.press("scan", to=WinnerView)
    assert warned.effects_of(LearnCorrections) == []


def test_undo_is_offered_when_tiles_were_learned(learned):
    assert learned.view.notice is Notice.TAUGHT


def test_undo_asks_to_undo_the_teaching(learned):
    learned.press("scan")
    undo = learned.effect_of(UndoTeaching)
    assert (undo.edition, undo.is_only_teaching) == ("table-1", True)


def test_standard_edition_is_used_after_undo(learned):
    learned.press("scan")
    learned.handle(TeachingUndone(learned.effect_of(UndoTeaching).job_id))
    assert learned.effect_of(UseSettings).settings.edition == "standard"


def test_undone_teaching_is_reported(learned):
    learned.press("scan")
    learned.handle(TeachingUndone(learned.effect_of(UndoTeaching).job_id))
    assert learned.view.notice is Notice.UNLEARNED


def test_last_teaching_of_an_edition_is_undone_in_the_menu(machine):
    machine.open_menu("teach", "grandma", "undo-teaching")
    undo = machine.effect_of(UndoTeaching)
    assert (undo.edition, undo.is_only_teaching) == ("grandma", False)
