"""A request to the page, and why it may not be done."""

import re
from asyncio import Semaphore
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware.base.errors import Refusal, UsageError, error_object, translate
from hardware.errors import HardwareError


class Refused(Exception):  # noqa: N818 - what is answered instead
    """A request that is not done.

    Attributes:
        status: of the answer.
        said: why, in the language that is spoken.
        error: that is behind it, which programs are told; None: it is about a page alone.
    """

    def __init__(self, status: HTTPStatus, why: str | Refusal | HardwareError) -> None:
        self.error = None if isinstance(why, str) else why
        self.status, self.said = status, translate(why)
        super().__init__(self.said)


def is_of_api(path: str) -> bool:
    """Whether a program is answered at this address, in JSON."""
    return path.startswith("/api/")


def refusal(code: str, status: int, why: str) -> JSONResponse:
    """What a program is told whose request comes to nothing that could answer it."""
    return JSONResponse(error_object(UsageError(code, why, "request")), status)


@dataclass(frozen=True, slots=True)
class Call:
    """One request.

    Attributes:
        request: as it came.
        body: of it, or the file of its form; empty unless something is to be changed.
        token: of the phone; None: it has none.
        may_change: whether this phone has given the PIN.
        language: to speak.
        version: number of what the scanner showed when it came, or of something before that, so
            that a page that is made of it is never taken for newer than it is.
    """

    request: Request
    body: bytes
    token: str | None
    may_change: bool
    language: str
    version: int
    form: Mapping[str, str] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    def asked(self, name: str) -> str:
        """What is asked for behind the address."""
        return self.request.query_params.get(name, "")


def parts_of(body: bytes, kind: str, most: int) -> dict[str, bytes]:
    """The fields of a form with a file, as they came.

    Args:
        body: of the request.
        kind: its ``Content-Type``, with the boundary.
        most: so many fields are looked at.
    """
    boundary = re.search(r'boundary="?([\w\'()+,./:=? -]{1,70})', kind)
    if boundary is None:
        return {}
    found: dict[str, bytes] = {}
    for part in body.split(b"--" + boundary[1].encode(), most)[1:]:
        head, _blank, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'[; ]name="([^"]{1,100})"', head[:1000])
        if name is not None:
            found[name[1].decode("utf-8", "replace")] = content.removesuffix(b"\r\n")
    return found


def address_of(request: Request) -> str:
    """Return the client's IP address; empty for a program of this computer."""
    return request.client.host if request.client else ""


Act = Callable[[Call], Response]

ANSWERS_EACH: Final = 2
"""Answers that are made at the same time for one address: half of the threads. Others wait."""
_turns: Final[WeakValueDictionary[str, Semaphore]] = WeakValueDictionary()


def endpoint(answer: Callable[[Request, bytes], Response]) -> Callable[[Request], Any]:
    """What Starlette calls at an address: the answer to a request and its body, in a thread."""

    async def called(request: Request) -> Response:
        body = b"" if request.method == "GET" else await request.body()
        turn = _turns.setdefault(address_of(request), Semaphore(ANSWERS_EACH))
        async with turn:
            return await run_in_threadpool(answer, request, body)

    return called
