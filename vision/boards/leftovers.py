"""Tiles that a network sees beside whole grids: strays, or what shows of a grid under something."""

import math
from collections.abc import Sequence

import numpy as np

from vision.arrays import floats
from vision.boards.one_table import OneTable
from vision.boards.tile_locator import Detection, sizes_of

REACH = 4.3
"""Tiles of one grid lie no further apart, in tile widths, hidden corners apart."""
PARTIAL, FEWEST_PARTIAL = 0.84, 2
"""Smaller than by this share, a tile is mostly hidden; strays seldom are, and seldom two."""
SAME_WAY, FEWEST_SAME_WAY = np.deg2rad(7), 4
"""Strays seldom point the same way; so many that do are a part of a grid, perhaps."""
AT_EDGE = 0.75
"""Tile widths from the edge of the photo within which a tile is seen in part, its size unknown."""
FEWEST_TOGETHER = 3
"""So many tiles that lie edge to edge may be a grid of which the rest is hidden."""


def may_be_a_grid(
    squares: Sequence[Sequence[Detection]], table: OneTable, size_wh: tuple[int, int]
) -> bool:
    """Whether some of the tiles beside whole grids may be a part of another one.

    Of some 90 photos in which paper hid most of a city beside whole ones, and of 93 ordinary ones,
    these rules tell most of the former and few of the latter.

    Args:
        squares: tiles that lie as in a grid, one or more each.
        table: on which the whole grids lie.
        size_wh: of the photo.
    """
    tiles = [tile for square in squares for tile in square]
    if not tiles:
        return False
    centres = floats([tile.centre for tile in tiles])
    widths = table.widths(centres)
    ratios = sizes_of(tiles) / widths
    low, high = centres / widths[:, None], (floats(size_wh) - centres) / widths[:, None]
    at_edge = np.minimum(low, high).min(axis=1) < AT_EDGE
    is_fit = (np.abs(np.log(ratios)) < math.log(table.tolerance)) | at_edge
    first = 0
    for square in squares:
        own, first = is_fit[first : first + len(square)], first + len(square)
        if len(square) >= FEWEST_TOGETHER and own.any():
            return True
    x, y = centres.T
    near = np.hypot(x - x[:, None], y - y[:, None]) < REACH * widths[:, None]
    ways = floats([math.atan2(tile.right[1], tile.right[0]) for tile in tiles])
    apart = np.abs((ways - ways[:, None] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    partial = (near & (ratios < PARTIAL)).sum(axis=1)
    same_way = (near & (apart < SAME_WAY)).sum(axis=1)
    return bool((partial >= FEWEST_PARTIAL).any() or (same_way >= FEWEST_SAME_WAY).any())
