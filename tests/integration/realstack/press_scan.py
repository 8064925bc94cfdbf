"""Press SCAN on the running appliance and wait for the winner, as a person at its keys would.

    python press_scan.py TRUTH.json CAMERA

``stadtblick run --emulate`` runs in a terminal too small for pictures, so that it shows the words
of each screen. The winner has to be the one of the truth. CAMERA is that of ``--camera``.
"""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

COMMAND = ("stadtblick", "run", "--emulate", "--lang", "en", "--camera")
TERMINAL = ("60", "12")
"""Columns and rows: too few for the picture of the display."""
STEP_S = 60.0
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def say(line: str) -> None:
    """Tell how far it is."""
    sys.stdout.write(f"  {line}\n")


class Appliance:
    """The running program and what it has shown since the last press."""

    def __init__(self, camera: str) -> None:
        self._terminal, inner = pty.openpty()
        columns, rows = TERMINAL
        subprocess.run(["stty", "cols", columns, "rows", rows], stdin=inner, check=True)  # noqa: S607
        self.process = subprocess.Popen([*COMMAND, camera], stdin=inner, stdout=inner, stderr=inner)
        os.close(inner)
        self._shown = ""

    def press(self, key: str) -> None:
        """Type a key."""
        self._shown = ""
        os.write(self._terminal, key.encode())

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until it shows that; lines are joined by spaces.

        Raises:
            SystemExit: It does not, or the program has ended.
        """
        deadline_s = time.monotonic() + STEP_S
        while time.monotonic() < deadline_s:
            found = re.search(pattern, " ".join(self._shown.split()))
            if found:
                say(f"shown: {found.group()}")
                return found
            if select.select([self._terminal], [], [], 0.2)[0]:
                try:
                    read = os.read(self._terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    break
                self._shown += _ESCAPES.sub("\n", read)
        sys.exit(f"not shown: {pattern}\n{self._shown[-2000:]}")


def scored(truth_file: Path) -> tuple[int, int]:
    """Points of the winner of the true table, and how many players it has."""
    truth = json.loads(truth_file.read_text(encoding="utf-8"))
    cities = [{"grid": city["grid"], "duplexes": city["duplexes"]} for city in truth["cities"]]
    table = {"game": truth["game"], "cities": cities}
    done = subprocess.run(
        ["stadtblick", "score", "--json"],  # noqa: S607
        input=json.dumps(table),
        capture_output=True,
        text=True,
        check=False,
    )
    sheet = json.loads(done.stdout)
    return max(player["final"] for player in sheet["players"]), len(sheet["players"])


def main() -> None:
    """Press, scan, winner; page through the players; press again; leave."""
    points, players = scored(Path(sys.argv[1]))
    say(f"the true table has {players} players, the winner {points} points")
    appliance = Appliance(sys.argv[2])
    appliance.wait_for(r"skip|scan")  # the first start asks for the language
    appliance.press("S")
    appliance.wait_for(r"Menu")
    appliance.press("s")
    appliance.wait_for(r"players\?")
    appliance.press("s")
    appliance.wait_for(r"Hands off")
    appliance.wait_for(rf"Winner( \d+/\d+)? {points}\b")
    appliance.press("n")
    appliance.wait_for(r"Player \d\b")
    appliance.press("s")
    appliance.wait_for(r"Hands off")
    appliance.wait_for(r"Standings 2/\d+")  # the page that was open
    appliance.press("q")
    code = appliance.process.wait(timeout=STEP_S)
    if code != 0:
        sys.exit(f"it ended with exit code {code}")


if __name__ == "__main__":
    main()
