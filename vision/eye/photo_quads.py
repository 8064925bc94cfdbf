"""Quads in pixels of the photo, from those of the decoded image, and where they run off it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Quad, as_quad, note


def photo_quad(corners: Corners, photo: Photo) -> Quad:
    """Transform corners in the decoded image to a quad in the photo."""
    return photo_quads([corners], photo)[0]


def photo_quads(quads: Sequence[Corners], photo: Photo) -> list[Quad]:
    """Transform several corners at once, which is faster."""
    points = np.round(photo.to_photo_px(np.asarray(quads)), 2).tolist()
    return [as_quad(four) for four in points]


def overrun_edges(quad_px: ArrayLike, size_wh: tuple[int, int]) -> list[str]:
    """Return the edges of a photo that a quad (4, 2) exceeds by more than rounding."""
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
    """Make a note on a city that exceeds these edges."""
    return note(NoteCode.OVER_THE_EDGE, edges=" ".join(edges))
