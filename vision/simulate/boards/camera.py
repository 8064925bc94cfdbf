"""The camera above a simulated table: what it sees of points on the plane and above it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Homography, Points, floats, transformed
from vision.simulate.lens import Lens
from vision.simulate.scene import camera_view

_STEPS: Final = 18
_LEAST_UNIT_PX: Final = 4.0
_OFF_MIDDLE: Final = 0.1
"""Share of the picture by which an outline may lie off its middle."""
_FOCAL_SHARE: Final = 0.77
"""Focal length in longer sides of the picture, as ``camera_view`` has it."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera without distortion.

    Attributes:
        view: homography from the plane to pixels, which is its intrinsic matrix times the first,
            second and last column of its rigid motion.
        size_wh: of the picture.
    """

    view: Homography
    size_wh: tuple[int, int]

    def pixels(self, points: ArrayLike, height: float = 0.0) -> Points:
        """Where points (n, 2) of the plane, raised by ``height``, are seen (ideal lens)."""
        if height == 0:
            return transformed(points, self.view)
        lifted = self.view.copy()
        lifted[:, 2] += height * self._rise
        return transformed(points, lifted)

    def plane(self, points_px: ArrayLike) -> Points:
        """Which points of the plane are seen at these pixels (n, 2)."""
        return transformed(points_px, np.linalg.inv(self.view))

    @property
    def foot(self) -> NDArray[np.float64]:
        """The point (2,) of the plane straight below the camera."""
        motion = np.linalg.solve(self._intrinsic, self.view)
        return np.asarray(-(motion[:, :2].T @ motion[:, 2]), np.float64)

    @property
    def unit_px(self) -> float:
        """How many pixels a unit of the plane covers in the middle of the picture."""
        middle = (np.array(self.size_wh) - 1) / 2
        around = self.plane(middle + np.array([[0, 0], [1, 0], [0, 1]]))
        across, down = around[1] - around[0], around[2] - around[0]
        area = abs(float(across[0] * down[1] - across[1] * down[0]))
        return float(1 / np.sqrt(area))

    @property
    def _rise(self) -> NDArray[np.float64]:
        """What a unit of height adds to homogeneous pixels."""
        motion = np.linalg.solve(self._intrinsic, self.view)
        into_table = np.cross(motion[:, 0], motion[:, 1])
        return np.asarray(self._intrinsic @ -into_table, np.float64)

    @property
    def _intrinsic(self) -> NDArray[np.float64]:
        w, h = self.size_wh
        focal = _FOCAL_SHARE * max(w, h)
        return np.array([[focal, 0, (w - 1) / 2], [0, focal, (h - 1) / 2], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Stance:
    """How the camera is held; radians.

    Attributes:
        tilt: away from straight down.
        towards: direction of the tilt.
        roll: turn about its axis.
    """

    tilt: float
    towards: float
    roll: float


def aimed(outline: Points, stance: Stance, lens: Lens, share: float) -> Camera:
    """A camera whose picture is filled by what lies within an outline, in its middle.

    Args:
        outline: points (n, 2) of the plane.
        stance: of the camera.
        lens: through which it sees.
        share: of the picture's width or height, whichever is the tighter.
    """
    low, high = _LEAST_UNIT_PX, float(max(lens.size_wh))
    for _ in range(_STEPS):
        unit_px = float(np.sqrt(low * high))
        if _fits(_centred(outline, stance, lens, unit_px), outline, lens, share):
            low = unit_px
        else:
            high = unit_px
    return _centred(outline, stance, lens, low)


def moved(camera: Camera, by_px: Points) -> Camera:
    """A camera in which the middle of the picture is seen off by ``by_px`` (2,)."""
    middle = (floats([camera.size_wh]) - 1) / 2
    here, there = camera.plane(middle)[0], camera.plane(middle + by_px)[0]
    return _shifted(camera, there - here)


def _fits(camera: Camera, outline: Points, lens: Lens, share: float) -> bool:
    """Whether what lies within an outline fills no more than a share of the picture, in its middle.

    From too near by, a camera that is tilted finds no middle, and sees little towards the horizon.
    """
    picture = floats(lens.size_wh)
    middle, size = _seen_box(camera, outline, lens)
    is_in_the_middle = np.abs(middle - (picture - 1) / 2) <= _OFF_MIDDLE * picture
    return bool(is_in_the_middle.all() and (size <= share * picture).all())


def _centred(outline: Points, stance: Stance, lens: Lens, unit_px: float) -> Camera:
    """A camera that sees the outline's middle in that of its picture."""
    view = camera_view(lens.size_wh, unit_px, stance.tilt, stance.towards, stance.roll)
    camera = _shifted(Camera(view, lens.size_wh), -(outline.max(axis=0) + outline.min(axis=0)) / 2)
    for _ in range(3):
        middle, _size = _seen_box(camera, outline, lens)
        camera = moved(camera, floats((floats(lens.size_wh) - 1) / 2 - middle))
    return camera


def _shifted(camera: Camera, by: Points) -> Camera:
    """A camera to which the table has been moved by ``by`` (2,)."""
    shift = np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]], np.float64)
    return Camera(np.asarray(camera.view @ shift, np.float64), camera.size_wh)


def _seen_box(camera: Camera, outline: Points, lens: Lens) -> tuple[Points, Points]:
    """Middle and size (width, height) of the box round the outline as the lens shows it."""
    depth = outline @ camera.view[2, :2] + camera.view[2, 2]
    if (depth < 0.3 * camera.view[2, 2]).any():
        return floats(lens.size_wh) / np.float32(2), floats(lens.size_wh) * np.float32(10)
    seen = lens.seen(camera.pixels(outline))
    low, high = seen.min(axis=0), seen.max(axis=0)
    return floats((low + high) / 2), high - low
