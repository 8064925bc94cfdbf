"""Detection of the duplex tiles of Between Two Cities: two faces on one piece.

A small network (``vision/lab/training/train_joints.py``) classifies a strip of the photo along each
joint of two tiles. Quads are those of ``vision.patches.cut``.

Duplex tiles do not affect the score, so detection runs on request only. A gap, a shadow or an edge
that is not quite parallel shows that two tiles are separate; single tiles that lie close and
straight look like a duplex tile. But each city has exactly two duplex tiles, so they are reported
only if all tiles of the city are sure, so that all joints are seen, and two joints stand out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Image, floats
from vision.networks import load_network
from vision.photo.load import Photo
from vision.reading import GridReading, Reading

Joint = tuple[Cell, Cell]
"""Two neighbouring cells: the left and the right, or the upper and the lower one."""

STRIP_HW: Final = 24, 40
"""Size of a strip in pixels, along the joint and across it."""
OVERHANG: Final = 0.08
"""Extension of a strip beyond both ends of the joint, in tile widths."""
REACH: Final = 0.22
"""Extent of a strip on either side of the joint, in tile widths."""
CONTRAST_OFFSET: Final = 4.0
"""Grey levels added to the standard deviation of a strip, so that noise is not amplified."""
DUPLEXES_PER_CITY: Final = 2
"""Number of duplex tiles of a city, by the rules."""
MIN_LOGIT: Final = 1.0
"""Minimum logit of the joint of a duplex tile."""
MIN_LOGIT_LEAD: Final = 7.0
"""Minimum lead in logit of a city's two duplex tiles over the next joint. Smaller: single tiles
that lie close are named; larger: fewer duplex tiles are."""


def add_duplexes(photo: Photo, reading: Reading) -> Reading:
    """Add the duplex tiles that stand out to a reading."""
    return replace(reading, grids=tuple(_add_to_city(photo, city) for city in reading.grids))


def _add_to_city(photo: Photo, city: GridReading) -> GridReading:
    quads = _quads_of_sure_tiles(photo, city)
    rows, columns = len(city.faces), len(city.faces[0])
    if len(quads) < rows * columns:  # a duplex tile may be among the joints not seen
        return replace(city, duplexes=())
    joints = list_joints(rows, columns)
    logits = read_joints(cut_joint_strips(photo.image_bgr, quads, joints))
    return replace(city, duplexes=select_duplexes(joints, logits))


def _quads_of_sure_tiles(photo: Photo, city: GridReading) -> Mapping[Cell, Corners]:
    """Return the quads of sure tiles, in pixels of the decoded image."""
    return {
        (row, column): floats(photo.to_decoded_px(quad))
        for row, quads in enumerate(city.tile_quads_px)
        for column, quad in enumerate(quads)
        if quad is not None and city.faces[row][column] and (row, column) not in city.unsure
    }


def select_duplexes(joints: Sequence[Joint], logits: NDArray[np.float32]) -> tuple[Joint, ...]:
    """Return the duplex tiles of a city in reading order; none if they do not stand out.

    Args:
        joints: All joints of the city.
        logits: Shape (n,), logit of each joint being within one piece.
    """
    order = np.argsort(-logits, kind="stable")
    if len(order) <= DUPLEXES_PER_CITY:
        return ()
    likeliest = [joints[number] for number in order[:DUPLEXES_PER_CITY]]
    cells = {cell for joint in likeliest for cell in joint}
    last, following = logits[order[DUPLEXES_PER_CITY - 1]], logits[order[DUPLEXES_PER_CITY]]
    if len(cells) < 2 * DUPLEXES_PER_CITY or last < MIN_LOGIT or last - following < MIN_LOGIT_LEAD:
        return ()
    return tuple(sorted(likeliest))


def list_joints(rows: int, columns: int) -> tuple[Joint, ...]:
    """Return all joints of a city: first those within rows, then those within columns."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    beside = (((r, c), (r, c + 1)) for r, c in cells if c + 1 < columns)
    below = (((r, c), (r + 1, c)) for r, c in cells if r + 1 < rows)
    return (*beside, *below)


def cut_joint_strips(
    image: Image, quads: Mapping[Cell, Corners], joints: Sequence[Joint]
) -> NDArray[np.uint8]:
    """Cut the strips along joints out of an image.

    Args:
        image: Shape (h, w, 3), BGR.
        quads: Quads (4, 2) of the tiles in its pixels.
        joints: Joints, n of them.

    Returns:
        Shape (n, *STRIP_HW, 3). The joint runs downwards, with the first tile on the left; the
        strip of an upper and a lower tile is therefore turned and mirrored.
    """
    height, width = STRIP_HW
    if not joints:
        return np.zeros((0, height, width, 3), np.uint8)
    ends = floats([_ends(joint, quads) for joint in joints])
    steps = floats([quads[b].mean(axis=0) - quads[a].mean(axis=0) for a, b in joints])
    along = (np.arange(height, dtype=np.float32) + 0.5) / height * (1 + 2 * OVERHANG) - OVERHANG
    across = ((np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1) * REACH
    lines = ends[:, None, 0] + along[:, None] * (ends[:, None, 1] - ends[:, None, 0])
    points = floats(lines[:, :, None] + across[:, None] * steps[:, None, None])
    x, y = (floats(points[..., axis].reshape(-1, width)) for axis in (0, 1))
    strips = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(strips, np.uint8).reshape(len(joints), height, width, 3)


def _ends(joint: Joint, quads: Mapping[Cell, Corners]) -> Corners:
    """Return the ends (2, 2) of a joint, half-way between the edges of its two tiles."""
    first, second = (quads[cell] for cell in joint)
    is_beside = joint[0][0] == joint[1][0]
    facing = ((1, 0), (2, 3)) if is_beside else ((3, 0), (2, 1))
    return floats([(first[mine] + second[other]) / 2 for mine, other in facing])


def read_joints(strips: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logits (n,) of strips of ``cut_joint_strips`` lying within one duplex tile."""
    if len(strips) == 0:
        return np.zeros(0, np.float32)
    network = load_network("joints")
    network.setInput(normalise_contrast(strips))
    return np.asarray(network.forward(), np.float32)[:, 0]


def normalise_contrast(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Normalise images (n, h, w, 3) to mean 0 and standard deviation 1, as (n, 3, h, w)."""
    levels = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
    flat = levels.reshape(len(levels), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= np.sqrt((flat * flat).mean(axis=1, keepdims=True)) + CONTRAST_OFFSET
    return levels
