"""An OLED behind luma's driver of its controller."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from PIL import Image

from hardware.display.interface import (
    SIZE_WH,
    DisplayWiring,
    checked_contrast,
    checked_image,
    closed_error,
)
from hardware.display.luma_hooks import no_exit_hook
from hardware.display.spi_lines import GpiozeroLines
from hardware.errors import DisplayError
from hardware.gpio import gpio_errors, lgpio_factory

_DISPLAY_OFF: Final = 0xAE
_DISPLAY_ON: Final = 0xAF


class OledDisplay:
    """A real OLED; ``open_display`` makes one.

    Each picture sets the display up anew before it is sent, which takes some thirty bytes: one
    that lost its supply for a moment answers again at once, but forgets what it was told and
    would stay dark.

    Args:
        device: The luma device, already initialised.
        setup: The commands that initialised it.
        place: Where it is connected, for messages.
        contrast: How bright lit pixels are, 0 to 255.
        lines: What drives the lines of SPI; closed with the display.
    """

    def __init__(
        self,
        device: Any,
        setup: tuple[tuple[int, ...], ...],
        place: str,
        contrast: int,
        lines: GpiozeroLines | None = None,
    ) -> None:
        self._device = device
        self._setup = setup
        self._place = place
        self._contrast = contrast
        self._lines = lines
        self._closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._device.width, self._device.height

    def show(self, image: Image.Image) -> None:
        """Send the picture to the display."""
        if self._closed:
            raise closed_error(self._place)
        checked = checked_image(image, self.size_wh)
        with _as_display_error("display-lost", self._place):
            for command in self._setup:
                self._device.command(*command)
            self._device.contrast(self._contrast)
            self._device.display(checked)
            self._device.command(_DISPLAY_ON)

    def set_contrast(self, level: int) -> None:
        """How bright lit pixels are from now on."""
        if self._closed:
            raise closed_error(self._place)
        self._contrast = checked_contrast(level)
        with _as_display_error("display-lost", self._place):
            self._device.contrast(level)

    def close(self) -> None:
        """Darken the display and free the bus, even when the display no longer answers."""
        if self._closed:
            return
        self._closed = True
        try:
            self._device.cleanup()
        except _device_errors():
            # luma frees the bus only after it has darkened the display; persist skips that.
            self._device.persist = True
            with suppress(*_device_errors()):
                self._device.cleanup()
        finally:
            if self._lines is not None:
                self._lines.close()


def open_display(
    wiring: DisplayWiring | None = None,
    *,
    i2c_bus: Any = None,
    spi_bus: Any = None,
    gpio_factory: Any = None,
) -> OledDisplay:
    """Initialise the display and return it, dark.

    Args:
        wiring: How it is connected; without it the wiring guide's default.
        i2c_bus: An open bus with the methods of ``smbus2.SMBus`` to use instead of the port of
            the wiring. It stays open when the display is closed.
        spi_bus: What has the methods of ``spidev.SpiDev``, to use instead of that.
        gpio_factory: The pin factory of gpiozero for the lines of SPI; None: that of lgpio.

    Raises:
        DisplayError: No such bus, no permission, a missing driver package, or no display answers.
    """
    wiring = wiring or DisplayWiring()
    checked_contrast(wiring.contrast)
    from luma.oled import device as oled

    driver = getattr(oled, wiring.controller)
    with _as_display_error("display-not-found", wiring.place):
        lines = _spi_lines(gpio_factory) if wiring.connection == "spi" else None
        serial: Any = None
        try:
            serial = _serial_interface(wiring, i2c_bus, spi_bus, lines)
            recorder = _Recorder(serial)
            with no_exit_hook():
                device = driver(
                    recorder,
                    width=SIZE_WH[0],
                    height=SIZE_WH[1],
                    rotate=2 if wiring.upside_down else 0,
                )
            device.contrast(wiring.contrast)
        except BaseException:
            if serial is not None:
                with suppress(*_device_errors()):
                    serial.cleanup()
            if lines is not None:
                lines.close()
            raise
    return OledDisplay(device, recorder.setup, wiring.place, wiring.contrast, lines)


class _Recorder:
    """A bus of luma that keeps the commands before the first data: those that set a display up."""

    def __init__(self, serial: Any) -> None:
        self._serial = serial
        self._first: list[tuple[int, ...]] = []
        self._has_data = False

    @property
    def setup(self) -> tuple[tuple[int, ...], ...]:
        """The commands, without the one that makes the display dark meanwhile."""
        calls = (call[1:] if call[0] == _DISPLAY_OFF else call for call in self._first)
        return tuple(call for call in calls if call)

    def command(self, *command: int) -> None:
        """Pass a command on."""
        if not self._has_data:
            self._first.append(command)
        self._serial.command(*command)

    def data(self, data: Any) -> None:
        """Pass data on."""
        self._has_data = True
        self._serial.data(data)

    def cleanup(self) -> None:
        """Free the bus."""
        self._serial.cleanup()


def _spi_lines(factory: Any) -> GpiozeroLines:
    return GpiozeroLines(factory or lgpio_factory())


def _serial_interface(
    wiring: DisplayWiring, i2c_bus: Any, spi_bus: Any, lines: GpiozeroLines | None
) -> Any:
    from luma.core.interface import serial

    if wiring.connection == "i2c":
        return serial.i2c(bus=i2c_bus, port=wiring.i2c_port, address=wiring.i2c_address)
    return serial.spi(
        spi=spi_bus,
        gpio=lines,
        port=wiring.spi_port,
        device=wiring.spi_device,
        gpio_DC=wiring.gpio_dc,
        gpio_RST=wiring.gpio_reset,
        reset_hold_time=0.001,
        reset_release_time=0.001,
    )


def _device_errors() -> tuple[type[Exception], ...]:
    from luma.core.error import Error

    return (Error, *gpio_errors())


@contextmanager
def _as_display_error(code: str, place: str) -> Iterator[None]:
    try:
        yield
    except _device_errors() as error:
        raise _display_error(code, place, error) from error


def _display_error(code: str, place: str, error: Exception) -> DisplayError:
    from luma.core.error import DevicePermissionError

    if isinstance(error, ImportError):
        what = f"the package '{error.name}' is missing: install it for a display by SPI"
        return DisplayError("display-driver-missing", what, place)
    if isinstance(error, DevicePermissionError | PermissionError):
        what = (
            f"no permission for the display at {place}: "
            "add the user to the groups i2c, spi and gpio, then log in again"
        )
        return DisplayError("display-no-permission", what, place)
    if code == "display-lost":
        what = f"the display at {place} stopped answering: check its wires and its supply"
        return DisplayError(code, what, place)
    what = (
        f"no display answers at {place}: check its wires, and that the bus "
        "is switched on (raspi-config, Interface Options)"
    )
    return DisplayError(code, what, place)
