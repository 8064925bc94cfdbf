"""Grids grown from one detected tile, without a known camera.

Used where no grid was fitted, and where none was found under the fitted camera.

Where the joints of tiles hardly show, the locator detects a few of them, too far apart to be
connected. The embedder sees their corners all the same: camera and size of the tiles are fitted to
the block round one that shows a known face, and the grid grows from there (``vision.eye.growth``).

Frames: ``_px`` photo pixels; affine and cells as of ``vision.eye.camera``.
"""

from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.editions.model import Model
from vision.eye.acceptance import NO_BACKGROUND, shows_background
from vision.eye.camera import (
    Correspondences,
    Lattice,
    TableCamera,
    TableGeometry,
    cell_quads_px,
    cells_between,
    fit_camera,
)
from vision.eye.growth import LARGE_BLOCK_ONLY, MAX_CORNER_STEP, MIN_BLOCK_WHOLE, grow_grid
from vision.eye.identify import known_tile_scores
from vision.eye.placement import MIN_CORNER_WEIGHT, MatchedGrid
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads

MIN_SEED_SCORE: Final = 0.4
"""Least score (``known_tile_scores``) of a detection that a grid is grown from. Smaller: cards and
cloth cost as much as a grid; larger: blurred and dim grids are lost."""
MAX_SEEDS: Final = 4
"""Most detections that a grid is grown from, the likeliest first."""
BLOCK_RADII: Final = (1, 2)
"""Cells to each side of the first tile of the blocks that camera and size are fitted to."""


def grow_from_tiles(
    pyramid: Pyramid, tiles_px: Floats, model: Model, background: Floats = NO_BACKGROUND
) -> MatchedGrid | None:
    """Grow the grid round the likeliest detection of a known face that lies in one.

    Args:
        pyramid: Pyramid of the photo.
        tiles_px: Shape (n, 4, 2), detected tiles.
        model: Model of the edition.
        background: See ``grow_grid``.
    """
    if not len(tiles_px):
        return None
    scores = known_tile_scores(embed_quads(pyramid, tiles_px), model.references)
    seeds = np.argsort(-scores, kind="stable")[:MAX_SEEDS]
    grown = [
        found
        for seed in seeds[scores[seeds] >= MIN_SEED_SCORE].tolist()
        if (found := _grow_from(pyramid, tiles_px[seed], model, background)) is not None
    ]
    return max(grown, key=lambda each: each.support, default=None)


def _grow_from(
    pyramid: Pyramid, tile_px: Floats, model: Model, background: Floats
) -> MatchedGrid | None:
    """Fit camera and size of the tiles to the block round a tile, and grow its grid."""
    height, width = pyramid.level(0).shape[:2]
    camera = TableCamera.looking_down(width, height)
    corners = camera.to_affine(tile_px)
    right = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    lattice = Lattice(np.stack([right, down, corners.mean(axis=0)]))
    for radius in BLOCK_RADII:
        cells = cells_between((-radius, -radius), (radius + 1, radius + 1))
        quads_px = cell_quads_px(camera, lattice, cells)
        embeddings = embed_quads(pyramid, quads_px)
        if embeddings.whole_probability.mean() < MIN_BLOCK_WHOLE or shows_background(
            embeddings, background, model
        ):
            return None
        seen = np.clip(embeddings.corner_offsets, -MAX_CORNER_STEP, MAX_CORNER_STEP)
        observed = Correspondences(
            (cells[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
            points_in_quads(quads_px, UNIT_SQUARE + seen).reshape(-1, 2).astype(float),
            np.repeat(np.clip(embeddings.whole_probability, MIN_CORNER_WEIGHT, 1), 4).astype(float),
        )
        camera, (lattice,) = fit_camera(camera, [observed])
    if np.linalg.det(lattice.gram) <= 0:
        return None
    geometry = TableGeometry.with_gram(camera, lattice.gram)
    return grow_grid(pyramid, geometry, lattice, LARGE_BLOCK_ONLY, model, background)
