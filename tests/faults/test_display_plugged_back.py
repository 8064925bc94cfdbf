"""Fault: a display that is plugged back in stays dark, for nobody sets it up again.

It is made anew, nothing is left behind by the old one, and every picture sets it up, so that one
that lost its supply without anybody noticing lights up again, too.
"""

import atexit

import pytest
from PIL import Image, ImageChops, ImageDraw

from hardware.display import DisplayWiring, EmulatedDisplay, open_display
from hardware.errors import DisplayError
from tests.hardware.fake_oled import FakeOledBus

pytestmark = pytest.mark.filterwarnings(
    # luma reads pixels by a call that Pillow 14 will drop
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)


def picture():
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).polygon([(3, 5), (120, 9), (40, 60)], fill=1)
    return image


def same(one, other):
    return ImageChops.logical_xor(one, other).getbbox() is None


@pytest.mark.parametrize("controller", ["ssd1306", "sh1106", "ssd1309"])
def test_one_that_lost_its_supply_for_a_moment_lights_up_with_the_next_picture(controller):
    bus = FakeOledBus(controller=controller)
    display = open_display(DisplayWiring(controller=controller, contrast=99), i2c_bus=bus)
    display.show(picture())
    bus.switch_on()
    assert not bus.lit
    display.show(picture())
    assert bus.lit
    assert bus.contrast == 99
    assert same(bus.image(), picture())


@pytest.mark.parametrize("controller", ["ssd1306", "sh1106", "ssd1309"])
def test_one_that_is_made_anew_is_set_up_anew(controller):
    wiring = DisplayWiring(controller=controller)
    bus = FakeOledBus(controller=controller)
    display = open_display(wiring, i2c_bus=bus)
    bus.plugged_in = False
    with pytest.raises(DisplayError, match="stopped answering"):
        display.show(picture())
    display.close()
    bus.switch_on()
    bus.plugged_in = True
    open_display(wiring, i2c_bus=bus).show(picture())
    assert same(bus.image(), picture())


def test_a_hundred_displays_leave_nothing_behind_for_the_end_of_the_process():
    bus = FakeOledBus()
    open_display(i2c_bus=bus).close()
    hooks = atexit._ncallbacks()
    for _ in range(100):
        display = open_display(i2c_bus=bus)
        bus.plugged_in = False
        with pytest.raises(DisplayError):
            display.show(picture())
        display.close()
        bus.plugged_in = True
        EmulatedDisplay().close()
    assert atexit._ncallbacks() == hooks


def test_other_hooks_are_still_taken_afterwards():
    def hook():
        """Do nothing."""

    open_display(i2c_bus=FakeOledBus()).close()
    hooks = atexit._ncallbacks()
    atexit.register(hook)
    assert atexit._ncallbacks() == hooks + 1
    atexit.unregister(hook)
