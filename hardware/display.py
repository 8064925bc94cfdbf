"""Small display: its interface, OLEDs through luma's drivers, screen saving, and a stand-in.

A picture is a ``PIL.Image`` of mode ``"1"`` and exactly the size of the display: x to the right,
y down, (0, 0) the top left pixel, a set pixel is lit. Showing is synchronous: when ``show``
returns, it can be seen.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, Protocol

from PIL import Image

from hardware.errors import N_, DisplayError
from hardware.gpio import gpio_errors, lgpio_factory
from hardware.settings import DisplaySettings

SIZE_WH: Final = (128, 64)
"""Width and height in pixels of the displays that the project is built for."""

_DISPLAY_OFF: Final = 0xAE
_DISPLAY_ON: Final = 0xAF

_DIMMED_CONTRAST: Final = 1
"""Contrast of a dimmed display: readable in a room, never dark."""
_SHIFT_EVERY_S: Final = 60.0
_SHIFTS_PX: Final = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Shifts of the picture in turn, x to the right and y down."""


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

    def set_contrast(self, level: int) -> None:
        """Set the brightness of lit pixels, from 0 (still readable in the dark) to 255.

        Raises:
            ValueError: There is no such level.
            DisplayError: The display stopped answering.
        """
        ...

    def close(self) -> None:
        """Darken the display and release it; calling it again does nothing."""
        ...


def dimmed_contrast_and_shift(contrast: int, dimmed_s: float) -> tuple[int, tuple[int, int]]:
    """Return the contrast and pixel shift that protect a dimmed OLED from burn-in.

    The pixels of an OLED fade by being lit. After some minutes without use it is dimmed, and then
    the picture moves by a pixel each minute, so that edges wear evenly. The caller wraps the
    picture round at the edges: every pixel of it stays visible.

    Args:
        contrast: Contrast in use.
        dimmed_s: Seconds since it was dimmed.

    Returns:
        The contrast, and by how many pixels to the right and down the picture is moved.
    """
    moves = int(dimmed_s / _SHIFT_EVERY_S)
    return min(_DIMMED_CONTRAST, contrast), _SHIFTS_PX[moves % len(_SHIFTS_PX)]


class OledDisplay:
    """A real OLED; ``open_display`` makes one.

    Each picture sets the display up anew before it is sent, which takes some thirty bytes: one
    that lost its supply for a moment answers again at once, but forgets its commands and
    would stay dark.

    Args:
        device: The luma device, already initialised.
        setup: The commands that initialised it.
        settings: Connection and contrast of the display.
        lines: Driver of the SPI lines; closed with the display.
    """

    def __init__(
        self,
        device: Any,
        setup: tuple[tuple[int, ...], ...],
        settings: DisplaySettings,
        lines: "SpiLines | None" = None,
    ) -> None:
        self._device = device
        self._setup = setup
        self._where = settings.where
        self._contrast = settings.contrast
        self._lines = lines
        self._closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._device.width, self._device.height

    def show(self, image: Image.Image) -> None:
        """Send the picture to the display."""
        _check_open(self._where, closed=self._closed)
        _check_image(image, self.size_wh)
        with _as_display_error("display-lost", self._where):
            for command in self._setup:
                self._device.command(*command)
            self._device.contrast(self._contrast)
            self._device.display(image)
            self._device.command(_DISPLAY_ON)

    def set_contrast(self, level: int) -> None:
        """Set the brightness of lit pixels."""
        _check_open(self._where, closed=self._closed)
        _check_contrast(level)
        self._contrast = level
        with _as_display_error("display-lost", self._where):
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
            _quietly(self._device.cleanup)
        finally:
            if self._lines is not None:
                self._lines.close()


class StandInDisplay:
    """A display without hardware that keeps what it shows.

    Attributes:
        frames: All pictures shown so far, oldest first.
        contrast: Level set last.
        closed: True once ``close`` was called.
    """

    size_wh: Final = SIZE_WH

    def __init__(self) -> None:
        self.frames: list[Image.Image] = []
        self.contrast = DisplaySettings().contrast
        self.closed = False

    @property
    def image(self) -> Image.Image | None:
        """The picture shown last; None before the first one."""
        return self.frames[-1] if self.frames else None

    def show(self, image: Image.Image) -> None:
        """Keep the picture."""
        _check_open("emulated", closed=self.closed)
        _check_image(image, SIZE_WH)
        self.frames.append(image.copy())

    def set_contrast(self, level: int) -> None:
        """Keep the level."""
        _check_open("emulated", closed=self.closed)
        _check_contrast(level)
        self.contrast = level

    def close(self) -> None:
        """Stop taking pictures; those shown stay readable."""
        self.closed = True


class SpiLines:
    """Adapter with the interface of ``RPi.GPIO`` that luma expects, on gpiozero.

    It sets the data/command and reset lines of a display by SPI. ``RPi.GPIO`` does not support the
    Raspberry Pi 5.

    Args:
        factory: Pin factory of gpiozero; it is closed by ``close``.
    """

    LOW: Final = 0
    HIGH: Final = 1
    OUT: Final = "out"

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._lines: dict[int, Any] = {}

    def setup(self, gpio: int, _direction: str) -> None:
        """Make a line an output."""
        from gpiozero import DigitalOutputDevice

        self._lines[gpio] = DigitalOutputDevice(gpio, pin_factory=self._factory)

    def output(self, gpio: int, level: int) -> None:
        """Set the level of a line."""
        self._lines[gpio].value = level

    def cleanup(self, gpios: Iterable[int]) -> None:
        """Release lines."""
        for gpio in self._lines.keys() & set(gpios):
            self._lines.pop(gpio).close()

    def close(self) -> None:
        """Release all lines and the header."""
        self.cleanup(tuple(self._lines))
        with suppress(*gpio_errors()):
            self._factory.close()


def open_display(
    settings: DisplaySettings | None = None,
    *,
    i2c_bus: Any = None,
    spi_bus: Any = None,
    gpio_factory: Any = None,
) -> OledDisplay:
    """Initialise the display and return it, dark.

    Args:
        settings: Connection of the display; by default the wiring guide's default.
        i2c_bus: An open bus with the methods of ``smbus2.SMBus`` to use instead of the port of
            the settings. It stays open when the display is closed.
        spi_bus: Stand-in for ``spidev.SpiDev``.
        gpio_factory: The pin factory of gpiozero for the lines of SPI; None: that of lgpio.

    Raises:
        DisplayError: No such bus, no permission, a missing driver package, or no display answers.
    """
    settings = settings or DisplaySettings()
    _check_contrast(settings.contrast)
    from luma.oled import device as oled

    driver = getattr(oled, settings.controller)
    if settings.controller == "sh1106":
        driver = partial(driver, page_address_offset=settings.sh1106_column)
    with _as_display_error("display-not-found", settings.where), ExitStack() as undo:
        lines: SpiLines | None = None
        if settings.connection == "spi":
            lines = SpiLines(gpio_factory or lgpio_factory())
            undo.callback(lines.close)
        recorder = _SetupRecorder(_bus(settings, i2c_bus, spi_bus, lines))
        undo.callback(_quietly, recorder.cleanup)
        with _no_exit_hook():
            device = driver(
                recorder,
                width=SIZE_WH[0],
                height=SIZE_WH[1],
                rotate=2 if settings.upside_down else 0,
            )
        device.contrast(settings.contrast)
        undo.pop_all()
    return OledDisplay(device, recorder.setup, settings, lines)


class _SetupRecorder:
    """A bus of luma that keeps the commands before the first data: those that set a display up."""

    def __init__(self, serial: Any) -> None:
        self._serial = serial
        self._first: list[tuple[int, ...]] = []
        self._has_data = False
        self.cleanup = serial.cleanup

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


def _bus(settings: DisplaySettings, i2c_bus: Any, spi_bus: Any, lines: SpiLines | None) -> Any:
    from luma.core.interface import serial

    if settings.connection == "i2c":
        return serial.i2c(bus=i2c_bus, port=settings.i2c_port, address=settings.i2c_address)
    return serial.spi(
        spi=spi_bus,
        gpio=lines,
        port=settings.spi_port,
        device=settings.spi_device,
        gpio_DC=settings.gpio_dc,
        gpio_RST=settings.gpio_reset,
        reset_hold_time=0.001,
        reset_release_time=0.001,
    )


@contextmanager
def _no_exit_hook() -> Iterator[None]:
    """Keep luma from registering an exit hook for new devices: they are closed here.

    A display that is plugged out and in is made anew each time. The hooks of all the old devices
    would pile up, and at the end each would write to a bus that another device uses by then.
    """
    from luma.core import device as module

    real = module.atexit
    module.atexit = SimpleNamespace(register=lambda hook: hook)
    try:
        yield
    finally:
        module.atexit = real


def _check_open(where: str, *, closed: bool) -> None:
    if closed:
        raise DisplayError("display-closed", "the display is closed: open it again", where)


def _check_image(image: Image.Image, size_wh: tuple[int, int]) -> None:
    if image.mode != "1" or image.size != size_wh:
        raise ValueError(
            f"a display of {size_wh[0]}x{size_wh[1]} takes a picture of that size and mode '1', "
            f"not {image.size[0]}x{image.size[1]} and mode '{image.mode}'"
        )


def _check_contrast(level: int) -> None:
    if not 0 <= level <= 255:
        raise ValueError(f"a contrast is a whole number from 0 to 255, not {level}")


def _device_errors() -> tuple[type[Exception], ...]:
    from luma.core.error import Error

    return (Error, *gpio_errors())


def _quietly(call: Callable[[], None]) -> None:
    """Ignore errors of a device that is gone."""
    with suppress(*_device_errors()):
        call()


@contextmanager
def _as_display_error(code: str, where: str) -> Iterator[None]:
    try:
        yield
    except _device_errors() as error:
        raise _display_error(code, where, error) from error


def _display_error(code: str, where: str, error: Exception) -> DisplayError:
    from luma.core.error import DevicePermissionError

    if isinstance(error, ImportError):
        code = "display-driver-missing"
        template = N_("the package '{package}' is missing: sudo apt install python3-{package}")
    elif isinstance(error, DevicePermissionError | PermissionError):
        code = "display-no-permission"
        template = N_(
            "no permission for the display at {place}: "
            "sudo usermod -aG i2c,spi,gpio $USER, then log in again"
        )
    elif code == "display-lost":
        template = N_("the display at {place} stopped answering: check its wires and its supply")
    else:
        template = N_(
            "no display answers at {place}: check its wires, and switch the bus on "
            "(sudo raspi-config nonint do_i2c 0, or do_spi 0, then sudo reboot)"
        )
    package = getattr(error, "name", None)
    return DisplayError(code, template, where, place=where, package=str(package))
