"""What a bench found out about a folder of photos: for programs as JSON, for people as text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from firmware.errors import Refusal, error_line, error_object, printable
from firmware.language import D_, N_, _, _n
from firmware.places import cell_name
from firmware.shapes import picked
from firmware.terminal import Json
from firmware.text_layout import CHECK_STYLE
from vision.figures.tally import STAGES, Outcome, Tally, percentile, upper_bound
from vision.figures.truth import Sight
from vision.figures.verdict import Fate, GridVerdict, PhotoVerdict, Verdict

_PERCENTILES: Final = {"median": 50, "p95": 95, "worst": 100}
_MOST_FLAGS: Final = 60
"""That are named one by one."""
_NOTHING: Final = "-"
_HEADING_WIDTH: Final = 10
"""Of columns, unless the words of the heading are longer."""
_ANY_WIDTH: Final = 10_000
_SIGHTS: Final = {
    Sight.VISIBLE: N_("in full view"),
    Sight.TOKEN: N_("under a figure"),
    Sight.COVERED: N_("covered in part"),
    Sight.OUTSIDE: N_("partly outside the photo"),
    Sight.TURNED: N_("turned the wrong way"),
    Sight.ASKEW: N_("lying askew"),
    Sight.MISSING: N_("without a tile"),
}

Tallies = Sequence[tuple[str, Tally]]
Rows = Sequence[Sequence[object]]


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


def print_report(console: Console, report: Report) -> None:
    """All figures, then every error and flag."""
    photos = _n("{n} photo", "{n} photos", report.overall.photos)
    _print_line(console, f"{report.folder}: {photos}, {report.game}", "bold")
    if report.overall.photos:
        tallies = [*sorted(report.conditions.items()), (_("all"), report.overall)]
        _print_grids(console, tallies)
        _print_cells(console, tallies)
        _print_outcomes(console, tallies)
        _print_reliability(console, report.overall)
        _print_times(console, tallies)
        if report.peak_memory_mb is not None:
            said = _("Memory at its peak: {n} MB")
            _print_line(console, said.format(n=round(report.peak_memory_mb)))
        _print_errors(console, report)
    if report.skipped:
        said = _("Photos to learn faces from, left out: {names}")
        _print_line(console, said.format(names=", ".join(report.skipped)))
    if report.refused_files:
        _print_heading(console, _("Files that cannot be used:"), CHECK_STYLE)
        for error in report.refused_files:
            _print_line(console, f"  {error_line(error)}")


def _print_line(console: Console, line: str, style: str = "") -> None:
    """Print a line, however long."""
    console.print(Text(printable(line), style=style), soft_wrap=True)


def _print_heading(console: Console, heading: str, style: str = "bold") -> None:
    console.print()
    console.print(Text(heading, style=style))


def _print_table(console: Console, heading: str, labels: Sequence[str], rows: Rows) -> None:
    """Rows of figures, what they are of first; where that is too wide, a block of lines each."""
    _print_heading(console, heading)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, label in enumerate(labels):
        words = fill(label, _HEADING_WIDTH, break_long_words=False)
        table.add_column(words, justify="right" if number else "left", no_wrap=True)
    texts = [[printable(str(cell)) for cell in row] for row in rows]
    for row in texts:
        table.add_row(*row)
    any_width = console.options.update(max_width=_ANY_WIDTH)
    if console.measure(table, options=any_width).maximum <= console.width:
        console.print(table)
        return
    for name, *cells in texts:
        _print_line(console, name, "bold")
        for label, cell in zip(labels[1:], cells, strict=True):
            _print_line(console, f"  {label}: {cell}")


def _percent(value: float | None) -> str:
    """A share, 0 to 1, in percent."""
    return _NOTHING if value is None else f"{100 * value:.2f} %"


def _decimal(value: float | None, digits: int) -> str:
    """A number with so many digits after the point."""
    return _NOTHING if value is None else f"{value:.{digits}f}"


def _print_grids(console: Console, tallies: Tallies) -> None:
    labels = (
        _("condition"), _("photos"), _("perfect"), _("grids"), _("found"), _("unread"),
        _("refused"), _("missed"), _("invented"), _("alarms"),
    )  # fmt: skip
    rows = [
        (
            *(name, tally.photos, tally.perfect, tally.grids.total()),
            *(tally.grids[fate] for fate in Fate),
            *(tally.invented, tally.false_alarms),
        )
        for name, tally in tallies
    ]
    _print_table(console, _("Cities and boards"), labels, rows)
    overall = tallies[-1][1]
    if washed_out := overall.washed_out.total():
        found, lit = overall.found_of_lit
        said = _n(
            "Without {n} grid that light leaves half white or more: {found} of {all} found "
            "({share})",
            "Without {n} grids that light leaves half white or more: {found} of {all} found "
            "({share})",
            washed_out,
            found=found,
            all=lit,
            share=_percent(share(found, lit)),
        )
        _print_line(console, said)


def _print_cells(console: Console, tallies: Tallies) -> None:
    labels = (
        _("condition"), _("cells"), str(D_("right", "bench")), _("silently wrong"),
        _("rate at most (95 %)"),
        _("flagged in full view"), _("corner error"), _("of 95 %"),
    )  # fmt: skip
    rows = []
    for name, tally in tallies:
        corners = spread(tally.corner_errors)
        shares = tally.silent_rate_bound, share(tally.visible_flagged, tally.visible)
        errors = _decimal(corners["median"], 3), _decimal(corners["p95"], 3)
        counts = tally.cells, tally.right, tally.silent
        rows.append((name, *counts, *map(_percent, shares), *errors))
    heading = _("Cells (corner errors in tile widths, the median first)")
    _print_table(console, heading, labels, rows)


def _print_outcomes(console: Console, tallies: Tallies) -> None:
    """Figures and pieces beside the cells, of games that have them; cells by what is seen."""
    labels = (
        _("in all"), str(D_("right", "bench")), _("right, but flagged"), _("wrong and flagged"),
        _("silently wrong"),
    )  # fmt: skip
    figures = [(name, tally.tokens) for name, tally in tallies]
    pieces = [(name, tally.beside) for name, tally in tallies]
    named = ((_("Figures"), figures), (_("Pieces beside the cells"), pieces))
    for heading, outcomes in named:
        if outcomes[-1][1].total():
            rows: Rows = [
                (name, counts.total(), *(counts[came] for came in Outcome))
                for name, counts in outcomes
            ]
            _print_table(console, heading, (_("condition"), *labels), rows)
    cells = tallies[-1][1]
    rows = [
        (_(_SIGHTS[seen]), cells.count(seen), *(cells.count(seen, came) for came in Outcome))
        for seen in Sight
        if cells.count(seen)
    ]
    _print_table(console, _("Cells of the grids that were found"), (_("cells"), *labels), rows)


def _print_reliability(console: Console, tally: Tally) -> None:
    labels = (_("confidence"), _("cells"), _("mean confidence"), str(D_("right", "bench")))
    rows = []
    for each in tally.reliability.bins:
        means = _decimal(each.mean_confidence, 4), _percent(each.share_right)
        rows.append((f"{each.low:g}-{each.high:g}", each.count, *means))
    error = _decimal(tally.reliability.calibration_error, 4)
    _print_table(console, _("Confidence, off by {n} in the mean").format(n=error), labels, rows)


def _print_times(console: Console, tallies: Tallies) -> None:
    labels = (_("condition"), _("stage"), _("median"), _("of 95 %"), _("longest"))
    overall = tallies[-1][1]
    rows = []
    for name, tally in tallies:
        stages = list(ordered_stages(tally.timings_ms))
        for stage in stages if tally is overall else stages[-1:]:
            times = spread(tally.timings_ms[stage]).values()
            rows.append((name, stage, *(_decimal(time, 1) for time in times)))
    ratios = spread(overall.total_per_decode).values()
    rows.append((_("all"), "total / decode", *(_decimal(ratio, 2) for ratio in ratios)))
    _print_table(console, _("Time a photo, milliseconds"), labels, rows)


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        _print_heading(console, _("Wrong without a word:"), CHECK_STYLE)
    for photo, grid in report.grids[Fate.MISSED]:
        missed = _n(
            "grid {number} of the truth was missed, {n} cell",
            "grid {number} of the truth was missed, {n} cells",
            grid.size,
            number=grid.index + 1,
        )
        _print_line(console, f"  {photo}: {missed}")
    for told in report.invented:
        said = _("there is no grid {name}").format(name=told["name"])
        _print_line(console, f"  {told['photo']}: {said}")
    _print_findings(console, report.silent)
    for told in report.refused_photos:
        said = _("refused, {code}").format(code=told["code"])
        _print_line(console, f"{told['photo']}: {said}")
    for told in report.false_alarms:
        count = told["count"]
        alarms = _n("{n} region unread where none is", "{n} regions unread where none is", count)
        _print_line(console, f"{told['photo']}: {alarms}")
    if report.flagged:
        _print_heading(console, _("Flagged:"))
        _print_findings(console, report.flagged[:_MOST_FLAGS])
        left = len(report.flagged) - _MOST_FLAGS
        if left > 0:
            _print_line(console, "  " + _("and {n} more, see --json").format(n=left))


def _print_findings(console: Console, findings: Iterable[Json]) -> None:
    for told in findings:
        first, second = told["at"]
        said = _("{name}, {place}: read {read}, is {truth} ({sight}, {confidence})").format(
            name=told["name"],
            place=cell_name("", (first, second))
            if told["what"] != "beside"
            else f"{first} {second + 1}",
            read=_NOTHING if told["read"] is None else told["read"],
            truth=_NOTHING if told["truth"] is None else told["truth"],
            sight=_(_SIGHTS[Sight(told["visibility"])]),
            confidence=f"{told['confidence']:.3f}",
        )
        _print_line(console, f"  {told['photo']}: {said}")
