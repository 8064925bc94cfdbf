"""Cells that share an edge, and areas of such cells: the same on every board of squares."""

from collections.abc import Collection
from functools import lru_cache

from scoring.faces import Cell


@lru_cache(maxsize=1024)
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The cells above, left, right and below, on the board or not."""
    row, column = cell
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def connected_area(start: Cell, cells: Collection[Cell]) -> tuple[Cell, ...]:
    """Those of ``cells`` that hang together with ``start`` by their edges, in reading order."""
    area, frontier = {start}, [start]
    while frontier:
        for cell in neighbours(frontier.pop()):
            if cell in cells and cell not in area:
                area.add(cell)
                frontier.append(cell)
    return tuple(sorted(area))
