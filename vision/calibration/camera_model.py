"""Camera model: lens and table plane, and the projection between photo and table.

Coordinate frames:
    camera   Millimetres; x to the right, y down, z forward, origin in the centre of the lens.
    table    Millimetres; coordinates of the sheet as it lay on the table
             (``vision.calibration.sheet``). z points into the table, so that things on it have a
             negative z. Suffix ``_mm``.
    photo    Pixels of the photo in its full size, with lens distortion; (0, 0) is the centre of the
             top left pixel. Suffix ``_px``.

All values are immutable; their arrays are read-only float64.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

_MAX_ITERATIONS: Final = 200
_CONVERGED: Final = 1e-12
"""Step, in focal lengths, at which the inversion of the distortion ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Pinhole camera with lens distortion (Brown's model).

    Attributes:
        camera_matrix: Shape (3, 3), focal lengths and principal point in pixels:
            [[fx, 0, cx], [0, fy, cy], [0, 0, 1]].
        distortion: Shape (5,), k1, k2, p1, p2, k3 as OpenCV defines them.
        size_wh: Size in pixels of the photos that the lens was calibrated for.
    """

    camera_matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    size_wh: tuple[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "camera_matrix", read_only(self.camera_matrix, (3, 3)))
        object.__setattr__(self, "distortion", read_only(self.distortion, (5,)))

    @property
    def focal_px(self) -> float:
        """Mean of both focal lengths."""
        return float(self.camera_matrix[0, 0] + self.camera_matrix[1, 1]) / 2

    @property
    def centre_px(self) -> tuple[float, float]:
        """Principal point, where the optical axis meets the photo."""
        return float(self.camera_matrix[0, 2]), float(self.camera_matrix[1, 2])

    @property
    def is_injective(self) -> bool:
        """True if every point of the photo belongs to one direction only.

        A distortion fitted to corners near the centre may fold the photo at its rim.
        """
        (width, height), centre = self.size_wh, np.array(self.centre_px)
        rim_px = np.array([(0, 0), (width, 0), (0, height), (width, height)], float)
        rim = float(np.linalg.norm(rim_px - centre, axis=1).max()) / self.focal_px
        radius = np.linspace(0, 4 * rim, 4000)
        k1, k2, _, _, k3 = self.distortion
        bent = radius * (1 + k1 * radius**2 + k2 * radius**4 + k3 * radius**6)
        reaches = np.flatnonzero(bent >= rim)
        return bool(reaches.size) and bool(np.all(np.diff(bent[: reaches[0] + 1]) > 0))


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Pose of the table before the camera: ``camera = rotation @ table + translation_mm``.

    Attributes:
        rotation: Shape (3, 3), from the table frame to the camera frame.
        translation_mm: Shape (3,), origin of the table in the camera frame.
    """

    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotation", read_only(self.rotation, (3, 3)))
        object.__setattr__(self, "translation_mm", read_only(self.translation_mm, (3,)))

    @classmethod
    def from_vectors(cls, rotation_vector: ArrayLike, translation_mm: ArrayLike) -> "TablePlane":
        """Make a plane from a rotation vector (3,), whose length is the angle in radians."""
        rotation, _ = cv2.Rodrigues(np.asarray(rotation_vector, np.float64).reshape(3, 1))
        return cls(np.asarray(rotation, np.float64), np.asarray(translation_mm, np.float64))

    @property
    def rotation_vector(self) -> NDArray[np.float64]:
        """Rotation vector (3,), whose length is the angle in radians."""
        vector, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(vector, np.float64).reshape(3)

    @property
    def camera_height_mm(self) -> float:
        """Distance of the camera from the plane of the table."""
        return float(self.rotation[:, 2] @ self.translation_mm)

    @property
    def tilt_deg(self) -> float:
        """Angle in degrees between the optical axis and a plumb line; 0 from straight above."""
        return float(np.degrees(np.arccos(np.clip(self.rotation[2, 2], -1, 1))))


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Lens of a camera and the table before it.

    Attributes:
        lens: Lens of the camera.
        plane: Plane of the table.
        reprojection_error_px: Root mean square distance between the corners of the sheet as
            detected and as projected, in all photos that were used.
        reprojection_error_mm: The same on the sheet.
        coverage: Share of the photo's area, 0 to 1, that the sheet covered in any photo.
        photo_count: Number of photos that were used.
    """

    lens: Lens
    plane: TablePlane
    reprojection_error_px: float
    reprojection_error_mm: float
    coverage: float
    photo_count: int


def read_only(values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a read-only copy.

    Raises:
        ValueError: The values have another shape.
    """
    array = np.array(values, np.float64).reshape(shape)
    array.flags.writeable = False
    return array


def plane_to_photo_px(calibration: Calibration, points_mm: ArrayLike) -> NDArray[np.float64]:
    """Project points (n, 2) of the table to the photo."""
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    return project(calibration.lens, calibration.plane, flat)


def photo_px_to_plane(calibration: Calibration, points_px: ArrayLike) -> NDArray[np.float64]:
    """Project points (n, 2) of the photo to the table; NaN where the ray misses the plane."""
    return back_project(calibration.lens, calibration.plane, points_px)


def project(lens: Lens, plane: TablePlane, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project points (n, 2) of a plane to the photo."""
    if not len(points_mm):
        return np.empty((0, 2))
    solid = np.column_stack([points_mm, np.zeros(len(points_mm))])
    pixels, _ = cv2.projectPoints(
        solid, plane.rotation_vector, plane.translation_mm, lens.camera_matrix, lens.distortion
    )
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def back_project(lens: Lens, plane: TablePlane, points_px: ArrayLike) -> NDArray[np.float64]:
    """Project points (n, 2) of the photo to a plane; NaN where the ray misses it."""
    flat = _undistorted_directions(lens, points_px)
    rays = np.column_stack([flat, np.ones(len(flat))])
    # Camera centre and rays in the table frame
    camera = -plane.rotation.T @ plane.translation_mm
    directions = rays @ plane.rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -camera[2] / directions[:, 2]
        points = camera[:2] + distance[:, np.newaxis] * directions[:, :2]
    points[~(distance > 0)] = np.nan
    return np.asarray(points, np.float64)


def _undistorted_directions(lens: Lens, points_px: ArrayLike) -> NDArray[np.float64]:
    """Return the rays (x/z, y/z) of points (n, 2) of the photo, by fixed-point iteration.

    ``cv2.undistortPoints`` stops after five iterations, which leaves tenths of a pixel at the rim
    of a wide lens; raising its limit differs between releases of OpenCV.
    """
    pixels = np.asarray(points_px, np.float64).reshape(-1, 2)
    focal = np.diag(lens.camera_matrix)[:2]
    bent = (pixels - lens.camera_matrix[:2, 2]) / focal
    k1, k2, p1, p2, k3 = lens.distortion
    straight = bent.copy()
    for _ in range(_MAX_ITERATIONS):
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
