"""Scans are remembered as they were, in the order in which they came, with the time if known."""

import json
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.games.registry import games
from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from firmware.history import History, WallTime, clock, make_record, wall_time
from firmware.history.store import FILE_NAME
from firmware.history.stored_reading import decode_reading
from firmware.scan.corrections import parse_correction
from firmware.scan.json_output import reading_json, scan_json
from firmware.scan.make_scan import make_scan, make_unscored_scan, read_file
from tests.appliance.fake_tables import TABLES
from tests.firmware.board_samples import CITIES, CITY_BLOCKS, DICE_BOARD, READING_ONLY
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.firmware.history_samples import (
    PHOTO,
    START,
    Clock,
    numbers,
    open_history,
    recent,
    record,
)
from tests.firmware.samples import example, square
from tests.limits import PROCESS_LIMIT_S
from tests.refusals import refused
from vision.editions.folder import built_in_edition
from vision.reading import NoteCode, Unread, note

DESCRIPTIONS = {each.game: each for each in (CITIES, CITY_BLOCKS, DICE_BOARD, READING_ONLY)}


@pytest.fixture
def history(tmp_path):
    with closing(open_history(tmp_path, clock=Clock())) as opened:
        assert opened.warnings == ()
        yield opened


def seqs(history, *limit):
    return [scan.seq for scan in recent(history, *limit)]


def test_a_scan_is_remembered_as_it_was(history, tmp_path):
    given = record(photo=history.keep_photo(PHOTO), patches={"A:2,3": "aGk="})
    strange = record(reading={"photo": "table\udcff.jpg"}, edition="a\0b")  # no UTF-8
    assert [history.add(given), history.add(strange)] == [1, 2]
    stored = history.get(1)
    assert (stored.seq, stored.at, stored.record) == (1, WallTime(START, known=True), given)
    assert history.get(2).record == strange
    assert history.photo_path(given.photo).read_bytes() == PHOTO
    history.close()
    with closing(open_history(tmp_path)) as later:
        assert recent(later)[1] == stored


def test_a_scan_that_is_corrected_later_stays_in_its_place(tmp_path):
    wall_clock = Clock()
    with closing(open_history(tmp_path, clock=wall_clock)) as history:
        history.add(record(1))
        history.add(record(2))
        wall_clock.jump(1)
        history.save_corrected(1, record(3, corrections=()))
        assert numbers(history) == [3, 2]
        assert history.get(1).at.utc == START
        assert history.get(1).record == record(3, corrections=())


def test_later_correction_is_marked_and_original_kept(history):
    photo = history.keep_photo(PHOTO)
    first = record(1, photo=photo)
    history.add(first)
    history.save_corrected_past_game(1, record(1))
    assert history.get(1).record == first, "nothing was put right"
    history.save_corrected_past_game(1, record(2, corrections=("A:1,1=park",), health=()))
    now = history.get(1).record
    assert (now.table["number"], now.corrections) == (2, ("A:1,1=park",))
    assert (now.photo, now.health) == (photo, first.health)
    was = {"corrections": list(first.corrections), "table": first.table, "sheet": first.sheet}
    assert now.before_correction == was
    history.save_corrected_past_game(1, record(3))
    assert history.get(1).record.before_correction == was, "what was on the evening itself"
    with refused("unknown-scan"):
        history.save_corrected_past_game(9, record())


def test_update_keeps_the_record_before(history):
    history.add(record(1))
    history.save_rescan(1, record(2))
    assert history.get(1).record.replaced["table"] == record(1).table


def test_correcting_an_updated_scan_keeps_the_record_before(history):
    history.add(record(1))
    history.save_rescan(1, record(2))
    history.save_corrected(1, record(3))
    assert history.get(1).record.replaced["table"] == record(1).table


def test_photo_of_the_record_before_the_last_is_deleted(history):
    photos = [history.keep_photo(PHOTO + bytes([number])) for number in range(3)]
    history.add(record(1, photo=photos[0]))
    for number in (1, 2):
        history.save_rescan(1, record(number, photo=photos[number]))
    assert [history.photo_path(photo) is None for photo in photos] == [True, False, False]


def test_undone_rescan_restores_the_record_before(history):
    history.add(record(1))
    history.save_rescan(1, record(2))
    history.undo_rescan(1)
    assert history.get(1).record == record(1)


def test_undone_rescan_deletes_a_scan_that_replaced_none(history):
    history.add(record(1))
    history.undo_rescan(1)
    assert seqs(history) == []


def test_photo_of_the_record_before_is_deleted_with_the_scan(history):
    photos = [history.keep_photo(PHOTO + bytes([number])) for number in range(2)]
    history.add(record(1, photo=photos[0]))
    history.save_rescan(1, record(2, photo=photos[1]))
    history.delete_for_good([1])
    assert [history.photo_path(photo) for photo in photos] == [None, None]


def test_all_photos_are_deleted_and_the_scans_stay(history):
    for number in range(3):
        history.add(record(number, photo=history.keep_photo(PHOTO)))
    history.delete_photos()
    assert [history.photo_path(scan.record.photo) for scan in recent(history)] == [None] * 3
    assert history.keep_photo(PHOTO) == "000004.jpg", "no name is given twice"


@pytest.mark.parametrize(("known", "left"), [(True, [2]), (False, [1, 2])])
def test_photos_go_when_they_are_too_old_if_the_dates_are_known(tmp_path, known, left):
    clock = Clock()
    with closing(open_history(tmp_path, clock=clock)) as history:
        history.add(record(1, photo=history.keep_photo(PHOTO)))
        clock.jump(1)
        history.add(record(2, photo=history.keep_photo(PHOTO)))
        clock.jump(0.1, known=known)
    with closing(open_history(tmp_path, photos_max_days=365, clock=clock)) as history:
        kept = [each for each in recent(history) if history.photo_path(each.record.photo)]
        assert [each.seq for each in reversed(kept)] == left


def test_sheets_only_leaves_reading_and_table_empty(history):
    history.add(record())
    (scan,), _damaged = history.read_scans(sheets_only=True)
    assert scan.record == record(reading={}, table={})


def test_deleting_forgets_photos_that_no_other_scan_has(history):
    photos = [history.keep_photo(PHOTO + bytes([number])) for number in range(3)]
    for photo in (*photos, photos[1]):
        history.add(record(photo=photo))
    with refused("unknown-scan"):
        history.delete_for_good([1, 9])
    assert seqs(history) == [4, 3, 2, 1]
    history.delete_for_good([1, 2])
    assert seqs(history) == [4, 3]
    assert [history.photo_path(photo) is not None for photo in photos] == [False, True, True]


def test_no_number_is_given_twice(history, tmp_path):
    for number in (5, 6):
        history.add(record(number))
    history.delete_for_good([2])
    assert history.add(record(7)) == 3
    assert (seqs(history), seqs(history, 1), numbers(history)) == ([3, 1], [3], [5, 7])
    history.delete_for_good([1, 3])
    history.close()
    with closing(open_history(tmp_path)) as later:
        assert later.add(record()) == 4


def test_no_photo_takes_the_place_of_another_scan_s(history):
    """A photo that somebody has removed is not replaced by a later one of the same name."""
    name = history.keep_photo(PHOTO)
    history.add(record(photo=name))
    history.photo_path(name).unlink()
    assert history.keep_photo(PHOTO) != name
    assert history.photo_path(name) is None
    for beyond_six_digits in ("999999.jpg", "1000000.jpg"):
        history.add(record(photo=beyond_six_digits))
    assert history.keep_photo(PHOTO) == "1000001.jpg"


@pytest.mark.parametrize("seq", [0, 2, -1, 2**63, -(2**80)])
def test_numbers_that_no_scan_has(history, seq):
    history.add(record())
    for call in (history.get, lambda seq: history.delete_for_good([seq])):
        with refused("unknown-scan"):
            call(seq)
    if abs(seq) < 2**63:
        with refused("unknown-scan"):
            history.save_corrected(seq, record(2))
    assert numbers(history) == [1]


def test_record_keeps_reading_corrections_and_sheet(tmp_path):
    photo = str(write_photo(tmp_path / "table.jpg"))
    edition = built_in_edition("between-two-cities")
    description = edition.description
    _, read = read_file(photo, edition, FakeEye(*EXAMPLE, unsure={(0, (3, 3)): ()}))
    corrections = [parse_correction("A:4,4=park", description)]
    names = ScoringOptions(players=tuple("UVWXYZ"))
    scan = make_scan(read, description, corrections=corrections, options=names)
    stored = make_record(scan, corrections, reading_to_correct=read)
    assert (stored.game, stored.variant, stored.level, stored.edition) == (
        "between-two-cities", "standard", 1, "standard",
    )  # fmt: skip
    assert stored.sheet == scan_json(scan)
    assert stored.table["cities"][0]["grid"][3][3] == "park"
    assert stored.table["players"] == list("UVWXYZ")
    seen = reading_json(make_unscored_scan(read, description))
    assert {**stored.reading, "table": None} == {**seen, "table": None}
    assert stored.reading["cities"][0]["unsure"] == [[3, 3]]
    assert stored.corrections == ("A:4,4=park",)
    assert make_record(scan).reading["cities"] == reading_json(scan)["cities"]


def test_reading_begins_nothing_and_goes_on_while_the_appliance_writes(tmp_path):
    reader = History(tmp_path / "box")
    assert (recent(reader), reader.seqs()) == ([], [])
    with refused("unknown-scan"):
        reader.get(1)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / FILE_NAME).touch()  # only just begun
    assert recent(reader) == []
    with closing(open_history(tmp_path / "box")) as history:
        for count in (1, 2):
            history.add(record(count))
            assert numbers(reader) == list(range(1, count + 1))


def test_several_threads_store_all_their_scans(history):
    def store():
        for _ in range(5):
            history.add(record())

    threads = [threading.Thread(target=store) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PROCESS_LIMIT_S)
    assert seqs(history) == list(range(20, 0, -1))


def test_removed_or_closed_file_is_opened_anew(history, tmp_path):
    history.add(record(1))
    for path in tmp_path.glob(f"{FILE_NAME}*"):
        path.unlink()
    assert history.add(record(2)) == 1
    history.close()
    history.close()
    assert history.add(record(3)) == 2
    assert numbers(History(tmp_path)) == [2, 3]


def test_a_row_that_is_damaged_is_told_and_can_be_deleted(history, tmp_path):
    for number in (1, 2):
        history.add(record(number))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("UPDATE scans SET sheet = '{\"cut' WHERE seq = 1")
    assert history.get(2).record == record(2)
    for call in (lambda: history.get(1), lambda: recent(history)):
        with refused("scan-damaged", "delete it with stadtblick history delete 1"):
            call()
    history.delete_for_good([1])
    assert numbers(history) == [2]


def test_folder_may_have_any_name_and_place(tmp_path, monkeypatch):
    (tmp_path / "start").mkdir()
    monkeypatch.chdir(tmp_path / "start")
    folder = tmp_path / "a?b#c%20 ő"
    with closing(open_history(folder)) as history:
        history.add(record())
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]
    assert numbers(History(folder)) == [1]
    assert list(Path().iterdir()) == []


class FrozenTime(datetime):
    """A computer whose clock stands at one moment."""

    moment = None

    @classmethod
    def now(cls, tz=None):
        return cls.moment.astimezone(tz)


LONG_AGO = datetime(1970, 1, 1, 0, 2, tzinfo=UTC)
NOW_S = START.timestamp()


@pytest.mark.parametrize(
    ("moment", "synchronised", "rtc", "known"),
    [
        (START, False, None, False),  # neither battery nor network
        (START, True, None, True),  # a server has told the time
        (START, False, f"{NOW_S:.0f}\n", True),
        (START, False, f"{NOW_S + 7200:.0f}\n", True),  # it keeps local time
        (START, False, f"{NOW_S - 200_000:.0f}\n", False),
        (START, False, "120\n", False),  # it lost its battery
        (START, False, "", False),
        (START, False, "nan", False),
        (LONG_AGO, True, "120", False),  # never set
    ],
)
def test_wall_clock_is_known_by_server_or_battery(
    tmp_path, monkeypatch, moment, synchronised, rtc, known
):
    monkeypatch.setattr(clock, "datetime", FrozenTime)
    monkeypatch.setattr(FrozenTime, "moment", moment.replace(microsecond=999_999))
    if synchronised:
        (tmp_path / "synchronised").touch()
    if rtc is not None:
        (tmp_path / "rtc").write_text(rtc)
    time = wall_time(tmp_path / "synchronised", tmp_path / "rtc", tmp_path / "boot")
    assert (time.utc, time.known) == (moment, known)


def test_a_time_to_the_second():
    assert WallTime(START, known=True).iso == "2026-11-21T15:40:38Z"
    assert WallTime(datetime(1, 2, 3, tzinfo=UTC), known=False).iso == "0001-02-03T00:00:00Z"


@pytest.mark.parametrize(
    "seen",
    [
        *TABLES.values(),
        example(
            unsure={1: ((2, 3),)},
            unread=(Unread(square((9.0, 9.0), 5, 0), note(NoteCode.CITY_UNREADABLE)),),
            notes=(note(NoteCode.DARK), note(NoteCode.CITY_GONE, letter="C")),
            city_notes={1: (note(NoteCode.GLARE, (0, 1), (2, 3)), note(NoteCode.HIDDEN, (3, 3)))},
        ).reading,
    ],
)
def test_a_reading_can_be_made_again_of_what_is_stored(seen):
    description = DESCRIPTIONS.get(seen.game) or built_in_edition(seen.game).description
    parsed = json.loads(json.dumps(reading_json(Scan(seen, description, games().get(seen.game)))))
    again = decode_reading(parsed)
    assert reading_json(Scan(again, description, games().get(again.game))) == parsed
    assert again.notes == seen.notes
    assert [grid.notes for grid in again.grids] == [grid.notes for grid in seen.grids]
    assert again.unread[0].reason == seen.unread[0].reason if seen.unread else not again.unread


@pytest.mark.parametrize("broken", [{}, {"cities": [{"name": "A"}]}, {"photo": 3, "cities": None}])
def test_value_that_is_no_reading_is_refused(broken):
    with pytest.raises(ValueError, match="no stored reading"):
        decode_reading(broken)
