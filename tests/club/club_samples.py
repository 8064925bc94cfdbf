"""Games of a club as its scanners tell of them."""

from datetime import UTC, datetime, timedelta

from firmware.club.evening import ClubTable
from firmware.club.games import parse_game

EVENING = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)


def message(seq=1, points=None, *, minutes=0, spread=0, **more):
    """Return a game as a scanner tells of it.

    Args:
        points: Points by name.
        minutes: Time after ``EVENING``.
        spread: Number of points that each may have less or more.
    """
    points = points or {"Ann": 50, "Ben": 40}
    players = [
        {"name": name, "points": own, "rank": 1 + sum(other > own for other in points.values())}
        for name, own in points.items()
    ]
    if spread:
        for each in players:
            each["points_range"] = [each["points"] - spread, each["points"] + spread]
    return {
        "scan": seq,
        "time": (EVENING + timedelta(minutes=minutes)).isoformat(),
        "time_known": True,
        "game": "between-two-cities",
        "to_check": int(spread > 0),
        "players": players,
        **more,
    }


def club_game(seq=1, points=None, *, table="", **more):
    game = parse_game(table, message(seq, points, **more))
    assert game is not None
    return game


def club_table(*games, table="", **more):
    return ClubTable(table, games, **more)
