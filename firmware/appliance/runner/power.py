"""Switching the computer off, and what the service manager is told: ready, still turning, stopping.

The protocol of ``sd_notify(3)``: one datagram a message to the socket that ``NOTIFY_SOCKET`` names.
Without that variable nobody has asked, and nothing is sent.
"""

import os
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from firmware.appliance.events import Event, ShutDownFailed
from firmware.appliance.faults import NOT_OFF
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


def switch_off(
    crew: Crew, report: Callable[[Event], None], command: Sequence[str] = POWER_OFF
) -> None:
    """Do ``ShutDown``: ask the system to power off, which then ends this program in order.

    Args:
        crew: waits for the answer.
        report: is told when the computer does not switch itself off.
        command: what to run.
    """

    def ask() -> None:
        subprocess.run(  # noqa: S603 - a fixed command
            tuple(command), capture_output=True, text=True, timeout=_LIMIT_S, check=True
        )

    def asked(outcome: Outcome) -> None:
        if outcome.error is not None:
            said = getattr(outcome.error, "stderr", None) or str(outcome.error)
            report(ShutDownFailed(replace(NOT_OFF, where=_one_line(str(said))[:200])))

    crew.begin("power off", ask, then=asked, limit_s=_LIMIT_S)
