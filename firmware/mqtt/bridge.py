"""Between the broker and the scanner: tells what has changed, has scanned what is asked for."""

import asyncio
import socket
import ssl
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any, Final, NoReturn

from aiomqtt import Client, MqttError, Will
from aiomqtt.exceptions import MqttConnectError

from firmware.errors import PROGRAM, Diagnostic
from firmware.json_text import json_text
from firmware.mqtt.messages import OFFLINE, ONLINE, SCANNED, Topics, result_of
from firmware.mqtt.scanner import OK, Scanner, ScannerGoneError
from firmware.settings.model import MqttSettings
from hardware.timeouts import BackOff
from vision.errors import Message

SCANNER_RETRY_S: Final = 3.0
_REFUSED: Final = (4, 5, 134, 135)
"""Wrong user or password, or not for this user; in both versions of MQTT."""
_NOBODY: Final = (socket.EAI_NONAME, socket.EAI_NODATA)
"""No computer has a name; without a network none is found for other reasons."""


class Bridge:
    """Connects a scanner with a broker, until it is cancelled.

    Args:
        settings: which broker.
        password: of its user.
        scanner: which scanner.
        topics: of this scanner.
        say: is told what has become of a connection, once each time.
    """

    def __init__(
        self,
        settings: MqttSettings,
        password: str | None,
        scanner: Scanner,
        topics: Topics,
        say: Callable[[Diagnostic], None],
    ) -> None:
        self._settings, self._password = settings, password
        self._scanner, self._topics, self._say = scanner, topics, say
        self._place = f"{settings.host}:{settings.port}"
        self._waits = BackOff()
        self._table: int | None = None
        """The last one that is known of; None: not even whether there is one."""

    async def run(self) -> NoReturn:
        """Stay connected; whatever fails is tried again, each time a little later."""
        said = None
        while True:
            try:
                await self._connected()
            except* (MqttError, OSError, UnicodeError) as group:
                problem = self._problem(group.exceptions[0])
                if problem.code != said or not self._waits.failures:
                    self._say(problem)
                said = problem.code
            self._waits = self._waits.after_failure(time.monotonic())
            await asyncio.sleep(self._waits.next_try_s - time.monotonic())

    async def _connected(self) -> None:
        settings, at = self._settings, self._topics.of("availability")
        # A name that nobody has is told apart from a broker that does not answer
        await asyncio.get_running_loop().getaddrinfo(settings.host, settings.port)
        client = Client(
            settings.host,
            settings.port,
            username=settings.user or None,
            password=self._password,
            identifier=self._topics.scanner,
            will=Will(at, OFFLINE, qos=1, retain=True),
            tls_context=ssl.create_default_context() if settings.tls else None,
        )
        async with client:
            self._waits = BackOff()
            message = Message("connected with the broker")
            self._say(Diagnostic("mqtt-connected", message, self._place))
            try:
                await client.subscribe(self._topics.of("scan"), qos=1)
                await self._keep(client, self._topics.discovery, self._description())
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._listen(client))
                    group.create_task(self._tell(client))
            except asyncio.CancelledError:  # the will is for an end that nobody wanted
                with suppress(MqttError):
                    await self._keep(client, at, OFFLINE)
                raise

    def _description(self) -> str:
        return self._topics.description(version(PROGRAM))

    async def _keep(self, client: Client, topic: str, payload: str | bytes) -> None:
        """Say something that whoever comes later hears, too."""
        await client.publish(topic, payload, qos=1, retain=True)

    async def _listen(self, client: Client) -> None:
        """Have scanned whenever that is asked for."""
        async for message in client.messages:
            if message.retain:  # of some time ago
                continue
            with suppress(ScannerGoneError):  # the other task says so
                refused = await self._scanner.scan()
                if refused is not None:
                    self._say(Diagnostic(refused["code"], refused["message"], self._place))

    async def _tell(self, client: Client) -> NoReturn:
        """Tell the broker what the scanner shows, from now on."""
        at, was_there = self._topics.of("availability"), True
        while True:
            try:
                said: Any = None
                async for _change in self._scanner.changes():
                    if said is None:
                        await self._keep(client, at, ONLINE)
                        was_there = True
                    said = await self._tell_result(client, said)
            except ScannerGoneError:
                await self._keep(client, at, OFFLINE)
                if was_there:
                    message = Message("the scanner does not answer: start it, stadtblick run")
                    self._say(Diagnostic("scanner-gone", message, self._place))
                was_there, self._table = False, None
            await asyncio.sleep(SCANNER_RETRY_S)

    async def _tell_result(self, client: Client, said: Any) -> Any:
        """Tell of the last result if it is another one than was said; gives what is said now."""
        # In this order: what is new between the two is heard of once more
        unscored = (await self._scanner.get_json("status"))["table"]
        sheet = await self._scanner.get_json("sheet")
        table = sheet.get("table", unscored) or 0
        result = result_of(sheet)
        status, photo = await self._scanner.get("/photo.jpg")
        shown = photo if status == OK else b""  # none, once photos were deleted
        now = (table, result, zlib.crc32(shown))
        if now != said:
            await self._keep(client, self._topics.of("photo"), shown)
            await self._keep(client, self._topics.of("result"), json_text(result))
            # A table of the history has a number below 0
            if self._table is not None and table > 0 and table != self._table:
                event = json_text({"event_type": SCANNED, **result})
                await client.publish(self._topics.of("event"), event, qos=1)
        self._table = table
        return now

    def _problem(self, error: Exception) -> Diagnostic:
        """Why there is no connection."""
        code = getattr(getattr(error, "rc", None), "value", getattr(error, "rc", None))
        if isinstance(error, MqttConnectError) and code in _REFUSED:
            message = Message(
                "the broker refuses user and password: set [mqtt] user and password_file"
            )
            return Diagnostic("mqtt-refused", message, self._place)
        unknown = isinstance(error, socket.gaierror) and error.errno in _NOBODY
        if unknown or isinstance(error, UnicodeError):
            message = Message("there is no computer of this name: set [mqtt] host")
            return Diagnostic("mqtt-host-unknown", message, self._place)
        message = Message(
            "there is no connection with the broker, {why}: it is tried again, look whether it "
            "runs, and at [mqtt] port and tls",
            why=str(error).partition("] ")[2] or str(error),
        )
        return Diagnostic("mqtt-gone", message, self._place)
