"""The example game of the rulebook, "Beispielwertung" and "Wertungsbeispiele"."""

import pytest
from btc_tables import EXAMPLE_CITIES, example_table

from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.sheet import Category, ReasonKind, TieBreaker
from scoring.ranking import TieBreak

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


@pytest.mark.parametrize("name", PRINTED)
def test_points_of_each_city_are_the_printed_ones(name):
    assert tuple(city(name).points[category] for category in Category) == PRINTED[name]
    assert city(name).total == sum(PRINTED[name]) == int(name[:2])


@pytest.mark.parametrize(
    ("name", "category", "expected"),
    [
        (
            "56",
            Category.OFFICES,
            [(ReasonKind.OFFICE_SET, 15, 5), (ReasonKind.OFFICES_BY_TAVERN, 2, 2)],
        ),
        ("52", Category.HOUSES, [(ReasonKind.HOUSES, 8, 2), (ReasonKind.HOUSES_BY_FACTORY, 1, 1)]),
        (
            "57",
            Category.PARKS,
            [(ReasonKind.PARK_GROUP, *each) for each in ((2, 1), (8, 2), (12, 3))],
        ),
        ("56", Category.FACTORIES, []),
        ("57", Category.FACTORIES, [(ReasonKind.FACTORIES_MOST, 20, 5)]),
        ("62 with nine for factories", Category.FACTORIES, [(ReasonKind.FACTORIES_SECOND, 9, 3)]),
        ("62 with 25 for offices", Category.FACTORIES, [(ReasonKind.FACTORIES_FEWER, 4, 2)]),
        ("52", Category.FACTORIES, [(ReasonKind.FACTORIES_MOST, 20, 5)]),
        ("62 with 20 for houses", Category.FACTORIES, [(ReasonKind.FACTORIES_FEWER, 2, 1)]),
    ],
)
def test_the_printed_points_are_made_up_as_the_book_says(name, category, expected):
    found = [
        (reason.kind, reason.points, len(reason.cells))
        for reason in city(name).reasons
        if reason.category is category
    ]
    assert sorted(found) == sorted(expected)


def test_players_are_ranked_as_printed_and_the_sheet_says_how():
    sheet = score(example_table())
    assert [city.name for city in sheet.cities] == list("ABCDEF")
    assert [
        (player.name, player.cities, player.final, player.rank) for player in sheet.players
    ] == [
        ("Ben", (0, 5), 56, 3),
        ("Matthew", (1, 0), 56, 4),
        ("Anna Grace", (2, 1), 57, 2),
        ("Emily", (3, 2), 62, 1),
        ("Margaux", (4, 3), 52, 5),
        ("Peter", (5, 4), 52, 6),
    ]
    assert sheet.winners == (3,)
    higher, shops = TieBreaker.HIGHER_CITY, TieBreaker.SHOP_COUNT
    assert [player.tie_break for player in sheet.players] == [
        TieBreak((1,), higher, own=62, other=57),
        TieBreak((0,), higher, own=57, other=62),
        None,
        None,
        TieBreak((5,), shops, own=6, other=5),
        TieBreak((4,), shops, own=5, other=6),
    ]
