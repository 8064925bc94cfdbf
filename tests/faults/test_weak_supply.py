"""Fault: the supply is too weak, or the computer too hot.

The flags of the board are read, the screen warns, and what was scanned meanwhile says so.
"""

import pytest

from firmware.appliance.effects import Save, StartScan
from firmware.appliance.events import ButtonPressed, HealthChanged, ScanFinished, Tick
from firmware.appliance.runner.loop import ailments
from firmware.screens.views import ReadyView
from firmware.screens.words import Alert
from hardware.buttons import Button
from hardware.health import THERMAL_FILE, THROTTLED_FILE, RaspberryHealth
from tests.faults.turning import after, of_kind, ready_machine, words_on
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
        return HealthChanged(ailments(health))

    return says


@pytest.mark.parametrize(
    ("flags", "heat", "alerts"),
    [
        (UNDER_VOLTAGE_NOW, "48000", (Alert.UNDER_VOLTAGE, Alert.THROTTLED)),
        (HOT_NOW, "70000", (Alert.TOO_HOT,)),
        (GOOD, "85000", (Alert.TOO_HOT,)),
        (WAS_LOW_BEFORE, "48000", ()),  # no warning for ever
    ],
)
def test_the_ready_screen_warns_until_all_is_good_again(board, flags, heat, alerts):
    state, _ = after(ready_machine(), board(flags, heat), Tick(1.0))
    assert isinstance(state.shown.view, ReadyView)
    assert state.shown.view.alerts == alerts
    calm, _ = after(state, board(GOOD), Tick(2.0))
    assert calm.shown.view.alerts == ()
    assert (words_on(state.shown) != words_on(calm.shown)) is bool(alerts)


def test_what_is_scanned_meanwhile_says_so(board):
    state, effects = after(
        ready_machine(), board(UNDER_VOLTAGE_NOW), ButtonPressed(Button.SCAN, False, 1.0)
    )
    (scan,) = of_kind(effects, StartScan)
    read = example()
    _, effects = after(state, ScanFinished(scan.job, read.reading, read.description))
    (saved,) = of_kind(effects, Save)
    assert saved.health == (Alert.UNDER_VOLTAGE, Alert.THROTTLED)
