"""What a person says about single tiles: ``A:2,3=park``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from firmware.errors import UsageError, suggestion
from scoring.faces import Cell, Face, city_name
from vision.reading import GridReading, Reading

T = TypeVar("T")

NO_TILE: Final = "none"
"""Instead of a face: no tile lies there."""

_CORRECTION: Final = re.compile(r"([A-Za-z]):([0-9]{1,3}),([0-9]{1,3})=(\S+)")


@dataclass(frozen=True, slots=True)
class Correction:
    """What lies at one place, whatever the eye says.

    Attributes:
        city: its letter.
        cell: row and column, counted from 0.
        face: None: no tile.
    """

    city: str
    cell: Cell
    face: Face | None

    def __str__(self) -> str:
        row, column = self.cell
        return f"{self.city}:{row},{column}={self.face.value if self.face else NO_TILE}"


def parse_correction(text: str) -> Correction:
    """Read ``CITY:ROW,COL=FACE``.

    Raises:
        UsageError: ``correction-malformed`` or ``correction-unknown-face``.
    """
    match = _CORRECTION.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            "correction-malformed",
            "this is no correction: write CITY:ROW,COL=FACE, like A:2,3=park",
            f"--set {text}",
        )
    letter, row, column, face = match.groups()
    return Correction(letter.upper(), (int(row), int(column)), _parse_face(face.lower(), text))


def _parse_face(name: str, text: str) -> Face | None:
    if name == NO_TILE:
        return None
    names = [face.value for face in Face]
    if name in names:
        return Face(name)
    raise UsageError(
        "correction-unknown-face",
        f"there is no face {name}: {suggestion(name, [*names, NO_TILE])}",
        f"--set {text}",
    )


def apply_corrections(reading: Reading, corrections: Sequence[Correction]) -> Reading:
    """The reading with the faces that a person has named.

    Their places are no longer unsure, and notes about them are dropped. A later correction of the
    same place replaces an earlier one.

    Raises:
        UsageError: ``correction-unknown-city`` or ``correction-off-grid``.
    """
    cities = list(reading.cities)
    for correction in corrections:
        index = ord(correction.city) - ord("A")
        if index >= len(cities):
            known = ", ".join(city_name(other) for other in range(len(cities)))
            raise UsageError(
                "correction-unknown-city",
                f"there is no city {correction.city}: the photo has {known or 'no city'}",
                f"--set {correction}",
            )
        cities[index] = _corrected(cities[index], correction)
    return replace(reading, cities=tuple(cities))


def _corrected(city: GridReading, correction: Correction) -> GridReading:
    row, column = correction.cell
    rows, columns = len(city.grid), len(city.grid[0])
    if row >= rows or column >= columns:
        raise UsageError(
            "correction-off-grid",
            f"row {row}, column {column} is outside the city: "
            f"rows count from 0 to {rows - 1}, columns from 0 to {columns - 1}",
            f"--set {correction}",
        )
    cell = correction.cell
    return replace(
        city,
        grid=_with(city.grid, cell, correction.face),
        confidence=_with(city.confidence, cell, 1.0),
        unsure=tuple(other for other in city.unsure if other != cell),
        alternatives={other: faces for other, faces in city.alternatives.items() if other != cell},
        notes=tuple(note for note in city.notes if f"at [{row},{column}]" not in note),
    )


def _with(rows: tuple[tuple[T, ...], ...], cell: Cell, value: T) -> tuple[tuple[T, ...], ...]:
    return tuple(
        tuple(value if (row, column) == cell else old for column, old in enumerate(line))
        for row, line in enumerate(rows)
    )
