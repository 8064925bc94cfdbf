"""Grids that lie side by side, and may be taken for one another's neighbours."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from vision.arrays import Corners, floats
from vision.boards.grid import SeenGrid


def placed_apart(several: Sequence[SeenGrid]) -> list[SeenGrid]:
    """Grids, the place of one not certain if a tile that is surely another one's lies on it.

    Where two cities nearly touch and the end of one is hidden, the next row of the other may be
    taken for its own. If both are as sure of a tile, neither place is certain, but for one that a
    network sees as a whole.
    """
    wrong = {
        number
        for (number, grid), (_, other) in permutations(enumerate(several), 2)
        if not grid.found.is_whole
        and _are_near(other.outline, grid.outline)
        and _has_a_tile_on(other, grid)
    }
    return [
        replace(grid, places=replace(grid.places, is_certain=False)) if number in wrong else grid
        for number, grid in enumerate(several)
    ]


def _are_near(outline: Corners, other: Corners) -> bool:
    """Whether upright boxes about two outlines overlap."""
    low = np.maximum(outline.min(axis=0), other.min(axis=0))
    high = np.minimum(outline.max(axis=0), other.max(axis=0))
    return bool((low < high).all())


def _has_a_tile_on(other: SeenGrid, grid: SeenGrid) -> bool:
    """Whether the middle of a tile that another grid is known to have lies on a place of a grid."""
    cells = other.known_tiles if other.places.is_certain else other.sure_tiles
    if not cells:
        return False
    middles = other.places.surface.at([other.places.middle(cell) for cell in sorted(cells)])
    at = grid.places.surface.inverse(middles) / floats(grid.places.pitch)
    size = floats([grid.places.columns, grid.places.rows])
    return bool(np.any(np.all((at > 0) & (at < size), axis=1)))
