"""What a bench found out about a folder of photos, and its form for programs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from firmware.errors import Refusal
from firmware.terminal import Json
from vision.figures.compare import CellVerdict, CityVerdict, Fate, PhotoVerdict
from vision.figures.statistics import Reliability, percentile
from vision.figures.tally import STAGES, Outcome, Tally
from vision.figures.truth import Visibility

_PERCENTILES: Final = {"median": 50, "p95": 95, "worst": 100}


@dataclass(frozen=True, slots=True)
class CellFinding:
    """A cell to tell of: silently wrong, or flagged."""

    photo: str
    city: CityVerdict
    cell: CellVerdict


@dataclass(slots=True)
class Report:
    """All that is told of a folder; grows by one photo at a time.

    Attributes:
        folder: its path.
        overall: sums over all photos.
        conditions: sums over the photos of each condition.
        silent: cells that were read wrong without a flag.
        flagged: cells that were flagged.
        missed: cities that were missed, with their photo.
        invented: cities that are not there, photo and name.
        false_alarms: photos with ``unread`` regions where no city is, and how many.
        refused_photos: photos that the eye refused, and the code of the error.
        refused_files: files that cannot be used.
        skipped: photos without cities to find, to learn faces from.
        peak_memory_mb: of the whole process.
    """

    folder: str
    overall: Tally = field(default_factory=Tally)
    conditions: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    silent: list[CellFinding] = field(default_factory=list)
    flagged: list[CellFinding] = field(default_factory=list)
    missed: list[tuple[str, CityVerdict]] = field(default_factory=list)
    invented: list[tuple[str, str]] = field(default_factory=list)
    false_alarms: list[tuple[str, int]] = field(default_factory=list)
    refused_photos: list[tuple[str, str]] = field(default_factory=list)
    refused_files: list[Refusal] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    peak_memory_mb: float | None = None

    @property
    def is_wrong_somewhere(self) -> bool:
        """Whether anything is wrong of which the reading says nothing."""
        return bool(self.silent or self.missed or self.invented)

    def add(self, verdict: PhotoVerdict, timings_ms: dict[str, float] | None) -> None:
        """Take in one photo."""
        for tally in (self.overall, self.conditions[verdict.condition]):
            tally.add(verdict, timings_ms)
        for city in verdict.cities:
            if city.fate is Fate.MISSED:
                self.missed.append((verdict.photo, city))
            found = [CellFinding(verdict.photo, city, cell) for cell in city.cells]
            self.silent += [finding for finding in found if finding.cell.silently_wrong]
            self.flagged += [finding for finding in found if finding.cell.flagged]
        self.invented += [(verdict.photo, name) for name in verdict.invented]
        if verdict.false_alarms:
            self.false_alarms.append((verdict.photo, verdict.false_alarms))
        if verdict.refusal is not None:
            self.refused_photos.append((verdict.photo, verdict.refusal))


def report_json(report: Report) -> Json:
    """The report for programs; keys are described in docs/figures.md."""
    return {
        "folder": report.folder,
        "overall": tally_json(report.overall),
        "conditions": {
            name: tally_json(tally) for name, tally in sorted(report.conditions.items())
        },
        "peak_memory_mb": report.peak_memory_mb,
        "silent_errors": _findings(report.silent),
        "flagged": _findings(report.flagged),
        "missed": [{"photo": photo, "city": city.index} for photo, city in report.missed],
        "invented": [{"photo": photo, "name": name} for photo, name in report.invented],
        "false_alarms": [{"photo": photo, "count": count} for photo, count in report.false_alarms],
        "refused_photos": [{"photo": photo, "code": code} for photo, code in report.refused_photos],
        "refused_files": [
            {"code": error.code, "message": error.message, "where": error.where}
            for error in report.refused_files
        ],
        "skipped": report.skipped,
    }


def tally_json(tally: Tally) -> Json:
    """The figures of one condition, or of all."""
    return {
        "photos": tally.photos,
        "perfect": tally.perfect,
        "refused": tally.refused,
        "cities": {
            "all": tally.all_cities,
            **{fate.value: tally.cities[fate] for fate in Fate},
            "invented": tally.invented,
        },
        "false_alarms": tally.false_alarms,
        "tiles": {
            "all": tally.tiles,
            "in_found_cities": tally.cells(),
            "right": tally.right,
            "flagged": tally.cells(None, Outcome.RIGHT_BUT_FLAGGED, Outcome.WRONG_AND_FLAGGED),
            "wrong_and_flagged": tally.cells(None, Outcome.WRONG_AND_FLAGGED),
            "silently_wrong": tally.silent,
            "silent_rate": share(tally.silent, tally.tiles),
            "silent_rate_upper_95": tally.silent_rate_bound,
        },
        "visible": {
            "tiles": tally.visible,
            "flagged": tally.visible_flagged,
            "flagged_share": share(tally.visible_flagged, tally.visible),
        },
        "by_visibility": {
            seen.value: {came.value: tally.cells(seen, came) for came in Outcome}
            for seen in Visibility
        },
        "corner_error_tiles": spread(tally.corner_errors),
        "reliability": reliability_json(tally.reliability),
        "timings_ms": {stage: spread(tally.timings_ms[stage]) for stage in stages(tally)},
        "total_per_decode": spread(tally.total_per_decode),
    }


def stages(tally: Tally) -> Iterator[str]:
    """Every stage that was timed, in the order of the way of a photo."""
    return ordered_stages(tally.timings_ms)


def ordered_stages(timings_ms: Mapping[str, Collection[float]]) -> Iterator[str]:
    """The stages of some timings, in the order of the way of a photo."""
    timed = [stage for stage, times in timings_ms.items() if times]
    yield from (stage for stage in STAGES[:-1] if stage in timed)
    yield from (stage for stage in timed if stage not in STAGES)
    if STAGES[-1] in timed:
        yield STAGES[-1]


def spread(values: Iterable[float]) -> dict[str, float | None]:
    """Median, 95th percentile and worst of some values."""
    known = list(values)
    return {name: percentile(known, percent) for name, percent in _PERCENTILES.items()}


def share(part: int, whole: int) -> float | None:
    """A part of a whole, 0 to 1; None of nothing."""
    return part / whole if whole else None


def reliability_json(reliability: Reliability) -> Json:
    """How well confidences keep their word."""
    bins = [
        {
            "from": each.low,
            "to": each.high,
            "cells": each.count,
            "mean_confidence": each.mean_confidence,
            "share_right": each.share_right,
        }
        for each in reliability.bins
    ]
    return {"calibration_error": reliability.calibration_error, "bins": bins}


def _findings(findings: Iterable[CellFinding]) -> list[dict[str, Any]]:
    return [
        {
            "photo": finding.photo,
            "city": finding.city.index,
            "name": finding.city.name,
            "at": list(finding.cell.cell),
            "read": finding.cell.read,
            "truth": finding.cell.truth,
            "confidence": finding.cell.confidence,
            "visibility": finding.cell.visibility.value,
        }
        for finding in findings
    ]
