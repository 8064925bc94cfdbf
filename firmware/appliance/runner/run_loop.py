"""Run the loop until the program is asked to end, then close everything in order."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from firmware.appliance.runner.loop import Appliance, StopRequest
from firmware.appliance.runner.tasks import WakeUp

APPLIANCE_CLOSE_LIMIT_S: Final = 6.0
"""Longest time in seconds to store the last result and to release the devices."""
_LONGEST_WAIT_S: Final = 0.5
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(
    appliance: Appliance, wake_up: WakeUp, *, files: Callable[[], Sequence[int]] = tuple
) -> bool:
    """Run the loop until a signal or the machine asks it to end.

    Args:
        appliance: Appliance that is ready to run.
        wake_up: Pipe by which tasks wake the loop.
        files: Function that gives further files that wake the loop, such as a terminal.

    Returns:
        True if everything was released; False if threads still hang in some device.
    """
    parts = appliance.parts
    appliance.run_due()
    parts.service.ready("ready")
    while not parts.stop.wanted:
        wait_s = min(appliance.next_due_s() - parts.tasks.now_s(), _LONGEST_WAIT_S)
        wake_up.wait(wait_s, files())
        appliance.run_due()
    parts.service.stopping()
    return close_all(appliance, wake_up)


def close_all(appliance: Appliance, wake_up: WakeUp) -> bool:
    """Store all that waits and release all devices; see ``run``."""
    tasks = appliance.parts.tasks
    appliance.run_due()  # a photo that was read in the last pass is scored in this one
    appliance.close()
    until_s = tasks.now_s() + APPLIANCE_CLOSE_LIMIT_S
    while not appliance.is_closed and tasks.now_s() < until_s:
        wake_up.wait(min(until_s, tasks.next_limit_s()) - tasks.now_s())
        tasks.run_due()
    return tasks.is_free


@contextmanager
def stop_signals(stop: StopRequest, wake_up: WakeUp) -> Iterator[None]:
    """Let SIGTERM, SIGINT and SIGHUP end the program in order.

    Args:
        stop: Request that the signals make.
        wake_up: Pipe that wakes the loop.
    """

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop()
        wake_up.wake()

    before = {number: signal.signal(number, on_signal) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
