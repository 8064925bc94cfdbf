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
from numpy.typing import NDArray

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
_MIDDLE_AND_HALVES = floats([[0.0, 0.0], [-0.5, 0.0], [0.5, 0.0], [0.0, -0.5], [0.0, 0.5]])


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
        return cls._through([_products_of(_tiles_of(lattice)) for lattice in lattices])

    @classmethod
    def _through(cls, grids: Sequence[NDArray[np.float64]]) -> "OneTable":
        """From the products of the tiles of each grid, see ``_products_of``."""
        products = np.sum(grids, axis=0)
        count, sums = products[0, 0], products[0, 1:]
        # About their middle, so that tiles in one row tell of no slope across it
        about_middle = products[1:, 1:] - sums[:, None] * sums / count
        x, y, root = (sums / count).tolist()
        right, down = _slopes(about_middle).tolist()
        terms = np.array([right, down, root - right * x - down * y])
        return cls(terms, SIZES[min(len(grids), len(SIZES)) - 1])

    def widths(self, points: Points) -> NDArray[np.float32]:
        """The width (n,) of tiles at points (n, 2) of the photo, pixels."""
        roots = np.asarray(points) @ self.terms[:2] + self.terms[2]
        return floats(np.maximum(roots, _LEAST) ** (1 / _POWER))

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
    products = [_products_of(own) for own in tiles]
    while len(kept) > 2:
        off = [
            OneTable._through([*products[:number], *products[number + 1 :]])._off(own)
            for number, own in enumerate(tiles)
        ]
        worst = int(np.argmax(off))
        if off[worst] < math.log(SIZES[-1]):
            break
        del kept[worst], tiles[worst], products[worst]
    return kept


def _tiles_of(lattice: Lattice) -> _Tiles:
    """The middles (n, 2) of the tiles of its votes in the photo, and their widths (n,)."""
    spots = lattice.middles + _MIDDLE_AND_HALVES[:, None]
    seen = transformed(spots, lattice.to_photo).reshape(spots.shape)
    middles, left, right, top, bottom = seen
    (right_x, right_y), (down_x, down_y) = (right - left).T, (bottom - top).T
    areas = np.abs(right_x * down_y - right_y * down_x)
    return middles, floats(np.sqrt(np.maximum(areas, _LEAST**2)))


def _products_of(tiles: _Tiles) -> NDArray[np.float64]:
    """The sums (4, 4) of the products of 1, x, y and the root of the size of tiles."""
    points, widths = tiles
    each = np.ones((4, len(points)))
    each[1:3] = points.T
    each[3] = widths.astype(np.float64) ** _POWER
    return np.asarray(each @ each.T, np.float64)


def _slopes(products: NDArray[np.float64]) -> NDArray[np.float64]:
    """How fast (2,) a linear function grows to the right and down that fits values at points best.

    Of points on a line it tells only how fast it grows along that.

    Args:
        products: (3, 3) sums of the products of x, y and the values, all about the middle.
    """
    spread = products[:2, :2]
    if np.trace(spread) < _LEAST**2:
        return np.zeros(2)
    inverse = np.linalg.pinv(spread, rcond=_LEAST_SPREAD**2, hermitian=True)
    return np.asarray(inverse @ products[:2, 2], np.float64)
