"""The board as letters: owner, kind and value of each building, and the value tiles beside it."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.games.city_blocks.sentences import building_name, dollars, side_name
from firmware.language import _
from firmware.text_layout import wrapped
from scoring.faces import Building, Side
from scoring.games.city_blocks.notation import KIND_OF_LETTER, SIDE_OF_LETTER
from scoring.games.city_blocks.table import COLUMNS, Plot, Table

SIDE_STYLES: Final = {Side.BLUE: "bold bright_blue", Side.RED: "bold bright_red"}
"""Of words and numbers of each player."""
_PLOT_STYLES: Final = {Side.BLUE: "bold white on blue", Side.RED: "bold white on red"}
_SIDE_LETTERS: Final = {side: letter for letter, side in SIDE_OF_LETTER.items()}
_KIND_LETTERS: Final = {kind: letter for letter, kind in KIND_OF_LETTER.items()}
_NOTHING_BUILT: Final = "--"
_TILE_GONE: Final = "-"
_VALUE_WIDTH: Final = 3
_PLOT_WIDTH: Final = 5
_WIDTH_FOR_GAPS: Final = 44
"""Columns from which on there is room for a gap beside each plot."""


def print_board(console: Console, table: Table) -> None:
    """The plots, the value tiles left of the rows and above the columns, and a legend.

    Without value tiles beside the board their places stay empty. Rows and columns are numbered as
    reasons name them.

    Args:
        console: where to print.
        table: of 5 rows and 6 columns.
    """
    gap = " " if console.width >= _WIDTH_FOR_GAPS else ""
    numbers = [str(column) for column in range(COLUMNS)]
    text = Text(no_wrap=True)
    text.append(_line("", "", numbers, gap), "dim")
    if table.column_values is not None:
        text.append(_line("", "", _tiles(table.column_values), gap), "bold")
    row_tiles = [""] * len(table.grid) if table.row_values is None else _tiles(table.row_values)
    for row, (tile, plots) in enumerate(zip(row_tiles, table.grid, strict=True)):
        text.append(f"{row} ", "dim")
        text.append(f"{tile:>{_VALUE_WIDTH}} ", "bold")
        for plot in plots:
            text.append(gap)
            text.append(_centred(_plot_letters(plot)), _plot_style(plot))
        text.append("\n")
    text.right_crop(1)
    console.print()
    console.print(text)
    console.print()
    console.print(Text(wrapped(_legend(table), console.width), style="dim"))


def _line(number: str, tile: str, plots: Sequence[str], gap: str) -> str:
    start = f"{number:1} {tile:>{_VALUE_WIDTH}} "
    return start + "".join(gap + _centred(plot) for plot in plots) + "\n"


def _centred(text: str) -> str:
    return f" {text:{_PLOT_WIDTH - 1}}"


def _tiles(values: Sequence[int | None]) -> list[str]:
    return [_TILE_GONE if value is None else dollars(value) for value in values]


def _plot_letters(plot: Plot | None) -> str:
    if plot is None:
        return _NOTHING_BUILT
    value = "" if plot.value is None else plot.value
    return f"{_SIDE_LETTERS[plot.owner]}{_KIND_LETTERS[plot.kind]}{value}"


def _plot_style(plot: Plot | None) -> str:
    return "dim" if plot is None else _PLOT_STYLES[plot.owner]


def _legend(table: Table) -> list[str]:
    """What the letters on the board mean, of those that are there."""
    plots = [plot for row in table.grid for plot in row]
    owners = {plot.owner for plot in plots if plot is not None}
    kinds = {plot.kind for plot in plots if plot is not None}
    legend = [f"{_SIDE_LETTERS[side]} {side_name(side)}" for side in Side if side in owners]
    legend += [f"{_KIND_LETTERS[kind]} {building_name(kind)}" for kind in Building if kind in kinds]
    if None in plots:
        legend.append(f"{_NOTHING_BUILT} " + _("nothing built"))
    if None in (*(table.row_values or ()), *(table.column_values or ())):
        legend.append(f"{_TILE_GONE} " + _("value tile gone"))
    return legend
