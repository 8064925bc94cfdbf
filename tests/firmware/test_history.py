"""Scans are remembered as they were, in the order in which they came."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from firmware.corrections import apply_corrections, parse_correction
from firmware.history import History, HistoryError, WallTime, record_of
from firmware.history.store import FILE_NAME
from firmware.output import reading_json, scan_json
from firmware.scan import read_file, score_reading
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.firmware.history_samples import PHOTO, START, Clock, numbers, record


@pytest.fixture
def history(tmp_path):
    with closing(History.open(tmp_path, clock=Clock())) as opened:
        assert opened.warnings == ()
        yield opened


def refusal(call, *arguments):
    with pytest.raises(HistoryError) as refused:
        call(*arguments)
    return refused.value.code


def test_an_empty_history(history):
    assert history.recent() == []
    assert refusal(history.get, 1) == "unknown-scan"


def test_a_scan_is_remembered_as_it_was(history, tmp_path):
    given = record(photo=history.keep_photo(PHOTO), rescan_of=7)
    assert history.add(given) == 1
    stored = history.get(1)
    assert (stored.seq, stored.at, stored.record) == (1, WallTime(START, known=True), given)
    assert history.photo_path(stored.record.photo).read_bytes() == PHOTO
    history.close()
    with closing(History.open(tmp_path)) as later:
        assert later.recent() == [stored]


def test_names_that_are_no_utf8(history):
    given = record(reading={"photo": "table\udcff.jpg"}, edition="a\0b")
    history.add(given)
    assert history.get(1).record == given


def test_the_latest_come_first(history):
    assert [history.add(record(number)) for number in (5, 6, 7)] == [1, 2, 3]
    assert [scan.seq for scan in history.recent()] == [3, 2, 1]
    assert [scan.seq for scan in history.recent(2)] == [3, 2]
    assert numbers(history) == [5, 6, 7]


def test_a_scan_that_is_corrected_later(tmp_path):
    clock = Clock()
    with closing(History.open(tmp_path, clock=clock)) as history:
        history.add(record(1))
        history.add(record(2))
        clock.jump(1)
        history.replace(1, record(3, corrections=()))
        assert numbers(history) == [3, 2]
        assert history.get(1).at.utc == START
        assert history.get(1).record == record(3, corrections=())
        assert refusal(history.replace, 9, record(4)) == "unknown-scan"


def test_deleting(history):
    photos = [history.keep_photo(PHOTO + bytes([number])) for number in range(3)]
    for photo in photos:
        history.add(record(photo=photo))
    history.add(record(photo=photos[1]))
    assert refusal(history.delete, [1, 9]) == "unknown-scan"
    assert len(history.recent()) == 4
    history.delete([1, 2])
    assert [scan.seq for scan in history.recent()] == [4, 3]
    kept = [history.photo_path(photo) is not None for photo in photos]
    assert kept == [False, True, True], "scan 4 has the photo of scan 2, too"


def test_no_number_is_given_twice(history, tmp_path):
    history.add(record())
    history.add(record())
    history.delete([2])
    assert history.add(record()) == 3
    history.delete([1, 3])
    history.close()
    with closing(History.open(tmp_path)) as later:
        assert later.add(record()) == 4


def test_no_photo_takes_the_place_of_another_scan_s(history):
    """A photo that somebody has removed is not replaced by a later one of the same name."""
    name = history.keep_photo(PHOTO)
    history.add(record(photo=name))
    history.photo_path(name).unlink()
    assert history.keep_photo(PHOTO) != name
    assert history.photo_path(name) is None


def test_names_of_photos_count_on_beyond_six_digits(history):
    for name in ("999999.jpg", "1000000.jpg"):
        history.add(record(photo=name))
    assert history.keep_photo(PHOTO) == "1000001.jpg"


@pytest.mark.parametrize("seq", [0, -1, 2**63, -(2**80)])
def test_numbers_that_no_scan_has(history, seq):
    history.add(record())
    assert refusal(history.get, seq) == "unknown-scan"
    assert refusal(history.delete, [seq]) == "unknown-scan"


def test_what_a_photo_showed(tmp_path):
    photo = str(write_photo(tmp_path / "table.jpg"))
    _, read = read_file(photo, FakeEye(*EXAMPLE, unsure={(0, (3, 3)): ()}))
    corrections = [parse_correction("A:3,3=park")]
    scan = score_reading(apply_corrections(read, corrections), players=tuple("UVWXYZ"))
    stored = record_of(scan, corrections, read=read, photo="000001.jpg", health=("too-hot",))
    assert (stored.game, stored.variant, stored.level, stored.edition) == (
        "between-two-cities", "standard", 1, "standard",
    )  # fmt: skip
    assert stored.sheet == scan_json(scan)
    assert stored.table["cities"][0]["grid"][3][3] == "park"
    assert stored.table["players"] == list("UVWXYZ")
    assert stored.reading == reading_json(read)
    assert stored.reading["cities"][0]["unsure"] == [[3, 3]]
    assert (stored.corrections, stored.photo) == (("A:3,3=park",), "000001.jpg")
    assert record_of(scan).reading == reading_json(scan.reading, scan.table)


def test_reading_while_the_appliance_writes(history, tmp_path):
    history.add(record(1))
    reader = History.of_folder(tmp_path)
    assert numbers(reader) == [1]
    history.add(record(2))
    assert numbers(reader) == [1, 2]
    assert reader.photo_path("000001.jpg") is None


def test_reading_begins_nothing(tmp_path):
    reader = History.of_folder(tmp_path / "box")
    assert reader.recent() == []
    assert refusal(reader.get, 1) == "unknown-scan"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_only_just_begun(tmp_path):
    (tmp_path / FILE_NAME).touch()
    assert History.of_folder(tmp_path).recent() == []


def test_several_threads(history):
    def store():
        for _ in range(5):
            history.add(record())

    threads = [threading.Thread(target=store) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [scan.seq for scan in history.recent()] == list(range(20, 0, -1))


def test_a_file_that_is_removed_meanwhile_is_begun_anew(history, tmp_path):
    history.add(record(1))
    for path in tmp_path.glob(f"{FILE_NAME}*"):
        path.unlink()
    assert history.add(record(2)) == 1
    assert numbers(History.of_folder(tmp_path)) == [2]


def test_a_row_that_is_damaged_is_told_and_can_be_deleted(history, tmp_path):
    for number in (1, 2):
        history.add(record(number))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("UPDATE scans SET sheet = '{\"cut' WHERE seq = 1")
    assert history.get(2).record == record(2)
    assert refusal(history.get, 1) == "scan-damaged"
    assert refusal(history.recent) == "scan-damaged"
    history.delete([1])
    assert numbers(history) == [2]


def test_after_closing_it_opens_again(history):
    history.close()
    history.close()
    assert history.add(record()) == 1


def test_the_folder_may_have_any_name(tmp_path):
    folder = tmp_path / "a?b#c%20 ő"
    with closing(History.open(folder)) as history:
        history.add(record())
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]
    assert numbers(History.of_folder(folder)) == [1]


def test_it_does_not_depend_on_the_folder_it_was_started_in(tmp_path, monkeypatch):
    (tmp_path / "start").mkdir()
    monkeypatch.chdir(tmp_path / "start")
    with closing(History.open(tmp_path / "box")) as history:
        history.add(record())
    assert list(Path().iterdir()) == []
