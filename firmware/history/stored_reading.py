"""Decode a stored reading."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, get_type_hints

import msgspec

from scoring.faces import Cell
from vision.reading import (
    GridReading,
    GridSighting,
    Join,
    JoinedPhoto,
    Note,
    NoteCode,
    PieceKey,
    Place,
    PlaceKind,
    Quad,
    Reading,
    Unread,
)

_CODES_STORED_AS_TEXT: Final = (NoteCode.CALIBRATION_UNUSABLE, "photo-unusable")
"""Codes of notes of which only the sentence is stored, not the values. They are left out when a
reading is decoded, as they say nothing about its tiles."""
_KEYS_BESIDE_VALUES: Final = frozenset(("code", "city", "at", "places", "corners_px", "why"))
"""Keys of a note or of an unread region besides the values of the note."""

_ATTRIBUTE_OF_JSON_KEY: Final = {
    "grid": "faces",
    "tokens": "figures",
    "unsure_tokens": "unsure_figures",
    "beside": "loose",
}
"""Attributes of a grid by their names in JSON, where the two differ."""
_TYPES: Final = {
    name: kind for name, kind in get_type_hints(GridReading).items() if name != "notes"
}


def decode_reading(stored: Mapping[str, Any]) -> Reading:
    """Return the reading that ``firmware.scan.json_output.reading_json`` encoded.

    Confidences and pixels have the digits that were written.

    Raises:
        ValueError: The value is no stored reading.
    """
    try:
        cities = stored["cities"]
        names = [city["name"] for city in cities]
        notes = [
            _note(note, names)
            for note in stored["note_codes"]
            if note["code"] not in _CODES_STORED_AS_TEXT
        ]
        return Reading(
            photo_name=stored["photo"],
            game=stored["game"],
            edition=stored["edition"],
            size_wh=msgspec.convert(stored["size"], tuple[int, int]),
            grids=tuple(_grid(city, index, notes) for index, city in enumerate(cities)),
            unread=tuple(
                Unread(
                    msgspec.convert(each["corners_px"], Quad),
                    Note(each["code"], values=_values(each)),
                )
                for each in stored["unread"]
            ),
            notes=tuple(note for note in notes if note.grid is None),
            timings_ms=stored["timings_ms"],
            join=_join(stored["join"], names) if "join" in stored else None,
        )
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise ValueError(f"this is no stored reading: {error}") from error


def _grid(city: Mapping[str, Any], index: int, notes: list[Note]) -> GridReading:
    given = {_ATTRIBUTE_OF_JSON_KEY.get(key, key): value for key, value in city.items()}
    if "loose" in given:
        given["loose"] = [{**each, "container": each["place"]} for each in given["loose"]]
    given["alternatives"] = {tuple(each["at"]): each["faces"] for each in city["alternatives"]}
    values = {name: msgspec.convert(given[name], _TYPES[name]) for name in _TYPES.keys() & given}
    own = tuple(replace(note.in_grid(0), grid=None) for note in notes if note.grid == index)
    return GridReading(**values, notes=own)


def _join(stored: Mapping[str, Any], names: list[str]) -> Join:
    photos = tuple(
        JoinedPhoto(
            photo["name"],
            msgspec.convert(photo["size"], tuple[int, int]),
            msgspec.convert(photo["corners_px"], Quad),
            tuple(
                GridSighting(
                    names.index(view["name"]),
                    msgspec.convert(view["corners_px"], Quad),
                    view["counts"],
                )
                for view in photo["cities"]
            ),
        )
        for photo in stored["photos"]
    )
    order = tuple(names.index(name) for name in stored["order"])
    pairs = tuple((names.index(a), names.index(b)) for a, b in stored["perhaps_same"])
    return Join(photos, order, stored["order_known"], pairs)


def _note(stored: Mapping[str, Any], names: list[str]) -> Note:
    grid = names.index(stored["city"]) if "city" in stored else None
    places = [_place(place, names) for place in stored.get("places", ())]
    if "at" in stored:
        places = [_place(stored, names)]
    return Note(stored["code"], grid, tuple(places), _values(stored))


def _place(stored: Mapping[str, Any], names: list[str]) -> Place:
    kind = PlaceKind(stored.get("what", PlaceKind.TILE))
    at = msgspec.convert(stored["at"], PieceKey if kind is PlaceKind.LOOSE else Cell)
    return Place(kind, names.index(stored["city"]), at)


def _values(stored: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in stored.items() if name not in _KEYS_BESIDE_VALUES)
