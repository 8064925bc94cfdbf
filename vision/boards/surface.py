"""Where a grid or board lies in the photo: a plane in perspective, seen through a lens.

Grid coordinates: x to the right and y down in edges of a tile, (0, 0) the top left corner of the
tile (0, 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Corners, Homography, Image, Points, floats, median, transformed
from vision.boards.camera import USUAL_FOCAL, focal_of
from vision.pyramid import Pyramid, to_level

FEWEST_FOR_LENS = 40
MOST_LENS = 0.24
"""Strongest distortion of a lens: share by which the corners of the photo move."""
_LENS_STEPS = 5
_FINER = 3
"""Then strengths so much closer together are tried, about the best of the first."""
_STEP_PX = 16
"""The map of a flat picture is computed at every so many pixels and interpolated between."""
_FIRST_PX = (_STEP_PX - 1) / 2
"""The first of these inside the picture: resizing has them in the middle of as many pixels."""
_SPARSEST = 1.4
"""Pixels of the photo for one of a flat picture from which on fine lines would alias."""
_LEAST_AWAY = 1e-6
"""Pixels from the middle of the picture below which no lens moves anything."""
FEWEST_KEPT = 12
_FLATTEST = 1e-9
"""Determinant below which a homography maps all to a line."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The lens of the camera, which moves points away from the middle of the picture or towards it.

    Attributes:
        middle: (x, y) pixels.
        radius: from there to the corner of the picture, pixels.
        strength: a point in the corner belongs further out by this share.
        focal_px: focal length.
    """

    middle: tuple[float, float]
    radius: float
    strength: float
    focal_px: float

    @classmethod
    def of(cls, size_wh: tuple[int, int], strength: float = 0.0) -> "Lens":
        """For pictures of this size."""
        middle = (size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2
        return cls(middle, float(np.hypot(*middle)), strength, USUAL_FOCAL * size_wh[0])

    def straightened(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Where points (n, 2) of the photo would be without the distortion."""
        away = np.asarray(pixels, np.float64).reshape(-1, 2) - self.middle
        square = (away**2).sum(axis=1, keepdims=True) / self.radius**2
        return np.asarray(self.middle + away * (1 + self.strength * square), np.float64)

    def seen(self, straight: ArrayLike) -> NDArray[np.float64]:
        """Where the photo shows points that have these places without the distortion."""
        away = np.asarray(straight, np.float64).reshape(-1, 2) - self.middle
        if self.strength == 0:
            return np.asarray(self.middle + away, np.float64)
        # The root of the cubic equation for the distance from the middle, by Viete's substitution
        scale = 2 / np.sqrt(3 * abs(self.strength))
        wanted = np.maximum(np.hypot(away[:, 0], away[:, 1]), _LEAST_AWAY) / self.radius
        if self.strength > 0:
            now = scale * np.sinh(np.arcsinh(3 / scale * wanted) / 3)
        else:
            # Where a lens of negative strength turns back there is nothing more to see
            now = scale * np.sin(np.arcsin(np.minimum(3 / scale * wanted, 1.0)) / 3)
        return np.asarray(self.middle + away * (now / wanted)[:, None], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """From grid coordinates to pixels.

    Attributes:
        plane: homography to the pixels of a picture without distortion.
        lens: what distorts it.
    """

    plane: Homography
    lens: Lens

    def at(self, points: ArrayLike) -> Points:
        """Pixels (n, 2) of points (n, 2) of the grid."""
        return floats(self.lens.seen(transformed(points, self.plane)))

    def quad(self, left: float, top: float, right: float, bottom: float) -> Corners:
        """The corners of an upright rectangle of the grid."""
        return self.at([[left, top], [right, top], [right, bottom], [left, bottom]])

    def inverse(self, pixels: ArrayLike) -> Points:
        """Grid coordinates (n, 2) of pixels (n, 2)."""
        return transformed(self.lens.straightened(pixels), np.linalg.inv(self.plane))

    def moved(self, to_grid: Homography) -> "Surface":
        """The same with other grid coordinates; ``to_grid`` leads from those to the present."""
        return Surface(np.asarray(self.plane @ to_grid, np.float64), self.lens)

    def flat(
        self, picture: Pyramid, window: tuple[float, float, float, float], tile_px: int
    ) -> Image:
        """The grid as seen straight from above.

        Args:
            picture: the photo.
            window: left, top, right, bottom of what to show, in grid coordinates.
            tile_px: pixels for each edge of a tile.
        """
        left, top, right, bottom = window
        width, height = round((right - left) * tile_px), round((bottom - top) * tile_px)
        xs, ys = (
            np.arange(-1, side // _STEP_PX + 2) * _STEP_PX + _FIRST_PX for side in (width, height)
        )
        knots = np.empty((len(ys), len(xs), 2))
        knots[..., 0], knots[..., 1] = xs, ys[:, None]
        seen = self.at((knots.reshape(-1, 2) + 0.5) / tile_px + [left, top])
        step = np.diff(seen.reshape(knots.shape), axis=1).reshape(-1, 2)
        step_px = float(median(np.hypot(*step.T))) / _STEP_PX
        level = picture.level_for(step_px / _SPARSEST)
        coarse = transformed(seen, to_level(level)).reshape(len(ys), len(xs), 2)
        size = len(xs) * _STEP_PX, len(ys) * _STEP_PX
        maps = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        maps = maps[_STEP_PX : _STEP_PX + height, _STEP_PX : _STEP_PX + width]
        flat = cv2.remap(  # type: ignore[call-overload] # None: one map of both coordinates
            picture.levels[level],
            maps,
            None,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(flat, np.uint8)


Matches = tuple[Points, Points]
"""Grid coordinates (n, 2), n at least 4, and the pixels (n, 2) where they were seen."""


def fitted_surfaces(grids: Sequence[Matches], size_wh: tuple[int, int]) -> list[Surface]:
    """The surfaces of grids seen by one camera, through matched points that are mostly right.

    The strength of the lens is the one, of several tried, with which planes fit best.

    Args:
        grids: the points of each.
        size_wh: of the photo.
    """
    kept = list(grids)
    lens = Lens.of(size_wh)
    if sum(len(points) for points, _ in grids) >= FEWEST_FOR_LENS:
        for reach in (MOST_LENS, MOST_LENS / _FINER):
            lens = _best_lens(kept, size_wh, lens.strength, reach)
            kept = [_near(points, pixels, lens) for points, pixels in grids]
    planes = [_plane(points, pixels, lens) for points, pixels in kept]
    lens = replace(lens, focal_px=focal_of(planes, size_wh))
    return [Surface(plane, lens) for plane in planes]


def _near(points: Points, pixels: Points, lens: Lens) -> Matches:
    """The points that a plane through all of them fits."""
    (apart,) = _apart(points, pixels, [lens])
    good = apart < max(3 * float(np.median(apart)), 0.02)
    return (points[good], pixels[good]) if good.sum() >= FEWEST_KEPT else (points, pixels)


def _best_lens(
    grids: Sequence[Matches], size_wh: tuple[int, int], about: float, reach: float
) -> Lens:
    """The lens at the lowest point of the parabola through the best fit and its neighbours.

    Args:
        grids: the points of each.
        size_wh: of the photo.
        about: strength in the middle of those that are tried.
        reach: how far these go from there.
    """
    middle = float(np.clip(about, reach - MOST_LENS, MOST_LENS - reach))
    strengths = middle + np.linspace(-reach, reach, _LENS_STEPS)
    lenses = [Lens.of(size_wh, float(strength)) for strength in strengths]
    errors = sum((_apart(*grid, lenses) ** 2).sum(axis=1) for grid in grids)
    best = int(np.argmin(errors))
    strength = float(strengths[best])
    if 0 < best < len(errors) - 1:
        before, here, after = errors[best - 1 : best + 2]
        curve = before - 2 * here + after
        if 0 < curve < np.inf:
            strength += float(strengths[1] - strengths[0]) * 0.5 * (before - after) / curve
    return Lens.of(size_wh, strength)


def _apart(grid_xy: Points, pixels: Points, lenses: Sequence[Lens]) -> NDArray[np.float64]:
    """How far points lie from where the plane through all has them, (lenses, points) in tiles.

    Method: the direct linear transformation with normalised points (R. Hartley and A. Zisserman,
    "Multiple View Geometry", 2nd ed., 4.1), which is a little less exact than ``_plane``, but
    quicker, as it is solved for all lenses at once.
    """
    flat = _homogeneous(_normalised(grid_xy.astype(np.float64)))
    seen = np.stack([_normalised(lens.straightened(pixels)) for lens in lenses])
    across, down = seen[..., :1], seen[..., 1:]
    normal = np.zeros((len(lenses), 9, 9))
    normal[:, :3, :3] = normal[:, 3:6, 3:6] = flat.T @ flat
    normal[:, :3, 6:] = normal[:, 6:, :3] = -flat.T @ (flat * across)
    normal[:, 3:6, 6:] = normal[:, 6:, 3:6] = -flat.T @ (flat * down)
    normal[:, 6:, 6:] = flat.T @ (flat * (across**2 + down**2))
    planes = np.linalg.eigh(normal)[1][:, :, 0].reshape(-1, 3, 3)
    usable = np.abs(np.linalg.det(planes)) > _FLATTEST
    planes[~usable] = np.eye(3)
    back = _homogeneous(seen) @ np.linalg.inv(planes).transpose(0, 2, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.linalg.norm(back[..., :2] / back[..., 2:] - flat[:, :2], axis=2)
    usable = usable[:, None] & np.isfinite(apart)
    return np.where(usable, apart * _spread(grid_xy), np.inf)


def _spread(points: NDArray[np.floating]) -> float:
    return float(points.std()) or 1.0


def _normalised(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 2) about their middle, about one apart."""
    return np.asarray((points - points.mean(axis=0)) / _spread(points), np.float64)


def _homogeneous(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (..., 2) with a third coordinate, 1."""
    return np.concatenate([points, np.ones_like(points[..., :1])], axis=-1)


def _plane(grid_xy: Points, pixels: Points, lens: Lens) -> Homography:
    """The plane through points seen through a lens."""
    found, _ = cv2.findHomography(grid_xy.astype(np.float64), lens.straightened(pixels), 0)
    if found is None:  # points on a line
        return np.eye(3)
    plane: Homography = np.asarray(found, np.float64)
    return plane if abs(np.linalg.det(plane)) > _FLATTEST else np.eye(3)
