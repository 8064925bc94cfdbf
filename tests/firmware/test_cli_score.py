"""``stadtblick score``: tables in JSON to score sheets, and as much input as there may be."""

import io
import json
import sys

import pytest

from firmware.cli import main
from firmware.table_input import MAX_BYTES
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.firmware.tables import TABLE, changed


@pytest.fixture
def sheet(score):
    """The sheet of a table as JSON; the command has to end with that exit code."""

    def run(table, *arguments, code=0):
        ended, out, err = score(table, "--json", *arguments)
        assert (ended, err) == (code, "")
        return json.loads(out)

    return run


@pytest.fixture
def error(score):
    """The error of a table that is refused, as an object; its line for people is checked, too."""

    def run(table):
        code, out, err = score(table, "--json")
        assert (code, out) == (2, "")
        code, out, line = score(table)
        assert (code, out) == (2, "")
        assert line.startswith("stadtblick: ")
        assert line.count("\n") == 1
        assert "): " in line, "says what to do after the place"
        return json.loads(err)["error"]

    return run


def names_in(sheet):
    return [player["name"] for player in sheet["players"]]


def test_a_table(score, sheet):
    told = sheet(TABLE)
    assert [city["total"] for city in told["cities"]] == [56, 57, 62, 62, 52, 62]
    assert names_in(told) == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert told["winners"] == [3]
    for city in told["cities"]:
        assert sum(reason["points"] for reason in city["reasons"]) == city["total"]
        assert sum(city["points"].values()) == city["total"]
        assert all(reason["text"] for reason in city["reasons"])
    code, out, err = score(TABLE)
    assert (code, err) == (0, "")
    assert "P4 wins with 62 points" in out


def test_everything_a_table_may_say(sheet):
    first = {**TABLE["cities"][0], "duplexes": [[[0, 0], [0, 1]], [[2, 2], [3, 2]]]}
    table = {
        "game": "between-two-cities",
        "variant": "two-player",
        "cities": [first, *TABLE["cities"][1:4]],
        "owners": [1, 0, 0, 1],
        "players": ["Ben", "Emily"],
    }
    told = sheet(table)
    assert (told["variant"], names_in(told)) == ("two-player", ["Ben", "Emily"])
    assert [player["final"] for player in told["players"]] == [119, 118]


def test_from_standard_input(capsys, monkeypatch):
    for arguments in (["score"], ["score", "-"]):
        stream = io.TextIOWrapper(io.BytesIO(json.dumps(TABLE).encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(arguments) == 0
        assert "P4 wins" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", None)  # closed
    assert main(["score", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "table-empty"


def test_an_incomplete_city_needs_lenient(score, sheet, error):
    table = changed(["cities", 0, "grid", 3, 3], None)
    told = error(table)
    assert (told["code"], told["where"]) == ("missing-tile", "$.cities[0].grid[3][3]")
    assert sheet(table, "--lenient", code=1)["missing"] == [{"city": "A", "at": [3, 3]}]
    code, out, _ = score(table, "--lenient")
    assert code == 1
    assert "Scored without the missing tiles: A, row 4, column 4" in out


def test_names_of_any_language_are_stripped(sheet):
    names = [" Ödön", "山田 ", "\tEmily\n", "P4", "P5", "P6"]
    assert names_in(sheet({**TABLE, "players": names})) == [name.strip() for name in names]


def test_a_byte_order_mark_does_no_harm(score):
    assert score(b"\xef\xbb\xbf" + json.dumps(TABLE).encode())[0] == 0


@pytest.mark.parametrize(
    ("table", "code", "where"),
    [
        ("", "table-empty", "table.json"),
        (" \n", "table-empty", "table.json"),
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
        ("x" * 2_000_000, "table-too-big", "table.json"),
        ([], "wrong-type", "$"),
        ({}, "missing-key", "$"),
        ({"game": "between-two-cities"}, "missing-key", "$"),
        (changed(["game"], "chess"), "unknown-game", "$.game"),
        (changed(["game"], 3), "wrong-type", "$.game"),
        (changed(["variant"], "solo"), "unknown-variant", "$.variant"),
        (changed(["varient"], "standard"), "unknown-key", "$"),
        (changed(["q` - at `$.cities[99]"], 1), "unknown-key", "$"),
        (changed(["line\nbreak"], 1), "unknown-key", "$"),
        (changed(["players"], "Ben"), "wrong-type", "$.players"),
        (changed(["players"], [1, 2, 3, 4, 5, 6]), "wrong-type", "$.players[0]"),
        (changed(["owners"], [0, True]), "wrong-type", "$.owners[1]"),
        (changed(["cities"], {}), "wrong-type", "$.cities"),
        (changed(["cities", 1], None), "wrong-type", "$.cities[1]"),
        (changed(["cities", 1], {}), "missing-key", "$.cities[1]"),
        (changed(["cities", 1, "tourists"], []), "unknown-key", "$.cities[1]"),
        (changed(["cities", 1, "grid"], "SSSS"), "wrong-type", "$.cities[1].grid"),
        (changed(["cities", 1, "grid", 2], 5), "wrong-type", "$.cities[1].grid[2]"),
        (changed(["cities", 1, "grid", 2, 0], "tree"), "unknown-face", "$.cities[1].grid[2][0]"),
        (changed(["cities", 1, "grid", 2, 0], 7), "wrong-type", "$.cities[1].grid[2][0]"),
        (changed(["cities", 1, "duplexes"], [[0, 1]]), "wrong-type", "$.cities[1].duplexes[0][0]"),
        (changed(["cities", 1, "duplexes"], [[[0, 1]]]), "wrong-type", "$.cities[1].duplexes[0]"),
        (
            changed(["cities", 1, "duplexes"], [[[0, 1.5], [0, 2]]]),
            "wrong-type",
            "$.cities[1].duplexes[0][0][1]",
        ),
        (changed(["cities"], TABLE["cities"][:2]), "city-count", "$.cities"),
        (changed(["cities", 0, "grid", 3], []), "row-length", "$.cities[0].grid[3]"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(error, table, code, where):
    told = error(table)
    assert told["code"] == code
    assert told["where"].endswith(where)


@pytest.mark.parametrize("command", ["read", "scan"])
def test_other_json_of_the_program_is_known_for_what_it_is(error, tmp_path, capsys, command):
    photo = str(write_photo(tmp_path / "table.jpg"))
    main([command, "--json", photo], eye=FakeEye(*EXAMPLE))
    told = error(capsys.readouterr().out)
    assert told["code"] == "not-a-table"
    what = {"read": "this is a reading", "scan": "this is a score sheet"}[command]
    assert what in told["message"]
    assert "`table`" in told["message"]


@pytest.mark.parametrize(
    ("table", "code", "said"),
    [
        (changed(["cities", 0, "duplexes"], []), "duplex-count",
         "state two, or leave out `duplexes`"),
        (changed(["varient"], "standard"), "unknown-key", "did you mean variant"),
        *[
            (json.dumps(TABLE).replace("{", '{"owners": [' + "9" * digits + "], ", 1),
             "table-not-json", f"a number of {digits} digits is too large")
            for digits in (20, 4000, 10_000)
        ],
    ],
    ids=["duplexes", "key", "20", "4000", "10000"],
)  # fmt: skip
def test_what_is_refused_in_words_of_ours(error, table, code, said):
    told = error(table)
    assert told["code"] == code
    assert said in told["message"]


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
            told = json.loads(printed.err)["error"]
            assert (told["code"], told["where"]) == (code, file)


class TestJsonLines:
    @pytest.fixture
    def answers(self, score):
        def run(text, code=0):
            ended, out, err = score(text, "--jsonl")
            assert (ended, err) == (code, "")
            return [json.loads(line) for line in out.splitlines()]

        return run

    def test_one_table_a_line_in_one_sheet_a_line_out(self, answers):
        tables = [TABLE, changed(["cities"], TABLE["cities"][3:])]
        told = answers("\n".join(map(json.dumps, tables)))
        assert [len(sheet["cities"]) for sheet in told] == [6, 3]
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

    def test_a_line_may_be_as_long_as_a_table_may_be(self, score, answers):
        longest = json.dumps(TABLE).ljust(MAX_BYTES)
        assert len(answers(f"{longest}\r\n{longest}\n")) == 2
        assert score(longest)[0] == 0
        assert score(longest + " ")[0] == 2


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
    def test_of(self, score, table, code):
        text = table if isinstance(table, str) else json.dumps(table, separators=(",", ":"))
        exit_code, _, err = score(text, "--json")
        error = json.loads(err)["error"]
        assert (exit_code, error["code"]) == (2, code)
        assert len(error["message"]) + len(error["where"]) < 400
        assert len(error.get("breaches", ())) <= 100
