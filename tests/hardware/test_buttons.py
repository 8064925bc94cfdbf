"""From the levels of a line to presses: invented edges, gpiozero's mock of lines, a stand-in."""

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.buttons import MAX_REPEATS, Button, ContactState, StandInButtons, open_buttons
from hardware.errors import ButtonsError
from hardware.settings import ButtonSettings
from tests.refusals import refused

GLITCH_S, PRESS_S, LONG_S = 0.004, 0.15, 2.5
START = ContactState(Button.SCAN, down=False, level=False)


def presses(levels, until_s, contact=START):
    """Feed (time, level) pairs and a look at ``until_s``; return the events and the contact."""
    found = []
    for at_s, down in [*levels, (until_s, None)]:
        level = contact.level if down is None else down
        contact, events = contact.update(at_s, is_closed=bool(level))
        found += events
    assert [event.at_s for event in found] == sorted(event.at_s for event in found)
    assert {event.button for event in found} <= {Button.SCAN}
    return found, contact


def kinds(events):
    """Return the kinds of the events without repeats."""
    return [event.kind for event in events if event.kind != "repeat"]


@pytest.mark.parametrize(
    ("levels", "until_s", "expected"),
    [
        ([(1.0, True), (1.2, False)], 2.0, ["short"]),
        ([(1.0, True)], 1.9, []),  # acted on after the release
        ([(1.0, True)], 3.1, ["long"]),  # told while it lasts
        ([(1.0, True), (9.0, False)], 10.0, ["long"]),
        ([(1.0, True), (3.5, False)], 100.0, ["long"]),  # nobody looked while it lasted
        ([(1.0, True), (2.98, False)], 100.0, ["short"]),
        ([(1.0, True), (1.0 + GLITCH_S, False)], 2.0, []),  # a spike
        ([(1.0, True), (2.0, False), (2.0 + GLITCH_S, True)], 3.2, ["long"]),
        ([(1.0, True), (1.1, False), (1.2, True), (1.3, False)], 2.0, ["short"] * 2),
        ([(5.0, True), (1.0, True)], 6.9, []),  # an older time counts as the last one
    ],
)
def test_levels_of_the_line_become_presses(levels, until_s, expected):
    assert kinds(presses(levels, until_s)[0]) == expected


def test_presses_and_repeats_have_times_and_stuck_button_falls_silent():
    (short,), _ = presses([(1.0, True), (1.2, False)], 2.0)
    assert 1.2 <= short.at_s < 1.3
    found, _ = presses([(1.0, True), (3.5, False)], 100.0)
    (long,) = (event for event in found if event.kind == "long")
    assert long.at_s == 3.0
    found, _ = presses([(1.0, True), (1.9, False)], 2.0)
    assert [(event.kind, round(event.at_s, 2), event.repeats) for event in found] == [
        ("repeat", 1.5, 1), ("repeat", 1.65, 2), ("repeat", 1.8, 3),
        ("short", 1.92, 3),
    ]  # fmt: skip
    found, contact = presses([(1.0, True)], 1000.0)
    assert kinds(found) == ["long"]
    assert len(found) == 1 + MAX_REPEATS
    assert contact.update(2000.0, is_closed=True)[1] == ()


@given(st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=60))
@settings(max_examples=50)
def test_random_line_ends_no_more_presses_than_began(steps):
    levels, now_s = [], 0.0
    for wait_s, down in [*steps, (1.0, False)]:
        now_s += wait_s
        levels.append((now_s, down))
    found, contact = presses(levels, now_s + 1.0)
    assert set(kinds(found)) <= {"short", "long"}
    assert len(kinds(found)) <= sum(down for _, down in levels)
    assert contact.down is False


bounces = st.lists(st.floats(0.0005, 0.004), max_size=6)


@given(
    st.lists(st.tuples(st.booleans(), bounces, bounces), min_size=1, max_size=8),
    st.sampled_from([0.01, 0.05, 0.2]),
)
@settings(max_examples=50)
def test_each_press_is_heard_once_however_it_bounces(wanted, look_every_s):
    """Edges as they come, and a look at the line now and then, as the appliance does it."""
    edges, now_s = [], 1.0
    for is_long, closing, opening in wanted:
        for down, bouncing in ((True, closing), (False, opening)):
            edges.append((now_s, down))
            for bounce_s in bouncing:
                edges += [(now_s + bounce_s / 2, not down), (now_s + bounce_s, down)]
                now_s += bounce_s
            now_s += (LONG_S if is_long else PRESS_S) if down else 0.3
    looks = [(i * look_every_s, None) for i in range(int((now_s + 1) / look_every_s))]
    found, _ = presses(sorted([*edges, *looks], key=lambda item: item[0]), now_s + 1)
    assert kinds(found) == ["long" if is_long else "short" for is_long, *_ in wanted]


class Rig:
    """Three buttons on gpiozero's mock, with a clock that stands still until it is moved."""

    def __init__(self, *, down=(), **lines):
        self.factory, self.now_s = MockFactory(), 100.0
        self.buttons = open_buttons(
            ButtonSettings(**lines), factory=self.factory, clock=lambda: self.now_s
        )
        for gpio in down:
            self.factory.pin(gpio).drive_low()
        self.after(0.1)

    def drive(self, *levels):
        """Move lines, GPIO and whether it is down each, a tenth of a second apart."""
        for gpio, down in levels:
            self.now_s += 0.1
            pin = self.factory.pin(gpio)
            pin.drive_low() if down else pin.drive_high()

    def after(self, seconds):
        """Return the events after a while as ``(button, kind)``."""
        self.now_s += seconds
        return [(event.button, event.kind) for event in self.buttons.poll(self.now_s)]


@pytest.fixture
def rig():
    made = Rig()
    yield made
    made.buttons.close()


@pytest.mark.parametrize(
    ("lines", "gpio", "button"),
    [
        ({}, 17, Button.SCAN),
        ({}, 27, Button.NEXT),
        ({}, 22, Button.OK),
        ({"ok_gpio": 5}, 5, Button.OK),
    ],
)
def test_each_button_line_is_pulled_up(lines, gpio, button):
    rig = Rig(**lines)
    assert rig.factory.pin(gpio).pull == "up"
    rig.drive((gpio, True))
    assert rig.after(0.1) == []
    rig.drive((gpio, False))
    assert rig.after(0.1) == [(button, "short")]
    assert rig.after(10) == []
    rig.buttons.close()


@pytest.mark.parametrize("lost", [True, False])
def test_an_edge_that_gets_lost_is_found_by_reading_the_level(rig, lost):
    """Either edge may get lost, of the press or of the release."""
    pin = rig.factory.pin(17)
    for down, expected in ((True, []), (False, [(Button.SCAN, "short")])):
        handler = pin.when_changed
        pin.when_changed = None if lost is down else handler
        rig.drive((17, down))
        pin.when_changed = handler
        assert rig.after(0.1) + rig.after(0.1) == expected


def test_button_held_at_power_on_is_silent_until_pressed_again():
    rig = Rig(down=[17])
    assert rig.after(10) == []
    assert not rig.factory.pin(17).state
    rig.drive((17, False))
    assert rig.after(1) == []
    rig.drive((17, True), (17, False))
    assert [kind for _, kind in rig.after(0.1)] == ["short"]
    rig.buttons.close()


def test_presses_between_two_looks_are_not_lost_and_come_in_their_order(rig):
    rig.drive((22, True), (17, True), (17, False), (22, False))
    ok, scan = Button.OK, Button.SCAN
    assert rig.after(0.5) == [(scan, "short"), (ok, "short")]


def test_a_storm_of_edges_neither_grows_for_ever_nor_presses(rig):
    pin = rig.factory.pin(17)
    for _ in range(1100):
        rig.now_s += 0.001
        pin.drive_low()
        rig.now_s += 0.001
        pin.drive_high()
    assert rig.after(1) == []


def test_closing_frees_the_lines_for_others(rig):
    rig.buttons.close()
    rig.buttons.close()
    with refused("buttons-closed", "open them again"):
        rig.after(1)
    open_buttons(factory=rig.factory).close()


def test_a_line_that_another_device_uses_is_named(rig):
    with refused("buttons-busy", "in use") as caught:
        open_buttons(factory=rig.factory)
    assert caught.value.where == "GPIO"


def test_lines_that_fail_while_they_are_read_are_told(rig, monkeypatch):
    def fail(_pin):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(type(rig.factory.pin(17)), "_get_state", fail)
    with refused("buttons-broken", "Input/output error): check their wires"):
        rig.after(1)


def test_stand_in_button_reports_once_fails_on_demand_and_closes():
    buttons = StandInButtons()
    buttons.press(Button.SCAN)
    buttons.press(Button.OK, long=True)
    found = buttons.poll(7.0)
    assert {event.at_s for event in found} == {7.0}
    for button, ends in ((Button.SCAN, "short"), (Button.OK, "long")):
        assert kinds(event for event in found if event.button is button) == [ends]
    repeats = [event.repeats for event in found if event.kind == "repeat"]
    assert repeats == list(range(1, len(repeats) + 1))
    assert len(repeats) > 8
    assert buttons.poll(8.0) == []
    buttons.fail(ButtonsError("buttons-broken", "the buttons failed: check their wires", "GPIO"))
    with refused("buttons-broken"):
        buttons.poll(9.0)
    buttons.fail(None)
    assert buttons.poll(9.0) == []
    buttons.close()
    with refused("buttons-closed"):
        buttons.poll(9.0)
