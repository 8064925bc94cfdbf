"""Percentiles, a bound for rates of rare errors, and how well confidences keep their word."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

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
