"""Checks whether a photo, or the picture of a tile, is good enough to learn from."""

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image, darkest_channel, floats, to_grey
from vision.editions.edition import EditionError
from vision.eye.white_areas import WHITE

CHECKED_PX: Final = 96
"""Side to which tiles are resized before their quality is checked."""
MAX_BLOWN: Final = 0.15
"""Maximum share of a tile that may be blown out."""
MIN_BRIGHT: Final = 30
"""Minimum 95th percentile of the grey levels of a photo or tile to learn from; for photos to
read see ``MIN_BRIGHTNESS`` in ``vision.eye.photo_quality``, of another percentile."""
MIN_CONTRAST: Final = 6.0
"""Minimum standard deviation of the grey levels of a tile that is not flat."""
MIN_SHARP: Final = 0.27
"""Minimum ``sharpness`` of a tile to learn from: 0.45 and more in sharp photos, 0.2 if a tile is
blurred by a fortieth of its width."""
BORDER_PX: Final = 6
"""Width of the border of a tile's picture that does not count, as it may show a neighbour."""


def is_blown(picture: Image, most: float = MAX_BLOWN) -> bool:
    """Return whether more than the share ``most`` of a picture (h, w, 3) is blown out."""
    return float((darkest_channel(picture) >= WHITE).mean()) > most


def is_dark(picture: Image) -> bool:
    """Return whether nothing in a picture is bright."""
    return float(np.percentile(floats(to_grey(picture)), 95)) < MIN_BRIGHT


def refuse_if_dark(image: Image, name: str) -> None:
    """Refuse a photo that is too dark to show tiles.

    Raises:
        EditionError: ``teach-too-dark``.
    """
    if is_dark(image):
        raise EditionError("teach-too-dark", "too dark to see the tiles: use more light", name)


def is_flat(picture: Image) -> bool:
    """Return whether a picture has hardly any contrast."""
    return float(floats(to_grey(picture)).std()) < MIN_CONTRAST


def is_blurred(picture: Image) -> bool:
    """Return whether the finest details of a tile of ``CHECKED_PX`` are missing."""
    return sharpness(picture) < MIN_SHARP


def sharpness(picture: Image) -> float:
    """Return the contrast of the finest details of a tile relative to that of coarser ones.

    The tile has ``CHECKED_PX`` x ``CHECKED_PX`` pixels; its border does not count.
    """
    grey = floats(to_grey(picture))
    soft, softer = (cv2.GaussianBlur(grey, (0, 0), sigma) for sigma in (1.0, 3.0))
    inner = slice(BORDER_PX, -BORDER_PX), slice(BORDER_PX, -BORDER_PX)
    coarse = float(np.abs(soft - softer)[inner].mean())
    return float(np.abs(grey - soft)[inner].mean()) / max(coarse, 0.1)
