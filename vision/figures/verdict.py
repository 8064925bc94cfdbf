"""What became of the grids of a photo, their cells and what else lies there; alike for all games.

Grids are matched by their middles. Silently wrong is what a reading names otherwise than the truth
without flagging it; so are all cells of a grid that it neither lists nor reports in ``unread``.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from scoring.faces import city_name
from vision.figures.truth import GridTruth, PhotoTruth, Sight, middle
from vision.reading import GridReading, Point, Quad, Reading


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


def verdict_on(
    truth: PhotoTruth,
    reading: Reading,
    found: Callable[[int, GridTruth, GridReading, str], GridVerdict],
) -> PhotoVerdict:
    """Hold what was read in a photo against its truth.

    Args:
        truth: of the photo.
        reading: of the photo.
        found: compares a grid that was found; it gets its index, its truth, its reading and the
            letter of that.
    """
    left, unread = dict(enumerate(reading.grids)), reading.unread
    verdicts: list[GridVerdict] = []
    for index, grid in enumerate(truth.grids):
        number = _nearest(grid, left)
        if number is not None:
            verdicts.append(found(index, grid, left.pop(number), city_name(number)))
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
