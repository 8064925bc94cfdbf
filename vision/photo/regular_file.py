"""Read a file that somebody has named: it may be anything, and nothing may be waited for."""

import os
import stat
from typing import BinaryIO

AnyPath = str | os.PathLike[str]


class NotAFileError(OSError):
    """What has this name is a named pipe or a device."""

    def __init__(self) -> None:
        super().__init__(0, "this is no file")


NO_FILE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, NotAFileError)
"""Errors for a name that no file has."""


def open_file(path: AnyPath) -> BinaryIO:
    """Open a file for reading; a pipe into which nobody writes is not waited for.

    Raises:
        NotAFileError: it is a named pipe or a device.
        OSError: it cannot be opened; a folder is an ``IsADirectoryError``.
    """
    file = open(path, "rb", opener=_open_without_waiting)  # noqa: SIM115 - the caller closes it
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NotAFileError


def read_start(path: AnyPath, most_bytes: int) -> bytes:
    """The content of a file, or the beginning of one that is larger.

    Raises:
        NotAFileError: it is a named pipe or a device.
        OSError: it cannot be read; a folder is an ``IsADirectoryError``.
    """
    with open_file(path) as file:
        return file.read(most_bytes)


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
