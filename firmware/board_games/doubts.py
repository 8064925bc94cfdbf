"""What a person has to look at before the result of a game known by pictures is sure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware.board_games.remarks import Remark
from firmware.board_games.spots import Spot, What, in_reading_order
from firmware.language import NN_, _n
from scoring.faces import Place
from vision.reading import LoosePiece, Reading, GridReading
from vision.reading import Unread


@dataclass(frozen=True, slots=True)
class Doubt:
    """One place that is not sure.

    Attributes:
        spot: where.
        read: face or kind of figure as read; None: nothing there.
        alternatives: what else it may be, likeliest first; None: nothing.
        missing: whether it was scored without what should lie there.
    """

    spot: Spot
    read: str | None
    alternatives: tuple[str | None, ...] = ()
    missing: bool = False


@dataclass(frozen=True, slots=True)
class BoardDoubts:
    """All that is not sure about one result.

    Attributes:
        places: in reading order.
        unread: what looks like a grid but was not read.
        remarks: what is doubtful without a place to look at.
    """

    places: tuple[Doubt, ...] = ()
    unread: tuple[Unread, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def count(self) -> int:
        """How many things there are to look at."""
        return len(self.places) + len(self.unread) + len(self.remarks)

    def of(self, what: What) -> tuple[Doubt, ...]:
        """The places of one sort that are not sure; without those where only something misses."""
        return tuple(each for each in self.places if each.spot.what is what and not each.missing)

    @property
    def missing(self) -> tuple[Doubt, ...]:
        """The places where something misses."""
        return tuple(each for each in self.places if each.missing)


def board_doubts(
    reading: Reading,
    missing: Sequence[Place] = (),
    remarks: Sequence[Remark] = (),
) -> BoardDoubts:
    """What is not sure about a reading and its score.

    Args:
        reading: after corrections, with the doubts of the rules (``with_remarks``).
        missing: places scored without what should lie there.
        remarks: what the rules say.
    """
    spots = [spot for index, grid in enumerate(reading.grids) for spot in _unsure(index, grid)]
    gaps = {Spot(What.TILE, index, cell) for index, cell in missing}
    places = (
        _doubt(spot, reading.grids[spot.grid], missing=spot in gaps and spot not in spots)
        for spot in in_reading_order((*spots, *gaps))
    )
    asked = {*spots, *gaps}
    general = tuple(
        each for each in remarks if each.needs_a_person and asked.isdisjoint(each.spots)
    )
    return BoardDoubts(tuple(places), reading.unread, general)


def with_remarks(
    reading: Reading, remarks: Sequence[Remark], settled: frozenset[Spot]
) -> Reading:
    """The reading with the places of remarks made unsure, but for those that a person settled."""
    spots = {spot for remark in remarks for spot in remark.spots} - settled
    return replace(
        reading,
        grids=tuple(
            _with_unsure(grid, [spot for spot in spots if spot.grid == index])
            for index, grid in enumerate(reading.grids)
        ),
    )


_COUNTED: Final = (
    (What.TILE, NN_("{n} tile to check", "{n} tiles to check")),
    (What.TOKEN, NN_("{n} figure to check", "{n} figures to check")),
    (
        What.BESIDE,
        NN_("{n} piece beside the board to check", "{n} pieces beside the board to check"),
    ),
)
_UNREAD: Final = NN_("{n} board or city not read", "{n} boards or cities not read")
_MISSING: Final = NN_("{n} field missing", "{n} fields missing")
_GENERAL: Final = NN_("{n} note to read", "{n} notes to read")


def board_doubts_in_words(doubts: BoardDoubts) -> str:
    """What there is to look at, in a few words: ``2 tiles to check, 1 figure to check``."""
    counted = [(len(doubts.unread), _UNREAD)]
    counted += [(len(doubts.of(what)), wording) for what, wording in _COUNTED]
    counted += [(len(doubts.missing), _MISSING), (len(doubts.remarks), _GENERAL)]
    return ", ".join(_n(*wording, count) for count, wording in counted if count)


def _unsure(index: int, grid: GridReading) -> list[Spot]:
    spots = [Spot(What.TILE, index, cell) for cell in grid.unsure]
    spots += [Spot(What.TOKEN, index, cell) for cell in grid.unsure_figures]
    spots += [Spot(What.BESIDE, index, slot) for slot in grid.unsure_slots]
    spots += [
        Spot(What.BESIDE, index, (piece.place, piece.number))
        for piece in grid.beside
        if piece.unsure
    ]
    return spots


def _doubt(spot: Spot, grid: GridReading, *, missing: bool) -> Doubt:
    if spot.what is What.TILE:
        row, column = spot.cell
        others = grid.alternatives.get(spot.cell, ())
        return Doubt(spot, grid.grid[row][column], others, missing)
    if spot.what is What.TOKEN:
        kind = next((token.kind for token in grid.tokens if token.at == spot.cell), None)
        return Doubt(spot, kind)
    piece = piece_at(grid, spot)
    return Doubt(spot, None) if piece is None else Doubt(spot, piece.face, piece.alternatives)


def piece_at(grid: GridReading, spot: Spot) -> LoosePiece | None:
    """The piece at a place beside the cells; None: none was read there."""
    return next((each for each in grid.beside if (each.place, each.number) == spot.piece), None)


def _with_unsure(grid: GridReading, spots: Sequence[Spot]) -> GridReading:
    cells = [spot.cell for spot in spots if spot.what is What.TILE]
    figures = [spot.cell for spot in spots if spot.what is What.TOKEN]
    pieces = [spot.piece for spot in spots if spot.what is What.BESIDE]
    known = {(piece.place, piece.number) for piece in grid.beside}
    empty = {slot for slot in pieces if slot not in known}
    return replace(
        grid,
        unsure=tuple(sorted({*grid.unsure, *cells})),
        unsure_figures=tuple(sorted({*grid.unsure_figures, *figures})),
        beside=tuple(
            replace(piece, unsure=True) if (piece.place, piece.number) in pieces else piece
            for piece in grid.beside
        ),
        unsure_slots=tuple(sorted({*grid.unsure_slots, *empty})),
    )
