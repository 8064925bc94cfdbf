"""The report of a bench as text for a terminal, in English: it is for those who work on the eye."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.commands.bench_report import Finding, Report, ordered_stages, share, spread
from firmware.commands.bench_rows import (
    NOTHING,
    FigureRows,
    counted,
    decimal,
    percent,
    print_heading,
    print_line,
    print_table,
)
from firmware.errors import error_line, printable
from firmware.text_layout import CHECK_STYLE
from vision.figures.tally import Outcome, Tally
from vision.figures.verdict import Fate

_MOST_FLAGS: Final = 60
"""That are named one by one."""

_SIGHTS: Final = {
    "visible": "in full view",
    "token": "under a figure",
    "covered": "covered in part",
    "outside": "partly outside the photo",
    "turned": "turned the wrong way",
    "askew": "lying askew",
    "missing": "without a tile",
}

Tallies = Sequence[tuple[str, Tally]]


def print_report(console: Console, report: Report) -> None:
    """All figures, then every error and flag."""
    said = f"{printable(report.folder)}: {counted(report.overall.photos, 'photo')}, {report.game}"
    console.print(Text(said, style="bold"), soft_wrap=True)
    if report.overall.photos:
        tallies = [*sorted(report.conditions.items()), ("all", report.overall)]
        _print_grids(console, tallies)
        _print_cells(console, tallies)
        _print_pieces(console, tallies)
        _print_sight(console, report)
        _print_reliability(console, report.overall)
        _print_times(console, tallies)
        if report.peak_memory_mb is not None:
            print_line(console, f"Memory at its peak: {report.peak_memory_mb:.0f} MB")
        _print_errors(console, report)
    if report.skipped:
        names = printable(", ".join(report.skipped))
        print_line(console, f"Photos to learn faces from, left out: {names}")
    if report.refused_files:
        print_heading(console, "Files that cannot be used:", CHECK_STYLE)
        for error in report.refused_files:
            print_line(console, f"  {error_line(error)}")


def _print_grids(console: Console, tallies: Tallies) -> None:
    rows = FigureRows(
        "condition", "photos", "perfect", "grids", "found", "unread", "refused",
        "missed", "invented", "alarms",
    )  # fmt: skip
    for name, tally in tallies:
        fates = [tally.grids[fate] for fate in Fate]
        counts = [tally.photos, tally.perfect, tally.grids.total(), *fates]
        counts += [tally.invented, tally.false_alarms]
        rows.add_row(printable(name), *map(str, counts))
    print_table(console, "Cities and boards", rows)
    overall = tallies[-1][1]
    if washed_out := overall.washed_out.total():
        found, lit = overall.found_of_lit
        print_line(
            console,
            f"Without {counted(washed_out, 'grid')} that light leaves half white or more: "
            f"{found} of {lit} found ({percent(share(found, lit))})",
        )


def _print_cells(console: Console, tallies: Tallies) -> None:
    rows = FigureRows(
        "condition", "cells", "right", "silently wrong", "rate at most (95 %)",
        "flagged in full view", "corner error", "of 95 %",
    )  # fmt: skip
    for name, tally in tallies:
        corners = spread(tally.corner_errors)
        rows.add_row(
            printable(name),
            str(tally.cells),
            str(tally.right),
            str(tally.silent),
            percent(tally.silent_rate_bound),
            percent(share(tally.visible_flagged, tally.visible)),
            decimal(corners["median"], 3),
            decimal(corners["p95"], 3),
        )
    print_table(console, "Cells (corner errors in tile widths, the median first)", rows)


def _print_pieces(console: Console, tallies: Tallies) -> None:
    """Figures and pieces beside the cells, of games that have them."""
    overall = tallies[-1][1]
    named = {"Figures": [tally.tokens for _, tally in tallies]}
    named["Pieces beside the cells"] = [tally.beside for _, tally in tallies]
    totals = overall.tokens.total(), overall.beside.total()
    for (heading, outcomes), total in zip(named.items(), totals, strict=True):
        if not total:
            continue
        rows = FigureRows(
            "condition", "in all", "right", "right, but flagged", "wrong and flagged",
            "silently wrong",
        )  # fmt: skip
        for (name, _tally), counts in zip(tallies, outcomes, strict=True):
            came = [counts[outcome] for outcome in Outcome]
            rows.add_row(printable(name), *map(str, [counts.total(), *came]))
        print_table(console, heading, rows)


def _print_sight(console: Console, report: Report) -> None:
    rows = FigureRows(
        "cells", "in all", "right", "right, but flagged", "wrong and flagged", "silently wrong"
    )
    tally = report.overall
    for seen in report.sights:
        counts = [tally.count(seen), *(tally.count(seen, came) for came in Outcome)]
        rows.add_row(_SIGHTS[seen.value], *map(str, counts))
    print_table(console, "Cells of the grids that were found", rows)


def _print_reliability(console: Console, tally: Tally) -> None:
    rows = FigureRows("confidence", "cells", "mean confidence", "right")
    for each in tally.reliability.bins:
        rows.add_row(
            f"{each.low:g}-{each.high:g}",
            str(each.count),
            decimal(each.mean_confidence, 4),
            percent(each.share_right),
        )
    error = decimal(tally.reliability.calibration_error, 4)
    print_table(console, f"Confidence, off by {error} in the mean", rows)


def _print_times(console: Console, tallies: Tallies) -> None:
    rows = FigureRows("condition", "stage", "median", "of 95 %", "longest")
    columns = "median", "p95", "worst"
    for name, tally in tallies:
        stages = ordered_stages(tally.timings_ms)
        for stage in stages if tally is tallies[-1][1] else list(stages)[-1:]:
            times = spread(tally.timings_ms[stage])
            rows.add_row(printable(name), stage, *(decimal(times[key], 1) for key in columns))
    ratio = spread(tallies[-1][1].total_per_decode)
    rows.add_row("all", "total / decode", *(decimal(ratio[key], 2) for key in columns))
    print_table(console, "Time a photo, milliseconds", rows)


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        print_heading(console, "Wrong without a word:", CHECK_STYLE)
    for photo, grid in report.missed:
        missed = f"grid {grid.index} of the truth was missed, {counted(grid.size, 'cell')}"
        print_line(console, f"  {printable(photo)}: {missed}")
    for photo, name in report.invented:
        print_line(console, f"  {printable(photo)}: there is no grid {name}")
    _print_findings(console, report.silent)
    for photo, code in report.refused_photos:
        print_line(console, f"{printable(photo)}: refused, {code}")
    for photo, count in report.false_alarms:
        print_line(console, f"{printable(photo)}: {counted(count, 'region')} unread where none is")
    if report.flagged:
        print_heading(console, "Flagged:", "bold")
        _print_findings(console, report.flagged[:_MOST_FLAGS])
        left = len(report.flagged) - _MOST_FLAGS
        if left > 0:
            print_line(console, f"  and {left} more, see --json")


def _print_findings(console: Console, findings: Iterable[Finding]) -> None:
    for finding in findings:
        verdict, name = finding.verdict, finding.grid.name
        where = f"{printable(finding.photo)}: {name} {finding.what} {_place(verdict.at)}"
        read, truth = _shown(verdict.read), _shown(verdict.truth)
        how = f"({verdict.sight.value}, {verdict.confidence:.3f})"
        print_line(console, f"  {where} read {read}, is {truth} {how}")


def _place(at: tuple[int, int] | tuple[str, int]) -> str:
    return printable(f"[{at[0]},{at[1]}]")


def _shown(name: str | None) -> str:
    return NOTHING if name is None else printable(name)
