"""Measure the page: memory, time to its first byte, and scans slowed down by phones.

    python -m bench.page

It runs ``stadtblick run --emulate`` with the page on, in a folder of its own. Phones are threads of
this process which listen to the events and load the page anew upon each, as its script does. A
press counts from the key to the words of the winner on the emulated display; with and without
phones take turns, so that a busy machine slows both.
"""

import argparse
import http.client
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median
from typing import Any, Final, Self

from firmware.base.page_sockets import LOCAL
from firmware.data import SAMPLE

MAX_IDLE_MB: Final = 120
"""Memory with the page on, idle, that makes the exit code 1."""
MAX_FIRST_BYTE_MS: Final = 50.0
"""Median time to the first byte of the result page that makes the exit code 1."""
PHONES: Final = 3
"""Number of phones that listen at once."""
LONG_S: Final = 120.0
"""Time after which the appliance counts as hanging."""
SETTLED_S: Final = 1.0
"""Time after a press in which photo and result are stored, and phones load the page."""
REQUESTS: Final = 50
"""Number of requests whose time to the first byte is measured."""
_HEADERS: Final = {"Accept": "text/html", "Accept-Language": "en"}


class Scanner:
    """An emulated appliance with its page, as a process of its own.

    Args:
        photo: Photo that its camera sees.
        folder: Folder of its user's files.
        page: True if its page is on.
    """

    def __init__(self, photo: Path, folder: Path, *, page: bool) -> None:
        with socket.socket() as probe:
            probe.bind((LOCAL, 0))
            self.port: int = probe.getsockname()[1]
        on = json.dumps(page)
        (folder / "settings.toml").write_text(f"[page]\non = {on}\nport = {self.port}\n")
        command = ["run", "--emulate", "--lang", "en", "--camera", str(photo)]
        self._process = subprocess.Popen(  # noqa: S603 - a command of ours
            [sys.executable, "-m", "firmware.cli", *command],
            env={**os.environ, "STADTBLICK_HOME": str(folder), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._pipe("stdout"), selectors.EVENT_READ)
        self._shown = b""
        self.until_shown("3 to 7")
        if page:
            self._until_served()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_about: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._selector.close()

    def press(self, key: str) -> None:
        """Press a button."""
        os.write(self._pipe("stdin").fileno(), key.encode())

    def until_shown(self, words: str) -> None:
        """Wait until words are on the display."""
        while words.encode() not in self._shown:
            if not self._selector.select(LONG_S):
                raise TimeoutError(f"it never shows {words}")
            data = os.read(self._pipe("stdout").fileno(), 65536)
            if not data:
                raise EOFError(f"it has ended before it shows {words}")
            self._shown += data
        self._shown = self._shown.partition(words.encode())[2]

    def measure_scan_s(self) -> float:
        """Scan, return seconds from the press of SCAN to the winner, and make it ready again."""
        began_s = time.perf_counter()
        self.press("s")
        self.until_shown("Winner")
        lasted_s = time.perf_counter() - began_s
        time.sleep(SETTLED_S)
        self.press("o")
        self.until_shown("3 to 7")
        return lasted_s

    def memory_mb(self) -> float:
        """Return its resident memory (RSS)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        [kib] = re.findall(r"VmRSS:\s+(\d+) kB", status)
        return int(kib) * 1024 / 1e6

    def _pipe(self, name: str) -> Any:
        return getattr(self._process, name)

    def _until_served(self) -> None:
        until_s = time.monotonic() + LONG_S
        while time.monotonic() < until_s:
            with suppress(ConnectionRefusedError):
                socket.create_connection((LOCAL, self.port)).close()
                return
            time.sleep(0.05)
        raise TimeoutError("the page is not served")


def load(port: int, path: str = "/") -> tuple[float, bytes]:
    """Load a page; return milliseconds to the first byte of the answer, and its content."""
    connection = http.client.HTTPConnection(LOCAL, port, timeout=LONG_S)
    connection.connect()
    began_s = time.perf_counter()
    connection.request("GET", path, headers=_HEADERS)
    connection.sock.recv(1, socket.MSG_PEEK)
    first_ms = 1000 * (time.perf_counter() - began_s)
    content = connection.getresponse().read()
    connection.close()
    return first_ms, content


class Phone:
    """Phone that listens to the events, and loads the result page anew upon each.

    Args:
        port: Port of the page.
        pictures: True to load the pictures of the page, too, each once.
    """

    def __init__(self, port: int, *, pictures: bool) -> None:
        self._port, self._pictures = port, pictures
        self.loads = 0
        self._seen: set[bytes] = set()
        self._connection = http.client.HTTPConnection(LOCAL, port, timeout=LONG_S)
        self._connection.request("GET", "/events")
        self._events = self._connection.getresponse()
        self._next()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close its connection."""
        self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(LONG_S)
        self._connection.close()

    def _next(self) -> bool:
        """Wait for an event; return whether there was one."""
        with suppress(OSError, ValueError, http.client.HTTPException):
            while line := self._events.readline():
                if line.startswith(b"data:"):
                    return True
        return False

    def _follow(self) -> None:
        while self._next():
            _ms, content = load(self._port)
            self.loads += 1
            for path in re.findall(rb'<img src="([^"]+)"', content) if self._pictures else ():
                if path not in self._seen:
                    self._seen.add(path)
                    load(self._port, path.decode().replace("&amp;", "&"))


def measure_presses(scanner: Scanner, repeats: int) -> dict[str, list[float]]:
    """Return seconds of presses without phones, with some, and with some that load pictures."""
    times: dict[str, list[float]] = {"alone": [], "phones": [], "pictures": []}
    loads = 0
    for _ in range(repeats):
        for name, measured in times.items():
            count = 0 if name == "alone" else PHONES
            phones = [Phone(scanner.port, pictures=name == "pictures") for _ in range(count)]
            measured.append(scanner.measure_scan_s())
            for phone in phones:
                phone.close()
                loads += phone.loads
    print(f"a phone has loaded the page {loads / (2 * PHONES * repeats):.1f} times a press")
    return times


def main() -> int:
    """Measure and print; return 1 if something is worse than wanted."""
    parser = argparse.ArgumentParser(description="what the page costs")
    parser.add_argument("--photo", type=Path, default=SAMPLE, help="default: the sample table")
    parser.add_argument("--repeats", type=int, default=15, help="default: %(default)s")
    options = parser.parse_args()
    with ExitStack() as stack:

        def scanner(*, page: bool) -> Scanner:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            return stack.enter_context(Scanner(options.photo, folder, page=page))

        without = scanner(page=False)
        time.sleep(SETTLED_S)
        print(f"memory without the page, idle: {without.memory_mb():.0f} MB")
        without.__exit__()
        scanning = scanner(page=True)
        time.sleep(SETTLED_S)
        served_mb = scanning.memory_mb()
        load(scanning.port)
        idle_mb = scanning.memory_mb()
        print(f"with the page, idle: {served_mb:.0f} MB, once it was loaded {idle_mb:.0f} MB")
        scanning.measure_scan_s()
        print(f"after a scan: {scanning.memory_mb():.0f} MB")
        first_ms, _content = load(scanning.port)
        again_ms = [load(scanning.port)[0] for _ in range(REQUESTS)]
        byte_ms = median(again_ms)
        print(
            f"first byte of the result page: {byte_ms:.1f} ms ({min(again_ms):.1f} to "
            f"{max(again_ms):.1f}), the first time {first_ms:.1f} ms"
        )
        phones = [Phone(scanning.port, pictures=True) for _ in range(PHONES)]
        scanning.measure_scan_s()
        print(f"after another scan, {PHONES} phones listening: {scanning.memory_mb():.0f} MB")
        for phone in phones:
            phone.close()
        times = measure_presses(scanning, options.repeats)
        for name, measured in times.items():
            spread = f"{min(measured):.3f} to {max(measured):.3f}"
            print(f"press to winner, {name}: {median(measured):.3f} s ({spread})")
        for name in ("phones", "pictures"):
            ratios = [a / b for a, b in zip(times[name], times["alone"], strict=True)]
            print(f"with {name} {median(ratios):.2f} times as long as alone")
        print(f"wanted: idle below {MAX_IDLE_MB} MB, first byte below {MAX_FIRST_BYTE_MS:.0f} ms")
    return 0 if idle_mb < MAX_IDLE_MB and byte_ms < MAX_FIRST_BYTE_MS else 1


if __name__ == "__main__":
    sys.exit(main())
