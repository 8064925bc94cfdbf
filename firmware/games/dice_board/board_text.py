"""The board with the numbers along its edges, each company as a letter on its plots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.games.dice_board.sentences import columns_title
from firmware.language import _
from firmware.text_layout import wrapped
from scoring.faces import Cell
from scoring.games.dice_board.table import Table

PLAYER_STYLES: Final = (
    "bold black on cyan",
    "bold white on magenta",
    "bold black on white",
    "bold white on bright_black",
)
"""Of the companies of each player, in the order of ``Table.players``; none is a usual colour of
playing pieces, as players are often named by theirs."""
_FREE: Final = "."
_FREE_STYLE: Final = "dim"


@dataclass(frozen=True, slots=True)
class _Mark:
    letter: str
    style: str


def company_letter(index: int, *, complete: bool) -> str:
    """The letter of a company in the order of its table: A, B, C; small while it is incomplete."""
    letter = chr(ord("A") + index)
    return letter if complete else letter.lower()


def print_board(console: Console, table: Table) -> None:
    """The board, in parts if it is wider than the terminal, and a legend.

    Args:
        console: where to print.
        table: whose companies lie on its board.
    """
    row_numbers, column_numbers = table.board.row_numbers, table.board.column_numbers
    row_width = max(len(str(number)) for number in row_numbers)
    plot_width = 1 + max(len(str(number)) for number in column_numbers)
    per_part = max(1, (console.width - row_width - 1) // plot_width)
    marks = _marks(table)
    starts = range(0, len(column_numbers), per_part)
    for start in starts:
        columns = range(len(column_numbers))[start : start + per_part]
        console.print()
        if len(starts) > 1:
            console.print(Text(columns_title(columns[0], columns[-1]), style="bold"))
        console.print(_part(table, columns, marks, row_width, plot_width))
    console.print()
    console.print(Text(wrapped(_legend(table), console.width), style="dim"))


def _marks(table: Table) -> Mapping[Cell, _Mark]:
    styles = dict(zip(table.players, PLAYER_STYLES, strict=False))
    return {
        cell: _Mark(company_letter(index, complete=company.complete), styles[company.player])
        for index, company in enumerate(table.companies)
        for cell in company.plots
    }


def _part(
    table: Table,
    columns: Sequence[int],
    marks: Mapping[Cell, _Mark],
    row_width: int,
    plot_width: int,
) -> Text:
    text = Text(no_wrap=True)
    text.append(" " * (row_width + 1))
    for column in columns:
        text.append(f"{table.board.column_numbers[column]:>{plot_width}}", "bold")
    for row, number in enumerate(table.board.row_numbers):
        text.append("\n")
        text.append(f"{number:>{row_width}} ", "bold")
        for column in columns:
            mark = marks.get((row, column), _Mark(_FREE, _FREE_STYLE))
            text.append(f"{mark.letter:>{plot_width}}", mark.style)
    return text


def _legend(table: Table) -> list[str]:
    """What is on the board, of that which is there."""
    whole = [company.complete for company in table.companies if company.plots]
    legend = [_("capital letter: complete company")] if any(whole) else []
    if not all(whole):
        legend.append(_("small letter: incomplete company"))
    return [*legend, f"{_FREE} " + _("free plot")]
