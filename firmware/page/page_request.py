"""Request to the page: its form and language, its refusal, and the endpoint that answers it."""

import re
from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware.base.language import _
from firmware.base.problem import Problem, Reportable
from firmware.history.errors import HistoryError
from firmware.wording.problem_text import problem_json, translate
from vision.message import Message


class RequestRefused(Exception):  # noqa: N818 - an answer, no fault
    """Request that is refused.

    Attributes:
        status: HTTP status of the response.
        reason: Reason in the language of the response.
        error: Problem for programs; None for a reason that only pages can have.
    """

    def __init__(self, status: HTTPStatus, reason: str | Reportable) -> None:
        self.error = None if isinstance(reason, str) else reason
        self.status, self.reason = status, translate(reason)
        super().__init__(self.reason)


def status_of_unusable(error: Reportable) -> HTTPStatus:
    """Return the status for what was sent and cannot be used; 404 if it names no past game."""
    is_gone = isinstance(error, HistoryError) and error.code == "unknown-scan"
    return HTTPStatus.NOT_FOUND if is_gone else HTTPStatus.UNPROCESSABLE_ENTITY


def is_api_path(path: str) -> bool:
    """Return whether an address is for programs, which get JSON."""
    return path.startswith("/api/")


def request_problem(code: str, reason: Message) -> Problem:
    """Return the problem of a request that is refused."""
    return Problem(code, reason, "request")


def api_error_response(
    code: str, status: int, reason: Message, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the JSON error for an API request that no route handles."""
    return JSONResponse(problem_json(request_problem(code, reason)), status, headers)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Request of a phone.

    Attributes:
        http: Request of Starlette.
        body: Body of the request, or the file of its form; empty for ``GET``.
        token: Token of the phone; None if it has none.
        is_trusted: True if changes by this phone are accepted: it has given the PIN, or none is
            needed.
        language: Language of the response.
        change_count: ``PageChannel.change_count`` when the request came, or less, so that a page
            made of it is never taken for newer than it is.
        form: Fields of its form.
    """

    http: Request
    body: bytes
    token: str | None
    is_trusted: bool
    language: str
    change_count: int
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def game_path(self) -> str:
        """Path of a past game, such as ``/history/3``; empty for the last result."""
        seq = self.http.path_params.get("seq")
        return "" if seq is None else f"/history/{seq}"

    def path_value(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.http.path_params[name])

    def query_value(self, name: str) -> str:
        """Return a value of the query; empty if it is not given."""
        return self.http.query_params.get(name, "")


def multipart_fields(body: bytes, kind: str, max_fields: int) -> dict[str, bytes]:
    """Return the fields of a form with a file.

    Args:
        body: Body of the request.
        kind: ``Content-Type``, with the boundary.
        max_fields: Largest number of fields.

    Raises:
        ValueError: There are more fields.
        RequestRefused: A name is given twice, as of several photos.
    """
    boundary = re.search(r'boundary="?([\w\'()+,./:=? -]{1,70})', kind)
    if boundary is None:
        return {}
    found: dict[str, bytes] = {}
    parts = body.split(b"--" + boundary[1].encode(), max_fields + 2)
    if len(parts) > max_fields + 2:  # the fields, what stands before them, and the end
        raise ValueError(f"more than {max_fields} fields")
    for part in parts[1:]:
        head, _blank, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'[; ]name="([^"]{1,100})"', head[:1000])
        if name is not None and name[1].decode("utf-8", "replace") in found:
            message = _("Send one photo at a time: in this browser scripts are switched off.")
            raise RequestRefused(HTTPStatus.BAD_REQUEST, message)
        if name is not None:
            found[name[1].decode("utf-8", "replace")] = content.removesuffix(b"\r\n")
    return found


def with_changes_of_others(form: Mapping[str, str], present: Mapping[str, str]) -> dict[str, str]:
    """Return a form in which fields that its sender has not changed have their present values.

    Another phone may have changed these since. ``shown-NAME`` is what the form showed at first.

    Args:
        form: Fields of the form.
        present: Present values of fields, by name.
    """
    left = (name for name in present if name in form and form[name] == form.get(f"shown-{name}"))
    return {**form, **{name: present[name] for name in left}}


def client_address(http: Request) -> str:
    """Return the client's IP address; empty for a program of this computer."""
    return http.client.host if http.client else ""


Handler = Callable[[PageRequest], Response]

StarletteEndpoint = Callable[[Request], Awaitable[Response]]

MAX_RESPONSES_PER_ADDRESS: Final = 2
"""Number of responses made at the same time for one address: half of ``THREADS`` in
``firmware.page.app``."""

MAX_CHANGES: Final = 2
"""Number of changes answered at the same time. They may wait for the loop, so they leave half of
the threads to those who read."""


class ClientLimit:
    """Limit of the responses that are made at the same time, for one address and for changes."""

    def __init__(self) -> None:
        self._responses: WeakValueDictionary[str, Semaphore] = WeakValueDictionary()
        self._changes = Semaphore(MAX_CHANGES)

    def make_endpoint(self, respond: Callable[[Request, bytes], Response]) -> StarletteEndpoint:
        """Return the endpoint for Starlette that makes a response in a thread."""

        async def respond_in_turn(http: Request) -> Response:
            address = client_address(http)
            responses = self._responses.setdefault(address, Semaphore(MAX_RESPONSES_PER_ADDRESS))
            if http.method == "GET":
                async with responses:
                    return await run_in_threadpool(respond, http, b"")
            body = await http.body()
            async with self._changes:
                return await run_in_threadpool(respond, http, body)

        return respond_in_turn
