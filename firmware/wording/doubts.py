"""What a person has to look at before a result is sure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware.base.language import NN_, _n
from firmware.wording.places import in_reading_order
from scoring.faces import Cell
from scoring.faces import Place as CityCell
from vision.reading import GridReading, Note, Place, PlaceKind, Reading, Unread


@dataclass(frozen=True, slots=True)
class Finding:
    """What the rules have against a reading that can be scored nevertheless.

    Attributes:
        note: what is odd.
        unsure: where a person must look, unless they have said what lies there.
        needs_a_person: whether the result is doubtful even without such places.
    """

    note: Note
    unsure: tuple[Place, ...] = ()
    needs_a_person: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """One place that is not sure.

    Attributes:
        place: where.
        read: face or kind of figure as read; None: nothing there.
        alternatives: what else it may be, likeliest first; None: nothing.
        missing: whether it was scored without what should lie there.
    """

    place: Place
    read: str | None
    alternatives: tuple[str | None, ...] = ()
    missing: bool = False


MOST_LISTED: Final = 12
"""Unsure tiles of one grid that are told of one by one; of more the places alone are told."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """All that is not sure about one result.

    Attributes:
        places: in reading order.
        unread: what looks like a grid but was not read.
        notes: what is doubtful without a place to look at.
    """

    places: tuple[Doubt, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def count(self) -> int:
        """How many things there are to look at."""
        return len(self.places) + len(self.unread) + len(self.notes)

    def of(self, kind: PlaceKind) -> tuple[Doubt, ...]:
        """Unsure places of one kind."""
        return tuple(each for each in self.places if each.place.kind is kind and not each.missing)

    @property
    def unsure(self) -> tuple[Doubt, ...]:
        """Places at which a person can say what is there."""
        return tuple(each for each in self.places if not each.missing)

    @property
    def crowded(self) -> Mapping[int, tuple[Cell, ...]]:
        """Unsure tiles of each grid that has too many to be told of one by one."""
        cells: dict[int, list[Cell]] = {}
        for each in self.of(PlaceKind.TILE):
            cells.setdefault(each.place.grid, []).append(each.place.cell)
        return {grid: tuple(those) for grid, those in cells.items() if len(those) > MOST_LISTED}

    @property
    def listed(self) -> tuple[Doubt, ...]:
        """All other places."""
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
        """Places that were scored without a tile."""
        return tuple(each for each in self.places if each.missing)

    def of_grid(self, grid: int) -> bool:
        """Whether a place of a grid is not sure."""
        return any(each.place.grid == grid for each in self.places)


def doubts_of(
    reading: Reading, missing: Sequence[CityCell] = (), findings: Sequence[Finding] = ()
) -> Doubts:
    """What is not sure about a result: a reading ``with_findings``, scored without ``missing``."""
    unsure = {place for n, grid in enumerate(reading.grids) for place in unsure_places(n, grid)}
    gaps = {Place(PlaceKind.TILE, index, cell) for index, cell in missing}
    asked = unsure | gaps
    places = []
    for place in in_reading_order(asked):
        read, *others = guesses_at(reading.grids[place.grid], place)
        places.append(Doubt(place, read, tuple(others), missing=place not in unsure))
    general = tuple(
        each.note for each in findings if each.needs_a_person and asked.isdisjoint(each.unsure)
    )
    return Doubts(tuple(places), reading.unread, general)


def unsure_places(index: int, grid: GridReading) -> list[Place]:
    """Where a person must look at a grid."""
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
    """What is read at a place, then what else it may be, likeliest first; None: nothing."""
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
    """The reading with the places of findings made unsure, but for those a person settled."""
    places = {place for finding in findings for place in finding.unsure} - settled
    grids = tuple(
        with_unsure(grid, [place for place in places if place.grid == index])
        for index, grid in enumerate(reading.grids)
    )
    return replace(reading, grids=grids)


def with_unsure(grid: GridReading, places: Sequence[Place]) -> GridReading:
    """A grid with more places at which a person must look."""
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
    """What there is to look at, in a few words: ``2 tiles to check, 1 figure to check``."""
    counted = [(len(doubts.unread), _UNREAD)]
    counted += [(len(doubts.of(kind)), wording) for kind, wording in _COUNTED]
    counted += [(len(doubts.missing), _MISSING), (len(doubts.notes), _GENERAL)]
    return ", ".join(_n(*wording, count) for count, wording in counted if count)
