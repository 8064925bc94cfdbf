"""Changes at the terminal, seen by a running scanner: names, merged players, deleted games."""

import pytest

from firmware.appliance.features.players import RenamePlayer, SetNamesOfGame
from firmware.appliance.inputs import CommandReceived
from firmware.appliance.runner.loop import HEALTH_EVERY_S
from firmware.cli import main
from firmware.settings import Settings, load_settings, store_settings
from tests.appliance.whole_appliance import SCAN, WholeAppliance, kept_scans

NAMES = ("Anne", "Ben", "Cid", "Dora", "Eve", "Finn")


@pytest.fixture
def scanner():
    settings = Settings(language="en", players=NAMES)
    store_settings(settings)
    whole = WholeAppliance(settings=settings)
    whole.appliance.prepare()
    whole.advance(1)
    whole.press(SCAN)
    assert kept_scans()[0].record.table["players"] == list(NAMES)
    return whole


@pytest.fixture
def terminal(scanner):
    def run(*arguments):
        assert main(["history", *map(str, arguments)]) == 0
        scanner.advance(2 * HEALTH_EVERY_S)
        return scanner.appliance.state

    return run


def test_renamed_player_is_seen_in_result_choices_and_settings(terminal):
    state = terminal("rename", "Anne", "Ann")
    assert state.result.options.players == ("Ann", *NAMES[1:])
    assert "Ann" in state.choices.names
    assert "Anne" not in state.choices.names
    assert state.settings.players == ("Ann", *NAMES[1:])


def test_next_game_has_the_new_name(scanner, terminal):
    terminal("rename", "Anne", "Ann")
    scanner.press(SCAN)
    assert load_settings()[0].players[0] == "Ann"
    assert [scan.record.table["players"][0] for scan in kept_scans()] == ["Ann"]


def test_two_renames_between_two_looks_are_seen_in_order(scanner, terminal):
    assert main(["history", "rename", "Anne", "Zoe"]) == 0
    state = terminal("rename", "Zoe", "Ann")
    assert state.settings.players[0] == "Ann"


def test_names_of_the_last_game_are_seen(terminal):
    state = terminal("names", 1, "Zoe,Ben")
    assert state.result.options.players[:3] == ("Zoe", "Ben", "P3")
    assert state.settings.players == NAMES


def test_deleted_last_game_is_forgotten(terminal):
    assert terminal("delete", 1, "--yes").result is None


def test_rename_on_the_page_is_not_taken_for_one_at_the_terminal(scanner, terminal):
    scanner.appliance._storage._history.rename_player("Anne", "Ann")
    state = terminal("date", 1, "2026-11-21")
    assert state.settings.players == NAMES


def test_renaming_leaves_the_names_of_the_game_that_still_lies_there(scanner):
    scanner.appliance._storage._history.set_names(1, ("Zoe", "Yan"))
    for command in (
        SetNamesOfGame(1, ("Zoe", "Yan", "P3", "P4", "P5", "P6")),
        RenamePlayer("Cid", "Cyd"),
    ):
        scanner.appliance._report(CommandReceived(command, scanner.clock.time_s))
        scanner.advance(1)
    assert scanner.appliance.state.settings.players[2] == "Cyd"
    assert kept_scans()[0].record.table["players"] == ["Zoe", "Yan", "P3", "P4", "P5", "P6"]
