"""Calls into a driver that may never return, with a limit of time that always holds."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class CallWithLimit(Protocol):
    """``call_with_limit``, or what stands in for it."""

    def __call__(self, job: Callable[[], Result], limit_s: float) -> Result:
        """Call something and wait for it, but not for ever."""
        ...


class NeverReturnedError(Exception):
    """The call did not return in time; its thread is lost, and with it what it held."""


def call_with_limit(job: Callable[[], Result], limit_s: float) -> Result:
    """Call something on a thread of its own and wait for it, but not for ever.

    Args:
        job: what to call; its exceptions are raised here.
        limit_s: how long to wait, in seconds.

    Raises:
        NeverReturnedError: it did not return in time. It cannot be stopped and may still go on.
    """
    answers: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()

    def run() -> None:
        answer: Future[Result] = Future()
        try:
            answer.set_result(job())
        except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
            answer.set_exception(error)
        answers.put(answer)

    # A daemon: a driver that hangs must not keep the process from ending.
    threading.Thread(target=run, name="driver", daemon=True).start()
    try:
        answer = answers.get(timeout=limit_s)
    except queue.Empty:
        raise NeverReturnedError from None
    return answer.result()
