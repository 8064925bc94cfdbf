"""What every request has to pass before anything looks at it, and what every answer says.

Checked are the name under which the page was called (a name of somebody else's may be made to point
here), where a change comes from (another page may send forms here), and how much is sent, before it
is read. Which phone it is, ``firmware.page.app`` checks.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware.page.access import COOKIE, Access, borne, is_own_host
from firmware.page.call import is_of_api, refusal

FORM_BYTES: Final = 16 * 1024
"""Of a form, or of JSON."""
TARGET_LETTERS: Final = 2000
"""Of an address with all that is asked in it."""
BODY_LIMIT_S: Final = 60.0
"""For the whole of a large body, 40 MiB at most."""
FORM_LIMIT_S: Final = 10.0
"""For the whole of any other body."""

_SAFE: Final = ("GET", "HEAD")
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


TOO_MUCH: Final = "too much, or too slow"
"""More is sent than was said, or it takes too long."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why a request is not let through.

    Attributes:
        code: for programs.
        status: of the answer.
        why: in words.
    """

    code: str
    status: int
    why: str


class Guard:
    """Lets only requests through that this page may get.

    Args:
        app: what answers them.
        port: of the page.
        names: of this computer.
        large: paths to which large bodies are sent, with how many bytes.
        access: knows who may send them; of others nothing large is read.
        browsers: whether browsers may come, which say where a change comes from.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        port: int,
        names: Collection[str],
        large: dict[str, int],
        access: Access,
        browsers: bool = True,
    ) -> None:
        self._app, self._port, self._names, self._large = app, port, names, large
        self._access, self._browsers = access, browsers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            response: Response = PlainTextResponse(f"{refused.why}\n", refused.status)
            if refused.code == "token-needed":  # a form or photo of a phone that has not given it
                back = scope["path"].removesuffix("/photo") or "/"
                response = RedirectResponse(f"/pin?to={back}", 303)
            if is_of_api(scope["path"]):
                response = refusal(refused.code, refused.status, refused.why)
            response.headers["Connection"] = "close"
            await response(scope, receive, guarded)
            return
        await self._app(scope, self._counted(scope, receive), guarded)

    def _refusal(self, scope: Scope) -> "_Refusal | None":
        """Why a request is refused; None: it is not."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not is_own_host(hosts[0], self._port, self._names):
            return _Refusal(
                code="wrong-address", status=421, why="open this page by the address on the display"
            )
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > TARGET_LETTERS:
            return _Refusal(code="address-too-long", status=414, why="this address is too long")
        site = headers.get("sec-fetch-site", "none")
        if scope["method"] in _SAFE:
            return None
        origins = headers.getlist("origin")
        bears = borne(headers) is not None
        is_token = scope["path"] == "/api/v1/token"
        is_other = bool(origins) and origins != [f"http://{hosts[0]}"]
        if is_other or site not in ("none", "same-origin"):
            return _Refusal(code="other-page", status=403, why="this comes from another page")
        if self._browsers and not origins and not bears and not is_token:
            return _Refusal(
                code="other-page", status=403, why="it is not known where this comes from"
            )
        lengths = headers.getlist("content-length")
        if len(lengths) != 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
            return _Refusal(code="length-needed", status=411, why="say how much you send")
        # Python refuses to read a number of very many digits
        length = int(lengths[0][:13])
        if length > self._large.get(scope["path"], FORM_BYTES):
            return _Refusal(code="too-much", status=413, why="this is too much")
        if length > self._most(scope):
            return _Refusal(code="token-needed", status=403, why="give the PIN first, at /pin")
        return None

    def _most(self, scope: Scope) -> int:
        large = self._large.get(scope["path"], 0)
        return large if large and self._access.allows(_token(scope)) else FORM_BYTES

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        """Gives the body, no more of it than is allowed and not for ever."""
        left = self._most(scope)
        limit_s = BODY_LIMIT_S if left > FORM_BYTES else FORM_LIMIT_S
        until_s = asyncio.get_running_loop().time() + limit_s
        is_whole = False

        async def counted() -> Message:
            nonlocal left, is_whole
            if is_whole:  # what comes now is that the phone has gone
                return await receive()
            try:
                async with asyncio.timeout_at(until_s):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(413, TOO_MUCH) from None
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                if left < 0:
                    raise HTTPException(413, TOO_MUCH)
            return message

        return counted


def _token(scope: Scope) -> str | None:
    """That of a program, else of a phone."""
    of = HTTPConnection(scope)
    token = borne(of.headers)
    return of.cookies.get(COOKIE) if token is None else token
