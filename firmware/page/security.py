"""Checks of each request before it is handled, and security headers of each response.

Checked are the ``Host`` header (against DNS rebinding), the origin of a change (against cross-site
request forgery), and the size of a body before it is read.
Whether a phone has given the PIN is found out by ``PageContext.make_request`` in
``firmware.page.context``; here only large bodies ask for that.
"""

import asyncio
from collections.abc import Callable, Collection
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from firmware.base.language import in_language
from firmware.base.problem import Problem
from firmware.page.access import COOKIE, Access, bearer_token, is_own_host
from firmware.page.page_request import is_api_path, request_problem
from firmware.wording.problem_text import problem_json, translate
from vision.message import Message

FORM_BYTES: Final = 16 * 1024
"""Largest body in bytes, by default; ``MAX_BODY_BYTES`` of ``app`` has the paths that take more."""
TARGET_LETTERS: Final = 2000
"""Longest path with its query."""
BODY_LIMIT_S: Final = 60.0
"""Longest time in seconds for the whole of a large body, of ``MAX_PHOTO_BYTES`` at most."""
FORM_LIMIT_S: Final = 10.0
"""Longest time in seconds for the whole of any other body."""

_SAFE: Final = ("GET", "HEAD")
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityMiddleware:
    """ASGI middleware that lets only requests through that this page may get.

    Args:
        app: Application behind it.
        port: Port of the page.
        host_names: Host names of this computer.
        max_bytes_by_path: Largest body in bytes, by path, where it may exceed ``FORM_BYTES``.
        access: Check of tokens; large bodies are read only from phones that have one.
        language_of: Function that returns the language of a response.
        browsers: True if clients are browsers, which send the origin of a change.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        port: int,
        host_names: Collection[str],
        max_bytes_by_path: dict[str, int],
        access: Access,
        language_of: Callable[[HTTPConnection], str],
        browsers: bool = True,
    ) -> None:
        self._app, self._port, self._host_names = app, port, host_names
        self._max_bytes_by_path = max_bytes_by_path
        self._access, self._language_of, self._browsers = access, language_of, browsers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with a limited body."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def send_with_headers(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            status, problem = refused
            with in_language(self._language_of(HTTPConnection(scope))):
                text, as_json = translate(problem), problem_json(problem)
            response: Response = PlainTextResponse(f"{text}\n", status)
            if problem.code == "token-needed":  # a form or photo of a phone that has not given it
                back = scope["path"].removesuffix("/photo") or "/"
                response = RedirectResponse(f"/pin?to={back}", 303)
            if is_api_path(scope["path"]):
                response = JSONResponse(as_json, status)
            response.headers["Connection"] = "close"
            await response(scope, receive, send_with_headers)
            return
        await self._app(scope, self._limit_body(scope, receive), send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, Problem] | None:
        """Return the HTTP status and problem of a refused request; None if it is let through."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not is_own_host(hosts[0], self._port, self._host_names):
            return 421, request_problem(
                "wrong-address", Message("open this page by the address on the display")
            )
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > TARGET_LETTERS:
            return 414, request_problem("address-too-long", Message("this address is too long"))
        site = headers.get("sec-fetch-site", "none")
        if scope["method"] in _SAFE:
            return None
        origins = headers.getlist("origin")
        bears = bearer_token(headers) is not None
        is_token = scope["path"] == "/api/v1/token"
        is_other = bool(origins) and origins != [f"http://{hosts[0]}"]
        if is_other or site not in ("none", "same-origin"):
            return 403, request_problem("other-page", Message("this comes from another page"))
        if self._browsers and not origins and not bears and not is_token:
            return 403, request_problem(
                "other-page", Message("it is not known where this comes from")
            )
        lengths = headers.getlist("content-length")
        if len(lengths) != 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
            return 411, request_problem("length-needed", Message("say how much you send"))
        # Python refuses to read a number of very many digits
        length = int(lengths[0][:13])
        if length > self._max_bytes_by_path.get(scope["path"], FORM_BYTES):
            return 413, request_problem("too-much", Message("this is too much"))
        if length > self._max_bytes(scope):
            return 403, request_problem("token-needed", Message("give the PIN first, at /pin"))
        return None

    def _max_bytes(self, scope: Scope) -> int:
        large = self._max_bytes_by_path.get(scope["path"], 0)
        return large if large and self._access.allows(_token(scope)) else FORM_BYTES

    def _limit_body(self, scope: Scope, receive: Receive) -> Receive:
        """Return a receiver of the body with limits of size and time."""
        left = self._max_bytes(scope)
        limit_s = BODY_LIMIT_S if left > FORM_BYTES else FORM_LIMIT_S
        until_s = asyncio.get_running_loop().time() + limit_s
        is_whole = False

        async def receive_limited() -> AsgiMessage:
            nonlocal left, is_whole
            if is_whole:  # only a disconnect can follow
                return await receive()
            try:
                async with asyncio.timeout_at(until_s):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE) from None
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                if left < 0:
                    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        return receive_limited


def _token(scope: Scope) -> str | None:
    """Return the token of a program, else of a phone; None if there is none."""
    connection = HTTPConnection(scope)
    token = bearer_token(connection.headers)
    return connection.cookies.get(COOKIE) if token is None else token
