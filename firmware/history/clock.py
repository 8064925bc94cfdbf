"""The wall clock, and whether it can be trusted.

A Raspberry Pi without a battery does not know the time until a network tells it. So a time is only
ever shown, never reckoned with: sequence numbers order what is stored.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""There as soon as systemd-timesyncd has heard the time from a server."""
_RTC: Final = Path("/sys/class/rtc/rtc0/since_epoch")
"""Seconds of the clock with a battery, where there is one."""
_EARLIEST_YEAR: Final = 2025
"""Whatever is earlier is a clock that was never set."""
_MOST_APART_S: Final = 86_400.0
"""A clock with a battery may keep local time."""


@dataclass(frozen=True, slots=True)
class WallTime:
    """A time as the computer's clock gave it.

    Attributes:
        utc: date and time in UTC, to the second.
        known: whether the clock had been set.
    """

    utc: datetime
    known: bool

    @property
    def iso(self) -> str:
        """Like ``2026-11-21T15:40:38Z``."""
        return self.utc.isoformat(timespec="seconds").replace("+00:00", "Z")


def wall_time(synchronised: Path = _SYNCHRONISED, rtc: Path = _RTC) -> WallTime:
    """The time now.

    It is known if a server has told it since the start, or if a clock with a battery agrees.

    Args:
        synchronised: the file that says that a server has told the time.
        rtc: the file with the seconds of the clock with a battery.
    """
    utc = datetime.now(UTC).replace(microsecond=0)
    known = utc.year >= _EARLIEST_YEAR and (synchronised.exists() or _agrees(utc, rtc))
    return WallTime(utc, known)


def _agrees(utc: datetime, rtc: Path) -> bool:
    try:
        seconds = float(rtc.read_text("ascii"))
    except (OSError, ValueError):
        return False
    return abs(seconds - utc.timestamp()) < _MOST_APART_S
