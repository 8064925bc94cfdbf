"""What can be wrong with what the appliance remembers.

OutputError
└── NotSavedError   a scan or photo could not be stored; whoever has it still has it
UsageError
└── HistoryError    the history cannot be read, or does not have what is asked for
"""

import errno
import os
import sqlite3

from firmware.base.errors import OutputError, UsageError
from vision.errors import Message


class NotSavedError(OutputError):
    """A scan or photo could not be stored; whoever has it still has it and may try again.

    The code is ``not-saved-disk-full``, ``not-saved-read-only`` or ``not-saved`` for all else.
    """


class HistoryError(UsageError):
    """The history cannot be read, or does not have what is asked for."""


def unknown_scan(seq: int) -> HistoryError:
    """There is no scan of this number."""
    return HistoryError(
        "unknown-scan", "there is no such game: see stadtblick history", f"scan {seq}"
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
    """Whether SQLite says that the file is damaged, or none of its own."""
    return _name(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_disk_full(error: Exception) -> bool:
    """Whether there is no room left, says SQLite or the operating system."""
    return _name(error) in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT")


def not_saved(error: Exception, where: str) -> NotSavedError:
    """What a failed attempt to store something says to a person."""
    name = _name(error)
    if is_disk_full(error):
        code = "not-saved-disk-full"
        what = Message(
            "not saved, the disk is full: delete what is not needed, or use a larger card"
        )
    elif name in ("EROFS", "EACCES", "EPERM") or name.startswith(
        ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
    ):
        code = "not-saved-read-only"
        what = Message(
            "not saved, the disk cannot be written: check the permissions, or use another card "
            "if it has become read-only by itself"
        )
    else:
        code = "not-saved"
        why = os.strerror(getattr(errno, name)) if hasattr(errno, name) else name
        what = Message(
            "not saved, the disk failed ({why}): try again", why=why or type(error).__name__
        )
    return NotSavedError(code, what, where)


def _name(error: Exception) -> str:
    """What SQLite or the operating system calls an error or the one behind it, like ``ENOSPC``."""
    for one in (error, error.__cause__):
        if isinstance(one, sqlite3.Error):
            return getattr(one, "sqlite_errorname", "")
        if isinstance(one, OSError) and one.errno is not None:
            return errno.errorcode.get(one.errno, "")
    return ""
