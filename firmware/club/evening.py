"""Evening of a club: name, order of the standings, and which games count."""

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

import msgspec

from firmware.base.json_text import json_text
from firmware.base.user_data import set_aside, write_safely
from firmware.club.games import ClubGame
from firmware.club.standings import Scoring
from vision.photo.regular_file import read_start

FILE_NAME: Final = "club.json"
HOURS: Final = (4, 8, 12, 24, 48)
"""Hours within which games count while no start is set."""
DEFAULT_HOURS: Final = 12
MAX_NAME_CHARS: Final = 40
"""Longest name of an evening or a table."""
MAX_TABLES: Final = 24
"""Largest number of tables of an evening; further ones are ignored."""
_MAX_BYTES: Final = 64 * 1024
_change_lock = threading.Lock()

_Text = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARS)]
_Identifier = Annotated[str, msgspec.Meta(max_length=64)]


class _EveningShape(msgspec.Struct, frozen=True):
    name: _Text = ""
    scoring: Scoring = Scoring.WINS
    hours: int = DEFAULT_HOURS
    started: datetime | None = None
    marks: dict[_Identifier, int] = {}
    tables: dict[_Identifier, _Text] = {}


@dataclass(frozen=True, slots=True)
class Evening:
    """Evening or tournament.

    Attributes:
        name: Name that is shown; empty without one.
        scoring: Order of the standings.
        hours: Hours within which games count while no start is set.
        started: Time of the start by the clock of this computer; None: the last hours count.
        marks: Number of the last game of each table at the start; later numbers count.
        tables: Names of tables, by scanner, in the order in which they were first seen.
    """

    name: str = ""
    scoring: Scoring = Scoring.WINS
    hours: int = DEFAULT_HOURS
    started: datetime | None = None
    marks: Mapping[str, int] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)

    def begun(self, now: datetime, tables: "Iterable[ClubTable]") -> "Evening":
        """Return the evening that starts now; the games so far do not count."""
        marks = {each.table: max((game.seq for game in each.games), default=0) for each in tables}
        return replace(self, started=now, marks=marks)

    def shifted(self, by: timedelta, since: datetime) -> "Evening":
        """Return the evening after the clock was set.

        Args:
            by: Difference of the time after and before.
            since: Start of the computer by the clock before; an evening that began earlier stays.
        """
        if self.started is None or self.started < since:
            return self
        return replace(self, started=self.started + by)

    def with_tables(self, tables: Iterable[str]) -> "Evening":
        """Return the evening with tables that are new, as far as there is room.

        Tables without a name that are not there any more give way to them.

        Args:
            tables: Identifiers of all tables that are there.
        """
        names, there = dict(self.tables), list(tables)
        gone = [each for each, name in names.items() if not name and each not in there]
        for each in there:
            if each not in names and len(names) >= MAX_TABLES and gone:
                del names[gone.pop(0)]
            if len(names) < MAX_TABLES:
                names.setdefault(each, "")
        return self if names.keys() == self.tables.keys() else replace(self, tables=names)


@dataclass(frozen=True, slots=True)
class ClubTable:
    """Table of the club, with all games that its scanner sends.

    Attributes:
        table: Identifier of the scanner; empty for the own one.
        games: Games, in any order.
        is_online: True if its scanner is connected.
        clock_ahead: Time that its clock is ahead of the own one, as far as that was seen.
        last_message: Time of its last message; None for the own table.
    """

    table: str
    games: tuple[ClubGame, ...]
    is_online: bool = True
    clock_ahead: timedelta = timedelta()
    last_message: datetime | None = None


@dataclass(frozen=True, slots=True)
class EveningGames:
    """Games of an evening.

    Attributes:
        games: Games in the order in which they were played, by the clock of this computer.
        untimed: Number of games that count by a clock that was not set.
    """

    games: tuple[ClubGame, ...]
    untimed: int


def evening_games(evening: Evening, tables: Iterable[ClubTable], now: datetime) -> EveningGames:
    """Return the games that count, each once.

    If the evening has a start, games count whose number is higher than the last one of their table
    at the start. Without a start, and for a scanner that joined later, the time of the game
    decides. Games of one table are ordered by number. A date in the future counts as now.
    """
    found: dict[tuple[str, int], ClubGame] = {}
    untimed = 0
    begin = evening.started or now - timedelta(hours=evening.hours)
    for table in tables:
        mark = evening.marks.get(table.table) if evening.started else None
        latest = max((game.seq for game in table.games), default=0)
        if mark is not None and latest < mark:  # its history was begun anew
            mark = None
        last = datetime.min.replace(tzinfo=UTC)
        for game in sorted(table.games, key=lambda each: each.seq):
            at = min(_shifted(game.at, table.clock_ahead), now)
            if not (game.seq > mark if mark is not None else at >= begin):
                continue
            untimed += mark is None and not game.is_time_known
            last = max(last, at, begin) if mark is not None else max(last, at)
            found[table.table, game.seq] = replace(game, at=last)
    games = sorted(found.values(), key=lambda each: (each.at, each.table, each.seq))
    return EveningGames(tuple(games), untimed)


def _shifted(at: datetime, ahead: timedelta) -> datetime:
    try:
        return at - ahead
    except OverflowError:  # a clock of the year 1 or 9999
        return at


def load_evening(folder: Path) -> Evening:
    """Return the stored evening; the default one if there is no file, or a damaged one."""
    path = folder / FILE_NAME
    try:
        content = msgspec.json.decode(read_start(path, _MAX_BYTES), type=_EveningShape)
    except OSError:
        return Evening()
    except (RecursionError, msgspec.DecodeError, UnicodeDecodeError):
        set_aside(path)
        return Evening()
    started = None
    if content.started is not None and content.started.tzinfo is not None:
        with suppress(OverflowError):  # of the year 1 or 9999
            started = content.started.astimezone(UTC)
    hours = content.hours if content.hours in HOURS else DEFAULT_HOURS
    return Evening(content.name, content.scoring, hours, started, content.marks, content.tables)


def change_evening(folder: Path, change: Callable[[Evening], Evening]) -> Evening:
    """Store the evening after a change; any thread may call this, no change is lost.

    Args:
        folder: Folder of the user's files.
        change: Function that returns the changed evening, or the same one to store nothing.

    Returns:
        Changed evening.

    Raises:
        OutputError: ``file-not-writable``.
    """
    with _change_lock:
        evening = load_evening(folder)
        changed = change(evening)
        if changed is not evening:
            store_evening(folder, changed)
        return changed


def store_evening(folder: Path, evening: Evening) -> None:
    """Store an evening.

    Raises:
        OutputError: ``file-not-writable``.
    """
    values = {
        "name": evening.name,
        "scoring": evening.scoring.value,
        "hours": evening.hours,
        "started": None if evening.started is None else evening.started.isoformat(),
        "marks": dict(evening.marks),
        "tables": dict(evening.tables),
    }
    write_safely(folder / FILE_NAME, json_text(values, indent=2).encode())
