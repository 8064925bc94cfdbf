"""Tables as ``stadtblick score`` takes them, and how sheets of them are printed."""

import copy
import io
import json
from pathlib import Path

from rich.console import Console

from firmware.games.registry import find_game
from scoring.games import GAMES
from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.fake_eye import EXAMPLE

TABLE = {
    "game": "between-two-cities",
    "cities": [{"grid": [list(row) for row in parse_city(text).grid]} for text in EXAMPLE],
}
_FOLDER = Path(__file__).parents[1] / "golden"


class _ByGame(dict):
    """Values by the name of a game."""

    def __missing__(self, name):
        raise KeyError(f"write tests/golden/tables/{name}.json")


GOLDEN = _ByGame(
    (path.stem, json.loads(path.read_text("utf-8")))
    for path in sorted((_FOLDER / "tables").glob("*.json"))
)
"""Table and sheet of each game that has them, by ``table`` and ``sheet``."""
GOLDEN_TABLES = _ByGame(
    (name, find_game(name).table_from_json(GOLDEN[name]["table"])) for name in GOLDEN
)
GOLDEN_TEXTS = _ByGame((name, _FOLDER / "sheets" / f"{name}.txt") for name in GOLDEN)
"""The files of the sheets as people see them."""


def changed(path, value, table=TABLE):
    """A table with something else at a place."""
    table = copy.deepcopy(table)
    parent = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return table


def printed(name, table, width=80, *, lenient=False, reasons=False, encoding="utf-8"):
    """The sheet of a table of a game, as it is printed where there is no colour."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    sheet = GAMES[name].score(table, lenient=lenient)
    find_game(name).print_score_sheet(console, sheet, table, None, reasons=reasons)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


def golden_text(name):
    """Return the printed sheet of a game's table, with reasons, without blanks at line ends."""
    lines = printed(name, GOLDEN_TABLES[name], reasons=True).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def unwrapped(text):
    """The text without its line breaks."""
    return " ".join(text.split())
