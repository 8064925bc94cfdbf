"""What one look at a photo shows of grids of free tiles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Corners, transformed
from vision.boards.features import Votes
from vision.boards.known import KnownEdition
from vision.boards.lattice import (
    FAINT_A_TILE,
    FEWEST_A_TILE,
    MANY_VOTES,
    MOST_SHARED,
    beside,
    find_lattices,
    is_certain,
    is_likely,
)
from vision.boards.lattice_growth import Lattice
from vision.boards.one_table import OneTable, of_one_size

FEWEST_VOTES = 10
"""With fewer a grid is none."""
FEWEST_OF_ONE_SIZE = 2
"""So many grids of which none is certain on its own are so together, if all their tiles are of one
size."""


@dataclass(frozen=True, slots=True, eq=False)
class TileLook:
    """The grids that one look at a photo shows.

    Attributes:
        votes: of its features.
        lattices: of which these speak.
        are_of_one_size: whether their tiles are as large as those of grids that are certain.
    """

    votes: Votes
    lattices: Sequence[Lattice]
    are_of_one_size: bool = False

    @classmethod
    def of(
        cls,
        votes: Votes,
        known: KnownEdition,
        besides: int = 0,
        *,
        are_of_one_size: bool = False,
    ) -> "TileLook":
        """What votes speak of, if so many grids are known already."""
        most, tiles = known.description.most_grids - besides, full_grid(known)
        fewest_a_tile = FAINT_A_TILE if are_of_one_size else FEWEST_A_TILE
        found = find_lattices(votes, most, tiles, FEWEST_VOTES, fewest_a_tile)
        return cls(
            votes,
            [
                lattice
                for lattice in found
                if is_likely(lattice, tiles)
                or len(lattice.votes) >= FEWEST_A_TILE * len(lattice.support)
            ],
            are_of_one_size,
        )


def off_others(some: Sequence[Lattice], votes: Votes, others: Sequence[Lattice]) -> list[Lattice]:
    """Those grids, of which these votes speak, that do not lie on others for the most part."""
    return [
        lattice
        for lattice in some
        if len(beside(votes.only(lattice.votes), others)) >= MOST_SHARED * len(lattice.votes)
    ]


def certain_lattices(lattices: Sequence[Lattice], tiles: tuple[int, int]) -> list[Lattice]:
    """The grids that a glance shows for certain, each on its own, or as all tiles are of one size.

    Chance makes lattices of any size.
    """
    likely = of_one_size(
        [each for each in lattices if is_certain(each, tiles) or is_likely(each, tiles)]
    )
    certain = [lattice for lattice in likely if is_certain(lattice, tiles)]
    if not certain and len(likely) < FEWEST_OF_ONE_SIZE:
        return []
    table = OneTable.of(certain or likely)
    if not certain and not all(map(table.holds, likely)):
        return []
    return [lattice for lattice in likely if lattice in certain or table.holds(lattice)]


def full_grid(known: KnownEdition) -> tuple[int, int]:
    """Rows and columns of a full grid."""
    return known.description.tile_rows, known.description.tile_columns


def is_whole(lattice: Lattice, tiles: tuple[int, int]) -> bool:
    """Whether many votes speak for the first and the last row and column of a full grid."""
    top, left, bottom, right = lattice.extent
    if (bottom - top + 1, right - left + 1) not in (tiles, tiles[::-1]):
        return False
    rows, columns = lattice.cells.T
    ends = (rows == top, rows == bottom, columns == left, columns == right)
    return all(np.count_nonzero(end) >= MANY_VOTES for end in ends)


def outline(lattice: Lattice) -> Corners:
    """The corners in the photo of the tiles of which several features speak."""
    top, left, bottom, right = lattice.extent
    corners = [(left, top), (right + 1, top), (right + 1, bottom + 1), (left, bottom + 1)]
    return transformed(corners, lattice.to_photo)
