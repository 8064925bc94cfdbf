"""Compare a reading with the ground truth of its photo.

Grids are matched by their centres. A cell is silently wrong if the reading differs from the truth
and does not flag it; so are all cells of a grid that is neither read nor reported as ``unread``. If
no board tells which way is up, a reading is turned to bring its corners nearest to the truth.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import cv2
import numpy as np

from scoring.faces import city_name
from vision.lab.evaluation.photo_truth import (
    BesideTruth,
    GridTruth,
    PhotoTruth,
    Visibility,
    mean_point,
)
from vision.reading import GridReading, LoosePiece, Point, Quad, Reading


class GridFate(StrEnum):
    """Result for a grid of the truth."""

    FOUND = "found"
    UNREAD = "unread"
    """The reading reports an unreadable region there."""
    REFUSED = "refused"
    """The eye refused the whole photo."""
    MISSED = "missed"
    """The reading has nothing there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result for a cell, a figure on a cell, or a piece beside the cells.

    Attributes:
        at: Cell; for a piece beside the cells, its container and number.
        truth: Name of what is there; None for nothing.
        read: Name of what was read; None for nothing.
        confidence: Confidence of a cell, 0 to 1.
        flagged: Whether a person is asked to check.
        visibility: Visibility of the cell or piece.
    """

    at: tuple[int, int] | tuple[str, int]
    truth: str | None
    read: str | None
    confidence: float
    flagged: bool
    visibility: Visibility

    @property
    def right(self) -> bool:
        """True if the reading equals the truth."""
        return self.read == self.truth

    @property
    def silently_wrong(self) -> bool:
        """True if the reading is wrong and not flagged."""
        return not self.right and not self.flagged


@dataclass(frozen=True, slots=True)
class GridVerdict:
    """Results for one grid of the truth.

    Attributes:
        index: Index of the grid in the truth.
        fate: Result for the grid as a whole.
        size: Number of cells.
        is_washed_out: Whether light leaves half of the grid white or more.
        name: Letter of its reading; None if it was not found.
        corner_error: Distance of the worst corner in tile widths; None if it was not found.
        cells: Results for the cells of a found grid, in reading order.
        tokens: Results for figures that stand there, were read, or are flagged.
        beside: Results for pieces beside the cells, and for flagged slots.
        hidden: Visibility of each cell not in full view, in reading order; empty for a found grid.
    """

    index: int
    fate: GridFate
    size: int
    is_washed_out: bool = False
    name: str | None = None
    corner_error: float | None = None
    cells: tuple[Verdict, ...] = ()
    tokens: tuple[Verdict, ...] = ()
    beside: tuple[Verdict, ...] = ()
    hidden: tuple[Visibility, ...] = ()

    @property
    def all_verdicts(self) -> tuple[Verdict, ...]:
        """Results for cells, figures and pieces."""
        return self.cells + self.tokens + self.beside


@dataclass(frozen=True, slots=True)
class PhotoVerdict:
    """Results for one photo.

    Attributes:
        photo_name: Name of the file.
        condition: Condition under which the photo was taken.
        grids: Results for the grids of the truth.
        invented: Names of grids in the reading that are not there.
        false_alarms: Number of ``unread`` regions without a grid.
        refusal: Code of the error with which the eye refused the photo; None if it read it.
    """

    photo_name: str
    condition: str
    grids: tuple[GridVerdict, ...]
    invented: tuple[str, ...] = ()
    false_alarms: int = 0
    refusal: str | None = None

    @property
    def perfect(self) -> bool:
        """True if all was read right without a flag, and nothing was invented."""
        verdicts = [verdict for grid in self.grids for verdict in grid.all_verdicts]
        return (
            all(grid.fate is GridFate.FOUND for grid in self.grids)
            and all(verdict.right and not verdict.flagged for verdict in verdicts)
            and not self.invented
            and not self.false_alarms
        )


def judge_refusal(truth: PhotoTruth, code: str) -> PhotoVerdict:
    """Return the results for a photo that the eye refused with an error code."""
    grids = tuple(
        GridVerdict(n, GridFate.REFUSED, count_cells(grid), grid.is_washed_out)
        for n, grid in enumerate(truth.grids)
    )
    return PhotoVerdict(truth.path.name, truth.condition, grids, refusal=code)


def judge_reading(truth: PhotoTruth, reading: Reading) -> PhotoVerdict:
    """Compare a reading with the truth of its photo."""
    left, unread = dict(enumerate(reading.grids)), reading.unread
    verdicts: list[GridVerdict] = []
    for index, grid in enumerate(truth.grids):
        number = _nearest(grid, left)
        if number is not None:
            read, name = left.pop(number), city_name(number)
            verdicts.append(
                _judge_found_grid(index, grid, read, name, any_rotation=truth.any_rotation)
            )
            continue
        is_reported = any(_overlap(region.corners_px, grid.corners_px) for region in unread)
        fate = GridFate.UNREAD if is_reported else GridFate.MISSED
        hidden = tuple(each for each in _visibilities(grid) if not each.in_full_view)
        size = count_cells(grid)
        verdicts.append(GridVerdict(index, fate, size, grid.is_washed_out, hidden=hidden))
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


def _visibilities(grid: GridTruth) -> Iterator[Visibility]:
    return map(grid.visibility, product(range(len(grid.grid)), range(len(grid.grid[0]))))


def count_cells(grid: GridTruth) -> int:
    """Return the number of cells of a grid."""
    return len(grid.grid) * len(grid.grid[0])


def corner_error(corners_px: Quad, grid: GridTruth) -> float:
    """Return the distance of the worst corner from the truth, in tile widths."""
    errors = (math.dist(a, b) for a, b in zip(corners_px, grid.corners_px, strict=True))
    return max(errors) / grid.tile_px


def _nearest(grid: GridTruth, readings: Mapping[int, GridReading]) -> int | None:
    """Return the number of the reading with the nearest centre, within a tile width."""
    distances = {n: math.dist(read.centre_px, grid.centre_px) for n, read in readings.items()}
    nearest = min(distances, key=distances.__getitem__, default=None)
    return nearest if nearest is not None and distances[nearest] < grid.tile_px else None


def _overlap(first: Quad, second: Quad) -> bool:
    """Return whether the centre of one quad lies in the other."""
    return _inside(mean_point(first), second) or _inside(mean_point(second), first)


def _inside(point: Point, quad: Quad) -> bool:
    outline = np.array(quad, np.float32)
    return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0


def _turn_like(grid: GridTruth, read: GridReading) -> GridReading:
    """Turn a reading by the quarters that bring its corners nearest to the truth."""
    turns = (read.turned(quarters) for quarters in (0, 3, 2, 1))
    return min(turns, key=lambda turned: corner_error(turned.corners_px, grid))


def _judge_found_grid(
    index: int, grid: GridTruth, read: GridReading, name: str, *, any_rotation: bool
) -> GridVerdict:
    read = _turn_like(grid, read) if any_rotation else read
    return GridVerdict(
        index,
        GridFate.FOUND,
        count_cells(grid),
        grid.is_washed_out,
        name=name,
        corner_error=corner_error(read.corners_px, grid),
        cells=tuple(_judge_cells(grid, read)),
        tokens=tuple(_judge_tokens(grid, read)),
        beside=(*_judge_pieces(grid.beside, read), *_judge_flagged_slots(grid, read)),
    )


def _judge_cells(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    got = {
        (r, c): (name, sure)
        for r, row in enumerate(zip(read.faces, read.confidence, strict=True))
        for c, (name, sure) in enumerate(zip(*row, strict=True))
    }
    for cell in product(range(len(grid.grid)), range(len(grid.grid[0]))):
        name, certain = got.get(cell, (None, 0.0))
        truth = grid.grid[cell[0]][cell[1]]
        yield Verdict(cell, truth, name, certain, cell in read.unsure, grid.visibility(cell))


def _judge_tokens(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    """Compare figures; one is flagged, too, if the cell on which it stands is."""
    seen = {figure.at: figure.kind for figure in read.figures}
    concerned = grid.tokens.keys() | seen.keys()
    flagged = {*read.unsure_figures} | ({*read.unsure} & concerned)
    for cell in sorted(concerned | flagged):
        known = cell[0] < len(grid.grid) and cell[1] < len(grid.grid[0])
        visibility = grid.visibility(cell) if known else Visibility.OUTSIDE
        yield Verdict(cell, grid.tokens.get(cell), seen.get(cell), 1.0, cell in flagged, visibility)


def _judge_pieces(pieces: Sequence[BesideTruth], read: GridReading) -> Iterator[Verdict]:
    """Compare pieces, matched by position in heaps and by number in slots."""
    left = list(read.loose)
    for piece in pieces:
        found = next((other for other in left if _is_same_place(piece, other)), None)
        face, certain, flagged = None, 0.0, _is_flagged(piece, read)
        if found is not None:
            left.remove(found)
            face, certain, flagged = found.face, found.confidence, found.unsure or flagged
        visibility = Visibility.COVERED if piece.covered else Visibility.VISIBLE
        at = piece.container, piece.number
        yield Verdict(at, piece.face, face, certain, flagged, visibility)
    for other in left:
        at = other.container, other.number
        flagged = other.unsure or at in read.unsure_slots
        yield Verdict(at, None, other.face, other.confidence, flagged, Visibility.MISSING)


def _judge_flagged_slots(grid: GridTruth, read: GridReading) -> Iterator[Verdict]:
    """Yield results for flagged slots where nothing is and nothing was read."""
    heaps = {piece.container for piece in grid.beside if piece.in_heap}
    known = {(piece.container, piece.number) for piece in grid.beside}
    known |= {(piece.container, piece.number) for piece in read.loose}
    for at in read.unsure_slots:
        if at not in known and at[0] not in heaps:
            yield Verdict(at, None, None, 0.0, flagged=True, visibility=Visibility.MISSING)


def _is_same_place(piece: BesideTruth, other: LoosePiece) -> bool:
    if piece.container != other.container:
        return False
    if not piece.in_heap:
        return piece.number == other.number
    return math.dist(piece.centre_px, mean_point(other.corners_px)) < piece.edge_px / 2


def _is_flagged(piece: BesideTruth, read: GridReading) -> bool:
    """Return whether the slot of a piece is flagged, or anything in its heap."""
    if piece.in_heap:
        return any(name == piece.container for name, _ in read.unsure_slots)
    return (piece.container, piece.number) in read.unsure_slots
