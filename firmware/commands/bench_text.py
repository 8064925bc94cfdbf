"""The report of a bench as text for a terminal."""

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Final

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.commands.bench_report import Finding, Report, ordered_stages, share, spread
from firmware.errors import error_line, printable
from firmware.language import D_, N_, _, _n
from firmware.places import cell_words
from firmware.text_layout import CHECK_STYLE
from vision.figures.tally import Outcome, Tally
from vision.figures.truth import Sight
from vision.figures.verdict import Fate

_MOST_FLAGS: Final = 60
"""That are named one by one."""

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


NOTHING: Final = "-"
_GAP: Final = 2
_HEADING_WIDTH: Final = 10
"""Of columns, unless the words of the heading are longer."""


class FigureRows:
    """Rows of figures: a table, or where that is too wide, a block of lines for each row."""

    def __init__(self, *labels: str) -> None:
        """Rows under these headings."""
        self.labels = labels
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """Add a row, what it is of first."""
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        """Print all rows."""
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


def print_table(console: Console, heading: str, rows: FigureRows) -> None:
    """Print rows under a heading."""
    print_heading(console, heading, "bold")
    rows.show(console)


def print_heading(console: Console, heading: str, style: str) -> None:
    """Print a heading after an empty line."""
    console.print()
    console.print(Text(heading, style=style))


def print_line(console: Console, line: str) -> None:
    """Print a line, however long."""
    console.print(Text(line), soft_wrap=True)


def percent(value: float | None) -> str:
    """A share, 0 to 1, in percent."""
    return NOTHING if value is None else f"{100 * value:.2f} %"


def decimal(value: float | None, digits: int) -> str:
    """A number with so many digits after the point."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def print_report(console: Console, report: Report) -> None:
    """All figures, then every error and flag."""
    photos = _n("{n} photo", "{n} photos", report.overall.photos)
    said = f"{printable(report.folder)}: {photos}, {report.game}"
    console.print(Text(said, style="bold"), soft_wrap=True)
    if report.overall.photos:
        tallies = [*sorted(report.conditions.items()), (_("all"), report.overall)]
        _print_grids(console, tallies)
        _print_cells(console, tallies)
        _print_pieces(console, tallies)
        _print_sight(console, report)
        _print_reliability(console, report.overall)
        _print_times(console, tallies)
        if report.peak_memory_mb is not None:
            print_line(
                console, _("Memory at its peak: {n} MB").format(n=round(report.peak_memory_mb))
            )
        _print_errors(console, report)
    if report.skipped:
        names = printable(", ".join(report.skipped))
        print_line(console, _("Photos to learn faces from, left out: {names}").format(names=names))
    if report.refused_files:
        print_heading(console, _("Files that cannot be used:"), CHECK_STYLE)
        for error in report.refused_files:
            print_line(console, f"  {error_line(error)}")


def _print_grids(console: Console, tallies: Tallies) -> None:
    rows = FigureRows(
        _("condition"), _("photos"), _("perfect"), _("grids"), _("found"), _("unread"),
        _("refused"), _("missed"), _("invented"), _("alarms"),
    )  # fmt: skip
    for name, tally in tallies:
        fates = [tally.grids[fate] for fate in Fate]
        counts = [tally.photos, tally.perfect, tally.grids.total(), *fates]
        counts += [tally.invented, tally.false_alarms]
        rows.add_row(printable(name), *map(str, counts))
    print_table(console, _("Cities and boards"), rows)
    overall = tallies[-1][1]
    if washed_out := overall.washed_out.total():
        found, lit = overall.found_of_lit
        print_line(
            console,
            _n(
                "Without {n} grid that light leaves half white or more: {found} of {all} found "
                "({share})",
                "Without {n} grids that light leaves half white or more: {found} of {all} found "
                "({share})",
                washed_out,
                found=found,
                all=lit,
                share=percent(share(found, lit)),
            ),
        )


def _print_cells(console: Console, tallies: Tallies) -> None:
    rows = FigureRows(
        _("condition"), _("cells"), str(D_("right", "bench")), _("silently wrong"),
        _("rate at most (95 %)"),
        _("flagged in full view"), _("corner error"), _("of 95 %"),
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
    print_table(console, _("Cells (corner errors in tile widths, the median first)"), rows)


def _print_pieces(console: Console, tallies: Tallies) -> None:
    """Figures and pieces beside the cells, of games that have them."""
    overall = tallies[-1][1]
    named = {_("Figures"): [tally.tokens for _, tally in tallies]}
    named[_("Pieces beside the cells")] = [tally.beside for _, tally in tallies]
    totals = overall.tokens.total(), overall.beside.total()
    for (heading, outcomes), total in zip(named.items(), totals, strict=True):
        if not total:
            continue
        rows = FigureRows(
            _("condition"), _("in all"), str(D_("right", "bench")), _("right, but flagged"),
            _("wrong and flagged"), _("silently wrong"),
        )  # fmt: skip
        for (name, _tally), counts in zip(tallies, outcomes, strict=True):
            came = [counts[outcome] for outcome in Outcome]
            rows.add_row(printable(name), *map(str, [counts.total(), *came]))
        print_table(console, heading, rows)


def _print_sight(console: Console, report: Report) -> None:
    rows = FigureRows(
        _("cells"), _("in all"), str(D_("right", "bench")), _("right, but flagged"),
        _("wrong and flagged"), _("silently wrong"),
    )  # fmt: skip
    tally = report.overall
    for seen in Sight:
        if not tally.count(seen):
            continue
        counts = [tally.count(seen), *(tally.count(seen, came) for came in Outcome)]
        rows.add_row(_(_SIGHTS[seen]), *map(str, counts))
    print_table(console, _("Cells of the grids that were found"), rows)


def _print_reliability(console: Console, tally: Tally) -> None:
    rows = FigureRows(_("confidence"), _("cells"), _("mean confidence"), str(D_("right", "bench")))
    for each in tally.reliability.bins:
        rows.add_row(
            f"{each.low:g}-{each.high:g}",
            str(each.count),
            decimal(each.mean_confidence, 4),
            percent(each.share_right),
        )
    error = decimal(tally.reliability.calibration_error, 4)
    print_table(console, _("Confidence, off by {n} in the mean").format(n=error), rows)


def _print_times(console: Console, tallies: Tallies) -> None:
    rows = FigureRows(_("condition"), _("stage"), _("median"), _("of 95 %"), _("longest"))
    columns = "median", "p95", "worst"
    for name, tally in tallies:
        stages = ordered_stages(tally.timings_ms)
        for stage in stages if tally is tallies[-1][1] else list(stages)[-1:]:
            times = spread(tally.timings_ms[stage])
            rows.add_row(printable(name), stage, *(decimal(times[key], 1) for key in columns))
    ratio = spread(tallies[-1][1].total_per_decode)
    rows.add_row(_("all"), "total / decode", *(decimal(ratio[key], 2) for key in columns))
    print_table(console, _("Time a photo, milliseconds"), rows)


def _print_errors(console: Console, report: Report) -> None:
    if report.is_wrong_somewhere:
        print_heading(console, _("Wrong without a word:"), CHECK_STYLE)
    for photo, grid in report.missed:
        missed = _n(
            "grid {number} of the truth was missed, {n} cell",
            "grid {number} of the truth was missed, {n} cells",
            grid.size,
            number=grid.index + 1,
        )
        print_line(console, f"  {printable(photo)}: {missed}")
    for photo, name in report.invented:
        print_line(
            console, f"  {printable(photo)}: " + _("there is no grid {name}").format(name=name)
        )
    _print_findings(console, report.silent)
    for photo, code in report.refused_photos:
        print_line(console, f"{printable(photo)}: " + _("refused, {code}").format(code=code))
    for photo, count in report.false_alarms:
        alarms = _n("{n} region unread where none is", "{n} regions unread where none is", count)
        print_line(console, f"{printable(photo)}: {alarms}")
    if report.flagged:
        print_heading(console, _("Flagged:"), "bold")
        _print_findings(console, report.flagged[:_MOST_FLAGS])
        left = len(report.flagged) - _MOST_FLAGS
        if left > 0:
            print_line(console, "  " + _("and {n} more, see --json").format(n=left))


def _print_findings(console: Console, findings: Iterable[Finding]) -> None:
    for finding in findings:
        verdict, name = finding.verdict, finding.grid.name
        said = _("{name} {place} read {read}, is {truth} ({sight}, {confidence})").format(
            name=name,
            place=_place(verdict.at),
            read=_shown(verdict.read),
            truth=_shown(verdict.truth),
            sight=_(_SIGHTS[verdict.sight]),
            confidence=f"{verdict.confidence:.3f}",
        )
        print_line(console, f"  {printable(finding.photo)}: {said}")


def _place(at: tuple[int, int] | tuple[str, int]) -> str:
    first, second = at
    return f"{first} {second + 1}" if isinstance(first, str) else cell_words((first, second))


def _shown(name: str | None) -> str:
    return NOTHING if name is None else printable(name)
