"""``stadtblick score``: JSON lines, and as much input as there may be."""

import json

import pytest

from firmware.table_input import MAX_BYTES
from tests.firmware.tables import TABLE, changed


class TestJsonLines:
    def test_one_table_a_line_in_one_sheet_a_line_out(self, score):
        tables = [TABLE, changed(["cities"], TABLE["cities"][3:])]
        code, out, err = score("\n".join(map(json.dumps, tables)), "--jsonl")
        assert (code, err) == (0, "")
        assert [len(json.loads(line)["cities"]) for line in out.splitlines()] == [6, 3]

    def test_a_refused_line_gives_an_error_in_its_place(self, score):
        lines = [json.dumps(TABLE), "{", json.dumps(changed(["game"], "chess")), json.dumps(TABLE)]
        code, out, err = score("\n".join(lines) + "\n", "--jsonl")
        answers = [json.loads(line) for line in out.splitlines()]
        assert (code, err) == (2, "")
        assert ["error" in answer for answer in answers] == [False, True, True, False]
        assert answers[1]["error"]["where"].endswith("table.json, line 2, column 2")
        assert answers[2]["error"]["where"] == "$.game"

    @pytest.mark.parametrize("letter", ["x", " ", "\0"])
    def test_an_endless_line_is_one_error_and_the_end(self, score, letter):
        text = json.dumps(TABLE) + "\n" + letter * 3_000_000 + "\n" + json.dumps(TABLE)
        code, out, _ = score(text, "--jsonl")
        answers = [json.loads(line) for line in out.splitlines()]
        assert code == 2
        assert ["error" in answer for answer in answers] == [False, True]
        assert answers[1]["error"]["code"] == "table-too-big"
        assert answers[1]["error"]["where"].endswith("table.json, line 2")
        assert "nothing after it was read" in answers[1]["error"]["message"]

    def test_a_line_may_be_as_long_as_a_table_may_be(self, score):
        longest = json.dumps(TABLE).ljust(MAX_BYTES)
        code, out, err = score(f"{longest}\r\n{longest}\n", "--jsonl")
        assert (code, err, len(out.splitlines())) == (0, "", 2)
        assert score(longest)[0] == 0
        assert score(longest + " ")[0] == 2

    def test_no_table_at_all(self, score):
        assert score("", "--jsonl") == (0, "", "")

    def test_line_n_answers_line_n(self, score):
        text = "\n".join([json.dumps(TABLE), "", " ", json.dumps(TABLE), ""])
        code, out, err = score(text, "--jsonl")
        answers = [json.loads(line) for line in out.splitlines()]
        assert (code, err) == (2, "")
        assert ["error" in answer for answer in answers] == [False, True, True, False]
        assert [answer["error"]["code"] for answer in answers[1:3]] == ["table-empty"] * 2
        assert answers[2]["error"]["where"].endswith("line 3")


class TestALotOfInput:
    """Nearly as much as a table may take is refused at once, in a line that can be read."""

    def refused(self, score, table, code):
        exit_code, _, err = score(table, "--json")
        assert (exit_code, json.loads(err)["error"]["code"]) == (2, code)
        error = json.loads(err)["error"]
        assert len(error["message"]) + len(error["where"]) < 400
        assert len(error.get("breaches", ())) <= 100

    def test_names(self, score):
        names = [f"{number:x}" for number in range(90_000)]
        self.refused(score, {**TABLE, "players": names}, "player-count")

    def test_keys(self, score):
        keys = [f'"{number}":0' for number in range(90_000)]
        keys.append('"game":"between-two-cities"')
        self.refused(score, "{" + ",".join(keys) + "}", "unknown-key")
        self.refused(score, "{" + ",".join([*keys, keys[-1]]) + "}", "table-not-json")

    def test_cities(self, score):
        names = [f"{number:x}" for number in range(45_000)]
        table = {"game": "between-two-cities", "cities": [{"grid": []}] * 45_000, "players": names}
        self.refused(score, json.dumps(table, separators=(",", ":")), "city-count")

    def test_a_long_word(self, score):
        self.refused(score, {**TABLE, "x" * 900_000: 0}, "unknown-key")
        self.refused(score, changed(["cities", 0, "grid", 0, 0], "x" * 900_000), "unknown-face")
        self.refused(score, changed(["game"], "x" * 900_000), "unknown-game")
