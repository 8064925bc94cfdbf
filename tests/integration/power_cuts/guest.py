"""Operate a running scanner in the virtual machine, as the host asks for it.

Started as the first process. Reads the name of an operation a line, answers ``begin NAME``, and
``done STATE`` once it is finished and stored. The keys of the scanner are typed into a pipe.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from stored import EDITION, UNSYNCED, games, state_of

HOME = Path("/data/home")
PHOTOS = Path("/opt/cuts/photos")
SHEETS = Path("/opt/cuts/sheets")
COMMAND = ("stadtblick", "run", "--emulate", "--lang", "en", "--camera", str(PHOTOS))
POLL_S = 0.02


def say(line: str) -> None:
    """Write a line to the console."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Scanner:
    """The running program; a line of its output is a screen."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def press(self, key: str) -> None:
        """Type a key."""
        assert self._process.stdin is not None
        self._process.stdin.write(key)
        self._process.stdin.flush()

    def wait_for(self, pattern: str) -> str:
        """Return the next screen that shows this."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            say(f"shown: {line.strip()}")
            if re.search(pattern, line):
                return line
        raise RuntimeError(f"the scanner has ended, and never showed {pattern}")

    def choose(self, menu: str, entry: str) -> None:
        """Go down a menu to an entry, and choose it."""
        while not re.search(f"► [^|]*{entry}", self.wait_for(rf"^{menu} \d+/\d+ ")):
            self.press("n")
        self.press("o")


def wait_until(has_changed: Callable[[], bool]) -> None:
    """Look again and again."""
    while not has_changed():
        time.sleep(POLL_S)


def run(*arguments: object) -> None:
    """Run a command as a person does."""
    command = ("stadtblick", *map(str, arguments))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")


class Operations:
    """Operations that the host can ask for."""

    def __init__(self) -> None:
        self._scanner = Scanner()
        self._scanner.wait_for("players")
        sheets = sorted(SHEETS.glob("*.png"))
        self._photos = cycle(sorted(PHOTOS.glob("*.jpg")))
        self._names = cycle([("Ann", "Anna"), ("Anna", "Ann")])
        self._sheets = cycle([sheets, sheets[1:]])

    def scan(self) -> None:
        """Press SCAN; the game is stored as a new one."""
        before = len(games(HOME))
        self._scanner.press("s")
        wait_until(lambda: len(games(HOME)) > before)
        self._scanner.press("N")
        self._scanner.wait_for(r"\| Ready \|")

    def write_unsynced(self) -> None:
        """Write what has to be missing on a copy, else the copies would show nothing."""
        (HOME / UNSYNCED).write_bytes(bytes(range(1, 256)))

    def change_setting(self) -> None:
        """Turn the display upside down, in the menu."""
        before = (HOME / "settings.toml").read_bytes()
        self._scanner.press("S")
        self._scanner.choose("Menu", "Settings")
        self._scanner.choose("Settings", "Upside down")
        wait_until(lambda: (HOME / "settings.toml").read_bytes() != before)
        self._scanner.press("s")
        self._scanner.wait_for(r"^Menu ")
        self._scanner.press("s")
        self._scanner.wait_for(r"\| Ready \|")
        time.sleep(1)  # the new name is seen before it is on the disk

    def first_names(self) -> None:
        """Name two players of the first games."""
        for number in sorted(games(HOME)):
            run("history", "names", number, "Ann,Ben")

    def rename(self) -> None:
        """Call a player otherwise in all games."""
        run("history", "rename", *next(self._names))

    def teach(self) -> None:
        """Add tiles of another photo to the edition."""
        tiles = [f"--set=A:{row},{column}=park" for row in (1, 2) for column in (1, 2, 3)]
        add = ["--add"] if (HOME / "editions" / EDITION).exists() else []
        run("teach", next(self._photos), "--edition", EDITION, "--sure", *add, *tiles)

    def calibrate(self) -> None:
        """Calibrate the camera with another set of photos."""
        run("calibrate", *next(self._sheets))


def main() -> None:
    """Do one after the other, until the console is closed."""
    operations = Operations()
    say("ready")
    for line in sys.stdin:
        name = line.strip()
        say(f"begin {name}")
        getattr(operations, name)()
        say(f"done {json.dumps(state_of(HOME))}")


if __name__ == "__main__":
    main()
