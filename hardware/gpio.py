"""GPIO lines of the Raspberry Pi's header, for buttons, display, buzzer and lamp.

gpiozero would silently fall back from one library for the lines to the next, down to one that
polls; here the library is named, and its absence is an error. The number of the chip that the
header belongs to differs from kernel to kernel, so the chip is found by its name.
"""

import os
import re
import tempfile
from contextlib import chdir, suppress
from pathlib import Path
from typing import Any, Final

HEADER_CHIPS: Final = re.compile(r"pinctrl-(bcm\d+|rp1)")
"""Label of the header's chip: bcm2835, bcm2711, or rp1 on the Raspberry Pi 5."""

DEVICES: Final = Path("/dev")
"""The folder with ``gpiochip0`` and so on."""

_LGPIO_FOLDER: Final = "LG_WD"
"""Environment variable with the folder of lgpio's pipe; a service may not write to the default,
the working directory."""


class NoHeaderError(OSError):
    """Computer without a GPIO header."""


def lgpio_factory() -> Any:
    """Return gpiozero's lgpio pin factory for the chip of the header.

    Raises:
        NoHeaderError: There is no such chip.
        ImportError: The package lgpio or gpiozero is missing.
        PermissionError: None of the chips may be opened.
    """
    lgpio = _import_lgpio()
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=find_header_chip(lgpio, DEVICES))


def _import_lgpio() -> Any:
    """Import lgpio with a folder to write to; undo its change of the working directory."""
    # The folder of the service, the first if it has several
    own = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    os.environ.setdefault(_LGPIO_FOLDER, own or tempfile.gettempdir())
    with chdir("."):
        import lgpio
    return lgpio


def find_header_chip(lgpio: Any, devices: Path) -> int:
    """Find the header's GPIO chip; return its number.

    Args:
        lgpio: Module ``lgpio``, or a stand-in with its ``gpiochip_open``,
            ``gpio_get_chip_info`` and ``gpiochip_close``.
        devices: Folder of the device files, see ``DEVICES``.

    Raises:
        NoHeaderError: There is no such chip.
        PermissionError: None of the chips may be opened.
    """
    numbers = sorted(
        int(path.name.removeprefix("gpiochip"))
        for path in devices.glob("gpiochip*")
        if path.name.removeprefix("gpiochip").isdigit()
    )
    refused: Exception | None = None
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except Exception as error:  # noqa: BLE001 - lgpio raises an error class of its own
            refused = error
            continue
        try:
            _status, _lines, _name, label = lgpio.gpio_get_chip_info(handle)
        finally:
            lgpio.gpiochip_close(handle)
        if HEADER_CHIPS.match(str(label)):
            return number
    if refused is not None:
        raise PermissionError(f"no permission for {devices}/gpiochip*") from refused
    raise NoHeaderError("no GPIO chip has the label of a header")


def gpio_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of gpiozero and lgpio for lines that cannot be opened or read."""
    errors: tuple[type[Exception], ...] = (OSError, ImportError, RuntimeError)
    with suppress(ImportError):
        from gpiozero import GPIOZeroError

        errors += (GPIOZeroError,)
    with suppress(ImportError):
        errors += (_import_lgpio().error,)
    return errors
