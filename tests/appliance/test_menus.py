"""Choosing things in the menus of the device: moving, staying, settings."""

from dataclasses import replace

import pytest

from firmware.appliance.base import Show
from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.choices import Choices, GameChoice
from firmware.appliance.features.aiming import AimingPictureTaken, StartAiming
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.problems import CAMERA_SILENT
from firmware.appliance.stored_settings import (
    ChangeSettings,
    RestartProgram,
    SettingsNotStored,
    SettingsStored,
    UseSettings,
)
from firmware.base.problem import Problem
from firmware.camera.aim_measurement import Advice
from firmware.screens.device_views import AimView, ReadyView
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Hint, MenuWord, Question
from firmware.settings import ButtonSettings, CameraSettings, DisplaySettings
from tests.appliance.appliance_machine import (
    CHOICES,
    CROP,
    FOUR,
    GAME,
    SETTINGS,
    MachineDriver,
    at_menu,
    game_choice,
    label_text,
    two_players,
    views_of,
)

NOT_WRITABLE = Problem("file-not-writable", "it cannot be written: make room", "settings")
SEEN = AimView(advice=Advice.GOOD, picture=CROP, light=0.5, sharpness=1.0)


def values(machine):
    return {label_text(entry.label): label_text(entry.value) for entry in machine.view.entries}


def ticked(machine):
    return [label_text(entry.label) for entry in machine.view.entries if entry.ticked]


class TestMoving:
    def test_holding_scan_opens_the_menu_and_so_does_ok_on_ready(self):
        for machine in (MachineDriver(), MachineDriver()):
            machine.hold("scan")
            assert machine.view.title is MenuWord.MENU
        machine = MachineDriver()
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
        machine.hold("next")
        assert machine.view.selected == len(machine.view.entries) - 1
        machine.press("next")
        assert machine.view.selected == 0

    def test_scan_goes_back_level_by_level(self):
        machine = at_menu("settings", "language")
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.labels()[machine.view.selected] == "language"
        machine.press("scan")
        assert machine.view.title is MenuWord.MENU
        machine.press("scan", to=ReadyView)

    def test_menu_goes_back_to_the_result_below_it(self, machine):
        machine.scan()
        machine.hold("scan")
        machine.press("scan", to=WinnerView)
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto).expects_same_table

    def test_the_last_result_is_in_it_once_there_is_one(self):
        machine = at_menu()
        assert not {"last-result", "to-check", "correct-tile"} & set(machine.labels())
        machine.press("scan")
        machine.scan()
        machine.press("ok", "ok")
        assert "to-check" not in machine.labels()
        machine.choose("last-result")
        assert isinstance(machine.view, WinnerView)


class TestStaying:
    """The menu is where it was after what was chosen in it."""

    @pytest.mark.parametrize(
        ("labels", "leave"),
        [
            (("on-phone",), "ok"),
            (("calibrate",), "scan"),
            (("teach", "from-table"), "scan"),
            (("settings", "delete-photos"), "scan"),
            (("settings", "upside-down"), None),
            (("history",), "next"),
        ],
    )
    def test_left_feature_leads_back_to_its_entry(self, labels, leave):
        machine = at_menu(*labels)
        if leave is not None:
            machine.press(leave)
        assert machine.labels()[machine.view.selected] == labels[-1]

    def test_chosen_value_leads_up_to_its_entry(self):
        machine = at_menu("settings", "language", "hu")
        assert machine.labels()[machine.view.selected] == "language"

    def test_player_questions_lead_on_to_ready(self):
        at_menu("who-plays", "standard", "no-names").press(to=ReadyView)

    def test_menu_is_forgotten_at_ready(self):
        machine = at_menu("on-phone")
        machine.hold("next", to=ReadyView)
        machine.press("ok")
        assert machine.view.selected == 0

    def test_command_of_the_page_does_not_lead_back_to_the_menu(self):
        machine = at_menu("on-phone")
        machine.command(StartAiming())
        machine.handle(AimingPictureTaken(machine.job_id, SEEN))
        machine.press("ok", to=ReadyView)


class TestSettings:
    def test_a_new_language_is_that_of_the_problem_on_the_display(self):
        machine = MachineDriver(camera=False)
        machine.handle(CameraLost(CAMERA_SILENT))
        machine.command(ChangeSettings((("language", "de"),)))
        assert machine.view.detail.startswith("die Kamera antwortet nicht")

    def test_the_language_is_used_at_once_and_stored(self):
        machine = at_menu("settings", "language")
        assert machine.labels() == ["en", "de", "hu"]
        assert ticked(machine) == ["en"]
        machine.mark("hu")
        machine.press("ok")
        assert machine.effect_of(UseSettings).settings.language == "hu"
        assert machine.effect_of(UseSettings).is_stored
        assert machine.effect_of(Show).language == "hu"
        assert machine.view.title is MenuWord.SETTINGS
        assert values(machine)["language"] == "hu"
        machine = at_menu("settings", "language", "en")
        assert machine.effects_of(UseSettings) == []
        assert machine.view.title is MenuWord.SETTINGS

    def test_chosen_edition_is_stored_and_ticked(self):
        machine = at_menu()
        assert values(machine)["edition"] == "standard-edition"
        machine.choose("edition")
        assert ticked(machine) == ["standard-edition"]
        machine.choose("grandma")
        assert machine.effect_of(UseSettings).settings.edition == "grandma"
        assert values(machine)["edition"] == "grandma"
        machine.press("scan")
        assert machine.view.edition == "grandma"
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto).edition == "grandma"

    def test_variant_applies_to_the_shown_result(self, machine):
        machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
        assert len(views_of(machine.all_views(), "player")) == 4
        machine.open_menu("who-plays")
        assert ticked(machine) == ["standard"]
        machine.choose("two-player")
        assert machine.effect_of(UseSettings).settings.variant == "two-player"
        assert machine.saved_result.scan.sheet.variant == "two-player"
        machine.choose("no-names")
        assert len(views_of(machine.all_views(), "player")) == 2
        machine.press("ok")
        assert machine.view.variant == "two-player"

    def test_game_and_level_where_there_is_a_choice(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(choices=replace(CHOICES, games=games))
        machine.choose("game")
        assert machine.labels() == ["Between Two Cities", "Cities"]
        machine.choose("Cities")
        assert machine.effect_of(UseSettings).settings.game == "cities"
        machine.choose("who-plays", "level-3")
        assert machine.effect_of(UseSettings).settings.level == 3
        machine.choose("no-names")
        assert label_text(machine.view.game) == "Cities"
        assert (machine.view.variant, machine.view.level) == (None, 3)

    def test_another_game_gets_a_variant_and_a_level_that_it_has(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(
            "game", "Cities", choices=replace(CHOICES, games=games), settings=two_players()
        )
        stored = machine.effect_of(UseSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("cities", "standard", 1)
        machine.choose("who-plays", "level-2", "no-names")
        machine.open_menu("game")
        assert ticked(machine) == ["Cities"]
        machine.choose("Between Two Cities")
        stored = machine.effect_of(UseSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("between-two-cities", "standard", 1)

    def test_brightness_and_way_up_of_the_display(self):
        machine = at_menu("settings", "contrast")
        assert ticked(machine) == ["81%"]
        assert machine.labels()[machine.view.selected] == "81%", "one begins with that in use"
        machine.choose("10%")
        assert machine.effect_of(UseSettings).settings.display.contrast == 26
        assert ticked(machine) == ["10%"]
        machine.press("scan")
        assert values(machine)["contrast"] == "10%"
        assert values(machine)["upside-down"] == "no"
        machine.choose("upside-down")
        assert machine.effect_of(UseSettings).settings.display.upside_down
        assert values(machine)["upside-down"] == "yes"
        machine.press("ok")
        assert not machine.effect_of(UseSettings).settings.display.upside_down

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
        assert machine.view == ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        machine.press("ok", "next", to=ConfirmView)  # only OK and SCAN answer
        machine.press("ok")
        stored = machine.effect_of(UseSettings).settings
        assert (stored.players, stored.edition) == ((), "standard")
        assert stored.display.controller == "sh1106"
        assert stored.buttons.scan_gpio == 5
        assert stored.camera.kind == "v4l2"
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.effects_of(RestartProgram) == []

    def test_settings_that_cannot_be_stored_hold_and_it_is_said(self):
        machine = at_menu("settings", "language", "de")
        machine.handle(SettingsNotStored(NOT_WRITABLE))
        machine.go_to_ready()
        assert machine.alerts == ["not-saved"]
        assert machine.state.settings.language == "de"
        machine.handle(SettingsStored())
        assert machine.alerts == []


class TestEmptyMenus:
    def test_a_game_that_nobody_knows_leaves_the_menu_usable(self):
        machine = at_menu(settings=replace(SETTINGS, game="dice-board"))
        assert values(machine)["game"] == "dice-board"
        machine.choose("who-plays")
        assert machine.labels() == ["standard", "two-player"]
        games = (GameChoice("new-game", "New game", ("standard", "wild"), (1,), 2),)
        machine = at_menu(
            settings=replace(SETTINGS, game="new-game"), choices=Choices(games, ("en",))
        )
        machine.choose("who-plays")
        assert machine.labels() == ["standard", "wild"]
