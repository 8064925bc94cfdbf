"""Two scanners at a real broker, each with processes of its own; and what is said when it fails."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from aiomqtt import Client, Message
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from firmware.data import SAMPLE
from firmware.mqtt import bridge
from firmware.mqtt.bridge import MAX_MESSAGE_BYTES, MAX_WAITING, Bridge, _Inbox, _limits
from firmware.mqtt.messages import Topics, result_message, scanner_id
from firmware.mqtt.scanner_client import ScannerGoneError
from firmware.settings.defaults import MqttSettings
from firmware.wording.problem_text import problem_line
from tests.firmware.commanded import command, refusal
from tests.page.test_page_server import LOCAL, TOP, Serving, free_port, get
from tests.process_lines import LONG_S, ProcessLines

USER, PASSWORD = "scanner", "őrült titok"
HASH = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])
"""As cheap as can be: the broker computes it anew for each client."""


class Broker:
    """amqtt, which wants user and password."""

    def __init__(self, folder):
        self.port = free_port()
        (folder / "users").write_text(f"{USER}:{HASH.hash(PASSWORD)}\n")
        self._config = folder / "broker.yaml"
        plugin = "amqtt.plugins.authentication.FileAuthPlugin"
        config = {
            "listeners": {"default": {"type": "tcp", "bind": f"{LOCAL}:{self.port}"}},
            "plugins": {plugin: {"password_file": str(folder / "users")}},
        }
        self._config.write_text(json.dumps(config))
        self.start()

    def start(self):
        command = [sys.executable, "-m", "amqtt.scripts.broker_script", "-c", self._config]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until_s = time.monotonic() + LONG_S
        while time.monotonic() < until_s:
            with socket.socket() as probe:
                probe.settimeout(LONG_S)
                if probe.connect_ex((LOCAL, self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("the broker does not start")

    def kill(self):
        self._process.kill()
        self._process.wait(LONG_S)


def set_up(home, port, *, password=PASSWORD):
    home.mkdir(exist_ok=True)
    (home / "password").write_text(f"{password}\n")
    (home / "settings.toml").write_text(
        f'[mqtt]\nhost = "{LOCAL}"\nport = {port}\nuser = "{USER}"\n'
        f'password_file = "{home}/password"\n'
    )


class Telling:
    """``stadtblick mqtt`` as a process of its own."""

    def __init__(self, home):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware.cli", "mqtt", "--lang", "en"],
            cwd=TOP,
            env={**os.environ, "STADTBLICK_HOME": str(home)},
            stderr=subprocess.PIPE,
        )
        self.lines = ProcessLines(self.process.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_about):
        self.process.kill()
        self.process.communicate(timeout=LONG_S)


class Ear:
    """Subscriber of all topics at the broker."""

    def __init__(self, port):
        self.client = Client(LOCAL, port, username=USER, password=PASSWORD)
        self.messages = []

    async def __aenter__(self):
        await self.client.__aenter__()
        await self.client.subscribe("#", qos=1)
        return self

    async def __aexit__(self, *about):
        await self.client.__aexit__(*about)

    async def hears(self, topic, *words):
        """Return the first payload on a topic that has these words; keep earlier messages."""
        async with asyncio.timeout(LONG_S):
            while True:
                for message in self.messages:
                    if str(message.topic) == topic and all(
                        word.encode() in message.payload for word in words
                    ):
                        self.messages.remove(message)
                        return message.payload
                self.messages.append(await anext(aiter(self.client.messages)))


@pytest.fixture
def broker(tmp_path):
    (tmp_path / "broker").mkdir()
    broker = Broker(tmp_path / "broker")
    yield broker
    broker.kill()


@pytest.fixture(scope="module")
def lasting_broker(tmp_path_factory):
    broker = Broker(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.kill()


@pytest.fixture(scope="module")
def bridges(lasting_broker, tmp_path_factory):
    """A process with a wrong password and a sound one, by name, and the home of the sound one.

    Both begin at once: each waits ten seconds for this broker, which does not know MQTT 5.
    """
    homes = tmp_path_factory.mktemp("homes")
    with ExitStack() as stack:
        begun = {}
        for name, changes in (("sound", {}), ("refused", {"password": "wrong"})):
            set_up(homes / name, lasting_broker.port, **changes)
            begun[name] = stack.enter_context(Telling(homes / name))
        yield begun, homes / "sound"


@pytest.mark.usefixtures("bridges")  # which wait meanwhile
def test_two_scanners_tell_one_broker_and_are_asked_by_it(broker, tmp_path):
    homes = [tmp_path / name for name in ("one", "other")]
    one, other = (f"stadtblick/{scanner_id(home)}" for home in homes)
    assert one != other
    with ExitStack() as stack:
        for home in homes:
            set_up(home, broker.port)
        serving = [stack.enter_context(Serving(home)) for home in homes]
        telling = [stack.enter_context(Telling(home)) for home in homes]

        async def first():
            async with Ear(broker.port) as ear:
                for scanner in (one, other):
                    await ear.hears(f"{scanner}/availability", "online")
                    name = scanner.partition("/")[2]
                    parsed = json.loads(await ear.hears(f"homeassistant/device/{name}/config"))
                    assert all_topics(parsed) <= {
                        f"{scanner}/{what}"
                        for what in ("availability", "result", "scan", "event", "photo")
                    }
                await ear.client.publish(f"{one}/scan", "PRESS")
                await asyncio.to_thread(telling[0].lines.wait_for, "there is no camera here")
                headers = {"Authorization": "Bearer none"}
                at, photo = serving[0].port, SAMPLE.read_bytes()
                get(at, "/api/v1/scan", method="POST", body=photo, headers=headers)
                event = json.loads(await ear.hears(f"{one}/event"))
                assert event["event_type"] == "scanned"
                assert re.fullmatch(r"Player \d wins with \d+ points", event["result"])
                games = json.loads(await ear.hears(f"{one}/games", '"scan": 1'))
                assert len(games["games"][0]["players"]) == 5
                await asyncio.to_thread(wait_for_standings, serving[1].port)
                result = json.loads(await ear.hears(f"{one}/result", "wins"))
                assert result["players"] == event["players"]
                assert len(result["players"]) == 5
                assert (await ear.hears(f"{one}/photo", "JFIF"))[:2] == b"\xff\xd8"
                assert not [each for each in ear.messages if str(each.topic) == f"{other}/event"]
                form, port = serving[0].form(), serving[0].port
                headers = {"Origin": f"http://{LOCAL}:{port}", "X-Form-Token": form}
                get(port, "/history/delete-photos", method="POST", body=b"", headers=headers)
                async with asyncio.timeout(LONG_S):
                    while await ear.hears(f"{one}/photo"):
                        pass  # until the broker keeps none

        async def after_a_restart():
            async with Ear(broker.port) as ear:
                await ear.hears(f"{one}/result", "wins")
                telling[0].process.kill()  # its will is done
                await ear.hears(f"{one}/availability", "online")
                await ear.hears(f"{one}/availability", "offline")
                serving[1].__exit__()  # the scanner alone
                await ear.hears(f"{other}/availability", "offline")

        asyncio.run(first())
        broker.kill()
        telling[0].lines.wait_for("there is no connection with the MQTT broker")
        broker.start()
        telling[0].lines.wait_for("connected with the MQTT broker")
        asyncio.run(after_a_restart())
        telling[1].lines.wait_for("the scanner does not answer")


def wait_for_standings(port):
    """Wait until the page of a scanner counts the game of the other one."""
    until_s = time.monotonic() + LONG_S
    # Tables are numbered by their ids; the one of ``bridges`` may come before the other scanner
    while not re.search(r"Player 5 \(Table [23]\)", get(port, "/club?lang=en")[1]):
        assert time.monotonic() < until_s
        time.sleep(0.1)


def all_topics(value):
    if isinstance(value, dict):
        own = {text for key, text in value.items() if key.endswith("_topic")}
        return own.union(*map(all_topics, value.values()))
    return set()


def test_broker_error_is_printed_once_as_a_line(bridges):
    telling = bridges[0]["refused"]
    line = telling.lines.next_line()
    assert line.startswith("stadtblick: the MQTT broker refuses user and password (")
    assert ": set [mqtt] " in line
    assert telling.process.poll() is None, "it is tried again"


@pytest.mark.parametrize("host", ["no-such-computer.invalid", "a..b"])
def test_unknown_name_of_the_broker_is_logged(host):
    logged = asyncio.Queue()
    settings = MqttSettings(host=host, user=USER)
    failing = Bridge(settings, PASSWORD, ScannerWithResults(), Topics("mine"), logged.put_nowait)

    async def first_problem():
        running = asyncio.create_task(failing.run())
        problem = await asyncio.wait_for(logged.get(), LONG_S)
        assert not running.done(), "it is tried again"
        running.cancel()
        return problem

    line = problem_line(asyncio.run(first_problem()))
    assert line.startswith("there is no computer of this name (")
    assert ": set [mqtt] " in line


def test_without_a_broker_or_its_password_it_does_not_begin():
    begin = partial(command, "mqtt")
    assert refusal(begin) == "mqtt-not-set-up"
    home = Path(os.environ["STADTBLICK_HOME"])
    set_up(home, 1)
    (home / "password").unlink()
    assert refusal(begin) == "mqtt-password-unreadable"


SHEET = {
    "game": "city-blocks",
    "totals": {"red": 12, "blue": 12},
    "winners": ["red", "blue"],
    "unsure": [{}],
    "unread": [],
}


def test_a_result_is_said_in_a_sentence_and_in_figures():
    message = result_message(SHEET)
    assert message["result"] == "Red and Blue share the victory with 12? points"
    assert [one["rank"] for one in message["players"]] == [1, 1]
    assert message["to_check"] == 1
    unscored = {"game": "reading-only", "unsure": [], "unread": []}
    assert result_message(unscored)["result"] == "Read, no score"
    refused = {"error": {"code": "x", "message": "m" * 300, "where": "request"}}
    assert len(result_message(refused)["result"]) == 255


def test_message_that_is_too_long_is_not_read(lasting_broker, bridges):
    begun, home = bridges
    telling = begun["sound"]

    async def send_much(topic):
        async with Ear(lasting_broker.port) as ear:
            await ear.client.publish(topic, b"x" * (MAX_MESSAGE_BYTES + 1))
            await ear.hears(topic)  # a broker may drop what a client says that leaves at once

    telling.lines.wait_for("connected with the MQTT broker")
    asyncio.run(send_much(f"stadtblick/{scanner_id(home)}/scan"))
    telling.lines.wait_for("a message is too long")


def test_broker_is_told_the_longest_message():
    assert _limits().MaximumPacketSize == MAX_MESSAGE_BYTES


def heard(topic="stadtblick/mine/scan", payload=b"PRESS", *, retained=False):
    return Message(topic, payload, 1, retained, 0, None)


def test_presses_that_wait_are_one():
    inbox = _Inbox()
    for _ in range(300):
        inbox.put_nowait(heard())
    assert inbox.qsize() == 1


def test_press_of_some_time_ago_does_not_wait():
    inbox = _Inbox()
    inbox.put_nowait(heard(retained=True))
    assert inbox.empty()


def test_later_message_of_a_topic_replaces_the_one_that_waits():
    inbox = _Inbox()
    for payload in (b"1", b"2"):
        inbox.put_nowait(heard("stadtblick/other/games", payload, retained=True))
    assert (inbox.get_nowait().payload, inbox.qsize()) == (b"2", 0)


def test_messages_of_too_many_topics_do_not_wait():
    inbox = _Inbox()
    for number in range(3 * MAX_WAITING):
        inbox.put_nowait(heard(f"stadtblick/other{number}/games"))
    assert inbox.qsize() == MAX_WAITING


class ScannerWithResults:
    """Scanner whose last result is set by the test."""

    sheet: ClassVar = {}

    async def get_json(self, path):
        status = {"table": self.sheet["table"], "scanned_as": self.sheet["scanned_as"]}
        return {"status": status, "sheet": self.sheet, "games": {"now": "", "games": []}}[path]

    async def get(self, _path):
        return 200, b""

    async def send_scanner_reports(self, _reports):
        pass


class BrokerClient:
    """Client that keeps what is published."""

    def __init__(self):
        self.published = []

    async def publish(self, topic, _payload, **_options):
        self.published.append(topic)


def events_of(*results):
    """Return how often a scan is announced after these tables and numbers of scans."""
    scanner, client = ScannerWithResults(), BrokerClient()
    bridge = Bridge(MqttSettings(), None, scanner, Topics("mine"), lambda _problem: None)

    async def publish():
        published = None
        for table, scanned_as in results:
            scanner.sheet = {**SHEET, "table": table, "scanned_as": scanned_as}
            published = await bridge._publish_changed(client, published)

    asyncio.run(publish())
    return client.published.count("stadtblick/mine/event")


def test_error_instead_of_the_status_is_a_scanner_that_is_gone():
    scanner, refused = ScannerWithResults(), {"error": {"code": "internal-error"}}

    async def get_json(_path):
        return refused

    scanner.get_json = get_json
    bridge = Bridge(MqttSettings(), None, scanner, Topics("mine"), lambda _problem: None)
    with pytest.raises(ScannerGoneError):
        asyncio.run(bridge._publish_changed(BrokerClient(), None))


def test_games_that_were_deleted_meanwhile_are_published_as_deleted():
    scanner, client = ScannerWithResults(), BrokerClient()
    scanner.sheet = {**SHEET, "table": 0, "scanned_as": 0}
    bridge = Bridge(MqttSettings(), None, scanner, Topics("mine"), lambda _problem: None)
    asyncio.run(bridge._publish_changed(client, None))
    assert sorted(each.rpartition("/")[2] for each in client.published) == [
        "games", "photo", "result",
    ]  # fmt: skip


class TestEvent:
    def test_each_scan_is_announced(self):
        assert events_of((0, 0), (7, 7), (9, 9)) == 2

    def test_scan_before_the_start_is_not_announced(self):
        assert events_of((7, 7)) == 0

    def test_scan_that_becomes_another_game_is_announced_once(self):
        assert events_of((0, 0), (7, 7), (8, 7), (9, 7)) == 1

    def test_past_game_is_not_announced_when_it_becomes_another_game(self):
        assert events_of((0, 0), (-4, -4), (7, -4)) == 0


@pytest.fixture
def refusals():
    """Log of a bridge, and what refuses a press there."""
    codes = []
    bridge = Bridge(
        MqttSettings(), None, None, Topics("mine"), lambda each: codes.append(each.code)
    )
    return codes, bridge._log_refusal


def test_refusal_of_many_presses_is_logged_once(refusals):
    codes, refuse = refusals
    for _ in range(300):
        refuse("conflict", "wait")
    assert codes == ["conflict"]


def test_another_refusal_is_logged(refusals):
    codes, refuse = refusals
    refuse("conflict", "wait")
    refuse("camera-missing", "give a photo")
    assert codes == ["conflict", "camera-missing"]


def test_refusal_is_logged_again_after_a_minute(refusals, monkeypatch):
    codes, refuse = refusals
    refuse("conflict", "wait")
    monkeypatch.setattr(bridge, "REPEATED_REFUSAL_S", 0.0)
    refuse("conflict", "wait")
    assert len(codes) == 2
