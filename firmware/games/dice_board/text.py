"""A sheet of the dice board as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubts
from firmware.errors import printable
from firmware.games.colours import company_name, player_name
from firmware.games.dice_board.tables import points_sentence
from firmware.language import _, _n
from firmware.places import cell_words
from firmware.text_layout import columns_title, print_legend, print_may_change, winner_sentence
from scoring.faces import Cell
from scoring.games.dice_board.sheet import Sheet
from scoring.games.dice_board.table import Table

_WIDTH_FOR_PADDING: Final = 52
"""Columns from which on the table of companies has a space on both sides of each entry."""


def print_sheet(
    console: Console, sheet: Sheet, table: Table, doubts: Doubts | None, *, reasons: bool
) -> None:
    """The board, the companies with their sums, the players by rank, and the winner.

    With ``reasons`` also what each plot is worth. See ``firmware.games.Game.print_sheet``.
    """
    _print_board(console, table)
    console.print(_companies_table(sheet, console.width))
    if reasons:
        console.print(_plots_table(sheet))
    console.print(_players_table(sheet))
    highest = max(points for _player, points in sheet.totals)
    winners = [_shown(winner) for winner in sheet.winners]
    print_may_change(console, doubts)
    console.print(Text(winner_sentence(winners, str(highest), highest), style="bold"))


def _shown(name: str) -> str:
    return printable(player_name(name.strip()))


def _companies_table(sheet: Sheet, width: int) -> Rows:
    styles = dict(zip((player for player, _points in sheet.totals), PLAYER_STYLES, strict=False))
    has_names = any(company.name is not None for company in sheet.companies)
    rows = Rows(box=box.SIMPLE_HEAD, padding=(0, 1 if width >= _WIDTH_FOR_PADDING else 0))
    rows.add_column("")
    rows.add_column(_("player"), overflow="fold", min_width=6)
    if has_names:
        rows.add_column(_("company"), overflow="fold", min_width=7)
    rows.add_column(_("points"), justify="right", no_wrap=True)
    for index, company in enumerate(sheet.companies):
        letter = company_letter(index, complete=company.complete)
        name = [printable(company_name((company.name or "").strip()))] if has_names else []
        rows.add_row(
            Text(letter, styles[company.player]),
            _shown(company.player),
            *name,
            points_sentence(company),
            style="" if company.complete else "dim",
        )
    return rows


def _plots_table(sheet: Sheet) -> Rows:
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column("")
    rows.add_column(_("plot (row,column)"))
    rows.add_column(_("row + column number"), justify="right")
    for index, company in enumerate(sheet.companies):
        letter = company_letter(index, complete=company.complete)
        for plot in company.plots:
            rows.add_row(
                letter,
                cell_words(plot.cell),
                f"{plot.row_number} + {plot.column_number} = {plot.value}",
            )
        rows.add_section()
    return rows


def _players_table(sheet: Sheet) -> Rows:
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column(_("rank"), justify="right", no_wrap=True)
    rows.add_column(_("player"), overflow="fold", min_width=6)
    rows.add_column(_("complete"), no_wrap=True)
    rows.add_column(_("points"), justify="right", no_wrap=True)
    for player, points in sorted(sheet.totals, key=lambda total: -total[1]):
        own = [company for company in sheet.companies if company.player == player]
        complete = sum(company.complete for company in own)
        rank = 1 + sum(other > points for _player, other in sheet.totals)
        rows.add_row(
            str(rank),
            _shown(player),
            _n("{n} of {all}", "{n} of {all}", complete, all=len(own)),
            str(points),
            style="bold" if rank == 1 else "",
        )
    return rows


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


def _print_board(console: Console, table: Table) -> None:
    """The board, in parts if it is wider than the terminal, and a legend."""
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
            console.print(Text(columns_title(columns), style="bold"))
        console.print(_part(table, columns, marks, row_width, plot_width))
    print_legend(console, _legend(table))


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
