"""Cut tiles out of a photo as upright patches, and embed them.

Quads are (4, 2) float32: top left, top right, bottom right, bottom left as read upright, in
pixels with (0, 0) the centre of the top left pixel. Coordinates within a tile are (u, v) in tile
widths from its top left corner.
"""

import math
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Corners, Floats, Homography, Image, floats
from vision.patches.embedding import MARGIN_PX, PATCH_PX, TILE_PX, Embeddings, embed, normalise

MAX_TILE_TO_PATCH: Final = 1.6
"""Maximum size of a tile relative to a patch; larger tiles are cut from a halved image.

Larger: fine lines alias. Smaller: patches lose detail.
"""
MAX_STEP_PX: Final = 1.4
"""Maximum distance in the image between two sampled pixels; with a larger one fine lines alias."""
UNIT_SQUARE: Final = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
"""Corners (4, 2) of a tile in tile widths, in the order of a quad."""
WHOLE_QUAD: Final = (0.0, 0.0, 1.0, 1.0)
"""Region of a whole quad, for ``cut_upright``."""
AVERAGED_VIEWS: Final = floats(
    [
        (0, 0, 1),
        *((x, x, 1 + x) for x in (0.05, -0.05)),
        *((x, -x, 1 - x) for x in (0.05, -0.05)),
    ]
)
"""Shape (views, 3): shift right, shift down and width, in tile widths, of the views of a tile whose
embeddings are averaged; the first one is the tile itself."""


class Pyramid:
    """Pyramid of the decoded image of a photo, made level by level, with a cache of embeddings.

    Attributes:
        is_sharpened: True if the image was blurred by a camera that moved, and sharpened.
        embedded: Embeddings by the bytes of their quad: the batch and the row in it.
    """

    def __init__(self, image: Image, *, is_sharpened: bool = False) -> None:
        self._levels = [image]
        self.is_sharpened = is_sharpened
        self.embedded: dict[bytes, tuple[Embeddings, int]] = {}

    @property
    def size_wh(self) -> tuple[int, int]:
        """Size of the image."""
        height, width = self._levels[0].shape[:2]
        return width, height

    def level(self, halvings: int) -> Image:
        """Return the image halved this many times; an odd last row or column is left out."""
        while len(self._levels) <= halvings:
            last = self._levels[-1]
            size = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(
                np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._levels[halvings]


def level_for_tiles(size_px: float) -> int:
    """Return the pyramid level for patches of tiles of this size."""
    return max(0, math.ceil(math.log2(max(size_px, 1.0) / TILE_PX / MAX_TILE_TO_PATCH)))


def level_homography(level: int) -> Homography:
    """Return the homography from pixels of the image to pixels of a pyramid level."""
    scale = 0.5**level
    # (0, 0) is the centre of the top left pixel in both
    shift = scale / 2 - 0.5
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])


def cut_patches(pyramid: Pyramid, quads_px: Floats) -> Image:
    """Cut patches (n, PATCH_PX, PATCH_PX, 3) of quads (n, 4, 2), each from the level that fits."""
    patches = np.empty((len(quads_px), PATCH_PX, PATCH_PX, 3), np.uint8)
    right, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    areas = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    levels = [level_for_tiles(size) for size in np.sqrt(areas).tolist()]
    tile_in_patch = UNIT_SQUARE * np.float32(TILE_PX) + np.float32(MARGIN_PX - 0.5)
    in_levels = floats((quads_px + 0.5) / np.ldexp(1.0, np.array(levels, int))[:, None, None] - 0.5)
    for quad, level, patch in zip(in_levels, levels, patches, strict=True):
        to_level = cv2.getPerspectiveTransform(tile_in_patch, quad)
        _warp_back(pyramid.level(level), to_level, (PATCH_PX, PATCH_PX), patch)
    return patches


def cut_upright(
    image: Image, quad_px: Corners, region: tuple[float, float, float, float], size_px: int
) -> Image:
    """Cut a region of a quad, such as a tile, out of an image, upright.

    A region that is much reduced is sampled twice as densely and averaged (``MAX_STEP_PX``).

    Args:
        image: Shape (h, w, 3).
        quad_px: Corners of the quad, shape (4, 2).
        region: Left, top, right, bottom in widths of the quad.
        size_px: Side of the square that is returned.
    """
    left, top, right, bottom = region
    step_px = float(np.sqrt(max(cv2.contourArea(quad_px), 1.0))) * (right - left) / size_px
    side = size_px * (2 if step_px > MAX_STEP_PX else 1)
    edges = floats([[left, top], [right, top], [right, bottom], [left, bottom]])
    square = UNIT_SQUARE * np.float32(side) - np.float32(0.5)
    to_quad = cv2.getPerspectiveTransform(square, edges)
    to_image = cv2.getPerspectiveTransform(UNIT_SQUARE, quad_px) @ to_quad
    cut = _warp_back(image, to_image, (side, side))
    if side == size_px:
        return cut
    small = cv2.resize(cut, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _warp_back(
    image: Image, to_image: ArrayLike, size_wh: tuple[int, int], out: Image | None = None
) -> Image:
    """Sample a new image (h, w, 3) through the homography from it to an existing one."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = np.asarray(to_image, np.float64)
    warped = cv2.warpPerspective(image, matrix, size_wh, out, flags, cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def embed_quads(pyramid: Pyramid, quads_px: Floats) -> Embeddings:
    """Embed the patches of quads (n, 4, 2); results are cached in the pyramid."""
    keys = [quad.tobytes() for quad in floats(quads_px)]
    missing = {key: n for n, key in enumerate(keys) if key not in pyramid.embedded}
    if missing or not keys:
        new = embed(cut_patches(pyramid, quads_px[list(missing.values())]))
        pyramid.embedded.update({key: (new, n) for n, key in enumerate(missing)})
        if len(missing) == len(keys):
            return new
    rows = [pyramid.embedded[key] for key in keys]
    return Embeddings(
        *[
            np.stack([getattr(batch, name)[n] for batch, n in rows])
            for name in Embeddings.__dataclass_fields__
        ]
    )


def embed_quads_averaged(pyramid: Pyramid, quads_px: Floats) -> Embeddings:
    """Embed quads (n, 4, 2), with vectors and parts averaged over ``AVERAGED_VIEWS``.

    This makes inexact quads and resampling matter less. Colours, corners and ``whole_probability``
    are those of the quads themselves.
    """
    count = len(quads_px)
    views = (UNIT_SQUARE - 0.5) * AVERAGED_VIEWS[:, None, 2:] + 0.5 + AVERAGED_VIEWS[:, None, :2]
    all_quads = np.tile(quads_px, (len(AVERAGED_VIEWS), 1, 1))
    embeddings = embed_quads(pyramid, points_in_quads(all_quads, np.repeat(views, count, axis=0)))
    vectors = embeddings.vectors.reshape(len(AVERAGED_VIEWS), count, -1).sum(axis=0)
    parts = embeddings.parts.reshape(len(AVERAGED_VIEWS), count, *embeddings.parts.shape[1:])
    unshifted = embeddings.take(slice(count))
    return replace(
        unshifted, vectors=normalise(floats(vectors)), parts=normalise(floats(parts.sum(axis=0)))
    )


def warp_plane(pyramid: Pyramid, to_image: NDArray[np.floating], size_wh: tuple[int, int]) -> Image:
    """Draw a plane as seen from straight above.

    Args:
        pyramid: Pyramid of the photo.
        to_image: Homography (3, 3) from pixels of the plane to the pyramid's image.
        size_wh: Size of the plane in pixels.
    """
    width, height = size_wh
    depth = abs(float(to_image[2] @ [width / 2, height / 2, 1]))
    step_px = float(np.sqrt(abs(np.linalg.det(to_image)) / max(depth, 1e-9) ** 3))
    level = max(0, int(np.floor(np.log2(max(step_px, 1.0)))))
    return _warp_back(pyramid.level(level), level_homography(level) @ to_image, size_wh)


def turn_quads(quads: Floats, turns: ArrayLike) -> Floats:
    """Renumber the corners of quads so that turned tiles come out upright.

    Args:
        quads: Shape (n, 4, 2).
        turns: Shape (n,), quarter turns anticlockwise by which each tile lies turned.
    """
    corners = (np.arange(4) - np.asarray(turns, np.intp)[:, None]) % 4
    return floats(quads[np.arange(len(quads))[:, None], corners])


def points_in_quads(quads: Floats, points: Floats) -> Floats:
    """Map points (n, k, 2) of the unit square into quads (n, 4, 2), by bilinear interpolation."""
    u, v = points[..., :1], points[..., 1:]
    a, b, c, d = (quads[:, None, k] for k in range(4))
    return floats(a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v)
