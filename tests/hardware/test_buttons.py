"""The driver through gpiozero's own mock of the lines, and the stand-in."""

import sys

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Button, ButtonWiring, StandInButtons, open_buttons
from hardware.errors import ButtonsError, HardwareError

SCAN_GPIO, NEXT_GPIO, OK_GPIO = 17, 27, 22


class Clock:
    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


class Rig:
    """Three buttons on gpiozero's mock, with a clock that stands still until it is moved."""

    def __init__(self, **wiring):
        self.factory = MockFactory()
        self.clock = Clock()
        self.buttons = open_buttons(ButtonWiring(**wiring), factory=self.factory, clock=self.clock)
        self.after(0.1)

    def down(self, gpio):
        self.factory.pin(gpio).drive_low()

    def up(self, gpio):
        self.factory.pin(gpio).drive_high()

    def after(self, seconds):
        """What is heard after a while: ``(button, kind)`` each."""
        self.clock.now_s += seconds
        return [(event.button, event.kind) for event in self.buttons.poll(self.clock.now_s)]


@pytest.fixture
def rig():
    made = Rig()
    yield made
    made.buttons.close()


class TestGpioButtons:
    @pytest.mark.parametrize(
        ("gpio", "button"),
        [(SCAN_GPIO, Button.SCAN), (NEXT_GPIO, Button.NEXT), (OK_GPIO, Button.OK)],
    )
    def test_each_line_is_its_button(self, rig, gpio, button):
        rig.down(gpio)
        assert rig.after(0.1) == [(button, "press")]
        rig.up(gpio)
        assert rig.after(0.1) == [(button, "short")]
        assert rig.after(10) == []

    def test_lines_are_pulled_up_so_that_a_button_needs_ground_alone(self, rig):
        assert [rig.factory.pin(gpio).pull for gpio in (17, 27, 22)] == ["up"] * 3

    def test_other_lines_can_be_wired(self):
        rig = Rig(scan_gpio=5, next_gpio=6, ok_gpio=13)
        rig.down(5)
        assert rig.after(0.1) == [(Button.SCAN, "press")]
        rig.buttons.close()

    def test_a_press_between_two_looks_is_not_lost(self, rig):
        rig.down(NEXT_GPIO)
        rig.clock.now_s += 0.08
        rig.up(NEXT_GPIO)
        assert rig.after(0.5) == [(Button.NEXT, "press"), (Button.NEXT, "short")]

    def test_a_long_press_is_told_before_the_release(self, rig):
        rig.down(OK_GPIO)
        assert rig.after(1.9) == [(Button.OK, "press")]
        assert rig.after(0.2) == [(Button.OK, "long")]
        rig.up(OK_GPIO)
        assert rig.after(5) == []

    def test_events_of_several_buttons_come_in_their_order(self, rig):
        rig.down(OK_GPIO)
        rig.clock.now_s += 0.1
        rig.down(SCAN_GPIO)
        rig.clock.now_s += 0.1
        rig.up(SCAN_GPIO)
        rig.clock.now_s += 0.1
        rig.up(OK_GPIO)
        assert rig.after(0.1) == [
            (Button.OK, "press"),
            (Button.SCAN, "press"),
            (Button.SCAN, "short"),
            (Button.OK, "short"),
        ]

    def test_a_storm_of_edges_neither_grows_for_ever_nor_presses(self, rig):
        for _ in range(5000):
            rig.clock.now_s += 0.001
            rig.down(SCAN_GPIO)
            rig.clock.now_s += 0.001
            rig.up(SCAN_GPIO)
        assert rig.after(1) == []

    def test_closing_frees_the_lines_for_others(self, rig):
        rig.buttons.close()
        rig.buttons.close()
        with pytest.raises(ButtonsError, match="open them again") as caught:
            rig.buttons.poll(rig.clock.now_s)
        assert caught.value.code == "buttons-closed"
        again = open_buttons(factory=rig.factory)
        again.close()

    def test_a_line_that_another_device_uses_is_named(self):
        factory = MockFactory()
        first = open_buttons(factory=factory)
        with pytest.raises(ButtonsError, match=r"in use.*: end the other program") as caught:
            open_buttons(factory=factory)
        assert caught.value.code == "buttons-busy"
        first.close()

    def test_a_buttons_error_is_a_hardware_error(self):
        assert issubclass(ButtonsError, HardwareError)

    def test_a_missing_library_is_said_and_not_replaced(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "lgpio", None)
        with pytest.raises(ButtonsError, match="'lgpio' is missing: install") as caught:
            open_buttons()
        assert caught.value.code == "buttons-driver-missing"


class TestStandInButtons:
    def test_a_press_is_told_once(self):
        buttons = StandInButtons()
        buttons.press(Button.SCAN)
        buttons.press(Button.OK, long=True)
        said = buttons.poll(7.0)
        assert [(event.button, event.kind) for event in said] == [
            (Button.SCAN, "press"),
            (Button.SCAN, "short"),
            (Button.OK, "press"),
            (Button.OK, "long"),
        ]
        assert {event.at_s for event in said} == {7.0}
        assert buttons.poll(8.0) == []

    def test_levels_go_through_the_debouncer(self):
        buttons = StandInButtons()
        for at_s, down in [(1.0, True), (1.003, False), (1.006, True), (1.3, False)]:
            buttons.set_level(Button.NEXT, at_s, down=down)
        assert [event.kind for event in buttons.poll(2.0)] == ["press", "short"]

    def test_a_held_level_becomes_a_long_press_as_time_goes_by(self):
        buttons = StandInButtons()
        buttons.set_level(Button.SCAN, 1.0, down=True)
        assert [event.kind for event in buttons.poll(1.5)] == ["press"]
        assert [event.kind for event in buttons.poll(3.5)] == ["long"]

    def test_it_fails_when_told_to(self):
        buttons = StandInButtons()
        broken = ButtonsError("buttons-broken", "the buttons failed: check their wires", "GPIO")
        buttons.fail(broken)
        with pytest.raises(ButtonsError, match="check their wires"):
            buttons.poll(1.0)
        buttons.fail(None)
        assert buttons.poll(1.0) == []
        buttons.close()
        with pytest.raises(ButtonsError, match="open them again"):
            buttons.poll(1.0)
