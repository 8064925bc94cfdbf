"""From quads in the photo to upright patches and what these look like, and back to the photo."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, floats
from vision.embedding import PATCH_PX, TILE_PX, Looks, looks_of, of_length_1, patches_of
from vision.locate import Floats

FINEST = 1.6
"""Where tiles are larger than patches by this factor the photo is halved first, or it aliases."""
CORNERS = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
AROUND = floats(
    [
        (0, 0, 1),
        *((x, y, 1) for x, y in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05))),
        *((x, x, 1 + x) for x in (0.05, -0.05)),
        *((x, -x, 1 - x) for x in (0.05, -0.05)),
    ]
)
"""How far right and down of its place, in tile widths, and how wide a tile is looked at for a
steadier view of it."""


class Pyramid:
    """A photo and its halves, each made when first wanted."""

    def __init__(self, photo: Image) -> None:
        self._levels = [photo]

    def level(self, halvings: int) -> Image:
        """The photo halved so many times."""
        while len(self._levels) <= halvings:
            last = self._levels[-1]
            size = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(
                np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._levels[halvings]

    def for_tiles(self, size_px: float) -> tuple[Image, int]:
        """The photo halved until tiles of a size are little larger than patches; how often."""
        halvings = max(0, int(np.ceil(np.log2(max(size_px, 1.0) / TILE_PX / FINEST))))
        return self.level(halvings), halvings


def rectified(photo: Pyramid, quads_px: Floats) -> Image:
    """Patches (n, PATCH_PX, PATCH_PX, 3) of quads (n, 4, 2), which are of about one size."""
    if not len(quads_px):
        return np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8)
    right, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    size = float(np.sqrt(np.median(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))))
    image, halvings = photo.for_tiles(size)
    return patches_of(image, floats((quads_px + 0.5) / 2**halvings - 0.5))


def look_at(photo: Pyramid, quads_px: Floats) -> Looks:
    """What lies in quads (n, 4, 2) looks like."""
    return looks_of(rectified(photo, quads_px))


def look_steadily(photo: Pyramid, quads_px: Floats) -> Looks:
    """What lies in quads (n, 4, 2) looks like in the mean of several looks, slightly aside.

    Where a quad lies not quite right, and what resampling makes of a tile, matters less. Colours,
    corners and ``whole`` are those of the quads themselves.
    """
    count = len(quads_px)
    places = (CORNERS - 0.5) * AROUND[:, None, 2:] + 0.5 + AROUND[:, None, :2]
    looks = look_at(
        photo, inside(np.tile(quads_px, (len(AROUND), 1, 1)), np.repeat(places, count, axis=0))
    )
    vectors = looks.vectors.reshape(len(AROUND), count, -1).sum(axis=0)
    parts = looks.parts.reshape(len(AROUND), count, *looks.parts.shape[1:]).sum(axis=0)
    middle = looks.chosen(slice(count))
    return replace(middle, vectors=of_length_1(floats(vectors)), parts=of_length_1(floats(parts)))


def laid_flat(photo: Pyramid, view: NDArray[np.floating], size_wh: tuple[int, int]) -> Image:
    """A picture (h, w, 3) whose points a homography (3, 3) sends to the photo."""
    wide, high = size_wh
    depth = abs(float(view[2] @ [wide / 2, high / 2, 1]))
    px = float(np.sqrt(abs(np.linalg.det(view)) / max(depth, 1e-9) ** 3))
    halvings = max(0, int(np.floor(np.log2(max(px, 1.0)))))
    half = 0.5**halvings
    shrink = np.array([[half, 0, half / 2 - 0.5], [0, half, half / 2 - 0.5], [0, 0, 1]])
    flat = cv2.warpPerspective(
        photo.level(halvings),
        shrink @ view,
        size_wh,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(flat, np.uint8)


def inside(quads: Floats, places: Floats) -> Floats:
    """Points (n, k, 2) at places (n, k, 2) of quads (n, 4, 2), whose corners are ``CORNERS``."""
    u, v = places[..., :1], places[..., 1:]
    a, b, c, d = (quads[:, None, k] for k in range(4))
    return floats(a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v)
