"""The disk is full, or the card can no longer be written: it is told, and nothing is lost."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from firmware.base.failed_starts import count_start, reset_start_count
from firmware.history import database
from firmware.history.store import FILE_NAME
from firmware.settings import (
    Settings,
    create_settings_file,
    load_settings,
    set_damaged_aside,
    store_settings,
)
from tests.firmware.history_samples import PHOTO, numbers, open_history, record
from tests.limits import PROCESS_LIMIT_S
from tests.refusals import refused

ROOT = Path(__file__).parents[2]
SMALL_DISK = Path(__file__).with_name("small_disk.py")


@cache
def unshare():
    """Return the command that lets a process mount a disk of its own; empty if not allowed."""
    for command in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        with tempfile.TemporaryDirectory() as folder:
            mounting = [*command, "mount", "-t", "tmpfs", "-o", "size=1m", "none", folder]
            if (
                shutil.which("unshare")
                and not subprocess.run(
                    mounting, check=False, capture_output=True, timeout=PROCESS_LIMIT_S
                ).returncode
            ):
                return command
    return []


@pytest.fixture(scope="module")
def happened(tmp_path_factory):
    """Results of the calls on a real small disk, see ``small_disk.py``."""
    if not unshare():
        pytest.skip("no disk can be mounted here; the same refusals are injected below")
    done = subprocess.run(
        [*unshare(), sys.executable, str(SMALL_DISK), str(tmp_path_factory.mktemp("disk"))],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TestOnARealDisk:
    def test_photos_give_way_before_scans_are_lost(self, happened):
        ring = happened["ring"]
        assert ring["scans"] == list(range(1, 31))
        assert 3 < len(ring["photos"]) < 20, "30 photos of 50 kB do not fit on 1 MB"
        assert set(ring["photos"]) == {50_000}

    def test_full_disk_is_told_and_nothing_is_lost(self, happened):
        full = happened["full"]
        assert {full["photo"], full["add"][-1], full["replace"]} == {"not-saved-disk-full"}
        assert full["settings"] == "file-not-writable"
        saved = [seq for seq in full["add"] if isinstance(seq, int)]
        assert full["scans"] == [*range(1, 31), *saved]
        assert full["whole"]
        assert full["edition"] == "first"
        assert not [name for name in full["files"] if name.startswith(".")]

    def test_with_room_again_it_goes_on_by_itself(self, happened):
        full, again = happened["full"], happened["room again"]
        assert again["scans"] == [*full["scans"], again["add"]]
        assert again["add"] == full["scans"][-1] + 1
        assert again["edition"] == "third"
        assert again["photos"] == [50_000]

    def test_read_only_card_is_told_and_still_read(self, happened):
        card, before = happened["read-only"], happened["room again"]
        assert card["warnings"] == ["not-saved-read-only"]
        assert {card["add"], card["delete"], card["photo"]} == {"not-saved-read-only"}
        assert card["settings"] == "file-not-writable"
        assert card["starts"] == [0, 0]
        for what in ("scans", "photos", "edition"):
            assert card[what] == before[what]
        assert happened["writable again"] == before["scans"][-1] + 1


@pytest.fixture
def history(tmp_path):
    with closing(open_history(tmp_path)) as opened:
        for number in (1, 2):
            opened.add(record(number, photo=opened.keep_photo(PHOTO)))
        yield opened


def refusing(number):
    def call(*_arguments, **_keywords):
        raise OSError(number, os.strerror(number))

    return call


@pytest.mark.parametrize("call", ["open", "fsync"])
@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        (errno.ENOSPC, "not-saved-disk-full", "the disk is full"),
        (errno.EDQUOT, "not-saved-disk-full", "the disk is full"),
        (errno.EROFS, "not-saved-read-only", "the disk cannot be written"),
        (errno.EACCES, "not-saved-read-only", "the disk cannot be written"),
        (errno.EIO, "not-saved", "the disk failed (Input/output error)"),
    ],
)
def test_photo_that_cannot_be_written_is_refused_and_leaves_nothing(
    history, tmp_path, monkeypatch, call, number, code, expected
):
    """Refused at the beginning, or only when it is to reach the disk."""
    monkeypatch.setattr(os, call, refusing(number))
    with refused(code, expected):
        history.keep_photo(PHOTO)
    monkeypatch.undo()
    full = code == "not-saved-disk-full"
    assert len(list(tmp_path.glob("photos/*"))) == (0 if full else 2), "photos give way to photos"
    assert [path.name for path in tmp_path.rglob(".*")] == []
    assert history.keep_photo(PHOTO) == "000003.jpg"


def test_an_older_photo_gives_way_to_a_new_one(history, tmp_path, monkeypatch):
    real = os.open

    def no_room_for_three(path, flags, *rest, **keywords):
        if flags & os.O_CREAT and len(list(tmp_path.glob("photos/*"))) > 1:
            refusing(errno.ENOSPC)()
        return real(path, flags, *rest, **keywords)

    monkeypatch.setattr(os, "open", no_room_for_three)
    assert history.keep_photo(PHOTO) == "000003.jpg"
    assert [path.name for path in sorted(tmp_path.glob("photos/*"))] == [
        "000002.jpg", "000003.jpg",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_settings_that_cannot_be_written_leave_the_old_ones(tmp_path, monkeypatch, number):
    path = tmp_path / "settings.toml"
    create_settings_file(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", refusing(number))
    with refused("file-not-writable", os.strerror(number)):
        store_settings(Settings(edition="other"), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["settings.toml"]


def test_damaged_settings_on_a_card_that_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "settings.toml"
    path.write_text("level =")
    monkeypatch.setattr(Path, "replace", refusing(errno.EROFS))
    settings, warnings = load_settings(path)
    (warning,) = set_damaged_aside(warnings, path)
    assert (settings, warning.code) == (Settings(), "settings-not-toml")
    assert warning.message.endswith(", so the defaults are used: correct it")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_the_count_of_starts(tmp_path, monkeypatch, number):
    count_start(tmp_path)
    monkeypatch.setattr(os, "fsync", refusing(number))
    assert [count_start(tmp_path) for _ in range(3)] == [1, 1, 1]
    reset_start_count(tmp_path)


def full_disk(file, **keywords):
    connection = sqlite3.connect(file, **keywords)
    connection.execute("PRAGMA max_page_count = 1")
    return connection


def read_only_card(file, **keywords):
    return sqlite3.connect(file.replace("mode=rwc", "mode=ro"), **keywords)


@pytest.fixture
def refused_by_sqlite(tmp_path, monkeypatch):
    """A history whose database is opened on such a disk."""

    def opened(connect):
        with closing(open_history(tmp_path)) as history:
            for number in (1, 2, 3):
                history.add(record(number, photo=history.keep_photo(PHOTO)))
        fake = type("sqlite3", (), {**vars(sqlite3), "connect": staticmethod(connect)})
        monkeypatch.setattr(database, "sqlite3", fake)
        return open_history(tmp_path)

    return opened


LARGE = {"notes": ["x" * 100_000]}


@pytest.mark.parametrize(
    ("connect", "code"),
    [(full_disk, "not-saved-disk-full"), (read_only_card, "not-saved-read-only")],
)
def test_scan_that_cannot_be_written_leaves_the_history_whole(
    refused_by_sqlite, monkeypatch, tmp_path, connect, code
):
    with closing(refused_by_sqlite(connect)) as history:
        for store in (
            lambda: history.add(record(4, reading=LARGE)),
            lambda: history.save_corrected(1, record(5, reading=LARGE)),
        ):
            with refused(code, "not saved") as caught:
                store()
            assert caught.value.where == str(tmp_path / FILE_NAME)
            assert numbers(history) == [1, 2, 3]
        monkeypatch.undo()
        assert history.add(record(4, reading=LARGE)) == 4
        assert numbers(history) == [1, 2, 3, 4]


def test_a_few_photos_give_way_to_a_scan_and_not_all(refused_by_sqlite, tmp_path):
    with closing(refused_by_sqlite(full_disk)) as history, refused("not-saved-disk-full"):
        history.add(record(4, reading=LARGE))
    assert [path.name for path in tmp_path.glob("photos/*")] == ["000003.jpg"]
