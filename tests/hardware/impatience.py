"""Calls with a limit of time, for tests that neither wait nor depend on how fast the machine is."""

import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

from hardware.timeouts import NeverReturnedError

LONG_S = 200.0
"""Limit of a call that does return, in seconds; shorter than pytest's ``faulthandler_timeout``."""


def until_caught(*hangs):
    """A stand-in for ``call_with_limit``: the time is over as soon as a call is caught in a hang.

    Args:
        hangs: Hangs, each of which catches one call.
    """
    left = list(hangs)

    def call(job, limit_s, *, drop=None):
        answer = Future()

        def run():
            try:
                result = job()
            except Exception as error:  # noqa: BLE001 - raised where the result is awaited
                with suppress(InvalidStateError):
                    answer.set_exception(error)
                return
            try:
                answer.set_result(result)
            except InvalidStateError:
                if drop is not None:
                    drop(result)

        threading.Thread(target=run, daemon=True).start()
        while True:
            try:
                return answer.result(timeout=0.001)
            except TimeoutError:
                if answer.done():
                    raise
            caught = next((hang for hang in left if hang.entered.is_set()), None)
            if caught is not None:
                left.remove(caught)
                answer.cancel()
                raise NeverReturnedError

    return call
