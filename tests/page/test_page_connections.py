"""Connections to the page: no client keeps the others away, however many it opens."""

import asyncio
import http.client
import socket
import struct
import threading
import time
from contextlib import ExitStack, suppress
from types import SimpleNamespace

import pytest
from anyio.to_thread import current_default_thread_limiter
from starlette.requests import Request
from starlette.responses import Response

from firmware.base.page_sockets import LOCAL, listen
from firmware.page import connections, event_streams, security
from firmware.page.app import THREADS
from firmware.page.connections import MAX_CONNECTIONS, LimitedConnection, candidates_to_close
from firmware.page.event_streams import MAX_STREAMS
from firmware.page.page_request import MAX_RESPONSES_PER_ADDRESS, ClientLimit
from firmware.page.server import open_page
from tests.page.phone import still_channel

GUEST, OTHER = "127.0.0.1", "127.0.0.2"
LONG_S = 60.0
MAX_REQUESTS = 100_000
"""More than any buffers hold of requests whose answers nobody reads."""


@pytest.fixture
def page():
    page = open_page(
        still_channel(),
        listen(LOCAL, 0),
    )
    yield page
    page.close()


@pytest.fixture
def connect(page):
    """Opens a connection from an address, and sends something."""
    port = page.listening.getsockname()[1]
    with ExitStack() as opened:

        def connect(address=GUEST, data=b""):
            connection = socket.create_connection((LOCAL, port), LONG_S, (address, 0))
            opened.enter_context(connection)
            connection.sendall(data.replace(b"HOST", b"Host: localhost:%d" % port))
            return connection

        yield connect


@pytest.fixture
def status(page):
    """Asks for something from an address; gives the status of the answer, None if there is none."""

    def ask(path="/", address=GUEST):
        at = page.listening.getsockname()[1]
        connection = http.client.HTTPConnection(LOCAL, at, LONG_S, (address, 0))
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (ConnectionError, http.client.RemoteDisconnected):
            return None
        finally:
            connection.close()

    return ask


def is_closed(connection):
    """Wait until a connection is closed by the other end, whatever comes before."""
    until_s = time.monotonic() + LONG_S
    with suppress(ConnectionError):
        while connection.recv(65_536):
            assert time.monotonic() < until_s
    return True


def has_ended(stream):
    """Wait until an event stream ends; its connection may stay open for another request."""
    until_s, received = time.monotonic() + LONG_S, b""
    while not received.endswith(b"\r\n0\r\n\r\n"):
        more = stream.recv(65_536)
        assert more, "it ends in order"
        assert time.monotonic() < until_s
        received += more
    return True


SLOW_FORM = b"POST /pin HTTP/1.1\r\nHOST\r\nAuthorization: Bearer x\r\nContent-Length: 9\r\n\r\n"
FOLLOW = b"GET /events HTTP/1.1\r\nHOST\r\n\r\n"


@pytest.mark.parametrize("address", [GUEST, OTHER])
def test_silent_connections_leave_room_for_a_guest(connect, status, address):
    for _ in range(MAX_CONNECTIONS + 10):
        connect(GUEST)
    assert status(address=address) == 200


def test_silent_connection_gives_its_place_to_the_newcomer(connect, status):
    silent = [connect() for _ in range(MAX_CONNECTIONS)]
    status()
    assert is_closed(silent[0])


def test_silent_connections_of_many_addresses_leave_room_for_a_guest(connect, status):
    for number in range(MAX_CONNECTIONS):
        connect(f"127.0.1.{number + 1}")
    assert status() == 200


def test_busy_connections_of_one_address_leave_room_for_another(connect, status, monkeypatch):
    monkeypatch.setattr(security, "FORM_LIMIT_S", LONG_S)
    for _ in range(MAX_CONNECTIONS):
        connect(GUEST, SLOW_FORM)
    assert status(address=OTHER) == 200


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost:", b"\x16\x03\x01"])
def test_head_that_does_not_come_ends_the_connection(connect, monkeypatch, data):
    monkeypatch.setattr(connections, "HEAD_LIMIT_S", 0.1)
    assert is_closed(connect(data=data))


def test_slow_second_head_ends_the_connection(connect, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_LIMIT_S", 0.1)
    assert is_closed(connect(data=b"GET /static/page.js HTTP/1.1\r\nHOST\r\n\r\nGET /"))


def test_slow_form_is_answered_and_ended(connect, monkeypatch):
    monkeypatch.setattr(security, "FORM_LIMIT_S", 0.1)
    assert connect(data=SLOW_FORM).recv(12) == b"HTTP/1.1 413"


def test_client_that_does_not_read_is_disconnected(page, connect, monkeypatch):
    monkeypatch.setattr(connections, "RESPONSE_LIMIT_S", 0.1)
    lost, connection_lost = threading.Event(), LimitedConnection.connection_lost

    def note_lost(connection, error):
        connection_lost(connection, error)  # ends the answers, which would keep their files open
        lost.set()

    monkeypatch.setattr(LimitedConnection, "connection_lost", note_lost)
    slow = connect()
    slow.setblocking(False)
    at = b"Host: localhost:%d" % page.listening.getsockname()[1]
    with suppress(BlockingIOError, ConnectionError):
        for _ in range(MAX_REQUESTS):
            slow.send(b"GET /static/openapi.json HTTP/1.1\r\n" + at + b"\r\n\r\n")
    assert lost.wait(LONG_S)


def test_event_streams_count_when_accepted(connect):
    opened = [connect(data=FOLLOW) for _ in range(60)]
    heads = [each.recv(12) for each in opened]
    assert heads.count(b"HTTP/1.1 200") == MAX_STREAMS


def test_request_for_the_head_of_a_stream_takes_no_place(connect):
    for _ in range(MAX_STREAMS):
        assert connect(data=FOLLOW.replace(b"GET", b"HEAD")).recv(12) == b"HTTP/1.1 200"
    assert connect(data=FOLLOW).recv(12) == b"HTTP/1.1 200"


def test_connection_is_free_after_the_head_of_a_stream(connect):
    page_after = b"GET /static/page.js HTTP/1.1\r\nHOST\r\nConnection: close\r\n\r\n"
    followed = connect(data=FOLLOW.replace(b"GET", b"HEAD") + page_after)
    assert is_closed(followed)


def test_streams_of_one_address_leave_room_for_another(connect):
    for _ in range(MAX_STREAMS):
        connect(GUEST, FOLLOW).recv(12)
    assert connect(OTHER, FOLLOW).recv(12) == b"HTTP/1.1 200"


def test_oldest_stream_of_the_greediest_address_ends(connect):
    streams = [connect(GUEST, FOLLOW) for _ in range(MAX_STREAMS)]
    for each in streams:
        each.recv(12)
    connect(OTHER, FOLLOW)
    assert has_ended(streams[0])


def test_lost_stream_frees_its_place(connect, monkeypatch):
    monkeypatch.setattr(event_streams, "MAX_STREAMS", 1)
    first = connect(data=FOLLOW)
    first.recv(12)
    first.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    first.close()
    until_s = time.monotonic() + LONG_S
    while connect(data=FOLLOW).recv(12) != b"HTTP/1.1 200":  # until the other end has heard of it
        assert time.monotonic() < until_s


def holders(addresses):
    return [SimpleNamespace(address=each) for each in addresses]


@pytest.mark.parametrize(
    ("taken", "newcomer", "yielding"),
    [
        ("aaab", "b", "aaa"),
        ("aaab", "c", "aaa"),
        ("aaab", "a", "aaa"),
        ("aabb", "a", "aa"),
        ("aabbcc", "d", "aa"),
        ("abc", "d", ""),
    ],
)
def test_address_with_most_yields(taken, newcomer, yielding):
    found = candidates_to_close(holders(taken), newcomer)
    assert "".join(each.address for each in found) == yielding


def request_from(address, method="GET"):
    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": method, "headers": [], "client": (address, 1)}
    return Request(scope, receive)


def test_slow_answers_for_one_address_leave_threads_for_another():
    release, begun = threading.Event(), []

    def answer(request, _body):
        begun.append(request.client.host)
        if request.client.host == GUEST:
            release.wait(LONG_S)
        return Response()

    async def ask():
        called = ClientLimit().make_endpoint(answer)
        slow = [asyncio.ensure_future(called(request_from(GUEST))) for _ in range(9)]
        await called(request_from(OTHER))
        before = begun.count(GUEST)
        release.set()
        await asyncio.gather(*slow)
        return before

    assert asyncio.run(ask()) <= MAX_RESPONSES_PER_ADDRESS


def test_changes_that_wait_leave_threads_for_readers():
    release, changes, all_begun = threading.Event(), [], threading.Event()

    def answer(request, _body):
        if request.method == "POST":
            changes.append(request.client.host)
            if len(changes) == 2:
                all_begun.set()
            release.wait(LONG_S)
        return Response()

    async def ask():
        current_default_thread_limiter().total_tokens = THREADS
        called = ClientLimit().make_endpoint(answer)
        slow = [
            asyncio.ensure_future(called(request_from(address, "POST")))
            for address in (GUEST, GUEST, OTHER, OTHER)
        ]
        await asyncio.to_thread(all_begun.wait, LONG_S)
        try:
            for address in (GUEST, OTHER, "127.0.0.3"):
                await asyncio.wait_for(called(request_from(address)), 5.0)
        finally:
            before = len(changes)
            release.set()
            await asyncio.gather(*slow)
        return before

    assert asyncio.run(ask()) == 2
