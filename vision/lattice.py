"""From single tiles to cities: chain neighbours into lattices, cut out full squares.

A lattice cell is (row, column); rows run along the ``down`` of the lattice's axes, columns along
``right``. Which way up a city is read is decided later, so the axes may still be turned by
quarters.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Homography, Points, floats, transformed
from vision.locate import Detection, Vector
from vision.rectify import UNIT_SQUARE, areas

NEIGHBOUR_ERROR = 0.36
"""How far a neighbour may lie from where it is expected, in tile widths."""
NEIGHBOUR_TURN = np.deg2rad(24)
NEIGHBOUR_SIZE = 1.4
AHEAD = 1.05
"""A step to the next tile in tile widths: careful hands leave gaps of up to a tenth."""
FEWEST_TO_EVEN = 16
"""Where fewer tiles of a city are found, some of them are not what they seem."""
OUTLIER = 0.2
"""A corner further off a plane, in tile widths, does not belong to it."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Where the cells of a lattice lie in the photo.

    ``to_photo`` is the homography from cell coordinates (x = column, y = row; a cell reaches
    from its number to the next) to pixels.
    """

    to_photo: Homography

    def quad(self, cell: Cell) -> Corners:
        """Where a tile that fills its cell would lie."""
        quad: Corners = self.quads([cell])[0]
        return quad

    def quads(self, cells: Iterable[Cell]) -> NDArray[np.float32]:
        """The same of several (n, 4, 2)."""
        return self.corners(_in_lattice(cells)).reshape(-1, 4, 2)

    def corners(self, places: Points) -> Points:
        """Where points (n, 2) of the lattice lie."""
        return transformed(places, self.to_photo)


def chains(tiles: Sequence[Detection]) -> list[dict[Cell, Detection]]:
    """Groups of tiles that lie edge to edge, each tile with its place in its group."""
    if not tiles:
        return []
    beside, turned = _neighbours(tiles)
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
                found = next((other for other in beside[index][way] if other in left), None)
                if found is None:
                    continue
                left.discard(found)
                cells[cell] = tiles[found]
                queue.append((found, cell, (right + turned[index, found]) % 4))
        groups.append(cells)
    return groups


def _neighbours(tiles: Sequence[Detection]) -> tuple[list[list[list[int]]], NDArray[np.intp]]:
    """Which tiles may lie beside which.

    Returns:
        For each tile and each of its four ways those one step away, the nearest first; and (n, n)
        which of a tile's ways points most like the first way of another, that of the row.
    """
    right, down = _edges(tiles)
    centres = floats([tile.centre for tile in tiles])
    sizes = floats([tile.size for tile in tiles])
    lengths = np.stack([np.hypot(*right.T), np.hypot(*down.T)])
    farthest = lengths.max(axis=0) * AHEAD + NEIGHBOUR_ERROR * sizes
    x, y = centres.T
    from_x, from_y, ratio = x[:, None], y[:, None], sizes / sizes[:, None]
    reach = (x - from_x) ** 2 + (y - from_y) ** 2 <= farthest[:, None] ** 2
    ones, others = np.nonzero(reach & (ratio < NEIGHBOUR_SIZE) & (ratio > 1 / NEIGHBOUR_SIZE))
    first = right[ones]
    turns, along = _turns_like(
        (first * right[others]).sum(axis=1), (first * down[others]).sum(axis=1)
    )
    alike = along > np.cos(NEIGHBOUR_TURN) * lengths[turns % 2, others] * lengths[0, ones]
    ones, others, turns = ones[alike], others[alike], turns[alike]
    ways = np.stack([right, down, -right, -down])[:, ones] * AHEAD
    off = ((centres[ones] + ways - centres[others]) ** 2).sum(axis=2)
    beside: list[list[list[int]]] = [[[] for _ in range(4)] for _ in tiles]
    near = np.argwhere(off <= (NEIGHBOUR_ERROR * sizes[ones]) ** 2)
    for way, pair in near[np.argsort(off[tuple(near.T)], kind="stable")].tolist():
        beside[ones[pair]][way].append(int(others[pair]))
    turned = np.zeros((len(tiles), len(tiles)), np.intp)
    turned[ones, others] = turns
    return beside, turned


def _edges(tiles: Iterable[Detection]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """All ``right`` and all ``down`` (n, 2)."""
    return floats([tile.right for tile in tiles]), floats([tile.down for tile in tiles])


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
        first_rows = range(min(r for r, _ in left), max(r for r, _ in left) + 1)
        first_columns = range(min(c for _, c in left), max(c for _, c in left) + 1)

        def inside(corner: Cell, remaining: dict[Cell, Detection]) -> list[Cell]:
            r0, c0 = corner
            return [(r, c) for r, c in remaining if r0 <= r < r0 + rows and c0 <= c < c0 + columns]

        corners = product(first_rows, first_columns)
        taken = max((inside(corner, left) for corner in corners), key=len)
        top, start = min(r for r, _ in taken), min(c for _, c in taken)
        squares.append({(r - top, c - start): left.pop((r, c)) for r, c in taken})
    return squares


def plane_through(quads: Mapping[Cell, Corners], *, trusted: bool = False) -> Plane | None:
    """The plane on which tiles with these corners lie best, each in its cell; None: no sane one.

    The homography is found by RANSAC (Fischler and Bolles 1981) as OpenCV runs it, with its
    fixed seed, so the same tiles always give the same plane; by least squares if all tiles are
    ``trusted`` to lie where they seem to.
    """
    if len(quads) < 2:
        return None
    cells, corners = _in_lattice(quads), floats(list(quads.values())).reshape(-1, 2)
    size = median(np.sqrt(areas(corners.reshape(-1, 4, 2))).tolist())
    plane = _fitted(cells, corners, 0)
    if plane is not None and not trusted:
        off = np.hypot(*(plane.corners(cells) - corners).T)
        if off.max() > OUTLIER * size:  # else all tiles agree, and RANSAC would end with the same
            plane = _fitted(cells, corners, cv2.RANSAC, OUTLIER * size)
    if plane is None:
        return None
    on_plane = areas(plane.corners(cells).reshape(-1, 4, 2))
    sane = on_plane.min() > 0.4 * size**2 and on_plane.max() < 2.5 * size**2
    return plane if sane else None


def _fitted(cells: Points, corners: Points, method: int, outlier_px: float = 0.0) -> Plane | None:
    homography, _ = cv2.findHomography(cells, corners, method, outlier_px)
    if np.size(homography) != 9:  # OpenCV found none; its type information does not tell
        return None
    return Plane(np.asarray(homography, np.float64))


def _in_lattice(cells: Iterable[Cell]) -> Points:
    """The corners of cells in the lattice's own coordinates, four (x, y) for each."""
    first = floats([(column, row) for row, column in cells]).reshape(-1, 1, 2)
    return (first + UNIT_SQUARE).reshape(-1, 2)


def quads_of(cells: Mapping[Cell, Detection]) -> dict[Cell, Corners]:
    """The quads of a group's tiles, all named along the axes of the lattice."""
    along = _along(cells)
    right, down = _edges(cells.values())
    turns, _ = _turns_like(right @ along, down @ along)
    ways = np.stack([right, down, -right, -down])
    tiles = np.arange(len(cells))
    axes = np.stack([ways[turns, tiles], ways[(turns + 1) % 4, tiles]], axis=1)
    centres = floats([tile.centre for tile in cells.values()])
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
    x, y = np.asarray(_in_lattice(cells), np.float64).T
    terms = np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
    return np.asarray(terms @ np.linalg.pinv(terms), np.float64)


def _along(cells: Mapping[Cell, Detection]) -> Vector:
    """The way from one column to the next, as far as neighbours tell."""
    centres = {cell: tile.centre for cell, tile in cells.items()}
    right = [centres[r, c + 1] - o for (r, c), o in centres.items() if (r, c + 1) in centres]
    if right:
        return floats(np.mean(right, axis=0))
    steps = [centres[r + 1, c] - o for (r, c), o in centres.items() if (r + 1, c) in centres]
    if steps:
        down = floats(np.mean(steps, axis=0))
        return floats([down[1], -down[0]])
    (row, column), *others = sorted(cells)  # what joined them lies in another square
    first = cells[row, column]
    if not others:
        return first.right
    way = centres[others[-1]] - first.centre
    down_steps, right_steps = others[-1][0] - row, others[-1][1] - column

    def misses(right: Vector, down: Vector) -> float:
        return float(np.hypot(*(right_steps * right + down_steps * down - way)))

    ways = first.ways
    best = min(range(4), key=lambda turn: misses(ways[turn], ways[(turn + 1) % 4]))
    return ways[best]
