"""What all texts for a terminal share: of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Column
from rich.table import Table as Rows
from rich.text import Text

from firmware.base.language import _, _n
from firmware.wording.doubts import Doubts, doubts_in_words
from firmware.wording.places import cell_name, cells_words
from scoring.faces import Cell, Place, city_name

CHECK_STYLE: Final = "bold yellow"
"""Of what a person has to look at."""
_COLUMN_FRAME: Final = 3
"""Columns that a table with a line below its head takes beside the text of each column."""
_MOST_HEAD_WIDTH: Final = 16
_MOST_CELLS_WIDTH: Final = 36
"""Columns for the cells of a reason: nine of them."""
_WIDTH_FOR_PADDING: Final = 52
"""Columns from which on a wide table has a space on both sides of each entry."""
_GAP: Final = 2
"""Columns between grids beside each other."""

Pieces = Iterable[tuple[str, str]]
"""A line, in pieces with a style each."""


def place_words(place: Place) -> str:
    """A cell of a table as people call it: ``A, row 3, column 4``."""
    city, cell = place
    return cell_name(city_name(city), cell)


def wrapped(items: Iterable[str], width: int, *, title: str = "") -> str:
    """A title and items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")


def drawn(lines: Iterable[Pieces]) -> Text:
    """The lines of a grid."""
    return Text("\n", no_wrap=True).join(Text.assemble(*line) for line in lines)


def print_side_by_side(
    console: Console, grids: Sequence[tuple[str, Iterable[Pieces]]], width: int
) -> None:
    """Grids of a width under their titles, as many beside each other as there is room for."""
    per_line = max(1, (console.width + _GAP) // (width + _GAP))
    for start in range(0, len(grids), per_line):
        part = grids[start : start + per_line]
        block = Rows.grid(padding=(0, _GAP))
        for _title in part:
            block.add_column(width=width, overflow="fold", vertical="bottom")
        block.add_row(*(Text(title, style="bold") for title, _lines in part))
        block.add_row(*(drawn(lines) for _title, lines in part))
        console.print()
        console.print(block)


def column_parts(console: Console, count: int, width: int, edge: int) -> Iterator[range]:
    """The columns of a grid that fit beside each other, with a title before each of several parts.

    Args:
        console: where they are printed.
        count: of the columns.
        width: that each of them takes.
        edge: what stands left of them takes.
    """
    per_part = max(1, (console.width - edge) // width)
    for start in range(0, count, per_part):
        part = range(count)[start : start + per_part]
        if start:
            console.print()
        if len(part) < count:
            said = _("Columns {first} to {last}").format(first=part[0] + 1, last=part[-1] + 1)
            console.print(Text(said, style="bold"))
        yield part


def titled_rows(title: str | Text, *columns: str | Column, **layout: Any) -> Rows:
    """A table under a bold title at its left, laid out as ``rich.table.Table`` is told."""
    return Rows(*columns, title=title, title_justify="left", title_style="bold", **layout)


def rows_under(*columns: str | Column, width: int = _WIDTH_FOR_PADDING) -> Rows:
    """A table with a line below its head, closer set on a narrow terminal if it is told that."""
    padding = 1 if width >= _WIDTH_FOR_PADDING else 0
    return Rows(*columns, box=box.SIMPLE_HEAD, padding=(0, padding))


def number_column(title: str | Text, **layout: Any) -> Column:
    """A column of numbers."""
    return Column(title, justify="right", **layout)


def name_column(title: str, least: int = 6) -> Column:
    """A column of names, which may be long."""
    return Column(title, overflow="fold", min_width=least)


def print_points(
    console: Console,
    heads: Sequence[str],
    points: Sequence[tuple[str, Sequence[int]]],
    totals: Sequence[str],
    least: int = 1,
) -> None:
    """Points by category, as many columns beside each other as there is room for.

    Args:
        console: where they are printed.
        heads: of the columns.
        points: a category, and what each column has in it.
        totals: of each column.
        least: width of a column.
    """
    labels = [*(label for label, _worth in points), _("total")]
    room = console.width - max(map(cell_len, labels)) - _COLUMN_FRAME - 1
    widths = [min(max(cell_len(head), least), _MOST_HEAD_WIDTH) for head in heads]
    widths = [max(wide, len(total)) for wide, total in zip(widths, totals, strict=True)]
    for part in _side_by_side(widths, room):
        rows = rows_under("", *(_head(heads[index], least) for index in part))
        for label, worth in points:
            rows.add_row(label, *(str(worth[index]) for index in part))
        rows.add_section()
        rows.add_row(_("total"), *(totals[index] for index in part), style="bold")
        console.print(rows)


def _head(head: str, least: int) -> Column:
    most = _MOST_HEAD_WIDTH
    return number_column(Text(head), overflow="fold", min_width=least, max_width=most)


def _side_by_side(widths: Sequence[int], room: int) -> Iterator[range]:
    """Split columns into runs that each fit into the room, with one column at least."""
    start, taken = 0, 0
    for index, width in enumerate(widths):
        taken += width + _COLUMN_FRAME
        if taken > room and index > start:
            yield range(start, index)
            start, taken = index, width + _COLUMN_FRAME
    yield range(start, len(widths))


def reasons_table(
    title: str,
    cells_title: str,
    reasons: Iterable[tuple[str, str | Text, Iterable[Cell]]],
    total: str,
    width: int,
) -> Rows:
    """Points, what they are given for and by which cells, and the total."""
    cells = Column(cells_title, width=min(_MOST_CELLS_WIDTH, width // 3))
    said = Column(_("for"), ratio=1, overflow="fold")
    head = Text(title, style="bold")
    rows = titled_rows(head, number_column(_("points")), said, cells, box=None, expand=True)
    for points, sentence, places in reasons:
        rows.add_row(points, sentence, cells_words(places))
    rows.add_row(total, _("total"), style="bold")
    return rows


def ranks_table(ranked: Iterable[tuple[int, Sequence[str]]], *columns: Column) -> Rows:
    """The players, the best one first: rank, name, and what else the columns say."""
    rows = rows_under(number_column(_("rank"), min_width=4), name_column(_("player")), *columns)
    for rank, said in sorted(ranked, key=lambda player: player[0]):
        rows.add_row(str(rank), *map(Text, said), style="bold" if rank == 1 else "")
    return rows


def print_legend(console: Console, entries: Iterable[str]) -> None:
    """What the letters on a board mean, below it."""
    console.print()
    console.print(Text(wrapped(entries, console.width), style="dim"))


def print_tie_breaks(
    console: Console, sheet: Any, shown: Sequence[str], told: Callable[[Any, Sequence[str]], str]
) -> None:
    """How players of the same points stand to each other, if there are any: a line for each.

    Args:
        console: where they are printed.
        sheet: of a game whose players have a rank and, if there was one, a tie-break.
        shown: the names of the players.
        told: says a tie-break, given the names.
    """
    players = sorted(enumerate(sheet.players), key=lambda player: player[1].rank)
    tied = [(shown[index], player.tie_break) for index, player in players if player.tie_break]
    if tied:
        console.print(Text(_("Tie-breaks:")))
        for name, tie in tied:
            said = Text(f"{name}, {told(tie, shown)}")
            console.print(Padding(said, (0, 0, 0, 2), expand=False))
        console.print()


def winner_of(
    sheet: Any,
    shown: Sequence[str],
    finals: Sequence[str],
    told: Callable[[Any, Sequence[str]], str],
) -> str:
    """Who has won such a sheet, with the points as they are to be shown."""
    first = sheet.players[sheet.winners[0]]
    decided_by = told(first.tie_break, shown) if first.tie_break else None
    winners = [shown[index] for index in sheet.winners]
    return winner_sentence(winners, finals[sheet.winners[0]], first.final, decided_by)


def open_mark(sheet: Any, doubts: Doubts | None) -> str:
    """What stands behind the points of all players: ``?`` while any of them may still change.

    Args:
        sheet: of any game.
        doubts: what there is to look at; None: the table was typed in.
    """
    return "?" if sheet.missing or (doubts is not None and doubts.count) else ""


def print_result(console: Console, doubts: Doubts | None, said: str) -> None:
    """By what the result may still change, if by anything, and the result."""
    if doubts is not None and doubts.count:
        changing = _("May change: {doubts}").format(doubts=doubts_in_words(doubts))
        console.print(Text(changing, style=CHECK_STYLE))
    console.print(Text(said, style="bold"))


def winner_sentence(
    winners: Sequence[str], points: str, count: int, decided_by: str | None = None
) -> str:
    """One line naming the winner, or all who share the victory.

    Args:
        winners: their names, at least one.
        points: what they have, as it is to be shown, such as ``57?`` for what may change.
        count: the number in ``points``.
        decided_by: the sentence of the tie-break by which a single winner is ahead.
    """
    if len(winners) > 1:
        together = _("{names} and {last}").format(names=", ".join(winners[:-1]), last=winners[-1])
        return _n(
            "{winners} share the victory with {points} point",
            "{winners} share the victory with {points} points",
            count,
            winners=together,
            points=points,
        )
    if decided_by is None:
        return _n(
            "{winner} wins with {points} point",
            "{winner} wins with {points} points",
            count,
            winner=winners[0],
            points=points,
        )
    return _n(
        "{winner} wins with {points} point after a tie ({tie_break})",
        "{winner} wins with {points} points after a tie ({tie_break})",
        count,
        winner=winners[0],
        points=points,
        tie_break=decided_by,
    )
