"""Messages about other tables that the bridge gives to its scanner."""

import asyncio
import json
from contextlib import suppress

import pytest

from firmware.mqtt.other_scanners import MAX_SCANNERS, OtherScanners
from firmware.mqtt.scanner_client import ScannerGoneError

GAMES = {"sent": "2026-11-21T18:00:00+00:00", "games": []}


class FakeScanner:
    """Scanner that remembers reports; ``answers`` says what it answers, in order."""

    def __init__(self, *answers):
        self.reports = []
        self.answers = list(answers)
        self.enough = 1

    async def send_scanner_reports(self, report):
        answer = self.answers.pop(0) if self.answers else ["other"]
        if answer is ScannerGoneError:
            raise ScannerGoneError
        self.reports.append(report)
        if len(self.reports) >= self.enough:
            raise asyncio.CancelledError
        return answer


def first_reports(scanner, tables, *, reports):
    """Return the first reports to a scanner."""
    scanner.enough = reports

    async def tell():
        with suppress(asyncio.CancelledError):
            await tables.send_reports()

    asyncio.run(tell())
    return scanner.reports


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr("firmware.mqtt.other_scanners.RETRY_S", 0.0)
    monkeypatch.setattr("firmware.mqtt.other_scanners.HEARTBEAT_S", 0.0)


def receive(tables, scanner="other", message=GAMES, *, retained=False):
    tables.receive(scanner, "games", json.dumps(message).encode(), retained=retained)


def scanners(reports):
    return [each["scanner"] for report in reports for each in report["tables"]]


def test_message_of_another_scanner_is_told():
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    receive(tables)
    assert first_reports(scanner, tables, reports=1) == [
        {
            "is_connected": True,
            "tables": [{"scanner": "other", "is_online": True, "is_live": True, "said": GAMES}],
        }
    ]


@pytest.mark.parametrize("name", ["mine", "", "<b>", "x" * 65])
def test_own_messages_and_odd_names_are_left_out(name):
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    receive(tables, name)
    assert scanners(first_reports(scanner, tables, reports=1)) == []


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[" * 20_000])
def test_message_that_is_no_json_is_told_as_none(payload):
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    tables.receive("other", "games", payload, retained=False)
    assert first_reports(scanner, tables, reports=1)[0]["tables"][0]["said"] is None


def test_scanner_that_went_away_hears_of_all_again():
    scanner = FakeScanner(["other"], ["other"], ScannerGoneError)
    tables = OtherScanners(scanner, "mine")
    receive(tables)
    assert scanners(first_reports(scanner, tables, reports=3)) == ["other", "other"]


def test_scanner_that_was_started_anew_hears_of_all_again():
    scanner = FakeScanner(["other"], [])
    tables = OtherScanners(scanner, "mine")
    receive(tables)
    assert scanners(first_reports(scanner, tables, reports=3)) == ["other", "other"]


def test_refused_message_is_not_sent_again():
    scanner = FakeScanner(None, [], [])
    tables = OtherScanners(scanner, "mine")
    receive(tables)
    assert scanners(first_reports(scanner, tables, reports=4)) == ["other"]


def test_scanner_that_left_is_reported_offline():
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    receive(tables)
    tables.receive("other", "availability", b"offline", retained=True)
    assert first_reports(scanner, tables, reports=1)[0]["tables"][0]["is_online"] is False


def test_number_of_tables_is_limited():
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    for number in range(MAX_SCANNERS + 9):
        receive(tables, f"s{number}")
    assert len(scanners(first_reports(scanner, tables, reports=MAX_SCANNERS + 1))) == MAX_SCANNERS


def test_scanner_that_never_sent_games_gives_way():
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    for number in range(MAX_SCANNERS):
        tables.receive(f"s{number}", "availability", b"online", retained=True)
    receive(tables, "late")
    assert "late" in scanners(first_reports(scanner, tables, reports=MAX_SCANNERS))


def test_withdrawn_scanner_gives_way_once_that_was_reported():
    scanner = FakeScanner()
    tables = OtherScanners(scanner, "mine")
    for number in range(MAX_SCANNERS):
        receive(tables, f"s{number}")
    first_reports(scanner, tables, reports=MAX_SCANNERS + 1)
    tables.receive("s0", "games", b"", retained=False)
    receive(tables, "early")
    first_reports(scanner, tables, reports=MAX_SCANNERS + 3)
    receive(tables, "late")
    reports = first_reports(scanner, tables, reports=MAX_SCANNERS + 5)
    assert scanners(reports)[MAX_SCANNERS:] == ["s0", "late"]


def test_lost_broker_is_told():
    scanner = FakeScanner()
    scanner.enough = 2
    asyncio.run(OtherScanners(scanner, "mine").report_connection_lost())
    assert scanner.reports == [{"is_connected": False, "tables": []}]
