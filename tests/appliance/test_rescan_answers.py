"""Answers and names of a game outlast scans that do not show them, and changes beside them."""

from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pytest

from firmware.appliance.features.joined_cities import AnswerSameCity, SetCityOrder
from firmware.appliance.features.players import RenamePlayer, SetNamesForNextGame, SetNamesOfGame
from firmware.appliance.features.reviewing import CorrectPlaces, SetOwners
from firmware.appliance.features.scanning import AnswerSameTable, StartScan, TakeAndReadPhoto
from firmware.appliance.inputs import CommandReceived
from firmware.appliance.past_result import load_past_result, record_of
from firmware.appliance.rescan import as_new_game
from firmware.appliance.saving import ResultSaved
from firmware.appliance.stored_settings import ChangeSettings
from firmware.history import StoredScan
from firmware.history.clock import wall_time
from firmware.scan.corrections import correction_text
from firmware.screens.question_views import SpecialAnswer
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CORNER,
    EXAMPLE,
    FOUR,
    SAME_WAY,
    SETTINGS,
    MachineDriver,
    corrections_of,
    finished,
    read,
    tile_place,
    two_players,
)
from tests.appliance.test_other_games import playing
from tests.appliance.test_rescan import HOUSE, SHOP, UNSURE, patch
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    FULL_BOARD,
    blocks,
    city,
    piece,
    reading,
)
from tests.firmware.fake_eye import other_cities
from vision.reading import GridSighting, Join, JoinedPhoto, Place, PlaceKind

PLACE = tile_place(*CORNER)
UNITED_PICTURES = {
    tile_place(0, (0, 0)): patch("shop"),
    tile_place(0, (0, 1)): patch("house"),
    tile_place(1, (0, 0)): patch("park"),
}
"""Pictures of the corrected tiles in ``TestUnitedCities``."""
NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")


def corrections_now(machine):
    return corrections_of(machine.state.result)


def players_of(machine):
    return machine.state.result.options.players


def face_at_corner(machine):
    return machine.state.result.corrected_scan.reading.grids[0].face((0, 0))


def say_park(machine):
    machine.press("ok")
    machine.answer(Face.PARK)
    machine.press("scan")


@pytest.fixture
def answered(machine):
    """The eye is not sure of a shop, and a person says that it is a park."""
    machine.scan(unsure=UNSURE, patches=SHOP)
    say_park(machine)
    return machine


class TestCoveredCity:
    def test_answer_comes_back_with_its_city(self, answered):
        answered.scan(*EXAMPLE[1:])
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_answer_comes_back_after_several_scans(self, answered):
        for _ in range(3):
            answered.scan(*EXAMPLE[1:])
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_answer_comes_back_after_a_scan_that_cannot_be_scored(self, answered):
        answered.scan(*EXAMPLE[2:4])
        assert answered.view.code == "city-count"
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_exchanged_tile_of_a_city_that_is_back_drops_the_answer(self, answered):
        answered.scan(*EXAMPLE[1:])
        answered.scan("H" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=HOUSE)
        assert corrections_now(answered) == []

    def test_new_game_has_none_of_its_answers(self, answered):
        answered.scan(*EXAMPLE[1:])
        answered.open_menu("new-game")
        answered.scan(unsure=UNSURE, patches=SHOP)
        assert corrections_now(answered) == []

    @pytest.mark.parametrize("scans", [1, 2, 3])
    def test_names_of_the_game_come_back(self, machine, scans):
        machine.scan()
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES))
        for _ in range(scans):
            machine.scan(*EXAMPLE[1:])
        machine.scan()
        assert players_of(machine) == NAMES

    def test_names_for_fewer_players_leave_a_table_that_can_be_scored(self, machine):
        machine.scan()
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.scan(*EXAMPLE[1:])
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES[:5]))
        assert players_of(machine) == NAMES[:5]
        assert machine.state.result.earlier.scan is not None
        machine.scan()
        assert machine.state.result.scan is not None


def test_answer_outlasts_a_photo_that_the_eye_reads_like_the_person(machine):
    noise = np.random.default_rng(1).normal(0, 50, SHOP[PLACE].shape)
    shop_again = {PLACE: np.clip(SHOP[PLACE] + noise, 0, 255).astype(np.uint8)}
    machine.scan(patches=SHOP)
    machine.command(CorrectPlaces(machine.state.result.result_id, ((PLACE, "park"),)))
    machine.scan("P" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=shop_again)
    machine.scan(patches=shop_again)
    assert corrections_now(machine) == ["A:1,1=park"]


class TestAskedAgain:
    @pytest.fixture
    def asked(self, answered):
        """The eye is sure of a shop now, which looks somewhat different."""
        answered.scan(patches=HOUSE)
        assert answered.state.result.open_places == (PLACE,)
        return answered

    def test_open_question_is_asked_again_after_another_scan(self, asked):
        asked.scan(patches=HOUSE)
        assert asked.state.result.open_places == (PLACE,)
        assert face_at_corner(asked) == Face.PARK

    def test_answer_counts_again_once_its_tile_looks_as_before(self, asked):
        asked.scan(patches=SHOP)
        assert corrections_now(asked) == ["A:1,1=park"]

    def test_other_answer_takes_its_place(self, asked):
        asked.press("ok")
        asked.answer(Face.OFFICE)
        asked.scan(patches=HOUSE)
        assert corrections_now(asked) == ["A:1,1=office"]

    def test_open_question_is_known_out_of_the_history(self, asked):
        recalled = recalled_from_history(asked.state.result)
        assert [(each.place, each.content) for each in recalled.unconfirmed] == [(PLACE, "park")]
        assert set(recalled.patches) == {PLACE}

    def test_new_game_is_not_asked(self, asked):
        asked.open_menu("new-game")
        asked.scan(patches=HOUSE)
        assert asked.state.result.open_places == ()


class TestNewGame:
    def test_keeps_an_answer_about_its_own_photo_that_was_given_before(self, answered):
        answered.scan(patches=HOUSE)
        say_park(answered)
        answered.open_menu("new-game")
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_out_of_the_history_keeps_no_answer_of_the_game_before(self, answered):
        answered.scan(unsure=UNSURE, patches=SHOP)
        recalled = recalled_from_history(answered.state.result)
        assert as_new_game(recalled, SETTINGS).corrections == ()

    def test_keeps_no_answer_that_moved_with_its_city(self, answered):
        turned = EXAMPLE[5], *EXAMPLE[:5]
        answered.scan(*turned, unsure={(1, CORNER[1]): (Face.PARK,)},
                      patches={tile_place(1, CORNER[1]): patch("shop")})  # fmt: skip
        assert corrections_now(answered) == ["B:1,1=park"]
        answered.open_menu("new-game")
        assert corrections_now(answered) == []


class TestNames:
    @pytest.fixture
    def named(self):
        """The game was named on its page, and other names are those of the settings."""
        machine = MachineDriver(settings=replace(SETTINGS, players=("Xan", "Yves")))
        machine.scan(*FOUR)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES[:4]))
        return machine

    def test_names_of_the_game_stay_on_a_rescan(self, named):
        named.scan(*FOUR)
        assert players_of(named) == NAMES[:4]

    def test_names_of_the_game_stay_when_the_variant_is_set(self, named):
        result_id = named.state.result.result_id
        named.command(ChangeSettings((("variant", "standard"), ("level", 2)), result_id))
        assert players_of(named) == NAMES[:4]

    def test_names_that_are_set_for_the_game_afterwards_count(self, named):
        named.command(ChangeSettings((("players", ("Zoe",)),), named.state.result.result_id))
        named.scan(*FOUR)
        assert players_of(named) == ("Zoe", "P2", "P3", "P4")

    def test_rescan_has_no_names_that_were_refused_for_its_game(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=NAMES[:4]))
        machine.scan(*FOUR)
        machine.hold("next")
        machine.open_menu("who-plays", "standard", "Dora", "Cid", "that-is-all")
        machine.press("scan")
        machine.hold("next")
        machine.scan(*FOUR)
        assert players_of(machine) == NAMES[:4]

    def test_rescan_has_no_names_that_were_set_for_the_next_game(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=NAMES[:4]))
        machine.scan(*FOUR)
        machine.command(SetNamesForNextGame(("Xan", "Yves")))
        machine.scan(*FOUR)
        assert players_of(machine) == NAMES[:4]

    def test_names_of_the_game_stay_on_a_rescan_after_a_restart(self, named):
        game = recalled_from_history(named.state.result)
        named.state = replace(named.state, result=game)
        named.scan(*FOUR)
        assert players_of(named) == NAMES[:4]

    def test_names_go_with_the_cities_when_letters_change(self, named):
        named.scan(FOUR[3], *FOUR[:3])
        assert players_of(named) == ("Dora", "Ann", "Ben", "Cid")

    def test_names_of_the_settings_go_with_the_cities(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=("Ann", "Ben")))
        machine.scan(*FOUR)
        machine.scan(FOUR[3], *FOUR[:3])
        assert players_of(machine) == ("P1", "Ann", "Ben", "P4")

    def test_owners_go_with_the_cities_when_letters_change(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=(0, 0, 0, 0))
        machine.command(SetOwners(machine.state.result.result_id, (0, 0, 1, 1)))
        machine.scan(FOUR[3], *FOUR[:3], turns_degrees=(0, 0, 0, 0))
        assert machine.state.result.options.owners == (1, 0, 0, 1)

    def test_player_renamed_meanwhile_has_the_new_name_in_the_earlier_game(self, machine):
        machine.upload(*EXAMPLE)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES))
        machine.upload(*EXAMPLE[:4], *other_cities(0)[:2])
        assert machine.state.result.possible_earlier is not None
        machine.command(RenamePlayer("Ann", "Anna"))
        machine.command(AnswerSameTable(machine.state.result.result_id, is_same=True))
        assert players_of(machine) == ("Anna", *NAMES[1:])


class TestAnotherGame:
    """Owners and names that were given stay when a person says which game the table is."""

    @pytest.fixture
    def perhaps_known(self):
        machine = MachineDriver(settings=two_players())
        machine.upload(*FOUR, turns_degrees=SAME_WAY)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.upload(*FOUR[:3], other_cities(0)[0], turns_degrees=SAME_WAY)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=6))
        assert machine.state.result.possible_earlier is not None
        return machine

    @pytest.fixture
    def rescanned(self):
        machine = MachineDriver(settings=two_players())
        for _ in range(2):
            machine.scan(*FOUR, turns_degrees=SAME_WAY)
            machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        return machine

    @pytest.mark.parametrize(("table", "is_same"), [("perhaps_known", True), ("rescanned", False)])
    def test_owners_stay(self, request, table, is_same):
        machine = request.getfixturevalue(table)
        result_id = machine.state.result.result_id
        machine.command(SetOwners(result_id, (0, 1, 1, 0)))
        machine.command(AnswerSameTable(result_id, is_same=is_same))
        assert machine.state.result.options.owners == (0, 1, 1, 0)

    @pytest.mark.parametrize(("table", "is_same"), [("perhaps_known", True), ("rescanned", False)])
    def test_names_stay(self, request, table, is_same):
        machine = request.getfixturevalue(table)
        result = machine.state.result
        machine.command(SetNamesOfGame(result.seq, NAMES[:2]))
        machine.command(AnswerSameTable(result.result_id, is_same=is_same))
        assert players_of(machine) == NAMES[:2]

    def test_new_game_has_no_owners_and_names_of_the_earlier_one(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetOwners(machine.state.result.result_id, (0, 1, 1, 0)))
        machine.command(SetNamesOfGame(5, NAMES[:2]))
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.command(AnswerSameTable(machine.state.result.result_id, is_same=False))
        assert (players_of(machine), machine.state.result.options.owners) == (None, None)


class TestCitiesThatChangeSeats:
    """City A lies where city B lay, and the other way round; the others stay."""

    SWAPPED = EXAMPLE[1], EXAMPLE[0], *EXAMPLE[2:]
    UNSURE_NOW: ClassVar = {(1, CORNER[1]): (Face.PARK,)}
    SHOP_NOW: ClassVar = {tile_place(1, CORNER[1]): patch("shop")}

    def test_answer_goes_with_its_city(self, answered):
        answered.scan(*self.SWAPPED, unsure=self.UNSURE_NOW, patches=self.SHOP_NOW)
        assert corrections_now(answered) == ["B:1,1=park"]

    def test_city_with_other_tiles_takes_the_place_that_is_left(self, answered):
        """Half of the tiles of city A are changed as well."""
        changed = EXAMPLE[0][:10] + "OOOO/SSSS"
        answered.scan(EXAMPLE[1], changed, *EXAMPLE[2:],
                      unsure=self.UNSURE_NOW, patches=self.SHOP_NOW)  # fmt: skip
        assert corrections_now(answered) == ["B:1,1=park"]

    def test_players_stay_on_their_seats(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=NAMES))
        machine.scan()
        machine.scan(*self.SWAPPED)
        assert players_of(machine) == NAMES

    def test_owners_go_with_their_cities(self):
        machine = MachineDriver(settings=two_players())
        machine.scan(*FOUR, turns_degrees=SAME_WAY)
        machine.command(SetOwners(machine.state.result.result_id, (0, 1, 1, 0)))
        machine.scan(FOUR[1], FOUR[0], *FOUR[2:], turns_degrees=SAME_WAY)
        assert machine.state.result.options.owners == (1, 0, 1, 0)


class TestCityPerhapsSeenTwice:
    @pytest.fixture
    def doubted(self, machine):
        scan_with_twin(machine, order=(0, 2, 1, 3, 4))
        return machine

    def test_doubt_is_known_out_of_the_history(self, doubted):
        result = doubted.state.result
        recalled = recalled_from_history(result)
        assert recalled.scan.doubt_count == result.scan.doubt_count == 1

    def test_order_that_names_both_cities_tells_them_apart(self, doubted):
        doubted.command(SetCityOrder(doubted.state.result.result_id, (0, 1, 2, 3, 4)))
        assert doubted.state.result.scan.doubt_count == 0
        assert doubted.state.result.reading_to_correct.join.perhaps_same == ()


class TestUnitedCities:
    @pytest.fixture
    def united(self, machine):
        """City E is city A, seen in a second photo; a tile was corrected in either, and in B."""
        places = tile_place(0, (0, 0)), tile_place(4, (0, 1)), tile_place(1, (0, 0))
        scan_with_twin(machine, patches=dict(zip(places, UNITED_PICTURES.values(), strict=True)))
        for place in places:
            machine.command(CorrectPlaces(machine.state.result.result_id, ((place, Face.OFFICE),)))
        machine.command(AnswerSameCity(machine.state.result.result_id, (0, 4), 5, is_same=True))
        return machine

    def test_pictures_of_corrected_tiles_stay(self, united):
        assert set(united.state.result.patches) == set(UNITED_PICTURES)

    def test_rescan_keeps_the_answers(self, united):
        before = corrections_now(united)
        assert len(before) == 3
        united.press("scan")
        united.handle(finished(united.job_id, read(*FOUR), patch_at=UNITED_PICTURES.get))
        assert corrections_now(united) == before


MIXED_CITY = "SSCWPPSS/WSCCPPSW/PPSSCCWW/PSWPSCSW/CCPPSSWW/WCSPSSPP/SSCCWWPP/PSWCPSCW"


@pytest.mark.parametrize("quarters", range(4))
def test_answer_turns_with_a_city_that_is_read_in_another_turn(quarters):
    machine = playing("cities")
    place = tile_place(0, (0, 1))
    first = reading(CITIES, city(MIXED_CITY))
    machine.scan_game(first)
    machine.command(CorrectPlaces(machine.state.result.result_id, ((place, "park"),)))
    machine.scan_game(replace(first, grids=(first.grids[0].turned(quarters),)))
    (answer,) = machine.state.result.all_corrections
    assert (answer.place, answer.content) == (place.turned((8, 8), quarters), "park")


@pytest.mark.parametrize("quarters", range(4))
def test_table_with_a_covered_city_is_the_same_in_any_turn(quarters):
    machine = playing("cities")
    machine.scan_game(reading(CITIES, city(), city(MIXED_CITY, position=1)))
    first = machine.state.result.result_id
    machine.scan_game(reading(CITIES, city(MIXED_CITY).turned(quarters)))
    assert machine.state.result.earlier.result_id == first


class TestPiecesOfAHeap:
    """The eye numbers the pieces of a heap anew in each photo."""

    @staticmethod
    def scan(machine, *values):
        """Scan a board with these value tiles in the blue heap, in the order of their numbers."""
        beside = [piece("blue", number, value) for number, value in enumerate(values)]
        machine.scan_game(reading(CITY_BLOCKS, blocks(FULL_BOARD, *beside)))

    @staticmethod
    def say(machine, number, value):
        place = Place(PlaceKind.LOOSE, 0, ("blue", number - 1))
        machine.command(CorrectPlaces(machine.state.result.result_id, ((place, value),)))

    @pytest.fixture
    def added(self):
        """The eye sees one value tile; a person adds two."""
        machine = playing("city-blocks")
        self.scan(machine, 7)
        self.say(machine, 2, "value-9")
        self.say(machine, 3, "value-10")
        return machine

    def test_added_pieces_that_the_eye_misses_again_are_asked_again(self, added):
        self.scan(added, 7)
        assert answers_asked_again(added) == {"blue:2=value-9", "blue:3=value-10"}

    def test_added_pieces_still_count_after_several_scans(self, added):
        for _ in range(3):
            self.scan(added, 7)
        assert blue_values(added) == (7, 9, 10)

    def test_added_piece_that_the_eye_sees_now_is_certain(self, added):
        self.scan(added, 10, 7)
        assert corrections_now(added) == ["blue:1=value-10"]

    def test_other_added_piece_gets_a_free_number(self, added):
        self.scan(added, 10, 7)
        assert answers_asked_again(added) == {"blue:3=value-9"}
        assert blue_values(added) == (7, 9, 10)

    def test_further_piece_takes_no_answer_away(self, added):
        self.scan(added, 7, 12)
        assert blue_values(added) == (7, 9, 10, 12)

    def test_answer_goes_with_its_piece_to_another_number(self):
        machine = playing("city-blocks")
        self.scan(machine, 7, 3)
        self.say(machine, 2, "value-8")
        self.scan(machine, 3, 7)
        assert answers_asked_again(machine) == {"blue:1=value-8"}

    def test_piece_that_the_eye_reads_as_answered_is_certain(self):
        machine = playing("city-blocks")
        self.scan(machine, 7, 7)
        self.say(machine, 1, "value-12")
        self.scan(machine, 12, 7)
        assert corrections_now(machine) == ["blue:1=value-12"]
        assert blue_values(machine) == (7, 12)

    def test_answer_stays_with_its_piece_beside_one_of_the_same_face(self):
        machine = playing("city-blocks")
        self.scan(machine, 7, 12)
        self.say(machine, 1, "value-12")
        self.scan(machine, 7, 12)
        assert answers_asked_again(machine) == {"blue:1=value-12"}

    def test_removed_piece_stays_away_after_a_scan_without_it(self):
        machine = playing("city-blocks")
        self.scan(machine, 7, 9)
        self.say(machine, 1, SpecialAnswer.NO_TILE)
        self.scan(machine, 9)
        self.scan(machine, 7, 9)
        assert blue_values(machine) == (9,)

    def test_answer_goes_with_its_piece_out_of_the_history(self, added):
        self.scan(added, 10, 7)
        recalled = recalled_from_history(added.state.result)
        assert [each.is_from_earlier for each in recalled.corrections] == [True]
        assert answers_of(recalled.unconfirmed, recalled) == {"blue:3=value-9"}


def scan_with_twin(machine, *, order=(0, 1, 2, 3, 4), patches=MappingProxyType({})):
    """Scan two photos, the second one of city E, which may be city A."""
    machine.now_s += 1
    machine.handle(CommandReceived(StartScan(object()), machine.now_s))
    seen = read(*FOUR, FOUR[0])
    photos = tuple(
        JoinedPhoto(
            name, seen.size_wh, seen.grids[0].corners_px,
            tuple(GridSighting(n, seen.grids[n].corners_px, is_best=True) for n in grids),
        )
        for name, grids in (("1", range(4)), ("2", [4]))
    )  # fmt: skip
    joined = replace(seen, join=Join(photos, order, True, ((0, 4),)))
    job_id = machine.effect_of(TakeAndReadPhoto).job_id
    machine.handle(finished(job_id, joined, is_upload=True, patch_at=patches.get))


def recalled_from_history(result):
    """Return a result as it is loaded after a restart."""
    record = record_of(result)
    if result.earlier is not None:
        record = record_of(result.earlier).with_rescan(record)
    return load_past_result(StoredScan(3, wall_time(), record), None)


def answers_of(corrections, result):
    """Return corrections of a result as they are written."""
    return {correction_text(each, result.corrected_scan.naming) for each in corrections}


def answers_asked_again(machine):
    result = machine.state.result
    return answers_of(result.unconfirmed, result)


def blue_values(machine):
    """Return the value tiles that count for blue."""
    return machine.state.result.scan.table.collected.blue
