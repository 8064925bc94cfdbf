"""Tables and sheets of all games as JSON: read as they are meant, or refused with the place."""

import json
from dataclasses import replace

import pytest

from firmware.games.registry import find_game
from firmware.history.stored_sheet import parse_results
from firmware.wording.problem_text import problem_line
from scoring.games import GAMES
from scoring.games.between_two_cities.table import Variant
from scoring.games.city_blocks.table import PlayerTiles
from scoring.games.city_blocks.table import Table as Blocks
from scoring.games.dice_board.table import DEFAULT_NUMBERS, Board, Company
from scoring.games.dice_board.table import Table as Cards
from tests.firmware.tables import GOLDEN, changed
from tests.refusals import refused
from tests.scoring import btc_tables, cities_tables, city_blocks_tables, dice_board_tables
from tests.scoring.dealing import seeded
from tests.scoring.test_all_games import SAMPLES

BTC = btc_tables.example_table()
DEALT = {
    "between-two-cities": lambda seed: [
        btc_tables.with_gaps(btc_tables.dealt_table(seeded(seed)), seeded(seed)),
        replace(BTC, players=("Ödön", "山田", "", "a", "b", "c")),
        replace(BTC, cities=BTC.cities[:4], variant=Variant.TWO_PLAYER, owners=(1, 0, 0, 1)),
    ],
    "cities": lambda seed: [
        cities_tables.random_table(seeded(seed), gaps=seed % 2 == 1),
        replace(cities_tables.example_table(), players=("Ben", "Emily", "Peter")),
    ],
    "city-blocks": lambda seed: [
        city_blocks_tables.dealt_table(seeded(seed)),
        Blocks((), row_values=(None, 1), column_values=(), collected=PlayerTiles((), (3,))),
        Blocks(((None,),), row_values=(2,)),
        Blocks((), column_values=(2,)),
    ],
    "dice-board": lambda seed: [
        dice_board_tables.dealt_table(seeded(seed)),
        Cards((Company("Ben", (), "Mill"), Company("", ((99, -9),)))),
    ],
}


def sheet_of(name, table, **how):
    return find_game(name).sheet_json(GAMES[name].score(table, **how))


def test_every_game_has_dealt_tables():
    assert set(DEALT) == set(GAMES), "each game of GAMES needs tables in DEALT above"


def test_every_game_has_refused_tables():
    assert set(MISFITS) == set(GAMES), "each game of GAMES needs tables in MISFITS below"


def test_every_game_has_documented_keys():
    assert set(KEYS) == set(GAMES), "each game of GAMES needs the keys of its sheet in KEYS below"


@pytest.mark.parametrize("name", DEALT)
def test_any_table_reads_back_as_itself_and_its_sheet_is_plain_json(name):
    game = find_game(name)
    for seed in range(30):
        for table in DEALT[name](seed):
            value = game.table_json(table)
            assert json.loads(json.dumps(value, allow_nan=False)) == value
            assert game.table_from_json(value) == table
        table = DEALT[name](seed)[0]
        sheet = sheet_of(name, table, lenient=True)
        assert json.loads(json.dumps(sheet, allow_nan=False)) == sheet


@pytest.mark.parametrize(
    ("name", "left_out", "expected"),
    [
        ("between-two-cities", ("variant", "players"), {"variant": "standard"}),
        ("cities", ("level", "players"), {"level": 1}),
        ("dice-board", (), {f"{edge}_numbers": [*DEFAULT_NUMBERS] for edge in ("row", "column")}),
    ],
)
def test_optional_keys_may_be_left_out(name, left_out, expected):
    given = {key: value for key, value in GOLDEN[name]["table"].items() if key not in left_out}
    game = find_game(name)
    assert game.table_json(game.table_from_json(given)) == given | expected


def test_an_edge_of_the_dice_board_may_be_named_alone():
    game, table = find_game("dice-board"), GOLDEN["dice-board"]["table"]
    half = game.table_from_json({**table, "column_numbers": [1, 2, 3]})
    assert half.board == Board(DEFAULT_NUMBERS, (1, 2, 3))
    whole = game.table_from_json({**table, "row_numbers": [1, 2], "column_numbers": [3, 4, 5]})
    assert whole.board == Board((1, 2), (3, 4, 5))
    assert (
        game.table_from_json(changed(["companies", 0, "name"], None, table)).companies[0].name
        is None
    )


CITY, PLOT, COMPANY = ["cities", 1], ["grid", 2, 5], ["companies", 1]
MISFITS = {
    "between-two-cities": [
        (["varient"], "standard", "unknown-key", "$", "did you mean variant"),
        (["variant"], "solo", "unknown-variant", "$.variant"),
        (["players"], [1, 2, 3, 4, 5, 6], "wrong-type", "$.players[0]"),
        (["owners"], [0, True], "wrong-type", "$.owners[1]"),
        ([*CITY, "tourists"], [], "unknown-key", "$.cities[1]"),
        ([*CITY, "grid"], "SSSS", "wrong-type", "$.cities[1].grid"),
        ([*CITY, "grid", 2], 5, "wrong-type", "$.cities[1].grid[2]"),
        ([*CITY, "grid", 2, 0], "tree", "unknown-face", "$.cities[1].grid[2][0]"),
        ([*CITY, "duplexes"], [[0, 1]], "wrong-type", "$.cities[1].duplexes[0][0]"),
        ([*CITY, "duplexes"], [[[0, 1]]], "wrong-type", "$.cities[1].duplexes[0]"),
        ([*CITY, "duplexes"], [[[0, 1.5], [0, 2]]], "wrong-type", "$.cities[1].duplexes[0][0][1]"),
    ],
    "cities": [
        (["levle"], 3, "unknown-key", "$"),
        (["variant"], "standard", "unknown-key", "$"),
        (["level"], True, "wrong-type", "$.level"),
        (["level"], 1.5, "wrong-type", "$.level"),
        (["players"], None, "wrong-type", "$.players"),
        (["players", 2], 3, "wrong-type", "$.players[2]"),
        (["cities"], {}, "wrong-type", "$.cities"),
        (CITY, None, "wrong-type", "$.cities[1]"),
        (CITY, {"tourists": []}, "missing-key", "$.cities[1]"),
        ([*CITY, "fields", 2], None, "wrong-type", "$.cities[1].fields[2]"),
        ([*CITY, "fields", 2, 0], 7, "wrong-type", "$.cities[1].fields[2][0]"),
        ([*CITY, "fields", 2, 0], "house", "unknown-face", "$.cities[1].fields[2][0]",
         "known are sight, cafe, park, water"),
        ([*CITY, "fields", 2, 0], "sigth", "unknown-face", "$.cities[1].fields[2][0]",
         "did you mean sight"),
        ([*CITY, "turists"], [], "unknown-key", "$.cities[1]", "did you mean tourists"),
        ([*CITY, "tourists"], [2, 3], "wrong-type", "$.cities[1].tourists[0]"),
        ([*CITY, "tourists", 0], [1, 2, 3], "wrong-type", "$.cities[1].tourists[0]"),
        ([*CITY, "tourists", 0], [1, "2"], "wrong-type", "$.cities[1].tourists[0][1]"),
    ],
    "city-blocks": [
        (["level"], 1, "unknown-key", "$"),
        (["grid", 2], "bH1", "wrong-type", "$.grid[2]"),
        (PLOT, {"owner": "red"}, "missing-key", "$.grid[2][5]"),
        ([*PLOT, "colour"], "red", "unknown-key", "$.grid[2][5]"),
        ([*PLOT, "owner"], "bleu", "unknown-owner", "$.grid[2][5].owner", "did you mean blue"),
        ([*PLOT, "kind"], "hose", "unknown-building", "$.grid[2][5].kind", "did you mean house"),
        ([*PLOT, "kind"], None, "wrong-type", "$.grid[2][5].kind"),
        ([*PLOT, "value"], 5.5, "wrong-type", "$.grid[2][5].value"),
        (["row_values", 1], "3", "wrong-type", "$.row_values[1]"),
        (["column_values", 4], False, "wrong-type", "$.column_values[4]"),
        (["collected"], {"blue": []}, "missing-key", "$.collected"),
        (["collected"], {"blue": [], "red": [], "green": []}, "unknown-key", "$.collected"),
        (["collected"], {"blue": [], "red": [None]}, "wrong-type", "$.collected.red[0]"),
    ],
    "dice-board": [
        (["rows"], 3, "unknown-key", "$"),
        (COMPANY, {"plots": []}, "missing-key", "$.companies[1]"),
        ([*COMPANY, "owner"], "Red", "unknown-key", "$.companies[1]"),
        ([*COMPANY, "player"], None, "wrong-type", "$.companies[1].player"),
        ([*COMPANY, "name"], 7, "wrong-type", "$.companies[1].name"),
        ([*COMPANY, "plots", 2], [1, 2, 3], "wrong-type", "$.companies[1].plots[2]"),
        ([*COMPANY, "plots", 2], [True, 2], "wrong-type", "$.companies[1].plots[2][0]"),
        (["row_numbers"], 12, "wrong-type", "$.row_numbers"),
        (["column_numbers"], [1, None], "wrong-type", "$.column_numbers[1]"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "path", "value", "code", "where", "advice"),
    [
        (name, *misfit, *[""] * (5 - len(misfit)))
        for name, misfits in MISFITS.items()
        for misfit in misfits
    ],
)
def test_a_misfit_is_refused_with_its_place(name, path, value, code, where, advice):
    with refused(code, advice, where) as caught:
        find_game(name).table_from_json(changed(path, value, GOLDEN[name]["table"]))
    assert f"({where}): " in problem_line(caught.value)


@pytest.mark.parametrize("name", DEALT)
@pytest.mark.parametrize(
    ("value", "code"), [([], "wrong-type"), (None, "wrong-type"), ({"game": "x"}, "missing-key")]
)
def test_value_that_is_no_table_is_refused(name, value, code):
    with refused(code, where="$"):
        find_game(name).table_from_json(value)


REASON = ["category", "points", "cells", "text", "kind"]
KEYS = {
    "between-two-cities": {
        (): ["game", "variant", "cities", "players", "winners", "missing"],
        ("cities",): ["name", "points", "total", "reasons"],
        ("cities", "reasons"): REASON,
        ("players",): ["name", "cities", "final", "rank", "tie_break"],
    },
    "cities": {
        (): ["game", "level", "players", "winners", "missing"],
        ("players",): ["name", "final", "rank", "points", "tourists", "reasons", "tie_break"],
        ("players", "tourists"): ["at", "points"],
        ("players", "reasons"): [*REASON, "at"],
    },
    "city-blocks": {
        (): ["game", "basis", "streets", "tiles", "totals", "winners", "missing"],
        ("streets",): ["street", "value", "full", "blue", "red", "winner", "bonus", "reasons"],
        ("streets", "reasons"): ["side", *REASON[1:]],
    },
    "dice-board": {
        (): ["game", "plot_values", "companies", "totals", "winners", "missing"],
        ("companies",): ["player", "name", "points", "complete", "plots", "text"],
    },
}
"""Keys of each object of a sheet in their order, by the keys that lead to it; () is the sheet."""


@pytest.mark.parametrize(
    ("name", "path", "keys"),
    [(name, path, keys) for name, found in KEYS.items() for path, keys in found.items()],
)
def test_a_sheet_has_the_documented_keys_in_their_order(name, path, keys):
    part = sheet_of(name, find_game(name).table_from_json(GOLDEN[name]["table"]))
    for key in path:
        part = part[key][0]
    assert list(part) == keys


@pytest.mark.parametrize("name", DEALT)
def test_stored_sheet_keeps_players_and_winners(name):
    table = find_game(name).table_from_json(GOLDEN[name]["table"])
    sheet = GAMES[name].score(table)
    stored = json.loads(json.dumps(find_game(name).sheet_json(sheet)))
    players = find_game(name).player_results(sheet)
    assert [each[1:] for each in parse_results(stored)] == [each[1:] for each in players] != [], (
        "keep in sheet_json the keys that parse_results in firmware/history/stored_sheet.py reads"
    )


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.with_gaps])
def test_missing_places_are_named_in_the_sheet(name):
    for seed in range(20):
        table = SAMPLES[name].with_gaps(seeded(seed))
        gaps = GAMES[name].score(table, lenient=True).missing
        assert gaps
        assert sheet_of(name, table, lenient=True)["missing"] == [
            {"city": "ABCDEFG"[city], "at": [row, column]} for city, (row, column) in gaps
        ]


def test_tourist_on_a_missing_field_says_so():
    table = changed(["cities", 2, "fields", 0, 0], None, GOLDEN["cities"]["table"])
    sheet = sheet_of("cities", find_game("cities").table_from_json(table), lenient=True)
    assert sheet["missing"] == [{"city": "C", "at": [0, 0]}]
    first = sheet["players"][2]["reasons"][0]
    assert (first["category"], first["kind"], first["at"]) == (None, "no-field", [0, 0])
