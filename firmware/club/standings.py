"""Standings of a club's evening over games of several tables; pure functions."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Final

from firmware.club.games import ClubGame, ClubPlayer
from firmware.wording.ranges import Range

LAST_GAMES: Final = 5
"""Number of games whose ranks stand beside a player."""

PlayerKey = tuple[str, str]
"""Scope and name.

The scope is empty for a named player, who may change tables; ``at TABLE`` for a seat; ``as
written`` for one of two names of a game that differ in spelling alone.
"""

_Key = tuple[Fraction | float, ...]


class _Estimate(IntEnum):
    """Index of an estimate in the sums of a player."""

    READ = 0
    """As read."""
    LEAST = 1
    MOST = 2


class Scoring(StrEnum):
    """Order of the standings."""

    WINS = "wins"
    """Wins, then place points, then mean points."""
    PLACE_POINTS = "places"
    """Place points, then wins, then mean points."""


@dataclass(frozen=True, slots=True)
class ClubStanding:
    """Player in the standings.

    Attributes:
        name: Name as in the latest game; ``P3`` or a colour for a player without a name.
        table: Identifier of the scanner of a player without a name; None for all others.
        games: Number of games.
        rank: Rank as read; players who are equal in everything share one.
        rank_range: Ranks that are possible.
        wins: Wins that are possible; a shared victory is one for each.
        place_points: Points possible for places: one for each player of a game who ranks behind.
        mean: Mean points as read; None where games of several kinds were played.
        mean_bounds: Least and most mean points; None if they are not bounded.
        moved: Number of ranks gained by the latest game; negative if lost, 0 for a newcomer.
        last_ranks: Ranks in the latest games, the latest one first.
    """

    name: str
    table: str | None
    games: int
    rank: int
    rank_range: Range
    wins: Range
    place_points: Range
    mean: float | None
    mean_bounds: tuple[float, float] | None
    moved: int
    last_ranks: tuple[Range, ...]

    @property
    def is_open(self) -> bool:
        """True if anything of this player may still change."""
        means = self.mean_bounds
        is_mean_open = self.mean is not None and (means is None or means[0] != means[1])
        return (
            self.wins.is_open
            or self.place_points.is_open
            or self.rank_range.is_open
            or is_mean_open
        )


@dataclass(slots=True)
class _Sum:
    """Sums of a player; each has a value for every ``_Estimate``."""

    name: str
    table: str | None
    ranks: list[Range]
    wins: tuple[int, int, int] = (0, 0, 0)
    place_points: tuple[int, int, int] = (0, 0, 0)
    points: tuple[float, float, float] = (0, 0, 0)

    def add(self, game: ClubGame, player: ClubPlayer) -> None:
        rank, ranks = player.rank, player.rank_range
        self.name = player.name
        self.ranks.append(ranks)
        wins = int(rank == 1), int(ranks.most == 1), int(ranks.least == 1)
        points = player.points_range
        bounds = (-math.inf, math.inf) if points is None else (points.least, points.most)
        self.wins = _plus(self.wins, wins)
        self.place_points = _plus(self.place_points, _place_points(game, player))
        self.points = (
            self.points[0] + player.points,
            self.points[1] + bounds[0],
            self.points[2] + bounds[1],
        )

    def key(self, estimate: _Estimate, scoring: Scoring, *, with_points: bool) -> _Key:
        """Return the sort key of the standings for an estimate."""
        first, second = self.wins[estimate], self.place_points[estimate]
        if scoring is Scoring.PLACE_POINTS:
            first, second = second, first
        return first, second, self.mean(estimate) if with_points else 0

    def mean(self, estimate: _Estimate) -> Fraction | float:
        total = self.points[estimate]
        return Fraction(int(total), len(self.ranks)) if math.isfinite(total) else total


def _plus(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _place_points(game: ClubGame, player: ClubPlayer) -> tuple[int, int, int]:
    """Return the number of players behind: as read, at least, at most."""
    others = [each for each in game.players if each is not player]
    read = sum(each.rank > player.rank for each in others)
    least = sum(each.rank_range.least > player.rank_range.most for each in others)
    most = sum(each.rank_range.most > player.rank_range.least for each in others)
    return read, min(least, read), max(most, read)


def player_key(game: ClubGame, player: ClubPlayer) -> PlayerKey:
    """Return the key of a player; without a name it holds for the seat at this table alone.

    Two players of one game whose names differ in spelling alone stay two.
    """
    if not player.has_name:
        return f"at {game.table}", player.key
    is_alone = sum(each.key == player.key for each in game.players) == 1
    return "" if is_alone else "as written", player.key if is_alone else player.name


def club_standings(games: Sequence[ClubGame], scoring: Scoring) -> list[ClubStanding]:
    """Return the standings, best first.

    Args:
        games: Games in the order in which they were played, each once.
        scoring: Order of the standings.
    """
    sums = _sums(games)
    with_points = len({game.game for game in games}) < 2
    read, low, high = _Estimate.READ, _Estimate.LEAST, _Estimate.MOST
    ranks = _ranks(sums, scoring, read, read, with_points=with_points)
    least = _ranks(sums, scoring, low, high, with_points=with_points)
    most = _ranks(sums, scoring, high, low, with_points=with_points)
    before = _sums(games[:-1])
    with_points_before = len({game.game for game in games[:-1]}) < 2
    ranks_before = _ranks(before, scoring, read, read, with_points=with_points_before)
    rows = [
        ClubStanding(
            name=each.name,
            table=each.table,
            games=len(each.ranks),
            rank=ranks[key],
            rank_range=Range(least[key], most[key]),
            wins=Range(*each.wins[1:]),
            place_points=Range(*each.place_points[1:]),
            mean=float(each.mean(read)) if with_points else None,
            mean_bounds=_bounds(each) if with_points else None,
            moved=ranks_before.get(key, ranks[key]) - ranks[key],
            last_ranks=tuple(each.ranks[: -LAST_GAMES - 1 : -1]),
        )
        for key, each in sums.items()
    ]
    return sorted(rows, key=lambda row: (row.rank, row.name.casefold(), row.table or ""))


def _sums(games: Iterable[ClubGame]) -> dict[PlayerKey, _Sum]:
    sums: dict[PlayerKey, _Sum] = {}
    for game in games:
        for player in game.players:
            key = player_key(game, player)
            table = None if player.has_name else game.table
            sums.setdefault(key, _Sum(player.name, table, [])).add(game, player)
    return sums


def _ranks(
    sums: dict[PlayerKey, _Sum],
    scoring: Scoring,
    others: _Estimate,
    own: _Estimate,
    *,
    with_points: bool,
) -> dict[PlayerKey, int]:
    """Return the rank of each player by one estimate, of all others by another one."""
    keys = {
        key: (
            each.key(others, scoring, with_points=with_points),
            each.key(own, scoring, with_points=with_points),
        )
        for key, each in sums.items()
    }
    return {
        key: 1 + sum(theirs > mine for other, (theirs, _own) in keys.items() if other != key)
        for key, (_theirs, mine) in keys.items()
    }


def _bounds(each: _Sum) -> tuple[float, float] | None:
    least, most = each.mean(_Estimate.LEAST), each.mean(_Estimate.MOST)
    return (float(least), float(most)) if math.isfinite(least) and math.isfinite(most) else None
