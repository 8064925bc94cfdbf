"""Findings about a reading, and those that all games share."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from firmware.wording.notes import ScanNote
from scoring.faces import Cell
from vision.reading import GridReading, Note, Place, PlaceKind, Reading


@dataclass(frozen=True, slots=True)
class Finding:
    """Objection to a reading that is scored nevertheless.

    The rules raise it, or several photos of a table that leave something open.

    Attributes:
        note: Note that words the objection.
        places: Places that a person has to look at, unless they are corrected.
        counts_by_itself: Whether the result is doubtful even without such places.
    """

    note: Note
    places: tuple[Place, ...] = ()
    counts_by_itself: bool = False


def make_finding(
    code: str,
    places: Sequence[Place] = (),
    *,
    named: Sequence[Place] | None = None,
    grid: int | None = None,
    counts_by_itself: bool = False,
    **values: int | str,
) -> Finding:
    """Return a finding with its note.

    Args:
        code: Code of the note.
        places: Places that a person has to look at.
        named: Places that the note names; None for ``places``.
        grid: Index of the grid that the note is about; None for all grids, or the only one.
        counts_by_itself: Whether the result is doubtful even without places to look at.
        **values: Values of the note.
    """
    named = places if named is None else named
    note = Note(code, grid, tuple(named), tuple(values.items()))
    return Finding(note, tuple(places), counts_by_itself)


def unknown_faces(reading: Reading, is_known: Callable[[str], bool]) -> Iterator[Finding]:
    """Yield a finding for each cell whose face the rules do not know."""
    for index, grid in enumerate(reading.grids):
        for cell, name in faces_in(grid):
            if not is_known(name):
                place = Place(PlaceKind.TILE, index, cell)
                yield make_finding(ScanNote.UNKNOWN_FACE, (place,), names=name, grid=index)


def faces_in(grid: GridReading) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a grid that are not empty with their faces, in reading order."""
    for row, names in enumerate(grid.faces):
        for column, name in enumerate(names):
            if name is not None:
                yield (row, column), name
