"""Refused tables of Cities, with code and place."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.faces import Cell
from scoring.games.cities import LEVELS, list_breaches, score
from scoring.games.cities.notation import parse_city
from scoring.games.cities.table import City, Table
from tests.scoring.cities_tables import ALL_CELLS, table_of

FULL = "/".join(["SSCPPWWS", "SCCPPWWS"] * 4)

HUGE = 10**5000  # too long to be written as text


def found(table: Table, *, lenient: bool = False) -> list[tuple[str, str]]:
    return [(breach.code, breach.where) for breach in list_breaches(table, lenient=lenient)]


def with_second_city(text: str) -> Table:
    return table_of(FULL, text, FULL)


def with_tourists(*tourists: Cell, text: str = FULL) -> Table:
    return Table((parse_city(FULL), City(parse_city(text).fields, tourists)))


@pytest.mark.parametrize("level", [0, 4, -1, HUGE, -HUGE], ids=["0", "4", "-1", "huge", "-huge"])
@pytest.mark.parametrize("lenient", [False, True])
def test_other_levels_are_refused(level, lenient):
    (breach,) = list_breaches(table_of(FULL, level=level), lenient=lenient)
    assert (breach.code, breach.where) == ("unknown-level", "$.level")
    assert breach.message == "the game has no such level; choose one of 1, 2, 3"


@pytest.mark.parametrize("count", [0, 1, 5, 20])
def test_any_number_of_players_from_one_on(count):
    expected = [] if count else [("city-count", "$.cities")]
    assert all(found(table_of(*[FULL] * count, level=level)) == expected for level in LEVELS)


def test_surplus_cells_are_refused_for_their_number_alone():
    table = with_second_city(f"{FULL}.../........")
    assert found(table) == [
        ("row-count", "$.cities[1].fields"),
        ("row-length", "$.cities[1].fields[7]"),
    ]


def test_seven_tourists_are_allowed_and_eight_are_not():
    dry = [cell for cell in ALL_CELLS if cell[1] not in (5, 6)]
    assert found(with_tourists(*dry[:7])) == []
    (breach,) = list_breaches(with_tourists(*dry[:8]))
    assert (breach.code, breach.where) == ("too-many-tourists", "$.cities[1].tourists")
    assert dict(breach.values) == {"given": 8, "allowed": 7}


@pytest.mark.parametrize(
    "cell", [(-1, 0), (0, -1), (8, 0), (0, 8), (8, 8), (HUGE, 0), (0, HUGE), (-HUGE, -HUGE)]
)
@pytest.mark.parametrize("lenient", [False, True])
def test_a_tourist_off_the_board(cell, lenient):
    expected = [("tourist-off-grid", "$.cities[1].tourists[1]")]
    assert found(with_tourists((0, 0), cell), lenient=lenient) == expected


def test_tourists_off_the_board_are_not_said_to_share_a_field():
    off = [("tourist-off-grid", f"$.cities[1].tourists[{index}]") for index in (0, 1)]
    assert found(with_tourists((HUGE, 0), (HUGE, 0))) == off


@pytest.mark.parametrize("cell", [(0, 5), (7, 6)])
def test_a_tourist_on_water(cell):
    expected = [("tourist-on-water", "$.cities[1].tourists[1]")]
    assert found(with_tourists((0, 0), cell)) == expected
    assert found(with_tourists((0, 0), cell), lenient=True) == expected


def test_two_tourists_on_one_field():
    table = with_tourists((0, 0), (7, 7), (0, 0), (7, 7), (0, 0))
    assert found(table) == [
        ("field-taken", f"$.cities[1].tourists[{index}]") for index in (2, 3, 4)
    ]
    assert dict(list_breaches(table)[0].values) == {"row": 1, "column": 1}
    table = with_tourists((0, 2), text="SS.PPWWS" + FULL[8:])
    assert found(table) == [("missing-field", "$.cities[1].fields[0][2]")]
    assert found(table, lenient=True) == []


numbers = st.integers(-2, 9) | st.integers()


@given(st.lists(st.tuples(numbers, numbers), max_size=9).map(tuple), numbers)
def test_any_tourists_in_a_finished_city_are_scored_or_refused(tourists, level):
    table = replace(with_tourists(*tourists), level=level)
    allowed = (
        level in (1, 2, 3)
        and len(tourists) == len(set(tourists)) <= 7
        and all(cell in ALL_CELLS and cell[1] not in (5, 6) for cell in tourists)
    )
    assert (list_breaches(table) == ()) == allowed
    if allowed:
        assert len(score(table).players[1].tourists) == len(tourists)
