"""Detector of figures on tiles and of loose pieces: one small network and its decoding.

The network was trained on made-up pieces and depends on no particular shape, drawing or colour. Its
input is the table as seen from straight above, with whitened channels (``vision.eye.locate``), in
which the foot of a figure is ``FOOT_PX`` wide, or a loose piece ``PIECE_PX``. For each map cell, a
block of ``STRIDE_PX`` x ``STRIDE_PX`` pixels, its output is the probability of a figure and the
vector to the centre of its foot, and the probability of a loose piece, the vector to its centre and
its rotation.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, floats
from vision.eye.locate import cluster_centres, whiten
from vision.networks import count_work, load_network

FOOT_PX: Final = 14.0
"""Width of the foot of a figure in the input."""
PIECE_PX: Final = 28.0
"""Side of a loose piece in the input."""
CHANNELS: Final = 8
"""Channels of the output.

Logit of a figure, vector (x, y) to its foot in FOOT_PX; logit of a loose piece, vector to its
centre in PIECE_PX, cosine and sine of four times the direction of its edges.
"""
_VECTOR_CHANNELS: Final = [1, 2, 4, 5]
STRIDE_PX: Final = 4
"""Side of a map cell in pixels of the input."""
SIDE_DIVISOR_PX: Final = 8
"""Divisor of the width and height of the input."""
ROTATIONS: Final = 4
"""Number of quarter turns of the input over which the output is averaged."""
CLUSTER_RADIUS_WIDTHS: Final = 0.75
"""Maximum distance between the centres that map cells of one cluster predict, in widths of a foot
or piece."""


@dataclass(frozen=True, slots=True, eq=False)
class FigureDetections:
    """Detected figures, n of them.

    Attributes:
        feet: Shape (n, 2), centres of their feet in pixels.
        probability: Shape (n,), mean probability of the map cells of each, 0 to 1.
        area: Shape (n,), sum of the probabilities of its map cells.
        owner: Shape (h, w), number of the figure that each map cell shows; -1 for none.
        body: Shape (h, w), probability that the map cell shows a figure.
    """

    feet: Floats
    probability: Floats
    area: Floats
    owner: NDArray[np.intp]
    body: Floats


def _run_network(flat: Image) -> Floats:
    """Return the output (CHANNELS, h / STRIDE_PX, w / STRIDE_PX), averaged over quarter turns.

    Figures may lean in any direction, so the network errs in other places in each turn.
    """
    network, seen = load_network("pieces"), whiten(flat)
    total = np.zeros((CHANNELS, *(side // STRIDE_PX for side in flat.shape[:2])), np.float32)
    for quarters in range(ROTATIONS):
        turned = np.ascontiguousarray(np.rot90(seen, quarters, (2, 3)))
        count_work("pieces", turned.shape)
        network.setInput(turned)
        maps = np.rot90(network.forward()[0], -quarters, (1, 2)).copy()
        for _ in range(quarters):
            maps[_VECTOR_CHANNELS] = np.stack([-maps[2], maps[1], -maps[5], maps[4]])
        total += maps
    return floats(total / ROTATIONS)


@dataclass(frozen=True, slots=True, eq=False)
class _Clusters:
    """Map cells clustered by the centre that they predict; each of the n clusters is an object.

    Attributes:
        probability: Shape (h, w), probability that the map cell shows an object.
        rows, columns: Shape (k,), map cells in clusters.
        number: Shape (k,), number of the cluster of each of these.
        centres: Shape (n, 2), centres of the objects in pixels.
        total: Shape (n,), sum of the probabilities of its map cells.
    """

    probability: Floats
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    number: NDArray[np.intp]
    centres: Floats
    total: Floats


def _cluster_map_cells(maps: Floats, unit_px: float, min_probability: float) -> _Clusters:
    """Cluster map cells by the centre that they predict.

    Args:
        maps: Shape (3, h, w), logit and vector to the centre.
        unit_px: Unit of the vectors.
        min_probability: Minimum probability of a map cell in a cluster.
    """
    probability = floats(1 / (1 + np.exp(-maps[0])))
    rows, columns = np.nonzero(probability > min_probability)
    vectors = maps[1:3, rows, columns].T * np.float32(unit_px)
    corners = np.stack([columns, rows], axis=-1) * np.float32(STRIDE_PX)
    predicted = floats(corners + np.float32((STRIDE_PX - 1) / 2) + vectors)
    weight = probability[rows, columns]
    number = cluster_centres(
        predicted, np.full(len(predicted), CLUSTER_RADIUS_WIDTHS * unit_px, np.float32), weight
    )
    count = int(number.max()) + 1 if number.size else 0
    total = np.bincount(number, weight, count)
    sums = [np.bincount(number, weight * axis, count) for axis in predicted.T]
    centres = floats(np.stack(sums, axis=-1) / np.maximum(total, 1e-6)[:, None])
    return _Clusters(probability, rows, columns, number, centres, floats(total))


def detect_figures(flat: Image, min_probability: float) -> FigureDetections:
    """Detect figures in an image (h, w, 3) with sides divisible by ``SIDE_DIVISOR_PX``.

    Args:
        flat: Tiles as seen from straight above.
        min_probability: Minimum probability of a map cell that shows a figure.
    """
    clusters = _cluster_map_cells(_run_network(flat), FOOT_PX, min_probability)
    owner = np.full(clusters.probability.shape, -1, np.intp)
    owner[clusters.rows, clusters.columns] = clusters.number
    of_cells = clusters.probability[clusters.rows, clusters.columns]
    total = clusters.total
    mean = np.bincount(clusters.number, of_cells**2, len(total)) / np.maximum(total, 1e-6)
    return FigureDetections(clusters.centres, floats(mean), total, owner, clusters.probability)


def detect_pieces(flat: Image, min_probability: float) -> tuple[Floats, Floats, Floats]:
    """Detect loose pieces in an image (h, w, 3) with sides divisible by ``SIDE_DIVISOR_PX``.

    Args:
        flat: Table as seen from straight above.
        min_probability: Minimum probability of a map cell that shows a piece.

    Returns:
        Centres (n, 2); directions of their edges (n,) in radians, up to quarter turns; and the
        detected share (n,) of each piece's area.
    """
    maps = _run_network(flat)
    clusters = _cluster_map_cells(maps[3:], PIECE_PX, min_probability)
    along, across = (
        np.bincount(clusters.number, maps[k, clusters.rows, clusters.columns], len(clusters.total))
        for k in (6, 7)
    )
    area = (PIECE_PX / STRIDE_PX) ** 2
    return clusters.centres, floats(np.arctan2(across, along) / 4), floats(clusters.total / area)
