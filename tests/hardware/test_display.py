"""luma's drivers on a display as its datasheet describes it, the stand-in, and how they rest."""

import errno
import sys
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageChops, ImageDraw

from hardware.display import StandInDisplay, dimmed_contrast_and_shift, open_display
from hardware.settings import DisplaySettings
from tests.hardware.fake_oled import FakeOledBus, FakeOledSpi
from tests.refusals import refused

pytestmark = pytest.mark.filterwarnings(
    # luma reads pixels by a call that Pillow 14 will drop
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)

CONTROLLERS = ("ssd1306", "sh1106", "ssd1309")
ABSENT_PORT = 250
"""An I2C bus and SPI bus that no machine has."""


def drawing():
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.text((4, 20), "READY", fill=1)
    draw.point((1, 62), fill=1)
    return picture


def noise():
    """A picture without any symmetry or repetition that could hide a swapped byte or bit."""
    return Image.frombytes("1", (128, 64), bytes(i * i * 31 % 251 for i in range(128 * 64 // 8)))


def same(one, other):
    return ImageChops.logical_xor(one, other).getbbox() is None


def by_i2c(bus=None, **settings):
    bus = bus or FakeOledBus()
    return open_display(DisplaySettings(**settings), i2c_bus=bus), bus


def by_spi(**settings):
    factory = MockFactory()
    data_line = factory.pin(24)
    bus = FakeOledSpi(lambda: bool(data_line.state), settings.get("controller", "ssd1306"))
    settings = DisplaySettings(connection="spi", **settings)
    return open_display(settings, spi_bus=bus, gpio_factory=factory), bus, factory


@pytest.fixture(params=["real", "emulated"])
def display(request):
    return by_i2c()[0] if request.param == "real" else StandInDisplay()


class TestAnyDisplay:
    @pytest.mark.parametrize(
        "picture", [Image.new("1", (64, 128)), Image.new("L", (128, 64)), Image.new("1", (129, 64))]
    )
    def test_a_picture_that_it_could_not_show_as_it_is_is_refused(self, display, picture):
        assert display.size_wh == (128, 64)
        with pytest.raises(ValueError, match=r"128x64 takes a picture of that size and mode '1'"):
            display.show(picture)

    @pytest.mark.parametrize("level", [-1, 256])
    def test_a_contrast_that_there_is_not_is_refused(self, display, level):
        with pytest.raises(ValueError, match=f"from 0 to 255, not {level}"):
            display.set_contrast(level)
        with pytest.raises(ValueError, match=f"from 0 to 255, not {level}"):
            by_i2c(contrast=level)

    def test_after_closing_it_says_so(self, display):
        display.close()
        display.close()
        for use in (lambda: display.show(drawing()), lambda: display.set_contrast(9)):
            with refused("display-closed", "open it again"):
                use()


def test_the_stand_in_keeps_every_picture_as_it_was_and_the_contrast():
    display = StandInDisplay()
    assert display.image is None
    picture = drawing()
    display.show(picture)
    picture.paste(0, (0, 0, 128, 64))
    display.show(noise())
    assert same(display.frames[0], drawing())
    display.set_contrast(9)
    display.close()
    assert same(display.image, noise())
    assert display.contrast == 9


class TestOnTheGlass:
    @pytest.mark.parametrize("controller", CONTROLLERS)
    @pytest.mark.parametrize("picture", [drawing(), noise()], ids=["drawing", "noise"])
    def test_by_i2c_it_shows_the_picture(self, controller, picture):
        display, bus = by_i2c(FakeOledBus(controller=controller), controller=controller)
        display.show(picture)
        assert same(bus.image(), picture)

    @pytest.mark.parametrize("column", [0, 1, 4])
    def test_sh1106_with_other_columns_shows_the_picture(self, column):
        bus = FakeOledBus(controller="sh1106", first_column=column)
        display, _ = by_i2c(bus, controller="sh1106", sh1106_column=column)
        display.show(noise())
        assert same(bus.image(), noise())

    @pytest.mark.parametrize("controller", CONTROLLERS)
    def test_by_spi_it_shows_the_picture(self, controller):
        display, bus, _ = by_spi(controller=controller, spi_port=1, spi_device=2)
        display.show(noise())
        assert same(bus.image(), noise())
        assert bus.opened == (1, 2)

    def test_display_is_on_and_dark_when_opened_and_off_when_closed(self):
        display, bus = by_i2c()
        assert bus.lit
        assert bus.image().getbbox() is None
        display.show(drawing())
        display.close()
        assert not bus.lit
        display, bus, factory = by_spi()
        factory.pin(25).assert_states([False, True, False, True])
        display.close()
        assert bus.closed
        assert factory.pin(25).function == "input"

    def test_contrast_is_that_of_the_settings_until_another_is_set(self):
        display, bus = by_i2c(contrast=90)
        assert bus.contrast == 90
        display.set_contrast(7)
        assert bus.contrast == 7
        display.show(drawing())
        assert bus.contrast == 7
        display, bus = by_i2c(upside_down=True)
        display.show(noise())
        assert same(bus.image(), noise().transpose(Image.Transpose.ROTATE_180))

    def test_a_picture_never_darkens_the_display_meanwhile(self, monkeypatch):
        display, bus = by_i2c()
        display.show(drawing())
        lit, receive = [], bus.receive
        monkeypatch.setattr(bus, "receive", lambda *block: receive(*block) or lit.append(bus.lit))
        display.show(noise())
        assert lit
        assert all(lit)


class AbsentSpi:
    def open(self, port, device):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")


class ForbiddenBus(FakeOledBus):
    def write_i2c_block_data(self, *_):
        raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize(
    ("settings", "buses", "code", "where", "expected"),
    [
        ({"i2c_address": 0x3D}, {"i2c_bus": FakeOledBus()}, "display-not-found",
         "I2C bus 1, address 0x3D", "no display answers at I2C bus 1, address 0x3D: check"),
        ({"i2c_port": ABSENT_PORT}, {}, "display-not-found",
         "I2C bus 250, address 0x3C", "no display answers at I2C bus 250"),
        ({"connection": "spi", "spi_port": ABSENT_PORT},
         {"spi_bus": AbsentSpi(), "gpio_factory": MockFactory()}, "display-not-found",
         "SPI 250.0", "raspi-config"),
        ({}, {"i2c_bus": ForbiddenBus()}, "display-no-permission",
         "I2C bus 1, address 0x3C", "usermod -aG i2c,spi,gpio"),
    ],
)  # fmt: skip
def test_missing_or_forbidden_display_is_reported(settings, buses, code, where, expected):
    with refused(code, expected) as caught:
        open_display(DisplaySettings(**settings), **buses)
    assert caught.value.where == where


def test_without_the_library_of_the_lines_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with refused("display-driver-missing", "'lgpio' is missing: sudo apt install python3-lgpio"):
        open_display(DisplaySettings(connection="spi"), spi_bus=FakeOledSpi(lambda: True))


@pytest.mark.parametrize("answers", [True, False])
def test_a_bus_opened_by_the_driver_is_always_freed(monkeypatch, answers):
    bus = FakeOledBus(address=0x3C if answers else 0x3D)
    monkeypatch.setattr("smbus2.SMBus", lambda _port: bus)
    bus.i2c_rdwr = lambda _message: None
    if answers:
        display = open_display()
        bus.plugged_in = False
        display.close()
    else:
        with refused("display-not-found"):
            open_display()
    assert bus.closed


@pytest.mark.parametrize(
    ("contrast", "dimmed_s", "dimmed"),
    [
        (200, 0, 1),  # readable in a room, never dark
        (200, 1e9, 1),
        (0, 1e9, 0),  # resting never makes it brighter
    ],
)
def test_a_display_that_nobody_looks_at_is_dimmed(contrast, dimmed_s, dimmed):
    assert dimmed_contrast_and_shift(contrast, dimmed_s)[0] == dimmed


def test_dimmed_picture_moves_by_single_pixels_and_stays_near():
    places = [dimmed_contrast_and_shift(200, 60 * minute)[1] for minute in range(9)]
    assert places[0] == dimmed_contrast_and_shift(200, 59.9)[1] == (0, 0)
    assert places[:4] == places[4:8]
    assert set(places) == {(0, 0), (1, 0), (1, 1), (0, 1)}
    for (x, y), (next_x, next_y) in pairwise(places):
        assert abs(x - next_x) + abs(y - next_y) == 1
