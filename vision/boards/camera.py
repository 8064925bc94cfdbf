"""Where the camera stood above a grid, as far as the picture of the grid tells.

Method: a plane's homography is the camera matrix times two columns of a rotation and a translation
(R. Hartley and A. Zisserman, "Multiple View Geometry", 2nd ed., 8.1); that the columns are at right
angles and equally long gives the focal length, if the plane is seen at a slant.
"""

import numpy as np
from numpy.typing import NDArray

from vision.boards.surface import Surface

USUAL_FOCAL = 0.8
"""Focal length of a usual camera, in widths of its picture."""
FOCAL_RANGE = (0.35, 2.0)
LEAST_SLANT = 0.08
"""Perspective, as change of scale over half a picture, from which on it tells the focal length."""


def camera_above(surface: Surface, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The place of the camera in grid coordinates (x, y, height), all in tile edges."""
    width, height = size_wh
    centred = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    plane = centred @ surface.plane
    focal = _focal(plane, width) * width
    columns = np.diag([1 / focal, 1 / focal, 1.0]) @ plane
    scale = (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1])) / 2
    columns = columns / scale
    if columns[2, 2] < 0:
        columns = -columns
    first, second = columns[:, 0], columns[:, 1]
    rotation = np.column_stack([first, second, np.cross(first, second)])
    u, _, vt = np.linalg.svd(rotation)
    place = -(u @ vt).T @ columns[:, 2]
    return np.asarray([place[0], place[1], abs(place[2])], np.float64)


def _focal(plane: NDArray[np.float64], width: int) -> float:
    """Focal length in widths of the picture."""
    h = plane / plane[2, 2]
    perspective = float(np.hypot(h[2, 0], h[2, 1]) * width / 2)
    slant = perspective / max(float(np.hypot(h[0, 0], h[1, 0])), 1e-9)
    if slant < LEAST_SLANT:
        return USUAL_FOCAL
    # h1' w h2 = 0 and h1' w h1 = h2' w h2 with w = diag(1/f², 1/f², 1)
    a = np.array(
        [
            h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1],
            h[0, 0] ** 2 + h[1, 0] ** 2 - h[0, 1] ** 2 - h[1, 1] ** 2,
        ]
    )
    b = np.array([h[2, 0] * h[2, 1], h[2, 0] ** 2 - h[2, 1] ** 2])
    inverse_square = -float(a @ b) / max(float(a @ a), 1e-12)
    if inverse_square <= 0:
        return USUAL_FOCAL
    return float(np.clip(1 / np.sqrt(inverse_square) / width, *FOCAL_RANGE))
