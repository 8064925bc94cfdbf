"""Standings of an evening, by example and by properties that hold for all games."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.club.standings import Scoring, club_standings
from firmware.wording.ranges import Range
from tests.club.club_samples import club_game

NAMES = ("Ann", "ben", "Cleo", "P1", "P2", "Red")


@st.composite
def club_games(draw):
    """Games of two tables, some of them open, in the order in which they were played."""
    games = []
    for seq in range(1, draw(st.integers(1, 6)) + 1):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
        points = {name: draw(st.integers(30, 60)) for name in names}
        table, spread = draw(st.sampled_from(("", "other"))), draw(st.integers(0, 9))
        games.append(club_game(seq, points, table=table, spread=spread))
    return games


SCORINGS = st.sampled_from(Scoring)
some = settings(max_examples=20)


def ranking(*games, scoring=Scoring.WINS):
    return [(each.name, each.rank) for each in club_standings(games, scoring)]


def test_wins_decide_first():
    games = (
        club_game(1, {"Ann": 50, "Ben": 40, "Cleo": 30}),
        club_game(2, {"Dan": 50, "Ben": 40, "Ann": 30}),
        club_game(3, {"Ann": 50, "Ben": 40}),
    )
    assert ranking(*games)[:2] == [("Ann", 1), ("Dan", 2)]


def test_place_points_decide_first_if_that_is_chosen():
    games = (
        club_game(1, {"Ann": 50, "Ben": 40}),
        club_game(2, {"Dan": 50, "Ben": 40, "Eve": 30, "Fay": 20, "Gil": 10}),
    )
    assert ranking(*games, scoring=Scoring.PLACE_POINTS)[:2] == [("Dan", 1), ("Ben", 2)]


def test_shared_victory_is_a_win_for_each():
    rows = club_standings([club_game(1, {"Ann": 50, "Ben": 50, "Cleo": 40})], Scoring.WINS)
    assert [(each.wins, each.place_points) for each in rows] == [
        (Range(1, 1), Range(1, 1)),
        (Range(1, 1), Range(1, 1)),
        (Range(0, 0), Range(0, 0)),
    ]


def test_players_who_are_equal_in_everything_share_a_rank():
    assert ranking(club_game(1, {"Ben": 50, "Ann": 50})) == [("Ann", 1), ("Ben", 1)]


def test_same_name_at_two_tables_is_one_person():
    rows = club_standings(
        [
            club_game(1, {"Ann Lee": 50, "Ben": 40}),
            club_game(1, {" ann  LEE": 50, "Cleo": 40}, table="other"),
        ],
        Scoring.WINS,
    )
    assert (rows[0].games, rows[0].table) == (2, None)


def test_nameless_players_of_two_tables_are_not_mixed_up():
    rows = club_standings(
        [club_game(1, {"P1": 50, "P2": 40}), club_game(1, {"P1": 50, "P2": 40}, table="other")],
        Scoring.WINS,
    )
    assert sorted((each.name, each.table) for each in rows) == [
        ("P1", ""),
        ("P1", "other"),
        ("P2", ""),
        ("P2", "other"),
    ]


def test_open_game_leaves_ranges():
    first, second = club_standings([club_game(1, {"Ann": 50, "Ben": 48}, spread=2)], Scoring.WINS)
    assert first.wins == second.wins == Range(0, 1)
    assert first.rank_range == Range(1, 2)
    assert first.mean_bounds == (48, 52)
    assert first.is_open


def test_latest_game_moves_players():
    games = [club_game(1, {"Ann": 50, "Ben": 40}), club_game(2, {"Ben": 90, "Cleo": 40})]
    rows = club_standings(games, Scoring.WINS)
    assert [(each.name, each.moved) for each in rows] == [("Ben", 1), ("Ann", -1), ("Cleo", 0)]


def test_latest_ranks_begin_with_the_last_game():
    games = [club_game(seq, {"Ann": 50, "Ben": 40 + 20 * (seq > 6)}) for seq in range(1, 8)]
    ann = next(each for each in club_standings(games, Scoring.WINS) if each.name == "Ann")
    assert ann.last_ranks == (Range(2, 2), *[Range(1, 1)] * 4)


def test_points_of_several_kinds_of_games_are_not_compared():
    games = [
        club_game(1, {"Ann": 50, "Ben": 40}),
        club_game(1, {"Ben": 150, "Ann": 40}, table="other", game="cities"),
    ]
    rows = club_standings(games, Scoring.WINS)
    assert [(each.mean, each.rank) for each in rows] == [(None, 1), (None, 1)]


def test_without_games_nobody_stands():
    assert club_standings([], Scoring.WINS) == []


@some
@given(club_games(), SCORINGS)
def test_each_player_stands_once_with_all_games(games, scoring):
    rows = club_standings(games, scoring)
    assert sum(each.games for each in rows) == sum(len(game.players) for game in games)
    assert max(Counter((each.name, each.table) for each in rows).values()) == 1


@some
@given(club_games(), SCORINGS)
def test_rank_and_mean_as_read_are_within_their_ranges(games, scoring):
    for each in club_standings(games, scoring):
        assert each.rank_range.least <= each.rank <= each.rank_range.most
        if each.mean_bounds is not None:
            assert each.mean_bounds[0] <= each.mean <= each.mean_bounds[1]


@some
@given(club_games(), SCORINGS)
def test_places_of_all_are_the_pairs_at_most(games, scoring):
    pairs = sum(len(game.players) * (len(game.players) - 1) // 2 for game in games)
    rows = club_standings(games, scoring)
    assert sum(each.place_points.least for each in rows) <= pairs


@some
@given(club_games(), SCORINGS, st.randoms(use_true_random=False))
def test_order_of_the_games_changes_no_rank(games, scoring, random):
    shuffled = random.sample(games, len(games))

    def ranks_by_player(rows):
        return {(each.name.casefold(), each.table): each.rank for each in rows}

    assert ranks_by_player(club_standings(games, scoring)) == ranks_by_player(
        club_standings(shuffled, scoring)
    )


@some
@given(club_games(), SCORINGS)
def test_any_outcome_of_open_games_is_within_the_ranges(games, scoring):
    """Settle each open game in favour of its last player, and compare."""
    settled = []
    for game in games:
        points = {
            one.name: one.points_range.most if one is game.players[-1] else one.points_range.least
            for one in game.players
        }
        settled.append(club_game(game.seq, points, table=game.table))
    bounds = {(each.name.casefold(), each.table): each for each in club_standings(games, scoring)}
    for each in club_standings(settled, scoring):
        bound = bounds[each.name.casefold(), each.table]
        assert bound.rank_range.least <= each.rank <= bound.rank_range.most
        assert bound.wins.least <= each.wins.least <= bound.wins.most
        assert bound.place_points.least <= each.place_points.least <= bound.place_points.most


@pytest.mark.parametrize("scoring", Scoring)
def test_certain_games_leave_nothing_open(scoring):
    rows = club_standings([club_game(1), club_game(2, {"Ben": 50, "Cleo": 40})], scoring)
    assert not any(each.is_open for each in rows)


def test_two_spellings_in_one_game_are_two_players():
    rows = club_standings([club_game(1, {"Ann": 50, "ann": 40})], Scoring.WINS)
    assert sorted((each.name, each.rank) for each in rows) == [("Ann", 1), ("ann", 2)]
