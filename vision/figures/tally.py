"""Sums over many photos: all figures of one condition, or of a whole folder."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from vision.figures.truth import Sight
from vision.figures.verdict import Fate, GridVerdict, PhotoVerdict, Verdict

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
    low, high = 0.0, 1.0
    for _ in range(60):  # bisection; the chance of so few errors falls as the rate rises
        rate = (low + high) / 2
        if _chance_of_at_most(errors, trials, rate) > 1 - level:
            low = rate
        else:
            high = rate
    return high


def _chance_of_at_most(errors: int, trials: int, rate: float) -> float:
    def chance(k: int) -> float:
        ways = math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        return math.exp(ways + k * math.log(rate) + (trials - k) * math.log1p(-rate))

    return math.fsum(chance(k) for k in range(errors + 1))


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
        bins = len(EDGES) - 1
        self._count, self._right, self._sum = [0] * bins, [0] * bins, [0.0] * bins

    def add(self, confidence: float, *, right: bool) -> None:
        """Count one cell; ``confidence`` runs from 0 to 1."""
        place = int(np.searchsorted(EDGES, confidence, side="right")) - 1
        place = min(max(place, 0), len(self._count) - 1)
        self._count[place] += 1
        self._right[place] += right
        self._sum[place] += confidence

    @property
    def bins(self) -> tuple[Bin, ...]:
        """All bins, the least sure first; means are None in empty ones."""
        return tuple(
            Bin(EDGES[n], EDGES[n + 1], count, total / count, right / count)
            if count
            else Bin(EDGES[n], EDGES[n + 1], 0, None, None)
            for n, (count, right, total) in enumerate(
                zip(self._count, self._right, self._sum, strict=True)
            )
        )

    @property
    def calibration_error(self) -> float | None:
        """Mean distance of confidence and share right over all cells; None without any."""
        cells = sum(self._count)
        if not cells:
            return None
        gaps = (abs(t - r) for t, r in zip(self._sum, self._right, strict=True))
        return math.fsum(gaps) / cells


class Outcome(StrEnum):
    """What became of a cell, figure or piece of a grid that was found."""

    RIGHT = "right"
    RIGHT_BUT_FLAGGED = "right-but-flagged"
    WRONG_AND_FLAGGED = "wrong-and-flagged"
    SILENTLY_WRONG = "silently-wrong"


def outcome_of(verdict: Verdict) -> Outcome:
    """What became of a cell, figure or piece."""
    if verdict.right:
        return Outcome.RIGHT_BUT_FLAGGED if verdict.flagged else Outcome.RIGHT
    return Outcome.WRONG_AND_FLAGGED if verdict.flagged else Outcome.SILENTLY_WRONG


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
    reliability: Reliability = field(default_factory=Reliability)

    def add(self, verdict: PhotoVerdict, timings_ms: Mapping[str, float] | None = None) -> None:
        """Count one photo and how long its stages took."""
        self.photos += 1
        self.perfect += verdict.perfect
        self.refused += verdict.refusal is not None
        self.invented += len(verdict.invented)
        self.false_alarms += verdict.false_alarms
        for grid in verdict.grids:
            self._add_grid(grid)
        for stage, milliseconds in (timings_ms or {}).items():
            self.timings_ms[stage].append(milliseconds)

    def _add_grid(self, grid: GridVerdict) -> None:
        self.grids[grid.fate] += 1
        self.washed_out[grid.fate] += grid.is_washed_out
        self.cells += grid.size
        if grid.fate is Fate.MISSED:
            self.missed_cells += grid.size
        if grid.corner_error is not None:
            self.corner_errors.append(grid.corner_error)
        for cell in grid.cells:
            self.outcomes[cell.sight, outcome_of(cell)] += 1
            self.reliability.add(cell.confidence, right=cell.right)
        self.tokens.update(outcome_of(token) for token in grid.tokens)
        self.beside.update(outcome_of(piece) for piece in grid.beside)

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
