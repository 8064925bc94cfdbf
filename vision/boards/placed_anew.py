"""Where a grid of free tiles lies, once it is known what its tiles show."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scoring.faces import Cell
from vision.arrays import floats, transformed
from vision.boards.compare import Comparison
from vision.boards.find import Found
from vision.boards.judge import Answer
from vision.boards.lattice import MANY_VOTES
from vision.boards.looks import TILE_PX
from vision.boards.places import Places, straightened
from vision.boards.tile_fit import TileFit

MOST_OFF = 0.04
"""If tiles lie further off their places than this, in tile edges, the grid is placed anew."""

CORNERS_OFF = 0.08
"""The same of the corners of tiles, which lie further off than their middles."""


def known_again(found: Found, places: Places, answers: Mapping[Cell, Answer]) -> Found:
    """The same grid with the rows and columns that are now known to belong to it.

    They have a tile that is sure, or many features speak for them; of tiles that something
    covers in part, no more may be made out.
    """
    sure = [places.middle(cell) for cell in places.cells if answers[cell].is_sure]
    if not sure:
        return found
    on_lattice = transformed(sure, found.surface.to_grid_from(places.surface))
    columns, rows = np.floor(on_lattice).T.astype(np.intp).tolist()
    ends: list[tuple[int, int]] = []
    for axis, seen in enumerate((rows, columns)):
        votes: dict[int, int] = {}
        for cell, count in found.votes.items():
            votes[cell[axis]] = votes.get(cell[axis], 0) + count
        lines = {*seen, *(line for line, count in votes.items() if count >= MANY_VOTES)}
        ends.append((min(lines), max(lines)))
    (top, bottom), (left, right) = ends
    cells = top, left, bottom, right
    return found if cells == found.cells else replace(found, cells=cells)


def fitted_anew(places: Places, fit: TileFit) -> Places:
    """A grid moved so that its tiles lie in their places; the same if they nearly do."""
    tile_share = 1 / places.pitch[0]
    smaller = fit.share(tile_share) / tile_share
    if smaller == 1 and fit.off <= CORNERS_OFF:
        return places
    surface = places.surface.moved(fit.plane).moved(np.diag([smaller, smaller, 1.0]))
    pitch = places.pitch[0] / smaller, places.pitch[1] / smaller
    return replace(places, surface=surface, pitch=pitch)


def placed_anew(
    places: Places, answers: Mapping[Cell, Answer], comparison: Comparison
) -> Places | None:
    """The grid moved and stretched so that its tiles lie in their places; None if they do."""
    sure = [n for n, cell in enumerate(places.cells) if answers[cell].is_sure]
    cells = places.cells
    before = floats([places.middle(cells[n]) for n in sure]).reshape(-1, 2)
    off = comparison.shifts[sure][:, ::-1].astype(np.float32) / TILE_PX
    surface = straightened(places, before, floats(before + off), MOST_OFF)
    return None if surface is None else replace(places, surface=surface)
