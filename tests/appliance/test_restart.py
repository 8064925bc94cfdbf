"""Answers and names that people gave for a game hold over a restart, as they do without one."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from firmware.appliance.features.players import RenamePlayer, SetNamesOfGame
from firmware.appliance.features.reviewing import CorrectPlaces, SetOwners
from firmware.appliance.features.scanning import AnswerSameTable
from firmware.appliance.saving import ResultSaved
from firmware.appliance.stored_settings import ChangeSettings
from firmware.screens.question_views import SpecialAnswer
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    EXAMPLE,
    FOUR,
    SAME_WAY,
    MachineDriver,
    corrections_of,
    two_players,
)
from tests.appliance.test_other_games import playing
from tests.appliance.test_rescan import HOUSE, PLACE, SHOP, UNSURE
from tests.appliance.test_rescan_answers import recalled_from_history
from tests.firmware.board_samples import CITY_BLOCKS, FULL_BOARD, blocks, piece, reading
from tests.firmware.history_samples import open_history, record
from vision.reading import Place, PlaceKind

NAMES = ("Ann", "Ben", "Cid", "Dora")
OTHER_NAMES = ("Eve", "Fay", "Gus", "Hal")


def restart(machine):
    """Switch the appliance off and on: the last result comes out of the history."""
    machine.state = replace(machine.state, result=recalled_from_history(machine.state.result))


def say(machine, place, answer):
    machine.command(CorrectPlaces(machine.state.result.result_id, ((place, answer),)))


def say_new_game(machine):
    machine.command(AnswerSameTable(machine.state.result.result_id, is_same=False))


def corrections_now(machine):
    return corrections_of(machine.state.result)


def players_of(machine):
    return machine.state.result.options.players


@pytest.fixture
def answered(machine):
    """The eye is not sure of a shop, and a person says that it is a park."""
    machine.scan(unsure=UNSURE, patches=SHOP)
    say(machine, PLACE, Face.PARK)
    return machine


def test_answer_outlasts_a_photo_that_the_eye_reads_like_the_person(machine):
    noise = np.random.default_rng(1).normal(0, 50, SHOP[PLACE].shape)
    shop_again = {PLACE: np.clip(SHOP[PLACE] + noise, 0, 255).astype(np.uint8)}
    machine.scan(patches=SHOP)
    say(machine, PLACE, Face.PARK)
    machine.scan("P" + EXAMPLE[0][1:], *EXAMPLE[1:], patches=shop_again)
    restart(machine)
    machine.scan(patches=shop_again)
    assert corrections_now(machine) == ["A:1,1=park"]


def test_removed_piece_of_a_heap_stays_away():
    machine = playing("city-blocks")

    def scan(*values):
        beside = [piece("blue", number, value) for number, value in enumerate(values)]
        machine.scan_game(reading(CITY_BLOCKS, blocks(FULL_BOARD, *beside)))

    scan(7, 9)
    say(machine, Place(PlaceKind.LOOSE, 0, ("blue", 0)), SpecialAnswer.NO_TILE)
    scan(9)
    restart(machine)
    scan(7, 9)
    assert machine.state.result.scan.table.collected.blue == (9,)


def test_answer_about_a_city_that_was_covered_twice_comes_back(answered):
    for _ in range(2):
        answered.scan(*EXAMPLE[1:])
    restart(answered)
    answered.scan(unsure=UNSURE, patches=SHOP)
    assert corrections_now(answered) == ["A:1,1=park"]


def test_answer_that_waits_for_its_tile_is_asked_again(answered):
    for _ in range(2):
        answered.scan(patches=HOUSE)
    restart(answered)
    answered.scan(patches=SHOP)
    assert corrections_now(answered) == ["A:1,1=park"]


def test_eye_still_sees_what_it_saw(answered):
    answered.scan(patches=HOUSE)
    seen = answered.state.result.eye_reading.grids[0].faces
    restart(answered)
    assert answered.state.result.eye_reading.grids[0].faces == seen


class TestNewGame:
    def test_keeps_an_answer_that_was_given_again(self, answered):
        answered.scan(unsure=UNSURE, patches=SHOP)
        say(answered, PLACE, Face.PARK)
        restart(answered)
        say_new_game(answered)
        assert corrections_now(answered) == ["A:1,1=park"]

    def test_keeps_no_answer_of_the_game_before(self, answered):
        answered.scan(unsure=UNSURE, patches=SHOP)
        restart(answered)
        say_new_game(answered)
        assert corrections_now(answered) == []

    @pytest.mark.parametrize("restarts", [False, True])
    def test_keeps_owners_that_were_given_again(self, restarts):
        machine = MachineDriver(settings=two_players())
        for _ in range(2):
            machine.scan(*FOUR, turns_degrees=SAME_WAY)
            machine.command(SetOwners(machine.state.result.result_id, (0, 1, 1, 0)))
        if restarts:
            restart(machine)
        say_new_game(machine)
        assert machine.state.result.options.owners == (0, 1, 1, 0)

    @pytest.mark.parametrize("restarts", [False, True])
    def test_keeps_names_that_were_given_after_the_rescan(self, machine, restarts):
        for names in (NAMES, OTHER_NAMES):
            machine.scan(*FOUR)
            machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
            machine.command(SetNamesOfGame(5, names))
        if restarts:
            restart(machine)
        say_new_game(machine)
        assert players_of(machine) == OTHER_NAMES

    @pytest.mark.parametrize("restarts", [False, True])
    def test_has_the_new_name_of_a_player_that_was_renamed(self, machine, restarts):
        machine.scan(*FOUR)
        machine.scan(*FOUR)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES))
        machine.command(RenamePlayer("Ann", "Anna"))
        if restarts:
            restart(machine)
        say_new_game(machine)
        assert players_of(machine) == ("Anna", *NAMES[1:])

    @pytest.mark.parametrize("restarts", [False, True])
    def test_has_no_names_of_the_game_before(self, machine, restarts):
        machine.scan(*FOUR)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES))
        machine.scan(*FOUR)
        if restarts:
            restart(machine)
        say_new_game(machine)
        assert players_of(machine) is None


class TestVariant:
    """The variant for two players is set, and taken back."""

    @staticmethod
    def set_variant(machine, variant):
        machine.command(ChangeSettings((("variant", variant),), machine.state.result.result_id))

    @pytest.fixture
    def two_named(self, machine):
        """Four players were named for this game, before it became one for two."""
        machine.scan(*FOUR)
        machine.handle(ResultSaved(machine.state.result.save_id, seq=5))
        machine.command(SetNamesOfGame(5, NAMES))
        self.set_variant(machine, "two-player")
        assert players_of(machine) is None
        return machine

    @pytest.mark.parametrize("restarts", [False, True])
    def test_names_of_the_game_come_back(self, two_named, restarts):
        if restarts:
            restart(two_named)
        self.set_variant(two_named, "standard")
        assert players_of(two_named) == NAMES

    def test_rescan_keeps_names_that_came_back(self, two_named):
        self.set_variant(two_named, "standard")
        two_named.scan(*FOUR)
        assert players_of(two_named) == NAMES

    def test_rescan_keeps_names_that_may_come_back(self, two_named):
        two_named.scan(*FOUR)
        self.set_variant(two_named, "standard")
        assert players_of(two_named) == NAMES

    def test_player_renamed_meanwhile_comes_back_with_the_new_name(self, two_named):
        two_named.command(RenamePlayer("Ann", "Anna"))
        self.set_variant(two_named, "standard")
        assert players_of(two_named) == ("Anna", *NAMES[1:])

    def test_names_that_were_set_for_all_games_since_count(self, two_named):
        result_id = two_named.state.result.result_id
        two_named.command(ChangeSettings((("players", OTHER_NAMES[:2]),), result_id))
        self.set_variant(two_named, "standard")
        assert players_of(two_named) == (*OTHER_NAMES[:2], "P3", "P4")


def test_player_who_is_not_in_the_variant_is_renamed_in_the_history(tmp_path):
    with closing(open_history(tmp_path)) as history:
        history.add(record(table={"players": ["Ann", "Ben"]}))
        seq = history.add(record(own_names=(NAMES,)))
        history.rename_player("Ann", "Anna")
        assert history.get(seq).record.own_names == (("Anna", *NAMES[1:]),)
