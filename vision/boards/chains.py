"""From single tiles to cities: chain neighbours into lattices, cut out full squares.

A lattice cell is (row, column); rows run along the ``down`` of the lattice's axes, columns along
``right``. Which way up a city is read is decided later, so the axes may still be turned by
quarters.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Points
from vision.boards.tile_locator import Detection

NEIGHBOUR_ERROR = 0.36
"""How far a neighbour may lie from where it is expected, in tile widths."""
NEIGHBOUR_TURN = np.deg2rad(24)
NEIGHBOUR_SIZE = 1.4
AHEAD = 1.05
"""A step to the next tile in tile widths: careful hands leave gaps of up to a tenth."""


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
