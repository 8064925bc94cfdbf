"""Poses of the cities and boards on a simulated table."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from scoring.faces import Cell
from vision.arrays import Corners, Points, floats
from vision.editions.description import BoardDescription, Description
from vision.lab.simulate.drawing import Rng
from vision.lab.simulate.table_canvas import (
    UNIT_MM,
    Spot,
    are_apart,
    rectangle,
    rotate_points,
    widen,
)

_PATTERNS: Final[dict[int, tuple[Spot, ...]]] = {
    1: ((0, 0),),
    2: ((-1, 0), (1, 0)),
    3: ((-1, 0.6), (0, -0.6), (1, 0.6)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
}
"""Arrangements of cities in a wide photo by their number, if they lie on no ring."""
_STEPS: Final = 14
"""Number of bisection steps."""
_TABLE: Final = 4.6
"""Half the side of a square table for several players, in half diagonals of a city."""


@dataclass(frozen=True, slots=True)
class GridPose:
    """Pose of a board or city on the plane, and of the tiles on it.

    The frame of the grid is in millimetres, x to the right and y down; ``to_plane`` leaves it.

    Attributes:
        middle_mm: Point of the grid about which it is turned.
        centre: Point of the plane where that point lies.
        angle: Clockwise turn as seen from above, in radians.
        rows: Rows of tiles.
        columns: Columns of tiles.
        tile_mm: Edge of a tile.
        first_mm: Centre of the tile (0, 0).
        step_mm: Distances of neighbouring tiles, to the right and down.
        twist: Standard deviation of a tile's turn, in radians.
        shift_mm: Standard deviation of a tile's position.
    """

    middle_mm: Spot
    centre: Spot
    angle: float
    rows: int
    columns: int
    tile_mm: float
    first_mm: Spot
    step_mm: Spot
    twist: float
    shift_mm: float

    @classmethod
    def free(
        cls, size: Cell, tile_mm: float, centre: Spot, angle: float, gap: float, carelessness: float
    ) -> "GridPose":
        """Return the pose of a grid of free tiles.

        Args:
            size: Rows and columns of tiles.
            tile_mm: Edge of a tile.
            centre: Centre of the grid on the plane.
            angle: Clockwise turn, in radians.
            gap: Gap between two tiles, in edges of a tile.
            carelessness: Carelessness of the hands, 0 to 4.
        """
        step = tile_mm * (1 + gap)
        middle = (size[1] - 1) / 2 * step, (size[0] - 1) / 2 * step
        steps, twist, shift = (step, step), 0.009 * carelessness, 0.01 * carelessness * tile_mm
        return cls(middle, centre, angle, *size, tile_mm, (0.0, 0.0), steps, twist, shift)

    @classmethod
    def printed(
        cls, rng: Rng, description: Description, board: BoardDescription, carelessness: float
    ) -> "GridPose":
        """Return the pose of a printed board, often roughly straight, sometimes at any angle."""
        quarters = float(rng.integers(4)) * np.pi / 2
        slant = float(rng.normal(0, 0.06) if rng.random() < 0.6 else rng.uniform(-0.8, 0.8))
        cells, cell = np.array(description.tile_cells[::-1]), np.array(board.cell_mm)
        first = (board.first_cell_mm + cell * (cells - 1) / 2).tolist()
        step, (width, height) = (cell * cells).tolist(), board.size_mm
        pose, angle = ((width / 2, height / 2), (0.0, 0.0)), quarters + slant
        size, tile = (description.tile_rows, description.tile_columns), description.tile_mm
        return cls(
            *pose, angle, *size, tile, first, step, 0.02 * carelessness, 0.014 * carelessness * tile
        )

    def to_plane(self, points_mm: ArrayLike) -> Points:
        """Transform points (n, 2) of the grid to the plane."""
        away = (floats(points_mm).reshape(-1, 2) - floats(self.middle_mm)) / np.float32(UNIT_MM)
        return rotate_points(away, self.angle) + floats(self.centre)

    def rectangle(self, centre_mm: Spot, size_mm: Spot, twist: float = 0.0) -> Corners:
        """Return the corners on the plane of a rectangle of the grid, turned by radians."""
        return self.to_plane(rectangle(centre_mm, twist, size_mm))

    def area(self, left: float, top: float, right: float, bottom: float) -> Corners:
        """Return the corners on the plane of an upright rectangle of the grid."""
        return self.to_plane([[left, top], [right, top], [right, bottom], [left, bottom]])

    def tile(
        self, cell: Cell, shift_mm: ArrayLike = (0, 0), twist: float = 0.0, last: Cell | None = None
    ) -> Corners:
        """Return the corners of a tile on the plane, its own top left first.

        Args:
            cell: Row and column of the tile.
            shift_mm: Offset from its place.
            twist: Turn in radians.
            last: Right or lower cell of a duplex tile; None for a single tile.
        """
        last = last or cell
        middle, more = np.add(cell, last) / 2, np.subtract(last, cell)
        x, y = floats(self.first_mm) + middle[::-1] * self.step_mm + floats(shift_mm)
        wide, tall = (self.tile_mm * (1 + more[::-1])).tolist()
        return self.rectangle((x, y), (wide, tall), twist)

    def careless_tile(
        self, rng: Rng, cell: Cell, askew: float = 0.0, last: Cell | None = None
    ) -> Corners:
        """Return the corners of a tile laid by hand, turned by ``askew`` radians besides."""
        shift = rng.normal(0, self.shift_mm, 2)
        return self.tile(cell, shift, float(rng.normal(0, self.twist)) + askew, last)

    @property
    def corner_cells(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Tiles of the four corners, clockwise from the top left."""
        right, bottom = self.columns - 1, self.rows - 1
        return (0, 0), (0, right), (bottom, right), (bottom, 0)

    @property
    def outline(self) -> Corners:
        """Outer corners of the whole grid of tiles."""
        return floats([self.tile(cell)[n] for n, cell in enumerate(self.corner_cells)])


def free_grids(
    rng: Rng,
    description: Description,
    count: int,
    carelessness: float,
    aspect: float,
    *,
    is_round: bool,
) -> list[GridPose]:
    """Return poses of grids of free tiles.

    Args:
        rng: Source of randomness.
        description: Description of the game.
        count: Number of grids.
        carelessness: Carelessness of the hands, 0 to 4.
        aspect: Ratio of width to height of the photo.
        is_round: Whether the grids lie round the middle of a large table, facing outwards, rather
            than close together and each at any angle.
    """
    angles = rng.uniform(0, 2 * np.pi, count)
    size, tile = (description.tile_rows, description.tile_columns), description.tile_mm / UNIT_MM
    low, high = 0.0, 4.0 * max(size) * tile
    if is_round or count not in _PATTERNS:
        around = 2 * np.pi * (np.arange(count) + 0.5) / count + rng.normal(0, 0.04, count)
        radius = float(np.hypot(*size)) / 2 * tile
        table = _TABLE * radius / float(rng.uniform(0.85, 1.1))
        across, down = table * np.sqrt(aspect) - 1.3 * radius, table / np.sqrt(aspect) - radius
        pattern = floats(np.stack([-np.sin(around) * across / down, np.cos(around)], axis=1))
        if is_round:
            angles = around + rng.normal(0, 0.15, count)
            low = down
            high = max(high, 2 * low)
    else:
        pattern = floats(_PATTERNS[count])[:, :: 1 if aspect >= 1 else -1]
        pattern = pattern + floats(rng.normal(0, 0.1, pattern.shape))
    room = float(rng.uniform(9, 36)) / UNIT_MM
    gaps = 0.012 + rng.uniform(0.3, 1.0, count) * 0.026 * carelessness

    def spread(reach: float) -> list[GridPose]:
        return [
            GridPose.free(size, description.tile_mm, (x, y), angle, gap, carelessness)
            for (x, y), angle, gap in zip(
                (pattern * np.float32(reach)).tolist(), angles.tolist(), gaps.tolist(), strict=True
            )
        ]

    for _ in range(_STEPS if count > 1 else 0):
        reach = (low + high) / 2
        quads = [widen(pose.outline, room / 2) for pose in spread(reach)]
        if all(are_apart(quad, other) for n, quad in enumerate(quads) for other in quads[:n]):
            high = reach
        else:
            low = reach
    return spread(high)


def seen_outline(description: Description, poses: list[GridPose]) -> Points:
    """Return the corners (n, 2) of all that belongs into the picture."""
    board = description.board
    if board is None:
        return np.concatenate([pose.outline for pose in poses])
    areas = [(0, 0, *board.size_mm), *(heap.area_mm for heap in board.heaps)]
    return np.concatenate([poses[0].area(*area) for area in areas])
