"""What can be wrong with what the appliance remembers.

OutputError
└── NotSavedError   a scan or photo could not be stored; whoever has it still has it
UsageError
└── HistoryError    the history cannot be read, or does not have what is asked for
"""

import errno
import sqlite3
from dataclasses import dataclass

from firmware.errors import OutputError, UsageError, error_line


class NotSavedError(OutputError):
    """A scan or photo could not be stored; whoever has it still has it and may try again.

    The code is ``not-saved-disk-full``, ``not-saved-read-only`` or ``not-saved`` for all else.
    """


class HistoryError(UsageError):
    """The history cannot be read, or does not have what is asked for."""


@dataclass(frozen=True, slots=True)
class HistoryWarning:
    """Something that happened to the history while it was opened.

    Attributes:
        code: short stable identifier.
        message: one line saying what happened, then after a colon what to do.
        where: the file.
    """

    code: str
    message: str
    where: str

    @property
    def line(self) -> str:
        """All of it in one line, as errors are shown."""
        return error_line(UsageError(self.code, self.message, self.where))


def unknown_scan(seq: int) -> HistoryError:
    """There is no scan of this number."""
    return HistoryError(
        "unknown-scan", "there is no such scan: see stadtblick history", f"scan {seq}"
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file is damaged, or none of its own."""
    return _name(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_disk_full(error: Exception) -> bool:
    """Whether there is no room left, says SQLite or the operating system."""
    if isinstance(error, sqlite3.Error):
        return _name(error) in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE")
    return _errno(error) in (errno.ENOSPC, errno.EDQUOT)


def not_saved(error: Exception, where: str) -> NotSavedError:
    """What a failed attempt to store something says to a person."""
    if is_disk_full(error):
        return NotSavedError(
            "not-saved-disk-full",
            "not saved, the disk is full: delete what is not needed, or use a larger card",
            where,
        )
    if _is_read_only(error):
        return NotSavedError(
            "not-saved-read-only",
            "not saved, the disk cannot be written: check the permissions, or use another card "
            "if it has become read-only by itself",
            where,
        )
    system = _system_error(error)
    why = (system and system.strerror) or getattr(error, "sqlite_errorname", type(error).__name__)
    return NotSavedError("not-saved", f"not saved, the disk failed ({why}): try again", where)


def _is_read_only(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        name = _name(error)
        return name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"))
    return _errno(error) in (errno.EROFS, errno.EACCES, errno.EPERM)


def _name(error: sqlite3.Error) -> str:
    name: str = getattr(error, "sqlite_errorname", "")
    return name


def _errno(error: Exception) -> int | None:
    system = _system_error(error)
    return None if system is None else system.errno


def _system_error(error: Exception) -> OSError | None:
    """What the operating system said: this error, or the one behind it."""
    for one in (error, error.__cause__):
        if isinstance(one, OSError) and one.errno is not None:
            return one
    return None
