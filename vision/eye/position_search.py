"""Search of one position of a table for a grid, with the camera and the size of a tile known.

Each map cell of the locator near the position predicts the turn of the grid and its offset along
two axes. Where they agree on one of these three, their mean is taken; others are tried in steps,
and where detected tiles lie together, those beside the mean as well. Each hypothesis is rated by
one tile or four, and the likeliest ones are followed up: the grid grows from them
(``vision.eye.growth``). A cutting mat or chequered cloth has a hundred positions like tiles; once a
search has found them, its squares are remembered, and positions that show them are skipped.

Frames: ``_px`` pixels of the decoded image; affine and cells, see ``vision.eye.camera``; map cells
of the locator's output, see ``vision.eye.locate``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Masks, floats
from vision.editions.model import Model
from vision.eye.acceptance import NO_BACKGROUND, resembles_known_background
from vision.eye.camera import (
    Lattice,
    TableGeometry,
    cell_quads_px,
    cells_between,
    nearest_rotations,
)
from vision.eye.grid_grades import MIN_REGISTERED_WHOLE
from vision.eye.growth import MIN_BLOCK_WHOLE, SMALL_THEN_LARGE_BLOCK, block_of_cells, grow_grid
from vision.eye.locate import (
    OFFSET,
    SHAPE,
    STRIDE_PX,
    UNIT_PX,
    LocatorOutput,
    decode_shapes,
    reduced_to_image_px,
)
from vision.eye.placement import CandidateGrid
from vision.eye.reference_similarity import known_tile_scores
from vision.patches.cut import Pyramid, embed_quads
from vision.patches.embedding import Embeddings

AGREEMENT_RADIUS_TILES: Final = 1.6
"""Radius within which map cells count for the turn and offset of a grid, in tiles. Larger: those of
a neighbouring grid count, too; smaller: too few do."""
MIN_TURN_AGREEMENT: Final = 0.5
"""Minimum length of the mean of the turns that map cells predict, as unit vectors, with which they
agree. Larger: more turns are tried, which costs more; smaller: grids are searched in a wrong
turn."""
MIN_OFFSET_AGREEMENT: Final = 0.4
"""Minimum length of the mean of the offsets along one axis of the lattice that map cells predict,
as unit vectors that turn once a tile, with which they agree; such means were a sixth of a tile off
at most. Larger: more offsets are tried, which costs more; smaller: grids are searched off their
place."""
MIN_HYPOTHESIS_SCORE: Final = 0.2
"""Mean score (``known_tile_scores``) of a block of four tiles above which a hypothesis is followed
up; the one on which map cells agree needs less. Blocks of grids have 0.25 or more. Smaller: each
position costs more; larger: grids in glare are lost without a word."""
TURN_STEP_RAD: Final = np.deg2rad(8)
"""Step of the turns that are tried; registration bridges half of it."""
MAX_FOLLOWED: Final = 2
"""Maximum number of hypotheses that are grown to grids in the predicted turn at a position, and
again in those beside it; the one on which map cells agree does not count. Larger: each position
costs more; smaller: the right hypothesis may not be grown."""
MAX_GROWN: Final = 2
"""Maximum number of grids that are grown at a position before the best of them is taken. Larger:
chequered cloth, where each hypothesis grows, costs more; smaller: the right one may not be
grown."""
MAX_BLOCKS: Final = 6
"""Maximum number of hypotheses that are rated by a block of four tiles, after a rating by one tile,
if map cells do not agree on a turn. Smaller: where tiles are blurred the right one is not rated;
larger: each position costs more."""
THIRDS: Final = (-1 / 3, 0.0, 1 / 3)
"""Offsets, in tiles, that are tried along an axis on which map cells disagree; registration bridges
half of a step."""
TILE_CELL: Final = np.zeros((1, 2))
"""Cell by which many hypotheses are rated quickly: the tile at the position."""
BLOCK_CELLS: Final = block_of_cells(1)
"""Cells by which fewer hypotheses are rated more surely: a block of four round its corner."""


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """Tile that may lie at a position.

    Attributes:
        lattice: Lattice whose cell (0, 0) it is.
        embeddings: Embeddings of the cells by which it was rated.
        score: Mean of ``known_tile_scores`` over these cells.
    """

    lattice: Lattice
    embeddings: Embeddings
    score: float


class _PredictedLattice(NamedTuple):
    """Lattice that map cells predict round a position.

    Attributes:
        turn_rad: Turn.
        origin: Middle (affine) of the tile at the position; the position itself along an axis on
            which they disagree.
        agrees_on_offset: Shape (2,), whether they agree on the offset along each axis (column,
            row).
    """

    turn_rad: float
    origin: Doubles
    agrees_on_offset: Masks


def search_position(
    pyramid: Pyramid,
    geometry: TableGeometry,
    at_px: Floats | Doubles,
    output: LocatorOutput,
    model: Model,
    *,
    require_agreement: bool = False,
    background: Floats = NO_BACKGROUND,
) -> CandidateGrid | None:
    """Search the grid of known faces round a position; None if none grows there.

    Args:
        pyramid: Pyramid of the photo.
        geometry: Camera and tile size.
        at_px: Position in the image.
        output: Output whose map cells predict the turn and offset of the grid.
        model: Model of the edition.
        require_agreement: True to search nothing where these disagree on the turn, and no other
            lattice where they agree on turn and offset.
        background: See ``resembles_known_background``. The search ends at the first hypothesis that
            shows it.
    """
    grown: list[CandidateGrid] = []
    for hypothesis in _hypotheses(
        pyramid, geometry, at_px, output, model, require_agreement=require_agreement
    ):
        if resembles_known_background(hypothesis.embeddings, background, model):
            break
        found = grow_grid(
            pyramid, geometry, hypothesis.lattice, SMALL_THEN_LARGE_BLOCK, model, background
        )
        if found is None:
            continue
        grown.append(found)
        # Whole tiles lie on the lattice: the other hypotheses lead to the same grid
        if found.mean_whole > MIN_REGISTERED_WHOLE or len(grown) == MAX_GROWN:
            break
    return max(grown, key=lambda each: each.support, default=None)


def _hypotheses(
    pyramid: Pyramid,
    geometry: TableGeometry,
    at_px: Floats | Doubles,
    output: LocatorOutput,
    model: Model,
    *,
    require_agreement: bool,
) -> Iterator[Hypothesis]:
    """Yield hypotheses for a tile near a position, the likeliest first."""
    predicted = _predict_lattice(geometry, at_px, output)
    if predicted is not None:
        turn_rad, origin = predicted.turn_rad, predicted.origin
        is_stepped = ~predicted.agrees_on_offset
        if not is_stepped.any():
            lattice = geometry.make_lattice(turn_rad, origin)
            yield from _rate_hypotheses(pyramid, geometry, [lattice], model)
            if require_agreement:
                return
            is_stepped = np.ones(2, bool)
        for turns_rad in ([turn_rad], [turn_rad - TURN_STEP_RAD, turn_rad + TURN_STEP_RAD]):
            lattices = _lattices_near(geometry, origin, turns_rad, is_stepped)
            rated = _rate_blocks(pyramid, geometry, lattices, model)
            yield from rated[:MAX_FOLLOWED]
            if not rated:
                return
    elif not require_agreement:
        origin = geometry.camera.to_affine(floats(at_px)[None])[0]
        turns_rad = np.arange(0, np.pi / 2, TURN_STEP_RAD).tolist()
        lattices = _lattices_near(geometry, origin, turns_rad, np.ones(2, bool))
        rated = _rate_hypotheses(pyramid, geometry, lattices, model)[:MAX_BLOCKS]
        if rated:
            rated = _rate_blocks(pyramid, geometry, [each.lattice for each in rated], model)
        yield from rated[:MAX_FOLLOWED]


def _lattices_near(
    geometry: TableGeometry, origin: Doubles, turns_rad: Sequence[float], is_stepped: Masks
) -> list[Lattice]:
    """Return lattices in some turns, round an origin (affine).

    Along each axis (column, row) that is stepped there are three, a third of a tile apart.
    """
    steps = product(*[THIRDS if stepped else (0.0,) for stepped in is_stepped.tolist()])
    steps_xy = np.array(list(steps))
    return [
        geometry.make_lattice(turn_rad, shifted)
        for turn_rad in turns_rad
        for shifted in geometry.make_lattice(turn_rad, origin).to_affine(steps_xy)
    ]


def _rate_blocks(
    pyramid: Pyramid, geometry: TableGeometry, lattices: Sequence[Lattice], model: Model
) -> list[Hypothesis]:
    """Rate lattices by a block of four cells, and return those that may show known faces."""
    rated = _rate_hypotheses(pyramid, geometry, lattices, model, BLOCK_CELLS)
    return [each for each in rated if each.score > MIN_HYPOTHESIS_SCORE]


def _rate_hypotheses(
    pyramid: Pyramid,
    geometry: TableGeometry,
    lattices: Sequence[Lattice],
    model: Model,
    cells: Doubles = TILE_CELL,
) -> list[Hypothesis]:
    """Rate lattices by what some of their cells show, and return those that may show tiles."""
    quads = np.concatenate([cell_quads_px(geometry.camera, each, cells) for each in lattices])
    embeddings = embed_quads(pyramid, quads)
    tile_scores = known_tile_scores(embeddings, model.references).reshape(len(lattices), -1)
    whole = embeddings.whole_probability.reshape(len(lattices), -1).mean(axis=1)
    rows = np.arange(len(quads)).reshape(len(lattices), -1)
    rated = [
        Hypothesis(lattice, embeddings.take(own), float(values.mean()))
        for lattice, values, mean, own in zip(lattices, tile_scores, whole, rows, strict=True)
        if mean > MIN_BLOCK_WHOLE
    ]
    return sorted(rated, key=lambda each: -each.score)


def _predict_lattice(
    geometry: TableGeometry, at_px: Floats | Doubles, output: LocatorOutput
) -> _PredictedLattice | None:
    """Return the mean lattice that map cells predict there.

    None if they disagree on its turn, or hardly any is likely a tile.
    """
    down, across = _map_cells_near(output, geometry, at_px)
    at = cells_between((across.start, down.start), (across.stop, down.stop)).astype(int)
    weight = output.probability_map[at[:, 1], at[:, 0]].astype(np.float64)
    if len(at) < 4 or not weight.any():
        return None
    values = output.maps[:, at[:, 1], at[:, 0]]
    reduced_px = at * float(STRIDE_PX) + (STRIDE_PX - 1) / 2 + values[OFFSET].T * UNIT_PX
    points_px = reduced_to_image_px(reduced_px, output.reduction_xy)
    centres = geometry.camera.to_affine(points_px)
    edges_px = decode_shapes(floats(values[SHAPE].T)) * output.reduction_xy
    edges = geometry.camera.edges_to_affine(np.asarray(points_px, np.float64), edges_px)
    rotations, _ = nearest_rotations(edges @ np.linalg.inv(geometry.steps))
    angle = np.arctan2(rotations[:, 0, 1], rotations[:, 0, 0])
    mean = (weight * np.exp(4j * angle)).sum() / weight.sum()
    if abs(mean) < MIN_TURN_AGREEMENT:
        return None
    turn_rad = float(np.angle(mean)) / 4
    origin = geometry.camera.to_affine(floats(at_px)[None])[0]
    lattice = geometry.make_lattice(turn_rad, origin)
    phase = (weight[:, None] * np.exp(2j * np.pi * lattice.to_cells(centres))).sum(axis=0)
    agrees = np.abs(phase) >= MIN_OFFSET_AGREEMENT * weight.sum()
    offset = np.where(agrees, np.angle(phase) / (2 * np.pi), 0.0)
    return _PredictedLattice(turn_rad, lattice.to_affine(offset), agrees)


def _map_cells_near(
    output: LocatorOutput, geometry: TableGeometry, at_px: Floats | Doubles
) -> tuple[slice, slice]:
    """Return the rows and columns of the map within ``AGREEMENT_RADIUS_TILES`` of a position."""
    x, y = output.to_map(floats(at_px)[None])[0]
    tile_px = float(np.sqrt(cv2.contourArea(geometry.tile_quad_px(at_px))))
    radius = AGREEMENT_RADIUS_TILES * tile_px / output.map_cell_px
    rows, columns = output.probability_map.shape
    return (
        slice(max(int(y - radius), 0), max(min(int(y + radius) + 1, rows), 0)),
        slice(max(int(x - radius), 0), max(min(int(x + radius) + 1, columns), 0)),
    )
