"""Final scores and what breaks ties: rulebook, "Wertung", "Unentschieden" and "Spielerzahl".

Small cities are scored leniently, so that each example shows what it is about.
"""

import pytest

from scoring.games.cities import score
from scoring.games.cities.score_sheet import ScoreSheet
from scoring.games.cities.table import Table
from scoring.ranking import TieBreak
from tests.scoring.cities_tables import corner

# At level 1, a run of sights with a tourist at each beginning
TWO = "sS"
TWO_AND_TWO = "sS.sS"
THREE_AND_ONE = "sSS.s"
FOUR = "sSSS"


def scored(*texts: str, **more) -> ScoreSheet:
    return score(Table(tuple(map(corner, texts)), **more), lenient=True)


def of_players(sheet: ScoreSheet, attribute: str) -> list:
    return [getattr(player, attribute) for player in sheet.players]


def test_names_are_in_seat_order():
    assert of_players(scored(TWO, FOUR, players=("Emily", "Ben ")), "name") == ["Emily", "Ben"]


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
