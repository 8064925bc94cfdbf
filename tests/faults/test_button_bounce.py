"""Fault: contacts bounce, edges get lost, a hold gets stuck, a press comes before its long press.

The traces are what logic analysers show of cheap contacts, in milliseconds, through gpiozero's
own mock of the lines.
"""

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.appliance.runner.button_desk import ButtonDesk
from hardware.buttons import Button, open_buttons
from tests.appliance.whole_appliance import HandClock

SCAN_GPIO = 17

CLEAN = (0, 140)
NEW_CONTACT = (0, 0.3, 0.5, 1.1, 1.2, 140, 140.2, 140.9)
WORN_CONTACT = (0, 1.5, 2, 5, 6.5, 9, 11, 12, 14, 150, 153, 154, 158, 160, 166, 167, 171, 171.5)
NERVOUS_FINGER = (0, 0.4, 0.6, 38, 38.3, 39)
"""Times at which the level changes, beginning with down."""


class Rig:
    def __init__(self, *, down_at_power_on=False):
        self.clock, self.factory, self.heard = HandClock(), MockFactory(), []

        def opened():
            buttons = open_buttons(factory=self.factory, clock=self.clock)
            if down_at_power_on:
                self.drive(down=True)
            return buttons

        self.desk = ButtonDesk(opened)
        self.look(0.2)

    def look(self, seconds, every_s=0.04):
        """Let time go by, listening as the appliance does."""
        until_s = self.clock.time_s + seconds
        while self.clock.time_s < until_s:
            self.heard += self.desk.presses(self.clock.time_s)
            self.clock.time_s = min(self.clock.time_s + every_s, until_s)
        self.heard += self.desk.presses(self.clock.time_s)

    def play(self, trace_ms, gpio=SCAN_GPIO):
        start_s = self.clock.time_s
        for count, at_ms in enumerate(trace_ms):
            self.look(start_s + at_ms / 1000 - self.clock.time_s)
            self.drive(down=count % 2 == 0, gpio=gpio)

    def drive(self, *, down, gpio=SCAN_GPIO):
        pin = self.factory.pin(gpio)
        pin.drive_low() if down else pin.drive_high()

    def said(self, after_s=0.2):
        """What was acted on up to then, and whether it was a long press."""
        self.look(after_s)
        acted_on = (event for event in self.heard if event.kind != "repeat")
        said = [(event.button, event.kind == "long") for event in acted_on]
        self.heard.clear()
        return said


@pytest.fixture
def rig():
    made = Rig()
    yield made
    made.desk.close()


@pytest.mark.parametrize("trace", [CLEAN, NEW_CONTACT, WORN_CONTACT, NERVOUS_FINGER])
def test_each_press_is_one_press_and_is_acted_on_after_the_release(rig, trace):
    rig.play(trace)
    assert rig.said(after_s=0.0) == []
    assert rig.said() == [(Button.SCAN, False)]
    assert rig.said(after_s=5.0) == []


@pytest.mark.parametrize("lost", ["press", "release"])
def test_an_edge_that_gets_lost_is_found_by_reading_the_level(rig, lost):
    pin = rig.factory.pin(SCAN_GPIO)

    def without_edge(*, down):
        handler, pin.when_changed = pin.when_changed, None
        rig.drive(down=down)
        pin.when_changed = handler

    (without_edge if lost == "press" else rig.drive)(down=True)
    rig.look(0.2)
    (without_edge if lost == "release" else rig.drive)(down=False)
    assert rig.said() == [(Button.SCAN, False)]


def test_a_stuck_button_says_long_once_and_leaves_the_others_alone(rig):
    """And a long press is no short one as well."""
    rig.drive(down=True)
    assert rig.said(after_s=1.9) == []
    assert rig.said() == [(Button.SCAN, True)]
    assert rig.said(after_s=60.0) == []
    rig.play(CLEAN, gpio=22)
    assert rig.said() == [(Button.OK, False)]
    rig.drive(down=False)
    assert rig.said() == []


def test_a_button_that_is_down_at_power_on_says_nothing():
    rig = Rig(down_at_power_on=True)
    assert rig.said(after_s=10.0) == []
    rig.drive(down=False)
    assert rig.said() == []
    rig.play(CLEAN)
    assert rig.said() == [(Button.SCAN, False)]
    rig.desk.close()
