"""Cities that run off the photo: beyond which edges, and what to say of it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from vision.reading import Note, NoteCode, note


def edges_overrun(quad_px: ArrayLike, size_wh: tuple[int, int]) -> list[str]:
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
