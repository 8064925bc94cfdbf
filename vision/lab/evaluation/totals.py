"""Totals of an evaluation: the results of all photos of one condition, or of a whole folder."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from vision.lab.evaluation.photo_truth import Visibility
from vision.lab.evaluation.verdict import GridFate, GridVerdict, PhotoVerdict, Verdict
from vision.networks import NetworkWork

STAGES: Final = ("decode", "locate", "recognise", "total")
"""Stages from a file to a reading, in order."""
BIN_EDGES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Edges of the bins of confidence, narrow where most tiles are."""


def percentile_or_none(values: Iterable[float], percent: float) -> float | None:
    """Return a percentile of some values, interpolated; None without values."""
    known = list(values)
    return float(np.percentile(known, percent)) if known else None


def upper_bound(errors: int, trials: int, level: float = 0.95) -> float | None:
    """Return the upper confidence bound of an error rate.

    The exact one-sided binomial bound of Clopper and Pearson; without an error it is about 3 /
    trials (the rule of three).

    Args:
        errors: Number of errors.
        trials: Number of trials.
        level: Level of confidence, 0 to 1.

    Returns:
        Rate, 0 to 1; None without trials.

    Raises:
        ValueError: There are more errors than trials, or a number is negative.
    """
    if not 0 <= errors <= trials:
        raise ValueError(f"{errors} errors in {trials} trials")
    if trials == 0:
        return None
    if errors == trials:
        return 1.0
    low, high, ways = 0.0, 1.0, math.lgamma(trials + 1)
    for _ in range(60):  # bisection; the chance of so few errors falls as the rate rises
        rate = (low + high) / 2
        chances = (
            math.exp(ways - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
                     + k * math.log(rate) + (trials - k) * math.log1p(-rate))
            for k in range(errors + 1)
        )  # fmt: skip
        low, high = (rate, high) if math.fsum(chances) > 1 - level else (low, rate)
    return high


@dataclass(frozen=True, slots=True)
class Bin:
    """Cells with a confidence from ``low`` to below ``high``; 1 belongs to the last bin."""

    low: float
    high: float
    count: int
    mean_confidence: float | None
    share_right: float | None


class Reliability:
    """Reliability diagram: the share of right cells by confidence, equal to it if calibrated."""

    def __init__(self) -> None:
        self._sums = np.zeros((len(BIN_EDGES) - 1, 3))  # of each bin: cells, right ones, confidence

    def add(self, confidence: float, *, right: bool) -> None:
        """Count one cell of a confidence from 0 to 1."""
        place = int(np.searchsorted(BIN_EDGES[1:-1], confidence, side="right"))
        self._sums[place] += 1, right, confidence

    @property
    def bins(self) -> tuple[Bin, ...]:
        """Bins of increasing confidence; means are None in empty ones."""
        rows = zip(BIN_EDGES, BIN_EDGES[1:], self._sums.tolist(), strict=False)
        return tuple(
            Bin(low, high, int(count), *((total / count, right / count) if count else (None, None)))
            for low, high, (count, right, total) in rows
        )

    @property
    def calibration_error(self) -> float | None:
        """Mean distance of confidence and share of right cells over all cells; None without any."""
        count, right, total = self._sums.T
        return float(np.abs(total - right).sum() / count.sum()) if count.any() else None


class Correctness(StrEnum):
    """Result for a cell, figure or piece of a grid that was found."""

    RIGHT = "right"
    RIGHT_BUT_FLAGGED = "right-but-flagged"
    WRONG_AND_FLAGGED = "wrong-and-flagged"
    SILENTLY_WRONG = "silently-wrong"

    @classmethod
    def from_verdict(cls, verdict: Verdict) -> "Correctness":
        """Return the correctness of a verdict."""
        if verdict.right:
            return cls.RIGHT_BUT_FLAGGED if verdict.flagged else cls.RIGHT
        return cls.WRONG_AND_FLAGGED if verdict.flagged else cls.SILENTLY_WRONG


@dataclass(slots=True)
class EvaluationTotals:
    """Results of an evaluation, added up photo by photo.

    Attributes:
        photos: Number of photos, refused ones included.
        perfect: Number of these without any error, flag or false alarm.
        refused: Number of these that the eye refused, as too dark, blurred or without colours.
        grids: Number of grids by fate.
        washed_out: Number of these that light leaves half white or more.
        invented: Number of grids read that are not there.
        false_alarms: Number of unread regions without a grid.
        cells: Number of cells of all grids of the truth.
        missed_cells: Number of cells of missed grids.
        correctness: Number of cells of found grids by visibility and correctness.
        tokens: Number of figures by correctness, wrongly read ones included.
        beside: Number of pieces beside the cells by correctness, wrongly read ones included.
        corner_errors: Corner errors of found grids, in tile widths.
        timings_ms: Time of each photo, by stage.
        multiply_adds: Multiply-adds of the networks for each photo.
        patches: Embedded patches of each photo.
        reliability: Reliability of the confidences of all cells of found grids.
    """

    photos: int = 0
    perfect: int = 0
    refused: int = 0
    grids: Counter[GridFate] = field(default_factory=Counter)
    washed_out: Counter[GridFate] = field(default_factory=Counter)
    invented: int = 0
    false_alarms: int = 0
    cells: int = 0
    missed_cells: int = 0
    correctness: Counter[tuple[Visibility, Correctness]] = field(default_factory=Counter)
    tokens: Counter[Correctness] = field(default_factory=Counter)
    beside: Counter[Correctness] = field(default_factory=Counter)
    corner_errors: list[float] = field(default_factory=list)
    timings_ms: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    multiply_adds: list[int] = field(default_factory=list)
    patches: list[int] = field(default_factory=list)
    reliability: Reliability = field(default_factory=Reliability)

    def add(
        self,
        verdict: PhotoVerdict,
        timings_ms: Mapping[str, float] | None = None,
        work: NetworkWork | None = None,
    ) -> None:
        """Count one photo, the times of its stages, and the work of the networks."""
        self.photos += 1
        self.perfect += verdict.perfect
        self.refused += verdict.refusal is not None
        self.invented += len(verdict.invented)
        self.false_alarms += verdict.false_alarms
        for grid in verdict.grids:
            self._add_grid(grid)
        for stage, milliseconds in (timings_ms or {}).items():
            self.timings_ms[stage].append(milliseconds)
        if work is not None:
            self.multiply_adds.append(work.multiply_adds)
            self.patches.append(work.patches)

    def _add_grid(self, grid: GridVerdict) -> None:
        self.grids[grid.fate] += 1
        self.washed_out[grid.fate] += grid.is_washed_out
        self.cells += grid.size
        if grid.fate is GridFate.MISSED:
            self.missed_cells += grid.size
        if grid.corner_error is not None:
            self.corner_errors.append(grid.corner_error)
        for cell in grid.cells:
            self.correctness[cell.visibility, Correctness.from_verdict(cell)] += 1
            self.reliability.add(cell.confidence, right=cell.right)
        self.tokens.update(Correctness.from_verdict(token) for token in grid.tokens)
        self.beside.update(Correctness.from_verdict(piece) for piece in grid.beside)

    def count(self, visibility: Visibility | None = None, *correctness: Correctness) -> int:
        """Count the cells of found grids by visibility and correctness.

        Args:
            visibility: Visibility; None for any.
            correctness: Values to count; none for all.
        """
        return sum(
            count
            for (seen, value), count in self.correctness.items()
            if visibility in (None, seen) and (not correctness or value in correctness)
        )

    @property
    def found_of_lit(self) -> tuple[int, int]:
        """Number of grids found and of all grids, without those washed out by light."""
        found = self.grids[GridFate.FOUND] - self.washed_out[GridFate.FOUND]
        return found, self.grids.total() - self.washed_out.total()

    @property
    def right(self) -> int:
        """Number of cells read right, flagged or not."""
        return self.count(None, Correctness.RIGHT, Correctness.RIGHT_BUT_FLAGGED)

    @property
    def silent(self) -> int:
        """Number of silently wrong cells, those of missed grids included."""
        return self.count(None, Correctness.SILENTLY_WRONG) + self.missed_cells

    @property
    def silent_rate_bound(self) -> float | None:
        """95 % upper bound of the share of silently wrong cells among all cells."""
        return upper_bound(self.silent, self.cells)

    @property
    def in_full_view(self) -> int:
        """Number of cells in full view in found grids."""
        return sum(self.count(seen) for seen in self._full_view_kinds())

    @property
    def flagged_in_full_view(self) -> int:
        """Number of these that are flagged."""
        flags = Correctness.RIGHT_BUT_FLAGGED, Correctness.WRONG_AND_FLAGGED
        return sum(self.count(seen, *flags) for seen in self._full_view_kinds())

    def _full_view_kinds(self) -> set[Visibility]:
        return {seen for seen, _ in self.correctness if seen.in_full_view}

    @property
    def total_per_decode(self) -> list[float]:
        """Time of each photo from file to reading, relative to that of decoding alone."""
        pairs = zip(self.timings_ms["total"], self.timings_ms["decode"], strict=True)
        return [total / decode for total, decode in pairs if decode > 0]
