"""Find single tiles: the locator's votes, gathered into one detection for each tile.

Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.arrays import Image, floats
from vision.networks import LOCATOR_STRIDE_PX, LOCATOR_UNIT_PX

Vector = NDArray[np.float32]

WORK_AREA_PX = 590_000
"""Size at which the locator looks: about 1024x576."""
LIKELY = 0.5
"""A cell joins in the vote when it is at least this likely to lie in a tile."""
SAME_TILE = 0.33
"""Votes closer than this, in tile widths, mean the same tile."""
FEWEST_VOTES = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One tile: its centre (2,), the way from its left to its right edge (2,) and from its top
    to its bottom edge (2,) as it is read upright, and how likely it is a tile.
    """

    centre: Vector
    right: Vector
    down: Vector
    likelihood: float

    @property
    def size(self) -> float:
        """Geometric mean of width and height."""
        return float(np.sqrt(np.hypot(*self.right) * np.hypot(*self.down)))


def find_tiles(image_bgr: Image, area_px: float = WORK_AREA_PX) -> list[Detection]:
    """All tiles that the locator sees when the picture is brought to about ``area_px`` pixels."""
    h, w = image_bgr.shape[:2]
    shrink = np.sqrt(area_px / (w * h))
    step = LOCATOR_STRIDE_PX
    size = (max(1, round(w * shrink / step)) * step, max(1, round(h * shrink / step)) * step)
    way = cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
    scale = np.array([w / size[0], h / size[1]], np.float32)
    return [
        Detection(
            (found.centre + 0.5) * scale - 0.5,
            found.right * scale,
            found.down * scale,
            found.likelihood,
        )
        for found in gather_votes(networks.locate(small))
    ]


def gather_votes(maps: NDArray[np.float32]) -> list[Detection]:
    """Tiles from the locator's output (7, rows, columns), in pixels of the locator's picture."""
    likelihood = 1 / (1 + np.exp(-maps[0]))
    rows, columns = np.nonzero(likelihood >= LIKELY)
    if rows.size == 0:
        return []
    values = maps[1:, rows, columns].T * LOCATOR_UNIT_PX
    weight = likelihood[rows, columns]
    cells = np.column_stack([columns, rows]) * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    way, right, down = values[:, 0:2], values[:, 2:4], values[:, 4:6]
    size = np.sqrt(np.hypot(*right.T) * np.hypot(*down.T)) + 1e-3
    centres = cells + way
    # Cells near the middle of a tile see all of it, so they vote first and count most.
    weight = weight * np.exp(-2 * (np.hypot(*way.T) / size) ** 2)
    left = np.ones(rows.size, bool)
    found = []
    for index in np.argsort(-weight, kind="stable"):
        if not left[index]:
            continue
        near = left & (np.hypot(*(centres - centres[index]).T) < SAME_TILE * size[index])
        left &= ~near
        share = weight[near]
        if share.sum() < FEWEST_VOTES * 0.5:
            continue
        middle, width, height = (
            floats(np.average(v[near], axis=0, weights=share)) for v in (centres, right, down)
        )
        seen = float(np.average(likelihood[rows[near], columns[near]], weights=share))
        tile = Detection(middle, width, height, seen)
        if is_tile_shaped(tile):
            found.append(tile)
    return found


def is_tile_shaped(tile: Detection) -> bool:
    """Whether its sides could be those of a square seen in perspective, not in a mirror."""
    width, height = float(np.hypot(*tile.right)), float(np.hypot(*tile.down))
    if min(width, height) < 6 or max(width, height) > 2.2 * min(width, height):
        return False
    cross = float(tile.right[0] * tile.down[1] - tile.right[1] * tile.down[0])
    return cross > 0.7 * width * height
