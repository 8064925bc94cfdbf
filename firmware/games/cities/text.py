"""A sheet of Cities as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubts
from firmware.errors import printable
from firmware.games.cities import words
from firmware.games.colours import player_name
from firmware.language import _
from firmware.places import cell_words, cells_words
from firmware.text_layout import (
    CHECK_STYLE,
    by_rank,
    place_words,
    print_legend,
    print_may_change,
    print_tie_breaks,
    titled_rows,
    winner_sentence,
    wrapped,
)
from scoring.faces import Field, city_name
from scoring.games.cities.notation import LETTER_OF_FIELD, format_city
from scoring.games.cities.sheet import Category, PlayerScore, Sheet
from scoring.games.cities.table import CITY_SIZE, City, Table

_COLUMN_FRAME: Final = 3
"""Columns that a table with a line below its head takes beside the text of each column."""
_LIST_FRAME: Final = 4
"""Columns that a list takes beside the text of its two columns."""
_LEAST_PLAYER_WIDTH: Final = len("123?")
_MOST_PLAYER_WIDTH: Final = 16
_MOST_CELLS_WIDTH: Final = 36
"""Columns for the cells of a reason: nine of them."""


def print_sheet(
    console: Console, sheet: Sheet, table: Table, doubts: Doubts | None, *, reasons: bool
) -> None:
    """The cities, their points by category, the tourists, the players by rank, and the winner.

    Points that a missing field may still change have a ``?``, and a line before the winner says
    why. See ``firmware.games.Game.print_sheet``.
    """
    names = [printable(player_name(player.name)) for player in sheet.players]
    finals = _finals(sheet)
    console.print(Text(words.level_heading(sheet.level), style="bold"))
    _print_cities(console, table.cities, names)
    _print_points(console, sheet, names, finals)
    console.print(_tourists_table(sheet, names, console.width))
    if reasons:
        for index, player in enumerate(sheet.players):
            title = f"{city_name(index)} {names[index]}"
            console.print()
            console.print(_reasons_table(player, title, finals[index], console.width))
    is_alone = len(sheet.players) == 1
    console.print("" if is_alone else _players_table(sheet, names, finals))
    ranked = by_rank(sheet.players)
    tied = ((names[index], sheet.players[index].tie_break) for index in ranked)
    told = [f"{name}, {words.tie_break_sentence(tie, names)}" for name, tie in tied if tie]
    print_tie_breaks(console, told)
    if sheet.missing:
        title = _("Points with ? may change, these fields are missing:")
        places = [place_words(place) for place in sheet.missing]
        console.print(Text(wrapped(places, console.width, title=title), style=CHECK_STYLE))
    print_may_change(console, doubts)
    console.print(Text(_last_line(sheet, names, finals), style="bold"))


def _finals(sheet: Sheet) -> list[str]:
    """The final points of each player, with ``?`` where fields are missing."""
    incomplete = {city for city, _cell in sheet.missing}
    return [
        f"{player.final}?" if index in incomplete else f"{player.final}"
        for index, player in enumerate(sheet.players)
    ]


def _print_points(
    console: Console, sheet: Sheet, names: Sequence[str], finals: Sequence[str]
) -> None:
    """Points by category, as many players beside each other as there is room for."""
    labels = [*map(words.category_name, Category), _("total")]
    room = console.width - max(map(cell_len, labels)) - _COLUMN_FRAME - 1
    widths = [min(max(cell_len(n), _LEAST_PLAYER_WIDTH), _MOST_PLAYER_WIDTH) for n in names]
    for players in _side_by_side(widths, room):
        rows = Rows(box=box.SIMPLE_HEAD)
        rows.add_column("")
        for player in players:
            rows.add_column(
                Text(names[player]),
                justify="right",
                overflow="fold",
                min_width=_LEAST_PLAYER_WIDTH,
                max_width=_MOST_PLAYER_WIDTH,
            )
        for category in Category:
            points = (str(sheet.players[player].points[category]) for player in players)
            rows.add_row(words.category_name(category), *points)
        rows.add_section()
        rows.add_row(_("total"), *(finals[player] for player in players), style="bold")
        console.print(rows)


def _side_by_side(widths: Sequence[int], room: int) -> Iterator[range]:
    """Split columns into runs that each fit into the room, with one column at least."""
    start, taken = 0, 0
    for index, width in enumerate(widths):
        taken += width + _COLUMN_FRAME
        if taken > room and index > start:
            yield range(start, index)
            start, taken = index, width + _COLUMN_FRAME
    yield range(start, len(widths))


def _tourists_table(sheet: Sheet, names: Sequence[str], width: int) -> Rows:
    """What each tourist is worth, in the order in which ties are broken."""
    name_width = min(max(map(cell_len, names)), width // 3)
    list_width = max(1, width - name_width - _LIST_FRAME)
    title = _("Tourists, best first: points (row,column)")
    rows = titled_rows(title, box=None, show_header=False, pad_edge=True)
    rows.add_column(width=name_width, overflow="fold")
    rows.add_column(width=list_width, overflow="fold")
    for player, name in zip(sheet.players, names, strict=True):
        best_first = sorted(player.tourists, key=lambda tourist: tourist.points, reverse=True)
        items = [f"{tourist.points} ({cell_words(tourist.at)})" for tourist in best_first]
        rows.add_row(Text(name), wrapped(items or [_("no tourist in the city")], list_width))
    return rows


def _reasons_table(player: PlayerScore, title: str, final: str, width: int) -> Rows:
    """Why each tourist is worth their points, under a line for each tourist."""
    rows = titled_rows(Text(title, style="bold"), box=None, expand=True)
    rows.add_column(_("points"), justify="right")
    rows.add_column(_("for"), ratio=1, overflow="fold")
    rows.add_column(_("fields (row,column)"), width=min(_MOST_CELLS_WIDTH, width // 3))
    for tourist in player.tourists:
        rows.add_row("", Text(words.tourist_heading(tourist), style="bold"))
        for reason in player.reasons:
            if reason.tourist == tourist.at:
                fields = cells_words(reason.cells)
                rows.add_row(str(reason.points), words.reason_sentence(reason), fields)
    rows.add_row(final, _("total"), style="bold")
    return rows


def _players_table(sheet: Sheet, names: Sequence[str], finals: Sequence[str]) -> Rows:
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column(_("rank"), justify="right")
    rows.add_column(_("player"), overflow="fold")
    rows.add_column(_("points"), justify="right")
    for index in by_rank(sheet.players):
        rank = sheet.players[index].rank
        style = "bold" if rank == 1 else ""
        rows.add_row(str(rank), Text(names[index]), finals[index], style=style)
    return rows


def _last_line(sheet: Sheet, names: Sequence[str], finals: Sequence[str]) -> str:
    """Who has won, or what somebody has reached who played alone."""
    first = sheet.players[sheet.winners[0]]
    winners = [names[index] for index in sheet.winners]
    # Those who share the victory have the same points: marked if those of any may change
    points = max((finals[index] for index in sheet.winners), key=len)
    if len(sheet.players) == 1:
        return words.alone_sentence(winners[0], first.final, points, sheet.level)
    tie_break = first.tie_break
    decided_by = None if tie_break is None else words.tie_break_sentence(tie_break, names)
    return winner_sentence(winners, points, first.final, decided_by)


_TOURIST: Final = "*"
"""Stands after the letter of a field: small letters alone are easily missed."""
_GAP: Final = 2
_CITY_WIDTH: Final = len("0 ") + CITY_SIZE * len("S*")

_STYLES: Final = {
    Field.SIGHT: "black on yellow",
    Field.CAFE: "white on red",
    Field.PARK: "black on green",
    Field.WATER: "white on blue",
    None: "",
}
_TOURIST_STYLE: Final = "bold black on bright_white"


def _print_cities(console: Console, cities: Sequence[City], names: Sequence[str]) -> None:
    """The fields of each city as letters, as many cities side by side as there is room for.

    Numbers of rows and columns stand at the edges; below is what the letters mean.
    """
    per_line = max(1, (console.width + _GAP) // (_CITY_WIDTH + _GAP))
    for start in range(0, len(cities), per_line):
        side_by_side = range(start, min(start + per_line, len(cities)))
        block = Rows.grid(padding=(0, _GAP))
        for _index in side_by_side:
            block.add_column(width=_CITY_WIDTH, overflow="fold", vertical="bottom")
        titles = (f"{city_name(index)} {names[index]}" for index in side_by_side)
        block.add_row(*(Text(title, style="bold") for title in titles))
        block.add_row(*(_city_text(cities[index]) for index in side_by_side))
        console.print()
        console.print(block)
    print_legend(console, _legend(cities))


def _city_text(city: City) -> Text:
    edge = " ".join(map(str, range(1, CITY_SIZE + 1)))
    text = Text(no_wrap=True)
    text.append(f"  {edge}", "dim")
    for row, letters in enumerate(format_city(city).split("/")):
        text.append(f"\n{row + 1} ", "dim")
        for column, letter in enumerate(letters):
            if (row, column) in city.tourists:
                text.append(letter + _TOURIST, _TOURIST_STYLE)
            else:
                text.append(f"{letter} ", _STYLES[city.fields[row][column]])
    return text


def _legend(cities: Sequence[City]) -> list[str]:
    shown = {field for city in cities for row in city.fields for field in row}
    legend = [
        f"{LETTER_OF_FIELD[field]} {words.field_name(field)}" for field in Field if field in shown
    ]
    if None in shown:
        legend.append(LETTER_OF_FIELD[None] + " " + _("no field"))
    if any(city.tourists for city in cities):
        legend.append(_TOURIST + " " + _("tourist (small letter)"))
    return legend
