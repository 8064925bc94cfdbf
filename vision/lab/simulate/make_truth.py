"""Ground truth of a simulated table, ready for JSON; docs/ground-truth.md describes its form."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Image, Points, darkest_channel, floats
from vision.editions.description import Description
from vision.eye.white_areas import WHITE
from vision.lab.simulate.content import cell_grid
from vision.lab.simulate.laying import LaidGrid, LaidStray, LaidTable, cell_corners

COVERED_FROM: Final = 0.05
"""Minimum hidden share of a tile that counts as covered."""


def make_truth(
    table: LaidTable, grids: Sequence[LaidGrid], strays: Sequence[LaidStray], image: Image
) -> dict[str, Any]:
    """Return the ground truth of a table with all things laid.

    Args:
        table: Table with its camera.
        grids: Grids on the table.
        strays: Left-over tiles.
        image: Photo of the table.
    """
    description = table.edition.description
    blown = (darkest_channel(image) >= WHITE).astype(np.float32)
    return {
        "game": description.game,
        "edition": description.name,
        "rows": description.rows,
        "cols": description.columns,
        "any_rotation": description.any_grid_turn,
        "cities": [_grid_truth(table, grid, blown) for grid in grids],
        "stray_tiles": [
            {"face": stray.face, "corners_px": _seen(table, stray.corners)} for stray in strays
        ],
    }


def _grid_truth(table: LaidTable, grid: LaidGrid, blown: FloatImage) -> dict[str, Any]:
    description, content = table.edition.description, grid.content
    camera = table.camera
    down, across = description.tile_cells
    cells = list(np.ndindex(description.rows, description.columns))
    known = floats([cell_corners(table, grid, cell) for cell in cells])
    quads_px = camera.to_photo_px(known.reshape(-1, 2)).reshape(known.shape)
    ideal_px = camera.to_ideal_px(known.reshape(-1, 2)).reshape(known.shape)
    tile_of = {(row, column): (row // down, column // across) for row, column in cells}
    seen = dict(zip(cells, quads_px, strict=True))
    visible = {
        cell: _visible(table, quad_px) for cell, quad_px in zip(cells, ideal_px, strict=True)
    }
    kinds = dict(content.tokens)
    tiles = [grid.tiles.get(cell) for cell in np.ndindex(grid.pose.rows, grid.pose.columns)]
    return {
        "corners_px": _seen(table, _outer_corners(grid, description)),
        "grid": [list(row) for row in cell_grid(description, content)],
        "tiles": [list(row) for row in content.tiles],
        "turns": [list(row) for row in content.turns],
        "duplexes": [[list(cell) for cell in pair] for pair in content.duplexes],
        "tile_corners_px": [None if each is None else _seen(table, each) for each in tiles],
        "tokens": [
            {"at": list(cell), "kind": kinds[cell], "foot_px": _seen(table, floats([foot]))[0]}
            for cell, foot in sorted(grid.feet.items())
        ],
        "beside": [
            {
                "place": piece.container,
                "number": piece.number,
                "face": piece.face,
                "corners_px": _seen(table, piece.corners),
                "in_heap": piece.in_heap,
                "visible_share": _visible(table, camera.to_ideal_px(piece.corners)),
            }
            for piece in grid.pieces
        ],
        "visible_share": list(visible.values()),
        "blown_share": [round(_share_inside(blown, quad), 3) for quad in seen.values()],
        "occluded": [list(cell) for cell, share in visible.items() if share < 1 - COVERED_FROM],
        "outside": [
            list(cell) for cell, quad in seen.items() if _lies_outside(quad, camera.lens.size_wh)
        ],
        "turned": [[*cell, turns] for cell, turns in sorted(grid.wrong.items()) if turns],
        "askew": _cells(tile_of, [cell for cell, turns in grid.wrong.items() if not turns]),
        "missing": _cells(tile_of, [cell for cell in tile_of.values() if cell not in grid.tiles]),
    }


def _seen(table: LaidTable, points: Points) -> list[list[float]]:
    """Project points of the plane to the photo."""
    seen = table.camera.to_photo_px(points).astype(float)
    return [[round(x, 2), round(y, 2)] for x, y in seen.tolist()]


def _visible(table: LaidTable, quad_px: Corners) -> float:
    """Return the share of a quad of the ideal picture that nothing hides."""
    return round(1 - _share_inside(table.hidden, quad_px), 3)


def _cells(tile_of: Mapping[Cell, Cell], tiles: Sequence[Cell]) -> list[list[int]]:
    """Return the cells that some tiles, or places for tiles, cover."""
    return [list(cell) for cell, tile in tile_of.items() if tile in tiles]


def _outer_corners(grid: LaidGrid, description: Description) -> Corners:
    """Return the corners of a grid: of its outer tiles, or of the outer cells of a board."""
    pose, board = grid.pose, description.board
    if board is not None:
        width, height = board.cell_mm
        left, top = board.first_cell_mm[0] - width / 2, board.first_cell_mm[1] - height / 2
        right, bottom = left + width * description.columns, top + height * description.rows
        return pose.area(left, top, right, bottom)
    outer = enumerate(pose.corner_cells)
    return floats([grid.tiles.get(cell, pose.tile(cell))[corner] for corner, cell in outer])


def _share_inside(mask: FloatImage, quad_px: Corners) -> float:
    """Return the mean of a mask (h, w) over a quad; it counts as 0 outside the picture."""
    low = np.floor(quad_px.min(axis=0)).astype(int)
    high = np.ceil(quad_px.max(axis=0)).astype(int) + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, mask.shape[1::-1])
    if x1 <= x0 or y1 <= y0:
        return 0.0
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.rint(quad_px - floats([x0, y0])).astype(np.int32), 1)
    area = max(float(cv2.contourArea(quad_px)), 1.0)
    return min(1.0, float((mask[y0:y1, x0:x1] * inside).sum()) / max(area, float(inside.sum())))


def _lies_outside(quad_px: Corners, size_wh: tuple[int, int]) -> bool:
    """Return whether a part of a quad lies outside the picture."""
    low, high = quad_px.min(axis=0), quad_px.max(axis=0)
    return bool((low < -0.5).any() or (high > np.subtract(size_wh, 0.5)).any())
