"""Quads of the decoded picture as those of the photo, and which of them run off it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Quad, as_quad, note


def photo_quad(corners: Corners, photo: Photo) -> Quad:
    """Corners in pixels of the decoded picture as a quad in pixels of the photo."""
    return photo_quads([corners], photo)[0]


def photo_quads(quads: Sequence[Corners], photo: Photo) -> list[Quad]:
    """The same of several, which is quicker."""
    points = np.round(photo.to_photo_px(np.asarray(quads)), 2).tolist()
    return [as_quad(four) for four in points]


def overrun_edges(quad_px: ArrayLike, size_wh: tuple[int, int]) -> list[str]:
    """Beyond which edges of a photo a part of a quad (4, 2) lies, further than rounding reaches."""
    xs, ys = np.asarray(quad_px, np.float64).T.tolist()
    width, height = size_wh
    beyond = {
        "left": min(xs) < -2,
        "top": min(ys) < -2,
        "right": max(xs) > width + 1,
        "bottom": max(ys) > height + 1,
    }
    return [edge for edge, over in beyond.items() if over]


def overrun_note(edges: Sequence[str]) -> Note:
    """The note on a city that lies beyond these edges."""
    return note(NoteCode.OVER_THE_EDGE, edges=" ".join(edges))
