"""The little display: one interface, the OLED behind it, and a stand-in that keeps what it shows.

A picture is a ``PIL.Image`` of mode ``"1"`` and exactly the size of the display: x to the right,
y down, (0, 0) the top left pixel, a set pixel is lit. Showing is synchronous: when ``show``
returns, the picture is on the glass.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from PIL import Image

from hardware.errors import DisplayError

SIZE_WH = (128, 64)
"""Width and height in pixels of the displays that the project is built for."""


class Display(Protocol):
    """Anything that can show a one-bit picture."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def show(self, image: Image.Image) -> None:
        """Show a picture of mode ``"1"`` and ``size_wh`` until the next one.

        Raises:
            ValueError: The picture has another mode or size.
            DisplayError: The display stopped answering.
        """
        ...

    def close(self) -> None:
        """Darken the display and let go of it; more calls do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """How the display is connected; the defaults are those of the wiring guide.

    Attributes:
        connection: The bus that the display hangs on.
        controller: The chip on the display; most of the 0.96 inch ones have an SSD1306, most of
            the 1.3 inch ones an SH1106.
        i2c_port: Number of the I2C bus: 1 is ``/dev/i2c-1``.
        i2c_address: Address on the I2C bus, 0x3C or 0x3D on all common boards.
        spi_port: Number of the SPI bus: port 0, device 0 is ``/dev/spidev0.0``.
        spi_device: Chip select of the SPI bus.
        gpio_dc: GPIO number (not the pin of the header) of the data/command line of SPI.
        gpio_reset: GPIO number of the reset line of SPI.
        upside_down: The display is mounted with its lower edge up.
    """

    connection: Literal["i2c", "spi"] = "i2c"
    controller: Literal["ssd1306", "sh1106"] = "ssd1306"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    gpio_dc: int = 24
    gpio_reset: int = 25
    upside_down: bool = False

    @property
    def place(self) -> str:
        """The place where the display is looked for, in words."""
        if self.connection == "i2c":
            return f"I2C bus {self.i2c_port}, address 0x{self.i2c_address:02X}"
        return f"SPI {self.spi_port}.{self.spi_device}"


class EmulatedDisplay:
    """A display without hardware: keeps the last picture and, if asked to, all of them.

    Args:
        size_wh: Width and height in pixels.
        keep_frames: Whether ``frames`` collects every picture shown.
    """

    def __init__(self, size_wh: tuple[int, int] = SIZE_WH, *, keep_frames: bool = False) -> None:
        from luma.core.device import dummy

        self._device: Any = dummy(width=size_wh[0], height=size_wh[1], mode="1")
        self._keep_frames = keep_frames
        self._frames: list[Image.Image] = []
        self.closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._device.width, self._device.height

    @property
    def image(self) -> Image.Image | None:
        """The picture shown last; None before the first one."""
        image: Image.Image | None = self._device.image
        return image

    @property
    def frames(self) -> tuple[Image.Image, ...]:
        """All pictures shown so far, oldest first; empty unless ``keep_frames``."""
        return tuple(self._frames)

    def show(self, image: Image.Image) -> None:
        """Keep the picture."""
        if self.closed:
            raise DisplayError("display-closed", "the display is closed: open it again", "emulated")
        self._device.display(_checked(image, self.size_wh))
        if self._keep_frames:
            self._frames.append(image.copy())

    def close(self) -> None:
        """Stop taking pictures; the last one stays readable."""
        self.closed = True


class OledDisplay:
    """A real OLED behind its luma driver; ``open_display`` makes one.

    Args:
        device: The luma device, already initialised.
        place: Where it is connected, for messages.
    """

    def __init__(self, device: Any, place: str) -> None:
        self._device = device
        self._place = place
        self._closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._device.width, self._device.height

    def show(self, image: Image.Image) -> None:
        """Send the picture to the display."""
        if self._closed:
            raise DisplayError(
                "display-closed", "the display is closed: open it again", self._place
            )
        checked = _checked(image, self.size_wh)
        with _as_display_error("display-lost", self._place):
            self._device.display(checked)

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


def open_display(wiring: DisplayWiring | None = None, *, i2c_bus: Any = None) -> OledDisplay:
    """Initialise the display and return it, dark.

    Args:
        wiring: How it is connected; without it the wiring guide's default.
        i2c_bus: An open bus with the methods of ``smbus2.SMBus`` to use instead of the port of
            the wiring. It stays open when the display is closed.

    Raises:
        DisplayError: No such bus, no permission, a missing driver package, or no display answers.
    """
    wiring = wiring or DisplayWiring()
    from luma.oled import device as oled

    driver = oled.ssd1306 if wiring.controller == "ssd1306" else oled.sh1106
    with _as_display_error("display-not-found", wiring.place):
        serial = _serial_interface(wiring, i2c_bus)
        try:
            device = driver(
                serial,
                width=SIZE_WH[0],
                height=SIZE_WH[1],
                rotate=2 if wiring.upside_down else 0,
            )
        except _device_errors():
            serial.cleanup()
            raise
    return OledDisplay(device, wiring.place)


def _serial_interface(wiring: DisplayWiring, i2c_bus: Any) -> Any:
    from luma.core.interface import serial

    if wiring.connection == "i2c":
        return serial.i2c(bus=i2c_bus, port=wiring.i2c_port, address=wiring.i2c_address)
    return serial.spi(
        port=wiring.spi_port,
        device=wiring.spi_device,
        gpio_DC=wiring.gpio_dc,
        gpio_RST=wiring.gpio_reset,
    )


def _checked(image: Image.Image, size_wh: tuple[int, int]) -> Image.Image:
    if image.mode != "1" or image.size != size_wh:
        raise ValueError(
            f"a display of {size_wh[0]}x{size_wh[1]} takes a picture of that size and mode '1', "
            f"not {image.size[0]}x{image.size[1]} and mode '{image.mode}'"
        )
    return image


def _device_errors() -> tuple[type[Exception], ...]:
    from luma.core.error import Error

    # RPi.GPIO reports a foreign board by RuntimeError.
    return (Error, OSError, ImportError, RuntimeError)


@contextmanager
def _as_display_error(code: str, place: str) -> Iterator[None]:
    try:
        yield
    except _device_errors() as error:
        raise _display_error(code, place, error) from error


def _display_error(code: str, place: str, error: Exception) -> DisplayError:
    from luma.core.error import DevicePermissionError

    if isinstance(error, ImportError):
        what = f"the driver package '{error.name}' is missing: install it for a display by SPI"
        return DisplayError("display-driver-missing", what, place)
    if isinstance(error, DevicePermissionError | PermissionError):
        what = (
            f"no permission for the display at {place}: "
            "add the user to the groups i2c, spi and gpio, then log in again"
        )
        return DisplayError("display-no-permission", what, place)
    if code == "display-lost":
        what = f"the display at {place} stopped answering: check its four wires and its supply"
        return DisplayError(code, what, place)
    what = (
        f"no display answers at {place}: check its wires, and that the bus "
        "is switched on (raspi-config, Interface Options)"
    )
    return DisplayError(code, what, place)
