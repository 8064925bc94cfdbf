"""Sums over many photos: all figures of one condition, or of a whole folder."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from vision.figures.compare import CellVerdict, Fate, PhotoVerdict
from vision.figures.statistics import Reliability, upper_bound
from vision.figures.truth import Visibility

STAGES: Final = ("decode", "locate", "recognise", "total")
"""Of the way from a file to a reading."""


class Outcome(StrEnum):
    """What became of a cell of a city that was found."""

    RIGHT = "right"
    RIGHT_BUT_FLAGGED = "right-but-flagged"
    WRONG_AND_FLAGGED = "wrong-and-flagged"
    SILENTLY_WRONG = "silently-wrong"


def outcome(cell: CellVerdict) -> Outcome:
    """What became of a cell."""
    if cell.right:
        return Outcome.RIGHT_BUT_FLAGGED if cell.flagged else Outcome.RIGHT
    return Outcome.WRONG_AND_FLAGGED if cell.flagged else Outcome.SILENTLY_WRONG


@dataclass(slots=True)
class Tally:
    """Counts that grow by one photo at a time.

    Attributes:
        photos: how many were read.
        perfect: how many of them without any error, flag or false alarm.
        refused: how many the eye refused as too dark or too blurred.
        cities: how many had which fate.
        tiles: cells of all cities of the truth.
        outcomes: of the cells of found cities, by how they can be seen.
        missed_tiles: cells of cities that were missed.
        corner_errors: of found cities, tile widths.
        timings_ms: of each photo, by stage.
        reliability: of the confidences of all cells of found cities.
    """

    photos: int = 0
    perfect: int = 0
    refused: int = 0
    cities: Counter[Fate] = field(default_factory=Counter)
    invented: int = 0
    false_alarms: int = 0
    tiles: int = 0
    missed_tiles: int = 0
    outcomes: Counter[tuple[Visibility, Outcome]] = field(default_factory=Counter)
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
        for city in verdict.cities:
            self.cities[city.fate] += 1
            self.tiles += city.tiles
            if city.fate is Fate.MISSED:
                self.missed_tiles += city.tiles
            if city.corner_error is not None:
                self.corner_errors.append(city.corner_error)
            for cell in city.cells:
                self.outcomes[cell.visibility, outcome(cell)] += 1
                self.reliability.add(cell.confidence, right=cell.right)
        for stage, milliseconds in (timings_ms or {}).items():
            self.timings_ms[stage].append(milliseconds)

    def cells(self, visibility: Visibility | None = None, *outcomes: Outcome) -> int:
        """How many cells of found cities can be seen so and came out as one of these.

        Args:
            visibility: None for any.
            outcomes: none for all.
        """
        return sum(
            count
            for (seen, came), count in self.outcomes.items()
            if (visibility is None or seen is visibility) and (not outcomes or came in outcomes)
        )

    @property
    def all_cities(self) -> int:
        """How many cities the truth has."""
        return self.cities.total()

    @property
    def right(self) -> int:
        """Cells read as they are, flagged or not."""
        return self.cells(None, Outcome.RIGHT, Outcome.RIGHT_BUT_FLAGGED)

    @property
    def silent(self) -> int:
        """Silently wrong cells, those of missed cities among them."""
        return self.cells(None, Outcome.SILENTLY_WRONG) + self.missed_tiles

    @property
    def silent_rate_bound(self) -> float | None:
        """95 % upper bound of the share of silently wrong cells among all cells."""
        return upper_bound(self.silent, self.tiles)

    @property
    def visible(self) -> int:
        """Tiles in full view in cities that were found."""
        return self.cells(Visibility.VISIBLE)

    @property
    def visible_flagged(self) -> int:
        """Those of them that a person is asked to look at."""
        flags = Outcome.RIGHT_BUT_FLAGGED, Outcome.WRONG_AND_FLAGGED
        return self.cells(Visibility.VISIBLE, *flags)

    @property
    def total_per_decode(self) -> list[float]:
        """For each photo, the time from file to reading relative to that of decoding alone."""
        pairs = zip(self.timings_ms["total"], self.timings_ms["decode"], strict=True)
        return [total / decode for total, decode in pairs if decode > 0]
