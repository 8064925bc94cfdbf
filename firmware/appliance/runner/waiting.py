"""How the loop waits: for a time, for its bell, for files that have something to read."""

import os
import select
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

_MANY: Final = 4096
_CLOSED: Final = -1


class Clock(Protocol):
    """Time that only runs forward, whatever is done to the clock on the wall."""

    def now_s(self) -> float:
        """Seconds since some moment."""
        ...


class SystemClock:
    """The clock of this computer."""

    def now_s(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()


class Bell(Protocol):
    """Wakes the loop; may be rung from any thread."""

    def ring(self) -> None:
        """Wake the loop, now or when it next wants to wait."""
        ...


class SilentBell:
    """A bell for a loop that never waits."""

    def ring(self) -> None:
        """Do nothing."""


class Doorbell:
    """A bell made of a pipe, so that waiting for it costs nothing."""

    def __init__(self) -> None:
        self._listen, self._push = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def ring(self) -> None:
        """Wake the loop."""
        with suppress(OSError):  # full: it has been rung already
            os.write(self._push, b".")

    def wait(self, timeout_s: float, files: Sequence[int] = ()) -> None:
        """Wait until it rings, one of the files can be read, or the time is over."""
        try:
            ready, _w, _x = select.select([self._listen, *files], [], [], max(0.0, timeout_s))
        except (OSError, ValueError):  # a terminal that has gone
            ready, _w, _x = select.select([self._listen], [], [], max(0.0, timeout_s))
        if self._listen in ready:
            with suppress(OSError):
                os.read(self._listen, _MANY)

    def close(self) -> None:
        """Free the pipe; who rings it after that is not heard."""
        listen, push = self._listen, self._push
        self._listen = self._push = _CLOSED
        os.close(listen)
        os.close(push)
