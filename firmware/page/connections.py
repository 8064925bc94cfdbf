"""Limits on connections: no client can keep the others from the page.

uvicorn accepts any number of connections, and waits for ever for the head of a request and for a
client that does not read. Here each of these steps has a time limit, and the number of connections
is limited. When all places are taken, a newcomer gets one from the address that has most. No
address has a fixed limit, because a whole family may come from one (a reverse proxy, a Wi-Fi
repeater), and each browser opens up to six connections. Such a family only loses connections
without a request.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS: Final = 64
"""Number of open connections: ten phones with six each.

More would use up the file descriptors of the process.
"""
HEAD_LIMIT_S: Final = 10.0
"""Longest time in seconds for the head of a request, from the opening or the response before."""
RESPONSE_LIMIT_S: Final = 60.0
"""Longest time in seconds for a client to fetch a response; the largest ones have 2 MB."""


class Holder(Protocol):
    """Holder of one of few places.

    Attributes:
        address: Client's IP address; empty for a program of this computer.
    """

    @property
    def address(self) -> str: ...  # noqa: D102


H = TypeVar("H", bound=Holder)


def candidates_to_close(taken: Iterable[H], newcomer: str) -> list[H]:
    """Return the clients of which one loses a connection for a newcomer.

    Args:
        taken: All places, the newcomer's not among them.
        newcomer: Address of the newcomer.

    Returns:
        Holders of the address with most places. If the newcomer's address would have as many,
        the holders of that one, who may be none.
    """
    taken = list(taken)
    counts = Counter(each.address for each in taken)
    counts[newcomer] += 1
    greediest, most = counts.most_common(1)[0]
    if counts[newcomer] == most:
        greediest = newcomer
    return [each for each in taken if each.address == greediest]


class LimitedConnection(H11Protocol):
    """HTTP connection with a place among few and a time limit for each step."""

    _timer: asyncio.TimerHandle | None = None
    _send_timer: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """Client's IP address; empty for a program of this computer."""
        return self.client[0] if self.client else ""

    @property
    def is_waiting(self) -> bool:
        """True if no request is being answered."""
        return bool(getattr(self.cycle, "response_complete", True))  # None before the first one

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place; if none is left, end a connection, maybe this one."""
        super().connection_made(transport)
        self._begin_to_wait()
        if len(self.connections) > MAX_CONNECTIONS:
            self._make_room()

    def _make_room(self) -> None:
        others = [each for each in self.connections if isinstance(each, LimitedConnection)]
        others.remove(self)
        candidates = candidates_to_close(others, self.address)
        if not any(each.address != self.address for each in candidates):
            # Nobody has more: only connections on which nothing is asked are ended
            candidates = [each for each in candidates or others if each.is_waiting]
        ended = min(candidates, key=LimitedConnection.order_of_ending, default=self)
        ended.transport.abort()
        self.connections.discard(ended)

    def order_of_ending(self) -> tuple[bool, float]:
        """Return the sort key: connections without a request first, the longest wait first."""
        return not self.is_waiting, self._since_s

    def data_received(self, data: bytes) -> None:
        """Handle received data; only a whole head ends the wait."""
        super().data_received(data)
        if not self.is_waiting:
            self._set_timer(None)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - English alone
        """Refuse data that is no HTTP, by the status alone."""
        super().send_400_response("")
        self._set_timer(RESPONSE_LIMIT_S, self.transport.abort)

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has come already."""
        super().on_response_complete()
        if self.is_waiting:
            self._begin_to_wait()

    def pause_writing(self) -> None:
        """Start the time limit of a client that reads too slowly."""
        super().pause_writing()
        self._send_timer = self.loop.call_later(RESPONSE_LIMIT_S, self.transport.abort)

    def resume_writing(self) -> None:
        """End the time limit of a client that has read."""
        super().resume_writing()
        if self._send_timer is not None:
            self._send_timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        super().connection_lost(exc)
        self._set_timer(None)
        if self._send_timer is not None:
            self._send_timer.cancel()

    def _begin_to_wait(self) -> None:
        self._since_s = self.loop.time()
        self._set_timer(HEAD_LIMIT_S, self._end)

    def _end(self) -> None:
        self.transport.close()  # which waits until all is sent
        self._set_timer(RESPONSE_LIMIT_S, self.transport.abort)

    def _set_timer(
        self, after_s: float | None, on_timeout: Callable[[], None] | None = None
    ) -> None:
        """Replace the timer; None for no timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if after_s is not None and on_timeout is not None:
            self._timer = self.loop.call_later(after_s, on_timeout)
