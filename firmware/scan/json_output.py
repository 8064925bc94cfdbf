"""The JSON forms of readings and scans: plain dicts and lists, ready for ``json.dumps``."""

from dataclasses import replace
from typing import Final

from firmware.base.json_text import select_attributes, to_plain
from firmware.base.terminal import Json
from firmware.games.doubts import DoubtfulPlace
from firmware.games.scan import Scan
from firmware.wording.ranges import RangeQuality
from scoring.faces import city_name
from vision.reading import (
    GridReading,
    LoosePiece,
    Note,
    Place,
    PlaceKind,
    Point,
    Quad,
    Reading,
    Unread,
    transform_quad,
)

PX_DIGITS: Final = 2
"""Decimals of pixels: a hundredth is finer than any photo resolves."""


def scan_json(scan: Scan) -> Json:
    """Return a score sheet with its doubts; without rules the reading with its doubts."""
    unsure = {"unsure": [_unsure(doubt) for doubt in scan.doubts.read_places]}
    if scan.sheet is None or scan.game is None:
        return {**reading_json(scan), **unsure}
    sheet = scan.game.sheet_json(scan.sheet)
    return {
        **sheet,
        **unsure,
        **_ranges(scan),
        **_unread(scan, of_each_photo=True),
        **_notes(scan),
        **_join(scan),
    }


def _join(scan: Scan) -> Json:
    """Return which photo shows which cities, and their order; empty for one photo."""
    join = scan.reading.join
    if join is None:
        return {}
    output: Json = {
        "photos": [
            {
                "name": photo.name,
                "shows": [city_name(view.grid) for view in photo.grids],
                "counts": [city_name(view.grid) for view in photo.grids if view.is_best],
            }
            for photo in join.photos
        ],
        "perhaps_same": [[city_name(a), city_name(b)] for a, b in join.perhaps_same],
    }
    if scan.game is not None and scan.game.seats_matter(scan.options):
        output["order"] = [city_name(grid) for grid in scan.order]
        output["order_certain"] = join.is_order_known or scan.options.order is not None
    return output


def _ranges(scan: Scan) -> Json:
    """Return what open places can change: least and most points and ranks, and who can win."""
    ranges = scan.ranges
    if ranges is None:
        return {}
    return {
        "ranges": {
            "cities": [[each.least, each.most] for each in ranges.cities],
            "players": [[each.least, each.most] for each in ranges.players],
            "ranks": [[each.least, each.most] for each in ranges.ranks],
            "winners": list(ranges.winners),
            "winner_certain": ranges.winner_certain,
            "complete": scan.ranges_cover_all,
            "exact": ranges.quality is RangeQuality.EXACT,
        }
    }


def reading_json(scan: Scan) -> Json:
    """Return a reading with its table; without rules the table is None."""
    reading, game = scan.reading, scan.game
    return {
        "photo": reading.photo_name,
        **select_attributes(reading, "game", "edition"),
        "size": list(reading.size_wh),
        "cities": [_grid(index, grid, scan) for index, grid in enumerate(reading.grids)],
        **_unread(scan),
        "table": None if scan.table is None or game is None else game.table_json(scan.table),
        **_notes(scan),
        **_joined_picture(scan.reading),
        "timings_ms": {step: round(spent, 1) for step, spent in reading.timings_ms.items()},
    }


def _joined_picture(reading: Reading) -> Json:
    """Return the parts of a joined picture with the cities in them; empty for one photo."""
    join = reading.join
    if join is None:
        return {}
    photos = [
        {
            "name": photo.name,
            "size": list(photo.size_wh),
            "corners_px": _quad(photo.corners_px),
            "cities": [
                {
                    "name": city_name(view.grid),
                    "corners_px": _quad(view.corners_px),
                    "counts": view.is_best,
                }
                for view in photo.grids
            ],
        }
        for photo in join.photos
    ]
    return {
        "join": {
            "photos": photos,
            "order": [city_name(grid) for grid in join.order],
            "order_known": join.is_order_known,
            "perhaps_same": [[city_name(a), city_name(b)] for a, b in join.perhaps_same],
        }
    }


def _unsure(doubt: DoubtfulPlace) -> Json:
    output = _place(doubt.place)
    return {**output, "read": doubt.read, "alternatives": list(doubt.alternatives)}


def _place(place: Place) -> Json:
    return {"what": place.kind.value, "city": city_name(place.grid), "at": list(place.at)}


def _unread(scan: Scan, *, of_each_photo: bool = False) -> Json:
    """Return the unread regions; those of several photos in pixels of their own, if asked."""
    join = scan.reading.join
    photos = {} if join is None else {photo.name: photo for photo in join.photos}

    def corners(each: Unread) -> Quad:
        photo = photos.get(str(dict(each.reason.values).get("photo"))) if of_each_photo else None
        return (
            each.corners_px if photo is None else transform_quad(each.corners_px, photo.to_photo_px)
        )

    regions = [
        {
            "corners_px": _quad(corners(each)),
            "why": scan.sentence(each.reason),
            "code": each.reason.code,
            **dict(each.reason.values),
        }
        for each in scan.reading.unread
    ]
    return {"unread": regions}


def _notes(scan: Scan) -> Json:
    codes = [_note_code(note) for note in scan.notes]
    return {"notes": [scan.sentence(note) for note in scan.notes], "note_codes": codes}


def _note_code(note: Note) -> Json:
    """Return a note for programs: its code, and ``at`` for one place or else ``places``."""
    output: Json = {"code": note.code}
    if note.grid is not None:
        output["city"] = city_name(note.grid)
    if len(note.places) == 1 and note.places[0].kind is PlaceKind.TILE:
        output["city"] = city_name(note.places[0].grid)
        output["at"] = list(note.places[0].at)
    elif note.places:
        output["places"] = [_place(each) for each in note.places]
    return {**output, **{name: value for name, value in note.values if name != "template"}}


def _grid(index: int, grid: GridReading, scan: Scan) -> Json:
    alone = replace(scan.naming, lettered=False)
    return {
        "name": city_name(index),
        "corners_px": _quad(grid.corners_px),
        "grid": to_plain(grid.faces),
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
        "place": piece.container,
        **select_attributes(piece, "number", "face"),
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
