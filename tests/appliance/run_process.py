"""``stadtblick run --emulate`` as a process of its own, in a pseudo-terminal or with pipes."""

import os
import pty
import select
import socket
import subprocess
import sys
import termios
import time
from pathlib import Path

LONG_S = 120.0
"""Time limit that no machine needs; a test that reaches it has failed."""

TOP = Path(__file__).parents[2]
RUN = ("run", "--emulate", "--lang", "en")


class RunProcess:
    """The appliance in a terminal of 132 x 40 characters.

    Args:
        home: Folder of the user.
        arguments: Arguments of ``stadtblick run``.
        in_terminal: True for a terminal; else its words can be read from a pipe.
        within: Command that runs it, as ``unshare`` does.
    """

    def __init__(self, home, *arguments, in_terminal=True, within=(), **environment):
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(home / "notify"))
        self._text = ""
        (home / "settings.toml").touch()  # else it is the first start
        if in_terminal:
            self.terminal, other = pty.openpty()
            termios.tcsetwinsize(other, (40, 132))
            self.before = termios.tcgetattr(other)
            self._kept_open = other
            streams = {"stdin": other, "stdout": other, "stderr": subprocess.PIPE}
        else:
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            streams["stderr"] = subprocess.PIPE
        self.process = subprocess.Popen(
            [*within, sys.executable, "-m", "firmware.cli", *RUN, *arguments],
            cwd=TOP,
            env={
                **os.environ,
                "STADTBLICK_HOME": str(home),
                "NOTIFY_SOCKET": str(home / "notify"),
                "WATCHDOG_USEC": "4000000",
                "PYTHONIOENCODING": "utf-8",
                "TERM": "xterm",
                **environment,
            },
            start_new_session=True,
            **streams,
        )
        self._output = self.terminal if in_terminal else self.process.stdout.fileno()
        self._input = self.terminal if in_terminal else self.process.stdin.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *_about):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LONG_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        if hasattr(self, "terminal"):
            os.close(self.terminal)
            os.close(self._kept_open)
        self.notify.close()

    def type(self, keys):
        os.write(self._input, keys.encode())

    def until_told(self, message):
        """Wait until the service manager is told this; what is written meanwhile is kept."""
        until_s = time.monotonic() + LONG_S
        while time.monotonic() < until_s:
            if self.notify in self._ready(self.notify, self._output):
                if self.notify.recv(4096).decode().startswith(message):
                    return
            else:
                assert self._read(), f"ended before it told {message}: {self._text[-500:]}"
        raise AssertionError(f"never told {message}: {self._text[-500:]}")

    def until_shown(self, words):
        """Wait until this has been written; all written since the last time is returned."""
        until_s = time.monotonic() + LONG_S
        while words not in self._text:
            assert time.monotonic() < until_s, f"never showed {words}: {self._text[-500:]}"
            self._ready(self._output)
            assert self._read(), f"ended before it showed {words}: {self._text[-500:]}"
        seen, self._text = self._text, self._text.partition(words)[2]
        return seen

    def drain(self):
        """All that is still to be read."""
        while self._ready(self._output, timeout_s=0) and self._read():
            pass
        return self._text

    def ended(self):
        """Wait for the end; its exit code."""
        until_s = time.monotonic() + LONG_S
        while time.monotonic() < until_s:
            self.drain()
            try:
                return self.process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
        raise AssertionError("it never ended")

    def _ready(self, *files, timeout_s=LONG_S):
        ready, _w, _x = select.select(files, [], [], timeout_s)
        assert ready or timeout_s == 0, f"nothing more happens after {self._text[-500:]}"
        return ready

    def _read(self):
        """Take what was written; False: the other end is closed."""
        try:
            data = os.read(self._output, 65536)
        except OSError:  # a terminal that nobody holds any more
            return False
        self._text += data.decode("utf-8", "replace")
        return bool(data)
