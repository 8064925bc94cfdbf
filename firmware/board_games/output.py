"""The JSON forms of readings and scans of games known by pictures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from firmware.board_games.doubts import Doubt
from firmware.board_games.scan import BoardScan
from firmware.games import cities, city_blocks, dice_board, find_form
from firmware.output import PX_DIGITS
from firmware.terminal import Json
from scoring.faces import city_name
from vision.reading import LoosePiece, GridReading, Point
from vision.reading import Quad, Unread

_TABLE_FORMS: Final[Mapping[str, Callable[[Any], Json]]] = {
    cities.NAME: cities.table_json,
    city_blocks.NAME: city_blocks.table_json,
    dice_board.NAME: dice_board.table_json,
}
"""How the table of each game is written."""


def board_scan_json(scan: BoardScan) -> Json:
    """A score sheet with what a person has to look at; without rules the reading with the same."""
    told = {
        "unsure": [_unsure(doubt) for doubt in scan.doubts.places if not doubt.missing],
        "unread": [_unread(each) for each in scan.reading.unread],
        "notes": list(scan.notes),
    }
    if scan.sheet is None:
        return {**board_reading_json(scan), **told}
    return {**find_form(scan.reading.game).sheet_json(scan.sheet), **told}


def board_reading_json(scan: BoardScan) -> Json:
    """A reading, with the table it shows; None instead of a table of a game without rules."""
    reading = scan.reading
    return {
        "photo": reading.photo,
        "game": reading.game,
        "edition": reading.edition,
        "size": list(reading.size_wh),
        "cities": [_grid_reading(index, grid) for index, grid in enumerate(reading.grids)],
        "unread": [_unread(each) for each in reading.unread],
        "table": None if scan.table is None else _TABLE_FORMS[reading.game](scan.table),
        "notes": list(scan.notes),
        "timings_ms": {step: round(spent, 1) for step, spent in reading.timings_ms.items()},
    }


def _unsure(doubt: Doubt) -> Json:
    spot = doubt.spot
    return {
        "what": spot.what.value,
        "city": city_name(spot.grid),
        "at": list(spot.at),
        "read": doubt.read,
        "alternatives": list(doubt.alternatives),
    }


def _unread(region: Unread) -> Json:
    return {"corners_px": _quad(region.corners_px), "why": region.why}


def _grid_reading(index: int, grid: GridReading) -> Json:
    return {
        "name": city_name(index),
        "corners_px": _quad(grid.corners_px),
        "grid": _rows(grid.grid),
        "confidence": [[round(value, 3) for value in row] for row in grid.confidence],
        "unsure": _cells(grid.unsure),
        "alternatives": [
            {"at": list(cell), "faces": list(grid.alternatives.get(cell, ()))}
            for cell in grid.unsure
        ],
        "tiles": _rows(grid.tiles),
        "turns": _rows(grid.turns),
        "tile_quads_px": [
            [None if quad is None else _quad(quad) for quad in row] for row in grid.tile_quads_px
        ],
        "tokens": [
            {"at": list(token.at), "kind": token.kind, "foot_px": _point(token.foot_px)}
            for token in grid.tokens
        ],
        "unsure_figures": _cells(grid.unsure_figures),
        "beside": [_piece(piece) for piece in grid.beside],
        "unsure_slots": [list(slot) for slot in grid.unsure_slots],
        "notes": list(grid.notes),
    }


def _piece(piece: LoosePiece) -> Json:
    return {
        "place": piece.place,
        "number": piece.number,
        "face": piece.face,
        "corners_px": _quad(piece.corners_px),
        "confidence": round(piece.confidence, 3),
        "unsure": piece.unsure,
        "alternatives": list(piece.alternatives),
    }


def _rows(rows: Sequence[Sequence[str | int | None]]) -> list[list[str | int | None]]:
    return [list(row) for row in rows]


def _cells(cells: Sequence[tuple[int, int]]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def _quad(quad: Quad) -> list[list[float]]:
    return [_point(point) for point in quad]


def _point(point: Point) -> list[float]:
    x, y = point
    return [round(float(x), PX_DIGITS), round(float(y), PX_DIGITS)]
