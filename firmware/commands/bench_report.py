"""Report of a bench over a folder of photos, as JSON and as text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.json_text import select_attributes
from firmware.base.language import D_, N_, _, _n, format_decimal, format_number, format_percent
from firmware.base.problem import Reportable
from firmware.base.terminal import Json
from firmware.games.text_layout import UNSURE_STYLE
from firmware.wording.places import cell_name
from firmware.wording.problem_text import problem_json, problem_line
from vision.lab.evaluation.photo_truth import Visibility
from vision.lab.evaluation.totals import (
    STAGES,
    Correctness,
    EvaluationTotals,
    percentile_or_none,
    upper_bound,
)
from vision.lab.evaluation.verdict import GridFate, GridVerdict, PhotoVerdict, Verdict
from vision.networks import NetworkWork

_PERCENTILES: Final = {"median": 50, "p95": 95, "worst": 100}
_MAX_FLAGS: Final = 60
"""Most findings that are listed one by one."""
_NOTHING: Final = "-"
_HEADING_WIDTH: Final = 10
"""Width of columns, unless the words of the heading are longer."""
_ANY_WIDTH: Final = 10_000
"""Width at which a table is measured, more than any table needs."""
_ONE_DECIMAL_FROM: Final = 10
"""Smallest value that is shown with one decimal; smaller ones get more."""
_VISIBILITY_WORDS: Final = {
    Visibility.VISIBLE: N_("in full view"),
    Visibility.TOKEN: N_("under a figure"),
    Visibility.COVERED: N_("covered in part"),
    Visibility.OUTSIDE: N_("partly outside the photo"),
    Visibility.TURNED: N_("turned the wrong way"),
    Visibility.ASKEW: N_("lying askew"),
    Visibility.EMPTY: N_("empty plots"),
    Visibility.MISSING: N_("without a tile"),
}
"""Words for how well a cell is seen."""
_WORDS: Final = {
    "photos": N_("photos"),
    "perfect": N_("perfect"),
    "all": N_("in all"),
    "cells": N_("cells"),
    "tiles": N_("tiles"),
    "found": N_("found"),
    "unread": N_("unread"),
    "refused": N_("refused"),
    "missed": N_("missed"),
    "invented": N_("invented"),
    "false-alarms": N_("alarms"),
    "right": D_("right", "bench"),
    "share-right": D_("right", "bench"),
    "right-but-flagged": N_("right, but flagged"),
    "flagged": N_("flagged"),
    "flagged-share": N_("share flagged"),
    "wrong-and-flagged": N_("wrong and flagged"),
    "silently-wrong": N_("silently wrong"),
    "silent-rate-upper-95": N_("rate at most (95%)"),
    "mean-confidence": N_("mean confidence"),
    "median": N_("median"),
    "p95": N_("of 95%"),
    "worst": N_("worst"),
}
"""Names of the results for people; results without one are in the JSON alone."""
_TABLES: Final = {
    "cities": N_("Cities and boards"),
    "tiles": N_("Cells"),
    "cells": N_("Cells"),
    "visible": N_("Cells in full view"),
    "tokens": N_("Figures"),
    "beside": N_("Pieces beside the cells"),
    "corner_error_tiles": N_("Corner errors in tile widths"),
}
"""Headings of the tables with a row for each condition, by the key of their results."""


@dataclass(slots=True)
class Report:
    """Report of a folder; grows by one photo at a time.

    Attributes:
        folder: Path of the folder.
        game: Game on the tables.
        cells: Word for its cells: ``tiles`` where each tile covers one and lies free.
        overall: Sums over all photos.
        conditions: Sums over the photos of each condition.
        silent: Errors without a flag: cells, figures, pieces beside the cells.
        flagged: Flagged cells, figures and pieces.
        grids: Grids with their photos, by fate.
        invented: Grids that are not there.
        false_alarms: Photos with ``unread`` regions where no grid is, and how many.
        refused_photos: Photos that the eye refused, and the code of the error.
        refused_files: Files that cannot be used.
        skipped: Photos without grids to find, to learn faces from.
        peak_memory_mb: Peak memory of the whole process.
    """

    folder: str
    game: str
    cells: str = "cells"
    overall: EvaluationTotals = field(default_factory=EvaluationTotals)
    conditions: defaultdict[str, EvaluationTotals] = field(
        default_factory=lambda: defaultdict(EvaluationTotals)
    )
    silent: list[Json] = field(default_factory=list)
    flagged: list[Json] = field(default_factory=list)
    grids: dict[GridFate, list[tuple[str, GridVerdict]]] = field(
        default_factory=lambda: {fate: [] for fate in GridFate}
    )
    invented: list[Json] = field(default_factory=list)
    false_alarms: list[Json] = field(default_factory=list)
    refused_photos: list[Json] = field(default_factory=list)
    refused_files: list[Reportable] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    peak_memory_mb: float | None = None

    @property
    def is_wrong_somewhere(self) -> bool:
        """True if a photo has an error that the reading did not flag."""
        return bool(self.silent or self.grids[GridFate.MISSED] or self.invented)

    def add(
        self,
        verdict: PhotoVerdict,
        timings_ms: dict[str, float] | None,
        work: NetworkWork | None = None,
    ) -> None:
        """Add one photo."""
        photo = {"photo": verdict.photo_name}
        for counts in (self.overall, self.conditions[verdict.condition]):
            counts.add(verdict, timings_ms, work)
        for grid in verdict.grids:
            self.grids[grid.fate].append((verdict.photo_name, grid))
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
    """Return the report for programs; docs/ground-truth.md describes its keys."""
    unread, missed = (
        [
            {"photo": photo, "city": grid.index, "washed_out": grid.is_washed_out}
            for photo, grid in report.grids[fate]
        ]
        for fate in (GridFate.UNREAD, GridFate.MISSED)
    )
    return {
        **select_attributes(report, "folder", "game"),
        "overall": _counts_json(report.overall, report.cells),
        "conditions": {
            name: _counts_json(counts, report.cells)
            for name, counts in sorted(report.conditions.items())
        },
        "peak_memory_mb": report.peak_memory_mb,
        "silent_errors": report.silent,
        "flagged": report.flagged,
        "unread": unread,
        "missed": missed,
        **select_attributes(report, "invented", "false_alarms", "refused_photos"),
        "refused_files": [problem_json(error)["error"] for error in report.refused_files],
        "skipped": report.skipped,
    }


def _finding_json(grid: GridVerdict, what: str, verdict: Verdict) -> Json:
    return {
        "city": grid.index,
        "name": grid.name,
        "what": what,
        "at": list(verdict.at),
        **select_attributes(verdict, "read", "truth", "confidence"),
        "visibility": verdict.visibility.value,
    }


def _counts_json(counts: EvaluationTotals, cells: str) -> Json:
    """Return the results of one condition of a report, or of all."""
    return {
        **select_attributes(counts, "photos", "perfect", "refused"),
        "cities": {
            "all": counts.grids.total(),
            **{fate.value: counts.grids[fate] for fate in GridFate},
            "invented": counts.invented,
            "washed_out": {fate.value: counts.washed_out[fate] for fate in GridFate},
        },
        "false_alarms": counts.false_alarms,
        cells: _cells_json(counts),
        "visible": {
            cells: counts.in_full_view,
            "flagged": counts.flagged_in_full_view,
            "flagged_share": share(counts.flagged_in_full_view, counts.in_full_view),
        },
        "by_visibility": {
            visibility.value: {each.value: counts.count(visibility, each) for each in Correctness}
            for visibility in Visibility
        },
        "tokens": _correctness_json(counts.tokens),
        "beside": _correctness_json(counts.beside),
        "corner_error_tiles": spread(counts.corner_errors),
        "reliability": {
            "calibration_error": counts.reliability.calibration_error,
            "bins": [
                {"from": each.low, "to": each.high, "cells": each.count}
                | select_attributes(each, "mean_confidence", "share_right")
                for each in counts.reliability.bins
            ],
        },
        "timings_ms": {
            stage: spread(counts.timings_ms[stage]) for stage in ordered_stages(counts.timings_ms)
        },
        "total_per_decode": spread(counts.total_per_decode),
        "multiply_adds_millions": spread([count / 1e6 for count in counts.multiply_adds]),
        "patches": spread([float(count) for count in counts.patches]),
    }


def _cells_json(counts: EvaluationTotals) -> Json:
    """Return the counts of cells, and the rate of silent errors among them."""
    return {
        "all": counts.cells,
        "in_found_cities": counts.count(),
        "right": counts.right,
        "flagged": counts.count(None, Correctness.RIGHT_BUT_FLAGGED, Correctness.WRONG_AND_FLAGGED),
        "wrong_and_flagged": counts.count(None, Correctness.WRONG_AND_FLAGGED),
        "silently_wrong": counts.silent,
        "silent_rate": share(counts.silent, counts.cells),
        "silent_rate_upper_95": counts.silent_rate_bound,
    }


def _correctness_json(numbers: Counter[Correctness]) -> Json:
    """Return the numbers of figures, or of pieces beside the cells, by correctness."""
    silent, known = numbers[Correctness.SILENTLY_WRONG], numbers.total()
    return {
        "all": known,
        **{each.value: numbers[each] for each in Correctness},
        "silent_rate_upper_95": upper_bound(silent, known),
    }


def ordered_stages(timings_ms: Mapping[str, list[float]]) -> Iterator[str]:
    """Yield the stages of some timings, in the order in which a photo passes them."""
    timed = [stage for stage, times in timings_ms.items() if times]
    yield from (stage for stage in STAGES[:-1] if stage in timed)
    yield from (stage for stage in timed if stage not in STAGES)
    yield from (stage for stage in STAGES[-1:] if stage in timed)


def spread(values: Iterable[float]) -> dict[str, float | None]:
    """Return median, 95th percentile and maximum of some values."""
    known = list(values)
    return {name: percentile_or_none(known, percent) for name, percent in _PERCENTILES.items()}


def share(part: int, whole: int) -> float | None:
    """Return a part of a whole, 0 to 1; None of an empty whole."""
    return part / whole if whole else None


def print_report(console: Console, report: Report) -> None:
    """Print all results, then every error and flag."""
    photos = _n("{n} photo", "{n} photos", report.overall.photos)
    _print_line(console, f"{report.folder}: {photos}, {report.game}", "bold")
    if report.overall.photos:
        explanation = _(
            "flagged: marked as unsure; silently wrong: not marked; alarms: regions left unread "
            "where no grid is; rate at most (95%): highest share silently wrong that so few errors "
            "allow; of 95%: 95 of 100 values are not higher"
        )
        console.print(Text(explanation, style="dim"))
        _print_results(console, report)
        if report.peak_memory_mb is not None:
            template = _("Memory at its peak: {n} MB")
            _print_line(console, template.format(n=round(report.peak_memory_mb)))
        _print_errors(console, report)
    if report.skipped:
        template = _("Photos to learn faces from, left out: {names}")
        _print_line(console, template.format(names=", ".join(report.skipped)))
    if report.refused_files:
        _print_heading(console, _("Files that cannot be used:"), UNSURE_STYLE)
        for error in report.refused_files:
            _print_line(console, f"  {problem_line(error)}")


def _print_results(console: Console, report: Report) -> None:
    """Print tables with a row for each condition, then those over all photos."""
    results = report_json(report)
    overall = results["overall"]
    by_condition = [*results["conditions"].items(), (_("all"), overall)]
    _print_table(console, _("Photos"), by_condition)
    for key, heading in _TABLES.items():
        if key in overall:
            _print_table(console, _(heading), [(name, each[key]) for name, each in by_condition])
    if washed_out := report.overall.washed_out.total():
        found, lit = report.overall.found_of_lit
        line = _n(
            "Without {n} grid that light leaves half white or more: {found} of {all} found "
            "({share})",
            "Without {n} grids that light leaves half white or more: {found} of {all} found "
            "({share})",
            washed_out,
            found=found,
            all=lit,
            share=_number_text("share", share(found, lit)),
        )
        _print_line(console, line)
    visibilities = overall["by_visibility"].items()
    rows = [
        (_(_VISIBILITY_WORDS[Visibility(visibility)]), counts)
        for visibility, counts in visibilities
        if any(counts.values())
    ]
    _print_table(console, _("Cells of the grids that were found"), rows)
    off = _number_text("error", overall["reliability"]["calibration_error"])
    bins = [
        (f"{format_number(each['from'])}–{format_number(each['to'])}", each)
        for each in overall["reliability"]["bins"]
    ]
    _print_table(console, _("Confidence, off by {n} in the mean").format(n=off), bins)
    totals = (
        (f"total, {name}", each["timings_ms"].get("total", {})) for name, each in by_condition[:-1]
    )
    ratio = ("total / decode", overall["total_per_decode"])
    stages = [*totals, *overall["timings_ms"].items(), ratio]
    _print_table(console, _("Time a photo, milliseconds"), stages)
    work = [
        (_("millions of multiply-adds"), overall["multiply_adds_millions"]),
        (_("embedded patches"), overall["patches"]),
    ]
    _print_table(console, _("Work of the networks a photo"), work)


def _number_text(key: str, value: float | None) -> str:
    """Format a number: shares in percent, numbers with their significant digits."""
    if value is None or isinstance(value, int):
        return _NOTHING if value is None else str(value)
    if "rate" in key or "share" in key:
        return format_percent(value, 2)
    return format_decimal(value, 1 if value >= _ONE_DECIMAL_FROM else 4)


def _print_line(console: Console, line: str, style: str = "") -> None:
    """Print a line, which is not broken however long it is."""
    console.print(Text(printable(line), style=style), soft_wrap=True)


def _print_heading(console: Console, heading: str, style: str = "bold") -> None:
    console.print()
    console.print(Text(heading, style=style))


def _print_table(console: Console, heading: str, results: Sequence[tuple[str, Json]]) -> None:
    """Print results as a table with a named row each; if it is too wide, as blocks of lines.

    Nothing is printed if all results are zero.
    """
    known = dict.fromkeys(
        key for _n, row in results for key, value in row.items() if not isinstance(value, dict)
    )
    words = {key: _WORDS[key.replace("_", "-")] for key in known if key.replace("_", "-") in _WORDS}
    if not any(row.get(key) for _name, row in results for key in words):
        return
    _print_heading(console, heading)
    labels = [_(word) if isinstance(word, str) else str(word) for word in words.values()]
    table = Table("", box=None, padding=(0, 2, 0, 0), header_style="bold")
    for label in labels:
        head = fill(label, _HEADING_WIDTH, break_long_words=False)
        table.add_column(head, justify="right", no_wrap=True)
    rows = [
        (printable(name), *(_number_text(key, row.get(key)) for key in words))
        for name, row in results
    ]
    for row in rows:
        table.add_row(*row)
    any_width = console.options.update(max_width=_ANY_WIDTH)
    if console.measure(table, options=any_width).maximum <= console.width:
        console.print(table)
        return
    for name, *cells in rows:
        _print_line(console, name, "bold")
        for label, cell in zip(labels, cells, strict=True):
            _print_line(console, f"  {label}: {cell}")


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        _print_heading(console, _("Wrong and not flagged:"), UNSURE_STYLE)
    for photo, grid in report.grids[GridFate.MISSED]:
        missed = _n(
            "grid {number} of the reference data was missed, {n} cell",
            "grid {number} of the reference data was missed, {n} cells",
            grid.size,
            number=grid.index + 1,
        )
        hidden = [f"{_(_VISIBILITY_WORDS[key])}: {n}" for key, n in Counter(grid.hidden).items()]
        why = f" ({', '.join(hidden)})" if hidden else ""
        _print_line(console, f"  {photo}: {missed}{why}")
    for entry in report.invented:
        error = _("there is no grid {name}").format(name=entry["name"])
        _print_line(console, f"  {entry['photo']}: {error}")
    _print_findings(console, report.silent)
    for entry in report.refused_photos:
        error = _("refused, {code}").format(code=entry["code"])
        _print_line(console, f"{entry['photo']}: {error}")
    for entry in report.false_alarms:
        count = entry["count"]
        alarms = _n("{n} region unread where none is", "{n} regions unread where none is", count)
        _print_line(console, f"{entry['photo']}: {alarms}")
    if report.flagged:
        _print_heading(console, _("Flagged:"))
        _print_findings(console, report.flagged[:_MAX_FLAGS])
        left = len(report.flagged) - _MAX_FLAGS
        if left > 0:
            _print_line(console, "  " + _("and {n} more, see --json").format(n=left))


def _print_findings(console: Console, findings: Iterable[Json]) -> None:
    for finding in findings:
        first, second = finding["at"]
        line = _(
            "{name}, {place}: read {read}, is {truth} ({sight}, confidence {confidence})"
        ).format(
            name=finding["name"],
            place=cell_name("", (first, second))
            if finding["what"] != "beside"
            else f"{first} {second + 1}",
            read=_NOTHING if finding["read"] is None else finding["read"],
            truth=_NOTHING if finding["truth"] is None else finding["truth"],
            sight=_(_VISIBILITY_WORDS[Visibility(finding["visibility"])]),
            confidence=format_decimal(finding["confidence"], 3),
        )
        _print_line(console, f"  {finding['photo']}: {line}")
