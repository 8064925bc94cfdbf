"""Date and time of the computer, and whether they can be trusted.

A Raspberry Pi without a battery does not know the time until it gets it from the network, or from a
phone that opens the page. Meanwhile the seconds since its start are counted (Linux
``CLOCK_BOOTTIME``): by them a game that was stored before gets its date later, and the time of a
phone stays valid until the next start. The system clock, which the program may not set, is left.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import MAXYEAR, UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from firmware.base.errors import UsageError
from firmware.base.json_text import json_text
from firmware.base.language import _, format_date
from firmware.base.user_data import user_folder, write_safely
from vision.message import Message
from vision.photo.regular_file import read_start

PHONE_FILE: Final = "phone-time.json"
"""File in the user's folder with the time of a phone; it holds until the computer starts again."""

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""File that exists once systemd-timesyncd has the time from a server."""
_RTC: Final = Path("/sys/class/rtc/rtc0/since_epoch")
"""Seconds of the clock with a battery; missing without such a clock."""
_BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")
"""File with the identifier of the last boot."""
_EARLIEST_YEAR: Final = 2025
"""First year that a set clock can show; an earlier one means that it was never set."""
_LATEST_YEAR: Final = 2099
"""Last year that is taken from a phone."""
_EARLIEST_WRITTEN_YEAR: Final = 1900
"""First year that a person can give; an earlier one is a slip, such as 0206 for 2026."""
_MAX_APART_S: Final = 86_400.0
"""Largest difference of two clocks that agree: one with a battery may keep local time."""
_MAX_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class TimeSinceBoot:
    """Time since the last boot, with the identifier of that boot.

    Attributes:
        boot_id: Identifier of the boot.
        seconds: Seconds since it.
    """

    boot_id: str
    seconds: float


@dataclass(frozen=True, slots=True)
class WallTime:
    """Time of the computer's clock.

    Attributes:
        utc: Date and time in UTC, to the second.
        known: True if the clock had been set.
        since_boot: The same time, counted from the boot; None for a time that was only stored.
    """

    utc: datetime
    known: bool
    since_boot: TimeSinceBoot | None = field(default=None, compare=False)

    @property
    def iso(self) -> str:
        """Time such as ``2026-11-21T15:40:38Z``."""
        return self.utc.isoformat(timespec="seconds").replace("+00:00", "Z")

    def __str__(self) -> str:
        if not self.known:
            return _("time unknown")
        local = self.utc.astimezone()
        return f"{format_date(local)} {local:%H:%M}"

    @property
    def day(self) -> str:
        """Date where the computer is."""
        return format_date(self.utc.astimezone())

    def dated_by(self, now: "WallTime") -> "WallTime":
        """Return the time corrected by a clock that is set now; unchanged if that is impossible.

        Args:
            now: Present time.
        """
        earlier, since_boot = self.since_boot, now.since_boot
        if self.known or not now.known or earlier is None or since_boot is None:
            return self
        if earlier.boot_id != since_boot.boot_id:
            return self
        utc = now.utc - timedelta(seconds=round(since_boot.seconds - earlier.seconds))
        return WallTime(utc, known=True, since_boot=earlier)


class _PhoneShape(msgspec.Struct, frozen=True):
    boot: str
    start_utc_s: float


def wall_time(
    synchronised: Path = _SYNCHRONISED, rtc: Path = _RTC, boot_id_file: Path = _BOOT_ID_FILE
) -> WallTime:
    """Return the time now.

    It is known if a server has set the clock since the start, if a clock with a battery agrees, or
    else if a phone has sent the time since the start.
    """
    utc, since_boot = datetime.now(UTC).replace(microsecond=0), _time_since_boot(boot_id_file)
    if utc.year >= _EARLIEST_YEAR and (synchronised.exists() or _agrees(utc, rtc)):
        return WallTime(utc, known=True, since_boot=since_boot)
    by_phone = None if since_boot is None else _utc_by_phone(since_boot)
    return WallTime(by_phone or utc, known=by_phone is not None, since_boot=since_boot)


def take_phone_time(utc_s: float, now: WallTime) -> bool:
    """Use the time of a phone until the computer starts again.

    Args:
        utc_s: Seconds since 1970 by the clock of the phone.
        now: Present time.

    Returns:
        False if the time is known already, or that of the phone cannot be right.

    Raises:
        OutputError: It cannot be stored.
    """
    if now.known or now.since_boot is None or _plausible(utc_s) is None:
        return False
    values = {"boot": now.since_boot.boot_id, "start_utc_s": utc_s - now.since_boot.seconds}
    write_safely(user_folder() / PHONE_FILE, json_text(values).encode())
    return True


def parse_wall_time(given: str) -> WallTime:
    """Return the time that a person has written, in the time zone of the computer.

    Raises:
        UsageError: ``date-invalid``.
    """
    try:
        utc = datetime.fromisoformat(given.strip()).astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise _invalid_date(given) from error
    if not _EARLIEST_WRITTEN_YEAR <= utc.year < MAXYEAR:  # elsewhere that may be the year after
        raise _invalid_date(given)
    return WallTime(utc, known=True)


def _invalid_date(given: str) -> UsageError:
    return UsageError(
        "date-invalid",
        "{given} is no date: write it like 2026-11-21 or 2026-11-21 20:15",
        Message("date"),
        given=repr(given[:40]),
    )


def _agrees(utc: datetime, rtc: Path) -> bool:
    try:
        seconds = float(rtc.read_text("ascii"))
    except (OSError, ValueError):
        return False
    return abs(seconds - utc.timestamp()) < _MAX_APART_S


def _time_since_boot(boot_id_file: Path) -> TimeSinceBoot | None:
    with suppress(OSError, ValueError):
        found = boot_id_file.read_text("ascii").strip()
        if found:
            return TimeSinceBoot(found, time.clock_gettime(time.CLOCK_BOOTTIME))
    return None


def _utc_by_phone(since_boot: TimeSinceBoot) -> datetime | None:
    """Return the time now by a phone that sent it since the boot; None without one."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        path = user_folder() / PHONE_FILE
        stored = msgspec.json.decode(read_start(path, _MAX_BYTES), type=_PhoneShape)
        if stored.boot == since_boot.boot_id:
            return _plausible(stored.start_utc_s + since_boot.seconds)
    return None


def _plausible(utc_s: float) -> datetime | None:
    """Return a time to the second; None if it cannot be that of a clock that was set."""
    with suppress(ValueError, OverflowError, OSError):
        utc = datetime.fromtimestamp(int(utc_s), UTC)
        if _EARLIEST_YEAR <= utc.year <= _LATEST_YEAR:
            return utc
    return None
