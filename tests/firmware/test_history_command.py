"""``stadtblick history``: lists, shows, exports and deletes what has been scanned."""

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import cv2
import pytest

from firmware.cli import main
from firmware.games.scores import PlayerResult
from firmware.games.scoring_options import ScoringOptions
from firmware.history import HistoryError, make_record
from firmware.history.clock import parse_wall_time
from firmware.history.export import CSV_COLUMNS
from firmware.history.stats import compute_stats, find_new_bests
from firmware.history.stored_sheet import parse_results
from firmware.scan.make_scan import make_scan, read_file
from firmware.settings import Settings, load_settings, store_settings
from scoring.games import GAMES
from tests.firmware.commanded import command, refusal
from tests.firmware.fake_eye import EXAMPLE, NOT_READ, FakeEye, write_photo
from tests.firmware.history_samples import PHOTO, Clock, numbers, open_history, recent, record
from tests.firmware.samples import example
from tests.firmware.scan_samples import SCANS
from tests.refusals import refused
from vision.editions.folder import built_in_edition

GOLDEN = Path(__file__).parents[1] / "golden" / "tables"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    monkeypatch.setenv("STADTBLICK_HOME", str(folder))
    monkeypatch.setenv("TZ", "UTC")
    return folder


@pytest.fixture
def history(home):
    with closing(open_history(home, clock=Clock())) as opened:
        yield opened


run = partial(command, "history")


@pytest.fixture
def run_history(prints):
    return partial(prints, "history")


def real_scan(tmp_path, **changes):
    """The example of the rulebook, as the appliance would store it."""
    eye = FakeEye(*EXAMPLE, **changes)
    edition = built_in_edition("between-two-cities")
    _, reading = read_file(str(write_photo(tmp_path / "table.jpg")), edition, eye)
    names = ScoringOptions(players=("Ann", "=2+3", "Cid", "Dan", "Eve", "Fay"))
    return make_record(make_scan(reading, edition.description, options=names))


def test_empty_history_says_so_and_makes_no_file(run_history, home):
    assert run_history() == run_history("delete", "--all") == "No game is stored yet.\n"
    assert not home.exists()


@pytest.mark.parametrize(
    "words", [("--lang", "de"), ("list", "--lang", "de"), ("list", "--lang=de")]
)
def test_the_language_is_said_behind_command_or_action(run_history, words):
    assert "gespeichert" in run_history(*words)


def test_history_lists_the_latest_first(run_history, history, tmp_path):
    for number in range(25):
        history.add(record(number))
    history.add(real_scan(tmp_path, unsure={(0, (3, 3)): ()}, unread=[NOT_READ]))
    lines = run_history().splitlines()
    assert lines[:5] == [
        "Game 26: 2026-11-21 15:40, between-two-cities",
        "  Dan wins with 62? points",
        "  2 places were not sure",
        "Game 25: 2026-11-21 15:40, between-two-cities",
        "  Ann wins with 74 points",
    ]
    assert len(lines) == 41
    for words in (["--limit", 2], ["list", "--limit", 2], ["--limit", 2, "list"]):
        assert run_history(*words).splitlines() == lines[:5]


def test_a_damaged_scan_is_named_and_the_others_are_given(capsys, history, home):
    for number in range(3):
        history.add(record(number))
    with closing(sqlite3.connect(home / "history.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE scans SET sheet = '{' WHERE seq = 2")
    for words in ((), ("export", "--csv"), ("export", "--json")):
        assert run(*words) == 1
        printed = capsys.readouterr()
        assert "game 2 is damaged" in printed.err
        assert "game 2" not in printed.out.lower()
        assert words or ("Game 1:" in printed.out and "Game 3:" in printed.out)


def test_a_scan_for_bg_stats(run_history, home, tmp_path):
    with closing(open_history(home, clock=Clock())) as history:
        history.add(real_scan(tmp_path))
    play = json.loads(run_history("export", "--bgsplay", 1))
    assert play["game"]["name"] == "Between Two Cities"
    assert play["playDate"].startswith("2026-11-")
    assert [one["name"] for one in play["players"]] == ["Ann", "=2+3", "Cid", "Dan", "Eve", "Fay"]
    assert [one["winner"] for one in play["players"]].count(True) == 1
    with pytest.raises(HistoryError, match="no such game"):
        run("export", "--bgsplay", 2)


def test_play_keeps_its_identifier_when_the_game_gets_another_date(run_history, home, tmp_path):
    with closing(open_history(home, clock=Clock())) as history:
        history.add(real_scan(tmp_path))
        history.add(real_scan(tmp_path))
        before = json.loads(run_history("export", "--bgsplay", 1))
        history.set_time(1, parse_wall_time("2025-03-01 20:15"))
    after = json.loads(run_history("export", "--bgsplay", 1))
    other = json.loads(run_history("export", "--bgsplay", 2))
    assert after["playDate"] != before["playDate"]
    assert after["sourcePlayId"] == before["sourcePlayId"] != other["sourcePlayId"]


def test_plays_of_two_histories_have_different_identifiers(tmp_path):
    found = set()
    for name in ("one", "other"):
        with closing(open_history(tmp_path / name)) as history:
            found.add(history.identity)
    assert len(found - {""}) == 2


def test_a_scan_as_one_picture(run_history, home, tmp_path):
    with closing(open_history(home, clock=Clock())) as history:
        photo = history.keep_photo(write_photo(tmp_path / "kept.jpg").read_bytes())
        history.add(replace(real_scan(tmp_path), photo=photo, edition="standard"))
        reading = SCANS["reading-only"]
        history.add(make_record(reading))
    out = tmp_path / "game.jpg"
    assert run_history("export", "--picture", 1, "--out", out) == f"Exported 1 game: {out}\n"
    height, width = cv2.imread(str(out)).shape[:2]
    assert (width, height > 810) == (1080, True)
    with refused("usage"):
        run("export", "--picture", 1)
    with refused("export-exists"):
        run("export", "--picture", 1, "--out", out)


def test_show_tells_of_later_corrections(run_history, history, tmp_path):
    history.add(record(1))
    history.save_corrected_past_game(1, record(2, corrections=("A:1,1=park",)))
    assert "Corrected later, before: Ann 51" in run_history("show", 1).splitlines()


def test_a_time_that_nobody_knows(run_history, home):
    with closing(open_history(home, clock=Clock(known=False))) as history:
        history.add(record())
    assert "Game 1: time unknown, between" in run_history()
    assert "Game 1: time unknown, between" in run_history("show", 1)
    assert "1,2026-11-21T15:40:38Z,no," in run_history("export", "--csv")


def test_show_prints_everything_about_a_scan(run_history, history, tmp_path):
    photo = history.keep_photo(PHOTO)
    history.add(record(photo="000009.jpg"))
    history.add(record())
    scan = real_scan(tmp_path, unsure={(0, (3, 3)): (), (2, (0, 1)): ()})
    more = {"photo": photo, "corrections": ("A:3,3=park",)}
    history.save_rescan(2, record(table=scan.table, sheet=scan.sheet, **more))
    assert "Photo: not kept" in run_history("show", 1)
    out = run_history("show", 2)
    for line in (
        "Game 2: 2026-11-21 15:40, between-two-cities",
        "Variant: standard, level: 1, edition: my-copy",
        "Scanned again, before: Ann 51",
        "Corrections: A:3,3=park",
        "Not sure: A, row 4, column 4; C, row 1, column 2",
        "The supply of the computer was too weak",
        f"Photo: {history.photo_path(photo)}",
        "Dan wins with 60–63 points, whatever the open tiles are",
    ):
        assert line in out.splitlines()
    assert "4 shops in row 1" not in out
    assert "differs" not in out
    assert "4 shops in row 1" in run_history("show", 2, "--reasons")
    sheet = json.loads(json.dumps(scan.sheet))
    sheet["players"][0]["final"] += 1
    history.add(record(table=scan.table, sheet=sheet))
    assert "The stored sheet differs" in run_history("show", 3)


def test_a_table_that_cannot_be_scored_any_more(run_history, history):
    history.add(record(1, table={"game": "between-two-cities", "towns": []}))
    history.add(record(1, game="chess"))
    for number in (1, 2):
        out = run_history("show", number)
        assert "Ann wins with 51 points" in out
        assert "cannot be scored any more" in out


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_every_game_is_listed_shown_and_exported(run_history, history, path):
    case = json.loads(path.read_text("utf-8"))
    table, sheet = case["table"], case["sheet"]
    history.add(record(game=path.stem, table=table, sheet=sheet))
    players = parse_results(sheet)
    assert sum(player.won for player in players) == len(sheet["winners"]) > 0
    listed = run_history()
    assert f", {path.stem}\n" in listed
    winners = [player.name for player in players if player.won]
    assert all(name.lower() in listed.lower() for name in winners), (
        f"{winners} in the sheet; if they are numbers, name the players of the golden table"
    )
    shown = run_history("show", 1)
    assert "cannot be scored" not in shown
    assert "differs" not in shown
    assert len(run_history("export", "--csv").splitlines()) == 1 + len(players)


def test_results_of_the_games():
    totals = {"totals": {"Ann": 7, "Ben": 9, "Cid": 7}, "winners": ["Ben"]}
    assert parse_results(totals) == (
        PlayerResult("Ann", 7, 2, won=False),
        PlayerResult("Ben", 9, 1, won=True),
        PlayerResult("Cid", 7, 2, won=False),
    )
    players = {"players": [{"name": "Ann", "final": 5, "rank": 1}], "winners": [0]}
    assert parse_results(players) == (PlayerResult("Ann", 5, 1, won=True),)
    for damaged in ({}, {"players": 3}, {"totals": {"Ann": "x"}, "winners": []}, {"totals": []}):
        assert parse_results(damaged) == ()


def test_as_json_there_is_all_of_a_scan_oldest_first(run_history, history):
    for number in (7, 8, 9):
        history.add(record(number, photo="000001.jpg"))
    given = record(7)
    first = {
        "scan": 1, "time": "2026-11-21T15:40:38Z", "time_known": True,
        "game": "between-two-cities", "variant": "standard", "level": 1, "edition": "my-copy",
        "photo": "000001.jpg", "health": ["under-voltage"],
        "corrections": ["A:2,3=park", "B:0,0=none"],
        "reading": given.reading, "table": given.table, "sheet": given.sheet,
        "was": None, "replaced": None,
    }  # fmt: skip
    assert json.loads(run_history("show", 1, "--json")) == first
    exported = json.loads(run_history("export", "--json"))["scans"]
    assert exported[0] == first
    assert [scan["scan"] for scan in exported] == [1, 2, 3]
    for words in (["export", "--json", "--limit", 2], ["--limit", 2, "export", "--json"]):
        assert json.loads(run_history(*words))["scans"] == exported[1:]


def test_csv_has_a_row_for_each_player(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    history.add(record(game="city-blocks", sheet={"totals": {"blue": 3, "red": 3}, "winners": []}))
    history.add(record(sheet={}))
    rows = list(csv.reader(io.StringIO(run_history("export", "--csv"))))
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
def test_an_export_into_a_file(run_history, history, tmp_path, form):
    history.add(record())
    out = tmp_path / "out"
    assert run_history("export", form, "--out", out) == f"Exported 1 game: {out}\n"
    first = out.read_bytes()
    assert b"Ann" in first
    for words in ((out,), (tmp_path, "--replace")):
        with refused("export-exists"):
            run("export", form, "--out", *words)
    with refused("file-not-writable", "choose another place with --out"):
        run("export", form, "--out", out / "below")
    history.add(record(2))
    run_history("export", form, "--out", out, "--replace")
    assert len(out.read_bytes()) > len(first)


def test_deleting_asks_at_a_terminal_alone(capsys, history, monkeypatch):
    for number in (1, 2, 3):
        history.add(record(number))
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with refused("history-not-deleted"):
        run("delete", 1)
    terminal = io.StringIO("no\nyes\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("delete", 1, 3, 3) == 1
    assert numbers(history) == [1, 2, 3]
    assert run("delete", 1, 3, 3) == 0
    assert numbers(history) == [2]
    assert capsys.readouterr().out.splitlines() == [
        "Delete 2 games? Type yes:", "Nothing was deleted.",
        "Delete 2 games? Type yes:", "Deleted 2 games.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code"),
    [
        *[(("list", f"--limit={limit}"), "usage") for limit in ("0", "-1", "x", "", "1.5", "²")],
        (("export",), "usage"),
        (("--limit", 5, "show", 1), "usage"),
        (("--limit", 5, "delete", 1, "--yes"), "usage"),
        (("export", "--json", "--csv"), "usage"),
        (("delete", "--yes"), "usage"),
        (("delete", 1, "--all", "--yes"), "usage"),
        (("delete", 1, 2, "--yes"), "unknown-scan"),
        *[(("show", "--json", "--", number), "unknown-scan") for number in (0, 2, -1, 10**30)],
    ],
)
def test_senseless_or_unknown_number_changes_nothing(history, words, code):
    history.add(record())
    assert refusal(run, *words) == code
    assert numbers(history) == [1]


def test_unknown_game_is_named_in_language_in_use(history, capsys):
    assert main(["history", "show", "99", "--lang", "de"]) == 2
    assert "(Partie 99)" in capsys.readouterr().err


def test_deleting_all_removes_the_photos(run_history, history):
    for _ in range(3):
        history.add(record(photo=history.keep_photo(PHOTO)))
    assert run_history("delete", "--all", "--yes") == "Deleted 3 games.\n"
    assert recent(history) == []
    assert history.photo_path("000003.jpg") is None


def test_control_characters_do_not_reach_the_terminal(run_history, history):
    texts = {"corrections": ("A:2,3=\x1b[31m",), "edition": "a\nb", "health": ("\x07",)}
    history.add(record(game="\x1b", **texts))
    assert not set("\x1b\x07") & set(run_history() + run_history("show", 1))


class TestStats:
    @pytest.fixture
    def played(self, history):
        """Four tables; the second was scanned twice, the last was for two."""
        for seq, names, finals in (
            (None, ("Ann", "Ben"), (50, 60)),
            (None, ("Ann", "Ben"), (99, 10)),
            (2, ("Ann", "Ben"), (40, 30)),
            (None, ("Ann", "P2"), (55, 55)),
        ):
            best = max(finals)
            players = [
                {"name": name, "final": final, "rank": 1 + (final < best)}
                for name, final in zip(names, finals, strict=True)
            ]
            winners = [seat for seat, final in enumerate(finals) if final == best]
            cities = [{"points": {"shops": 10, "parks": 3}}, {"points": {"shops": 13, "parks": 2}}]
            sheet = {"players": players, "winners": winners, "cities": cities}
            if seq is None:
                history.add(record(sheet=sheet))
            else:
                history.save_rescan(seq, record(sheet=sheet))
        history.add(record(variant="two-player"))

    def test_a_table_counts_once_and_two_players_by_themselves(self, run_history, played):
        first, two = json.loads(run_history("stats", "--json"))["games"]
        assert (first["variant"], first["games"], first["winning"]) == ("standard", 3, [60, 40, 55])
        assert first["average"] == round((50 + 60 + 40 + 30 + 55 + 55) / 6, 2)
        assert first["highest"] == {"points": 60, "player": "Ben", "scan": 1}
        assert first["lowest"] == {"points": 30, "player": "Ben", "scan": 2}
        assert (two["variant"], two["games"]) == ("two-player", 1)
        first, _two = json.loads(run_history("stats", "--json"))["games"]
        assert first["players"] == [
            {"name": "Ann", "games": 3, "wins": 2, "average": 48.33, "best": 55},
            {"name": "Ben", "games": 2, "wins": 1, "average": 45.0, "best": 60},
        ]
        assert first["parts"] == [
            {"part": "shops", "average": 11.5, "best": 13},
            {"part": "parks", "average": 2.5, "best": 3},
        ]
        output = run_history("stats")
        assert "Between Two Cities: 3 games, 48.3 points on average" in output
        assert "record: 60, Ben (game 1)" in output
        assert re.search(r"Ann +3 +2 +48\.3 +55", output)
        assert re.search(r"shops +11\.5 +13", output)

    def test_records_are_those_of_the_first_that_reached_them(self, run_history, played):
        first, _two = json.loads(run_history("stats", "--json"))["games"]
        best = {(one["kind"], one["part"]): (one["points"], one["scan"]) for one in first["best"]}
        assert best == {
            ("highest", ""): (60, 1),
            ("closest", ""): (0, 3),
            ("part", "shops"): (13, 1),
            ("part", "parks"): (3, 1),
        }
        assert "Closest game ever: 0 points between the first two (game 3)" in run_history("stats")

    def test_a_record_is_beaten_by_more_than_what_three_tables_before_reached(
        self, history, played
    ):
        def added(final, shops, **more):
            players = [{"name": "Cid", "final": final, "rank": 1}]
            cities = [{"points": {"shops": shops}}]
            sheet = {"players": players, "winners": [0], "cities": cities}
            return history.add(record(sheet=sheet, **more))

        def beats(seq):
            scans = recent(history)
            return [(one.kind, one.part, one.points) for one in find_new_bests(scans, seq)]

        same, higher = added(60, 13), added(61, 14)
        assert beats(same) == []
        assert beats(higher) == [("highest", "", 61), ("part", "shops", 14)]
        assert beats(1) == [], "hardly anything was played before"
        assert beats(added(99, 99, variant="two-player")) == []

    def test_charts_are_drawings_with_the_names_in_them(
        self, run_history, played, history, tmp_path
    ):
        ann = {"name": "<Ágnes & Ő>", "final": 7, "rank": 1}
        history.add(record(game="cities", sheet={"players": [ann], "winners": [0]}))
        out = tmp_path / "new" / "charts"
        assert "Drew 7 charts" in run_history("stats", "--out", str(out))
        texts = {path.name: drawn_texts(path) for path in out.iterdir()}
        assert {"Ann", "Ben", "2", "1"} <= texts["between-two-cities-standard-1-wins.svg"]
        assert "shops" in texts["between-two-cities-standard-1-parts.svg"]
        assert "60" in texts["between-two-cities-standard-1-points.svg"]
        assert "<Ágnes & Ő>" in texts["cities-standard-1-wins.svg"]

    def test_no_folder_can_be_where_a_file_is(self, played, tmp_path):
        (tmp_path / "file").write_text("")
        with refused("out-not-a-folder"):
            run("stats", "--out", str(tmp_path / "file"))

    def test_empty_history_has_no_statistics(self, run_history, history):
        assert "No game with points" in run_history("stats")
        assert json.loads(run_history("stats", "--json")) == {"games": []}

    def test_of_every_game(self, run_history, history):
        for scan in (*SCANS.values(), example()):
            history.add(make_record(scan))
        games = {each["game"]: each for each in json.loads(run_history("stats", "--json"))["games"]}
        assert set(games) == set(GAMES), "each game of GAMES needs a scan in SCANS"
        assert {one["part"] for one in games["dice-board"]["parts"]} >= {"bakery", "theatre"}
        assert "Cities, level 2: 1 game" in run_history("stats")


def drawn_texts(path):
    """All texts of a drawing."""
    return {each.text for each in ET.parse(path).iter() if each.tag.endswith("text")}  # noqa: S314


def test_names_are_given_to_a_game(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    parsed = json.loads(run_history("names", 1, "Zoe,,Cid", "--json"))
    assert [one["name"] for one in parsed["sheet"]["players"]][:3] == ["Zoe", "P2", "Cid"]


def test_date_is_given_in_the_time_of_the_computer(run_history, history):
    history.add(record())
    assert "2025-03-01 20:15" in run_history("date", 1, "2025-03-01 20:15")
    assert "time unknown" in run_history("date", 1, "unknown")


def test_player_is_found_by_a_name_in_another_unicode_form(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    run_history("names", 1, "A\u0301nn,Ben")
    assert json.loads(run_history("player", "A\u0301nn", "--json"))["name"] == "\u00c1nn"
    run_history("rename", "A\u0301nn", "E\u0301va")
    assert "\u00c9va" in history.player_names()
    history.add(real_scan(tmp_path))
    run_history("merge", "E\u0301va", "Ann", "--yes")
    assert "\u00c9va" not in history.player_names()


def test_player_is_renamed_and_merged(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    assert run_history("rename", "Ann", "Anne") == "Changed 1 game.\n"
    history.add(real_scan(tmp_path))
    assert refusal(run, "rename", "Anne", "Ann") == "player-exists"
    assert json.loads(run_history("merge", "Anne", "Ann", "--yes", "--json")) == {
        "player": "Ann",
        "games": 1,
    }


def test_needless_spaces_do_not_merge_two_players(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    run_history("rename", "Ann", "Anne")
    history.add(real_scan(tmp_path))
    assert refusal(run, "rename", "Anne", " Ann ") == "player-exists"
    assert {"Ann", "Anne"} <= set(history.player_names())


def test_name_is_stored_without_needless_spaces(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    store_settings(Settings(players=("Ann", "Ben")))
    assert (
        json.loads(run_history("rename", "Ann", "  Oma   Ruth ", "--json"))["player"] == "Oma Ruth"
    )
    assert load_settings()[0].players == ("Oma Ruth", "Ben")


def test_renamed_player_is_called_so_in_the_next_game(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    store_settings(Settings(players=("Ann", "Ben")))
    run_history("rename", "Ann", "Zoe")
    assert load_settings()[0].players == ("Zoe", "Ben")


def test_merging_players_asks_first(history, tmp_path, monkeypatch):
    history.add(real_scan(tmp_path))
    terminal = io.StringIO("no\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("merge", "Ann", "Cid") == 1
    assert "Ann" in history.player_names()


def test_merging_players_keeps_settings_changed_meanwhile(history, tmp_path, monkeypatch):
    history.add(real_scan(tmp_path))
    assert run("rename", "Ann", "Anne") == 0
    history.add(real_scan(tmp_path))
    store_settings(Settings(players=("Anne", "Bo")))

    def answer(*_question):
        store_settings(Settings(players=("Anne", "Bo"), game="cities"))
        return True

    monkeypatch.setattr("firmware.commands.history_changes.confirm", answer)
    assert run("merge", "Anne", "Ann") == 0
    assert load_settings()[0] == Settings(players=("Ann", "Bo"), game="cities")


def test_discarded_game_is_restored(run_history, history):
    history.add(record())
    history.move_to_bin(1)
    assert run_history("restore", 1).startswith("Game 1:")
    assert len(recent(history)) == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("names", 7, "Ann"), "unknown-scan"),
        (("names", 1, "Ann,Ann"), "names-not-allowed"),
        (("date", 1, "yesterday"), "date-invalid"),
        (("date", 1, "0206-11-21"), "date-invalid"),
        (("date", 1, "9999-12-31T23:59Z"), "date-invalid"),
        (("rename", "Nobody", "Ann"), "unknown-player"),
        (("merge", "Nobody", "Ann", "--yes"), "unknown-player"),
        (("restore", 1), "unknown-scan"),
    ],
)
def test_change_that_cannot_be_made_changes_nothing(history, words, code):
    history.add(record())
    before = recent(history)
    assert refusal(run, *words) == code
    assert recent(history) == before


def test_figures_about_one_player(run_history, history, tmp_path):
    history.add(real_scan(tmp_path))
    output = run_history("player", "Ann")
    assert "1 game, 0 won" in output
    assert "against" in output
    as_json = json.loads(run_history("player", "Ann", "--json"))
    (in_game,) = as_json["by_game"]
    assert (as_json["games"], in_game["best"]["scan"]) == (1, 1)
    assert all(one["scan"] == 1 for one in in_game["neighbours"])
    assert len(run_history("player", "Ann", "--csv").splitlines()) == 2
    assert refusal(run, "player", "Nobody") == "unknown-player"


def test_records_are_those_of_players_with_names(history):
    players = [{"name": "P1", "final": 99, "rank": 1}, {"name": "Ben", "final": 50, "rank": 2}]
    history.add(record(sheet={"players": players, "winners": [0]}))
    (stats,) = compute_stats(recent(history))
    assert (stats.highest.player, stats.highest.points) == ("Ben", 50)
