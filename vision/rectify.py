"""Cut tiles out of a photo so that each is seen straight from above.

Quads are (4, 2) float32: top left, top right, bottom right, bottom left as read upright, in
pixels with (0, 0) the centre of the top left pixel.
"""

import cv2
import numpy as np

from vision.arrays import Corners, Image, floats, transformed
from vision.networks import EMBLEM_SIZE_PX, EMBLEM_WINDOW, FACE_MARGIN, FACE_SIZE_PX
from vision.pyramid import Picture, Pyramid, to_level

UNIT_SQUARE: Corners = floats([[0, 0], [1, 0], [1, 1], [0, 1]])


SPARSEST = 1.4
"""Pixels of the picture for one of a crop from which on fine lines would alias."""


def crop_window(
    picture: Picture, quad_px: Corners, window: tuple[float, float, float, float], size_px: int
) -> Image:
    """The part ``window`` (left, top, right, bottom in tile widths) of a tile, square BGR.

    Tiles larger than the crop are smoothed, lest fine lines alias: taken from a smaller level of a
    pyramid, or sampled twice as densely and averaged.
    """
    left, top, right, bottom = window
    side_px = float(np.sqrt(max(cv2.contourArea(quad_px), 1.0)))
    step_px = side_px * (right - left) / size_px
    corners = (UNIT_SQUARE - floats([left, top])) / floats([right - left, bottom - top])
    if isinstance(picture, Pyramid):
        level = picture.level_for(step_px / SPARSEST)
        quad = transformed(quad_px, to_level(level))
        return _warped(picture.levels[level], quad, corners, size_px)
    if step_px <= SPARSEST:
        return _warped(picture, quad_px, corners, size_px)
    dense = _warped(picture, quad_px, corners, 2 * size_px)
    small = cv2.resize(dense, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _warped(image: Image, quad_px: Corners, corners: Corners, size_px: int) -> Image:
    """A square in which the quad has these corners, in shares of the square."""
    warp = cv2.getPerspectiveTransform(floats(corners * size_px - 0.5), floats(quad_px))
    crop = cv2.warpPerspective(
        image,
        warp,
        (size_px, size_px),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(crop, np.uint8)


def face_crop(picture: Picture, quad_px: Corners) -> Image:
    """The tile with a little margin, FACE_SIZE_PX square."""
    window = (-FACE_MARGIN, -FACE_MARGIN, 1 + FACE_MARGIN, 1 + FACE_MARGIN)
    return crop_window(picture, quad_px, window, FACE_SIZE_PX)


def emblem_crop(picture: Picture, quad_px: Corners) -> Image:
    """The corner of the tile that holds the emblem, EMBLEM_SIZE_PX square."""
    return crop_window(picture, quad_px, EMBLEM_WINDOW, EMBLEM_SIZE_PX)
