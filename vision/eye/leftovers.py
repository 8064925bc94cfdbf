"""Detected tiles that lie in no grid: put into groups, and entered in the ledger.

Frames: ``_px`` photo pixels; detections are in pixels of the reduced image that the locator saw.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.editions.model import Model
from vision.eye.acceptance import MIN_BEST_SIMILARITY, stands_out
from vision.eye.identify import cosines
from vision.eye.lattice import (
    MAX_NEIGHBOUR_GAP,
    MAX_NEIGHBOUR_OFFSET,
    MAX_NEIGHBOUR_SIZE_RATIO,
)
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.locate import MIN_TILE_PROBABILITY, Detections, LocatorOutput
from vision.eye.placement import Candidate
from vision.eye.quads import (
    MIN_SAME_OVERLAP,
    distances_outside,
    is_same_as_any,
    overlap_share,
)
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads

MIN_GROUP_TILES: Final = 2.0
"""Least number of tiles in a group that is searched for a grid. Smaller: each left-over tile costs
a search; larger: a grid of which little is seen is lost."""
MIN_GRID_SHARE: Final = 0.3
"""Share of the tiles of a grid above which a group may be what is seen of one."""
MIN_UNREAD_WHOLE: Final = 0.6
"""Mean probability of whole tiles above which a grid that was not accepted is left unread."""
MIN_UNREAD_SIMILARITY: Final = 0.42
"""Mean similarity to known faces above which a grid that was not accepted is left unread. Smaller:
cloths are asked about; larger: dark or dazzled grids are not."""
OWN_TILE_DISTANCE: Final = 0.5
"""Distance up to which a detection beside a grid is one of its own tiles, in sides of the
detection."""


@dataclass(frozen=True, slots=True, eq=False)
class TileGroup:
    """Group of detected tiles that lie together and in no grid.

    Attributes:
        quad_px: Shape (4, 2), smallest rectangle round the tiles.
        tile_px: Side of one tile.
        count: Number of tiles, by area and probability.
    """

    quad_px: Floats
    tile_px: float
    count: float


def find_leftovers(
    outputs: Sequence[LocatorOutput],
    known_px: Sequence[Floats],
    model: Model,
    own_distance: float = OWN_TILE_DISTANCE,
) -> list[TileGroup]:
    """Group the tiles that any output shows outside of known things, those of the last run first.

    Args:
        outputs: Outputs of the locator in the order of its runs, the finest last.
        known_px: Quads (4, 2) of known things.
        model: Model of the edition.
        own_distance: As of ``group_leftovers``.
    """
    areas = [cv2.contourArea(quad) for quad in known_px]
    tile_px = float(np.sqrt(min(areas, default=0.0) / (model.layout.rows * model.layout.columns)))
    parts = 2.0 if model.layout.quartered and not tile_px else 1.0
    groups: list[TileGroup] = []
    for output in reversed(outputs):
        known = [*known_px, *(each.quad_px for each in groups)]
        groups += group_leftovers(
            output.detections, output.scale, known, tile_px, parts, own_distance
        )
    return groups


def group_leftovers(
    detections: Detections,
    scale: Floats,
    known_px: Sequence[Floats],
    tile_px: float,
    parts: float = 1.0,
    own_distance: float = OWN_TILE_DISTANCE,
) -> list[TileGroup]:
    """Group the detected tiles that lie outside of known things.

    Args:
        detections: Detections in pixels of the reduced image.
        scale: Photo pixels (x, y) to one pixel of the reduced image.
        known_px: Quads (4, 2) of known things.
        tile_px: Least side of a tile on this table in the photo; smaller detections are parts of
            one. 0 if no tile is known to measure by.
        parts: Detections along a side of a tile, where a tile shows several squares.
        own_distance: Distance beyond a quad up to which its own tiles may be detected, in sides of
            the detection.
    """
    points_px = ((detections.centres + 0.5) * scale - 0.5).astype(np.float64)
    sizes_px = detections.sizes * float(scale.mean())
    free = detections.tile > MIN_TILE_PROBABILITY
    for quad in known_px:
        free &= distances_outside(quad, points_px) > own_distance * sizes_px
    tiles = np.flatnonzero(free)
    points, sizes = points_px[tiles], sizes_px[tiles]
    distance = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) / np.sqrt(
        sizes[:, None] * sizes
    )
    near = (distance < 1 + MAX_NEIGHBOUR_GAP) & (distance > 1 - MAX_NEIGHBOUR_OFFSET)
    near &= np.abs(np.log(sizes[:, None] / sizes)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    groups: list[TileGroup] = []
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
        side_px = max(tile_px, parts * float(np.median(sizes[group])))
        count = float((detections.tile[tiles] * sizes**2)[group].sum()) / side_px**2
        corners = (
            points[group][:, None]
            + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sizes[group][:, None, None] / 2
        )
        quad = floats(cv2.boxPoints(cv2.minAreaRect(floats(corners.reshape(-1, 2)))))
        groups.append(TileGroup(quad, side_px, count))
    return groups


def account_for_leftovers(
    pyramid: Pyramid,
    outputs: Sequence[LocatorOutput],
    grids_px: Sequence[Floats],
    unaccepted: Sequence[Candidate],
    model: Model,
    ledger: Ledger,
) -> None:
    """Enter in the ledger each detection that lies in nothing read or entered.

    Args:
        pyramid: Pyramid of the photo.
        outputs: All outputs of the locator.
        grids_px: Corners (4, 2) of the grids that were read.
        unaccepted: Grids that were found and not accepted.
        model: Model of the edition.
        ledger: Ledger to add to.
    """
    for each in unaccepted:
        is_read = is_same_as_any(each.corners_px, grids_px)
        if _may_be_grid(each) and not is_read and stands_out(pyramid, each, model):
            ledger.leave_unread(each.corners_px)
    for group in find_leftovers(outputs, [*grids_px, *ledger.quads_px], model):
        if group.count >= MIN_GROUP_TILES and _is_unaccepted_grid(group, unaccepted):
            ledger.leave_unread(group.quad_px)
        elif group.count <= MIN_GRID_SHARE * model.layout.rows * model.layout.columns:
            ledger.reject(group.quad_px, RejectionReason.LOOSE)
        elif _shows_known_face(pyramid, group, grids_px, model):
            ledger.leave_unread(group.quad_px)
        else:
            ledger.reject(group.quad_px, RejectionReason.NO_KNOWN_FACE)
    for group in find_leftovers(outputs, [*grids_px, *ledger.quads_px], model, own_distance=0.0):
        ledger.reject(group.quad_px, RejectionReason.ASIDE)


def _may_be_grid(unaccepted: Candidate) -> bool:
    """Return whether a grid that was not accepted may be one in too little light."""
    return (
        unaccepted.mean_whole > MIN_UNREAD_WHOLE
        and unaccepted.mean_similarity > MIN_UNREAD_SIMILARITY
    )


def _is_unaccepted_grid(group: TileGroup, unaccepted: Sequence[Candidate]) -> bool:
    """Return whether a group lies where a grid in too little light was not accepted."""
    return any(
        _may_be_grid(each) and overlap_share(group.quad_px, each.corners_px) > MIN_SAME_OVERLAP
        for each in unaccepted
    )


def _shows_known_face(
    pyramid: Pyramid, group: TileGroup, grids_px: Sequence[Floats], model: Model
) -> bool:
    """Return whether any patch of a group, half a tile apart, is like a known face.

    The rectangle round a group may reach into grids that were read; what lies there does not count.
    """
    quad = group.quad_px
    width, height = (float(np.linalg.norm(quad[k] - quad[0])) / group.tile_px for k in (1, 3))
    steps = [
        np.linspace(0, max(size - 1, 0), max(int(2 * size) - 1, 1)) for size in (width, height)
    ]
    places = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 1, 2) + UNIT_SQUARE
    quads = points_in_quads(
        np.repeat(quad[None], len(places), axis=0), floats(places / [width, height])
    )
    middles = quads.mean(axis=1).astype(np.float64)
    beside = [distances_outside(grid_px, middles) > 0 for grid_px in grids_px]
    quads = quads[np.all(beside, axis=0)] if beside else quads
    if not len(quads):
        return False
    similarity = cosines(embed_quads(pyramid, quads), model.references)
    return bool(similarity.max() > MIN_BEST_SIMILARITY)
