"""The dice board as JSON, in words and as a printed sheet."""

import copy
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from firmware.errors import UsageError, error_line
from firmware.games import find_game
from firmware.games.dice_board.text import print_sheet
from firmware.games.dice_board.words import points_sentence
from firmware.text_layout import winner_sentence
from scoring.games.dice_board import NAME, score
from scoring.games.dice_board.table import DEFAULT_NUMBERS, Board, Company, Table

GAME = find_game("dice-board")
sheet_json, table_json, table_from = GAME.sheet_json, GAME.table_json, GAME.table_from

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "tables" / "dice-board.json").read_text("utf-8")
)
TABLE = table_from(GOLDEN["table"])
CORNER = ((0, 0), (0, 1), (1, 0), (1, 1))


def changed(path, value):
    """The golden table with something else at a place."""
    table = copy.deepcopy(GOLDEN["table"])
    parent = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return table


def printed(table, width=80, *, reasons=False, encoding="utf-8"):
    """The sheet as it is printed where there is no colour."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    print_sheet(console, score(table), table, None, reasons=reasons)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


def words(text):
    """The text without its line breaks."""
    return " ".join(text.split())


def companies_of(player, count, first_row=0):
    """So many complete companies beside each other."""
    return tuple(
        Company(player, tuple((first_row + row, 2 * i + column) for row, column in CORNER))
        for i in range(count)
    )


class TestTableJson:
    def test_companies_with_and_without_names(self):
        assert TABLE.companies[:2] == (
            Company("Red", ((6, 7), (6, 8), (7, 7), (7, 8)), "Bakery"),
            Company("Red", CORNER),
        )
        assert len(TABLE.companies[-1].plots) == 3
        assert table_from(changed(["companies", 0, "name"], None)).companies[0].name is None

    def test_the_usual_board_unless_another_is_named(self):
        assert TABLE.board == Board(DEFAULT_NUMBERS, DEFAULT_NUMBERS)
        numbers = {"row_numbers": [1, 2], "column_numbers": [3, 4, 5]}
        assert table_from({**GOLDEN["table"], **numbers}).board == Board((1, 2), (3, 4, 5))

    def test_one_edge_may_be_named_alone(self):
        half = {**GOLDEN["table"], "column_numbers": [1, 2, 3]}
        assert table_from(half).board == Board(DEFAULT_NUMBERS, (1, 2, 3))

    numbers = st.lists(st.integers(-9, 999), max_size=5).map(tuple)
    cells = st.tuples(st.integers(-9, 99), st.integers(-9, 99))
    companies = st.builds(
        Company,
        st.text(max_size=8),
        st.lists(cells, max_size=5).map(tuple),
        st.none() | st.text(max_size=8),
    )

    @given(
        st.builds(
            Table,
            st.lists(companies, max_size=4).map(tuple),
            st.builds(Board, numbers, numbers),
        )
    )
    def test_any_table_reads_back_as_itself(self, table):
        assert table_from(json.loads(json.dumps(table_json(table)))) == table

    @pytest.mark.parametrize(
        ("table", "code", "where"),
        [
            (None, "wrong-type", "$"),
            ({"game": NAME}, "missing-key", "$"),
            (changed(["rows"], 3), "unknown-key", "$"),
            (changed(["companies"], {}), "wrong-type", "$.companies"),
            (changed(["companies", 1], []), "wrong-type", "$.companies[1]"),
            (changed(["companies", 1], {"player": "Red"}), "missing-key", "$.companies[1]"),
            (changed(["companies", 1], {"plots": []}), "missing-key", "$.companies[1]"),
            (changed(["companies", 1, "owner"], "Red"), "unknown-key", "$.companies[1]"),
            (changed(["companies", 1, "player"], None), "wrong-type", "$.companies[1].player"),
            (changed(["companies", 1, "name"], 7), "wrong-type", "$.companies[1].name"),
            (changed(["companies", 1, "plots"], None), "wrong-type", "$.companies[1].plots"),
            (changed(["companies", 1, "plots", 2], 5), "wrong-type", "$.companies[1].plots[2]"),
            (
                changed(["companies", 1, "plots", 2], [1, 2, 3]),
                "wrong-type",
                "$.companies[1].plots[2]",
            ),
            (
                changed(["companies", 1, "plots", 2], [1, 2.5]),
                "wrong-type",
                "$.companies[1].plots[2][1]",
            ),
            (
                changed(["companies", 1, "plots", 2], [True, 2]),
                "wrong-type",
                "$.companies[1].plots[2][0]",
            ),
            (changed(["row_numbers"], None), "wrong-type", "$.row_numbers"),
            (changed(["row_numbers"], 12), "wrong-type", "$.row_numbers"),
            (changed(["column_numbers"], [1, None]), "wrong-type", "$.column_numbers[1]"),
            (changed(["column_numbers"], [1, "2"]), "wrong-type", "$.column_numbers[1]"),
        ],
    )
    def test_a_misfit_is_refused_with_its_place(self, table, code, where):
        with pytest.raises(UsageError) as refused:
            table_from(table)
        assert (refused.value.code, refused.value.where) == (code, where)
        assert f"({where}): " in error_line(refused.value)


class TestSheetJson:
    def test_of_the_known_table(self):
        assert sheet_json(score(TABLE)) == GOLDEN["sheet"]

    def test_the_companies_of_the_rulebook(self):
        """X = 11 + 10 + 10 + 9 = 40 and Y = 2 + 3 + 3 + 4 = 12."""
        told = [(company["text"], company["points"]) for company in GOLDEN["sheet"]["companies"]]
        assert told[:2] == [("11+10+10+9 = 40", 40), ("2+3+3+4 = 12", 12)]

    def test_a_shared_victory_and_an_incomplete_company(self):
        sheet = GOLDEN["sheet"]
        assert sheet["totals"] == {"Red": 40 + 12, "Green": 24 + 28, "Yellow": 12}
        assert sheet["winners"] == ["Red", "Green"]
        assert [company["complete"] for company in sheet["companies"]] == [True] * 5 + [False]
        assert sheet["companies"][-1]["points"] == 0

    def test_the_keys_that_programs_rely_on(self):
        sheet = sheet_json(score(TABLE))
        assert set(sheet) == {
            "game",
            "plot_values",
            "companies",
            "totals",
            "winners",
            "missing",
        }
        for company in sheet["companies"]:
            assert set(company) == {"player", "name", "points", "complete", "plots", "text"}

    def test_the_values_of_all_plots(self):
        values = sheet_json(score(TABLE))["plot_values"]
        assert [len(values), len(values[0])] == [12, 12]
        assert values[0][0] == 1 + 1
        assert values[5][6] == 6 + 6
        assert values[2][4] == 3 + 5

    def test_a_player_without_points_is_in_the_totals(self):
        table = Table((*companies_of("Red", 1), Company("Green", ())))
        sheet = sheet_json(score(table))
        assert sheet["totals"] == {"Red": 12, "Green": 0}

    def test_it_is_plain_json(self):
        sheet = sheet_json(score(TABLE))
        assert json.loads(json.dumps(sheet)) == sheet


class TestSentences:
    def test_what_a_company_is_worth(self):
        said = [points_sentence(company) for company in score(TABLE).companies]
        assert said[0] == "11+10+10+9 = 40"
        assert said[-1] == "3 of 4 cards: 0"

    def test_a_company_without_cards(self):
        company = score(Table((Company("Red", ()),))).companies[0]
        assert points_sentence(company) == "0 of 4 cards: 0"


WIDE = Board(tuple(range(50)), tuple(range(99, 49, -1)))
TABLES = {
    "usual": TABLE,
    "largest": Table(
        tuple(
            company
            for index, player in enumerate(("P1", "P2", "P3", "P4"))
            for company in companies_of(player, 5, first_row=2 * index)
        ),
        WIDE,
    ),
    "high": Table(companies_of("Ben", 1), Board((99, 99), (99, 99))),
    "alone": Table((Company("Ben", ((1, 1),)),), Board((1, 2), (3, 4))),
    "nothing": Table((Company("Ben", (), "Mill"), Company("Emily", ()))),
}


class TestPrintedSheet:
    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("name", TABLES)
    def test_no_line_is_wider_than_the_terminal(self, width, name):
        lines = printed(TABLES[name], width, reasons=True).splitlines()
        assert max(map(cell_len, lines)) <= width

    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("name", TABLES)
    def test_every_name_sum_and_total_stands_there(self, width, name):
        sheet = score(TABLES[name])
        shown = words(printed(TABLES[name], width))
        for company in sheet.companies:
            assert company.player in shown
            assert (company.name or "") in shown
            assert points_sentence(company) in shown
        assert all(str(points) in shown.split() for _player, points in sheet.totals)
        highest = max(points for _player, points in sheet.totals)
        assert shown.endswith(winner_sentence(sheet.winners, str(highest), highest))
        assert "…" not in shown

    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("name", TABLES)
    def test_every_edge_number_and_card_stands_on_the_board(self, width, name):
        table = TABLES[name]
        board = re.split("letter: |free plot", printed(table, width))[0]
        lines = [line.split() for line in board.splitlines() if re.match(r" *\d", line)]
        rows = [line for line in lines if not all(entry.isdigit() for entry in line)]
        edges = [entry for line in lines if line not in rows for entry in line]
        assert edges == [str(number) for number in table.board.column_numbers]
        parts = len(rows) // len(table.board.row_numbers)
        assert [line[0] for line in rows] == parts * [str(n) for n in table.board.row_numbers]
        letters = "".join("".join(line[1:]) for line in rows).replace(".", "")
        expected = "".join(
            (chr(65 + index) if company.complete else chr(97 + index)) * len(company.plots)
            for index, company in enumerate(table.companies)
        )
        assert sorted(letters) == sorted(expected)
        assert sum(len(line) - 1 for line in rows) == len(table.board.row_numbers) * len(edges)

    def test_letters_lie_where_the_cards_do(self):
        lines = [line.split() for line in printed(TABLE).splitlines()]
        assert ["1", "B", "B", *"." * 10] in lines
        assert ["6", ".", ".", ".", ".", ".", "f", ".", "A", "A", ".", ".", "."] in lines

    def test_parts_of_a_board_say_which_columns_they_show(self):
        shown = printed(TABLES["largest"], 40)
        titles = re.findall(r"Columns (\d+) to (\d+)", shown)
        assert titles[0][0] == "1"
        assert titles[-1][1] == "50"
        assert [int(a) for a, _ in titles[1:]] == [int(b) + 1 for _, b in titles[:-1]]
        assert "Columns" not in printed(TABLE, 40)

    def test_players_by_rank_and_the_shared_victory(self):
        lines = [words(line) for line in printed(TABLE).splitlines()]
        assert [line for line in lines if re.fullmatch(r"\d \w+ \d of \d \d+", line)] == [
            "1 Red 2 of 2 52",
            "1 Green 2 of 2 52",
            "3 Yellow 1 of 2 12",
        ]
        assert lines[-1] == "Red and Green share the victory with 52 points"

    def test_companies_without_names_have_no_column_for_them(self):
        assert "company points" in words(printed(TABLE))
        assert "company points" not in words(printed(TABLES["largest"]))

    @pytest.mark.parametrize("width", [40, 80, 120])
    def test_reasons_on_request(self, width):
        assert "6 + 5 = 11" not in printed(TABLE, width)
        shown = words(printed(TABLE, width, reasons=True))
        assert "A 7,8 6 + 5 = 11" in shown
        assert "E 11,11 2 + 2 = 4" in shown
        assert "f 7,6 6 + 6 = 12" in shown

    def test_plain_ascii_loses_nothing(self):
        assert "Green" in printed(TABLE, encoding="ascii")
        table = Table(companies_of("Ödön", 1))
        assert "\\xd6d\\xf6n wins" in printed(table, encoding="ascii")

    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("[bold]Ben[/bold]", "[bold]Ben[/bold]"),
            (":smile: {n} %s", ":smile: {n} %s"),
            ("Ben\x1b[31m", "Ben�[31m"),
            ("Ben\nwins", "Ben�wins"),
            ("Ben\u202e\u200b", "Ben��"),
            (" Ben\t", "Ben"),
            ("山田太郎", "山田太郎"),
            ("x" * 300, "x" * 300),
            ("山" * 150, "山" * 150),
            ("two words " * 20, "two words"),
        ],
    )
    def test_hostile_names_stay_in_their_place(self, width, name, shown):
        company = Company(name, CORNER, name)
        table = Table((company, Company("Emily", ((5, 5),))))
        text = printed(table, width, reasons=True)
        assert max(map(cell_len, text.splitlines())) <= width
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "".join(shown.split()) in "".join(text.split())
        assert "Emily" in text
        assert "2+3+3+4 = 12" in text
        assert list(sheet_json(score(table))["totals"]) == [name, "Emily"]
