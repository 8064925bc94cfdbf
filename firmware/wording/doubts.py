"""Doubts: the places, regions and notes that a person has to look at before a result is certain.

``collect_doubts`` and ``with_findings`` decide which places count as open, and collect them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware.base.language import NN_, _n
from firmware.wording.notes import UNUSED_PHOTO_CODES
from firmware.wording.places import in_reading_order
from scoring.faces import Cell, CityCell
from vision.reading import GridReading, Note, Place, PlaceKind, Reading, Unread


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


@dataclass(frozen=True, slots=True)
class Doubt:
    """Place that is not certain.

    Attributes:
        place: Place in the reading.
        read: Face or kind of figure as read; None if the place was read as empty.
        alternatives: Other faces it may show, likeliest first; an item None means empty.
        missing: Whether nothing but the rules makes it doubtful: it is empty for sure, as read or
            corrected, although something should lie there. False for an empty place that is unsure.
    """

    place: Place
    read: str | None
    alternatives: tuple[str | None, ...] = ()
    missing: bool = False


MAX_LISTED: Final = 12
"""Largest number of unsure tiles of a grid that are listed one by one; of more only the places."""


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

    places: tuple[Doubt, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def count(self) -> int:
        """Number of things to look at."""
        return len(self.places) + len(self.unread) + len(self.notes)

    def read_of_kind(self, kind: PlaceKind) -> tuple[Doubt, ...]:
        """Return the ``read_places`` of one kind."""
        return tuple(each for each in self.read_places if each.place.kind is kind)

    @property
    def read_places(self) -> tuple[Doubt, ...]:
        """Places that may show another content than was read: all that are not ``missing``."""
        return tuple(each for each in self.places if not each.missing)

    @property
    def crowded(self) -> Mapping[int, tuple[Cell, ...]]:
        """Unsure tiles of each grid that has more than ``MAX_LISTED``."""
        cells: dict[int, list[Cell]] = {}
        for each in self.read_of_kind(PlaceKind.TILE):
            cells.setdefault(each.place.grid, []).append(each.place.cell)
        return {grid: tuple(those) for grid, those in cells.items() if len(those) > MAX_LISTED}

    @property
    def listed(self) -> tuple[Doubt, ...]:
        """Places that are listed one by one: all but those of ``crowded``."""
        crowded = self.crowded
        return tuple(
            each
            for each in self.places
            if each.missing
            or each.place.kind is not PlaceKind.TILE
            or each.place.grid not in crowded
        )

    @property
    def missing(self) -> tuple[Doubt, ...]:
        """Places that are empty for sure although something should lie there, see ``Doubt``."""
        return tuple(each for each in self.places if each.missing)

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
    for place in in_reading_order(asked):
        read, *others = guesses_at(reading.grids[place.grid], place)
        places.append(Doubt(place, read, tuple(others), missing=place not in unsure))
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
    places += [
        Place(PlaceKind.LOOSE, index, (piece.place, piece.number))
        for piece in grid.loose
        if piece.unsure
    ]
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
    known = {(piece.place, piece.number) for piece in grid.loose}
    return replace(
        grid,
        unsure=tuple(sorted({*grid.unsure, *cells})),
        unsure_figures=tuple(sorted({*grid.unsure_figures, *figures})),
        loose=tuple(
            replace(piece, unsure=True) if (piece.place, piece.number) in pieces else piece
            for piece in grid.loose
        ),
        unsure_slots=tuple(sorted({*grid.unsure_slots, *(at for at in pieces if at not in known)})),
    )


_COUNTED: Final = (
    (PlaceKind.TILE, NN_("{n} tile to check", "{n} tiles to check")),
    (PlaceKind.FIGURE, NN_("{n} figure to check", "{n} figures to check")),
    (
        PlaceKind.LOOSE,
        NN_("{n} piece beside the board to check", "{n} pieces beside the board to check"),
    ),
)
_UNREAD: Final = NN_("{n} city or board not read", "{n} cities or boards not read")
_MISSING: Final = NN_("{n} tile missing", "{n} tiles missing")
_GENERAL: Final = NN_("{n} note to read", "{n} notes to read")


def doubts_in_words(doubts: Doubts) -> str:
    """Return the number of doubts of each kind in words: ``2 tiles to check, 1 note to read``."""
    counted = [(len(doubts.unread), _UNREAD)]
    counted += [(len(doubts.read_of_kind(kind)), wording) for kind, wording in _COUNTED]
    counted += [(len(doubts.missing), _MISSING), (len(doubts.notes), _GENERAL)]
    return ", ".join(_n(*wording, count) for count, wording in counted if count)
