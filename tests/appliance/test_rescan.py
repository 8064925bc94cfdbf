"""A further photo of a table: the answers, names and number of its game go with it."""

import numpy as np
import pytest
from appliance_machine import EXAMPLE, Machine, corrections_of, last_save

from firmware.appliance.features.scanning import AnswerSameTable, StartScan
from firmware.appliance.saving import SaveResult
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Question
from firmware.settings import Settings
from firmware.wording.notes import ScanNote
from scoring.faces import Face
from tests.firmware.fake_eye import other_cities
from vision.editions.edition import GAME
from vision.editions.folder import built_in_edition
from vision.patches.comparison import cut_patch
from vision.reading import Place, PlaceKind

CORNER = (0, (0, 0))
"""A shop in EXAMPLE."""
PLACE = Place(PlaceKind.TILE, *CORNER)
TAVERN = "F" + EXAMPLE[0][1:]
"""The first city with a factory in its corner."""
UNSURE = {CORNER: (Face.PARK,)}


def patch(face):
    """Picture of a tile."""
    picture = built_in_edition(GAME).pictures[face][0]
    height, width = picture.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    return cut_patch(picture, corners)


SHOP, HOUSE = {PLACE: patch("shop")}, {PLACE: patch("house")}


@pytest.fixture
def answered(machine):
    """The eye is not sure of a shop, and a person says that it is a park."""
    machine.scan(unsure=UNSURE, patches=SHOP)
    machine.press("ok")
    machine.answer(Face.PARK)
    machine.press("scan")
    return machine


def corrections_now(machine):
    return corrections_of(machine.state.result)


class TestAnswers:
    def test_rescan_keeps_corrected_tile(self, answered):
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_kept_answer_is_not_asked_again(self, answered):
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert answered.state.result.unsure == ()

    def test_answer_holds_over_any_number_of_scans(self, answered):
        for _ in range(4):
            answered.scan(patches=SHOP)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_confirmed_tile_keeps_its_face_when_the_eye_changes_its_mind(self, machine):
        machine.scan(unsure=UNSURE, patches=SHOP)
        machine.press("ok", "ok")
        machine.scan(TAVERN, *EXAMPLE[1:], unsure=UNSURE, patches=SHOP)
        assert machine.state.result.corrected_scan.reading.grids[0].face((0, 0)) == Face.SHOP

    def test_exchanged_tile_drops_the_answer(self, answered):
        answered.scan("H" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=HOUSE)
        assert corrections_now(answered) == []

    def test_exchanged_tile_counts_as_it_is_read(self, answered):
        answered.scan("H" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=HOUSE)
        assert answered.state.result.corrected_scan.reading.grids[0].face((0, 0)) == Face.HOUSE

    def test_dropped_answer_is_noted(self, answered):
        answered.scan("H" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=HOUSE)
        notes = answered.state.result.corrected_scan.reading.all_notes
        assert [(each.code, each.places) for each in notes] == [(ScanNote.ANSWER_DROPPED, (PLACE,))]

    def test_answer_is_asked_again_where_the_same_face_looks_otherwise(self, answered):
        answered.scan(patches=HOUSE)
        assert answered.state.result.unsure == (PLACE,)

    def test_answer_is_the_guess_where_it_is_asked_again(self, answered):
        answered.scan(patches=HOUSE)
        assert answered.state.result.corrected_scan.reading.grids[0].face((0, 0)) == Face.PARK

    def test_answer_goes_with_its_tile_to_the_history(self, answered):
        assert set(last_save(answered.all_effects).patches) == {PLACE}


class TestSameTable:
    def test_scan_after_ready_updates_the_game(self, machine):
        machine.scan()
        first = machine.stored.result_id
        machine.hold("next")
        machine.scan()
        assert machine.stored.earlier.result_id == first

    def test_uploaded_photo_updates_the_game(self, machine):
        machine.upload()
        first = machine.stored.result_id
        machine.upload()
        assert machine.stored.earlier.result_id == first

    def test_scan_is_given_the_cities_that_are_known(self, machine):
        machine.scan()
        machine.hold("next")
        machine.press("scan")
        assert machine.one(StartScan).last_grids == machine.state.result.eye_reading.grids

    def test_other_cities_are_a_new_game(self, machine):
        machine.upload(*other_cities(0))
        machine.upload(*other_cities(1))
        assert machine.stored.earlier is None

    def test_names_go_with_the_table(self):
        machine = Machine(settings=Settings(language="en", players=("Ann", "Ben")))
        machine.scan()
        machine.hold("next")
        machine.open_menu("who-plays", "standard", "no-names")
        machine.hold("next")
        machine.scan()
        assert machine.stored.options.players[:2] == ("Ann", "Ben")

    def test_yes_where_nothing_is_asked_changes_nothing(self, machine):
        machine.scan()
        machine.wish(AnswerSameTable(machine.state.result.result_id, is_same=True))
        assert machine.done(SaveResult) == []


class TestNewGame:
    @pytest.fixture
    def updated(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "next", "ok", "scan")
        machine.scan(unsure=UNSURE)
        return machine

    def test_is_the_first_entry_of_the_menu(self, updated):
        updated.hold("scan")
        assert updated.labels()[0] == "new-game"

    def test_takes_the_updated_result_back(self, updated):
        number = updated.state.result.result_id
        updated.open_menu("new-game")
        assert updated.one(SaveResult).instead_of == number

    def test_has_no_answers_of_the_game_before(self, updated):
        updated.open_menu("new-game")
        assert updated.stored.corrections == ()

    def test_is_not_compared_with_the_game_before(self, updated):
        updated.open_menu("new-game")
        assert updated.stored.earlier is None

    def test_is_offered_for_updated_tables_alone(self, machine):
        machine.scan()
        machine.hold("scan")
        assert "new-game" not in machine.labels()


class TestPerhapsTheSame:
    @pytest.fixture
    def covered(self, machine):
        """Machine after a first scan in which a city was covered."""
        machine.scan(*EXAMPLE[:5])
        machine.hold("next")
        machine.scan(*EXAMPLE)
        return machine

    def test_is_asked_about(self, covered):
        assert covered.view == ConfirmView(question=Question.SAME_TABLE)

    def test_is_stored_as_a_new_game_until_it_is_answered(self, covered):
        assert covered.stored.earlier is None

    def test_yes_updates_the_game(self, covered):
        first = covered.state.result.possible_earlier.result_id
        covered.press("ok")
        assert covered.stored.earlier.result_id == first

    def test_yes_takes_the_new_game_out_of_the_history(self, covered):
        number = covered.state.result.result_id
        covered.press("ok")
        assert covered.one(SaveResult).instead_of == number

    def test_no_leaves_it_a_new_game(self, covered):
        covered.press("scan", to=WinnerView)
        assert covered.done(SaveResult) == []

    def test_is_not_asked_on_the_display_about_an_uploaded_photo(self, machine):
        machine.upload(*EXAMPLE[:5])
        machine.upload(*EXAMPLE)
        assert isinstance(machine.view, WinnerView)

    def test_is_answered_on_the_page(self, machine):
        machine.upload(*EXAMPLE[:5])
        first = machine.stored.result_id
        machine.upload(*EXAMPLE)
        machine.wish(AnswerSameTable(machine.state.result.result_id, is_same=True))
        assert machine.stored.earlier.result_id == first

    def test_answer_about_another_result_changes_nothing(self, covered):
        covered.wish(AnswerSameTable(-1, is_same=True))
        assert covered.done(SaveResult) == []
