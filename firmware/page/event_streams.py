"""Event streams: notify each phone that shows the page of changes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from firmware.page.connections import candidates_to_close
from firmware.page.context import PageContext
from firmware.page.page_request import client_address
from firmware.page.status_values import is_job_running

KEEP_ALIVE_S: Final = 20.0
"""Interval of keep-alive events in seconds."""
GATHER_S: Final = 0.1
"""Time in seconds within which several changes make one event."""
BUSY_INTERVAL_S: Final = 1.0
"""Interval of events in seconds while a job runs; loading pages would slow that down."""
MAX_STREAMS: Final = 24
"""Number of open streams; other phones try again every three seconds."""

_MEDIA_TYPE: Final = "text/event-stream"


class EventStreams:
    """Open event streams of a page, at most ``MAX_STREAMS``.

    If all places are taken, a phone at another address gets the place of the oldest stream of the
    address that has most.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._open: list[_EventStream] = []

    async def open(self, request: Request) -> Response:
        """Open a stream or refuse it; it takes its place at once, not with its first event."""
        if request.method == "HEAD":
            return Response(media_type=_MEDIA_TYPE)
        address = client_address(request)
        if len(self._open) >= MAX_STREAMS:
            oldest = candidates_to_close(self._open, address)[:1]
            if not oldest or oldest[0].address == address:
                return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)
            self._open.remove(oldest[0])
            oldest[0].ended.set()
        return _EventStream(self._context, self._open, address)


class _EventStream(StreamingResponse):
    """Event stream of a phone; an entry of ``streams`` until it is sent, ended or lost."""

    def __init__(self, context: PageContext, streams: "list[_EventStream]", address: str) -> None:
        self.address, self.ended = address, asyncio.Event()
        self._context, self._streams = context, streams
        headers = {"X-Accel-Buffering": "no"}
        super().__init__(self._events(), media_type=_MEDIA_TYPE, headers=headers)
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

        stop = self._context.channel.listen(listener)
        ended = loop.create_task(self.ended.wait())
        ended.add_done_callback(lambda _task: changed.set())
        try:
            while not self.ended.is_set():
                changed.clear()
                page_version = f"{self._context.run_id}-{self._context.channel.change_count}"
                yield f"retry: 2000\ndata: {page_version}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE_S)
                    await asyncio.sleep(GATHER_S)
                    async with asyncio.timeout(BUSY_INTERVAL_S):
                        while (
                            is_job_running(self._context.channel.state) and not self.ended.is_set()
                        ):
                            changed.clear()
                            await changed.wait()
        finally:
            ended.cancel()
            stop()
