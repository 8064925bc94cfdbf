"""From single tiles to cities: chain neighbours into lattices, cut out full squares.

A lattice cell is (row, column); rows run along the ``down`` of the lattice's axes, columns along
``right``. Which way up a city is read is decided later, so the axes may still be turned by
quarters.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Points, floats
from vision.locate import Detection, Vector
from vision.plane import OUTLIER, in_lattice
from vision.rectify import UNIT_SQUARE, areas

NEIGHBOUR_ERROR = 0.36
"""How far a neighbour may lie from where it is expected, in tile widths."""
NEIGHBOUR_TURN = np.deg2rad(24)
NEIGHBOUR_SIZE = 1.4
AHEAD = 1.05
"""A step to the next tile in tile widths: careful hands leave gaps of up to a tenth."""
FEWEST_TO_EVEN = 16
"""Where fewer tiles of a city are found, some of them are not what they seem."""


def chains(tiles: Sequence[Detection]) -> list[dict[Cell, Detection]]:
    """Groups of tiles that lie edge to edge, each tile with its place in its group."""
    if not tiles:
        return []
    beside = _neighbours(tiles)
    left = set(range(len(tiles)))
    groups = []
    for seed in sorted(left, key=lambda i: -tiles[i].likelihood):
        if seed not in left:
            continue
        left.discard(seed)
        cells: dict[Cell, Detection] = {(0, 0): tiles[seed]}
        queue = deque([(seed, (0, 0), 0)])
        while queue:
            index, (row, column), right = queue.popleft()
            for step_down, step_right, turns in ((0, 1, 0), (1, 0, 1), (0, -1, 2), (-1, 0, 3)):
                cell = (row + step_down, column + step_right)
                if cell in cells:
                    continue
                way = (right + turns) % 4
                for found, turned in beside[index][way]:
                    if found in left:
                        left.discard(found)
                        cells[cell] = tiles[found]
                        queue.append((found, cell, (right + turned) % 4))
                        break
        groups.append(cells)
    return groups


def _neighbours(tiles: Sequence[Detection]) -> list[list[list[tuple[int, int]]]]:
    """Which tiles may lie beside which.

    Returns:
        For each tile and each of its four ways those one step away, the nearest first; each with
        which of its own ways points most like the first way of the tile, that of the row.
    """
    right, down = _edges(tiles)
    (right_x, right_y), (down_x, down_y) = right.T, down.T
    x, y = _centres(tiles).T
    sizes = np.sqrt(np.abs(right_x * down_y - right_y * down_x))
    lengths = np.stack([np.hypot(right_x, right_y), np.hypot(down_x, down_y)])
    farthest = lengths.max(axis=0) * AHEAD + NEIGHBOUR_ERROR * sizes
    reach = (x - x[:, None]) ** 2 + (y - y[:, None]) ** 2 <= farthest[:, None] ** 2
    ones, others = np.nonzero(reach)
    ratio = sizes[others] / sizes[ones]
    first_x, first_y = right_x[ones], right_y[ones]
    turns, along = _turns_like(
        first_x * right_x[others] + first_y * right_y[others],
        first_x * down_x[others] + first_y * down_y[others],
    )
    alike = along > np.cos(NEIGHBOUR_TURN) * lengths[turns % 2, others] * lengths[0, ones]
    alike &= (ratio < NEIGHBOUR_SIZE) & (ratio > 1 / NEIGHBOUR_SIZE)
    ones, others, turns = ones[alike], others[alike], turns[alike]
    ways_x = np.stack([right_x, down_x, -right_x, -down_x])[:, ones] * AHEAD
    ways_y = np.stack([right_y, down_y, -right_y, -down_y])[:, ones] * AHEAD
    off = (x[ones] + ways_x - x[others]) ** 2 + (y[ones] + ways_y - y[others]) ** 2
    beside: list[list[list[tuple[int, int]]]] = [[[], [], [], []] for _ in tiles]
    way, pair = np.nonzero(off <= (NEIGHBOUR_ERROR * sizes[ones]) ** 2)
    nearest = np.argsort(off[way, pair], kind="stable")
    way, pair = way[nearest], pair[nearest]
    near = (each.tolist() for each in (ones[pair], way, others[pair], turns[pair]))
    for one, its_way, other, turned in zip(*near, strict=True):
        beside[one][its_way].append((other, turned))
    return beside


def _edges(tiles: Iterable[Detection]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """All ``right`` and all ``down`` (n, 2)."""
    edges = np.concatenate([edge for tile in tiles for edge in (tile.right, tile.down)])
    right, down = edges.reshape(-1, 2, 2).swapaxes(0, 1)
    return right, down


def _centres(tiles: Iterable[Detection]) -> Points:
    """All centres (n, 2)."""
    return np.concatenate([tile.centre for tile in tiles]).reshape(-1, 2)


def _turns_like(
    along_right: NDArray[np.float32], along_down: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Which of a tile's four ways points most along a given one, and how far it goes along it.

    Args:
        along_right: how far the tile's ``right`` goes along the given way.
        along_down: how far its ``down`` does.
    """
    sideways = np.abs(along_down) > np.abs(along_right)
    along = np.where(sideways, along_down, along_right)
    return sideways + 2 * (along < 0), np.abs(along)


def windows(cells: dict[Cell, Detection], rows: int, columns: int) -> list[dict[Cell, Detection]]:
    """Cut a group into squares of at most ``rows`` x ``columns``, the fullest first.

    Cells of a square count from (0, 0) at its first occupied row and column.
    """
    squares = []
    left = dict(cells)
    while left:
        taken = list(left)
        (top, bottom), (start, end) = _span(taken)
        if bottom - top >= rows or end - start >= columns:
            corners = product(range(top, bottom + 1), range(start, end + 1))
            taken = max((_inside(left, corner, rows, columns) for corner in corners), key=len)
            (top, _), (start, _) = _span(taken)
        squares.append({(r - top, c - start): left.pop((r, c)) for r, c in taken})
    return squares


def _span(cells: Iterable[Cell]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last row, the first and the last column."""
    rows, columns = zip(*cells, strict=True)
    return (min(rows), max(rows)), (min(columns), max(columns))


def _inside(cells: Iterable[Cell], corner: Cell, rows: int, columns: int) -> list[Cell]:
    """Those of the cells in the square with this top left cell."""
    r0, c0 = corner
    return [(r, c) for r, c in cells if r0 <= r < r0 + rows and c0 <= c < c0 + columns]


def quads_of(cells: Mapping[Cell, Detection]) -> dict[Cell, Corners]:
    """The quads of a group's tiles, all named along the axes of the lattice."""
    along = _along(cells)
    right, down = _edges(cells.values())
    turns, _ = _turns_like(right @ along, down @ along)
    ways = np.stack([right, down, -right, -down])
    tiles = np.arange(len(cells))
    axes = np.stack([ways[turns, tiles], ways[(turns + 1) % 4, tiles]], axis=1)
    centres = _centres(cells.values())
    return dict(zip(cells, centres[:, None] + (UNIT_SQUARE - 0.5) @ axes, strict=True))


def evened(quads: Mapping[Cell, Corners]) -> dict[Cell, Corners]:
    """The quads of neighbouring tiles, with half of what each is off the grid of all taken away.

    The locator errs by more than careful hands do; of the grid, which perspective bends, the
    squares of the coordinates tell enough. Where a tile lies far off it, all stay as they are.
    """
    cells = sorted(quads)
    if len(cells) < FEWEST_TO_EVEN:
        return dict(quads)
    corners = floats([quads[cell] for cell in cells])
    grid = (_smoothing(tuple(cells)) @ corners.reshape(-1, 2)).reshape(corners.shape)
    if np.abs(grid - corners).max() > OUTLIER * np.sqrt(areas(corners).mean()):
        return dict(quads)
    return dict(zip(cells, floats((corners + grid) / 2), strict=True))


@lru_cache(maxsize=4)
def _smoothing(cells: tuple[Cell, ...]) -> NDArray[np.float64]:
    """The matrix that takes corners of tiles in these cells to the nearest quadratic surface."""
    x, y = np.asarray(in_lattice(cells), np.float64).T
    terms = np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
    return np.asarray(terms @ np.linalg.pinv(terms), np.float64)


def _along(cells: Mapping[Cell, Detection]) -> Vector:
    """The way from one column to the next, as far as neighbours tell."""
    right = _mean_step(cells, (0, 1))
    if right is not None:
        return right
    down = _mean_step(cells, (1, 0))
    if down is not None:
        return floats([down[1], -down[0]])
    (row, column), *others = sorted(cells)  # what joined them lies in another square
    first = cells[row, column]
    if not others:
        return first.right
    way = cells[others[-1]].centre - first.centre
    down_steps, right_steps = others[-1][0] - row, others[-1][1] - column

    def misses(right: Vector, down: Vector) -> float:
        return float(np.hypot(*(right_steps * right + down_steps * down - way)))

    ways = first.ways
    best = min(range(4), key=lambda turn: misses(ways[turn], ways[(turn + 1) % 4]))
    return ways[best]


def _mean_step(cells: Mapping[Cell, Detection], step: Cell) -> Vector | None:
    """The mean way between tiles of which one lies a step of (rows, columns) further."""
    down, right = step
    ends = [(tile, cells.get((r + down, c + right))) for (r, c), tile in cells.items()]
    ways = [(tile.centre, other.centre) for tile, other in ends if other is not None]
    if not ways:
        return None
    start, end = floats(ways).mean(axis=0)
    return floats(end - start)
