"""The streets printed in the rulebook, "Bonus verteilen", and a hand-checked board."""

import pytest

from scoring.faces import Side
from scoring.games.city_blocks import score
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.score_sheet import Basis, ReasonKind
from scoring.games.city_blocks.table import PlayerTiles, Table
from tests.scoring.city_blocks_tables import (
    EMPTY_BOARD,
    EXAMPLE_STREETS,
    EXAMPLE_TOTALS,
    example_table,
)


def first_row(text: str):
    """The street of a board on which only the first row is built, beside the value tile 7."""
    grid = (*parse_board(text), *EMPTY_BOARD[1:])
    return score(Table(grid, (7, None, None, None, None), (None,) * 6)).streets[0]


def summary_of(reason) -> tuple:
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
def test_streets_of_the_rulebook_have_the_printed_sums(text, blue, red, winner):
    street = first_row(text)
    assert (street.blue, street.red, street.winner, street.bonus) == (blue, red, winner, 7)


def test_the_example_is_scored_as_on_paper():
    sheet = score(example_table())
    assert [(s.blue, s.red, s.winner, s.bonus) for s in sheet.streets] == EXAMPLE_STREETS
    assert {side.value: sheet.totals[side] for side in Side} == EXAMPLE_TOTALS
    assert sheet.winners == (Side.BLUE,)
    assert (sheet.basis, sheet.tiles) == (Basis.STREETS, PlayerTiles((8, 1, 4, 10, 2), (11, 13)))


def test_reasons_name_what_counts_and_what_is_void_because_of_what():
    row = score(example_table()).streets[2]  # rH5 bP bS3 rM bF5 rF4
    assert [summary_of(reason) for reason in row.reasons] == [
        ("blue", ReasonKind.COUNTED, 3, ["shop 3 at 2,2"], []),
        ("blue", ReasonKind.FACTORIES_VOID, 0, ["factory 5 at 2,4"], ["mall 0 at 2,3"]),
        ("blue", ReasonKind.SPECIAL, 0, ["power-plant 0 at 2,1"], []),
        (
            "red", ReasonKind.HOUSES_VOID, 0, ["house 5 at 2,0"],
            ["power-plant 0 at 2,1", "mall 0 at 2,3"],
        ),
        ("red", ReasonKind.FACTORIES_VOID, 0, ["factory 4 at 2,5"], ["mall 0 at 2,3"]),
        ("red", ReasonKind.SPECIAL, 0, ["mall 0 at 2,3"], []),
    ]  # fmt: skip
