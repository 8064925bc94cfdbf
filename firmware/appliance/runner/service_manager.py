"""Notify the service manager that started the program: ready, alive, stopping.

Messages follow ``sd_notify(3)``: one datagram each, to the socket that ``NOTIFY_SOCKET`` names.
Without that variable nothing is sent.
"""

import os
import socket
from collections.abc import Mapping
from typing import Final

PINGS_PER_LIMIT: Final = 4
"""Number of keep-alive messages within the watchdog's limit; fewer risk a needless restart."""


class ServiceManager:
    """Service manager that started the program; one that does not answer is ignored.

    Args:
        address: Path of its socket, or a name beginning with ``@`` for one without a file; None if
            there is no service manager.
        watchdog_s: Seconds without a keep-alive message after which the program is restarted; None
            without a watchdog.
    """

    def __init__(self, address: str | None = None, watchdog_s: float | None = None) -> None:
        self._address = address
        self._ping_every_s = None if watchdog_s is None else watchdog_s / PINGS_PER_LIMIT
        self._next_ping_s = float("-inf")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "ServiceManager":
        """Return the service manager that the environment names.

        A malformed value is ignored: a scanner that works without a watchdog is better than one
        that does not start.
        """
        values = os.environ if environment is None else environment
        meant_for = values.get("WATCHDOG_PID", "")
        limit = values.get("WATCHDOG_USEC", "")
        ours = meant_for in ("", str(os.getpid()))
        watched = ours and limit.isascii() and limit.isdigit() and int(limit) > 0
        return cls(values.get("NOTIFY_SOCKET") or None, int(limit) / 1e6 if watched else None)

    def ready(self, status: str) -> None:
        """Notify that the scanner can be used."""
        self._send(f"READY=1\nSTATUS={' '.join(status.split())}")

    def alive(self, now_s: float) -> None:
        """Notify that the loop runs, as often as the watchdog needs it.

        Args:
            now_s: Monotonic seconds.
        """
        if self._ping_every_s is None or now_s < self._next_ping_s:
            return
        self._next_ping_s = now_s + self._ping_every_s
        self._send("WATCHDOG=1")

    @property
    def restarts_program(self) -> bool:
        """True if a service manager started the program and restarts it when it ends."""
        return self._address is not None

    def stopping(self) -> None:
        """Notify that the scanner ends on request."""
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
