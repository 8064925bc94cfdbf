"""Find single tiles and printed plots of whatever look, with one small network.

Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel. The network
sees a reduced picture whose channels are whitened, so that neither exposure nor a cast of the light
reaches it. For every ``STRIDE_PX`` square pixels it says whether they lie in a tile or a plot,
where that one's centre is, what shape it has, and how far all this may be off.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, ParallelArrays, floats
from vision.networks import count_work, load_network

STRIDE_PX = 8
MULTIPLE_PX = 32
"""Width and height of what the network sees are divisible by this."""
UNIT_PX = 32.0
"""Ways to centres are in this unit; a tile of this size has log size 0."""
CHANNELS = 10
"""Logits of tile and plot; way to the centre (x, y); the numbers of ``shapes_of``; log error."""
MOST_PX, BEYOND_PX = 600_000, 64
"""Of a picture that the network sees at once, and how much of larger ones it is shown beyond each
strip; it sees farther, but what lies so far away changes little."""
LEAST_SPREAD = 12.0
"""Grey levels; a picture with less contrast is not drawn out of its noise."""
MOST_SAMPLED = 1.6
"""Up to this reduction pixels are sampled and not averaged."""
MOST_STRETCH = 0.8
"""A tile whose edges are 3:1 lies too flat to be read."""
MIN_TILE_PROBABILITY: Final = 0.3
"""Least probability of a map cell that votes for a tile, and of a detection that counts as one.
Larger: dim tiles are missed; smaller: more that is none is looked at."""
VOTE_RADIUS: Final = 0.33
"""Distance up to which votes are for the same tile, in tile widths. Larger: small neighbours become
one; smaller: one tile becomes two."""
MIN_VOTES: Final = 0.6
"""Least sum of the probabilities of the map cells that vote for a tile; fewer are chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections(ParallelArrays):
    """Tiles and plots that were seen, n of them.

    Attributes:
        centres: (n, 2).
        edges: (n, 2, 2): the ways along one edge and along the next one clockwise. Which edge is
            the first is arbitrary.
        tile: (n,) how likely each is a tile, 0 to 1.
        plot: (n,) how likely each is a plot of a printed board, 0 to 1.
        error: (n,) expected error of the centre in tile widths.
    """

    centres: Floats
    edges: Floats
    tile: Floats
    plot: Floats
    error: Floats

    @property
    def sizes(self) -> Floats:
        """(n,) square root of each one's area."""
        (rx, ry), (dx, dy) = self.edges[:, 0].T, self.edges[:, 1].T
        return floats(np.sqrt(np.abs(rx * dy - ry * dx)))


def whitened(image: Image) -> Floats:
    """A picture (h, w, 3) with mean 0 and spread 1 in each channel, as (1, 3, h, w)."""
    return _whitened(image, *_levels(image))


def _levels(image: Image) -> tuple[list[float], list[float]]:
    """Mean of each channel, and what brings its spread to 1."""
    mean, spread = cv2.meanStdDev(image)
    return mean.ravel().tolist(), (1 / np.maximum(spread.ravel(), LEAST_SPREAD)).tolist()


def _whitened(image: Image, mean: list[float], gain: list[float]) -> Floats:
    """A part of a picture of these levels."""
    planes = np.empty((1, 3, *image.shape[:2]), np.float32)
    for n, plane in enumerate(cv2.split(image)):
        cv2.addWeighted(plane, gain[n], plane, 0.0, -mean[n] * gain[n], planes[0, n], cv2.CV_32F)
    return planes


def maps_of(small: Image) -> Floats:
    """What the network says of a picture; sides divisible by ``MULTIPLE_PX``.

    It sees large ones in strips, one after the other, which takes less memory.

    Returns:
        (CHANNELS, h / STRIDE_PX, w / STRIDE_PX).
    """
    network, levels = load_network("locate"), _levels(small)
    height, width = small.shape[:2]
    step = high = height
    if height * width > MOST_PX:
        step = max((MOST_PX // width - 2 * BEYOND_PX) // MULTIPLE_PX, 2) * MULTIPLE_PX
        high = min(step + 2 * BEYOND_PX, height)
    maps = np.empty((CHANNELS, height // STRIDE_PX, width // STRIDE_PX), np.float32)
    for top in range(0, height, step):
        first = min(max(top - BEYOND_PX, 0), height - high)
        strip = _whitened(small[first : first + high], *levels)
        count_work("locate", strip.shape)
        network.setInput(strip)
        seen = network.forward()[0][:, (top - first) // STRIDE_PX :]
        rows = slice(top // STRIDE_PX, min(top + step, height) // STRIDE_PX)
        maps[:, rows] = seen[:, : rows.stop - rows.start]
    return maps


def reduced(image: Image, shrink: float) -> tuple[Image, Floats]:
    """A picture made smaller to sides that the network takes, and the true reduction (x, y)."""
    h, w = image.shape[:2]
    size = tuple(max(1, round(side / shrink / MULTIPLE_PX)) * MULTIPLE_PX for side in (w, h))
    small = cv2.resize(
        image, size, interpolation=cv2.INTER_AREA if shrink > MOST_SAMPLED else cv2.INTER_LINEAR
    )
    return np.asarray(small, np.uint8), floats([w / size[0], h / size[1]])


def gather(maps: Floats, *, plots: bool) -> Detections:
    """Detections from what the network says, in pixels of what it saw; of plots if asked for."""
    either = np.maximum(maps[0], maps[1]) if plots else maps[0]
    least = float(np.log(MIN_TILE_PROBABILITY / (1 - MIN_TILE_PROBABILITY)))
    rows, columns = np.nonzero(either > least)
    values = maps[:, rows, columns]
    tile, plot = 1 / (1 + np.exp(-values[:2]))
    half = (STRIDE_PX - 1) / 2
    ways = values[2:4].T * UNIT_PX
    centres = np.stack([columns, rows], axis=-1) * np.float32(STRIDE_PX) + np.float32(half) + ways
    size = UNIT_PX * np.exp2(np.clip(values[4], -4, 4))
    # Cells near the middle of a tile see all of it, so they vote first and count most.
    likely = np.maximum(tile, plot) if plots else tile
    weight = likely * np.exp(-2 * (ways**2).sum(axis=1) / size**2 - np.clip(values[9], -4, 2))
    votes_for = merged_votes(floats(centres), floats(VOTE_RADIUS * size), floats(weight))
    count = int(votes_for.max()) + 1 if votes_for.size else 0
    total = np.bincount(votes_for, weight, count)
    voted = np.vstack([centres.T, tile, plot, np.exp(values[9])[None], values[4:9]])
    means = np.stack([np.bincount(votes_for, weight * row, count) / total for row in voted])
    kept = np.bincount(votes_for, likely, count) >= MIN_VOTES
    found = floats(means[:, kept].T)
    return Detections(found[:, :2], edges_of(found[:, 5:]), found[:, 2], found[:, 3], found[:, 4])


def merged_votes(centres: Floats, reach: Floats, weight: Floats) -> NDArray[np.intp]:
    """For each vote the number of its tile: the weightiest vote left takes all in its reach."""
    group = np.full(len(weight), -1, np.intp)
    left = np.argsort(-weight, kind="stable")
    x, y = centres[left].T
    count = 0
    while len(left):
        within = reach[left[0]]
        taken = (np.abs(x - x[0]) < within) & (np.abs(y - y[0]) < within)
        taken[0] = True
        group[left[taken]] = count
        count += 1
        free = ~taken
        left, x, y = left[free], x[free], y[free]
    return group


def shapes_of(edges: NDArray[np.floating]) -> Floats:
    """Describe parallelograms by five numbers that are the same for all ways to turn each.

    With the edges as columns of A, the matrix A Aᵀ is the same for all quarter turns; so is the
    direction of the edges times four, once A is freed of its stretch (polar decomposition).

    Args:
        edges: (n, 2, 2), as ``Detections`` has them.

    Returns:
        (n, 5): binary logarithm of the size in UNIT_PX; stretch along x rather than y, and along
        the diagonal, -1 to 1; cosine and sine of four times the direction of the edges.
    """
    a = np.asarray(edges, np.float64).transpose(0, 2, 1)
    moments = a @ a.transpose(0, 2, 1)
    trace = moments[:, 0, 0] + moments[:, 1, 1]
    det = np.sqrt(np.maximum(np.linalg.det(moments), 1e-9))
    root = (moments + det[:, None, None] * np.eye(2)) / np.sqrt(trace + 2 * det)[:, None, None]
    turned = np.linalg.solve(root, a)
    angle = 4 * np.arctan2(turned[:, 1, 0], turned[:, 0, 0])
    stretch = (moments[:, 0, 0] - moments[:, 1, 1]) / trace, 2 * moments[:, 0, 1] / trace
    return floats(
        np.stack([np.log2(np.sqrt(det) / UNIT_PX), *stretch, np.cos(angle), np.sin(angle)], axis=-1)
    )


def edges_of(shapes: Floats) -> Floats:
    """The edges (n, 2, 2) of the parallelograms that ``shapes_of`` describes (n, 5)."""
    log_size, along_x, diagonal, cosine, sine = np.asarray(shapes, np.float64).T
    stretch = np.minimum(np.hypot(along_x, diagonal), MOST_STRETCH)
    direction = np.arctan2(diagonal, along_x)
    a, b = stretch * np.cos(direction), stretch * np.sin(direction)
    # The root of the moments [[1 + a, b], [b, 1 - a]] in closed form, brought to its size
    root_of_det = np.sqrt(1 - stretch**2)
    size = UNIT_PX * 2.0 ** np.clip(log_size, -4, 4)
    scale = size / np.sqrt(root_of_det * (2 + 2 * root_of_det))
    xx, xy, yy = (1 + a + root_of_det) * scale, b * scale, (1 - a + root_of_det) * scale
    angle = np.arctan2(sine, cosine) / 4
    c, s = np.cos(angle), np.sin(angle)
    right = np.stack([xx * c + xy * s, xy * c + yy * s], axis=-1)
    down = np.stack([xy * c - xx * s, yy * c - xy * s], axis=-1)
    return floats(np.stack([right, down], axis=1))
