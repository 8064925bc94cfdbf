"""The JSON form of a table of Cities."""

from typing import Final

from msgspec import UNSET, UnsetType

from firmware.games.cities.words import reason_sentence, tie_break_sentence
from firmware.shapes import Names, Shape, checked, names_of
from firmware.terminal import Json
from scoring.faces import Cell, Field, city_name
from scoring.games.cities import NAME
from scoring.games.cities.sheet import Category, PlayerScore, Reason, Sheet
from scoring.games.cities.table import City, Fields, Table


class _CityShape(Shape, frozen=True):
    fields: Fields
    tourists: tuple[Cell, ...] = ()


class _TableShape(Shape, frozen=True):
    game: str
    cities: tuple[_CityShape, ...]
    level: int = 1
    players: tuple[str, ...] | UnsetType = UNSET


_NAMES: Final[Names] = {"fields": names_of("unknown-face", Field)}


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors."""
    shape = checked(value, _TableShape, _NAMES)
    return Table(
        cities=tuple(City(city.fields, city.tourists) for city in shape.cities),
        level=shape.level,
        players=None if shape.players is UNSET else tuple(name.strip() for name in shape.players),
    )


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it; ``table_from`` reads it back as an equal one."""
    value: Json = {
        "game": NAME,
        "level": table.level,
        "cities": [_city(city) for city in table.cities],
    }
    if table.players is not None:
        value["players"] = list(table.players)
    return value


def _city(city: City) -> Json:
    return {
        "fields": [
            [None if field is None else field.value for field in row] for row in city.fields
        ],
        "tourists": [list(cell) for cell in city.tourists],
    }


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    names = [player.name for player in sheet.players]
    return {
        "game": sheet.game,
        "level": sheet.level,
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": list(sheet.winners),
        "missing": [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing],
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    tie_break = player.tie_break
    return {
        "name": player.name,
        "final": player.final,
        "rank": player.rank,
        "points": {category.value: player.points[category] for category in Category},
        "tourists": [
            {"at": list(tourist.at), "points": tourist.points} for tourist in player.tourists
        ],
        "reasons": [_reason(reason) for reason in player.reasons],
        "tie_break": None if tie_break is None else tie_break_sentence(tie_break, names),
    }


def _reason(reason: Reason) -> Json:
    return {
        "category": None if reason.category is None else reason.category.value,
        "points": reason.points,
        "cells": [list(cell) for cell in reason.cells],
        "text": reason_sentence(reason),
        "kind": reason.kind.value,
        "at": list(reason.tourist),
    }
