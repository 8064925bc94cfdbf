"""Doubts: the places, regions and notes that a person has to look at before a result is certain.

``collect_doubts`` and ``with_findings`` decide which places count as open, and collect them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware.games.findings import Finding
from firmware.wording.notes import UNUSED_PHOTO_CODES
from scoring.faces import Cell, CityCell
from vision.reading import GridReading, Note, Place, PlaceKind, Reading, Unread

MAX_LISTED: Final = 12
"""Largest number of unsure tiles of a grid that are listed one by one, each with what it may be.

Of a grid with more of them one line names the places.
"""
_KIND_ORDER: Final = {kind: number for number, kind in enumerate(PlaceKind)}


@dataclass(frozen=True, slots=True)
class DoubtfulPlace:
    """Place that is not certain.

    Attributes:
        place: Place in the reading.
        read: Face or kind of figure as read; None if the place was read as empty.
        alternatives: Other faces it may show, likeliest first; an item None means empty.
        is_missing: True if the place is certainly empty, as read or corrected, although by the
            rules something should lie there; False for an empty place that is unsure.
    """

    place: Place
    read: str | None
    alternatives: tuple[str | None, ...] = ()
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Doubts:
    """All doubts about one result.

    Several numbers are counted from them:

    - ``count``: places, unread regions and notes here. ``Scan.needs_a_person`` asks for it.
    - ``Scan.doubt_count``, of ``Scan.all_doubts``: these and further notes on the photo. With any
      of them the display shows how many, and points have ranges or a question mark.
    - ``Scan.open_places``: the places alone, in the order in which they are asked about.
    - ``Result.question_count``: these places and the question who owns which city: all that a
      person can answer.

    Attributes:
        places: Doubtful places in reading order.
        unread: Regions that look like a grid but were not read.
        notes: Notes that make the result doubtful without a place to look at.
    """

    places: tuple[DoubtfulPlace, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def count(self) -> int:
        """Number of things to look at."""
        return len(self.places) + len(self.unread) + len(self.notes)

    def read_of_kind(self, kind: PlaceKind) -> tuple[DoubtfulPlace, ...]:
        """Return the ``read_places`` of one kind."""
        return tuple(each for each in self.read_places if each.place.kind is kind)

    @property
    def read_places(self) -> tuple[DoubtfulPlace, ...]:
        """Places that may show another content than was read: all but ``missing_places``."""
        return tuple(each for each in self.places if not each.is_missing)

    @property
    def crowded(self) -> Mapping[int, tuple[Cell, ...]]:
        """Unsure tiles of each grid that has more than ``MAX_LISTED``."""
        cells: dict[int, list[Cell]] = {}
        for each in self.read_of_kind(PlaceKind.TILE):
            cells.setdefault(each.place.grid, []).append(each.place.cell)
        return {grid: tuple(those) for grid, those in cells.items() if len(those) > MAX_LISTED}

    @property
    def listed(self) -> tuple[DoubtfulPlace, ...]:
        """Places that are listed one by one: all but those of ``crowded``."""
        crowded = self.crowded
        return tuple(
            each
            for each in self.places
            if each.is_missing
            or each.place.kind is not PlaceKind.TILE
            or each.place.grid not in crowded
        )

    @property
    def missing_places(self) -> tuple[DoubtfulPlace, ...]:
        """Places that are empty for sure although something should lie there."""
        return tuple(each for each in self.places if each.is_missing)

    def touches_grid(self, grid: int) -> bool:
        """Return whether a place of a grid is doubtful."""
        return any(each.place.grid == grid for each in self.places)


def collect_doubts(
    reading: Reading, missing: Sequence[CityCell] = (), findings: Sequence[Finding] = ()
) -> Doubts:
    """Return the doubts about a result.

    Args:
        reading: Reading with the places of findings as unsure, see ``with_findings``.
        missing: Cells that were scored as empty although something should lie there.
        findings: Findings about the reading.
    """
    unsure = {place for n, grid in enumerate(reading.grids) for place in unsure_places(n, grid)}
    gaps = {Place(PlaceKind.TILE, index, cell) for index, cell in missing}
    asked = unsure | gaps
    places = []
    for place in _in_reading_order(asked):
        read, *others = guesses_at(reading.grids[place.grid], place)
        places.append(DoubtfulPlace(place, read, tuple(others), is_missing=place not in unsure))
    general = [note for note in reading.notes if note.code in UNUSED_PHOTO_CODES]
    general += [
        each.note for each in findings if each.counts_by_itself and asked.isdisjoint(each.places)
    ]
    return Doubts(tuple(places), reading.unread, tuple(general))


def unsure_places(index: int, grid: GridReading) -> list[Place]:
    """Return the places of a grid that a person has to look at."""
    places = [Place(PlaceKind.TILE, index, cell) for cell in grid.unsure]
    places += [Place(PlaceKind.FIGURE, index, cell) for cell in grid.unsure_figures]
    places += [Place(PlaceKind.LOOSE, index, slot) for slot in grid.unsure_slots]
    places += [Place(PlaceKind.LOOSE, index, piece.key) for piece in grid.loose if piece.unsure]
    return places


def guesses_at(grid: GridReading, place: Place) -> list[str | None]:
    """Return the face read at a place, then its alternatives, likeliest first; None is empty."""
    if place.kind is PlaceKind.TILE:
        return [grid.face(place.cell), *grid.alternatives.get(place.cell, ())]
    if place.kind is PlaceKind.FIGURE:
        figure = grid.figure(place.cell)
        return [None if figure is None else figure.kind]
    piece = grid.piece(place.piece)
    return [None] if piece is None else [piece.face, *piece.alternatives]


def with_findings(
    reading: Reading, findings: Sequence[Finding], settled: frozenset[Place]
) -> Reading:
    """Return a reading with the places of findings as unsure, except those a person settled."""
    places = {place for finding in findings for place in finding.places} - settled
    grids = tuple(
        with_unsure(grid, [place for place in places if place.grid == index])
        for index, grid in enumerate(reading.grids)
    )
    return replace(reading, grids=grids)


def with_unsure(grid: GridReading, places: Sequence[Place]) -> GridReading:
    """Return a grid with further places as unsure."""
    if not places:
        return grid
    cells = [place.cell for place in places if place.kind is PlaceKind.TILE]
    figures = [place.cell for place in places if place.kind is PlaceKind.FIGURE]
    pieces = [place.piece for place in places if place.kind is PlaceKind.LOOSE]
    known = {piece.key for piece in grid.loose}
    return replace(
        grid,
        unsure=tuple(sorted({*grid.unsure, *cells})),
        unsure_figures=tuple(sorted({*grid.unsure_figures, *figures})),
        loose=tuple(
            replace(piece, unsure=True) if piece.key in pieces else piece for piece in grid.loose
        ),
        unsure_slots=tuple(sorted({*grid.unsure_slots, *(at for at in pieces if at not in known)})),
    )


def _in_reading_order(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return each place once: by grid, then tiles, figures, loose pieces."""
    return tuple(sorted(set(places), key=_reading_order))


def _reading_order(place: Place) -> tuple[int, int, str, int, int]:
    if place.kind is PlaceKind.LOOSE:
        name, number = place.piece
        return place.grid, _KIND_ORDER[place.kind], name, number, 0
    row, column = place.cell
    return place.grid, _KIND_ORDER[place.kind], "", row, column
