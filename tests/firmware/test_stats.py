"""Figures over games: open places, colours, records that are certain."""

from itertools import count

import pytest

from firmware.history import StoredScan, WallTime
from firmware.history.stats import BestKind, compute_stats, find_new_bests
from tests.firmware.history_samples import START, record


@pytest.fixture
def play():
    numbers = count(1)

    def played(points, *, game="between-two-cities", **more):
        best = max(points.values())
        players = [
            {"name": name, "final": own, "rank": 1 + sum(each > own for each in points.values())}
            for name, own in points.items()
        ]
        winners = [seat for seat, own in enumerate(points.values()) if own == best]
        sheet = {"players": players, "winners": winners, **more}
        return StoredScan(
            next(numbers), WallTime(START, known=True), record(game=game, sheet=sheet)
        )

    return played


def spread(*bounds):
    """Return the fields of a sheet whose points are open within bounds."""
    ranges = {
        "cities": [],
        "players": [list(each) for each in bounds],
        "ranks": [[1, len(bounds)]] * len(bounds),
        "winners": list(range(len(bounds))),
        "winner_certain": False,
        "complete": True,
    }
    return {"unsure": [{}], "ranges": ranges}


def kinds(scans):
    return [(each.kind, each.points) for each in find_new_bests(scans, scans[-1].seq)]


def test_record_that_may_not_hold_is_not_claimed(play):
    before = [play({"Ann": 50, "Ben": 40}) for _ in range(3)]
    maybe = play({"Ann": 52, "Ben": 40}, **spread((49, 55), (40, 40)))
    assert kinds([*before, maybe]) == []


def test_record_that_holds_whatever_lies_there_is_claimed_at_least(play):
    before = [play({"Ann": 50, "Ben": 40}) for _ in range(3)]
    surely = play({"Ann": 54, "Ben": 40}, **spread((51, 55), (40, 40)))
    assert kinds([*before, surely]) == [(BestKind.HIGHEST, 51)]


def test_city_that_was_not_read_claims_no_record(play):
    before = [play({"Ann": 50, "Ben": 40}) for _ in range(3)]
    unread = play({"Ann": 60, "Ben": 40}, **spread((60, 60), (40, 40)), unread=[{}])
    assert kinds([*before, unread]) == []


def test_games_with_open_places_are_counted_beside_the_figures(play):
    (figures,) = compute_stats([play({"Ann": 50}), play({"Ann": 52}, **spread((49, 55)))])
    assert (figures.games, figures.unsure, figures.winning) == (2, 1, (50, 52))


def test_colour_is_no_name_in_a_game_that_takes_names(play):
    (figures,) = compute_stats([play({"Ann": 40, "Red": 50}, game="cities")])
    assert [each.name for each in figures.players] == ["Ann"]
    assert figures.highest.player == "Ann"


def test_colour_is_the_name_in_a_game_without_others():
    sheet = {"totals": {"Blue": 90, "Red": 80}, "winners": ["Blue"]}
    played = record(game="city-blocks", sheet=sheet)
    (figures,) = compute_stats([StoredScan(1, WallTime(START, known=True), played)])
    assert [(each.name, each.wins) for each in figures.players] == [("Blue", 1), ("Red", 0)]
