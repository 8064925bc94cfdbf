"""A reading as it is remembered, made a reading again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from scoring.faces import Cell
from vision.reading import (
    Figure,
    GridReading,
    LoosePiece,
    NameGrid,
    Note,
    NoteCode,
    PieceAt,
    Place,
    PlaceKind,
    Quad,
    Reading,
    Unread,
)

_WITH_A_SENTENCE: Final = (NoteCode.CALIBRATION_UNUSABLE,)
"""Notes whose words are not kept as data; they say nothing about the table."""
_NO_VALUES: Final = frozenset(("code", "city", "at", "places", "corners_px", "why"))
"""Keys of a note or of what was not read that are no values of the note."""


@dataclass(frozen=True, slots=True)
class _Others:
    """What else a cell may show."""

    at: Cell
    faces: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class _City:
    """A grid, by the keys of its JSON."""

    name: str
    corners_px: Quad
    grid: NameGrid
    confidence: tuple[tuple[float, ...], ...]
    unsure: tuple[Cell, ...]
    alternatives: tuple[_Others, ...]
    tiles: NameGrid
    turns: tuple[tuple[int | None, ...], ...]
    tile_quads_px: tuple[tuple[Quad | None, ...], ...]
    tokens: tuple[Figure, ...]
    unsure_tokens: tuple[Cell, ...]
    beside: tuple[LoosePiece, ...]
    unsure_slots: tuple[PieceAt, ...]
    duplexes: tuple[tuple[Cell, Cell], ...] = ()


def reading_of(stored: Mapping[str, Any]) -> Reading:
    """The reading of which ``firmware.output.reading_json`` made this.

    Confidences and pixels are as fine as they were written.

    Raises:
        ValueError: it is not of that form.
    """
    try:
        cities = msgspec.convert(stored["cities"], tuple[_City, ...])
        names = [city.name for city in cities]
        notes = [
            _note(said, names)
            for said in stored["note_codes"]
            if said["code"] not in _WITH_A_SENTENCE
        ]
        return Reading(
            photo=stored["photo"],
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
        )
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise ValueError(f"this is no stored reading: {error}") from error


def _grid(city: _City, index: int, notes: list[Note]) -> GridReading:
    return GridReading(
        corners_px=city.corners_px,
        grid=city.grid,
        confidence=city.confidence,
        unsure=city.unsure,
        tile_quads_px=city.tile_quads_px,
        tiles=city.tiles,
        turns=city.turns,
        alternatives={other.at: other.faces for other in city.alternatives},
        figures=city.tokens,
        unsure_figures=city.unsure_tokens,
        loose=city.beside,
        unsure_slots=city.unsure_slots,
        duplexes=city.duplexes,
        notes=tuple(replace(note.in_grid(0), grid=None) for note in notes if note.grid == index),
    )


def _note(said: Mapping[str, Any], names: list[str]) -> Note:
    grid = names.index(said["city"]) if "city" in said else None
    places = [_place(place, names) for place in said.get("places", ())]
    if "at" in said:
        places = [_place(said, names)]
    return Note(said["code"], grid, tuple(places), _values(said))


def _place(said: Mapping[str, Any], names: list[str]) -> Place:
    kind = PlaceKind(said.get("what", PlaceKind.TILE))
    at = msgspec.convert(said["at"], PieceAt if kind is PlaceKind.LOOSE else Cell)
    return Place(kind, names.index(said["city"]), at)


def _values(said: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in said.items() if name not in _NO_VALUES)
