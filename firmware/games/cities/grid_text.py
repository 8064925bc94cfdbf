"""The fields of cities as letters, with the tourists who stand on them."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.games.cities.sentences import field_name
from firmware.language import _
from firmware.text_layout import wrapped
from scoring.faces import Field, city_name
from scoring.games.cities.notation import FIELD_OF_LETTER, format_city
from scoring.games.cities.table import CITY_SIZE, City

_TOURIST: Final = "*"
"""Stands after the letter of a field: small letters alone are easily missed."""
_GAP: Final = 2
_CITY_WIDTH: Final = len("0 ") + CITY_SIZE * len("S*")

_LETTERS: Final = {field: letter for letter, field in FIELD_OF_LETTER.items()}
_STYLES: Final = {
    Field.SIGHT: "black on yellow",
    Field.CAFE: "white on red",
    Field.PARK: "black on green",
    Field.WATER: "white on blue",
    None: "",
}
_TOURIST_STYLE: Final = "bold black on bright_white"


def print_cities(console: Console, cities: Sequence[City], names: Sequence[str]) -> None:
    """The fields of each city as letters, as many cities side by side as there is room for.

    Numbers of rows and columns stand at the edges; below is what the letters mean.

    Args:
        console: where to print.
        cities: cities that have been scored.
        names: of their players, printable.
    """
    per_line = max(1, (console.width + _GAP) // (_CITY_WIDTH + _GAP))
    for start in range(0, len(cities), per_line):
        side_by_side = range(start, min(start + per_line, len(cities)))
        block = Rows.grid(padding=(0, _GAP))
        for _index in side_by_side:
            block.add_column(width=_CITY_WIDTH, overflow="fold", vertical="bottom")
        block.add_row(*(_title(index, names[index]) for index in side_by_side))
        block.add_row(*(_city_text(cities[index]) for index in side_by_side))
        console.print()
        console.print(block)
    console.print()
    console.print(Text(wrapped(_legend(cities), console.width), style="dim"))


def _title(index: int, name: str) -> Text:
    return Text(f"{city_name(index)} {name}", style="bold")


def _city_text(city: City) -> Text:
    edge = " ".join(map(str, range(CITY_SIZE)))
    text = Text(no_wrap=True)
    text.append(f"  {edge}", "dim")
    for row, letters in enumerate(format_city(city).split("/")):
        text.append(f"\n{row} ", "dim")
        for column, letter in enumerate(letters):
            if (row, column) in city.tourists:
                text.append(letter + _TOURIST, _TOURIST_STYLE)
            else:
                text.append(f"{letter} ", _STYLES[city.fields[row][column]])
    return text


def _legend(cities: Sequence[City]) -> list[str]:
    shown = {field for city in cities for row in city.fields for field in row}
    legend = [f"{_LETTERS[field]} {field_name(field)}" for field in Field if field in shown]
    if None in shown:
        legend.append(_LETTERS[None] + " " + _("no field"))
    if any(city.tourists for city in cities):
        legend.append(_TOURIST + " " + _("tourist (small letter)"))
    return legend
