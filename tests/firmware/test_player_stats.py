"""Figures about one player, over games that are dealt at random."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.history import StoredScan, WallTime, make_record
from firmware.history.player_names import with_name_replaced, with_names
from firmware.history.player_stats import (
    compute_career,
    find_streaks,
    rival_among,
    summarize_players,
)
from tests.firmware.history_samples import START, record
from tests.firmware.samples import example

MANY = settings(max_examples=12)
NAMES = ("Ann", "Ben", "Cid", "Dan", "P1", "P2", "Red")


@st.composite
def some_games(draw):
    """Games of named and nameless players, some without a date."""
    games = []
    for seq in range(1, draw(st.integers(1, 12)) + 1):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
        finals = [draw(st.integers(20, 60)) for _ in names]
        players = [
            {"name": name, "final": final, "rank": 1 + sum(other > final for other in finals)}
            for name, final in zip(names, finals, strict=True)
        ]
        winners = [seat for seat, one in enumerate(players) if one["rank"] == 1]
        at = START + timedelta(days=draw(st.integers(-400, 400)))
        played = record(table={"players": names}, sheet={"players": players, "winners": winners})
        games.append(StoredScan(seq, WallTime(at, known=draw(st.booleans())), played))
    return games


def careers(games):
    return {one.name: compute_career(games, one.name) for one in summarize_players(games)}


@settings(MANY)
@given(some_games())
def test_nameless_players_are_nobody(games):
    assert {"P1", "P2", "Red"}.isdisjoint(careers(games))
    assert all(compute_career(games, name) is None for name in ("P1", "Red", "nobody"))


@settings(MANY)
@given(some_games())
def test_list_and_page_of_a_player_agree(games):
    for one in summarize_players(games):
        career = compute_career(games, one.name)
        assert (career.games, career.wins) == (one.games, one.wins)


@settings(MANY)
@given(some_games())
def test_head_to_head_is_the_same_from_both_sides(games):
    found = careers(games)
    for name, career in found.items():
        for other in career.opponents:
            (back,) = (one for one in found[other.name].opponents if one.name == name)
            assert (other.games, other.ahead, other.behind) == (
                back.games,
                back.behind,
                back.ahead,
            )
            assert other.ahead + other.behind <= other.games


@settings(MANY)
@given(some_games())
def test_every_game_is_in_a_month_or_without_a_date(games):
    for career in careers(games).values():
        assert sum(one.games for one in career.months.values()) + career.undated == career.games
        assert list(career.months) == sorted(career.months)


@settings(MANY)
@given(some_games())
def test_sizes_and_kinds_of_games_add_up(games):
    for career in careers(games).values():
        assert sum(one.games for one in career.sizes.values()) == career.games
        assert sum(one.wins for one in career.sizes.values()) == career.wins
        assert sum(len(one.played) for one in career.by_game) == career.games


@settings(MANY)
@given(some_games(), st.randoms(use_true_random=False))
def test_order_in_which_games_are_given_does_not_matter(games, random):
    shuffled = random.sample(games, len(games))
    assert careers(shuffled) == careers(games)


@settings(MANY)
@given(some_games())
def test_nobody_was_ahead_more_often_than_the_rival(games):
    for career in careers(games).values():
        most = max((one.behind for one in career.opponents), default=0)
        assert (career.rival.behind if career.rival else 0) == most
        assert career.rival == rival_among(reversed(career.opponents))


@settings(MANY)
@given(some_games())
def test_own_best_game_has_the_most_points(games):
    for career in careers(games).values():
        for each in career.by_game:
            assert each.best.points == max(one.points for one in each.played)
            assert each.average <= each.best.points


@settings(MANY)
@given(some_games())
def test_renamed_player_has_the_same_figures(games):
    renamed = [
        replace(game, record=with_name_replaced(game.record, "Ann", "Zoe")) for game in games
    ]
    before, after = compute_career(games, "Ann"), compute_career(renamed, "Zoe")
    assert (before is None) == (after is None)
    if before is not None:
        assert after == replace(before, name="Zoe")


@given(st.lists(st.booleans()))
def test_streaks_are_the_longest_runs(won):
    streaks = find_streaks(won)
    written = "".join("W" if each else "L" for each in won)
    assert "W" * streaks.longest in written
    assert "W" * (streaks.longest + 1) not in written
    assert "L" * streaks.drought in written
    assert "L" * (streaks.drought + 1) not in written
    assert streaks.current == len(written) - len(written.rstrip("W"))


def between_two_cities(*names):
    stored = with_names(make_record(example()), names)
    return StoredScan(1, WallTime(START, known=True), stored)


def test_cities_count_with_the_player_beside():
    game = between_two_cities("Ann", "Ben", "Cid", "Dan", "Eve", "Fay")
    (career,) = compute_career([game], "Ann").by_game
    assert {one.name for one in career.partners} == {"Ben", "Fay"}
    cities = game.record.sheet["cities"]
    own = game.record.sheet["players"][0]["cities"]
    assert sorted(one.best for one in career.partners) == sorted(
        cities[index]["total"] for index in own
    )


def test_buildings_are_those_of_both_own_cities():
    game = between_two_cities("Ann")
    (career,) = compute_career([game], "Ann").by_game
    cities = [game.record.sheet["cities"][n] for n in game.record.sheet["players"][0]["cities"]]
    for part in career.parts:
        assert part.own == sum(city["points"][part.part] for city in cities) / 2


def test_name_that_stands_twice_in_a_game_breaks_no_page():
    players = [{"name": "Ann", "final": 50, "rank": 1}, {"name": "Ann", "final": 40, "rank": 2}]
    stored = record(sheet={"players": players, "winners": [0]})
    scan = StoredScan(1, WallTime(START, known=True), stored)
    assert compute_career([scan], "Ann").games == 1
