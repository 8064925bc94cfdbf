"""Plan view of a table: the photo as seen from straight above, without lens distortion.

In a plan all tiles are squares of one size, wherever they lie. (0, 0) is the centre of its top left
pixel, and x points to the right as in the photo.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Homography, Image, floats
from vision.calibration.camera_model import (
    Calibration,
    Lens,
    TablePlane,
    photo_px_to_plane,
    plane_to_photo_px,
)
from vision.photo.load import Photo

MAX_SCALE_RATIO: Final = 3.0
"""Maximum ratio between the scales, in px/mm, of two places in the photo.

The plan of a table seen at a flatter angle would be mostly blur, so the camera's own view is kept.
"""
_MIN_PLAN_PX: Final = 2_000_000
"""Number of pixels that the plan of a smaller photo may have, so that its centre loses no
detail."""
_BORDER_POINTS: Final = 24
"""Number of points along each side of the photo by which its extent on the table is measured."""
_NODE_PX: Final = 16
"""Distance of the nodes between which the map to the photo is interpolated; the error is some
hundredths of a pixel."""
_STRIP_PX: Final = 8 * _NODE_PX
"""Rows of a plan drawn at once."""


@dataclass(frozen=True, slots=True, eq=False)
class PlanView:
    """Mapping between a photo and its plan, or the camera's own view without distortion.

    Attributes:
        lens: Lens that took the photo.
        size_wh: Size of the plan in pixels.
        to_rays: Homography from pixels of the plan to rays from the camera (x, y, z).
        max_ray: Largest tangent of the angle between a ray within the photo and the optical axis.
        area_factor: Area of the plan relative to the photo, both at the scale of the photo's
            centre; 1 for the camera's own view.
        px_per_mm: Scale of the plan; None for the camera's own view, in which only the lens
            distortion was removed.
    """

    lens: Lens
    size_wh: tuple[int, int]
    to_rays: Homography
    max_ray: float
    area_factor: float
    px_per_mm: float | None

    @classmethod
    def for_photo(cls, calibration: Calibration, photo: Photo) -> "PlanView":
        """Return the plan of the table in a photo.

        It shows everything in the photo, at the scale of the centre of the decoded image, or at a
        smaller one if the plan had more pixels than that image.

        Args:
            calibration: Calibration of the camera for photos of this size.
            photo: Photo of the table.
        """
        border = _border(calibration.lens.size_wh)
        if _is_level_enough(calibration, border):
            return cls._covering(calibration, photo, border, is_plan=True)
        facing = TablePlane(np.eye(3), np.array([0, 0, calibration.lens.focal_px]))
        return cls._covering(replace(calibration, plane=facing), photo, border, is_plan=False)

    @classmethod
    def _covering(
        cls, calibration: Calibration, photo: Photo, border: NDArray[np.float64], *, is_plan: bool
    ) -> "PlanView":
        middle = (np.array(calibration.lens.size_wh, float) - 1) / 2
        centre, next_px = photo_px_to_plane(calibration, [middle, middle + np.array([1, 0])])
        across = (next_px - centre) / np.linalg.norm(next_px - centre)
        to_mm = np.array([[across[0], -across[1]], [across[1], across[0]]])
        on_plane = photo_px_to_plane(calibration, border)
        rim = on_plane @ to_mm
        low, high = rim.min(axis=0), rim.max(axis=0)
        middle_scale = float(_px_per_mm(calibration, centre[np.newaxis])[0]) / photo.scale
        decoded_px = photo.image_bgr.shape[0] * photo.image_bgr.shape[1]
        allowed = max(decoded_px, _MIN_PLAN_PX) / float(np.prod(high - low))
        scale = min(middle_scale, float(np.sqrt(allowed)))
        width, height = np.ceil((high - low) * scale).astype(int) + 1
        from_plan = np.eye(3)
        from_plan[:2, :2] = to_mm / scale
        from_plan[:2, 2] = to_mm @ low
        plane = calibration.plane
        plane_to_rays = np.column_stack([plane.rotation[:, :2], plane.translation_mm])
        rays = np.column_stack([on_plane, np.ones(len(border))]) @ plane_to_rays.T
        max_ray = float(np.linalg.norm(rays[:, :2] / rays[:, 2:], axis=1).max())
        return cls(
            calibration.lens,
            (int(width), int(height)),
            plane_to_rays @ from_plan,
            max_ray,
            float(np.prod(high - low)) * middle_scale**2 / decoded_px if is_plan else 1.0,
            scale if is_plan else None,
        )

    def to_photo_px(self, plan_px: ArrayLike) -> NDArray[np.float64]:
        """Map points (n, 2) of the plan to the photo in its full size."""
        points = np.asarray(plan_px, np.float64).reshape(-1, 2)
        rays = np.column_stack([points, np.ones(len(points))]) @ self.to_rays.T
        straight = rays[:, :2] / np.maximum(rays[:, 2:], 1e-9)
        # Outside the photo the distortion may fold rays back into it
        beyond = np.maximum(np.linalg.norm(straight, axis=1, keepdims=True) / self.max_ray, 1)
        rays_within = np.column_stack([straight / beyond, np.ones(len(points))])
        zeros = np.zeros(3)
        distorted, _ = cv2.projectPoints(
            rays_within, zeros, zeros, self.lens.camera_matrix, self.lens.distortion
        )
        centre = np.array(self.lens.centre_px)
        return np.asarray(centre + (np.reshape(distorted, (-1, 2)) - centre) * beyond, np.float64)

    def draw(self, photo: Photo) -> Image:
        """Draw the plan (h, w, 3) of a photo; outside the photo its border pixels are repeated."""
        width, height = self.size_wh
        columns, rows = (-(-side // _NODE_PX) + 2 for side in self.size_wh)
        xs, ys = (((np.arange(count) - 0.5) * _NODE_PX - 0.5) for count in (columns, rows))
        nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        back = floats(photo.to_decoded_px(self.to_photo_px(nodes))).reshape(rows, columns, 2)
        plan = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, _STRIP_PX):  # whole maps would take three times the memory
            first = top // _NODE_PX
            strip = back[first : first + _STRIP_PX // _NODE_PX + 2]
            smooth = cv2.resize(strip, (columns * _NODE_PX, len(strip) * _NODE_PX))
            inner = smooth[_NODE_PX:-_NODE_PX, _NODE_PX : _NODE_PX + width]
            xs_px, ys_px = cv2.split(inner[: height - top])
            plan[top : top + _STRIP_PX] = cv2.remap(
                photo.image_bgr, xs_px, ys_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        return plan


def _border(size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """Return points along the border of a photo."""
    share = np.linspace(0, 1, _BORDER_POINTS)
    zeros, ones = np.zeros_like(share), np.ones_like(share)
    sides = [(share, zeros), (share, ones), (zeros, share), (ones, share)]
    last = np.array(size_wh, float) - 1
    shares = np.concatenate([np.column_stack(side) for side in sides])
    return np.asarray(shares * last, np.float64)


def _is_level_enough(calibration: Calibration, border: NDArray[np.float64]) -> bool:
    """Return whether the table fills the photo, at scales that do not differ too much."""
    on_table = photo_px_to_plane(calibration, border)
    if not np.isfinite(on_table).all():
        return False
    scales = _px_per_mm(calibration, on_table)
    return bool(scales.max() <= MAX_SCALE_RATIO * scales.min())


def _px_per_mm(calibration: Calibration, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scale of the photo (n,) at points (n, 2) of the table, averaged over x and y."""
    steps = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    points, right, down = (plane_to_photo_px(calibration, points_mm + step) for step in steps)
    along, across = right - points, down - points
    area = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    return np.asarray(np.sqrt(np.abs(area)), np.float64)
