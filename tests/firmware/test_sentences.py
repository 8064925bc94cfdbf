"""Every reason and every tie-break has its sentence."""

import pytest

from firmware.games.between_two_cities.words import (
    category_name,
    face_name,
    reason_sentence,
    tie_break_sentence,
)
from scoring.faces import Face
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.sheet import (
    Category,
    Reason,
    ReasonKind,
    TieBreaker,
)
from scoring.games.between_two_cities.table import Table
from scoring.ranking import TieBreak
from tests.firmware.fake_eye import EXAMPLE


def sentences(*cities: str) -> list[str]:
    """What is said of the first of these cities."""
    sheet = score(Table(tuple(map(parse_city, cities))))
    return [reason_sentence(reason) for reason in sheet.cities[0].reasons]


def test_of_cities_of_the_rulebook():
    assert sentences(*EXAMPLE) == [
        "4 shops in row 1",
        "1 tavern on its own",
        "set of 5 offices",
        "2 offices beside a tavern: 1 more each",
        "2 connected parks",
        "1 park on its own",
        "3 houses at 4, for shops, taverns, offices, parks",
    ]
    assert sentences(EXAMPLE[4], *EXAMPLE[:4])[-2:] == [
        "2 houses at 4, for shops, factories, taverns, parks",
        "1 house beside a factory, at 1",
    ]


def test_shops_in_a_column_are_told_from_shops_in_a_row():
    others = ("OOOO/PPPP/HHHH/OOOO", "OOOO/PPPP/HHHH/PPPP")
    assert sentences("SPOO/SPOO/SPOO/HHHH", *others)[0] == "3 shops in column 1"
    assert sentences("SSPO/PPOO/HHOO/HHHH", *others)[0] == "2 shops in row 1"
    assert sentences("SPPO/PPOO/HHOO/HHHH", *others)[0] == "1 shop on its own"


def test_factories_are_compared_with_the_other_cities():
    cities = ("FFFO/OOOO/HHHH/PPPP", "FFOO/OOOO/HHHH/PPPP", "FOOO/SSSS/BBBB/PPPP")
    sheet = score(Table(tuple(map(parse_city, cities))))
    said = [reason_sentence(city.reasons[0]) for city in sheet.cities[:2]]
    assert said == [
        "3 factories at 4: the most of all cities",
        "2 factories at 3: the second most of all cities",
    ]
    last = next(r for r in sheet.cities[2].reasons if r.category is Category.FACTORIES)
    assert reason_sentence(last) == "1 factory at 2: fewer than in other cities"


def test_houses_alone_in_a_city_are_worth_nothing():
    said = reason_sentence(Reason(Category.HOUSES, ReasonKind.HOUSES, 0, ((0, 0), (0, 1)), each=0))
    assert said == "2 houses, but no other building type in the city"


@pytest.mark.parametrize("kind", ReasonKind)
@pytest.mark.parametrize("count", [1, 2])
def test_every_kind_of_reason_says_how_many_tiles_it_is_about(kind, count):
    cells = tuple((0, column) for column in range(count))
    reason = Reason(Category.HOUSES, kind, 5, cells, each=3, types=(Category.PARKS,))
    said = reason_sentence(reason)
    assert str(count) in said
    assert "{" not in said


@pytest.mark.parametrize("by", [*TieBreaker, None])
def test_every_tie_break_names_the_rivals(by):
    numbers = {} if by is None else {"own": 7, "other": 5}
    said = tie_break_sentence(TieBreak((0, 2), by, **numbers), ["Ben", "Emily", "Peter"])
    assert "Ben, Peter" in said
    assert all(str(number) in said for number in numbers.values())


def test_all_names_differ():
    assert len({face_name(face) for face in Face}) == len(Face)
    assert len({category_name(category) for category in Category}) == len(Category)
