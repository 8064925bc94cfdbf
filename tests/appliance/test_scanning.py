"""From the press to the result: scanning, leafing, reviewing, scanning again."""

from dataclasses import replace

import pytest
from appliance_machine import (
    CAMERA_MISSING,
    CROP,
    DISK_FULL,
    EXAMPLE,
    FOUR,
    SAME_WAY,
    SETTINGS,
    TOO_DARK,
    Machine,
    corrections_of,
    finished,
    label_text,
    last_save,
    lines_of,
    name_of,
    read,
    two_players,
    views_of,
)

from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.features.lessons import LearnCorrections, TilesLearned
from firmware.appliance.features.scanning import StartScan
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.saving import SaveResult
from firmware.appliance.stored_settings import StoreSettings
from firmware.appliance.transitions import LogProblem
from firmware.base.problem import Problem
from firmware.screens.device_views import HoldStillView, ProblemView, ReadyView, StageView
from firmware.screens.question_views import (
    ConfirmView,
    DoubtView,
    OwnersQuestionView,
    SpecialAnswer,
)
from firmware.screens.result_views import MapView, StandingsView, UnreadView, WinnerView
from firmware.screens.view import Seat
from firmware.screens.words import Hint, Question, Stage
from scoring.faces import Face
from tests.firmware.fake_eye import other_cities
from vision.reading import NoteCode, Place, PlaceKind, note

CORNER = (0, (0, 0))
"""A shop in EXAMPLE."""
MIDDLE = (2, (1, 1))
"""A park in EXAMPLE."""
DARK = note(NoteCode.DARK)
GLARE = note(NoteCode.GLARE, (0, 1), (2, 3))
UNSURE = {CORNER: (Face.HOUSE, Face.PARK), MIDDLE: (Face.PARK,)}


class TestFromPressToWinner:
    def test_a_press_says_hold_still_at_once_and_each_stage_is_named(self, machine):
        machine.press("scan")
        assert machine.one(StartScan).edition == "standard"
        assert machine.view == HoldStillView(hints=machine.view.hints, again=False)
        assert machine.view.hints.next is Hint.CANCEL
        for stage in (Stage.LOCATE, Stage.RECOGNISE, Stage.SCORE):
            machine.tell(StageReached(machine.job_id, stage))
            assert machine.view == StageView(stage=stage)

    def test_then_the_winner_is_shown_and_stored(self, machine):
        machine.scan(photo="000001.jpg")
        assert isinstance(machine.view, WinnerView)
        assert machine.winners[1] == "62"
        save = machine.stored
        assert save.photo == "000001.jpg"
        assert [player.final for player in save.scan.sheet.players] == [56, 56, 57, 62, 52, 52]
        assert save.corrections == ()

    def test_next_leafs_through_players_and_cities_and_round(self, machine):
        machine.scan()
        views = machine.leaf()
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
        assert machine.view.hints.next is Hint.LAST
        machine.press("next")
        assert machine.view == winner

    def test_ready_shows_next_game_and_open_questions_of_last(self):
        machine = Machine(settings=two_players())
        assert (machine.view.variant, machine.view.to_check) == ("two-player", 0)
        machine.scan(*FOUR, turns_degrees=SAME_WAY, unsure={CORNER: ()})
        machine.hold("next")
        assert (machine.view.variant, machine.view.to_check) == ("two-player", 2)
        machine.press("next", "ok", "ok", "ok", "ok", to=ReadyView)
        assert machine.view.to_check == 0

    def test_names_of_the_seats_are_used_and_the_others_numbered(self):
        machine = Machine(settings=two_players(players=("", "Ben")))
        machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
        titles = [str(view.title[0]) for view in views_of(machine.leaf(), "player")]
        assert titles == ["1. Ben", "2. Player 1 (A D)"]

    def test_what_is_missing_or_not_read_is_told(self, machine):
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
            machine.tell(late)
            assert isinstance(machine.view, HoldStillView)
        machine.tell(finished(machine.job_id, read()))
        assert isinstance(machine.view, WinnerView)
        assert len(machine.state.result.reading.grids) == 6

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
        assert machine.one(LogProblem).problem == TOO_DARK
        assert machine.view.hints.next is Hint.NOTHING
        machine.press("scan")
        assert machine.one(StartScan)
        assert isinstance(machine.view, HoldStillView)
        machine.tell(JobFailed(machine.job_id, TOO_DARK))
        machine.press("ok", to=ReadyView)

    def test_a_long_text_is_told_on_several_pages(self, machine):
        machine.fail(Problem("photo-odd", "it is odd: " + "so " * 40))
        views = machine.leaf()
        assert [view.part for view in views] == list(range(len(views)))
        assert len(views) > 1
        assert {view.hints.next for view in views} == {Hint.MORE}

    def test_a_photo_without_a_city_leaves_the_result_alone(self, machine):
        machine.scan()
        winner = machine.view
        machine.press("scan")
        nothing = read(*EXAMPLE)
        machine.tell(finished(machine.job_id, replace(nothing, grids=())))
        assert machine.view.code == "no-city"
        assert machine.done(SaveResult) == []
        machine.press("ok")
        assert machine.view == winner

    def test_a_refused_table_is_put_right_tile_by_tile(self):
        many = ("SSSS/SSSS/SSSS/SSSS",) * 2 + FOUR[:1]
        place = (0, (3, 3))
        others = {(0, (3, column)): () for column in range(3)}
        machine = Machine()
        machine.scan(*many, unsure={**others, place: (Face.PARK,), **all_of_city(1)})
        assert machine.view.code == "too-many-tiles"
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok")
        while not machine.done(SaveResult):
            machine.answer(Face.PARK)

    def test_another_variant_lets_a_refused_table_be_scored(self):
        machine = Machine(settings=two_players())
        machine.scan(*EXAMPLE[:3])
        assert machine.view.code == "city-count"
        machine.open_menu("who-plays", "standard")
        assert machine.stored.scan.sheet.variant == "standard"
        machine.choose("no-names")
        assert isinstance(machine.view, WinnerView)

    def test_a_game_that_is_not_read_is_refused_before_the_photo(self):
        machine = Machine(settings=replace(SETTINGS, game="city-blocks"))
        machine.press("scan")
        assert machine.done(StartScan) == []
        assert machine.view.code == "game-not-read"
        machine.open_menu("game", "Between Two Cities")
        machine.home()
        machine.press("scan")
        assert machine.one(StartScan)


class TestUnsureTiles:
    def test_they_come_one_by_one_with_picture_place_and_guess(self, machine):
        machine.scan(unsure=UNSURE, crops={tile_place(*CORNER): CROP})
        assert machine.view.to_check == 2
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok")
        first = machine.view
        assert (first.number, first.count) == (1, 2)
        assert (machine.place, machine.guess) == (tile_place(*CORNER), Face.SHOP)
        assert first.crop == CROP
        assert len(first.table.cities) == 6
        machine.press("ok")
        second = machine.view
        assert (second.number, second.count) == (2, 2)
        assert (machine.place, machine.guess) == (tile_place(*MIDDLE), Face.PARK)
        assert second.crop is None

    def test_ok_accepts_the_guess(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok")
        assert corrections_of(machine.stored) == ["A:1,1=shop"]
        assert unsure_of(machine) == [tile_place(*MIDDLE)]
        machine.press("ok", to=WinnerView)
        assert machine.view.to_check == 0
        assert machine.winners[1] == "62"

    def test_next_offers_the_likeliest_others_first_and_each_once(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok")
        offered = []
        for number in range(machine.view.options):
            assert machine.view.option == number + 1
            offered.append(machine.guess)
            machine.press("next")
        assert offered[:4] == [Face.SHOP, Face.HOUSE, Face.PARK, SpecialAnswer.LATER]
        assert offered[-1] is SpecialAnswer.NO_TILE
        assert set(Face) <= set(offered)
        assert len(set(offered)) == len(offered) == 11
        assert machine.guess == Face.SHOP

    def test_the_sheet_follows_what_a_person_chooses(self, machine):
        machine.scan(unsure={CORNER: (Face.HOUSE,)})
        machine.press("ok", "next", "ok")
        save = machine.stored
        assert save.scan.table.cities[0].grid[0][0] is Face.HOUSE
        assert save.scan.sheet.cities[0].points.shops == 10  # three in a line instead of four
        machine.press("scan", to=WinnerView)
        first, *_others = views_of(machine.leaf(), "city")
        assert first.entries[0][1] == "10"

    def test_a_covered_tile_is_asked_about_by_what_it_may_be(self, machine):
        machine.scan(".SSS/PPHP/HOOO/HOOE", *EXAMPLE[1:], unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        assert (machine.guess, machine.view.options) == (Face.PARK, 11)
        machine.run("next")
        assert machine.guess is SpecialAnswer.NO_TILE, "comes last"
        machine.press("ok")
        assert machine.stored.scan.sheet.missing == (CORNER,)
        machine.open_menu("correct-tile")
        machine.press("ok", "ok", "ok")
        assert machine.guess is SpecialAnswer.NO_TILE, "what was said comes first"

    def test_a_tile_left_empty_can_be_checked_again_from_the_result(self, machine):
        machine.scan(".SSS/PPHP/HOOO/HOOE", *EXAMPLE[1:], unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        machine.answer(SpecialAnswer.NO_TILE)
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok", to=DoubtView)
        assert machine.place == tile_place(*CORNER)

    def test_a_tile_left_empty_can_be_checked_again_from_the_menu(self, machine):
        machine.scan(".SSS/PPHP/HOOO/HOOE", *EXAMPLE[1:], unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        machine.answer(SpecialAnswer.NO_TILE)
        machine.open_menu("check-tiles")
        assert machine.place == tile_place(*CORNER)

    def test_later_leaves_a_tile_open(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok")
        machine.answer(SpecialAnswer.LATER)
        assert machine.done(SaveResult) == []
        machine.press("ok", to=WinnerView)
        assert machine.view.to_check == 1
        assert machine.view.hints.ok is Hint.CHECK
        lists = views_of(machine.leaf(), "places")
        assert [[str(place) for place in view.places] for view in lists] == [["A, row 1, column 1"]]

    def test_scan_goes_back_a_tile_and_its_answer_can_be_changed(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "next", "ok", "scan")
        assert machine.view.number == 1
        assert machine.guess == Face.HOUSE, "what was said is offered first"
        machine.press("next", "ok", "ok")
        told = corrections_of(last_save(machine.all_effects))
        assert told == ["A:1,1=shop", "C:2,2=park"]

    def test_going_back_begins_with_the_likeliest(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "next", "next", "scan")
        assert (machine.view.number, machine.view.option) == (1, 1)
        machine.press("next", "ok")
        assert (machine.view.number, machine.view.option) == (2, 1)

    def test_the_same_place_in_two_cities_is_two_places(self, machine):
        machine.scan(unsure={(0, (0, 0)): (), (1, (0, 0)): ()})
        machine.press("ok", "ok", "ok")
        told = corrections_of(last_save(machine.all_effects))
        assert told == ["A:1,1=shop", "B:1,1=house"]
        assert machine.view.to_check == 0

    def test_later_takes_an_answer_back(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "scan")
        machine.answer(SpecialAnswer.LATER)
        assert machine.stored.corrections == ()
        assert unsure_of(machine) == [tile_place(*CORNER), tile_place(*MIDDLE)]

    def test_scan_on_the_first_tile_leaves_them_for_later(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "scan", to=WinnerView)
        assert machine.view.to_check == 2
        machine.press("next", "ok", to=ReadyView)

    def test_the_check_goes_on_where_it_was_left(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "next", "ok")
        machine.home()
        machine.press("next", "ok")
        assert (machine.place, machine.view.count) == (tile_place(*MIDDLE), 1)
        assert corrections_of(machine.state.result) == ["A:1,1=house"]

    def test_they_can_be_called_from_the_menu(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "scan")
        machine.hold("scan")
        [entry] = [e for e in machine.view.entries if label_text(e.label) == "check-tiles"]
        assert entry.value == "2"
        machine.choose("check-tiles")
        assert isinstance(machine.view, DoubtView)

    def test_the_same_answer_again_is_not_stored_again(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "scan")
        machine.press("ok")
        assert machine.done(SaveResult) == []


class TestAnyTile:
    def test_menu_corrects_a_surely_misread_tile(self, machine):
        place = tile_place(2, (0, 1))
        machine.scan(crops={place: CROP})
        machine.open_menu("correct-tile")
        machine.press("next", "next")
        assert (machine.view.grid, machine.view.pieces) == (2, ())
        machine.press("ok")
        assert machine.view.marked == ((0, 0), (0, 1), (0, 2), (0, 3))
        machine.press("ok", "next")
        assert machine.view.marked == ((0, 1),)
        assert [label_text(label) for label in machine.view.said] == [
            "City C", "row 1", "column 2", "factory",
        ]  # fmt: skip
        machine.press("ok")
        assert (machine.place, machine.guess) == (place, Face.FACTORY)
        assert machine.view.crop == CROP, "its picture is shown, however sure it is"
        machine.press("next")
        assert machine.guess == Face.SHOP
        machine.press("ok")
        assert corrections_of(machine.stored) == ["C:1,2=shop"]
        machine.press("scan", to=WinnerView)

    def test_learning_a_correction_is_asked_once(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", to=ConfirmView)
        assert machine.view.question is Question.LEARN_TILES
        machine.press("scan", to=WinnerView)
        machine.pick(3, 1, 2)
        machine.press("next", "ok", to=WinnerView)
        assert machine.done(LearnCorrections) == []

    def test_it_is_learned_by_a_copy_that_is_used_from_then_on(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", "ok", "ok")
        learn = machine.one(LearnCorrections)
        assert (learn.edition, learn.result) == ("table-1", machine.state.result)
        machine.tell(TilesLearned(learn.job_id))
        assert machine.one(StoreSettings).settings.edition == "table-1"
        machine.press("ok", to=WinnerView)

    def test_an_edition_that_cannot_be_stored_says_so(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", "ok", "ok")
        machine.tell(JobFailed(machine.one(LearnCorrections).job_id, DISK_FULL))
        assert machine.view.code == DISK_FULL.code
        machine.press("ok", to=WinnerView)

    def test_what_was_not_seen_or_only_confirmed_teaches_nothing(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "ok", to=WinnerView)

    def test_what_is_not_sure_still_waits_then(self):
        for button in ("ok", "scan"):
            machine = Machine()
            machine.scan(unsure=UNSURE)
            machine.pick(3, 1, 2)
            machine.press(*[button] * (1 if button == "ok" else 4), to=WinnerView)
            assert machine.view.hints.ok is Hint.CHECK

    def test_eight_presses_lead_to_any_tile_if_buttons_are_held(self, machine):
        machine.scan(*EXAMPLE, EXAMPLE[0])
        machine.hold("scan")
        machine.press("ok")
        for marked in ((6, ()), (6, tuple((3, c) for c in range(4))), (6, ((3, 3),))):
            machine.run("next")
            assert (machine.view.grid, machine.view.marked) == marked
            machine.press("ok")
        assert machine.place == tile_place(6, (3, 3))

    def test_scan_leads_back_step_by_step(self, machine):
        machine.scan()
        machine.pick(3, 2, 4)
        marked = []
        while not isinstance(machine.view, WinnerView):
            machine.press("scan")
            marked.append(getattr(machine.view, "marked", None))
        assert marked == [((1, 3),), tuple((1, c) for c in range(4)), (), None]

    def test_the_last_result_can_be_put_right_after_ready_too(self):
        for entry, more in (("correct-tile", 3), ("check-tiles", 0)):
            machine = Machine()
            machine.scan(unsure={CORNER: ()})
            machine.press("ok", "scan", "next", "ok", "ok")
            machine.choose(entry)
            machine.press(*["ok"] * more, "ok", to=WinnerView)
            machine.press("scan")
            assert machine.one(StartScan).is_rescan


class TestOwners:
    def test_two_players_are_asked_if_the_cities_do_not_show_it(self):
        machine = Machine(settings=two_players(players=("Ben", "Emily")))
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        assert isinstance(machine.view, WinnerView)
        machine.press("ok")
        asked = machine.view
        assert isinstance(asked, OwnersQuestionView)
        assert asked.owners == (
            (("A", "D"), Seat(1, "Ben")),
            (("B", "C"), Seat(2, "Emily")),
        )
        machine.press("next")
        assert machine.view.owners != asked.owners
        chosen = tuple("AB".index("B" if c in machine.view.owners[1][0] else "A") for c in "ABCD")
        machine.press("ok")
        assert machine.stored.scan.table.owners == chosen
        assert machine.view.to_check == 0
        machine = Machine(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.press("ok")
        offered = []
        for _ in range(machine.view.options):
            offered.append(machine.view.owners)
            machine.press("next")
        assert len(set(offered)) == len(offered) == 6
        assert machine.view.owners == offered[0]
        for (own, _), (other, _) in offered:
            assert sorted(own + other) == list("ABCD")
            assert len(own) == 2

    def test_the_tiles_come_first(self):
        machine = Machine(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY, unsure={CORNER: ()})
        machine.press("ok", to=DoubtView)
        machine.press("ok", to=OwnersQuestionView)
        machine.press("ok")
        assert machine.view.to_check == 0
        machine = Machine(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.press("ok", "ok")
        machine.open_menu("who-plays", "standard")
        assert machine.stored.scan.table.owners is None
        assert len(machine.stored.scan.sheet.players) == 4

    def test_the_answer_holds_for_the_next_scan_of_the_same_table(self):
        machine = Machine(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.press("ok", "next", "ok")
        owners = machine.stored.scan.table.owners
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        assert machine.stored.scan.table.owners == owners
        assert machine.view.to_check == 0


class TestScanningAgain:
    def test_the_next_scan_is_of_the_same_table(self, machine):
        machine.press("scan")
        assert not machine.one(StartScan).is_rescan
        machine.press("next")
        machine.scan(unsure={CORNER: (Face.HOUSE,)})
        machine.press("ok", "next", "ok", "scan", "scan")
        assert machine.one(StartScan).is_rescan
        assert machine.view.again

    def test_it_is_another_table_after_ready(self, machine):
        machine.scan()
        machine.press("ok", "scan")
        assert not machine.one(StartScan).is_rescan
        assert not machine.view.again
        machine.tell(finished(machine.job_id, read(*other_cities(0))))
        assert isinstance(machine.view, WinnerView)

    def test_it_says_what_has_changed(self, machine):
        machine.scan()
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        changes = changes_told(machine)
        views = machine.leaf()
        assert changes[changes.index("A, row 1, column 4") + 1] == "shop►house"
        assert [change for change in changes if change.startswith("City A 56►")]
        assert isinstance(views[0], WinnerView)
        told = [name_of(view) for view in views].index("changes-1") + 1
        assert str(views[0].news) == f"Changed: page {told}"
        assert [change for change in changes if change.startswith("Player 1 (A F)")]

    @pytest.mark.parametrize("presses", [0, 1, 7])
    def test_rescan_opens_on_the_view_that_was_shown(self, machine, presses):
        machine.scan()
        machine.press(*["next"] * presses)
        view = machine.view_name
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        assert machine.view_name == view

    def test_standings_are_as_near_as_before(self, machine):
        machine.scan()
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        machine.press("next")
        assert machine.view_name == "standings"

    def test_view_of_another_table_is_not_kept(self, machine):
        machine.scan(*other_cities(0))
        machine.press("next")
        machine.scan(*other_cities(1))
        assert isinstance(machine.view, WinnerView)

    def test_it_says_so_if_nothing_has(self, machine):
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
        assert "Cities 5►6" in changes_told(machine)

    def test_an_answer_goes_with_its_city_when_that_has_another_letter(self, machine):
        machine.scan(*EXAMPLE[:5], unsure={CORNER: (Face.PARK,)})
        machine.press("ok", "next", "ok", "scan")
        machine.scan(EXAMPLE[5], *EXAMPLE[:5], unsure={(1, CORNER[1]): (Face.PARK,)})
        machine.open_menu("check-tiles")
        assert (machine.place, machine.guess) == (tile_place(1, CORNER[1]), Face.PARK)

    def test_the_result_before_a_refused_scan_still_counts(self, machine):
        machine.scan()
        machine.scan(*EXAMPLE[:2])
        assert machine.view.code == "city-count"
        machine.scan("SSSH/PPHP/HOOO/HOOE", *EXAMPLE[1:])
        changes = changes_told(machine)
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

    def test_what_was_put_right_though_the_eye_was_sure_is_asked_again(self, machine):
        machine.scan()
        machine.pick(1, 1, 1)
        machine.press("next", "ok")
        corrected = machine.stored.corrections[0].answer
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
        changes = changes_told(machine)
        assert "Winner now:" in changes

    def test_a_change_of_the_variant_between_compares_like_with_like(self, machine):
        machine.scan(*FOUR)
        machine.open_menu("who-plays", "two-player", "no-names")
        assert isinstance(machine.view, WinnerView)
        machine.scan(*FOUR)
        assert str(machine.view.news) == "No change so far"
        machine.open_menu("who-plays", "standard", "no-names")
        assert str(machine.view.news) == "Nothing has changed"
        assert len(views_of(machine.leaf(), "player")) == 4


class TestCameraDuringAScan:
    def test_a_photo_already_taken_is_read_though_the_camera_goes(self, machine):
        machine.press("scan")
        machine.tell(StageReached(machine.job_id, Stage.LOCATE))
        machine.tell(CameraLost(CAMERA_MISSING))
        assert isinstance(machine.view, StageView)
        machine.tell(finished(machine.job_id, read()))
        assert isinstance(machine.view, WinnerView)


class TestRemarks:
    def test_what_the_eye_says_is_leafed_through_with_the_result(self, machine):
        machine.scan(notes=(DARK,), city_notes={2: (GLARE,)})
        notes = [str(view.title[0]) for view in views_of(machine.leaf(), "note")]
        assert notes == ["About the photo", "City C"]

    def test_what_the_eye_says_is_counted_with_what_there_is_to_check(self, machine):
        machine.scan(notes=(DARK,), unsure={MIDDLE: [Face.PARK]})
        assert machine.view.to_check == 2
        machine.press("ok", "ok", to=WinnerView)
        assert machine.view.to_check == 1, "the tile is sure now, the photo as dark as before"

    def test_notes_of_eye_are_views_of_unscored_table(self, machine):
        machine.scan(*EXAMPLE[:2], notes=(DARK,), unread=(note(NoteCode.CITY_UNREADABLE),))
        problem, unread, where, note_view = machine.leaf()
        assert isinstance(problem, ProblemView)
        assert (problem.code, problem.hints.next) == ("city-count", Hint.NEXT)
        assert name_of(unread).startswith("unread")
        assert isinstance(where, UnreadView)
        assert name_of(note_view).startswith("note")
        assert {view.hints for view in (unread, note_view)} == {problem.hints}

    def test_what_the_eye_says_is_leafed_through_where_there_is_no_city(self, machine):
        machine.press("scan")
        machine.tell(finished(machine.job_id, replace(read(notes=(DARK,)), grids=())))
        problem, note_view = machine.leaf()
        assert (problem.code, name_of(note_view)) == ("no-city", "note-1")


def tile_place(city, cell):
    return Place(PlaceKind.TILE, city, cell)


def unsure_of(machine):
    """Return the places still unsure in the stored result."""
    return [doubt.place for doubt in machine.stored.scan.doubts.unsure]


def changes_told(machine):
    """All that the views say that has changed."""
    return [line for view in views_of(machine.leaf(), "changes") for line in lines_of(view)]


def all_of_city(index):
    return {(index, (row, column)): (Face.PARK,) for row in range(4) for column in range(4)}
