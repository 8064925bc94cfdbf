"""Behaviour that all rules share: refusing, lenient scoring, naming what is wrong."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from scoring.errors import ScoringError, TableError
from scoring.faces import Face, Field
from scoring.games import GAMES
from scoring.games.between_two_cities import table as btc
from scoring.games.cities import table as cities
from scoring.games.cities.notation import parse_city
from scoring.games.city_blocks import table as blocks
from scoring.games.city_blocks.notation import parse_board
from scoring.games.dice_board import table as dice
from tests.scoring import btc_tables, cities_tables, city_blocks_tables, dice_board_tables
from tests.scoring.dealing import seeded


@dataclass(frozen=True)
class Sized:
    """Grids of a game that gives them one size.

    Attributes:
        shape: Rows and columns.
        content: Content of a cell that the rules allow everywhere.
        table_with: Function that returns a table with a grid of any size.
        place: JSON path of this grid in it.
        may_be_empty: Whether a grid without any tile is allowed.
    """

    shape: tuple[int, int]
    content: Any
    table_with: Callable[[Any], Any]
    place: str
    may_be_empty: bool = False


@dataclass(frozen=True)
class Sample:
    """Tables of a game.

    Attributes:
        example: Whole table that the rules allow.
        refused: Table with many things wrong.
        breaches: Code and place of each of them.
        with_gaps: Function that deals a table with missing parts; None: the game allows them.
        with_players: Function that returns a whole table of three players with these names; None:
            the table has no list of names.
        sized: Grids; None: they have any size.
    """

    example: Any
    refused: Any
    breaches: str
    with_gaps: Callable[[Any], Any] | None = None
    with_players: Callable[[tuple[str, ...]], Any] | None = None
    sized: Sized | None = None


BTC = btc_tables.example_table()
WHOLE = btc_tables.parse_city("SSSF/EBMD/OOPP/HHHH")
SEEN = cities_tables.example_table()
ROW = tuple((3, column) for column in range(5))
BUILT = city_blocks_tables.example_table()
CARDS = dice_board_tables.example_table()

SAMPLES = {
    "between-two-cities": Sample(
        BTC,
        btc_tables.table_of(
            "SSSF/EBMD/OOPP", "SSS./BBBB/OOPP/BBBB 00-01", owners=(0,), players=("Ben",)
        ),
        "city-count cities, row-count cities[0].grid, missing-tile cities[1].grid[0][3], "
        "duplex-count cities[1].duplexes, too-many-tiles cities, owners-in-standard owners, "
        "player-count players",
        lambda random: btc_tables.with_gaps(btc_tables.dealt_table(random), random),
        lambda names: replace(BTC, cities=BTC.cities[:3], players=names),
        Sized(
            (4, 4),
            Face.PARK,
            lambda grid: btc.Table((WHOLE, btc.City(grid), WHOLE)),
            "cities[1].grid",
        ),
    ),
    "cities": Sample(
        SEEN,
        cities.Table(
            (
                cities.City(parse_city("SSWP/S.PW").fields, ((0, 2), (7, 7), (9, 0))),
                replace(SEEN.cities[0], tourists=((0, 0), (0, 0), (0, 4), *ROW)),
                cities_tables.corner(""),
            ),
            level=9,
            players=("Emily",),
        ),
        "unknown-level level, row-count cities[0].fields, row-length cities[0].fields[0], "
        "row-length cities[0].fields[1], missing-field cities[0].fields[1][1], "
        "tourist-on-water cities[0].tourists[0], tourist-off-grid cities[0].tourists[2], "
        "too-many-tourists cities[1].tourists, field-taken cities[1].tourists[1], "
        "tourist-on-water cities[1].tourists[2], empty-city cities[2].fields, player-count players",
        lambda random: cities_tables.random_table(random, gaps=True),
        lambda names: replace(SEEN, cities=SEEN.cities[:3], players=names),
        Sized(
            (8, 8),
            Field.SIGHT,
            lambda grid: replace(SEEN, cities=(SEEN.cities[0], cities.City(grid)), players=None),
            "cities[1].fields",
        ),
    ),
    "city-blocks": Sample(
        BUILT,
        blocks.Table(
            parse_board("bH6 rS2 rS2 bH / bE bE bE rC5 -- -- --"),
            (16, 3),
            (3, None, None, None, None, None),
            blocks.PlayerTiles((7,), (7,)),
        ),
        "row-count grid, row-length grid[0], row-length grid[1], "
        "value-out-of-range grid[0][0].value, missing-value grid[0][3], "
        "value-of-special grid[1][3].value, repeated-building grid[0][2], "
        "too-many-buildings grid[1][2], values-and-collected collected, value-count row_values, "
        "no-such-value-tile row_values[0], repeated-value-tile column_values[0], "
        "repeated-value-tile collected.red[0]",
        sized=Sized(
            (5, 6),
            None,
            lambda grid: blocks.Table(grid, (None,) * 5, (None,) * 6),
            "grid",
            may_be_empty=True,
        ),
    ),
    "dice-board": Sample(
        CARDS,
        dice.Table(
            (
                dice.Company("Red", ((0, 0), (0, 1), (1, 0), (1, 1), (1, 1)), ""),
                dice.Company(" ", ((0, 0), (0, 1), (1, 0), (2, 0))),
                *(dice.Company("Red", ()) for _ in range(5)),
                *(dice.Company(name, ()) for name in ("Blue", "Green", "Green ")),
            ),
            dice.Board((1, 100), (1,)),
        ),
        "edge-number row_numbers[1], line-count column_numbers, "
        "too-many-companies companies[6], too-many-players companies[9].player, "
        "empty-company-name companies[0].name, empty-player companies[1].player, "
        "similar-players companies[9].player, too-many-plots companies[0].plots, "
        "plot-off-board companies[0].plots[1], plot-off-board companies[0].plots[3], "
        "plot-off-board companies[0].plots[4], plot-used-twice companies[1].plots[0], "
        "plot-off-board companies[1].plots[1], plot-used-twice companies[1].plots[2], "
        "plot-off-board companies[1].plots[3], no-block companies[1].plots",
    ),
}


def breach_places(breaches):
    return [f"{breach.code} {breach.where.removeprefix('$.')}" for breach in breaches]


def test_every_game_is_tried():
    assert set(SAMPLES) == set(GAMES), "each game of GAMES needs a sample in SAMPLES above"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_table_is_allowed_and_scored_the_same_leniently(name):
    game, table = GAMES[name], SAMPLES[name].example
    assert game.list_breaches(table) == game.list_breaches(table, lenient=True) == ()
    sheet = game.score(table)
    assert game.score(table, lenient=True) == sheet
    assert (sheet.game, sheet.missing) == (name, ())


@pytest.mark.parametrize("name", SAMPLES)
def test_score_refuses_what_is_a_breach_and_names_it_all(name):
    game, sample = GAMES[name], SAMPLES[name]
    breaches = game.list_breaches(sample.refused)
    assert breach_places(breaches) == sample.breaches.split(", ")
    with pytest.raises(TableError) as refused:
        game.score(sample.refused)
    error, first = refused.value, breaches[0]
    assert error.breaches == breaches
    assert (error.code, error.where, error.values) == (first.code, first.where, first.values)
    assert str(error) == error.message == first.message
    assert isinstance(error, ScoringError)
    assert isinstance(error, ValueError)


SIZED = [name for name, sample in SAMPLES.items() if sample.sized]
"""Games whose grids have one size."""


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("name", SIZED)
def test_size_of_a_city_or_board(name, lenient):
    sized = SAMPLES[name].sized
    height, width = sized.shape

    def breaches_with(grid):
        table = sized.table_with(grid)
        return breach_places(GAMES[name].list_breaches(table, lenient=lenient))

    row = (sized.content,) * width
    for count in (0, height - 1, height + 1):
        assert breaches_with((row,) * count) == [f"row-count {sized.place}"]
    uneven = [row] * height
    uneven[-1] = (*row, row[0])
    uneven[0] = row[1:]  # the only row of a grid of one
    wrong = [f"row-length {sized.place}[{index}]" for index in sorted({0, height - 1})]
    assert breaches_with(tuple(uneven)) == wrong
    if not sized.may_be_empty:
        nothing = ((None,) * width,) * height
        assert breaches_with(nothing) == [f"empty-city {sized.place}"]


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.with_players])
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Ben", "Emily", "ben"), []),
        ((), ["player-count players"]),
        (("Ben", "Emily"), ["player-count players"]),
        (("Ben", "Emily", "Peter", "Margaux"), ["player-count players"]),
        (("Ben", "", "Peter"), ["empty-name players[1]"]),
        (("Ben", "Emily", " \t"), ["empty-name players[2]"]),
        (("Ben", "Emily", "\u3164\u0301"), ["empty-name players[2]"]),
        (("Ben", "Emily", "Ben"), ["repeated-name players[2]"]),
        (("Ben", "Emily", "Ben "), ["repeated-name players[2]"]),
    ],
)
def test_wrong_player_names_are_breaches(name, names, expected):
    table = SAMPLES[name].with_players(names)
    assert breach_places(GAMES[name].list_breaches(table)) == expected


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.with_gaps])
def test_tables_with_gaps_are_refused_strictly_and_scored_leniently(name):
    game, sample = GAMES[name], SAMPLES[name]
    for seed in range(20):
        table = sample.with_gaps(seeded(seed))
        assert game.list_breaches(table, lenient=True) == ()
        sheet = game.score(table, lenient=True)
        places = [f"[{city}][{row}][{column}]" for city, (row, column) in sheet.missing]
        refused = [
            breach for breach in game.list_breaches(table) if breach.code.startswith("missing-")
        ]
        assert [re.sub(r"\$?\.\w+", "", breach.where) for breach in refused] == places
