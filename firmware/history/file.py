"""The file of the history while it is in use: one connection that writes, and what goes wrong."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from firmware.history.database import open_for_reading, open_for_writing
from firmware.history.errors import (
    HistoryError,
    HistoryWarning,
    NotSavedError,
    is_damage,
    is_disk_full,
    not_saved,
)

T = TypeVar("T")

_MOST_TRIES: Final = 3
"""Of one change, while room is made for it or a damaged file is replaced."""


class HistoryFile:
    """Reads and changes the file, which may be done from several threads.

    Attributes:
        path: of the file.
        lock: held while it is used.
        warnings: what happened while it was opened.
    """

    def __init__(self, path: Path, *, make_room: Callable[[], bool]) -> None:
        """Nothing is opened yet.

        Args:
            path: of the file.
            make_room: is called where the disk is full; says whether there is more room now.
        """
        self.path = path
        self.lock = threading.RLock()
        self.warnings: tuple[HistoryWarning, ...] = ()
        self._make_room = make_room
        self._writer: sqlite3.Connection | None = None
        self._inode: int | None = None

    def open_or_warn(self) -> None:
        """Open the file for writing, or begin one; what is wrong becomes a warning."""
        try:
            self._open_writer()
        except HistoryError as error:
            self._warn(HistoryWarning(error.code, error.message, error.where))
        except (sqlite3.Error, OSError) as error:
            refusal = not_saved(error, str(self.path))
            self._warn(HistoryWarning(refusal.code, refusal.message, refusal.where))

    def changed(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Do something in one transaction, which is on the disk when it returns.

        Raises:
            NotSavedError: nothing was changed.
        """
        with self.lock:
            for tries_left in reversed(range(_MOST_TRIES)):
                try:
                    return _committed(self._open_writer(), change)
                except HistoryError as error:
                    raise NotSavedError("not-saved", error.message, error.where) from error
                except (sqlite3.Error, OSError) as error:
                    self.close()
                    if not tries_left or not self._may_succeed_now(error):
                        raise not_saved(error, str(self.path)) from error
        raise AssertionError("unreachable")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """A connection to read from; None: there is no file.

        Raises:
            HistoryError: ``history-too-new``, ``history-damaged`` or ``history-unreadable``.
        """
        with self.lock:
            connection = self._writer or open_for_reading(self.path)
            try:
                yield connection
            except sqlite3.Error as error:
                raise HistoryError(
                    "history-damaged" if is_damage(error) else "history-unreadable",
                    f"the history cannot be read ({error}): start the appliance anew",
                    str(self.path),
                ) from error
            finally:
                if connection is not None and connection is not self._writer:
                    connection.close()

    def close(self) -> None:
        """Close the file; more calls do nothing."""
        with self.lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                with suppress(sqlite3.Error):
                    writer.close()

    def _may_succeed_now(self, error: Exception) -> bool:
        """Make room where there was none; a damaged file is set aside when it is opened again."""
        if is_disk_full(error):
            return self._make_room()
        return isinstance(error, sqlite3.Error) and is_damage(error)

    def _open_writer(self) -> sqlite3.Connection:
        """The connection for writing; opened anew if the file has been replaced meanwhile."""
        if self._writer is not None and self._inode == _inode(self.path):
            return self._writer
        self.close()
        self._writer, moved = open_for_writing(self.path)
        self._inode = _inode(self.path)
        if moved is not None:
            message = f"the history was damaged, a new one was begun: it is kept as {moved.name}"
            where = str(self.path)
            self._warn(HistoryWarning(code="history-set-aside", message=message, where=where))
        return self._writer

    def _warn(self, warning: HistoryWarning) -> None:
        self.warnings = (*self.warnings, warning)


def _committed(connection: sqlite3.Connection, change: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = change(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise
    return result


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
