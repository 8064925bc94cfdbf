"""Points of a scored table in words, with question marks where the display has them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.base.language import _
from firmware.games.game import Scan
from firmware.games.players import player_name
from firmware.games.registry import game_called
from firmware.games.scores import CityPoints, PlayerResult
from firmware.history import ScanRecord
from firmware.history.record import Winners, city_points_of, results_of, winners_of
from firmware.screens import words
from firmware.screens.words import mark_unsure


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """Rank, name and points of a player in words.

    Attributes:
        rank: Rank such as ``1.``, or ``1?`` while it may change.
        name: Name in the language that is spoken.
        points: Points such as ``57``, or ``57?`` while they may change.
        won: True if the player wins, alone or together with others.
    """

    rank: str
    name: str
    points: str
    won: bool


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
    said = game.winner_line(scan.sheet, "?" if scan.to_check else "")
    winners = Winners.among(game.player_results(scan.sheet), scan.to_check)
    return said or winners.sentence or _("no result")


def points_table(scan: Scan) -> PointsTable:
    """Return the points of a scored table."""
    game = scan.game
    assert game is not None  # noqa: S101 - it was scored
    return _points_table(
        game.player_results(scan.sheet),
        game.city_points(scan.sheet),
        scan.reading.game,
        is_open=scan.to_check > 0,
        city_may_change=scan.may_change,
    )


def stored_points_table(record: ScanRecord) -> PointsTable:
    """Return the points of a stored sheet; one doubt marks all of them."""
    is_open = winners_of(record.sheet).open_places > 0
    return _points_table(
        results_of(record.sheet),
        city_points_of(record.sheet),
        record.game,
        is_open=is_open,
        city_may_change=lambda _city: is_open,
    )


def _points_table(
    results: Sequence[PlayerResult],
    cities: Sequence[CityPoints],
    game: str,
    *,
    is_open: bool,
    city_may_change: Callable[[int], bool],
) -> PointsTable:
    ranked = words.RANKED_UNSURE if is_open else words.RANKED
    players = tuple(
        PlayerLine(
            str(ranked.fill(rank=each.rank, name="")).strip(),
            player_name(each.name),
            mark_unsure(each.points, unsure=is_open),
            each.won,
        )
        for each in sorted(results, key=lambda each: each.rank)
    )
    parts: dict[str, list[int]] = {}
    for city in cities:
        for part, points in city.parts.items():
            parts.setdefault(part, []).append(points)
    return PointsTable(
        players,
        tuple(
            (city.name, mark_unsure(city.total, unsure=city_may_change(index)))
            for index, city in enumerate(cities)
        ),
        tuple((game_called(game).part_name(part), tuple(points)) for part, points in parts.items()),
    )
