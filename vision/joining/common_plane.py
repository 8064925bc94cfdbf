"""Common plane of photos: positions of the cities on the table, from photos that show several.

Frames: ``_px`` pixels of one photo; the plane of a photo, and that of the table, whose unit is the
side of a tile. Every city is a rectangle of known size on the plane, so one city fixes the
homography of its photo, and more cities make it more precise: it is fitted so that each city,
moved and turned only, meets its outline. Two photos with a city in common share one plane.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import atan2, pi, tau
from typing import Final

import numpy as np

from vision.arrays import Doubles

FIT_STEPS: Final = 12
"""Maximum number of Gauss-Newton steps; a fit of phone photos settles within six."""
DAMPING: Final = 1e-6
"""Damping of the fit, relative to the largest entry of the normal matrix: turning and moving the
whole plane changes nothing, so the matrix is singular."""
MAX_RESIDUAL: Final = 1.5
"""Maximum distance in tiles between a shared city in two photos; more: something was moved."""
MIN_GAP: Final = 14 * pi / 180
"""Minimum angle in radians between neighbours, seen from the middle of the table, for an order that
is not asked. A whole photo has 25 degrees and more; errors of a chain of photos reach 8. Larger:
more orders are asked; smaller: some are wrong."""
MIN_RADIUS_SHARE: Final = 0.3
"""Minimum distance of a city from the middle as a share of the mean distance: nearer, its direction
says little about its seat."""

Rectangle = Doubles
"""Corners (4, 2) of a city on the plane: top left, top right, bottom right, bottom left."""


@dataclass(frozen=True, slots=True)
class CityOutline:
    """City as one photo shows it.

    Attributes:
        city: Number of the city on the table.
        corners_px: Shape (4, 2).
        size: Rows and columns of tiles.
    """

    city: int
    corners_px: Doubles
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PhotoPlane:
    """Table plane as one photo shows it.

    Attributes:
        homography: Homography (3, 3) from pixels to the plane.
        cities: Rectangle of each city on the plane.
    """

    homography: Doubles
    cities: Mapping[int, Rectangle]

    def to_plane(self, points_px: Sequence[tuple[float, float]]) -> Doubles:
        """Transform points (n, 2) of the photo to the plane."""
        return _map_points(self.homography, np.asarray(points_px, np.float64))


@dataclass(frozen=True, slots=True)
class CommonPlane:
    """Common plane of photos that are connected by the cities that they share.

    Attributes:
        photos: Plane of each photo that belongs to it, moved to the common plane.
        cities: Rectangle of each city.
        is_consistent: Whether all photos agree on where the cities lie.
    """

    photos: Mapping[int, PhotoPlane]
    cities: Mapping[int, Rectangle]
    is_consistent: bool

    @property
    def centres(self) -> dict[int, Doubles]:
        """Centre (2,) of each city."""
        return {city: corners.mean(axis=0) for city, corners in self.cities.items()}


def fit_photo_plane(outlines: Sequence[CityOutline]) -> PhotoPlane | None:
    """Fit the table plane of a photo to its cities; None without any."""
    if not outlines:
        return None
    largest = max(outlines, key=lambda each: _area(each.corners_px))
    homography = _homography_of_four_points(largest.corners_px, _rectangle(largest.size))
    if homography is None:
        return None
    weights = [np.sqrt(_area(each.corners_px) / np.prod(each.size)) for each in outlines]
    fitted = _fit_homography_to_cities(
        homography, outlines, [weight / max(weights) for weight in weights]
    )
    cities = {
        each.city: _fit_rectangle(_map_points(fitted, each.corners_px), each.size)
        for each in outlines
    }
    return PhotoPlane(fitted, cities)


def connect_photos(planes: Mapping[int, PhotoPlane]) -> list[CommonPlane]:
    """Return the common planes of connected photos, that of most cities first.

    Args:
        planes: Plane of each photo by its number.
    """
    left = sorted(planes, key=lambda photo: (-len(planes[photo].cities), photo))
    common: list[CommonPlane] = []
    while left:
        photo: int | None = left[0]
        placed: dict[int, PhotoPlane] = {}
        seen: dict[int, list[Rectangle]] = {}
        is_consistent = True
        while photo is not None:
            left.remove(photo)
            plane = planes[photo]
            if seen:
                plane, residual = _align_plane(plane, seen)
                is_consistent = is_consistent and residual <= MAX_RESIDUAL
            placed[photo] = plane
            for city, corners in plane.cities.items():
                seen.setdefault(city, []).append(corners)
            photo = _next_photo(left, planes, seen.keys())
        cities = {city: np.mean(found, axis=0) for city, found in seen.items()}
        common.append(CommonPlane(placed, cities, is_consistent))
    return sorted(common, key=lambda each: -len(each.cities))


def _next_photo(
    left: Sequence[int], planes: Mapping[int, PhotoPlane], seen: Set[int]
) -> int | None:
    """Return the photo with most cities among those seen; None if no photo shows any."""
    shared = {photo: len(seen & planes[photo].cities.keys()) for photo in left}
    connected = [photo for photo in left if shared[photo]]
    return max(connected, key=lambda photo: (shared[photo], -photo), default=None)


def order_clockwise(centres: Mapping[int, Doubles]) -> list[int]:
    """Return cities in clockwise order round the middle of all of them, y running down."""
    middle = np.mean(list(centres.values()), axis=0)
    return sorted(centres, key=lambda city: (_direction(centres[city] - middle), city))


def is_order_clear(centres: Mapping[int, Doubles]) -> bool:
    """Return whether the order of cities round their middle is beyond doubt."""
    if len(centres) < 3:
        return True
    middle = np.mean(list(centres.values()), axis=0)
    offsets = [centres[city] - middle for city in order_clockwise(centres)]
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
    found = np.column_stack([points, np.ones(len(points))]) @ homography.T
    mapped: Doubles = found[:, :2] / found[:, 2:]
    return mapped


def _fit_rectangle(corners: Doubles, size: tuple[int, int]) -> Rectangle:
    """Return the rectangle of a city, moved and turned to lie best on four corners."""
    model = _rectangle(size)
    rotation, offset = _fit_motion(model, corners)
    placed: Rectangle = model @ rotation.T + offset
    return placed


def _fit_motion(source: Doubles, target: Doubles) -> tuple[Doubles, Doubles]:
    """Return rotation (2, 2) and offset (2,) that move points best to others, without mirroring."""
    a, b = source.mean(axis=0), target.mean(axis=0)
    u, _values, vt = np.linalg.svd((source - a).T @ (target - b))
    flip = np.diag([1.0, np.sign(np.linalg.det(vt.T @ u.T)) or 1.0])
    rotation: Doubles = vt.T @ flip @ u.T
    return rotation, b - rotation @ a


def _fit_homography_to_cities(
    start: Doubles, outlines: Sequence[CityOutline], weights: Sequence[float]
) -> Doubles:
    """Fit a homography, from a start, so that all cities are rectangles of their size.

    Method: variable projection, since the positions of the cities are unknown. The residuals are
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
    shared = [city for city in plane.cities if city in seen]
    target = np.vstack([np.mean(seen[city], axis=0) for city in shared])
    rotation, offset = _fit_motion(np.vstack([plane.cities[city] for city in shared]), target)
    motion = np.eye(3)
    motion[:2, :2], motion[:2, 2] = rotation, offset
    cities = {city: corners @ rotation.T + offset for city, corners in plane.cities.items()}
    moved = PhotoPlane(motion @ plane.homography, cities)
    distances = np.vstack([cities[city] for city in shared]) - target
    return moved, float(np.hypot(*distances.T).max())
