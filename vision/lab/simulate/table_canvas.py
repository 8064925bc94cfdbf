"""Canvas: picture of a simulated table, onto which things are pasted in plane coordinates.

The plane's unit is ``UNIT_MM``, the width of the tile to which everything is drawn; x runs to the
right and y down as seen from above. A quad runs top left, top right, bottom right, bottom left as
read upright.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners, FloatImage, Homography, Image, Points, floats, in_channels
from vision.lab.simulate.drawing import Rng
from vision.lab.simulate.simulated_camera import SimulatedCamera

UNIT_MM: Final = 45.0
"""Unit of the plane."""
Spot = tuple[float, float]
Shadow = tuple[float, float, float]
"""Offset on the plane (x, y) and darkness, 0 to 1."""
Box = tuple[slice, slice]
"""Rows and columns of a picture."""
_SHADOW_ROOM_PX: Final = 12
_ROOM: Final = 0.08
"""Minimum distance of things that lie free."""


def rectangle(centre: ArrayLike, angle: float, size: Spot = (1.0, 1.0)) -> Corners:
    """Return the corners of a rectangle (width, height) about ``centre``, turned clockwise."""
    x, y = size[0] / 2, size[1] / 2
    return rotate_points(floats([[-x, -y], [x, -y], [x, y], [-x, y]]), angle) + floats(centre)


def rotate_points(points: Points, angle: float) -> Points:
    """Rotate points clockwise about the origin (y runs down)."""
    c, s = np.cos(angle), np.sin(angle)
    turned: Points = points @ floats([[c, s], [-s, c]])
    return turned


def opaque(picture: Image) -> Image:
    """Convert BGR to BGRA without transparency."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)


def are_apart(first: Corners, second: Corners) -> bool:
    """Return whether two convex quads share no area."""
    return cv2.intersectConvexConvex(floats(first), floats(second))[0] <= 0


def widen(corners: Corners, room: float) -> Corners:
    """Widen a rectangle by ``room`` on every side."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    right, below = (np.float32(room) * side / np.hypot(*side) for side in (across, down))
    return corners + floats([-right - below, right - below, right + below, below - right])


def halves(corners: Corners) -> tuple[Corners, Corners]:
    """Split a rectangle into two squares, left and right or upper and lower."""
    first, second, third, fourth = corners
    if np.hypot(*(second - first)) > np.hypot(*(fourth - first)):
        top, bottom = (first + second) / 2, (fourth + third) / 2
        return floats([first, top, bottom, fourth]), floats([top, second, third, bottom])
    left, right = (first + fourth) / 2, (second + third) / 2
    return floats([first, second, right, left]), floats([left, right, third, fourth])


def box_of(points_px: Points, shape: tuple[int, ...], room: int) -> Box | None:
    """Return the part of a picture round some points; None if they lie outside."""
    x0, y0 = np.maximum(np.floor(points_px.min(axis=0)).astype(int) - room, 0)
    x1, y1 = np.minimum(np.ceil(points_px.max(axis=0)).astype(int) + room + 1, shape[1::-1])
    return (slice(y0, y1), slice(x0, x1)) if x1 - x0 > 1 and y1 - y0 > 1 else None


class Occupied:
    """Places on the plane where something lies already."""

    def __init__(self) -> None:
        self._taken: list[Corners] = []

    def is_free(self, corners: Corners) -> bool:
        """Return whether nothing lies on a quad."""
        return all(are_apart(corners, other) for other in self._taken)

    def take(self, corners: Corners) -> None:
        """Mark a quad as occupied."""
        self._taken.append(corners)


class TableCanvas:
    """Picture of a table without distortion.

    Attributes:
        image: Shape (h, w, 3), levels of 0 to 255.
        camera: Camera above the table.
        occupied: Places where something lies.
        hidden: Shape (h, w), share of each pixel that something other than a tile covers, 0 to 1.
    """

    def __init__(self, table_top: Image, camera: SimulatedCamera) -> None:
        self.image = floats(table_top)
        self.camera = camera
        self.occupied = Occupied()
        self.hidden = np.zeros(table_top.shape[:2], np.float32)

    def lay(self, picture: Image, corners: Corners, shadow: Shadow, height: float = 0.0) -> None:
        """Paste a picture, BGR or BGRA, onto a quad of the plane, raised by ``height``."""
        if not self.camera.has_in_front(corners):
            return
        h, w = picture.shape[:2]
        target = self.camera.to_ideal_px(corners, height)
        box = box_of(target, self.image.shape, _SHADOW_ROOM_PX)
        if box is None:
            return
        scale = np.sqrt(cv2.contourArea(target) / (w * h))
        if scale < 0.6:  # lest fine lines alias
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(0.4 / scale)), np.uint8)
        picture = opaque(picture) if picture.shape[2] == 3 else picture
        under = self.image[box]
        warp = _warp(picture, target - floats([box[1].start, box[0].start]))
        window = floats(cv2.warpPerspective(picture, warp, under.shape[1::-1]))
        alpha = window[..., 3] / np.float32(255)
        if shadow[2] > 0:
            under = under * in_channels(1 - self._shade(alpha, corners, shadow))
        covering = in_channels(alpha)
        colour = np.asarray(cv2.cvtColor(window, cv2.COLOR_BGRA2BGR), np.float32)
        self.image[box] = under * (1 - covering) + colour * covering

    def _shade(self, alpha: FloatImage, corners: Corners, shadow: Shadow) -> FloatImage:
        """Return the share of light that an outline ``alpha`` (h, w) takes from each pixel."""
        centre = corners.mean(axis=0)
        here, there = self.camera.to_ideal_px([centre, centre + floats(shadow[:2])])
        away = there - here
        move = floats([[1, 0, away[0]], [0, 1, away[1]]])
        shade = cv2.warpAffine(alpha, move, alpha.shape[::-1])
        softness = 0.6 + min(float(np.hypot(*away)) / 2, 12.0)
        return shadow[2] * np.asarray(cv2.GaussianBlur(shade, (0, 0), softness), np.float32)

    def cover(self, picture_bgra: Image, corners: Corners, shadow: Shadow) -> None:
        """Paste a thing that hides tiles."""
        if not self.camera.has_in_front(corners):
            return
        self.lay(picture_bgra, corners, shadow)
        warp = _warp(picture_bgra, self.camera.to_ideal_px(corners))
        alpha = cv2.warpPerspective(picture_bgra[..., 3], warp, self.image.shape[1::-1])
        self.hidden = np.maximum(self.hidden, floats(alpha) / np.float32(255))

    def free_spot(
        self, rng: Rng, size: Spot, angle: float | None = None, tries: int = 40
    ) -> Corners | None:
        """Find and occupy a free spot with its middle in the picture; None if there is none."""
        for _ in range(tries):
            spot = self.camera.to_plane([rng.uniform((0, 0), self.camera.lens.size_wh)])[0]
            turn = float(rng.uniform(0, 2 * np.pi)) if angle is None else angle
            corners = rectangle(spot, turn, size)
            if self.camera.has_in_front(corners) and self.occupied.is_free(widen(corners, _ROOM)):
                self.occupied.take(corners)
                return corners
        return None

    def to_image(self) -> Image:
        """Return the picture with the distortion of the lens, uint8 BGR."""
        return self.camera.lens.distort(np.clip(self.image, 0, 255).astype(np.uint8))


def _warp(picture: Image, target_px: Corners) -> Homography:
    h, w = picture.shape[:2]
    source = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(source, target_px), np.float64)
