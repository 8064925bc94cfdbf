"""Games that scanners tell each other of: what is taken over, and what is not."""

import pytest

from firmware.base.json_text import json_text
from firmware.club.games import (
    MAX_GAMES_BYTES,
    MAX_SENT_GAMES,
    game_message,
    games_message,
    parse_game,
)
from firmware.history import StoredScan, WallTime
from firmware.history.stored_sheet import summarize_winners
from firmware.wording.ranges import Range
from tests.club.club_samples import club_game, message
from tests.firmware.history_samples import START, record


def stored(seq=1, **changes):
    return StoredScan(seq, WallTime(START, known=True), record(seq, **changes))


GAME = "between-two-cities"


def sheet(finals, winners, **more):
    players = [
        {"name": name, "final": final, "rank": 1 + sum(each > final for each in finals.values())}
        for name, final in finals.items()
    ]
    return {"players": players, "winners": winners, **more}


def test_stored_game_is_told_and_understood():
    game = parse_game("other", game_message(stored(7)))
    assert (game.table, game.seq, game.at) == ("other", 7, START)
    assert [(each.name, each.points, each.rank) for each in game.players] == [
        ("Ann", 57, 1),
        ("Ben", 50, 2),
    ]


def test_tie_that_was_broken_has_one_winner():
    message = game_message(stored(sheet=sheet({"Ann": 50, "Ben": 50}, [1])))
    assert [each["rank"] for each in message["players"]] == [2, 1]


def test_points_that_may_be_anything_are_told_without_a_range():
    ranges = {
        "cities": [[0, 80], [50, 50]],
        "players": [[0, 50], [45, 45]],
        "ranks": [[1, 2], [1, 2]],
        "winners": [0, 1],
        "winner_certain": False,
        "complete": True,
    }
    given = sheet({"Ann": 50, "Ben": 45}, [0], unsure=[{}], ranges=ranges, game=GAME)
    message = game_message(stored(sheet=given))["players"]
    assert ["points_range" in each for each in message] == [False, True]


def test_open_places_leave_ranges():
    ranges = {"players": [[48, 52], [40, 47]], "winner_certain": True}
    given = sheet({"Ann": 50, "Ben": 45}, [0], unsure=[{}], ranges=ranges)
    game = parse_game("", game_message(stored(sheet=given)))
    assert game.is_open
    assert [each.points_range for each in game.players] == [Range(48, 52), Range(40, 47)]
    assert [each.rank_range for each in game.players] == [Range(1, 1), Range(2, 2)]


def test_city_that_was_not_read_leaves_points_unbounded():
    ranges = {"players": [[50, 50], [45, 45]], "winner_certain": False}
    given = sheet({"Ann": 50, "Ben": 45}, [0], unread=[{}], ranges=ranges)
    game = parse_game("", game_message(stored(sheet=given)))
    assert [each.points_range for each in game.players] == [None, None]
    assert [each.rank_range for each in game.players] == [Range(1, 2), Range(1, 2)]


def test_game_without_points_is_not_told():
    assert game_message(stored(sheet={"game": "reading-only"})) is None


def test_message_is_never_longer_than_is_read():
    names = [f"{letter}{'ő' * 17}" for letter in "ABCDEFGHIJKL"]
    long = sheet(dict.fromkeys(names, 50), list(range(12)))
    message = games_message(stored(seq, sheet=long) for seq in range(300, 0, -1))
    assert message[0]["scan"] == 300
    assert len(message) <= MAX_SENT_GAMES
    assert len(json_text(message, ascii_only=False).encode()) <= MAX_GAMES_BYTES


def test_letters_that_turn_the_text_are_left_out():
    assert club_game(points={"A\u202enn\n": 50, "Ben": 40}).players[0].name == "Ann"


def test_names_are_told_apart_however_they_are_written():
    game = club_game(points={"Ann  Lee": 50, "ann lee2": 40, "A\u0301nn": 30})
    assert [each.key for each in game.players] == ["ann lee", "ann lee2", "\u00e1nn"]


def test_seats_and_colours_are_no_names():
    game = club_game(points={"P3": 50, "Red": 40, "Ann": 30})
    assert [each.has_name for each in game.players] == [False, False, True]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "text",
        {},
        message(scan=0),
        message(scan=True),
        message(time="yesterday"),
        message(time="2026-11-21T18:00:00"),
        message(players=[]),
        message(players=[{"name": "Ann", "points": 10**9, "rank": 1}]),
        message(players=[{"name": "x" * 41, "points": 1, "rank": 1}]),
        message(players=[{"name": "\u202e", "points": 1, "rank": 1}]),
        message(points={"Ann": 1, "Ann ": 2}),
        message(players=[{"name": f"n{n}", "points": 1, "rank": 1} for n in range(13)]),
        message(to_check=-1),
        message(game=["x"]),
    ],
)
def test_anything_else_is_no_game(value):
    assert parse_game("other", value) is None


def test_ranks_are_those_that_the_scanner_tells():
    players = [
        {"name": "Ann", "points": 50, "rank": 1, "points_range": [48, 50], "rank_range": [1, 1]},
        {"name": "Ben", "points": 47, "rank": 2, "points_range": [47, 49], "rank_range": [2, 3]},
        {"name": "Cid", "points": 46, "rank": 3, "points_range": [46, 49]},
    ]
    game = parse_game("", message(players=players, to_check=1))
    assert [each.rank_range for each in game.players] == [Range(1, 1), Range(2, 3), Range(1, 3)]


def test_points_as_read_are_possible_whatever_is_told():
    players = [{"name": "Ann", "points": 50, "rank": 1, "points_range": [90, 60]}]
    game = parse_game("", message(players=players, to_check=1))
    assert game.players[0].points_range == Range(50, 90)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_time_beyond_the_calendar_is_refused(time):
    assert parse_game("other", message(time=time)) is None


def test_names_that_differ_in_spelling_alone_stay_two():
    assert len(club_game(points={"Ann": 50, "ann": 40}).players) == 2
    assert parse_game("other", message(points={"Ann": 50, "Ann\u202e": 40})) is None


def test_list_names_all_who_can_win():
    ranges = {
        "cities": [],
        "players": [[47, 50], [49, 49]],
        "ranks": [[1, 2], [1, 2]],
        "winners": [0, 1],
        "winner_certain": False,
        "complete": True,
    }
    given = sheet({"Ann": 47, "Ben": 49}, [1], unsure=[{}], ranges=ranges)
    assert summarize_winners(given).list_entry == ("Ann or Ben", "47–50")
    assert summarize_winners(sheet({"Ann": 47, "Ben": 49}, [1])).list_entry == ("Ben", "49")
