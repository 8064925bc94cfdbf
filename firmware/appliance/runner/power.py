"""Switching the computer off, and what the service manager is told: ready, still turning, stopping.

The protocol of ``sd_notify(3)``: one datagram a message to the socket that ``NOTIFY_SOCKET`` names.
Without that variable nobody has asked, and nothing is sent.
"""

import os
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from firmware.appliance.events import ShutDownFailed
from firmware.appliance.faults import NOT_OFF, Fault
from firmware.appliance.runner.crew import Crew, Outcome

PINGS_PER_LIMIT: Final = 4
"""Signs of life within the time after which the service manager gives up on the program."""


class ServiceManager:
    """The line to whoever started the program; a manager that has gone is not missed.

    Args:
        address: path of the socket, or a name beginning with ``@`` for one without a file;
            None: nobody has asked.
        watchdog_s: after so many seconds without a sign of life the program is started anew;
            None: no sign of life is wanted.
    """

    def __init__(self, address: str | None = None, watchdog_s: float | None = None) -> None:
        self._address = address
        self._ping_every_s = None if watchdog_s is None else watchdog_s / PINGS_PER_LIMIT
        self._next_ping_s = float("-inf")

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] | None = None) -> "ServiceManager":
        """The one that the environment names.

        A value that makes no sense is passed over: a scanner that works without a watchdog is
        better than one that does not start.
        """
        values = os.environ if environment is None else environment
        meant_for = values.get("WATCHDOG_PID", "")
        limit = values.get("WATCHDOG_USEC", "")
        ours = meant_for in ("", str(os.getpid()))
        watched = ours and limit.isascii() and limit.isdigit() and int(limit) > 0
        return cls(values.get("NOTIFY_SOCKET") or None, int(limit) / 1e6 if watched else None)

    def ready(self, status: str) -> None:
        """The scanner can be used."""
        self._send(f"READY=1\nSTATUS={_one_line(status)}")

    def alive(self, now_s: float) -> None:
        """A turn of the loop is done; sent as often as needed and no oftener.

        Args:
            now_s: monotonic seconds.
        """
        if self._ping_every_s is None or now_s < self._next_ping_s:
            return
        self._next_ping_s = now_s + self._ping_every_s
        self._send("WATCHDOG=1")

    @property
    def is_there(self) -> bool:
        """Whether a service manager has started the program, and starts it anew when it ends."""
        return self._address is not None

    def stopping(self) -> None:
        """The scanner is going down because it was asked to."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                # A manager that is too busy to read must not hold up the buttons.
                line.setblocking(False)  # noqa: FBT003 - it takes no name
                line.sendto(message.encode(), address)
        except (OSError, ValueError):
            return


def _one_line(text: str) -> str:
    return " ".join(text.split())


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
