"""Tables of other scanners, from the reports of ``stadtblick mqtt``."""

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

import msgspec

from firmware.base.checked_input import Shape
from firmware.club.evening import MAX_TABLES, ClubTable
from firmware.club.games import MAX_SENT_GAMES, parse_game
from firmware.history import wall_time

BRIDGE_SILENCE_LIMIT: Final = timedelta(seconds=90)
"""Longest silence of ``stadtblick mqtt``, which reports at least every 30 seconds."""
CLOCKS_AGREE: Final = timedelta(minutes=2)
"""Largest difference of two clocks that are taken for equal: messages take their time."""

_Identifier = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]


class _GamesMessage(msgspec.Struct, frozen=True):
    sent: Annotated[str, msgspec.Meta(max_length=40)]
    games: Annotated[tuple[Any, ...], msgspec.Meta(max_length=MAX_SENT_GAMES)]


class TableReport(Shape, frozen=True):
    """Report of the bridge about another scanner.

    Attributes:
        scanner: Identifier of the scanner.
        is_online: True if it is connected.
        is_live: True if its message came just now, not one that the broker kept.
        message: Message as received, not checked; None if it was withdrawn. In JSON ``said``.
    """

    scanner: _Identifier
    is_online: bool
    is_live: bool
    message: Any = msgspec.field(name="said")


class BridgeReport(Shape, frozen=True):
    """Report of the bridge.

    Attributes:
        is_connected: True if the bridge is connected with the broker.
        tables: Reports about other scanners that are new.
    """

    is_connected: bool
    tables: Annotated[tuple[TableReport, ...], msgspec.Meta(max_length=MAX_TABLES)]


def utc_now() -> datetime:
    """Return the time now, by the clock that dates the games."""
    return wall_time().utc


class ClubTables:
    """Tables of other scanners; any thread may call any method.

    Args:
        now: Clock in UTC.
    """

    def __init__(self, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now
        self._tables: dict[str, ClubTable] = {}
        self._is_connected, self._last_report = False, datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    @property
    def has_bridge(self) -> bool:
        """True if a bridge ever reported."""
        return self._last_report > datetime.min.replace(tzinfo=UTC)

    @property
    def is_connected(self) -> bool:
        """True if the bridge is there and connected with the broker."""
        return self._is_connected and abs(self._now() - self._last_report) < BRIDGE_SILENCE_LIMIT

    def all(self) -> tuple[ClubTable, ...]:
        """Return the tables, in the order of their first reports."""
        with self._lock:
            return tuple(self._tables.values())

    def shift_clock(self, by: timedelta) -> None:
        """Go on after the own clock was set.

        Args:
            by: Difference of its time after and before.
        """
        with self._lock:
            for name, table in self._tables.items():
                last_message = None if table.last_message is None else table.last_message + by
                ahead = table.clock_ahead - by
                self._tables[name] = replace(table, last_message=last_message, clock_ahead=ahead)
            if self.has_bridge:
                self._last_report += by

    def receive(self, report: BridgeReport) -> bool:
        """Take a report over; return whether there is something new to show."""
        now = self._now()
        with self._lock:
            before = self._is_connected, dict(self._tables)
            self._is_connected, self._last_report = report.is_connected, now
            for each in report.tables:
                self._take(each, now)
            return before != (self._is_connected, self._tables)

    def _take(self, report: TableReport, now: datetime) -> None:
        known = self._tables.get(report.scanner)
        if report.message is None:
            self._tables.pop(report.scanner, None)
            return
        if known is None and len(self._tables) >= MAX_TABLES:
            return
        table = known or ClubTable(report.scanner, ())
        table = replace(table, is_online=report.is_online, last_message=table.last_message or now)
        try:
            message = msgspec.convert(report.message, _GamesMessage)
        except msgspec.ValidationError:
            self._tables[report.scanner] = table
            return
        games = tuple(
            game
            for value in message.games
            if (game := parse_game(report.scanner, value)) is not None
        )
        table = replace(table, games=games)
        if report.is_live:
            ahead = _clock_ahead(message.sent, now)
            table = replace(
                table, last_message=now, clock_ahead=table.clock_ahead if ahead is None else ahead
            )
        self._tables[report.scanner] = table


def _clock_ahead(sent: str, now: datetime) -> timedelta | None:
    """Return how far the clock of a scanner is ahead; None if its message has no time."""
    if not re.match(r"\d{4}-", sent):
        return None
    try:
        at = datetime.fromisoformat(sent)
    except ValueError:
        return None
    if at.tzinfo is None:
        return None
    ahead = at - now
    return timedelta() if abs(ahead) < CLOCKS_AGREE else ahead
