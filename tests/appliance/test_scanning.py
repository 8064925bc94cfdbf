"""From the press to the result: scanning, leafing, and what the eye remarks."""

from dataclasses import replace

from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.saving import SaveResult
from firmware.appliance.transitions import LogProblem
from firmware.base.problem import Problem
from firmware.screens.device_views import HandsOffView, ProblemView, ReadyView, StageView
from firmware.screens.result_views import MapView, StandingsView, UnreadView, WinnerView
from firmware.screens.words import Hint, Stage
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CAMERA_MISSING,
    CORNER,
    EXAMPLE,
    FOUR,
    MIDDLE,
    SAME_WAY,
    SETTINGS,
    TOO_DARK,
    MachineDriver,
    finished,
    name_of,
    read,
    two_players,
    views_of,
)
from vision.reading import NoteCode, note

DARK = note(NoteCode.DARK)
GLARE = note(NoteCode.GLARE, (0, 1), (2, 3))


class TestFromPressToWinner:
    def test_press_shows_hands_off_then_each_stage(self, machine):
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto).edition == "standard"
        assert machine.view == HandsOffView(hints=machine.view.hints, is_rescan=False)
        assert machine.view.hints.next is Hint.CANCEL
        for stage in (Stage.RECOGNISE, Stage.LOCATE, Stage.SCORE):
            machine.handle(StageReached(machine.job_id, stage))
            assert machine.view == StageView(stage=stage)

    def test_winner_is_shown_and_stored(self, machine):
        machine.scan(photo_reference="000001.jpg")
        assert isinstance(machine.view, WinnerView)
        assert machine.winners[1] == "62"
        save = machine.saved_result
        assert save.photo_reference == "000001.jpg"
        assert [player.final for player in save.scan.sheet.players] == [56, 56, 57, 62, 52, 52]
        assert save.corrections == ()

    def test_next_leafs_through_players_and_cities_and_round(self, machine):
        machine.scan()
        views = machine.all_views()
        assert [view.view_number.number for view in views] == list(range(1, len(views) + 1))
        assert {view.view_number.count for view in views} == {len(views)}
        assert isinstance(views[0], WinnerView)
        players = [name_of(view) for view in views_of(views, "player")]
        assert players == [f"player-{number}" for number in (4, 3, 1, 2, 5, 6)], "best first"
        cities = [name_of(view) for view in views_of(views, "city")]
        assert cities == [f"city-{letter}" for letter in "ABCDEF"]
        assert sum(isinstance(view, MapView) for view in views) == 1
        machine.press("next", to=StandingsView)
        third = machine.view.standings[2]
        assert (third.rank, str(third.name), third.views[0].points) == (
            3,
            "Player 1 (A F)",
            ("56",),
        )

    def test_next_on_ready_shows_the_last_result_again(self, machine):
        assert machine.view.hints.next is Hint.NOTHING
        machine.press("next", to=ReadyView)
        machine.scan()
        winner = machine.view
        machine.press("ok")
        assert machine.view.hints.next is Hint.POINTS
        machine.press("next")
        assert machine.view == winner

    def test_ready_shows_next_game_and_open_questions_of_last(self):
        machine = MachineDriver(settings=two_players())
        assert (machine.view.variant, machine.view.to_check) == ("two-player", 0)
        machine.scan(*FOUR, turns_degrees=SAME_WAY, unsure={CORNER: ()})
        machine.hold("next")
        assert (machine.view.variant, machine.view.to_check) == ("two-player", 2)
        machine.press("next", "ok", "ok", "ok", "ok", to=ReadyView)
        assert machine.view.to_check == 0

    def test_names_of_the_seats_are_used_and_the_others_numbered(self):
        machine = MachineDriver(settings=two_players(players=("", "Ben")))
        machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
        titles = [str(view.title[0]) for view in views_of(machine.all_views(), "player")]
        assert titles == ["1. Ben", "2. Player 1 (A D)"]

    def test_missing_and_unread_places_have_views(self, machine):
        machine.scan(*EXAMPLE[:3], "..SS/PPHP/HOOO/HOOE", unread=(note(NoteCode.CITY_UNREADABLE),))
        assert {"places", "unread-1"} <= set(machine.view_names)
        assert machine.view.to_check == 3


class TestGivingUp:
    def test_result_of_cancelled_scan_is_not_taken_for_the_next(self, machine):
        machine.press("scan")
        first = machine.job_id
        machine.press("next", "scan")
        for late in (
            StageReached(first, Stage.SCORE),
            finished(first, read(*FOUR)),
            JobFailed(first, TOO_DARK),
        ):
            machine.handle(late)
            assert isinstance(machine.view, HandsOffView)
        machine.handle(finished(machine.job_id, read()))
        assert isinstance(machine.view, WinnerView)
        assert len(machine.state.result.reading_to_correct.grids) == 6

    def test_cancelling_a_second_scan_leads_back_to_the_first_result(self, machine):
        machine.scan()
        winner = machine.view
        machine.press("scan", "next")
        assert machine.view == winner


class TestWhatCannotBeUsed:
    def test_a_bad_photo_says_why_and_can_be_tried_again(self, machine):
        machine.fail(TOO_DARK)
        assert machine.view.code == "photo-too-dark"
        assert machine.view.detail == TOO_DARK.message
        assert not machine.view.retrying
        assert machine.effect_of(LogProblem).problem == TOO_DARK
        assert machine.view.hints.next is Hint.NOTHING
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto)
        assert isinstance(machine.view, HandsOffView)
        machine.handle(JobFailed(machine.job_id, TOO_DARK))
        machine.press("ok", to=ReadyView)

    def test_a_long_text_is_told_on_several_pages(self, machine):
        machine.fail(Problem("photo-odd", "it is odd: " + "so " * 40))
        views = machine.all_views()
        assert [view.part for view in views] == list(range(len(views)))
        assert len(views) > 1
        assert {view.hints.next for view in views} == {Hint.MORE}

    def test_a_photo_without_a_city_leaves_the_result_alone(self, machine):
        machine.scan()
        winner = machine.view
        machine.press("scan")
        nothing = read(*EXAMPLE)
        machine.handle(finished(machine.job_id, replace(nothing, grids=())))
        assert machine.view.code == "no-city"
        assert machine.effects_of(SaveResult) == []
        machine.press("ok")
        assert machine.view == winner

    def test_a_refused_table_is_put_right_tile_by_tile(self):
        many = ("SSSS/SSSS/SSSS/SSSS",) * 2 + FOUR[:1]
        place = (0, (3, 3))
        others = {(0, (3, column)): () for column in range(3)}
        machine = MachineDriver()
        machine.scan(*many, unsure={**others, place: (Face.PARK,), **all_of_city(1)})
        assert machine.view.code == "too-many-tiles"
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok")
        while not machine.effects_of(SaveResult):
            machine.answer(Face.PARK)

    def test_another_variant_lets_a_refused_table_be_scored(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*EXAMPLE[:3])
        assert machine.view.code == "city-count"
        machine.open_menu("who-plays", "standard")
        assert machine.saved_result.scan.sheet.variant == "standard"
        machine.choose("no-names")
        assert isinstance(machine.view, WinnerView)

    def test_a_game_that_is_not_read_is_refused_before_the_photo(self):
        machine = MachineDriver(settings=replace(SETTINGS, game="city-blocks"))
        machine.press("scan")
        assert machine.effects_of(TakeAndReadPhoto) == []
        assert machine.view.code == "game-not-read"
        machine.open_menu("game", "Between Two Cities")
        machine.go_to_ready()
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto)


class TestCameraDuringAScan:
    def test_a_photo_already_taken_is_read_though_the_camera_goes(self, machine):
        machine.press("scan")
        machine.handle(StageReached(machine.job_id, Stage.LOCATE))
        machine.handle(CameraLost(CAMERA_MISSING))
        assert isinstance(machine.view, StageView)
        machine.handle(finished(machine.job_id, read()))
        assert isinstance(machine.view, WinnerView)


class TestRemarks:
    def test_notes_of_the_eye_are_pages_of_the_result(self, machine):
        machine.scan(notes=(DARK,), city_notes={2: (GLARE,)})
        notes = [str(view.title[0]) for view in views_of(machine.all_views(), "note")]
        assert notes == ["About the photo", "City C"]

    def test_notes_of_the_eye_count_as_things_to_check(self, machine):
        machine.scan(notes=(DARK,), unsure={MIDDLE: [Face.PARK]})
        assert machine.view.to_check == 2
        machine.press("ok", "ok", to=WinnerView)
        assert machine.view.to_check == 1, "the tile is sure now, the photo as dark as before"

    def test_notes_of_eye_are_views_of_unscored_table(self, machine):
        machine.scan(*EXAMPLE[:2], notes=(DARK,), unread=(note(NoteCode.CITY_UNREADABLE),))
        problem, unread, where, note_view = machine.all_views()
        assert isinstance(problem, ProblemView)
        assert (problem.code, problem.hints.next) == ("city-count", Hint.NEXT)
        assert name_of(unread).startswith("unread")
        assert isinstance(where, UnreadView)
        assert name_of(note_view).startswith("note")
        assert {view.hints for view in (unread, note_view)} == {problem.hints}

    def test_notes_of_the_eye_are_pages_without_a_city(self, machine):
        machine.press("scan")
        machine.handle(finished(machine.job_id, replace(read(notes=(DARK,)), grids=())))
        problem, note_view = machine.all_views()
        assert (problem.code, name_of(note_view)) == ("no-city", "note-1")


def all_of_city(index):
    return {(index, (row, column)): (Face.PARK,) for row in range(4) for column in range(4)}
