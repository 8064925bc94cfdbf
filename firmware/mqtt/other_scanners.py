"""Collect the messages of other scanners from the broker, and send them to the own scanner."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from firmware.base.checked_input import parse_json
from firmware.base.errors import UsageError
from firmware.mqtt.messages import ONLINE
from firmware.mqtt.scanner_client import ScannerClient, ScannerGoneError

HEARTBEAT_S: Final = 30.0
"""Interval in seconds between reports to the own scanner that the broker is connected."""
MAX_SCANNERS: Final = 24
"""Maximum number of scanners that are kept; further ones take the places of those without games,
or are ignored."""
RETRY_S: Final = 3.0

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(slots=True)
class _OtherScanner:
    """Latest messages of another scanner; the payload of its games is not checked here.

    Attributes:
        is_online: True if the scanner is connected to the broker.
        is_live: True if the last ``games`` message was sent now, not retained by the broker.
        payload: Last ``games`` message; None without one.
        is_reported: True if games of this one were sent to the own scanner, which may hold them.
    """

    is_online: bool = True
    is_live: bool = False
    payload: Any = None
    is_reported: bool = False

    @property
    def has_no_games(self) -> bool:
        """True if there are no games of this scanner, here or in the own scanner."""
        return self.payload is None and not self.is_reported


class OtherScanners:
    """Messages of other scanners, waiting to be sent to the own one.

    Args:
        scanner_client: Client of the own scanner, which checks the messages and shows the games.
        own_id: Identifier of the own scanner, whose messages are left out.
    """

    def __init__(self, scanner_client: ScannerClient, own_id: str) -> None:
        self._scanner_client, self._own_id = scanner_client, own_id
        self._scanners: dict[str, _OtherScanner] = {}
        self._changed: dict[str, None] = {}
        self._has_changes = asyncio.Event()

    def receive(self, scanner_id: str, name: str, payload: bytes, *, retained: bool) -> None:
        """Take over a message from the broker.

        Args:
            scanner_id: Identifier of the scanner.
            name: Last part of the topic: ``games`` or ``availability``.
            payload: Message; empty if it was deleted.
            retained: True if the broker had kept it for new subscribers.
        """
        if scanner_id == self._own_id or not _IDENTIFIER.fullmatch(scanner_id):
            return
        if scanner_id not in self._scanners and not self._make_room():
            return
        other = self._scanners.setdefault(scanner_id, _OtherScanner())
        if name == "availability":
            other.is_online = payload == ONLINE.encode()
        else:
            other.payload, other.is_live = _json(payload), not retained
        self._changed[scanner_id] = None
        self._has_changes.set()

    def _make_room(self) -> bool:
        """Forget a scanner without games if all places are taken; return whether one is free."""
        if len(self._scanners) < MAX_SCANNERS:
            return True
        forgotten = next((name for name, each in self._scanners.items() if each.has_no_games), None)
        if forgotten is None:
            return False
        del self._scanners[forgotten]
        self._changed.pop(forgotten, None)
        return True

    async def send_reports(self) -> NoReturn:
        """Send each change and a heartbeat to the own scanner, until cancelled."""
        while True:
            try:
                while self._changed:
                    await self._report_one()
                await self._send_heartbeat()
            except ScannerGoneError:  # all are sent again once it is back
                self._changed |= dict.fromkeys(self._scanners)
                await asyncio.sleep(RETRY_S)
                continue
            self._has_changes.clear()
            if not self._changed:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._has_changes.wait(), HEARTBEAT_S)

    async def report_connection_lost(self) -> None:
        """Report to the own scanner that the broker is gone."""
        with suppress(ScannerGoneError):
            await self._scanner_client.send_scanner_reports({"is_connected": False, "tables": []})

    async def _report_one(self) -> None:
        """Report one scanner; what the own one refuses is not sent again."""
        scanner_id = next(iter(self._changed))
        other = self._scanners[scanner_id]
        was_reported, other.is_reported = (
            other.is_reported,
            other.is_reported or other.payload is not None,
        )
        report = {
            "scanner": scanner_id,
            "is_online": other.is_online,
            "is_live": other.is_live,
            "said": other.payload,
        }
        has_games = other.payload is not None
        del self._changed[scanner_id]
        other.is_live = False
        if (
            await self._scanner_client.send_scanner_reports(
                {"is_connected": True, "tables": [report]}
            )
            is None
        ):
            other.payload, other.is_reported = None, was_reported
        else:
            other.is_reported = has_games

    async def _send_heartbeat(self) -> None:
        """Report that the broker is connected; send everything again to a restarted scanner."""
        known = await self._scanner_client.send_scanner_reports(
            {"is_connected": True, "tables": []}
        )
        if known is not None and not known:
            known_games = (
                name for name, each in self._scanners.items() if each.payload is not None
            )
            self._changed |= dict.fromkeys(known_games)


def _json(payload: bytes) -> Any:
    """Return a message of another scanner; None if it is empty or no JSON."""
    try:
        return parse_json("body-malformed", payload)
    except UsageError:
        return None
