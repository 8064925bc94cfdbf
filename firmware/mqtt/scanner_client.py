"""Client of the scanner on this computer, through the Unix socket of its page."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from firmware.base.json_text import json_text

ANSWER_LIMIT_S: Final = 20.0
SILENCE_LIMIT_S: Final = 60.0
"""Longest silence of the event stream in seconds; the page sends a keep-alive every 20 seconds."""
OK: Final = 200


class ScannerGoneError(Exception):
    """The scanner does not run, or does not answer."""


class ScannerClient:
    """HTTP client of the scanner; by HTTP 1.0, where a response ends with its connection.

    Args:
        socket_path: Unix socket of the page.
    """

    def __init__(self, socket_path: Path) -> None:
        self.socket_path = socket_path

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status and body of an address.

        Raises:
            ScannerGoneError: There is no response.
        """
        return await self._request("GET", path)

    async def get_json(self, path: str) -> Any:
        """Return the JSON at an address of ``/api/v1``; of a refusal, its JSON error.

        Raises:
            ScannerGoneError: There is no response.
        """
        _status, body = await self.get(f"/api/v1/{path}")
        try:
            return json.loads(body)
        except ValueError as error:
            raise ScannerGoneError from error

    async def send_scanner_reports(self, report: Mapping[str, Any]) -> list[str] | None:
        """Send reports on other scanners to the own one.

        Args:
            report: Object for ``POST /api/v1/tables``.

        Returns:
            Identifiers of the scanners that it knows now; None if it refuses the report.

        Raises:
            ScannerGoneError: There is no response.
        """
        body = json_text(report, ascii_only=False).encode()
        status, answer = await self._request("POST", "/api/v1/tables", body)
        if status != OK:
            return None
        try:
            return [str(each) for each in json.loads(answer)["tables"]]
        except (ValueError, LookupError, TypeError) as problem:
            raise ScannerGoneError from problem

    async def scan(self) -> Mapping[str, str] | None:
        """Request a scan.

        Returns:
            Refusal with ``code`` and ``message``; None if the scan was started.

        Raises:
            ScannerGoneError: There is no response.
        """
        status, body = await self._request("POST", "/api/v1/scan")
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
        async with self._open_request("GET", "/events") as (_status, reader):
            while True:
                async with asyncio.timeout(SILENCE_LIMIT_S):
                    line = await reader.readline()
                if not line:
                    raise ScannerGoneError
                if line.startswith(b"data:"):
                    yield

    async def _request(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        opened = self._open_request(method, path, body)
        async with opened as (status, reader), asyncio.timeout(ANSWER_LIMIT_S):
            return status, await reader.read()

    @asynccontextmanager
    async def _open_request(
        self, method: str, path: str, body: bytes = b""
    ) -> AsyncIterator[tuple[int, asyncio.StreamReader]]:
        """Send a request; yield the status of the response, and a reader of its body."""
        writer = None
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                reader, writer = await asyncio.open_unix_connection(self.socket_path)
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
