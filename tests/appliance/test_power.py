"""Safe mode, and switching off."""

from dataclasses import replace

from firmware.appliance.base import Show
from firmware.appliance.features.power import ShutDown
from firmware.appliance.stored_settings import RestartProgram, UseSettings
from firmware.screens.question_views import ConfirmView
from firmware.screens.words import MenuWord, Question
from firmware.settings import ButtonSettings, Settings
from tests.appliance.appliance_machine import SETTINGS, MachineDriver, at_menu


class TestSafeMode:
    def test_safe_mode_is_shown_with_ways_out(self):
        machine = MachineDriver(safe_mode=True, camera=False)
        assert machine.view.notice.code == "safe-mode"
        assert machine.effects == [Show(machine.view, "en")], "the camera stays closed"
        machine.press("ok")
        assert machine.view.title is MenuWord.SAFE_MODE
        assert machine.labels() == ["start-normally", "go-on", "reset-settings", "shut-down"]

    def test_going_on_opens_the_camera_and_keeps_the_sign(self):
        machine = MachineDriver(safe_mode=True, camera=False)
        machine.press("ok")
        machine.choose("go-on")
        assert "OpenCamera" in [type(effect).__name__ for effect in machine.effects]
        assert machine.alerts == ["safe-mode"]
        machine.open_menu("start-normally")
        assert machine.effect_of(RestartProgram)

    def test_settings_changed_in_safe_mode_are_not_stored(self):
        machine = MachineDriver(safe_mode=True, camera=False)
        machine.press("ok", "scan")
        machine.open_menu("settings", "language", "de")
        assert not machine.effect_of(UseSettings).is_stored
        assert machine.effect_of(UseSettings).settings.language == "de"
        odd = replace(SETTINGS, buttons=ButtonSettings(scan_gpio=5))
        machine = MachineDriver(safe_mode=True, camera=False, settings=odd)
        machine.press("ok")
        machine.choose("reset-settings")
        assert machine.view == ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("ok")
        assert machine.effect_of(UseSettings) == UseSettings(Settings())
        assert machine.effect_of(RestartProgram)
        order = [type(effect) for effect in machine.effects]
        assert order.index(UseSettings) < order.index(RestartProgram)

    def test_no_safe_mode_no_such_entries(self):
        machine = at_menu()
        assert not {"start-normally", "game"} & set(machine.labels())


def test_switching_off_asks_first():
    machine = at_menu("shut-down")
    assert machine.view == ConfirmView(question=Question.SHUT_DOWN)
    assert machine.effects_of(ShutDown) == []
    machine.press("scan")
    assert machine.labels()[machine.view.selected] == "shut-down"
    machine.press("ok", "ok")
    assert machine.effect_of(ShutDown)
