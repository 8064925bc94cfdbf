"""Locator: a small network that detects single tiles and printed plots, whatever they show.

The network sees a reduced image whose channels are whitened, so that neither exposure nor a colour
cast reaches it. For each map cell, a block of ``STRIDE_PX`` x ``STRIDE_PX`` pixels, it predicts the
probability that the cell lies in a tile, and in a plot; the offset of the centre of that tile or
plot; its shape; and the error of that offset. Map cells whose predicted centres lie close together
are a cluster, and each large cluster is a detection.

Coordinate frames, (0, 0) the centre of the top left pixel or cell:
    image    Pixels (x, y) of the decoded image. Suffix ``_px``.
    reduced  Pixels of the reduced image; detections are in this frame.
    map      Cells (x, y) of the network's output, each ``STRIDE_PX`` reduced pixels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Image, ParallelArrays, floats
from vision.editions.model import GridFormat
from vision.networks import count_work, load_network
from vision.patches.cut import Pyramid

STRIDE_PX: Final = 8
"""Side of a map cell in reduced pixels."""
SIDE_DIVISOR_PX: Final = 32
"""Divisor of the width and height of a reduced image."""
UNIT_PX: Final = 32.0
"""Unit of offsets to centres, and the side of a tile of log size 0, in reduced pixels."""
FOLDED_CHANNELS: Final = 32
"""Channels in which the first part of the network describes a map cell."""
CHANNELS: Final = 10
"""Channels of the maps, below."""
TILE: Final = 0
"""Channel of the logit of a tile."""
PLOT: Final = 1
"""Channel of the logit of a plot."""
OFFSET: Final = slice(2, 4)
"""Channels of the offset (x, y) from the cell to the centre of its tile or plot, in ``UNIT_PX``."""
SHAPE: Final = slice(4, 9)
"""Channels of the five numbers of ``encode_shapes``."""
LOG_ERROR: Final = 9
"""Channel of the logarithm of the expected error of the centre in tile widths."""
MAX_INPUT_PX: Final = 1_000_000
"""Maximum number of pixels that the network sees at once; larger images go through in strips."""
STRIP_MARGIN_PX: Final = 128
"""Margin of a strip. The network sees farther, but pixels so far away change little. Larger: strips
cost more; smaller: tiles at their seams are detected less surely."""
MIN_STD: Final = 12.0
"""Lower bound of a channel's standard deviation in whitening, in grey levels. Smaller: noise of
plain images is amplified."""
MAX_SAMPLED_REDUCTION: Final = 1.6
"""Reduction up to which pixels are interpolated and not averaged, which is quicker."""
MAX_STRETCH: Final = 0.8
"""Maximum stretch of a shape, -1 to 1; 0.8 is a tile three times as long as wide."""
UNIT_AREA_PX: Final = 331_776
"""Number of pixels of a reduced image of relative area 1."""
MIN_HALVED_REDUCTION: Final = 2.5
"""Reduction at or above which the halved image is reduced further, which is quicker."""
MIN_TILE_PROBABILITY: Final = 0.3
"""Minimum probability of a map cell that is clustered, and of a detection that counts as a tile.
Larger: dim tiles are missed; smaller: more false detections are examined, which costs time."""
CLUSTER_RADIUS: Final = 0.33
"""Distance along both axes up to which a map cell joins a cluster, from the centre that the first
one predicts, in tile widths. Larger: small neighbours become one; smaller: one tile becomes two."""
MIN_CLUSTER_SUM: Final = 0.6
"""Minimum sum of the probabilities of a cluster; less is chance. Larger: half covered tiles are
missed; smaller: more false detections are examined."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections(ParallelArrays):
    """Detected tiles and plots, n of them, in pixels of the reduced image.

    Attributes:
        centres: Shape (n, 2).
        edges: Shape (n, 2, 2), vectors along one edge and along the next one clockwise; which edge
            comes first is arbitrary.
        tile_probability: Shape (n,), probability of a free tile.
        plot_probability: Shape (n,), probability of a plot of a printed board.
        centre_error: Shape (n,), expected error of the centre in tile widths.
    """

    centres: Floats
    edges: Floats
    tile_probability: Floats
    plot_probability: Floats
    centre_error: Floats

    @property
    def sizes(self) -> Floats:
        """Square roots of the areas (n,)."""
        (rx, ry), (dx, dy) = self.edges[:, 0].T, self.edges[:, 1].T
        return floats(np.sqrt(np.abs(rx * dy - ry * dx)))


@dataclass(frozen=True, slots=True, eq=False)
class LocatorOutput:
    """Output of the locator for a photo, at one reduction.

    Attributes:
        maps: Shape (CHANNELS, h, w), output of the network.
        probability_map: Shape (h, w), probability that a map cell lies in a free tile.
        reduction_xy: Pixels of the decoded image to one reduced pixel, along x and y.
        detections: Detected tiles and plots.
    """

    maps: Floats
    probability_map: Floats
    reduction_xy: Floats
    detections: Detections

    @property
    def detected_px(self) -> Floats:
        """Centres (n, 2) of the detected tiles, without plots and unlikely ones."""
        centres = self.detections.centres[self.detections.tile_probability > MIN_TILE_PROBABILITY]
        return floats(reduced_to_image_px(centres, self.reduction_xy))

    @property
    def map_cell_px(self) -> float:
        """Side of a map cell in pixels of the decoded image."""
        return STRIDE_PX * float(self.reduction_xy.mean())

    def to_map(self, points_px: NDArray[np.floating]) -> Doubles:
        """Transform points of the image (..., 2) to map cells."""
        reduced_px = (np.asarray(points_px, np.float64) + 0.5) / self.reduction_xy - 0.5
        return np.asarray((reduced_px - (STRIDE_PX - 1) / 2) / STRIDE_PX)

    def to_image_px(self, cells: NDArray[np.floating]) -> Doubles:
        """Transform map cells (..., 2) to points of the image."""
        reduced_px = np.asarray(cells, np.float64) * STRIDE_PX + (STRIDE_PX - 1) / 2
        return reduced_to_image_px(reduced_px, self.reduction_xy).astype(np.float64)


def reduced_to_image_px(points: NDArray[np.floating], reduction_xy: Floats) -> NDArray[np.floating]:
    """Transform points (..., 2) of a reduced image to the decoded one, of the same type."""
    return np.asarray((points + 0.5) * reduction_xy - 0.5)


def to_probabilities(logits: Floats) -> Floats:
    """Return the probabilities that belong to logits of the network."""
    return floats(1 / (1 + np.exp(-np.clip(logits, -40, 40))))


def run_locator(
    pyramid: Pyramid, grid_format: GridFormat, relative_area: float = 1.0
) -> LocatorOutput:
    """Run the locator on a photo.

    Args:
        pyramid: Pyramid of the photo.
        grid_format: Format of the grids; plots are detected on boards.
        relative_area: Area of the reduced image as a factor on ``UNIT_AREA_PX``; small for tiles
            that fill the photo.
    """
    width, height = pyramid.size_wh
    reduction = reduction_at(pyramid, relative_area)
    level = pyramid.level(1 if reduction >= MIN_HALVED_REDUCTION else 0)
    small = reduce_image(level, reduction * level.shape[1] / width)
    reduction_xy = floats([width / small.shape[1], height / small.shape[0]])
    maps = run_network(small)
    detections = decode_detections(maps, plots=grid_format.on_board)
    return LocatorOutput(maps, to_probabilities(maps[TILE]), reduction_xy, detections)


def reduction_at(pyramid: Pyramid, relative_area: float) -> float:
    """Return how many pixels of the decoded image one of a reduced image of this area spans."""
    width, height = pyramid.size_wh
    return float(np.sqrt(height * width / (UNIT_AREA_PX * relative_area)))


def whiten(image: Image) -> Floats:
    """Normalise each channel (h, w, 3) to mean 0 and standard deviation 1, as (1, 3, h, w)."""
    return _whiten_part(image, *_measure_channels(image))


def _measure_channels(image: Image) -> tuple[list[float], list[float]]:
    """Return the mean of each channel, and the gain that makes its standard deviation 1."""
    mean, std = cv2.meanStdDev(image)
    return mean.ravel().tolist(), (1 / np.maximum(std.ravel(), MIN_STD)).tolist()


def _whiten_part(image: Image, mean: list[float], gain: list[float]) -> Floats:
    """Whiten a part of an image by the mean and gain of the whole."""
    planes = np.empty((1, 3, *image.shape[:2]), np.float32)
    for n, plane in enumerate(cv2.split(image)):
        cv2.addWeighted(plane, gain[n], plane, 0.0, -mean[n] * gain[n], planes[0, n], cv2.CV_32F)
    return planes


def run_network(small: Image) -> Floats:
    """Run the network on a reduced image, in strips if it is large, which takes less memory.

    Returns:
        Shape (CHANNELS, h / STRIDE_PX, w / STRIDE_PX).
    """
    network, folded = load_network("locate"), _fold(small)
    height, width = (side // STRIDE_PX for side in small.shape[:2])
    maps = np.empty((CHANNELS, height, width), np.float32)
    for input_rows, kept_rows in _strips(*small.shape[:2]):
        strip = np.ascontiguousarray(folded[:, :, input_rows])
        count_work("locate", strip.shape)
        network.setInput(strip)
        first = kept_rows.start - input_rows.start
        maps[:, kept_rows] = network.forward()[0][
            :, first : first + kept_rows.stop - kept_rows.start
        ]
    return maps


def _strips(height: int, width: int) -> Iterator[tuple[slice, slice]]:
    """Divide an image into strips; yield the map rows that each one sees, and those it keeps."""
    step = strip_height = height
    if height * width > MAX_INPUT_PX:
        max_rows = (MAX_INPUT_PX // width - 2 * STRIP_MARGIN_PX) // SIDE_DIVISOR_PX
        max_step = max(max_rows, 2) * SIDE_DIVISOR_PX
        # As many strips as needed, all of one height
        strip_count = ceil(height / max_step)
        step = ceil(height / strip_count / SIDE_DIVISOR_PX) * SIDE_DIVISOR_PX
        margins = STRIP_MARGIN_PX * (1 if 2 * step >= height else 2)
        strip_height = min(step + margins, height)
    for top in range(0, height, step):
        first = min(max(top - STRIP_MARGIN_PX, 0), height - strip_height)
        yield (
            slice(first // STRIDE_PX, (first + strip_height) // STRIDE_PX),
            slice(top // STRIDE_PX, min(top + step, height) // STRIDE_PX),
        )


def _fold(small: Image) -> Floats:
    """Describe each map cell of a reduced image by channels, as (1, FOLDED_CHANNELS, h, w).

    The network's first layers see each map cell by itself, and so do without a copy of the whole
    image as floats.
    """
    network, mean_and_gain = load_network("fold"), _measure_channels(small)
    height, width = small.shape[:2]
    folded = np.empty((1, FOLDED_CHANNELS, height // STRIDE_PX, width // STRIDE_PX), np.float32)
    for top in range(0, height, SIDE_DIVISOR_PX):
        band = _whiten_part(small[top : top + SIDE_DIVISOR_PX], *mean_and_gain)
        count_work("fold", band.shape)
        network.setInput(band)
        folded[:, :, top // STRIDE_PX : (top + SIDE_DIVISOR_PX) // STRIDE_PX] = network.forward()
    return folded


def reduce_image(image: Image, reduction: float) -> Image:
    """Reduce an image to sides that the network takes."""
    h, w = image.shape[:2]
    size = tuple(
        max(1, round(side / reduction / SIDE_DIVISOR_PX)) * SIDE_DIVISOR_PX for side in (w, h)
    )
    small = cv2.resize(
        image,
        size,
        interpolation=cv2.INTER_AREA if reduction > MAX_SAMPLED_REDUCTION else cv2.INTER_LINEAR,
    )
    return np.asarray(small, np.uint8)


def decode_detections(maps: Floats, *, plots: bool) -> Detections:
    """Cluster map cells to detections, of tiles alone or of tiles and plots."""
    logits = np.maximum(maps[TILE], maps[PLOT]) if plots else maps[TILE]
    min_logit = float(np.log(MIN_TILE_PROBABILITY / (1 - MIN_TILE_PROBABILITY)))
    rows, columns = np.nonzero(logits > min_logit)
    values = maps[:, rows, columns]
    tile, plot = 1 / (1 + np.exp(-values[[TILE, PLOT]]))
    half = (STRIDE_PX - 1) / 2
    offsets = values[OFFSET].T * UNIT_PX
    cells_px = np.stack([columns, rows], axis=-1) * np.float32(STRIDE_PX) + np.float32(half)
    centres, log_error = cells_px + offsets, values[LOG_ERROR]
    size = UNIT_PX * np.exp2(np.clip(values[SHAPE][0], -4, 4))
    # Cells near the middle of a tile see all of it, so they begin clusters and count most
    probability = np.maximum(tile, plot) if plots else tile
    nearness = -2 * (offsets**2).sum(axis=1) / size**2
    weight = probability * np.exp(nearness - np.clip(log_error, -4, 2))
    cluster = cluster_centres(floats(centres), floats(CLUSTER_RADIUS * size), floats(weight))
    count = int(cluster.max()) + 1 if cluster.size else 0
    total = np.bincount(cluster, weight, count)
    predicted = np.vstack([centres.T, tile, plot, np.exp(log_error)[None], values[SHAPE]])
    means = np.stack([np.bincount(cluster, weight * row, count) / total for row in predicted])
    kept = np.bincount(cluster, probability, count) >= MIN_CLUSTER_SUM
    found = floats(means[:, kept].T)
    return Detections(
        found[:, :2], decode_shapes(found[:, 5:]), found[:, 2], found[:, 3], found[:, 4]
    )


def cluster_centres(centres: Floats, reach: Floats, weight: Floats) -> NDArray[np.intp]:
    """Cluster points greedily: the heaviest one that is free takes all free ones within its reach.

    Args:
        centres: Shape (n, 2), centre that each map cell predicts.
        reach: Shape (n,), distance along both axes up to which a point takes others.
        weight: Shape (n,).

    Returns:
        Shape (n,), the number of each point's cluster.
    """
    cluster = np.full(len(weight), -1, np.intp)
    unassigned = np.argsort(-weight, kind="stable")
    x, y = centres[unassigned].T
    count = 0
    while len(unassigned):
        within = reach[unassigned[0]]
        taken = (np.abs(x - x[0]) < within) & (np.abs(y - y[0]) < within)
        taken[0] = True
        cluster[unassigned[taken]] = count
        count += 1
        rest = ~taken
        unassigned, x, y = unassigned[rest], x[rest], y[rest]
    return cluster


def encode_shapes(edges: NDArray[np.floating]) -> Floats:
    """Describe parallelograms by five numbers that do not depend on which edge comes first.

    With the edges as columns of A, the matrix A Aᵀ is the same for all quarter turns; so is four
    times the direction of the edges of its rotation (polar decomposition).

    Args:
        edges: Shape (n, 2, 2), as ``Detections`` has them.

    Returns:
        Shape (n, 5): binary logarithm of the size in UNIT_PX; stretch along x, not y, and along
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


def decode_shapes(shapes: Floats) -> Floats:
    """Return the edges (n, 2, 2) of parallelograms, the inverse of ``encode_shapes`` (n, 5)."""
    log_size, along_x, diagonal, cosine, sine = np.asarray(shapes, np.float64).T
    stretch = np.minimum(np.hypot(along_x, diagonal), MAX_STRETCH)
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
