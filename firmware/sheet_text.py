"""A score sheet, and a reading, as text for a terminal of 80 columns.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from firmware.errors import printable
from firmware.scan import Scan, all_notes
from firmware.sentences import category_name, face_name, reason_sentence, tie_break_sentence
from scoring.faces import Cell, Face, Grid
from scoring.notation import FACE_OF_LETTER
from scoring.sheet import Category, CityScore, PlayerScore, Sheet
from scoring.table import Table, Variant
from vision.reading import Reading, city_name

_LETTERS: Final = {face: letter for letter, face in FACE_OF_LETTER.items()}
_CHECK: Final = "bold yellow"
_MOST_ALTERNATIVES: Final = 2
"""Of other faces that are shown for an unsure tile; the JSON has all."""

Place = tuple[int, Cell]
"""Index of the city, and row and column in it."""


def print_scan(console: Console, scan: Scan, *, reasons: bool = False) -> None:
    """The sheet of a photo, and what a person has to look at."""
    unsure = _unsure_places(scan.reading)
    print_sheet(console, scan.sheet, scan.table, unsure=unsure, reasons=reasons)
    _print_checks(console, scan.reading, with_correction=True)
    _print_notes(console, scan.notes)


def print_sheet(
    console: Console,
    sheet: Sheet,
    table: Table,
    *,
    unsure: Sequence[Place] = (),
    reasons: bool = False,
) -> None:
    """The cities, their points by type, the players by rank, and the winner.

    Args:
        console: where to print.
        sheet: the score of the table.
        table: what was scored.
        unsure: places to mark with ``?``.
        reasons: also say why each point is given.
    """
    _print_grids(console, [city.grid for city in table.cities], unsure)
    console.print(_points_table(sheet))
    if reasons:
        for city in sheet.cities:
            console.print(_reasons_table(city))
    console.print(_players_table(sheet))
    console.print(Text(_winner_line(sheet), style="bold"))
    if sheet.missing:
        places = [_place(city, cell) for city, cell in sheet.missing]
        places[0] = f"Scored without the missing tiles: {places[0]}"
        console.print(Text(_wrapped(places, console.width), style=_CHECK))


def print_reading(console: Console, reading: Reading) -> None:
    """What was read from one photo."""
    cities = len(reading.cities)
    found = "no city" if cities == 0 else "1 city" if cities == 1 else f"{cities} cities"
    console.print(Text(f"{printable(reading.photo)}: {found}", style="bold"), soft_wrap=True)
    _print_grids(console, [city.grid for city in reading.cities], _unsure_places(reading))
    _print_checks(console, reading, with_correction=False)
    _print_notes(console, all_notes(reading))


def _unsure_places(reading: Reading) -> list[Place]:
    return [(index, cell) for index, city in enumerate(reading.cities) for cell in city.unsure]


def _place(city: int, cell: Cell) -> str:
    return f"{city_name(city)} {cell[0]},{cell[1]}"


def _print_grids(console: Console, grids: Sequence[Grid], unsure: Iterable[Place]) -> None:
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
    console.print(Text(_wrapped(legend, console.width), style="dim"))


def _wrapped(items: Iterable[str], width: int) -> str:
    """The items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    return textwrap.fill(text, width, break_long_words=False).replace(no_break_space, " ")


def _grid_text(index: int, grid: Grid, unsure: set[Cell]) -> Text:
    text = Text(no_wrap=True)
    text.append(f"{city_name(index)}\n", style="bold")
    for row, faces in enumerate(grid):
        for column, face in enumerate(faces):
            is_unsure = (row, column) in unsure
            text.append(_LETTERS[face] + ("?" if is_unsure else " "), _CHECK if is_unsure else "")
        text.append("\n")
    text.right_crop(1)
    return text


def _points_table(sheet: Sheet) -> Rows:
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column("")
    for city in sheet.cities:
        rows.add_column(city.name, justify="right")
    for category in Category:
        rows.add_row(
            category_name(category), *(str(city.points[category]) for city in sheet.cities)
        )
    rows.add_section()
    rows.add_row("total", *(str(city.total) for city in sheet.cities), style="bold")
    return rows


def _reasons_table(city: CityScore) -> Rows:
    rows = Rows(box=None, title=f"City {city.name}", title_justify="left", title_style="bold")
    rows.add_column("points", justify="right")
    rows.add_column("for", ratio=1)
    rows.add_column("cells (row,column)", max_width=36)
    for reason in city.reasons:
        cells = " ".join(f"{row},{column}" for row, column in reason.cells)
        rows.add_row(str(reason.points), reason_sentence(reason), cells)
    rows.add_row(Text(str(city.total), style="bold"), Text("total", style="bold"))
    return rows


def _players_table(sheet: Sheet) -> Rows:
    is_sum = sheet.variant is Variant.TWO_PLAYER
    names = [printable(player.name) for player in sheet.players]
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column("rank", justify="right")
    rows.add_column("player", overflow="fold")
    rows.add_column("left city")
    rows.add_column("right city")
    rows.add_column("both" if is_sum else "lower", justify="right")
    has_ties = any(player.tie_break for player in sheet.players)
    if has_ties:
        rows.add_column("tie-break")
    for player in sorted(sheet.players, key=lambda player: player.rank):
        cities = (sheet.cities[index] for index in player.cities)
        rows.add_row(
            str(player.rank),
            printable(player.name),
            *(f"{city.name} {city.total}" for city in cities),
            str(player.final),
            *((_tie_break(player, names),) if has_ties else ()),
            style="bold" if player.rank == 1 else "",
        )
    return rows


def _tie_break(player: PlayerScore, names: Sequence[str]) -> str:
    return "" if player.tie_break is None else tie_break_sentence(player.tie_break, names)


def _winner_line(sheet: Sheet) -> str:
    names = [printable(player.name) for player in sheet.players]
    first = sheet.players[sheet.winners[0]]
    winners = [names[index] for index in sheet.winners]
    if len(winners) > 1:
        together = f"{', '.join(winners[:-1])} and {winners[-1]}"
        return f"{together} share the victory with {first.final} points"
    decided = f" by tie-break, {_tie_break(first, names)}" if first.tie_break else ""
    return f"{winners[0]} wins with {first.final} points{decided}"


def _print_checks(console: Console, reading: Reading, *, with_correction: bool) -> None:
    """The places where a person must look, what may lie there, and how to say so."""
    rows = Rows(box=None, show_header=False, padding=(0, 0, 0, 2))
    for index, city in enumerate(reading.cities):
        missing = [
            (row, column)
            for row, faces in enumerate(city.grid)
            for column, face in enumerate(faces)
            if face is None
        ]
        for cell in sorted({*city.unsure, *missing}):
            face = city.grid[cell[0]][cell[1]]
            others = [other.value for other in city.alternatives.get(cell, ())]
            cells: list[str | Text] = [
                _place(index, cell),
                "no tile" if face is None else face.value,
            ]
            cells.append(f"or {', '.join(others[:_MOST_ALTERNATIVES])}" if others else "")
            if with_correction:
                likeliest = Face(others[0]) if others else None
                cells.append(_correction(index, cell, likeliest))
            rows.add_row(*cells)
    if rows.row_count == 0:
        return
    console.print()
    console.print(Text(f"Please check ({rows.row_count}):", style=_CHECK))
    console.print(rows)


def _correction(city: int, cell: Cell, face: Face | None) -> Text:
    """The option that would correct a place, to be copied as it stands."""
    said = face.value if face else "FACE"
    return Text(f"--set {city_name(city)}:{cell[0]},{cell[1]}={said}", no_wrap=True)


def _print_notes(console: Console, notes: Iterable[str]) -> None:
    for note in notes:
        console.print(Text(f"Note: {printable(note)}"))
