"""Hold a reading against the truth of its photo.

Grids are matched by their middles. Silently wrong is what a reading names otherwise than the truth
without flagging it; so are all cells of a grid that it neither lists nor reports in ``unread``.
Where no board says which way is up, a reading is turned by the quarters that bring its corners
nearest to those of the truth.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

import cv2
import numpy as np

from scoring.faces import Cell, city_name
from vision.lab.evaluation.truth import BesideTruth, GridTruth, PhotoTruth, Sight, middle
from vision.reading import GridReading, LoosePiece, Point, Quad, Reading


class Fate(StrEnum):
    """What became of a grid of the truth."""

    FOUND = "found"
    UNREAD = "unread"
    """The reading says that there is something which it cannot read."""
    REFUSED = "refused"
    """The eye refused the photo as a whole and said why."""
    MISSED = "missed"
    """Nothing in the reading tells of it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was made of a cell, of the figure on one, or of a piece beside them.

    Attributes:
        at: the cell; of a piece beside, its place and number.
        truth: what is there; None: nothing.
        read: what was read; None: nothing.
        confidence: 0 to 1, of cells.
        flagged: whether a person is asked to look.
        sight: how it can be seen.
    """

    at: tuple[int, int] | tuple[str, int]
    truth: str | None
    read: str | None
    confidence: float
    flagged: bool
    sight: Sight

    @property
    def right(self) -> bool:
        """Whether it was read as it is."""
        return self.read == self.truth

    @property
    def silently_wrong(self) -> bool:
        """Whether it was read wrong and nobody is asked to look."""
        return not self.right and not self.flagged


@dataclass(frozen=True, slots=True)
class GridVerdict:
    """One grid of the truth.

    Attributes:
        index: in the truth.
        fate: what became of it.
        size: how many cells it has.
        is_washed_out: whether light leaves half of it white or more.
        name: the letter of its reading; None where it was not found.
        corner_error: distance of the worst corner in tile widths, if it was found.
        cells: in reading order, if it was found.
        tokens: figures that stand there, were read, or may stand there, if it was found.
        beside: pieces beside the cells, and slots that are flagged, if it was found.
    """

    index: int
    fate: Fate
    size: int
    is_washed_out: bool = False
    name: str | None = None
    corner_error: float | None = None
    cells: tuple[Verdict, ...] = ()
    tokens: tuple[Verdict, ...] = ()
    beside: tuple[Verdict, ...] = ()

    @property
    def all_verdicts(self) -> tuple[Verdict, ...]:
        """On cells, figures and pieces."""
        return self.cells + self.tokens + self.beside


@dataclass(frozen=True, slots=True)
class PhotoVerdict:
    """One photo.

    Attributes:
        photo: file name.
        condition: under which it was taken.
        grids: those of the truth.
        invented: names of grids in the reading where there is none.
        false_alarms: how many ``unread`` regions lie where no grid is.
        refusal: code of the error with which the eye refused the photo.
    """

    photo: str
    condition: str
    grids: tuple[GridVerdict, ...]
    invented: tuple[str, ...] = ()
    false_alarms: int = 0
    refusal: str | None = None

    @property
    def perfect(self) -> bool:
        """Whether all was read right without a person, and nothing was invented."""
        said = [verdict for grid in self.grids for verdict in grid.all_verdicts]
        return (
            all(grid.fate is Fate.FOUND for grid in self.grids)
            and all(verdict.right and not verdict.flagged for verdict in said)
            and not self.invented
            and not self.false_alarms
        )


def refused(truth: PhotoTruth, code: str) -> PhotoVerdict:
    """The verdict on a photo that the eye refused with this error code."""
    grids = tuple(
        GridVerdict(n, Fate.REFUSED, size_of(grid), grid.is_washed_out)
        for n, grid in enumerate(truth.grids)
    )
    return PhotoVerdict(truth.path.name, truth.condition, grids, refusal=code)


def compare(truth: PhotoTruth, reading: Reading) -> PhotoVerdict:
    """Hold a reading against the truth of the photo it was read from."""
    left, unread = dict(enumerate(reading.grids)), reading.unread
    verdicts: list[GridVerdict] = []
    for index, grid in enumerate(truth.grids):
        number = _nearest(grid, left)
        if number is not None:
            read, name = left.pop(number), city_name(number)
            verdicts.append(_found(index, grid, read, name, any_rotation=truth.any_rotation))
            continue
        is_told = any(_overlap(region.corners_px, grid.corners_px) for region in unread)
        fate = Fate.UNREAD if is_told else Fate.MISSED
        verdicts.append(GridVerdict(index, fate, size_of(grid), grid.is_washed_out))
    return PhotoVerdict(
        truth.path.name,
        truth.condition,
        tuple(verdicts),
        invented=tuple(city_name(number) for number in left),
        false_alarms=sum(
            not any(_overlap(region.corners_px, grid.corners_px) for grid in truth.grids)
            for region in unread
        ),
    )


def size_of(grid: GridTruth) -> int:
    """How many cells a grid has."""
    return len(grid.grid) * len(grid.grid[0])


def corner_error(corners_px: Quad, grid: GridTruth) -> float:
    """How far the worst corner lies from that of the truth, in tile widths."""
    errors = (math.dist(a, b) for a, b in zip(corners_px, grid.corners_px, strict=True))
    return max(errors) / grid.tile_px


def _nearest(grid: GridTruth, readings: Mapping[int, GridReading]) -> int | None:
    """The number of the reading whose middle is nearest, within a tile's width."""
    far = {n: math.dist(read.centre_px, grid.centre_px) for n, read in readings.items()}
    nearest = min(far, key=far.__getitem__, default=None)
    return nearest if nearest is not None and far[nearest] < grid.tile_px else None


def _overlap(first: Quad, second: Quad) -> bool:
    """Whether the middle of one quad lies in the other."""
    return _inside(middle(first), second) or _inside(middle(second), first)


def _inside(point: Point, quad: Quad) -> bool:
    outline = np.array(quad, np.float32)
    return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0


def _turned_like(grid: GridTruth, read: GridReading) -> GridReading:
    """The reading in that of four turns in which its corners are nearest to the truth's."""
    turns = [read]
    for _ in range(3):
        turns.append(_turned(turns[-1]))
    return min(turns, key=lambda turned: corner_error(turned.corners_px, grid))


def _turned(read: GridReading) -> GridReading:
    """The same reading with its second corner first: a quarter counterclockwise."""
    columns, (first, second, third, fourth) = len(read.grid[0]), read.corners_px

    def here(cell: Cell) -> Cell:
        return columns - 1 - cell[1], cell[0]

    return replace(
        read,
        corners_px=(second, third, fourth, first),
        grid=tuple(zip(*read.grid, strict=True))[::-1],
        confidence=tuple(zip(*read.confidence, strict=True))[::-1],
        unsure=tuple(map(here, read.unsure)),
        figures=tuple(replace(figure, at=here(figure.at)) for figure in read.figures),
        unsure_figures=tuple(map(here, read.unsure_figures)),
    )


def _found(
    index: int, grid: GridTruth, read: GridReading, name: str, *, any_rotation: bool
) -> GridVerdict:
    read = _turned_like(grid, read) if any_rotation else read
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


def _cells(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    got = {
        (r, c): (name, sure)
        for r, row in enumerate(zip(read.grid, read.confidence, strict=True))
        for c, (name, sure) in enumerate(zip(*row, strict=True))
    }
    for cell in product(range(len(grid.grid)), range(len(grid.grid[0]))):
        name, certain = got.get(cell, (None, 0.0))
        truth = grid.grid[cell[0]][cell[1]]
        yield Verdict(cell, truth, name, certain, cell in read.unsure, grid.sight(cell))


def _tokens(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    """A figure is flagged with the cell on which it stands: whoever looks there sees both."""
    seen = {figure.at: figure.kind for figure in read.figures}
    concerned = grid.tokens.keys() | seen.keys()
    flagged = {*read.unsure_figures} | ({*read.unsure} & concerned)
    for cell in sorted(concerned | flagged):
        known = cell[0] < len(grid.grid) and cell[1] < len(grid.grid[0])
        sight = grid.sight(cell) if known else Sight.OUTSIDE
        yield Verdict(cell, grid.tokens.get(cell), seen.get(cell), 1.0, cell in flagged, sight)


def _pieces(pieces: Sequence[BesideTruth], read: GridReading) -> Iterator[Verdict]:
    """Pieces are matched within their place: in heaps by where they lie, else by number."""
    left = list(read.loose)
    for piece in pieces:
        found = next((other for other in left if _is_same_place(piece, other)), None)
        face, certain, flagged = None, 0.0, _is_flagged(piece, read)
        if found is not None:
            left.remove(found)
            face, certain, flagged = found.face, found.confidence, found.unsure or flagged
        sight = Sight.COVERED if piece.covered else Sight.VISIBLE
        yield Verdict((piece.place, piece.number), piece.face, face, certain, flagged, sight)
    for other in left:
        at = other.place, other.number
        flagged = other.unsure or at in read.unsure_slots
        yield Verdict(at, None, other.face, other.confidence, flagged, Sight.MISSING)


def _empty_slots(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    """Flagged places in which there is nothing and was nothing read."""
    heaps = {piece.place for piece in grid.beside if piece.in_heap}
    told = {(piece.place, piece.number) for piece in grid.beside}
    told |= {(piece.place, piece.number) for piece in read.loose}
    for at in read.unsure_slots:
        if at not in told and at[0] not in heaps:
            yield Verdict(at, None, None, 0.0, flagged=True, sight=Sight.MISSING)


def _is_same_place(piece: BesideTruth, other: LoosePiece) -> bool:
    if piece.place != other.place:
        return False
    if not piece.in_heap:
        return piece.number == other.number
    return math.dist(piece.centre_px, middle(other.corners_px)) < piece.edge_px / 2


def _is_flagged(piece: BesideTruth, read: GridReading) -> bool:
    """Whether a slot is flagged; of a heap, any flag of it tells that a person must look."""
    if piece.in_heap:
        return any(name == piece.place for name, _ in read.unsure_slots)
    return (piece.place, piece.number) in read.unsure_slots
