"""Hold a reading against the truth of its photo.

Where no board says which way is up, a reading is turned by the quarters that bring its corners
nearest to those of the truth.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from scoring.faces import Cell
from vision.figures.truth import BesideTruth, GridTruth, PhotoTruth, Sight, middle
from vision.figures.verdict import (
    Fate,
    GridVerdict,
    PhotoVerdict,
    Verdict,
    corner_error,
    size_of,
    verdict_on,
)
from vision.reading import GridReading, LoosePiece, Quad, Reading


def compare(truth: PhotoTruth, reading: Reading) -> PhotoVerdict:
    """Hold a reading against the truth of the photo it was read from."""

    def found(index: int, grid: GridTruth, read: GridReading, name: str) -> GridVerdict:
        return _found(index, grid, _turned_like(grid, read, any_rotation=truth.any_rotation), name)

    return verdict_on(truth, reading, found)


@dataclass(frozen=True, slots=True)
class _Upright:
    """A reading turned like the truth: its cells are numbered as there."""

    corners_px: Quad
    cells: Mapping[Cell, tuple[str | None, float]]
    unsure: frozenset[Cell]
    tokens: Mapping[Cell, str]
    unsure_figures: frozenset[Cell]
    beside: tuple[LoosePiece, ...]
    unsure_slots: tuple[tuple[str, int], ...]


def _turned_like(grid: GridTruth, read: GridReading, *, any_rotation: bool) -> _Upright:
    quarters = 0
    if any_rotation:
        quarters = min(
            range(4), key=lambda turn: corner_error(_rolled(read.corners_px, turn), grid)
        )
    rows, columns = len(read.grid), len(read.grid[0])

    def here(cell: Cell) -> Cell:
        return _turned_cell(cell, (rows, columns), quarters)

    every = product(range(rows), range(columns))
    return _Upright(
        _rolled(read.corners_px, quarters),
        {here((r, c)): (read.grid[r][c], read.confidence[r][c]) for r, c in every},
        frozenset(here(cell) for cell in read.unsure),
        {here(token.at): token.kind for token in read.figures},
        frozenset(here(cell) for cell in read.unsure_figures),
        read.loose,
        read.unsure_slots,
    )


def _rolled(corners: Quad, quarters: int) -> Quad:
    """The same quad from another corner on."""
    first, second, third, fourth = (corners[(n + quarters) % 4] for n in range(4))
    return first, second, third, fourth


def _turned_cell(cell: Cell, size: tuple[int, int], quarters: int) -> Cell:
    """A cell of a grid (rows, columns) that is turned counterclockwise by so many quarters."""
    (row, column), (rows, columns) = cell, size
    for _ in range(quarters):
        row, column = columns - 1 - column, row
        rows, columns = columns, rows
    return row, column


def _found(index: int, grid: GridTruth, read: _Upright, name: str) -> GridVerdict:
    return GridVerdict(
        index,
        Fate.FOUND,
        size_of(grid),
        grid.is_washed_out,
        name=name,
        corner_error=corner_error(read.corners_px, grid),
        cells=tuple(_cells(grid, read)),
        tokens=tuple(_tokens(grid, read)),
        beside=(*_pieces(grid.beside, read), *_empty_slots(grid, read)),
    )


def _cells(grid: GridTruth, read: _Upright) -> Iterator[Verdict]:
    for row, names in enumerate(grid.grid):
        for column, name in enumerate(names):
            cell = row, column
            got, certain = read.cells.get(cell, (None, 0.0))
            flagged = cell in read.unsure
            yield Verdict(cell, name, got, certain, flagged, grid.sight(cell))


def _tokens(grid: GridTruth, read: _Upright) -> Iterator[Verdict]:
    """A figure is flagged with the cell on which it stands: whoever looks there sees both."""
    concerned = grid.tokens.keys() | read.tokens.keys()
    flagged = read.unsure_figures | (read.unsure & concerned)
    for cell in sorted(grid.tokens.keys() | read.tokens.keys() | flagged):
        truth, got = grid.tokens.get(cell), read.tokens.get(cell)
        known = cell[0] < len(grid.grid) and cell[1] < len(grid.grid[0])
        sight = grid.sight(cell) if known else Sight.OUTSIDE
        yield Verdict(cell, truth, got, 1.0, cell in flagged, sight)


def _pieces(pieces: Sequence[BesideTruth], read: _Upright) -> Iterator[Verdict]:
    """Pieces are matched within their place: in heaps by where they lie, else by number."""
    left = list(read.beside)
    for piece in pieces:
        found = next((other for other in left if _is_same_place(piece, other)), None)
        sight = Sight.COVERED if piece.covered else Sight.VISIBLE
        if found is None:
            flagged = _is_flagged(piece, read)
            yield Verdict((piece.place, piece.number), piece.face, None, 0.0, flagged, sight)
            continue
        left.remove(found)
        yield Verdict(
            (piece.place, piece.number),
            piece.face,
            found.face,
            found.confidence,
            found.unsure or _is_flagged(piece, read),
            sight,
        )
    for other in left:
        flagged = other.unsure or (other.place, other.number) in read.unsure_slots
        at = other.place, other.number
        yield Verdict(at, None, other.face, other.confidence, flagged, Sight.MISSING)


def _empty_slots(grid: GridTruth, read: _Upright) -> Iterator[Verdict]:
    """Flagged places in which there is nothing and was nothing read."""
    heaps = {piece.place for piece in grid.beside if piece.in_heap}
    told = {(piece.place, piece.number) for piece in grid.beside}
    told |= {(piece.place, piece.number) for piece in read.beside}
    for at in read.unsure_slots:
        if at not in told and at[0] not in heaps:
            yield Verdict(at, None, None, 0.0, flagged=True, sight=Sight.MISSING)


def _is_same_place(piece: BesideTruth, other: LoosePiece) -> bool:
    if piece.place != other.place:
        return False
    if not piece.in_heap:
        return piece.number == other.number
    return math.dist(piece.centre_px, middle(other.corners_px)) < piece.edge_px / 2


def _is_flagged(piece: BesideTruth, read: _Upright) -> bool:
    """Whether a slot is flagged; of a heap, any flag of it tells that a person must look."""
    if piece.in_heap:
        return any(name == piece.place for name, _ in read.unsure_slots)
    return (piece.place, piece.number) in read.unsure_slots
