"""Find single tiles: the locator's votes, gathered into one detection for each tile.

Coordinates are pixels of the picture given, (0, 0) the centre of the top left pixel.
"""

from dataclasses import dataclass, replace

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
    """One tile, as yet without a way up.

    Attributes:
        centre: (x, y).
        size: edge length, pixels.
        angle: direction of an edge, clockwise from the x axis, radians; quarter turns are alike.
        likelihood: how likely it is a tile, 0 to 1.
    """

    centre: Vector
    size: float
    angle: float
    likelihood: float

    @property
    def ways(self) -> tuple[Vector, Vector, Vector, Vector]:
        """The four steps of one tile along its edges, clockwise."""
        along = floats([np.cos(self.angle), np.sin(self.angle)]) * np.float32(self.size)
        aside = floats([-along[1], along[0]])
        return along, aside, -along, -aside


def find_tiles(image_bgr: Image, area_px: float = WORK_AREA_PX) -> list[Detection]:
    """All tiles that the locator sees when the picture is brought to about ``area_px`` pixels."""
    h, w = image_bgr.shape[:2]
    shrink = np.sqrt(area_px / (w * h))
    step = LOCATOR_STRIDE_PX
    size = (max(1, round(w * shrink / step)) * step, max(1, round(h * shrink / step)) * step)
    way = cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
    scale = floats([w / size[0], h / size[1]])
    return [
        replace(
            tile, centre=(tile.centre + 0.5) * scale - 0.5, size=tile.size * float(scale.mean())
        )
        for tile in gather_votes(networks.locate(small))
    ]


def gather_votes(maps: NDArray[np.float32]) -> list[Detection]:
    """Tiles from the locator's output (LOCATOR_CHANNELS, rows, columns) in its picture's pixels."""
    likelihood = 1 / (1 + np.exp(-maps[0]))
    rows, columns = np.nonzero(likelihood >= LIKELY)
    if rows.size == 0:
        return []
    way = maps[1:3, rows, columns].T * LOCATOR_UNIT_PX
    direction = maps[3:5, rows, columns].T
    log_size = maps[5, rows, columns]
    weight = likelihood[rows, columns]
    cells = np.column_stack([columns, rows]) * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
    size = LOCATOR_UNIT_PX * np.exp2(np.clip(log_size, -4, 4))
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
        middle = floats(np.average(centres[near], axis=0, weights=share))
        cosine, sine = np.average(direction[near], axis=0, weights=share)
        edge = float(np.exp2(np.average(log_size[near], weights=share))) * LOCATOR_UNIT_PX
        seen = float(np.average(likelihood[rows[near], columns[near]], weights=share))
        found.append(Detection(middle, edge, float(np.arctan2(sine, cosine)) / 4, seen))
    return found
