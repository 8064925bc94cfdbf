"""Where exactly the tiles of a grid lie, once it is known what they show.

Method: B. Lucas and T. Kanade, "An Iterative Image Registration Technique with an Application to
Stereo Vision", IJCAI 1981, with all affine changes: a picture that is shown a little moved, turned
or larger differs by its slopes, multiplied by how far each of its pixels has moved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Homography, Points, floats, median, transformed
from vision.boards.gaps import LEAST, MOST
from vision.boards.grid_compared import ComparedGrid
from vision.boards.judge import Answer
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import STRIDE_PX, TILE_PX, looks_of
from vision.boards.windows import corners_about
from vision.rectify import UNIT_SQUARE

FEWEST_TILES = 8
"""So many tiles tell how their plane lies."""
SMALLER = 0.02
"""Tiles that seem smaller by this share than they were taken to be have other gaps than usual."""
UNLIKE = 0.03
"""Difference of a pixel of two textures from which on something else is seen there."""
_SIDE = TILE_PX // STRIDE_PX
_RIDGE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class TileFit:
    """How the tiles of a grid lie where they were taken to be.

    Attributes:
        ideal: (n, 2) where the corners of sure tiles should be, in grid coordinates.
        found: (n, 2) where they are seen.
        plane: from grid coordinates as they should be to those in which the tiles were seen.
        off: how far the corner of a tile of the grid is from its place at most, in tile edges.
        size: of the tiles, compared with what they were taken to have.
    """

    ideal: Points
    found: Points
    plane: Homography
    off: float
    size: float

    def share(self, tile_share: float) -> float:
        """The edge of the tiles as a share of the way from one to the next; as it was, if it fits.

        Args:
            tile_share: what it was taken to be.
        """
        if self.size > 1 - SMALLER:
            return tile_share
        return min(max(tile_share * self.size, LEAST), MOST)


def fitted_tiles(
    seen: ComparedGrid, cells: Sequence[Cell], answers: Mapping[Cell, Answer], known: KnownEdition
) -> TileFit | None:
    """How the tiles lie that are sure; None if they are too few to tell.

    Args:
        seen: the grid.
        cells: its places in order.
        answers: for each of them.
        known: the edition.
    """
    in_order = (answers[cell] for cell in cells)
    numbers = [n for n, each in enumerate(in_order) if each.is_sure and each.face is not None]
    if len(numbers) < FEWEST_TILES:
        return None
    at = [seen.at[n] for n in numbers]
    corners = corners_about(at) + seen.comparison.shifts[numbers]
    pictures = seen.table[numbers].argmin(axis=1)
    changes = _changes(known)[pictures]
    other = looks_of(seen.sheet.tiles(corners)).texture - known.in_grid.looks.texture[pictures]
    weighted = changes / (1 + (other / UNLIKE) ** 2)[:, None]
    normal = weighted @ changes.swapaxes(1, 2) + np.eye(6, dtype=np.float32) * np.float32(_RIDGE)
    moves = np.linalg.solve(normal, weighted @ other[..., None])[..., 0].reshape(-1, 2, 3)
    # In tile edges: of the middle, and of what lies an edge further
    at_middle = moves[..., 0] / _SIDE + (corners[:, ::-1] + TILE_PX / 2 - at) / TILE_PX
    ends = floats(UNIT_SQUARE - 0.5)
    middles = seen.middles[numbers]
    ideal = floats((middles[:, None] + ends).reshape(-1, 2))
    moved = (middles + at_middle)[:, None] + ends + ends @ moves[..., 1:].swapaxes(1, 2)
    found = floats(moved.reshape(-1, 2))
    plane, _ = cv2.findHomography(ideal, found, 0)
    if plane is None:
        return None
    every = (seen.middles[:, None] + ends).reshape(-1, 2)
    off = np.hypot(*(transformed(every, plane) - every).T).max()
    wider, slanted, dropped, taller = moves[..., 1:].reshape(-1, 4).T
    sizes = np.sqrt(np.abs((1 + wider) * (1 + taller) - slanted * dropped))
    return TileFit(ideal, found, np.asarray(plane, np.float64), float(off), float(median(sizes)))


@kept
def _changes(known: KnownEdition) -> NDArray[np.float32]:
    """How the texture of each picture changes as it is moved or distorted.

    Returns:
        (n, 6, d): moved to the right by a pixel, stretched to the right, slanted so that what lies
        below moves to the right; and the same downwards.
    """
    pictures = known.in_grid.looks.texture.reshape(-1, 3, _SIDE, _SIDE)
    down, across = np.gradient(pictures, axis=(2, 3))
    away = np.arange(_SIDE) - (_SIDE - 1) / 2
    ways = [-way * far for way in (across, down) for far in (1.0, away, away[:, None])]
    return floats(ways).swapaxes(0, 1).reshape(len(pictures), 6, -1)
