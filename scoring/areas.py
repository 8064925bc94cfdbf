"""Neighbouring cells, connected areas and empty cells of a board of squares."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from scoring.faces import Cell, CityCell

DIRECTIONS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""Steps (down, right) to the cells above, left, right and below."""


@lru_cache(maxsize=1024)
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the cells above, left, right and below, on the board or not."""
    row, column = cell
    return tuple((row + down, column + right) for down, right in DIRECTIONS)


def connected_area(start: Cell, cells: Collection[Cell]) -> tuple[Cell, ...]:
    """Return the cells connected with ``start`` by shared edges, in reading order."""
    area, frontier = {start}, [start]
    while frontier:
        for cell in neighbours(frontier.pop()):
            if cell in cells and cell not in area:
                area.add(cell)
                frontier.append(cell)
    return tuple(sorted(area))


def empty_cells(grid: Sequence[Sequence[object]]) -> tuple[Cell, ...]:
    """Return the cells of a grid that hold None, in reading order."""
    return tuple(
        (row, column)
        for row, line in enumerate(grid)
        for column, held in enumerate(line)
        if held is None
    )


def empty_cells_of_grids(grids: Iterable[Sequence[Sequence[object]]]) -> tuple[CityCell, ...]:
    """Return the empty cells of several grids, each with the index of its grid."""
    return tuple((index, cell) for index, grid in enumerate(grids) for cell in empty_cells(grid))
