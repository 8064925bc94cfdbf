"""Fault: the supply is too weak, or the computer too hot.

The flags of the board are read, and the machine is told; that the screen warns and that what was
scanned meanwhile says so is shown in tests/appliance.
"""

import pytest

from firmware.appliance.runner.loop import health_alerts
from firmware.screens.words import Alert
from hardware.health import RaspberryHealth
from tests.hardware.test_health import machine

UNDER_VOLTAGE_NOW, HOT_NOW, WAS_LOW_BEFORE, GOOD = "50005", "80008", "50000", "0"


@pytest.mark.parametrize(
    ("flags", "heat", "alerts"),
    [
        (UNDER_VOLTAGE_NOW, "48000", (Alert.UNDER_VOLTAGE, Alert.THROTTLED)),
        (HOT_NOW, "70000", (Alert.TOO_HOT,)),
        (GOOD, "85000", (Alert.TOO_HOT,)),
        (WAS_LOW_BEFORE, "48000", ()),  # no warning for ever
    ],
)
def test_present_troubles_of_the_board_become_alerts(tmp_path, flags, heat, alerts):
    assert (
        health_alerts(RaspberryHealth(machine(tmp_path, flags=flags, heat=heat)).read()) == alerts
    )
