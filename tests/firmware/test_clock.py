"""Date and time: by a server, a battery or a phone, and games that get theirs later."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from firmware.base.user_data import user_folder
from firmware.history import WallTime, clock, wall_time
from firmware.history.clock import PHONE_FILE, TimeSinceBoot, take_phone_time
from tests.firmware.history_samples import START, open_history, record

UNSET = datetime(2025, 2, 3, 4, 5, 6, tzinfo=UTC)
"""Time of a Raspberry Pi that remembers when it was switched off, and no more."""


class Computer:
    """Computer without a clock battery, in one run; time passes by hand."""

    def __init__(self, folder, boot="first"):
        self.folder = folder
        self.start(boot)

    def start(self, boot):
        self.since_s = 20.0
        (self.folder / "boot").write_text(f"{boot}\n")

    def synchronise(self):
        (self.folder / "synchronised").touch()

    def __call__(self):
        return wall_time(*(self.folder / name for name in ("synchronised", "rtc", "boot")))


@pytest.fixture
def computer(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path / "home"))
    user_folder().mkdir()
    made = Computer(tmp_path)

    class SystemClock(datetime):
        @classmethod
        def now(cls, tz=None):
            return (UNSET + timedelta(seconds=made.since_s)).astimezone(tz)

    monkeypatch.setattr(clock, "datetime", SystemClock)
    monkeypatch.setattr(clock.time, "clock_gettime", lambda _clock: made.since_s)
    return made


@pytest.fixture
def history(computer):
    with closing(open_history(user_folder(), clock=computer)) as opened:
        yield opened


def test_time_is_not_known_without_network_and_phone(computer):
    assert not computer().known


def test_time_of_a_phone_counts_on(computer):
    assert take_phone_time(START.timestamp(), computer())
    computer.since_s += 90
    assert computer() == WallTime(START + timedelta(seconds=90), known=True)


def test_time_of_a_phone_ends_with_the_run_of_the_computer(computer):
    take_phone_time(START.timestamp(), computer())
    computer.start("second")
    assert not computer().known


def test_time_of_a_server_goes_before_that_of_a_phone(computer):
    take_phone_time(START.timestamp(), computer())
    computer.synchronise()
    assert computer().utc.year == UNSET.year


def test_phone_does_not_change_a_time_that_is_known(computer):
    computer.synchronise()
    assert not take_phone_time(START.timestamp(), computer())
    assert not (user_folder() / PHONE_FILE).exists()


def test_second_phone_does_not_change_the_time(computer):
    take_phone_time(START.timestamp(), computer())
    assert not take_phone_time(START.timestamp() + 5000, computer())


@pytest.mark.parametrize("utc_s", [0.0, 1.5e9, 9e9, 1e300, float("nan"), float("inf"), -1e12])
def test_time_that_cannot_be_right_is_refused(computer, utc_s):
    assert not take_phone_time(utc_s, computer())
    assert not computer().known


@pytest.mark.parametrize(
    "text", ["", "x", "[]", '{"boot": "first", "start_utc_s": 1e300}', '{"boot": 1}', "\xff"]
)
def test_damaged_file_is_no_time(computer, text):
    (user_folder() / PHONE_FILE).write_text(text, "latin-1")
    assert not computer().known


def test_game_stored_before_gets_its_date_later(computer, history):
    seq = history.add(record())
    assert not history.get(seq).at.known
    computer.since_s += 600
    take_phone_time(START.timestamp(), computer())
    assert history.date_scans() == 1
    assert history.get(seq).at == WallTime(START - timedelta(seconds=600), known=True)


def test_deleted_game_gets_its_date_later(computer, history):
    seq = history.add(record())
    history.move_to_bin(seq)
    take_phone_time(START.timestamp(), computer())
    history.date_scans()
    history.restore(seq)
    assert history.get(seq).at == WallTime(START, known=True)


def test_game_of_an_earlier_run_stays_without_a_date(computer, history):
    seq = history.add(record())
    computer.start("second")
    take_phone_time(START.timestamp(), computer())
    assert history.date_scans() == 0
    assert not history.get(seq).at.known


def test_date_that_a_person_gave_stays(computer, history):
    given = WallTime(START.replace(year=2026, month=1), known=True)
    seq = history.add(record())
    history.set_time(seq, given)
    take_phone_time(START.timestamp(), computer())
    assert history.date_scans() == 0
    assert history.get(seq).at == given


def test_game_stored_late_has_the_time_of_its_scan(computer, history):
    scanned = computer()
    computer.since_s += 600
    take_phone_time(START.timestamp(), computer())
    seq = history.add(record(), scanned)
    assert history.get(seq).at == WallTime(START - timedelta(seconds=600), known=True)


def test_nothing_is_dated_while_the_time_is_not_known(history):
    seq = history.add(record())
    assert history.date_scans() == 0
    assert not history.get(seq).at.known


def test_time_of_another_run_is_not_compared():
    now = WallTime(START, known=True, since_boot=TimeSinceBoot("second", 50.0))
    then = WallTime(UNSET, known=False, since_boot=TimeSinceBoot("first", 20.0))
    assert then.dated_by(now) == then
