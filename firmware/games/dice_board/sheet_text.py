"""A sheet of the dice board as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.errors import printable
from firmware.games.dice_board.board_text import PLAYER_STYLES, company_letter, print_board
from firmware.games.dice_board.sentences import (
    complete_of,
    points_sentence,
)
from firmware.language import _
from firmware.results import winner_sentence
from scoring.games.dice_board.sheet import Sheet
from scoring.games.dice_board.table import Table

_WIDTH_FOR_PADDING: Final = 52
"""Columns from which on the table of companies has a space on both sides of each entry."""


def print_sheet(console: Console, sheet: Sheet, table: Table, *, reasons: bool = False) -> None:
    """The board, the companies with their sums, the players by rank, and the winner.

    Args:
        console: where to print.
        sheet: the score of the table.
        table: what was scored.
        reasons: also say what each plot is worth, and why.
    """
    print_board(console, table)
    console.print(_companies_table(sheet, console.width))
    if reasons:
        console.print(_plots_table(sheet))
    console.print(_players_table(sheet))
    highest = max(points for _player, points in sheet.totals)
    winners = [_shown(winner) for winner in sheet.winners]
    console.print(Text(winner_sentence(winners, str(highest), highest), style="bold"))


def _shown(name: str) -> str:
    return printable(name.strip())


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
        name = [_shown(company.name or "")] if has_names else []
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
            row, column = plot.cell
            rows.add_row(
                letter,
                f"{row},{column}",
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
        rank = 1 + sum(other > points for _player, other in sheet.totals)
        rows.add_row(
            str(rank),
            _shown(player),
            complete_of(sum(company.complete for company in own), len(own)),
            str(points),
            style="bold" if rank == 1 else "",
        )
    return rows
