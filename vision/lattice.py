"""From single tiles to cities: chain neighbours into lattices, cut out full squares.

A lattice cell is (row, column); rows run along the ``down`` of the lattice's axes, columns along
``right``. Which way up a city is read is decided later, so the axes may still be turned by
quarters.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Homography, floats, transformed
from vision.locate import Detection, Vector
from vision.rectify import UNIT_SQUARE

NEIGHBOUR_ERROR = 0.36
"""How far a neighbour may lie from where it is expected, in tile widths."""
NEIGHBOUR_TURN = np.deg2rad(24)
NEIGHBOUR_SIZE = 1.4
WIDEST_GAP = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Where the cells of a lattice lie in the photo.

    ``to_photo`` is the homography from cell coordinates (x = column, y = row; a cell reaches
    from its number to the next) to pixels.
    """

    to_photo: Homography

    def quad(self, cell: Cell) -> Corners:
        """Where a tile that fills its cell would lie."""
        row, column = cell
        return transformed(UNIT_SQUARE + floats([column, row]), self.to_photo)


def axes_like(tile: Detection, right: Vector) -> tuple[Vector, Vector]:
    """The tile's axes, turned by quarters so that ``right`` points like the one given."""
    ways = tile.ways
    best = int(np.argmax([float(way @ right) for way in ways]))
    return ways[best], ways[(best + 1) % 4]


def chains(tiles: Sequence[Detection]) -> list[dict[Cell, Detection]]:
    """Groups of tiles that lie edge to edge, each tile with its place in its group."""
    if not tiles:
        return []
    centres = np.array([tile.centre for tile in tiles])
    left = set(range(len(tiles)))
    groups = []
    for seed in sorted(left, key=lambda i: -tiles[i].likelihood):
        if seed not in left:
            continue
        left.discard(seed)
        cells: dict[Cell, Detection] = {(0, 0): tiles[seed]}
        queue = deque([(seed, (0, 0), *tiles[seed].ways[:2])])
        while queue:
            index, (row, column), right, down = queue.popleft()
            for step_down, step_right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                cell = (row + step_down, column + step_right)
                if cell in cells:
                    continue
                way = step_right * right + step_down * down
                found = _neighbour(tiles, centres, left, index, way * (1 + WIDEST_GAP / 3))
                if found is None:
                    continue
                left.discard(found)
                cells[cell] = tiles[found]
                queue.append((found, cell, *axes_like(tiles[found], right)))
        groups.append(cells)
    return groups


def _neighbour(
    tiles: Sequence[Detection],
    centres: NDArray[np.float32],
    left: set[int],
    index: int,
    way: NDArray[np.float32],
) -> int | None:
    """The tile that lies one step from tile ``index`` in the direction ``way``, if any."""
    here = tiles[index]
    away = centres - (here.centre + way)
    off = (away * away).sum(axis=1)
    near = np.flatnonzero(off <= (NEIGHBOUR_ERROR * here.size) ** 2)
    for found in near[np.argsort(off[near], kind="stable")]:
        other = tiles[found]
        ratio = other.size / here.size
        right, _ = axes_like(other, here.right)
        cosine = float(right @ here.right) / float(np.hypot(*right) * np.hypot(*here.right))
        alike = 1 / NEIGHBOUR_SIZE < ratio < NEIGHBOUR_SIZE and cosine > np.cos(NEIGHBOUR_TURN)
        if found in left and alike:
            return int(found)
    return None


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
    cells = floats([UNIT_SQUARE + floats([column, row]) for row, column in quads]).reshape(-1, 2)
    corners = floats(list(quads.values())).reshape(-1, 2)
    size = float(np.median([np.sqrt(cv2.contourArea(quad)) for quad in quads.values()]))
    homography, _ = cv2.findHomography(cells, corners, 0 if trusted else cv2.RANSAC, 0.2 * size)
    if np.size(homography) != 9:  # OpenCV found none; its type information does not tell
        return None
    plane = Plane(np.asarray(homography, np.float64))
    areas = [cv2.contourArea(plane.quad(cell)) for cell in quads]
    sane = min(areas) > 0.4 * size**2 and max(areas) < 2.5 * size**2
    return plane if sane else None


def quads_of(cells: Mapping[Cell, Detection]) -> dict[Cell, Corners]:
    """The quads of a group's tiles, all named along the axes of the lattice."""
    along = _along(cells)
    return {
        cell: floats(tile.centre + (UNIT_SQUARE - 0.5) @ floats(axes_like(tile, along)))
        for cell, tile in cells.items()
    }


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
