"""The appliance as a process: keys in a pseudo-terminal, signals, what it leaves behind."""

import signal
import termios

from firmware.history import History
from tests.appliance.run_process import RunProcess
from tests.firmware.history_samples import recent

MAX_PINGS = 60
"""More than any machine needs for one scan."""


def test_a_game_evening_in_a_terminal(tmp_path):
    with RunProcess(tmp_path) as run:
        run.until_told("READY=1")
        run.until_shown("q quit")
        assert not termios.tcgetattr(run.terminal)[3] & termios.ECHO
        run.type("s")
        run.until_told("WATCHDOG=1")
        scanned = _until_stored(run, tmp_path)
        run.type("nq")
        assert run.ended() == 0
        left = run.drain()
        assert "\x1b[?1049l" in left
        assert "Traceback" not in left
        assert termios.tcgetattr(run.terminal) == run.before
        assert run.process.stderr.read() == b""
    assert scanned.record.sheet["winners"]


def _until_stored(run, folder):
    """Return the stored scan; wait for it over some pings of the watchdog."""
    for _ in range(MAX_PINGS):
        run.drain()
        stored = recent(History(folder))
        if stored:
            return stored[0]
        run.until_told("WATCHDOG=1")
    raise AssertionError(f"nothing was stored; the terminal shows {run.drain()[-2000:]}")


def test_a_signal_restores_the_terminal(tmp_path):
    with RunProcess(tmp_path) as run:
        run.until_told("READY=1")
        run.process.send_signal(signal.SIGHUP)
        run.until_told("STOPPING=1")
        assert run.ended() == 0
        assert termios.tcgetattr(run.terminal) == run.before
        assert "\x1b[?1049l" in run.drain()


def test_a_scan_that_is_under_way_does_not_keep_it_from_ending(tmp_path):
    with RunProcess(tmp_path, in_terminal=False) as run:
        run.until_shown("players?")
        run.type("s")
        run.until_shown("Hands off")
        run.process.send_signal(signal.SIGTERM)
        assert run.ended() == 0
