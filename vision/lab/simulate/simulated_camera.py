"""Camera above a simulated table: projection of points on and above the table plane.

Frames: the plane, x to the right, y down as seen from above, heights upwards in the same unit
(``to_plane``); the ideal picture without distortion (``to_ideal_px``); the photo through the lens
(``to_photo_px``). Pixels have (0, 0) at the centre of the top left one.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Homography, Image, Points, apply_homography, floats

BARREL: Final = (-0.15, 0.3)
"""Range of ``SimulatedLens.k`` from pincushion to barrel distortion."""
_STEPS: Final = 18
"""Number of bisection steps."""
_MIN_UNIT_PX: Final = 4.0
_OFF_MIDDLE: Final = 0.1
"""Maximum share of the picture by which an outline may lie off its middle."""
_HORIZON: Final = 0.25
"""Minimum depth of a point, relative to that in the middle of the picture, at which it is drawn."""


@dataclass(frozen=True, slots=True)
class SimulatedLens:
    """Lens with radial distortion.

    A point at the radius r from the middle of the ideal picture, in half diagonals, lies in the
    photo at the radius s with r = s (1 + k s²) / (1 + k). The corners of the picture are fixed.

    Attributes:
        size_wh: Width and height of the picture in pixels.
        k: Distortion, within ``BARREL``; above 0 lines bend outwards, as with wide lenses.
        focal: Focal length in longer sides of the picture.
    """

    size_wh: tuple[int, int]
    k: float = 0.0
    focal: float = 0.77

    def __post_init__(self) -> None:
        if not BARREL[0] <= self.k <= BARREL[1]:
            raise ValueError(f"k is {self.k}; it runs from {BARREL[0]} to {BARREL[1]}")

    def to_photo_px(self, points_px: ArrayLike) -> Points:
        """Transform points (n, 2) of the ideal picture to the photo."""
        away = (np.asarray(points_px, np.float64) - self.middle) / self._half_diagonal
        if self.k == 0:
            return floats(away * self._half_diagonal + self.middle)
        radius = np.hypot(away[..., 0], away[..., 1])
        bent = radius
        for _ in range(12):  # Newton
            error = bent * (1 + self.k * bent**2) / (1 + self.k) - radius
            closer = bent - error * (1 + self.k) / (1 + 3 * self.k * bent**2)
            if (closer == bent).all():
                break
            bent = closer
        ratio = np.divide(bent, radius, out=np.ones_like(radius), where=radius > 0)
        return floats(away * ratio[..., None] * self._half_diagonal + self.middle)

    def distort(self, ideal: Image) -> Image:
        """Distort an ideal picture (h, w, 3)."""
        if self.k == 0:
            return ideal
        (middle_x, middle_y), half = self.middle.tolist(), self._half_diagonal
        across = (np.arange(self.size_wh[0]) - middle_x) / half
        down = ((np.arange(self.size_wh[1]) - middle_y) / half)[:, None]
        ratio = (1 + self.k * (across**2 + down**2)) / (1 + self.k)
        source = floats(across * ratio * half + middle_x), floats(down * ratio * half + middle_y)
        mirrored = cv2.BORDER_REFLECT_101
        return np.asarray(
            cv2.remap(ideal, *source, cv2.INTER_LINEAR, borderMode=mirrored),
            np.uint8,
        )

    @property
    def middle(self) -> NDArray[np.float64]:
        """Middle (2,) of the picture."""
        return (np.array(self.size_wh, np.float64) - 1) / 2

    @property
    def _half_diagonal(self) -> float:
        return float(np.hypot(*self.size_wh)) / 2


@dataclass(frozen=True, slots=True)
class CameraAngles:
    """Angles at which the camera looks at the table.

    Attributes:
        tilt: Angle from straight down, in radians.
        towards: Direction of the axis in the picture about which it is tilted, in radians.
        roll: Turn about the optical axis, in radians.
    """

    tilt: float
    towards: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedCamera:
    """Perspective camera with a lens.

    Attributes:
        view: Homography from the plane to pixels of the ideal picture.
        rise: Shape (3,), homogeneous pixels that a unit of height adds.
        lens: Lens of the camera.
    """

    view: Homography
    rise: NDArray[np.float64]
    lens: SimulatedLens

    @classmethod
    def above(cls, angles: CameraAngles, lens: SimulatedLens, unit_px: float) -> "SimulatedCamera":
        """Return a camera above the plane's origin, where a unit covers ``unit_px`` pixels."""
        axis = np.array([np.cos(angles.towards), np.sin(angles.towards), 0])
        lean, roll = cv2.Rodrigues(angles.tilt * axis)[0], np.array([0, 0, angles.roll])
        motion = cv2.Rodrigues(roll)[0] @ lean
        focal, (x, y) = lens.focal * max(lens.size_wh), lens.middle
        intrinsic = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]])
        rise = -intrinsic @ motion[:, 2]
        motion[:, 2] = 0, 0, focal / unit_px
        return cls(np.asarray(intrinsic @ motion, np.float64), rise, lens)

    def to_ideal_px(self, points: ArrayLike, height: float = 0.0) -> Points:
        """Project points (n, 2) of the plane, raised by ``height``, to the ideal picture."""
        view = self.view.copy()
        view[:, 2] += height * self.rise
        return apply_homography(points, view)

    def to_photo_px(self, points: ArrayLike) -> Points:
        """Project points (n, 2) of the plane to the photo."""
        return self.lens.to_photo_px(self.to_ideal_px(points))

    def to_plane(self, points_px: ArrayLike) -> Points:
        """Transform pixels (n, 2) of the ideal picture to the plane."""
        return apply_homography(points_px, np.linalg.inv(self.view))

    def has_in_front(self, points: Points, horizon: float = _HORIZON) -> bool:
        """Return whether points of the plane lie well before the camera."""
        depth = points @ self.view[2, :2] + self.view[2, 2]
        return bool((depth > horizon * self.view[2, 2]).all())

    @property
    def foot(self) -> NDArray[np.float64]:
        """Point (2,) of the plane straight below the camera."""
        below = np.linalg.solve(self.view, self.rise)
        return np.asarray(below[:2] / below[2], np.float64)

    @property
    def unit_px(self) -> float:
        """Pixels that a unit of the plane covers in the middle of the picture."""
        around = self.to_plane(self.lens.middle + np.array([[0, 0], [1, 0], [0, 1]]))
        return float(abs(np.linalg.det(around[1:] - around[0])) ** -0.5)

    def moved(self, by_px: ArrayLike) -> "SimulatedCamera":
        """Return a camera whose picture is shifted by ``by_px`` (2,) in its middle."""
        here, there = self.to_plane([self.lens.middle, self.lens.middle + floats(by_px)])
        return self._shifted(there - here)

    def _shifted(self, by: Points) -> "SimulatedCamera":
        """Return a camera under which the table is moved by ``by`` (2,)."""
        shift = np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]], np.float64)
        return SimulatedCamera(np.asarray(self.view @ shift, np.float64), self.rise, self.lens)

    def seen_box(self, outline: Points) -> tuple[Points, Points]:
        """Return middle and size (width, height) of the box round an outline in the photo."""
        if not self.has_in_front(outline, 0.3):
            # Partly behind the camera: a box that fits into no picture
            size = floats(self.lens.size_wh)
            return size * np.float32(0.5), size * np.float32(10)
        seen = self.to_photo_px(outline)
        low, high = seen.min(axis=0), seen.max(axis=0)
        return floats(low + high) * np.float32(0.5), high - low


def aim_camera(
    outline: Points, angles: CameraAngles, lens: SimulatedLens, share: float
) -> SimulatedCamera:
    """Aim a camera so that an outline (n, 2) fills the middle of its picture.

    Args:
        outline: Points of the plane.
        angles: Angles of the camera.
        lens: Lens of the camera.
        share: Share of the picture's width or height, whichever is tighter, that is filled.
    """
    low, high, picture = _MIN_UNIT_PX, float(max(lens.size_wh)), floats(lens.size_wh)
    for _ in range(_STEPS):
        unit_px = float(np.sqrt(low * high))
        middle, size = _centred(outline, angles, lens, unit_px).seen_box(outline)
        # From too near by, a tilted camera finds no middle, and sees little towards the horizon
        is_in_the_middle = np.abs(middle - (picture - 1) / 2) <= _OFF_MIDDLE * picture
        if is_in_the_middle.all() and (size <= share * picture).all():
            low = unit_px
        else:
            high = unit_px
    return _centred(outline, angles, lens, low)


def _centred(
    outline: Points, angles: CameraAngles, lens: SimulatedLens, unit_px: float
) -> SimulatedCamera:
    """Return a camera with the middle of the outline in the middle of its picture."""
    camera = SimulatedCamera.above(angles, lens, unit_px)
    middle = (outline.max(axis=0) + outline.min(axis=0)) / 2
    camera = camera._shifted(-middle)  # noqa: SLF001 - beside its class
    for _ in range(3):
        camera = camera.moved(lens.middle - camera.seen_box(outline)[0])
    return camera
