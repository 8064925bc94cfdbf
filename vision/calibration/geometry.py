"""Between the pixels of a photo and the millimetres of the table.

Conventions: ``vision.calibration.values``. Points are (n, 2) float64. Pixels are always those of
the photo as the camera took it, bent by the lens.
"""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.calibration.values import Calibration, Lens, TablePlane

_MAX_ROUNDS = 200
_CONVERGED = 1e-12


def plane_to_photo_px(calibration: Calibration, points_mm: ArrayLike) -> NDArray[np.float64]:
    """Where the photo shows points (n, 2) of the table."""
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    return project(calibration.lens, calibration.plane, flat)


def photo_px_to_plane(calibration: Calibration, points_px: ArrayLike) -> NDArray[np.float64]:
    """Which points (n, 2) of the table, in mm, the full photo shows at pixels (n, 2).

    NaN where the line of sight does not meet the plane.
    """
    return back_project(calibration.lens, calibration.plane, points_px)


def project(lens: Lens, plane: TablePlane, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 2) of a plane to pixels (n, 2)."""
    if not len(points_mm):
        return np.empty((0, 2))
    solid = np.column_stack([points_mm, np.zeros(len(points_mm))])
    pixels, _ = cv2.projectPoints(
        solid, plane.rotation_vector, plane.translation_mm, lens.camera_matrix, lens.distortion
    )
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def back_project(lens: Lens, plane: TablePlane, points_px: ArrayLike) -> NDArray[np.float64]:
    """Pixels (n, 2) to points (n, 2) of a plane, NaN where they do not meet."""
    flat = _undistorted_directions(lens, points_px)
    rays = np.column_stack([flat, np.ones(len(flat))])
    # In the coordinates of the table: the camera, and the directions it looks in
    camera = -plane.rotation.T @ plane.translation_mm
    directions = rays @ plane.rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -camera[2] / directions[:, 2]
        points = camera[:2] + distance[:, np.newaxis] * directions[:, :2]
    points[~(distance > 0)] = np.nan
    return np.asarray(points, np.float64)


def _undistorted_directions(lens: Lens, points_px: ArrayLike) -> NDArray[np.float64]:
    """Pixels (n, 2) to (x/z, y/z) of their lines of sight, by fixed-point iteration.

    ``cv2.undistortPoints`` stops after five rounds, which leaves tenths of a pixel at the rim of a
    wide lens; how to have it go on differs between releases of OpenCV.
    """
    pixels = np.asarray(points_px, np.float64).reshape(-1, 2)
    focal = np.diag(lens.camera_matrix)[:2]
    bent = (pixels - lens.camera_matrix[:2, 2]) / focal
    k1, k2, p1, p2, k3 = lens.distortion
    straight = bent.copy()
    for _ in range(_MAX_ROUNDS):
        x, y = straight.T
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        shift = np.stack(
            [2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y], axis=1
        )
        before, straight = straight, (bent - shift) / radial[:, np.newaxis]
        if not len(straight) or np.abs(straight - before).max() < _CONVERGED:
            break
    return straight
