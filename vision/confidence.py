"""Confidences that keep their word: of the cells given p, a share p is right.

What the networks say of themselves is no share of anything. How often cells of a raw confidence
were right was counted on photos whose tiles are known (``vision.training.fit_confidence``), apart
for sure cells, for cells that a person is asked to look at, and for places where no tile was seen.
The raw confidence alone decides which cells a person must look at; this changes only what is told.
Games known by pictures have curves of their own, see ``vision.boards.confidence``.
"""

import json
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

import numpy as np

from vision.reading import GridReading, Reading

DIGITS: Final = 4
MOST: Final = 0.9999
"""No tile is more certain: so many were never counted."""
NEVER: Final = 1e-4
"""Odds of less are not told apart."""
NETWORKS_FILE: Final = "confidence.json"
"""In ``vision/weights``: the curves of Between Two Cities."""


class Kind(StrEnum):
    """Cells whose confidences mean different things."""

    SURE = "sure"
    UNSURE = "unsure"
    EMPTY = "empty"
    """The reading says that there is no tile."""
    OUTSIDE = "outside"
    """A part of it lies outside the photo; told apart on boards only."""
    PIECE = "piece"
    """No cell, but an unsure piece beside the cells of a board."""


@dataclass(frozen=True, slots=True)
class RightShare:
    """A curve that never falls: raw confidence to the share that is right.

    Attributes:
        raw: confidences in rising order.
        share: of the cells of such a confidence that are right; as many.
    """

    raw: tuple[float, ...]
    share: tuple[float, ...]

    def at(self, raw: float) -> float:
        """The share for a raw confidence, interpolated; outside the curve that of its end."""
        after = bisect(self.raw, raw)
        low, high = max(after - 1, 0), min(after, len(self.raw) - 1)
        rise = self.share[high] - self.share[low]
        if rise:
            rise *= (raw - self.raw[low]) / (self.raw[high] - self.raw[low])
        return round(min(self.share[low] + rise, MOST), DIGITS)


def calibrated(reading: Reading) -> Reading:
    """The reading with each raw confidence exchanged for the share that is right."""
    return replace(reading, grids=tuple(calibrated_city(city) for city in reading.grids))


def calibrated_city(city: GridReading) -> GridReading:
    """The same for one city."""
    shares = right_shares()
    confidence = tuple(
        tuple(shares[kind_of(city, (row, column))].at(raw) for column, raw in enumerate(values))
        for row, values in enumerate(city.confidence)
    )
    return replace(city, confidence=confidence)


def kind_of(city: GridReading, cell: tuple[int, int]) -> Kind:
    """What the confidence of a cell means."""
    if city.grid[cell[0]][cell[1]] is None:
        return Kind.EMPTY
    return Kind.UNSURE if cell in city.unsure else Kind.SURE


@cache
def right_shares(file: str = NETWORKS_FILE) -> Mapping[Kind, RightShare]:
    """The curves that belong to the eye of this release, from a file in ``vision/weights``."""
    text = (resources.files("vision") / "weights" / file).read_text("utf-8")
    return {
        Kind(kind): RightShare(tuple(curve["raw"]), tuple(curve["share"]))
        for kind, curve in json.loads(text).items()
    }


def fitted(raw: Sequence[float], right: Sequence[bool]) -> RightShare:
    """The curve that fits cells best, by pooling neighbours whose shares fall.

    Isotonic regression by pooling adjacent violators (Ayer et al. 1955), on bins of about the same
    odds. The share of n cells of which k are right is taken as (k + 1) / (n + 2) (Laplace's rule
    of succession), so that few cells never promise much.

    Args:
        raw: confidence of each cell, 0 to 1.
        right: whether it was read as it is; as many.

    Raises:
        ValueError: there are no cells.
    """
    if not raw:
        raise ValueError("no cells to fit to")
    blocks: list[_Block] = []
    for block in _bins(raw, right):
        blocks.append(block)
        while len(blocks) > 1 and blocks[-1].must_join(blocks[-2]):
            last = blocks.pop()
            blocks[-1] = blocks[-1].with_more(last)
    return RightShare(
        tuple(round(block.mean_raw, 5) for block in blocks),
        tuple(round(block.share, 5) for block in blocks),
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """Cells of neighbouring raw confidences."""

    cells: int
    right: int
    raw_sum: float

    @property
    def mean_raw(self) -> float:
        return self.raw_sum / self.cells

    @property
    def share(self) -> float:
        return (self.right + 1) / (self.cells + 2)

    def must_join(self, before: "_Block") -> bool:
        """Whether a curve through this block and the one before would fall."""
        return before.share > self.share

    def with_more(self, other: "_Block") -> "_Block":
        return _Block(
            self.cells + other.cells, self.right + other.right, self.raw_sum + other.raw_sum
        )


def _bins(raw: Sequence[float], right: Sequence[bool]) -> list[_Block]:
    """Cells of about the same odds together, by factors of e, the least confident first."""
    values, hits = np.asarray(raw, np.float64), np.asarray(right, bool)
    odds = np.rint(np.log((values + NEVER) / (1 - values + NEVER)))
    bins = [(odds == value) for value in np.unique(odds)]
    return [_Block(int(b.sum()), int(hits[b].sum()), float(values[b].sum())) for b in bins]
