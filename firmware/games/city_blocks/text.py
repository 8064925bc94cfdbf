"""A sheet of City Blocks as text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.language import _
from firmware.games.city_blocks import words
from firmware.games.doubts import Doubts
from firmware.games.text_layout import (
    StyledLine,
    grid_text,
    number_column,
    print_legend,
    print_result,
    ruled_table,
    titled_table,
)
from firmware.wording.places import short_cells
from firmware.wording.ranges import ShownNumbers
from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.notation import LETTER_OF_KIND, LETTER_OF_SIDE, format_board
from scoring.games.city_blocks.score_sheet import Basis, ScoreSheet, Street, StreetDirection
from scoring.games.city_blocks.table import COLUMNS, Table

_MAX_REASONS_WIDTH: Final = 80
"""Columns of the tables of reasons: what belongs together stays together."""
_MIN_CELLS_WIDTH: Final = 12
_MAX_CELLS_WIDTH: Final = 23
"""Columns for the cells of a reason: three of them, or a whole row of six."""
SIDE_STYLES: Final = {Side.BLUE: "bold bright_blue", Side.RED: "bold bright_red"}
"""Styles of the words and numbers of each player."""
_PLOT_STYLES: Final = {Side.BLUE: "bold white on blue", Side.RED: "bold white on red"}
_NOTHING_BUILT: Final = "--"
_TILE_GONE: Final = "-"
_VALUE_WIDTH: Final = 3
_PLOT_WIDTH: Final = 5
_WIDTH_FOR_GAPS: Final = 44
"""Columns from which on there is room for a gap beside each plot."""


def print_score_sheet(
    console: Console,
    sheet: ScoreSheet,
    table: Table,
    doubts: Doubts | None,
    numbers: ShownNumbers,
    *,
    reasons: bool,
) -> None:
    """Print the board, the streets, the totals and the winner.

    With ``reasons`` also the reasons for each street.
    See ``firmware.games.game.Game.print_score_sheet``.
    """
    console.print()
    console.print(grid_text(_lines(table, " " if console.width >= _WIDTH_FOR_GAPS else "")))
    print_legend(console, _legend(table))
    console.print(_streets_table(sheet, console.width))
    notes = words.street_notes(sheet.streets)
    for note in notes:
        console.print(Text(note, style="dim"))
    if notes:
        console.print()
    if reasons:
        built_on = [street for street in sheet.streets if street.reasons]
        for number, street in enumerate(built_on):
            console.print(_reasons_table(street, console.width, has_head=number == 0))
        console.print()
    console.print(_totals_table(sheet, numbers))
    print_result(console, doubts, words.winner_sentence(sheet, numbers))


def _streets_table(sheet: ScoreSheet, width: int) -> RichTable:
    """Return the rows of the streets; without values and bonuses if players hold the tiles."""
    inner = slice(None) if sheet.basis is Basis.STREETS else slice(1, -1)
    of_sides = [number_column(words.side_name(side)) for side in Side]
    value, bonus = number_column(_("value")), number_column(_("bonus"))
    columns = [value, *of_sides, Column(_("winner")), bonus]
    rows = ruled_table(_("street"), *columns[inner], width=width)
    for street in sheet.streets:
        if street.direction is StreetDirection.COLUMN and street.index == 0:
            rows.add_section()
        style = "dim" if street.winner is None else SIDE_STYLES[street.winner]
        cells = [
            Text("-" if street.value is None else words.dollars(street.value)),
            Text(str(street.blue), style if street.winner is Side.BLUE else ""),
            Text(str(street.red), style if street.winner is Side.RED else ""),
            Text(words.street_winner_in_words(street), style),
            Text(words.dollars(street.bonus), style),
        ]
        rows.add_row(words.street_name(street), *cells[inner])
    return rows


def _reasons_table(street: Street, width: int, *, has_head: bool) -> RichTable:
    whole = min(width, _MAX_REASONS_WIDTH)
    cells_width = max(_MIN_CELLS_WIDTH, min(_MAX_CELLS_WIDTH, width // 4))
    columns = (
        number_column("", min_width=2),
        Column("", min_width=4),
        Column(_("for"), ratio=1, overflow="fold"),
        Column(_("cells (row/column)"), width=cells_width),
    )
    title = words.street_sums(street)
    rows = titled_table(title, *columns, box=None, show_header=has_head, width=whole)
    for reason in street.reasons:
        rows.add_row(
            str(reason.points),
            Text(words.side_name(reason.side), SIDE_STYLES[reason.side]),
            words.reason_sentence(reason),
            short_cells(reason.cells),
        )
    return rows


def _totals_table(sheet: ScoreSheet, numbers: ShownNumbers) -> RichTable:
    columns = (_("player"), _("value tiles"), number_column(_("total"), min_width=5))
    rows = titled_table(words.totals_title(sheet.basis), *columns, box=box.SIMPLE_HEAD)
    for seat, side in enumerate(Side):
        rows.add_row(
            Text(words.side_name(side), SIDE_STYLES[side]),
            " + ".join(map(words.dollars, sheet.tiles[side])) or _("none"),
            words.dollars(numbers.final(seat, sheet.totals[side])),
            style="bold" if side in sheet.winners else "",
        )
    return rows


def _lines(table: Table, gap: str) -> Iterator[StyledLine]:
    """Yield the rows of plots, with value tiles left of the rows and above the columns.

    Without value tiles beside the board their places stay empty. Rows and columns are numbered as
    reasons name them.
    """
    yield [(_above(map(str, range(1, COLUMNS + 1)), gap), "dim")]
    if table.column_values is not None:
        yield [(_above(_tiles(table.column_values), gap), "bold")]
    row_tiles = [""] * len(table.grid) if table.row_values is None else _tiles(table.row_values)
    board = (row.split() for row in format_board(table.grid).split("/"))
    for row, (tile, plots, letters) in enumerate(zip(row_tiles, table.grid, board, strict=True)):
        yield [
            (f"{row + 1} ", "dim"),
            (f"{tile:>{_VALUE_WIDTH}} ", "bold"),
            *(
                (gap + _centred(letter), "dim" if plot is None else _PLOT_STYLES[plot.owner])
                for plot, letter in zip(plots, letters, strict=True)
            ),
        ]


def _above(plots: Iterable[str], gap: str) -> str:
    return " " * (2 + _VALUE_WIDTH + 1) + "".join(gap + _centred(plot) for plot in plots)


def _centred(text: str) -> str:
    return f" {text:{_PLOT_WIDTH - 1}}"


def _tiles(values: Sequence[int | None]) -> list[str]:
    return [_TILE_GONE if value is None else words.dollars(value) for value in values]


def _legend(table: Table) -> list[str]:
    """Return a legend of the letters on the board."""
    plots = [plot for row in table.grid for plot in row]
    owners = {plot.owner for plot in plots if plot is not None}
    kinds = {plot.kind for plot in plots if plot is not None}
    legend = [f"{LETTER_OF_SIDE[side]} {words.side_name(side)}" for side in Side if side in owners]
    legend += [
        f"{LETTER_OF_KIND[kind]} {words.building_name(kind)}"
        for kind in BuildingKind
        if kind in kinds
    ]
    if None in plots:
        legend.append(f"{_NOTHING_BUILT} " + _("nothing built"))
    if None in (*(table.row_values or ()), *(table.column_values or ())):
        legend.append(f"{_TILE_GONE} " + _("value tile gone"))
    return legend
