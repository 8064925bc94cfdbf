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
CERTAIN_A_TILE = 4.0
CERTAIN_SHARE = 0.75
"""A grid with so many votes for each of its tiles, and so many of these, is one for certain."""
FEWEST_TILES = 4
SPARE = 3
FEWEST_A_TILE = 1.8
LEAST_AGREEING, MOSTLY_AGREEING = 0.2, 0.4
"""Share of the votes on and beside the tiles of a grid that agree with it, usually and plainly."""
MANY_ALIKE = 12
"""So many votes for one tile may be those of another grid."""
MOST_SHARED = 0.5
"""Share of the votes of a grid that may lie on another one which has more."""
MOST_FORESHORTENED = 2.6
"""Longest side of a tile by the shortest one of its grid."""


def find_lattices(
    votes: Votes, most: int, tiles: tuple[int, int], fewest_votes: int
) -> list[Lattice]:
    """The grids that the votes speak of, the best supported ones first.

    A few more than there can be are given, as some may prove to be none.

    Args:
        votes: of single features.
        most: grids that there can be.
        tiles: rows and columns of a full grid; which is which does not count.
        fewest_votes: with fewer a grid is none.
    """
    left = np.ones(len(votes), bool)
    agree = Agreement.of(votes, SEED)
    alike = np.bincount(agree.one, minlength=len(votes))
    found: list[Lattice] = []
    certain = 0
    tries = 4 * most + 8
    while len(found) < most + SPARE and left.sum() >= fewest_votes and tries:
        tries -= 1
        seed = agree.largest(left)
        if len(seed) < FEWEST_TO_GROW:
            break
        if certain >= most:
            break
        numbers = np.flatnonzero(left)
        some = votes.only(numbers)
        lattice = grown(some, np.searchsorted(numbers, seed), tiles)
        if (
            lattice is not None
            and len(lattice.votes) >= fewest_votes
            and len(lattice.support) >= FEWEST_TILES
            and _is_plausible(lattice)
        ):
            lattice = replace(lattice, votes=numbers[lattice.votes])
            inside = np.flatnonzero(_inside(lattice, votes))
            agreeing = len(lattice.votes) / max(len(inside), 1)
            if agreeing >= LEAST_AGREEING:
                found = _with(found, lattice, votes)
                certain += _is_certain(lattice, tiles)
            # Of what lies there but is no part of it, only the tiles of another grid may tell more
            is_done = (agreeing >= MOSTLY_AGREEING) | (alike[inside] < MANY_ALIKE)
            left[inside[is_done]] = False
            left[lattice.votes] = False
        left[seed] = False
    return sorted(found, key=lambda lattice: -len(lattice.votes))


def _with(found: Sequence[Lattice], new: Lattice, votes: Votes) -> list[Lattice]:
    """The grids with another one; of two that share their place, the one with more votes.

    From a stray tile, or the pattern of a cloth, a lattice may grow right across a city.
    """
    kept: list[Lattice] = []
    for other in found:
        less, more = sorted((other, new), key=lambda lattice: len(lattice.votes))
        if _inside(more, votes)[less.votes].mean() <= MOST_SHARED:
            kept.append(other)
        elif more is other:
            return list(found)
    return [*kept, new]


def _is_certain(lattice: Lattice, tiles: tuple[int, int]) -> bool:
    """Whether a lattice is a grid and no accident."""
    full = tiles[0] * tiles[1]
    votes, cells = len(lattice.votes), len(lattice.support)
    return cells >= CERTAIN_SHARE * full and votes >= CERTAIN_A_TILE * cells


def _is_plausible(lattice: Lattice) -> bool:
    """Whether a camera can see squares so, and enough votes speak for each of them."""
    cells = distinct(lattice.cells)[:, ::-1].astype(np.float32)
    if len(lattice.votes) < FEWEST_A_TILE * len(cells):
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
