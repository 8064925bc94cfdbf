"""How large the tiles of a grid are, compared with their places, once it is known what they show.

Method: B. Lucas and T. Kanade, "An Iterative Image Registration Technique with an Application to
Stereo Vision", IJCAI 1981, for size alone: a picture that is shown a little smaller differs by its
slopes, multiplied by how far from the middle they are.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.faces import Cell
from vision.arrays import floats
from vision.boards.gaps import LEAST, MOST
from vision.boards.grid_compared import ComparedGrid
from vision.boards.judge import Answer
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import STRIDE_PX, TILE_PX, Vectors, looks_of
from vision.boards.windows import corners_about

FEWEST_TILES = 4
"""So many tiles tell their size together, to about a hundredth."""
SMALLER = 0.02
"""Tiles that seem smaller by this share than they were taken to be have other gaps than usual."""


def share_seen(
    seen: ComparedGrid,
    cells: Sequence[Cell],
    answers: Mapping[Cell, Answer],
    known: KnownEdition,
    tile_share: float,
) -> float:
    """The edge of the tiles as a share of the way from one to the next; as it was, if it fits.

    Args:
        seen: the grid.
        cells: its places in order.
        answers: for each of them; the sure ones tell.
        known: the edition.
        tile_share: what it was taken to be.
    """
    numbers = [
        n
        for n, cell in enumerate(cells)
        if answers[cell].is_sure and answers[cell].face is not None
    ]
    if len(numbers) < FEWEST_TILES:
        return tile_share
    corners = corners_about([seen.at[n] for n in numbers]) + seen.comparison.shifts[numbers]
    pictures = seen.table[numbers].argmin(axis=1)
    other = looks_of(seen.sheet.tiles(corners)).texture - known.in_grid.looks.texture[pictures]
    change = _change_with_size(known)[pictures]
    larger = float((other * change).sum() / (change * change).sum())
    if larger > -SMALLER:
        return tile_share
    return min(max(tile_share * (1 + larger), LEAST), MOST)


@kept
def _change_with_size(known: KnownEdition) -> Vectors:
    """By how much the texture (n, d) of each picture changes as it grows, for the size itself."""
    side = TILE_PX // STRIDE_PX
    pictures = known.in_grid.looks.texture.reshape(-1, 3, side, side)
    down, across = np.gradient(pictures, axis=(2, 3))
    away = np.arange(side) - (side - 1) / 2
    return floats(-(across * away + down * away[:, None])).reshape(len(pictures), -1)
