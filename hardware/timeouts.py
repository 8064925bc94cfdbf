"""Time limits for driver calls, and growing waits between attempts to reach a device."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class BackOff:
    """Failures in a row, and the time of the next try.

    Attributes:
        failures: Number of failures in a row.
        next_try_s: Monotonic time of the next try in seconds.
    """

    failures: int = 0
    next_try_s: float = float("-inf")

    def is_due(self, now_s: float) -> bool:
        """Return whether the next try is due."""
        return now_s >= self.next_try_s

    def after_failure(self, now_s: float) -> "BackOff":
        """Return the state after one more failure: wait 1, 2, 4, … seconds, at most a minute."""
        doublings = min(self.failures, 10)  # enough for any limit, and never a huge number
        wait_s = min(FIRST_WAIT_S * 2.0**doublings, LONGEST_WAIT_S)
        return BackOff(self.failures + 1, now_s + wait_s)


class NeverReturnedError(Exception):
    """Call that did not return in time; its thread is lost, with all that it holds."""


class CallWithLimit(Protocol):
    """Type of ``call_with_limit`` and of its stand-ins."""

    def __call__(
        self, job: Callable[[], T], limit_s: float, *, drop: Callable[[T], object] | None = None
    ) -> T:
        """Call a function and wait for it within a limit."""
        ...


def call_with_limit(
    job: Callable[[], T], limit_s: float, *, drop: Callable[[T], object] | None = None
) -> T:
    """Call a function on its own thread and wait for it within a limit.

    Args:
        job: Function to call; its exceptions are raised here.
        limit_s: Longest wait in seconds.
        drop: Function that gets a result after the limit, on the thread of the job, such as to
            close what was opened, its exceptions ignored; None to forget it.

    Raises:
        NeverReturnedError: It did not return in time. It cannot be stopped and may still run.
    """
    answer: Future[T] = Future()

    # A daemon: a driver that hangs must not keep the process from ending.
    threading.Thread(target=_run, args=(job, answer, drop), name="driver", daemon=True).start()
    wait([answer], limit_s)
    try:
        # Either the future is cancelled or its result is set, so each result is given or dropped
        if answer.cancel():
            raise NeverReturnedError
        return answer.result()
    finally:
        del answer  # by its traceback, an error would else hold itself and all that the job had


def _run(job: Callable[[], T], answer: Future[T], drop: Callable[[T], object] | None) -> None:
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
        with suppress(InvalidStateError):
            answer.set_exception(error)
        del answer  # see call_with_limit
        return
    try:
        answer.set_result(result)
    except InvalidStateError:
        if drop is not None:
            with suppress(Exception):  # nobody waits for it
                drop(result)
