"""What the rules of every game do alike: refuse, score leniently, say what is wrong."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import btc_tables
import cities_tables
import city_blocks_tables
import dice_board_tables
import pytest
from dealing import seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import ScoringError, TableError
from scoring.faces import Building, Face, Field, Side
from scoring.games import GAMES
from scoring.games.between_two_cities import table as btc
from scoring.games.cities import table as cities
from scoring.games.city_blocks import table as blocks
from scoring.games.dice_board import table as dice

HUGE = 10**5000  # too long to be written as text
names = st.sampled_from(["Red", "Blue", "Red ", "", " ", "Green\n", "{0}"])
numbers = st.integers(-2, 17) | st.integers() | st.sampled_from([HUGE, -HUGE])
cells = st.tuples(st.integers(0, 3), st.integers(0, 3)) | st.tuples(numbers, numbers)
players = st.none() | st.lists(names, max_size=4).map(tuple)


def lists(values, most: int):
    return st.lists(values, max_size=most).map(tuple)


def grids(values, most: int):
    return lists(lists(values, most), most)


@dataclass(frozen=True)
class Sample:
    """Tables of a game.

    Attributes:
        example: a whole one that the rules allow.
        refused: one with two things wrong.
        codes: of these, with their places.
        mangled: whatever may lie there.
        with_gaps: deals one with missing parts; None: the game allows them anyway.
    """

    example: Any
    refused: Any
    codes: tuple[tuple[str, str], ...]
    mangled: st.SearchStrategy
    with_gaps: Callable[[Any], Any] | None = None


BTC = btc_tables.example_table()
SEEN = cities_tables.example_table()
BUILT = city_blocks_tables.example_table()
CARDS = dice_board_tables.example_table()

SAMPLES = {
    "between-two-cities": Sample(
        BTC,
        replace(BTC, cities=(btc.City(((None, Face.SHOP, None, Face.SHOP),) * 4), *BTC.cities[:2])),
        (("missing-tile", "$.cities[0].grid[0][0]"), ("missing-tile", "$.cities[0].grid[0][2]")),
        st.builds(
            btc.Table,
            lists(
                st.builds(
                    btc.City,
                    grids(st.sampled_from([*Face, None]), 5)
                    | st.just(BTC.cities[0].grid)
                    | st.just(BTC.cities[1].grid),
                    st.none() | lists(st.tuples(cells, cells), 3),
                ),
                5,
            ),
            st.sampled_from(btc.Variant),
            st.none() | lists(numbers, 5),
            players,
        ),
        lambda random: btc_tables.with_gaps(btc_tables.dealt_table(random), random),
    ),
    "cities": Sample(
        SEEN,
        replace(SEEN, cities=(replace(SEEN.cities[0], tourists=((0, 0), (0, 0), (0, 4))),)),
        (
            ("field-taken", "$.cities[0].tourists[1]"),
            ("tourist-on-water", "$.cities[0].tourists[2]"),
        ),
        st.builds(
            cities.Table,
            lists(
                st.builds(
                    cities.City,
                    grids(st.sampled_from([*Field, None]), 9) | st.just(SEEN.cities[0].fields),
                    lists(cells, 9),
                ),
                3,
            ),
            numbers,
            players,
        ),
        lambda random: cities_tables.random_table(random, gaps=True),
    ),
    "city-blocks": Sample(
        BUILT,
        replace(BUILT, row_values=(16, 0, None, None, None)),
        (("no-such-value-tile", "$.row_values[0]"), ("no-such-value-tile", "$.row_values[1]")),
        st.builds(
            blocks.Table,
            st.just(city_blocks_tables.EMPTY_BOARD)
            | st.just(BUILT.grid)
            | grids(
                st.none()
                | st.builds(
                    blocks.Plot,
                    st.sampled_from(Side),
                    st.sampled_from(Building),
                    st.none() | st.integers(0, 8) | numbers,
                ),
                7,
            ),
            st.none() | lists(st.none() | numbers, 7) | st.just((1, 2, 3, 4, 5)),
            st.none() | lists(st.none() | numbers, 7) | st.just((6, 7, 8, 9, 10, 11)),
            st.none() | st.builds(blocks.Collected, lists(numbers, 8), lists(numbers, 8)),
        ),
    ),
    "dice-board": Sample(
        CARDS,
        dice.Table((dice.Company("Red", ((0, 0), (0, 0))), dice.Company("Red", ((-1, 0),)))),
        (
            ("plot-used-twice", "$.companies[0].plots[1]"),
            ("plot-off-board", "$.companies[1].plots[0]"),
        ),
        st.builds(
            dice.Table,
            lists(
                st.builds(
                    dice.Company,
                    names,
                    st.just(dice_board_tables.block(0, 0)) | lists(cells, 6),
                    st.none() | names,
                ),
                8,
            ),
            st.builds(dice.Board)
            | st.builds(
                dice.Board, *[lists(numbers | st.integers(95, 101), 5) | st.just((0,) * 60)] * 2
            ),
        ),
    ),
}


def test_every_game_is_tried():
    assert set(SAMPLES) == set(GAMES)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_table_is_allowed_and_scored_the_same_leniently(name):
    game, table = GAMES[name], SAMPLES[name].example
    assert game.status(table) == game.status(table, lenient=True) == ()
    sheet = game.score(table)
    assert game.score(table, lenient=True) == sheet
    assert (sheet.game, sheet.missing) == (name, ())


@pytest.mark.parametrize("name", SAMPLES)
def test_score_refuses_what_status_refuses_and_names_it_all(name):
    game, sample = GAMES[name], SAMPLES[name]
    breaches = game.status(sample.refused)
    assert tuple((breach.code, breach.where) for breach in breaches[:2]) == sample.codes
    with pytest.raises(TableError) as refused:
        game.score(sample.refused)
    error = refused.value
    assert error.breaches == breaches
    assert (error.code, error.where) == sample.codes[0]
    assert str(error) == error.message == breaches[0].message
    assert isinstance(error, ScoringError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.with_gaps])
def test_tables_with_gaps_are_refused_strictly_and_scored_leniently(name):
    game, sample = GAMES[name], SAMPLES[name]
    for seed in range(20):
        table = sample.with_gaps(seeded(seed))
        assert game.status(table, lenient=True) == ()
        sheet = game.score(table, lenient=True)
        places = [f"[{city}].*[{row}][{column}]" for city, (row, column) in sheet.missing]
        refused = [breach for breach in game.status(table) if breach.code.startswith("missing-")]
        told = [breach.where.replace("$.cities", "") for breach in refused]
        assert [where.replace("grid", "*").replace("fields", "*") for where in told] == places


@pytest.mark.parametrize("name", SAMPLES)
@settings(max_examples=100)
@given(st.data())
def test_any_table_is_scored_or_refused_in_clear_words(name, data):
    game = GAMES[name]
    table, lenient = data.draw(SAMPLES[name].mangled), data.draw(st.booleans())
    breaches = game.status(table, lenient=lenient)
    for breach in breaches:
        assert breach.code.replace("-", "").isalpha()
        assert breach.where.startswith("$")
        assert len(breach.message) < 200
        assert "\n" not in breach.message
    if breaches:
        with pytest.raises(TableError):
            game.score(table, lenient=lenient)
    else:
        assert game.score(table, lenient=lenient).game == name
