"""``stadtblick score``: tables in JSON to score sheets."""

import io
import json
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli import main
from firmware.errors import UsageError
from firmware.table_input import parse_table
from scoring.errors import ScoringError
from scoring.games import between_two_cities
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.firmware.tables import TABLE, changed


def test_json(score):
    code, out, err = score(TABLE, "--json")
    sheet = json.loads(out)
    assert (code, err) == (0, "")
    assert [city["total"] for city in sheet["cities"]] == [56, 57, 62, 62, 52, 62]
    assert [player["name"] for player in sheet["players"]] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert sheet["winners"] == [3]


def test_text(score):
    code, out, err = score(TABLE)
    assert (code, err) == (0, "")
    assert "P4 wins with 62 points" in out


def test_the_reasons_of_each_city_add_up(score):
    for city in json.loads(score(TABLE, "--json")[1])["cities"]:
        assert sum(reason["points"] for reason in city["reasons"]) == city["total"]
        assert sum(city["points"].values()) == city["total"]
        assert all(reason["text"] for reason in city["reasons"])


def test_everything_a_table_may_say(score):
    table = {
        "game": "between-two-cities",
        "variant": "two-player",
        "cities": [
            {**TABLE["cities"][0], "duplexes": [[[0, 0], [0, 1]], [[2, 2], [3, 2]]]},
            *TABLE["cities"][1:4],
        ],
        "owners": [1, 0, 0, 1],
        "players": ["Ben", "Emily"],
    }
    sheet = json.loads(score(table, "--json")[1])
    assert sheet["variant"] == "two-player"
    assert [player["name"] for player in sheet["players"]] == ["Ben", "Emily"]
    assert [player["final"] for player in sheet["players"]] == [119, 118]


def test_from_standard_input(capsys, monkeypatch):
    for arguments in (["score"], ["score", "-"]):
        stream = io.TextIOWrapper(io.BytesIO(json.dumps(TABLE).encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(arguments) == 0
        assert "P4 wins" in capsys.readouterr().out


def test_standard_input_that_is_closed(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["score", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "table-empty"


def test_an_incomplete_city_needs_lenient(score):
    table = changed(["cities", 0, "grid", 3, 3], None)
    code, _, err = score(table, "--json")
    error = json.loads(err)["error"]
    assert (code, error["code"], error["where"]) == (2, "missing-tile", "$.cities[0].grid[3][3]")
    code, out, err = score(table, "--lenient", "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["missing"] == [{"city": "A", "at": [3, 3]}]
    code, out, _ = score(table, "--lenient")
    assert code == 1
    assert "Scored without the missing tiles: A 4,4" in out


def test_names_of_any_language(score):
    names = ["Ödön", "山田", "P3", "P4", "P5", "P6"]
    sheet = json.loads(score({**TABLE, "players": names}, "--json")[1])
    assert [player["name"] for player in sheet["players"]] == names


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
def test_what_cannot_be_used_is_refused_with_its_place(score, table, code, where):
    exit_code, out, err = score(table, "--json")
    error = json.loads(err)["error"]
    assert (exit_code, out, error["code"]) == (2, "", code)
    assert error["where"].endswith(where)
    exit_code, out, err = score(table)
    assert (exit_code, out) == (2, "")
    assert err.startswith("stadtblick: ")
    assert err.count("\n") == 1
    assert "): " in err, "says what to do after the place"


@pytest.mark.parametrize("command", ["read", "scan"])
def test_other_json_of_the_program_is_known_for_what_it_is(score, tmp_path, capsys, command):
    photo = str(write_photo(tmp_path / "table.jpg"))
    main([command, "--json", photo], eye=FakeEye(*EXAMPLE))
    code, out, err = score(capsys.readouterr().out, "--json")
    error = json.loads(err)["error"]
    assert (code, out, error["code"]) == (2, "", "not-a-table")
    assert {"read": "this is a reading", "scan": "this is a score sheet"}[command] in err
    assert "`table`" in error["message"]


def test_no_duplexes_are_left_out(score):
    error = json.loads(score(changed(["cities", 0, "duplexes"], []), "--json")[2])["error"]
    assert error["code"] == "duplex-count"
    assert "state two, or leave out `duplexes`" in error["message"]


@pytest.mark.parametrize("digits", [20, 4000, 10_000])
def test_huge_numbers_are_refused_in_words_of_ours(score, digits):
    text = json.dumps(TABLE).replace("{", '{"owners": [' + "9" * digits + "], ", 1)
    error = json.loads(score(text, "--json")[2])["error"]
    assert error["code"] == "table-not-json"
    assert f"a number of {digits} digits is too large" in error["message"]


def test_names_are_stripped(score):
    names = [" P1", "Ben ", "\tEmily\n", "P4", "P5", "P6"]
    sheet = json.loads(score({**TABLE, "players": names}, "--json")[1])
    assert [player["name"] for player in sheet["players"]][:3] == ["P1", "Ben", "Emily"]


def test_a_misspelt_key_is_suggested(score):
    assert "did you mean variant" in score(changed(["varient"], "standard"))[2]


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
            assert json.loads(printed.err)["error"] | {"message": ""} == {
                "code": code,
                "message": "",
                "where": file,
            }


PLACES = st.sampled_from(
    [
        ["game"],
        ["variant"],
        ["owners"],
        ["players"],
        ["cities"],
        ["cities", 0],
        ["cities", 0, "duplexes"],
        ["cities", 0, "grid"],
        ["cities", 0, "grid", 0],
        ["cities", 0, "grid", 0, 0],
    ]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(PLACES, ANY_JSON)
def test_any_value_at_any_place_is_scored_or_refused(place, value):
    data = json.dumps(changed(place, value)).encode()
    with suppress(UsageError, ScoringError):
        table = parse_table(data, "table.json").table
        for lenient in (False, True):
            assert between_two_cities.score(table, lenient=lenient).winners
