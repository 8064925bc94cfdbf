"""Final scores, ranks and ties: rulebook, "Spielende" and "Zwei-Spieler Variante".

Cities of a few tiles are scored leniently, so that each example shows what it is about.
"""

import pytest
from btc_tables import table_of, two_player_table

from scoring.games.between_two_cities import players_cities, score
from scoring.games.between_two_cities.sheet import PlayerScore, Sheet, TieBreak, TieBreaker
from scoring.games.between_two_cities.table import Variant

ONE_PARK = "P.../..../..../...."  # 2 points
TWO_PARKS = "PP../..../..../...."  # 8 points
TWO_SHOPS = "SS../..../..../...."  # 5 points
THREE_SHOPS_AND_A_HOUSE = "SS.S/..../..../H..."  # 5 + 2 + 1 = 8 points
FOUR_LONE_SHOPS = "S.S./.S../S.../...."  # 8 points


def scored(*texts: str, **more) -> Sheet:
    return score(table_of(*texts, **more), lenient=True)


def ranks(sheet: Sheet) -> list[int]:
    return [player.rank for player in sheet.players]


def tie_breaks(sheet: Sheet) -> list[TieBreak | None]:
    return [player.tie_break for player in sheet.players]


def test_final_is_the_lower_of_both_cities_and_the_highest_final_wins():
    sheet = scored(
        "SSSS/..../..../....",  # 16 points, between players 0 and 1
        "SS../..../..../....",  # 5
        "S.../..../..../....",  # 2
        "SSS./..../..../....",  # 10, between players 3 and 0
    )
    assert [player.final for player in sheet.players] == [10, 5, 2, 2]
    assert ranks(sheet)[:2] == [1, 2]
    assert sheet.winners == (0,)


def test_a_player_of_the_sheet():
    sheet = scored("SSSS/..../..../....", TWO_SHOPS, ONE_PARK)
    assert sheet.players[1] == PlayerScore("P2", cities=(1, 0), final=5, rank=1, tie_break=None)


def test_players_without_names_are_numbered():
    names = [player.name for player in scored(*[ONE_PARK] * 3).players]
    assert names == ["P1", "P2", "P3"]


def test_names_are_in_seat_order():
    sheet = scored(*[ONE_PARK] * 3, players=("Ben", "Emily", "Peter"))
    assert [player.name for player in sheet.players] == ["Ben", "Emily", "Peter"]


def test_complete_equality_is_shared():
    sheet = scored(*[ONE_PARK] * 3)
    assert ranks(sheet) == [1, 1, 1]
    assert sheet.winners == (0, 1, 2)
    assert tie_breaks(sheet) == [
        TieBreak(TieBreaker.SHARED, against=(1, 2)),
        TieBreak(TieBreaker.SHARED, against=(0, 2)),
        TieBreak(TieBreaker.SHARED, against=(0, 1)),
    ]


def test_the_higher_city_decides_before_the_counts():
    sheet = scored(TWO_PARKS, TWO_SHOPS, "SS.S/..../..../....", ONE_PARK)
    higher = TieBreaker.HIGHER_CITY
    assert [player.final for player in sheet.players[1:3]] == [5, 5]
    assert ranks(sheet)[1:3] == [1, 2]  # though player 2 has more shops
    assert tie_breaks(sheet)[1:3] == [
        TieBreak(higher, against=(2,), own=8, other=7),
        TieBreak(higher, against=(1,), own=7, other=8),
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
    extra = 1 if by is TieBreaker.TAVERN_COUNT else 0
    sheet = scored(more, fewer, empty_handed, empty_handed, variant=Variant.TWO_PLAYER)
    assert sheet.players[0].final == sheet.players[1].final
    assert ranks(sheet) == [1, 2]
    assert tie_breaks(sheet) == [
        TieBreak(by, against=(1,), own=own + extra, other=other + extra),
        TieBreak(by, against=(0,), own=other + extra, other=own + extra),
    ]


@pytest.mark.parametrize(("by", "more", "fewer", "own", "other"), TIED_CITIES)
def test_neighbours_are_told_apart_by_the_first_type_that_differs(by, more, fewer, own, other):
    # Players 1 and 2 share a city worth nothing, a lone house, and each have a better one.
    worthless = "H.../..../..../...."
    sheet = scored(more, worthless, fewer)
    assert [player.final for player in sheet.players[1:]] == [0, 0]
    extra = 1 if by is TieBreaker.HOUSE_COUNT else 0
    assert ranks(sheet) == [1, 2, 3]
    assert tie_breaks(sheet) == [
        None,
        TieBreak(by, against=(2,), own=own + extra, other=other + extra),
        TieBreak(by, against=(1,), own=other + extra, other=own + extra),
    ]


def test_of_several_tied_players_each_is_compared_with_the_nearest():
    sheet = scored(TWO_PARKS, FOUR_LONE_SHOPS, THREE_SHOPS_AND_A_HOUSE)
    shops = TieBreaker.SHOP_COUNT
    assert [player.final for player in sheet.players] == [8, 8, 8]
    assert ranks(sheet) == [3, 2, 1]
    assert tie_breaks(sheet) == [
        TieBreak(shops, against=(1,), own=3, other=4),
        TieBreak(shops, against=(2,), own=4, other=7),
        TieBreak(shops, against=(1,), own=7, other=4),
    ]


def test_two_who_share_the_first_rank_leave_out_the_second():
    sheet = scored(TWO_PARKS, TWO_PARKS, FOUR_LONE_SHOPS)
    assert ranks(sheet) == [1, 3, 1]
    assert sheet.winners == (0, 2)
    assert tie_breaks(sheet) == [
        TieBreak(TieBreaker.SHARED, against=(2,)),
        TieBreak(TieBreaker.SHOP_COUNT, against=(0, 2), own=0, other=4),
        TieBreak(TieBreaker.SHARED, against=(0,)),
    ]


def test_two_can_share_a_rank_behind_the_winner():
    sheet = scored(FOUR_LONE_SHOPS, FOUR_LONE_SHOPS, TWO_PARKS)
    assert ranks(sheet) == [2, 1, 2]
    assert sheet.winners == (1,)
    assert tie_breaks(sheet) == [
        TieBreak(TieBreaker.SHARED, against=(2,)),
        TieBreak(TieBreaker.SHOP_COUNT, against=(0, 2), own=8, other=4),
        TieBreak(TieBreaker.SHARED, against=(0,)),
    ]


def test_two_players_add_up_both_cities():
    sheet = score(two_player_table())  # cities of 56, 57, 62 and 62 points
    assert [city.total for city in sheet.cities] == [56, 57, 62, 62]
    assert [player.final for player in sheet.players] == [56 + 62, 57 + 62]
    assert sheet.winners == (1,)
    assert sheet.variant is Variant.TWO_PLAYER


def test_two_players_rank_factories_over_all_four_cities():
    texts = ("FFF./..../..../....", "FF../..../..../....", "F.../..../..../....", ONE_PARK)
    sheet = scored(*texts, variant=Variant.TWO_PLAYER)
    assert [city.points.factories for city in sheet.cities] == [12, 6, 2, 0]


def test_two_players_do_not_compare_their_higher_cities():
    seven_parks = "PPPP/PPP./..../...."  # 16 points
    three_shops = "SSS./..../..../...."  # 10 points
    sheet = scored(seven_parks, three_shops, TWO_PARKS, ONE_PARK, variant=Variant.TWO_PLAYER)
    assert [player.final for player in sheet.players] == [18, 18]
    assert ranks(sheet) == [2, 1]
    assert sheet.players[1].tie_break == TieBreak(
        TieBreaker.SHOP_COUNT, against=(0,), own=3, other=0
    )


def test_two_players_with_equal_tiles_share():
    sheet = scored(*[ONE_PARK] * 4, variant=Variant.TWO_PLAYER)
    assert sheet.winners == (0, 1)
    assert tie_breaks(sheet) == [
        TieBreak(TieBreaker.SHARED, against=(1,)),
        TieBreak(TieBreaker.SHARED, against=(0,)),
    ]


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
    assert players_cities(table) == left_and_right
    players = score(table).players
    assert tuple(player.cities for player in players) == left_and_right
    totals = [56, 57, 62, 62]
    assert [p.final for p in players] == [totals[a] + totals[b] for a, b in left_and_right]
