"""Past games and players on the page: names, dates, deleting, renaming, figures."""

import re
import sqlite3
from contextlib import closing
from datetime import date
from threading import Timer

import pytest

from firmware.base.user_data import user_folder
from firmware.history import WallTime, make_record
from firmware.history.clock import TimeSinceBoot
from firmware.history.player_names import with_names
from firmware.page.player_pages import MAX_LATEST_GAMES, _months_up_to
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import SCAN, kept_scans
from tests.firmware.history_samples import START, record
from tests.firmware.samples import example
from tests.page.phone import URL, Scanner
from tests.page.test_page import picture


@pytest.fixture
def scanner():
    return Scanner(eye=FakeTables())


def test_past_game_gets_names_and_date(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    answer = phone.send("/history/1", name0="Ann", name1="Ben", when="2025-03-01T20:15")
    assert answer.headers["location"] == "/history/1"
    (scan,) = kept_scans()
    assert (scan.record.table["players"][:2], scan.at.known) == (["Ann", "Ben"], True)
    assert "March 2025" in phone.see("/history")


def test_names_of_a_past_game_reach_the_last_result(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann")
    scanner.advance()
    assert "Ann" in phone.see("/")
    assert scanner.appliance.state.settings.players == ()


@pytest.mark.parametrize(
    "wrong", [{"name0": "Ann", "name1": "Ann"}, {"name0": "A" * 19}, {"when": "x"}]
)
def test_names_and_dates_that_cannot_be_are_refused(scanner, wrong):
    phone = scanner.phone()
    scanner.press(SCAN)
    before = kept_scans()
    assert phone.send("/history/1", **wrong).status_code == 422
    assert kept_scans() == before


def test_deleted_game_is_brought_back(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    before = kept_scans()
    assert phone.send("/history/1/delete").headers["location"] == "/history?deleted=1"
    assert "Game 1 was deleted. Undo" in phone.see("/history?deleted=1")
    assert phone.send("/history/1/restore").headers["location"] == "/history/1"
    assert kept_scans() == before


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("", {"name0": "Ann", "name1": "Ben", "when": "2025-03-01T20:15"}),
        ("/place/B:1,1", {"table": "-2", "answer": "park"}),
        ("/delete", {}),
        ("/restore", {}),
    ],
    ids=["date", "tile", "delete", "bring-back"],
)
def test_others_are_told_of_a_changed_past_game(scanner, path, form):
    phone, history = scanner.phone(), scanner.channel.history
    scanner.press(SCAN)
    history.add(kept_scans()[0].record)
    phone.send("/history/2", name0="Ann", name1="Ben")
    if path == "/restore":
        phone.send("/history/2/delete")
    before = scanner.channel.change_count
    assert phone.send(f"/history/2{path}", **form).status_code == 303
    assert scanner.channel.change_count > before


def test_second_tap_leads_to_the_same_page(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    for path in ("/history/1/delete", "/history/1/restore"):
        first, second = phone.send(path), phone.send(path)
        assert (second.status_code, second.headers["location"]) == (303, first.headers["location"])


@pytest.mark.parametrize("path", ["/history/7/delete", "/history/7/restore"])
def test_game_that_never_was_is_neither_deleted_nor_brought_back(scanner, path):
    assert scanner.phone().send(path).status_code == 404


def test_deleted_game_can_be_undone_while_the_scanner_is_busy(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    scanner.launch.hold.add("storing")
    phone.send("/history/1/delete")
    assert "Game 1 was deleted. Undo" in phone.see("/history?deleted=1")
    scanner.launch.release("storing")
    scanner.advance(1)
    assert scanner.appliance.state.result is None


def test_game_brought_back_while_the_disk_is_busy_stays(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    scanner.launch.hold.add("storing")
    phone.send("/history/1/delete")
    phone.send("/history/1/restore")
    scanner.launch.release("storing")
    scanner.advance(1)
    assert scanner.channel.history.seqs() == [1]


def test_going_back_after_undo_shows_the_game_in_the_list(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1/delete")
    phone.send("/history/1/restore")
    phone.see("/history?deleted=1")
    assert 'href="/history/1"' in phone.html


def test_game_that_is_deleted_while_it_is_stored_stays_deleted(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    scanner.launch.hold.add("storing")
    table = str(scanner.appliance.state.result.result_id)
    phone.send("/place/A:1,1", table=table, answer="park")
    stored = Timer(1.0, scanner.launch.release, ["storing"])
    stored.start()
    phone.send("/history/1/delete")
    stored.join()
    scanner.advance(1)
    assert scanner.channel.history.seqs() == []


def test_answer_shows_at_once_on_the_page_of_the_last_game(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    scanner.launch.hold.add("storing")
    stored = Timer(1.0, scanner.launch.release, ["storing"])
    stored.start()
    phone.send("/history/1/place/A:1,1", table="-1", answer="park")
    shown = kept_scans()
    stored.join()
    assert shown[0].record.corrections == ("A:1,1=park",)


def test_deleted_game_is_forgotten_for_good(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1/delete")
    phone.send("/history/forget")
    assert "Recently deleted" not in phone.see("/history")
    assert phone.client.get("/history/1/photo.jpg").status_code == 404


def test_guest_without_the_pin_changes_no_game(scanner):
    scanner.press(SCAN)
    guest = scanner.phone(known=False)
    for path in ("/history/1", "/history/1/restore", "/history/forget", "/players/Ann"):
        assert guest.send(path).headers["location"].startswith("/pin")


def test_thumbnail_is_small_and_may_be_kept_by_the_phone(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.see("/history")
    (address,) = re.findall(r'src="(/history/1/thumbnail.jpg[^"]*)"', phone.html)
    answer = phone.client.get(address)
    assert max(picture(answer).shape) <= 240
    assert "max-age" in answer.headers["cache-control"]


def test_player_has_a_page_with_games_and_others(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann", name1="Ben")
    assert "Ann" in phone.see("/statistics")
    shown = phone.see("/players/Ann")
    assert "Head to head" in shown
    assert "Ben" in shown
    rows = phone.client.get("/player-games.csv?name=Ann").text.splitlines()
    assert rows[0].startswith("scan,time,game")
    assert len(rows) == 2
    phone.see("/players/Nobody", status=404)


def test_player_has_a_page_after_a_game_of_the_year_800(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann")
    scanner.channel.history.set_time(1, WallTime(START.replace(year=800), known=True))
    assert "November 800" in phone.see("/players/Ann")


def test_player_is_renamed_on_the_page(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann/B", name1="Ben")
    answer = phone.send("/players/Ann%2FB", name="Anne")
    assert answer.headers["location"] == "/players/Anne"
    assert kept_scans()[0].record.table["players"][0] == "Anne"
    assert phone.send("/players/Anne", name="P3").status_code == 422


def test_second_tap_on_a_new_name_leads_to_the_same_page(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann")
    answers = [phone.send("/players/Ann", name="Zoe") for _ in range(2)]
    assert [each.headers["location"] for each in answers] == ["/players/Zoe"] * 2


def test_players_are_merged_only_after_a_question(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann")
    history = scanner.channel.history
    history.add(with_names(kept_scans()[0].record, ["Anne"]))
    answer = phone.send("/players/Anne", name="Ann")
    assert "Are Anne and Ann the same person?" in answer.text
    assert "Anne" in history.player_names()
    assert phone.send("/players/Anne", name="Ann", merge="yes").status_code == 303
    assert "Anne" not in history.player_names()


def test_renamed_player_is_called_so_in_the_next_game(scanner):
    phone = scanner.phone()
    phone.send("/setup", players="1", name0="Ann", name1="Ben")
    scanner.press(SCAN)
    phone.send("/players/Ann", name="Zoe")
    assert scanner.appliance.state.settings.players == ("Zoe", "Ben")
    assert "Zoe" in phone.see("/")


@pytest.mark.parametrize(
    ("path", "form"),
    [("/players/Ann", {"name": "Zoe"}), ("/history/1", {"name0": "Zoe", "name1": "Ben"})],
    ids=["rename", "names-of-the-game"],
)
def test_name_that_is_given_while_the_game_is_stored_stays(scanner, path, form):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="Ann", name1="Ben")
    scanner.launch.hold.add("storing")
    table = str(scanner.appliance.state.result.result_id)
    phone.send("/place/A:1,1", table=table, answer="park")
    assert phone.send(path, **form).status_code == 303
    scanner.launch.release("storing")
    scanner.advance(1)
    stored = kept_scans()[0].record
    assert stored.table["players"][:2] == ["Zoe", "Ben"]
    assert stored.corrections == ("A:1,1=park",)


def test_game_without_a_date_stands_under_the_month_before(scanner):
    history = scanner.channel.history
    for known in (True, False, True):
        history.add(record(), WallTime(START, known=known))
    text = scanner.phone().see("/history")
    assert text.count("November 2026") == 1
    assert "Without a date" in text


def test_game_of_colours_takes_a_date_alone(scanner):
    sheet = {"game": "city-blocks", "totals": {"Blue": 90, "Red": 80}, "winners": ["Blue"]}
    scanner.channel.history.add(record(game="city-blocks", sheet=sheet))
    text = scanner.phone().see("/history/1")
    assert "Change the date" in text
    assert "names" not in text.partition("Change the date")[2][:200]


def form_values(phone, path, action):
    """Return the values of the fields in a form of a page."""
    phone.see(path)
    form = phone.html.partition(f'action="{action}"')[2].partition("</form>")[0]
    fields = re.findall(r"<input[^>]*>", form)
    values = {
        re.search('name="([^"]*)"', each)[1]: re.search('value="([^"]*)"', each)[1]
        for each in fields
    }
    del values["form_token"]
    return values


def test_two_phones_name_players_of_a_past_game(scanner):
    phone, other = scanner.phone(), scanner.phone()
    scanner.press(SCAN)
    form = form_values(other, "/history/1", "/history/1")
    phone.send("/history/1", **form | {"name0": "Ann"})
    other.send("/history/1", **form | {"name1": "Ben"})
    assert kept_scans()[0].record.table["players"][:2] == ["Ann", "Ben"]


def test_two_phones_name_players_of_the_next_game(scanner):
    phone, other = scanner.phone(), scanner.phone()
    other.see("/setup")
    names = {f"{kind}name{n}": "" for n in range(7) for kind in ("", "shown-")}
    for name in names:
        assert f'name="{name}"' in other.html
    form = {"players": "1", **names}
    phone.send("/setup", **form | {"name0": "Ann"})
    other.send("/setup", **form | {"name1": "Ben"})
    assert scanner.appliance.state.settings.players == ("Ann", "Ben")


def test_names_given_meanwhile_leave_a_new_date(scanner):
    phone = scanner.phone()
    history = scanner.channel.history
    seq = history.add(make_record(example()), WallTime(START, known=False))
    history.set_time(seq, WallTime(START, known=True))  # since the form was shown
    phone.send(f"/history/{seq}", name0="Ann", when="", **{"shown-when": ""})
    assert history.get(seq).at == WallTime(START, known=True)


def test_date_is_taken_away_on_purpose(scanner):
    phone = scanner.phone()
    history = scanner.channel.history
    seq = history.add(make_record(example()), WallTime(START, known=True))
    phone.see(f"/history/{seq}")
    (shown,) = re.findall(r'name="shown-when" value="([^"]+)"', phone.html)
    phone.send(f"/history/{seq}", when="", **{"shown-when": shown})
    assert not history.get(seq).at.known


def test_names_leave_a_game_that_can_still_be_dated(scanner):
    history, phone = scanner.channel.history, scanner.phone()
    unset = WallTime(START, known=False, since_boot=TimeSinceBoot("boot", 10.0))
    seq = history.add(make_record(example()), unset)
    phone.send(f"/history/{seq}", name0="Ann", when="", **{"shown-when": ""})
    history._clock = lambda: WallTime(START, known=True, since_boot=TimeSinceBoot("boot", 10.0))
    assert history.date_scans() == 1


def test_months_without_a_game_have_their_place_in_the_chart():
    months = _months_up_to(date(2026, 3, 1), since=date(2025, 11, 1))
    assert [f"{each:%Y-%m}" for each in months] == [
        "2025-11", "2025-12", "2026-01", "2026-02", "2026-03",
    ]  # fmt: skip
    assert len(_months_up_to(date(2026, 3, 1), since=date(2001, 1, 1))) == MAX_LATEST_GAMES


def break_game(seq):
    with closing(sqlite3.connect(user_folder() / "history.sqlite")) as database, database:
        database.execute("UPDATE scans SET sheet = '{' WHERE seq = ?", (seq,))


def test_damaged_game_is_deleted_and_brought_back(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    break_game(1)
    assert "/history/1/delete" in phone.client.get("/history").text
    assert phone.send("/history/1/delete").headers["location"] == "/history?deleted=1"
    assert scanner.channel.history.seqs() == []
    assert "Game 1 was deleted. Undo" in phone.see("/history?deleted=1")
    assert "Game 1: damaged Bring back" in phone.see("/history")
    assert phone.send("/history/1/restore").headers["location"] == "/history"
    assert scanner.channel.history.seqs() == [1]


def test_player_named_like_a_path_has_page_and_table(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="x/games.csv")
    assert "x/games.csv" in phone.see("/players/x%2Fgames.csv")
    assert phone.client.get("/player-games.csv?name=x%2Fgames.csv").status_code == 200


def test_name_in_two_unicode_forms_is_one_player(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    phone.send("/history/1", name0="A\u0301nn")
    assert kept_scans()[0].record.table["players"][0] == "\u00c1nn"
    phone.see("/players/A%CC%81nn")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/scan", "POST"), ("/settings", "GET, HEAD, POST"), ("/api/v1/status", "GET, HEAD")],
)
def test_refused_method_names_the_allowed_ones(scanner, path, allowed):
    answer = scanner.phone().client.delete(path, headers={"Origin": URL, "Content-Length": "0"})
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
