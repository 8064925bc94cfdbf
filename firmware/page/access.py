"""Who may change something: a phone that has once given the PIN that the display shows."""

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.errors import OutputError
from firmware.user_data import user_folder, write_safely

KEY_FILE: Final = "page.key"
TOKEN_S: Final = 400 * 86_400
"""How long a phone is remembered; browsers keep no cookie longer."""
TRIES: Final = 5
"""Wrong PINs in a row, from whichever phones, until all have to wait."""
FIRST_PAUSE_S: Final = 30.0
LONGEST_PAUSE_S: Final = 3600.0

_KEY_BYTES: Final = 32
COOKIE: Final = "stadtblick"
_BEARER: Final = "Bearer "
"""Where the token is: in a cookie of a phone, and after this word in ``Authorization``."""
_LONGEST_TOKEN: Final = 200


def kept_key(path: Path | None = None) -> bytes:
    """The key with which tokens are signed; kept, so that phones are remembered after a restart."""
    path = path or user_folder() / KEY_FILE
    with suppress(OSError):
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    key = secrets.token_bytes(_KEY_BYTES)
    with suppress(OutputError):  # then phones are remembered until the next start
        write_safely(path, key, private=True)
    return key


def borne(headers: Mapping[str, str]) -> str | None:
    """The token that a program bears; None: it bears none."""
    said = headers.get("authorization", "")
    return said.removeprefix(_BEARER) if said.startswith(_BEARER) else None


class Access:
    """Checks PINs and tokens; for several threads at once.

    Args:
        key: with which tokens are signed.
        open_to_all: whether nobody needs a PIN, since the page is for this computer alone.
        now_s: monotonic seconds, for the pauses.
        wall_s: seconds of the wall clock, for the age of tokens; one that was issued in the future
            counts, because a Raspberry Pi may not know the time.
    """

    def __init__(
        self,
        key: bytes,
        *,
        open_to_all: bool = False,
        now_s: Callable[[], float] = time.monotonic,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self.pin = f"{secrets.randbelow(10**6):06}"
        self.open_to_all = open_to_all
        self._key, self._now_s, self._wall_s = key, now_s, wall_s
        self._wrong = 0
        self._pause_until_s = -float("inf")

    def wait_s(self) -> float:
        """How long no PIN is taken; 0: one is."""
        return max(0.0, self._pause_until_s - self._now_s())

    def token_for(self, pin: str) -> str | None:
        """A token for whoever gives the PIN; None: it is wrong, or too many were."""
        if self.wait_s():
            return None
        if hmac.compare_digest(pin.encode("utf-8", "replace"), self.pin.encode()):
            self._wrong = 0
            return self._signed(f"{int(self._wall_s())}.{secrets.token_hex(8)}")
        self._wrong += 1
        rounds, rest = divmod(self._wrong, TRIES)
        if not rest:
            pause_s = min(FIRST_PAUSE_S * 2 ** min(rounds - 1, 20), LONGEST_PAUSE_S)
            self._pause_until_s = self._now_s() + pause_s
        return None

    def allows(self, token: str | None) -> bool:
        """Whether a token is one of these and not too old."""
        if self.open_to_all:
            return True
        if token is None or len(token) > _LONGEST_TOKEN or not token.isascii():
            return False
        said, _dot, _signature = token.rpartition(".")
        if not hmac.compare_digest(self._signed(said), token):
            return False
        return self._wall_s() - int(said.partition(".")[0]) < TOKEN_S

    def form_token(self, token: str | None) -> str:
        """What the forms that are given to a phone carry, so that no other page can send them."""
        return self._mac(f"form {token or ''}")

    def is_form_token(self, given: str, token: str | None) -> bool:
        """Whether a form was given to this phone."""
        return hmac.compare_digest(given.encode(), self.form_token(token).encode())

    def _signed(self, said: str) -> str:
        return f"{said}.{self._mac(f'phone {said}')}"

    def _mac(self, said: str) -> str:
        return hmac.new(self._key, said.encode(), hashlib.sha256).hexdigest()[:40]


def is_own_host(host: str, port: int, names: Collection[str]) -> bool:
    """Whether a ``Host`` header means this page.

    An address in figures is never a stranger's name that was made to point here.

    Args:
        host: the header.
        port: of the page.
        names: of this computer, in small letters.
    """
    name, colon, given = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, given = host, "80"
    if given != str(port):
        return False
    if name.lower().rstrip(".") in names:
        return True
    with suppress(ValueError):
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        return True
    return False
