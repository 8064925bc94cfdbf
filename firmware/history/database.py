"""Database file of the history: open it, check it, set a damaged one aside.

SQLite in WAL mode with synchronous=FULL: after a power cut, all that was committed is there and
nothing else. The schema version stands in the file itself (``PRAGMA user_version``).
"""

import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from firmware.base.errors import FirmwareError
from firmware.base.language import N_
from firmware.base.problem import Problem
from firmware.base.user_data import set_aside
from firmware.history.errors import HistoryError, NotSavedError, is_damage, is_disk_full, not_saved
from firmware.history.record import ScanRecord
from vision.message import Message

T = TypeVar("T")

APPLICATION_ID: Final = 0x53744256
"""Number in the header of the file that marks it as one of ours."""

SCHEMA_VERSION: Final = 1
"""Version of the tables, in the header of the file. A later version would convert files of an older
one in ``_open_checked``."""

DELETED_TABLE: Final = "deleted_scans"
"""Table of the scans that were deleted and can be brought back; made with the first one."""

UNDATED_TABLE: Final = "undated_scans"
"""Table of the scans of a time that is not known yet: identifier of the boot and seconds since it;
made with the first one, dropped once the time is known."""

POSSIBLE_EARLIER_TABLE: Final = "possible_earlier_scans"
"""Table of the scans that may show the table of an earlier one, while nobody has said so; made with
the first one."""

RENAMED_TABLE: Final = "renamed_players"
"""Table of the players that were renamed last; made with the first one."""

IDENTITY_TABLE: Final = "identity"
"""Table with the identifier of the file, made at random."""

COLUMNS: Final = ("at_utc", "time_known", *(f'"{one.name}"' for one in fields(ScanRecord)))
"""Columns of a scan, besides its sequence number."""

_SQLITE_REASONS: Final = (
    N_("attempt to write a readonly database"),
    N_("database disk image is malformed"),
    N_("database is locked"),
    N_("disk I/O error"),
    N_("unable to open database file"),
)
"""SQLite's words for frequent errors, to be translated."""

_COMPANIONS: Final = ("-wal", "-shm", "-journal")
_BUSY_S: Final = 5.0
"""Longest time in seconds to wait for another process that writes."""
_MAX_WAL_BYTES: Final = 1_000_000
_MAX_TRIES: Final = 3
"""Attempts at one change, while room is made for it or a damaged file is replaced."""


class Database:
    """Database file, not open yet; any thread may use it, one at a time.

    Args:
        path: Path of the file.
        make_room: Function that is called when the disk is full; it returns whether there is more
            room now.

    Attributes:
        path: Path of the file.
        lock: Lock that is held while the file is used.
        warnings: Problems met while the file was opened.
    """

    def __init__(self, path: Path, make_room: Callable[[], bool]) -> None:
        self.path = path
        self.lock = threading.RLock()
        self.warnings: tuple[Problem, ...] = ()
        self._make_room = make_room
        self._writer: sqlite3.Connection | None = None
        self._inode: int | None = None
        self._seen: tuple[sqlite3.Connection, int] | None = None

    def open_or_warn(self) -> None:
        """Open the file for writing, or begin one; an error becomes a warning."""
        try:
            self._open_writer()
        except HistoryError as error:
            self._warn(error)
        except (sqlite3.Error, OSError) as error:
            self._warn(not_saved(error, str(self.path)))

    def apply(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run a change in one transaction, which is on the disk when this returns.

        On a full disk ``make_room`` is called, which deletes the oldest photo, and the change runs
        again, up to ``_MAX_TRIES`` times in all; so a change must be repeatable.

        Raises:
            NotSavedError: Nothing was changed.
            HistoryError: Raised by the change; nothing was changed.
        """
        with self.lock:
            for tries_left in reversed(range(_MAX_TRIES)):
                try:
                    return _commit(self._writer_for_change(), change)
                except NotSavedError:
                    raise
                except (sqlite3.Error, OSError) as error:
                    self.close()
                    if not tries_left or not self._try_to_recover(error):
                        raise not_saved(error, str(self.path)) from error
        raise AssertionError("unreachable")

    def was_changed_elsewhere(self) -> bool:
        """Return whether another program has changed the file since the last call.

        The first call returns False, as does any while the file is not open for writing.
        """
        with self.lock:
            connection = self._writer
            if connection is None:
                return False
            before, data_version = self._seen, _data_version(connection)
            self._seen = connection, data_version
            # A file that was opened again may have been changed meanwhile
            return before is not None and before != (connection, data_version)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection to read from; without a file it finds nothing.

        Raises:
            HistoryError: ``history-too-new``, ``history-damaged`` or ``history-unreadable``.
        """
        with self.lock:
            writer = self._writer if self._inode == _inode(self.path) else None
            connection = writer or _open_for_reading(self.path)
            try:
                yield connection
            except sqlite3.Error as error:
                raise HistoryError(
                    "history-damaged" if is_damage(error) else "history-unreadable",
                    "the past games cannot be read ({error}): restart the scanner",
                    str(self.path),
                    error=Message(str(error)),
                ) from error
            finally:
                if connection is not self._writer:
                    connection.close()

    def close(self) -> None:
        """Close the file; calling it again does nothing."""
        with self.lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                with suppress(sqlite3.Error):
                    writer.close()

    def _try_to_recover(self, error: Exception) -> bool:
        """Make room on a full disk; return whether another attempt may succeed.

        It may with a damaged file, too, which is set aside when it is opened again.
        """
        if is_disk_full(error):
            return self._make_room()
        return isinstance(error, sqlite3.Error) and is_damage(error)

    def _writer_for_change(self) -> sqlite3.Connection:
        try:
            return self._open_writer()
        except HistoryError as error:
            raise NotSavedError("not-saved", error.message, error.where) from error

    def _open_writer(self) -> sqlite3.Connection:
        """Return the connection for writing; open it again if the file was replaced meanwhile."""
        if self._writer is not None and self._inode == _inode(self.path):
            return self._writer
        self.close()
        self._writer, moved = _open_for_writing(self.path)
        self._inode = _inode(self.path)
        if moved is not None:
            self._warn(
                HistoryError(
                    "history-set-aside",
                    "the file of past games was damaged, a new one was begun: it is kept as {name}",
                    str(self.path),
                    name=moved.name,
                )
            )
        return self._writer

    def _warn(self, error: FirmwareError) -> None:
        self.warnings = (*self.warnings, Problem.of(error))


class _DamagedError(Exception):
    """File that is no usable history."""


def _open_for_writing(path: Path) -> tuple[sqlite3.Connection, Path | None]:
    """Open the file, or begin one; make its folder.

    Returns:
        Connection in autocommit mode, and the new path of a damaged file; None if the file was
        sound.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _refuse_non_files(path)
    with suppress(OSError):  # SQLite itself would let nobody else of the group write
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        return _open_checked(path), None
    except _DamagedError:
        moved = set_aside(path, _COMPANIONS)
    message = Message("the file of past games is damaged: move it away")
    if moved is not None:
        try:
            return _open_checked(path), moved
        except _DamagedError:
            message = Message(
                "the new file of past games is damaged as well: use another memory card"
            )
    raise HistoryError("history-damaged", message, str(path))


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Open the file without changing it.

    It works while the appliance writes to it, and on a card that cannot be written. Without a file
    the connection is to an empty database in memory.
    """
    _refuse_non_files(path)
    errors = []
    # Without write access the first mode fails, as WAL needs a file of locks; then nobody writes
    for mode in ("ro", "ro&immutable=1"):
        try:
            return _open_readable(path, mode)
        except sqlite3.Error as error:
            errors.append(error)
    if _is_damaged_or_foreign(errors[0]):
        code = "history-damaged"
        message = Message(
            "the file of past games is damaged: start the scanner, which begins a new one and "
            "keeps this one"
        )
    else:
        code = "history-unreadable"
        message = Message(
            "the past games cannot be read ({why}): check the permissions of the file",
            why=Message(str(errors[0])),
        )
    raise HistoryError(code, message, str(path)) from errors[0]


def _open_readable(path: Path, mode: str) -> sqlite3.Connection:
    if path.exists():
        with _closed_on_failure(_connect(path, mode)) as stored:
            if _check_schema_version(stored, path):
                _check_columns(stored)
                return stored
        stored.close()  # the power failed before the tables were created
    with _closed_on_failure(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        _create_tables(empty)
        return empty


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the schema version of a file; 0 if it has none yet."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes with each change by another connection."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether a file has a table of this name."""
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
    )
    return found.fetchone() is not None


def read_identity(connection: sqlite3.Connection) -> str:
    """Return the identifier of a file; empty if it has none, as it was never opened to write."""
    if not has_table(connection, IDENTITY_TABLE):
        return ""
    found: str = connection.execute(f"SELECT id FROM {IDENTITY_TABLE}").fetchone()[0]  # noqa: S608 - a name of our own
    return found


def _create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables that a file lacks, unless another process has just done it.

    Raises:
        sqlite3.Error: the file cannot be written, or has other tables.
    """
    if schema_version(connection) == 0 or not has_table(connection, IDENTITY_TABLE):
        _commit(connection, _create_in_transaction)


def _create_in_transaction(connection: sqlite3.Connection) -> None:
    if not has_table(connection, IDENTITY_TABLE):
        connection.execute(f"CREATE TABLE {IDENTITY_TABLE} (id TEXT NOT NULL)")
        connection.execute(f"INSERT INTO {IDENTITY_TABLE} VALUES (?)", (secrets.token_hex(8),))  # noqa: S608 - a name of our own
    if schema_version(connection):
        return
    # AUTOINCREMENT: the number of a deleted scan is not given again
    connection.execute(
        """
        CREATE TABLE scans (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at_utc TEXT NOT NULL,
            time_known INTEGER NOT NULL CHECK (time_known IN (0, 1)),
            game TEXT NOT NULL,
            variant TEXT NOT NULL,
            level INTEGER NOT NULL,
            edition TEXT NOT NULL,
            photo TEXT,
            health TEXT NOT NULL,
            corrections TEXT NOT NULL,
            reading TEXT NOT NULL,
            "table" TEXT NOT NULL,
            sheet TEXT NOT NULL,
            before_correction TEXT,
            eye_reading TEXT,
            unapplied_corrections TEXT NOT NULL,
            read_as TEXT NOT NULL,
            taken_over TEXT NOT NULL,
            own_names TEXT NOT NULL,
            patches TEXT NOT NULL,
            replaced TEXT
        )
        """
    )
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _commit(connection: sqlite3.Connection, change: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        return change(connection)


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _open_checked(path: Path) -> sqlite3.Connection:
    with _closed_on_failure(_connect(path, "rwc")) as connection:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA journal_size_limit = {_MAX_WAL_BYTES}")
            if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise _DamagedError
            _check_schema_version(connection, path)
            _create_tables(connection)
            _check_columns(connection)
        except sqlite3.Error as error:
            if _is_damaged_or_foreign(error):
                raise _DamagedError from error
            raise
        return connection


def _is_damaged_or_foreign(error: sqlite3.Error) -> bool:
    """Return whether a file is damaged, or its tables are not those of a history."""
    return is_damage(error) or getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR"


def _refuse_non_files(path: Path) -> None:
    """Refuse anything but files; SQLite would wait for ever at a named pipe."""
    for ending in ("", *_COMPANIONS):
        file = path.with_name(path.name + ending)
        if file.exists() and not file.is_file():
            raise HistoryError(
                "history-unreadable",
                "where the past games are kept lies something that is no file: move it away",
                str(file),
            )


def _check_schema_version(connection: sqlite3.Connection, path: Path) -> int:
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise HistoryError(
            "history-too-new",
            "a newer Stadtblick stored the past games (version {version}, only {known} is known): "
            "update Stadtblick",
            str(path),
            version=version,
            known=SCHEMA_VERSION,
        )
    return version


def _check_columns(connection: sqlite3.Connection) -> None:
    """Raise ``SQLITE_ERROR`` if the tables are not those of a history."""
    # SQLite takes a quoted name of no column for a string, unless the table stands before it
    names = ", ".join(f"scans.{name}" for name in ("seq", *COLUMNS))
    connection.execute(f"SELECT {names} FROM scans LIMIT 0")  # noqa: S608


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    return sqlite3.connect(
        uri, timeout=_BUSY_S, isolation_level=None, check_same_thread=False, uri=True
    )


def _inode(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_ino
    return None
