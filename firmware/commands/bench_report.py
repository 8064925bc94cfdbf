"""What a bench found out about a folder of photos, in its form for programs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware.errors import Refusal, error_object
from firmware.shapes import picked
from firmware.terminal import Json
from vision.figures.statistics import percentile, upper_bound
from vision.figures.tally import STAGES, Outcome, Tally
from vision.figures.truth import Sight
from vision.figures.verdict import Fate, GridVerdict, PhotoVerdict, Verdict

_PERCENTILES: Final = {"median": 50, "p95": 95, "worst": 100}


@dataclass(slots=True)
class Report:
    """All that is told of a folder; grows by one photo at a time.

    Attributes:
        folder: its path.
        game: on the tables.
        cells: what its cells are called: ``tiles`` where each tile covers one and lies free.
        overall: sums over all photos.
        conditions: sums over the photos of each condition.
        silent: what was read wrong without a flag: cells, figures, pieces beside the cells.
        flagged: what was flagged of these.
        grids: by what became of them, with their photo.
        invented: grids that are not there.
        false_alarms: photos with ``unread`` regions where no grid is, and how many.
        refused_photos: photos that the eye refused, and the code of the error.
        refused_files: files that cannot be used.
        skipped: photos without grids to find, to learn faces from.
        peak_memory_mb: of the whole process.
    """

    folder: str
    game: str
    cells: str = "cells"
    overall: Tally = field(default_factory=Tally)
    conditions: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    silent: list[Json] = field(default_factory=list)
    flagged: list[Json] = field(default_factory=list)
    grids: dict[Fate, list[tuple[str, GridVerdict]]] = field(
        default_factory=lambda: {fate: [] for fate in Fate}
    )
    invented: list[Json] = field(default_factory=list)
    false_alarms: list[Json] = field(default_factory=list)
    refused_photos: list[Json] = field(default_factory=list)
    refused_files: list[Refusal] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    peak_memory_mb: float | None = None

    @property
    def is_wrong_somewhere(self) -> bool:
        """Whether anything is wrong of which the reading says nothing."""
        return bool(self.silent or self.grids[Fate.MISSED] or self.invented)

    def add(self, verdict: PhotoVerdict, timings_ms: dict[str, float] | None) -> None:
        """Take in one photo."""
        photo = {"photo": verdict.photo}
        for tally in (self.overall, self.conditions[verdict.condition]):
            tally.add(verdict, timings_ms)
        for grid in verdict.grids:
            self.grids[grid.fate].append((verdict.photo, grid))
            kinds = {"cell": grid.cells, "token": grid.tokens, "beside": grid.beside}
            for what, verdicts in kinds.items():
                for one in verdicts:
                    if one.silently_wrong:
                        self.silent.append({**photo, **_finding_json(grid, what, one)})
                    if one.flagged:
                        self.flagged.append({**photo, **_finding_json(grid, what, one)})
        self.invented += [{**photo, "name": name} for name in verdict.invented]
        if verdict.false_alarms:
            self.false_alarms.append({**photo, "count": verdict.false_alarms})
        if verdict.refusal is not None:
            self.refused_photos.append({**photo, "code": verdict.refusal})


def report_json(report: Report) -> Json:
    """The report for programs; keys are described in docs/figures.md."""
    unread, missed = (
        [
            {"photo": photo, "city": grid.index, "washed_out": grid.is_washed_out}
            for photo, grid in report.grids[fate]
        ]
        for fate in (Fate.UNREAD, Fate.MISSED)
    )
    return {
        **picked(report, "folder", "game"),
        "overall": _tally_json(report.overall, report.cells),
        "conditions": {
            name: _tally_json(tally, report.cells)
            for name, tally in sorted(report.conditions.items())
        },
        "peak_memory_mb": report.peak_memory_mb,
        "silent_errors": report.silent,
        "flagged": report.flagged,
        "unread": unread,
        "missed": missed,
        **picked(report, "invented", "false_alarms", "refused_photos"),
        "refused_files": [error_object(error)["error"] for error in report.refused_files],
        "skipped": report.skipped,
    }


def _finding_json(grid: GridVerdict, what: str, verdict: Verdict) -> Json:
    return {
        "city": grid.index,
        "name": grid.name,
        "what": what,
        "at": list(verdict.at),
        **picked(verdict, "read", "truth", "confidence"),
        "visibility": verdict.sight.value,
    }


def _tally_json(tally: Tally, cells: str) -> Json:
    """The figures of one condition of a report, or of all."""
    return {
        **picked(tally, "photos", "perfect", "refused"),
        "cities": {
            "all": tally.grids.total(),
            **{fate.value: tally.grids[fate] for fate in Fate},
            "invented": tally.invented,
            "washed_out": {fate.value: tally.washed_out[fate] for fate in Fate},
        },
        "false_alarms": tally.false_alarms,
        cells: {
            "all": tally.cells,
            "in_found_cities": tally.count(),
            "right": tally.right,
            "flagged": tally.count(None, Outcome.RIGHT_BUT_FLAGGED, Outcome.WRONG_AND_FLAGGED),
            "wrong_and_flagged": tally.count(None, Outcome.WRONG_AND_FLAGGED),
            "silently_wrong": tally.silent,
            "silent_rate": share(tally.silent, tally.cells),
            "silent_rate_upper_95": tally.silent_rate_bound,
        },
        "visible": {
            cells: tally.visible,
            "flagged": tally.visible_flagged,
            "flagged_share": share(tally.visible_flagged, tally.visible),
        },
        "by_visibility": {
            seen.value: {came.value: tally.count(seen, came) for came in Outcome} for seen in Sight
        },
        "tokens": _outcomes_json(tally.tokens),
        "beside": _outcomes_json(tally.beside),
        "corner_error_tiles": spread(tally.corner_errors),
        "reliability": {
            "calibration_error": tally.reliability.calibration_error,
            "bins": [
                {"from": each.low, "to": each.high, "cells": each.count}
                | picked(each, "mean_confidence", "share_right")
                for each in tally.reliability.bins
            ],
        },
        "timings_ms": {
            stage: spread(tally.timings_ms[stage]) for stage in ordered_stages(tally.timings_ms)
        },
        "total_per_decode": spread(tally.total_per_decode),
    }


def _outcomes_json(outcomes: Counter[Outcome]) -> Json:
    """Counts of what became of figures, or of pieces beside the cells."""
    silent, known = outcomes[Outcome.SILENTLY_WRONG], outcomes.total()
    return {
        "all": known,
        **{came.value: outcomes[came] for came in Outcome},
        "silent_rate_upper_95": upper_bound(silent, known),
    }


def ordered_stages(timings_ms: Mapping[str, list[float]]) -> Iterator[str]:
    """The stages of some timings, in the order of the way of a photo."""
    timed = [stage for stage, times in timings_ms.items() if times]
    yield from (stage for stage in STAGES[:-1] if stage in timed)
    yield from (stage for stage in timed if stage not in STAGES)
    yield from (stage for stage in STAGES[-1:] if stage in timed)


def spread(values: Iterable[float]) -> dict[str, float | None]:
    """Median, 95th percentile and worst of some values."""
    known = list(values)
    return {name: percentile(known, percent) for name, percent in _PERCENTILES.items()}


def share(part: int, whole: int) -> float | None:
    """A part of a whole, 0 to 1; None of nothing."""
    return part / whole if whole else None
