"""Statistics of one player over all stored games: pure functions, games in and values out.

Only people count, who were given a name: a seat (``P3``) or a colour may be anybody. Of two players
of a game the one with the better rank is ahead. Games without rules have no players.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from statistics import fmean
from typing import Any, TypeVar

from firmware.games.scores import PlayerResult
from firmware.history.player_names import is_person_name
from firmware.history.record import StoredScan, in_order_played
from firmware.history.stored_sheet import parse_results

_Key = TypeVar("_Key", int, str)


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """Line of a player in the list of all players.

    Attributes:
        name: Name of the player.
        games: Number of games played.
        wins: Number of games won, alone or together with others.
    """

    name: str
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Game of a player.

    Attributes:
        seq: Number of the game in the history.
        at: Local date and time; None if it is not known.
        points: Points of the player.
        rank: Rank of the player from 1.
        players: Number of players at the table.
        won: True if the player won, alone or together with others.
        lead: Points ahead of the best other player; negative if behind, None without another.
    """

    seq: int
    at: datetime | None
    points: int
    rank: int
    players: int
    won: bool
    lead: int | None


@dataclass(frozen=True, slots=True)
class Opponent:
    """Balance of a player against another one.

    Attributes:
        name: Name of the other player.
        games: Number of games together.
        ahead: Games in which the player had the better rank.
        behind: Games in which the other one had.
    """

    name: str
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class WinCount:
    """Games and wins of a month, or at tables of one size.

    Attributes:
        games: Number of games played.
        wins: Number of games won.
    """

    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class Streaks:
    """Games won or lost in a row, in the order in which they were played.

    Attributes:
        longest: Most games won in a row.
        current: Games won in a row up to the last game; 0 if that was lost.
        drought: Most games in a row without a win.
    """

    longest: int
    current: int
    drought: int


@dataclass(frozen=True, slots=True)
class PartAverage:
    """Points for a building type: those of a player, and of all at the same tables.

    Attributes:
        part: Identifier of the building type.
        own: Average points of a city of the player.
        table: Average points of all cities at the player's tables.
    """

    part: str
    own: float
    table: float


@dataclass(frozen=True, slots=True)
class CityPartner:
    """Player with whom cities were built.

    Attributes:
        name: Name of the other player.
        cities: Number of cities built together.
        average: Average points of these cities.
        best: Most points of one of them.
        seq: Number of the game with that city, in the history.
    """

    name: str
    cities: int
    average: float
    best: int
    seq: int


@dataclass(frozen=True, slots=True)
class GameCareer:
    """Statistics of a player in one game, variant and level.

    Attributes:
        game: Identifier of the game.
        variant: Variant that was played.
        level: Level that was played.
        played: Games of the player, in the order in which they were played.
        average: Average points.
        average_rank: Average rank.
        best: Game with the most points; of several equal ones the first.
        clearest: Game won with the largest lead; None without a win over others.
        parts: Points by building type, in the order of the sheet.
        partners: Players with whom cities were built, those with the best average first.
    """

    game: str
    variant: str
    level: int
    played: tuple[PlayedGame, ...]
    average: float
    average_rank: float
    best: PlayedGame
    clearest: PlayedGame | None
    parts: tuple[PartAverage, ...]
    partners: tuple[CityPartner, ...]


@dataclass(frozen=True, slots=True)
class Career:
    """Statistics of a player over all games.

    Attributes:
        name: Name of the player.
        games: Number of games played.
        wins: Number of games won, alone or together with others.
        since: Local time of the first game with a date; None without one.
        streaks: Games won or lost in a row.
        opponents: Other players, those met most often first.
        rival: Opponent who was ahead most often; None if nobody was.
        months: Games and wins of each month with a game, as ``2026-11``, in order.
        undated: Games without a date, which are in no month.
        sizes: Games and wins by number of players at the table.
        by_game: Statistics of each game, variant and level, the most often played first.
    """

    name: str
    games: int
    wins: int
    since: datetime | None
    streaks: Streaks
    opponents: tuple[Opponent, ...]
    rival: Opponent | None
    months: Mapping[str, WinCount]
    undated: int
    sizes: Mapping[int, WinCount]
    by_game: tuple[GameCareer, ...]


def summarize_players(scans: Iterable[StoredScan]) -> tuple[PlayerSummary, ...]:
    """Return all people who have played, those with most games first."""
    games, wins = Counter[str](), Counter[str]()
    for scan in scans:
        for result in _people(scan):
            games[result.name] += 1
            wins[result.name] += result.won
    names = sorted(games, key=lambda name: (-games[name], -wins[name], name))
    return tuple(PlayerSummary(name, games[name], wins[name]) for name in names)


def compute_career(scans: Iterable[StoredScan], name: str) -> Career | None:
    """Return the statistics of a player; None if no game has this player."""
    own = [scan for scan in _sorted_by_time(scans) if _seat(scan, name) is not None]
    if not own or not is_person_name(name):
        return None
    played = [_played_game(scan, name) for scan in own]
    opponents = _opponents(own, name)
    times = [one.at for one in played if one.at is not None]
    return Career(
        name=name,
        games=len(played),
        wins=sum(one.won for one in played),
        since=min(times, default=None),
        streaks=find_streaks([one.won for one in played]),
        opponents=opponents,
        rival=rival_among(opponents),
        months=_win_counts(
            (one.at.isoformat()[:7], one.won) for one in played if one.at is not None
        ),
        undated=len(played) - len(times),
        sizes=_win_counts((one.players, one.won) for one in played),
        by_game=_by_game(own, name),
    )


def find_streaks(won: Sequence[bool]) -> Streaks:
    """Return the longest and the current streak of games won or lost in this order."""
    runs = [(is_win, len(list(run))) for is_win, run in groupby(won)]
    return Streaks(
        longest=max((length for is_win, length in runs if is_win), default=0),
        current=runs[-1][1] if runs and runs[-1][0] else 0,
        drought=max((length for is_win, length in runs if not is_win), default=0),
    )


def rival_among(opponents: Iterable[Opponent]) -> Opponent | None:
    """Return the opponent who was ahead most often; of several the one with fewer games."""
    ahead = [one for one in opponents if one.behind]
    return min(ahead, key=lambda one: (-one.behind, one.games, one.name), default=None)


def _people(scan: StoredScan) -> Iterator[PlayerResult]:
    return (one for one in parse_results(scan.record.sheet) if is_person_name(one.name))


def _seat(scan: StoredScan, name: str) -> int | None:
    names = [one.name for one in parse_results(scan.record.sheet)]
    return names.index(name) if name in names else None


def _sorted_by_time(scans: Iterable[StoredScan]) -> list[StoredScan]:
    by_number = {scan.seq: scan for scan in scans}
    times = ((seq, scan.at.iso if scan.at.known else "") for seq, scan in by_number.items())
    return [by_number[seq] for seq in in_order_played(times)]


def _played_game(scan: StoredScan, name: str) -> PlayedGame:
    results = parse_results(scan.record.sheet)
    own = next(one for one in results if one.name == name)
    others = [one.points for one in results if one.name != name]
    return PlayedGame(
        seq=scan.seq,
        at=scan.at.utc.astimezone() if scan.at.known else None,
        points=own.points,
        rank=own.rank,
        players=len(results),
        won=own.won,
        lead=own.points - max(others) if others else None,
    )


def _opponents(scans: Iterable[StoredScan], name: str) -> tuple[Opponent, ...]:
    games, ahead, behind = Counter[str](), Counter[str](), Counter[str]()
    for scan in scans:
        people = {one.name: one.rank for one in _people(scan)}
        rank = people.pop(name)
        for other, other_rank in people.items():
            games[other] += 1
            ahead[other] += rank < other_rank
            behind[other] += rank > other_rank
    found = (Opponent(other, games[other], ahead[other], behind[other]) for other in games)
    return tuple(sorted(found, key=lambda one: (-one.games, one.name)))


def _win_counts(won_by: Iterable[tuple[_Key, bool]]) -> dict[_Key, WinCount]:
    games, wins = Counter[_Key](), Counter[_Key]()
    for key, won in won_by:
        games[key] += 1
        wins[key] += won
    return {key: WinCount(games[key], wins[key]) for key in sorted(games)}


def _by_game(scans: Iterable[StoredScan], name: str) -> tuple[GameCareer, ...]:
    grouped: dict[tuple[str, str, int], list[StoredScan]] = defaultdict(list)
    for scan in scans:
        grouped[scan.record.game, scan.record.variant, scan.record.level].append(scan)
    found = (_career_in_game(*kind, games, name) for kind, games in grouped.items())
    return tuple(sorted(found, key=lambda one: (-len(one.played), one.game, one.level)))


def _career_in_game(
    game: str, variant: str, level: int, scans: Sequence[StoredScan], name: str
) -> GameCareer:
    played = tuple(_played_game(scan, name) for scan in scans)
    leads = [one for one in played if one.won and one.lead]
    return GameCareer(
        game=game,
        variant=variant,
        level=level,
        played=played,
        average=fmean(one.points for one in played),
        average_rank=fmean(one.rank for one in played),
        best=max(played, key=lambda one: one.points),
        clearest=max(leads, key=lambda one: one.lead or 0, default=None),
        parts=_parts(scans, name),
        partners=_partners(scans, name),
    )


def _parts(scans: Iterable[StoredScan], name: str) -> tuple[PartAverage, ...]:
    own, table = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for scan in scans:
        sheet, seat = scan.record.sheet, _seat(scan, name)
        players = sheet.get("players") or ()
        player = players[seat] if seat is not None and seat < len(players) else {}
        cities = sheet.get("cities") or ()
        mine = [cities[index] for index in player.get("cities") or ()] if cities else [player]
        for totals, scored in ((own, mine), (table, cities or players)):
            for part, points in _points_of(scored):
                totals[part].append(points)
    return tuple(PartAverage(part, fmean(own[part]), fmean(table[part])) for part in own)


def _points_of(scored: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    """Yield the points of each building type of some cities or players."""
    for one in scored:
        if isinstance(one.get("points"), Mapping):
            yield from one["points"].items()


def _partners(scans: Iterable[StoredScan], name: str) -> tuple[CityPartner, ...]:
    """Return those who built a city with a player; nobody in games in which each has cities."""
    built: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for scan in scans:
        sheet, seat = scan.record.sheet, _seat(scan, name)
        players, cities = sheet.get("players") or (), sheet.get("cities") or ()
        if seat is None or not cities:
            continue
        own = set(players[seat].get("cities") or ())
        for other in players:
            if other["name"] == name or not is_person_name(other["name"]):
                continue
            for index in own & set(other.get("cities") or ()):
                built[other["name"]].append((cities[index]["total"], scan.seq))
    found = [
        CityPartner(
            other,
            len(points),
            fmean(total for total, _seq in points),
            *max(points, key=lambda one: (one[0], -one[1])),
        )
        for other, points in built.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.average, -one.cities, one.name)))
