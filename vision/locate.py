"""Find single tiles: the locator's votes, gathered into one detection for each tile.

Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.arrays import floats
from vision.networks import LOCATOR_STRIDE_PX, LOCATOR_UNIT_PX
from vision.pyramid import Picture, Pyramid

Vector = NDArray[np.float32]

WORK_AREA_PX = 332_000
"""Size at which the locator looks: about 768x432."""
LIKELY = 0.5
"""A cell joins in the vote when it is at least this likely to lie in a tile."""
SAME_TILE = 0.33
"""Votes closer than this, in tile widths, mean the same tile."""
LEAST_WEIGHT = 1.0
"""Votes of less weight together, about two cells, are chance."""
MOST_STRETCH = 0.8
"""A tile whose edges are 3:1 lies too flat to be read."""
SAME_SCALE = floats([1, 1])


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One tile, as yet without a way up.

    Attributes:
        centre: (x, y).
        right: way along one edge, (x, y).
        down: way along the next edge clockwise. Which edge is called right is arbitrary.
        likelihood: how likely it is a tile, 0 to 1.
    """

    centre: Vector
    right: Vector
    down: Vector
    likelihood: float

    @property
    def ways(self) -> tuple[Vector, Vector, Vector, Vector]:
        """The four steps of one tile along its edges, clockwise."""
        return self.right, self.down, -self.right, -self.down

    @property
    def size(self) -> float:
        """Square root of the tile's area."""
        cross = self.right[0] * self.down[1] - self.right[1] * self.down[0]
        return float(np.sqrt(abs(cross)))


def find_tiles(picture: Picture, area_px: float = WORK_AREA_PX) -> list[Detection]:
    """All tiles that the locator sees when the picture is brought to about ``area_px`` pixels."""
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid.of(picture)
    h, w = pyramid.image.shape[:2]
    shrink = np.sqrt(area_px / (w * h))
    step = LOCATOR_STRIDE_PX
    size = (max(1, round(w * shrink / step)) * step, max(1, round(h * shrink / step)) * step)
    level = pyramid.level_for(w / size[0]) if w > size[0] else 0
    level -= pyramid.levels[level].shape[1] < size[0]
    # From the next larger level, so that four pixels suffice for each
    near = cv2.resize(pyramid.levels[level], size, interpolation=cv2.INTER_LINEAR)
    small = np.asarray(near, np.uint8)
    h, w = (side * 2**level for side in pyramid.levels[level].shape[:2])
    return gather_votes(networks.locate(small), floats([w / size[0], h / size[1]]))


def gather_votes(maps: NDArray[np.float32], scale: Vector = SAME_SCALE) -> list[Detection]:
    """Tiles from what the locator says of a picture.

    Args:
        maps: its output (LOCATOR_CHANNELS, rows, columns).
        scale: (x, y), by how much the picture in which the tiles are to be given is larger.
    """
    likelihood = 1 / (1 + np.exp(-maps[0]))
    rows, columns = np.nonzero(likelihood >= LIKELY)
    if rows.size == 0:
        return []
    way = maps[1:3, rows, columns].T * LOCATOR_UNIT_PX
    shape = maps[3:8, rows, columns].T
    weight = likelihood[rows, columns]
    cells = np.column_stack([columns, rows]) * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    size = LOCATOR_UNIT_PX * np.exp2(np.clip(shape[:, 0], -4, 4))
    centres = cells + way
    # Cells near the middle of a tile see all of it, so they vote first and count most.
    weight = weight * np.exp(-2 * (np.hypot(*way.T) / size) ** 2)
    tile_of = _tiles_voted_for(floats(centres), floats(SAME_TILE * size), floats(weight))
    total = np.bincount(tile_of, weight)

    def mean(values: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.bincount(tile_of, weight * values) / total

    middles = np.column_stack([mean(values) for values in centres.T])
    shapes = np.column_stack([mean(values) for values in shape.T])
    seen = mean(likelihood[rows, columns])
    found = np.flatnonzero(total >= LEAST_WEIGHT)
    right, down = edges_of(floats(shapes[found]))
    places = (floats(middles[found]) + 0.5) * scale - 0.5
    tiles = zip(places, right * scale, down * scale, seen[found].tolist(), strict=True)
    return [Detection(*tile) for tile in tiles]


def _tiles_voted_for(
    centres: NDArray[np.float32], reach: NDArray[np.float32], weight: NDArray[np.float32]
) -> NDArray[np.intp]:
    """For each vote the number of its tile: the weightiest vote left takes all in its reach."""
    tile_of = np.full(len(weight), -1)
    x, y = np.ascontiguousarray(centres.T)
    squares = reach**2
    tiles = 0
    for vote in np.argsort(-weight, kind="stable").tolist():
        if tile_of[vote] < 0:
            near = (x - x[vote]) ** 2 + (y - y[vote]) ** 2 < squares[vote]
            tile_of[near & (tile_of < 0)] = tiles
            tiles += 1
    return tile_of


def shape_of(right: Vector, down: Vector) -> Vector:
    """Describe a parallelogram by five numbers that are the same for all ways to turn it.

    With the edges as columns of A, the matrix A Aᵀ is the same for all quarter turns; so is the
    direction of the edges times four, once A is freed of its stretch (polar decomposition).

    Returns:
        Binary logarithm of its size in LOCATOR_UNIT_PX; stretch along x rather than y, and
        along the diagonal, -1 to 1; cosine and sine of four times the direction of its edges.
    """
    edges = np.column_stack([right, down]).astype(np.float64)
    moments = edges @ edges.T
    trace = float(np.trace(moments))
    turned = np.linalg.solve(_root(moments), edges)
    angle = 4 * np.arctan2(turned[1, 0], turned[0, 0])
    log_size = np.log2(np.linalg.det(moments) ** 0.25 / LOCATOR_UNIT_PX)
    stretch = (moments[0, 0] - moments[1, 1]) / trace, 2 * moments[0, 1] / trace
    return floats([log_size, *stretch, np.cos(angle), np.sin(angle)])


def edges_of(shape: Vector) -> tuple[Vector, Vector]:
    """The edges of the parallelogram that ``shape_of`` describes; of many (n, 5) at once, too."""
    log_size, along_x, diagonal, cosine, sine = np.asarray(shape, np.float64).T
    stretch = np.minimum(np.hypot(along_x, diagonal), MOST_STRETCH)
    direction = np.arctan2(diagonal, along_x)
    a, b = stretch * np.cos(direction), stretch * np.sin(direction)
    # The root of the moments [[1 + a, b], [b, 1 - a]] in closed form, brought to its size
    root_of_det = np.sqrt(1 - stretch**2)
    size = LOCATOR_UNIT_PX * 2.0 ** np.clip(log_size, -4, 4)
    scale = size / np.sqrt(root_of_det * (2 + 2 * root_of_det))
    xx, xy, yy = (1 + a + root_of_det) * scale, b * scale, (1 - a + root_of_det) * scale
    angle = np.arctan2(sine, cosine) / 4
    c, s = np.cos(angle), np.sin(angle)
    right = np.stack([xx * c + xy * s, xy * c + yy * s], axis=-1)
    down = np.stack([xy * c - xx * s, yy * c - xy * s], axis=-1)
    return floats(right), floats(down)


def _root(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """The symmetric square root of a positive definite 2x2 matrix."""
    det = np.sqrt(np.linalg.det(moments))
    root = moments + det * np.eye(2)
    return np.asarray(root / np.sqrt(np.trace(moments) + 2 * det), np.float64)
