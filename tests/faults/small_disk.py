"""Stores scans on a small disk of its own until it is full, then on one that is read-only.

    unshare --mount [--map-root-user] python small_disk.py FOLDER

FOLDER becomes a disk of one megabyte that only this process sees. What happens is printed as JSON.
"""

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from firmware.base.errors import OutputError
from firmware.base.failed_starts import count_start, reset_start_count
from firmware.history import History
from firmware.settings import load_settings, store_settings
from tests.firmware.history_samples import open_history, recent, record
from tests.limits import PROCESS_LIMIT_S

PHOTO = bytes(50_000)


def mount(*arguments):
    command = ["mount", *arguments]
    subprocess.run(command, check=True, timeout=PROCESS_LIMIT_S)


def attempt(call, *arguments):
    """Return the value of a call, or the code of its refusal."""
    try:
        return call(*arguments)
    except OutputError as error:
        return error.code


def fill(path):
    """Take all the room there is left."""
    with suppress(OSError), path.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(512))


def state(folder):
    reader = History(folder)
    scans = recent(reader)[::-1]
    photos = [reader.photo_path(scan.record.photo) for scan in scans]
    return {
        "scans": [scan.seq for scan in scans],
        "whole": all(scan.record.sheet["players"] for scan in scans),
        "photos": [path.stat().st_size for path in photos if path is not None],
        "edition": load_settings(folder / "settings.toml")[0].edition,
        "files": sorted(path.name for path in folder.iterdir()),
    }


def main(folder):
    file = folder / "settings.toml"
    states = {}
    mount("-t", "tmpfs", "-o", "size=1m", "none", str(folder))
    history = open_history(folder)
    settings, _ = load_settings(file)

    def set_edition(name):
        return attempt(store_settings, replace(settings, edition=name), file)

    set_edition("first")
    for number in range(1, 31):
        photo = history.keep_photo(PHOTO)
        history.add(record(number, photo=photo, reading={"notes": ["x" * 3000]}))
    states["ring"] = state(folder)

    for path in folder.glob("photos/*"):
        path.unlink()
    fill(folder / "ballast")
    large = record(98, reading={"notes": ["y" * 100_000]})
    states["full"] = {
        "photo": attempt(history.keep_photo, PHOTO),
        "add": [attempt(history.add, record(99)) for _ in range(40)],
        "replace": attempt(history.save_corrected, 1, large),
        "settings": set_edition("second"),
        "starts": [count_start(folder), count_start(folder)],
        **state(folder),
    }
    (folder / "ballast").unlink()
    added = history.add(record(100, photo=history.keep_photo(PHOTO)))
    set_edition("third")
    states["room again"] = {"add": added, **state(folder)}
    history.close()

    # Of the mount, not of the disk: the superuser of a user namespace may change no more
    mount("-o", "remount,bind,ro", str(folder))
    history = open_history(folder)
    states["read-only"] = {
        "warnings": [warning.code for warning in history.warnings],
        "add": attempt(history.add, record(101)),
        "delete": attempt(history.delete_for_good, [1]),
        "photo": attempt(history.keep_photo, PHOTO),
        "settings": set_edition("no"),
        "starts": [count_start(folder), count_start(folder)],
        **state(folder),
    }
    reset_start_count(folder)
    mount("-o", "remount,bind,rw", str(folder))
    states["writable again"] = history.add(record(102))
    history.close()
    json.dump(states, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
