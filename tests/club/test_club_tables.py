"""Tables of other scanners, as the bridge reports them."""

from datetime import timedelta

import msgspec
import pytest

from firmware.club.evening import MAX_TABLES
from firmware.club.tables import BRIDGE_SILENCE_LIMIT, BridgeReport, ClubTables
from tests.club.club_samples import EVENING, message


class Clock:
    def __init__(self):
        self.now = EVENING

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tables(clock):
    return ClubTables(clock)


def report(*tables, is_connected=True):
    table_reports = [{"is_online": True, "is_live": False, **each} for each in tables]
    return msgspec.convert({"is_connected": is_connected, "tables": table_reports}, BridgeReport)


def other(*games, scanner="other", sent=EVENING, **more):
    message = {"sent": sent.isoformat(), "games": list(games)}
    return {"scanner": scanner, "said": message, **more}


def test_reported_games_are_there(tables):
    assert tables.receive(report(other(message(3))))
    assert [game.seq for table in tables.all() for game in table.games] == [3]


def test_same_report_is_nothing_new(tables):
    tables.receive(report(other(message(3))))
    assert not tables.receive(report(other(message(3))))


def test_malformed_game_leaves_the_others(tables):
    tables.receive(report(other({"scan": "x"}, message(3))))
    assert [game.seq for game in tables.all()[0].games] == [3]


def test_malformed_message_keeps_what_was_said(tables):
    tables.receive(report(other(message(3))))
    tables.receive(report({"scanner": "other", "said": [1, 2]}))
    assert [game.seq for game in tables.all()[0].games] == [3]


def test_deleted_message_removes_the_table(tables):
    tables.receive(report(other(message(3))))
    tables.receive(report({"scanner": "other", "said": None}))
    assert tables.all() == ()


def test_silent_scanner_keeps_its_games(tables):
    tables.receive(report(other(message(3))))
    tables.receive(report(other(message(3), is_online=False)))
    assert [(each.is_online, len(each.games)) for each in tables.all()] == [(False, 1)]


def test_broker_that_is_gone_takes_no_games_away(tables):
    tables.receive(report(other(message(3))))
    assert tables.receive(report(is_connected=False))
    assert (tables.is_connected, len(tables.all())) == (False, 1)


def test_silent_bridge_is_not_connected(tables, clock):
    tables.receive(report())
    assert tables.is_connected
    clock.now += BRIDGE_SILENCE_LIMIT
    assert not tables.is_connected


def test_clock_of_a_live_message_is_compared(tables):
    ahead = timedelta(hours=5)
    tables.receive(report(other(message(3), sent=EVENING + ahead, is_live=True)))
    assert tables.all()[0].clock_ahead == ahead


def test_clock_of_a_kept_message_is_not_compared(tables):
    tables.receive(report(other(message(3), sent=EVENING - timedelta(hours=5))))
    assert tables.all()[0].clock_ahead == timedelta()


def test_clocks_that_nearly_agree_are_equal(tables):
    tables.receive(report(other(sent=EVENING + timedelta(seconds=20), is_live=True)))
    assert tables.all()[0].clock_ahead == timedelta()


def test_tables_beyond_the_limit_are_ignored(tables):
    for number in range(MAX_TABLES + 5):
        tables.receive(report(other(scanner=f"s{number}")))
    assert len(tables.all()) == MAX_TABLES


@pytest.mark.parametrize("scanner", ["", "a/b", "x" * 65, "<b>", "a\n"])
def test_odd_identifier_is_refused(scanner):
    with pytest.raises(msgspec.ValidationError):
        report(other(scanner=scanner))


def test_clock_that_is_set_leaves_all_differences_right(tables, clock):
    ahead = timedelta(hours=5)
    tables.receive(report(other(message(3), sent=clock.now + ahead, is_live=True)))
    clock.now += timedelta(days=100)
    tables.shift_clock(timedelta(days=100))
    (table,) = tables.all()
    assert (table.clock_ahead, table.last_message) == (ahead - timedelta(days=100), clock.now)
    assert tables.is_connected
