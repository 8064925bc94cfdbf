"""Grids of free tiles, laid on surfaces that are seen through one lens."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Points, floats, transformed
from vision.boards.features import Votes, turned
from vision.boards.gaps import tile_share
from vision.boards.lattice import is_certain, is_likely
from vision.boards.lattice_growth import Lattice
from vision.boards.one_table import OneTable, of_one_size
from vision.boards.surface import Matches, Surface, fitted_surfaces
from vision.boards.tile_look import TileLook


@dataclass(frozen=True, slots=True, eq=False)
class LaidTiles:
    """A grid of free tiles in a photo.

    Attributes:
        lattice: its tiles, and what speaks for them.
        matches: where its features lie on it, and where they were seen.
        surface: on which it lies.
        tile_share: edge of a tile as a share of the way from one to the next.
        is_exact: whether that was seen, and the tiles lie as exactly there as features tell.
        is_likely: whether many of its tiles are as large as those of other grids.
        is_odd: whether they are larger or smaller than those of other grids tell.
        is_plain_part: whether a network sees a part of a grid, in a photo in which all parts reach
            to all ends, have their tiles in line, and leave no room for others.
    """

    lattice: Lattice
    matches: Matches
    surface: Surface
    tile_share: float
    is_likely: bool
    is_odd: bool
    is_exact: bool = True
    is_plain_part: bool = False


def laid_tiles(
    looks: Sequence[TileLook],
    tiles: tuple[int, int],
    size_wh: tuple[int, int],
    others: Sequence[LaidTiles] = (),
) -> list[LaidTiles]:
    """The grids that several looks show, the best supported first, seen through one lens.

    Args:
        looks: at a photo.
        tiles: rows and columns of a full grid.
        size_wh: of the photo, pixels.
        others: grids of the same photo that are laid already.
    """
    grids = [(lattice, look) for look in looks for lattice in look.lattices]
    shares = [_tile_share(lattice, look.votes) for lattice, look in grids]
    matches = [
        _matches(lattice, look.votes, share)
        for (lattice, look), share in zip(grids, shares, strict=True)
    ]
    surfaces = fitted_surfaces([*(other.matches for other in others), *matches], size_wh)
    every = [*(other.lattice for other in others), *(lattice for lattice, _ in grids)]
    alike = of_one_size([lattice for lattice in every if is_certain(lattice, tiles)])
    table = OneTable.of(alike) if alike else None
    laid = [
        LaidTiles(
            lattice,
            points,
            surface,
            share,
            is_likely=look.are_of_one_size and is_likely(lattice, tiles),
            is_odd=table is not None and lattice not in alike and not table.holds(lattice),
        )
        for (lattice, look), points, surface, share in zip(
            grids, matches, surfaces[len(others) :], shares, strict=True
        )
    ]
    return sorted(laid, key=lambda grid: -len(grid.lattice.votes))


def _matches(lattice: Lattice, votes: Votes, tile_share: float) -> Matches:
    own = votes.only(lattice.votes)
    return lattice.middles + np.float32(tile_share) * _drawn(lattice, own), own.points


def _drawn(lattice: Lattice, own: Votes) -> Points:
    """Where the tiles have the features that agree with a lattice, from their middles (n, 2)."""
    return turned(own.offsets, floats(lattice.turns * np.pi / 2))


def _tile_share(lattice: Lattice, votes: Votes) -> float:
    own = votes.only(lattice.votes)
    _, tiles = np.unique(lattice.cells, axis=0, return_inverse=True)
    seen = transformed(own.points, np.linalg.inv(lattice.to_photo)) - lattice.middles
    return tile_share(tiles.ravel(), floats(seen), _drawn(lattice, own))
