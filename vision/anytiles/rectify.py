"""From quads in the photo to upright patches, and from a patch's corners back to the photo."""

import cv2
import numpy as np

from vision.anytiles.embedding import MARGIN, PATCH_PX, TILE_PX, patches_of
from vision.anytiles.locate import Floats
from vision.arrays import Image, floats

FINEST = 1.3
"""Photos that show tiles larger than patches by this factor are reduced first, as only averaging is true."""
CORNERS = floats([[0, 0], [1, 0], [1, 1], [0, 1]])


def rectified(photo: Image, quads_px: Floats) -> Image:
    """Patches (n, PATCH_PX, PATCH_PX, 3) of quads (n, 4, 2), which are of about one size."""
    if not len(quads_px):
        return np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8)
    right, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    size = float(np.sqrt(np.median(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))))
    shrink = max(1.0, size / TILE_PX / FINEST)
    h, w = photo.shape[:2]
    pad = 2 * MARGIN * size + 2
    low = np.clip(np.floor(quads_px.min(axis=(0, 1)) - pad), 0, (w - 1, h - 1)).astype(int)
    high = np.clip(np.ceil(quads_px.max(axis=(0, 1)) + pad) + 1, low + 1, (w, h)).astype(int)
    part = photo[low[1] : high[1], low[0] : high[0]]
    sides = part.shape[1], part.shape[0]
    if shrink > 1:
        small = tuple(max(1, round(side / shrink)) for side in sides)
        part = np.asarray(cv2.resize(part, small, interpolation=cv2.INTER_AREA), np.uint8)
    scale = floats([part.shape[1] / sides[0], part.shape[0] / sides[1]])
    return patches_of(part, floats((quads_px - low.astype(np.float32) + 0.5) * scale - 0.5))


def inside(quads: Floats, places: Floats) -> Floats:
    """Points (n, k, 2) at places (n, k, 2) of quads (n, 4, 2), whose corners are ``CORNERS``."""
    u, v = places[..., :1], places[..., 1:]
    a, b, c, d = (quads[:, None, k] for k in range(4))
    return floats(a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v)
