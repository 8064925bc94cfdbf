"""The phone sets the clock of a scanner that has neither network nor clock battery."""

from datetime import UTC, datetime, timedelta

import pytest

from firmware.base.user_data import user_folder
from firmware.club.evening import Evening, load_evening, store_evening
from firmware.history import WallTime
from firmware.history.clock import TimeSinceBoot
from firmware.page import context, phone_clock
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import SCAN, kept_scans
from tests.firmware.history_samples import START, record
from tests.page.phone import Scanner

NOW_MS = str(int(START.timestamp() * 1000))
UNSET = WallTime(
    datetime(2025, 2, 3, tzinfo=UTC), known=False, since_boot=TimeSinceBoot("first", 600.0)
)


@pytest.fixture
def taken(monkeypatch):
    """Times that were taken from phones; the scanner itself never knows it."""
    times = []

    def wall_time():
        return WallTime(times[-1], known=True, since_boot=UNSET.since_boot) if times else UNSET

    def take_phone_time(utc_s, now):
        times.append(datetime.fromtimestamp(utc_s, UTC))
        return not now.known

    monkeypatch.setattr(phone_clock, "wall_time", wall_time)
    monkeypatch.setattr(context, "wall_time", wall_time)
    monkeypatch.setattr(phone_clock, "take_phone_time", take_phone_time)
    return times


@pytest.fixture
def scanner(monkeypatch, taken):
    monkeypatch.setattr(phone_clock, "client_address", lambda _http: "192.168.1.30")
    return Scanner(eye=FakeTables())


def test_page_asks_for_the_time_until_it_is_known(scanner):
    phone = scanner.phone()
    assert "does not know the date" not in phone.see("/history")
    assert "data-wants-time" in phone.html
    assert phone.send("/clock", now_ms=NOW_MS).status_code == 204
    phone.see("/history")
    assert "data-wants-time" not in phone.html


def test_phone_without_the_pin_sets_no_clock_and_is_told_of_it(scanner, taken):
    guest = scanner.phone(known=False)
    assert "The scanner does not know the date" in guest.see("/history")
    assert guest.send("/clock", now_ms=NOW_MS).headers["location"].startswith("/pin")
    assert taken == []


@pytest.mark.parametrize("now_ms", ["", "-5", "1e9", "x", "9" * 400, "٣"])
def test_time_that_is_no_number_is_refused(scanner, taken, now_ms):
    assert scanner.phone().send("/clock", now_ms=now_ms).status_code == 400
    assert taken == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "", "192.168.1.20"])
def test_browser_of_the_scanner_itself_sets_no_clock(scanner, taken, monkeypatch, address):
    monkeypatch.setattr(phone_clock, "client_address", lambda _http: address)
    assert scanner.phone().send("/clock", now_ms=NOW_MS).status_code == 204
    assert taken == []


def test_game_of_before_has_its_date_at_once(scanner):
    history = scanner.channel.history
    history._clock = phone_clock.wall_time
    seq = history.add(record())
    scanner.phone().send("/clock", now_ms=NOW_MS)
    assert history.get(seq).at == WallTime(START, known=True)


def test_evening_that_was_begun_before_goes_on(scanner):
    store_evening(user_folder(), Evening(started=UNSET.utc - timedelta(minutes=5)))
    scanner.phone().send("/clock", now_ms=NOW_MS)
    assert load_evening(user_folder()).started == START - timedelta(minutes=5)


def test_evening_of_an_earlier_run_of_the_computer_stays(scanner):
    started = UNSET.utc - timedelta(days=1)
    store_evening(user_folder(), Evening(started=started))
    scanner.phone().send("/clock", now_ms=NOW_MS)
    assert load_evening(user_folder()).started == started


def test_scanned_game_is_dated_once_the_network_tells_the_time(scanner, monkeypatch):
    from firmware.appliance.runner import loop, storage_service

    monkeypatch.setattr(storage_service, "wall_time", lambda: UNSET)
    monkeypatch.setattr(scanner.channel.history, "_clock", lambda: UNSET)
    scanner.press(SCAN)
    known = WallTime(START, known=True, since_boot=UNSET.since_boot)
    monkeypatch.setattr(loop, "wall_time", lambda: known)
    monkeypatch.setattr(scanner.channel.history, "_clock", lambda: known)
    scanner.advance(2 * loop.HEALTH_EVERY_S)
    (scan,) = kept_scans()
    assert scan.at == known
