"""Points of a scored table in words, with what they can become while places are open."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.base.language import _
from firmware.games.game import Scan
from firmware.games.players import player_name
from firmware.games.registry import game_called
from firmware.games.scores import CityPoints, PlayerResult
from firmware.history import ScanRecord
from firmware.history.record import Winners, city_points_of, results_of, shown_numbers_of
from firmware.screens.words import ranked
from firmware.wording.ranges import ShownNumbers


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """Rank, name and points of a player in words.

    Attributes:
        rank: Rank such as ``1.``, or ``1–3.`` while it may change.
        name: Name in the language that is spoken.
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
    said = game.winner_line(scan.sheet, scan.numbers)
    winners = Winners(game.player_results(scan.sheet), scan.numbers, scan.to_check)
    return said or winners.sentence or _("no result")


def points_table(scan: Scan) -> PointsTable:
    """Return the points of a scored table."""
    game = scan.game
    assert game is not None  # noqa: S101 - it was scored
    cities = game.city_points(scan.sheet)
    totals = [scan.city_points(index, city.total) for index, city in enumerate(cities)]
    return _points_table(
        game.player_results(scan.sheet),
        cities,
        totals,
        scan.reading.game,
        scan.numbers,
        cities_of=[_cities_of(player) for player in getattr(scan.sheet, "players", ())],
        tie_breaks=[
            game.tie_break(scan.sheet, seat)
            for seat, _player in enumerate(getattr(scan.sheet, "players", ()))
        ],
    )


def _cities_of(player: object) -> tuple[int, ...]:
    return tuple(getattr(player, "cities", ()))


def stored_points_table(record: ScanRecord) -> PointsTable:
    """Return the points of a stored sheet; without ranges one doubt marks all of them."""
    numbers, cities = shown_numbers_of(record.sheet), city_points_of(record.sheet)
    totals = [numbers.city(index, city.total, may_change=True) for index, city in enumerate(cities)]
    return _points_table(results_of(record.sheet), cities, totals, record.game, numbers)


def _points_table(
    results: Sequence[PlayerResult],
    cities: Sequence[CityPoints],
    totals: Sequence[str],
    game: str,
    numbers: ShownNumbers,
    *,
    cities_of: Sequence[tuple[int, ...]] = (),
    tie_breaks: Sequence[str] = (),
) -> PointsTable:
    lettered = [f"{city.name} {total}" for city, total in zip(cities, totals, strict=True)]
    players = tuple(
        PlayerLine(
            str(ranked(numbers.rank(seat, results[seat].rank), "")).strip(),
            player_name(results[seat].name),
            numbers.final(seat, results[seat].points),
            results[seat].won and not numbers.contenders,
            tuple(lettered[city] for city in cities_of[seat]) if seat < len(cities_of) else (),
            tie_breaks[seat] if seat < len(tie_breaks) else "",
        )
        for seat in sorted(range(len(results)), key=lambda seat: results[seat].rank)
    )
    parts: dict[str, list[int]] = {}
    for city in cities:
        for part, points in city.parts.items():
            parts.setdefault(part, []).append(points)
    return PointsTable(
        players,
        tuple((city.name, total) for city, total in zip(cities, totals, strict=True)),
        tuple((game_called(game).part_name(part), tuple(points)) for part, points in parts.items()),
    )
