"""Find single tiles: the locator's votes, gathered into one detection for each tile.

Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.arrays import Image, floats
from vision.networks import LOCATOR_STRIDE_PX, LOCATOR_UNIT_PX
from vision.pyramid import Picture, Pyramid

Vector = NDArray[np.float32]

Area = tuple[float, float, float, float]
"""A part of a picture: left, top, right, bottom; from edge to edge of pixels, 0 the outermost."""

WORK_AREA_PX = 332_000
"""Size at which the locator looks: about 768x432."""
LIKELY = 0.5
"""A cell joins in the vote when it is at least this likely to lie in a tile."""
LIKELY_LOGIT = np.log(LIKELY / (1 - LIKELY))
SAME_TILE = 0.33
"""Votes closer than this, in tile widths, mean the same tile."""
VOTES_AT_ONCE = 64
"""So many votes are compared with all the others together."""
LEAST_WEIGHT = 1.0
"""Votes of less weight together, about two cells, are chance."""
MOST_STRETCH = 0.8
"""A tile whose edges are 3:1 lies too flat to be read."""
WARMEST, COLDEST = -1.0, 0.5
"""Blue by red as a logarithm, in the mean of a photo that the locator sees as it is."""
SPARSE_PX = 8
"""Every so many-th pixel tells the tint."""
WHITE = 250
"""A pixel with a channel as bright does not: that may have been brighter still."""
SAME_SCALE = floats([1, 1])
TOP_LEFT = floats([0, 0])


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
        return float(sizes_of([self])[0])


def sizes_of(tiles: Iterable[Detection]) -> NDArray[np.float32]:
    """The sizes (n,) of tiles."""
    edges = floats([edge for tile in tiles for edge in (tile.right, tile.down)])
    right_x, right_y, down_x, down_y = edges.reshape(-1, 4).T
    return floats(np.sqrt(np.abs(right_x * down_y - right_y * down_x)))


def find_tiles(
    picture: Picture,
    area_px: float = WORK_AREA_PX,
    within: Area | None = None,
    network: str = networks.LOCATOR,
) -> list[Detection]:
    """All tiles that the locator sees when the picture is brought to about ``area_px`` pixels.

    Args:
        picture: the photo.
        area_px: width times height of what the locator would see of the whole picture.
        within: the part of it to look at; None: all of it.
        network: the locator.
    """
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid.of(picture)
    height, width = pyramid.image.shape[:2]
    left, top, right, bottom = within or (0, 0, width, height)
    shrink = np.sqrt(area_px / (width * height))
    step = LOCATOR_STRIDE_PX
    w, h = (max(1, round(side * shrink / step)) * step for side in (right - left, bottom - top))
    wide = (right - left) / w
    level = pyramid.level_for(wide) if wide > 1 else 0
    level -= level > 0 and (right - left) / 2**level < w
    # From the next larger level, so that four pixels suffice for each
    pixels = 2**level
    part = pyramid.levels[level][
        round(top / pixels) : round(bottom / pixels), round(left / pixels) : round(right / pixels)
    ]
    small = np.asarray(cv2.resize(part, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    small = without_strong_tint(small)
    scale = floats([part.shape[1] * pixels / w, part.shape[0] * pixels / h])
    first = floats([round(left / pixels) * pixels, round(top / pixels) * pixels])
    return gather_votes(networks.locate(small, network), scale, first)


def without_strong_tint(image: Image) -> Image:
    """A picture (h, w, 3), a tint that hardly a table has brought to the strongest that some have.

    A camera that errs about the lamp makes such; the locator has hardly seen any.
    """
    sample = image[::SPARSE_PX, ::SPARSE_PX].reshape(-1, 3)
    # Of three channels, the largest and the mean of each take numpy several times as long
    blue, green, red = sample.T
    shown = sample[np.maximum(np.maximum(blue, green), red) < WHITE]
    if len(shown) == 0:
        return image
    sums = cv2.reduce(shown, 0, cv2.REDUCE_SUM, dtype=cv2.CV_64F)[0]
    blue, _, red = np.log(sums / len(shown) + 1)
    cold = float(blue - red)
    change = min(max(cold, WARMEST), COLDEST) - cold
    if change == 0:
        return image
    gains = np.exp([change / 2, 0, -change / 2])
    levels = np.rint(np.arange(256)[:, None] * gains).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels[None]), np.uint8)


def gather_votes(
    maps: NDArray[np.float32], scale: Vector = SAME_SCALE, first: Vector = TOP_LEFT
) -> list[Detection]:
    """Tiles from what the locator says of a picture.

    Args:
        maps: its output (LOCATOR_CHANNELS, rows, columns).
        scale: (x, y), by how much the picture in which the tiles are to be given is larger.
        first: (x, y), the corner in that picture of what the locator saw.
    """
    rows, columns = np.nonzero(maps[0] >= LIKELY_LOGIT)
    if rows.size == 0:
        return []
    logit, *values = maps[:, rows, columns]
    likelihood = 1 / (1 + np.exp(-logit))
    half = (LOCATOR_STRIDE_PX - 1) / 2
    way_x, way_y = values[0] * LOCATOR_UNIT_PX, values[1] * LOCATOR_UNIT_PX
    x = columns * LOCATOR_STRIDE_PX + half + way_x
    y = rows * LOCATOR_STRIDE_PX + half + way_y
    size = LOCATOR_UNIT_PX * np.exp2(np.clip(values[2], -4, 4))
    # Cells near the middle of a tile see all of it, so they vote first and count most.
    weight = likelihood * np.exp(-2 * (way_x**2 + way_y**2) / size**2)
    tile_of = _tiles_voted_for(floats([x, y]), floats(SAME_TILE * size), floats(weight))
    total = np.bincount(tile_of, weight)
    voted = (x, y, likelihood, *values[2:])
    means = np.stack([np.bincount(tile_of, weight * each) / total for each in voted])
    found = means[:, total >= LEAST_WEIGHT]
    right, down = edges_of(floats(found[3:].T))
    places = (floats(found[:2].T) + 0.5) * scale + first - 0.5
    tiles = zip(places, right * scale, down * scale, found[2].tolist(), strict=True)
    return [Detection(*tile) for tile in tiles]


def _tiles_voted_for(
    centres: NDArray[np.float32], reach: NDArray[np.float32], weight: NDArray[np.float32]
) -> NDArray[np.intp]:
    """For each vote the number of its tile: the weightiest vote left takes all in its reach.

    Args:
        centres: (2, n) x and y of where the votes have their tiles.
        reach: (n,).
        weight: (n,).
    """
    tile_of = np.empty(len(weight), np.intp)
    tiles = 0
    waiting = np.argsort(-weight, kind="stable")
    while waiting.size:
        x, y = centres[:, waiting]
        squares = reach[waiting[:VOTES_AT_ONCE], None] ** 2
        near = (x - x[:VOTES_AT_ONCE, None]) ** 2 + (y - y[:VOTES_AT_ONCE, None]) ** 2 < squares
        # What is in no reach would wait for ever
        np.fill_diagonal(near, val=True)
        first: list[int] = []
        taken = np.zeros(len(near), bool)
        for vote, others in enumerate(near[:, : len(near)]):
            if not taken[vote]:
                first.append(vote)
                taken |= others
        near = near[first]
        has_tile = near.any(axis=0)
        tile_of[waiting[has_tile]] = tiles + near.argmax(axis=0)[has_tile]
        tiles += len(first)
        waiting = waiting[~has_tile]
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
