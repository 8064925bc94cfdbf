"""Quads of the decoded picture as those of the photo."""

from collections.abc import Sequence

import numpy as np

from vision.arrays import Corners
from vision.photo import Photo
from vision.reading import Quad


def photo_quad(corners: Corners, photo: Photo) -> Quad:
    """Corners in pixels of the decoded picture as a quad in pixels of the photo."""
    return photo_quads([corners], photo)[0]


def photo_quads(quads: Sequence[Corners], photo: Photo) -> list[Quad]:
    """The same of several, which is quicker."""
    points = np.round(photo.to_photo_px(np.asarray(quads)), 2).tolist()
    return [(tuple(a), tuple(b), tuple(c), tuple(d)) for a, b, c, d in points]
