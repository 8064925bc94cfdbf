"""Switching the computer off."""

import subprocess
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from firmware.appliance.events import ShutDownFailed
from firmware.appliance.faults import NOT_OFF, Fault
from firmware.appliance.runner.crew import Crew, Outcome

POWER_OFF: Final = ("systemctl", "--no-ask-password", "poweroff")
_LIMIT_S: Final = 30.0


class Switch(Protocol):
    """Whatever switches the computer off."""

    def switch_off(self) -> None:
        """Begin with it, and return at once."""
        ...


class PowerSwitch:
    """Does ``ShutDown``: asks the system to power off, which then ends this program in order.

    Args:
        crew: waits for the answer.
        report: is told when the computer does not switch itself off.
        command: what to run.
    """

    def __init__(
        self,
        crew: Crew,
        report: Callable[[ShutDownFailed], None],
        command: Sequence[str] = POWER_OFF,
    ) -> None:
        self._crew = crew
        self._report = report
        self._command = tuple(command)

    def switch_off(self) -> None:
        """Ask for it; nothing is reported where it succeeds."""
        self._crew.begin("power off", self._ask, then=self._asked, limit_s=_LIMIT_S)

    def _ask(self) -> None:
        subprocess.run(  # noqa: S603 - a fixed command
            self._command, capture_output=True, text=True, timeout=_LIMIT_S, check=True
        )

    def _asked(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._report(ShutDownFailed(_fault(outcome.error)))


class NoPowerSwitch:
    """Where the computer is not to be switched off: it ends the program instead.

    Args:
        end: ends it.
    """

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end

    def switch_off(self) -> None:
        """End the program."""
        self._end()


def _fault(error: Exception) -> Fault:
    said = getattr(error, "stderr", None) or str(error)
    why = " ".join(str(said).split())[:200]
    return Fault(NOT_OFF.code, NOT_OFF.message, why)
