"""Cities that run off the photo: beyond which edges, and what to say of it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def edges_overrun(quad_px: ArrayLike, size_wh: tuple[int, int]) -> list[str]:
    """Beyond which edges of a photo a part of a quad (4, 2) lies, further than rounding reaches."""
    corners = np.asarray(quad_px, np.float64)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    width, height = size_wh
    beyond = {
        "left": left < -2,
        "top": top < -2,
        "right": right > width + 1,
        "bottom": bottom > height + 1,
    }
    return [edge for edge, over in beyond.items() if over]


def overrun_note(edges: Sequence[str]) -> str:
    """The note on a city that lies beyond these edges."""
    return f"runs off the {' and '.join(edges)} edge of the picture: move the city or the camera"
