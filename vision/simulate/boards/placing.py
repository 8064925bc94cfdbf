"""Where the cities and boards of a simulated table lie."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, Points, floats
from vision.editions.description import BoardDescription, Description
from vision.simulate.boards.plane import Frame, Spot, apart, widened

_PATTERNS: Final[dict[int, tuple[tuple[Spot, ...], ...]]] = {
    1: (((0, 0),),),
    2: (((-1, 0), (1, 0)), ((-1, -0.3), (1, 0.3)), ((-1, 0.3), (1, -0.3))),
    3: (((-1, 0), (0, 0), (1, 0)), ((-1, 0.6), (0, -0.6), (1, 0.6)), ((-1, 0), (1, -1), (1, 1))),
    4: (((-1, -1), (1, -1), (1, 1), (-1, 1)), ((-1.5, 0.2), (-0.5, -0.6), (0.5, 0.6), (1.5, -0.2))),
}
"""How cities lie to one another in a wide photo, by how many there are."""
_STEPS: Final = 14
_STRAIGHT_CHANCE: Final = 0.6
"""How often a board lies along the sides of the table."""


@dataclass(frozen=True, slots=True)
class GridPlace:
    """The place of a grid: its frame, and where its tiles lie in it, millimetres.

    Attributes:
        frame: its lie on the table.
        rows: of tiles.
        columns: of tiles.
        tile_mm: edge of a tile.
        first_mm: centre of the tile (0, 0).
        step_mm: from one tile to the next, to the right and down.
        twist: standard deviation of a tile's turn, radians.
        shift_mm: standard deviation of a tile's place.
    """

    frame: Frame
    rows: int
    columns: int
    tile_mm: float
    first_mm: Spot
    step_mm: Spot
    twist: float
    shift_mm: float

    def tile(self, cell: Cell, shift_mm: Spot = (0.0, 0.0), twist: float = 0.0) -> Corners:
        """The corners on the plane of the tile at (row, column), its own top left first."""
        x = self.first_mm[0] + cell[1] * self.step_mm[0] + shift_mm[0]
        y = self.first_mm[1] + cell[0] * self.step_mm[1] + shift_mm[1]
        return self.frame.rectangle((x, y), (self.tile_mm, self.tile_mm), twist)

    def careless_tile(self, rng: np.random.Generator, cell: Cell, askew: float = 0.0) -> Corners:
        """The corners of a tile that a hand has laid there.

        Args:
            rng: decides how well.
            cell: its place.
            askew: clockwise turn besides, radians.
        """
        shift = rng.normal(0, self.shift_mm, 2)
        twist = float(rng.normal(0, self.twist)) + askew
        return self.tile(cell, (float(shift[0]), float(shift[1])), twist)

    @property
    def outline(self) -> Corners:
        """The outer corners of the whole grid of tiles."""
        right, bottom = self.columns - 1, self.rows - 1
        cells = ((0, 0), (0, right), (bottom, right), (bottom, 0))
        return floats([self.tile(cell)[n] for n, cell in enumerate(cells)])


def free_grids(
    rng: np.random.Generator, description: Description, count: int, loose: float, *, wide: bool
) -> list[GridPlace]:
    """Places of so many grids of free tiles, near one another and each at any angle.

    Args:
        rng: decides where.
        description: of the tiles.
        count: of grids.
        loose: how carelessly tiles are laid, 0 to 4.
        wide: whether they lie side by side rather than one below the other.
    """
    angles = [float(rng.uniform(0, 2 * np.pi)) for _ in range(count)]
    patterns = _PATTERNS.get(count) or (_circle(count),)
    pattern = floats(patterns[int(rng.integers(len(patterns)))])
    pattern = pattern if wide else pattern[:, ::-1]
    pattern = pattern + floats(rng.normal(0, 0.04, pattern.shape))
    room = float(rng.uniform(0.15, 0.6))
    gaps = [1 + 0.012 + float(rng.uniform(0.3, 1.0)) * 0.026 * loose for _ in range(count)]

    def spread(size: float) -> list[GridPlace]:
        return [
            _free_grid(description, (float(x) * size, float(y) * size), angle, gap, loose)
            for (x, y), angle, gap in zip(pattern, angles, gaps, strict=True)
        ]

    low, high = (
        0.0,
        4.0 * max(description.tile_rows, description.tile_columns) * (description.tile_mm / 60.0),
    )
    for _ in range(_STEPS if count > 1 else 0):
        size = (low + high) / 2
        if _all_apart([widened(place.outline, room / 2) for place in spread(size)]):
            high = size
        else:
            low = size
    return spread(high)


def _circle(count: int) -> tuple[Spot, ...]:
    around = [2 * np.pi * n / count for n in range(count)]
    return tuple((float(1.4 * np.cos(a)), float(0.9 * np.sin(a))) for a in around)


def _all_apart(quads: list[Corners]) -> bool:
    return all(apart(quad, other) for n, quad in enumerate(quads) for other in quads[:n])


def _free_grid(
    description: Description, centre: Spot, angle: float, gap: float, loose: float
) -> GridPlace:
    step = description.tile_mm * gap
    middle = (description.tile_columns - 1) / 2 * step, (description.tile_rows - 1) / 2 * step
    return GridPlace(
        Frame(middle, centre, angle),
        description.tile_rows,
        description.tile_columns,
        description.tile_mm,
        (0.0, 0.0),
        (step, step),
        twist=0.009 * loose,
        shift_mm=0.01 * loose * description.tile_mm,
    )


def board_grid(
    rng: np.random.Generator, description: Description, board: BoardDescription, loose: float
) -> GridPlace:
    """The place of a printed board, often roughly straight and sometimes at any angle."""
    quarters = float(rng.integers(4)) * np.pi / 2
    straight = rng.random() < _STRAIGHT_CHANCE
    slant = float(rng.normal(0, 0.06) if straight else rng.uniform(-0.8, 0.8))
    width, height = board.size_mm
    down, across = description.tile_cells
    step = board.cell_mm[0] * across, board.cell_mm[1] * down
    first = (
        board.first_cell_mm[0] + board.cell_mm[0] * (across - 1) / 2,
        board.first_cell_mm[1] + board.cell_mm[1] * (down - 1) / 2,
    )
    return GridPlace(
        Frame((width / 2, height / 2), (0.0, 0.0), quarters + slant),
        description.tile_rows,
        description.tile_columns,
        description.tile_mm,
        first,
        step,
        twist=0.02 * loose,
        shift_mm=0.014 * loose * description.tile_mm,
    )


def board_outline(board: BoardDescription, frame: Frame) -> Corners:
    """The corners of the board's picture on the plane."""
    width, height = board.size_mm
    return frame.rectangle((width / 2, height / 2), board.size_mm)


def area_outline(area_mm: tuple[float, float, float, float], frame: Frame) -> Corners:
    """The corners on the plane of an area (left, top, right, bottom) of a board."""
    left, top, right, bottom = area_mm
    return frame.placed([[left, top], [right, top], [right, bottom], [left, bottom]])


def seen_outline(description: Description, places: list[GridPlace]) -> Points:
    """The corners (n, 2) of all that belongs into the picture."""
    board = description.board
    if board is None:
        return np.concatenate([place.outline for place in places])
    frame = places[0].frame
    areas = [area_outline(heap.area_mm, frame) for heap in board.heaps]
    return np.concatenate([board_outline(board, frame), *areas])
