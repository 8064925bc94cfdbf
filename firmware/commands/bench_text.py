"""The report of a bench as text for a terminal."""

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from firmware.commands.bench_report import Report, ordered_stages, share, spread
from firmware.errors import error_line, printable
from firmware.language import D_, N_, _, _n
from firmware.places import cell_words
from firmware.terminal import Json
from firmware.text_layout import CHECK_STYLE
from vision.figures.tally import Outcome, Tally
from vision.figures.truth import Sight
from vision.figures.verdict import Fate

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
        said = _("{name} {place} read {read}, is {truth} ({sight}, {confidence})").format(
            name=told["name"],
            place=cell_words((first, second))
            if told["what"] != "beside"
            else f"{first} {second + 1}",
            read=_NOTHING if told["read"] is None else told["read"],
            truth=_NOTHING if told["truth"] is None else told["truth"],
            sight=_(_SIGHTS[Sight(told["visibility"])]),
            confidence=f"{told['confidence']:.3f}",
        )
        _print_line(console, f"  {told['photo']}: {said}")
