"""Embedding of rectified tiles: one small network that maps tiles of one face close together.

A *patch* shows a tile of ``TILE_PX`` with a margin of ``MARGIN_PX`` on every side. The network's
input is the logarithm of brightness minus the mean of each channel: the drawing in its colours
relative to one another, independent of exposure and of the colour of the light. The subtracted
means, three numbers, are the tile's *colour*; ``vision.eye.reference_similarity`` takes the light
out of them once all tiles of a photo are known.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, ParallelArrays, floats
from vision.networks import count_work, load_network

TILE_PX: Final = 40
"""Side of the tile in a patch."""
MARGIN_PX: Final = 4
"""Margin round the tile in a patch."""
PATCH_PX: Final = TILE_PX + 2 * MARGIN_PX
"""Side of a patch."""
BATCH_SIZES: Final = 4, 1
"""Numbers of patches that the network embeds at once, in falling order; the last is 1. Maps of few
patches stay in the processor's cache, and no patch is computed only to fill a batch."""
PREPARED_PATCHES: Final = 32
"""Number of patches that are brought to the network's input at once, a multiple of the batches.
Larger: more memory; smaller: more calls."""
STRIDE_PX: Final = 8
"""Pixels of the input for one cell of the network's output."""
VECTOR_SIZE: Final = 64
"""Numbers of the vector of a patch."""
PARTS_ACROSS: Final = 3
"""Parts along a side of a tile."""
PART_VECTOR_SIZE: Final = 16
"""Numbers of the vector of a part."""
PART_COUNT: Final = PARTS_ACROSS**2
"""Parts of a tile, row by row; each has a vector of its own."""
PART_CELLS: Final = PATCH_PX // STRIDE_PX // PARTS_ACROSS
"""Side of a part in cells of the network's output."""
CORNER_SCALE: Final = 10
"""Factor of the corner offsets in the network's output."""
OUTPUT_NAMES: Final = "said", "parts"
"""Names of the outputs, as the network's file spells them.

``said`` holds for each patch its vector, the offsets of the four corners and the logit of a whole
tile; ``parts`` holds the vectors of its parts.
"""
LOG_OFFSET: Final = 24.0
"""Grey levels added before the logarithm; with less, noise in dark areas dominates."""
LOG_GAIN: Final = 2.0
"""Factor that brings the network's input to a standard deviation of about one."""
MIN_WHOLE: Final = 0.5
"""Minimum ``Embeddings.whole_probability`` of a patch that shows a whole tile.

Larger: tiles half in glare are passed over. Smaller: places beside a grid count as tiles.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Embeddings(ParallelArrays):
    """Output of the network for n patches.

    Attributes:
        vectors: Shape (n, VECTOR_SIZE), unit length.
        colours: Shape (n, 3), mean logarithm of brightness of each channel, BGR.
        corner_offsets: Shape (n, 4, 2), offsets of the tile's corners from those of the quad, in
            tile widths.
        whole_probability: Shape (n,), probability that the patch shows one whole tile, aligned with
            the quad.
        parts: Shape (n, PART_COUNT, PART_VECTOR_SIZE), unit vectors of the parts, row by row.
    """

    vectors: Floats
    colours: Floats
    corner_offsets: Floats
    whole_probability: Floats
    parts: Floats


LOG_TABLE: Final = floats(np.log(np.arange(256) + LOG_OFFSET))
"""Logarithm by grey level."""


def network_input(patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Compute the network's input and the colours of patches.

    Args:
        patches: Shape (n, PATCH_PX, PATCH_PX, 3).

    Returns:
        Normalised logarithms (n, 3, PATCH_PX, PATCH_PX), and colours (n, 3).
    """
    count = len(patches)
    # As one tall image, which OpenCV splits faster than numpy
    planes = np.array(cv2.split(patches.reshape(-1, PATCH_PX, 3)), np.uint8)
    of_patches = planes.reshape(3, count, -1).swapaxes(0, 1).reshape(3 * count, -1)
    levels = np.asarray(cv2.LUT(of_patches, LOG_TABLE), np.float32)
    levels = levels.reshape(count, 3, PATCH_PX, PATCH_PX)
    inner = levels[:, :, MARGIN_PX:-MARGIN_PX:2, MARGIN_PX:-MARGIN_PX:2]
    colours = inner.mean(axis=(2, 3))
    levels -= colours[:, :, None, None]
    levels *= np.float32(LOG_GAIN)
    return levels, colours


def embed(patches: NDArray[np.uint8]) -> Embeddings:
    """Embed patches (n, PATCH_PX, PATCH_PX, 3)."""
    count = len(patches)
    colours = np.empty((count, 3), np.float32)
    out = np.empty((count, VECTOR_SIZE + 9), np.float32)
    parts = np.empty((count, PART_COUNT, PART_VECTOR_SIZE), np.float32)
    for start in range(0, count, PREPARED_PATCHES):
        prepared = slice(start, start + PREPARED_PATCHES)
        images, colours[prepared] = network_input(patches[prepared])
        first = 0
        for size in BATCH_SIZES:
            network = load_network("embed", batch=size)
            while len(images) - first >= size:
                image = images[first : first + size]
                count_work("embed", image.shape, patches=size)
                network.setInput(image)
                of_tiles, of_parts = network.forward(OUTPUT_NAMES)
                batch = slice(start + first, start + first + size)
                out[batch] = np.reshape(of_tiles, (size, -1))
                by_part = np.reshape(of_parts, (size, PART_VECTOR_SIZE, PART_COUNT))
                parts[batch] = by_part.swapaxes(1, 2)
                first += size
    corners = out[:, VECTOR_SIZE : VECTOR_SIZE + 8].reshape(-1, 4, 2) / np.float32(CORNER_SCALE)
    whole = 1 / (1 + np.exp(-out[:, VECTOR_SIZE + 8]))
    return Embeddings(
        vectors=normalise(out[:, :VECTOR_SIZE]),
        colours=colours,
        corner_offsets=floats(corners),
        whole_probability=floats(whole),
        parts=normalise(parts),
    )


def normalise(vectors: Floats) -> Floats:
    """Scale vectors (..., n) to unit length."""
    return floats(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
