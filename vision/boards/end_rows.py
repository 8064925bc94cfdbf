"""The first and last rows and columns of a grid of free tiles: whether they belong to it."""

from collections.abc import Set

import numpy as np

from scoring.faces import Cell
from vision.arrays import Points
from vision.boards.places import Places

OUT_OF_LINE = 0.06
"""Tile edges by which all tiles of a border lie further out than the others tell, and further than
any of these is off, if they are strays."""
FEWEST_OTHERS = 8
"""So many tiles tell where a border belongs; where papers leave fewer, some lie half hidden and
seem to be off."""


def ends_are_certain(places: Places, seen_at: Points, known: Set[Cell]) -> bool:
    """Whether it is certain which of a lattice's rows and columns a grid has.

    Args:
        places: of the grid.
        seen_at: (places, 2) middles of the tiles, in grid coordinates.
        known: the cells of those that are known.
    """
    are_seen = places.is_certain or borders_are_known(places, known)
    return are_seen and not may_end_in_strays(places, seen_at, known)


def borders_are_known(places: Places, known: Set[Cell]) -> bool:
    """Whether each row and column at the border of a grid has a tile that is known."""
    cells = np.array([cell in known for cell in places.cells])
    cells = cells.reshape(places.rows, places.columns)
    return all(bool(border.any()) for border in (cells[0], cells[-1], cells[:, 0], cells[:, -1]))


def may_end_in_strays(places: Places, seen_at: Points, known: Set[Cell]) -> bool:
    """Whether a row or column at the border of a grid may be strays that lie in line with it.

    Not all of its tiles are known then, and it lies further away than tiles that touch. If these
    are strays, the grid has a hidden row or column at its other side.

    Args:
        places: of the grid.
        seen_at: (places, 2) middles of the tiles, in grid coordinates.
        known: the cells of those that are known.
    """
    chosen = [number for number, cell in enumerate(places.cells) if cell in known]
    if len(chosen) == len(places.cells):
        return False
    cells = np.array(places.cells, np.intp)[chosen]
    ideal = np.array([(*places.middle(cell), 1.0) for cell in places.cells])[chosen]
    moves = seen_at[chosen].astype(np.float64) - ideal[:, :2]
    for axis, full, last in (
        (0, places.columns, places.rows - 1),
        (1, places.rows, places.columns - 1),
    ):
        for end, outwards in ((0, -1), (last, 1)):
            border = cells[:, axis] == end
            count = np.count_nonzero(border)
            if not 0 < count < full or len(cells) - count < FEWEST_OTHERS:
                continue
            # Of the moves, not of the places, so that tiles in one row tell nothing of another
            terms = np.linalg.lstsq(ideal[~border], moves[~border], rcond=None)[0]
            off = moves - ideal @ terms
            further_out = off[border, 1 - axis] * outwards
            if further_out.min() > max(OUT_OF_LINE, np.hypot(*off[~border].T).max()):
                return True
    return False
