"""Choosing things on the device: menus, settings, names of the seats."""

from dataclasses import replace

import pytest
from appliance_machine import (
    CHOICES,
    EXAMPLE,
    FOUR,
    GAME,
    SETTINGS,
    Machine,
    at_menu,
    game_choice,
    pages_of,
    said,
    two_players,
)

from firmware.appliance import events
from firmware.appliance.effects import Restart, Show, ShutDown, StartScan, StoreSettings
from firmware.appliance.events import Choices, GameChoice
from firmware.appliance.spelling import EDITION_GROUPS, SEAT_GROUPS
from firmware.screens import views
from firmware.screens.words import Hint, MenuWord, Question
from firmware.settings import ButtonSettings, CameraSettings, DisplaySettings, Settings


def values(machine):
    return {said(entry.label): said(entry.value) for entry in machine.view.entries}


def ticked(machine):
    return [said(entry.label) for entry in machine.view.entries if entry.ticked]


class TestMoving:
    def test_holding_scan_opens_the_menu_and_so_does_ok_on_ready(self):
        for machine in (Machine(), Machine()):
            machine.hold("scan")
            assert machine.view.title is MenuWord.MENU
        machine = Machine()
        assert machine.view.hints.ok is Hint.MENU
        machine.press("ok")
        assert machine.view.title is MenuWord.MENU

    def test_next_marks_the_entries_in_turn(self):
        machine = at_menu()
        count = len(machine.view.entries)
        marked = []
        for _ in range(count):
            marked.append(machine.view.selected)
            machine.press("next")
        assert marked == list(range(count))
        assert machine.view.selected == 0

    def test_scan_goes_back_level_by_level(self):
        machine = at_menu("settings", "language")
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.labels()[machine.view.selected] == "language"
        machine.press("scan")
        assert machine.view.title is MenuWord.MENU
        machine.press("scan", to=views.ReadyView)

    def test_holding_next_leads_to_ready_from_anywhere(self):
        machine = at_menu("settings", "language")
        machine.hold("next", to=views.ReadyView)

    def test_it_goes_back_to_the_result_that_it_was_opened_over(self, machine):
        machine.scan()
        machine.hold("scan")
        machine.press("scan", to=views.WinnerView)
        machine.press("scan")
        assert machine.one(StartScan).again

    def test_the_last_result_is_in_it_once_there_is_one(self):
        machine = at_menu()
        assert not {"last-result", "check-tiles", "correct-tile"} & set(machine.labels())
        machine.hold("next")
        machine.scan()
        machine.press("ok", "ok")
        assert "check-tiles" not in machine.labels()
        machine.choose("last-result")
        assert isinstance(machine.view, views.WinnerView)


class TestSettings:
    def test_the_language_is_used_at_once_and_stored(self):
        machine = at_menu("settings", "language")
        assert machine.labels() == ["en", "de", "hu"]
        assert ticked(machine) == ["en"]
        machine.mark("hu")
        machine.press("ok")
        assert machine.one(StoreSettings).settings.language == "hu"
        assert not machine.one(StoreSettings).only_now
        assert machine.one(Show).language == "hu"
        assert machine.view.title is MenuWord.SETTINGS
        assert values(machine)["language"] == "hu"

    def test_choosing_what_is_in_use_stores_nothing(self):
        machine = at_menu("settings", "language", "en")
        assert machine.done(StoreSettings) == []
        assert machine.view.title is MenuWord.SETTINGS

    def test_the_edition(self):
        machine = at_menu()
        assert values(machine)["edition"] == "standard-edition"
        machine.choose("edition")
        assert ticked(machine) == ["standard-edition"]
        machine.choose("grandma")
        assert machine.one(StoreSettings).settings.edition == "grandma"
        assert values(machine)["edition"] == "grandma"
        machine.press("scan")
        assert machine.view.edition == "grandma"
        machine.press("scan")
        assert machine.one(StartScan).edition == "grandma"

    def test_new_editions_can_be_chosen(self):
        machine = at_menu()
        machine.tell(events.EditionsChanged((game_choice(GAME.name, "travel"),)))
        machine.choose("edition")
        assert machine.labels() == ["standard-edition", "travel"]

    def test_the_variant_counts_for_the_result_that_is_there(self, machine):
        machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
        assert len(pages_of(machine.leaf(), "player")) == 4
        machine.into("variant")
        assert ticked(machine) == ["standard"]
        machine.choose("two-player")
        assert machine.one(StoreSettings).settings.variant == "two-player"
        assert machine.stored.scan.sheet.variant == "two-player"
        machine.press("scan")
        assert len(pages_of(machine.leaf(), "player")) == 2
        machine.press("ok")
        assert machine.view.variant == "two-player"

    def test_game_and_level_where_there_is_a_choice(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(choices=replace(CHOICES, games=games))
        assert "level" not in machine.labels()
        machine.choose("game")
        assert machine.labels() == ["Between Two Cities", "Cities"]
        machine.choose("Cities")
        assert machine.one(StoreSettings).settings.game == "cities"
        assert "variant" not in machine.labels()
        machine.choose("level", "level-3")
        assert machine.one(StoreSettings).settings.level == 3
        machine.press("scan")
        assert said(machine.view.game) == "Cities"
        assert (machine.view.variant, machine.view.level) == (None, 3)

    def test_another_game_gets_a_variant_and_a_level_that_it_has(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(
            "game", "Cities", choices=replace(CHOICES, games=games), settings=two_players()
        )
        stored = machine.one(StoreSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("cities", "standard", 1)
        machine.choose("level", "level-2", "game")
        assert ticked(machine) == ["Cities"]
        machine.choose("Between Two Cities")
        stored = machine.one(StoreSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("between-two-cities", "standard", 1)

    def test_brightness_and_way_up_of_the_display(self):
        machine = at_menu("settings", "contrast")
        assert ticked(machine) == ["81 %"]
        machine.press("ok")
        assert machine.one(StoreSettings).settings.display.contrast == 26
        assert ticked(machine) == ["10 %"]
        machine.press("scan")
        assert values(machine)["contrast"] == "10 %"
        assert values(machine)["upside-down"] == "no"
        machine.choose("upside-down")
        assert machine.one(StoreSettings).settings.display.upside_down
        assert values(machine)["upside-down"] == "yes"
        machine.press("ok")
        assert not machine.one(StoreSettings).settings.display.upside_down

    def test_a_reset_asks_first_and_leaves_the_wiring(self):
        wired = replace(
            SETTINGS,
            players=("Ann",),
            edition="grandma",
            display=DisplaySettings(controller="sh1106"),
            buttons=ButtonSettings(scan_gpio=5),
            camera=CameraSettings(kind="v4l2"),
        )
        machine = at_menu("settings", "reset-settings", settings=wired)
        assert machine.view == views.ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        machine.press("ok", "next", to=views.ConfirmView)  # only OK and SCAN answer
        machine.press("ok")
        stored = machine.one(StoreSettings).settings
        assert (stored.players, stored.edition) == ((), "standard")
        assert stored.display.controller == "sh1106"
        assert stored.buttons.scan_gpio == 5
        assert stored.camera.kind == "v4l2"
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.done(Restart) == []

    def test_settings_that_cannot_be_stored_hold_and_it_is_said(self):
        machine = at_menu("settings", "language", "de")
        machine.tell(events.SettingsNotStored(NOT_WRITABLE))
        machine.hold("next")
        assert machine.alerts == ["not-saved"]
        assert machine.state.settings.language == "de"
        machine.tell(events.SettingsStored())
        assert machine.alerts == []


NOT_WRITABLE = events.Fault("file-not-writable", "it cannot be written: make room", "settings")


def write(machine, *keys):
    """Choose groups of letters, of each the first letter, or what else can be done to a name."""
    for key in keys:
        machine.choose(key)
        if isinstance(machine.view, views.NameView):
            machine.press("ok")


class TestNames:
    def test_a_name_is_written_group_by_group_and_letter_by_letter(self):
        machine = at_menu("players")
        assert machine.labels() == list("1234567")
        assert values(machine)["1"] == "none"
        machine.choose("2")
        assert machine.view.title == "_"
        assert machine.labels()[:2] == ["ABCDE", "FGHIJ"]
        machine.press("ok", to=views.NameView)
        assert (machine.view.seat, machine.view.letters, machine.view.offered) == (2, "ABCDE", 0)
        machine.press("ok")
        assert machine.view.title == "A_"
        for _ in range(2):
            machine.choose("klmno")
            machine.press("next", "next", "next")
            assert machine.view.letters[machine.view.offered] == "n"
            machine.press("ok")
        assert machine.view.hints.scan is Hint.DONE
        machine.press("scan")
        assert machine.one(StoreSettings).settings.players == ("", "Ann")
        assert machine.view.title is MenuWord.PLAYERS
        assert values(machine)["2"] == "Ann"

    def test_letters_of_three_languages_can_be_written(self):
        letters = "".join(SEAT_GROUPS)
        assert set("abcdefghijklmnopqrstuvwxyzäöüßáéíóöőúüű0123456789-") <= set(letters)
        assert len(set(letters)) == len(letters)
        assert all(letter.isascii() for group in EDITION_GROUPS for letter in group)

    def test_the_offered_letter_goes_round_and_scan_leads_back_to_the_groups(self):
        machine = at_menu("players", "1", "FGHIJ")
        machine.press("next", "next", "next", "next", "next")
        assert machine.view.offered == 0
        machine.press("scan")
        assert machine.labels()[machine.view.selected] == "FGHIJ"
        assert machine.view.title == "_"

    def test_each_word_begins_with_a_capital(self):
        machine = at_menu("players", "1", "ABCDE")
        machine.press("ok")
        assert "space" in machine.labels()
        machine.choose("space")
        assert "space" not in machine.labels(), "one is enough"
        machine.choose("UVWXYZ")
        machine.press("ok")
        assert machine.view.title == "A U_"
        machine.choose("äöüß")
        machine.press("ok")
        assert machine.view.title == "A Uä_"

    def test_the_capital_of_a_sharp_s_stays_one_letter(self):
        assert at_menu("players", "1", "ÄÖÜß").view.letters == "ÄÖÜß"

    @pytest.mark.parametrize(
        ("before", "keys", "entries", "after"),
        [
            (("A", "", "C"), ["delete"], 11, ("", "", "C")),
            (("Bo",), ["delete", "delete"], 11, ()),  # nothing to delete any more
            ((), ["ABCDE", "space"], 12, ("A",)),  # a second space is not offered
            (("A" * 17,), ["abcde"], 1, ("A" * 17 + "a",)),  # only to delete one
        ],
    )
    def test_a_name_is_stored_once_it_is_done(self, before, keys, entries, after):
        machine = at_menu("players", "1", settings=replace(SETTINGS, players=before))
        write(machine, *keys)
        assert len(machine.labels()) == entries
        machine.press("scan")
        assert machine.one(StoreSettings).settings.players == after

    def test_two_players_cannot_have_one_name(self):
        machine = at_menu(
            "players", "2", "delete", "ABCDE", settings=replace(SETTINGS, players=("A", "B"))
        )
        machine.press("ok", "scan", to=views.FaultView)
        assert machine.view.code == "name-taken"
        assert machine.done(StoreSettings) == []
        machine.press("next")
        assert machine.view.page == 1
        machine.press("ok")
        assert machine.view.title == "A_", "the name can be changed"
        machine.choose("fghij")
        machine.press("ok", "scan")
        assert machine.one(StoreSettings).settings.players == ("A", "Af")

    def test_a_name_may_stay_as_it_is(self):
        machine = at_menu("players", "1", settings=replace(SETTINGS, players=("A", "B")))
        machine.press("scan")
        assert machine.view.title is MenuWord.PLAYERS
        assert machine.done(StoreSettings) == []

    def test_the_result_has_the_new_name_at_once(self, machine):
        machine.scan()
        machine.into("players", "4", "ABCDE")
        machine.press("ok", "scan")
        assert machine.stored.scan.sheet.players[3].name == "A"
        machine.press("scan", "scan")
        assert machine.view.winners[0].name == "A"

    def test_names_for_fewer_or_more_seats_than_the_table_has_do_no_harm(self):
        names = ("Ann", "Ben", "P5", "Dora", "", "", "Gil")
        machine = Machine(settings=replace(SETTINGS, players=names))
        for count in (3, 6):
            machine.scan(*EXAMPLE[:count])
            given = [player.name for player in machine.stored.scan.sheet.players]
            assert len(set(given)) == count
            assert given[:3] == ["Ann", "Ben", "P5"]
            machine.hold("next")

    def test_all_names_can_be_cleared(self):
        machine = at_menu(settings=replace(SETTINGS, players=("A", "B")))
        assert values(machine)["players"] == "2"
        machine.choose("players", "clear-names")
        assert machine.view == views.ConfirmView(question=Question.CLEAR_NAMES)
        machine.press("ok")
        assert machine.one(StoreSettings).settings.players == ()
        assert "clear-names" not in machine.labels()
        machine.press("ok")
        assert machine.effects, "an entry is marked though the last one is gone"


class TestSafeMode:
    def test_it_says_so_and_offers_ways_out(self):
        machine = Machine(safe_mode=True, camera=False)
        assert machine.view.notice.code == "safe-mode"
        assert machine.effects == [Show(machine.view, "en")], "the camera stays closed"
        machine.press("ok")
        assert machine.view.title is MenuWord.SAFE_MODE
        assert machine.labels() == ["start-normally", "go-on", "reset-settings", "shut-down"]

    def test_a_new_start_in_the_usual_way(self):
        machine = Machine(safe_mode=True, camera=False)
        machine.press("ok")
        machine.choose("start-normally")
        assert machine.one(Restart)

    def test_going_on_opens_the_camera_and_keeps_the_sign(self):
        machine = Machine(safe_mode=True, camera=False)
        machine.press("ok")
        machine.choose("go-on")
        assert "OpenCamera" in [type(effect).__name__ for effect in machine.effects]
        assert machine.alerts == ["safe-mode"]
        machine.into("start-normally")
        assert machine.one(Restart)

    def test_what_is_set_then_does_not_replace_the_settings_on_the_card(self):
        machine = Machine(safe_mode=True, camera=False)
        machine.press("ok", "scan")
        machine.into("settings", "language", "de")
        assert machine.one(StoreSettings).only_now
        assert machine.one(StoreSettings).settings.language == "de"

    def test_a_reset_takes_the_wiring_too_and_starts_anew(self):
        odd = replace(SETTINGS, buttons=ButtonSettings(scan_gpio=5))
        machine = Machine(safe_mode=True, camera=False, settings=odd)
        machine.press("ok")
        machine.choose("reset-settings")
        assert machine.view == views.ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("ok")
        assert machine.one(StoreSettings) == StoreSettings(Settings())
        assert machine.one(Restart)
        order = [type(effect) for effect in machine.effects]
        assert order.index(StoreSettings) < order.index(Restart)

    def test_no_safe_mode_no_such_entries(self):
        machine = at_menu()
        assert not {"start-normally", "game"} & set(machine.labels())
        machine.choose("shut-down")
        assert machine.one(ShutDown)


class TestEmptyMenus:
    def test_a_game_that_nobody_knows_leaves_the_menu_usable(self):
        machine = at_menu(settings=replace(SETTINGS, game="dice-board"))
        assert values(machine)["game"] == "dice-board"
        machine.choose("players")
        assert len(machine.labels()) == 7

    def test_identifiers_without_a_word_are_shown_as_they_are(self):
        games = (GameChoice("new-game", "New game", ("standard", "wild"), (1,), 2),)
        machine = at_menu(
            settings=replace(SETTINGS, game="new-game"),
            choices=Choices(games, ("en",)),
        )
        machine.choose("variant")
        assert machine.labels() == ["standard", "wild"]


def test_two_players_have_seats_for_two_on_the_result():
    machine = Machine(settings=two_players(players=("Ann", "Ben", "Cid")))
    machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
    assert [player.name for player in machine.stored.scan.sheet.players] == ["Ann", "Ben"]
    assert pages_of(machine.leaf(), "city")
    assert not isinstance(machine.view, views.WizardView | views.MenuView)
