"""Names of the players in stored games."""

from dataclasses import replace

import pytest

from firmware.games.player_words import with_composed_names
from firmware.history import HistoryError, WallTime, make_record
from firmware.history.player_names import (
    check_player_name,
    given_names,
    named_seat_count,
    rename_in,
    with_name_replaced,
    with_names,
)
from firmware.history.record import in_order_played
from firmware.history.stored_sheet import parse_results
from firmware.settings.rules import find_rule
from tests.firmware.history_samples import START, open_history, recent, record
from tests.firmware.samples import example
from tests.firmware.scan_samples import SCANS


def names_in(changed):
    return [one.name for one in parse_results(changed.sheet)]


def test_names_stand_in_table_and_sheet():
    changed = with_names(make_record(example()), ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"])
    assert (
        names_in(changed) == changed.table["players"] == ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"]
    )


def test_points_stay_when_names_change():
    before = make_record(example())
    after = with_names(before, ["Zoe"])
    assert [one[1:] for one in parse_results(after.sheet)] == [
        one[1:] for one in parse_results(before.sheet)
    ]


def test_seat_without_a_name_is_called_by_its_number():
    changed = with_names(make_record(example()), ["Ann", "", "Cid"])
    assert names_in(changed)[:4] == ["Ann", "P2", "Cid", "P4"]
    assert given_names(changed)[:4] == ("Ann", "", "Cid", "")


def test_without_any_name_the_table_names_nobody():
    changed = with_names(with_names(make_record(example()), ["Ann"]), [])
    assert "players" not in changed.table
    assert names_in(changed)[0] == "P1"


def test_seat_without_a_name_keeps_its_colour():
    before = make_record(SCANS["cities"])
    assert names_in(with_names(before, ["Ann"])) == ["Ann", *names_in(before)[1:]]
    assert given_names(before) == ("",) * named_seat_count(before)


def test_earlier_result_gets_the_names():
    stored = make_record(example())
    later = stored.with_rescan(stored)
    changed = with_names(later, ["Ann"])
    assert changed.replaced["table"]["players"][0] == "Ann"


@pytest.mark.parametrize(
    "names",
    [["Ann", "Ann"], ["A" * 19], list("ABCDEFG"), ["A\nB\x07"], [".."], ["\u2800"], ["\u0301"]],
)
def test_names_that_cannot_be_are_refused(names):
    with pytest.raises(HistoryError) as error:
        with_names(make_record(example()), names)
    assert error.value.code == "names-not-allowed"


def test_game_of_colours_takes_no_names():
    blocks = replace(record(), game="city-blocks")
    assert named_seat_count(blocks) == 0
    with pytest.raises(HistoryError) as error:
        with_names(blocks, ["Ann"])
    assert error.value.code == "game-without-names"


def test_renaming_leaves_other_players_alone():
    changed = with_name_replaced(with_names(make_record(example()), ["Ann", "Ben"]), "Ben", "Bob")
    assert names_in(changed)[:3] == ["Ann", "Bob", "P3"]


def test_renaming_somebody_else_changes_nothing():
    before = with_names(make_record(example()), ["Ann"])
    assert with_name_replaced(before, "Ben", "Bob") == before


def test_two_players_of_one_game_are_not_merged():
    both = with_names(make_record(example()), ["Ann", "Ben"])
    with pytest.raises(HistoryError) as error:
        with_name_replaced(both, "Ann", "Ben")
    assert error.value.code == "players-together"


@pytest.mark.parametrize("name", ["", "  ", ".", "..", "P3", "Red", "A" * 19])
def test_name_of_no_person_is_refused(name):
    with pytest.raises(HistoryError) as error:
        check_player_name(name)
    assert error.value.code == "name-not-allowed"


def test_name_loses_needless_spaces():
    assert check_player_name("  Oma   Ruth ") == "Oma Ruth"


def test_seat_of_a_merged_player_is_left_empty():
    assert rename_in(("Ann", "Ben"), "Ann", "Ben") == ("", "Ben")
    assert rename_in(("Ann", "Ben"), "Ann", "Zoe") == ("Zoe", "Ben")


def test_game_without_a_date_stands_behind_the_latest_before_it():
    times = [(1, "2026-01"), (2, ""), (3, "2025-01"), (4, ""), (5, "2026-02")]
    assert in_order_played(times) == [3, 1, 2, 4, 5]


@pytest.fixture
def history(tmp_path):
    opened = open_history(tmp_path)
    yield opened
    opened.close()


def named(*names):
    return with_names(make_record(example()), names)


def test_player_is_renamed_in_all_games(history):
    for names in (["Ann", "Ben"], ["Ben", "Cid"], ["Cid", "Dan"]):
        history.add(named(*names))
    assert history.rename_player("Ben", "Bob") == 2
    assert "Ben" not in history.player_names()


def test_merged_player_has_the_games_of_both(history):
    history.add(named("Ann", "Ben"))
    history.add(named("Anne", "Ben"))
    assert history.rename_player("Anne", "Ann") == 1
    assert [names_in(scan.record)[0] for scan in recent(history)] == ["Ann", "Ann"]


def test_nothing_is_renamed_where_two_of_them_play_together(history):
    history.add(named("Anne", "Ben"))
    history.add(named("Ann", "Anne"))
    with pytest.raises(HistoryError):
        history.rename_player("Anne", "Ann")
    assert history.player_names().count("Anne") == 1


def test_unknown_player_is_not_renamed(history):
    history.add(named("Ann"))
    with pytest.raises(HistoryError) as error:
        history.rename_player("Zoe", "Zoé")
    assert error.value.code == "unknown-player"


def test_date_is_given_later(history):
    seq = history.add(record(), WallTime(START, known=False))
    history.set_time(seq, WallTime(START, known=True))
    assert history.get(seq).at == WallTime(START, known=True)


def test_discarded_game_comes_back_as_it_was(history):
    seq = history.add(record(1))
    before = history.get(seq)
    history.move_to_bin(seq)
    assert recent(history) == []
    history.restore(seq)
    assert recent(history) == [before]


def test_number_of_a_discarded_game_is_not_given_again(history):
    first = history.add(record(1))
    history.move_to_bin(first)
    assert history.add(record(2)) != first


def test_photo_of_a_discarded_game_stays_until_it_is_forgotten(history):
    photo = history.keep_photo(b"jpeg")
    history.move_to_bin(history.add(record(1, photo=photo)))
    assert history.photo_path(photo) is not None
    history.empty_bin()
    assert history.photo_path(photo) is None
    assert history.in_bin() == {}


def test_thumbnail_is_made_once_and_goes_with_its_photo(history):
    photo = history.keep_photo(b"jpeg")
    made = []

    def make(path):
        made.append(path)
        return b"small"

    assert [history.thumbnail(photo, 2, make) for _ in range(2)] == [b"small"] * 2
    assert len(made) == 1
    history.delete_photos()
    assert history.thumbnail(photo, 2, make) is None


def test_games_are_numbered_by_date(history):
    late = history.add(record(1), WallTime(START, known=True))
    early = history.add(record(2), WallTime(START.replace(year=2025), known=True))
    assert history.seqs_by_date() == [late, early]


@pytest.mark.parametrize("seat", ["P2", "P6"])
def test_seat_is_no_player_to_rename(history, seat):
    history.add(named("Ann"))
    with pytest.raises(HistoryError) as error:
        history.rename_player(seat, "Ben")
    assert error.value.code == "unknown-player"
    assert given_names(history.get(1).record)[1:] == ("",) * 5


def test_player_is_renamed_in_a_deleted_game(history):
    seq = history.add(named("Anne", "Ben"))
    history.add(named("Anne", "Cid"))
    history.move_to_bin(seq)
    history.rename_player("Anne", "Ann")
    history.restore(seq)
    assert given_names(history.get(seq).record)[:2] == ("Ann", "Ben")


def test_deleted_game_of_both_does_not_keep_players_apart(history):
    history.move_to_bin(history.add(named("Anne", "Ann")))
    history.add(named("Anne", "Ben"))
    history.add(named("Ann", "Ben"))
    assert history.rename_player("Anne", "Ann") == 1


@pytest.mark.parametrize("game", ["between-two-cities", "dice-board"])
def test_table_with_both_unicode_forms_of_a_name(game):
    table = {"game": game, "players": ["A\u0301nn", "Ben"]}
    if game == "dice-board":
        table = {"companies": [{"player": "A\u0301nn"}]}
    changed = with_composed_names(table)
    names = changed.get("players") or [each["player"] for each in changed["companies"]]
    assert names[0] == "\u00c1nn"


def test_name_in_the_other_unicode_form_is_repeated():
    assert find_rule("players").convert(["A\u0301nn", "\u00c1nn"]) is None


def test_player_is_renamed_by_the_other_unicode_form():
    assert check_player_name("A\u0301nn") == "\u00c1nn"
