"""The file of the history: opened, checked, brought up to date; a damaged one is set aside.

SQLite in WAL mode with synchronous=FULL: what was committed stays, and what was not is not there,
whenever the power goes.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from firmware.history.errors import HistoryError, is_damage
from firmware.history.schema import MIGRATIONS, Migration, TooNewError, migrate, version_of
from firmware.set_aside import set_aside

_COMPANIONS: Final = ("-wal", "-shm", "-journal")
_BUSY_S: Final = 5.0
"""How long to wait for another process that writes."""
_MOST_WAL_BYTES: Final = 1_000_000

COLUMNS: Final = (
    "at_utc", "time_known", "game", "variant", "level", "edition", "photo", "health",
    "rescan_of", "corrections", "reading", '"table"', "sheet",
)  # fmt: skip
"""Of a scan, besides its sequence number."""


class _DamagedError(Exception):
    """The file is no history that can be used."""


def open_for_writing(
    path: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> tuple[sqlite3.Connection, Path | None]:
    """Open the file, or begin one; the folder is made.

    Args:
        path: of the file.
        migrations: for tests.

    Returns:
        The connection, in autocommit mode, and where a damaged file was moved to; None: the file
        was sound.

    Raises:
        HistoryError: ``history-too-new``, ``history-damaged`` if the file cannot be moved, or
            ``history-unreadable`` if it is none.
        sqlite3.Error: the disk fails or cannot be written.
        OSError: the folder cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _check_kinds(path)
    try:
        return _opened_sound(path, migrations), None
    except _DamagedError:
        moved = set_aside(path, _COMPANIONS)
    if moved is None:
        raise HistoryError(
            "history-damaged", "the history is damaged: move the file away", str(path)
        )
    try:
        return _opened_sound(path, migrations), moved
    except _DamagedError as error:
        raise HistoryError(
            "history-damaged", "a new history is damaged as well: use another card", str(path)
        ) from error


def open_for_reading(path: Path) -> sqlite3.Connection | None:
    """Open the file without changing it; None: there is none.

    It works while the appliance writes to it, and on a card that cannot be written.

    Raises:
        HistoryError: ``history-too-new``, ``history-damaged`` or ``history-unreadable``.
    """
    if not path.exists():
        return None
    _check_kinds(path)
    error: sqlite3.Error | None = None
    # Without write access the first kind fails, as WAL needs a file of locks; then nobody writes
    for kind in ("mode=ro", "mode=ro&immutable=1"):
        try:
            connection = _connected(f"file:{quote(str(path.absolute()))}?{kind}")
        except sqlite3.Error as failed:
            error = error or failed
            continue
        try:
            return _readable(connection, path)
        except sqlite3.Error as failed:
            connection.close()
            error = error or failed
        except BaseException:
            connection.close()
            raise
    assert error is not None  # noqa: S101 - for the type checker
    raise _not_readable(error, path) from error


def _check_kinds(path: Path) -> None:
    """Refuse what is no file; SQLite would wait for what nobody writes into a named pipe."""
    for ending in ("", *_COMPANIONS):
        file = path.with_name(path.name + ending)
        if file.exists() and not file.is_file():
            raise HistoryError(
                "history-unreadable",
                "where the history is kept lies something that is no file: move it away",
                str(file),
            )


def _readable(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    version = version_of(connection)
    if version > len(MIGRATIONS):
        raise _too_new(version, path)
    if version:
        _check_columns(connection)
        return connection
    connection.close()  # begun, and the power went
    empty = _connected(":memory:")
    migrate(empty)
    return empty


def _opened_sound(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    connection = _connected(f"file:{quote(str(path.absolute()))}?mode=rwc")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_MOST_WAL_BYTES}")
        _check_integrity(connection)
        migrate(connection, migrations)
        _check_columns(connection)
    except TooNewError as error:
        connection.close()
        raise _too_new(error.version, path) from error
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error) or getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR":
            raise _DamagedError from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _check_integrity(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise _DamagedError


def _check_columns(connection: sqlite3.Connection) -> None:
    """Fails with ``SQLITE_ERROR`` where the tables are none of ours."""
    connection.execute(f"SELECT seq, {', '.join(COLUMNS)} FROM scans LIMIT 0")  # noqa: S608


def _connected(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, timeout=_BUSY_S, isolation_level=None, check_same_thread=False, uri=True
    )


def _too_new(version: int, path: Path) -> HistoryError:
    return HistoryError(
        "history-too-new",
        f"a newer Stadtblick wrote the history (version {version}, only {len(MIGRATIONS)} is "
        "known): update Stadtblick",
        str(path),
    )


def _not_readable(error: sqlite3.Error, path: Path) -> HistoryError:
    if is_damage(error):
        return HistoryError(
            "history-damaged",
            "the history is damaged: start the appliance, which begins a new one and keeps this",
            str(path),
        )
    return HistoryError(
        "history-unreadable",
        f"the history cannot be read ({error}): check the permissions of the file",
        str(path),
    )
