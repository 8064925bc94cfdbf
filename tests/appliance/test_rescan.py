"""A further photo of a table: the answers, names and number of its game go with it."""

import numpy as np
import pytest

from firmware.appliance.features.past_games import PastGamesListed
from firmware.appliance.features.reviewing import CorrectPlaces
from firmware.appliance.features.scanning import (
    AnswerSameTable,
    StartScan,
    TakeAndReadPhoto,
    score_scan,
)
from firmware.appliance.saving import ResultSaved, ResultSavedLater, SaveResult
from firmware.page.result_values import same_table_values
from firmware.scan.corrections import correction_text
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Question
from firmware.settings import Settings
from firmware.wording.notes import ScanNote
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CORNER,
    EXAMPLE,
    FOUR,
    MachineDriver,
    corrections_of,
    finished,
    last_save,
    lines_of,
    name_of,
    read,
    tile_place,
    views_of,
)
from tests.appliance.appliance_walk import loaded_result
from tests.firmware.fake_eye import other_cities
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.patches.comparison import cut_patch

PLACE = tile_place(*CORNER)
TAVERN = "F" + EXAMPLE[0][1:]
"""The first city with a factory in its corner."""
UNSURE = {CORNER: (Face.PARK,)}


def patch(face):
    """Picture of a tile."""
    picture = built_in_edition(BETWEEN_TWO_CITIES).pictures[face][0]
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
        assert answered.state.result.open_places == ()

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
        assert answered.state.result.open_places == (PLACE,)

    def test_answer_is_the_guess_where_it_is_asked_again(self, answered):
        answered.scan(patches=HOUSE)
        assert answered.state.result.corrected_scan.reading.grids[0].face((0, 0)) == Face.PARK

    def test_answer_goes_with_its_tile_to_the_history(self, answered):
        assert set(last_save(answered.all_effects).patches) == {PLACE}


class TestSameTable:
    def test_scan_after_ready_updates_the_game(self, machine):
        machine.scan()
        first = machine.saved_result.result_id
        machine.hold("next")
        machine.scan()
        assert machine.saved_result.earlier.result_id == first

    def test_uploaded_photo_updates_the_game(self, machine):
        machine.upload()
        first = machine.saved_result.result_id
        machine.upload()
        assert machine.saved_result.earlier.result_id == first

    def test_scan_is_given_the_cities_that_are_known(self, machine):
        machine.scan()
        machine.hold("next")
        machine.press("scan")
        assert (
            machine.effect_of(TakeAndReadPhoto).last_grids == machine.state.result.eye_reading.grids
        )

    def test_other_cities_are_a_new_game(self, machine):
        machine.upload(*other_cities(0))
        machine.upload(*other_cities(1))
        assert machine.saved_result.earlier is None

    def test_number_of_a_save_that_ends_after_a_further_scan_is_known(self, machine):
        machine.upload()
        save_id = machine.state.result.save_id
        machine.upload()
        machine.handle(ResultSaved(save_id, seq=5))
        assert machine.state.result.earlier.seq == 5

    def test_names_go_with_the_table(self):
        machine = MachineDriver(settings=Settings(language="en", players=("Ann", "Ben")))
        machine.scan()
        machine.hold("next")
        machine.open_menu("who-plays", "standard", "no-names")
        machine.hold("next")
        machine.scan()
        assert machine.saved_result.options.players[:2] == ("Ann", "Ben")

    def test_yes_where_nothing_is_asked_changes_nothing(self, machine):
        machine.scan()
        machine.command(AnswerSameTable(machine.state.result.result_id, is_same=True))
        assert machine.effects_of(SaveResult) == []


class TestTrial:
    @pytest.fixture
    def tried(self, answered):
        """A tile of the table was corrected, then the page tried the sample photo."""
        answered.finish_saving()
        answered.command(StartScan(object(), trial=True))
        job_id = answered.effect_of(TakeAndReadPhoto).job_id
        answered.handle(finished(job_id, read(*other_cities(0)), is_upload=True, trial=True))
        assert answered.state.result.trial
        return answered

    def test_next_scan_keeps_the_answers_of_the_table_before_a_trial(self, tried):
        tried.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(tried) == ["A:1,1=park"]

    @pytest.mark.parametrize("later", [False, True])
    def test_table_before_a_trial_gets_its_number_from_a_late_save(self, machine, later):
        machine.upload()
        result = machine.state.result
        machine.command(StartScan(object(), trial=True))
        job_id = machine.effect_of(TakeAndReadPhoto).job_id
        machine.handle(finished(job_id, read(*other_cities(0)), is_upload=True, trial=True))
        saved = ResultSavedLater(result.result_id, 5) if later else ResultSaved(result.save_id, 5)
        machine.handle(saved)
        assert machine.state.result_before_trial.seq == 5
        assert machine.state.result.seq is None

    def test_deleted_table_before_a_trial_is_forgotten(self, tried):
        result_id = tried.state.result_before_trial.result_id
        tried.handle(PastGamesListed(999, (), deleted_results=(result_id,)))
        tried.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(tried) == []


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
        assert updated.effect_of(SaveResult).superseded_ids == (number,)

    def test_has_no_answers_of_the_game_before(self, updated):
        updated.open_menu("new-game")
        assert updated.saved_result.corrections == ()

    def test_is_not_compared_with_the_game_before(self, updated):
        updated.open_menu("new-game")
        assert updated.saved_result.earlier is None

    def test_is_offered_for_updated_tables_alone(self, machine):
        machine.scan()
        machine.hold("scan")
        assert "new-game" not in machine.labels()


class TestPerhapsTheSame:
    @pytest.fixture
    def covered(self, machine):
        """MachineDriver after a first scan in which a city was covered."""
        machine.scan(*EXAMPLE[:5])
        machine.hold("next")
        machine.scan(*EXAMPLE)
        return machine

    def test_is_asked_about(self, covered):
        assert covered.view == ConfirmView(question=Question.SAME_TABLE)

    def test_is_stored_as_a_new_game_until_it_is_answered(self, covered):
        assert covered.saved_result.earlier is None

    def test_yes_updates_the_game(self, covered):
        first = covered.state.result.possible_earlier.result_id
        covered.press("ok")
        assert covered.saved_result.earlier.result_id == first

    def test_yes_takes_the_new_game_out_of_the_history(self, covered):
        number = covered.state.result.result_id
        covered.press("ok")
        assert covered.effect_of(SaveResult).superseded_ids == (number,)

    def test_no_leaves_it_a_new_game(self, covered):
        covered.press("scan", to=WinnerView)
        assert covered.effects_of(SaveResult) == []

    def test_is_asked_again_while_it_is_open(self, covered):
        covered.hold("next")
        covered.scan(*EXAMPLE)
        assert covered.view == ConfirmView(question=Question.SAME_TABLE)

    def test_is_still_asked_on_the_page_after_another_scan(self, covered):
        covered.hold("next")
        covered.scan(*EXAMPLE)
        assert not same_table_values(covered.state.result)["certain"]

    def test_yes_after_another_scan_undoes_both(self, covered):
        first = covered.state.result.possible_earlier.result_id
        added = covered.state.result.result_id
        covered.hold("next")
        covered.scan(*EXAMPLE)
        latest = covered.state.result.result_id
        covered.press("ok")
        save = covered.effect_of(SaveResult)
        assert save.result.earlier.result_id == first
        assert save.superseded_ids == (latest, added)

    def test_yes_after_another_scan_keeps_the_answers(self, covered):
        covered.command(CorrectPlaces(covered.state.result.result_id, ((PLACE, "park"),)))
        covered.hold("next")
        covered.scan(*EXAMPLE)
        covered.command(AnswerSameTable(covered.state.result.result_id, is_same=True))
        assert answers(covered.state.result) == ["A:1,1=park"]

    def test_no_after_another_scan_leaves_its_answers(self, covered):
        covered.command(CorrectPlaces(covered.state.result.result_id, ((PLACE, "park"),)))
        covered.hold("next")
        covered.scan(*EXAMPLE)
        covered.command(AnswerSameTable(covered.state.result.result_id, is_same=False))
        assert covered.state.result.possible_earlier is None
        assert answers(covered.state.result) == ["A:1,1=park"]

    def test_is_not_asked_on_the_display_about_an_uploaded_photo(self, machine):
        machine.upload(*EXAMPLE[:5])
        machine.upload(*EXAMPLE)
        assert isinstance(machine.view, WinnerView)

    def test_is_answered_on_the_page(self, machine):
        machine.upload(*EXAMPLE[:5])
        first = machine.saved_result.result_id
        machine.upload(*EXAMPLE)
        machine.command(AnswerSameTable(machine.state.result.result_id, is_same=True))
        assert machine.saved_result.earlier.result_id == first

    def test_is_still_offered_after_photos_were_added(self, machine):
        machine.upload()
        perhaps_same = *EXAMPLE[:4], *other_cities(0)[:2]
        machine.upload(*perhaps_same)
        result = machine.state.result
        more = finished(999, read(*perhaps_same), is_upload=True)
        state, _effects = score_scan(machine.state, more, before_more_photos=result)
        assert state.result.possible_earlier is result.possible_earlier is not None

    def test_is_offered_though_a_tile_was_corrected_before_the_save_ended(self, machine):
        machine.scan()
        result, earlier = machine.state.result, loaded_result(read(), 7)
        machine.command(CorrectPlaces(result.result_id, ((PLACE, "park"),)))
        machine.handle(
            ResultSaved(
                result.save_id, seq=8, game_with_same_cities=earlier, result_id=result.result_id
            )
        )
        assert machine.state.result.possible_earlier is earlier

    def test_is_offered_though_the_save_ends_after_another_scan(self, machine):
        machine.upload()
        result, earlier = machine.state.result, loaded_result(read(), 7)
        machine.upload()
        machine.handle(
            ResultSaved(
                result.save_id, seq=8, game_with_same_cities=earlier, result_id=result.result_id
            )
        )
        assert machine.state.result.possible_earlier is earlier

    def test_answer_about_another_result_changes_nothing(self, covered):
        covered.command(AnswerSameTable(-1, is_same=True))
        assert covered.effects_of(SaveResult) == []


class TestScanningAgain:
    def test_the_next_scan_is_of_the_same_table(self, machine):
        machine.press("scan")
        assert not machine.effect_of(TakeAndReadPhoto).expects_same_table
        machine.press("next")
        machine.scan(unsure={CORNER: (Face.HOUSE,)})
        machine.press("ok", "next", "ok", "scan", "scan")
        assert machine.effect_of(TakeAndReadPhoto).expects_same_table
        assert machine.view.is_rescan

    def test_scan_after_ready_is_another_table(self, machine):
        machine.scan()
        machine.press("ok", "scan")
        assert not machine.effect_of(TakeAndReadPhoto).expects_same_table
        assert not machine.view.is_rescan
        machine.handle(finished(machine.job_id, read(*other_cities(0))))
        assert isinstance(machine.view, WinnerView)

    def test_rescan_lists_what_has_changed(self, machine):
        machine.scan()
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        changes = shown_changes(machine)
        views = machine.all_views()
        assert changes[changes.index("A, row 1, column 4") + 1] == "shop►house"
        assert [change for change in changes if change.startswith("City A 56►")]
        assert isinstance(views[0], WinnerView)
        page = [name_of(view) for view in views].index("changes-1") + 1
        assert str(views[0].news) == f"Changed: page {page}"
        assert [change for change in changes if change.startswith("Player 1 (A F)")]

    @pytest.mark.parametrize("presses", [0, 1, 7])
    def test_rescan_opens_on_the_view_that_was_shown(self, machine, presses):
        machine.scan()
        machine.press(*["next"] * presses)
        view = machine.view_name
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        assert machine.view_name == view

    def test_standings_still_follow_the_winner_on_a_rescan(self, machine):
        machine.scan()
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        machine.press("next")
        assert machine.view_name == "standings"

    def test_view_of_another_table_is_not_kept(self, machine):
        machine.scan(*other_cities(0))
        machine.press("next")
        machine.scan(*other_cities(1))
        assert isinstance(machine.view, WinnerView)

    def test_rescan_says_that_nothing_has_changed(self, machine):
        machine.scan()
        machine.scan()
        assert str(machine.view.news) == "Nothing has changed"

    def test_another_table_is_not_compared(self, machine):
        machine.scan(*other_cities(0))
        machine.scan(*other_cities(1))
        assert isinstance(machine.view, WinnerView)

    def test_a_city_that_was_covered_is_told_as_one_more(self, machine):
        machine.scan(*EXAMPLE[:5])
        machine.scan(*EXAMPLE)
        assert "Cities 5►6" in shown_changes(machine)

    def test_table_seen_from_another_side_lists_changes_of_each_city(self, machine):
        machine.scan()
        machine.scan(*EXAMPLE[3:], "SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:3])
        changes = shown_changes(machine)
        assert changes[changes.index("D, row 1, column 4") + 1] == "shop►house"
        assert sum(change.startswith("City ") for change in changes) == 1
        assert sum("row" in change for change in changes) == 1

    def test_exchanged_cities_change_the_points_of_players(self, machine):
        machine.scan()
        machine.scan(EXAMPLE[1], EXAMPLE[0], *EXAMPLE[2:])
        assert any(change.startswith("Player ") for change in shown_changes(machine))

    def test_game_updated_from_another_side_has_not_changed(self, machine):
        machine.upload(*other_cities(0))
        machine.upload(*EXAMPLE[3:], *EXAMPLE[:3])
        result = machine.state.result
        machine.handle(
            ResultSaved(
                result.save_id,
                seq=8,
                game_with_same_cities=loaded_result(read(), 7),
                result_id=result.result_id,
            )
        )
        machine.command(AnswerSameTable(result.result_id, is_same=True))
        assert str(machine.view.news) == "Nothing has changed"

    def test_an_answer_goes_with_its_city_when_that_has_another_letter(self, machine):
        machine.scan(*EXAMPLE[:5], unsure={CORNER: (Face.PARK,)})
        machine.press("ok", "next", "ok", "scan")
        machine.scan(EXAMPLE[5], *EXAMPLE[:5], unsure={(1, CORNER[1]): (Face.PARK,)})
        machine.open_menu("to-check")
        assert (machine.place, machine.guess) == (tile_place(1, CORNER[1]), Face.PARK)

    def test_the_result_before_a_refused_scan_still_counts(self, machine):
        machine.scan()
        machine.scan(*EXAMPLE[:2])
        assert machine.view.code == "city-count"
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        changes = shown_changes(machine)
        assert changes[changes.index("A, row 1, column 4") + 1] == "shop►house"

    def test_an_answer_is_offered_again_for_the_same_tile(self, machine):
        machine.scan(unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        machine.answer(Face.HOUSE)
        machine.press("scan")
        machine.scan(unsure={CORNER: (Face.PARK,)})
        assert str(machine.view.news) == "No change so far", "what a person said is the best guess"
        assert machine.view.to_check == 1, "but it is asked for"
        machine.press("ok")
        assert machine.guess == Face.HOUSE
        machine.press("next")
        assert machine.guess == Face.SHOP, "what the eye says comes next"

    def test_correction_of_a_sure_tile_is_asked_again(self, machine):
        machine.scan()
        machine.pick(1, 1, 1)
        machine.press("next", "ok")
        corrected = machine.saved_result.corrections[0].content
        machine.press("scan")
        machine.scan()
        assert str(machine.view.news) == "No change so far"
        assert machine.view.to_check == 1
        machine.press("ok")
        assert machine.place.cell == (0, 0)
        assert machine.guess is corrected

    def test_confirmed_guess_is_not_asked_again_once_eye_is_sure(self, machine):
        machine.scan(unsure={CORNER: (Face.PARK,)})
        machine.press("ok", "ok")
        machine.scan()
        assert machine.view.to_check == 0

    def test_an_answer_does_not_hold_for_another_tile(self, machine):
        machine.scan(unsure={CORNER: (Face.PARK,)})
        machine.press("ok", "next", "ok", "scan")
        machine.scan("OSSS/PPHP/HOOO/HOOE", *EXAMPLE[1:], unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        assert machine.guess == Face.OFFICE

    def test_changed_winners_are_told(self, machine):
        machine.scan()
        machine.scan(*EXAMPLE[:3], "S.../..../..../...S", *EXAMPLE[4:])
        changes = shown_changes(machine)
        assert "Winner now:" in changes

    def test_a_change_of_the_variant_between_compares_like_with_like(self, machine):
        machine.scan(*FOUR)
        machine.open_menu("who-plays", "two-player", "no-names")
        assert isinstance(machine.view, WinnerView)
        machine.scan(*FOUR)
        assert str(machine.view.news) == "No change so far"
        machine.open_menu("who-plays", "standard", "no-names")
        assert str(machine.view.news) == "Nothing has changed"
        assert len(views_of(machine.all_views(), "player")) == 4


def answers(result):
    """Return what people have said, counted or asked again, as it is written."""
    naming = result.corrected_scan.naming
    return [correction_text(each, naming) for each in result.all_corrections]


def shown_changes(machine):
    """All that the views say that has changed."""
    return [line for view in views_of(machine.all_views(), "changes") for line in lines_of(view)]
