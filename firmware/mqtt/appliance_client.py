"""Client of the appliance on this computer, through the Unix socket of its page."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from firmware.base.json_text import json_text

ANSWER_LIMIT_S: Final = 20.0
SILENCE_LIMIT_S: Final = 60.0
"""Longest silence of the event stream; the scanner sends a sign of life every 20 seconds."""
OK: Final = 200


class ScannerGoneError(Exception):
    """The appliance does not run, or does not answer."""


class ApplianceClient:
    """Asks the appliance; by HTTP 1.0, where an answer ends with its connection.

    Args:
        path: Socket at which the scanner answers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status and body of an address.

        Raises:
            ScannerGoneError: There is no answer.
        """
        return await self._whole("GET", path)

    async def get_json(self, path: str) -> Any:
        """Return the JSON at an address of ``/api/v1``; of a refusal, its error.

        Raises:
            ScannerGoneError: There is no answer.
        """
        _status, body = await self.get(f"/api/v1/{path}")
        try:
            return json.loads(body)
        except ValueError as error:
            raise ScannerGoneError from error

    async def send_tables(self, report: Mapping[str, Any]) -> list[str] | None:
        """Send the scanner the tables of others.

        Args:
            report: Object for ``POST /api/v1/tables``.

        Returns:
            Identifiers of the tables that it knows of now; None if it refuses the report.

        Raises:
            ScannerGoneError: There is no answer.
        """
        body = json_text(report, ascii_only=False).encode()
        status, answer = await self._whole("POST", "/api/v1/tables", body)
        if status != OK:
            return None
        try:
            return [str(each) for each in json.loads(answer)["tables"]]
        except (ValueError, LookupError, TypeError) as problem:
            raise ScannerGoneError from problem

    async def scan(self) -> Mapping[str, str] | None:
        """Have the table scanned, if the scanner has time.

        Returns:
            Why it is not, with ``code`` and ``message``; None: it is.

        Raises:
            ScannerGoneError: There is no answer.
        """
        status, body = await self._whole("POST", "/api/v1/scan")
        if status == OK:
            return None
        try:
            error: Mapping[str, str] = json.loads(body)["error"]
        except (ValueError, LookupError, TypeError) as problem:
            raise ScannerGoneError from problem
        return error

    async def changes(self) -> AsyncIterator[None]:
        """Yield once, then whenever something may have changed.

        Raises:
            ScannerGoneError: The scanner has gone.
        """
        async with self._asked("GET", "/events") as (_status, reader):
            while True:
                async with asyncio.timeout(SILENCE_LIMIT_S):
                    line = await reader.readline()
                if not line:
                    raise ScannerGoneError
                if line.startswith(b"data:"):
                    yield

    async def _whole(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        asked = self._asked(method, path, body)
        async with asked as (status, reader), asyncio.timeout(ANSWER_LIMIT_S):
            return status, await reader.read()

    @asynccontextmanager
    async def _asked(
        self, method: str, path: str, body: bytes = b""
    ) -> AsyncIterator[tuple[int, asyncio.StreamReader]]:
        """Return the status of a response, and a reader of its body."""
        writer = None
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                reader, writer = await asyncio.open_unix_connection(self.path)
                length = f"Host: localhost\r\nContent-Length: {len(body)}"
                head = f"{method} {path} HTTP/1.0\r\n{length}\r\n\r\n"
                writer.write(head.encode("ascii") + body)
                status = int((await reader.readline()).split()[1])
                while (await reader.readline()).strip():
                    pass
            yield status, reader
        except (OSError, TimeoutError, ValueError, IndexError) as error:
            raise ScannerGoneError from error
        finally:
            if writer is not None:
                writer.close()
