"""Which places of a surface are the tiles of a grid: a board tells; free tiles must be chosen."""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Homography, Points, floats
from vision.boards.find import Found
from vision.boards.known import KnownEdition
from vision.boards.lattice_growth import FEWEST_IN_TILE
from vision.boards.surface import Surface
from vision.editions.description import Turned

FEWEST_TO_STRAIGHTEN = 6
TILES_SEEN = 3.0
"""Evidence of tiles that are seen, in all, see ``place_seen``."""
CLEAR_WINDOW = 8.0
"""By so much in all, other places must speak less for tiles than those of the grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the tiles of a grid lie.

    Attributes:
        surface: with the grid's top left corner at (0, 0), read upright.
        rows: of tiles.
        columns: of tiles.
        pitch: from one tile's middle to the next, to the right and down, in tile edges.
        is_certain: whether the grid can lie only here.
    """

    surface: Surface
    rows: int
    columns: int
    pitch: tuple[float, float] = (1.0, 1.0)
    is_certain: bool = True

    @classmethod
    def with_gaps(cls, surface: Surface, rows: int, columns: int, tile_share: float) -> Self:
        """Places of a lattice whose tiles do not fill them.

        Args:
            surface: of the lattice, with the corner of the places at (0, 0).
            rows: of the places.
            columns: of the places.
            tile_share: edge of a tile as a share of the way from one place to the next.
        """
        in_tiles = surface.moved(np.diag([tile_share, tile_share, 1.0]))
        return cls(in_tiles, rows, columns, (1 / tile_share, 1 / tile_share))

    def with_those_around(self) -> Self:
        """The same places with a row or column more on each side."""
        across, down = self.pitch
        begin = np.array([[1.0, 0, -across], [0, 1, -down], [0, 0, 1]])
        surface = self.surface.moved(begin)
        return replace(self, surface=surface, rows=self.rows + 2, columns=self.columns + 2)

    @property
    def cells(self) -> list[Cell]:
        """All tiles in reading order."""
        return list(product(range(self.rows), range(self.columns)))

    def middle(self, cell: Cell) -> tuple[float, float]:
        """Grid coordinates (x, y) of the middle of a tile."""
        return (cell[1] + 0.5) * self.pitch[0], (cell[0] + 0.5) * self.pitch[1]


MOST_BY_CHANCE = 1
"""Votes in a row of which another tile alone is seen."""

Area = tuple[int, int, int, int]
"""First row and column of tiles of a lattice, and how many rows and columns."""


def choices(found: Found, known: KnownEdition) -> list[Area]:
    """The areas that a grid of free tiles may cover, so that it holds what is known.

    If more tiles lie together than a grid has, those are the choices that hold most of them. A tile
    that is alone in the first or last row or column may be a stray one.
    """
    # What a network takes for a whole grid has several tiles in each of its outer rows
    seen = [found.cells, *(() if found.is_whole else _without_strays(found))]
    return list(dict.fromkeys(area for cells in seen for area in _areas_with(cells, known)))


def beside_others(areas: Sequence[Area], found: Found, others: Sequence[Corners]) -> list[Area]:
    """Those areas of which no tile would lie on another grid; all of them if there is none such.

    Args:
        areas: as given by ``choices``.
        found: where the lattice lies.
        others: outlines of other grids in the photo.
    """
    if len(areas) == 1:
        return list(areas)

    def is_free(area: Area) -> bool:
        middles = found.surface.at([(column + 0.5, row + 0.5) for row, column in tiles_of(area)])
        return all(
            cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=False) < 0
            for outline in others
            for x, y in middles
        )

    return [area for area in areas if is_free(area)] or list(areas)


def _areas_with(cells: tuple[int, int, int, int], known: KnownEdition) -> list[Area]:
    """The areas that hold the tiles from a lowest row and column to a highest one."""
    top, left, bottom, right = cells
    rows, columns = known.description.tile_rows, known.description.tile_columns
    ways = [(rows, columns)]
    if rows != columns and known.description.turned is Turned.ANY:
        ways.append((columns, rows))
    seen = bottom - top + 1, right - left + 1
    holding = [way for way in ways if seen[0] <= way[0] and seen[1] <= way[1]]
    return [
        (*begin, tall, wide)
        for tall, wide in holding or ways
        for begin in product(_begins(top, bottom, tall), _begins(left, right, wide))
    ]


def _without_strays(found: Found) -> list[tuple[int, int, int, int]]:
    """The extents of a grid without one of its outer rows or columns of which one tile is seen.

    A single vote for another tile there may be chance. A grid that is one tile wide has no other
    rows.
    """
    cells = np.array([*found.votes]).reshape(-1, 2)
    votes = np.array([*found.votes.values()])
    seen = votes >= FEWEST_IN_TILE
    extents: list[tuple[int, int, int, int]] = []
    for axis in (0, 1):  # rows, columns
        lines = cells[:, axis]
        if not seen.any() or np.ptp(cells[seen, 1 - axis]) == 0:
            continue
        for line in (lines[seen].min(), lines[seen].max()):
            own = votes[lines == line]
            rest = cells[seen & (lines != line)]
            if len(rest) and own.sum() - own.max() <= MOST_BY_CHANCE:
                (top, left), (bottom, right) = rest.min(axis=0).tolist(), rest.max(axis=0).tolist()
                extents.append((top, left, bottom, right))
    return extents


def _begins(low: int, high: int, count: int) -> list[int]:
    first, last = high - count + 1, low
    return list(range(min(first, last), max(first, last) + 1))


def tiles_of(area: Area) -> set[Cell]:
    """The rows and columns of all tiles of an area."""
    top, left, tall, wide = area
    return set(product(range(top, top + tall), range(left, left + wide)))


def chosen(areas: Sequence[Area], evidence: Mapping[Cell, float]) -> tuple[Area, list[Area]]:
    """The choice whose places look most like tiles, and those which it may be as well.

    Args:
        areas: as given by ``choices``.
        evidence: how far each place that is not in all of them speaks for a tile, see
            ``place_seen``.
    """

    def for_tiles(cells: Set[Cell]) -> float:
        return sum(evidence[cell] for cell in sorted(cells & evidence.keys()))

    best = min(areas, key=lambda area: (-for_tiles(tiles_of(area)), area))

    def is_worse(area: Area) -> bool:
        # What looks like no tile may be a tile that is hidden: only tiles that are seen tell
        own = for_tiles(tiles_of(best) - tiles_of(area))
        other = for_tiles(tiles_of(area) - tiles_of(best))
        return own - other >= CLEAR_WINDOW and own >= TILES_SEEN

    return best, [area for area in areas if area != best and not is_worse(area)]


def quarter_turned(surface: Surface, rows: int, columns: int, turns: int) -> Surface:
    """The same surface with the grid read after turning it.

    Args:
        surface: with the corner of the grid at (0, 0).
        rows: of the grid as it is given, in tile edges.
        columns: of the grid as it is given.
        turns: the new top left corner is the present top right for 1, bottom right for 2, …
    """
    new_to_old: list[Homography] = [
        np.eye(3),
        np.array([[0.0, -1, columns], [1, 0, 0], [0, 0, 1]]),
        np.array([[-1.0, 0, columns], [0, -1, rows], [0, 0, 1]]),
        np.array([[0.0, 1, 0], [-1, 0, rows], [0, 0, 1]]),
    ]
    return surface.moved(new_to_old[turns % 4])


def turns_to_photo_up(
    surface: Surface, rows: int, columns: int, among: Sequence[int] = range(4)
) -> int:
    """By how many of these quarters to turn a grid so that its top lies nearest to the photo's."""
    x, y = columns / 2, rows / 2
    here, beside = surface.at([[x, y], [x + 0.5, y]]).tolist()
    angle = math.atan2(beside[1] - here[1], beside[0] - here[0])
    return min(among, key=lambda turns: -math.cos(angle + turns * math.pi / 2))


def shifted(surface: Surface, begin: Cell) -> Surface:
    """The surface with its origin at another tile."""
    return surface.moved(np.array([[1.0, 0, begin[1]], [0, 1, begin[0]], [0, 0, 1]]))


def corners_inside(points: NDArray[np.float32], size_wh: tuple[int, int]) -> bool:
    """Whether all points (n, 2) lie in the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    return bool((low >= -1).all() and (high <= floats(size_wh)).all())


def straightened(places: Places, before: Points, after: Points, most_off: float) -> Surface | None:
    """The surface in which tiles that lie ``after`` lie ``before``; None if they nearly do.

    Args:
        places: as they were taken to be.
        before: (n, 2) middles of some tiles as the places have them, grid coordinates.
        after: (n, 2) where these tiles were seen.
        most_off: how far tiles may lie off on the average, in tile edges.
    """
    if len(before) < FEWEST_TO_STRAIGHTEN:
        return None
    design = np.column_stack([before, np.ones(len(before))]).astype(np.float64)
    # Of the moves and not of the places, so that tiles in one row do not squeeze the others
    terms = np.linalg.lstsq(design, after.astype(np.float64) - before, rcond=None)[0]
    if float(np.linalg.norm(design @ terms, axis=1).max()) <= most_off:
        return None
    return places.surface.moved(np.eye(3) + np.vstack([terms.T, [0, 0, 0]]))
