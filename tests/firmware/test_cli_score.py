"""``stadtblick score``: tables in JSON to score sheets, and as much input as there may be."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from firmware.cli import main
from firmware.scan.table_input import MAX_TABLE_BYTES
from scoring.games import registered
from tests.firmware.tables import GOLDEN, TABLE, changed


@pytest.fixture
def write(tmp_path):
    """Write JSON text or a value; gives the path."""

    def run(table):
        file = tmp_path / "table.json"
        text = table if isinstance(table, str | bytes) else json.dumps(table)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    return run


@pytest.fixture
def run_score(write, prints):
    return lambda table, *arguments, **code: prints("score", write(table), *arguments, **code)


@pytest.fixture
def sheet(run_score):
    return lambda *arguments, **code: json.loads(run_score(*arguments, "--json", **code))


@pytest.fixture
def error(write, refuses):
    return lambda table: refuses("score", write(table))


def names_in(sheet):
    return [player["name"] for player in sheet["players"]]


def test_table_as_json_becomes_a_sheet_with_reasons(run_score, sheet):
    scored = sheet(TABLE)
    assert [city["total"] for city in scored["cities"]] == [56, 57, 62, 62, 52, 62]
    assert names_in(scored) == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert scored["winners"] == [3]
    for city in scored["cities"]:
        assert sum(reason["points"] for reason in city["reasons"]) == city["total"]
        assert sum(city["points"].values()) == city["total"]
        assert all(reason["text"] for reason in city["reasons"])
    assert "Player 4 wins with 62 points" in run_score(TABLE)


def test_better_gives_the_best_points_of_each_city(run_score, sheet, write, refuses):
    better = sheet(TABLE, "--better")["better"]
    assert [(city["given"], city["total"]) for city in better][:2] == [(56, 60), (57, 59)]
    assert better[0]["valuable"] == [
        {"at": [0, 1], "face": "shop"},
        {"at": [0, 2], "face": "shop"},
    ]
    text = run_score(TABLE, "--better")
    assert "A  56 points as laid, 60 if laid best" in text
    assert "F  62 points as laid; these tiles cannot score more" in text
    assert "Most valuable (row/column), 8 points: park 2/2; factory 3/1 3/3 3/4 4/1 4/2" in text
    assert "better" not in sheet(TABLE)
    assert "could have scored" not in run_score(TABLE)
    board = write(GOLDEN["dice-board"]["table"])
    assert refuses("score", board, "--better")["code"] == "usage"


def test_everything_a_table_may_say(sheet):
    first = {**TABLE["cities"][0], "duplexes": [[[0, 0], [0, 1]], [[2, 2], [3, 2]]]}
    table = {
        "game": "between-two-cities",
        "variant": "two-player",
        "cities": [first, *TABLE["cities"][1:4]],
        "owners": [1, 0, 0, 1],
        "players": ["Ben", "Emily"],
    }
    result = sheet(table)
    assert (result["variant"], names_in(result)) == ("two-player", ["Ben", "Emily"])
    assert [player["final"] for player in result["players"]] == [119, 118]


def test_table_is_read_from_standard_input(capsys, monkeypatch):
    for arguments in (["score"], ["score", "-"]):
        stream = io.TextIOWrapper(io.BytesIO(json.dumps(TABLE).encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(arguments) == 0
        assert "Player 4 wins" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", None)  # closed
    assert main(["score", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "table-empty"


def test_an_incomplete_city_needs_lenient(run_score, sheet, error):
    table = changed(["cities", 0, "grid", 3, 3], None)
    refused = error(table)
    assert (refused["code"], refused["where"]) == ("missing-tile", "$.cities[0].grid[3][3]")
    assert sheet(table, "--lenient", code=1)["missing"] == [{"city": "A", "at": [3, 3]}]
    told_there = run_score(table, "--lenient", code=1)
    assert "Scored without the missing tiles: A, row 4, column 4" in told_there


def test_names_of_any_language_are_stripped(sheet):
    names = [" Ödön", "山田 ", "\tEmily\n", "P4", "P5", "P6"]
    assert names_in(sheet({**TABLE, "players": names})) == [name.strip() for name in names]
    assert sheet(b"\xef\xbb\xbf" + json.dumps(TABLE).encode()) == sheet(TABLE)


@pytest.mark.parametrize(
    ("table", "code", "where"),
    [
        ("", "table-empty", "table.json"), (" \n", "table-empty", "table.json"),
        (b"\xff\xfe", "table-not-json", "table.json"),
        ("{", "table-not-json", "table.json, column 2"),
        ("{\n  x}", "table-not-json", "table.json, line 2, column 3"),
        ('{"game": "a", "game": "b"}', "table-not-json", "table.json"),
        ('{"game": NaN}', "table-not-json", "table.json"),
        ('{"game": "\\ud800"}', "table-not-json", "table.json"),
        (changed(["players"], ["A", "\u200b", "C", "D", "E", "F"]), "empty-name", "$.players[1]"),
        ("[" * 100_000, "table-not-json", "table.json"),
        ("9" * 10_000, "table-not-json", "table.json"),
        (" " * 2_000_000 + "{}", "table-too-big", "table.json"),
        ("x" * 2_000_000, "table-too-big", "table.json"), ([], "wrong-type", "$"),
        ({}, "missing-key", "$"), ({"game": "between-two-cities"}, "missing-key", "$"),
        (changed(["game"], "chess"), "unknown-game", "$.game"),
        (changed(["game"], 3), "wrong-type", "$.game"),
        (changed(["q` - at `$.cities[99]"], 1), "unknown-key", "$"),
        (changed(["line\nbreak"], 1), "unknown-key", "$"),
        (changed(["cities"], TABLE["cities"][:2]), "city-count", "$.cities"),
        (changed(["cities", 0, "grid", 3], []), "row-length", "$.cities[0].grid[3]"),
    ],
)  # fmt: skip
def test_unusable_table_is_refused_with_its_place(error, table, code, where):
    result = error(table)
    assert result["code"] == code
    assert result["where"].endswith(where)


def test_a_game_of_which_only_the_rules_are_there_is_refused(error):
    with registered(SimpleNamespace(NAME="half-a-game")):
        result = error({"game": "half-a-game"})
    assert (result["code"], result["where"]) == ("unknown-game", "$.game")
    assert result["message"].startswith("the game 'half-a-game' has rules, but no package")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[]", "eine Liste statt eines Objekts ({file}, $): "),
        ("{\n  1}", "in doppelten Anführungszeichen ({file}, Zeile 2, Spalte 3): korrigieren"),
    ],
)
def test_refused_table_is_named_with_place_in_language_in_use(tmp_path, capsys, text, line):
    file = tmp_path / "table.json"
    file.write_text(text)
    assert main(["score", "--lang", "de", str(file)]) == 2
    assert line.format(file=file) in capsys.readouterr().err


@pytest.mark.parametrize("command", ["read", "scan"])
def test_other_json_of_the_program_is_known_for_what_it_is(error, photo, prints, command):
    result = error(prints(command, "--json", photo))
    assert result["code"] == "not-a-table"
    what = {"read": "this is a reading", "scan": "this is a score sheet"}[command]
    assert what in result["message"]
    assert "`table`" in result["message"]


@pytest.mark.parametrize(
    ("table", "code", "expected"),
    [
        (changed(["cities", 0, "duplexes"], []), "duplex-count",
         "state two, or leave out `duplexes`"),
        *[
            (json.dumps(TABLE).replace("{", '{"owners": [' + "9" * digits + "], ", 1),
             "table-not-json", f"a number of {digits} digits is too large")
            for digits in (20, 4000, 10_000)
        ],
    ],
    ids=["duplexes", "20", "4000", "10000"],
)  # fmt: skip
def test_refusal_has_a_message_of_its_own(error, table, code, expected):
    result = error(table)
    assert result["code"] == code
    assert expected in result["message"]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("missing.json", "table-missing"),
        ("file/below.json", "table-missing"),
        (".", "table-unreadable"),
        ("/dev/zero", "table-too-big"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, monkeypatch, capsys, file, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("{}")
    for mode in ("--json", "--jsonl"):
        assert main(["score", mode, file]) == 2
        printed = capsys.readouterr()
        if mode == "--json":
            result = json.loads(printed.err)["error"]
            assert (result["code"], result["where"]) == (code, file)


class TestJsonLines:
    @pytest.fixture
    def answers(self, run_score):
        return lambda text, **code: [
            *map(json.loads, run_score(text, "--jsonl", **code).splitlines())
        ]

    def test_one_table_a_line_in_one_sheet_a_line_out(self, answers):
        tables = [TABLE, changed(["cities"], TABLE["cities"][3:])]
        result = answers("\n".join(map(json.dumps, tables)))
        assert [len(sheet["cities"]) for sheet in result] == [6, 3]
        assert answers("") == []

    def test_a_refused_line_gives_an_error_in_its_place(self, answers):
        refused = ["{", "", " ", json.dumps(changed(["game"], "chess"))]
        lines = [json.dumps(TABLE), *refused, json.dumps(TABLE), ""]
        first, *errors, last = answers("\n".join(lines), code=2)
        assert first == last
        codes = ["table-not-json", "table-empty", "table-empty", "unknown-game"]
        assert [answer["error"]["code"] for answer in errors] == codes
        for answer, where in zip(errors, ("line 2, column 2", "line 3", "line 4"), strict=False):
            assert answer["error"]["where"].endswith(f"table.json, {where}")
        assert errors[-1]["error"]["where"] == "$.game"

    @pytest.mark.parametrize("letter", ["x", " ", "\0"])
    def test_an_endless_line_is_one_error_and_the_end(self, answers, letter):
        text = json.dumps(TABLE) + "\n" + letter * 3_000_000 + "\n" + json.dumps(TABLE)
        sheet, answer = answers(text, code=2)
        assert "error" not in sheet
        assert answer["error"]["code"] == "table-too-big"
        assert answer["error"]["where"].endswith("table.json, line 2")
        assert "nothing after it was read" in answer["error"]["message"]

    def test_a_line_may_be_as_long_as_a_table_may_be(self, sheet, error, answers):
        longest = json.dumps(TABLE).ljust(MAX_TABLE_BYTES)
        assert len(answers(f"{longest}\r\n{longest}\n")) == 2
        sheet(longest)
        assert error(longest + " ")["code"] == "table-too-big"


class TestALotOfInput:
    """Nearly as much as a table may take is refused at once, in a line that can be read."""

    MANY = tuple(f"{number:x}" for number in range(90_000))
    KEYS = (*(f'"{number}":0' for number in range(90_000)), '"game":"between-two-cities"')

    @pytest.mark.parametrize(
        ("table", "code"),
        [
            ({**TABLE, "players": MANY}, "player-count"),
            ("{" + ",".join(KEYS) + "}", "unknown-key"),
            ("{" + ",".join((*KEYS, KEYS[-1])) + "}", "table-not-json"),
            ({"game": "between-two-cities", "cities": [{"grid": []}] * 45_000,
              "players": MANY[:45_000]}, "city-count"),
            ({**TABLE, "x" * 900_000: 0}, "unknown-key"),
            (changed(["cities", 0, "grid", 0, 0], "x" * 900_000), "unknown-face"),
            (changed(["game"], "x" * 900_000), "unknown-game"),
        ],
        ids=["names", "keys", "twice", "cities", "key", "face", "game"],
    )  # fmt: skip
    def test_huge_input_gets_a_short_error(self, error, table, code):
        text = table if isinstance(table, str) else json.dumps(table, separators=(",", ":"))
        result = error(text)
        assert result["code"] == code
        assert len(result["message"]) + len(result["where"]) < 400
        assert len(result.get("breaches", ())) <= 100
