"""Final scores and what breaks ties: rulebook, "Spielende" and "Zwei-Spieler Variante".

Cities of a few tiles are scored leniently, so that each example shows what it is about.
"""

import pytest

from scoring.games.between_two_cities import cities_of_seats, score
from scoring.games.between_two_cities.score_sheet import ScoreSheet, TieBreaker
from scoring.games.between_two_cities.table import Variant
from scoring.ranking import TieBreak
from tests.scoring.btc_tables import table_of, two_player_table

ONE_PARK = "P.../..../..../...."  # 2 points
TWO_PARKS = "PP../..../..../...."  # 8 points
TWO_SHOPS = "SS../..../..../...."  # 5 points


def scored(*texts: str, **more) -> ScoreSheet:
    return score(table_of(*texts, **more), lenient=True)


def of_players(sheet: ScoreSheet, attribute: str) -> list:
    return [getattr(player, attribute) for player in sheet.players]


def test_names_are_in_seat_order_without_spaces_around_them():
    sheet = scored(*[ONE_PARK] * 3, players=(" Ben", "Emily\n", "P 3"))
    assert of_players(sheet, "name") == ["Ben", "Emily", "P 3"]


def test_the_higher_city_decides_before_the_counts():
    sheet = scored(TWO_PARKS, TWO_SHOPS, "SS.S/..../..../....", ONE_PARK)
    assert of_players(sheet, "final")[1:3] == [5, 5]
    assert of_players(sheet, "rank")[1:3] == [1, 2]  # though player 2 has more shops
    assert of_players(sheet, "tie_break")[1:3] == [
        TieBreak((2,), TieBreaker.HIGHER_CITY, own=8, other=7),
        TieBreak((1,), TieBreaker.HIGHER_CITY, own=7, other=8),
    ]


TIED_CITIES = [  # worth the same, with more of one type in the first
    (TieBreaker.SHOP_COUNT, "S.../..../..../....", ONE_PARK, 1, 0),
    (TieBreaker.FACTORY_COUNT, "F..F/..../..../....", TWO_PARKS, 2, 0),
    (TieBreaker.TAVERN_COUNT, "B..B/..../..../....", ONE_PARK, 2, 0),
    (TieBreaker.OFFICE_COUNT, "O.O./..../..../....", "O.P./..../..../....", 2, 1),
    (TieBreaker.PARK_COUNT, TWO_PARKS, "P.../HHHH/HH../....", 2, 1),
    (TieBreaker.HOUSE_COUNT, "S.S./H.../..../....", TWO_SHOPS, 1, 0),
]


@pytest.mark.parametrize(("by", "more", "fewer", "own", "other"), TIED_CITIES)
def test_two_players_are_told_apart_by_the_first_type_that_differs(by, more, fewer, own, other):
    empty_handed = "B.../..../..../...."  # both have one of these as well
    extra = int(by is TieBreaker.TAVERN_COUNT)
    sheet = scored(more, fewer, empty_handed, empty_handed, variant=Variant.TWO_PLAYER)
    assert sheet.players[0].final == sheet.players[1].final
    assert of_players(sheet, "rank") == [1, 2]
    assert sheet.players[0].tie_break == TieBreak((1,), by, own + extra, other + extra)


@pytest.mark.parametrize(
    ("owners", "left_and_right"),
    [
        (None, ((0, 3), (2, 1))),  # clockwise: left of 0, right of 1, left of 1, right of 0
        ((0, 1, 1, 0), ((0, 3), (2, 1))),
        ((1, 0, 0, 1), ((2, 1), (0, 3))),
        ((0, 0, 1, 1), ((1, 0), (3, 2))),
        ((1, 1, 0, 0), ((3, 2), (1, 0))),
        ((0, 1, 0, 1), ((0, 2), (1, 3))),  # not side by side: the first is the left one
    ],
)
def test_owners_of_the_four_cities_of_two_players(owners, left_and_right):
    table = two_player_table(owners=owners)
    assert cities_of_seats(table) == left_and_right
    sheet, totals = score(table), [56, 57, 62, 62]
    assert tuple(of_players(sheet, "cities")) == left_and_right
    finals = [totals[a] + totals[b] for a, b in left_and_right]
    assert of_players(sheet, "final") == finals
    assert sheet.winners == (finals.index(max(finals)),)
