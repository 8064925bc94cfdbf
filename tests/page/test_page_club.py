"""Evening of a club on the page: standings, games and tables, without a browser."""

import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta
from threading import Barrier, BrokenBarrierError

import pytest

from firmware.base.user_data import user_folder
from firmware.club.evening import load_evening
from firmware.history.store import FILE_NAME
from firmware.page import club_pages
from tests.appliance.fake_tables import FakeTables
from tests.club.club_samples import EVENING, message
from tests.firmware.history_samples import record
from tests.page.phone import URL, Scanner


@pytest.fixture
def scanner(monkeypatch):
    monkeypatch.setattr(club_pages, "utc_now", lambda: EVENING + timedelta(hours=3))
    return Scanner(eye=FakeTables())


@pytest.fixture
def phone(scanner):
    return scanner.phone()


def hear(phone, *games, scanner="other", **more):
    """Report games of another table, as the bridge does."""
    message = {"sent": EVENING.isoformat(), "games": list(games)}
    table = {"scanner": scanner, "is_online": True, "is_live": False, "said": message, **more}
    body = json.dumps({"is_connected": True, "tables": [table]})
    pin = {"pin": phone.scanner.access.pin}
    token = phone.client.post("/api/v1/token", json=pin).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Origin": URL}
    answer = phone.client.post("/api/v1/tables", content=body, headers=headers)
    assert answer.status_code == 200, answer.text


def store(scanner, **changes):
    scanner.channel.history.add(record(**changes))


def test_without_games_it_says_how_they_come(phone):
    assert "No game counts yet" in phone.see("/club")
    assert "No game counts yet" in phone.see("/club/screen")
    assert "0 tables" not in phone.see("/club") + phone.see("/club/screen")


def test_long_names_are_set_smaller_on_the_screen(phone):
    hear(phone, message(1, {"Wilhelmine-Antonia": 51, "Ben": 50}, minutes=5))
    phone.see("/club/screen")
    assert '<span class="long">Wilhelmine-Antonia</span>' in phone.html
    assert "<span>Ben</span>" in phone.html


@pytest.mark.parametrize("path", ["/club", "/club/screen"])
def test_games_of_another_table_stand_in_the_standings(phone, path):
    hear(phone, message(1, {"Ann": 51, "P2": 40}, minutes=5))
    text = phone.see(path)
    assert "Ann" in text
    assert "Player 2 (Table 2)" in text


def test_open_game_is_marked_with_its_ranges(phone):
    hear(phone, message(1, {"Ann": 51, "Ben": 50}, minutes=5, spread=2))
    text = phone.see("/club")
    assert "Ann or Ben 48–53" in text
    assert "still open" in text


def test_names_from_outside_are_escaped(phone):
    hear(phone, message(1, {"<b>Ann</b>": 51, "Ben": 50}, minutes=5))
    for path in ("/club", "/club/screen"):
        phone.see(path)
        assert "<b>Ann" not in phone.html
        assert "&lt;b&gt;Ann" in phone.html


def test_news_of_a_table_are_told_to_all_phones(scanner, phone):
    before = scanner.channel.change_count
    hear(phone, message(1, minutes=5))
    assert scanner.channel.change_count > before
    again = scanner.channel.change_count
    hear(phone, message(1, minutes=5))
    assert scanner.channel.change_count == again


def test_silent_table_is_named(phone):
    hear(phone, message(1, minutes=5), is_online=False)
    assert "Table 2: not connected" in phone.see("/club/screen")


def test_new_evening_leaves_earlier_games_out(phone):
    hear(phone, message(1, minutes=5))
    answer = phone.send("/club", do="begin")
    assert answer.headers["location"] == "/club"
    assert "No game counts yet" in phone.see("/club")
    hear(phone, message(1, minutes=5), message(2, {"Cleo": 51, "Ben": 50}, minutes=6))
    text = phone.see("/club")
    assert "Cleo" in text
    assert "Ann" not in text


def test_last_hours_count_again(phone):
    hear(phone, message(1, minutes=5))
    phone.send("/club", do="begin")
    phone.send("/club", do="hours")
    assert "Ann" in phone.see("/club")


def test_name_order_and_tables_are_stored(phone):
    hear(phone, message(1, {"P1": 51, "Ben": 50}, minutes=5))
    named = {"table0": "Window", "table1": " Bar\u202e "}
    phone.send("/club", do="save", name="Autumn cup", scoring="places", hours="24", **named)
    text = phone.see("/club")
    assert "Autumn cup" in text
    assert "Player 1 (Bar)" in text
    assert load_evening(user_folder()).hours == 24


def test_two_phones_change_different_things(phone):
    hear(phone, message(1, minutes=5))
    phone.see("/club")
    shown = dict(re.findall(r'name="(shown-[^"]+)" value="([^"]*)"', phone.html))
    form = shown | {name.removeprefix("shown-"): value for name, value in shown.items()}
    for changed in ({"name": "Cup"}, {"hours": "24"}, {"table1": "Bar"}):
        phone.send("/club", do="save", **form | changed)
    evening = load_evening(user_folder())
    assert (evening.name, evening.hours, list(evening.tables.values())) == ("Cup", 24, ["", "Bar"])


def test_two_forms_at_once_are_both_stored(phone, monkeypatch):
    gate = Barrier(2)

    def stop_once(folder):
        evening = load_evening(folder)
        with suppress(BrokenBarrierError):
            gate.wait(0.5)
        return evening

    monkeypatch.setattr("firmware.club.evening.load_evening", stop_once)
    names = {"table0": "", "scoring": "wins", "hours": "12"}
    forms = ({"do": "save", "name": "Cup", **names}, {"do": "begin"})
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda form: phone.send("/club", **form), forms))
    evening = load_evening(user_folder())
    assert evening.name == "Cup"
    assert evening.started is not None


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "x"},
        {"do": "save", "scoring": "luck", "hours": "4"},
        {"do": "save", "scoring": "wins", "hours": "5"},
    ],
)
def test_odd_form_is_refused(phone, form):
    assert phone.send("/club", **form).status_code == 400


def test_guest_changes_nothing(scanner):
    answer = scanner.phone(known=False).send("/club", do="begin")
    assert answer.headers["location"] == "/pin?to=/club"
    assert load_evening(user_folder()).started is None


def test_guest_reports_no_tables(scanner):
    answer = scanner.phone(known=False).client.post("/api/v1/tables", json={})
    assert answer.status_code in (401, 403)


@pytest.mark.parametrize("path", ["/club", "/club/screen"])
def test_game_with_a_damaged_reading_counts(scanner, phone, monkeypatch, path):
    store(scanner)
    at = scanner.channel.history.get(1).at.utc
    monkeypatch.setattr(club_pages, "utc_now", lambda: at)
    with closing(sqlite3.connect(user_folder() / FILE_NAME)) as other, other:
        other.execute("UPDATE scans SET reading = '{' WHERE seq = 1")
    assert "Ann" in phone.see(path)


def test_own_game_leads_to_its_page(scanner, phone, monkeypatch):
    store(scanner)
    monkeypatch.setattr(club_pages, "utc_now", lambda: scanner.channel.history.get(1).at.utc)
    phone.send("/club", do="begin")
    store(scanner, sheet=record(2).sheet)
    phone.see("/club")
    assert 'href="/history/2"' in phone.html
    assert 'href="/history/1"' not in phone.html


def test_screen_has_no_buttons(phone):
    hear(phone, message(1, minutes=5))
    phone.see("/club/screen")
    assert "<button" not in phone.html
    assert '<meta http-equiv="refresh"' in phone.html


def test_many_players_fit_on_the_screen(phone):
    names = [f"N{n}" for n in range(30)]
    games = [
        message(seq, dict.fromkeys(names[start : start + 10], 50), minutes=seq)
        for seq, start in enumerate((0, 10, 20), 1)
    ]
    hear(phone, *games)
    assert "8 more players are on the page." in phone.see("/club/screen")
