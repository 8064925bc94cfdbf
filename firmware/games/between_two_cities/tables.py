"""The JSON forms of tables and sheets of Between Two Cities."""

from typing import Final

from msgspec import UNSET, UnsetType

from firmware.games.between_two_cities.words import reason_sentence, tie_break_sentence
from firmware.shapes import Names, Shape, checked, names_of
from firmware.terminal import Json
from scoring.faces import Face, Grid, city_name
from scoring.games.between_two_cities import NAME
from scoring.games.between_two_cities.sheet import (
    Category,
    CityScore,
    PlayerScore,
    Reason,
    Sheet,
)
from scoring.games.between_two_cities.table import City, Duplex, Table, Variant


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
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors."""
    shape = checked(value, _TableShape, _NAMES)
    return Table(
        cities=tuple(
            City(city.grid, None if city.duplexes is UNSET else city.duplexes)
            for city in shape.cities
        ),
        variant=shape.variant,
        owners=None if shape.owners is UNSET else shape.owners,
        players=None if shape.players is UNSET else tuple(name.strip() for name in shape.players),
    )


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    value: Json = {
        "game": NAME,
        "variant": table.variant.value,
        "cities": [{"grid": [list(row) for row in city.grid]} for city in table.cities],
    }
    if table.owners is not None:
        value["owners"] = list(table.owners)
    if table.players is not None:
        value["players"] = list(table.players)
    return value


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    names = [player.name for player in sheet.players]
    return {
        "game": sheet.game,
        "variant": sheet.variant.value,
        "cities": [_city_score(city) for city in sheet.cities],
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": list(sheet.winners),
        "missing": [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing],
    }


def _city_score(city: CityScore) -> Json:
    return {
        "name": city.name,
        "points": {category.value: city.points[category] for category in Category},
        "total": city.total,
        "reasons": [_reason(reason) for reason in city.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "category": reason.category.value,
        "points": reason.points,
        "cells": [list(cell) for cell in reason.cells],
        "text": reason_sentence(reason),
        "kind": reason.kind.value,
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    tie_break = player.tie_break
    return {
        "name": player.name,
        "cities": list(player.cities),
        "final": player.final,
        "rank": player.rank,
        "tie_break": None if tie_break is None else tie_break_sentence(tie_break, names),
    }
