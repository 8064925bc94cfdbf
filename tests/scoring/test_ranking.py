"""Ranks and ties from the standings of the players: the same for every game that ranks them."""

import pytest

from scoring.ranking import TieBreak, explain_tie, rank_of
from tests.scoring.dealing import seeded


def ranks(standings):
    return [rank_of(player, standings) for player in range(len(standings))]


def tie_breaks(standings):
    return [explain_tie(player, standings) for player in range(len(standings))]


@pytest.mark.parametrize(
    ("standings", "expected_ranks", "expected_tie_breaks"),
    [
        ([(7,)], [1], [None]),
        ([(2, 9), (4, 0), (1, 5)], [2, 1, 3], [None, None, None]),
        # the first place that differs decides, though a later one says otherwise
        ([(5, 8, 1), (5, 7, 9)], [1, 2], [((1,), 1, 8, 7), ((0,), 1, 7, 8)]),
        ([(5, 8, 1), (5, 8, 2)], [2, 1], [((1,), 2, 1, 2), ((0,), 2, 2, 1)]),
        # complete equality is shared
        ([(5, 8)] * 3, [1, 1, 1], [((1, 2),), ((0, 2),), ((0, 1),)]),
        # each is compared with the nearest better one, the best with the next worse
        ([(8, 3), (8, 4), (8, 7)], [3, 2, 1], [((1,), 1, 3, 4), ((2,), 1, 4, 7), ((1,), 1, 7, 4)]),
        # two who share the first rank leave out the second
        ([(8, 4), (8, 0), (8, 4)], [1, 3, 1], [((2,),), ((0, 2), 1, 0, 4), ((0,),)]),
        # two share a rank behind the winner
        ([(8, 4), (8, 6), (8, 4)], [2, 1, 2], [((2,),), ((0, 2), 1, 6, 4), ((0,),)]),
    ],
)
def test_ranks_and_what_decides(standings, expected_ranks, expected_tie_breaks):
    assert ranks(standings) == expected_ranks
    assert tie_breaks(standings) == [
        None if expected is None else TieBreak(*expected) for expected in expected_tie_breaks
    ]


def test_tie_breaks_agree_with_the_ranks():
    random = seeded(1)
    for _ in range(300):
        standings = [
            tuple(random.randrange(2) for _place in range(3))
            for _player in range(random.randint(1, 6))
        ]
        for player, own in enumerate(standings):
            tie = explain_tie(player, standings)
            equal = [other for other in standings if other[0] == own[0]]
            assert (tie is None) == (len(equal) == 1)
            if tie is not None:
                rivals = {standings[index] for index in tie.against}
                (rival,) = rivals
                assert rival[0] == own[0]
                assert (tie.by is None) == (rival == own)
                if tie.by is not None:
                    assert (tie.own, tie.other) == (own[tie.by], rival[tie.by])
                    assert own[: tie.by] == rival[: tie.by]
                    better = rank_of(player, standings) < rank_of(tie.against[0], standings)
                    assert (tie.own > tie.other) == better
