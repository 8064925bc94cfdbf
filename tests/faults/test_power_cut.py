"""The power goes in the middle of a write: what was stored stays, and the next start works."""

import os
import random
import shutil
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from firmware.base.failed_starts import count_start, reset_start_count
from firmware.base.user_data import write_safely
from firmware.history import HistoryError
from firmware.history.store import FILE_NAME
from firmware.settings import Settings, load_settings, store_settings
from firmware.settings.file import documented_defaults
from tests.faults.appliance_writer import PHOTOS_MAX, photo_of
from tests.firmware.history_samples import PHOTO, numbers, open_history, recent, record
from tests.limits import PROCESS_LIMIT_S

ROOT = Path(__file__).parents[2]
WRITER = Path(__file__).with_name("appliance_writer.py")
SCANS = 4


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, str(WRITER), *map(str, arguments)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )


def check_all_is_well(folder, stored):
    """Everything that was reported as stored is there, in order, and nothing is half there.

    Returns:
        How many scans there are: that which was being stored may be there or not.
    """
    assert count_start(folder) in (0, 1)
    settings, warnings = load_settings(folder / "settings.toml")
    assert warnings == ()
    assert settings.edition in {f"copy-{stored}" if stored else "standard", f"copy-{stored + 1}"}
    with closing(open_history(folder, photos_max=PHOTOS_MAX)) as history:
        assert history.warnings == ()
        scans = recent(history)[::-1]
        assert len(scans) in (stored, stored + 1)
        order = list(range(1, len(scans) + 1))
        assert [scan.seq for scan in scans] == [scan.record.level for scan in scans] == order
        assert all(scan.record.table["number"] == 2 for scan in scans[:stored])
        photos = list(folder.glob("photos/*"))
        assert len(photos) <= PHOTOS_MAX
        # A photo whose scan the cut has prevented takes the room of another one
        without_scan = {path.name for path in photos} - {scan.record.photo for scan in scans}
        for scan in scans[::-1][: PHOTOS_MAX - 1 - len(without_scan)]:
            photo = history.photo_path(scan.record.photo)
            assert photo.read_bytes() == photo_of(scan.record.level)
    assert {path.read_bytes() for path in photos} <= {photo_of(n) for n in range(len(scans) + 2)}
    assert [path.name for path in folder.rglob(".*")] == [], "nothing unfinished is left"
    return len(scans)


def test_cut_before_each_call_that_changes_a_file(tmp_path):
    with started(tmp_path, "each") as writer:
        assert writer.wait(PROCESS_LIMIT_S) == 0
    steps = len(list(tmp_path.iterdir())) - 1
    assert steps > 60, "two scans take many calls"
    for step in range(1, steps + 1):
        folder = tmp_path / str(step)
        stored = len((folder / "told").read_text().split())
        check_all_is_well(folder, stored)
    assert stored == 2


def test_killed_again_and_again_at_any_moment(tmp_path):
    """The same folder lives through all kills."""
    chance = random.Random(7)  # noqa: S311 - no secret
    stored = 0
    for _ in range(5):
        with started(tmp_path) as writer:
            lines = [writer.stdout.readline() for _ in range(chance.randrange(1, 6))]
            for _ in range(chance.randrange(100_000)):
                pass
            writer.kill()
            lines += writer.stdout.read().splitlines()
        assert [int(line) for line in lines] == list(range(stored + 1, stored + len(lines) + 1))
        stored = check_all_is_well(tmp_path, stored + len(lines))
        complete_the_last_one(tmp_path, stored)


def complete_the_last_one(folder, number):
    """Finish by hand the writes that the power cut interrupted."""
    with closing(open_history(folder)) as history:
        latest = recent(history, 1)[0]
        history.save_corrected(latest.seq, record(2, level=number, photo=latest.record.photo))
    store_settings(Settings(edition=f"copy-{number}"), folder / "settings.toml")
    reset_start_count(folder)


def test_file_is_on_disk_before_it_replaces_the_old_one(tmp_path, monkeypatch):
    """Content first, then the name, then the folder: no moment without a whole file."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen, real = [], os.fsync

    def fsync(handle):
        is_folder = Path(f"/proc/self/fd/{handle}").is_dir()
        seen.append(("folder" if is_folder else "file", path.read_bytes()))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_safely(path, b"new")
    assert seen == [("file", b"old"), ("folder", b"new")]


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """The files of a history whose last scans are only in the log, as a power cut leaves them."""
    folder = tmp_path_factory.mktemp("stored")
    with closing(open_history(folder / "live")) as history:
        history.add(record(1))
        history.close()
        for number in range(2, SCANS + 1):
            history.add(record(number, photo=history.keep_photo(PHOTO)))
        shutil.copytree(folder / "live", folder / "cut")
    return folder / "cut"


@pytest.fixture(scope="module")
def merged(cut, tmp_path_factory):
    """The same history after it was closed in order: a single file."""
    folder = tmp_path_factory.mktemp("merged") / "box"
    shutil.copytree(cut, folder)
    with closing(open_history(folder)) as history:
        assert numbers(history) == list(range(1, SCANS + 1))
    assert [path.name for path in folder.glob(f"{FILE_NAME}*")] == [FILE_NAME]
    return folder


def prefixes(data, step=1499):
    """Beginnings of a file of all kinds: regular ones and those around the ends of pages."""
    pages = {page + near for page in range(0, len(data), 4096) for near in (-1, 0, 1, 24)}
    lengths = {*range(0, len(data), step), *pages, len(data) - 1}
    return [data[:length] for length in sorted(lengths) if 0 <= length < len(data)]


@pytest.fixture
def replayed(tmp_path):
    """A copy of a history in which one file has another content."""

    def replay(stored, name, data):
        folder = tmp_path / "box"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(stored, folder)
        (folder / f"{FILE_NAME}-shm").unlink(missing_ok=True)
        (folder / name).write_bytes(data)
        return folder

    return replay


def kept_and_goes_on(folder):
    """The scans that are there and what was warned of; one more can be stored to last."""
    with closing(open_history(folder)) as history:
        kept = numbers(history)
        assert kept == list(range(1, len(kept) + 1))
        history.add(record(99, photo=history.keep_photo(PHOTO)))
        warned = [warning.code for warning in history.warnings]
    with closing(open_history(folder)) as history:
        assert (history.warnings, numbers(history)) == ((), [*kept, 99])
    return len(kept), warned


def test_the_log_of_the_history_ends_anywhere(cut, replayed):
    """Scans are missing from the end at most, and the file stays in use."""
    name, seen = f"{FILE_NAME}-wal", set()
    for data in prefixes((cut / name).read_bytes()):
        kept, warned = kept_and_goes_on(replayed(cut, name, data))
        assert warned == []
        seen.add(kept)
    assert seen == set(range(1, SCANS)), "some lose nothing but the last scan, some all but one"


def test_the_file_of_the_history_ends_anywhere(merged, replayed):
    """Each beginning of the file is whole, set aside unchanged, or empty."""
    whole = (merged / FILE_NAME).read_bytes()
    became = {}
    for data in prefixes(whole):
        folder = replayed(merged, FILE_NAME, data)
        kept, warned = kept_and_goes_on(folder)
        became.setdefault("set aside" if warned else kept, []).append(len(data))
        if warned:
            assert (kept, warned) == (0, ["history-set-aside"])
            # SQLite may have put its mark for the log into the head of the file
            assert (folder / f"{FILE_NAME}.bad-1").read_bytes()[100:] == data[100:]
    assert set(became) <= {"set aside", 0, SCANS}
    assert len(became["set aside"]) > 10
    assert max(became[0]) < 16, "not even a head"
    assert min(became.get(SCANS, [len(whole)])) > len(whole) - 4096, "the last page has room"


def test_pages_of_the_history_are_lost(merged, replayed):
    """A failing card gives zeros, ones, or another page: nobody sees half a scan."""
    whole = (merged / FILE_NAME).read_bytes()
    for start in range(0, len(whole), 4096):
        for junk in (bytes(4096), b"\xff" * 4096, whole[:4096]):
            folder = replayed(merged, FILE_NAME, whole[:start] + junk + whole[start + 4096 :])
            with closing(open_history(folder)) as history:
                for number in history.seqs():
                    photo = f"{number - 1:06}.jpg" if number > 1 else None
                    with suppress(HistoryError):
                        assert history.get(number).record == record(number, photo=photo)
                assert history.get(history.add(record(99))).record == record(99)


@pytest.mark.parametrize("before", [documented_defaults(), 'level = 1\nplayers = ["Ann"]\n'])
def test_the_settings_end_anywhere(tmp_path, before):
    """Settings can be loaded and changed; broken TOML is kept beside them."""
    path = tmp_path / "box" / "settings.toml"
    for length in range(0, len(before), 1 + len(before) // 30):
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        path.write_text(before[:length], "utf-8")
        settings, warnings = load_settings(path)
        assert settings.level == 1
        store_settings(Settings(edition="other"), path)
        assert load_settings(path)[0].edition == "other"
        aside = path.with_name("settings.toml.bad-1")
        assert [warning.code for warning in warnings] == ["settings-not-toml"] * aside.exists()
        if aside.exists():
            assert aside.read_text("utf-8") == before[:length]


def test_unfinished_files_are_removed_at_the_next_start(tmp_path):
    for folder in (tmp_path, tmp_path / "photos", tmp_path / "editions"):
        folder.mkdir(exist_ok=True)
        (folder / ".unfinished-0123abcd").write_bytes(b"half")
        (folder / ".own").write_bytes(b"somebody's")
    count_start(tmp_path)
    open_history(tmp_path).close()
    assert sorted(path.name for path in tmp_path.rglob(".*")) == [".own"] * 3
