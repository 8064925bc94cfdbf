"""The JSON forms of readings and scans: plain dicts and lists, ready for ``json.dumps``."""

from collections.abc import Iterable

from firmware.games.between_two_cities.sheet_json import sheet_json
from firmware.games.between_two_cities.table_json import table_json
from firmware.scan import Scan, table_of
from firmware.terminal import Json
from scoring.faces import Cell, Grid, Place, city_name
from scoring.games.between_two_cities.table import Table
from vision.reading import GridReading, Quad, Reading

PX_DIGITS = 2
"""Decimals of pixels: a hundredth is finer than any photo can tell."""


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


def _city_reading(index: int, city: GridReading) -> Json:
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
        **_duplexes(city),
        "notes": list(city.notes),
    }


def _duplexes(city: GridReading) -> Json:
    """Only where some were seen."""
    if not city.duplexes:
        return {}
    return {"duplexes": [_cells(pair) for pair in city.duplexes]}


def _alternatives(city: GridReading, cell: Cell) -> list[str]:
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
