"""Power supply and temperature of the computer.

The Raspberry Pi keeps a word of flags: bits 0 to 3 hold the present state, bits 16 to 19 what has
occurred since the start. A camera on a weak supply takes bad pictures long before anything fails.
"""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

TOO_HOT_C: Final = 80.0
"""The Raspberry Pi slows down from here on."""

THROTTLED_FILE: Final = Path("sys/devices/platform/soc/soc:firmware/get_throttled")
"""File of the flags, in hexadecimal, below the root of the file system."""
THERMAL_FILE: Final = Path("sys/class/thermal/thermal_zone0/temp")
"""File of the temperature, in thousandths of a degree, below the root of the file system."""

_VCGENCMD: Final = ("vcgencmd", "get_throttled")
_VCGENCMD_LIMIT_S: Final = 2.0

_UNDER_VOLTAGE, _CAPPED, _THROTTLED, _SOFT_LIMIT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_SINCE_START_SHIFT: Final = 16


@dataclass(frozen=True, slots=True)
class Health:
    """Power supply and temperature; False and None if unknown.

    Attributes:
        under_voltage: True if the supply is too weak now.
        under_voltage_before: True if it was too weak at any time since the start.
        throttled: True if the computer is slowed down now, because of supply or heat.
        too_hot: True if the processor is too hot now.
        temperature_c: Temperature of the processor in degrees Celsius; None if unknown.
        known: True if the flags could be read.
    """

    under_voltage: bool = False
    under_voltage_before: bool = False
    throttled: bool = False
    too_hot: bool = False
    temperature_c: float | None = None
    known: bool = False


class HealthSource(Protocol):
    """Source of the computer's health."""

    def read(self) -> Health:
        """Read the current health; never raises."""
        ...


class RaspberryHealth:
    """Health of a Raspberry Pi from its kernel or ``vcgencmd``; elsewhere the temperature alone.

    Args:
        root: Folder that stands for the root of the file system.
        ask_firmware: Function that returns the answer of ``vcgencmd get_throttled``, such as
            ``throttled=0x0``, or None where there is none; called only if the kernel has no value.
    """

    def __init__(
        self,
        root: Path = Path("/"),
        *,
        ask_firmware: Callable[[], str | None] | None = None,
    ) -> None:
        self._root = root
        self._ask_firmware = ask_firmware or _ask_vcgencmd
        self._can_ask = True

    def read(self) -> Health:
        """Read the current health; never raises."""
        return health_of(self._flags(), self._temperature_c())

    def _flags(self) -> int | None:
        text = _text_of(self._root / THROTTLED_FILE)
        if text is not None:
            return _hexadecimal(text)
        if not self._can_ask:
            return None
        answer = self._ask_firmware()
        # Where there is no such program, there will be none later.
        self._can_ask = answer is not None
        return None if answer is None else _hexadecimal(answer.partition("=")[2])

    def _temperature_c(self) -> float | None:
        text = _text_of(self._root / THERMAL_FILE)
        try:
            return None if text is None else int(text) / 1000
        except ValueError:
            return None


class StandInHealth:
    """Source of a health that a test sets.

    Args:
        health: First reading.
    """

    def __init__(self, health: Health | None = None) -> None:
        self.health = health or Health(temperature_c=45.0, known=True)

    def read(self) -> Health:
        """Return the value set."""
        return self.health


def health_of(flags: int | None, temperature_c: float | None) -> Health:
    """Decode the flags and the temperature.

    Args:
        flags: Number of ``get_throttled``; None if not known.
        temperature_c: Temperature of the processor; None if not known.
    """
    known, flags = flags is not None, flags or 0
    return Health(
        under_voltage=bool(flags & _UNDER_VOLTAGE),
        under_voltage_before=bool(flags & _UNDER_VOLTAGE << _SINCE_START_SHIFT),
        throttled=bool(flags & (_CAPPED | _THROTTLED)),
        too_hot=bool(flags & _SOFT_LIMIT)
        or (temperature_c is not None and temperature_c >= TOO_HOT_C),
        temperature_c=temperature_c,
        known=known,
    )


def _hexadecimal(text: str) -> int | None:
    """Parse a hexadecimal number; the kernel writes it without ``0x``, the firmware with it."""
    try:
        return int(text.strip(), 16)
    except ValueError:
        return None


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return None


def _ask_vcgencmd() -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            _VCGENCMD, capture_output=True, text=True, timeout=_VCGENCMD_LIMIT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
