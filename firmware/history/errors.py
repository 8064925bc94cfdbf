"""Errors of the history.

OutputError
└── NotSavedError   a scan or photo was not stored; the caller still has it
UsageError
└── HistoryError    the history cannot be read, or has no scan of this number
"""

import errno
import sqlite3

from firmware.base.errors import OutputError, UsageError, system_reason
from vision.message import Message


class NotSavedError(OutputError):
    """Failure to store a scan or photo; the caller still has it and may try again.

    The code is ``not-saved-disk-full``, ``not-saved-read-only`` or ``not-saved`` for all else.
    """


class HistoryError(UsageError):
    """History that cannot be read, or that has no scan of a number."""


def unknown_scan(seq: int) -> HistoryError:
    """Return the error ``unknown-scan`` of a number that no scan has."""
    return HistoryError(
        "unknown-scan",
        "there is no such game: see stadtblick history",
        Message("game {seq}", seq=seq),
    )


def unknown_player(name: str) -> HistoryError:
    """Return the error ``unknown-player`` of a name that nobody in a stored game has."""
    return HistoryError(
        "unknown-player",
        "no stored game has a player called {name}: see stadtblick history stats",
        Message("player"),
        name=name,
    )


def damaged_scan(seq: int, where: str) -> HistoryError:
    """Return the error ``scan-damaged`` of a scan that cannot be read."""
    return HistoryError(
        "scan-damaged",
        "game {seq} is damaged: delete it with stadtblick history delete {seq}",
        where,
        seq=seq,
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether SQLite reports a file that is damaged or no database."""
    return _name(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_disk_full(error: Exception) -> bool:
    """Return whether SQLite or the operating system reports a full disk."""
    return _name(error) in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT")


def not_saved(error: Exception, where: str) -> NotSavedError:
    """Return the error for a person of a failed attempt to store something."""
    name = _name(error)
    if is_disk_full(error):
        code = "not-saved-disk-full"
        message = Message(
            "not saved, the disk is full: delete what is not needed, or use a larger card"
        )
    elif name in ("EROFS", "EACCES", "EPERM") or name.startswith(
        ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
    ):
        code = "not-saved-read-only"
        message = Message(
            "not saved, the disk cannot be written: check the permissions, or use another card "
            "if it has become read-only by itself"
        )
    else:
        code = "not-saved"
        why = system_reason(OSError(getattr(errno, name), "")) if hasattr(errno, name) else name
        message = Message(
            "not saved, the disk failed ({why}): try again", why=why or type(error).__name__
        )
    return NotSavedError(code, message, where)


def _name(error: Exception) -> str:
    """Return the name of an error, or of its cause, such as ``ENOSPC``; empty if it has none."""
    for one in (error, error.__cause__):
        if isinstance(one, sqlite3.Error):
            return getattr(one, "sqlite_errorname", "")
        if isinstance(one, OSError) and one.errno is not None:
            return errno.errorcode.get(one.errno, "")
    return ""
