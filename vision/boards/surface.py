"""Where a grid or board lies in the photo: a plane in perspective, seen through a lens.

Grid coordinates: x to the right and y down in edges of a tile, (0, 0) the top left corner of the
tile (0, 0).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Corners, Homography, Image, Points, floats, median, transformed
from vision.boards.camera import USUAL_FOCAL, focal_of
from vision.boards.plane_fit import homogeneous, normalised, planes_through
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
        return cls(middle, math.hypot(*middle), strength, USUAL_FOCAL * size_wh[0])

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
        scale = 2 / math.sqrt(3 * abs(self.strength))
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

    def to_grid_from(self, other: "Surface") -> Homography:
        """From the grid coordinates of another surface seen through the same lens to its own."""
        return np.asarray(np.linalg.solve(self.plane, other.plane), np.float64)

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
        knots = _knots(window, tile_px)
        seen = self.at(knots.reshape(-1, 2)).reshape(knots.shape)
        step = (seen[:, 1:] - seen[:, :-1]).reshape(-1, 2)
        step_px = float(median(np.hypot(*step.T))) / _STEP_PX
        level = picture.level_for(step_px / _SPARSEST)
        coarse = transformed(seen, to_level(level)).reshape(knots.shape)
        size = knots.shape[1] * _STEP_PX, knots.shape[0] * _STEP_PX
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


@lru_cache(maxsize=8)
def _knots(window: tuple[float, float, float, float], tile_px: int) -> NDArray[np.float32]:
    """Where the map of a flat picture is computed: (rows, columns, 2) in grid coordinates.

    Args:
        window: left, top, right, bottom of what it shows.
        tile_px: pixels for each edge of a tile.
    """
    xs, ys = (
        (np.arange(-1, round((high - low) * tile_px) // _STEP_PX + 2) * _STEP_PX + _FIRST_PX + 0.5)
        / tile_px
        + low
        for low, high in zip(window[:2], window[2:], strict=True)
    )
    return floats(np.stack(np.meshgrid(xs, ys), axis=2))


Matches = tuple[Points, Points]
"""Grid coordinates (n, 2), n at least 4, and the pixels (n, 2) where they were seen."""


def fitted_surfaces(grids: Sequence[Matches], size_wh: tuple[int, int]) -> list[Surface]:
    """The surfaces of grids seen by one camera, through matched points that are mostly right.

    The strength of the lens is the one, of several tried, with which planes fit best.

    Args:
        grids: the points of each.
        size_wh: of the photo.
    """
    lens = Lens.of(size_wh)
    kept = list(grids)
    if sum(len(points) for points, _ in grids) >= FEWEST_FOR_LENS:
        every = [_Spots.of(*grid, lens) for grid in grids]
        strength = _best_strength(every, 0.0, MOST_LENS)
        some = [spots.only(_near(spots, strength)) for spots in every]
        strength = _best_strength(some, strength, MOST_LENS / _FINER)
        near = [_near(spots, strength) for spots in every]
        kept = [
            (points[good], pixels[good]) for (points, pixels), good in zip(grids, near, strict=True)
        ]
        lens = replace(lens, strength=strength)
    planes = [_plane(points, pixels, lens) for points, pixels in kept]
    lens = replace(lens, focal_px=focal_of(planes, size_wh))
    return [Surface(plane, lens) for plane in planes]


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Matched points of a grid, about their middle, about one apart.

    Attributes:
        flat: (n, 2) of the grid.
        seen: (n, 2) in the photo.
        moved: (n, 2) by how much a lens of strength 1 moves these.
        tiles: edges of a tile to a unit of ``flat``.
    """

    flat: NDArray[np.float64]
    seen: NDArray[np.float64]
    moved: NDArray[np.float64]
    tiles: float

    @classmethod
    def of(cls, points: Points, pixels: Points, lens: Lens) -> "_Spots":
        """Of points of the grid and their pixels in a photo that such a lens shows."""
        flat, tiles = normalised(points)
        seen, size_px = normalised(pixels)
        moved = (replace(lens, strength=1.0).straightened(pixels) - pixels) / size_px
        return cls(flat, seen, moved, tiles)

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "_Spots":
        """Some of them."""
        return _Spots(self.flat[chosen], self.seen[chosen], self.moved[chosen], self.tiles)

    def apart(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each lies from where the plane through all has it, (strengths, n) in tiles.

        The planes are a little less exact than ``_plane``, but found for all lenses at once.
        """
        seen = self.seen + strengths[:, None, None] * self.moved
        planes = planes_through(self.flat, seen)
        usable = np.abs(np.linalg.det(planes)) > _FLATTEST
        planes[~usable] = np.eye(3)
        back = np.linalg.inv(planes) @ homogeneous(seen).transpose(0, 2, 1)
        x, y, away = back.transpose(1, 0, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = np.hypot(x / away - self.flat[:, 0], y / away - self.flat[:, 1])
        return np.where(usable[:, None] & np.isfinite(apart), apart * self.tiles, np.inf)


def _near(spots: _Spots, strength: float) -> NDArray[np.bool_]:
    """Which points a plane through all of them fits; all, if hardly any."""
    (apart,) = spots.apart(np.array([strength]))
    good: NDArray[np.bool_] = apart < max(3 * float(median(apart)), 0.02)
    return good if good.sum() >= FEWEST_KEPT else np.ones(len(good), bool)


def _best_strength(grids: Sequence[_Spots], about: float, reach: float) -> float:
    """The strength at the lowest point of the parabola through the best fit and its neighbours.

    Args:
        grids: the points of each.
        about: strength in the middle of those that are tried.
        reach: how far these go from there.
    """
    middle = float(np.clip(about, reach - MOST_LENS, MOST_LENS - reach))
    strengths = middle + np.linspace(-reach, reach, _LENS_STEPS)
    errors = sum((spots.apart(strengths) ** 2).sum(axis=1) for spots in grids)
    best = int(np.argmin(errors))
    strength = float(strengths[best])
    if 0 < best < len(errors) - 1:
        before, here, after = errors[best - 1 : best + 2]
        curve = before - 2 * here + after
        if 0 < curve < np.inf:
            strength += float(strengths[1] - strengths[0]) * 0.5 * (before - after) / curve
    return strength


def _plane(grid_xy: Points, pixels: Points, lens: Lens) -> Homography:
    """The plane through points seen through a lens."""
    found, _ = cv2.findHomography(grid_xy.astype(np.float64), lens.straightened(pixels), 0)
    if found is None:  # points on a line
        return np.eye(3)
    plane: Homography = np.asarray(found, np.float64)
    return plane if abs(np.linalg.det(plane)) > _FLATTEST else np.eye(3)
