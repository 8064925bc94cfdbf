"""Writes folders and files, and is killed before each call that changes the disk.

    python -m tests.faults.killed_writer WHAT FOLDER

WHAT is ``folder`` or ``files``, and ``-plain`` after it if the disk knows neither exchange nor
links. A line of JSON for each call says what a reader finds after the kill: the content of the
files by their names, and the names that are left after the next write.
"""

import errno
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

from firmware.base import atomic_files
from firmware.base.atomic_files import replace_files, restore_interrupted, write_folder

CHANGES = {f"os.{call}" for call in ("rename", "link", "symlink", "remove", "rmdir", "mkdir")}
"""Audit events that come before a change; ``os.rename`` is also that of an exchange."""

MAX_STEPS = 500

VERSIONS = {
    "before": {"first": "before", "shared": "before"},
    "old": {"gone": "old", "shared": "old", "screens/gone": "old", "screens/shared": "old"},
    "new": {"added": "new", "shared": "new", "screens/added": "new", "screens/shared": "new"},
    "next": {"shared": "next"},
}


def write_edition(folder: Path, version: str) -> None:
    files = {name.replace("/", "-"): text.encode() for name, text in VERSIONS[version].items()}
    write_folder(folder / "mine", files)


def read_edition(folder: Path) -> dict[str, str]:
    restore_interrupted(folder)
    return contents(folder / "mine")


def write_results(folder: Path, version: str) -> None:
    names = {name for files in VERSIONS.values() for name in files}
    folder.mkdir(exist_ok=True)
    with replace_files(
        folder, lambda place: [place / n for n in names if (place / n).is_file()]
    ) as new:
        for name, text in VERSIONS[version].items():
            (new / name).parent.mkdir(exist_ok=True)
            (new / name).write_text(text)


def read_results(folder: Path) -> dict[str, str]:
    return {
        **contents(folder),
        **{f"screens/{n}": t for n, t in contents(folder / "screens").items()},
    }


def contents(folder: Path) -> dict[str, str]:
    paths = folder.iterdir() if folder.is_dir() else []
    return {path.name: path.read_text() for path in paths if path.is_file()}


def kill_before(step: int) -> None:
    calls = count(1)

    def hook(event: str, _arguments: object) -> None:
        if event in CHANGES and next(calls) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def forget_exchange_and_links() -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    os.link = os.symlink = refuse  # type: ignore[assignment]
    atomic_files.ctypes = SimpleNamespace(CDLL=lambda *_, **__: None)  # type: ignore[assignment]


def write_and_exit(own: Path, write: Callable[[Path, str], None], step: int) -> NoReturn:
    """Be the child that is killed before a step; an error of its own is its exit code 1."""
    code = 1
    try:
        kill_before(step)
        write(own, "new")
        code = 0
    except Exception:  # noqa: BLE001 - whatever it is, the parent reports it
        traceback.print_exc()
    finally:
        os._exit(code)


def kill_at_each_step(
    folder: Path, write: Callable[[Path, str], None], read: Callable[[Path], dict[str, str]]
) -> None:
    for step in range(1, MAX_STEPS):
        own = folder / str(step)
        write(own, "before")
        write(own, "old")
        child = os.fork()
        if child == 0:
            write_and_exit(own, write, step)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found = read(own)
        write(own, "next")
        left = sorted(path.name for path in own.rglob("*"))
        sys.stdout.write(json.dumps({"found": found, "left": left, "next": read(own)}) + "\n")
        shutil.rmtree(own)
        if status == 0:
            return
        if status != -signal.SIGKILL:
            raise SystemExit(f"writer failed by itself before step {step}")
    raise SystemExit(f"writer has more than {MAX_STEPS} steps")


if __name__ == "__main__":
    what, place = sys.argv[1:]
    os.fsync = lambda _handle: None  # a kill loses nothing that was written
    if what.endswith("-plain"):
        forget_exchange_and_links()
    writes = what.removesuffix("-plain") == "folder"
    kill_at_each_step(
        Path(place),
        write_edition if writes else write_results,
        read_edition if writes else read_results,
    )
