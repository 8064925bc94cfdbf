"""Fault: the display is unplugged while the scanner runs.

The scanner goes on, says so once, and shows what is to be seen when the display is back.
"""

import errno

import pytest
from PIL import Image, ImageChops

from firmware.appliance.effects import Log, StartScan
from firmware.appliance.events import ButtonPressed, DisplayBack, DisplayLost, Tick
from firmware.appliance.faults import Fault
from firmware.appliance.runner.device_glass import DeviceGlass
from firmware.screens.render import render
from firmware.screens.views import HoldStillView, ReadyView
from firmware.settings import DisplaySettings
from hardware.buttons import Button
from hardware.display import open_display
from hardware.errors import DisplayError
from tests.faults.turning import HandClock, after, prompt_crew, ready_machine
from tests.hardware.fake_oled import FakeOledBus

pytestmark = pytest.mark.filterwarnings(
    # luma reads pixels by a call that Pillow 14 will drop
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)

READY, SECOND = render(ReadyView(), "en"), render(HoldStillView(), "en")


def same(one, other):
    return ImageChops.logical_xor(one, other).getbbox() is None


class Bench:
    """The appliance's keeper of the display with luma's real driver on a bus of ours."""

    def __init__(self):
        self.clock, self.bus, self.told = HandClock(), FakeOledBus(), []
        self.crew = prompt_crew(self.clock)
        self.glass = DeviceGlass(
            DisplaySettings(),
            self.crew,
            self.told.append,
            lambda wiring: open_display(wiring, i2c_bus=self.bus),
        )

    def show(self, screen):
        self.glass.show(screen)
        self.run(0.0)

    def run(self, seconds):
        """Turn as often as the glass asks for, until so many seconds are over."""
        until_s = self.clock.time_s + seconds
        while True:
            for _ in range(4):
                self.glass.turn(self.clock.time_s)
                self.crew.turn()
            due_s = max(self.glass.next_turn_s(), self.clock.time_s + 0.1)
            if due_s > until_s:
                break
            self.clock.time_s = due_s
        self.clock.time_s = until_s


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EREMOTEIO, "Remote I/O error"), OSError(errno.EIO, "Input/output error")],
)
def test_both_kinds_of_error_of_the_bus_are_one_error_of_the_display(error):
    """For commands luma makes an error of its own of it, for data it does not."""

    class DyingBus(FakeOledBus):
        dies_at = None

        def write_i2c_block_data(self, address, control, block):
            if control == self.dies_at:
                raise error
            super().write_i2c_block_data(address, control, block)

    for control in (0x00, 0x40):
        bus = DyingBus()
        display = open_display(i2c_bus=bus)
        bus.dies_at = control
        with pytest.raises(DisplayError, match="stopped answering: check its wires") as caught:
            display.show(READY.image)
        assert caught.value.code == "display-lost"
        display.close()


def test_it_is_noticed_without_anything_new_to_show_and_told_once():
    bench = Bench()
    bench.show(READY)
    bench.bus.plugged_in = False
    bench.run(300.0)
    assert [type(event) for event in bench.told] == [DisplayLost]
    assert bench.told[0].fault.code == "display-lost"


def test_what_is_to_be_seen_then_is_shown_when_it_is_back():
    bench = Bench()
    bench.show(READY)
    bench.bus.plugged_in = False
    bench.run(30.0)
    bench.show(SECOND)
    bench.bus.switch_on()
    bench.bus.plugged_in = True
    bench.run(30.0)
    assert [type(event) for event in bench.told] == [DisplayLost, DisplayBack]
    assert same(bench.bus.image(), SECOND.image)


def test_the_scanner_starts_without_a_display_and_finds_it_later():
    bench = Bench()
    bench.bus.plugged_in = False
    bench.show(READY)
    bench.run(60.0)
    assert [type(event) for event in bench.told] == [DisplayLost]
    bench.bus.plugged_in = True
    bench.run(30.0)
    assert same(bench.bus.image(), READY.image)


def test_scanning_goes_on_without_it_and_it_is_logged_once():
    lost = DisplayLost(Fault("display-lost", "the display stopped answering: check its wires"))
    state, effects = after(ready_machine(), lost, lost, Tick(1.0))
    assert sum(isinstance(effect, Log) for effect in effects) == 1
    state, effects = after(state, ButtonPressed(Button.SCAN, False, 2.0))
    assert any(isinstance(effect, StartScan) for effect in effects)
    state, _ = after(state, DisplayBack())
    assert isinstance(state.shown.view, HoldStillView)


def test_pictures_are_one_bit_and_of_the_size_of_the_glass():
    assert (READY.image.mode, READY.image.size) == ("1", (128, 64))
    assert isinstance(READY.image, Image.Image)
