"""The plane on which the tiles of a city lie: where in the photo each cell of its lattice is.

A lattice cell is (row, column); see ``vision.lattice``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Homography, Points, floats, transformed
from vision.rectify import UNIT_SQUARE, areas

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
        return self.corners(in_lattice(cells)).reshape(-1, 4, 2)

    def corners(self, places: Points) -> Points:
        """Where points (n, 2) of the lattice lie."""
        return transformed(places, self.to_photo)


def plane_through(quads: Mapping[Cell, Corners], *, trusted: bool = False) -> Plane | None:
    """The plane on which tiles with these corners lie best, each in its cell; None: no sane one.

    The homography fits all of them by least squares. If one of them lies far off it and they are
    not ``trusted`` to lie where they seem to, it is found by RANSAC (Fischler and Bolles 1981) as
    OpenCV runs it, with its fixed seed, so the same tiles always give the same plane.
    """
    if len(quads) < 2:
        return None
    cells, corners = in_lattice(quads), floats(list(quads.values())).reshape(-1, 2)
    size = median(np.sqrt(areas(corners.reshape(-1, 4, 2))).tolist())
    plane = _fitted(cells, corners)
    if plane is None:
        return None
    seen = plane.corners(cells)
    if not trusted and np.abs(seen - corners).max() > OUTLIER * size / np.sqrt(2):
        off = np.hypot(*(seen - corners).T)
        if off.max() > OUTLIER * size:  # else all tiles agree, and RANSAC would end with the same
            plane = _fitted_to_most(cells, corners, OUTLIER * size)
            if plane is None:
                return None
            seen = plane.corners(cells)
    on_plane = areas(seen.reshape(-1, 4, 2))
    sane = on_plane.min() > 0.4 * size**2 and on_plane.max() < 2.5 * size**2
    return plane if sane else None


def _fitted(cells: Points, corners: Points) -> Plane | None:
    """The plane by least squares of the linear equations (Hartley and Zisserman 2004, 4.1).

    None: the corners do not tell.
    """
    middle = corners.mean(axis=0, dtype=np.float64)
    places = corners - middle
    # Of h = (a b c, d e f, g h): a x + b y + c - u (g x + h y) = u; the same with d e f of v
    equations = np.zeros((2, len(cells), 9))
    equations[0, :, :2] = equations[1, :, 3:5] = cells
    equations[0, :, 2] = equations[1, :, 5] = 1
    equations[:, :, 8] = places.T
    equations[:, :, 6:8] = -places.T[:, :, None] * cells
    rows = equations.reshape(-1, 9)
    normal = rows.T @ rows
    try:
        solved = np.linalg.solve(normal[:8, :8], normal[:8, 8])
    except np.linalg.LinAlgError:
        return None
    homography = np.append(solved, 1.0).reshape(3, 3)
    homography[:2] += middle[:, None] * homography[2]
    return Plane(homography)


def _fitted_to_most(cells: Points, corners: Points, outlier_px: float) -> Plane | None:
    homography, _ = cv2.findHomography(cells, corners, cv2.RANSAC, outlier_px)
    if np.size(homography) != 9:  # OpenCV found none; its type information does not tell
        return None
    return Plane(np.asarray(homography, np.float64))


def in_lattice(cells: Iterable[Cell]) -> Points:
    """The corners of cells in the lattice's own coordinates, four (x, y) for each."""
    first = floats([(column, row) for row, column in cells]).reshape(-1, 1, 2)
    return (first + UNIT_SQUARE).reshape(-1, 2)
