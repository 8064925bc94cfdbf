"""The example game of the rulebook, "Beispielwertung" and "Wertungsbeispiele"."""

import pytest
from btc_tables import EXAMPLE_CITIES, example_table

from scoring.faces import Face
from scoring.games.between_two_cities import score, status
from scoring.games.between_two_cities.sheet import Category, ReasonKind, TieBreak, TieBreaker

PRINTED = {  # shops, factories, taverns, offices, parks, houses
    "56": (16, 0, 1, 17, 10, 12),
    "57": (2, 20, 1, 0, 22, 12),
    "62 with nine for factories": (2, 9, 17, 1, 8, 25),
    "62 with 25 for offices": (16, 4, 17, 25, 0, 0),
    "52": (5, 20, 2, 0, 16, 9),
    "62 with 20 for houses": (10, 2, 17, 5, 8, 20),
}


def city(name: str):
    return score(example_table()).cities[list(EXAMPLE_CITIES).index(name)]


def points_by_reason(name: str, category: Category) -> list[tuple[ReasonKind, int, int]]:
    return [
        (reason.kind, reason.points, len(reason.cells))
        for reason in city(name).reasons
        if reason.category is category
    ]


def test_the_rules_allow_the_example():
    assert status(example_table()) == ()


@pytest.mark.parametrize("name", PRINTED)
def test_points_of_each_city_are_the_printed_ones(name):
    assert tuple(city(name).points[category] for category in Category) == PRINTED[name]
    assert city(name).total == sum(PRINTED[name]) == int(name[:2])


def test_cities_are_named_in_the_order_of_the_table():
    assert [city.name for city in score(example_table()).cities] == list("ABCDEF")


def test_the_offices_of_the_56_city_are_15_and_2_beside_the_tavern():
    assert points_by_reason("56", Category.OFFICES) == [
        (ReasonKind.OFFICE_SET, 15, 5),
        (ReasonKind.OFFICES_BY_TAVERN, 2, 2),
    ]


def test_the_houses_of_the_52_city_are_two_at_4_and_one_beside_a_factory():
    assert points_by_reason("52", Category.HOUSES) == [
        (ReasonKind.HOUSES, 8, 2),
        (ReasonKind.HOUSES_BY_FACTORY, 1, 1),
    ]


def test_the_parks_of_the_57_city_are_groups_of_3_1_and_2():
    assert sorted(points_by_reason("57", Category.PARKS), reverse=True) == [
        (ReasonKind.PARK_GROUP, 12, 3),
        (ReasonKind.PARK_GROUP, 8, 2),
        (ReasonKind.PARK_GROUP, 2, 1),
    ]


def test_factories_are_ranked_over_the_whole_table():
    kinds = {name: points_by_reason(name, Category.FACTORIES) for name in EXAMPLE_CITIES}
    assert kinds == {
        "56": [],
        "57": [(ReasonKind.FACTORIES_MOST, 20, 5)],
        "62 with nine for factories": [(ReasonKind.FACTORIES_SECOND, 9, 3)],
        "62 with 25 for offices": [(ReasonKind.FACTORIES_FEWER, 4, 2)],
        "52": [(ReasonKind.FACTORIES_MOST, 20, 5)],
        "62 with 20 for houses": [(ReasonKind.FACTORIES_FEWER, 2, 1)],
    }


def test_finals_are_the_printed_ones_and_emily_wins():
    sheet = score(example_table())
    assert {player.name: player.final for player in sheet.players} == {
        "Ben": 56,
        "Matthew": 56,
        "Margaux": 52,
        "Anna Grace": 57,
        "Peter": 52,
        "Emily": 62,
    }
    assert [sheet.players[index].name for index in sheet.winners] == ["Emily"]


def test_every_player_has_the_next_city_clockwise_on_the_left():
    assert [player.cities for player in score(example_table()).players] == [
        (0, 5),
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 4),
    ]


def test_equal_finals_are_told_apart_and_the_sheet_says_how():
    players = {player.name: player for player in score(example_table()).players}
    assert {name: player.rank for name, player in players.items()} == {
        "Emily": 1,
        "Anna Grace": 2,
        "Ben": 3,
        "Matthew": 4,
        "Margaux": 5,
        "Peter": 6,
    }
    higher, shops = TieBreaker.HIGHER_CITY, TieBreaker.SHOP_COUNT
    assert players["Emily"].tie_break is None
    assert players["Anna Grace"].tie_break is None
    assert players["Ben"].tie_break == TieBreak(higher, against=(1,), own=62, other=57)
    assert players["Matthew"].tie_break == TieBreak(higher, against=(0,), own=57, other=62)
    assert players["Margaux"].tie_break == TieBreak(shops, against=(5,), own=6, other=5)
    assert players["Peter"].tie_break == TieBreak(shops, against=(4,), own=5, other=6)


def test_the_shops_counted_in_the_tie_are_those_that_lie_there():
    table = example_table()
    peter = score(table).players[5]
    faces = [face for index in peter.cities for row in table.cities[index].grid for face in row]
    assert faces.count(Face.SHOP) == peter.tie_break.own
