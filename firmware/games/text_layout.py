"""Building blocks of texts for terminals that are 40 columns wide or more.

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
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.language import NN_, _, _n
from firmware.games.doubts import Doubts
from firmware.wording.places import cell_name, short_cells
from firmware.wording.ranges import ShownNumbers
from firmware.wording.winners import result_sentence, winner_sentence
from scoring.faces import Cell, CityCell, city_name
from vision.reading import PlaceKind

UNSURE_STYLE: Final = "bold yellow"
"""Style of what a person has to look at."""
_COLUMN_FRAME: Final = 3
"""Width of the frame of each table column, in characters."""
_MAX_HEAD_WIDTH: Final = 16
_MAX_CELLS_WIDTH: Final = 36
"""Largest width of the cells of a reason: nine of them."""
_WIDTH_FOR_PADDING: Final = 52
"""Terminal width from which a wide table has a space on both sides of each entry."""
_GAP: Final = 2
"""Space between grids that stand beside each other, in characters."""
_TO_CHECK: Final = (
    (PlaceKind.TILE, NN_("{n} tile to check", "{n} tiles to check")),
    (PlaceKind.FIGURE, NN_("{n} figure to check", "{n} figures to check")),
    (
        PlaceKind.LOOSE,
        NN_("{n} piece beside the board to check", "{n} pieces beside the board to check"),
    ),
)
_UNREAD: Final = NN_("{n} city or board not read", "{n} cities or boards not read")
_MISSING: Final = NN_("{n} tile missing", "{n} tiles missing")
_TO_READ: Final = NN_("{n} note to read", "{n} notes to read")

StyledLine = Iterable[tuple[str, str]]
"""Line as pieces of text with a style each."""


def place_words(place: CityCell) -> str:
    """Return the name of a cell of a table: ``A, row 3, column 4``."""
    city, cell = place
    return cell_name(city_name(city), cell)


def wrap_items(items: Iterable[str], width: int, *, title: str = "") -> str:
    """Return a title and items, separated by commas, on lines that break only between items."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")


def grid_text(lines: Iterable[StyledLine]) -> Text:
    """Return the lines of a grid as one text."""
    return Text("\n", no_wrap=True).join(Text.assemble(*line) for line in lines)


def print_side_by_side(
    console: Console, grids: Sequence[tuple[str, Iterable[StyledLine]]], width: int
) -> None:
    """Print grids of this width under their titles, as many beside each other as fit."""
    per_line = max(1, (console.width + _GAP) // (width + _GAP))
    for start in range(0, len(grids), per_line):
        part = grids[start : start + per_line]
        block = RichTable.grid(padding=(0, _GAP))
        for _title in part:
            block.add_column(width=width, overflow="fold", vertical="bottom")
        block.add_row(*(Text(title, style="bold") for title, _lines in part))
        block.add_row(*(grid_text(lines) for _title, lines in part))
        console.print()
        console.print(block)


def column_parts(console: Console, count: int, width: int, edge: int) -> Iterator[range]:
    """Split the columns of a grid into parts that fit beside each other.

    Prints a title before each part, if there are several.

    Args:
        console: Console to print on.
        count: Number of columns.
        width: Width of a column, in characters.
        edge: Width of what stands left of the columns.
    """
    per_part = max(1, (console.width - edge) // width)
    for start in range(0, count, per_part):
        part = range(count)[start : start + per_part]
        if start:
            console.print()
        if len(part) < count:
            heading = _("Columns {first} to {last}") if len(part) > 1 else _("Column {first}")
            heading = heading.format(first=part[0] + 1, last=part[-1] + 1)
            console.print(Text(heading, style="bold"))
        yield part


def titled_table(title: str | Text, *columns: str | Column, **layout: Any) -> RichTable:
    """Return a table under a bold title at its left, with further options of ``rich``."""
    return RichTable(*columns, title=title, title_justify="left", title_style="bold", **layout)


def ruled_table(*columns: str | Column, width: int = _WIDTH_FOR_PADDING) -> RichTable:
    """Return a table with a line below its head, set closer on a narrow terminal."""
    padding = 1 if width >= _WIDTH_FOR_PADDING else 0
    return RichTable(*columns, box=box.SIMPLE_HEAD, padding=(0, padding))


def number_column(title: str | Text, **layout: Any) -> Column:
    """Return a column of numbers."""
    return Column(title, justify="right", **layout)


def name_column(title: str, min_width: int = 6) -> Column:
    """Return a column of names, which may be long."""
    return Column(title, overflow="fold", min_width=min_width)


def shown_points(points: int, total: int, shown_total: str) -> str:
    """Return the points of a category as people see them: with ``?`` while the total may change.

    Args:
        points: Points as read.
        total: Total of the player or city, as read.
        shown_total: The same as people see it, by ``ShownNumbers``.
    """
    return str(points) if shown_total == str(total) else f"{points}?"


def print_points(
    console: Console,
    heads: Sequence[str],
    points: Sequence[tuple[str, Sequence[str]]],
    totals: Sequence[str],
    min_width: int = 1,
) -> None:
    """Print points by category, as many columns beside each other as fit.

    Args:
        console: Console to print on.
        heads: Heads of the columns.
        points: Name of each category and its points in each column, by ``shown_points`` or, where
            the part of each category that may change is known, by ``ShownNumbers.part``.
        totals: Totals of the columns.
        min_width: Smallest width of a column, in characters.
    """
    labels = [*(label for label, _worth in points), _("total")]
    room = console.width - max(map(cell_len, labels)) - _COLUMN_FRAME - 1
    widths = [min(max(cell_len(head), min_width), _MAX_HEAD_WIDTH) for head in heads]
    columns = zip(totals, *(worth for _label, worth in points), strict=True)
    widths = [max(wide, *map(len, column)) for wide, column in zip(widths, columns, strict=True)]
    for part in _side_by_side(widths, room):
        rows = ruled_table("", *(_head(heads[index], min_width) for index in part))
        for label, worth in points:
            rows.add_row(label, *(worth[index] for index in part))
        rows.add_section()
        rows.add_row(_("total"), *(totals[index] for index in part), style="bold")
        console.print(rows)


def _head(head: str, min_width: int) -> Column:
    return number_column(
        Text(head), overflow="fold", min_width=min_width, max_width=_MAX_HEAD_WIDTH
    )


def _side_by_side(widths: Sequence[int], room: int) -> Iterator[range]:
    """Split columns into runs that each fit into the room, of one column at least."""
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
) -> RichTable:
    """Return a table of points, their reasons and cells, and the total."""
    cells = Column(cells_title, width=min(_MAX_CELLS_WIDTH, width // 3))
    reason = Column(_("for"), ratio=1, overflow="fold")
    head = Text(title, style="bold")
    rows = titled_table(head, number_column(_("points")), reason, cells, box=None, expand=True)
    for points, sentence, places in reasons:
        rows.add_row(points, sentence, short_cells(places))
    rows.add_row(total, _("total"), style="bold")
    return rows


def ranks_table(
    ranks: Sequence[int],
    players: Sequence[Sequence[str]],
    numbers: ShownNumbers,
    *columns: Column,
    width: int = _WIDTH_FOR_PADDING,
) -> RichTable:
    """Return a table of the players, the best first.

    Args:
        ranks: Rank of each player as read.
        players: Name of each player, then the entries of the further columns.
        numbers: Points and ranks as people see them.
        *columns: Further columns.
        width: Width of the terminal; ranges need more of a narrow one.
    """
    heads = (number_column(_("rank"), min_width=4), name_column(_("player")))
    room = width if numbers.ranges is not None else _WIDTH_FOR_PADDING
    rows = ruled_table(*heads, *columns, width=room)
    for seat in sorted(range(len(ranks)), key=ranks.__getitem__):
        style = "bold" if ranks[seat] == 1 else ""
        shown = numbers.rank(seat, ranks[seat]).removesuffix("?")
        rows.add_row(shown, *map(Text, players[seat]), style=style)
    return rows


def print_legend(console: Console, entries: Iterable[str]) -> None:
    """Print the meaning of the letters on a board, below it."""
    console.print()
    console.print(Text(wrap_items(entries, console.width), style="dim"))


def print_tie_breaks(
    console: Console,
    sheet: Any,
    shown: Sequence[str],
    tie_words: Callable[[Any, Sequence[str]], str],
) -> None:
    """Print a line on each player who has the same points as others.

    Args:
        console: Console to print on.
        sheet: Sheet of a game whose players have ``rank`` and ``tie_break``.
        shown: Names of the players.
        tie_words: Function that words a tie-break, given the names.
    """
    players = sorted(enumerate(sheet.players), key=lambda player: player[1].rank)
    tied = [(shown[index], player.tie_break) for index, player in players if player.tie_break]
    if tied:
        console.print(Text(_("Tie-breaks:")))
        for name, tie in tied:
            line = Text(f"{name}, {tie_words(tie, shown)}")
            console.print(Padding(line, (0, 0, 0, 2), expand=False))
        console.print()


def print_missing(console: Console, places: Sequence[CityCell], title: str = "") -> None:
    """Print the places that were scored without a tile, if any, after a title."""
    if places:
        title = title or _("Scored without the missing tiles:")
        text = wrap_items(map(place_words, places), console.width, title=title)
        console.print(Text(text, style=UNSURE_STYLE))


def winner_of(
    sheet: Any,
    shown: Sequence[str],
    numbers: ShownNumbers,
    tie_words: Callable[[Any, Sequence[str]], str] | None = None,
) -> str:
    """Return the sentence that names the winner of a sheet, or those who can still win.

    Args:
        sheet: Sheet of a game whose players have ``final`` and ``tie_break``.
        shown: Names of the players.
        numbers: Points and ranks as people see them.
        tie_words: Function that words a tie-break, given the names; None if nothing breaks ties.
    """
    best = sheet.winners[0]
    first = sheet.players[best]
    is_decided = first.tie_break is not None and numbers.ranges is None
    decided_by = tie_words(first.tie_break, shown) if tie_words and is_decided else None
    winners = [shown[index] for index in sheet.winners]
    sentence = winner_sentence(winners, numbers.final(best, first.final), first.final, decided_by)
    return result_sentence(numbers, shown, sentence)


def print_result(console: Console, doubts: Doubts | None, sentence: str) -> None:
    """Print the doubts that may still change the result, and the result."""
    if doubts is not None and doubts.count:
        changing = _("May change: {doubts}").format(doubts=_doubts_in_words(doubts))
        console.print(Text(changing, style=UNSURE_STYLE))
    console.print(Text(sentence, style="bold"))


def _doubts_in_words(doubts: Doubts) -> str:
    """Return the number of doubts of each kind in words: ``2 tiles to check, 1 note to read``."""
    counted = [(len(doubts.unread), _UNREAD)]
    counted += [(len(doubts.read_of_kind(kind)), wording) for kind, wording in _TO_CHECK]
    counted += [(len(doubts.missing_places), _MISSING), (len(doubts.notes), _TO_READ)]
    return ", ".join(_n(*wording, count) for count, wording in counted if count)
