"""Open and read a regular file by a name from outside, without blocking on pipes or devices."""

import os
import stat
from typing import BinaryIO

from vision.message import Message

AnyPath = str | os.PathLike[str]


class NotAFileError(OSError):
    """Named pipe or device where a regular file is expected."""

    def __init__(self) -> None:
        super().__init__(0, Message("this is a device or pipe"))


NO_FILE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, NotAFileError)
"""Errors for a path at which there is no file."""


def open_file(path: AnyPath) -> BinaryIO:
    """Open a regular file for reading.

    Raises:
        NotAFileError: It is a named pipe or a device.
        OSError: It cannot be opened; a folder is an ``IsADirectoryError``.
    """
    file = open(path, "rb", opener=_open_without_waiting)  # noqa: SIM115 - the caller closes it
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NotAFileError


def read_start(path: AnyPath, most_bytes: int) -> bytes:
    """Read the content of a file, at most its first ``most_bytes``.

    Raises:
        NotAFileError: It is a named pipe or a device.
        OSError: It cannot be read; a folder is an ``IsADirectoryError``.
    """
    with open_file(path) as file:
        return file.read(most_bytes)


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
