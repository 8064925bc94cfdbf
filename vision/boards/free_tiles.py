"""Find the grids of free tiles in a photo: at a glance, or where that is not enough, closely."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Corners, Points, floats, transformed
from vision.boards.features import Votes, turned, votes_for
from vision.boards.gaps import tile_share
from vision.boards.known import KnownEdition
from vision.boards.lattice import (
    FAINT_A_TILE,
    FAIR_A_TILE,
    FEWEST_A_TILE,
    MANY_VOTES,
    MOST_SHARED,
    PLAIN_A_TILE,
    beside,
    faint_lattices,
    find_lattices,
    is_certain,
    is_likely,
)
from vision.boards.lattice_growth import Lattice
from vision.boards.one_table import OneTable, of_one_size
from vision.boards.photo_features import (
    is_dazzling,
    looked_at_closely,
    photo_features,
    size_wh,
)
from vision.boards.surface import Matches, Surface, fitted_surfaces
from vision.exposure import white_share
from vision.pyramid import Pyramid

AT_A_GLANCE_PX = 330_000.0
FEATURES_AT_A_GLANCE = 2000
"""Tiles that are plain to see need no more."""
WHITE_AT_A_GLANCE = 0.02
"""Share of a photo that is white with light from which on a city may lie there unseen."""
FEWEST_VOTES = 10
"""With fewer a grid is none."""
FEWEST_OF_ONE_SIZE = 2
"""So many grids of which none is certain on its own are so together, if all their tiles are of one
size."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
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
    ) -> "_Look":
        """What votes speak of, if so many grids are known already."""
        most, tiles = known.description.most_grids - besides, _tiles(known)
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


@dataclass(frozen=True, slots=True, eq=False)
class LaidTiles:
    """A grid of free tiles in a photo.

    Attributes:
        lattice: its tiles, and what speaks for them.
        surface: on which it lies.
        tile_share: edge of a tile as a share of the way from one to the next.
        is_likely: whether many of its tiles are as large as those of other grids.
        is_odd: whether they are larger or smaller than those of other grids tell.
    """

    lattice: Lattice
    surface: Surface
    tile_share: float
    is_likely: bool
    is_odd: bool


def find_free_tiles(picture: Pyramid, known: KnownEdition) -> list[LaidTiles]:
    """The grids of free tiles, the best supported first.

    A small copy of the photo shows most of them plainly. If it does not show all so, or light may
    hide one, the rest of the photo is looked at closely; so are grids of which a row may be hidden.
    """
    if known.small_tile_index is None or known.tile_index is None:
        return []
    dazzles = is_dazzling(picture)
    features = photo_features(picture, AT_A_GLANCE_PX, FEATURES_AT_A_GLANCE, is_dazzling=dazzles)
    glance = _Look.of(votes_for(known.small_tile_index, features), known)
    certain = _certain(glance.lattices, _tiles(known))
    if certain and _shows_all(picture, glance, certain, known):
        return _laid([_Look(glance.votes, certain, are_of_one_size=True)], known, picture)
    whole = [lattice for lattice in certain if _is_whole(lattice, _tiles(known))]
    outlines = [_outline(lattice) for lattice in whole]
    for features in looked_at_closely(picture, but_for=outlines, is_dazzling=dazzles):
        votes = votes_for(known.tile_index, features)
        if dazzles:
            # What little light leaves must be gathered; else more wrong votes than right ones are
            votes = votes.with_new(beside(glance.votes, whole))
        if certain:
            votes = OneTable.of(certain).only_on_it(votes)
        closer = _Look.of(votes, known, len(whole), are_of_one_size=bool(certain))
        if certain or closer.lattices:
            others = [lattice for lattice in certain if lattice not in whole]
            kept = whole + _off(others, glance.votes, closer.lattices)
            glanced = _Look(glance.votes, kept, are_of_one_size=True)
            return _laid([glanced, closer], known, picture)
    return []


def _off(some: Sequence[Lattice], votes: Votes, others: Sequence[Lattice]) -> list[Lattice]:
    """Those grids, of which these votes speak, that do not lie on others for the most part."""
    return [
        lattice
        for lattice in some
        if len(beside(votes.only(lattice.votes), others)) >= MOST_SHARED * len(lattice.votes)
    ]


def _certain(lattices: Sequence[Lattice], tiles: tuple[int, int]) -> list[Lattice]:
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


def _shows_all(
    picture: Pyramid, glance: _Look, certain: Sequence[Lattice], known: KnownEdition
) -> bool:
    """Whether nothing is likely to hide a grid besides those that a glance shows for certain."""
    tiles = _tiles(known)
    is_white = white_share(picture) > WHITE_AT_A_GLANCE
    if len(certain) >= known.description.most_grids:
        return not is_white or all(_is_whole(lattice, tiles) for lattice in certain)
    if is_white or any(lattice not in certain for lattice in glance.lattices):
        return False
    if all(is_certain(lattice, tiles, PLAIN_A_TILE) for lattice in certain):
        return True
    if any(len(lattice.votes) < FAIR_A_TILE * len(lattice.support) for lattice in certain):
        return False
    # Where these are not plain, those at the far end of a table or under things show but little
    left = OneTable.of(certain).only_on_it(beside(glance.votes, certain))
    return not faint_lattices(left, tiles)


def _tiles(known: KnownEdition) -> tuple[int, int]:
    """Rows and columns of a full grid."""
    return known.description.tile_rows, known.description.tile_columns


def _is_whole(lattice: Lattice, tiles: tuple[int, int]) -> bool:
    """Whether many votes speak for the first and the last row and column of a full grid."""
    top, left, bottom, right = lattice.extent
    if (bottom - top + 1, right - left + 1) not in (tiles, tiles[::-1]):
        return False
    rows, columns = lattice.cells.T
    ends = (rows == top, rows == bottom, columns == left, columns == right)
    return all(np.count_nonzero(end) >= MANY_VOTES for end in ends)


def _outline(lattice: Lattice) -> Corners:
    top, left, bottom, right = lattice.extent
    corners = [(left, top), (right + 1, top), (right + 1, bottom + 1), (left, bottom + 1)]
    return transformed(corners, lattice.to_photo)


def _laid(looks: Sequence[_Look], known: KnownEdition, picture: Pyramid) -> list[LaidTiles]:
    """The grids that several looks show, the best supported first, seen through one lens."""
    grids = [(lattice, look) for look in looks for lattice in look.lattices]
    shares = [_tile_share(lattice, look.votes) for lattice, look in grids]
    matches = [
        _matches(lattice, look.votes, share)
        for (lattice, look), share in zip(grids, shares, strict=True)
    ]
    surfaces = fitted_surfaces(matches, size_wh(picture.image))
    alike = of_one_size([lattice for lattice, _ in grids if is_certain(lattice, _tiles(known))])
    table = OneTable.of(alike) if alike else None
    laid = [
        LaidTiles(
            lattice,
            surface,
            share,
            is_likely=look.are_of_one_size and is_likely(lattice, _tiles(known)),
            is_odd=table is not None and lattice not in alike and not table.holds(lattice),
        )
        for (lattice, look), surface, share in zip(grids, surfaces, shares, strict=True)
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
