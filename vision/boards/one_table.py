"""All grids of a photo lie on one table and have tiles of one size: what that tells of each.

Method: in a picture of a plane areas shrink with the third power of the distance, and the inverse
of the distance is a linear function of the pixel (R. Hartley and A. Zisserman, "Multiple View
Geometry", 2nd ed., 8.2). So the square root of the area of a tile, to the power of two thirds, is a
linear function too, of three terms, which a single grid tells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Points, floats, median, transformed
from vision.boards.features import Votes
from vision.boards.lattice_growth import Lattice
from vision.rectify import UNIT_SQUARE

SIZES = (1.3, 1.2, 1.12)
"""By so many times tiles elsewhere are larger or smaller than one grid tells, than two do, and than
more; a wide lens, and what is wrong about the slant of a single grid, explain a quarter."""
VOTE_SIZE = 1.15
"""By so many times more a single vote may be wrong about the size of a tile."""
_POWER = 2 / 3
_LEAST = 1e-3
"""Beyond the horizon tiles have no size; so small is none."""
_LEAST_SPREAD = 0.03
"""Of the points across a line, by their spread along it; with less they lie on it."""
_HALVES = floats([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]])


_Tiles = tuple[Points, NDArray[np.float32]]
"""The middles (n, 2) of tiles in a photo, and their widths (n,), pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class OneTable:
    """How large tiles are at each pixel of a photo.

    Attributes:
        terms: (3,) of a linear function of x, y and 1.
        tolerance: ratio of sizes that still agree.
    """

    terms: NDArray[np.float64]
    tolerance: float

    @classmethod
    def of(cls, lattices: Sequence[Lattice]) -> "OneTable":
        """From at least one grid that lies there for certain."""
        return cls._through([_tiles_of(lattice) for lattice in lattices])

    @classmethod
    def _through(cls, grids: Sequence[_Tiles]) -> "OneTable":
        """From the tiles of grids."""
        points, widths = (np.concatenate(each) for each in zip(*grids, strict=True))
        middle, size = points.mean(axis=0), max(float(points.std()), _LEAST)
        roots = widths.astype(np.float64) ** _POWER
        # About their middle, so that tiles in one row tell of no slope across it
        slopes, _, _, _ = np.linalg.lstsq(
            (points - middle) / size, roots - roots.mean(), rcond=_LEAST_SPREAD
        )
        slopes = slopes / size
        terms = np.array([*slopes, roots.mean() - slopes @ middle], np.float64)
        return cls(terms, SIZES[min(len(grids), len(SIZES)) - 1])

    def widths(self, points: Points) -> NDArray[np.float32]:
        """The width (n,) of tiles at points (n, 2) of the photo, pixels."""
        return floats(np.maximum(_with_one(points) @ self.terms, _LEAST) ** (1 / _POWER))

    def least_width(self, size_wh: tuple[int, int], tiles: tuple[int, int]) -> float:
        """Of tiles in the middle of grids that lie wholly in a photo, pixels.

        Their roots change linearly, so the smallest lie near a corner.

        Args:
            size_wh: of the photo.
            tiles: rows and columns of a full grid.
        """
        corners = floats(UNIT_SQUARE) * floats(size_wh)
        inwards = floats(1 - 2 * floats(UNIT_SQUARE))
        room = np.minimum(min(tiles) / 2 * self.widths(corners)[:, None], floats(size_wh) / 2)
        return float(self.widths(floats(corners + inwards * room)).min())

    def off(self, lattice: Lattice) -> float:
        """By how much the tiles of a lattice are larger or smaller than they would be there.

        Returns:
            The logarithm of the ratio, without its sign.
        """
        return self._off(_tiles_of(lattice))

    def _off(self, tiles: _Tiles) -> float:
        points, widths = tiles
        return abs(float(median(np.log(widths / self.widths(points)))))

    def holds(self, lattice: Lattice) -> bool:
        """Whether the tiles of a lattice are as large as those of the others would be there."""
        return self.off(lattice) < math.log(self.tolerance)

    def only_on_it(self, votes: Votes) -> Votes:
        """The votes for tiles of about the size that tiles have there."""
        off = np.log(votes.widths / self.widths(votes.centres))
        return votes.only(np.abs(off) < math.log(self.tolerance * VOTE_SIZE))


def of_one_size(lattices: Sequence[Lattice]) -> list[Lattice]:
    """Lattices without those whose tiles are larger or smaller than all others tell.

    Of two that differ nobody knows which one is wrong, so both are kept.
    """
    kept = list(lattices)
    tiles = [_tiles_of(lattice) for lattice in kept]
    while len(kept) > 2:
        off = [
            OneTable._through([*tiles[:number], *tiles[number + 1 :]])._off(own)
            for number, own in enumerate(tiles)
        ]
        worst = int(np.argmax(off))
        if off[worst] < math.log(SIZES[-1]):
            break
        del kept[worst], tiles[worst]
    return kept


def _tiles_of(lattice: Lattice) -> _Tiles:
    """The middles (n, 2) of the tiles of its votes in the photo, and their widths (n,)."""
    middles = lattice.middles
    left, right, top, bottom = (transformed(middles + half, lattice.to_photo) for half in _HALVES)
    (right_x, right_y), (down_x, down_y) = (right - left).T, (bottom - top).T
    areas = np.abs(right_x * down_y - right_y * down_x)
    return transformed(middles, lattice.to_photo), floats(np.sqrt(np.maximum(areas, _LEAST**2)))


def _with_one(points: ArrayLike) -> NDArray[np.float64]:
    """Points (n, 2) with a third coordinate, 1."""
    return np.column_stack([points, np.ones(len(np.asarray(points)))]).astype(np.float64)
