"""The JSON forms of readings and sheets: plain dicts and lists, ready for ``json.dumps``."""

from collections.abc import Iterable
from typing import Any

from firmware.scan import Scan, table_of
from firmware.sentences import reason_sentence, tie_break_sentence
from scoring.faces import Cell, Grid, Place, city_name
from scoring.games.between_two_cities.sheet import Category, CityScore, PlayerScore, Reason, Sheet
from scoring.games.between_two_cities.table import Table
from vision.reading import CityReading, Quad, Reading

Json = dict[str, Any]

PX_DIGITS = 2
"""Decimals of pixels: a hundredth is finer than any photo can tell."""


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


def scan_json(scan: Scan) -> Json:
    """A score sheet with what a person has to look at."""
    return {
        **sheet_json(scan.sheet),
        "unsure": [_unsure(scan.reading, place) for place in scan.doubts.unsure],
        "unread": _unread(scan.reading),
        "notes": list(scan.notes),
    }


def reading_json(reading: Reading, table: Table | None = None) -> Json:
    """A reading, with the table it shows.

    Args:
        reading: of one photo.
        table: what is or would be scored; None: that of the standard game.
    """
    return {
        "photo": reading.photo,
        "game": reading.game,
        "edition": reading.edition,
        "size": list(reading.size_wh),
        "cities": [_city_reading(index, city) for index, city in enumerate(reading.cities)],
        "unread": _unread(reading),
        "table": table_json(reading.game, table_of(reading) if table is None else table),
        "notes": list(reading.notes),
        "timings_ms": {step: round(spent, 1) for step, spent in reading.timings_ms.items()},
    }


def table_json(game: str, table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    value: Json = {
        "game": game,
        "variant": table.variant.value,
        "cities": [{"grid": _grid(city.grid)} for city in table.cities],
    }
    if table.owners is not None:
        value["owners"] = list(table.owners)
    if table.players is not None:
        value["players"] = list(table.players)
    return value


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
        "cells": _cells(reason.cells),
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


def _unsure(reading: Reading, place: Place) -> Json:
    index, cell = place
    city = reading.cities[index]
    return {
        "city": city_name(index),
        "at": list(cell),
        "read": _face_at(city.grid, cell),
        "alternatives": _alternatives(city, cell),
    }


def _unread(reading: Reading) -> list[Json]:
    return [
        {"corners_px": _quad(region.corners_px), "why": region.why} for region in reading.unread
    ]


def _city_reading(index: int, city: CityReading) -> Json:
    return {
        "name": city_name(index),
        "corners_px": _quad(city.corners_px),
        "grid": _grid(city.grid),
        "confidence": [[round(value, 3) for value in row] for row in city.confidence],
        "unsure": _cells(city.unsure),
        "alternatives": [
            {"at": list(cell), "faces": _alternatives(city, cell)} for cell in city.unsure
        ],
        "tile_quads_px": [
            [None if quad is None else _quad(quad) for quad in row] for row in city.tile_quads_px
        ],
        "notes": list(city.notes),
    }


def _alternatives(city: CityReading, cell: Cell) -> list[str]:
    return [face.value for face in city.alternatives.get(cell, ())]


def _face_at(grid: Grid, cell: Cell) -> str | None:
    face = grid[cell[0]][cell[1]]
    return None if face is None else face.value


def _grid(grid: Grid) -> list[list[str | None]]:
    return [[None if face is None else face.value for face in row] for row in grid]


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def _quad(quad: Quad) -> list[list[float]]:
    return [[round(float(x), PX_DIGITS), round(float(y), PX_DIGITS)] for x, y in quad]
