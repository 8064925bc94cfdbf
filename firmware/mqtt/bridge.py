"""Bridge between the broker and the scanner: publishes results, and starts scans on request."""

import asyncio
import math
import socket
import ssl
import time
import zlib
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from importlib.metadata import version
from typing import Any, Final, NoReturn

from aiomqtt import Client, MqttError, ProtocolVersion, Will
from aiomqtt import Message as MqttMessage
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from firmware.base.errors import PROGRAM
from firmware.base.json_text import json_text
from firmware.base.problem import Problem
from firmware.mqtt.appliance_client import OK, ApplianceClient, ScannerGoneError
from firmware.mqtt.messages import (
    OF_OTHERS,
    OFFLINE,
    ONLINE,
    SCANNED,
    Topics,
    name_in,
    result_of,
    scanner_in,
)
from firmware.mqtt.other_tables import OtherTables
from firmware.settings.model import MqttSettings
from hardware.timeouts import BackOff
from vision.message import Message

SCANNER_RETRY_S: Final = 3.0
MAX_BYTES: Final = 32 * 1024
"""Longest message that is read: games of another scanner. The payload of a scan request is
ignored."""
MAX_WAITING: Final = 64
"""Largest number of topics with a message that waits; those of further ones are lost."""
REFUSAL_AGAIN_S: Final = 60.0
"""Pause before the same refusal of a press is logged again."""
_OTHER_VERSION: Final = (1, 132)
"""The broker does not speak this version of MQTT; in both versions."""
_REFUSED: Final = (4, 5, 134, 135)
"""Wrong user or password, or not for this user; in both versions of MQTT."""
_NOBODY: Final = (socket.EAI_NONAME, socket.EAI_NODATA)
"""No computer has a name; without a network none is found for other reasons."""


class _Inbox(asyncio.Queue[MqttMessage]):
    """Queue of messages with one a topic: of two that wait the later one holds."""

    _queue: dict[str, MqttMessage]

    def _init(self, _maxsize: int) -> None:
        self._queue = {}

    def _put(self, item: MqttMessage) -> None:
        self._queue[str(item.topic)] = item

    def _get(self) -> MqttMessage:
        return self._queue.pop(next(iter(self._queue)))

    def put_nowait(self, item: MqttMessage) -> None:
        """Let a message wait, unless it is a press of some time ago, or too many wait."""
        topic = str(item.topic)
        is_old_press = item.retain and name_in(topic) == "scan"
        if not is_old_press and (topic in self._queue or len(self._queue) < MAX_WAITING):
            super().put_nowait(item)


class Bridge:
    """Connection between a scanner and a broker, until it is cancelled.

    Args:
        settings: Settings of the broker.
        password: Password of the broker's user.
        scanner: Client of the scanner behind the bridge.
        topics: Topics of this scanner.
        say: Function that receives each change of the connection once.
    """

    def __init__(
        self,
        settings: MqttSettings,
        password: str | None,
        scanner: ApplianceClient,
        topics: Topics,
        say: Callable[[Problem], None],
    ) -> None:
        self._settings, self._password = settings, password
        self._scanner, self._topics, self._say = scanner, topics, say
        self._broker_address = f"{settings.host}:{settings.port}"
        self._waits = BackOff()
        self._version = ProtocolVersion.V5
        self._refused = "", -math.inf
        """Code of the refusal that was logged last, and when."""
        self._result_id: int | None = None
        """Identifier of the result shown last, 0 for none; None until the scanner answers."""
        self._games: Any = None
        """Games published last; None before the first time."""
        self._others = OtherTables(scanner, topics.scanner)

    async def run(self) -> NoReturn:
        """Stay connected; try again after a failure, each time a little later."""
        told_code = None
        while True:
            try:
                await self._connected()
            except* (MqttError, OSError, UnicodeError) as group:
                await self._others.tell_lost()
                problem = self._problem(group.exceptions[0])
                if problem.code != told_code or not self._waits.failures:
                    self._say(problem)
                told_code = problem.code
            self._waits = self._waits.after_failure(time.monotonic())
            await asyncio.sleep(self._waits.next_try_s - time.monotonic())

    async def _connected(self) -> None:
        settings = self._settings
        # An unknown host name and a broker that does not answer are different problems
        await asyncio.get_running_loop().getaddrinfo(settings.host, settings.port)
        async with AsyncExitStack() as stack:
            await self._talk(await self._connect(stack))

    async def _connect(self, stack: AsyncExitStack) -> Client:
        """Connect by MQTT 5, which limits messages, or by 3.1.1, which every broker speaks."""
        try:
            return await stack.enter_async_context(self._client())
        except MqttError as error:
            if self._version is ProtocolVersion.V311 or not _is_other_version(error):
                raise
        self._version = ProtocolVersion.V311
        try:
            return await stack.enter_async_context(self._client())
        except MqttError:
            self._version = ProtocolVersion.V5  # it was something else
            raise

    def _client(self) -> Client:
        settings, at = self._settings, self._topics.of("availability")
        client = Client(
            settings.host,
            settings.port,
            username=settings.user or None,
            password=self._password,
            identifier=self._topics.scanner,
            will=Will(at, OFFLINE, qos=1, retain=True),
            protocol=self._version,
            properties=_limits() if self._version is ProtocolVersion.V5 else None,
            queue_type=_Inbox,
            tls_context=ssl.create_default_context() if settings.tls else None,
        )
        _limit_reading(client)
        return client

    async def _talk(self, client: Client) -> None:
        """Tell and listen until the connection is lost."""
        self._waits, self._games = BackOff(), None
        try:
            await client.subscribe(self._topics.of("scan"), qos=1)
            for name in OF_OTHERS:
                await client.subscribe(Topics("+").of(name), qos=1)
            # Not before: whoever reads this may press the button at once
            message = Message("connected with the MQTT broker")
            self._say(Problem("mqtt-connected", message, self._broker_address))
            await self._publish_retained(client, self._topics.discovery, self._description())
            async with asyncio.TaskGroup() as group:
                group.create_task(self._listen(client))
                group.create_task(self._tell(client))
                group.create_task(self._others.tell())
        except asyncio.CancelledError:  # the broker sends the will only if the connection breaks
            with suppress(MqttError):
                await self._publish_retained(client, self._topics.of("availability"), OFFLINE)
            raise

    def _description(self) -> str:
        return self._topics.description(version(PROGRAM))

    async def _publish_retained(self, client: Client, topic: str, payload: str | bytes) -> None:
        """Publish a message that the broker also sends to later subscribers."""
        await client.publish(topic, payload, qos=1, retain=True)

    async def _listen(self, client: Client) -> None:
        """Start a scan on each request, and collect the messages of other scanners."""
        async for message in client.messages:
            topic = str(message.topic)
            if topic != self._topics.of("scan"):
                scanner, name = scanner_in(topic), name_in(topic)
                self._others.hear(scanner, name, message.payload, retained=message.retain)
                continue
            with suppress(ScannerGoneError):  # the other task says so
                refused = await self._scanner.scan()
                if refused is not None:
                    self._log_refusal(refused["code"], refused["message"])

    def _log_refusal(self, code: str, message: str) -> None:
        """Log why a press did nothing; the same reason only once a minute."""
        logged, logged_s = self._refused
        now_s = time.monotonic()
        if code != logged or now_s - logged_s >= REFUSAL_AGAIN_S:
            self._refused = code, now_s
            self._say(Problem(code, Message(message), self._broker_address))

    async def _tell(self, client: Client) -> NoReturn:
        """Tell the broker what the scanner shows, from now on."""
        at, was_there = self._topics.of("availability"), True
        while True:
            try:
                published: Any = None
                async for _change in self._scanner.changes():
                    if published is None:
                        await self._publish_retained(client, at, ONLINE)
                        was_there = True
                    published = await self._tell_result(client, published)
            except ScannerGoneError:
                await self._publish_retained(client, at, OFFLINE)
                if was_there:
                    message = Message("the scanner does not answer: start it, stadtblick run")
                    self._say(Problem("scanner-gone", message, str(self._scanner.path)))
                was_there, self._result_id = False, None
            await asyncio.sleep(SCANNER_RETRY_S)

    async def _tell_result(self, client: Client, published: Any) -> Any:
        """Publish the last result unless it was published already; return what is published now."""
        # The number first: a change between the two requests comes as another event
        unscored = (await self._scanner.get_json("status"))["table"]
        sheet = await self._scanner.get_json("sheet")
        number = sheet.get("table", unscored) or 0
        result = result_of(sheet)
        status, photo = await self._scanner.get("/photo.jpg")
        shown = photo if status == OK else b""  # none, once photos were deleted
        now = (number, result, zlib.crc32(shown))
        if now != published:
            await self._publish_retained(client, self._topics.of("photo"), shown)
            await self._publish_retained(client, self._topics.of("result"), json_text(result))
            # A past game has a number below 0
            if self._result_id is not None and number > 0 and number != self._result_id:
                event = json_text({"event_type": SCANNED, **result})
                await client.publish(self._topics.of("event"), event, qos=1)
        self._result_id = number
        await self._tell_games(client)
        return now

    async def _tell_games(self, client: Client) -> None:
        """Tell other scanners of the games of this one, with the time by its clock."""
        reply = await self._scanner.get_json("games")
        games = reply.get("games")
        if games is None or games == self._games:
            return
        text = json_text({"sent": reply["now"], "games": games}, ascii_only=False)
        await self._publish_retained(client, self._topics.of("games"), text)
        self._games = games

    def _problem(self, error: Exception) -> Problem:
        """Return the problem that keeps the broker from being reached."""
        if isinstance(error, MqttConnectError) and _code(error) in _REFUSED:
            message = Message(
                "the MQTT broker refuses user and password: set [mqtt] user and password_file"
            )
            return Problem("mqtt-refused", message, self._broker_address)
        unknown = isinstance(error, socket.gaierror) and error.errno in _NOBODY
        if unknown or isinstance(error, UnicodeError):
            message = Message("there is no computer of this name: set [mqtt] host")
            return Problem("mqtt-host-unknown", message, self._broker_address)
        message = Message(
            "there is no connection with the MQTT broker, {why}: it is tried again, look whether "
            "it runs, and at [mqtt] port and tls",
            why=str(error).partition("] ")[2] or str(error),
        )
        return Problem("mqtt-gone", message, self._broker_address)


def _code(error: BaseException) -> int | None:
    """Return the reason code that a broker gave; None if it gave none."""
    code = getattr(error, "rc", None)
    found: int | None = getattr(code, "value", code)
    return found


def _is_other_version(error: MqttError) -> bool:
    """Return whether the broker may not speak MQTT 5: some say so, some do not answer."""
    is_silent = not isinstance(error, MqttConnectError) and error.__cause__ is None
    return is_silent or _code(error) in _OTHER_VERSION


def _limits() -> Properties:
    """Return the properties that keep a broker from sending longer messages."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = MAX_BYTES
    return properties


def _limit_reading(client: Client) -> None:
    """End the connection at a longer message, before it is read: MQTT 3.1.1 has no such limit."""
    inner = client._client
    receive = inner._sock_recv

    def limited(size: int) -> bytes:
        if size > MAX_BYTES:
            raise ConnectionAbortedError("a message is too long")
        return receive(size)

    inner._sock_recv = limited  # type: ignore[method-assign,assignment]
