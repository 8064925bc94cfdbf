"""Every game has a table whose sheet is known; the numbers are those that its rulebook prints.

The sheets are what ``stadtblick score --json`` gives for the table.
"""

import json
from pathlib import Path

import pytest

from firmware.scan.table_input import parse_table
from scoring.games import GAMES
from tests.firmware.tables import GOLDEN

FOLDER = Path(__file__).parent / "golden" / "tables"


def test_every_game_has_a_table_and_every_table_a_game():
    stems = {path.stem for path in FOLDER.glob("*.json")}
    assert stems == set(GAMES), "write GAME.json, then python -m tests.regenerate_golden"


@pytest.mark.parametrize("name", GOLDEN)
def test_the_table_of_a_game_has_the_known_sheet(name):
    golden = GOLDEN[name]
    game, table = parse_table(json.dumps(golden["table"]).encode(), name)
    assert game.sheet_json(GAMES[name].score(table)) == golden["sheet"]


def test_between_two_cities_is_the_example_of_the_rulebook():
    sheet = GOLDEN["between-two-cities"]["sheet"]
    assert [list(city["points"].values()) for city in sheet["cities"]] == [
        [16, 0, 1, 17, 10, 12], [2, 20, 1, 0, 22, 12], [2, 9, 17, 1, 8, 25],
        [16, 4, 17, 25, 0, 0], [5, 20, 2, 0, 16, 9], [10, 2, 17, 5, 8, 20],
    ]  # fmt: skip
    assert [player["final"] for player in sheet["players"]] == [56, 56, 57, 62, 52, 52]
    assert [sheet["players"][index]["name"] for index in sheet["winners"]] == ["Emily"]
