"""The JSON forms of tables and sheets of Between Two Cities."""

from functools import lru_cache
from typing import Final

from msgspec import UNSET, UnsetType, convert

from firmware.base.checked_input import KnownNames, Shape, check_shape, known_names
from firmware.base.json_text import select_attributes
from firmware.base.terminal import Json
from firmware.games.between_two_cities.words import reason_sentence, tie_break_sentence
from firmware.games.player_words import with_composed_names
from scoring.faces import Face, Grid, city_name
from scoring.games.between_two_cities.best_arrangements import find_best_arrangements
from scoring.games.between_two_cities.score_sheet import CityScore, ScoreSheet
from scoring.games.between_two_cities.table import Duplex, Table, Variant


class _CityShape(Shape, frozen=True):
    grid: Grid
    duplexes: tuple[Duplex, ...] | UnsetType = UNSET


class _TableShape(Shape, frozen=True):
    game: str
    cities: tuple[_CityShape, ...]
    variant: Variant = Variant.STANDARD
    owners: tuple[int, ...] | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET
    order: tuple[int, ...] | UnsetType = UNSET


_NAMES: Final[KnownNames] = {
    "grid": known_names("unknown-face", Face),
    "variant": known_names("unknown-variant", Variant),
}


def table_from_json(value: object) -> Table:
    """Return the table that a JSON value describes; ``UsageError`` as ``check_shape`` raises it."""
    return convert(with_composed_names(check_shape(value, _TableShape, _NAMES)), Table)


def table_json(table: Table) -> Json:
    """Return a table without the name of the game."""
    optional = select_attributes(table, "owners", "players", "order")
    return {
        "variant": table.variant,
        "cities": [select_attributes(city, "grid") for city in table.cities],
        **{key: value for key, value in optional.items() if value is not None},
    }


def sheet_json(sheet: ScoreSheet) -> Json:
    """Return a score sheet as JSON."""
    names = [player.name for player in sheet.players]
    return {
        "variant": sheet.variant,
        "cities": [_city_score(city) for city in sheet.cities],
        "players": [
            select_attributes(player, "name", "cities", "final", "rank")
            | {"tie_break": player.tie_break and tie_break_sentence(player.tie_break, names)}
            for player in sheet.players
        ],
        "winners": sheet.winners,
    }


def better_json(table: Table) -> list[Json]:
    """Return the best score of each city's tiles as JSON, with one way to lay them."""
    grids = tuple(city.grid for city in table.cities)
    return [
        {"name": city_name(index)}
        | select_attributes(found, "given", "total", "bound", "grid", "worth")
        | {"valuable": [{"at": at, "face": grid[at[0]][at[1]]} for at in found.valuable]}
        for index, (grid, found) in enumerate(zip(grids, _best_arrangements(grids), strict=True))
    ]


_best_arrangements: Final = lru_cache(maxsize=8)(find_best_arrangements)
"""Several phones may ask for the same."""


def _city_score(city: CityScore) -> Json:
    reasons = [
        select_attributes(reason, "category", "points", "cells")
        | {"text": reason_sentence(reason), "kind": reason.kind}
        for reason in city.reasons
    ]
    return select_attributes(city, "name", "points", "total") | {"reasons": reasons}
