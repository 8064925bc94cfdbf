"""Points of a scored table in words, with what they can become while places are open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware.base.language import _
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.games.scores import CityPoints, PlayerResult
from firmware.history import ScanRecord
from firmware.history.stored_sheet import (
    WinnerSummary,
    parse_city_points,
    parse_results,
    parse_shown_numbers,
)
from firmware.screens.words import rank_and_name
from firmware.wording.ranges import ShownNumbers


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """Rank, name and points of a player in words.

    Attributes:
        rank: Rank such as ``1.``, or ``1–3.`` while it may change.
        name: Name in the current language.
        points: Points such as ``57``, or ``55–57`` while they may change.
        won: True if the player wins, alone or together with others; False while it is open who
            does.
        cities: Letter and points of each city of the player, such as ``A 52``; empty in games
            without.
        tie_break: Sentence on how the player stands to those with the same points; empty if nobody
            has.
    """

    rank: str
    name: str
    points: str
    won: bool
    cities: tuple[str, ...] = ()
    tie_break: str = ""


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points of all players and cities in words.

    Attributes:
        players: Players by rank.
        cities: Letter and total of each city; empty for games without city points.
        parts: Name of each building type and its points city by city.
    """

    players: tuple[PlayerLine, ...]
    cities: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, tuple[int, ...]], ...]


def headline(scan: Scan) -> str:
    """Return the sentence that names the winner of a scored table."""
    game = scan.game
    assert game is not None  # noqa: S101 - it was scored
    sentence = game.winner_line(scan.sheet, scan.shown_numbers)
    victory = WinnerSummary(game.player_results(scan.sheet), scan.shown_numbers, scan.doubt_count)
    return sentence or victory.sentence or _("no result")


def points_table(scan: Scan) -> PointsTable:
    """Return the points of a scored table."""
    game = scan.game
    assert game is not None  # noqa: S101 - it was scored
    results, cities = game.player_results(scan.sheet), game.city_points(scan.sheet)
    totals = [scan.shown_city_points(index, city.total) for index, city in enumerate(cities)]
    lines = _player_lines(results, scan.shown_numbers)
    for seat, player in enumerate(getattr(scan.sheet, "players", ())):
        own = getattr(player, "cities", ())
        lines[seat] = replace(
            lines[seat],
            cities=tuple(f"{cities[index].name} {totals[index]}" for index in own),
            tie_break=game.tie_break(scan.sheet, seat),
        )
    return PointsTable(
        _by_rank(lines, results), _city_totals(cities, totals), _parts(cities, scan.reading.game)
    )


def stored_points_table(record: ScanRecord) -> PointsTable:
    """Return the points of a stored sheet; without ranges one doubt marks all of them."""
    numbers, cities = parse_shown_numbers(record.sheet), parse_city_points(record.sheet)
    totals = [numbers.city(index, city.total, may_change=True) for index, city in enumerate(cities)]
    results = parse_results(record.sheet)
    lines = _player_lines(results, numbers)
    return PointsTable(
        _by_rank(lines, results), _city_totals(cities, totals), _parts(cities, record.game)
    )


def _player_lines(results: Sequence[PlayerResult], numbers: ShownNumbers) -> list[PlayerLine]:
    """Return the line of each player by seat, without cities and tie-break."""
    return [
        PlayerLine(
            str(rank_and_name(numbers.rank(seat, result.rank), "")).strip(),
            shown_name(result.name),
            numbers.final(seat, result.points),
            result.won and not numbers.contenders,
        )
        for seat, result in enumerate(results)
    ]


def _by_rank(
    lines: Sequence[PlayerLine], results: Sequence[PlayerResult]
) -> tuple[PlayerLine, ...]:
    """Return the lines of all seats by rank; seats of the same rank stay in their order."""
    return tuple(lines[seat] for seat in sorted(range(len(lines)), key=lambda n: results[n].rank))


def _city_totals(
    cities: Sequence[CityPoints], totals: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    return tuple((city.name, total) for city, total in zip(cities, totals, strict=True))


def _parts(cities: Sequence[CityPoints], game: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    parts: dict[str, list[int]] = {}
    for city in cities:
        for part, points in city.parts.items():
            parts.setdefault(part, []).append(points)
    return tuple((game_or_unscored(game).part_name(part), tuple(n)) for part, n in parts.items())
