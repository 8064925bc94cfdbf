"""Sums over many photos: all figures of one condition, or of a whole folder."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from vision.lab.evaluation.truth import Sight
from vision.lab.evaluation.verdict import Fate, GridVerdict, PhotoVerdict, Verdict
from vision.networks import NetworkWork

STAGES: Final = ("decode", "locate", "recognise", "total")
"""Of the way from a file to a reading."""
EDGES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Of the bins of confidence: narrow where most tiles are."""


def percentile(values: Iterable[float], percent: float) -> float | None:
    """The value that so many percent do not exceed, interpolated; None for no values."""
    known = list(values)
    return float(np.percentile(known, percent)) if known else None


def upper_bound(errors: int, trials: int, level: float = 0.95) -> float | None:
    """The highest error rate that would give so few errors by chance in 1 of 20 measurements.

    The exact one-sided binomial bound of Clopper and Pearson; without an error it is about 3 /
    trials (the rule of three).

    Args:
        errors: how many were seen.
        trials: among how many.
        level: of confidence.

    Returns:
        A rate, 0 to 1; None without trials.

    Raises:
        ValueError: more errors than trials, or a negative number.
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
    """Cells whose confidence lies from ``low`` to under ``high``; 1 belongs to the last bin."""

    low: float
    high: float
    count: int
    mean_confidence: float | None
    share_right: float | None


class Reliability:
    """How often cells of some confidence are right: of calibrated ones, just as often."""

    def __init__(self) -> None:
        self._sums = np.zeros((len(EDGES) - 1, 3))  # of each bin: cells, right ones, confidence

    def add(self, confidence: float, *, right: bool) -> None:
        """Count one cell; ``confidence`` runs from 0 to 1."""
        place = int(np.searchsorted(EDGES[1:-1], confidence, side="right"))
        self._sums[place] += 1, right, confidence

    @property
    def bins(self) -> tuple[Bin, ...]:
        """All bins, the least sure first; means are None in empty ones."""
        rows = zip(EDGES, EDGES[1:], self._sums.tolist(), strict=False)
        return tuple(
            Bin(low, high, int(count), *((total / count, right / count) if count else (None, None)))
            for low, high, (count, right, total) in rows
        )

    @property
    def calibration_error(self) -> float | None:
        """Mean distance of confidence and share right over all cells; None without any."""
        count, right, total = self._sums.T
        return float(np.abs(total - right).sum() / count.sum()) if count.any() else None


class Outcome(StrEnum):
    """What became of a cell, figure or piece of a grid that was found."""

    RIGHT = "right"
    RIGHT_BUT_FLAGGED = "right-but-flagged"
    WRONG_AND_FLAGGED = "wrong-and-flagged"
    SILENTLY_WRONG = "silently-wrong"

    @classmethod
    def of(cls, verdict: Verdict) -> "Outcome":
        """What the verdict says."""
        if verdict.right:
            return cls.RIGHT_BUT_FLAGGED if verdict.flagged else cls.RIGHT
        return cls.WRONG_AND_FLAGGED if verdict.flagged else cls.SILENTLY_WRONG


@dataclass(slots=True)
class Tally:
    """Counts that grow by one photo at a time.

    Attributes:
        photos: how many were read.
        perfect: how many of them without any error, flag or false alarm.
        refused: how many the eye refused as too dark or too blurred.
        grids: how many had which fate.
        washed_out: how many of those did that light leaves half white or more.
        invented: grids that are not there.
        false_alarms: regions called unread where no grid is.
        cells: of all grids of the truth.
        missed_cells: of grids that were missed.
        outcomes: of the cells of found grids, by how they can be seen.
        tokens: outcomes of figures, those that are not there among them.
        beside: outcomes of pieces beside the cells, likewise.
        corner_errors: of found grids, tile widths.
        timings_ms: of each photo, by stage.
        multiply_adds, patches: work of the networks for each photo.
        reliability: of the confidences of all cells of found grids.
    """

    photos: int = 0
    perfect: int = 0
    refused: int = 0
    grids: Counter[Fate] = field(default_factory=Counter)
    washed_out: Counter[Fate] = field(default_factory=Counter)
    invented: int = 0
    false_alarms: int = 0
    cells: int = 0
    missed_cells: int = 0
    outcomes: Counter[tuple[Sight, Outcome]] = field(default_factory=Counter)
    tokens: Counter[Outcome] = field(default_factory=Counter)
    beside: Counter[Outcome] = field(default_factory=Counter)
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
        """Count one photo, how long its stages took, and the work of the networks."""
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
        if grid.fate is Fate.MISSED:
            self.missed_cells += grid.size
        if grid.corner_error is not None:
            self.corner_errors.append(grid.corner_error)
        for cell in grid.cells:
            self.outcomes[cell.sight, Outcome.of(cell)] += 1
            self.reliability.add(cell.confidence, right=cell.right)
        self.tokens.update(Outcome.of(token) for token in grid.tokens)
        self.beside.update(Outcome.of(piece) for piece in grid.beside)

    def count(self, sight: Sight | None = None, *outcomes: Outcome) -> int:
        """How many cells of found grids can be seen so and came out as one of these.

        Args:
            sight: None for any.
            outcomes: none for all.
        """
        return sum(
            count
            for (seen, came), count in self.outcomes.items()
            if (sight is None or seen is sight) and (not outcomes or came in outcomes)
        )

    @property
    def found_of_lit(self) -> tuple[int, int]:
        """How many grids were found, and how many there are, without those washed out by light."""
        found = self.grids[Fate.FOUND] - self.washed_out[Fate.FOUND]
        return found, self.grids.total() - self.washed_out.total()

    @property
    def right(self) -> int:
        """Cells read as they are, flagged or not."""
        return self.count(None, Outcome.RIGHT, Outcome.RIGHT_BUT_FLAGGED)

    @property
    def silent(self) -> int:
        """Silently wrong cells, those of missed grids among them."""
        return self.count(None, Outcome.SILENTLY_WRONG) + self.missed_cells

    @property
    def silent_rate_bound(self) -> float | None:
        """95 % upper bound of the share of silently wrong cells among all cells."""
        return upper_bound(self.silent, self.cells)

    @property
    def visible(self) -> int:
        """Cells in full view in grids that were found."""
        return sum(self.count(seen) for seen in self._in_full_view())

    @property
    def visible_flagged(self) -> int:
        """Those of them that a person is asked to look at."""
        flags = Outcome.RIGHT_BUT_FLAGGED, Outcome.WRONG_AND_FLAGGED
        return sum(self.count(seen, *flags) for seen in self._in_full_view())

    def _in_full_view(self) -> set[Sight]:
        return {seen for seen, _ in self.outcomes if seen.in_full_view}

    @property
    def total_per_decode(self) -> list[float]:
        """For each photo, the time from file to reading relative to that of decoding alone."""
        pairs = zip(self.timings_ms["total"], self.timings_ms["decode"], strict=True)
        return [total / decode for total, decode in pairs if decode > 0]
