"""Final scores, ranks and ties: rulebook, "Wertung", "Unentschieden" and "Spielerzahl".

Small cities are scored leniently, so that each example shows what it is about.
"""

import pytest
from cities_tables import corner

from scoring.games.cities import score
from scoring.games.cities.sheet import PlayerScore, Points, Sheet, TieBreak, TouristScore
from scoring.games.cities.table import Table

# At level 1, a run of sights with a tourist at each beginning
TWO = "sS"
TWO_AND_TWO = "sS.sS"
THREE_AND_ONE = "sSS.s"
TWO_ONE_AND_ONE = "sS.s.s"
FOUR = "sSSS"


def scored(*texts: str, **more) -> Sheet:
    return score(Table(tuple(map(corner, texts)), **more), lenient=True)


def ranks(sheet: Sheet) -> list[int]:
    return [player.rank for player in sheet.players]


def tie_breaks(sheet: Sheet) -> list[TieBreak | None]:
    return [player.tie_break for player in sheet.players]


def test_the_highest_final_wins():
    sheet = scored(TWO, FOUR, "s", FOUR + "/..../p")
    assert [player.final for player in sheet.players] == [2, 4, 1, 5]
    assert ranks(sheet) == [3, 2, 4, 1]
    assert sheet.winners == (3,)
    assert tie_breaks(sheet) == [None] * 4


def test_one_who_plays_alone_wins():
    sheet = scored("s.p")
    assert (ranks(sheet), sheet.winners, tie_breaks(sheet)) == ([1], (0,), [None])


def test_with_more_sets_there_are_more_than_four_players():
    sheet = scored(*[TWO] * 9, FOUR)
    assert ranks(sheet) == [2] * 9 + [1]
    assert [player.name for player in sheet.players] == [f"P{number}" for number in range(1, 11)]


def test_names_are_in_seat_order():
    sheet = scored(TWO, FOUR, players=("Emily", "Ben"))
    assert [player.name for player in sheet.players] == ["Emily", "Ben"]


def test_a_player_of_the_sheet():
    player = scored("p,").players[0]
    assert player == PlayerScore(
        name="P1",
        final=1,
        rank=1,
        points=Points(sights=0, parks=1, cafes=0),
        tourists=(TouristScore((0, 0), 1), TouristScore((0, 1), 0)),
        reasons=player.reasons,
        tie_break=None,
    )


@pytest.mark.parametrize(
    ("better", "worse", "tourist", "own", "other"),
    [
        (FOUR, THREE_AND_ONE, 1, 4, 3),
        (THREE_AND_ONE, TWO_AND_TWO, 1, 3, 2),
        (TWO_AND_TWO, TWO_ONE_AND_ONE, 2, 2, 1),
        ("sS.sS/.....p", "sS.s/p.....p", 2, 2, 1),
        ("sS.sS.s", "sS.s/p.....p", 2, 2, 1),
        ("s.sS.sS", "sS.s/p./..s", 2, 2, 1),  # best first, in whatever order they are listed
        ("sS.sS.sS", "sS.sS.s/p", 3, 2, 1),
        ("sS.s.sS", "sS.s.s/.....p", 2, 2, 1),
    ],
)
def test_the_first_tourists_that_differ_decide_from_the_best_on(better, worse, tourist, own, other):
    sheet = scored(worse, better)
    assert sheet.players[0].final == sheet.players[1].final
    assert ranks(sheet) == [2, 1]
    assert sheet.winners == (1,)
    assert tie_breaks(sheet) == [
        TieBreak(against=(1,), tourist=tourist, own=other, other=own),
        TieBreak(against=(0,), tourist=tourist, own=own, other=other),
    ]


def test_the_sixth_tourist_is_the_last_who_can_decide():
    six_times_two = "sS.sS.sS/......../sS.sS.sS"
    with_two_of_one = "sS.sS.sS/......../sS.sS.s/......../s"
    sheet = scored(six_times_two, with_two_of_one)
    assert [player.final for player in sheet.players] == [12, 12]
    assert tie_breaks(sheet)[0] == TieBreak(against=(1,), tourist=6, own=2, other=1)


def test_a_tourist_who_is_not_there_is_worth_as_much_as_one_without_points():
    sheet = scored(TWO, "ss", "sS.c", "sS.,")
    assert [player.final for player in sheet.players] == [2, 2, 2, 2]
    assert ranks(sheet) == [1, 1, 1, 1]


def test_complete_equality_is_shared():
    sheet = scored(*[THREE_AND_ONE] * 3)
    assert ranks(sheet) == [1, 1, 1]
    assert sheet.winners == (0, 1, 2)
    assert tie_breaks(sheet) == [
        TieBreak(against=(1, 2)),
        TieBreak(against=(0, 2)),
        TieBreak(against=(0, 1)),
    ]
    assert all(player.tie_break.is_shared for player in sheet.players)


def test_players_without_a_point_share_too():
    assert scored("S", "SP", "c").winners == (0, 1, 2)


def test_sights_and_parks_of_the_same_points_are_equal():
    assert scored("sSS.p", "pPP.s").winners == (0, 1)


def test_of_several_tied_players_each_is_compared_with_the_nearest():
    sheet = scored(TWO_AND_TWO, FOUR, THREE_AND_ONE, TWO_ONE_AND_ONE)
    assert ranks(sheet) == [3, 1, 2, 4]
    assert tie_breaks(sheet) == [
        TieBreak(against=(2,), tourist=1, own=2, other=3),
        TieBreak(against=(2,), tourist=1, own=4, other=3),
        TieBreak(against=(1,), tourist=1, own=3, other=4),
        TieBreak(against=(0,), tourist=2, own=1, other=2),
    ]


def test_two_who_share_the_first_rank_leave_out_the_second():
    sheet = scored(FOUR, TWO_AND_TWO, FOUR, "s")
    assert ranks(sheet) == [1, 3, 1, 4]
    assert sheet.winners == (0, 2)
    assert tie_breaks(sheet) == [
        TieBreak(against=(2,)),
        TieBreak(against=(0, 2), tourist=1, own=2, other=4),
        TieBreak(against=(0,)),
        None,
    ]


def test_two_can_share_a_rank_behind_the_winner():
    sheet = scored(TWO_AND_TWO, TWO_AND_TWO, FOUR)
    assert ranks(sheet) == [2, 2, 1]
    assert sheet.winners == (2,)
    assert tie_breaks(sheet) == [
        TieBreak(against=(1,)),
        TieBreak(against=(0,)),
        TieBreak(against=(0, 1), tourist=1, own=4, other=2),
    ]


def test_the_level_decides_what_the_players_have():
    texts = ("sCC", "cWW", "pWW/.W")
    winners = {level: scored(*texts, level=level).winners for level in (1, 2, 3)}
    assert winners == {1: (0, 2), 2: (1,), 3: (0, 1, 2)}
