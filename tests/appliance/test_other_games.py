"""The games known by pictures: scanning, leafing, reviewing, choosing them."""

from dataclasses import replace

import pytest

from firmware.appliance.base import RefuseCommand
from firmware.appliance.features.reviewing import CorrectPlaces
from firmware.appliance.saving import SaveResult
from firmware.appliance.stored_settings import UseSettings
from firmware.appliance.transitions import LogProblem
from firmware.screens.device_views import NoticeView, ProblemView, ReadyView
from firmware.screens.question_views import (
    DoubtView,
    FaceGroup,
    PlacesWithoutEffectView,
    SpecialAnswer,
)
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Hint, MenuWord, Notice
from tests.appliance.appliance_machine import (
    ALL_GAMES,
    CROP,
    SETTINGS,
    MachineDriver,
    corrections_of,
    label_text,
    last_save,
    views_of,
)
from tests.appliance.fake_tables import TABLES, UNSURE_FIELD, UNSURE_FIGURE
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    cards,
    city,
    reading,
    sign,
)
from vision.reading import NoteCode, Place, PlaceKind, note

FIELD = Place(PlaceKind.TILE, 0, UNSURE_FIELD)
FIGURE = Place(PlaceKind.FIGURE, 0, UNSURE_FIGURE)
VALUE = Place(PlaceKind.LOOSE, 0, ("red", 0))
BLUE_2, BLUE_3 = (Place(PlaceKind.LOOSE, 0, ("blue", number)) for number in (1, 2))


def playing(game, **changes):
    """A machine that is set to a game."""
    edition = changes.pop("edition", "dominoes" if game == "reading-only" else "standard")
    settings = replace(SETTINGS, game=game, edition=edition, **changes)
    return MachineDriver(settings=settings, choices=ALL_GAMES)


def scanned(game, **changes):
    """The same after a scan of the usual table."""
    machine = playing(game, **changes)
    machine.scan_game()
    return machine


def stored_corrections(machine):
    return corrections_of(last_save(machine.all_effects))


class TestFromPressToWinner:
    def test_cities_shows_the_winner_by_colour_and_what_the_tourists_bring(self):
        machine = scanned("cities", level=2)
        assert isinstance(machine.view, WinnerView)
        save = machine.saved_result
        assert save.scan.sheet.level == 2
        finals = [player.final for player in save.scan.sheet.players]
        winner = ["Red", "Blue"][finals.index(max(finals))]
        assert machine.view.winners[0].name == winner
        assert save.eye_reading is TABLES["cities"]

    @pytest.mark.parametrize("game", ["city-blocks", "dice-board"])
    def test_games_of_colours_are_scanned_with_names_set(self, game):
        machine = playing(game, players=("Ann", "Ben", "Cid", "Dot", "Eve"))
        machine.scan_game()
        assert machine.effects_of(SaveResult)


class TestWhatCannotBeUsed:
    @pytest.mark.parametrize(
        ("game", "code"),
        [
            ("cities", "no-city"),
            ("city-blocks", "no-board"),
            ("dice-board", "no-board"),
            ("reading-only", "no-tiles"),
        ],
    )
    def test_a_photo_without_the_game_leaves_the_result_alone(self, game, code):
        machine = scanned(game)
        before = machine.view
        machine.scan_game(replace(TABLES[game], grids=()))
        assert isinstance(machine.view, ProblemView)
        assert machine.view.code == code
        assert machine.effects_of(SaveResult) == []
        assert machine.effect_of(LogProblem).problem.code == code
        machine.press("ok")
        assert machine.view == before

    def test_reason_for_an_unread_board_has_a_page(self):
        machine = playing("city-blocks")
        machine.scan_game(reading(CITY_BLOCKS, unread=(note(NoteCode.GRID_UNREADABLE),)))
        assert machine.view.hints.next is Hint.NEXT
        (unread,) = views_of(machine.all_views(), "unread")
        assert str(unread.title[0]) == "Board not read"
        machine = playing("dice-board")
        empty = replace(
            TABLES["dice-board"].grids[0],
            faces=((None,) * 12,) * 12,
            tiles=((None,) * 12,) * 12,
            turns=((None,) * 12,) * 12,
        )
        machine.scan_game(replace(TABLES["dice-board"], grids=(empty,)))
        assert machine.view.code == "no-companies"
        machine.press("ok", to=ReadyView)


class TestUnsurePlaces:
    def test_unsure_places_come_with_picture_place_and_guess(self):
        machine = playing("cities")
        machine.scan_game(crops={FIELD: CROP})
        assert machine.view.to_check == 2
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok", to=DoubtView)
        assert (machine.place, machine.guess) == (FIGURE, "tourist-red")
        assert machine.view.crop is None
        machine.press("ok", to=PlacesWithoutEffectView)
        machine.press("ok", to=DoubtView)
        assert (machine.place, machine.guess, machine.view.crop) == (FIELD, "park", CROP)
        assert str(machine.view.place).startswith("A, row")
        assert len(machine.view.table.cities) == 2

    def test_place_settled_by_another_answer_is_not_asked(self):
        machine = playing("dice-board")
        laid = [*sign(4, 4, "red-bakery"), *sign(0, 0, "blue-theatre"), (9, 9, "red-bakery-nw", 0)]
        machine.scan_game(reading(DICE_BOARD, cards(*laid)))
        machine.press("ok", to=DoubtView)
        assert machine.view.count == 2
        while machine.guess is not SpecialAnswer.NO_TILE:
            machine.press("next")
        machine.press("ok", to=WinnerView)
        assert len(stored_corrections(machine)) == 1

    def test_place_that_is_gone_keeps_all_corrections_from_being_made(self):
        machine = scanned("city-blocks")
        gone = Place(PlaceKind.LOOSE, 0, ("red", 99))
        command = CorrectPlaces(
            machine.state.result.result_id, ((VALUE, "value-2"), (gone, "value-2"))
        )
        assert [type(effect) for effect in machine.command(command)] == [RefuseCommand]
        assert machine.state.result.corrections == ()

    def test_turn_of_a_card_is_shown_with_the_face_that_was_read(self):
        machine = playing("dice-board")
        grid = replace(cards(*sign(4, 4, "red-bakery", turn=1)), unsure=((4, 4),))
        machine.scan_game(reading(DICE_BOARD, grid))
        machine.press("ok", to=DoubtView)
        assert machine.view.turn == 1

    def test_turn_of_another_face_than_was_read_is_not_known(self):
        machine = playing("dice-board")
        grid = replace(cards(*sign(4, 4, "red-bakery", turn=1)), unsure=((4, 4),))
        machine.scan_game(reading(DICE_BOARD, grid))
        machine.press("ok", "next", to=DoubtView)
        assert machine.view.turn is None

    def test_place_without_rank_effect_can_be_left_open(self):
        machine = scanned("cities")
        machine.press("ok", "ok", to=PlacesWithoutEffectView)
        assert machine.view.count == 1
        machine.press("scan", to=WinnerView)
        assert machine.view.to_check == 1

    def test_next_offers_the_other_guesses_nothing_later_and_all_else_once(self):
        machine = scanned("cities")
        machine.press("ok", "ok", "ok")
        offered = []
        for _ in range(machine.view.options):
            offered.append(machine.guess)
            machine.press("next")
        assert offered == [
            *("park", "sight"), SpecialAnswer.LATER, *("cafe", "water"), SpecialAnswer.NO_TILE,
        ]  # fmt: skip
        assert machine.guess == "park"

    def test_an_answer_changes_the_sheet_and_is_kept_as_a_correction(self):
        machine = scanned("cities", level=2)
        before = machine.state.result.scan.table.cities[0].fields[7][0]
        machine.press("ok", "ok", "ok", "next", "ok")
        save = last_save(machine.all_effects)
        assert before != save.scan.table.cities[0].fields[7][0] == "sight"
        assert stored_corrections(machine) == ["A:tourist:3,3=tourist-red", "A:8,1=sight"]
        assert save.scan.doubts.count == 0

    def test_no_figure_is_an_answer(self):
        machine = scanned("cities")
        machine.press("ok")
        machine.answer(SpecialAnswer.NO_TILE)
        machine.press("ok", "ok")
        assert stored_corrections(machine) == ["A:tourist:3,3=none", "A:8,1=park"]
        assert UNSURE_FIGURE not in last_save(machine.all_effects).scan.table.cities[0].tourists
        assert isinstance(machine.view, WinnerView)
        assert machine.view.to_check == 0

    def test_a_piece_beside_the_board_is_put_right(self):
        machine = scanned("city-blocks")
        machine.press("ok")
        assert (machine.place, machine.guess) == (VALUE, "value-12")
        assert str(machine.view.place) == "red 1"
        machine.press("next", "ok")
        assert stored_corrections(machine) == ["red:1=value-2"]
        assert isinstance(machine.view, WinnerView)
        assert machine.winners == (["Blue"], "$7")

    def test_a_refused_table_can_be_put_right(self):
        names = [[None] * 8 for _ in range(8)]
        empty = city("/".join(["." * 8] * 8), unsure=((0, 0),), alternatives={(0, 0): ("park",)})
        assert [list(row) for row in empty.faces] == names
        machine = playing("cities")
        machine.scan_game(reading(CITIES, empty))
        assert machine.view.code == "empty-city"
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok", "ok")
        assert machine.effects_of(SaveResult)


class TestPuttingRight:
    """Corrections of places that were read with certainty."""

    def test_a_field_of_a_city(self):
        machine = scanned("cities")
        machine.pick(2, 2, 3, 1)
        assert machine.place == Place(PlaceKind.TILE, 1, (1, 2))
        machine.press("next", "ok")
        assert stored_corrections(machine) == ["B:2,3=sight"]
        assert isinstance(machine.view, WinnerView)
        machine = scanned("cities")
        machine.pick(1, 1, 1, 2)
        assert (machine.place, machine.guess) == (
            Place(PlaceKind.FIGURE, 0, (0, 0)),
            SpecialAnswer.NO_TILE,
        )
        machine.press("next", "ok")
        assert stored_corrections(machine) == ["A:tourist:1,1=tourist-red"]
        assert (0, 0) in last_save(machine.all_effects).scan.table.cities[0].tourists

    def test_a_value_in_a_heap_and_one_more(self):
        machine = scanned("city-blocks")
        machine.open_menu("correct-tile")
        machine.press(*["next"] * 7)
        assert [label_text(label) for label in machine.view.labels] == ["blue"]
        machine.press("ok")
        assert [label_text(label) for label in machine.view.labels] == ["blue 1", "value-7"]
        machine.press("next")
        assert [label_text(label) for label in machine.view.labels] == ["blue 2", "nothing"]
        machine.press("ok")
        machine.answer("value-9")
        assert stored_corrections(machine) == ["blue:2=value-9"]
        assert machine.winners == (["Blue"], "$16")


class TestPiecesAddedToAHeap:
    """The eye has seen one value tile of blue; a person adds two more."""

    @pytest.fixture
    def added(self):
        machine = scanned("city-blocks")
        for number, value in ((2, "value-9"), (3, "value-10")):
            machine.pick(8, number)
            machine.answer(value)
        return machine

    @pytest.mark.parametrize(
        ("answer", "values"),
        [
            ("value-11", (7, 10, 11)),
            (SpecialAnswer.NO_TILE, (7, 10)),
            (SpecialAnswer.LATER, (7, 10)),
        ],
    )
    def test_lower_one_is_corrected_again_with_the_buttons(self, added, answer, values):
        added.pick(8, 2)
        added.answer(answer)
        assert isinstance(added.view, WinnerView)
        assert added.saved_result.scan.table.collected.blue == values

    def test_lower_one_is_corrected_again_on_the_phone(self, added):
        command = CorrectPlaces(added.state.result.result_id, ((BLUE_2, "value-11"),))
        added.command(command)
        assert added.saved_result.scan.table.collected.blue == (7, 10, 11)

    def test_number_of_one_that_was_taken_away_is_free_again(self, added):
        added.pick(8, 2)
        added.answer(SpecialAnswer.LATER)
        added.pick(8, 2)
        assert (added.place, added.guess) == (BLUE_2, SpecialAnswer.NO_TILE)
        added.answer("value-12")
        assert added.saved_result.scan.table.collected.blue == (7, 10, 12)

    def test_all_are_taken_away_the_lower_one_first(self, added):
        for number in (2, 3):
            added.pick(8, number)
            added.answer(SpecialAnswer.LATER)
        assert added.saved_result.corrections == ()

    def test_several_are_added_at_once_in_any_order(self):
        machine = scanned("city-blocks")
        answers = ((BLUE_3, "value-10"), (BLUE_2, "value-9"))
        machine.command(CorrectPlaces(machine.state.result.result_id, answers))
        assert machine.saved_result.scan.table.collected.blue == (7, 9, 10)

    def test_number_that_leaves_one_out_is_refused(self):
        machine = scanned("city-blocks")
        command = CorrectPlaces(machine.state.result.result_id, ((BLUE_3, "value-10"),))
        assert [type(effect) for effect in machine.command(command)] == [RefuseCommand]

    def test_new_game_keeps_its_own_without_those_of_the_game_before(self):
        machine = scanned("city-blocks")
        machine.pick(8, 2)
        machine.answer("value-9")
        machine.scan_game()
        machine.pick(8, 3)
        machine.answer("value-10")
        machine.open_menu("new-game")
        assert machine.saved_result.scan.table.collected.blue == (7, 10)


class TestManyFaces:
    """Many faces are asked for by their kind first, then within the kind."""

    @pytest.mark.parametrize(
        ("game", "kind", "faces"),
        [
            ("city-blocks", "red-factory", [f"red-factory-{value}" for value in range(3, 8)]),
            (
                "dice-board",
                "yellow-tramway",
                [
                    f"yellow-tramway-{quarter}{side}"
                    for side in ("", "-sight")
                    for quarter in ("nw", "ne", "se", "sw")
                ],
            ),
        ],
    )
    def test_come_in_two_steps(self, game, kind, faces):
        machine = scanned(game)
        machine.pick(1, 1)
        assert machine.view.options <= 22
        machine.answer(FaceGroup(kind))
        offered = []
        for _ in range(machine.view.options):
            offered.append(machine.guess)
            machine.press("next")
        assert sorted(offered) == sorted(faces)
        machine.press("scan")
        assert machine.guess == FaceGroup(kind), "one can go back to the kinds"
        machine.press("ok")
        machine.answer(faces[2])
        assert last_save(machine.all_effects).corrections[-1].content == faces[2]

    def test_one_of_its_kind_is_offered_by_itself(self):
        machine = scanned("city-blocks")
        machine.pick(1, 1)
        machine.answer("blue-mall")
        assert last_save(machine.all_effects).corrections[-1].content == "blue-mall"


class TestScanningAgain:
    def test_earlier_answer_is_offered_first(self):
        machine = scanned("city-blocks")
        machine.press("ok", "next", "ok")
        first = machine.saved_result.result_id
        machine.scan_game()
        assert (machine.saved_result.earlier.result_id, machine.saved_result.corrections) == (
            first,
            (),
        )
        machine.press("ok")
        assert (machine.place, machine.guess) == (VALUE, "value-2")
        machine.press("next")
        assert machine.guess == "value-12", "what the eye sees comes next"
        (asked,) = machine.state.result.corrected_scan.doubts.places
        assert (asked.read, asked.alternatives) == ("value-2", ("value-12",))

    @pytest.mark.parametrize(
        ("game", "place", "answer", "spot"),
        [
            ("cities", (2, 1, 3, 1), "sight", Place(PlaceKind.TILE, 1, (0, 2))),
            ("cities", (1, 1, 1, 2), "tourist-red", Place(PlaceKind.FIGURE, 0, (0, 0))),
            ("city-blocks", (8, 2), "value-9", Place(PlaceKind.LOOSE, 0, ("blue", 1))),
            ("city-blocks", (8, 1), SpecialAnswer.NO_TILE, Place(PlaceKind.LOOSE, 0, ("blue", 0))),
        ],
        ids=["field", "figure", "one more piece", "no piece"],
    )
    def test_correction_of_a_sure_place_is_asked_again(self, game, place, answer, spot):
        machine = scanned(game)
        asked = machine.view.to_check
        machine.pick(*place)
        assert machine.place == spot
        machine.answer(answer)
        machine.scan_game()
        assert machine.view.to_check == asked + 1
        guesses = {}
        machine.press("ok")
        while isinstance(machine.view, DoubtView):
            guesses[machine.place] = machine.guess
            machine.press("ok")
        assert guesses[spot] == answer

    def test_another_table_is_one_of_its_own(self):
        machine = scanned("cities")
        machine.scan_game(reading(CITIES, city("/".join(["WWWWWWWW"] * 8)), city(position=1)))
        assert machine.saved_result.earlier is not None
        machine.scan_game(reading(CITIES, city("/".join(["CCCCCCCC"] * 8))))
        assert machine.saved_result.earlier is None

    def test_after_another_game_was_chosen_a_scan_is_of_another_table(self):
        machine = scanned("cities")
        machine.open_menu("game", "Between Two Cities")
        machine.go_to_ready()
        machine.scan()
        assert machine.state.result.game_id == "between-two-cities"
        assert machine.saved_result.earlier is None

    def test_a_result_follows_the_level_but_not_the_settings_of_another_game(self):
        machine = scanned("cities", level=1)
        machine.open_menu("who-plays", "level-3")
        assert machine.saved_result.scan.sheet.level == 3
        machine = scanned("cities", level=3)
        machine.open_menu("game", "Between Two Cities")
        assert machine.effects_of(SaveResult) == []
        assert machine.state.result.scan.sheet.level == 3


class TestChoosing:
    def test_a_game_gets_a_level_and_an_edition_that_it_has(self):
        machine = MachineDriver(settings=replace(SETTINGS, edition="grandma"), choices=ALL_GAMES)
        machine.open_menu("game", "City Blocks")
        stored = machine.effect_of(UseSettings).settings
        assert (stored.game, stored.edition) == ("city-blocks", "standard")
        assert machine.view == NoticeView(notice=Notice.STANDARD_EDITION)
        machine.press("ok")
        assert machine.labels()[machine.view.selected] == "game"
        machine.press("scan", to=ReadyView)
        machine = MachineDriver(settings=SETTINGS, choices=ALL_GAMES)
        machine.open_menu("game", "Reading only")
        assert machine.effect_of(UseSettings).settings.edition == "dominoes"
        assert machine.view == NoticeView(notice=Notice.OTHER_EDITION)
        machine.press("ok", "scan")
        assert (label_text(machine.view.game), machine.view.edition) == ("Reading only", "dominoes")
        machine = MachineDriver(settings=SETTINGS, choices=ALL_GAMES)
        machine.open_menu("game", "Cities")
        assert machine.view.title is MenuWord.MENU

    def test_teaching_and_names_are_where_they_are_used(self):
        machine = playing("cities")
        machine.hold("scan")
        assert "teach" not in machine.labels()
        machine.choose("game", "Between Two Cities")
        assert "teach" in machine.labels()
        machine = playing("city-blocks")
        machine.hold("scan")
        assert "who-plays" not in machine.labels()
        machine.choose("game", "Cities", "who-plays", "level-1")
        assert machine.labels() == ["no-names"]
