"""Refused tables of City Blocks, with code and place."""

import pytest

from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks import list_breaches
from scoring.games.city_blocks.table import Building, PlayerTiles, Table
from tests.scoring.city_blocks_tables import BOX, EMPTY_BOARD, NO_VALUES_LEFT, board_of

HUGE = 10**5000  # too long to be written as text
FIVE, SIX = (1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11)


def found(table: Table) -> list[tuple[str, str]]:
    assert list_breaches(table, lenient=True) == list_breaches(table)
    return [(breach.code, breach.where) for breach in list_breaches(table)]


def with_plots(*plots: Building) -> Table:
    """A table whose board begins with some plots and is empty else."""
    return Table(board_of([*plots, *[None] * (30 - len(plots))]), **NO_VALUES_LEFT)


def blue(kind: Building, value: int | None = None) -> Building:
    return Building(Side.BLUE, kind, value)


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [(BuildingKind.HOUSE, 1, 5), (BuildingKind.SHOP, 2, 6), (BuildingKind.FACTORY, 3, 7)],
)
def test_buildings_have_the_values_of_the_box(kind, least, most):
    for value in range(least, most + 1):
        assert found(with_plots(blue(kind, value))) == []
    for value in (least - 1, most + 1, 0, -least, HUGE, -HUGE):
        (breach,) = list_breaches(with_plots(blue(kind, value)))
        assert (breach.code, breach.where) == ("value-out-of-range", "$.grid[0][0].value")
        assert dict(breach.values) == {"kind": kind.value, "least": least, "most": most}
    assert found(with_plots(blue(kind))) == [("missing-value", "$.grid[0][0]")]


@pytest.mark.parametrize("kind", ["school", "power-plant", "mall", "court"])
@pytest.mark.parametrize("value", [0, 3, pytest.param(HUGE, id="huge")])
def test_special_buildings_have_no_value(kind, value):
    table = with_plots(blue(BuildingKind(kind)), Building(Side.RED, BuildingKind(kind), value))
    assert found(table) == [("value-of-special", "$.grid[0][1].value")]


@pytest.mark.parametrize("plot", [plot for plot in BOX if plot.value is not None])
def test_each_player_has_one_building_of_each_value(plot):
    (breach,) = list_breaches(with_plots(plot, *[p for p in BOX[:20] if p != plot][:6], plot))
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
    others = [Building(side, BuildingKind(kind)) for side in Side for _ in range(supply)]
    assert found(with_plots(*others)) == []
    surplus = [Building(owner, BuildingKind(kind))] * 2
    first, second = list_breaches(with_plots(*others, *surplus))
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
    ("values", "wrong"),
    [
        ({}, ["no-values $"]),
        ({"row_values": FIVE}, ["half-the-values $.column_values"]),
        ({"column_values": SIX}, ["half-the-values $.row_values"]),
        (
            {"row_values": FIVE, "column_values": SIX, "collected": PlayerTiles()},
            ["values-and-collected $.collected"],
        ),
        (
            {"row_values": FIVE, "collected": PlayerTiles((1,), (2,))},
            ["values-and-collected $.collected"],
        ),
        ({"row_values": FIVE, "column_values": SIX}, []),
        ({"collected": PlayerTiles((1, 2), (3,))}, []),
        (
            {"row_values": FIVE[:4], "column_values": (*SIX, 12)},
            ["value-count $.row_values", "value-count $.column_values"],
        ),
        (
            {"row_values": (), "column_values": ()},
            ["value-count $.row_values", "value-count $.column_values"],
        ),
        (
            {"row_values": (1, 2, 3, None, 16), "column_values": (0, None, -1, HUGE, -HUGE, 15)},
            [
                "no-such-value-tile $.row_values[4]",
                *(f"no-such-value-tile $.column_values[{index}]" for index in (0, 2, 3, 4)),
            ],
        ),
        (
            {"row_values": (1, 2, None, None, 1), "column_values": (6, 2, None, None, 6, 15)},
            [
                "repeated-value-tile $.row_values[4]",
                "repeated-value-tile $.column_values[1]",
                "repeated-value-tile $.column_values[4]",
            ],
        ),
        (
            {"collected": PlayerTiles((4, 0, 4), (16, 4, HUGE))},
            [
                "no-such-value-tile $.collected.blue[1]",
                "repeated-value-tile $.collected.blue[2]",
                "no-such-value-tile $.collected.red[0]",
                "repeated-value-tile $.collected.red[1]",
                "no-such-value-tile $.collected.red[2]",
            ],
        ),
        ({"collected": PlayerTiles(FIVE, SIX)}, []),
        ({"collected": PlayerTiles((), (*FIVE, *SIX))}, []),
        ({"collected": PlayerTiles(FIVE, (*SIX, 12))}, ["too-many-collected $.collected"]),
    ],
)
def test_value_tiles_that_the_game_lacks_are_breaches(values, wrong):
    assert [" ".join(each) for each in found(Table(EMPTY_BOARD, **values))] == wrong


def test_breaches_say_what_is_meant_in_words():
    house, school = blue(BuildingKind.HOUSE, 3), blue(BuildingKind.SCHOOL)
    texts = [breach.message for breach in list_breaches(with_plots(house, house, *[school] * 3))]
    assert texts == [
        "a second blue house 3, but the game has one; correct one of them",
        "blue school number 3, but the game has 2; correct one of them",
    ]
