"""Cut tiles out of a photo so that each is seen straight from above.

Quads are (4, 2) float32: top left, top right, bottom right, bottom left as read upright, in
pixels with (0, 0) the centre of the top left pixel.
"""

import cv2
import numpy as np

from vision.arrays import Corners, Image, floats
from vision.networks import EMBLEM_SIZE_PX, EMBLEM_WINDOW, FACE_MARGIN, FACE_SIZE_PX

UNIT_SQUARE: Corners = floats([[0, 0], [1, 0], [1, 1], [0, 1]])


def crop_window(
    image: Image, quad_px: Corners, window: tuple[float, float, float, float], size_px: int
) -> Image:
    """The part ``window`` (left, top, right, bottom in tile widths) of a tile, square BGR.

    Tiles larger than the crop are sampled twice as densely and averaged, lest fine lines alias.
    """
    left, top, right, bottom = window
    side_px = float(np.sqrt(max(cv2.contourArea(quad_px), 1.0)))
    dense = 2 if side_px * (right - left) > 1.4 * size_px else 1
    n = size_px * dense
    corners = (UNIT_SQUARE - floats([left, top])) / floats([right - left, bottom - top])
    warp = cv2.getPerspectiveTransform(floats(corners * n - 0.5), floats(quad_px))
    crop = cv2.warpPerspective(
        image,
        warp,
        (n, n),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if dense > 1:
        crop = cv2.resize(crop, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def face_crop(image: Image, quad_px: Corners) -> Image:
    """The tile with a little margin, FACE_SIZE_PX square."""
    window = (-FACE_MARGIN, -FACE_MARGIN, 1 + FACE_MARGIN, 1 + FACE_MARGIN)
    return crop_window(image, quad_px, window, FACE_SIZE_PX)


def emblem_crop(image: Image, quad_px: Corners) -> Image:
    """The corner of the tile that holds the emblem, EMBLEM_SIZE_PX square."""
    return crop_window(image, quad_px, EMBLEM_WINDOW, EMBLEM_SIZE_PX)
