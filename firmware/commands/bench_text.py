"""The report of a bench as text for a terminal, in English: it is for those who work on the eye."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from firmware.commands.bench_report import CellFinding, Report, share, spread, stages
from firmware.commands.bench_rows import (
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
from scoring.faces import Face
from vision.figures.compare import Fate
from vision.figures.tally import Outcome, Tally
from vision.figures.truth import Visibility


def print_report(console: Console, report: Report) -> None:
    """All figures, then every error and flag."""
    count = counted(report.overall.photos, "photo")
    said = f"{printable(report.folder)}: {count}"
    console.print(Text(said, style="bold"), soft_wrap=True)
    if report.overall.photos:
        tallies = [*sorted(report.conditions.items()), ("all", report.overall)]
        _print_cities(console, tallies)
        _print_tiles(console, tallies)
        _print_visibility(console, report.overall)
        _print_reliability(console, report.overall)
        _print_times(console, report)
        _print_errors(console, report)
    if report.skipped:
        print_line(console, "Photos to learn faces from, left out: {names}".format(
            names=printable(", ".join(report.skipped))))  # fmt: skip
    if report.refused_files:
        print_heading(console, "Files that cannot be used:", CHECK_STYLE)
        for error in report.refused_files:
            print_line(console, f"  {error_line(error)}")


def _print_cities(console: Console, tallies: Sequence[tuple[str, Tally]]) -> None:
    rows = FigureRows(
        "condition", "photos", "cities", "found", "unread", "refused",
        "missed", "invented", "alarms",
    )  # fmt: skip
    for name, tally in tallies:
        fates = [tally.cities[fate] for fate in Fate]
        counts = [tally.photos, tally.all_cities, *fates, tally.invented, tally.false_alarms]
        rows.add_row(printable(name), *map(str, counts))
    print_table(console, "Cities", rows)


def _print_tiles(console: Console, tallies: Sequence[tuple[str, Tally]]) -> None:
    rows = FigureRows(
        "condition", "tiles", "right", "silently wrong", "rate at most (95 %)",
        "flagged in full view", "corner error", "of 95 %",
    )  # fmt: skip
    for name, tally in tallies:
        corners = spread(tally.corner_errors)
        rows.add_row(
            printable(name),
            str(tally.tiles),
            str(tally.right),
            str(tally.silent),
            percent(tally.silent_rate_bound),
            percent(share(tally.visible_flagged, tally.visible)),
            decimal(corners["median"], 3),
            decimal(corners["p95"], 3),
        )
    print_table(console, "Tiles (corner errors in tile widths, the median first)", rows)


def _print_visibility(console: Console, tally: Tally) -> None:
    rows = FigureRows(
        "cells", "in all", "right", "right, but flagged", "wrong and flagged",
        "silently wrong",
    )  # fmt: skip
    names = {
        Visibility.VISIBLE: "in full view",
        Visibility.COVERED: "covered in part",
        Visibility.OUTSIDE: "partly outside the photo",
        Visibility.TURNED: "turned the wrong way",
        Visibility.MISSING: "without a tile",
    }
    for seen, name in names.items():
        counts = [tally.cells(seen), *(tally.cells(seen, came) for came in Outcome)]
        rows.add_row(name, *map(str, counts))
    print_table(console, "Cells of the cities that were found", rows)


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


def _print_times(console: Console, report: Report) -> None:
    rows = FigureRows("stage", "median", "of 95 %", "longest")
    for stage in stages(report.overall):
        times = spread(report.overall.timings_ms[stage])
        rows.add_row(stage, *(decimal(times[name], 1) for name in ("median", "p95", "worst")))
    ratio = spread(report.overall.total_per_decode)
    rows.add_row(
        "total / decode", *(decimal(ratio[name], 2) for name in ("median", "p95", "worst"))
    )
    print_table(console, "Time a photo, milliseconds", rows)
    if report.peak_memory_mb is not None:
        said = "Memory at its peak: {mb} MB"
        print_line(console, said.format(mb=f"{report.peak_memory_mb:.0f}"))


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        print_heading(console, "Wrong without a word:", CHECK_STYLE)
    for photo, city in report.missed:
        said = "{photo}: city {number} of the truth was missed, {tiles} tiles"
        print_line(console, "  " + said.format(
            photo=printable(photo), number=city.index, tiles=city.tiles))  # fmt: skip
    for photo, name in report.invented:
        said = "{photo}: there is no city {name}"
        print_line(console, "  " + said.format(photo=printable(photo), name=name))
    _print_cells(console, report.silent)
    for photo, code in report.refused_photos:
        said = "{photo}: refused, {code}"
        print_line(console, said.format(photo=printable(photo), code=code))
    for photo, count in report.false_alarms:
        where = "unread where no city is"
        said = f"{printable(photo)}: {counted(count, 'region')} {where}"
        print_line(console, said)
    if report.flagged:
        print_heading(console, "Flagged tiles:", "bold")
    _print_cells(console, report.flagged)


def _print_cells(console: Console, findings: Iterable[CellFinding]) -> None:
    said = "{photo}: {city} [{row},{column}] read {read}, is {truth} ({visibility}, {confidence})"
    for finding in findings:
        cell = finding.cell
        line = said.format(
            photo=printable(finding.photo),
            city=finding.city.name,
            row=cell.cell[0],
            column=cell.cell[1],
            read=_face(cell.read),
            truth=_face(cell.truth),
            visibility=cell.visibility.value,
            confidence=f"{cell.confidence:.3f}",
        )
        print_line(console, f"  {line}")


def _face(face: Face | None) -> str:
    return "no tile" if face is None else face.value
