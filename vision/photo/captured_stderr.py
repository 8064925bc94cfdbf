"""Capture what a call of a C library writes to standard error.

libjpeg reports made-up parts of a picture there alone. The call runs in a thread of its own
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
_FIRST_CLOSED_FD: Final = 3
_LAST_FD: Final = 2**32 - 1
_MAX_UNCOLLECTED: Final = 50
"""Overlapping calls after which garbage is collected between them."""
_MAX_BYTES: Final = 65536
"""Bytes that are captured, as many as a pipe holds; further ones are dropped."""
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
"""Beginnings of the lines that are captured; others are passed on."""
_stderr_lock = threading.Lock()


def capture_stderr(call: Callable[[], T]) -> tuple[T, list[str]]:
    """Run a call, and return its result and the lines that libraries wrote to standard error.

    Args:
        call: Function that calls into C at once and uses no open files, which are closed in its
            thread.
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
            written = os.read(reader, _MAX_BYTES)
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
    """Pause of the garbage collector while threads with their own descriptors run.

    In such a thread the collector would close files and sockets of others in the wrong table, and
    leave them open.
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
            if self._since_collected < _MAX_UNCOLLECTED:
                return
            self._since_collected = 0
        gc.collect()  # calls follow each other without a break


_collector = _PausedCollector()


class _Job(Generic[T]):
    """Call with its result or exception."""

    def __init__(self, call: Callable[[], T], writer: int) -> None:
        self._call = call
        self._writer = writer
        self._results: list[T] = []
        self._error: Exception | None = None

    def run(self) -> None:
        """Run the call with standard error redirected to the pipe."""
        try:
            if _unshare_descriptors(self._writer):
                self._results.append(self._call())
            else:
                self._results.append(_call_alone(self._call, self._writer))
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error

    def result(self) -> T:
        """Return the result of the call, or raise its exception."""
        if self._error is not None:
            raise self._error
        return self._results[0]


def _unshare_descriptors(writer: int) -> bool:
    """Give this thread its own table of descriptors, and return whether the system allows it.

    The table keeps the first three descriptors only, so that files which other threads close are
    closed; standard error is redirected to the pipe.
    """
    library = ctypes.CDLL(None)
    unshare = getattr(library, "unshare", None)
    if unshare is None or unshare(_CLONE_FILES) != 0:
        return False
    os.dup2(writer, 2)
    close_range = getattr(library, "close_range", None)
    if close_range is not None:
        close_range(ctypes.c_uint(_FIRST_CLOSED_FD), ctypes.c_uint(_LAST_FD), 0)
    return True


def _call_alone(call: Callable[[], T], writer: int) -> T:
    """Redirect standard error of the whole process to a pipe during a call."""
    with _stderr_lock:
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
