"""One small network that turns a rectified tile into a vector, near for the same face.

A *patch* shows a tile of ``TILE_PX`` with ``MARGIN_PX`` of what lies round it on every side. The
network sees the logarithm of its brightness less the mean of each channel: what is drawn on the
tile in which colours relative to one another, untouched by exposure and by the colour of the
light. That mean itself, three numbers, is the tile's *colour*; what light does to it is settled
where all tiles of a photo are known (``vision.eye.identify``).
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Rows, floats
from vision.networks import count_work, network_called

TILE_PX = 40
MARGIN_PX = 4
PATCH_PX = TILE_PX + 2 * MARGIN_PX
GAP_PX = 8
"""Between patches that lie side by side in what the network sees; zero in all its layers."""
PITCH_PX = PATCH_PX + GAP_PX
ACROSS, DOWN = 8, 2
"""Patches in one picture; OpenCV convolves few large maps quicker than many small ones."""
VECTOR = 64
PARTS_ACROSS, PART_VECTOR = 3, 16
PARTS = PARTS_ACROSS**2
"""Of a tile, each of which has a vector of its own."""
PART_CELLS = PATCH_PX // 8 // PARTS_ACROSS
"""Side of a part in cells of 8 x 8 pixels."""
NAMES = "said", "parts"
"""What the network says of patches: the vector, the offsets of the four corners and the logit of a
whole tile; and vectors of parts, wherever one may begin."""
LIFT = 24.0
"""Grey levels that are added before the logarithm, lest darkness be all noise."""
GAIN = 2.0
"""What the network sees is brought to a spread of about one by this."""
MIN_WHOLE: Final = 0.5
"""Least ``Embeddings.whole`` of a patch that shows a whole tile in its place. Larger: tiles half in
glare are passed over; smaller: places beside a grid count as tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class Embeddings(Rows):
    """Embeddings of n patches, and what else the network says of them.

    Attributes:
        vectors: (n, VECTOR), of length 1.
        colours: (n, 3), mean logarithm of the brightness of each channel, BGR.
        corners: (n, 4, 2), how far off the tile's corners lie, in tile widths.
        whole: (n,), how likely each patch shows one whole tile in its place, 0 to 1.
        parts: (n, PARTS, PART_VECTOR), vectors of length 1 of the parts of each, row by row.
    """

    vectors: Floats
    colours: Floats
    corners: Floats
    whole: Floats
    parts: Floats


LOGARITHMS = floats(np.log(np.arange(256) + LIFT))
"""Of each grey level."""


def logarithms(patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """What the network sees of one patch or more (n, PATCH_PX, PATCH_PX, 3), and colours (3, n).

    The first is (3, n, PATCH_PX, PATCH_PX).
    """
    many = len(patches)
    # As one tall picture, which OpenCV takes apart quicker than numpy
    planes = np.array(cv2.split(patches.reshape(-1, PATCH_PX, 3)), np.uint8)
    levels = np.asarray(cv2.LUT(planes.reshape(3 * many, -1), LOGARITHMS), np.float32)
    levels = levels.reshape(3, many, PATCH_PX, PATCH_PX)
    inner = levels[:, :, MARGIN_PX:-MARGIN_PX:2, MARGIN_PX:-MARGIN_PX:2]
    colours = inner.mean(axis=(2, 3))
    levels -= colours[:, :, None, None]
    levels *= np.float32(GAIN)
    return levels, colours


def embed(patches: NDArray[np.uint8]) -> Embeddings:
    """Embed patches (n, PATCH_PX, PATCH_PX, 3)."""
    network, many = network_called("embed"), ACROSS * DOWN
    count = len(patches)
    colours = np.empty((count, 3), np.float32)
    out = np.empty((count, VECTOR + 9), np.float32)
    parts = np.empty((count, PARTS, PART_VECTOR), np.float32)
    begin = np.arange(PARTS_ACROSS) * PART_CELLS
    rows = (np.arange(DOWN)[:, None] * (PITCH_PX // 8) + begin).ravel()
    columns = (np.arange(ACROSS)[:, None] * (PITCH_PX // 8) + begin).ravel()
    sheet = np.zeros((3, DOWN, PITCH_PX, ACROSS, PITCH_PX), np.float32)
    for first in range(0, count, many):
        now = min(many, count - first)
        seen, means = logarithms(patches[first : first + now])
        colours[first : first + now] = means.T
        if now < many:
            none = np.zeros((3, many - now, PATCH_PX, PATCH_PX), np.float32)
            seen = np.concatenate([seen, none], axis=1)
        in_rows = seen.reshape(3, DOWN, ACROSS, PATCH_PX, PATCH_PX)
        sheet[:, :, :PATCH_PX, :, :PATCH_PX] = in_rows.transpose(0, 1, 3, 2, 4)
        picture = sheet.reshape(1, 3, DOWN * PITCH_PX, ACROSS * PITCH_PX)
        count_work("embed", picture.shape, patches=now)
        network.setInput(picture)
        said, of_parts = (np.asarray(v, np.float32) for v in network.forward(NAMES))
        out[first : first + now] = said.reshape(VECTOR + 9, many).T[:now]
        at = of_parts[0][:, rows][:, :, columns]
        each = at.reshape(PART_VECTOR, DOWN, PARTS_ACROSS, ACROSS, PARTS_ACROSS)
        each = each.transpose(1, 3, 2, 4, 0).reshape(many, PARTS, PART_VECTOR)
        parts[first : first + now] = each[:now]
    corners = out[:, VECTOR : VECTOR + 8].reshape(-1, 4, 2) / np.float32(10)
    whole = 1 / (1 + np.exp(-out[:, VECTOR + 8]))
    return Embeddings(
        normalised(out[:, :VECTOR]),
        colours,
        floats(corners),
        floats(whole),
        normalised(parts),
    )


def normalised(vectors: Floats) -> Floats:
    """Vectors (..., n) of length 1."""
    return floats(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
