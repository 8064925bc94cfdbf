"""The JSON forms of readings and scans: plain dicts and lists, ready for ``json.dumps``."""

from dataclasses import replace
from typing import Final

from firmware.base.json_shapes import select_attributes, to_plain
from firmware.base.terminal import Json
from firmware.games.game import Scan
from firmware.wording.doubts import Doubt
from scoring.faces import city_name
from vision.reading import GridReading, LoosePiece, Note, Place, PlaceKind, Point, Quad

PX_DIGITS: Final = 2
"""Decimals of pixels: a hundredth is finer than any photo can tell."""


def scan_json(scan: Scan) -> Json:
    """Return a score sheet with its doubts; without rules the reading with its doubts."""
    unsure = {"unsure": [_unsure(doubt) for doubt in scan.doubts.unsure]}
    if scan.sheet is None or scan.game is None:
        return {**reading_json(scan), **unsure}
    sheet = scan.game.sheet_json(scan.sheet)
    return {**sheet, **unsure, **_ranges(scan), **_unread(scan), **_notes(scan)}


def _ranges(scan: Scan) -> Json:
    """Return what open places can change: least and most points of cities and players."""
    ranges = scan.ranges
    if ranges is None:
        return {}
    return {
        "ranges": {
            "cities": [[each.least, each.most] for each in ranges.cities],
            "players": [[each.least, each.most] for each in ranges.players],
            "winner_certain": ranges.winner_certain,
        }
    }


def reading_json(scan: Scan) -> Json:
    """Return a reading with its table; without rules the table is None."""
    reading, game = scan.reading, scan.game
    return {
        **select_attributes(reading, "photo", "game", "edition"),
        "size": list(reading.size_wh),
        "cities": [_grid(index, grid, scan) for index, grid in enumerate(reading.grids)],
        **_unread(scan),
        "table": None if scan.table is None or game is None else game.table_json(scan.table),
        **_notes(scan),
        "timings_ms": {step: round(spent, 1) for step, spent in reading.timings_ms.items()},
    }


def _unsure(doubt: Doubt) -> Json:
    told = _place(doubt.place)
    return {**told, "read": doubt.read, "alternatives": list(doubt.alternatives)}


def _place(place: Place) -> Json:
    return {"what": place.kind.value, "city": city_name(place.grid), "at": list(place.at)}


def _unread(scan: Scan) -> Json:
    regions = [
        {
            "corners_px": _quad(each.corners_px),
            "why": scan.sentence(each.why),
            "code": each.why.code,
            **dict(each.why.values),
        }
        for each in scan.reading.unread
    ]
    return {"unread": regions}


def _notes(scan: Scan) -> Json:
    codes = [_note_code(note) for note in scan.notes]
    return {"notes": [scan.sentence(note) for note in scan.notes], "note_codes": codes}


def _note_code(note: Note) -> Json:
    """Return a note for programs: its code, and ``at`` for one place or else ``places``."""
    told: Json = {"code": note.code}
    if note.grid is not None:
        told["city"] = city_name(note.grid)
    if len(note.places) == 1 and note.places[0].kind is PlaceKind.TILE:
        told["city"] = city_name(note.places[0].grid)
        told["at"] = list(note.places[0].at)
    elif note.places:
        told["places"] = [_place(each) for each in note.places]
    return {**told, **{name: value for name, value in note.values if name != "template"}}


def _grid(index: int, grid: GridReading, scan: Scan) -> Json:
    alone = replace(scan.naming, lettered=False)
    return {
        "name": city_name(index),
        "corners_px": _quad(grid.corners_px),
        "grid": to_plain(grid.grid),
        "confidence": [[round(value, 3) for value in row] for row in grid.confidence],
        "unsure": to_plain(grid.unsure),
        "alternatives": [
            {"at": list(cell), "faces": list(grid.alternatives.get(cell, ()))}
            for cell in grid.unsure
        ],
        "tiles": to_plain(grid.tiles),
        "turns": to_plain(grid.turns),
        "tile_quads_px": [[quad and _quad(quad) for quad in row] for row in grid.tile_quads_px],
        "tokens": [
            {"at": list(figure.at), "kind": figure.kind, "foot_px": _point(figure.foot_px)}
            for figure in grid.figures
        ],
        "unsure_tokens": to_plain(grid.unsure_figures),
        "beside": [_piece(piece) for piece in grid.loose],
        "unsure_slots": to_plain(grid.unsure_slots),
        **({"duplexes": to_plain(grid.duplexes)} if grid.duplexes else {}),
        "notes": [scan.sentence(note, alone) for note in grid.notes],
    }


def _piece(piece: LoosePiece) -> Json:
    return {
        **select_attributes(piece, "place", "number", "face"),
        "corners_px": _quad(piece.corners_px),
        "confidence": round(piece.confidence, 3),
        "unsure": piece.unsure,
        "alternatives": list(piece.alternatives),
    }


def _quad(quad: Quad) -> list[list[float]]:
    return [_point(point) for point in quad]


def _point(point: Point) -> list[float]:
    x, y = point
    return [round(float(x), PX_DIGITS), round(float(y), PX_DIGITS)]
