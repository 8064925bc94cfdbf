"""Board of City Blocks with open plots and value tiles, to score many assignments quickly."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final

from scoring.faces import Cell, Side
from scoring.games.city_blocks.legality import SPECIALS
from scoring.games.city_blocks.points import street_winner
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Building
from scoring.outcome import FinalBounds, Outcome, outcome_by_totals
from vision.reading import Place, PlaceKind

MAX_STREET_ASSIGNMENTS: Final = 4096
"""Most assignments of one street that are tried for bounds; with more anybody may win it."""

Content = str | None
Piece = Building | int | None
"""Building, value of a tile, or nothing."""
Slot = tuple[str, int]
"""Name of the slots of the rows or columns, or of a side's heap; number of the place in it."""
Bounds = tuple[tuple[int, int], ...]
"""Least and most points of each side."""

_STREETS: Final[Mapping[Slot, tuple[Cell, ...]]] = {
    **{("row", row): tuple((row, column) for column in range(COLUMNS)) for row in range(ROWS)},
    **{
        ("column", column): tuple((row, column) for row in range(ROWS)) for column in range(COLUMNS)
    },
}
"""Plots of each street, by the slot of its value tile."""
_SIDES: Final = tuple(Side)
_HEAPS: Final = tuple(side.value for side in Side)


@lru_cache(MAX_STREET_ASSIGNMENTS)
def _winner(pieces: tuple[Piece, ...]) -> Side | None:
    return street_winner(piece for piece in pieces if not isinstance(piece, int))


@lru_cache(MAX_STREET_ASSIGNMENTS)
def _outcome(totals: tuple[int, ...]) -> Outcome:
    return outcome_by_totals(totals, ())


@dataclass(frozen=True, slots=True)
class _Street:
    """Street, some of whose plots may be open, or its value tile.

    Attributes:
        buildings: Building on each plot; None on an empty or open one.
        open_plots: Index along the street, and index among the open places, of each open plot.
        value: Value tile that is surely beside it, 0 without one.
        slot: Index of its slot among the open places; None if that is sure.
    """

    buildings: tuple[Building | None, ...]
    open_plots: tuple[tuple[int, int], ...]
    value: int
    slot: int | None

    @property
    def is_open(self) -> bool:
        """True if an open place is part of it."""
        return bool(self.open_plots) or self.slot is not None

    @property
    def may_be_full(self) -> bool:
        """True if no plot is surely free."""
        return self.buildings.count(None) == len(self.open_plots)

    def winner(self, laid: Sequence[Piece]) -> Side | None:
        """Return the winner if these buildings stand on the open plots."""
        if not self.may_be_full:
            return None
        pieces: list[Piece] = list(self.buildings)
        for (at, _index), piece in zip(self.open_plots, laid, strict=True):
            pieces[at] = piece
        return _winner(tuple(pieces))


class OpenBoard:
    """Board with open places, see ``scoring.outcome.AssignmentScorer``."""

    def __init__(
        self,
        board: Board,
        values: Mapping[Slot, int],
        contents: Mapping[Place, Sequence[Content]],
        pieces: Mapping[str, Building | int],
    ) -> None:
        """Leave out of the contents what surely lies elsewhere or decides nothing.

        Args:
            board: Buildings at sure places; None at open ones.
            values: Value tiles at sure places.
            contents: Contents of each open place: plots, slots and places of heaps.
            pieces: Building or value of each face.
        """
        self._pieces = pieces
        self._built = Counter(each for row in board for each in row if each is not None)
        self._values = values
        at_cells = {
            place.cell: index
            for index, place in enumerate(contents)
            if place.kind is PlaceKind.TILE
        }
        at_slots = {
            place.piece: index
            for index, place in enumerate(contents)
            if place.kind is PlaceKind.LOOSE
        }
        self._heap_places = [
            (_HEAPS.index(name), index) for (name, _n), index in at_slots.items() if name in _HEAPS
        ]
        self._heaps = tuple(
            sum(value for (name, _n), value in values.items() if name == heap) for heap in _HEAPS
        )
        self._streets = tuple(
            _Street(
                tuple(board[row][column] for row, column in cells),
                tuple((at, at_cells[cell]) for at, cell in enumerate(cells) if cell in at_cells),
                values.get(slot, 0),
                at_slots.get(slot),
            )
            for slot, cells in _STREETS.items()
        )
        self._open_streets = tuple(street for street in self._streets if street.is_open)
        self._won = [0] * len(Side)
        for street in self._streets:
            winner = None if street.is_open else street.winner(())
            if winner is not None:
                self._won[_SIDES.index(winner)] += street.value
        self.contents = {
            place: self._left(index, place, own)
            for index, (place, own) in enumerate(contents.items())
        }
        self._laid = [
            tuple(self._pieces.get(content) if content else None for content in own)
            for own in self.contents.values()
        ]

    def score_assignment(self, assignment: Sequence[Content]) -> Outcome | None:
        """Return points and ranks of an assignment; None if the box has too few such pieces."""
        laid = [self._pieces.get(each) if each else None for each in assignment]
        if not self._is_in_box(laid):
            return None
        totals = list(self._heaps)
        for side, index in self._heap_places:
            totals[side] += _value(laid[index])
        if any(totals):
            return _outcome(tuple(totals))
        totals = list(self._won)
        for street in self._open_streets:
            value = street.value if street.slot is None else _value(laid[street.slot])
            winner = street.winner([laid[index] for _at, index in street.open_plots])
            if winner is not None:
                totals[_SIDES.index(winner)] += value
        return _outcome(tuple(totals))

    def bounds(self) -> FinalBounds:
        """Return bounds that hold for each street, and for each place of a heap, by itself."""
        streets = _added(self._street_bounds(street) for street in self._streets)
        heaps = _added(
            [
                tuple((value, value) for value in self._heaps),
                *(self._heap_bounds(side, index) for side, index in self._heap_places),
            ]
        )
        if any(self._heaps):
            return FinalBounds(heaps)
        if not self._heap_places:
            return FinalBounds(streets)
        either = zip(streets, heaps, strict=True)
        return FinalBounds(tuple((min(a[0], b[0]), max(a[1], b[1])) for a, b in either))

    def _left(self, index: int, place: Place, own: Sequence[Content]) -> tuple[Content, ...]:
        """Return the contents of a place that may decide something and are left in the box."""
        if None in own and self._decides_nothing(index, place):
            return (None,)
        by_piece: dict[Piece, Content] = {}
        for content in own:
            by_piece.setdefault(self._pieces.get(content) if content else None, content)
        return tuple(content for piece, content in by_piece.items() if self._is_in_box([piece]))

    def _decides_nothing(self, index: int, place: Place) -> bool:
        """Return whether a place is about streets alone, and none of its own can be won."""
        if place.kind is PlaceKind.LOOSE and place.piece[0] in _HEAPS:
            return False
        mine = (
            street
            for street in self._streets
            if index == street.slot or index in (at for _cell, at in street.open_plots)
        )
        return any(self._heaps) or not any(street.may_be_full for street in mine)

    def _is_in_box(self, laid: Sequence[Piece]) -> bool:
        """Return whether the box holds these pieces beside all those at sure places."""
        there = [piece for piece in laid if piece is not None]
        for piece in there:
            if isinstance(piece, Building):
                most = SPECIALS.get(piece.kind, 1) - self._built[piece]
            else:
                most = int(piece not in self._values.values())
            if there.count(piece) > most:
                return False
        return True

    def _street_bounds(self, street: _Street) -> Bounds:
        plots = [self._laid[at] for _cell, at in street.open_plots]
        if prod(map(len, plots)) > MAX_STREET_ASSIGNMENTS:
            winners: set[Side | None] = {*Side, None}
        else:
            winners = {street.winner(each) for each in product(*plots)}
        values = (
            {street.value} if street.slot is None else set(map(_value, self._laid[street.slot]))
        )
        return tuple(
            (
                min(values) if winners == {side} else 0,
                max(values, default=0) if side in winners else 0,
            )
            for side in Side
        )

    def _heap_bounds(self, side: int, index: int) -> Bounds:
        values = list(map(_value, self._laid[index]))
        mine = min(values, default=0), max(values, default=0)
        return tuple(mine if side == each else (0, 0) for each in range(len(Side)))


def _value(piece: Piece) -> int:
    return piece if isinstance(piece, int) else 0


def _added(bounds: Iterable[Bounds]) -> Bounds:
    """Return the sum of the bounds of each side."""
    return tuple(
        (sum(least for least, _most in own), sum(most for _least, most in own))
        for own in zip(*bounds, strict=True)
    )
