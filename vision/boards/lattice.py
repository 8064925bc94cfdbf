"""Free tiles, edge to edge: from single votes to grids.

A grid grows from the place where most votes agree, see ``lattice_growth``.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats, transformed
from vision.boards.agreement import Agreement, Likeness
from vision.boards.features import Votes
from vision.boards.lattice_growth import Lattice, distinct, grown
from vision.rectify import UNIT_SQUARE

SEED = Likeness(apart=0.2, turn=np.deg2rad(20), size=1.35)
"""How much the votes for one tile may differ."""
FEWEST_TO_GROW = 3
"""Votes for one tile with which a grid begins; of fewer hardly any ever became one."""
CERTAIN_A_TILE, FAIR_A_TILE, PLAIN_A_TILE = 2.5, 3.0, 5.5
CERTAIN_SHARE = 0.75
"""A grid with so many votes for each of its tiles, and so many of these, is one for certain; with
more it is fairly seen, or plain to see."""
LIKELY_SHARE = 0.5
"""A grid of so many tiles is one if each has plenty of votes, or if all are as large as those of
other grids."""
MANY_VOTES = 8
"""Features that speak for one row or column by no accident."""
FAINT_SEED, FAINT_VOTES, FAINT_A_TILE, FAINT_TILES = 2, 7, 1.2, 6
"""So little may be left of a grid far away, in the dark or under things: agreeing votes of one tile
and votes in all, votes a tile, and tiles."""
FEWEST_TILES = 4
SPARE = 3
FEWEST_A_TILE = 1.8
"""Votes, in the mean, of the tiles of a grid."""
LEAST_EXPLAINED, MOSTLY_EXPLAINED = 0.2, 0.5
"""Share of the votes on the tiles of a grid that agree with it. Of tiles that only happen to lie as
in a grid, with others between them, fewer do; with less than the latter they may."""
MOST_SHARED = 0.5
"""Share of a grid's votes that may lie on another grid, too."""
MOST_FORESHORTENED = 2.6
"""Longest side of a tile by the shortest one of its grid."""


def find_lattices(
    votes: Votes,
    most: int,
    tiles: tuple[int, int],
    fewest_votes: int,
    fewest_a_tile: float = FEWEST_A_TILE,
    fewest_to_grow: int = FEWEST_TO_GROW,
) -> list[Lattice]:
    """The grids that the votes speak of, the best supported ones first.

    A few more than there can be are given, as some may prove to be none.

    Args:
        votes: of single features.
        most: grids that there can be.
        tiles: rows and columns of a full grid; which is which does not count.
        fewest_votes: with fewer a grid is none.
        fewest_a_tile: votes of its tiles, in the mean.
        fewest_to_grow: votes for one tile with which a grid begins.
    """
    left = np.ones(len(votes), bool)
    agree = Agreement.of(votes, SEED)
    found: list[Lattice] = []
    certain = 0
    tries = 4 * most + 8
    while len(found) < most + SPARE and left.sum() >= fewest_votes and tries:
        tries -= 1
        seed = agree.largest(left)
        if len(seed) < fewest_to_grow or certain >= most:
            break
        numbers = np.flatnonzero(left)
        some = votes.only(numbers)
        lattice = grown(some, np.searchsorted(numbers, seed), tiles)
        if (
            lattice is not None
            and len(lattice.votes) >= fewest_votes
            and len(lattice.support) >= FEWEST_TILES
            and _is_plausible(lattice, fewest_a_tile)
        ):
            lattice = replace(lattice, votes=numbers[lattice.votes])
            inside = numbers[_inside(lattice, some)]
            if len(lattice.votes) >= LEAST_EXPLAINED * len(inside):
                found = _without_parts([*found, lattice], votes)
                certain = sum(is_certain(each, tiles) for each in found)
                is_grid = len(lattice.votes) >= MOSTLY_EXPLAINED * len(inside)
                left[inside if is_grid else lattice.votes] = False
        left[seed] = False
    return found


def _without_parts(found: Sequence[Lattice], votes: Votes) -> list[Lattice]:
    """Those that do not lie for the most part on a better supported one, which are given first."""
    kept: list[Lattice] = []
    for lattice in sorted(found, key=lambda lattice: -len(lattice.votes)):
        own = votes.only(lattice.votes)
        if all(_inside(other, own).mean() <= MOST_SHARED for other in kept):
            kept.append(lattice)
    return kept


def beside(votes: Votes, lattices: Sequence[Lattice]) -> Votes:
    """Those that lie on none of some grids."""
    left = np.ones(len(votes), bool)
    for lattice in lattices:
        left &= ~_inside(lattice, votes)
    return votes.only(left)


def is_certain(
    lattice: Lattice, tiles: tuple[int, int], fewest_a_tile: float = CERTAIN_A_TILE
) -> bool:
    """Whether a lattice is a grid and no accident."""
    full = tiles[0] * tiles[1]
    votes, cells = len(lattice.votes), len(lattice.support)
    if votes < fewest_a_tile * cells:
        return False
    is_plain = votes >= PLAIN_A_TILE * cells
    return cells >= (LIKELY_SHARE if is_plain else CERTAIN_SHARE) * full


def is_likely(lattice: Lattice, tiles: tuple[int, int]) -> bool:
    """Whether a lattice is a grid and no accident if its tiles are as large as those of others."""
    return len(lattice.support) >= LIKELY_SHARE * tiles[0] * tiles[1]


def faint_lattices(votes: Votes, tiles: tuple[int, int]) -> list[Lattice]:
    """What may be grids of which votes for tiles of the right size tell but little."""
    found = find_lattices(votes, 1, tiles, FAINT_VOTES, FAINT_A_TILE, FAINT_SEED)
    return [lattice for lattice in found if len(lattice.support) >= FAINT_TILES]


def _is_plausible(lattice: Lattice, fewest_a_tile: float) -> bool:
    """Whether a camera can see squares so, and enough votes speak for each of them."""
    cells = distinct(lattice.cells)[:, ::-1].astype(np.float32)
    if len(lattice.votes) < fewest_a_tile * len(cells):
        return False
    corners = [transformed(cells + floats(c), lattice.to_photo) for c in UNIT_SQUARE]
    along = corners[1] - corners[0], corners[2] - corners[3]
    down = corners[3] - corners[0], corners[2] - corners[1]
    lengths = np.array([np.linalg.norm(side, axis=1) for side in (*along, *down)])
    turn = along[0][:, 0] * down[0][:, 1] - along[0][:, 1] * down[0][:, 0]
    if float(turn.min()) <= 0:
        return False
    return float(lengths.max() / max(float(lengths.min()), 1e-6)) <= MOST_FORESHORTENED


def _inside(lattice: Lattice, votes: Votes) -> NDArray[np.bool_]:
    """Which votes lie on or beside the tiles of a lattice."""
    at = transformed(votes.points, np.linalg.inv(lattice.to_photo))
    low, high = lattice.cells.min(axis=0)[::-1], lattice.cells.max(axis=0)[::-1] + 1
    within: NDArray[np.bool_] = np.all((at > low - 0.2) & (at < high + 0.2), axis=1)
    return within
