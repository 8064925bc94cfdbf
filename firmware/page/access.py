"""Who may change something: a phone that has once given the PIN that the display shows."""

import hashlib
import hmac
import ipaddress
import math
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.base.errors import OutputError
from firmware.base.user_data import user_folder, write_safely

KEY_FILE: Final = "page.key"
TOKEN_S: Final = 400 * 86_400
"""How long a phone is remembered; browsers keep no cookie longer."""
TRIES: Final = 5
"""Wrong PINs in a row from one address until it has to wait; the others need not."""
FIRST_PAUSE_S: Final = 30.0
LONGEST_PAUSE_S: Final = 3600.0

_MOST_ADDRESSES: Final = 1024
"""Addresses whose wrong PINs are remembered."""
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


@dataclass(slots=True)
class _WrongPins:
    """Wrong PINs from one address since the last right one.

    Attributes:
        count: Number of wrong PINs.
        until_s: End of the pause.
    """

    count: int = 0
    until_s: float = -math.inf


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
        self._wrong: dict[str, _WrongPins] = {}
        self._lock = threading.Lock()

    def wait_s(self, address: str) -> float:
        """Return how long no PIN is taken from this address; 0 if one is."""
        return max(0.0, self._wrong.get(address, _WrongPins()).until_s - self._now_s())

    def token_for(self, pin: str, address: str) -> str | None:
        """Return a token for the right PIN.

        Args:
            pin: Whatever was given.
            address: Client's IP address.

        Returns:
            Token; None if the PIN is wrong, or too many from this address were.
        """
        with self._lock:  # else many tries at once would count as one
            if self.wait_s(address):
                return None
            if hmac.compare_digest(pin.encode("utf-8", "replace"), self.pin.encode()):
                self._wrong.pop(address, None)
                return self._signed(f"{int(self._wall_s())}.{secrets.token_hex(8)}")
            self._count_wrong(address)
            return None

    def _count_wrong(self, address: str) -> None:
        while len(self._wrong) >= _MOST_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]  # the first one that was wrong
        wrong = self._wrong.setdefault(address, _WrongPins())
        wrong.count += 1
        rounds, rest = divmod(wrong.count, TRIES)
        if not rest:
            pause_s = min(FIRST_PAUSE_S * 2 ** min(rounds - 1, 20), LONGEST_PAUSE_S)
            wrong.until_s = self._now_s() + pause_s

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
