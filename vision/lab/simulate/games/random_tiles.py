"""Tables of random tiles, for games without a dealer of their own: any tile may lie anywhere."""

from dataclasses import replace

import numpy as np

from vision.editions.description import Description
from vision.lab.simulate.content import Content, GridContent, in_random_turns, shuffle
from vision.lab.simulate.drawing import Rng, one_of

_FILLED = 0.8


def deal(rng: Rng, description: Description, most_missing: int) -> Content:
    """Deal grids of random tiles, with up to a number of gaps; printed boards stay partly empty."""
    grids = int(rng.integers(1, description.most_grids + 1))
    return Content(tuple(_grid(rng, description, most_missing) for _ in range(grids)), ())


def _grid(rng: Rng, description: Description, most_missing: int) -> GridContent:
    (tall, wide), board = description.tile_cells, description.board
    names = [face.name for face in description.grid_faces]
    missing = int(rng.integers(1, most_missing + 1)) if most_missing else 0
    cells = list(np.ndindex(description.tile_rows, description.tile_columns))
    plots = {(row // tall, column // wide) for row, column in board.plots} if board else set(cells)
    used = shuffle(rng, [cell for cell in cells if cell in (plots or cells)])[missing:]
    filled = {cell for cell in used if rng.random() < (_FILLED if board else 1.0)}
    tiles = [one_of(rng, names) if cell in filled else None for cell in cells]
    slots = {
        (slot.name, number): one_of(rng, slot.faces)
        for slot in (board.slots if board else ())
        for number in range(slot.count)
        if rng.random() < _FILLED
    }
    return replace(in_random_turns(rng, description, tiles), slots=slots)
