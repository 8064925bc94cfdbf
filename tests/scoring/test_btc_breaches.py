"""Refused tables of Between Two Cities, with code and place."""

import pytest

from scoring.faces import Face
from scoring.games.between_two_cities import SUPPLY, list_breaches
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.table import City, Table, Variant
from tests.scoring.btc_tables import table_of, two_player_table

FULL = "SSSF/EBMD/OOPP/HHHH"
OTHER = "PPHH/SSPP/FFFF/FHBB"


def found(table: Table, *, lenient: bool = False) -> list[tuple[str, str]]:
    return [(breach.code, breach.where) for breach in list_breaches(table, lenient=lenient)]


def with_second_city(text: str) -> Table:
    return table_of(FULL, text, OTHER)


def of_duplexes(*duplexes, text: str = FULL) -> Table:
    city = City(parse_city(text).grid, duplexes)
    return Table((parse_city(OTHER), city, parse_city(OTHER)))


def test_the_box_holds_108_single_tiles_and_24_duplex_tiles():
    assert sum(supply.singles for supply in SUPPLY.values()) == 108
    assert sum(supply.duplex_halves for supply in SUPPLY.values()) == 2 * 24


@pytest.mark.parametrize(
    ("variant", "allowed"), [(Variant.STANDARD, range(3, 8)), (Variant.TWO_PLAYER, [4])]
)
def test_wrong_number_of_cities_is_a_breach(variant, allowed):
    for count in range(10):
        table = table_of(*["OHPS/..../..../...."] * count, variant=variant)
        expected = [] if count in allowed else [("city-count", "$.cities")]
        assert found(table, lenient=True) == expected


ONE, TWO, THREE = ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 0), (2, 1))
GAP = "SSS./EBMD/OOPP/HHHH"


@pytest.mark.parametrize(
    ("duplexes", "code", "place"),
    [
        ((), "duplex-count", ""),
        ((ONE,), "duplex-count", ""),
        ((ONE, TWO, THREE), "duplex-count", ""),
        ((ONE, ((3, 3), (4, 3))), "duplex-off-grid", "[1][1]"),
        ((((0, -1), (0, 0)), TWO), "duplex-off-grid", "[0][0]"),
        ((((0, 0), (1, 1)), THREE), "duplex-apart", "[0]"),
        ((((0, 0), (0, 2)), THREE), "duplex-apart", "[0]"),
        ((((0, 0), (0, 0)), THREE), "duplex-apart", "[0]"),
        ((ONE, ((1, 1), (0, 1))), "duplex-overlap", "[1][1]"),
        ((ONE, ((3, 3), (2, 3))), None, ""),
    ],
)
def test_impossible_duplex_tiles_are_breaches(duplexes, code, place):
    expected = [] if code is None else [(code, f"$.cities[1].duplexes{place}")]
    assert found(of_duplexes(*duplexes)) == expected


@pytest.mark.parametrize(
    ("duplexes", "text", "allowed"),
    [
        ((ONE,), GAP, True),
        ((ONE, TWO, THREE), GAP, False),
        ((ONE,), FULL, False),
        ((((0, 2), (0, 3)), TWO), GAP, True),  # one half of the first one is missing
    ],
)
def test_an_incomplete_city_may_state_fewer_duplex_tiles_but_not_more(duplexes, text, allowed):
    expected = [] if allowed else [("duplex-count", "$.cities[1].duplexes")]
    assert found(of_duplexes(*duplexes, text=text), lenient=True) == expected


def cities_with(face: Face, count: int) -> Table:
    """A lenient table of 7 cities on which ``face`` lies ``count`` times."""
    cells = [face] * count + [None] * (7 * 16 - count)
    filler = Face.PARK if face is not Face.PARK else Face.HOUSE
    cities = []
    for index in range(7):
        own = cells[index::7]
        own[-1] = filler  # no city is empty
        cities.append(City(tuple(tuple(own[row : row + 4]) for row in range(0, 16, 4))))
    return Table(tuple(cities))


@pytest.mark.parametrize("face", Face)
def test_no_face_lies_there_more_often_than_the_box_has_it(face):
    supply = {"tavern": 7, "office": 28, "house": 28}.get(face.partition("-")[0], 24)
    assert found(cities_with(face, supply), lenient=True) == []
    (breach,) = list_breaches(cities_with(face, supply + 1), lenient=True)
    assert (breach.code, breach.where) == ("too-many-tiles", "$.cities")
    assert dict(breach.values) == {"given": supply + 1, "face": face.value, "allowed": supply}


@pytest.mark.parametrize(
    ("cities", "code"),
    [
        # 17 single shops, although 24 shops with those on duplex tiles would be allowed
        (
            ["SSSS/SSEE/OOPP/HHHH 20-21,30-31"] * 2 + ["SSSS/SBBF/OOPP/HHHH 20-21,30-31"],
            "too-many-singles",
        ),
        (
            ["SSSS/EBFF/OOPP/HHHH 00-01,02-03"] * 2 + ["SEBF/MDFF/OOPP/HHHH 00-01,02-03"],
            "too-many-duplex-halves",
        ),
    ],
)
def test_more_single_tiles_or_halves_than_the_box_has(cities, code):
    assert found(table_of(*cities)) == [(code, "$.cities")]
    assert found(table_of(*(city.partition(" ")[0] for city in cities))) == []


@pytest.mark.parametrize(
    ("owners", "expected"),
    [
        ((0, 1, 1), [("owner-count", "$.owners")]),
        ((0, 1, 1, 0, 0), [("owner-count", "$.owners")]),
        ((), [("owner-count", "$.owners")]),
        ((0, 1, 2, 0), [("unknown-owner", "$.owners[2]")]),
        ((-1, 1, 1, 2), [("unknown-owner", "$.owners[0]"), ("unknown-owner", "$.owners[3]")]),
        ((0, 1, 1, 1), [("uneven-owners", "$.owners"), ("uneven-owners", "$.owners")]),
    ],
)
def test_owners_of_two_players(owners, expected):
    assert found(two_player_table(owners=owners)) == expected


def test_breaches_say_what_is_meant_in_words_and_in_values():
    (breach,) = list_breaches(with_second_city("SSSF/EBMD/OOP/HHHH"))
    assert breach.message == "places in this row: 3 instead of 4; correct the row"
    assert dict(breach.values) == {"given": 3, "columns": 4}
    assert found(two_player_table(players=("Ben", "Emily"))) == []
    assert found(two_player_table(players=("Ben", "Emily", "Peter", "Margaux"))) == [
        ("player-count", "$.players")
    ]
