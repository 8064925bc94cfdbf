"""Stores what an appliance stores, until it is killed; says on a line which scan is stored.

python appliance_writer.py FOLDER          without end
python appliance_writer.py FOLDER each     in the folders FOLDER/1, FOLDER/2 and so on, two
                                           scans in each; in the N-th it dies before its N-th
                                           call that changes a file, the last one lives
"""

import os
import signal
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

from firmware.base.failed_starts import note_complete_start, note_start
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
        note_start(folder)
        photo = history.keep_photo(photo_of(number))
        seq = history.add(record(level=number, photo=photo))
        history.save_corrected(seq, record(2, level=number, photo=photo))
        settings = replace(settings, edition=f"copy-{number}")
        store_settings(settings, settings_file)
        note_complete_start(folder)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def die_before(step):
    calls = count(1)

    def counted(call):
        def run(*arguments, **keywords):
            if next(calls) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **keywords)

        return run

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))


def die_at_each_step(folder):
    for step in count(1):
        child = os.fork()
        if child == 0:
            own = folder / str(step)
            own.mkdir()
            sys.stdout = (own / "told").open("w")
            die_before(step)
            store(own, (1, 2))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        if not os.WIFSIGNALED(status):
            sys.exit(f"step {step} failed")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if sys.argv[2:] == ["each"]:
        die_at_each_step(folder)
    else:
        latest = recent(History(folder), 1)
        store(folder, count(latest[0].record.level + 1 if latest else 1))
