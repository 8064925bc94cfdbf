"""The page at a real socket: as a process, as part of the appliance, at a socket that is given."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from firmware.base import page_sockets
from firmware.base.page_sockets import (
    FIRST_GIVEN,
    LOCAL,
    given_socket,
    listen,
    listen_for_programs,
    own_address,
    programs_path,
)
from firmware.cli import main
from firmware.page.server import open_page
from tests.appliance.run_process import RunProcess
from tests.faults.test_no_network_page import internet_sockets, sockets_of
from tests.page.phone import still_channel
from tests.process_lines import LONG_S, ProcessLines

TOP = Path(__file__).parents[2]


def free_port():
    with socket.socket() as probe:
        probe.bind((LOCAL, 0))
        return probe.getsockname()[1]


def get(port, path="/", host=LOCAL, method="GET", body=None, headers=None):
    connection = http.client.HTTPConnection(LOCAL, port, timeout=LONG_S)
    headers = {"Host": f"{host}:{port}", **(headers or {})}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


class Serving:
    """``stadtblick serve`` as a process of its own."""

    def __init__(self, home, *arguments, port=None):
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware.cli", "serve", "--port", str(self.port), *arguments],
            cwd=TOP,
            env={**os.environ, "STADTBLICK_HOME": str(home), "LANGUAGE": "en"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.lines = ProcessLines(self.process.stdout)

    def __enter__(self):
        try:
            self.first_line = self.lines.next_line()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_about):
        self.process.kill()
        self.process.communicate(timeout=LONG_S)

    def form(self):
        return re.search(r'data-form-token="(\w+)"', get(self.port)[1])[1]


def assert_only_this_computer_reaches(serving):
    assert get(serving.port, host="192.168.1.20")[0].status == 200
    tables = (Path("/proc") / str(serving.process.pid) / "net" / "tcp").read_text()
    assert f"0100007F:{serving.port:04X} 00000000:0000 0A" in tables
    assert get(serving.port, host="evil.example")[0].status == 421


def test_a_photo_is_dropped_scored_and_corrected_and_ctrl_c_ends_it(tmp_path):
    with Serving(tmp_path) as serving:
        assert f"http://127.0.0.1:{serving.port}" in serving.first_line
        assert_only_this_computer_reaches(serving)
        origin = {"Origin": f"http://{LOCAL}:{serving.port}"}
        events = http.client.HTTPConnection(LOCAL, serving.port, timeout=LONG_S)
        events.request("GET", "/events")
        stream = events.getresponse()
        photo = (TOP / "firmware" / "data" / "between-two-cities.jpg").read_bytes()
        headers = {**origin, "X-Form-Token": serving.form()}
        answer, _ = get(serving.port, "/photo", method="POST", body=photo, headers=headers)
        assert answer.status == 303
        until_s = time.monotonic() + LONG_S
        while "wins with" not in get(serving.port)[1]:
            assert time.monotonic() < until_s
            assert stream.readline(), "the phone is told of every change"
        sheet = json.loads(get(serving.port, "/api/v1/sheet")[1])
        form = f"form_token={serving.form()}&table={sheet['table']}&answer=park"
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer, _ = get(
            serving.port, "/place/A:1,1", method="POST", body=form, headers={**origin, **kind}
        )
        assert answer.status == 303
        after = json.loads(get(serving.port, "/api/v1/sheet")[1])
        assert after["cities"][0]["total"] != sheet["cities"][0]["total"]
        assert not (tmp_path / "settings.toml").exists(), "what holds this time is not stored"
        serving.process.send_signal(signal.SIGINT)
        assert serving.process.wait(LONG_S) == 0
        events.close()


def test_network_reaches_it_with_a_pin_if_one_wants_it(tmp_path):
    with Serving(tmp_path, "--lan") as serving:
        assert re.fullmatch(r"PIN to change something: \d{6}\n", serving.lines.next_line())
        headers = {"Origin": f"http://{LOCAL}:{serving.port}", "X-Form-Token": serving.form()}
        answer, _ = get(serving.port, "/photo", method="POST", body=b"x", headers=headers)
        assert answer.headers["Location"].startswith("/pin")


def test_a_port_that_is_taken_is_said_in_one_line(capsys):
    with socket.create_server((LOCAL, 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port), "--lang", "en"]) == 2
    assert capsys.readouterr().err == (
        f"stadtblick: port {port} cannot be used (Address already in use) (--port {port}): "
        "choose another one with --port\n"
    )


def test_appliance_opens_port_of_page_alone_and_ctrl_c_ends_it(tmp_path):
    port = free_port()
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text(f"[page]\non = true\nport = {port}\n")
    with RunProcess(home, in_terminal=False) as run:
        run.until_shown("players?")
        until_s = time.monotonic() + LONG_S
        while time.monotonic() < until_s:
            try:
                assert get(port)[0].status == 200
            except ConnectionRefusedError:
                time.sleep(0.05)
            else:
                break
        process = Path(f"/proc/{run.process.pid}")
        own = sockets_of(process) & internet_sockets(process)
        open_ports = [
            line.split()
            for line in (process / "net" / "tcp").read_text().splitlines()[1:]
            if line.split()[9] in own and line.split()[3] == "0A"
        ]
        assert [fields[1] for fields in open_ports] == [f"00000000:{port:04X}"]
        run.process.send_signal(signal.SIGINT)
        assert run.ended() == 0


def test_page_stays_open_until_closed_even_while_phones_listen():
    channel = still_channel()
    page = open_page(channel, listen(LOCAL, 0))
    port = page.listening.getsockname()[1]
    events = http.client.HTTPConnection(LOCAL, port, timeout=LONG_S)
    events.request("GET", "/events")
    events.getresponse().readline()
    assert get(port)[0].status == 200
    page.close()
    with pytest.raises(OSError, match="refused"):
        get(port)
    events.close()
    assert not [each for each in threading.enumerate() if each.name == "page"]


def test_a_slow_or_broken_phone_keeps_no_other_waiting():
    channel = still_channel()
    page = open_page(channel, listen(LOCAL, 0))
    port = page.listening.getsockname()[1]
    slow = [socket.create_connection((LOCAL, port), LONG_S) for _ in range(20)]
    for number, each in enumerate(slow):
        each.sendall(
            b"POST /scan HTTP/1.1\r\nHost: 127.0.0.1\r\n" if number % 2 else b"\x16\x03\x01"
        )
    assert get(port)[0].status == 200
    with socket.create_connection((LOCAL, port), LONG_S) as rude:
        rude.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 100_000)
        answer = rude.makefile("rb").read()
        assert answer.split()[1] == b"400"
        assert b"Invalid" not in answer
    for each in slow:
        each.close()
    page.close()


def test_a_socket_that_is_given_is_used_given_back_and_used_again(monkeypatch):
    """The service manager gives it by a number that is fixed."""
    assert FIRST_GIVEN == 3
    with socket.create_server((LOCAL, 0)) as opened:
        at = opened.getsockname()
        monkeypatch.setattr(page_sockets, "FIRST_GIVEN", opened.fileno())
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        monkeypatch.setenv("LISTEN_FDS", "1")
        for _ in range(2):
            with (
                socket.create_connection(at, timeout=0.2) as phone,
                pytest.raises(TimeoutError),
            ):
                phone.recv(1)
            page = open_page(still_channel(), listen(LOCAL, 1))
            assert page.url == f"http://{LOCAL}:{at[1]}"
            assert get(at[1], host="localhost")[0].status == 200
            page.close()


def test_socket_for_another_process_is_not_used(monkeypatch):
    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setenv("LISTEN_PID", "1")
    assert given_socket() is None


def test_next_scanner_takes_over_the_file_for_programs():
    first = listen_for_programs()
    assert programs_path().stat().st_mode & 0o777 == 0o660
    assert listen_for_programs() is None
    first.close()  # as if the power had gone: the file stays
    listen_for_programs().close()


def test_program_at_file_needs_no_pin_but_foreign_page_is_refused():
    door = listen_for_programs()
    page = open_page(still_channel(), door)

    def scan(**headers):
        header_lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
        with socket.socket(socket.AF_UNIX) as program:
            program.settimeout(LONG_S)
            program.connect(str(programs_path()))
            head = "POST /api/v1/scan HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n"
            program.sendall(f"{head}{header_lines}\r\n".encode())
            return program.recv(12)

    assert scan() == b"HTTP/1.1 200"
    assert scan(Origin="http://evil.example") == b"HTTP/1.1 403"
    page.close()


def test_own_address_is_no_loopback_address():
    opened = listen(LOCAL, 0)
    assert not (own_address(opened) or "none").startswith("127.")
    opened.close()
