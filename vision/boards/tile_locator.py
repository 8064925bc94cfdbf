"""Find single tiles by a small network that was taught to see those of an edition.

The network's first two layers see patches of pixels that do not overlap, so each of them is a
product of matrices, which is how they are computed: OpenCV takes longer to convolve the same. Their
weights are in the ``.npz`` file beside the ``.onnx`` file of the others, in ``vision/weights``.
Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, Images, floats
from vision.pyramid import Pyramid

Vector = NDArray[np.float32]
Patches = NDArray[np.uint8]
"""Pixels of pictures (n, patches, 3 x patch_px x patch_px), as ``in_patches`` orders them."""

LOCATOR_STRIDE_PX = 8
LOCATOR_PATCH_PX = 4
LOCATOR_ROWS_AT_ONCE = 6
"""Of the locator's output; what its first layers make of more would leave the processor's cache."""
LOCATOR_UNIT_PX = 32.0
SQUARE = 2
"""The second layer sees as many patches across and down."""
ALONE = 2**17
"""So few multiplications the library of numpy leaves to one thread; for what is computed here it
takes longer to wake the others than to do without them."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Stem:
    """Patches of pixels to features, squares of patches to features; ReLU after each.

    Attributes:
        first: (3 x patch_px x patch_px, c), rows in the order of ``in_patches``.
        first_bias: (c,).
        second: (4 x c, d).
        second_bias: (d,).
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    _floor: NDArray[np.float32] = field(init=False, repr=False)
    _bias: NDArray[np.float32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Leave the first bias to the second layer: ReLU(x + b) is max(x, -b) + b."""
        left = np.tile(self.first_bias, SQUARE**2) @ self.second
        object.__setattr__(self, "_floor", np.tile(-self.first_bias, SQUARE**2))
        object.__setattr__(self, "_bias", self.second_bias + left)

    @classmethod
    def read(cls, data: bytes) -> "Stem":
        """From the bytes of a file of numpy with an array for each attribute."""
        with np.load(BytesIO(data)) as arrays:
            return cls(**arrays)

    def features(self, patches: Patches) -> NDArray[np.float32]:
        """Features (squares, d) of the squares of all the pictures, row by row."""
        pixels = patches.reshape(-1, len(self.first)).astype(np.float32)
        seen = _product(pixels, self.first).reshape(-1, len(self.second))
        np.maximum(seen, self._floor, out=seen)
        features = _product(seen, self.second)
        features += self._bias
        if features.size:
            # As np.maximum(features, 0), which takes four times as long
            cv2.threshold(features, 0, 0, cv2.THRESH_TOZERO, dst=features)
        return features


def in_patches(pictures: Images, patch_px: int) -> Patches:
    """The pixels of pictures (n, h, w, 3), square by square of patches, patch by patch."""
    pixels = np.ascontiguousarray(pictures)
    count, height, width = pixels.shape[:3]
    side = SQUARE * patch_px
    # A row of pixels of a patch moves as one piece
    rows = pixels.reshape(count, height, 3 * width).view(f"V{pixels.itemsize * 3 * patch_px}")
    places = rows.reshape(count, height // side, SQUARE, patch_px, width // side, SQUARE)
    ordered = np.ascontiguousarray(places.transpose(0, 1, 4, 2, 5, 3))
    patches = height * width // patch_px**2
    return ordered.view(pixels.dtype).reshape(count, patches, 3 * patch_px**2)


def _product(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """``rows @ matrix``, some rows at a time."""
    some = max(1, ALONE // matrix.size)
    product = np.empty((len(rows), matrix.shape[1]), np.float32)
    even = len(rows) // some * some
    in_parts = product[:even].reshape(-1, some, product.shape[1])
    np.matmul(rows[:even].reshape(-1, some, rows.shape[1]), matrix, out=in_parts)
    np.matmul(rows[even:], matrix, out=product[even:])
    return product


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


def find_tiles(pyramid: Pyramid, area_px: float, network: str) -> list[Detection]:
    """All tiles that the locator sees when the picture is brought to about ``area_px`` pixels.

    Args:
        pyramid: the photo.
        area_px: width times height of what the locator sees of it.
        network: the locator.
    """
    height, width = pyramid.image.shape[:2]
    shrink = np.sqrt(area_px / (width * height))
    step = LOCATOR_STRIDE_PX
    w, h = (max(1, round(side * shrink / step)) * step for side in (width, height))
    level = pyramid.level_for(width / w) if width > w else 0
    level -= level > 0 and width / 2**level < w
    # From the next larger level, so that four pixels suffice for each
    larger = pyramid.levels[level]
    small = np.asarray(cv2.resize(larger, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    small = without_strong_tint(small)
    scale = floats([larger.shape[1] * 2**level / w, larger.shape[0] * 2**level / h])
    return gather_votes(locate(small, network), scale)


@cache
def _network(name: str) -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


@cache
def _stem(name: str) -> Stem:
    return Stem.read((resources.files("vision") / "weights" / f"{name}.npz").read_bytes())


def locate(image_bgr: Image, name: str) -> NDArray[np.float32]:
    """Run a locator on (h, w, 3); both divisible by 8. Returns (channels, h/8, w/8)."""
    rows, columns = (side // LOCATOR_STRIDE_PX for side in image_bgr.shape[:2])
    stem, network = _stem(name), _network(name)
    features = np.empty((stem.second.shape[1], rows, columns), np.float32)
    for start in range(0, rows, LOCATOR_ROWS_AT_ONCE):
        here = slice(start, start + LOCATOR_ROWS_AT_ONCE)
        strip = image_bgr[here.start * LOCATOR_STRIDE_PX : here.stop * LOCATOR_STRIDE_PX]
        seen = stem.features(in_patches(strip[None], LOCATOR_PATCH_PX))
        features[:, here] = seen.T.reshape(len(features), -1, columns)
    network.setInput(features[None])
    out: NDArray[np.float32] = np.asarray(network.forward(), np.float32)[0]
    return out


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


def gather_votes(maps: NDArray[np.float32], scale: Vector) -> list[Detection]:
    """Tiles from what the locator says of a picture.

    Args:
        maps: its output (channels, rows, columns).
        scale: (x, y), by how much the picture in which the tiles are to be given is larger.
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
    places = (floats(found[:2].T) + 0.5) * scale - 0.5
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


def edges_of(shape: Vector) -> tuple[Vector, Vector]:
    """The edges of a parallelogram that five numbers describe; of many (n, 5) at once, too.

    They are the same for all ways to turn it: the binary logarithm of its size in
    LOCATOR_UNIT_PX; its stretch along x rather than y, and along the diagonal, -1 to 1; cosine and
    sine of four times the direction of its edges.
    """
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
