"""Fault: the supply is too weak, or the computer too hot.

The flags of the board are read, and the machine is told; that the screen warns and that what was
scanned meanwhile says so is shown in tests/appliance.
"""

import pytest

from firmware.appliance.runner.loop import ailments
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
def test_what_the_board_suffers_from_now_is_what_the_machine_is_told(tmp_path, flags, heat, alerts):
    assert ailments(RaspberryHealth(machine(tmp_path, flags=flags, heat=heat)).read()) == alerts
