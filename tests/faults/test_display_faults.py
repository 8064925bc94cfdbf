"""Faults of the display, with luma's real driver on a bus of ours.

- It is unplugged while the scanner runs: the scanner goes on, says so once, and shows what is to be
  seen when the display is back.
- One that is plugged back in stays dark, for nobody sets it up again: it is made anew, nothing is
  left behind by the old one, and every picture sets it up, so that one that lost its supply without
  anybody noticing lights up again, too.
"""

import atexit
import errno

import pytest
from PIL import ImageChops

from firmware.appliance.display_transitions import DisplayFound, DisplayLost
from firmware.appliance.runner.screen_outputs import DisplayOutput
from firmware.appliance.runner.tasks import TaskRunner
from firmware.screens.device_views import HandsOffView, ReadyView
from firmware.screens.render import render
from hardware.display import open_display
from hardware.settings import DisplaySettings
from tests.appliance.whole_appliance import HandClock
from tests.hardware.fake_oled import FakeOledBus
from tests.refusals import refused

pytestmark = pytest.mark.filterwarnings(
    # luma reads pixels by a call that Pillow 14 will drop
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)

READY, SECOND = render(ReadyView(game="Chess")), render(HandsOffView())


def shows(bus, screen):
    return ImageChops.logical_xor(bus.image(), screen.image).getbbox() is None


class Bench:
    """The appliance's keeper of the display."""

    def __init__(self, *, plugged_in=True):
        self.clock, self.bus, self.events = HandClock(), FakeOledBus(), []
        self.bus.plugged_in = plugged_in
        self.tasks = TaskRunner(lambda: None, self.clock, lambda _name, work: work())
        self.output = DisplayOutput(
            DisplaySettings(),
            self.tasks,
            self.events.append,
            lambda settings: open_display(settings, i2c_bus=self.bus),
        )
        self.show(READY)

    def show(self, screen):
        self.output.show(screen)
        self.run(0.0)

    def run(self, seconds):
        """Run the output as often as it asks for, until so many seconds are over."""
        until_s = self.clock.time_s + seconds
        while True:
            for _ in range(4):
                self.output.run_due(self.clock.time_s)
                self.tasks.run_due()
            due_s = max(self.output.next_due_s(), self.clock.time_s + 0.1)
            if due_s > until_s:
                break
            self.clock.time_s = due_s
        self.clock.time_s = until_s

    def types_told(self):
        return [type(event) for event in self.events]


@pytest.mark.parametrize("control", [0x00, 0x40], ids=["commands", "data"])
@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO])
def test_all_errors_of_the_bus_are_one_error_of_the_display(control, number):
    """Luma wraps errors of commands in one of its own, but not those of data."""

    class DyingBus(FakeOledBus):
        dies_at = None

        def write_i2c_block_data(self, address, control, block):
            if control == self.dies_at:
                raise OSError(number, "no answer")
            super().write_i2c_block_data(address, control, block)

    bus = DyingBus()
    display = open_display(i2c_bus=bus)
    bus.dies_at = control
    with refused("display-lost", "stopped answering: check its wires"):
        display.show(READY.image)
    display.close()


def test_lost_display_is_told_once_and_redrawn_when_back():
    """Also without anything new to show."""
    bench = Bench()
    bench.bus.plugged_in = False
    bench.run(300.0)
    assert bench.types_told() == [DisplayLost]
    assert bench.events[0].problem.code == "display-lost"
    bench.show(SECOND)
    bench.bus.switch_on()
    bench.bus.plugged_in = True
    bench.run(30.0)
    assert bench.types_told() == [DisplayLost, DisplayFound]
    assert shows(bench.bus, SECOND)


def test_the_scanner_starts_without_a_display_and_finds_it_later():
    bench = Bench(plugged_in=False)
    bench.run(60.0)
    assert bench.types_told() == [DisplayLost]
    bench.bus.plugged_in = True
    bench.run(30.0)
    assert shows(bench.bus, READY)


class NotedDisplay:
    """Display that notes what is done with it."""

    def __init__(self, settings):
        self.settings, self.calls = settings, []

    def set_contrast(self, level):
        self.calls.append(level)

    def show(self, _image):
        self.calls.append("show")

    def close(self):
        self.calls.append("close")


class SlowBench:
    """Display output on whose threads nothing has run until ``run_threads``."""

    def __init__(self):
        self.displays, self._threads = [], []
        self.tasks = TaskRunner(
            lambda: None, HandClock(), lambda _name, work: self._threads.append(work)
        )
        self.output = DisplayOutput(
            DisplaySettings(contrast=99), self.tasks, lambda _event: None, self._open
        )
        self.output.show(READY)
        self.output.run_due(0.0)
        self.run_threads()
        self.output.run_due(0.0)

    def _open(self, settings):
        self.displays.append(NotedDisplay(settings))
        return self.displays[-1]

    def run_threads(self):
        threads, self._threads = self._threads, []
        for work in threads:
            work()
        self.tasks.run_due()


@pytest.mark.parametrize(
    "release",
    [lambda output: output.use_settings(DisplaySettings(upside_down=True)), DisplayOutput.close],
    ids=["other settings", "the end"],
)
def test_display_is_closed_only_after_the_picture_being_sent(release):
    bench = SlowBench()
    release(bench.output)
    bench.run_threads()
    assert bench.displays[0].calls == [99, "show"]
    bench.run_threads()
    assert bench.displays[0].calls == [99, "show", "close"]


def test_settings_that_come_while_the_display_opens_are_used():
    bench = SlowBench()
    for settings in (DisplaySettings(upside_down=True), DisplaySettings(contrast=50)):
        bench.output.use_settings(settings)
        for _ in range(2):  # the picture being sent, or the opening; then the closing
            bench.run_threads()
        bench.output.run_due(0.0)
    for _ in range(2):
        bench.run_threads()
        bench.output.run_due(0.0)
    assert [display.settings.upside_down for display in bench.displays] == [False, True, False]
    assert [display.calls for display in bench.displays[1:]] == [["close"], [50, "show"]]


def test_other_brightness_does_not_open_the_display_again():
    bench = SlowBench()
    bench.run_threads()
    bench.output.use_settings(DisplaySettings(contrast=50))
    bench.output.run_due(0.0)
    bench.run_threads()
    assert bench.displays[0].calls == [99, "show", 50, "show"]


@pytest.mark.parametrize("controller", ["ssd1306", "sh1106", "ssd1309"])
def test_display_lights_up_again_after_moment_without_supply(controller):
    bus = FakeOledBus(controller=controller)
    display = open_display(DisplaySettings(controller=controller, contrast=99), i2c_bus=bus)
    display.show(READY.image)
    bus.switch_on()
    assert not bus.lit
    display.show(READY.image)
    assert bus.lit
    assert bus.contrast == 99
    assert shows(bus, READY)


def test_many_displays_leave_nothing_behind_for_the_end_of_the_process():
    bus = FakeOledBus()
    open_display(i2c_bus=bus).close()
    hooks = atexit._ncallbacks()
    for _ in range(10):
        display = open_display(i2c_bus=bus)
        bus.plugged_in = False
        display.close()
        bus.plugged_in = True
    assert atexit._ncallbacks() == hooks
    atexit.register(bus.close)
    assert atexit._ncallbacks() == hooks + 1, "other hooks are still taken"
    atexit.unregister(bus.close)
