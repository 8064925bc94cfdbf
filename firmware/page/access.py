"""Access to changes: a phone may make them once it has given the PIN of the display."""

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
"""Life of a token in seconds; browsers keep no cookie longer."""
TRIES: Final = 5
"""Number of wrong PINs in a row after which their address has to wait."""
FIRST_PIN_PAUSE_S: Final = 30.0
"""First pause in seconds; each further one is twice as long."""
LONGEST_PIN_PAUSE_S: Final = 3600.0
"""Longest pause in seconds."""

_MAX_ADDRESSES: Final = 1024
"""Number of addresses whose wrong PINs are remembered."""
_KEY_BYTES: Final = 32
COOKIE: Final = "stadtblick"
_BEARER: Final = "Bearer "
"""Prefix of a program's token in the header ``Authorization``; phones have it in a cookie."""
_LONGEST_TOKEN: Final = 200


def load_key(path: Path | None = None) -> bytes:
    """Return the stored key that signs tokens; make one the first time."""
    path = path or user_folder() / KEY_FILE
    with suppress(OSError):
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    key = secrets.token_bytes(_KEY_BYTES)
    with suppress(OutputError):  # then phones are remembered until the next start
        write_safely(path, key, private=True)
    return key


def bearer_token(headers: Mapping[str, str]) -> str | None:
    """Return the token of a program; None if it sends none."""
    credentials = headers.get("authorization", "")
    return credentials.removeprefix(_BEARER) if credentials.startswith(_BEARER) else None


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
    """Check of PINs and tokens; any thread may use it.

    Args:
        key: Key that signs tokens.
        open_to_all: True if nobody needs a PIN, since the page is for this computer alone.
        clock: Clock in monotonic seconds, for the pauses.
        wall_clock: Wall clock in seconds, for the age of tokens; one that was issued in the future
            counts, because a Raspberry Pi may not know the time.
    """

    def __init__(
        self,
        key: bytes,
        *,
        open_to_all: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.pin = f"{secrets.randbelow(10**6):06}"
        self.open_to_all = open_to_all
        self._key, self._clock, self._wall_clock = key, clock, wall_clock
        self._wrong: dict[str, _WrongPins] = {}
        self._lock = threading.Lock()

    def wait_s(self, address: str) -> float:
        """Return for how many seconds no PIN is accepted from this address; 0 if one is."""
        return max(0.0, self._wrong.get(address, _WrongPins()).until_s - self._clock())

    def token_for(self, pin: str, address: str) -> str | None:
        """Return a token for the right PIN.

        Args:
            pin: PIN as it was sent.
            address: Client's IP address.

        Returns:
            Token; None if the PIN is wrong, or the address has to wait.
        """
        with self._lock:  # else many tries at once would count as one
            if self.wait_s(address):
                return None
            if hmac.compare_digest(pin.encode("utf-8", "replace"), self.pin.encode()):
                self._wrong.pop(address, None)
                return self._signed(f"{int(self._wall_clock())}.{secrets.token_hex(8)}")
            self._count_wrong(address)
            return None

    def _count_wrong(self, address: str) -> None:
        while len(self._wrong) >= _MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]  # the first one that was wrong
        wrong = self._wrong.setdefault(address, _WrongPins())
        wrong.count += 1
        rounds, rest = divmod(wrong.count, TRIES)
        if not rest:
            pause_s = min(FIRST_PIN_PAUSE_S * 2 ** min(rounds - 1, 20), LONGEST_PIN_PAUSE_S)
            wrong.until_s = self._clock() + pause_s

    def allows(self, token: str | None) -> bool:
        """Return whether a token is valid and not too old."""
        if self.open_to_all:
            return True
        if token is None or len(token) > _LONGEST_TOKEN or not token.isascii():
            return False
        content, _dot, _signature = token.rpartition(".")
        if not hmac.compare_digest(self._signed(content), token):
            return False
        return self._wall_clock() - int(content.partition(".")[0]) < TOKEN_S

    def form_token(self, token: str | None) -> str:
        """Return the token of the forms for a phone, without which no other page can send them."""
        return self._mac(f"form {token or ''}")

    def is_form_token(self, given: str, token: str | None) -> bool:
        """Return whether a form was made for this phone."""
        return hmac.compare_digest(given.encode(), self.form_token(token).encode())

    def _signed(self, content: str) -> str:
        return f"{content}.{self._mac(f'phone {content}')}"

    def _mac(self, content: str) -> str:
        return hmac.new(self._key, content.encode(), hashlib.sha256).hexdigest()[:40]


def is_own_host(host: str, port: int, names: Collection[str]) -> bool:
    """Return whether a ``Host`` header names this page.

    IP addresses count: they are no name that a stranger made to point here.

    Args:
        host: Value of the header.
        port: Port of the page.
        names: Names of this computer, in small letters.
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
