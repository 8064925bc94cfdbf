"""Tables of games without rules, known by their pictures alone: any tile may lie anywhere."""

import numpy as np

from vision.editions.description import Description
from vision.simulate.content import Content, GridContent, Slot, lying, shuffled

_FILLED = 0.8


def deal(rng: np.random.Generator, description: Description, most_missing: int) -> Content:
    """Grids of random tiles; printed boards are not filled wholly.

    Args:
        rng: decides all.
        description: of the game.
        most_missing: tiles that a grid of free tiles lacks at most.
    """
    grids = int(rng.integers(1, description.most_grids + 1))
    return Content(tuple(_grid(rng, description, most_missing) for _ in range(grids)), ())


def _grid(rng: np.random.Generator, description: Description, most_missing: int) -> GridContent:
    tall, wide = description.tile_cells
    plots = description.board.plots if description.board else frozenset()
    tiles_on_plots = {(row // tall, column // wide) for row, column in plots}
    names = [face.name for face in description.grid_faces]
    missing = int(rng.integers(1, most_missing + 1)) if most_missing else 0
    cells = [(r, c) for r in range(description.tile_rows) for c in range(description.tile_columns)]
    used = [cell for cell in cells if not plots or cell in tiles_on_plots]
    filled = _FILLED if description.board else 1.0
    used = [cell for cell in shuffled(rng, used)[missing:] if rng.random() < filled]
    tiles: list[list[str | None]] = [
        [None] * description.tile_columns for _ in range(description.tile_rows)
    ]
    for row, column in used:
        tiles[row][column] = names[int(rng.integers(len(names)))]
    grid = lying(rng, description, tiles)
    return GridContent(grid.tiles, grid.turns, slots=_in_slots(rng, description))


def _in_slots(rng: np.random.Generator, description: Description) -> dict[Slot, str]:
    places = description.board.slots if description.board else ()
    return {
        (slots.name, number): slots.faces[int(rng.integers(len(slots.faces)))]
        for slots in places
        for number in range(slots.count)
        if rng.random() < _FILLED
    }
