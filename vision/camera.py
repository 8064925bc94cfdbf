"""One plane and one lens for all grids of a photo.

A *flat* point is a point of the photo freed of the lens and of the vanishing of the table, in which
every grid is a parallelogram lattice: with p the place in the photo from its centre in half
diagonals, u = p (1 + bend |p|²) and flat = u / (1 + line · u). Grids of one kind of tile then
differ by a turn and a shift alone, whatever the camera: with the steps of a lattice as rows of M,
the product Mᵀ M is the same for all.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats

Doubles = NDArray[np.float64]
STEPS = 3
DELTA = 1e-4
LINE_SPREAD, BEND_SPREAD = 0.35, 0.05
"""How much of either cameras over tables have; weighs little beside a few tiles."""
TILE_SPREAD = 0.05
"""Tiles lie off their lattice by about this, in tile widths."""


@dataclass(frozen=True, slots=True)
class Camera:
    """What makes the photo of a table differ from its plan.

    Attributes:
        centre_px: (x, y) of the photo's middle.
        scale_px: half its diagonal.
        line: the vanishing line, two numbers.
        bend: the lens; positive for a barrel.
    """

    centre_px: tuple[float, float]
    scale_px: float
    line: tuple[float, float] = (0.0, 0.0)
    bend: float = 0.0

    @classmethod
    def of(cls, width: int, height: int) -> Self:
        """A camera that looks straight down through a perfect lens."""
        return cls(((width - 1) / 2, (height - 1) / 2), float(np.hypot(width, height)) / 2)

    def flat(self, points_px: NDArray[np.floating]) -> Doubles:
        """Points of the photo (..., 2) made flat."""
        p = (np.asarray(points_px, np.float64) - self.centre_px) / self.scale_px
        u = p * (1 + self.bend * (p**2).sum(axis=-1, keepdims=True))
        return np.asarray(u / np.maximum(1 + u @ np.array(self.line), 0.05)[..., None])

    def photo(self, flat: NDArray[np.floating]) -> Doubles:
        """Flat points (..., 2) as the photo shows them."""
        q = np.asarray(flat, np.float64)
        u = q / np.maximum(1 - q @ np.array(self.line), 0.05)[..., None]
        p = u
        for _ in range(4):
            p = u / (1 + self.bend * (p**2).sum(axis=-1, keepdims=True))
        return np.asarray(p * self.scale_px + self.centre_px)


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The flat lattice of one grid: flat = (column, row, 1) @ matrix, (3, 2)."""

    matrix: Doubles

    def places(self, cells: NDArray[np.floating] | NDArray[np.integer]) -> Doubles:
        """Flat points of lattice coordinates (..., 2)."""
        return np.asarray(np.asarray(cells, np.float64) @ self.matrix[:2] + self.matrix[2])

    def cells(self, flat: Doubles) -> Doubles:
        """Lattice coordinates (..., 2) of flat points."""
        return np.asarray((flat - self.matrix[2]) @ np.linalg.inv(self.matrix[:2]))

    @property
    def size(self) -> float:
        """Square root of the flat area of a cell."""
        return float(np.sqrt(abs(np.linalg.det(self.matrix[:2]))))

    @property
    def metric(self) -> Doubles:
        """Mᵀ M up to turns of the lattice: the same for all grids of one table, (2, 2)."""
        return self.matrix[:2].T @ self.matrix[:2]


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Where the tiles of one grid were seen.

    Attributes:
        cells: (n, 2) column and row in the lattice.
        points_px: (n, 2) in the photo.
        weights: (n,).
    """

    cells: Doubles
    points_px: Doubles
    weights: Doubles


@dataclass(frozen=True, slots=True, eq=False)
class _Padded:
    """All that was observed, for fits of all grids at once: rows of equal length, weight 0 beyond.

    Attributes:
        cells: (grids, n, 3), with 1 for the shift.
        points: (grids, n, 2) from the photo's centre in half diagonals.
        weight: (grids, n).
    """

    cells: Doubles
    points: Doubles
    weight: Doubles

    @classmethod
    def of(cls, camera: Camera, grids: list[Observed]) -> Self:
        most = max(len(g.cells) for g in grids)
        cells = np.zeros((len(grids), most, 3))
        points = np.zeros((len(grids), most, 2))
        weight = np.zeros((len(grids), most))
        for n, grid in enumerate(grids):
            k = len(grid.cells)
            cells[n, :k, :2], cells[n, :k, 2] = grid.cells, 1
            points[n, :k] = (grid.points_px - camera.centre_px) / camera.scale_px
            weight[n, :k] = grid.weights
        return cls(cells, points, weight)

    def lattices(self, lenses: Doubles) -> tuple[Doubles, Doubles]:
        """The best lattice of each grid under some cameras, robustly.

        Args:
            lenses: (k, 3), each the line and the bend of a camera.

        Returns:
            Matrices (k, grids, 3, 2), and for each camera all residuals in spreads of tiles,
            weighted (k, residuals).
        """
        p = self.points[None]
        u = p * (1 + lenses[:, None, None, 2:] * (p**2).sum(axis=-1, keepdims=True))
        depth = 1 + (u * lenses[:, None, None, :2]).sum(axis=-1, keepdims=True)
        flat = u / np.maximum(depth, 0.05)
        used = np.broadcast_to(self.weight, flat.shape[:3])
        for _ in range(2):
            left = (self.cells * used[..., None]).swapaxes(-1, -2)
            matrices = np.linalg.solve(left @ self.cells + 1e-9 * np.eye(3), left @ flat)
            steps = matrices[..., :2, :]
            area = steps[..., 0, 0] * steps[..., 1, 1] - steps[..., 0, 1] * steps[..., 1, 0]
            off = (flat - self.cells @ matrices) / (np.sqrt(np.abs(area)) + 1e-12)[..., None, None]
            used = self.weight / (1 + (off**2).sum(axis=-1) / (2 * TILE_SPREAD) ** 2)
        residuals = off * np.sqrt(used)[..., None] / TILE_SPREAD
        return matrices, residuals.reshape(len(lenses), -1)


def planes_through(camera: Camera, grids: list[Observed]) -> list[Plane]:
    """The best lattice of each grid under a camera."""
    lens = np.array([[*camera.line, camera.bend]])
    return [Plane(m) for m in _Padded.of(camera, grids).lattices(lens)[0][0]]


def fitted(camera: Camera, grids: list[Observed]) -> tuple[Camera, list[Plane]]:
    """The camera under which all grids are lattices best, and these (variable projection)."""
    prior = np.array([LINE_SPREAD, LINE_SPREAD, BEND_SPREAD])
    padded = _Padded.of(camera, grids)

    def tried(lens: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """Lattices and residuals of a camera, and how these change with its three numbers."""
        some = lens + DELTA * np.vstack([np.zeros(3), np.eye(3)])
        matrices, residuals = padded.lattices(some)
        residuals = np.hstack([residuals, some / prior])
        return matrices[0], residuals[0], (residuals[1:] - residuals[0]).T / DELTA

    now, damping = np.array([*camera.line, camera.bend]), 1e-3
    lattices, value, slopes = tried(now)
    for _ in range(STEPS):
        normal, pull = slopes.T @ slopes, slopes.T @ value
        step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal)), pull)
        other = np.clip(now + np.clip(step, -0.3, 0.3), [-0.8, -0.8, -0.25], [0.8, 0.8, 0.25])
        new = tried(other)
        if new[1] @ new[1] >= value @ value:
            damping = damping * 30 + 1e-3
            if damping > 10:
                break
            continue
        small = np.abs(other - now).max() < 2e-4
        now, (lattices, value, slopes) = other, new
        if small:
            break
    camera = replace(camera, line=(float(now[0]), float(now[1])), bend=float(now[2]))
    return camera, [Plane(m) for m in lattices]


def quads_of(
    camera: Camera,
    plane: Plane,
    cells: NDArray[np.floating] | NDArray[np.integer],
    half: float = 0.5,
) -> NDArray[np.float32]:
    """Quads (n, 4, 2) in the photo of cells (n, 2), ``half`` a tile's width to each side."""
    round_ = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return floats(camera.photo(plane.places(np.asarray(cells, np.float64)[:, None] + round_)))
