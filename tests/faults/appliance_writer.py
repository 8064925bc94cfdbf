"""Stores what an appliance stores, until it is killed; says on a line which scan is stored.

python appliance_writer.py FOLDER          without end
python appliance_writer.py FOLDER each     two scans in FOLDER/live; FOLDER/N is a copy of that
                                           before the N-th call that changes a file, the last
                                           one is a copy of the end
A copy holds what a process leaves that is killed at this moment: all that it has written.
"""

import os
import shutil
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import count
from pathlib import Path

from firmware.base.failed_starts import count_start, reset_start_count
from firmware.history import History
from firmware.settings import load_settings, store_settings
from tests.firmware.history_samples import open_history, recent, record

PHOTO_BYTES = 20_000
PHOTOS_MAX = 5
CALLS = ("open", "fsync", "rename", "replace", "chmod", "unlink", "mkdir", "close")
"""Calls of Python; those of SQLite in between are met by killing at any time."""


def photo_of(number):
    return bytes([number % 256]) * PHOTO_BYTES


def store(folder, numbers):
    settings_file = folder / "settings.toml"
    history = open_history(folder, photos_max=PHOTOS_MAX)
    settings, _ = load_settings(settings_file)
    for number in numbers:
        count_start(folder)
        photo = history.keep_photo(photo_of(number))
        seq = history.add(record(level=number, photo=photo))
        history.save_corrected(seq, record(2, level=number, photo=photo))
        settings = replace(settings, edition=f"copy-{number}")
        store_settings(settings, settings_file)
        reset_start_count(folder)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def copy_at_each_step(folder):
    live, numbers = folder / "live", count(1)
    live.mkdir()
    own_calls = {name: getattr(os, name) for name in CALLS}

    def copy():
        for name, call in own_calls.items():
            setattr(os, name, call)
        shutil.copytree(live, folder / str(next(numbers)))
        watch()

    def counted(call):
        def run(*arguments, **keywords):
            copy()
            return call(*arguments, **keywords)

        return run

    def watch():
        for name, call in own_calls.items():
            setattr(os, name, counted(call))

    with (live / "told").open("w") as log, redirect_stdout(log):
        watch()
        store(live, (1, 2))
        copy()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if sys.argv[2:] == ["each"]:
        copy_at_each_step(folder)
    else:
        latest = recent(History(folder), 1)
        store(folder, count(latest[0].record.level + 1 if latest else 1))
