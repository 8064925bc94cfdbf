"""The ground truth of a simulated table of a game known by pictures, ready for JSON.

Its form, which is described in docs/figures.md, is that of ``vision.simulate.truth`` with further
keys; cells are those of the grid as its rules count them, tiles may cover several.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Image, Points, floats
from vision.editions.description import Description
from vision.simulate.boards.content import cell_grid
from vision.simulate.boards.laid import LaidGrid, LaidStray
from vision.simulate.boards.laying import Tabletop, cell_corners
from vision.simulate.lens import Lens
from vision.simulate.mishaps import lies_outside, share_inside
from vision.simulate.truth import BLOWN, COVERED_FROM

_SIDES: Final = ((0, 0), (0, 1), (1, 1), (1, 0))


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """What is needed to say where things are seen, and how well."""

    table: Tabletop
    lens: Lens
    blown: FloatImage

    def ideal(self, corners: Points) -> Points:
        return self.table.camera.pixels(corners)

    def seen(self, corners: Points) -> Points:
        return self.lens.seen(self.ideal(corners))

    def covered(self, corners: Corners) -> float:
        return share_inside(self.table.hidden, self.ideal(corners))


def board_truth(
    table: Tabletop,
    grids: Sequence[LaidGrid],
    strays: Sequence[LaidStray],
    lens: Lens,
    image: Image,
) -> dict[str, Any]:
    """The truth of a table.

    Args:
        table: with all things laid.
        grids: that lie on it.
        strays: left-over tiles.
        lens: through which the table was seen.
        image: the photo.
    """
    description = table.edition.description
    photo = _Photo(table, lens, (image.min(axis=2) >= BLOWN).astype(np.float32))
    return {
        "game": description.game,
        "edition": description.name,
        "rows": description.rows,
        "cols": description.columns,
        "any_rotation": description.board is None,
        "cities": [_grid_truth(photo, grid, description) for grid in grids],
        "stray_tiles": [
            {"face": stray.face, "corners_px": _points(photo.seen(stray.corners))}
            for stray in strays
        ],
    }


def _grid_truth(photo: _Photo, grid: LaidGrid, description: Description) -> dict[str, Any]:
    content, place = grid.content, grid.place
    tile_cells = [(r, c) for r in range(place.rows) for c in range(place.columns)]
    cells = [(r, c) for r in range(description.rows) for c in range(description.columns)]
    known = {cell: cell_corners(photo.table, grid, cell) for cell in cells}
    covered = {cell: photo.covered(corners) for cell, corners in known.items()}
    kinds = dict(content.tokens)
    return {
        "corners_px": _points(photo.seen(_outer_corners(grid, description))),
        "grid": [list(row) for row in cell_grid(description, content)],
        "tiles": [list(row) for row in content.tiles],
        "turns": [list(row) for row in content.turns],
        "tile_corners_px": [
            _points(photo.seen(grid.tiles[cell])) if cell in grid.tiles else None
            for cell in tile_cells
        ],
        "tokens": [
            {
                "at": list(cell),
                "kind": kinds[cell],
                "foot_px": _points(photo.seen(floats([foot])))[0],
            }
            for cell, foot in sorted(grid.feet.items())
        ],
        "beside": [
            {
                "place": piece.place,
                "number": piece.number,
                "face": piece.face,
                "corners_px": _points(photo.seen(piece.corners)),
                "in_heap": piece.in_heap,
                "visible_share": round(1 - photo.covered(piece.corners), 3),
            }
            for piece in grid.pieces
        ],
        "visible_share": [round(1 - covered[cell], 3) for cell in cells],
        "blown_share": [
            round(share_inside(photo.blown, photo.seen(known[cell])), 3) for cell in cells
        ],
        "occluded": [list(cell) for cell in cells if covered[cell] > COVERED_FROM],
        "outside": _outside(photo, known),
        "askew": [list(cell) for cell in cells if _tile_of(description, cell) in grid.askew],
        "missing": [list(cell) for cell in cells if _tile_of(description, cell) not in grid.tiles],
    }


def _tile_of(description: Description, cell: Cell) -> Cell:
    """Row and column of the tile that covers a cell."""
    down, across = description.tile_cells
    return cell[0] // down, cell[1] // across


def _outside(photo: _Photo, known: dict[Cell, Corners]) -> list[list[int]]:
    return [
        list(cell)
        for cell, corners in known.items()
        if lies_outside(photo.seen(corners), photo.lens.size_wh)
    ]


def _outer_corners(grid: LaidGrid, description: Description) -> Corners:
    """The corners of the grid: of its outer tiles, or on a board of its outer cells."""
    place = grid.place
    if description.board is not None:
        board = description.board
        width, height = board.cell_mm
        first = floats(board.first_cell_mm) - floats([width, height]) / 2
        size = floats([width * description.columns, height * description.rows])
        return place.frame.placed([first + floats([right, down]) * size for down, right in _SIDES])
    bottom, right = place.rows - 1, place.columns - 1
    outer = []
    for corner, cell in enumerate(((0, 0), (0, right), (bottom, right), (bottom, 0))):
        outer.append(grid.tiles.get(cell, place.tile(cell))[corner])
    return floats(outer)


def _points(corners: Points) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in corners]
