"""The tiles of cities as letters."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.text import Text

from firmware.games.between_two_cities.sentences import face_name
from firmware.language import _
from firmware.text_layout import CHECK_STYLE, wrapped
from scoring.faces import Cell, Face, Grid, Place, city_name
from scoring.games.between_two_cities.notation import FACE_OF_LETTER

_LETTERS: Final = {face: letter for letter, face in FACE_OF_LETTER.items()}


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
        legend.append(_LETTERS[None] + " " + _("no tile"))
    if marked:
        legend.append("? " + _("unsure"))
    console.print()
    console.print(Text(wrapped(legend, console.width), style="dim"))


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
