"""Statistics of the history, game by game: wins, averages, records, building types.

A table that was scanned several times counts once, as it was scanned last. Games of another variant
or level are not compared. Games without rules have no points and are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any, Final

from firmware.games.scores import PlayerResult
from firmware.history.player_names import is_name_in_game
from firmware.history.record import StoredScan
from firmware.history.stored_sheet import parse_results, parse_shown_numbers, summarize_winners

MIN_EARLIER_GAMES: Final = 3
"""Number of earlier scans from which on one can beat their bests."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """Statistics of a player in a game.

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
class Extreme:
    """Most or fewest points of a player.

    Attributes:
        points: Points.
        player: Name of the player.
        seq: Number of the game in the history.
    """

    points: int
    player: str
    seq: int


class BestKind(StrEnum):
    """Kind of best result that a scan can have."""

    HIGHEST = "highest"
    """Most points of a player with a name."""
    CLOSEST = "closest"
    """Smallest lead of the first player over the second."""
    PART = "part"
    """Most points for a building type or company, of one city or player."""


@dataclass(frozen=True, slots=True)
class BestResult:
    """Best result over all scans; of several equal ones the first.

    Attributes:
        kind: Kind of best result.
        part: Identifier of the building type or company; empty for other kinds.
        points: Points; for ``CLOSEST`` the lead.
        player: Name of the player; empty if the result is of all players, or of a city of several
            players.
        seq: Number of the game in the history.
    """

    kind: BestKind
    part: str
    points: int
    player: str
    seq: int

    def beats(self, other: "BestResult") -> bool:
        """Return whether it is better than another one of the same kind."""
        if self.kind is BestKind.CLOSEST:
            return self.points < other.points
        return self.points > other.points


@dataclass(frozen=True, slots=True)
class GameStats:
    """Statistics of all scans of a game.

    Attributes:
        game: Identifier of the game.
        variant: Variant that was played.
        level: Level that was played.
        games: Number of games played.
        unsure: Number of games among them with places that were not sure; they count as read.
        average: Average points of all players.
        highest: Most points of a player with a name, of anybody where nobody has one; of several
            equal ones the first.
        lowest: Fewest points, likewise.
        winning: Winning points of each scan, the oldest first.
        players: Players with names, those with most wins first.
        parts: Building types or companies, in the order of the sheet.
        best: Best results, of each kind.
    """

    game: str
    variant: str
    level: int
    games: int
    unsure: int
    average: float
    highest: Extreme
    lowest: Extreme
    winning: tuple[int, ...]
    players: tuple[PlayerStats, ...]
    parts: tuple[PartStats, ...]
    best: tuple[BestResult, ...]


def compute_stats(scans: Iterable[StoredScan]) -> tuple[GameStats, ...]:
    """Return the statistics of each game, variant and level, the most often played first."""
    found = map(_stats_of_game, _by_game(scans))
    return tuple(sorted(found, key=lambda stats: (-stats.games, stats.game)))


def find_new_bests(scans: Iterable[StoredScan], seq: int) -> tuple[BestResult, ...]:
    """Return the bests of a scan that beat those of earlier scans, whatever its open places show.

    Empty while there are fewer than ``MIN_EARLIER_GAMES`` earlier ones.
    """
    for group in _by_game(scans):
        numbers = [scan.seq for scan in group]
        if seq in numbers and numbers.index(seq) >= MIN_EARLIER_GAMES:
            index = numbers.index(seq)
            before = {(one.kind, one.part): one for one in _bests_of(group[:index])}
            return tuple(
                one
                for one in _certain_bests_of(group[index])
                if (one.kind, one.part) in before and one.beats(before[one.kind, one.part])
            )
    return ()


def _by_game(scans: Iterable[StoredScan]) -> Iterable[list[StoredScan]]:
    """Group the scans with points by game, variant and level, the oldest first."""
    groups: dict[tuple[str, str, int], list[StoredScan]] = defaultdict(list)
    for scan in sorted(scans, key=lambda scan: scan.seq):
        record = scan.record
        if parse_results(record.sheet):
            groups[record.game, record.variant, record.level].append(scan)
    return groups.values()


def _bests_of(scans: Iterable[StoredScan]) -> tuple[BestResult, ...]:
    """Return the bests of scans of one game, variant and level, given oldest first."""
    best: dict[tuple[BestKind, str], BestResult] = {}
    for scan in scans:
        for one in _bests_reached(scan):
            key = one.kind, one.part
            if key not in best or one.beats(best[key]):
                best[key] = one
    return tuple(best.values())


def _certain_bests_of(scan: StoredScan) -> Iterator[BestResult]:
    """Yield what a scan has reached at least; with open places only points that are bounded."""
    sheet = scan.record.sheet
    if not summarize_winners(sheet).open_count:
        yield from _bests_reached(scan)
        return
    ranges = parse_shown_numbers(sheet).ranges
    if ranges is None or sheet.get("unread"):
        return
    least = [
        (points.least, one.name)
        for points, one in zip(ranges.players, parse_results(sheet), strict=False)
        if is_name_in_game(one.name, scan.record.game)
    ]
    if least:
        points, name = max(least, key=lambda one: one[0])
        yield BestResult(BestKind.HIGHEST, "", points, name, scan.seq)


def _bests_reached(scan: StoredScan) -> Iterator[BestResult]:
    results = sorted(parse_results(scan.record.sheet), key=lambda one: -one.points)
    first, game = results[0], scan.record.game
    named = next((one for one in results if is_name_in_game(one.name, game)), None)
    if named is not None:
        yield BestResult(BestKind.HIGHEST, "", named.points, named.name, scan.seq)
    if len(results) > 1:
        yield BestResult(BestKind.CLOSEST, "", first.points - results[1].points, "", scan.seq)
    for part, worth in _parts_of(scan.record.sheet):
        yield BestResult(BestKind.PART, part, worth, "", scan.seq)


def _stats_of_game(scans: list[StoredScan]) -> GameStats:
    """Return the statistics of scans of one game, variant and level."""
    played = scans[0].record
    results = [(scan.seq, parse_results(scan.record.sheet)) for scan in scans]
    every = [Extreme(one.points, one.name, seq) for seq, players in results for one in players]
    holders = [one for one in every if is_name_in_game(one.player, played.game)] or every
    return GameStats(
        game=played.game,
        variant=played.variant,
        level=played.level,
        games=len(scans),
        unsure=sum(summarize_winners(scan.record.sheet).open_count > 0 for scan in scans),
        average=fmean(one.points for one in every),
        highest=max(holders, key=lambda one: one.points),
        lowest=min(holders, key=lambda one: one.points),
        winning=tuple(max(one.points for one in players) for _seq, players in results),
        players=_players(
            one
            for _seq, players in results
            for one in players
            if is_name_in_game(one.name, played.game)
        ),
        parts=_parts(scans),
        best=_bests_of(scans),
    )


def _players(results: Iterable[PlayerResult]) -> tuple[PlayerStats, ...]:
    played: dict[str, list[PlayerResult]] = defaultdict(list)
    for result in results:
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


def _parts(scans: Iterable[StoredScan]) -> tuple[PartStats, ...]:
    points: dict[str, list[int]] = defaultdict(list)
    for scan in scans:
        for part, worth in _parts_of(scan.record.sheet):
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
