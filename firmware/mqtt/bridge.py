"""Bridge between the MQTT broker and the scanner.

Publishes results, photos, events, games and availability; starts scans on request.
"""

import asyncio
import math
import re
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
from firmware.mqtt.messages import (
    OFFLINE,
    ONLINE,
    SCANNED,
    TOPICS_FROM_OTHER_SCANNERS,
    Topics,
    last_part,
    parse_scanner_id,
    result_message,
)
from firmware.mqtt.other_scanners import OtherScanners
from firmware.mqtt.scanner_client import OK, ScannerClient, ScannerGoneError
from firmware.settings.defaults import MqttSettings
from hardware.timeouts import BackOff
from vision.message import Message

SCANNER_RETRY_S: Final = 3.0
MAX_MESSAGE_BYTES: Final = 32 * 1024
"""Longest message in bytes that is read: games of another scanner. The payload of a scan request
is ignored."""
MAX_WAITING: Final = 64
"""Most topics with a message that waits; messages at further topics are lost."""
REPEATED_REFUSAL_S: Final = 60.0
"""Time in seconds before the same refusal of a scan request is logged again."""
_UNSUPPORTED_PROTOCOL: Final = (1, 132)
"""Reason codes of MQTT 3.1.1 and 5: the broker does not support this protocol version."""
_BAD_CREDENTIALS: Final = (4, 5, 134, 135)
"""Reason codes of MQTT 3.1.1 and 5: wrong user or password, or not allowed for this user."""
_UNKNOWN_HOST: Final = (socket.EAI_NONAME, socket.EAI_NODATA)
"""Errors of name resolution for a host that does not exist; without a network there are others."""

_REASONS: Final = (
    (r"Operation timed out", Message("it does not answer")),
    (r"Disconnected during .*|The connection was lost\.", Message("it has ended the connection")),
    (r".* is not currently connected\.", Message("it has ended the connection")),
    (r".*[Bb]roker unavailable.*|.*[Ss]erver unavailable.*", Message("it is not available now")),
    (r"certificate verify failed.*", Message("its certificate is not known here")),
    (r"wrong version number.*", Message("it does not use TLS")),
    (r"a message is too long", Message("a message is too long")),
)
"""Patterns of reasons that libraries give, and our own words for them."""
_SCAN_KEY: Final = "scanned_as"
"""Key of the API under which it gives ``Result.scanned_as``."""


class _Inbox(asyncio.Queue[MqttMessage]):
    """Queue with at most one message a topic: a later one replaces the one that waits."""

    _queue: dict[str, MqttMessage]

    def _init(self, _maxsize: int) -> None:
        self._queue = {}

    def _put(self, item: MqttMessage) -> None:
        self._queue[str(item.topic)] = item

    def _get(self) -> MqttMessage:
        return self._queue.pop(next(iter(self._queue)))

    def put_nowait(self, item: MqttMessage) -> None:
        """Queue a message, unless it is a retained scan request, or too many wait."""
        topic = str(item.topic)
        is_old_request = item.retain and last_part(topic) == "scan"
        if not is_old_request and (topic in self._queue or len(self._queue) < MAX_WAITING):
            super().put_nowait(item)


class Bridge:
    """Connection between a scanner and a broker.

    Args:
        settings: Settings of the broker.
        password: Password of the broker's user.
        scanner_client: Client of the scanner on this computer.
        topics: Topics of this scanner.
        log: Function that logs problems: each change of the connection once, and refused scans.
    """

    def __init__(
        self,
        settings: MqttSettings,
        password: str | None,
        scanner_client: ScannerClient,
        topics: Topics,
        log: Callable[[Problem], None],
    ) -> None:
        self._settings, self._password = settings, password
        self._scanner_client, self._topics, self._log = scanner_client, topics, log
        self._broker_address = f"{settings.host}:{settings.port}"
        self._back_off = BackOff()
        self._protocol = ProtocolVersion.V5
        self._last_refusal = "", -math.inf
        """Code of the refusal logged last, and its time in monotonic seconds."""
        self._scanned_as: int | None = None
        """``Result.scanned_as`` of the result published last, 0 without one; None at the start."""
        self._games: Any = None
        """Games published last; None before the first time."""
        self._others = OtherScanners(scanner_client, topics.scanner_id)

    async def run(self) -> NoReturn:
        """Stay connected until cancelled; after a failure try again, each time a little later."""
        logged_code = None
        while True:
            try:
                await self._run_connection()
            except* (MqttError, OSError, UnicodeError) as group:
                await self._others.report_connection_lost()
                problem = self._problem(group.exceptions[0])
                if problem.code != logged_code or not self._back_off.failures:
                    self._log(problem)
                logged_code = problem.code
            self._back_off = self._back_off.after_failure(time.monotonic())
            await asyncio.sleep(self._back_off.next_try_s - time.monotonic())

    async def _run_connection(self) -> None:
        settings = self._settings
        # An unknown host name and a broker that does not answer are different problems
        await asyncio.get_running_loop().getaddrinfo(settings.host, settings.port)
        async with AsyncExitStack() as stack:
            await self._serve(await self._connect(stack))

    async def _connect(self, stack: AsyncExitStack) -> Client:
        """Connect by MQTT 5, which limits the size of messages, else by 3.1.1 for old brokers."""
        try:
            return await stack.enter_async_context(self._client())
        except MqttError as error:
            if self._protocol is ProtocolVersion.V311 or not _may_lack_mqtt_5(error):
                raise
        self._protocol = ProtocolVersion.V311
        try:
            return await stack.enter_async_context(self._client())
        except MqttError:
            self._protocol = ProtocolVersion.V5  # the protocol was not the reason
            raise

    def _client(self) -> Client:
        settings, at = self._settings, self._topics.topic("availability")
        client = Client(
            settings.host,
            settings.port,
            username=settings.user or None,
            password=self._password,
            identifier=self._topics.scanner_id,
            will=Will(at, OFFLINE, qos=1, retain=True),
            protocol=self._protocol,
            properties=_limits() if self._protocol is ProtocolVersion.V5 else None,
            queue_type=_Inbox,
            tls_context=ssl.create_default_context() if settings.tls else None,
        )
        _limit_reading(client)
        return client

    async def _serve(self, client: Client) -> None:
        """Publish and receive messages until the connection is lost."""
        self._back_off, self._games = BackOff(), None
        try:
            await client.subscribe(self._topics.topic("scan"), qos=1)
            for name in TOPICS_FROM_OTHER_SCANNERS:
                await client.subscribe(Topics("+").topic(name), qos=1)
            # Only after subscribing: whoever reads this log may request a scan at once
            message = Message("connected with the MQTT broker")
            self._log(Problem("mqtt-connected", message, self._broker_address))
            await self._publish_retained(client, self._topics.discovery, self._description())
            async with asyncio.TaskGroup() as group:
                group.create_task(self._receive(client))
                group.create_task(self._publish_changes(client))
                group.create_task(self._others.send_reports())
        except asyncio.CancelledError:  # the broker sends the will only if the connection breaks
            with suppress(MqttError):
                await self._publish_retained(client, self._topics.topic("availability"), OFFLINE)
            raise

    def _description(self) -> str:
        return self._topics.discovery_payload(version(PROGRAM))

    async def _publish_retained(self, client: Client, topic: str, payload: str | bytes) -> None:
        """Publish a message that the broker also sends to later subscribers."""
        await client.publish(topic, payload, qos=1, retain=True)

    async def _receive(self, client: Client) -> None:
        """Start a scan on each request, and pass on the messages of other scanners."""
        async for message in client.messages:
            topic = str(message.topic)
            if topic != self._topics.topic("scan"):
                other_id, name = parse_scanner_id(topic), last_part(topic)
                self._others.receive(other_id, name, message.payload, retained=message.retain)
                continue
            with suppress(ScannerGoneError):  # _publish_changes logs that
                refusal = await self._scanner_client.scan()
                if refusal is not None:
                    self._log_refusal(refusal["code"], refusal["message"])

    def _log_refusal(self, code: str, message: str) -> None:
        """Log why a scan request was refused; the same reason only once a minute."""
        logged, logged_s = self._last_refusal
        now_s = time.monotonic()
        if code != logged or now_s - logged_s >= REPEATED_REFUSAL_S:
            self._last_refusal = code, now_s
            self._log(Problem(code, Message(message), self._broker_address))

    async def _publish_changes(self, client: Client) -> NoReturn:
        """Publish availability, result, photo, event and games whenever they change."""
        availability, was_online = self._topics.topic("availability"), True
        while True:
            try:
                published: Any = None
                async for _change in self._scanner_client.changes():
                    if published is None:
                        await self._publish_retained(client, availability, ONLINE)
                        was_online = True
                    published = await self._publish_changed(client, published)
            except ScannerGoneError:
                await self._publish_retained(client, availability, OFFLINE)
                if was_online:
                    message = Message("the scanner does not answer: start it, stadtblick run")
                    self._log(
                        Problem("scanner-gone", message, str(self._scanner_client.socket_path))
                    )
                was_online, self._scanned_as = False, None
            await asyncio.sleep(SCANNER_RETRY_S)

    async def _publish_changed(self, client: Client, published: Any) -> Any:
        """Publish result, photo and event unless they equal ``published``, then the games.

        Returns:
            Values to pass as ``published`` next time.
        """
        # The status first: a change between the two requests comes as another event
        scanner_status = await self._scanner_client.get_json("status")
        if _SCAN_KEY not in scanner_status:  # an error, as of a page that is being started
            raise ScannerGoneError
        scan_in_status = scanner_status[_SCAN_KEY]
        sheet = await self._scanner_client.get_json("sheet")
        scanned_as = sheet.get(_SCAN_KEY, scan_in_status) or 0
        result = result_message(sheet)
        status, photo = await self._scanner_client.get("/photo.jpg")
        shown = photo if status == OK else b""  # none, once photos were deleted
        now = (scanned_as, result, zlib.crc32(shown))
        if now != published:
            await self._publish_retained(client, self._topics.topic("photo"), shown)
            await self._publish_retained(client, self._topics.topic("result"), json_text(result))
            is_scan = scanned_as > 0  # that of a past game is below 0
            if self._scanned_as is not None and is_scan and scanned_as != self._scanned_as:
                event = json_text({"event_type": SCANNED, **result})
                await client.publish(self._topics.topic("event"), event, qos=1)
        self._scanned_as = scanned_as
        await self._publish_games(client)
        return now

    async def _publish_games(self, client: Client) -> None:
        """Publish the games of this scanner for others, with the time by its clock."""
        reply = await self._scanner_client.get_json("games")
        games = reply.get("games")
        if games is None or games == self._games:
            return
        text = json_text({"sent": reply["now"], "games": games}, ascii_only=False)
        await self._publish_retained(client, self._topics.topic("games"), text)
        self._games = games

    def _problem(self, error: Exception) -> Problem:
        """Return the problem of a failed connection with the broker."""
        if isinstance(error, MqttConnectError) and _code(error) in _BAD_CREDENTIALS:
            message = Message(
                "the MQTT broker refuses user and password: set [mqtt] user and password_file"
            )
            return Problem("mqtt-refused", message, self._broker_address)
        unknown = isinstance(error, socket.gaierror) and error.errno in _UNKNOWN_HOST
        if unknown or isinstance(error, UnicodeError):
            message = Message("there is no computer of this name: set [mqtt] host")
            return Problem("mqtt-host-unknown", message, self._broker_address)
        message = Message(
            "there is no connection with the MQTT broker, {why}: it is tried again, look whether "
            "it runs, and at [mqtt] port and tls",
            why=_reason(error),
        )
        return Problem("mqtt-gone", message, self._broker_address)


def _reason(error: BaseException) -> Message:
    """Return why there is no connection; words of a library only if there are no better ones."""
    text = str(error).partition("] ")[2] or str(error)
    for pattern, reason in _REASONS:
        if re.fullmatch(pattern, text):
            return reason
    return Message(text or type(error).__name__)


def _code(error: BaseException) -> int | None:
    """Return the reason code that a broker gave; None if it gave none."""
    code = getattr(error, "rc", None)
    found: int | None = getattr(code, "value", code)
    return found


def _may_lack_mqtt_5(error: MqttError) -> bool:
    """Return whether the broker may lack MQTT 5: it refuses the protocol, or does not answer."""
    is_silent = not isinstance(error, MqttConnectError) and error.__cause__ is None
    return is_silent or _code(error) in _UNSUPPORTED_PROTOCOL


def _limits() -> Properties:
    """Return the properties that keep a broker from sending longer messages."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = MAX_MESSAGE_BYTES
    return properties


def _limit_reading(client: Client) -> None:
    """End the connection at a longer message, before it is read: MQTT 3.1.1 has no such limit."""
    inner = client._client
    receive = inner._sock_recv

    def limited(size: int) -> bytes:
        if size > MAX_MESSAGE_BYTES:
            raise ConnectionAbortedError("a message is too long")
        return receive(size)

    inner._sock_recv = limited  # type: ignore[method-assign,assignment]
