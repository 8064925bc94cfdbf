"""Collects the tables of other scanners at the broker, and sends them to the own scanner."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from firmware.base.checked_input import parse_json
from firmware.base.errors import UsageError
from firmware.mqtt.appliance_client import ApplianceClient, ScannerGoneError
from firmware.mqtt.messages import ONLINE

BEAT_S: Final = 30.0
"""Interval in seconds at which the scanner hears that the broker is there."""
MAX_TABLES: Final = 24
"""Largest number of tables that are remembered; further ones are ignored."""
RETRY_S: Final = 3.0

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(slots=True)
class _OtherTable:
    """Latest messages of another scanner; the payload of its games is not checked here."""

    is_online: bool = True
    is_live: bool = False
    payload: Any = None


class OtherTables:
    """Tables of other scanners.

    Args:
        scanner: Own scanner, which checks the messages and shows the games.
        own: Identifier of the own scanner, whose messages are left out.
    """

    def __init__(self, scanner: ApplianceClient, own: str) -> None:
        self._scanner, self._own = scanner, own
        self._tables: dict[str, _OtherTable] = {}
        self._changed: dict[str, None] = {}
        self._news = asyncio.Event()

    def hear(self, scanner: str, name: str, payload: bytes, *, retained: bool) -> None:
        """Take over a message of any scanner.

        Args:
            scanner: Identifier of the scanner.
            name: Last part of the topic: ``games`` or ``availability``.
            payload: Message; empty if it was deleted.
            retained: True if the broker kept it from an earlier time.
        """
        is_full = scanner not in self._tables and len(self._tables) >= MAX_TABLES
        if scanner == self._own or is_full or not _IDENTIFIER.fullmatch(scanner):
            return
        table = self._tables.setdefault(scanner, _OtherTable())
        if name == "availability":
            table.is_online = payload == ONLINE.encode()
        else:
            table.payload, table.is_live = _json(payload), not retained
        self._changed[scanner] = None
        self._news.set()

    async def tell(self) -> NoReturn:
        """Tell the own scanner of all that changes, from now on, and that the broker is there."""
        while True:
            try:
                while self._changed:
                    await self._report_one()
                await self._send_heartbeat()
            except ScannerGoneError:  # it hears of all once it is there again
                self._changed |= dict.fromkeys(self._tables)
                await asyncio.sleep(RETRY_S)
                continue
            self._news.clear()
            if not self._changed:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), BEAT_S)

    async def tell_lost(self) -> None:
        """Tell the own scanner that the broker is gone."""
        with suppress(ScannerGoneError):
            await self._scanner.send_tables({"is_connected": False, "tables": []})

    async def _report_one(self) -> None:
        """Report one table; what the scanner refuses is not sent again."""
        name = next(iter(self._changed))
        table = self._tables[name]
        report = {
            "scanner": name,
            "is_online": table.is_online,
            "is_live": table.is_live,
            "said": table.payload,
        }
        del self._changed[name]
        table.is_live = False
        if await self._scanner.send_tables({"is_connected": True, "tables": [report]}) is None:
            table.payload = None

    async def _send_heartbeat(self) -> None:
        """Say that the broker is there; a scanner that was started anew hears of all again."""
        known = await self._scanner.send_tables({"is_connected": True, "tables": []})
        if known is not None and not known:
            known_games = (name for name, each in self._tables.items() if each.payload is not None)
            self._changed |= dict.fromkeys(known_games)


def _json(payload: bytes) -> Any:
    """Return a message of another scanner; None if it is empty or no JSON."""
    try:
        return parse_json("body-malformed", payload)
    except UsageError:
        return None
