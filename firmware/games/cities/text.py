"""A sheet of Cities as text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.language import _
from firmware.games.cities import words
from firmware.games.doubts import Doubts
from firmware.games.player_words import shown_name
from firmware.games.text_layout import (
    StyledLine,
    number_column,
    print_legend,
    print_missing,
    print_points,
    print_result,
    print_side_by_side,
    print_tie_breaks,
    ranks_table,
    reasons_table,
    shown_points,
    titled_table,
    winner_of,
    wrap_items,
)
from firmware.wording.places import short_cell
from firmware.wording.ranges import ShownNumbers
from scoring.faces import Cell, Field, city_name
from scoring.games.cities.notation import LETTER_OF_FIELD, format_city
from scoring.games.cities.score_sheet import Category, PlayerScore, ScoreSheet
from scoring.games.cities.table import CITY_SIZE, City, Table

_LIST_FRAME: Final = 4
"""Columns that a list takes beside the text of its two columns."""
_TOURIST: Final = "*"
"""Stands after the letter of a field: small letters alone are easily missed."""
_CITY_WIDTH: Final = len("0 ") + CITY_SIZE * len("S*")
_STYLES: Final = {
    Field.SIGHT: "black on yellow",
    Field.CAFE: "white on red",
    Field.PARK: "black on green",
    Field.WATER: "white on blue",
    None: "",
}
_TOURIST_STYLE: Final = "bold black on bright_white"


def print_score_sheet(
    console: Console,
    sheet: ScoreSheet,
    table: Table,
    doubts: Doubts | None,
    numbers: ShownNumbers,
    *,
    reasons: bool,
) -> None:
    """Print the cities, their points by category, the tourists, the ranking, and the winner.

    Points that may still change are shown as ``numbers`` gives them, and lines before the winner
    give the reasons. See ``firmware.games.game.Game.print_score_sheet``.
    """
    names = [printable(shown_name(player.name)) for player in sheet.players]
    titles = [f"{city_name(index)} {name}" for index, name in enumerate(names)]
    finals = [numbers.final(seat, player.final) for seat, player in enumerate(sheet.players)]
    console.print(Text(words.level_heading(sheet.level), style="bold"))
    lettered = [(title, _lines(city)) for title, city in zip(titles, table.cities, strict=True)]
    print_side_by_side(console, lettered, _CITY_WIDTH)
    print_legend(console, _legend(table.cities))
    points = [
        (
            words.category_name(each),
            [
                shown_points(player.points[each], player.final, final)
                for player, final in zip(sheet.players, finals, strict=True)
            ],
        )
        for each in Category
    ]
    print_points(console, names, points, finals, min_width=len("123?"))
    console.print(_tourists_table(sheet, names, console.width))
    if reasons:
        cells = _("fields (row/column)")
        for title, player, final in zip(titles, sheet.players, finals, strict=True):
            console.print()
            console.print(reasons_table(title, cells, _reasons(player), final, console.width))
    ranks = [player.rank for player in sheet.players]
    is_alone = len(ranks) == 1
    ranked = list(zip(names, finals, strict=True))
    points_column = number_column(_("points"))
    console.print("" if is_alone else ranks_table(ranks, ranked, numbers, points_column))
    print_tie_breaks(console, sheet, names, words.tie_break_sentence)
    title = _("Points with ? may change, these fields are missing:")
    print_missing(console, sheet.missing, title)
    if is_alone:
        sentence = words.alone_sentence(names[0], sheet.players[0].final, finals[0], sheet.level)
    else:
        sentence = winner_of(sheet, names, numbers, words.tie_break_sentence)
    print_result(console, doubts, sentence)


def _tourists_table(sheet: ScoreSheet, names: Sequence[str], width: int) -> RichTable:
    """Return the points of each tourist, in the order in which ties are broken."""
    name_width = min(max(map(cell_len, names)), width // 3)
    list_width = max(1, width - name_width - _LIST_FRAME)
    columns = (Column(width=each, overflow="fold") for each in (name_width, list_width))
    title = _("Tourists, best first: points (row/column)")
    rows = titled_table(title, *columns, box=None, show_header=False, pad_edge=True)
    for player, name in zip(sheet.players, names, strict=True):
        best_first = sorted(player.tourists, key=lambda tourist: tourist.points, reverse=True)
        items = [f"{tourist.points} ({short_cell(tourist.at)})" for tourist in best_first]
        rows.add_row(Text(name), wrap_items(items or [_("no tourist in the city")], list_width))
    return rows


def _reasons(player: PlayerScore) -> Iterator[tuple[str, str | Text, Iterable[Cell]]]:
    """Yield the reasons of a player's points, under a heading for each tourist."""
    for tourist in player.tourists:
        yield "", Text(words.tourist_heading(tourist), style="bold"), ()
        for reason in player.reasons:
            if reason.tourist == tourist.at:
                yield str(reason.points), words.reason_sentence(reason), reason.cells


def _lines(city: City) -> Iterator[StyledLine]:
    """Yield the rows of fields as letters, with the numbers of rows and columns."""
    yield [("  " + " ".join(map(str, range(1, CITY_SIZE + 1))), "dim")]
    for row, letters in enumerate(format_city(city).split("/")):
        yield [
            (f"{row + 1} ", "dim"),
            *(
                (letter + _TOURIST, _TOURIST_STYLE)
                if (row, column) in city.tourists
                else (f"{letter} ", _STYLES[city.fields[row][column]])
                for column, letter in enumerate(letters)
            ),
        ]


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
