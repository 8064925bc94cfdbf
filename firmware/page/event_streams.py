"""Event streams: tell each phone that follows the page when there is something else to show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from firmware.page import content
from firmware.page.call import address_of
from firmware.page.connections import holders_to_yield
from firmware.page.site import Site

BEAT_S: Final = 20.0
"""Interval of keep-alive events."""
GATHER_S: Final = 0.1
"""Changes within this time are told as one."""
WORK_BEAT_S: Final = 1.0
"""Interval of events while a photo is read: loading pages would slow that down."""
MOST_STREAMS: Final = 24
"""Open at the same time; other phones try again every three seconds."""


class EventStreams:
    """The open event streams of a page, at most ``MOST_STREAMS``.

    If all places are taken, a phone at another address gets the one of the oldest stream of the
    address that has most.

    Args:
        site: the page.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._open: list[_EventStream] = []

    async def answer(self, request: Request) -> Response:
        """Open a stream, or refuse it. It counts from now on, not from its first event."""
        address = address_of(request)
        if len(self._open) >= MOST_STREAMS:
            oldest = holders_to_yield(self._open, address)[:1]
            if not oldest or oldest[0].address == address:
                return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)
            self._open.remove(oldest[0])
            oldest[0].ended.set()
        return _EventStream(self._site, self._open, address)


class _EventStream(StreamingResponse):
    """One stream; in ``streams`` until it is sent, ended or lost."""

    def __init__(self, site: Site, streams: "list[_EventStream]", address: str) -> None:
        self.address, self.ended = address, asyncio.Event()
        self._site, self._streams = site, streams
        headers = {"X-Accel-Buffering": "no"}
        super().__init__(self._events(), media_type="text/event-stream", headers=headers)
        streams.append(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self in self._streams:
                self._streams.remove(self)

    async def _events(self) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            with suppress(RuntimeError):  # the page is being closed
                loop.call_soon_threadsafe(changed.set)

        stop = self._site.link.listen(listener)
        ended = loop.create_task(self.ended.wait())
        ended.add_done_callback(lambda _task: changed.set())
        try:
            while not self.ended.is_set():
                changed.clear()
                yield f"retry: 2000\ndata: {self._site.start}-{self._site.link.version}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT_S)
                    await asyncio.sleep(GATHER_S)
                    async with asyncio.timeout(WORK_BEAT_S):
                        while content.works(self._site.link.state) and not self.ended.is_set():
                            changed.clear()
                            await changed.wait()
        finally:
            ended.cancel()
            stop()
