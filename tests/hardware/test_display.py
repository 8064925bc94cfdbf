import errno
import sys

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageChops, ImageDraw

from hardware.display import DisplayWiring, EmulatedDisplay, open_display
from hardware.errors import DisplayError, HardwareError
from tests.hardware.fake_oled import FakeOledBus, FakeOledSpi

pytestmark = pytest.mark.filterwarnings(
    # luma reads pixels by a call that Pillow 14 will drop
    "ignore:Image.Image.getdata is deprecated:DeprecationWarning"
)

ABSENT_PORT = 250
"""An I2C bus and SPI bus that no machine has."""


def drawing() -> Image.Image:
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.text((4, 20), "READY", fill=1)
    draw.point((1, 62), fill=1)
    return picture


def noise() -> Image.Image:
    """A picture without any symmetry or repetition that could hide a swapped byte or bit."""
    return Image.frombytes("1", (128, 64), bytes(i * i * 31 % 251 for i in range(128 * 64 // 8)))


def same(one: Image.Image | None, other: Image.Image) -> bool:
    assert one is not None
    return ImageChops.logical_xor(one, other).getbbox() is None


class TestEmulatedDisplay:
    def test_shows_nothing_before_the_first_picture(self):
        assert EmulatedDisplay().image is None

    def test_keeps_the_last_picture_pixel_by_pixel(self):
        display = EmulatedDisplay()
        display.show(drawing())
        display.show(noise())
        assert same(display.image, noise())
        assert not same(display.image, drawing())

    def test_keeps_all_frames_only_if_asked_to(self):
        plain, keeping = EmulatedDisplay(), EmulatedDisplay(keep_frames=True)
        for display in (plain, keeping):
            display.show(drawing())
            display.show(noise())
        assert plain.frames == ()
        assert [same(frame, drawing()) for frame in keeping.frames] == [True, False]

    def test_a_kept_frame_does_not_change_with_the_picture_it_was_made_of(self):
        display = EmulatedDisplay(keep_frames=True)
        picture = drawing()
        display.show(picture)
        picture.paste(0, (0, 0, 128, 64))
        assert same(display.frames[0], drawing())
        assert same(display.image, drawing())

    @pytest.mark.parametrize(
        "picture", [Image.new("1", (64, 128)), Image.new("L", (128, 64)), Image.new("1", (129, 64))]
    )
    def test_refuses_a_picture_it_could_not_show_as_it_is(self, picture):
        with pytest.raises(ValueError, match="a display of 128x64 takes a picture of that size"):
            EmulatedDisplay().show(picture)

    def test_takes_no_picture_after_closing_but_the_last_one_stays(self):
        display = EmulatedDisplay()
        display.show(drawing())
        display.close()
        display.close()
        with pytest.raises(DisplayError, match="open it again"):
            display.show(noise())
        assert same(display.image, drawing())


class TestRealDriverOnAFakeBus:
    @pytest.mark.parametrize("controller", ["ssd1306", "sh1106", "ssd1309"])
    @pytest.mark.parametrize("picture", [drawing(), noise()], ids=["drawing", "noise"])
    def test_the_glass_shows_what_the_emulated_display_shows(self, controller, picture):
        bus = FakeOledBus(controller=controller)
        real = open_display(DisplayWiring(controller=controller), i2c_bus=bus)
        emulated = EmulatedDisplay()
        for display in (real, emulated):
            display.show(picture)
        assert real.size_wh == emulated.size_wh == (128, 64)
        assert same(emulated.image, bus.image())
        assert bus.image().getbbox() is not None

    def test_is_switched_on_and_dark_after_opening(self):
        bus = FakeOledBus()
        open_display(i2c_bus=bus)
        assert bus.lit
        assert bus.image().getbbox() is None

    def test_contrast_is_that_of_the_wiring_until_another_is_set(self):
        bus = FakeOledBus()
        display = open_display(DisplayWiring(contrast=90), i2c_bus=bus)
        assert bus.contrast == 90
        display.set_contrast(7)
        assert bus.contrast == 7
        display.show(drawing())
        assert bus.contrast == 7
        assert same(bus.image(), drawing())

    @pytest.mark.parametrize("level", [-1, 256])
    def test_refuses_a_contrast_that_there_is_not(self, level):
        for display in (open_display(i2c_bus=FakeOledBus()), EmulatedDisplay()):
            with pytest.raises(ValueError, match=f"from 0 to 255, not {level}"):
                display.set_contrast(level)
        with pytest.raises(ValueError, match=f"from 0 to 255, not {level}"):
            open_display(DisplayWiring(contrast=level), i2c_bus=FakeOledBus())

    def test_a_picture_never_darkens_the_display_meanwhile(self, monkeypatch):
        bus = FakeOledBus()
        display = open_display(i2c_bus=bus)
        display.show(drawing())
        lit = []
        receive = bus.receive

        def watched(control, block):
            receive(control, block)
            lit.append(bus.lit)

        monkeypatch.setattr(bus, "receive", watched)
        display.show(noise())
        assert lit
        assert all(lit)

    def test_upside_down_turns_the_picture_by_half(self):
        bus = FakeOledBus()
        open_display(DisplayWiring(upside_down=True), i2c_bus=bus).show(noise())
        assert same(bus.image(), noise().transpose(Image.Transpose.ROTATE_180))

    def test_refuses_a_picture_it_could_not_show_as_it_is(self):
        with pytest.raises(ValueError, match="not 64x128 and mode '1'"):
            open_display(i2c_bus=FakeOledBus()).show(Image.new("1", (64, 128)))

    def test_closing_darkens_the_glass(self):
        bus = FakeOledBus()
        display = open_display(i2c_bus=bus)
        display.show(drawing())
        display.close()
        display.close()
        assert not bus.lit
        with pytest.raises(DisplayError, match="open it again"):
            display.show(drawing())


class TestRealDriverOnAFakeSpiBus:
    def opened(self, **wiring):
        factory = MockFactory()
        data_line = factory.pin(24)
        bus = FakeOledSpi(lambda: bool(data_line.state), wiring.get("controller", "ssd1306"))
        display = open_display(
            DisplayWiring(connection="spi", **wiring), spi_bus=bus, gpio_factory=factory
        )
        return display, bus, factory

    @pytest.mark.parametrize("controller", ["ssd1306", "sh1106", "ssd1309"])
    def test_the_glass_shows_the_picture(self, controller):
        display, bus, _ = self.opened(controller=controller, spi_port=1, spi_device=2)
        display.show(noise())
        assert same(bus.image(), noise())
        assert bus.opened == (1, 2)

    def test_the_display_is_reset_first_and_all_is_freed_at_the_end(self):
        display, bus, factory = self.opened()
        factory.pin(25).assert_states([False, True, False, True])
        display.show(drawing())
        display.close()
        assert not bus.lit
        assert bus.closed
        assert factory.pin(25).function == "input"

    def test_without_the_library_of_the_lines_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "lgpio", None)
        with pytest.raises(DisplayError, match="'lgpio' is missing: install it") as caught:
            open_display(DisplayWiring(connection="spi"), spi_bus=FakeOledSpi(lambda: True))
        assert caught.value.code == "display-driver-missing"


class TestWhatCanGoWrong:
    def test_no_display_at_the_address(self):
        with pytest.raises(DisplayError) as caught:
            open_display(DisplayWiring(i2c_address=0x3D), i2c_bus=FakeOledBus(address=0x3C))
        assert caught.value.code == "display-not-found"
        assert caught.value.where == "I2C bus 1, address 0x3D"
        assert "no display answers at I2C bus 1, address 0x3D: check" in caught.value.message
        assert "\n" not in caught.value.message

    def test_no_such_bus(self):
        with pytest.raises(DisplayError, match="no display answers at I2C bus 250") as caught:
            open_display(DisplayWiring(i2c_port=ABSENT_PORT))
        assert caught.value.code == "display-not-found"

    def test_no_spi_on_this_machine(self, monkeypatch):
        class AbsentSpi:
            def open(self, port, device):
                raise FileNotFoundError(errno.ENOENT, "No such file or directory")

        wiring = DisplayWiring(connection="spi", spi_port=ABSENT_PORT)
        with pytest.raises(DisplayError) as caught:
            open_display(wiring, spi_bus=AbsentSpi(), gpio_factory=MockFactory())
        assert caught.value.where == "SPI 250.0"
        assert caught.value.code == "display-not-found"

    def test_no_permission_names_the_groups(self):
        class ForbiddenBus(FakeOledBus):
            def write_i2c_block_data(self, *_):
                raise PermissionError(13, "Permission denied")

        with pytest.raises(DisplayError, match="groups i2c, spi and gpio") as caught:
            open_display(i2c_bus=ForbiddenBus())
        assert caught.value.code == "display-no-permission"

    def test_a_display_that_is_unplugged_while_running(self):
        bus = FakeOledBus()
        display = open_display(i2c_bus=bus)
        bus.plugged_in = False
        with pytest.raises(DisplayError, match="stopped answering: check") as caught:
            display.show(drawing())
        assert caught.value.code == "display-lost"
        display.close()

    def test_a_display_that_is_plugged_in_again_can_be_opened_again(self):
        bus = FakeOledBus()
        display = open_display(i2c_bus=bus)
        bus.plugged_in = False
        with pytest.raises(DisplayError):
            display.show(drawing())
        display.close()
        bus.plugged_in = True
        open_display(i2c_bus=bus).show(drawing())
        assert same(bus.image(), drawing())

    @pytest.mark.parametrize("answers", [True, False])
    def test_a_bus_opened_by_the_driver_is_always_freed(self, monkeypatch, answers):
        bus = FakeOledBus(address=0x3C if answers else 0x3D)
        monkeypatch.setattr("smbus2.SMBus", lambda _port: bus)
        bus.i2c_rdwr = lambda _message: None
        try:
            display = open_display()
        except DisplayError:
            assert not answers
        else:
            bus.plugged_in = False
            display.close()
        assert bus.closed

    def test_a_display_error_is_a_hardware_error(self):
        assert issubclass(DisplayError, HardwareError)
