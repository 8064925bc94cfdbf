"""A sheet of the dice board as text for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.language import _, _n
from firmware.games.dice_board.words import company_name, points_sentence
from firmware.games.doubts import Doubts
from firmware.games.player_words import shown_name
from firmware.games.text_layout import (
    StyledLine,
    column_parts,
    grid_text,
    name_column,
    number_column,
    print_legend,
    print_result,
    ranks_table,
    ruled_table,
)
from firmware.wording.places import short_cell
from firmware.wording.ranges import ShownNumbers
from firmware.wording.winners import result_sentence, winner_sentence
from scoring.games.dice_board.score_sheet import ScoreSheet
from scoring.games.dice_board.table import Table

PLAYER_STYLES: Final = (
    "bold black on cyan",
    "bold white on magenta",
    "bold black on white",
    "bold white on bright_black",
)
"""Styles of each player's companies, in the order of ``Table.players``; none is a common colour of
pieces, as players are often named by the colour of theirs."""
_FREE: Final = "."


def print_score_sheet(
    console: Console,
    sheet: ScoreSheet,
    table: Table,
    doubts: Doubts | None,
    numbers: ShownNumbers,
    *,
    reasons: bool,
) -> None:
    """Print the board, the companies with their sums, the players by rank, and the winner.

    With ``reasons`` also what each plot is worth.
    See ``firmware.games.game.Game.print_score_sheet``.
    """
    _print_board(console, table)
    console.print(_companies_table(sheet, console.width))
    if reasons:
        console.print(_plots_table(sheet))
    console.print(_players_table(sheet, numbers))
    names = [player for player, _points in sheet.totals]
    best, highest = max(enumerate(points for _player, points in sheet.totals), key=lambda e: e[1])
    winners = [_shown(winner) for winner in sheet.winners]
    sentence = winner_sentence(winners, numbers.final(best, highest), highest)
    print_result(console, doubts, result_sentence(numbers, list(map(_shown, names)), sentence))


def _shown(name: str) -> str:
    return printable(shown_name(name.strip()))


def _companies_table(sheet: ScoreSheet, width: int) -> RichTable:
    styles = dict(zip((player for player, _points in sheet.totals), PLAYER_STYLES, strict=False))
    has_names = any(company.name is not None for company in sheet.companies)
    named = [name_column(_("company"), 7)] if has_names else []
    points = number_column(_("points"), no_wrap=True)
    rows = ruled_table("", name_column(_("player")), *named, points, width=width)
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


def _plots_table(sheet: ScoreSheet) -> RichTable:
    rows = ruled_table("", _("plot (row/column)"), number_column(_("row + column number")))
    for index, company in enumerate(sheet.companies):
        letter = company_letter(index, complete=company.complete)
        for plot in company.plots:
            worth = f"{plot.row_number} + {plot.column_number} = {plot.value}"
            rows.add_row(letter, short_cell(plot.cell), worth)
        rows.add_section()
    return rows


def _players_table(sheet: ScoreSheet, numbers: ShownNumbers) -> RichTable:
    ranks, ranked = [], []
    for seat, (player, points) in enumerate(sheet.totals):
        own = [company.complete for company in sheet.companies if company.player == player]
        complete = _n("{n} of {all}", "{n} of {all}", sum(own), all=len(own))
        ranks.append(1 + sum(other > points for _player, other in sheet.totals))
        ranked.append([_shown(player), complete, numbers.final(seat, points)])
    points_column = number_column(_("points"), no_wrap=True)
    complete_column = Column(_("complete"), no_wrap=True)
    return ranks_table(ranks, ranked, numbers, complete_column, points_column)


def company_letter(index: int, *, complete: bool) -> str:
    """Return the letter of a company in the order of its table; small while it is incomplete."""
    letter = chr(ord("A") + index)
    return letter if complete else letter.lower()


def _print_board(console: Console, table: Table) -> None:
    """Print the board, in parts if it is wider than the terminal, and a legend."""
    row_numbers, column_numbers = table.board.row_numbers, table.board.column_numbers
    edge = 1 + max(len(str(number)) for number in row_numbers)
    width = 1 + max(len(str(number)) for number in column_numbers)
    console.print()
    for part in column_parts(console, len(column_numbers), width, edge):
        console.print(grid_text(_lines(table, part, width, edge)))
    print_legend(console, _legend(table))


def _lines(table: Table, columns: Sequence[int], width: int, edge: int) -> Iterator[StyledLine]:
    styles = dict(zip(table.players, PLAYER_STYLES, strict=False))
    marks = {
        cell: (company_letter(index, complete=company.complete), styles[company.player])
        for index, company in enumerate(table.companies)
        for cell in company.plots
    }
    head = "".join(f"{table.board.column_numbers[column]:>{width}}" for column in columns)
    yield [(" " * edge + head, "bold")]
    for row, number in enumerate(table.board.row_numbers):
        of_row = [marks.get((row, column), (_FREE, "dim")) for column in columns]
        yield [
            (f"{number:>{edge - 1}} ", "bold"),
            *((f"{letter:>{width}}", style) for letter, style in of_row),
        ]


def _legend(table: Table) -> list[str]:
    """Return a legend of the signs on the board."""
    whole = [company.complete for company in table.companies if company.plots]
    legend = [_("capital letter: complete company")] if any(whole) else []
    if not all(whole):
        legend.append(_("small letter: incomplete company"))
    return [*legend, f"{_FREE} " + _("free plot")]
