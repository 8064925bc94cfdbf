"""Common plane of photos: positions of the grids on the table, from photos that show several.

Frames: ``_px`` pixels of one photo; the plane of a photo, and that of the table, whose unit is the
side of a tile. Every grid is a rectangle of known size on the plane, so one grid fixes the
homography of its photo, and more grids make it more precise: it is fitted so that each grid,
moved and turned only, meets its outline. Two photos with a grid in common share one plane.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import atan2, cos, pi, sin, tau
from typing import Final

import numpy as np

from vision.arrays import Doubles

FIT_STEPS: Final = 12
"""Maximum number of Gauss-Newton steps; a fit of phone photos settles within six."""
DAMPING: Final = 1e-6
"""Damping of the fit, relative to the largest entry of the normal matrix: turning and moving the
whole plane changes nothing, so the matrix is singular."""
MAX_RESIDUAL: Final = 1.5
"""Maximum distance in tiles between a shared grid in two photos; more: something was moved."""
MIN_GAP: Final = 14 * pi / 180
"""Minimum angle in radians between neighbours, seen from the middle of the table, for an order that
is not asked. A whole photo has 25 degrees and more; errors of a chain of photos reach 8. Larger:
more orders are asked; smaller: some are wrong."""
MIN_RADIUS_SHARE: Final = 0.3
"""Minimum distance of a grid from the middle as a share of the mean distance: nearer, its direction
says little about its seat."""

Rectangle = Doubles
"""Corners (4, 2) of a grid on the plane: top left, top right, bottom right, bottom left."""


@dataclass(frozen=True, slots=True)
class SightingOutline:
    """Grid as one photo shows it.

    Attributes:
        grid: Number of the grid on the table.
        corners_px: Shape (4, 2).
        size: Rows and columns of tiles.
    """

    grid: int
    corners_px: Doubles
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PhotoPlane:
    """Table plane as one photo shows it.

    Attributes:
        homography: Homography (3, 3) from pixels to the plane.
        grids: Rectangle of each grid on the plane.
    """

    homography: Doubles
    grids: Mapping[int, Rectangle]

    def to_plane(self, points_px: Sequence[tuple[float, float]]) -> Doubles:
        """Transform points (n, 2) of the photo to the plane."""
        return _map_points(self.homography, np.asarray(points_px, np.float64))


@dataclass(frozen=True, slots=True)
class CommonPlane:
    """Common plane of photos that are connected by the grids that they share.

    Attributes:
        photos: Plane of each photo that belongs to it, moved to the common plane.
        grids: Rectangle of each grid.
        is_consistent: Whether all photos agree on where the grids lie.
    """

    photos: Mapping[int, PhotoPlane]
    grids: Mapping[int, Rectangle]
    is_consistent: bool

    @property
    def centres(self) -> dict[int, Doubles]:
        """Centre (2,) of each grid."""
        return {grid: corners.mean(axis=0) for grid, corners in self.grids.items()}


def fit_photo_plane(outlines: Sequence[SightingOutline]) -> PhotoPlane | None:
    """Fit the table plane of a photo to its grids; None without any."""
    if not outlines:
        return None
    largest = max(outlines, key=lambda each: _area(each.corners_px))
    homography = _homography_of_four_points(largest.corners_px, _rectangle(largest.size))
    if homography is None:
        return None
    weights = [np.sqrt(_area(each.corners_px) / np.prod(each.size)) for each in outlines]
    fitted = _fit_homography_to_grids(
        homography, outlines, [weight / max(weights) for weight in weights]
    )
    grids = {
        each.grid: _fit_rectangle(_map_points(fitted, each.corners_px), each.size)
        for each in outlines
    }
    return PhotoPlane(fitted, grids)


def connect_photos(planes: Mapping[int, PhotoPlane]) -> list[CommonPlane]:
    """Return the common planes of connected photos, that of most grids first.

    Args:
        planes: Plane of each photo by its number.
    """
    remaining = sorted(planes, key=lambda photo: (-len(planes[photo].grids), photo))
    common: list[CommonPlane] = []
    while remaining:
        photo: int | None = remaining[0]
        placed: dict[int, PhotoPlane] = {}
        seen: dict[int, list[Rectangle]] = {}
        is_consistent = True
        while photo is not None:
            remaining.remove(photo)
            plane = planes[photo]
            if seen:
                plane, residual = _align_plane(plane, seen)
                is_consistent = is_consistent and residual <= MAX_RESIDUAL
            placed[photo] = plane
            for grid, corners in plane.grids.items():
                seen.setdefault(grid, []).append(corners)
            photo = _next_photo(remaining, planes, seen.keys())
        grids = {grid: np.mean(found, axis=0) for grid, found in seen.items()}
        common.append(CommonPlane(placed, grids, is_consistent))
    return sorted(common, key=lambda each: -len(each.grids))


def _next_photo(
    remaining: Sequence[int], planes: Mapping[int, PhotoPlane], seen: Set[int]
) -> int | None:
    """Return the photo with most grids among those seen; None if no photo shows any."""
    shared = {photo: len(seen & planes[photo].grids.keys()) for photo in remaining}
    connected = [photo for photo in remaining if shared[photo]]
    return max(connected, key=lambda photo: (shared[photo], -photo), default=None)


def order_clockwise(centres: Mapping[int, Doubles]) -> list[int]:
    """Return grids in clockwise order round the middle of all of them, y running down."""
    middle = np.mean(list(centres.values()), axis=0)
    return sorted(centres, key=lambda grid: (_direction(centres[grid] - middle), grid))


def is_order_clear(centres: Mapping[int, Doubles]) -> bool:
    """Return whether the order of grids round their middle is beyond doubt."""
    if len(centres) < 3:
        return True
    middle = np.mean(list(centres.values()), axis=0)
    offsets = [centres[grid] - middle for grid in order_clockwise(centres)]
    radii = [float(np.hypot(*offset)) for offset in offsets]
    angles = [_direction(offset) for offset in offsets]
    gaps = [
        (after - before) % tau
        for before, after in zip(angles, [*angles[1:], angles[0]], strict=True)
    ]
    mean = sum(radii) / len(radii)
    return min(radii) >= MIN_RADIUS_SHARE * mean and min(gaps) >= MIN_GAP


def _direction(offset: Doubles) -> float:
    """Return the angle clockwise from 6 o'clock, in radians."""
    return float(atan2(-offset[0], offset[1]) % tau)


def _rectangle(size: tuple[int, int]) -> Rectangle:
    rows, columns = size
    return np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64)


def _area(corners: Doubles) -> float:
    x, y = corners.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def _homography_of_four_points(source: Doubles, target: Doubles) -> Doubles | None:
    """Return the homography that maps four points exactly; None if three lie on a line."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    matrix = np.array(rows)
    scale = np.abs(matrix).max(axis=0)
    _u, values, vectors = np.linalg.svd(matrix / scale)
    if values[7] < 1e-9:
        return None
    found: Doubles = (vectors[8] / scale).reshape(3, 3)
    return found / found[2, 2] if abs(found[2, 2]) > 1e-12 else found


def _map_points(homography: Doubles, points: Doubles) -> Doubles:
    found = points @ homography[:, :2].T + homography[:, 2]
    mapped: Doubles = found[:, :2] / found[:, 2:]
    return mapped


def _fit_rectangle(corners: Doubles, size: tuple[int, int]) -> Rectangle:
    """Return the rectangle of a grid, moved and turned to lie best on four corners."""
    model = _rectangle(size)
    rotation, offset = _fit_motion(model, corners)
    placed: Rectangle = model @ rotation.T + offset
    return placed


def _fit_motion(source: Doubles, target: Doubles) -> tuple[Doubles, Doubles]:
    """Return rotation (2, 2) and offset (2,) that move points best to others, without mirroring."""
    a, b = source.mean(axis=0), target.mean(axis=0)
    (xx, xy), (yx, yy) = (source - a).T @ (target - b)
    angle = atan2(xy - yx, xx + yy)
    rotation = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    return rotation, b - rotation @ a


def _fit_homography_to_grids(
    start: Doubles, outlines: Sequence[SightingOutline], weights: Sequence[float]
) -> Doubles:
    """Fit a homography, from a start, so that all grids are rectangles of their size.

    Method: variable projection, since the positions of the grids are unknown. The residuals are
    the distances of the corners from the rectangle that lies best on them, in tiles, weighted by
    the size of the tiles in the photo.
    """
    if len(outlines) < 2:
        return start
    every = np.vstack([each.corners_px for each in outlines])
    middle, spread = every.mean(axis=0), float(np.ptp(every, axis=0).max())
    to_unit = np.array(
        [[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]]
    )
    homography = start @ np.linalg.inv(to_unit)
    parameters = (homography / homography[2, 2]).ravel()[:8]
    corners = [_map_points(to_unit, each.corners_px) for each in outlines]

    def residuals(values: Doubles) -> Doubles:
        matrix = np.append(values, 1.0).reshape(3, 3)
        parts = []
        for own, each, weight in zip(corners, outlines, weights, strict=True):
            mapped = _map_points(matrix, own)
            parts.append(weight * (mapped - _fit_rectangle(mapped, each.size)).ravel())
        return np.concatenate(parts)

    now = residuals(parameters)
    for _step in range(FIT_STEPS):
        jacobian = np.column_stack(
            [
                (residuals(parameters + step) - now) / step[n]
                for n, step in enumerate(np.diag(np.maximum(np.abs(parameters), 1e-3) * 1e-6))
            ]
        )
        normal = jacobian.T @ jacobian
        damped = normal + DAMPING * normal.max() * np.eye(8)
        changed = parameters - np.linalg.solve(damped, jacobian.T @ now)
        after = residuals(changed)
        if not np.isfinite(after).all() or after @ after >= now @ now:
            break
        parameters, now = changed, after
    fitted: Doubles = np.append(parameters, 1.0).reshape(3, 3) @ to_unit
    return fitted


def _align_plane(
    plane: PhotoPlane, seen: Mapping[int, Sequence[Rectangle]]
) -> tuple[PhotoPlane, float]:
    """Move the plane of a photo to the common one; return it with the largest distance left."""
    shared = [grid for grid in plane.grids if grid in seen]
    target = np.vstack([np.mean(seen[grid], axis=0) for grid in shared])
    rotation, offset = _fit_motion(np.vstack([plane.grids[grid] for grid in shared]), target)
    motion = np.eye(3)
    motion[:2, :2], motion[:2, 2] = rotation, offset
    grids = {grid: corners @ rotation.T + offset for grid, corners in plane.grids.items()}
    moved = PhotoPlane(motion @ plane.homography, grids)
    distances = np.vstack([grids[grid] for grid in shared]) - target
    return moved, float(np.hypot(*distances.T).max())
