"""Games that count for an evening, and its file."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from firmware.club.evening import (
    FILE_NAME,
    MAX_TABLES,
    Evening,
    evening_games,
    load_evening,
    store_evening,
)
from firmware.club.standings import Scoring
from tests.club.club_samples import EVENING, club_game, club_table

NOW = EVENING + timedelta(hours=3)
TONIGHT = Evening(started=EVENING)


def counted(evening, *tables, now=NOW):
    return [(each.table, each.seq) for each in evening_games(evening, tables, now).games]


def test_last_hours_count_without_a_start():
    table = club_table(club_game(1, minutes=-60 * 10), club_game(2, minutes=0))
    assert counted(Evening(hours=4), table) == [("", 2)]


def test_games_before_the_start_do_not_count():
    table = club_table(club_game(1, minutes=-1), club_game(2, minutes=1))
    assert counted(TONIGHT, table) == [("", 2)]


def test_start_remembers_the_last_game_whatever_the_clocks_say():
    old = club_table(club_game(4, minutes=9999))
    evening = Evening().begun(EVENING, [old])
    later = club_table(*old.games, club_game(5, minutes=-9999, time_known=False))
    assert counted(evening, later) == [("", 5)]


def test_scanner_whose_history_begins_anew_counts_by_time():
    evening = Evening().begun(EVENING, [club_table(club_game(40))])
    assert counted(evening, club_table(club_game(1, minutes=5))) == [("", 1)]


def test_difference_of_clocks_is_taken_off():
    ahead = club_table(club_game(1, minutes=60 * 24 + 5), clock_ahead=timedelta(days=1))
    found = evening_games(TONIGHT, [ahead], NOW).games
    assert [each.at for each in found] == [EVENING + timedelta(minutes=5)]


def test_game_of_the_future_is_of_now():
    found = evening_games(TONIGHT, [club_table(club_game(1, minutes=10_000))], NOW).games
    assert [each.at for each in found] == [NOW]


def test_game_by_a_clock_that_was_not_set_counts_and_is_said():
    games = evening_games(TONIGHT, [club_table(club_game(1, minutes=5, time_known=False))], NOW)
    assert (len(games.games), games.untimed) == (1, 1)


def test_after_a_start_the_clock_does_not_matter():
    evening = Evening().begun(EVENING, [club_table()])
    games = evening_games(evening, [club_table(club_game(1, time_known=False))], NOW)
    assert (len(games.games), games.untimed) == (1, 0)


def test_game_that_is_told_twice_counts_once():
    before, after = club_game(1, {"Ann": 50, "Ben": 40}), club_game(1, {"Ann": 30, "Ben": 40})
    found = evening_games(TONIGHT, [club_table(before, after)], NOW).games
    assert [each.players for each in found] == [after.players]


def test_numbers_order_the_games_of_a_table():
    table = club_table(club_game(1, minutes=50), club_game(2, minutes=10))
    other = club_table(club_game(1, minutes=30, table="other"), table="other")
    assert counted(TONIGHT, table, other) == [("other", 1), ("", 1), ("", 2)]


def test_clock_of_the_first_year_does_no_harm():
    odd = club_table(club_game(1, minutes=5), clock_ahead=timedelta(days=900_000))
    assert counted(TONIGHT, odd) == [("", 1)]


def test_evening_is_stored_and_loaded(tmp_path):
    evening = Evening(
        "Thursday", Scoring.PLACE_POINTS, 24, EVENING, {"": 4}, {"": "Window", "b": ""}
    )
    store_evening(tmp_path, evening)
    assert load_evening(tmp_path) == evening


def test_without_a_file_the_last_hours_count(tmp_path):
    assert load_evening(tmp_path) == Evening()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"name": 1}', '{"scoring": "luck"}', '{"name": "' + "x" * 41 + '"}']
)
def test_damaged_file_is_set_aside(tmp_path, text):
    path = tmp_path / FILE_NAME
    path.write_text(text)
    assert load_evening(tmp_path) == Evening()
    assert not path.exists()


def test_odd_values_of_the_file_are_the_usual_ones(tmp_path):
    odd = {"hours": 5, "started": "2026-11-21T18:00:00"}
    (tmp_path / FILE_NAME).write_text(json.dumps(odd))
    assert load_evening(tmp_path) == Evening()


def test_tables_keep_their_order():
    evening = Evening().with_tables(["", "b"]).with_tables(["", "a", "b"])
    assert list(evening.tables) == ["", "b", "a"]


def test_evening_takes_a_limited_number_of_tables():
    evening = Evening().with_tables(map(str, range(99)))
    assert len(evening.tables) == MAX_TABLES


def test_known_tables_change_nothing():
    evening = replace(Evening(), tables={"": "Window"})
    assert evening.with_tables([""]) is evening


def test_table_that_is_gone_gives_way_to_a_new_one():
    names = {"": "", "bar": "Bar"} | {f"old-{n}": "" for n in range(MAX_TABLES - 2)}
    evening = Evening(tables=names).with_tables(["", "new"])
    assert len(evening.tables) == MAX_TABLES
    assert {"", "bar", "new"} <= evening.tables.keys()
    assert "old-0" not in evening.tables


def test_start_beyond_the_calendar_is_no_start(tmp_path):
    (tmp_path / FILE_NAME).write_text('{"started": "0001-01-01T00:00:00+14:00", "name": "Cup"}')
    assert load_evening(tmp_path) == Evening(name="Cup")
