"""Going through the tiles that are not sure, and saying whose cities they are."""

from firmware.appliance.features.players import SetNamesForNextGame
from firmware.appliance.saving import SaveResult
from firmware.screens.device_views import ReadyView
from firmware.screens.question_views import DoubtView, OwnersQuestionView, SpecialAnswer
from firmware.screens.result_views import PlacesView, WinnerView
from firmware.screens.view import PlayerLabel
from firmware.screens.words import Hint
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CORNER,
    CROP,
    EXAMPLE,
    FOUR,
    MIDDLE,
    SAME_WAY,
    UNSURE,
    MachineDriver,
    corrections_of,
    label_text,
    last_save,
    tile_place,
    two_players,
    views_of,
)


class TestUnsureTiles:
    def test_unsure_tiles_come_with_picture_place_and_guess(self, machine):
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
        assert corrections_of(machine.saved_result) == ["A:1,1=shop"]
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
        save = machine.saved_result
        assert save.scan.table.cities[0].grid[0][0] is Face.HOUSE
        assert save.scan.sheet.cities[0].points.shops == 10  # three in a line instead of four
        machine.press("scan", to=WinnerView)
        first, *_others = views_of(machine.all_views(), "city")
        assert first.entries[0][1] == "10"

    def test_a_covered_tile_is_asked_about_by_what_it_may_be(self, machine):
        machine.scan(".SSS/PPHP/HOOO/HOOE", *EXAMPLE[1:], unsure={CORNER: (Face.PARK,)})
        machine.press("ok")
        assert (machine.guess, machine.view.options) == (Face.PARK, 11)
        machine.hold_repeating("next")
        assert machine.guess is SpecialAnswer.NO_TILE, "comes last"
        machine.press("ok")
        assert machine.saved_result.scan.sheet.missing == (CORNER,)
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
        machine.open_menu("to-check")
        assert machine.place == tile_place(*CORNER)

    def test_later_leaves_a_tile_open(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok")
        machine.answer(SpecialAnswer.LATER)
        assert machine.effects_of(SaveResult) == []
        machine.press("ok", to=WinnerView)
        assert machine.view.to_check == 1
        assert machine.view.hints.ok is Hint.CHECK
        lists = views_of(machine.all_views(), "places")
        assert [[str(place) for place in view.places] for view in lists] == [["A, row 1, column 1"]]

    def test_scan_goes_back_a_tile_and_its_answer_can_be_changed(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "next", "ok", "scan")
        assert machine.view.number == 1
        assert machine.guess == Face.HOUSE, "what was said is offered first"
        machine.press("next", "ok", "ok")
        corrections = corrections_of(last_save(machine.all_effects))
        assert corrections == ["A:1,1=shop", "C:2,2=park"]

    def test_going_back_begins_with_the_likeliest(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "next", "next", "scan")
        assert (machine.view.number, machine.view.option) == (1, 1)
        machine.press("next", "ok")
        assert (machine.view.number, machine.view.option) == (2, 1)

    def test_the_same_place_in_two_cities_is_two_places(self, machine):
        machine.scan(unsure={(0, (0, 0)): (), (1, (0, 0)): ()})
        machine.press("ok", "ok", "ok")
        corrections = corrections_of(last_save(machine.all_effects))
        assert corrections == ["A:1,1=shop", "B:1,1=house"]
        assert machine.view.to_check == 0

    def test_later_takes_an_answer_back(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "scan")
        machine.answer(SpecialAnswer.LATER)
        assert machine.saved_result.corrections == ()
        assert unsure_of(machine) == [tile_place(*CORNER), tile_place(*MIDDLE)]

    def test_scan_on_the_first_tile_leaves_them_for_later(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "scan", to=WinnerView)
        assert machine.view.to_check == 2
        machine.press("next", "ok", to=ReadyView)

    def test_the_check_goes_on_where_it_was_left(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "next", "ok")
        machine.go_to_ready()
        machine.press("next", "ok")
        assert (machine.place, machine.view.count) == (tile_place(*MIDDLE), 1)
        assert corrections_of(machine.state.result) == ["A:1,1=house"]

    def test_the_list_of_unsure_places_leads_to_them(self, machine):
        machine.scan(unsure=UNSURE)
        while not isinstance(machine.view, PlacesView):
            machine.press("next")
        assert machine.view.hints.ok is Hint.CHECK
        machine.press("ok", to=DoubtView)
        assert machine.place == tile_place(*CORNER)

    def test_unsure_tiles_can_be_reviewed_from_the_menu(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "scan")
        machine.hold("scan")
        [entry] = [e for e in machine.view.entries if label_text(e.label) == "to-check"]
        assert entry.value == "2"
        machine.choose("to-check")
        assert isinstance(machine.view, DoubtView)

    def test_the_same_answer_again_is_not_stored_again(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "scan")
        machine.press("ok")
        assert machine.effects_of(SaveResult) == []


class TestOwners:
    def test_two_players_are_asked_if_the_cities_do_not_show_it(self):
        machine = MachineDriver(settings=two_players(players=("Ben", "Emily")))
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        assert isinstance(machine.view, WinnerView)
        machine.press("ok")
        asked = machine.view
        assert isinstance(asked, OwnersQuestionView)
        assert asked.owners == (
            (("A", "D"), PlayerLabel(1, "Ben")),
            (("B", "C"), PlayerLabel(2, "Emily")),
        )
        machine.press("next")
        assert machine.view.owners != asked.owners
        chosen = tuple("AB".index("B" if c in machine.view.owners[1][0] else "A") for c in "ABCD")
        machine.press("ok")
        assert machine.saved_result.scan.table.owners == chosen
        assert machine.view.to_check == 0
        machine = MachineDriver(settings=two_players())
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

    def test_question_names_the_players_of_the_game(self):
        machine = MachineDriver(settings=two_players(players=("Ben", "Emily")))
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.command(SetNamesForNextGame(("Xan", "Yves")))
        machine.press("next", "ok", to=OwnersQuestionView)
        assert [seat.name for _cities, seat in machine.view.owners] == ["Ben", "Emily"]

    def test_the_tiles_come_first(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY, unsure={CORNER: ()})
        machine.press("ok", to=DoubtView)
        machine.press("ok", to=OwnersQuestionView)
        machine.press("ok")
        assert machine.view.to_check == 0
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.press("ok", "ok")
        machine.open_menu("who-plays", "standard")
        assert machine.saved_result.scan.table.owners is None
        assert len(machine.saved_result.scan.sheet.players) == 4

    def test_the_answer_holds_for_the_next_scan_of_the_same_table(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.press("ok", "next", "ok")
        owners = machine.saved_result.scan.table.owners
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        assert machine.saved_result.scan.table.owners == owners
        assert machine.view.to_check == 0


def unsure_of(machine):
    """Return the places still unsure in the stored result."""
    return [doubt.place for doubt in machine.saved_result.scan.doubts.read_places]
