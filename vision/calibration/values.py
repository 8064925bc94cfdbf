"""What a calibration consists of. All values are immutable; their arrays are read-only.

The camera: x to the right, y down, z forward, origin in the centre of the lens, in mm.
The table: the coordinates of the sheet as it lay on the table, see ``vision.calibration.sheet``;
z runs into the table, so that what stands on it has a negative z.
The photo: pixels of the full photo, (0, 0) the centre of the top left one.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """The camera as a pinhole with a lens that bends straight lines.

    Attributes:
        camera_matrix: (3, 3) float64, focal lengths and principal point in pixels of the full
            photo: [[fx, 0, cx], [0, fy, cy], [0, 0, 1]].
        distortion: (5,) float64, k1, k2, p1, p2, k3 as OpenCV defines them (Brown's model).
        size_wh: width and height in pixels of the photos that this is true for.
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
        """Where the axis of the lens meets the picture."""
        return float(self.camera_matrix[0, 2]), float(self.camera_matrix[1, 2])

    @property
    def is_one_to_one(self) -> bool:
        """Whether every place of the picture belongs to one direction.

        A distortion that was fitted to corners near the middle may fold the picture at its rim.
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
    """How the table lies before the camera.

    A point of the table (x, y, z) is ``rotation @ (x, y, z) + translation_mm`` for the camera.

    Attributes:
        rotation: (3, 3) float64, from the table to the camera.
        translation_mm: (3,) float64, where the camera sees the origin of the table.
    """

    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotation", read_only(self.rotation, (3, 3)))
        object.__setattr__(self, "translation_mm", read_only(self.translation_mm, (3,)))

    @classmethod
    def from_vectors(cls, rotation_vector: ArrayLike, translation_mm: ArrayLike) -> "TablePlane":
        """From a rotation vector (3 numbers, its length the angle in radians), as OpenCV has it."""
        rotation, _ = cv2.Rodrigues(np.asarray(rotation_vector, np.float64).reshape(3, 1))
        return cls(np.asarray(rotation, np.float64), np.asarray(translation_mm, np.float64))

    @property
    def rotation_vector(self) -> NDArray[np.float64]:
        """The rotation as three numbers."""
        vector, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(vector, np.float64).reshape(3)

    @property
    def camera_height_mm(self) -> float:
        """Distance of the camera from the plane of the table."""
        return float(self.rotation[:, 2] @ self.translation_mm)

    @property
    def tilt_deg(self) -> float:
        """Angle between the axis of the camera and a plumb line to the table; 0: from above."""
        return float(np.degrees(np.arccos(np.clip(self.rotation[2, 2], -1, 1))))


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A lens and the table it looks at.

    Attributes:
        lens: of the camera.
        plane: of the table.
        reprojection_error_px: root mean square distance between the corners of the sheet as found
            and as the calibration expects them, in all photos that were used.
        reprojection_error_mm: the same on the sheet.
        coverage: share of the picture, 0 to 1, that the sheet covered in some photo.
        photo_count: photos that were used.
    """

    lens: Lens
    plane: TablePlane
    reprojection_error_px: float
    reprojection_error_mm: float
    coverage: float
    photo_count: int


def read_only(values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A copy that nobody can change.

    Raises:
        ValueError: the values have another shape.
    """
    array = np.array(values, np.float64).reshape(shape)
    array.flags.writeable = False
    return array
