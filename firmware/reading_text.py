"""A reading as text for a terminal: the tiles of each city, and what a person has to look at.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import doubts_of
from firmware.errors import printable
from firmware.positions import position_in_photo
from firmware.scan import all_notes
from firmware.sentences import face_name
from scoring.faces import Cell, Face, Grid, Place, city_name
from scoring.games.between_two_cities.notation import FACE_OF_LETTER
from vision.reading import Reading

CHECK_STYLE: Final = "bold yellow"

_LETTERS: Final = {face: letter for letter, face in FACE_OF_LETTER.items()}
_MOST_ALTERNATIVES: Final = 2
"""Of other faces that are shown for an unsure tile; the JSON has all."""
_NARROW: Final = 80
"""In fewer columns the ways to correct a tile stand on lines of their own."""


def print_reading(console: Console, reading: Reading) -> None:
    """What was read from one photo."""
    cities = len(reading.cities)
    found = "no city" if cities == 0 else "1 city" if cities == 1 else f"{cities} cities"
    console.print(Text(f"{printable(reading.photo)}: {found}", style="bold"), soft_wrap=True)
    print_grids(console, [city.grid for city in reading.cities], doubts_of(reading).unsure)
    print_checks(console, reading, with_correction=False)
    print_notes(console, all_notes(reading))


def print_grids(console: Console, grids: Sequence[Grid], unsure: Iterable[Place] = ()) -> None:
    """The tiles of each city as letters, with what the letters mean.

    Args:
        console: where to print.
        grids: of the cities in their order.
        unsure: places to mark with ``?``.
    """
    if not grids:
        return
    marked = set(unsure)
    blocks: list[RenderableType] = [
        _grid_text(index, grid, {cell for city, cell in marked if city == index})
        for index, grid in enumerate(grids)
    ]
    console.print()
    console.print(Columns(blocks, padding=(1, 2)))
    shown = {face for grid in grids for row in grid for face in row}
    legend = [f"{_LETTERS[face]} {face_name(face)}" for face in Face if face in shown]
    if None in shown:
        legend.append(f"{_LETTERS[None]} no tile")
    if marked:
        legend.append("? unsure")
    console.print()
    console.print(Text(wrapped(legend, console.width), style="dim"))


def print_checks(console: Console, reading: Reading, *, with_correction: bool) -> None:
    """The cities that were not read and the tiles to look at, and what may lie there.

    Args:
        console: where to print.
        reading: after a person's corrections.
        with_correction: also say which option puts a tile right.
    """
    doubts = doubts_of(reading)
    places = sorted({*doubts.unsure, *doubts.missing})
    if doubts.count == 0:
        return
    console.print()
    console.print(Text(f"Please check ({doubts.count}):", style=CHECK_STYLE))
    for region in reading.unread:
        where = position_in_photo(region.corners_px, reading.size_wh)
        console.print(Text(f"  city not read, {where} of the photo: {printable(region.why)}"))
    if not with_correction or console.width >= _NARROW:
        rows = Rows(box=None, show_header=False, padding=(0, 0, 0, 2))
        for place in places:
            correction = (_correction(reading, place),) if with_correction else ()
            rows.add_row(place_name(place), *_what_may_lie(reading, place), *correction)
        if places:
            console.print(rows)
        return
    for place in places:
        said = " ".join((place_name(place), *_what_may_lie(reading, place))).rstrip()
        console.print(Text(f"  {said}"))
        console.print(Text("    ") + _correction(reading, place))


def print_notes(console: Console, notes: Iterable[str]) -> None:
    """What was odd, a paragraph each."""
    for note in notes:
        console.print(Text(f"Note: {printable(note)}"))


def place_name(place: Place) -> str:
    """A place as people and corrections name it: ``A 2,3``."""
    city, (row, column) = place
    return f"{city_name(city)} {row},{column}"


def wrapped(items: Iterable[str], width: int, *, title: str = "") -> str:
    """A title and items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")


def _grid_text(index: int, grid: Grid, unsure: set[Cell]) -> Text:
    text = Text(no_wrap=True)
    text.append(f"{city_name(index)}\n", style="bold")
    for row, faces in enumerate(grid):
        for column, face in enumerate(faces):
            is_unsure = (row, column) in unsure
            mark = "?" if is_unsure else " "
            text.append(_LETTERS[face] + mark, CHECK_STYLE if is_unsure else "")
        text.append("\n")
    text.right_crop(1)
    return text


def _what_may_lie(reading: Reading, place: Place) -> tuple[str, str]:
    index, (row, column) = place
    city = reading.cities[index]
    face = city.grid[row][column]
    others = [other.value for other in city.alternatives.get((row, column), ())]
    return (
        "no tile" if face is None else face.value,
        f"or {', '.join(others[:_MOST_ALTERNATIVES])}" if others else "",
    )


def _correction(reading: Reading, place: Place) -> Text:
    """The option that would correct a place, to be copied as it stands."""
    index, (row, column) = place
    others = reading.cities[index].alternatives.get((row, column), ())
    said = others[0].value if others else "FACE"
    return Text(f"--set {city_name(index)}:{row},{column}={said}", no_wrap=True)
