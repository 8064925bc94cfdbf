"""Final scores and what breaks ties: rulebook, "Wertung", "Unentschieden" and "Spielerzahl".

Small cities are scored leniently, so that each example shows what it is about.
"""

import pytest
from cities_tables import corner

from scoring.games.cities import score
from scoring.games.cities.sheet import Category, PlayerScore, Sheet, TouristScore
from scoring.games.cities.table import Table
from scoring.ranking import TieBreak

# At level 1, a run of sights with a tourist at each beginning
TWO = "sS"
TWO_AND_TWO = "sS.sS"
THREE_AND_ONE = "sSS.s"
FOUR = "sSSS"


def scored(*texts: str, **more) -> Sheet:
    return score(Table(tuple(map(corner, texts)), **more), lenient=True)


def of_players(sheet: Sheet, attribute: str) -> list:
    return [getattr(player, attribute) for player in sheet.players]


def test_the_highest_final_wins():
    sheet = scored(TWO, FOUR, "s", FOUR + "/..../p")
    assert of_players(sheet, "final") == [2, 4, 1, 5]
    assert of_players(sheet, "rank") == [3, 2, 4, 1]
    assert (sheet.winners, of_players(sheet, "tie_break")) == ((3,), [None] * 4)


def test_one_who_plays_alone_wins():
    assert scored("s.p").winners == (0,)


def test_with_more_sets_there_are_more_than_four_players():
    sheet = scored(*[TWO] * 9, FOUR)
    assert of_players(sheet, "rank") == [2] * 9 + [1]
    assert of_players(sheet, "name") == [f"P{number}" for number in range(1, 11)]


def test_names_are_in_seat_order():
    assert of_players(scored(TWO, FOUR, players=("Emily", "Ben ")), "name") == ["Emily", "Ben"]


def test_a_player_of_the_sheet():
    player = scored("p,").players[0]
    assert player == PlayerScore(
        name="P1",
        final=1,
        rank=1,
        points={Category.SIGHTS: 0, Category.PARKS: 1, Category.CAFES: 0},
        tourists=(TouristScore((0, 0), 1), TouristScore((0, 1), 0)),
        reasons=player.reasons,
        tie_break=None,
    )


@pytest.mark.parametrize(
    ("better", "worse", "tourist", "own", "other"),
    [
        (FOUR, THREE_AND_ONE, 1, 4, 3),
        (THREE_AND_ONE, TWO_AND_TWO, 1, 3, 2),
        (TWO_AND_TWO, "sS.s.s", 2, 2, 1),
        ("sS.sS/.....p", "sS.s/p.....p", 2, 2, 1),
        ("sS.sS.s", "sS.s/p.....p", 2, 2, 1),
        ("s.sS.sS", "sS.s/p./..s", 2, 2, 1),  # best first, in whatever order they are listed
        ("sS.sS.sS", "sS.sS.s/p", 3, 2, 1),
        ("sS.s.sS", "sS.s.s/.....p", 2, 2, 1),
        # the sixth is the last who can decide
        ("sS.sS.sS/......../sS.sS.sS", "sS.sS.sS/......../sS.sS.s/......../s", 6, 2, 1),
    ],
)
def test_the_first_tourists_that_differ_decide_from_the_best_on(better, worse, tourist, own, other):
    sheet = scored(worse, better)
    assert sheet.players[0].final == sheet.players[1].final
    assert of_players(sheet, "rank") == [2, 1]
    assert sheet.players[1].tie_break == TieBreak((0,), tourist, own, other)


@pytest.mark.parametrize(
    "texts",
    [
        [TWO, "ss", "sS.c", "sS.,"],  # a tourist who is not there is worth as much as one without
        [THREE_AND_ONE] * 3,
        ["S", "SP", "c"],  # players without a point
        ["sSS.p", "pPP.s"],  # sights and parks of the same points
    ],
)
def test_who_has_the_same_points_shares(texts):
    sheet = scored(*texts)
    assert sheet.winners == tuple(range(len(texts)))
    assert {tie_break.by for tie_break in of_players(sheet, "tie_break")} == {None}


def test_the_level_decides_what_the_players_have():
    texts = ("sCC", "cWW", "pWW/.W")
    winners = {level: scored(*texts, level=level).winners for level in (1, 2, 3)}
    assert winners == {1: (0, 2), 2: (1,), 3: (0, 1, 2)}
