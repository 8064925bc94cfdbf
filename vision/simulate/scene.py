"""Compose a table: tiles in cities and strays on a table top, seen through a tilted camera.

Plane coordinates are in tile widths, x to the right and y down as seen from above; a tile's quad
runs top left, top right, bottom right, bottom left as read upright. Pixels have (0, 0) at the
centre of the top left pixel.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Homography, Image, Points, floats, transformed

Shadow = tuple[float, float, float]
"""Offset on the plane (x, y, in tile widths) and darkness, 0 to 1."""

TileSource = Callable[[np.random.Generator], tuple[int, Image]]
"""Draws a tile: the number of its face, and its picture, square BGR."""

STRAY = -1
"""Number of the city to which left-over tiles belong."""
DECOY = -2
"""Number of the cities that are none."""

_SHADOW_ROOM_PX = 12


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile in the picture.

    ``cell`` is (row, column) within ``city``, which may also be ``STRAY`` or ``DECOY``.
    """

    face: int
    quad_px: Corners
    city: int
    cell: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CityPlan:
    """Where a city lies on the table and how carelessly it was laid.

    Attributes:
        centre: of the city on the plane, tile widths.
        angle: clockwise turn as seen from above, radians.
        gap: mean space between tiles, tile widths.
        shift: standard deviation of a tile's place, tile widths.
        twist: standard deviation of a tile's turn, radians.
        missing: cells without a tile.
        duplexes: pairs of cells, left and right or upper and lower, that lie on one rigid piece.
        turned: single tiles that lie the wrong way, by quarter turns clockwise.
    """

    centre: tuple[float, float]
    angle: float
    gap: float = 0.03
    shift: float = 0.012
    twist: float = 0.012
    rows: int = 4
    columns: int = 4
    missing: frozenset[Cell] = frozenset()
    duplexes: tuple[tuple[Cell, Cell], ...] = ()
    turned: Mapping[Cell, int] = field(default_factory=dict)

    @property
    def cells(self) -> list[Cell]:
        """Those with a tile, in reading order."""
        every = ((r, c) for r in range(self.rows) for c in range(self.columns))
        return [cell for cell in every if cell not in self.missing]

    def piece(
        self, first: Cell, last: Cell, shift: Points | None = None, twist: float = 0.0
    ) -> Corners:
        """The plane corners of a piece over two cells, or one if they are the same.

        Args:
            first: its left or upper cell.
            last: its right or lower cell.
            shift: how far off its place it lies (2,), tile widths; None: it lies in its place.
            twist: by how much it is turned, radians.
        """
        middle = floats([(self.columns - 1) / 2, (self.rows - 1) / 2])
        cell = floats([(first[1] + last[1]) / 2, (first[0] + last[0]) / 2]) - middle
        place = cell * np.float32(1 + self.gap) + (0 if shift is None else shift)
        size = 1.0 + last[1] - first[1], 1.0 + last[0] - first[0]
        return rotated(rectangle(place, twist, size), self.angle) + floats(self.centre)


def square(centre: ArrayLike, angle: float, size: float = 1.0) -> Corners:
    """The corners of a square of this ``size`` about ``centre``, turned clockwise."""
    return rectangle(centre, angle, (size, size))


def rectangle(centre: ArrayLike, angle: float, size: tuple[float, float]) -> Corners:
    """The corners of a rectangle (width, height) about ``centre`` (x, y), turned clockwise."""
    x, y = size[0] / 2, size[1] / 2
    return rotated(floats([[-x, -y], [x, -y], [x, y], [-x, y]]), angle) + floats(centre)


def rotated(points: Points, angle: float) -> Points:
    """Points turned clockwise about the origin (y runs down)."""
    c, s = np.cos(angle), np.sin(angle)
    turned: Points = points @ floats([[c, s], [-s, c]])
    return turned


def camera_view(
    size_wh: tuple[int, int], tile_px: float, tilt: float, towards: float, roll: float
) -> Homography:
    """Homography from the table plane (tile widths, origin under the picture's middle) to pixels.

    Args:
        size_wh: of the picture.
        tile_px: size of a tile in the middle of the picture.
        tilt: of the camera away from straight down, radians.
        towards: direction of the tilt, radians.
        roll: turn of the camera about its axis, radians.
    """
    w, h = size_wh
    focal = 0.77 * max(w, h)
    distance = focal / tile_px
    c, s = np.cos(towards), np.sin(towards)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    cr, sr = np.cos(roll), np.sin(roll)
    spin = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    rotation = spin @ turn @ lean @ turn.T
    camera = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    intrinsic = np.array([[focal, 0, (w - 1) / 2], [0, focal, (h - 1) / 2], [0, 0, 1]])
    return np.asarray(intrinsic @ camera, np.float64)


class TableCanvas:
    """A picture of a table that is being laid; objects are pasted in the plane's coordinates."""

    def __init__(self, table_top: Image, view: Homography) -> None:
        self.image = floats(table_top)
        self.view = view
        self.tiles: list[PlacedTile] = []

    def faces_camera(self, corners: Corners) -> bool:
        """Whether points of the plane lie well before the camera, not towards its horizon."""
        depth = corners @ self.view[2, :2] + self.view[2, 2]
        return bool((depth > 0.25 * self.view[2, 2]).all())

    def lay(self, sprite_bgra: Image, corners: Corners, shadow: Shadow) -> None:
        """Paste a picture with transparency onto the quad ``corners`` of the plane."""
        if not self.faces_camera(corners):
            return
        h, w = sprite_bgra.shape[:2]
        target = transformed(corners, self.view)
        x0, y0 = np.floor(target.min(axis=0) - _SHADOW_ROOM_PX).astype(int)
        x1, y1 = np.ceil(target.max(axis=0) + _SHADOW_ROOM_PX).astype(int)
        height, width = self.image.shape[:2]
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        source = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
        warp = cv2.getPerspectiveTransform(source, target - floats([x0, y0]))
        scale = np.sqrt(cv2.contourArea(target) / (w * h))
        if scale < 0.6:  # lest fine lines alias
            blurred = cv2.GaussianBlur(sprite_bgra, (0, 0), float(0.4 / scale))
            sprite_bgra = np.asarray(blurred, np.uint8)
        window = floats(cv2.warpPerspective(sprite_bgra, warp, (x1 - x0, y1 - y0)))
        alpha = window[..., 3:] / np.float32(255)
        under = self.image[y0:y1, x0:x1]
        if shadow[2] > 0:
            under = under * (1 - self._shade(alpha[..., 0], corners, shadow)[..., None])
        self.image[y0:y1, x0:x1] = under * (1 - alpha) + window[..., :3] * alpha

    def _shade(self, alpha: FloatImage, corners: Corners, shadow: Shadow) -> FloatImage:
        """How much light the thing of outline ``alpha`` (h, w) takes from each pixel, 0 to 1."""
        dx, dy, darkness = shadow
        centre = corners.mean(axis=0, keepdims=True)
        away = transformed(centre + floats([[dx, dy]]), self.view) - transformed(centre, self.view)
        move = floats([[1, 0, away[0, 0]], [0, 1, away[0, 1]]])
        shade = cv2.warpAffine(alpha, move, (alpha.shape[1], alpha.shape[0]))
        softness = 0.6 + min(float(np.hypot(*away[0])) / 2, 12.0)
        return darkness * floats(cv2.GaussianBlur(shade, (0, 0), softness))

    def lay_tile(self, picture: Image, corners: Corners, shadow: Shadow) -> Corners:
        """Paste one tile; returns its quad in pixels."""
        self.lay(opaque(picture), corners, shadow)
        return transformed(corners, self.view)

    def lay_city(
        self, rng: np.random.Generator, number: int, plan: CityPlan, source: TileSource
    ) -> None:
        """Lay the tiles of a city, each piece a little off its place."""
        shadow = (*rng.normal(0, 0.04, 2), float(rng.uniform(0.2, 0.7)))
        drawn = {
            cell: (
                *source(rng),
                floats(rng.normal(0, plan.shift, 2)),
                float(rng.normal(0, plan.twist)),
            )
            for cell in plan.cells
        }
        partners = dict(plan.duplexes)
        for first, (face, picture, shift, twist) in drawn.items():
            last = partners.get(first, first)
            if first in partners.values():
                continue  # laid with its other half
            corners = plan.piece(first, last, shift, twist)
            if not self.faces_camera(corners):
                continue
            if first == last:
                lying = np.rot90(picture, -plan.turned.get(first, 0))
                quad = self.lay_tile(np.ascontiguousarray(lying), corners, shadow)
                self.tiles.append(PlacedTile(face, quad, number, first))
                continue
            side_by_side = int(first[0] == last[0])
            halves = [picture, drawn[last][1]]
            self.lay_tile(np.concatenate(halves, axis=side_by_side), corners, shadow)
            for cell, half in zip((first, last), halved(corners), strict=True):
                quad = transformed(half, self.view)
                self.tiles.append(PlacedTile(drawn[cell][0], quad, number, cell))

    def lay_stray(
        self, rng: np.random.Generator, centre: tuple[float, float], source: TileSource
    ) -> None:
        """Lay one left-over tile, face up, any way round."""
        face, picture = source(rng)
        corners = square(centre, float(rng.uniform(0, 2 * np.pi)))
        if not self.faces_camera(corners):
            return
        quad = self.lay_tile(picture, corners, (0.03, 0.03, 0.5))
        self.tiles.append(PlacedTile(face, quad, STRAY, (0, 0)))

    def finished(self) -> Image:
        """The picture as it stands, uint8 BGR."""
        return np.clip(self.image, 0, 255).astype(np.uint8)


def opaque(picture: Image) -> Image:
    """BGR to BGRA without transparency."""
    h, w = picture.shape[:2]
    alpha = np.full((h, w), 255, np.uint8)
    return np.dstack([picture, alpha])


def halved(corners: Corners) -> tuple[Corners, Corners]:
    """The two squares of a rectangle, the left and right or the upper and lower one."""
    top_left, top_right, bottom_right, bottom_left = corners
    if np.hypot(*(top_right - top_left)) > np.hypot(*(bottom_left - top_left)):
        top, bottom = (top_left + top_right) / 2, (bottom_left + bottom_right) / 2
        return (
            floats([top_left, top, bottom, bottom_left]),
            floats([top, top_right, bottom_right, bottom]),
        )
    left, right = (top_left + bottom_left) / 2, (top_right + bottom_right) / 2
    return (
        floats([top_left, top_right, right, left]),
        floats([left, right, bottom_right, bottom_left]),
    )
