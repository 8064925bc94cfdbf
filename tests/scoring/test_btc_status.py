"""Which tables are refused, with what code and at what place."""

import dataclasses

import pytest
from btc_tables import dealt_table, example_table, seeded, table_of, two_player_table, with_gaps

from scoring.errors import ScoringError, TableError
from scoring.faces import Face
from scoring.games.between_two_cities import SUPPLY, score, status
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.table import City, Table, Variant

FULL = "SSSF/EBMD/OOPP/HHHH"
OTHER = "PPHH/SSPP/FFFF/FHBB"
EMPTY = "..../..../..../...."


def found(table: Table, *, lenient: bool = False) -> list[tuple[str, str]]:
    return [(breach.code, breach.where) for breach in status(table, lenient=lenient)]


def with_second_city(text: str) -> Table:
    return table_of(FULL, text, OTHER)


def of_duplexes(*duplexes, text: str = FULL) -> Table:
    city = City(parse_city(text).grid, duplexes)
    return Table((parse_city(OTHER), city, parse_city(OTHER)))


@pytest.mark.parametrize("seed", range(60))
def test_every_table_dealt_from_the_box_is_allowed(seed):
    assert status(dealt_table(seeded(seed))) == ()


def test_the_box_holds_108_single_tiles_and_24_duplex_tiles():
    assert sum(supply.singles for supply in SUPPLY.values()) == 108
    assert sum(supply.duplex_halves for supply in SUPPLY.values()) == 2 * 24


@pytest.mark.parametrize("count", [0, 1, 2, 8])
def test_number_of_cities(count):
    table = table_of(*["OOHH/PPSF/..../...."] * count)
    assert found(table, lenient=True) == [("city-count", "$.cities")]


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7])
def test_three_to_seven_cities_are_allowed(count):
    assert found(table_of(*["OOHH/PPSF/..../...."] * count), lenient=True) == []


@pytest.mark.parametrize(("count", "allowed"), [(3, False), (4, True), (5, False)])
def test_two_players_need_four_cities(count, allowed):
    table = table_of(*["OOHH/PPSF/..../...."] * count, variant=Variant.TWO_PLAYER)
    assert found(table, lenient=True) == ([] if allowed else [("city-count", "$.cities")])


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("SSSF/EBMD/OOPP", "row-count", "$.cities[1].grid"),
        ("SSSF/EBMD/OOPP/HHHH/HHHH", "row-count", "$.cities[1].grid"),
        ("SSSF/EBMD/OOP/HHHH", "row-length", "$.cities[1].grid[2]"),
        ("SSSF/EBMD/OOPPP/HHHH", "row-length", "$.cities[1].grid[2]"),
    ],
)
@pytest.mark.parametrize("lenient", [False, True])
def test_size_of_a_city(text, code, place, lenient):
    assert found(with_second_city(text), lenient=lenient) == [(code, place)]


def test_a_city_without_rows():
    table = Table((parse_city(FULL), City(()), parse_city(OTHER)))
    assert found(table, lenient=True) == [("row-count", "$.cities[1].grid")]


def test_a_missing_tile_is_refused_unless_asked_for():
    table = with_second_city("SS.F/EBMD/OOPP/HHH.")
    assert found(table) == [
        ("missing-tile", "$.cities[1].grid[0][2]"),
        ("missing-tile", "$.cities[1].grid[3][3]"),
    ]
    assert found(table, lenient=True) == []


@pytest.mark.parametrize("lenient", [False, True])
def test_a_city_without_any_tile_is_always_refused(lenient):
    expected = [("empty-city", "$.cities[1].grid")]
    assert found(with_second_city(EMPTY), lenient=lenient) == expected


@pytest.mark.parametrize(
    ("duplexes", "expected"),
    [
        ((), [("duplex-count", "$.cities[1].duplexes")]),
        ((((0, 0), (0, 1)),), [("duplex-count", "$.cities[1].duplexes")]),
        (
            (((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 0), (2, 1))),
            [("duplex-count", "$.cities[1].duplexes")],
        ),
        (
            (((0, 0), (0, 1)), ((3, 3), (4, 3))),
            [("duplex-off-grid", "$.cities[1].duplexes[1][1]")],
        ),
        (
            (((0, -1), (0, 0)), ((3, 2), (3, 3))),
            [("duplex-off-grid", "$.cities[1].duplexes[0][0]")],
        ),
        ((((0, 0), (1, 1)), ((3, 2), (3, 3))), [("duplex-apart", "$.cities[1].duplexes[0]")]),
        ((((0, 0), (0, 2)), ((3, 2), (3, 3))), [("duplex-apart", "$.cities[1].duplexes[0]")]),
        ((((0, 0), (0, 0)), ((3, 2), (3, 3))), [("duplex-apart", "$.cities[1].duplexes[0]")]),
        (
            (((0, 0), (0, 1)), ((1, 1), (0, 1))),
            [("duplex-overlap", "$.cities[1].duplexes[1][1]")],
        ),
        ((((0, 0), (0, 1)), ((3, 3), (2, 3))), []),
    ],
)
def test_duplex_tiles(duplexes, expected):
    assert found(of_duplexes(*duplexes)) == expected


def test_an_incomplete_city_may_state_fewer_duplex_tiles_but_not_more():
    gap = "SSS./EBMD/OOPP/HHHH"
    one, two, three = ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 0), (2, 1))
    assert found(of_duplexes(one, text=gap), lenient=True) == []
    assert found(of_duplexes(one, two, three, text=gap), lenient=True) == [
        ("duplex-count", "$.cities[1].duplexes")
    ]
    assert found(of_duplexes(one, text=FULL), lenient=True) == [
        ("duplex-count", "$.cities[1].duplexes")
    ]


def test_one_half_of_a_duplex_tile_may_be_missing_from_an_incomplete_city():
    duplexes = ((0, 2), (0, 3)), ((1, 0), (1, 1))
    assert found(of_duplexes(*duplexes, text="SSS./EBMD/OOPP/HHHH"), lenient=True) == []


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


@pytest.mark.parametrize(
    ("face", "supply"),
    [
        (Face.SHOP, 24),
        (Face.FACTORY, 24),
        (Face.TAVERN_FOOD, 7),
        (Face.TAVERN_BED, 7),
        (Face.TAVERN_MUSIC, 7),
        (Face.TAVERN_DRINK, 7),
        (Face.OFFICE, 28),
        (Face.PARK, 24),
        (Face.HOUSE, 28),
    ],
)
def test_no_face_lies_there_more_often_than_the_box_has_it(face, supply):
    assert found(cities_with(face, supply), lenient=True) == []
    (breach,) = status(cities_with(face, supply + 1), lenient=True)
    assert (breach.code, breach.where) == ("too-many-tiles", "$.cities")
    assert dict(breach.values) == {"given": supply + 1, "face": face.value, "allowed": supply}


def test_more_single_tiles_than_the_box_has():
    # 17 single shops, although 24 shops with those on duplex tiles would be allowed.
    cities = ["SSSS/SSEE/OOPP/HHHH 20-21,30-31"] * 2 + ["SSSS/SBBF/OOPP/HHHH 20-21,30-31"]
    assert found(table_of(*cities)) == [("too-many-singles", "$.cities")]
    assert found(table_of(*(city.partition(" ")[0] for city in cities))) == []


def test_more_duplex_halves_than_the_box_has():
    cities = ["SSSS/EBFF/OOPP/HHHH 00-01,02-03"] * 2 + ["SEBF/MDFF/OOPP/HHHH 00-01,02-03"]
    assert found(table_of(*cities)) == [("too-many-duplex-halves", "$.cities")]
    assert found(table_of(*(city.partition(" ")[0] for city in cities))) == []


def test_owners_are_for_two_players():
    table = dataclasses.replace(example_table(), owners=(0, 1, 1, 0))
    assert found(table) == [("owners-in-standard", "$.owners")]


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


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Ben", "Emily"), [("player-count", "$.players")]),
        (("Ben", "Emily", "Peter", "Margaux"), [("player-count", "$.players")]),
        (("Ben", "", "Peter"), [("empty-name", "$.players[1]")]),
        (("Ben", "Emily", " \t"), [("empty-name", "$.players[2]")]),
        (("Ben", "Emily", "Ben"), [("repeated-name", "$.players[2]")]),
        (("Ben", "Emily", "Ben "), [("repeated-name", "$.players[2]")]),
        (("Ben", "Emily", "ben"), []),
    ],
)
def test_names(names, expected):
    assert found(table_of(FULL, OTHER, FULL, players=names)) == expected


def test_two_players_have_two_names():
    assert found(two_player_table(players=("Ben", "Emily"))) == []
    assert found(two_player_table(players=("Ben", "Emily", "Peter", "Margaux"))) == [
        ("player-count", "$.players")
    ]


def test_all_breaches_are_found_at_once():
    table = table_of(
        "SSSF/EBMD/OOPP",
        "SSS./EBMD/OOPP/BBBB 00-01",
        owners=(0, 1),
        players=("Ben", "Ben", ""),
    )
    table = dataclasses.replace(table, cities=(*table.cities[:1], *table.cities[1:] * 7))
    codes = {code for code, _ in found(table)}
    assert codes == {
        "city-count",
        "row-count",
        "missing-tile",
        "duplex-count",
        "too-many-tiles",
        "owners-in-standard",
        "player-count",
    }


def test_breaches_say_what_is_meant_in_words_and_in_values():
    (breach,) = status(with_second_city("SSSF/EBMD/OOP/HHHH"))
    assert breach.message == "places in this row: 3 instead of 4; correct the row"
    assert dict(breach.values) == {"given": 3, "columns": 4}


def test_score_refuses_what_status_refuses_and_names_it_all():
    table = with_second_city("SS.F/EBMD/OOPP/HHH.")
    with pytest.raises(TableError) as refused:
        score(table)
    error = refused.value
    assert error.breaches == status(table)
    assert (error.code, error.where) == ("missing-tile", "$.cities[1].grid[0][2]")
    assert str(error) == error.message == error.breaches[0].message
    assert isinstance(error, ScoringError)
    assert isinstance(error, ValueError)


def test_a_lenient_score_names_the_missing_tiles():
    sheet = score(table_of(FULL, "SS.F/EBMD/OOPP/HHH.", "O.../..../..../...."), lenient=True)
    assert sheet.missing[:3] == ((1, (0, 2)), (1, (3, 3)), (2, (0, 1)))
    assert len(sheet.missing) == 2 + 15
    assert sheet.cities[1].points.shops == 5
    assert sheet.cities[2].total == 1


def test_a_complete_table_scores_the_same_leniently_and_misses_nothing():
    assert score(example_table(), lenient=True) == score(example_table())
    assert score(example_table()).missing == ()


@pytest.mark.parametrize("seed", range(20))
def test_a_table_with_gaps_is_refused_strictly_and_scored_leniently(seed):
    random = seeded(seed)
    table = with_gaps(dealt_table(random), random)
    assert status(table, lenient=True) == ()
    missing = [place for code, place in found(table) if code == "missing-tile"]
    sheet = score(table, lenient=True)
    assert [f"$.cities[{city}].grid[{row}][{column}]" for city, (row, column) in sheet.missing] == (
        missing
    )
