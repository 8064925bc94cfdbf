"""Run a call of a C library and collect what it writes to standard error.

libjpeg says there alone that part of a picture was made up. The call runs in a thread of its own
with a table of file descriptors of its own (``unshare(CLONE_FILES)``), so that descriptor 2 of no
other thread is touched and calls need not wait for each other. Where the system refuses that, they
take turns and what other threads write meanwhile is passed on.
"""

import contextlib
import ctypes
import gc
import os
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_CLONE_FILES: Final = 0x400
_FIRST_OTHER: Final = 3
_LAST_OTHER: Final = 2**32 - 1
_MOST_UNCOLLECTED: Final = 50
"""Calls that overlap before garbage is collected between them."""
_MOST_BYTES: Final = 65536
"""What a pipe holds; the rest is dropped."""
_LIBRARY_LINES: Final = (
    "Corrupt JPEG data",
    "Premature end",
    "Inconsistent progression",
    "Invalid SOS",
    "Warning: unknown JFIF",
    "libpng ",
    "[ WARN",
    "[ERROR",
    "[ INFO",
)
"""Beginnings of the lines of libraries."""
_turn = threading.Lock()


def watched(call: Callable[[], T]) -> tuple[T, list[str]]:
    """Return what a call gives, and the lines of libraries that it wrote to standard error.

    Other lines are passed on.

    Args:
        call: Calls into C at once and uses no open files, which are closed in its thread.
    """
    reader, writer = os.pipe()
    try:
        os.set_blocking(writer, False)  # a full pipe drops the rest instead of blocking the call
        job = _Job(call, writer)
        thread = threading.Thread(target=job.run, name="decoder")
        with _collector:
            thread.start()
            thread.join()
        os.set_blocking(reader, False)
        written = b""
        with contextlib.suppress(BlockingIOError):
            written = os.read(reader, _MOST_BYTES)
    finally:
        os.close(reader)
        os.close(writer)
    lines = []
    for line in written.splitlines(keepends=True):
        text = line.decode("utf-8", "replace")
        if text.startswith(_LIBRARY_LINES):
            lines.append(text)
        else:
            with contextlib.suppress(OSError):
                os.write(2, line)
    return job.result(), lines


class _PausedCollector:
    """Garbage collector that rests while threads with descriptors of their own run.

    In such a thread it would close files and sockets of others in the wrong table, so that they
    stay open.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pauses = self._since_collected = 0
        self._resumes = False

    def __enter__(self) -> None:
        with self._lock:
            if self._pauses == 0:
                self._resumes, self._since_collected = gc.isenabled(), 0
                gc.disable()
            self._pauses += 1

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._pauses -= 1
            self._since_collected += 1
            if self._pauses == 0:
                if self._resumes:
                    gc.enable()
                return
            if self._since_collected < _MOST_UNCOLLECTED:
                return
            self._since_collected = 0
        gc.collect()  # calls follow each other without a break


_collector = _PausedCollector()


class _Job(Generic[T]):
    """A call with its outcome."""

    def __init__(self, call: Callable[[], T], writer: int) -> None:
        self._call = call
        self._writer = writer
        self._given: list[T] = []
        self._error: Exception | None = None

    def run(self) -> None:
        """Do it, with standard error led into the pipe."""
        try:
            if _has_own_descriptors(self._writer):
                self._given.append(self._call())
            else:
                self._given.append(_in_turn(self._call, self._writer))
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error

    def result(self) -> T:
        """Return what the call gave, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._given[0]


def _has_own_descriptors(writer: int) -> bool:
    """Give this thread a table of descriptors of its own, if the system allows it.

    It holds the first three alone, as what other threads close meanwhile is to be closed; standard
    error leads into the pipe.
    """
    library = ctypes.CDLL(None)
    unshare = getattr(library, "unshare", None)
    if unshare is None or unshare(_CLONE_FILES) != 0:
        return False
    os.dup2(writer, 2)
    close_range = getattr(library, "close_range", None)
    if close_range is not None:
        close_range(ctypes.c_uint(_FIRST_OTHER), ctypes.c_uint(_LAST_OTHER), 0)
    return True


def _in_turn(call: Callable[[], T], writer: int) -> T:
    """Lead standard error of the whole program into a pipe during a call."""
    with _turn:
        try:
            original = os.dup(2)
        except OSError:  # a service without standard error
            return call()
        os.dup2(writer, 2)
        try:
            return call()
        finally:
            os.dup2(original, 2)
            os.close(original)
