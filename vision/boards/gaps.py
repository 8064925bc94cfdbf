"""How large free tiles are compared with their places: hands leave gaps between them."""

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points

USUAL = 0.97
"""Edge of a tile as a share of the way from one tile's middle to the next."""
LEAST, MOST = 0.85, 1.02
SURE_OF_USUAL = 0.3
"""The former counts as much as features whose squared distances from the middles of their tiles
sum up to this many squared tile edges."""


def tile_share(tiles: NDArray[np.intp], seen: Points, drawn: Points) -> float:
    """The edge of the tiles of a lattice as a share of the way from one to the next.

    Features of one tile lie apart by so much less than they would if it filled its place. Where the
    tile itself lies does not count.

    Args:
        tiles: (n,) for each feature the number of its tile, from 0 on.
        seen: (n, 2) where in the lattice it is seen, its tile's middle being (0, 0).
        drawn: (n, 2) where the tile has it, in tile edges from its middle.
    """
    seen_apart, drawn_apart = _from_mean(tiles, seen), _from_mean(tiles, drawn)
    along = float((seen_apart * drawn_apart).sum()) + SURE_OF_USUAL * USUAL
    share = along / (float((drawn_apart**2).sum()) + SURE_OF_USUAL)
    return min(max(share, LEAST), MOST)


def _from_mean(tiles: NDArray[np.intp], points: Points) -> NDArray[np.float64]:
    """Each point (n, 2) relative to the mean of those of its tile."""
    counts = np.maximum(np.bincount(tiles), 1)
    means = [np.bincount(tiles, weights=points[:, axis]) / counts for axis in (0, 1)]
    return np.asarray(points - np.stack(means, axis=1)[tiles], np.float64)
