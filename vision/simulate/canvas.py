"""A picture of a table that is being laid; things are pasted in the coordinates of its plane.

The plane's unit is ``UNIT_MM``, the width of the tile to which everything is drawn; x runs to the
right and y down as seen from above. A quad runs top left, top right, bottom right, bottom left as
read upright.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners, FloatImage, Homography, Image, Points, floats
from vision.simulate.camera import Camera

UNIT_MM: Final = 45.0
Spot = tuple[float, float]
Shadow = tuple[float, float, float]
"""Offset on the plane (x, y) and darkness, 0 to 1."""
_SHADOW_ROOM_PX: Final = 12


def rectangle(centre: ArrayLike, angle: float, size: Spot = (1.0, 1.0)) -> Corners:
    """The corners of a rectangle (width, height) about ``centre`` (x, y), turned clockwise."""
    x, y = size[0] / 2, size[1] / 2
    return rotated(floats([[-x, -y], [x, -y], [x, y], [-x, y]]), angle) + floats(centre)


def rotated(points: Points, angle: float) -> Points:
    """Points turned clockwise about the origin (y runs down)."""
    c, s = np.cos(angle), np.sin(angle)
    turned: Points = points @ floats([[c, s], [-s, c]])
    return turned


def opaque(picture: Image) -> Image:
    """BGR to BGRA without transparency."""
    return np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])


def apart(first: Corners, second: Corners) -> bool:
    """Whether two convex quads share no area."""
    shared, _ = cv2.intersectConvexConvex(floats(first), floats(second))
    return shared <= 0


def widened(corners: Corners, room: float) -> Corners:
    """A rectangle with ``room`` more on every side."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    right = across / np.float32(np.hypot(*across)) * np.float32(room)
    below = down / np.float32(np.hypot(*down)) * np.float32(room)
    return corners + floats([-right - below, right - below, right + below, below - right])


class Canvas:
    """The picture, as an ideal lens shows it."""

    def __init__(self, table_top: Image, camera: Camera) -> None:
        self.image = floats(table_top)
        self.camera = camera

    def lay(self, picture: Image, corners: Corners, shadow: Shadow) -> None:
        """Paste a picture, BGR or with transparency, onto the quad ``corners`` of the plane."""
        if not self.camera.faces(corners):
            return
        h, w = picture.shape[:2]
        picture = opaque(picture) if picture.shape[2] == 3 else picture
        target = self.camera.ideal(corners)
        x0, y0 = np.floor(target.min(axis=0) - _SHADOW_ROOM_PX).astype(int)
        x1, y1 = np.ceil(target.max(axis=0) + _SHADOW_ROOM_PX).astype(int)
        height, width = self.image.shape[:2]
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        scale = np.sqrt(cv2.contourArea(target) / (w * h))
        if scale < 0.6:  # lest fine lines alias
            blurred = cv2.GaussianBlur(picture, (0, 0), float(0.4 / scale))
            picture = np.asarray(blurred, np.uint8)
        warp = _warp(picture, target - floats([x0, y0]))
        window = floats(cv2.warpPerspective(picture, warp, (x1 - x0, y1 - y0)))
        alpha = window[..., 3:] / np.float32(255)
        under = self.image[y0:y1, x0:x1]
        if shadow[2] > 0:
            under = under * (1 - self._shade(alpha[..., 0], corners, shadow)[..., None])
        self.image[y0:y1, x0:x1] = under * (1 - alpha) + window[..., :3] * alpha

    def _shade(self, alpha: FloatImage, corners: Corners, shadow: Shadow) -> FloatImage:
        """How much light the thing of outline ``alpha`` (h, w) takes from each pixel, 0 to 1."""
        dx, dy, darkness = shadow
        centre = corners.mean(axis=0)
        here, there = self.camera.ideal([centre, centre + floats([dx, dy])])
        away = there - here
        move = floats([[1, 0, away[0]], [0, 1, away[1]]])
        shade = cv2.warpAffine(alpha, move, (alpha.shape[1], alpha.shape[0]))
        softness = 0.6 + min(float(np.hypot(*away)) / 2, 12.0)
        return darkness * floats(cv2.GaussianBlur(shade, (0, 0), softness))

    def hidden_by(self, picture_bgra: Image, corners: Corners) -> FloatImage:
        """Which part (h, w) of each pixel a thing that lies there hides, 0 to 1."""
        height, width = self.image.shape[:2]
        warp = _warp(picture_bgra, self.camera.ideal(corners))
        alpha = cv2.warpPerspective(picture_bgra[..., 3], warp, (width, height))
        return floats(alpha) / np.float32(255)

    def finished(self) -> Image:
        """The picture as the camera's lens shows it, uint8 BGR."""
        return self.camera.lens.photographed(np.clip(self.image, 0, 255).astype(np.uint8))


def _warp(picture: Image, target_px: Corners) -> Homography:
    h, w = picture.shape[:2]
    source = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(source, target_px), np.float64)


class Occupied:
    """The places on the plane where something lies already."""

    def __init__(self) -> None:
        self._taken: list[Corners] = []

    def is_free(self, corners: Corners) -> bool:
        """Whether nothing lies on this quad."""
        return all(apart(corners, other) for other in self._taken)

    def take(self, corners: Corners) -> None:
        """Lay something there."""
        self._taken.append(corners)
