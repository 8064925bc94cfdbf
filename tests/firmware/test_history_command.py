"""``stadtblick history``: lists, shows, exports and deletes what has been scanned."""

import argparse
import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.commands import history_arguments
from firmware.errors import UsageError
from firmware.history import History, record_of
from firmware.history.export import CSV_COLUMNS
from firmware.history.results import PlayerResult, results_of
from firmware.language import use_language
from firmware.scan import read_file, score_reading
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.firmware.history_samples import PHOTO, Clock, numbers, record

GOLDEN = Path(__file__).parents[1] / "golden" / "tables"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    monkeypatch.setenv("STADTBLICK_HOME", str(folder))
    monkeypatch.setenv("TZ", "UTC")
    return folder


@pytest.fixture
def history(home):
    with closing(History.open(home, clock=Clock())) as opened:
        yield opened


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError("usage", message, "command line")


def run(*arguments):
    parser = Parser()
    history_arguments.add_to(parser)
    return history_arguments.run(parser.parse_args([str(word) for word in arguments]))


def refusal(*arguments):
    with pytest.raises(UsageError) as refused:
        run(*arguments)
    return refused.value.code


def real_scan(tmp_path, **changes):
    """The example of the rulebook, as the appliance would store it."""
    eye = FakeEye(*EXAMPLE, **changes)
    _, reading = read_file(str(write_photo(tmp_path / "table.jpg")), eye)
    return record_of(score_reading(reading, players=("Ann", "=2+3", "Cid", "Dan", "Eve", "Fay")))


def test_nothing_stored_yet(capsys, home):
    assert run() == 0
    assert capsys.readouterr().out == "No scan is stored yet.\n"
    assert run("delete", "--all") == 0
    assert not home.exists()


def test_it_lists_the_latest_first(capsys, history, tmp_path):
    for number in range(25):
        history.add(record(number))
    history.add(real_scan(tmp_path, unsure={(0, (3, 3)): ()}, unread=["it is cut off"]))
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "Scan 26: 2026-11-21 15:40, between-two-cities",
        "  Dan wins with 62? points",
        "  2 places were not sure",
        "Scan 25: 2026-11-21 15:40, between-two-cities",
        "  Ann wins with 74 points",
    ]
    assert len(lines) == 41
    for words in (["--limit", 2], ["list", "--limit", 2], ["--limit", 2, "list"]):
        assert run(*words) == 0
        assert capsys.readouterr().out.splitlines() == lines[:5]


def test_a_scan_that_was_not_sure_is_shown_as_such(capsys, history, tmp_path):
    history.add(real_scan(tmp_path, unsure={(0, (3, 3)): (), (2, (0, 1)): ()}))
    assert run("show", "1") == 0
    assert "Not sure: A 3,3; C 0,1" in capsys.readouterr().out


def test_a_damaged_scan_is_named_and_the_others_are_given(capsys, history, home):
    for number in range(3):
        history.add(record(number))
    with sqlite3.connect(home / "history.sqlite") as connection:
        connection.execute("UPDATE scans SET sheet = '{' WHERE seq = 2")
    connection.close()
    for words in ((), ("export", "--csv"), ("export", "--json")):
        assert run(*words) == 1
        said = capsys.readouterr()
        assert "scan 2 is damaged" in said.err
        assert "scan 2" not in said.out.lower()
    assert run("list") == 1
    out = capsys.readouterr().out
    assert "Scan 1:" in out
    assert "Scan 3:" in out


@pytest.mark.parametrize("limit", ["0", "-1", "x", "", "1.5", "9" * 30, "²"])
def test_a_limit_that_is_none(limit):
    with pytest.raises(UsageError, match="use a whole number from 1 on"):
        run("list", f"--limit={limit}")


def test_a_time_that_nobody_knows(capsys, home):
    with closing(History.open(home, clock=Clock(known=False))) as history:
        history.add(record())
    assert run() == 0
    assert "Scan 1: time unknown, between" in capsys.readouterr().out
    assert run("show", 1) == 0
    assert "Scan 1: time unknown, between" in capsys.readouterr().out
    assert run("export", "--csv") == 0
    assert "1,2026-11-21T15:40:38Z,no," in capsys.readouterr().out


def test_it_shows_a_scan(capsys, history, tmp_path):
    photo = history.keep_photo(PHOTO)
    history.add(record())
    scan = real_scan(tmp_path)
    history.add(
        record(
            table=scan.table,
            sheet=scan.sheet,
            photo=photo,
            rescan_of=1,
            corrections=("A:3,3=park",),
        )
    )
    assert run("show", 2) == 0
    out = capsys.readouterr().out
    for line in (
        "Scan 2: 2026-11-21 15:40, between-two-cities",
        "Variant: standard, level: 1, edition: my-copy",
        "The same table as in scan 1",
        "Corrections: A:3,3=park",
        "The supply of the computer was too weak",
        f"Photo: {history.photo_path(photo)}",
        "Dan wins with 62 points",
    ):
        assert line in out.splitlines()
    assert "4 shops in row 0" not in out
    assert "differs" not in out
    assert run("show", 2, "--reasons") == 0
    assert "4 shops in row 0" in capsys.readouterr().out


def test_a_photo_that_gave_way(capsys, history):
    history.add(record(photo="000001.jpg"))
    assert run("show", 1) == 0
    assert "Photo: not kept" in capsys.readouterr().out


def test_a_sheet_that_would_be_another_one_today(capsys, history, tmp_path):
    scan = real_scan(tmp_path)
    sheet = json.loads(json.dumps(scan.sheet))
    sheet["players"][0]["final"] += 1
    history.add(record(table=scan.table, sheet=sheet))
    assert run("show", 1) == 0
    assert "The stored sheet differs" in capsys.readouterr().out


def test_a_table_that_cannot_be_scored_any_more(capsys, history):
    history.add(record(1, table={"game": "between-two-cities", "towns": []}))
    history.add(record(1, game="chess"))
    for number in (1, 2):
        assert run("show", number) == 0
        out = capsys.readouterr().out
        assert "Ann wins with 51 points" in out
        assert "cannot be scored any more" in out


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_every_game_is_listed_shown_and_exported(capsys, history, path):
    case = json.loads(path.read_text("utf-8"))
    table, sheet = case["table"], case["sheet"]
    history.add(record(game=path.stem, table=table, sheet=sheet))
    players = results_of(sheet)
    assert sum(player.won for player in players) == len(sheet["winners"]) > 0
    assert run() == 0
    listed = capsys.readouterr().out
    assert f", {path.stem}\n" in listed
    assert all(player.name.lower() in listed.lower() for player in players if player.won)
    assert run("show", 1) == 0
    shown = capsys.readouterr().out
    assert "cannot be scored" not in shown
    assert "differs" not in shown
    assert run("export", "--csv") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(players)


def test_results_of_the_games():
    totals = {"totals": {"Ann": 7, "Ben": 9, "Cid": 7}, "winners": ["Ben"]}
    assert results_of(totals) == (
        PlayerResult("Ann", 7, 2, won=False),
        PlayerResult("Ben", 9, 1, won=True),
        PlayerResult("Cid", 7, 2, won=False),
    )
    players = {"players": [{"name": "Ann", "final": 5, "rank": 1}], "winners": [0]}
    assert results_of(players) == (PlayerResult("Ann", 5, 1, won=True),)
    for damaged in ({}, {"players": 3}, {"totals": {"Ann": "x"}, "winners": []}, {"totals": []}):
        assert results_of(damaged) == ()


def test_all_of_a_scan_as_json(capsys, history):
    history.add(record(photo="000001.jpg", rescan_of=3))
    assert run("show", 1, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    given = record()
    assert shown == {
        "scan": 1, "time": "2026-11-21T15:40:38Z", "time_known": True,
        "game": "between-two-cities", "variant": "standard", "level": 1, "edition": "my-copy",
        "photo": "000001.jpg", "health": ["under-voltage"], "rescan_of": 3,
        "corrections": ["A:2,3=park", "B:0,0=none"],
        "reading": given.reading, "table": given.table, "sheet": given.sheet,
    }  # fmt: skip


def test_an_export_has_all_scans_oldest_first(capsys, history):
    for number in (7, 8, 9):
        history.add(record(number))
    assert run("export", "--json") == 0
    exported = json.loads(capsys.readouterr().out)["scans"]
    assert [scan["table"]["number"] for scan in exported] == [7, 8, 9]
    assert run("export", "--json", "--limit", 2) == 0
    assert [scan["scan"] for scan in json.loads(capsys.readouterr().out)["scans"]] == [2, 3]


def test_csv_has_a_row_for_each_player(capsys, history, tmp_path):
    history.add(real_scan(tmp_path))
    history.add(record(game="city-blocks", sheet={"totals": {"blue": 3, "red": 3}, "winners": []}))
    history.add(record(sheet={}))
    assert run("export", "--csv") == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert len(rows) == 1 + 6 + 2 + 1
    assert rows[4] == [
        "1", "2026-11-21T15:40:38Z", "yes", "between-two-cities", "standard", "1", "standard",
        "Dan", "62", "1", "yes", "",
    ]  # fmt: skip
    assert rows[2][7] == "'=2+3", "no spreadsheet computes a name"
    assert [row[7:11] for row in rows[7:]] == [
        ["blue", "3", "1", "no"], ["red", "3", "1", "no"], ["", "", "", ""],
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_an_export_into_a_file(capsys, history, tmp_path, form):
    history.add(record())
    out = tmp_path / "out"
    assert run("export", form, "--out", out) == 0
    assert capsys.readouterr().out == f"Exported 1 scan: {out}\n"
    first = out.read_bytes()
    assert b"Ann" in first
    assert refusal("export", form, "--out", out) == "export-exists"
    assert refusal("export", form, "--out", tmp_path, "--replace") == "export-exists"
    history.add(record(2))
    assert run("export", form, "--out", out, "--replace") == 0
    assert len(out.read_bytes()) > len(first)


def test_an_export_needs_a_form():
    assert refusal("export") == "usage"
    assert refusal("export", "--json", "--csv") == "usage"


def test_deleting_asks(capsys, history, monkeypatch):
    for number in (1, 2, 3):
        history.add(record(number))
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert refusal("delete", 1) == "history-not-deleted"
    terminal = io.StringIO("no\nyes\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("delete", 1, 3, 3) == 1
    assert numbers(history) == [1, 2, 3]
    assert run("delete", 1, 3, 3) == 0
    assert numbers(history) == [2]
    assert capsys.readouterr().out.splitlines() == [
        "Delete 2 scans? Type yes:", "Nothing was deleted.",
        "Delete 2 scans? Type yes:", "Deleted 2 scans.",
    ]  # fmt: skip


def test_deleting_what_is_not_there_deletes_nothing(history):
    history.add(record())
    assert refusal("delete", 1, 2, "--yes") == "unknown-scan"
    assert refusal("delete", "--yes") == "usage"
    assert refusal("delete", 1, "--all", "--yes") == "usage"
    assert numbers(history) == [1]


def test_deleting_all_removes_the_photos_too(capsys, history):
    for _ in range(3):
        history.add(record(photo=history.keep_photo(PHOTO)))
    assert run("delete", "--all", "--yes") == 0
    assert capsys.readouterr().out == "Deleted 3 scans.\n"
    assert history.recent() == []
    assert history.photo_path("000003.jpg") is None


@pytest.mark.parametrize("number", [0, 2, -1, 10**30])
def test_a_scan_that_is_not_there(history, number):
    history.add(record())
    assert refusal("show", "--json", "--", number) == "unknown-scan"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Scan 1", "not kept")),
        ("de", ("Scan 1", "nicht aufbewahrt")),
        ("hu", ("1. ", "nincs")),
    ],
)
def test_in_each_language(capsys, history, language, words, tmp_path):
    history.add(real_scan(tmp_path))
    use_language(language)
    try:
        assert run("show", 1) == 0
    finally:
        use_language("en")
    said = capsys.readouterr().out
    assert all(word in said for word in words)


def test_control_characters_do_not_reach_the_terminal(capsys, history):
    history.add(
        record(corrections=("A:2,3=\x1b[31m",), edition="a\nb", health=("\x07",), game="\x1b")
    )
    assert run() == 0
    assert run("show", 1) == 0
    assert not set("\x1b\x07") & set(capsys.readouterr().out)
