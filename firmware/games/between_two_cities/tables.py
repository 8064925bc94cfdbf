"""The JSON forms of tables and sheets of Between Two Cities."""

from typing import Final

from msgspec import UNSET, UnsetType, convert

from firmware.games.between_two_cities.words import reason_sentence, tie_break_sentence
from firmware.shapes import Names, Shape, given, names_of
from firmware.terminal import Json
from scoring.faces import Face, Grid
from scoring.games.between_two_cities.sheet import Category, CityScore, PlayerScore, Reason, Sheet
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


_NAMES: Final[Names] = {
    "grid": names_of("unknown-face", Face),
    "variant": names_of("unknown-variant", Variant),
}


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.given`` for errors."""
    return convert(given(value, _TableShape, _NAMES), Table)


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    said: Json = {
        "variant": table.variant,
        "cities": [{"grid": city.grid} for city in table.cities],
    }
    optional = {"owners": table.owners, "players": table.players}
    return said | {key: value for key, value in optional.items() if value is not None}


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    names = [player.name for player in sheet.players]
    return {
        "variant": sheet.variant,
        "cities": [_city_score(city) for city in sheet.cities],
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": sheet.winners,
    }


def _city_score(city: CityScore) -> Json:
    return {
        "name": city.name,
        "points": {category: city.points[category] for category in Category},
        "total": city.total,
        "reasons": [_reason(reason) for reason in city.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "category": reason.category,
        "points": reason.points,
        "cells": reason.cells,
        "text": reason_sentence(reason),
        "kind": reason.kind,
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    tie_break = player.tie_break
    return {
        "name": player.name,
        "cities": player.cities,
        "final": player.final,
        "rank": player.rank,
        "tie_break": None if tie_break is None else tie_break_sentence(tie_break, names),
    }
