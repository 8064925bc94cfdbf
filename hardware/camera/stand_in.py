"""Camera without hardware that follows a script, failures included."""

import threading
import time
from collections.abc import Callable, Sequence

from hardware.camera.frame import Frame, Image, check_open, silent_error


class Hang:
    """A step that never returns, like a driver that waits for a frame that does not come.

    ``release`` unblocks every call that waits in it, so that a test can end.
    """

    def __init__(self) -> None:
        self._released = threading.Event()
        self.entered = threading.Event()
        """Set once a call waits in it."""

    def release(self) -> None:
        """Let the step return."""
        self._released.set()

    def wait(self) -> None:
        """Return after ``release`` only."""
        self.entered.set()
        self._released.wait()


Step = Image | Exception | Hang
"""Outcome of one capture: a picture, an error to raise, or a hang."""


class StandInCamera:
    """A camera that plays a script.

    Args:
        script: Results of the captures, one after the other, at least one; the last one is repeated
            for ever. Pictures are ``uint8`` of shape (height, width, 3), blue first.
        closing: None, or what closing does: an error to raise or a hang.
        clock: Function that returns monotonic seconds.
    """

    def __init__(
        self,
        script: Sequence[Step],
        *,
        closing: Exception | Hang | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._script = list(script)
        self._closing = closing
        self._clock = clock
        self.captures = 0
        """Number of captures so far."""
        self.closed = False

    def capture(self, timeout_s: float) -> Frame:  # noqa: ARG002 - a script knows no time
        """Do the next step of the script."""
        check_open("stand-in", closed=self.closed)
        asked_s = self._clock()
        step = self._script[min(self.captures, len(self._script) - 1)]
        self.captures += 1
        if isinstance(step, Hang):
            step.wait()
            raise silent_error("stand-in")
        if isinstance(step, Exception):
            raise step.with_traceback(None)
        return Frame(step.copy(), asked_s)

    def close(self) -> None:
        """Close, or do what the script demands instead."""
        if isinstance(self._closing, Hang):
            self._closing.wait()
        elif self._closing is not None:
            raise self._closing.with_traceback(None)
        self.closed = True
