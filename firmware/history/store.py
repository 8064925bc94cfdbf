"""Scans and photos of the appliance, in one folder."""

import dataclasses
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from firmware.base.errors import OutputError
from firmware.base.problem import Problem
from firmware.base.user_data import write_safely
from firmware.history import player_names
from firmware.history.clock import Moment, WallTime, wall_time
from firmware.history.database import COLUMNS, DELETED, UNDATED, Database, has_table
from firmware.history.errors import (
    HistoryError,
    damaged_scan,
    not_saved,
    unknown_player,
    unknown_scan,
)
from firmware.history.photos import PhotoRing
from firmware.history.record import ScanRecord, StoredScan, in_order_played

FILE_NAME: Final = "history.sqlite"
PHOTOS_FOLDER: Final = "photos"
BYTES_PER_MB: Final = 1_000_000
MOST_DELETED: Final = 20
"""Number of deleted scans that can be brought back; the ones deleted first are forgotten."""

_NAMES: Final = ", ".join(COLUMNS)
_ALL: Final = f"SELECT seq, {_NAMES} FROM scans"  # noqa: S608 - names of our own
_SHEETS: Final = _ALL.replace('"reading", "table"', "'{}', '{}'").replace(
    '"patches", "replaced"', "'{}', NULL"
)
"""Query without the columns that are only needed to open a scan; they take the most time."""
_INSERT: Final = f"INSERT INTO scans ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_WITH_NAME: Final = f"""
    {_ALL} WHERE instr(scans."table" || coalesce(was, '') || coalesce(replaced, ''), ?)
"""
_PLAYER_NAMES: Final = """
    SELECT value FROM scans, json_each(scans."table", '$.players')
    WHERE json_valid(scans."table") AND json_each.type = 'text'
    GROUP BY value ORDER BY COUNT(*) DESC, MAX(seq) DESC
"""
_AS_JSON: Final = (
    "health",
    "corrections",
    "reading",
    "table",
    "sheet",
    "was",
    "patches",
    "replaced",
)
_TIME_COLUMNS: Final = 2
"""Number of leading columns that stay when a scan is replaced."""
_UPDATE: Final = f"UPDATE scans SET {' = ?, '.join(COLUMNS[_TIME_COLUMNS:])} = ? WHERE seq = ?"  # noqa: S608


class History:
    """Scans and photos of one folder; nothing is opened before it is needed.

    One object serves the whole process. Any thread may call any method: each is one transaction,
    and waits for the one before.

    A disk that is full or cannot be written does no harm: what is stored stays, the caller keeps
    what is not stored (``NotSavedError``), and the next attempt may succeed.

    Args:
        folder: Folder of the user's own things.
        photos_max: Largest number of photos; 0 keeps none.
        photos_max_mb: Largest size of all photos together, in megabytes.
        photos_max_days: Largest age of photos in days; 0 for any age.
        clock: Function that tells the time.
    """

    def __init__(
        self,
        folder: Path,
        *,
        photos_max: int = 200,
        photos_max_mb: int = 500,
        photos_max_days: int = 0,
        clock: Callable[[], WallTime] = wall_time,
    ) -> None:
        self._photos = PhotoRing(folder / PHOTOS_FOLDER, photos_max, photos_max_mb * BYTES_PER_MB)
        self._database = Database(folder / FILE_NAME, make_room=self._photos.drop_oldest)
        self._clock = clock
        self._photos_max_days = photos_max_days

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Problems met while the file was opened."""
        return self._database.warnings

    def prepare(self) -> None:
        """Open the file for writing, or begin one, and drop photos beyond the limits.

        A damaged file is set aside and a new one begun. Never fails: problems stand in
        ``warnings``, and the next change tries again.
        """
        self._database.open_or_warn()
        self._photos.tidy()
        self._drop_old_photos()

    def add(self, record: ScanRecord, at: WallTime | None = None) -> int:
        """Store a scan; on a full disk some of the oldest photos give way.

        Args:
            record: Values of the scan.
            at: Time of the scan; None for now.

        Returns:
            Sequence number.

        Raises:
            NotSavedError: Nothing was changed.
        """
        now = self._clock()
        at = (at or now).dated_by(now)
        row = _row_of(record, at)

        def insert(connection: sqlite3.Connection) -> int:
            seq = connection.execute(_INSERT, row).lastrowid
            assert seq is not None  # noqa: S101 - an INSERT has one
            if not at.known and at.moment is not None:
                _note_undated(connection, seq, at.moment)
            return seq

        return self._database.apply(insert)

    def replace(self, seq: int, record: ScanRecord) -> None:
        """Store a scan again after further corrections; number, time and ``replaced`` stay.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        self._overwrite(seq, dataclasses.replace(record, replaced=self.get(seq).record.replaced))

    def _overwrite(self, seq: int, record: ScanRecord) -> None:
        """Store a record in the place of another one; number and time stay.

        Photos that no record refers to any more are removed.
        """
        row = _row_of(record, self._clock())[_TIME_COLUMNS:]

        def overwrite(connection: sqlite3.Connection) -> set[str] | None:
            before = _photos_used(connection)
            if not connection.execute(_UPDATE, (*row, seq)).rowcount:
                return None
            return before - _photos_used(connection)

        unused = self._database.apply(overwrite)
        if unused is None:
            raise unknown_scan(seq)
        self._remove_photos(unused)

    def _remove_photos(self, names: set[str]) -> None:
        for name in names:
            with suppress(OSError):  # it gives way later, as the oldest one
                self._photos.remove(name)

    def correct(self, seq: int, record: ScanRecord) -> None:
        """Store later corrections; the earlier result, photo and health stay.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        self.replace(seq, self.get(seq).record.corrected_later(record))

    def update(self, seq: int, record: ScanRecord) -> None:
        """Store a further scan of the same table; it replaces the earlier scan and keeps it.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        self._overwrite(seq, self.get(seq).record.updated(record))

    def take_back(self, seq: int) -> None:
        """Undo the last ``update`` of a scan; delete a scan that was never updated.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        replaced = self.get(seq).record.replaced
        if replaced is None:
            self.delete([seq])
            return
        try:
            record = msgspec.convert(replaced, ScanRecord)
        except msgspec.ValidationError as error:
            raise damaged_scan(seq, str(self._database.path)) from error
        self._overwrite(seq, record)

    def delete_photos(self) -> None:
        """Delete all photos; the scans stay.

        Raises:
            NotSavedError: The card cannot be written; some photos may be left.
        """
        try:
            self._photos.remove_all()
        except OSError as error:
            raise not_saved(error, str(self._photos.folder)) from error

    def delete(self, seqs: Sequence[int]) -> None:
        """Delete scans and their photos; none if one of the numbers is unknown.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: The disk cannot be written; nothing is deleted.
        """
        known = set(self.numbers())
        for seq in seqs:
            if seq not in known:
                raise unknown_scan(seq)

        def remove(connection: sqlite3.Connection) -> set[str]:
            before = _photos_used(connection)
            for seq in seqs:
                connection.execute("DELETE FROM scans WHERE seq = ?", (seq,))
            return before - _photos_used(connection)

        self._remove_photos(self._database.apply(remove))

    def discard(self, seq: int) -> None:
        """Delete a scan so that it can be brought back; its photo stays meanwhile.

        Of ``MOST_DELETED`` such scans the first ones are forgotten with their photos.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: The disk cannot be written; nothing is deleted.
        """

        def move(connection: sqlite3.Connection) -> set[str] | None:
            before = _photos_used(connection)
            # Like the other table, but numbers are given there
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS {DELETED} AS SELECT * FROM scans WHERE FALSE"  # noqa: S608
            )
            if not _moved(connection, seq, "scans", DELETED):
                return None
            connection.execute(
                f"DELETE FROM {DELETED} WHERE rowid NOT IN "  # noqa: S608 - names of our own
                f"(SELECT rowid FROM {DELETED} ORDER BY rowid DESC LIMIT {MOST_DELETED})"
            )
            return before - _photos_used(connection)

        unused = self._database.apply(move)
        if unused is None:
            raise unknown_scan(seq)
        self._remove_photos(unused)

    def restore(self, seq: int) -> None:
        """Bring a scan back that was discarded; it has its number again.

        Raises:
            HistoryError: ``unknown-scan``: It was not discarded, or is forgotten.
            NotSavedError: It stays deleted.
        """

        def move(connection: sqlite3.Connection) -> bool:
            return has_table(connection, DELETED) and _moved(connection, seq, DELETED, "scans")

        if not self._database.apply(move):
            raise unknown_scan(seq)

    def discarded(self) -> list[StoredScan]:
        """Return the scans that can be brought back, the one deleted last first.

        Raises:
            HistoryError: The history cannot be read, as for ``readable``.
        """
        found: list[StoredScan] = []
        with self._database.reading() as connection:
            if has_table(connection, DELETED):
                query = _SHEETS.replace("FROM scans", f"FROM {DELETED}")
                for row in connection.execute(f"{query} ORDER BY rowid DESC"):
                    with suppress(HistoryError):
                        found.append(_scan_of(row, str(self._database.path)))
        return found

    def forget_discarded(self) -> None:
        """Delete for good what could be brought back, with the photos.

        Raises:
            NotSavedError: The disk cannot be written; nothing is deleted.
        """

        def forget(connection: sqlite3.Connection) -> set[str]:
            before = _photos_used(connection)
            connection.execute(f"DROP TABLE IF EXISTS {DELETED}")
            return before - _photos_used(connection)

        self._remove_photos(self._database.apply(forget))

    def set_names(self, seq: int, names: Sequence[str]) -> None:
        """Give the players of a game their names, in seat order.

        Args:
            seq: Sequence number of the game.
            names: Names; ``""`` for a seat without one, and seats at the end may be left out.

        Raises:
            HistoryError: ``game-without-names``, ``names-not-allowed``, ``unknown-scan`` or
                ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        self._overwrite(seq, player_names.with_names(self.get(seq).record, names))

    def set_time(self, seq: int, at: WallTime) -> None:
        """Say when a game was played.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: It is stored as before.
        """

        def update(connection: sqlite3.Connection) -> bool:
            if has_table(connection, UNDATED):
                connection.execute(f"DELETE FROM {UNDATED} WHERE seq = ?", (seq,))  # noqa: S608
            return _put_time(connection, "scans", seq, at)

        if not self._database.apply(update):
            raise unknown_scan(seq)

    def date_games(self) -> int:
        """Date the games that were stored in this run of the computer before the time was known.

        Returns:
            Number of games; 0 while the time is not known.

        Raises:
            HistoryError: The history cannot be read, as for ``readable``.
            NotSavedError: Nothing was changed.
        """
        now = self._clock()
        with self._database.reading() as connection:
            if not now.known or not has_table(connection, UNDATED):
                return 0

        def date(connection: sqlite3.Connection) -> int:
            tables = [name for name in ("scans", DELETED) if has_table(connection, name)]
            changed = 0
            for seq, boot, since_s in connection.execute(f"SELECT * FROM {UNDATED}").fetchall():  # noqa: S608
                at = WallTime(now.utc, known=False, moment=Moment(boot, since_s)).dated_by(now)
                if at.known:
                    changed += any(_put_time(connection, table, seq, at) for table in tables)
            connection.execute(f"DROP TABLE {UNDATED}")  # others are of runs that nobody can date
            return changed

        return self._database.apply(date)

    def rename_player(self, old: str, new: str) -> int:
        """Call a player otherwise in all games; if somebody is called so, both become one.

        Returns:
            Number of games that were changed.

        Raises:
            HistoryError: ``unknown-player``, ``players-together`` or ``name-not-allowed``.
            NotSavedError: Nothing was changed.
        """
        wanted = player_names.check_name(new)

        def rename(connection: sqlite3.Connection) -> int:
            # Names are stored as ``json.dumps`` writes them
            changed = 0
            for row in connection.execute(_WITH_NAME, (json.dumps(old),)).fetchall():
                try:
                    scan = _scan_of(row, str(self._database.path))
                except HistoryError:  # a damaged one stays as it is
                    continue
                record = player_names.with_name_replaced(scan.record, old, wanted)
                values = _row_of(record, scan.at)[_TIME_COLUMNS:]
                connection.execute(_UPDATE, (*values, scan.seq))
                changed += old in (scan.record.table.get("players") or ())
            return changed

        if old not in self.player_names():
            raise unknown_player(old)
        return 0 if old == wanted else self._database.apply(rename)

    def numbers_by_date(self) -> list[int]:
        """Return the numbers of all scans, the game that was played last first.

        A game without a date stands behind the one that was stored before it.

        Raises:
            HistoryError: The history cannot be read, as for ``readable``.
        """
        with self._database.reading() as connection:
            rows = connection.execute("SELECT seq, at_utc, time_known FROM scans")
            return in_order_played((seq, at if known else "") for seq, at, known in rows)[::-1]

    def readable(
        self, limit: int | None = None, *, sheets_only: bool = False
    ) -> tuple[list[StoredScan], list[HistoryError]]:
        """Return the scans that can be read, latest first, and the errors of the others.

        Args:
            limit: Largest number of scans, damaged ones included; None for all.
            sheets_only: True to leave readings and tables empty, which is quicker.

        Raises:
            HistoryError: ``history-too-new``, ``history-damaged`` or ``history-unreadable``.
        """
        scans: list[StoredScan] = []
        damaged: list[HistoryError] = []
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{_SHEETS if sheets_only else _ALL} ORDER BY seq DESC LIMIT ?",
                (-1 if limit is None else limit,),
            )
            for row in rows:
                try:
                    scans.append(_scan_of(row, str(self._database.path)))
                except HistoryError as error:
                    damaged.append(error)
        return scans, damaged

    def numbers(self) -> list[int]:
        """Return the sequence numbers of all scans in order, damaged ones included.

        Raises:
            HistoryError: The history cannot be read, as for ``readable``.
        """
        with self._database.reading() as connection:
            return [seq for (seq,) in connection.execute("SELECT seq FROM scans ORDER BY seq")]

    def player_names(self) -> list[str]:
        """Return the names of players of stored tables, most frequent first, then latest first.

        Raises:
            HistoryError: The history cannot be read, as for ``readable``.
        """
        with self._database.reading() as connection:
            return [name for (name,) in connection.execute(_PLAYER_NAMES)]

    def get(self, seq: int) -> StoredScan:
        """Return a scan by its sequence number.

        Raises:
            HistoryError: ``unknown-scan``, or as ``readable``.
        """
        with self._database.reading() as connection:
            # More than 64 bits is no number of SQLite's
            number = seq if abs(seq) < 2**63 else 0
            row = connection.execute(f"{_ALL} WHERE seq = ?", (number,)).fetchone()
        if row is None:
            raise unknown_scan(seq)
        return _scan_of(row, str(self._database.path))

    def keep_photo(self, jpeg: bytes) -> str | None:
        """Keep a photo; the oldest ones give way to it.

        Returns:
            Its name, for ``ScanRecord.photo``; None: no photos are to be kept, or none so large.

        Raises:
            NotSavedError: it was not stored.
        """
        with self._database.lock:
            self._drop_old_photos()
            try:
                return self._photos.add(jpeg, after=self._last_photo())
            except OutputError as error:
                raise not_saved(error, error.where) from error

    def photo_path(self, name: str | None) -> Path | None:
        """Return the path of a photo; None if it is not kept."""
        return None if name is None else self._photos.path_of(name)

    def thumbnail(
        self, photo: str, number: int, make: Callable[[Path], bytes | None]
    ) -> bytes | None:
        """Return a small picture out of a photo, which is made once and kept as long as the photo.

        Args:
            photo: Name of the photo.
            number: Number of the picture, such as the index of a city.
            make: Function that makes it of the file of the photo, as JPEG.

        Returns:
            Picture; None without the photo, or if it cannot be made.
        """
        path = self.photo_path(photo)
        if path is None:
            return None
        small = self._photos.thumbnail_path(photo, number)
        with suppress(OSError):
            return small.read_bytes()
        made = make(path)
        if made is not None:
            with suppress(OutputError):  # it is made again the next time
                write_safely(small, made)
        return made

    def close(self) -> None:
        """Close the file; a second call does nothing, a later use opens it again."""
        self._database.close()

    def _drop_old_photos(self) -> None:
        """Remove photos beyond their largest age, as far as the dates are known."""
        now = self._clock()
        if not (self._photos_max_days and now.known):
            return
        oldest = WallTime(now.utc - timedelta(days=self._photos_max_days), known=True)
        with suppress(HistoryError, OSError), self._database.reading() as connection:
            for name in _photos_used(connection, f"time_known AND at_utc < '{oldest.iso}'"):
                self._photos.remove(name)

    def _last_photo(self) -> str | None:
        with suppress(HistoryError), self._database.reading() as connection:
            return max(_photos_used(connection), key=lambda name: (len(name), name), default=None)
        return None


def _note_undated(connection: sqlite3.Connection, seq: int, moment: Moment) -> None:
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {UNDATED} (seq INTEGER PRIMARY KEY, boot TEXT, since_s REAL)"
    )
    values = (seq, moment.boot, moment.since_s)
    connection.execute(f"INSERT INTO {UNDATED} VALUES (?, ?, ?)", values)  # noqa: S608


def _put_time(connection: sqlite3.Connection, table: str, seq: int, at: WallTime) -> bool:
    """Store the time of a scan; return False if it is not in the table."""
    query = f"UPDATE {table} SET at_utc = ?, time_known = ? WHERE seq = ?"  # noqa: S608
    return bool(connection.execute(query, (at.iso, int(at.known), seq)).rowcount)


def _moved(connection: sqlite3.Connection, seq: int, of: str, to: str) -> bool:
    """Move a scan from one table to another; return False if it is not in the first one."""
    columns = f"seq, {_NAMES}"
    number = seq if abs(seq) < 2**63 else 0  # more than 64 bits is no number of SQLite's
    connection.execute(
        f"INSERT INTO {to} ({columns}) SELECT {columns} FROM {of} WHERE seq = ?",  # noqa: S608
        (number,),
    )
    return bool(connection.execute(f"DELETE FROM {of} WHERE seq = ?", (number,)).rowcount)  # noqa: S608


def _photos_used(connection: sqlite3.Connection, which: str = "TRUE") -> set[str]:
    """Return the names of the photos of scans, and of the scans that they replaced.

    Scans that can be brought back count.
    """
    tables = ("scans", DELETED) if has_table(connection, DELETED) else ("scans",)
    found: set[str] = set()
    for table in tables:
        rows = connection.execute(
            f"SELECT photo FROM {table} WHERE {which} UNION "  # noqa: S608
            f"SELECT json_extract(replaced, '$.photo') FROM {table} "
            f"WHERE json_valid(replaced) AND {which}"
        )
        found |= {str(name) for (name,) in rows if name is not None}
    return found


def _row_of(record: ScanRecord, at: WallTime) -> tuple[object, ...]:
    """Return the values of a row, in the order of ``COLUMNS``."""
    plain = (str, int, type(None))
    values = (getattr(record, one.name) for one in dataclasses.fields(record))
    kept = (value if isinstance(value, plain) else json.dumps(value) for value in values)
    return (at.iso, int(at.known), *kept)


def _scan_of(row: Sequence[Any], where: str) -> StoredScan:
    """Return the scan of a row, which begins with its sequence number.

    Raises:
        HistoryError: ``scan-damaged``.
    """
    seq, at_utc, known, *kept = row
    try:
        values = dict(zip((one.name for one in dataclasses.fields(ScanRecord)), kept, strict=True))
        texts = {name: json.loads(values[name]) for name in _AS_JSON if values[name] is not None}
        record = msgspec.convert(values | texts, ScanRecord)
        utc = datetime.fromisoformat(at_utc).astimezone(UTC)
        return StoredScan(int(seq), WallTime(utc, bool(known)), record)
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError) as error:
        raise damaged_scan(seq, where) from error
