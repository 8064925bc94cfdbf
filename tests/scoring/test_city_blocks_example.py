"""The streets printed in the rulebook, "Bonus verteilen", and a hand-checked board."""

from dataclasses import replace

import pytest
from city_blocks_tables import (
    EMPTY_BOARD,
    EXAMPLE_COLUMN_VALUES,
    EXAMPLE_ROW_VALUES,
    EXAMPLE_STREETS,
    EXAMPLE_TOTALS,
    NO_VALUES_LEFT,
    collected_table,
    example_table,
)

from scoring.faces import Side
from scoring.games.city_blocks import score
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.sheet import Basis, ReasonKind, StreetLine
from scoring.games.city_blocks.table import Collected, Table


def first_row(text: str):
    """The street of a board on which only the first row is built, beside the value tile 7."""
    grid = (*parse_board(text), *EMPTY_BOARD[1:])
    return score(Table(grid, (7, None, None, None, None), (None,) * 6)).streets[0]


def said(reason) -> tuple:
    """A reason in short: whose, which, what it counts, the buildings, what voids them."""

    def words(buildings):
        return [f"{b.kind} {b.value} at {b.cell[0]},{b.cell[1]}" for b in buildings]

    return (reason.side, reason.kind, reason.points, words(reason.buildings), words(reason.void_by))


@pytest.mark.parametrize(
    ("text", "blue", "red", "winner"),
    [
        ("bS2 rS4 rC bH3 rH2 bC", 5, 6, "red"),  # Adams Blvd.: a court has the value 0
        ("bH1 rF3 bE rF7 bF4 rC", 1, 0, "blue"),  # Buchanan Blvd.: a school voids factories
        ("rH5 bP bS3 rM bF5 rF4", 3, 0, "blue"),  # Cleveland Blvd.: power plant and mall
    ],
)
def test_printed_streets(text, blue, red, winner):
    street = first_row(text)
    assert (street.blue, street.red, street.winner, street.bonus) == (blue, red, winner, 7)


@pytest.mark.parametrize(
    ("special", "blue", "red"),
    [
        ("C", 3 + 4 + 5, 2 + 3 + 0),
        ("E", 3 + 4, 2 + 3),  # schools: no factories
        ("P", 4 + 5, 3 + 0),  # power plants: no houses
        ("M", 4, 3),  # malls: neither
    ],
)
@pytest.mark.parametrize("owner", "br")
def test_special_buildings_void_those_of_both_players(special, blue, red, owner):
    street = first_row(f"bH3 bS4 bF5 rH2 rS3 {owner}{special}")
    assert (street.blue, street.red) == (blue, red)


def test_the_example_is_scored_as_on_paper():
    sheet = score(example_table())
    assert [(s.blue, s.red, s.winner, s.bonus) for s in sheet.streets] == EXAMPLE_STREETS
    assert {side.value: sheet.totals[side] for side in Side} == EXAMPLE_TOTALS
    assert sheet.winners == (Side.BLUE,)
    assert (sheet.basis, sheet.tiles) == (Basis.STREETS, Collected((8, 1, 4, 10, 2), (11, 13)))


def test_streets_are_listed_rows_first_with_the_tile_beside_each():
    streets = score(example_table()).streets
    assert [(street.line, street.index) for street in streets] == [
        *((StreetLine.ROW, row) for row in range(5)),
        *((StreetLine.COLUMN, column) for column in range(6)),
    ]
    assert tuple(street.value for street in streets) == EXAMPLE_ROW_VALUES + EXAMPLE_COLUMN_VALUES
    assert [street.index for street in streets if not street.full] == [4, 1]


def test_equal_totals_are_a_shared_victory():
    table = replace(example_table(), column_values=(*EXAMPLE_COLUMN_VALUES[:-1], 14))
    sheet = score(table)
    assert (sheet.totals.blue, sheet.totals.red) == (25, 25)
    assert sheet.winners == (Side.BLUE, Side.RED)


def test_an_empty_board_awards_nothing():
    sheet = score(Table(EMPTY_BOARD, **NO_VALUES_LEFT))
    assert (sheet.totals.blue, sheet.totals.red, sheet.winners) == (0, 0, tuple(Side))
    assert all(street.reasons == () and not street.full for street in sheet.streets)


def test_collected_tiles_are_counted_and_the_streets_shown_without_bonus():
    sheet = score(collected_table())
    assert sheet.basis is Basis.COLLECTED
    assert sheet.tiles == collected_table().collected
    assert {side.value: sheet.totals[side] for side in Side} == EXAMPLE_TOTALS
    expected = [(blue, red, winner, 0) for blue, red, winner, _ in EXAMPLE_STREETS]
    assert [(s.blue, s.red, s.winner, s.bonus) for s in sheet.streets] == expected
    assert {street.value for street in sheet.streets} == {None}


@pytest.mark.parametrize(
    ("collected", "winners"),
    [
        (Collected((1,), (2,)), [Side.RED]),
        (Collected((1, 2), (3,)), [*Side]),
        (Collected(), [*Side]),
    ],
)
def test_collected_tiles_decide_whatever_stands_on_the_board(collected, winners):
    assert list(score(replace(collected_table(), collected=collected)).winners) == winners


def test_reasons_name_what_counts_and_what_is_void_because_of_what():
    row = score(example_table()).streets[2]  # rH5 bP bS3 rM bF5 rF4
    assert [said(reason) for reason in row.reasons] == [
        ("blue", ReasonKind.COUNTED, 3, ["shop 3 at 2,2"], []),
        ("blue", ReasonKind.FACTORIES_VOID, 0, ["factory 5 at 2,4"], ["mall 0 at 2,3"]),
        ("blue", ReasonKind.SPECIAL, 0, ["power-plant 0 at 2,1"], []),
        (
            "red",
            ReasonKind.HOUSES_VOID,
            0,
            ["house 5 at 2,0"],
            ["power-plant 0 at 2,1", "mall 0 at 2,3"],
        ),
        ("red", ReasonKind.FACTORIES_VOID, 0, ["factory 4 at 2,5"], ["mall 0 at 2,3"]),
        ("red", ReasonKind.SPECIAL, 0, ["mall 0 at 2,3"], []),
    ]
