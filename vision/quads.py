"""Quads of the decoded picture as those of the photo."""

import numpy as np

from vision.arrays import Corners
from vision.photo import Photo
from vision.reading import Quad


def photo_quad(corners: Corners, photo: Photo) -> Quad:
    """Corners in pixels of the decoded picture as a quad in pixels of the photo."""
    first, second, third, fourth = np.round(photo.to_photo_px(corners), 2).tolist()
    return tuple(first), tuple(second), tuple(third), tuple(fourth)
