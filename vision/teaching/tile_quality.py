"""Whether the picture of a tile shows enough to be learned from."""

from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatImage, Image

BLOWN: Final = 250
"""Pixels of which all channels are as bright show nothing."""
MOST_BLOWN: Final = 0.15
"""Share of a tile that may be blown out."""
LEAST_BRIGHT: Final = 30
"""95th percentile of grey levels of a photo or tile that shows something."""
LEAST_CONTRAST: Final = 6.0
"""Standard deviation of the grey levels of a tile."""
LEAST_SHARP: Final = 0.27
"""The finest details of a tile relative to those thrice as coarse: 0.45 and more in sharp photos,
0.2 where a tile is blurred by a fortieth of its width."""
RIM_PX: Final = 6
"""So near to its edge, a tile's picture may show what lies beside it."""


def is_blown(picture: Image, most: float = MOST_BLOWN) -> bool:
    """Whether light hides more than the share ``most`` of a picture (h, w, 3)."""
    return float((picture.min(axis=2) >= BLOWN).mean()) > most


def is_dark(picture: Image) -> bool:
    """Whether nothing in a picture is bright."""
    return float(np.percentile(_grey(picture), 95)) < LEAST_BRIGHT


def is_flat(picture: Image) -> bool:
    """Whether a picture shows hardly anything."""
    return float(_grey(picture).std()) < LEAST_CONTRAST


def is_blurred(picture: Image) -> bool:
    """Whether the finest details of a tile, brought to 96 x 96 pixels, are missing."""
    return sharpness(picture) < LEAST_SHARP


def sharpness(picture: Image) -> float:
    """The finest details of a tile, brought to 96 x 96 pixels, relative to coarser ones.

    Its rim does not count: a neighbour's edge may show there.
    """
    grey = _grey(picture)
    soft, softer = (cv2.GaussianBlur(grey, (0, 0), sigma) for sigma in (1.0, 3.0))
    inner = slice(RIM_PX, -RIM_PX), slice(RIM_PX, -RIM_PX)
    coarse = float(np.abs(soft - softer)[inner].mean())
    return float(np.abs(grey - soft)[inner].mean()) / max(coarse, 0.1)


def _grey(picture: Image) -> FloatImage:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
