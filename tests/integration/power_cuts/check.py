"""Check the copies of a disk whose power was cut: ``python check.py FOLDER``.

FOLDER/N is the home of the scanner on a copy, FOLDER/N.json what has to be there. Runs where the
scanner is installed, and starts it on each home.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from stored import UNSYNCED, State, state_of

from firmware.base.failed_starts import count_start

LIMIT_S = 300.0
_LEFT_OVER = re.compile(r"^\.(?!before-)|\.bad-")
"""Hidden files other than the edition to go back to, and files that were set aside as damaged."""
COMMAND = ("stadtblick", "run", "--emulate", "--lang", "en", "--camera", "none")


def say(line: str) -> None:
    """Tell what was found."""
    sys.stdout.write(f"{line}\n")


def start_on(home: Path) -> str:
    """Start the scanner on a home and leave it; return the problem if it does not work."""
    count_start(home)  # a start without --emulate does
    done = subprocess.run(
        COMMAND,
        input="q",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "STADTBLICK_HOME": str(home)},
    )
    # Nobody is asked for the language, as at a first start
    fine = done.returncode == 0 and "Between Two Cities" in done.stdout
    return (
        ""
        if fine
        else f"does not start: {done.returncode} {done.stdout[-300:]}{done.stderr[-300:]}"
    )


def is_filled(path: Path) -> bool:
    """Return whether a file is there and has content."""
    return path.is_file() and path.stat().st_size > 0


def problems_of(home: Path, expected: dict[str, Any]) -> list[str]:
    """Return all that is wrong on a copy."""
    problems = []
    if expected["operation"] == "write_unsynced" and is_filled(home / UNSYNCED):
        problems.append("the copy has what was never synced, so the copies show nothing")
    with closing(sqlite3.connect(home / "history.sqlite")) as database:
        found = database.execute("PRAGMA integrity_check").fetchall()
    if found != [("ok",)]:
        problems.append(f"integrity_check: {found}")
    if found := start_on(home):
        problems.append(found)
    try:
        state = state_of(home)
    except (OSError, sqlite3.Error) as error:
        return [*problems, str(error)]
    may_be: list[State] = [expected["after"]]
    if not expected["is_done"]:
        may_be.append(expected["before"])
    for name, value in state.items():
        if value not in [one[name] for one in may_be]:
            problems.append(f"lost or half-written: {name}")
    names = [path.name for path in home.rglob("*")]
    return problems + [f"left over: {name}" for name in names if _LEFT_OVER.search(name)]


def main(folder: Path) -> None:
    """Check all copies; the exit code is 1 if something is wrong."""
    expected = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda name: problems_of(folder / name, expected[name]), expected)
        problems = dict(zip(expected, found, strict=True))
    for name, text in problems.items():
        for problem in text:
            cut = expected[name]
            say(f"not so: {cut['operation']} {cut['moment']}, copy {name}: {problem}")
    for operation, count in Counter(cut["operation"] for cut in expected.values()).items():
        say(f"  {operation}: {count} copies")
    sys.exit(any(problems.values()) or not expected)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
