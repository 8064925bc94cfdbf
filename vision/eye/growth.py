"""Growth of a grid from one tile, under a known camera and with a known size of tiles.

For a tile without these see ``vision.eye.seed_growth``.

A block of four cells, then of sixteen, then the whole grid are registered by the corners that the
embedder predicts.

Frames: ``_px`` pixels of the decoded image; affine and cells, see ``vision.eye.camera``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Doubles, Floats
from vision.editions.model import GridFormat, Model
from vision.eye.acceptance import NO_BACKGROUND, resembles_known_background
from vision.eye.camera import Lattice, TableGeometry, cell_quads_px, cells_between
from vision.eye.lattice import MIN_EXTENT_MARGIN, FoundGrids, LatticeGrid
from vision.eye.placement import (
    CandidateGrid,
    make_candidates,
    place_under_camera,
    predict_corners,
)
from vision.eye.reference_similarity import known_tile_scores
from vision.patches.cut import Pyramid, embed_quads
from vision.patches.embedding import Embeddings

OWN_SIZE_TILES: Final = 8
"""Number of tiles above which a grid may differ from the common tile size. Smaller: noise of few
corners changes the size; larger: far grids keep a size that does not fit."""
MAX_OWN_SIZE_DEVIATION: Final = 0.06
"""Maximum difference of a grid's own tile size from the common one, as a share; the camera is less
exact far from the grids that it was fitted to. Larger: other squares become grids; smaller: far
grids are not registered."""
MIN_BLOCK_WHOLE: Final = 0.3
"""Minimum mean probability of whole tiles in a block of cells; with less, the growth from this
lattice ends. Larger: grids under a hand are given up; smaller: cloth costs as much as a grid."""
LARGE_BLOCK_ONLY: Final = (2,)
"""Half side of a block of sixteen cells, for ``grow_grid`` from a lattice that fits well."""
SMALL_THEN_LARGE_BLOCK: Final = (1, 2)
"""Half sides of blocks of four, then sixteen cells, for ``grow_grid`` from an inexact lattice."""
RATED_TILES: Final = 4
"""Number of tiles of a block, those most like known faces, by which it is rated; a block round the
corner of a grid has as many."""
MIN_SEED_SCORE: Final = 0.15
"""Minimum score of a block before it is registered; with less, the growth from this lattice ends.
Blocks of four tiles of grids have 0.25 or more. Larger: blurred grids are lost without a word;
smaller: each position costs more."""
MIN_KNOWN_SCORE: Final = 0.4
"""Minimum score (``known_tile_scores``) of a tile that a grid is grown from, and minimum mean score
of a block's ``RATED_TILES`` before and after its last registration; with less, the growth ends.
Larger: blurred, dim and dazzled grids are lost without a word; smaller: cards and cloth cost as
much as a grid."""
REGISTERED_BLOCK_WHOLE: Final = 0.95
"""Mean probability of whole tiles at or above which a block is not registered again. Larger: more
blocks are embedded twice; smaller: grids grow from inexact blocks."""
MAX_CORNER_STEP: Final = 0.25
"""Maximum movement of a corner in one registration, in tile widths. Larger: a wrong corner moves
the block to the next tiles; smaller: hypotheses far off are not registered."""
MAX_EXTENT_BLOCKS: Final = 3
"""Maximum number of blocks of cells in which the extent of a grid is searched, one after the other.
Larger: each position costs more; smaller: a grid is placed off where the search began far from its
middle."""


def grow_grid(
    pyramid: Pyramid,
    geometry: TableGeometry,
    lattice: Lattice,
    half_sides: Sequence[int],
    model: Model,
    background: Floats = NO_BACKGROUND,
) -> CandidateGrid | None:
    """Register the grid round cell (0, 0) of a lattice by more and more of its tiles.

    The result is None if too few cells show whole tiles of known faces, or a block the background.

    Args:
        pyramid: Pyramid of the photo.
        geometry: Camera and tile size.
        lattice: Lattice to begin with.
        half_sides: Half sides, in cells, of the blocks by which to register, one after the other.
        model: Model of the edition.
        background: See ``resembles_known_background``.
    """
    for half_side in half_sides:
        cells = block_of_cells(half_side)
        lattice, block = _register_lattice(pyramid, geometry, lattice, cells)
        if (
            block.whole_probability.mean() < MIN_BLOCK_WHOLE
            or _best_known_score(block, model) < MIN_SEED_SCORE
            or resembles_known_background(block, background, model)
        ):
            return None
    if _best_known_score(block, model) < MIN_KNOWN_SCORE:
        return None
    if block.whole_probability.mean() < REGISTERED_BLOCK_WHOLE:
        lattice, _ = _register_lattice(pyramid, geometry, lattice, cells)
    block = embed_quads(pyramid, cell_quads_px(geometry.camera, lattice, cells))
    if _best_known_score(block, model) < MIN_KNOWN_SCORE:
        return None
    grid = _find_extent_of_known_tiles(pyramid, geometry, lattice, model)
    lattice, tiles = _register_lattice(pyramid, geometry, grid.lattice, grid.cells())
    if tiles.whole_probability.mean() < MIN_BLOCK_WHOLE:
        return None
    grid = replace(grid, lattice=lattice)
    camera, placed = place_under_camera(pyramid, FoundGrids(geometry.camera, (grid,)), model)
    return make_candidates(pyramid, camera, placed, model)[0]


def block_of_cells(half_side: int) -> Doubles:
    """Return the cells (n, 2) of a square block round a corner of cell (0, 0), by half its side."""
    return cells_between((-half_side, -half_side), (half_side, half_side))


def _best_known_score(block: Embeddings, model: Model) -> float:
    """Return the mean score of the ``RATED_TILES`` tiles of a block that are most like faces."""
    return float(np.sort(known_tile_scores(block, model.references))[-RATED_TILES:].mean())


def _register_lattice(
    pyramid: Pyramid, geometry: TableGeometry, lattice: Lattice, cells: Doubles
) -> tuple[Lattice, Embeddings]:
    """Turn and shift a lattice so that its cells fit the corners that the embedder predicts.

    Method: weighted orthogonal Procrustes.

    Returns:
        The lattice, and the embeddings of the cells before it was moved.
    """
    quads = cell_quads_px(geometry.camera, lattice, cells)
    embeddings = embed_quads(pyramid, quads)
    corners = predict_corners(cells, quads, embeddings, MAX_CORNER_STEP)
    seen = geometry.camera.to_affine(corners.points_px) @ np.linalg.inv(geometry.steps)
    cell_corners, weight = corners.cells, corners.weights[:, None]
    middle, seen_middle = ((v * weight).sum(axis=0) / weight.sum() for v in (cell_corners, seen))
    centred, centred_seen = cell_corners - middle, seen - seen_middle
    u, _, v = np.linalg.svd((centred * weight).T @ centred_seen)
    rotation = u @ np.diag([1.0, np.linalg.det(u @ v)]) @ v
    if len(cells) > OWN_SIZE_TILES:
        size = ((centred @ rotation) * centred_seen * weight).sum() / (centred**2 * weight).sum()
        rotation = rotation * float(
            np.clip(size, 1 - MAX_OWN_SIZE_DEVIATION, 1 + MAX_OWN_SIZE_DEVIATION)
        )
    shift = (seen_middle - middle @ rotation) @ geometry.steps
    return Lattice(np.vstack([rotation @ geometry.steps, shift[None]])), embeddings


class _Extent(NamedTuple):
    """Extent in a block of cells, and the sum of the scores of its cells."""

    score: float
    column: int
    row: int
    rows: int
    columns: int

    def is_inside_block(self, side: int) -> bool:
        """Return whether no cell lies at the edge of the block, a square of this side."""
        return 0 < self.column < side - self.columns and 0 < self.row < side - self.rows


def _find_extent_of_known_tiles(
    pyramid: Pyramid, geometry: TableGeometry, lattice: Lattice, model: Model
) -> LatticeGrid:
    """Find the extent of a grid's size with most whole tiles of known faces, near cell (0, 0).

    The block of cells that is scored follows the best extent; after ``MAX_EXTENT_BLOCKS`` blocks
    the best extent of the last one is taken, even at its edge.
    """
    side = max(model.grid_format.rows, model.grid_format.columns) + 2
    cells = cells_between((0, 0), (side, side))
    moved = np.full(2, -(side // 2))
    for _ in range(MAX_EXTENT_BLOCKS):
        first = moved
        quads_px = cell_quads_px(geometry.camera, lattice, first + cells)
        tile_scores = known_tile_scores(embed_quads(pyramid, quads_px), model.references).reshape(
            side, side
        )
        best, *others = _rate_extents(tile_scores, model.grid_format)
        if best.is_inside_block(side):
            break
        moved = first + np.array([best.column - 1, best.row - 1])
    _, x, y, rows, columns = best
    leads = [(best.score - each.score) / min(rows, columns) for each in others]
    rivals = tuple(
        (each.column - x, each.row - y)
        for each, lead in zip(others, leads, strict=True)
        if lead < MIN_EXTENT_MARGIN and (each.rows, each.columns) == (rows, columns)
    )
    matrix = lattice.matrix.copy()
    matrix[2] = lattice.to_affine(first + np.array([x, y]))
    return LatticeGrid(Lattice(matrix), (rows, columns), rivals)


def _rate_extents(tile_scores: Doubles, grid_format: GridFormat) -> list[_Extent]:
    """Return all extents of a grid's size in a block of scores (side, side), the best first."""
    side = len(tile_scores)
    extents = (
        _Extent(float(tile_scores[y : y + rows, x : x + columns].sum()), x, y, rows, columns)
        for rows, columns in {
            (grid_format.rows, grid_format.columns),
            (grid_format.columns, grid_format.rows),
        }
        for y in range(side + 1 - rows)
        for x in range(side + 1 - columns)
    )
    return sorted(extents, reverse=True)
