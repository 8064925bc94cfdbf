"""Detected tiles that lie in no grid: put into groups, and entered in the ledger.

Frames: ``_px`` pixels of the decoded image; detections are in pixels of the reduced image that the
locator saw.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, floats, median
from vision.editions.model import GridFormat, Model
from vision.eye.acceptance import (
    MIN_BEST_SIMILARITY,
    MIN_TYPICAL_SIMILARITY,
    find_whole_cells,
    may_be_grid,
)
from vision.eye.components import (
    MAX_LATTICE_OFFSET,
    MAX_NEIGHBOUR_GAP,
    MAX_NEIGHBOUR_SIZE_RATIO,
    MIN_COMPONENT_TILES,
)
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.locate import (
    MIN_TILE_PROBABILITY,
    Detections,
    LocatorOutput,
    reduced_to_image_px,
)
from vision.eye.placement import CandidateGrid
from vision.eye.quads import (
    coincides_with_any,
    crossed_edges,
    distances_outside,
)
from vision.eye.reference_similarity import drawing_support
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import MIN_WHOLE

MIN_GROUP_TILES: Final = 2.0
"""Minimum number of tiles in a group that is searched for a grid. Smaller: each left-over tile
costs a search; larger: a grid of which little is seen is lost."""
MIN_GRID_SHARE: Final = 0.3
"""Share of the tiles of a grid above which tiles of known faces in a group may be what is seen of
one. Larger: a grid of which little is seen is lost; smaller: left-over tiles are asked about."""
MIN_BEST_DRAWING_SUPPORT: Final = MIN_BEST_SIMILARITY
"""Minimum ``drawing_support`` of at least one tile of a group that may be a part of a grid; for a
whole tile it is its cosine, a similarity without colours."""
MIN_TYPICAL_DRAWING_SUPPORT: Final = MIN_TYPICAL_SIMILARITY
"""``drawing_support`` above which a tile of a group counts as one of a known face."""
OWN_TILE_DISTANCE: Final = 0.5
"""Distance up to which a detection beside a grid is one of its own tiles, in sides of the
detection. Larger: tiles of a further grid close by are lost; smaller: a grid's own rim is asked
about."""


@dataclass(frozen=True, slots=True, eq=False)
class DetectionGroup:
    """Detected tiles that lie together and in no grid.

    Attributes:
        quad_px: Shape (4, 2), smallest rectangle round the tiles.
        tile_count: Expected number of tiles: sum of their probabilities times areas, divided by the
            area of a tile.
        tile_quads_px: Shape (n, 4, 2), the detected tiles.
    """

    quad_px: Floats
    tile_count: float
    tile_quads_px: Floats


def find_leftovers(
    outputs: Sequence[LocatorOutput],
    known_quads_px: Sequence[Floats],
    model: Model,
    own_tile_distance: float = OWN_TILE_DISTANCE,
) -> list[DetectionGroup]:
    """Group the tiles that any output shows outside known regions, those of the last run first.

    Args:
        outputs: Outputs of the locator, that of the finest image last.
        known_quads_px: Quads (4, 2) of known regions.
        model: Model of the edition.
        own_tile_distance: See ``find_leftovers_of_output``.
    """
    areas = [cv2.contourArea(quad) for quad in known_quads_px]
    tile_px = float(
        np.sqrt(min(areas, default=0.0) / (model.grid_format.rows * model.grid_format.columns))
    )
    detections_across = 2.0 if model.grid_format.quarters_look_like_tiles and not tile_px else 1.0
    groups: list[DetectionGroup] = []
    for output in reversed(outputs):
        known = [*known_quads_px, *(each.quad_px for each in groups)]
        groups += find_leftovers_of_output(
            output.detections,
            output.reduction_xy,
            known,
            tile_px,
            detections_across,
            own_tile_distance,
        )
    return groups


def find_leftovers_of_output(
    detections: Detections,
    reduction_xy: Floats,
    known_quads_px: Sequence[Floats],
    min_tile_px: float,
    detections_across: float = 1.0,
    own_tile_distance: float = OWN_TILE_DISTANCE,
) -> list[DetectionGroup]:
    """Group the tiles of one output of the locator that lie outside known regions.

    Args:
        detections: Detections in pixels of the reduced image.
        reduction_xy: Pixels of the decoded image to one of the reduced one, along x and y.
        known_quads_px: Quads (4, 2) of known regions.
        min_tile_px: Least side of a tile on this table in the image; smaller detections are parts
            of one. 0 if no tile is known to measure by.
        detections_across: Detections along a side of a tile; more than 1 where each quarter of a
            tile may be detected as one.
        own_tile_distance: Distance beyond a quad up to which its own tiles may be detected, in
            sides of the detection; 0 counts these as left over, too.
    """
    points_px = reduced_to_image_px(detections.centres, reduction_xy).astype(np.float64)
    sizes_px = detections.sizes * float(reduction_xy.mean())
    free = detections.tile_probability > MIN_TILE_PROBABILITY
    free &= (distances_outside(known_quads_px, points_px) > own_tile_distance * sizes_px).all(
        axis=0
    )
    tiles = np.flatnonzero(free)
    if not len(tiles):
        return []
    points, sizes = points_px[tiles], sizes_px[tiles]
    edges_px = detections.edges[tiles] * reduction_xy
    quads_px = floats(points[:, None] + (UNIT_SQUARE - 0.5) @ edges_px)
    distance = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) / np.sqrt(
        sizes[:, None] * sizes
    )
    near = (distance < 1 + MAX_NEIGHBOUR_GAP) & (distance > 1 - MAX_LATTICE_OFFSET)
    near &= np.abs(np.log(sizes[:, None] / sizes)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    groups: list[DetectionGroup] = []
    ungrouped = np.ones(len(tiles), bool)
    for seed in range(len(tiles)):
        if not ungrouped[seed]:
            continue
        group = np.zeros(len(tiles), bool)
        group[seed] = True
        while True:
            wider = (near[group].any(axis=0) & ungrouped) | group
            if (wider == group).all():
                break
            group = wider
        ungrouped &= ~group
        side_px = max(min_tile_px, detections_across * float(median(sizes[group])))
        count = float((detections.tile_probability[tiles] * sizes**2)[group].sum()) / side_px**2
        corners = (
            points[group][:, None]
            + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sizes[group][:, None, None] / 2
        )
        quad = floats(cv2.boxPoints(cv2.minAreaRect(floats(corners.reshape(-1, 2)))))
        groups.append(DetectionGroup(quad, count, quads_px[group]))
    return groups


def account_for_leftovers(
    pyramid: Pyramid,
    outputs: Sequence[LocatorOutput],
    grid_quads_px: Sequence[Floats],
    unconfirmed: Sequence[CandidateGrid],
    model: Model,
    ledger: Ledger,
) -> None:
    """Enter in the ledger each detection outside grids read, unread regions and face-down piles.

    Detections in other rejected grids are examined on their own: such a grid may have been placed
    off a real one, and hold its tiles.

    Args:
        pyramid: Pyramid of the photo.
        outputs: All outputs of the locator.
        grid_quads_px: Corners (4, 2) of the grids that were read.
        unconfirmed: Further grids that a search found and that are not confirmed (``grid_grades``).
        model: Model of the edition.
        ledger: Ledger to add to.
    """
    for each in unconfirmed:
        if not coincides_with_any(each.corners_px, grid_quads_px) and may_be_grid(
            pyramid, each, find_whole_cells(pyramid, each), model
        ):
            ledger.leave_unread(each.corners_px)
    explained_quads_px = [
        *ledger.unread,
        *(each.quad_px for each in ledger.rejected if each.reason is RejectionReason.FACE_DOWN),
    ]
    min_tiles = MIN_GRID_SHARE * model.grid_format.rows * model.grid_format.columns
    for group in find_leftovers(outputs, [*grid_quads_px, *explained_quads_px], model):
        if _may_be_part_of_grid(pyramid, group, model, min_tiles):
            ledger.leave_unread(group.quad_px)
        elif group.tile_count > min_tiles:
            ledger.reject(group.quad_px, RejectionReason.NO_KNOWN_FACE)
        else:
            ledger.reject(group.quad_px, RejectionReason.TOO_FEW_TILES)
    for group in find_leftovers(
        outputs, [*grid_quads_px, *ledger.quads_px], model, own_tile_distance=0.0
    ):
        ledger.reject(group.quad_px, RejectionReason.EDGE_OF_GRID)


def _may_be_part_of_grid(
    pyramid: Pyramid, group: DetectionGroup, model: Model, min_tiles: float
) -> bool:
    """Return whether a group may be the visible part of a grid, judged by its known faces.

    More than ``min_tiles`` of its tiles show some, or a few that the edge of the image may cut off
    from the rest. Left-over tiles on a patterned cloth or beside a face-down pile are neither.
    """
    if group.tile_count < MIN_GROUP_TILES:
        return False
    tile_quads_px, size_wh = group.tile_quads_px, pyramid.size_wh
    # The next row may be out of the image but for a strip that is not detected
    with_next_px = points_in_quads(tile_quads_px, 3 * UNIT_SQUARE - 1)
    is_at_edge = len(tile_quads_px) >= MIN_COMPONENT_TILES and crossed_edges(
        with_next_px.reshape(-1, 2), size_wh
    )
    if group.tile_count <= min_tiles and not is_at_edge:
        return False
    embeddings = embed_quads(pyramid, tile_quads_px)
    support = drawing_support(embeddings, model.references)
    if support.max() < MIN_BEST_DRAWING_SUPPORT:
        return False
    is_known = support > MIN_TYPICAL_DRAWING_SUPPORT
    if group.tile_count * is_known.mean() > min_tiles:
        return True
    order = np.argsort(-support, kind="stable")
    shown_quads_px = tile_quads_px[order[embeddings.whole_probability[order] > MIN_WHOLE]]
    return bool(
        is_at_edge
        and is_known.sum() >= MIN_COMPONENT_TILES
        and may_continue_beyond_edge(shown_quads_px, size_wh, model.grid_format)
    )


def may_continue_beyond_edge(
    tile_quads_px: Floats, size_wh: tuple[int, int], grid_format: GridFormat
) -> bool:
    """Return whether tiles may be all that an image shows of a grid that its edge cuts off.

    They are if the grid can lie so that each place without a tile is beyond the edge, in part at
    least. For grids that were placed see ``recognise.may_lie_further_out``.

    Args:
        tile_quads_px: Shape (n, 4, 2), tiles that lie together, n > 0.
        size_wh: Size of the image.
        grid_format: Format of the grid.
    """
    first = tile_quads_px[0]
    steps = np.stack([first[1] - first[0], first[3] - first[0]]).astype(np.float64)
    middles = tile_quads_px.mean(axis=1) - first.mean(axis=0)
    cells = np.rint(middles @ np.linalg.inv(steps)).astype(int)
    taken = set(map(tuple, cells.tolist()))
    (left, top), (right, bottom) = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
    for rows, columns in {
        (grid_format.rows, grid_format.columns),
        (grid_format.columns, grid_format.rows),
    }:
        for x, y in product(
            range(right - columns + 1, left + 1), range(bottom - rows + 1, top + 1)
        ):
            places = set(product(range(x, x + columns), range(y, y + rows))) - taken
            corners = np.array(list(places), float).reshape(-1, 1, 2) + UNIT_SQUARE
            quads_px = corners @ steps + first[0]
            if not ((quads_px > 0) & (quads_px < size_wh)).all(axis=(1, 2)).any():
                return True
    return False
