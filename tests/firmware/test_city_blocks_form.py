"""City Blocks as JSON, in words and as a printed sheet."""

import copy
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from firmware.errors import UsageError, error_line
from firmware.games import find_game
from firmware.games.city_blocks.text import print_sheet
from firmware.games.city_blocks.words import (
    building_name,
    outcome_notes,
    reason_sentence,
    side_name,
    totals_title,
    winner_sentence,
)
from scoring.faces import Building, Side
from scoring.games.city_blocks import NAME, score
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.sheet import Basis, Built, Reason, ReasonKind
from scoring.games.city_blocks.table import Collected, Plot, Table

GAME = find_game("city-blocks")
sheet_json, table_json, table_from = GAME.sheet_json, GAME.table_json, GAME.table_from

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "tables" / "city-blocks.json").read_text("utf-8")
)
TABLE = table_from(GOLDEN["table"])
# Every plot is built on: 11 full streets
FULL = parse_board(format_board(TABLE.grid).replace("--", "rH3"))
EMPTY = ((None,) * 6,) * 5


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
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    print_sheet(console, score(table), table, None, reasons=reasons)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


def words(text):
    """The text without its line breaks."""
    return " ".join(text.split())


class TestTableJson:
    def test_the_board_and_the_values_beside_it(self):
        assert TABLE.grid[0][:3] == (
            Plot(Side.BLUE, Building.HOUSE, 3),
            Plot(Side.RED, Building.SHOP, 4),
            Plot(Side.RED, Building.COURT),
        )
        assert TABLE.grid[4][3] is None
        assert TABLE.row_values == (10, 3, 12, 8, 6)
        assert TABLE.column_values == (None, 15, 4, 9, 1, 5)
        assert TABLE.collected is None

    def test_the_tiles_collected_instead(self):
        table = table_from(
            {"game": NAME, "grid": [[None]], "collected": {"blue": [3, 12], "red": []}}
        )
        assert table == Table(((None,),), collected=Collected((3, 12), ()))

    def test_which_lists_have_to_be_given_is_for_the_rules_to_say(self):
        lists = {
            "row_values": [1],
            "column_values": [None, 2],
            "collected": {"blue": [], "red": [3]},
        }
        for left_out in lists:
            given_lists = {key: value for key, value in lists.items() if key != left_out}
            value = {"game": NAME, "grid": [], **given_lists}
            assert table_json(table_from(value)) == value
        assert table_from({"game": NAME, "grid": []}) == Table(())

    plots = st.none() | st.builds(
        Plot, st.sampled_from(Side), st.sampled_from(Building), st.none() | st.integers(-9, 99)
    )
    values = st.none() | st.lists(st.none() | st.integers(-9, 99), max_size=7).map(tuple)
    tiles = st.lists(st.integers(-9, 99), max_size=4).map(tuple)

    @given(
        st.builds(
            Table,
            st.lists(st.lists(plots, max_size=7).map(tuple), max_size=6).map(tuple),
            values,
            values,
            st.none() | st.builds(Collected, tiles, tiles),
        )
    )
    def test_any_table_reads_back_as_itself(self, table):
        assert table_from(json.loads(json.dumps(table_json(table)))) == table

    @pytest.mark.parametrize(
        ("table", "code", "where"),
        [
            ([], "wrong-type", "$"),
            ({"game": NAME}, "missing-key", "$"),
            (changed(["level"], 1), "unknown-key", "$"),
            (changed(["grid"], {}), "wrong-type", "$.grid"),
            (changed(["grid", 2], "bH1"), "wrong-type", "$.grid[2]"),
            (changed(["grid", 2, 5], "bH1"), "wrong-type", "$.grid[2][5]"),
            (changed(["grid", 2, 5], {}), "missing-key", "$.grid[2][5]"),
            (changed(["grid", 2, 5], {"owner": "red"}), "missing-key", "$.grid[2][5]"),
            (changed(["grid", 2, 5, "colour"], "red"), "unknown-key", "$.grid[2][5]"),
            (changed(["grid", 2, 5, "owner"], "green"), "unknown-owner", "$.grid[2][5].owner"),
            (changed(["grid", 2, 5, "owner"], 0), "wrong-type", "$.grid[2][5].owner"),
            (changed(["grid", 2, 5, "kind"], "hose"), "unknown-building", "$.grid[2][5].kind"),
            (changed(["grid", 2, 5, "kind"], None), "wrong-type", "$.grid[2][5].kind"),
            (changed(["grid", 2, 5, "value"], "5"), "wrong-type", "$.grid[2][5].value"),
            (changed(["grid", 2, 5, "value"], 5.5), "wrong-type", "$.grid[2][5].value"),
            (changed(["grid", 2, 5, "value"], True), "wrong-type", "$.grid[2][5].value"),
            (changed(["row_values"], None), "wrong-type", "$.row_values"),
            (changed(["row_values", 1], "3"), "wrong-type", "$.row_values[1]"),
            (changed(["column_values", 4], False), "wrong-type", "$.column_values[4]"),
            (changed(["collected"], [1, 2]), "wrong-type", "$.collected"),
            (changed(["collected"], {"blue": []}), "missing-key", "$.collected"),
            (
                changed(["collected"], {"blue": [], "red": [], "green": []}),
                "unknown-key",
                "$.collected",
            ),
            (
                changed(["collected"], {"blue": [], "red": [None]}),
                "wrong-type",
                "$.collected.red[0]",
            ),
        ],
    )
    def test_a_misfit_is_refused_with_its_place(self, table, code, where):
        with pytest.raises(UsageError) as refused:
            table_from(table)
        assert (refused.value.code, refused.value.where) == (code, where)
        assert f"({where}): " in error_line(refused.value)

    def test_a_misspelt_name_is_suggested(self):
        with pytest.raises(UsageError, match="did you mean power-plant"):
            table_from(changed(["grid", 0, 0, "kind"], "powerplant"))
        with pytest.raises(UsageError, match="did you mean blue"):
            table_from(changed(["grid", 0, 0, "owner"], "bleu"))


class TestSheetJson:
    def test_of_the_known_table(self):
        assert sheet_json(score(TABLE)) == GOLDEN["sheet"]

    def test_the_streets_of_the_rulebook(self):
        """Red 6 : 5 blue beside courts, blue 1 : 0 beside a school, 3 : 0 beside plant and mall."""
        streets = GOLDEN["sheet"]["streets"]
        sums = [(street["blue"], street["red"], street["winner"]) for street in streets[:3]]
        assert sums == [(5, 6, "red"), (1, 0, "blue"), (3, 0, "blue")]

    def test_bonuses_of_ties_open_streets_and_tiles_that_are_gone(self):
        """12 : 12 in row 3, one plot left in row 4 and column 3, no tile above column 0."""
        streets = {tuple(street["street"]): street for street in GOLDEN["sheet"]["streets"]}
        told = {
            name: (streets[name]["winner"], streets[name]["bonus"], streets[name]["value"])
            for name in [("row", 3), ("row", 4), ("column", 0), ("column", 3)]
        }
        assert told == {
            ("row", 3): (None, 0, 8),
            ("row", 4): (None, 0, 6),
            ("column", 0): ("blue", 0, None),
            ("column", 3): (None, 0, 9),
        }
        assert GOLDEN["sheet"]["totals"] == {"blue": 3 + 12 + 4, "red": 10 + 15 + 1 + 5}

    def test_the_keys_that_programs_rely_on(self):
        sheet = sheet_json(score(TABLE))
        assert set(sheet) == {
            "game",
            "basis",
            "streets",
            "tiles",
            "totals",
            "winners",
            "missing",
        }
        for street in sheet["streets"]:
            assert set(street) == {
                "street",
                "value",
                "full",
                "blue",
                "red",
                "winner",
                "bonus",
                "reasons",
            }
            for reason in street["reasons"]:
                assert set(reason) == {"side", "points", "cells", "text", "kind"}
        names = [street["street"] for street in sheet["streets"]]
        assert names == [["row", i] for i in range(5)] + [["column", i] for i in range(6)]

    def test_the_tiles_collected(self):
        table = Table(FULL, collected=Collected((3, 12, 4, 7), (10, 15, 1)))
        sheet = sheet_json(score(table))
        assert sheet["basis"] == "collected"
        assert sheet["tiles"] == {"blue": [3, 12, 4, 7], "red": [10, 15, 1]}
        assert sheet["totals"] == {"blue": 26, "red": 26}
        assert sheet["winners"] == ["blue", "red"]
        assert {street["value"] for street in sheet["streets"]} == {None}
        assert sheet["streets"][0]["winner"] == "red"

    def test_the_reasons_of_each_street_add_up(self):
        for street in sheet_json(score(TABLE))["streets"]:
            for side in ("blue", "red"):
                own = [reason for reason in street["reasons"] if reason["side"] == side]
                assert sum(reason["points"] for reason in own) == street[side]

    def test_it_is_plain_json(self):
        sheet = sheet_json(score(TABLE))
        assert json.loads(json.dumps(sheet)) == sheet


class TestSentences:
    def test_why_the_streets_of_the_rulebook_count_as_they_do(self):
        said = [
            [reason_sentence(reason) for reason in street.reasons]
            for street in score(TABLE).streets
        ]
        assert said[0] == [
            "2 buildings: house 3, shop 2",
            "1 building without a value: court",
            "2 buildings: shop 4, house 2",
            "1 building without a value: court",
        ]
        assert said[1] == [
            "1 building: house 1",
            "1 factory counts 0: school at 2,3",
            "1 building without a value: school",
            "3 factories count 0: school at 2,3",
        ]
        assert "1 house counts 0: power plant at 3,1; mall at 3,2" in said[2]
        assert "2 buildings without a value: mall, school" in said[4]

    @pytest.mark.parametrize("kind", ReasonKind)
    @pytest.mark.parametrize("count", [1, 2])
    def test_every_kind_of_reason_says_how_many_buildings_it_is_about(self, kind, count):
        built = tuple(Built((0, i), Side.RED, Building.HOUSE, i + 4) for i in range(count))
        void_by = (Built((0, 5), Side.BLUE, Building.MALL, 0),)
        said = reason_sentence(Reason(Side.RED, kind, 0, built, void_by))
        assert str(count) in said
        assert "{" not in said
        void = kind in {ReasonKind.HOUSES_VOID, ReasonKind.FACTORIES_VOID}
        assert ("mall at 1,6" in said) == void
        assert ("house 4" in said) != void

    def test_all_names_differ(self):
        assert len({building_name(kind) for kind in Building}) == len(Building)
        assert len({side_name(side) for side in Side}) == len(Side)

    def test_on_what_the_totals_stand(self):
        assert totals_title(Basis.STREETS) == "Totals, as the streets stand"
        assert totals_title(Basis.COLLECTED) == "Totals, from the tiles collected"

    @pytest.mark.parametrize(
        ("table", "said"),
        [
            (Table(FULL, collected=Collected((15,), (1, 2))), "Blue wins with $15"),
            (Table(FULL, collected=Collected((15,), (2, 14))), "Red wins with $16"),
            (
                Table(FULL, collected=Collected((1, 2), (3,))),
                "Blue and red share the victory with $3 each",
            ),
            (Table(EMPTY, collected=Collected((1,), ())), "Blue wins with $1"),
            (TABLE, "Red leads with $31; the board is not full yet"),
            (
                Table(TABLE.grid, (10, 3, 12, 8, 6), (None,) * 6),
                "Blue leads with $15; the board is not full yet",
            ),
            (
                Table(EMPTY, (None,) * 5, (None,) * 6),
                "Blue and red are level with $0 each; the board is not full yet",
            ),
            (Table(FULL, (10, 3, 12, 8, 6), (None, 15, 4, 9, 1, 5)), "Blue wins with $34"),
        ],
    )
    def test_who_wins(self, table, said):
        assert winner_sentence(score(table)) == said

    def test_streets_without_a_winner_are_explained(self):
        assert outcome_notes(score(TABLE).streets) == [
            "1 tie: equal sums, the value tile leaves the game",
            "2 streets are open: plots without a building, nothing awarded",
        ]
        assert len(outcome_notes(score(Table(FULL, (None,) * 5, (None,) * 6)).streets)) == 1


TABLES = {
    "streets": TABLE,
    "collected": Table(FULL, collected=Collected((3, 12, 4, 7, 2), (10, 15, 1, 14, 13, 5))),
    "nothing": Table(EMPTY, (None,) * 5, (None,) * 6),
    "all won": Table(FULL, (11, 12, 13, 14, 15), (10, 9, 8, 7, 6, 5)),
}


class TestPrintedSheet:
    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("name", TABLES)
    def test_no_line_is_wider_than_the_terminal(self, width, name):
        lines = printed(TABLES[name], width, reasons=True).splitlines()
        assert max(map(cell_len, lines)) <= width

    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("name", TABLES)
    def test_every_building_street_tile_and_sentence_stands_there(self, width, name):
        table = TABLES[name]
        sheet = score(table)
        lines = [words(line) for line in printed(table, width).splitlines()]
        board = format_board(table.grid).split(" / ")
        for row, plots in enumerate(board):
            assert any(line.startswith(str(row + 1)) and line.endswith(plots) for line in lines)
        for street in sheet.streets:
            winner = street.winner or ("tie" if street.full else "open")
            entries = [
                f"{street.line} {street.index + 1}",
                str(street.blue),
                str(street.red),
                winner,
            ]
            if sheet.basis is Basis.STREETS:
                entries.insert(1, "-" if street.value is None else f"${street.value}")
                entries.append(f"${street.bonus}")
            assert " ".join(entries) in lines
        whole = words(printed(table, width))
        for side in Side:
            assert f"${sheet.totals[side]}" in whole
            assert all(f"${tile}" in whole for tile in sheet.tiles[side])
        assert words(totals_title(sheet.basis)) in whole
        assert whole.endswith(winner_sentence(sheet))
        assert "…" not in whole

    @pytest.mark.parametrize("width", [80, 120])
    def test_the_values_beside_the_board_and_those_that_are_gone(self, width):
        lines = [words(line) for line in printed(TABLE, width).splitlines()]
        assert "- $15 $4 $9 $1 $5" in lines
        assert "5 $6 rM bF7 rE -- bS5 rH1" in lines
        assert "- value tile gone" in words(printed(TABLE, width))

    def test_the_legend_names_only_what_is_there(self):
        shown = printed(TABLES["nothing"])
        assert "-- nothing built" in shown
        assert "house" not in shown
        assert "nothing built" not in printed(TABLES["collected"])
        assert "value tile gone" not in printed(TABLES["collected"])

    @pytest.mark.parametrize("width", [80, 120])
    def test_reasons_on_request(self, width):
        assert "counts 0" not in printed(TABLE, width)
        shown = words(printed(TABLE, width, reasons=True))
        assert "Row 2: blue 1, red 0" in shown
        assert "0 red 3 factories count 0: school at 2,3 2,2 2,5 2,6" in shown
        assert "Column 6: blue 0, red 16" in shown

    def test_reasons_on_a_narrow_terminal_lose_no_word(self):
        shown = set(printed(TABLE, 40, reasons=True).split())
        for street in score(TABLE).streets:
            for reason in street.reasons:
                assert set(reason_sentence(reason).split()) <= shown

    def test_plain_ascii_loses_nothing(self):
        shown = printed(TABLE, reasons=True, encoding="ascii")
        assert "Red leads with $31" in shown
        assert "rM" in shown

    def test_colour_only_repeats_the_words(self):
        stream = io.StringIO()
        console = Console(
            file=stream, width=80, markup=False, force_terminal=True, color_system="standard"
        )
        print_sheet(console, score(TABLE), TABLE, None, reasons=False)
        assert "\x1b[" in stream.getvalue()
        assert "\x1b[" not in printed(TABLE)
