"""The report of a bench as text for a terminal, in English: it is for those who work on the eye."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.commands.bench_report import CellFinding, Report, share, spread, stages
from firmware.errors import error_line, printable
from firmware.text_layout import CHECK_STYLE
from scoring.faces import Face
from vision.figures.compare import Fate
from vision.figures.tally import Outcome, Tally
from vision.figures.truth import Visibility

_NOTHING = "-"
_GAP = 2
_HEADING_WIDTH = 10
"""Of columns, unless the words of the heading are longer."""


def print_report(console: Console, report: Report) -> None:
    """All figures, then every error and flag."""
    count = _counted(report.overall.photos, "photo")
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
        _print_line(console, "Photos to learn faces from, left out: {names}".format(
            names=printable(", ".join(report.skipped))))  # fmt: skip
    if report.refused_files:
        _print_heading(console, "Files that cannot be used:", CHECK_STYLE)
        for error in report.refused_files:
            _print_line(console, f"  {error_line(error)}")


def _print_cities(console: Console, tallies: Sequence[tuple[str, Tally]]) -> None:
    rows = _Rows(
        "condition", "photos", "cities", "found", "unread", "refused",
        "missed", "invented", "alarms",
    )  # fmt: skip
    for name, tally in tallies:
        fates = [tally.cities[fate] for fate in Fate]
        counts = [tally.photos, tally.all_cities, *fates, tally.invented, tally.false_alarms]
        rows.add_row(printable(name), *map(str, counts))
    _print_table(console, "Cities", rows)


def _print_tiles(console: Console, tallies: Sequence[tuple[str, Tally]]) -> None:
    rows = _Rows(
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
            _percent(tally.silent_rate_bound),
            _percent(share(tally.visible_flagged, tally.visible)),
            _decimal(corners["median"], 3),
            _decimal(corners["p95"], 3),
        )
    _print_table(console, "Tiles (corner errors in tile widths, the median first)", rows)


def _print_visibility(console: Console, tally: Tally) -> None:
    rows = _Rows(
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
    _print_table(console, "Cells of the cities that were found", rows)


def _print_reliability(console: Console, tally: Tally) -> None:
    rows = _Rows("confidence", "cells", "mean confidence", "right")
    for each in tally.reliability.bins:
        rows.add_row(
            f"{each.low:g}-{each.high:g}",
            str(each.count),
            _decimal(each.mean_confidence, 4),
            _percent(each.share_right),
        )
    error = _decimal(tally.reliability.calibration_error, 4)
    _print_table(console, f"Confidence, off by {error} in the mean", rows)


def _print_times(console: Console, report: Report) -> None:
    rows = _Rows("stage", "median", "of 95 %", "longest")
    for stage in stages(report.overall):
        times = spread(report.overall.timings_ms[stage])
        rows.add_row(stage, *(_decimal(times[name], 1) for name in ("median", "p95", "worst")))
    ratio = spread(report.overall.total_per_decode)
    rows.add_row(
        "total / decode", *(_decimal(ratio[name], 2) for name in ("median", "p95", "worst"))
    )
    _print_table(console, "Time a photo, milliseconds", rows)
    if report.peak_memory_mb is not None:
        said = "Memory at its peak: {mb} MB"
        _print_line(console, said.format(mb=f"{report.peak_memory_mb:.0f}"))


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        _print_heading(console, "Wrong without a word:", CHECK_STYLE)
    for photo, city in report.missed:
        said = "{photo}: city {number} of the truth was missed, {tiles} tiles"
        _print_line(console, "  " + said.format(
            photo=printable(photo), number=city.index, tiles=city.tiles))  # fmt: skip
    for photo, name in report.invented:
        said = "{photo}: there is no city {name}"
        _print_line(console, "  " + said.format(photo=printable(photo), name=name))
    _print_cells(console, report.silent)
    for photo, code in report.refused_photos:
        said = "{photo}: refused, {code}"
        _print_line(console, said.format(photo=printable(photo), code=code))
    for photo, count in report.false_alarms:
        where = "unread where no city is"
        said = f"{printable(photo)}: {_counted(count, 'region')} {where}"
        _print_line(console, said)
    if report.flagged:
        _print_heading(console, "Flagged tiles:", "bold")
    _print_cells(console, report.flagged)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


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
        _print_line(console, f"  {line}")


def _face(face: Face | None) -> str:
    return "no tile" if face is None else face.value


class _Rows:
    """Rows of figures: a table, or where that is too wide, a block of lines for each row."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        headings = [fill(label, _HEADING_WIDTH, break_long_words=False) for label in self.labels]
        columns = zip(*self.rows, strict=True)
        widths = (
            max(map(len, [*heading.splitlines(), *cells]))
            for heading, cells in zip(headings, columns, strict=True)
        )
        if sum(width + _GAP for width in widths) > console.width:
            self._show_blocks(console)
            return
        table = Rows(box=None, padding=(0, _GAP, 0, 0), header_style="bold")
        for number, heading in enumerate(headings):
            table.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)

    def _show_blocks(self, console: Console) -> None:
        for name, *cells in self.rows:
            console.print(Text(name, style="bold"), soft_wrap=True)
            for label, cell in zip(self.labels[1:], cells, strict=True):
                console.print(Text(f"  {label}: {cell}"), soft_wrap=True)


def _print_table(console: Console, heading: str, rows: _Rows) -> None:
    _print_heading(console, heading, "bold")
    rows.show(console)


def _print_heading(console: Console, heading: str, style: str) -> None:
    console.print()
    console.print(Text(heading, style=style))


def _print_line(console: Console, line: str) -> None:
    console.print(Text(line), soft_wrap=True)


def _percent(value: float | None) -> str:
    return _NOTHING if value is None else f"{100 * value:.2f} %"


def _decimal(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:.{digits}f}"
