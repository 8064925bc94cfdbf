"""A reading as text for a terminal: the tiles of each city, and what a person has to look at.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import doubts_of
from firmware.errors import printable
from firmware.eye_words import in_own_words
from firmware.games.between_two_cities.grid_text import print_grids
from firmware.language import _, _n
from firmware.positions import position_in_photo
from firmware.scan import all_notes
from firmware.text_layout import CHECK_STYLE, place_name
from scoring.faces import Cell, Place, city_name
from vision.reading import Reading

_MOST_ALTERNATIVES: Final = 2
"""Of other faces that are shown for an unsure tile; the JSON has all."""
_NARROW: Final = 80
"""In fewer columns the ways to correct a tile stand on lines of their own."""


def print_reading(console: Console, reading: Reading) -> None:
    """What was read from one photo."""
    cities = len(reading.cities)
    found = _n("{n} city", "{n} cities", cities) if cities else _("no city")
    console.print(Text(f"{printable(reading.photo)}: {found}", style="bold"), soft_wrap=True)
    print_grids(console, [city.grid for city in reading.cities], doubts_of(reading).unsure)
    _print_duplexes(console, reading)
    print_checks(console, reading, with_correction=False)
    print_notes(console, all_notes(reading))


def _print_duplexes(console: Console, reading: Reading) -> None:
    """Where duplex tiles were seen; nothing is scored by them."""
    places = [
        f"{city_name(index)}:{_cell(first)}-{_cell(second)}"
        for index, city in enumerate(reading.cities)
        for first, second in city.duplexes
    ]
    if places:
        console.print(Text(_("Duplex tiles: {places}").format(places=" ".join(places))))


def _cell(cell: Cell) -> str:
    row, column = cell
    return f"{row},{column}"


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
    console.print(Text(_("Please check ({n}):").format(n=doubts.count), style=CHECK_STYLE))
    for region in reading.unread:
        where = position_in_photo(region.corners_px, reading.size_wh)
        said = _("city not read, {where} of the photo: {why}")
        console.print(
            Text(f"  {said.format(where=where, why=printable(in_own_words(region.why)))}")
        )
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
        console.print(Text(_("Note: {note}").format(note=printable(in_own_words(note)))))


def _what_may_lie(reading: Reading, place: Place) -> tuple[str, str]:
    index, (row, column) = place
    city = reading.cities[index]
    face = city.grid[row][column]
    others = [other.value for other in city.alternatives.get((row, column), ())]
    return (
        _("no tile") if face is None else face.value,
        _("or {faces}").format(faces=", ".join(others[:_MOST_ALTERNATIVES])) if others else "",
    )


def _correction(reading: Reading, place: Place) -> Text:
    """The option that would correct a place, to be copied as it stands."""
    index, (row, column) = place
    others = reading.cities[index].alternatives.get((row, column), ())
    said = others[0].value if others else "FACE"
    return Text(f"--set {city_name(index)}:{row},{column}={said}", no_wrap=True)
