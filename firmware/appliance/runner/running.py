"""Lets the appliance run until it is asked to stop, and ends it in order."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from firmware.appliance.runner.composition import Ends
from firmware.appliance.runner.crew import Crew
from firmware.appliance.runner.loop import Appliance
from firmware.appliance.runner.service import ServiceManager
from firmware.appliance.runner.waiting import Doorbell

CLOSE_LIMIT_S: Final = 6.0
"""For the last result to be stored and the devices to be let go of; after that they are left."""
_LONGEST_WAIT_S: Final = 0.5
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(
    appliance: Appliance,
    crew: Crew,
    doorbell: Doorbell,
    service: ServiceManager,
    ends: Ends,
    *,
    files: Callable[[], Sequence[int]] = tuple,
) -> bool:
    """Turn until somebody wants it to end.

    Args:
        appliance: ready to turn.
        crew: that of the appliance.
        doorbell: that of the crew.
        service: is told when it is ready and when it stops.
        ends: says when to end.
        files: what else wakes the loop, such as a terminal.

    Returns:
        Whether all was let go of; if not, threads still hang in some device.
    """
    appliance.turn()
    service.ready("ready")
    while not ends.wanted:
        wait_s = min(appliance.next_turn_s() - crew.now_s(), _LONGEST_WAIT_S)
        doorbell.wait(wait_s, files())
        appliance.turn()
    service.stopping()
    return end(appliance, crew, doorbell)


def end(appliance: Appliance, crew: Crew, doorbell: Doorbell) -> bool:
    """Store what is still to be stored and let go of all devices; see ``run``."""
    appliance.close()
    until_s = crew.now_s() + CLOSE_LIMIT_S
    while not appliance.is_closed and crew.now_s() < until_s:
        doorbell.wait(min(until_s, crew.next_limit_s()) - crew.now_s())
        crew.turn()
    return crew.is_free


@contextmanager
def stop_signals(ends: Ends, doorbell: Doorbell) -> Iterator[None]:
    """Let the usual signals end the program in order, and wake the loop at once.

    Args:
        ends: is told that the program is to end.
        doorbell: wakes the loop.
    """

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        ends()
        doorbell.ring()

    before = {number: signal.signal(number, on_signal) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
