"""Photos of the calibration sheet, taken by a camera that is known exactly.

The renderer shares no code with the package: each pixel's line of sight is bent back through the
lens, met with the plane of the sheet, and coloured from a picture of the board.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np

from vision.calibration import SheetDetection
from vision.calibration.sheet import BOARD_MM, charuco_board, corner_positions_mm
from vision.photo.load import Photo

SIZE_WH = (1280, 960)
PX_PER_MM = 6
MARGIN_MM = 12
ALL_CORNERS = np.arange(48)


@dataclass(frozen=True)
class Camera:
    """A camera with a focal length, a principal point and a distortion k1, k2, p1, p2, k3."""

    focal: float = 1100.0
    centre: tuple[float, float] = (652.0, 471.0)
    distortion: tuple[float, ...] = (-0.18, 0.06, 0.0, 0.0, 0.0)
    size_wh: tuple[int, int] = SIZE_WH

    def bent(self, x, y):
        """Distort directions in front of the lens to those behind it, by Brown's model."""
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
        return (
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        )

    def straight(self, x, y):
        """Undistort directions behind the lens, the inverse of ``bent``, by iteration."""
        u, v = x, y
        if not any(self.distortion):
            return u, v
        for _ in range(8):
            bent_u, bent_v = self.bent(u, v)
            u, v = u + (x - bent_u), v + (y - bent_v)
        return u, v

    def project(self, solid):
        """Points (n, 3) in front of the camera, in mm, to pixels (n, 2)."""
        x, y = self.bent(solid[:, 0] / solid[:, 2], solid[:, 1] / solid[:, 2])
        return np.stack([x * self.focal + self.centre[0], y * self.focal + self.centre[1]], axis=1)


@dataclass(frozen=True)
class Pose:
    """The sheet turned about the axes of the camera (degrees), its middle at a place in mm."""

    tilt_x: float
    tilt_y: float
    turn: float
    middle: tuple[float, float, float]

    @property
    def rotation(self):
        ax, ay, az = np.radians([self.tilt_x, self.tilt_y, self.turn])
        about_x = [[1, 0, 0], [0, np.cos(ax), -np.sin(ax)], [0, np.sin(ax), np.cos(ax)]]
        about_y = [[np.cos(ay), 0, np.sin(ay)], [0, 1, 0], [-np.sin(ay), 0, np.cos(ay)]]
        about_z = [[np.cos(az), -np.sin(az), 0], [np.sin(az), np.cos(az), 0], [0, 0, 1]]
        return np.array(about_x) @ np.array(about_y) @ np.array(about_z)

    @property
    def translation(self):
        return np.array(self.middle) - self.rotation @ np.array([*BOARD_MM, 0.0]) / 2

    @property
    def height(self):
        """Distance of the camera from the plane of the sheet."""
        return float(self.rotation[:, 2] @ self.translation)

    def solid(self, points_mm):
        """Points (n, 2) on the sheet to (n, 3) before the camera."""
        flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
        return flat @ self.rotation.T + self.translation


TABLE = Pose(8, -5, 3, (10, -5, 420))
POSES = (
    Pose(25, 0, 5, (-110, -40, 460)), Pose(-28, 4, -8, (110, 40, 470)),
    Pose(0, 30, 90, (-70, 60, 430)), Pose(5, -32, 20, (80, -60, 440)),
    Pose(22, 20, 180, (-100, 70, 520)), Pose(-20, -22, 45, (100, -70, 520)),
    Pose(12, -15, -60, (0, 20, 330)), TABLE,
)  # fmt: skip
"""The last one lies on the table."""


def view(camera, pose, name="photo.jpg", *, noise_px=0.1, seed=0, corners=ALL_CORNERS):
    """Return the corners found in a photo, without taking one."""
    points_mm = corner_positions_mm(corners)
    noise = np.random.default_rng(seed).normal(0, noise_px, (len(points_mm), 2))
    corners_px = camera.project(pose.solid(points_mm)) + noise
    return SheetDetection(name, camera.size_wh, corners_px, points_mm)


def views(camera, poses=POSES, **how):
    """A set of photos, each with its own noise."""
    return [
        view(camera, pose, f"{number}.jpg", seed=number, **how) for number, pose in enumerate(poses)
    ]


@cache
def sheet_picture():
    """The board with a white rim, on a grey table; and where its origin lies in it, in mm."""
    size = tuple(round(side * PX_PER_MM) for side in BOARD_MM)
    board = charuco_board().generateImage(size, marginSize=0)
    rim = round(MARGIN_MM * PX_PER_MM)
    return cv2.copyMakeBorder(board, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=255)


@lru_cache(maxsize=1)
def lines_of_sight(camera):
    """Direction x/z and y/z of four places in each pixel."""
    width, height = camera.size_wh
    x = (np.arange(2 * width, dtype=np.float32) + 0.5) / 2 - 0.5
    y = (np.arange(2 * height, dtype=np.float32) + 0.5) / 2 - 0.5
    across, down = np.meshgrid(x, y)
    return camera.straight(
        (across - camera.centre[0]) / camera.focal, (down - camera.centre[1]) / camera.focal
    )


def photograph(camera, pose, *, seed=0, noise=3.0, blur=0.6):
    """A photo (h, w, 3) of the sheet in a pose, with uneven light, blur and noise."""
    x, y = lines_of_sight(camera)
    # One row each for the axes of the sheet and its normal; plain numbers keep single precision
    axes = pose.rotation.T.tolist()
    along_x, along_y, ahead = (a * x + b * y + c for a, b, c in axes)
    depth = pose.height / ahead
    origin = (pose.rotation.T @ pose.translation).tolist()
    on_sheet = along_x * depth - origin[0], along_y * depth - origin[1]
    places = [(each + MARGIN_MM) * PX_PER_MM - 0.5 for each in on_sheet]
    picture = cv2.remap(sheet_picture(), *places, cv2.INTER_LINEAR, borderValue=110)
    small = cv2.resize(picture, camera.size_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    light = np.linspace(0.65, 0.9, camera.size_wh[0], dtype=np.float32)
    lit = cv2.GaussianBlur(20 + small * light, (0, 0), blur)
    lit += np.random.default_rng(seed).normal(0, noise, lit.shape)
    return cv2.cvtColor(np.clip(lit, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def photo_of(image, name="photo.png"):
    """A picture as the loader gives it."""
    return Photo(image, name, (image.shape[1], image.shape[0]))
