"""Which tables are refused, with what code and at what place."""

from dataclasses import replace

import pytest
from city_blocks_tables import (
    BOX,
    EMPTY_BOARD,
    NO_VALUES_LEFT,
    board_of,
    collected_table,
    example_table,
)
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import Breach, TableError
from scoring.faces import Building, Side
from scoring.games.city_blocks import score, status
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.table import Collected, Plot, Table

HUGE = 10**5000  # too long to be written as text
FIVE, SIX = (1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11)


def found(table: Table) -> list[tuple[str, str]]:
    assert status(table, lenient=True) == status(table)
    return [(breach.code, breach.where) for breach in status(table)]


def with_plots(*plots: Plot) -> Table:
    """A table whose board begins with some plots and is empty else."""
    return Table(board_of([*plots, *[None] * (30 - len(plots))]), **NO_VALUES_LEFT)


def blue(kind: Building, value: int | None = None) -> Plot:
    return Plot(Side.BLUE, kind, value)


@pytest.mark.parametrize("table", [example_table(), collected_table()])
def test_the_examples_are_allowed(table):
    assert found(table) == []


def test_empty_plots_and_tiles_that_are_gone_are_allowed():
    assert found(Table(EMPTY_BOARD, **NO_VALUES_LEFT)) == []
    assert found(Table(EMPTY_BOARD, collected=Collected())) == []


@pytest.mark.parametrize("half", [BOX[:30], BOX[10:]])
def test_all_that_is_in_the_box_may_be_built(half):
    assert found(with_plots(*half)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "-- -- -- -- -- -- / " * 3 + "-- -- -- -- -- --",
            [("row-count", "$.grid")],
        ),
        (
            "-- -- -- -- -- -- / " * 5 + "-- -- -- -- -- --",
            [("row-count", "$.grid")],
        ),
        (
            "-- -- -- -- -- / " + "-- -- -- -- -- -- / " * 3 + "-- -- -- -- -- -- --",
            [("row-length", "$.grid[0]"), ("row-length", "$.grid[4]")],
        ),
    ],
)
def test_size_of_the_board(text, expected):
    assert found(Table(parse_board(text), **NO_VALUES_LEFT)) == expected


def test_a_board_without_rows_or_plots():
    assert found(Table((), **NO_VALUES_LEFT)) == [("row-count", "$.grid")]
    rows = [("row-length", f"$.grid[{row}]") for row in range(5)]
    assert found(Table(((),) * 5, **NO_VALUES_LEFT)) == rows


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [(Building.HOUSE, 1, 5), (Building.SHOP, 2, 6), (Building.FACTORY, 3, 7)],
)
def test_values_of_buildings(kind, least, most):
    for value in range(least, most + 1):
        assert found(with_plots(blue(kind, value))) == []
    for value in (least - 1, most + 1, 0, -least, HUGE, -HUGE):
        (breach,) = status(with_plots(blue(kind, value)))
        assert (breach.code, breach.where) == ("value-out-of-range", "$.grid[0][0].value")
        assert dict(breach.values) == {"kind": kind.value, "least": least, "most": most}
    assert found(with_plots(blue(kind))) == [("missing-value", "$.grid[0][0]")]


@pytest.mark.parametrize("kind", ["school", "power-plant", "mall", "court"])
@pytest.mark.parametrize("value", [0, 3, pytest.param(HUGE, id="huge")])
def test_special_buildings_have_no_value(kind, value):
    table = with_plots(blue(Building(kind)), Plot(Side.RED, Building(kind), value))
    assert found(table) == [("value-of-special", "$.grid[0][1].value")]


@pytest.mark.parametrize("plot", [plot for plot in BOX if plot.value is not None])
def test_each_player_has_one_building_of_each_value(plot):
    (breach,) = status(with_plots(plot, *[p for p in BOX[:20] if p != plot][:6], plot))
    assert (breach.code, breach.where) == ("repeated-building", "$.grid[1][1]")
    assert dict(breach.values) == {
        "owner": plot.owner.value,
        "kind": plot.kind.value,
        "value": plot.value,
    }


@pytest.mark.parametrize(
    ("kind", "supply"), [("school", 2), ("power-plant", 1), ("mall", 1), ("court", 1)]
)
@pytest.mark.parametrize("owner", Side)
def test_supply_of_special_buildings(kind, supply, owner):
    others = [Plot(side, Building(kind)) for side in Side for _ in range(supply)]
    assert found(with_plots(*others)) == []
    surplus = [Plot(owner, Building(kind))] * 2
    first, second = status(with_plots(*others, *surplus))
    assert first.code == second.code == "too-many-buildings"
    assert [first.where, second.where] == [
        f"$.grid[0][{column}]" for column in (2 * supply, 2 * supply + 1)
    ]
    assert dict(second.values) == {
        "owner": owner.value,
        "kind": kind,
        "given": supply + 2,
        "allowed": supply,
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, [("no-values", "$")]),
        ({"row_values": FIVE}, [("half-the-values", "$.column_values")]),
        ({"column_values": SIX}, [("half-the-values", "$.row_values")]),
        (
            {"row_values": FIVE, "column_values": SIX, "collected": Collected()},
            [("values-and-collected", "$.collected")],
        ),
        (
            {"row_values": FIVE, "collected": Collected((1,), (2,))},
            [("values-and-collected", "$.collected")],
        ),
        ({"row_values": FIVE, "column_values": SIX}, []),
        ({"collected": Collected((1, 2), (3,))}, []),
        (
            {"row_values": FIVE[:4], "column_values": (*SIX, 12)},
            [("value-count", "$.row_values"), ("value-count", "$.column_values")],
        ),
        (
            {"row_values": (), "column_values": ()},
            [("value-count", "$.row_values"), ("value-count", "$.column_values")],
        ),
        (
            {"row_values": (1, 2, 3, None, 16), "column_values": (0, None, -1, HUGE, -HUGE, 15)},
            [
                ("no-such-value-tile", "$.row_values[4]"),
                ("no-such-value-tile", "$.column_values[0]"),
                ("no-such-value-tile", "$.column_values[2]"),
                ("no-such-value-tile", "$.column_values[3]"),
                ("no-such-value-tile", "$.column_values[4]"),
            ],
        ),
        (
            {"row_values": (1, 2, None, None, 1), "column_values": (6, 2, None, None, 6, 15)},
            [
                ("repeated-value-tile", "$.row_values[4]"),
                ("repeated-value-tile", "$.column_values[1]"),
                ("repeated-value-tile", "$.column_values[4]"),
            ],
        ),
        (
            {"collected": Collected((4, 0, 4), (16, 4, HUGE))},
            [
                ("no-such-value-tile", "$.collected.blue[1]"),
                ("repeated-value-tile", "$.collected.blue[2]"),
                ("no-such-value-tile", "$.collected.red[0]"),
                ("repeated-value-tile", "$.collected.red[1]"),
                ("no-such-value-tile", "$.collected.red[2]"),
            ],
        ),
        ({"collected": Collected(FIVE, SIX)}, []),
        ({"collected": Collected((), (*FIVE, *SIX))}, []),
        ({"collected": Collected(FIVE, (*SIX, 12))}, [("too-many-collected", "$.collected")]),
    ],
)
def test_value_tiles(values, expected):
    assert found(Table(EMPTY_BOARD, **values)) == expected


def test_all_breaches_are_found_at_once():
    grid = parse_board("bH6 rS2 rS2 bH / bE bE bE rC5 -- -- --")
    table = Table(grid, (16, 3), (3, None, None, None, None, None), Collected((7,), (7,)))
    assert found(table) == [
        ("row-count", "$.grid"),
        ("row-length", "$.grid[0]"),
        ("row-length", "$.grid[1]"),
        ("value-out-of-range", "$.grid[0][0].value"),
        ("missing-value", "$.grid[0][3]"),
        ("value-of-special", "$.grid[1][3].value"),
        ("repeated-building", "$.grid[0][2]"),
        ("too-many-buildings", "$.grid[1][2]"),
        ("values-and-collected", "$.collected"),
        ("value-count", "$.row_values"),
        ("no-such-value-tile", "$.row_values[0]"),
        ("repeated-value-tile", "$.column_values[0]"),
        ("repeated-value-tile", "$.collected.red[0]"),
    ]


def test_breaches_say_what_is_meant_in_words():
    house, school = blue(Building.HOUSE, 3), blue(Building.SCHOOL)
    texts = [breach.message for breach in status(with_plots(house, house, *[school] * 3))]
    assert texts == [
        "a second blue house 3, but the game has one; correct one of them",
        "blue school number 3, but the game has 2; correct one of them",
    ]


def test_score_refuses_what_status_refuses_and_names_it_all():
    table = replace(example_table(), row_values=(16, 0, None, None, None))
    with pytest.raises(TableError) as refused:
        score(table)
    assert refused.value.breaches == status(table)
    assert len(refused.value.breaches) == 2
    assert (refused.value.code, refused.value.where) == ("no-such-value-tile", "$.row_values[0]")


ints = st.integers(-1, 17) | st.sampled_from([HUGE, -HUGE])
plots = st.builds(
    Plot, st.sampled_from(Side), st.sampled_from(Building), st.none() | st.integers(0, 8) | ints
)
grids = st.lists(
    st.lists(st.none() | plots, min_size=5, max_size=7).map(tuple), min_size=4, max_size=6
)
value_lists = st.none() | st.lists(st.none() | ints, max_size=7).map(tuple)
tile_heaps = st.lists(ints, max_size=8).map(tuple)
mangled = st.builds(
    Table,
    grids.map(tuple) | st.just(EMPTY_BOARD) | st.just(example_table().grid),
    value_lists | st.just(FIVE),
    value_lists | st.just(SIX),
    st.none() | st.builds(Collected, tile_heaps, tile_heaps),
)


@given(mangled)
def test_any_table_is_scored_or_refused_in_clear_words(table):
    breaches = status(table)
    for breach in breaches:
        assert isinstance(breach, Breach)
        assert breach.code.replace("-", "").isalpha()
        assert breach.where.startswith("$")
        assert len(breach.message) < 150
        assert "\n" not in breach.message
    if breaches:
        with pytest.raises(TableError):
            score(table)
    else:
        assert len(score(table).streets) == 11
