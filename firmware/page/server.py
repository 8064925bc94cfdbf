"""Serve the page in a thread of its own, beside the appliance."""

import logging
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import uvicorn

from firmware.appliance.page_channel import PageChannel
from firmware.base.page_sockets import BACKLOG, LOCAL, own_address
from firmware.page.access import Access, load_key
from firmware.page.app import MAX_BODY_BYTES, PageApp
from firmware.page.connections import HEAD_LIMIT_S, LimitedConnection
from firmware.page.context import PageContext
from firmware.page.security import SecurityMiddleware

SERVER_CLOSE_LIMIT_S: Final = 3.0
"""Longest time in seconds to wait for the thread of a page that is closed."""

_HEADER_BYTES: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class RunningPage:
    """Page that is being served.

    Attributes:
        pin: PIN with which a phone may change something.
        listening: Socket that it listens at.
        close: Function that ends it; it waits for ``SERVER_CLOSE_LIMIT_S`` at most.
    """

    pin: str
    listening: socket.socket
    close: Callable[[], None]

    @property
    def url(self) -> str:
        """Address by which others reach it."""
        host, port = self.listening.getsockname()
        if host != LOCAL:
            host = own_address(self.listening) or f"{_own_name()}.local"
        return f"http://{host}:{port}"


def open_page(channel: PageChannel, listening: socket.socket) -> RunningPage:
    """Start to serve the page.

    Args:
        channel: Channel to the appliance.
        listening: Socket to listen at. At ``LOCAL``, or for a Unix socket, the page is for this
            computer alone, which needs no PIN.
    """
    by_file = listening.family == socket.AF_UNIX
    host, port = (LOCAL, 80) if by_file else listening.getsockname()
    access = Access(load_key(), open_to_all=host == LOCAL)
    context = PageContext(channel, access, secrets.token_hex(4))
    names = {"localhost"}
    if host != LOCAL:
        name = _own_name().lower()
        names |= {name, f"{name}.local"}
    config = uvicorn.Config(
        SecurityMiddleware(
            PageApp(context).build(),
            port=port,
            host_names=names,
            max_bytes_by_path=MAX_BODY_BYTES,
            access=access,
            language_of=context.language_of,
            browsers=not by_file,
        ),
        loop="asyncio",
        http=LimitedConnection,
        ws="none",
        log_config=None,
        log_level=logging.CRITICAL,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,  # accepted before the page can refuse the first of them
        h11_max_incomplete_event_size=_HEADER_BYTES,
        timeout_keep_alive=round(HEAD_LIMIT_S),
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(
        target=lambda: server.run(sockets=[listening]), name="page", daemon=True
    )
    thread.start()

    def close() -> None:
        server.should_exit = True
        thread.join(SERVER_CLOSE_LIMIT_S)
        listening.close()

    return RunningPage(access.pin, listening, close)


def _own_name() -> str:
    return socket.gethostname().partition(".")[0] or "stadtblick"
