"""Between the pixels of a photo and the millimetres of the table.

Conventions: ``vision.calibration.values``. Points are (n, 2) float64. Pixels are always those of
the photo as the camera took it, bent by the lens, unless a name says ``undistorted``.
"""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Image
from vision.calibration.errors import CalibrationError
from vision.calibration.values import Calibration, Lens, TablePlane

_SCALES = (1, 2, 4, 8)
_MAX_ROUNDS = 200
_CONVERGED = 1e-12


def undistort(photo_bgr: Image, calibration: Calibration) -> Image:
    """The photo as a lens without distortion would have taken it.

    Size, focal length and principal point stay, so that the middle looks as before; where the
    camera saw nothing the picture is black.

    Args:
        photo_bgr: (h, w, 3) uint8, of the size of the calibration or reduced to 1/2, 1/4 or 1/8
            of it, as ``vision.photo`` decodes large photos.
        calibration: of the camera that took the photo.

    Raises:
        CalibrationError: ``calibration-other-size``.
    """
    height, width = photo_bgr.shape[:2]
    matrix = _camera_matrix_for(calibration.lens, (width, height))
    straight = cv2.undistort(photo_bgr, matrix, calibration.lens.distortion)
    return np.asarray(straight, np.uint8)


def plane_to_photo_px(
    calibration: Calibration, points_mm: ArrayLike, *, above_mm: float = 0.0
) -> NDArray[np.float64]:
    """Where the photo shows points of the table.

    Args:
        calibration: of camera and table.
        points_mm: (n, 2), x and y on the table.
        above_mm: how far the points lie above the table, such as the thickness of a tile.
    """
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    return project(calibration.lens, calibration.plane, flat, above_mm=above_mm)


def photo_px_to_plane(
    calibration: Calibration, points_px: ArrayLike, *, above_mm: float = 0.0
) -> NDArray[np.float64]:
    """Which points of the table, in mm, the photo shows at these pixels.

    Args:
        calibration: of camera and table.
        points_px: (n, 2), x and y in the full photo.
        above_mm: how far above the table the points lie, such as the thickness of a tile.

    Returns:
        (n, 2); NaN where the line of sight does not meet the plane.
    """
    return back_project(calibration.lens, calibration.plane, points_px, above_mm=above_mm)


def tile_pitch_px(
    calibration: Calibration, tile_mm: float, at_px: tuple[float, float] | None = None
) -> float:
    """How many pixels of the full photo a tile lying on the table measures along a side.

    A tile that is seen aslant is shorter in one direction; the geometric mean of both is given.

    Args:
        calibration: of camera and table.
        tile_mm: length of a side.
        at_px: where in the photo; None: in its middle.

    Raises:
        CalibrationError: ``calibration-beyond-table``: the photo does not show the table there.
    """
    width, height = calibration.lens.size_wh
    place_px = ((width - 1) / 2, (height - 1) / 2) if at_px is None else at_px
    middle_mm = photo_px_to_plane(calibration, [place_px])[0]
    if not np.isfinite(middle_mm).all():
        raise CalibrationError(
            "calibration-beyond-table",
            "the photo does not show the plane of the table here: name a place on it",
            f"{place_px[0]:.0f},{place_px[1]:.0f}",
        )
    half = tile_mm / 2
    ends_mm = middle_mm + np.array([(-half, 0), (half, 0), (0, -half), (0, half)])
    left, right, top, bottom = plane_to_photo_px(calibration, ends_mm)
    return float(np.sqrt(np.linalg.norm(right - left) * np.linalg.norm(bottom - top)))


def project(
    lens: Lens, plane: TablePlane, points_mm: NDArray[np.float64], *, above_mm: float = 0.0
) -> NDArray[np.float64]:
    """Points (n, 2) of a plane to pixels (n, 2)."""
    solid = np.column_stack([points_mm, np.full(len(points_mm), -above_mm)])
    if not len(solid):
        return np.empty((0, 2))
    pixels, _ = cv2.projectPoints(
        solid, plane.rotation_vector, plane.translation_mm, lens.camera_matrix, lens.distortion
    )
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def back_project(
    lens: Lens, plane: TablePlane, points_px: ArrayLike, *, above_mm: float = 0.0
) -> NDArray[np.float64]:
    """Pixels (n, 2) to points (n, 2) of a plane, NaN where they do not meet."""
    flat = _undistorted_directions(lens, points_px)
    rays = np.column_stack([flat, np.ones(len(flat))])
    # In the coordinates of the table: the camera, and the directions it looks in
    camera = -plane.rotation.T @ plane.translation_mm
    directions = rays @ plane.rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = (-above_mm - camera[2]) / directions[:, 2]
        points = camera[:2] + distance[:, np.newaxis] * directions[:, :2]
    points[~(distance > 0)] = np.nan
    return np.asarray(points, np.float64)


def _undistorted_directions(lens: Lens, points_px: ArrayLike) -> NDArray[np.float64]:
    """Pixels (n, 2) to (x/z, y/z) of their lines of sight, by fixed-point iteration.

    ``cv2.undistortPoints`` stops after five rounds, which leaves tenths of a pixel at the rim of a
    wide lens.
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


def _camera_matrix_for(lens: Lens, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The camera matrix for a photo that was perhaps decoded at a reduced size."""
    for scale in _SCALES:
        if size_wh == tuple(-(-side // scale) for side in lens.size_wh):
            matrix = lens.camera_matrix.copy()
            matrix[:2, :2] /= scale
            matrix[:2, 2] = (matrix[:2, 2] + 0.5) / scale - 0.5
            return matrix
    raise other_size(size_wh, lens.size_wh, "photo")


def other_size(
    size_wh: tuple[int, int], calibrated_wh: tuple[int, int], where: str
) -> CalibrationError:
    """The error for a photo that the calibration is not made for."""
    return CalibrationError(
        "calibration-other-size",
        "the photo has {width} x {height} pixels and the calibration is for "
        "{calibrated_width} x {calibrated_height}: take photos as for the calibration, or "
        "calibrate again",
        where,
        width=size_wh[0],
        height=size_wh[1],
        calibrated_width=calibrated_wh[0],
        calibrated_height=calibrated_wh[1],
    )
