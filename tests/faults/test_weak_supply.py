"""Fault: the supply is too weak, or the computer too hot.

The flags of the board are read, the screen warns, and what was scanned meanwhile says so.
"""

import pytest

from firmware.appliance.effects import Save, StartScan
from firmware.appliance.events import ButtonPressed, HealthChanged, ScanFinished, Tick
from firmware.screens.views import Alert, ReadyView
from hardware.buttons import Button
from hardware.health import THERMAL_FILE, THROTTLED_FILE, RaspberryHealth
from tests.faults.turning import after, ready_machine, words_on
from tests.firmware.samples import example

UNDER_VOLTAGE_NOW, HOT_NOW, WAS_LOW_BEFORE, GOOD = "50005", "80008", "50000", "0"


@pytest.fixture
def board(tmp_path):
    """Sets what the board says, and gives what the appliance hears of it."""
    source = RaspberryHealth(tmp_path)

    def says(flags, heat="48000"):
        for file, text in ((THROTTLED_FILE, flags), (THERMAL_FILE, heat)):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
        health = source.read()
        return HealthChanged(
            under_voltage=health.under_voltage,
            too_hot=health.too_hot,
            throttled=health.throttled,
        )

    return says


@pytest.mark.parametrize(
    ("flags", "heat", "alert"),
    [
        (UNDER_VOLTAGE_NOW, "48000", Alert.UNDER_VOLTAGE),
        (HOT_NOW, "70000", Alert.TOO_HOT),
        (GOOD, "85000", Alert.TOO_HOT),
    ],
)
def test_the_ready_screen_warns(board, flags, heat, alert):
    state, _ = after(ready_machine(), board(flags, heat), Tick(1.0))
    assert isinstance(state.shown.view, ReadyView)
    assert alert in state.shown.view.alerts
    calm, _ = after(ready_machine(), Tick(1.0))
    assert words_on(state.shown) != words_on(calm.shown)


def test_the_warning_goes_when_the_supply_is_good_again(board):
    state, _ = after(ready_machine(), board(UNDER_VOLTAGE_NOW), board(GOOD), Tick(1.0))
    assert state.shown.view.alerts == ()


def test_what_was_once_too_low_is_no_warning_for_ever(board):
    state, _ = after(ready_machine(), board(WAS_LOW_BEFORE), Tick(1.0))
    assert state.shown.view.alerts == ()


def test_what_is_scanned_meanwhile_says_so(board):
    state, effects = after(
        ready_machine(), board(UNDER_VOLTAGE_NOW), ButtonPressed(Button.SCAN, False, 1.0)
    )
    job = next(effect.job for effect in effects if isinstance(effect, StartScan))
    _, effects = after(state, ScanFinished(job, example()[1]))
    saved = next(effect for effect in effects if isinstance(effect, Save))
    assert saved.health.under_voltage
