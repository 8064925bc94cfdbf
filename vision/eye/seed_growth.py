"""Growth of a grid from one detected tile, the seed, without a known camera.

Used where no grid of whole tiles of known faces shows the camera, and where none was found under
the camera that others show.

Where the joints of tiles hardly show, the locator detects a few of them, too far apart to be
connected. The embedder sees their corners all the same: camera and size of the tiles are fitted to
the block round a seed, which shows a known face, and the grid grows from there
(``vision.eye.growth``).

Frames: ``_px`` pixels of the decoded image; affine and cells as of ``vision.eye.camera``.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Masks, floats
from vision.editions.model import Model
from vision.eye.acceptance import NO_BACKGROUND, resembles_known_background
from vision.eye.camera import (
    Lattice,
    TableCamera,
    TableGeometry,
    cell_quads_px,
    cells_between,
    fit_camera,
)
from vision.eye.growth import (
    LARGE_BLOCK_ONLY,
    MAX_CORNER_STEP,
    MIN_BLOCK_WHOLE,
    MIN_KNOWN_SCORE,
    grow_grid,
)
from vision.eye.placement import CandidateGrid, predict_corners
from vision.eye.quads import distances_outside
from vision.eye.reference_similarity import known_tile_scores
from vision.patches.cut import Pyramid, embed_quads

MAX_SEEDS: Final = 4
"""Maximum number of detections that a grid is grown from, the likeliest first."""
NEIGHBOUR_STEPS: Final = floats([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""Steps right and down from a tile to its four neighbours, in tiles."""
MIN_NEIGHBOURS: Final = 2
"""Minimum number of these that show whole tiles of known faces where a tile lies in a grid; a
corner has as many. Smaller: loose tiles that touch cost as much as a grid; larger: grids partly
covered are lost."""
BLOCK_RADII: Final = (1, 2)
"""Cells to each side of the seed in the blocks that camera and size are fitted to, so that these
have 9, then 25 cells."""


def grow_from_tiles(
    pyramid: Pyramid, tile_quads_px: Floats, model: Model, background: Floats = NO_BACKGROUND
) -> CandidateGrid | None:
    """Grow grids from the likeliest detections of known faces, and return that of most support.

    Args:
        pyramid: Pyramid of the photo.
        tile_quads_px: Shape (n, 4, 2), detected tiles.
        model: Model of the edition.
        background: See ``grow_grid``.
    """
    if not len(tile_quads_px):
        return None
    scores = known_tile_scores(embed_quads(pyramid, tile_quads_px), model.references)
    seeds = np.argsort(-scores, kind="stable")[:MAX_SEEDS]
    grown = [
        found
        for seed in seeds[scores[seeds] >= MIN_KNOWN_SCORE].tolist()
        if (found := _grow_from(pyramid, tile_quads_px[seed], model, background)) is not None
    ]
    return max(grown, key=lambda each: each.support, default=None)


def find_tile_of_missed_grid(
    pyramid: Pyramid,
    tile_quads_px: Floats,
    known_quads_px: Sequence[Floats],
    model: Model,
    background: Floats = NO_BACKGROUND,
) -> Floats | None:
    """Return the detection (4, 2) that is likeliest to lie in a grid, by what its neighbours show.

    Args:
        pyramid: Pyramid of the photo.
        tile_quads_px: Shape (n, 4, 2), detected tiles.
        known_quads_px: Quads (4, 2) of known grids; what lies in these counts for no other.
        model: Model of the edition.
        background: See ``resembles_known_background``.
    """

    def rate(quads_px: Floats) -> Doubles:
        """Return the scores (n,) of quads (n, 4, 2); 0 in known grids and on the background."""
        scores = np.zeros(len(quads_px))
        new = np.flatnonzero(~_lie_inside(quads_px, known_quads_px))
        if len(new):
            embeddings = embed_quads(pyramid, quads_px[new])
            shown = known_tile_scores(embeddings, model.references)
            for n, score in enumerate(shown.tolist()):
                if not resembles_known_background(
                    embeddings.take(slice(n, n + 1)), background, model
                ):
                    scores[new[n]] = score
        return scores

    seed_quads_px = tile_quads_px[rate(tile_quads_px) >= MIN_KNOWN_SCORE]
    if not len(seed_quads_px):
        return None
    top_left, top_right, bottom_right, bottom_left = seed_quads_px.swapaxes(0, 1)
    right = (top_right + bottom_right - top_left - bottom_left) / 2
    down = (bottom_right + bottom_left - top_left - top_right) / 2
    steps_px = NEIGHBOUR_STEPS @ np.stack([right, down], axis=1)
    neighbour_quads_px = floats(seed_quads_px[:, None] + steps_px[:, :, None]).reshape(-1, 4, 2)
    neighbours = rate(neighbour_quads_px).reshape(len(seed_quads_px), -1)
    best = int(neighbours.sum(axis=1).argmax())
    is_in_grid = (neighbours[best] >= MIN_KNOWN_SCORE).sum() >= MIN_NEIGHBOURS
    return floats(seed_quads_px[best]) if is_in_grid else None


def _lie_inside(tile_quads_px: Floats, known_quads_px: Sequence[Floats]) -> Masks:
    """Return which tiles (n, 4, 2) have their middle in any of some quads (4, 2)."""
    middles_px = tile_quads_px.mean(axis=1).astype(np.float64)
    return np.asarray((distances_outside(known_quads_px, middles_px) <= 0).any(axis=0))


def _grow_from(
    pyramid: Pyramid, seed_quad_px: Floats, model: Model, background: Floats
) -> CandidateGrid | None:
    """Fit camera and size of the tiles to the block round a seed (4, 2), and grow its grid."""
    camera = TableCamera.looking_down(*pyramid.size_wh)
    corners = camera.to_affine(seed_quad_px)
    right = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    lattice = Lattice(np.stack([right, down, corners.mean(axis=0)]))
    for radius in BLOCK_RADII:
        cells = cells_between((-radius, -radius), (radius + 1, radius + 1))
        quads_px = cell_quads_px(camera, lattice, cells)
        embeddings = embed_quads(pyramid, quads_px)
        if embeddings.whole_probability.mean() < MIN_BLOCK_WHOLE or resembles_known_background(
            embeddings, background, model
        ):
            return None
        predicted = predict_corners(cells, quads_px, embeddings, MAX_CORNER_STEP)
        camera, (lattice,) = fit_camera(camera, [predicted])
    if np.linalg.det(lattice.gram) <= 0:
        return None
    geometry = TableGeometry.from_gram(camera, lattice.gram)
    return grow_grid(pyramid, geometry, lattice, LARGE_BLOCK_ONLY, model, background)
