"""A sheet of City Blocks as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubts
from firmware.games.city_blocks import words
from firmware.language import _
from firmware.places import cells_words
from firmware.text_layout import print_legend, print_may_change, titled_rows
from scoring.faces import Building, Side
from scoring.games.city_blocks.notation import LETTER_OF_KIND, LETTER_OF_SIDE, format_board
from scoring.games.city_blocks.sheet import Basis, Sheet, Street, StreetLine
from scoring.games.city_blocks.table import COLUMNS, Table

_WIDTH_FOR_PADDING: Final = 52
"""Columns from which on the table of streets has a space on both sides of each entry."""
_MOST_REASONS_WIDTH: Final = 80
"""Columns of the tables of reasons: what belongs together stays together."""
_LEAST_CELLS_WIDTH: Final = 12
_MOST_CELLS_WIDTH: Final = 23
"""Columns for the cells of a reason: three of them, or a whole row of six."""


def print_sheet(
    console: Console, sheet: Sheet, table: Table, doubts: Doubts | None, *, reasons: bool
) -> None:
    """The board, the streets, the totals and the winner.

    With ``reasons`` also why each street counts so. See ``firmware.games.Game.print_sheet``.
    """
    _print_board(console, table)
    console.print(_streets_table(sheet, console.width))
    notes = words.outcome_notes(sheet.streets)
    for note in notes:
        console.print(Text(note, style="dim"))
    if notes:
        console.print()
    if reasons:
        built_on = [street for street in sheet.streets if street.reasons]
        for number, street in enumerate(built_on):
            console.print(_reasons_table(street, console.width, has_head=number == 0))
        console.print()
    console.print(_totals_table(sheet))
    print_may_change(console, doubts)
    console.print(Text(words.winner_sentence(sheet), style="bold"))


def _streets_table(sheet: Sheet, width: int) -> Rows:
    """Of the tiles collected it is not known where they lay: then without values and bonuses."""
    has_values = sheet.basis is Basis.STREETS
    rows = Rows(box=box.SIMPLE_HEAD, padding=(0, 1 if width >= _WIDTH_FOR_PADDING else 0))
    rows.add_column(_("street"))
    if has_values:
        rows.add_column(_("value"), justify="right")
    for side in Side:
        rows.add_column(words.side_name(side), justify="right")
    rows.add_column(_("winner"))
    if has_values:
        rows.add_column(_("bonus"), justify="right")
    for street in sheet.streets:
        if street.line is StreetLine.COLUMN and street.index == 0:
            rows.add_section()
        rows.add_row(*_street_cells(street, has_values=has_values))
    return rows


def _street_cells(street: Street, *, has_values: bool) -> Iterator[Text]:
    style = "dim" if street.winner is None else SIDE_STYLES[street.winner]
    yield Text(words.street_name(street))
    if has_values:
        yield Text("-" if street.value is None else words.dollars(street.value))
    yield Text(str(street.blue), style if street.winner is Side.BLUE else "")
    yield Text(str(street.red), style if street.winner is Side.RED else "")
    yield Text(words.street_outcome(street), style)
    if has_values:
        yield Text(words.dollars(street.bonus), style)


def _reasons_table(street: Street, width: int, *, has_head: bool) -> Rows:
    whole = min(width, _MOST_REASONS_WIDTH)
    rows = titled_rows(words.street_sums(street), box=None, show_header=has_head, width=whole)
    rows.add_column("", justify="right", min_width=2)
    rows.add_column("", min_width=4)
    rows.add_column(_("for"), ratio=1, overflow="fold")
    cells_width = max(_LEAST_CELLS_WIDTH, min(_MOST_CELLS_WIDTH, width // 4))
    rows.add_column(_("cells (row,column)"), width=cells_width)
    for reason in street.reasons:
        rows.add_row(
            str(reason.points),
            Text(words.side_name(reason.side), SIDE_STYLES[reason.side]),
            words.reason_sentence(reason),
            cells_words(reason.cells),
        )
    return rows


def _totals_table(sheet: Sheet) -> Rows:
    rows = titled_rows(words.totals_title(sheet.basis), box=box.SIMPLE_HEAD)
    rows.add_column(_("player"))
    rows.add_column(_("value tiles"))
    rows.add_column(_("total"), justify="right", min_width=5)
    for side in Side:
        rows.add_row(
            Text(words.side_name(side), SIDE_STYLES[side]),
            " + ".join(map(words.dollars, sheet.tiles[side])) or _("none"),
            words.dollars(sheet.totals[side]),
            style="bold" if side in sheet.winners else "",
        )
    return rows


SIDE_STYLES: Final = {Side.BLUE: "bold bright_blue", Side.RED: "bold bright_red"}
"""Of words and numbers of each player."""
_PLOT_STYLES: Final = {Side.BLUE: "bold white on blue", Side.RED: "bold white on red"}
_NOTHING_BUILT: Final = "--"
_TILE_GONE: Final = "-"
_VALUE_WIDTH: Final = 3
_PLOT_WIDTH: Final = 5
_WIDTH_FOR_GAPS: Final = 44
"""Columns from which on there is room for a gap beside each plot."""


def _print_board(console: Console, table: Table) -> None:
    """The plots, the value tiles left of the rows and above the columns, and a legend.

    Without value tiles beside the board their places stay empty. Rows and columns are numbered as
    reasons name them.
    """
    gap = " " if console.width >= _WIDTH_FOR_GAPS else ""
    numbers = [str(column + 1) for column in range(COLUMNS)]
    text = Text(no_wrap=True)
    text.append(_line("", "", numbers, gap), "dim")
    if table.column_values is not None:
        text.append(_line("", "", _tiles(table.column_values), gap), "bold")
    row_tiles = [""] * len(table.grid) if table.row_values is None else _tiles(table.row_values)
    board = (row.split() for row in format_board(table.grid).split("/"))
    for row, (tile, plots, letters) in enumerate(zip(row_tiles, table.grid, board, strict=True)):
        text.append(f"{row + 1} ", "dim")
        text.append(f"{tile:>{_VALUE_WIDTH}} ", "bold")
        for plot, said in zip(plots, letters, strict=True):
            style = "dim" if plot is None else _PLOT_STYLES[plot.owner]
            text.append(gap).append(_centred(said), style)
        text.append("\n")
    text.right_crop(1)
    console.print()
    console.print(text)
    print_legend(console, _legend(table))


def _line(number: str, tile: str, plots: Sequence[str], gap: str) -> str:
    start = f"{number:1} {tile:>{_VALUE_WIDTH}} "
    return start + "".join(gap + _centred(plot) for plot in plots) + "\n"


def _centred(text: str) -> str:
    return f" {text:{_PLOT_WIDTH - 1}}"


def _tiles(values: Sequence[int | None]) -> list[str]:
    return [_TILE_GONE if value is None else words.dollars(value) for value in values]


def _legend(table: Table) -> list[str]:
    """What the letters on the board mean, of those that are there."""
    plots = [plot for row in table.grid for plot in row]
    owners = {plot.owner for plot in plots if plot is not None}
    kinds = {plot.kind for plot in plots if plot is not None}
    legend = [f"{LETTER_OF_SIDE[side]} {words.side_name(side)}" for side in Side if side in owners]
    legend += [
        f"{LETTER_OF_KIND[kind]} {words.building_name(kind)}" for kind in Building if kind in kinds
    ]
    if None in plots:
        legend.append(f"{_NOTHING_BUILT} " + _("nothing built"))
    if None in (*(table.row_values or ()), *(table.column_values or ())):
        legend.append(f"{_TILE_GONE} " + _("value tile gone"))
    return legend
