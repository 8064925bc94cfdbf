"""Figures over the history, game by game: who wins how often, averages, records, building types.

A table that was scanned several times counts once, as it was scanned last. Points of one game by
other rules, with two players or at another level, are not compared. Games without rules have no
points and are left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any, Final

from firmware.games.scores import PlayerResult
from firmware.history.record import StoredScan, results_of

LEAST_EARLIER: Final = 3
"""So many tables at least have to be there before one can beat their records."""
_UNNAMED: Final = re.compile(r"P\d+")
"""Who had no name may be anybody."""


def is_named(player: str) -> bool:
    """Whether it can be told who that is."""
    return _UNNAMED.fullmatch(player) is None


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """What a player has achieved in a game.

    Attributes:
        name: as it was given.
        games: so many were played.
        wins: alone or together with others.
        average: of the points.
        best: the most points.
    """

    name: str
    games: int
    wins: int
    average: float
    best: int


@dataclass(frozen=True, slots=True)
class PartStats:
    """What a building type or company was worth, each time that it was scored.

    Attributes:
        part: its identifier.
        average: of the points.
        best: the most points.
    """

    part: str
    average: float
    best: int


@dataclass(frozen=True, slots=True)
class Record:
    """The most or the fewest points.

    Attributes:
        points: so many.
        player: whose they were.
        scan: number of the scan.
    """

    points: int
    player: str
    scan: int


class BestKind(StrEnum):
    """What a table can hold the record of."""

    HIGHEST = "highest"
    """The most points of a player."""
    CLOSEST = "closest"
    """The fewest points between the first and the second player."""
    PART = "part"
    """The most points for a building type or company, of one city or player."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best that was ever reached; of several as good ones the first.

    Attributes:
        kind: of the record.
        part: identifier of the building type or company; empty for other kinds.
        points: how many; of ``CLOSEST`` the difference.
        player: whose they are; empty where they are of a table, or of a city of several players.
        scan: number of the scan.
    """

    kind: BestKind
    part: str
    points: int
    player: str
    scan: int

    def beats(self, other: "Best") -> bool:
        """Whether it is better than another record of the same kind."""
        if self.kind is BestKind.CLOSEST:
            return self.points < other.points
        return self.points > other.points


@dataclass(frozen=True, slots=True)
class GameStats:
    """Figures over all tables of a game.

    Attributes:
        game: its identifier.
        variant: by which it was played.
        level: at which it was played.
        games: so many were played.
        average: of the points of all players.
        highest: the first one, of several with the same points.
        lowest: the same.
        winning: the points of the winner of each table, the oldest first.
        players: those with names, who won most often first.
        parts: in the order of the sheet.
        best: the records.
    """

    game: str
    variant: str
    level: int
    games: int
    average: float
    highest: Record
    lowest: Record
    winning: tuple[int, ...]
    players: tuple[PlayerStats, ...]
    parts: tuple[PartStats, ...]
    best: tuple[Best, ...]


def stats_of(scans: Iterable[StoredScan]) -> tuple[GameStats, ...]:
    """The figures of each game as it was played, what was played most often first."""
    found = map(_of_game, _tables(scans))
    return tuple(sorted(found, key=lambda stats: (-stats.games, stats.game)))


def beaten(scans: Iterable[StoredScan], seq: int) -> tuple[Best, ...]:
    """The records of earlier tables that a scan has beaten; none while there are hardly any."""
    for tables in _tables(scans):
        numbers = [table.seq for table in tables]
        if seq in numbers and numbers.index(seq) >= LEAST_EARLIER:
            place = numbers.index(seq)
            before = {(one.kind, one.part): one for one in _best(tables[:place])}
            return tuple(
                one
                for one in _best(tables[place : place + 1])
                if (one.kind, one.part) in before and one.beats(before[one.kind, one.part])
            )
    return ()


def _tables(scans: Iterable[StoredScan]) -> Iterable[list[StoredScan]]:
    """The tables that were played by the same rules, the oldest first."""
    tables: dict[tuple[str, str, int], list[StoredScan]] = defaultdict(list)
    for scan in sorted(scans, key=lambda scan: scan.seq):
        record = scan.record
        if results_of(record.sheet):
            tables[record.game, record.variant, record.level].append(scan)
    return tables.values()


def _best(tables: Iterable[StoredScan]) -> tuple[Best, ...]:
    """The records of tables that were all played by the same rules, the oldest first."""
    best: dict[tuple[BestKind, str], Best] = {}
    for table in tables:
        for one in _reached(table):
            key = one.kind, one.part
            if key not in best or one.beats(best[key]):
                best[key] = one
    return tuple(best.values())


def _reached(table: StoredScan) -> Iterator[Best]:
    results = sorted(results_of(table.record.sheet), key=lambda one: -one.points)
    first = results[0]
    yield Best(BestKind.HIGHEST, "", first.points, first.name, table.seq)
    if len(results) > 1:
        yield Best(BestKind.CLOSEST, "", first.points - results[1].points, "", table.seq)
    for part, worth in _parts_of(table.record.sheet):
        yield Best(BestKind.PART, part, worth, "", table.seq)


def _of_game(tables: list[StoredScan]) -> GameStats:
    """The figures of tables that were all played by the same rules."""
    played = tables[0].record
    results = [(table.seq, results_of(table.record.sheet)) for table in tables]
    every = [Record(one.points, one.name, seq) for seq, players in results for one in players]
    return GameStats(
        game=played.game,
        variant=played.variant,
        level=played.level,
        games=len(tables),
        average=fmean(one.points for one in every),
        highest=max(every, key=lambda one: one.points),
        lowest=min(every, key=lambda one: one.points),
        winning=tuple(max(one.points for one in players) for _seq, players in results),
        players=_players(one for _seq, players in results for one in players),
        parts=_parts(tables),
        best=_best(tables),
    )


def _players(results: Iterable[PlayerResult]) -> tuple[PlayerStats, ...]:
    played: dict[str, list[PlayerResult]] = defaultdict(list)
    for result in results:
        if is_named(result.name):
            played[result.name].append(result)
    found = [
        PlayerStats(
            name=name,
            games=len(own),
            wins=sum(one.won for one in own),
            average=fmean(one.points for one in own),
            best=max(one.points for one in own),
        )
        for name, own in played.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.wins, -one.average, one.name)))


def _parts(tables: Iterable[StoredScan]) -> tuple[PartStats, ...]:
    points: dict[str, list[int]] = defaultdict(list)
    for table in tables:
        for part, worth in _parts_of(table.record.sheet):
            points[part].append(worth)
    return tuple(PartStats(part, fmean(each), max(each)) for part, each in points.items())


def _parts_of(sheet: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What the points of cities, players and companies are made of, in whatever game."""
    for one in (*sheet.get("cities", ()), *sheet.get("players", ())):
        if isinstance(one.get("points"), Mapping):
            yield from one["points"].items()
    for company in sheet.get("companies", ()):
        if company["complete"] and company["name"]:
            yield company["name"], company["points"]
