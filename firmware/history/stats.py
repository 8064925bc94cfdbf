"""Figures over the history, game by game: wins, averages, records, building types.

A table that was scanned several times counts once, as it was scanned last. Games of another variant
or level are not compared. Games without rules have no points and are left out.
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
"""Number of earlier tables from which on one can beat their records."""
_UNNAMED: Final = re.compile(r"P\d+")
"""Names of seats; such players may be anybody."""


def is_named(player: str) -> bool:
    """Return whether a person gave the player this name."""
    return _UNNAMED.fullmatch(player) is None


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """Figures of a player in a game.

    Attributes:
        name: Name as it was given.
        games: Number of games played.
        wins: Number of games won, alone or together with others.
        average: Average points.
        best: Most points in a game.
    """

    name: str
    games: int
    wins: int
    average: float
    best: int


@dataclass(frozen=True, slots=True)
class PartStats:
    """Points of a building type or company, over all times that it was scored.

    Attributes:
        part: Identifier of the building type or company.
        average: Average points.
        best: Most points.
    """

    part: str
    average: float
    best: int


@dataclass(frozen=True, slots=True)
class Record:
    """Most or fewest points of a player.

    Attributes:
        points: Points.
        player: Name of the player.
        scan: Number of the scan.
    """

    points: int
    player: str
    scan: int


class BestKind(StrEnum):
    """Kind of record that a table can hold."""

    HIGHEST = "highest"
    """Most points of a player with a name."""
    CLOSEST = "closest"
    """Smallest lead of the first player over the second."""
    PART = "part"
    """Most points for a building type or company, of one city or player."""


@dataclass(frozen=True, slots=True)
class Best:
    """Record over all tables; of several equal ones the first.

    Attributes:
        kind: Kind of record.
        part: Identifier of the building type or company; empty for other kinds.
        points: Points; for ``CLOSEST`` the lead.
        player: Name of the player; empty if the record is of a table, or of a city of several
            players.
        scan: Number of the scan.
    """

    kind: BestKind
    part: str
    points: int
    player: str
    scan: int

    def beats(self, other: "Best") -> bool:
        """Return whether it is better than another record of the same kind."""
        if self.kind is BestKind.CLOSEST:
            return self.points < other.points
        return self.points > other.points


@dataclass(frozen=True, slots=True)
class GameStats:
    """Figures over all tables of a game.

    Attributes:
        game: Identifier of the game.
        variant: Variant that was played.
        level: Level that was played.
        games: Number of games played.
        average: Average points of all players.
        highest: Most points of a player with a name, of anybody where nobody has one; of several
            equal ones the first.
        lowest: Fewest points, likewise.
        winning: Points of the winner of each table, the oldest first.
        players: Players with names, those with most wins first.
        parts: Building types or companies, in the order of the sheet.
        best: Records.
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
    """Return the figures of each game, variant and level, the most often played first."""
    found = map(_stats_of_game, _tables(scans))
    return tuple(sorted(found, key=lambda stats: (-stats.games, stats.game)))


def beaten(scans: Iterable[StoredScan], seq: int) -> tuple[Best, ...]:
    """Return the records of earlier tables that a scan has beaten.

    Empty while there are fewer than ``LEAST_EARLIER`` earlier tables.
    """
    for tables in _tables(scans):
        numbers = [table.seq for table in tables]
        if seq in numbers and numbers.index(seq) >= LEAST_EARLIER:
            place = numbers.index(seq)
            before = {(one.kind, one.part): one for one in _records_of(tables[:place])}
            return tuple(
                one
                for one in _records_of(tables[place : place + 1])
                if (one.kind, one.part) in before and one.beats(before[one.kind, one.part])
            )
    return ()


def _tables(scans: Iterable[StoredScan]) -> Iterable[list[StoredScan]]:
    """Group the tables by game, variant and level, the oldest first."""
    tables: dict[tuple[str, str, int], list[StoredScan]] = defaultdict(list)
    for scan in sorted(scans, key=lambda scan: scan.seq):
        record = scan.record
        if results_of(record.sheet):
            tables[record.game, record.variant, record.level].append(scan)
    return tables.values()


def _records_of(tables: Iterable[StoredScan]) -> tuple[Best, ...]:
    """Return the records of tables of one game, variant and level, given oldest first."""
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
    named = next((one for one in results if is_named(one.name)), None)
    if named is not None:
        yield Best(BestKind.HIGHEST, "", named.points, named.name, table.seq)
    if len(results) > 1:
        yield Best(BestKind.CLOSEST, "", first.points - results[1].points, "", table.seq)
    for part, worth in _parts_of(table.record.sheet):
        yield Best(BestKind.PART, part, worth, "", table.seq)


def _stats_of_game(tables: list[StoredScan]) -> GameStats:
    """Return the figures of tables of one game, variant and level."""
    played = tables[0].record
    results = [(table.seq, results_of(table.record.sheet)) for table in tables]
    every = [Record(one.points, one.name, seq) for seq, players in results for one in players]
    holders = [one for one in every if is_named(one.player)] or every
    return GameStats(
        game=played.game,
        variant=played.variant,
        level=played.level,
        games=len(tables),
        average=fmean(one.points for one in every),
        highest=max(holders, key=lambda one: one.points),
        lowest=min(holders, key=lambda one: one.points),
        winning=tuple(max(one.points for one in players) for _seq, players in results),
        players=_players(one for _seq, players in results for one in players),
        parts=_parts(tables),
        best=_records_of(tables),
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
    """Yield the points of each building type or company on a sheet of any game."""
    for one in (*sheet.get("cities", ()), *sheet.get("players", ())):
        if isinstance(one.get("points"), Mapping):
            yield from one["points"].items()
    for company in sheet.get("companies", ()):
        if company["complete"] and company["name"]:
            yield company["name"], company["points"]
