"""Placement: choose the extent of each grid, and align its tiles with references.

Frames: ``_px`` pixels of the decoded image; cells (column, row) of a grid's lattice, see
``vision.eye.camera``, each as large as a tile, which may have several cells of the rules
(``scoring.faces.Cell``); places within a tile in tile widths. Corners are clockwise from the top
left of the lattice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Masks, floats, median
from vision.editions.model import Model
from vision.editions.references import TURNS, References
from vision.eye.camera import (
    Correspondences,
    Lattice,
    TableCamera,
    cell_quads_px,
    cells_between,
    fit_camera,
    fit_lattices,
)
from vision.eye.lattice import MIN_EXTENT_MARGIN, FoundGrids, LatticeGrid
from vision.eye.reference_similarity import (
    cosines,
    estimate_offsets,
    known_tile_scores,
    similarities,
)
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import MIN_WHOLE, Embeddings

MAX_BOARD_OFFSET: Final = 2
"""Maximum number of plots by which the lattice of a printed board may be off before it is
registered. Larger: more cells are embedded; smaller: boards farther off stay uncertain."""
MAX_OUTSIDE_SCORE: Final = 0.3
"""Mean score of a row outside a grid below which no row of tiles lies there; known whole tiles
score 1. Larger: grids a row off are taken as certain; smaller: more grids are asked about."""
MIN_CORNER_WEIGHT: Final = 0.02
"""Minimum weight of a cell's corners in a fit, however unlikely a whole tile lies there."""
MIN_REFINEMENT: Final = 0.03
"""Mean distance beyond which a tile's quad is moved to the corners that are seen, or to those of
the lattice where these are doubtful, in tile widths. Larger: quads stay inexact; smaller: noise
moves them."""
MAX_REFINEMENT: Final = 0.2
"""Maximum movement of a corner, in tile widths. Larger: a corner seen wrongly distorts the quad;
smaller: crooked tiles are cut inexactly."""
SHIFT_PRIOR_TILES: Final = 2.0
"""Weight of the prior of no shift, as a number of tiles."""
SHAPE_PRIOR_TILES: Final = 8.0
"""Weight of the prior that a grid is neither too wide nor askew, as a number of tiles."""
OWN_OFFSET_SHARE: Final = 0.3
"""Share of a tile's own offset from its grid that is followed. Larger: noise moves tiles; smaller:
crooked ones are cut out off their middle."""
MIN_REEMBEDDED_OFFSET: Final = 0.07
"""Distance of a patch from its tile beyond which it is cut out and embedded again, in tile
widths. Larger: tiles are compared as cut, off their middle; smaller: more tiles are embedded
twice."""
MIN_RIM_SIMILARITY: Final = 0.48
"""Minimum mean similarity of what lies round a board to the taught rim, for a position that
is certain. Larger: more boards are uncertain; smaller: boards without a seen rim are certain."""
MIN_RIM_MARGIN: Final = 0.02
"""Minimum margin in similarity of a board's position over any beside it, for one that is certain.
Larger: more boards are uncertain; smaller: some lie a plot off unnoticed."""
MIN_RIM_TURN_MARGIN: Final = 0.06
"""Minimum margin in similarity of a board over the board turned, for a turn that is certain.
Larger: more boards are asked about; smaller: some are read turned."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedGrid:
    """Grid with its n tiles, row by row as they lie in the photo.

    Attributes:
        lattice_grid: Lattice and extent.
        is_position_certain: True if no extent beside it fits nearly as well, so that it does not
            lie a row off. Faces decide further, see
            ``RecognisedGrid.is_position_certain``.
        has_clear_border: True if no further row of the edition's tiles seems to lie along its
            sides; an extent without rivals counts as such, and is not examined. False, as not
            examined, for boards and for an extent chosen over the first one.
        tile_quads_px: Shape (n, 4, 2), edges of each tile, which the reading states.
        aligned_quads_px: Shape (n, 4, 2), place of each tile as its reference was cut out, edges
            or not; its windows are cut out there.
        patch_quads_px: Shape (n, 4, 2), where the patch of each tile was cut out.
        embeddings: Embeddings of these patches.
        turn: Quarters anticlockwise by which it lies turned, by the rim of its board or a known
            position; None without either.
        is_turn_certain: True if ``turn`` is certain; of a grid whose tiles show it, see
            ``GridFaces.is_turn_certain``.
    """

    lattice_grid: LatticeGrid
    is_position_certain: bool
    has_clear_border: bool
    tile_quads_px: Floats
    aligned_quads_px: Floats
    patch_quads_px: Floats
    embeddings: Embeddings
    turn: int | None = None
    is_turn_certain: bool = False

    def predict_corners(self) -> Correspondences:
        """Return the corners of its tiles that the embedder predicts."""
        return predict_corners(
            self.lattice_grid.cells(), self.patch_quads_px, self.embeddings, MAX_REFINEMENT
        )

    @classmethod
    def at_known_position(
        cls, lattice: Lattice, shape: tuple[int, int], quads_px: Floats, embeddings: Embeddings
    ) -> "PlacedGrid":
        """Return an upright grid whose tiles are known to lie there, and were embedded there."""
        return cls(
            LatticeGrid(lattice, shape),
            is_position_certain=True,
            has_clear_border=True,
            tile_quads_px=quads_px,
            aligned_quads_px=quads_px,
            patch_quads_px=quads_px,
            embeddings=embeddings,
            turn=0,
            is_turn_certain=True,
        )


@dataclass(frozen=True, eq=False)
class CandidateGrid:
    """Candidate grid, its n tiles compared with the m references of a model.

    Attributes:
        placed: Grid and its tiles.
        camera: Camera of the photo.
        similarity: Shape (n, m, TURNS).
    """

    placed: PlacedGrid
    camera: TableCamera
    similarity: Floats

    def __len__(self) -> int:
        return len(self.placed.embeddings)

    @cached_property
    def corners_px(self) -> Floats:
        """Corners (4, 2) of the grid."""
        return self.placed.lattice_grid.corners_px(self.camera)

    @cached_property
    def predicted_corners(self) -> Correspondences:
        """Corners of its tiles that the embedder predicts, computed once."""
        return self.placed.predict_corners()

    @cached_property
    def mean_similarity(self) -> float:
        """Mean similarity of the tiles to the most similar reference of each."""
        return float(self.similarity.max(axis=(1, 2)).mean())

    @cached_property
    def mean_whole(self) -> float:
        """Mean probability that a cell shows one whole tile, aligned with the cell."""
        return float(self.placed.embeddings.whole_probability.mean())

    @cached_property
    def support(self) -> float:
        """Mean product of the probability of a whole tile and the similarity to a known face."""
        whole = self.placed.embeddings.whole_probability
        return float((whole * self.similarity.max(axis=(1, 2))).mean())

    @property
    def tile_px(self) -> float:
        """Side of a tile in pixels of the decoded image."""
        return float(np.sqrt(cv2.contourArea(self.corners_px) / len(self)))


def cells_beside(grid: LatticeGrid, ring: int) -> Doubles:
    """Return the cells (n, 2) up to ``ring`` cells outside a grid."""
    rows, columns = grid.shape
    around = cells_between((-ring, -ring), (columns + ring, rows + ring))
    outside = (around < 0).any(axis=1) | (around[:, 0] >= columns) | (around[:, 1] >= rows)
    return around[outside]


def place_grids(
    pyramid: Pyramid, found: FoundGrids, model: Model
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Choose the extent of each grid by what its cells show, and fit it to the corners of tiles."""
    if not found.grids:
        return found.camera, []
    if not model.rim:
        return refine_grids(found.camera, _choose_among_near_extents(pyramid, found, model))
    # The narrowest ring first: most boards are one plot off at most
    for ring in range(1, MAX_BOARD_OFFSET + 1 + 1):  # the rim lies one cell further out
        placed = _choose_among_near_extents(pyramid, found, model, ring)
        if all(each.is_position_certain for each in placed):
            break
    return refine_grids(found.camera, placed)


def place_under_camera(
    pyramid: Pyramid, found: FoundGrids, model: Model
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Place grids of free tiles as ``place_grids`` does, under a known camera, which stays."""
    placed = _choose_among_near_extents(pyramid, found, model)
    return refine_grids(found.camera, placed, fit_camera_too=False)


def _choose_among_near_extents(
    pyramid: Pyramid, found: FoundGrids, model: Model, ring: int | None = None
) -> list[PlacedGrid]:
    """Choose between the extent of each grid and those near it, by what their cells show.

    Args:
        pyramid: Pyramid of the photo.
        found: Grids.
        model: Model of the edition.
        ring: Width of the ring in cells; None for 1 where an extent has rivals, else 0.
    """
    cells = [
        np.vstack([grid.cells(), cells_beside(grid, bool(grid.rivals) if ring is None else ring)])
        for grid in found.grids
    ]
    quads = [
        cell_quads_px(found.camera, grid.lattice, its_cells)
        for grid, its_cells in zip(found.grids, cells, strict=True)
    ]
    embeddings = embed_quads(pyramid, np.concatenate(quads))
    splits = np.cumsum([0, *map(len, cells)])
    placed = []
    for n, grid in enumerate(found.grids):
        grid_embeddings = embeddings.take(np.arange(splits[n], splits[n + 1]))
        turn, is_turn_certain = None, False
        if model.rim:
            board = _register_board(grid, cells[n], grid_embeddings, model)
            moved, step, is_certain = board.grid, board.step, board.is_certain
            turn, is_turn_certain = board.turn, board.is_turn_certain
            has_clear_border = False
        else:
            step, is_certain, has_clear_border = _choose_among_rivals(
                grid, cells[n], grid_embeddings, model.references
            )
            moved = grid.shifted(step)
        size = np.array(moved.shape[::-1])
        within = ((cells[n] >= step) & (cells[n] < step + size)).all(axis=1)
        order = np.flatnonzero(within)
        order = order[np.lexsort((cells[n][order, 0], cells[n][order, 1]))]
        quads_px = quads[n][order]
        placed.append(
            PlacedGrid(
                moved,
                is_certain,
                has_clear_border,
                quads_px,
                quads_px,
                quads_px,
                grid_embeddings.take(order),
                turn,
                is_turn_certain,
            )
        )
    return placed


def embed_grids_at(
    pyramid: Pyramid, quads_px: Sequence[Floats]
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Embed the tiles of grids whose positions are known, and fit the camera to them.

    Args:
        pyramid: Pyramid of the photo that shows them.
        quads_px: For each grid (rows, columns, 4, 2), as it is read upright.
    """
    cells = [cells_between((0, 0), quads.shape[1::-1]) for quads in quads_px]
    flat = [quads.reshape(-1, 4, 2) for quads in quads_px]
    corners = [
        Correspondences.of_corners(grid_cells, quads, np.ones(len(quads)))
        for grid_cells, quads in zip(cells, flat, strict=True)
    ]
    camera, lattices = fit_camera(TableCamera.looking_down(*pyramid.size_wh), corners)
    embeddings = embed_quads(pyramid, np.concatenate(flat))
    placed, first = [], 0
    for quads, lattice, shaped in zip(flat, lattices, quads_px, strict=True):
        shape = shaped.shape[0], shaped.shape[1]
        mine = embeddings.take(np.arange(first, first + len(quads)))
        first += len(quads)
        placed.append(PlacedGrid.at_known_position(lattice, shape, quads, mine))
    return camera, placed


def make_candidates(
    pyramid: Pyramid, camera: TableCamera, placed: Sequence[PlacedGrid], model: Model
) -> list[CandidateGrid]:
    """Make candidates of placed grids: compare their tiles with references, and align them.

    A tile is aligned with how its reference was cut out, as its edges are not always visible. Tiles
    that lie off the middle of their patch are embedded again.
    """
    if not placed:
        return []
    references = model.references
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    similarity = similarities(embeddings, references, len(placed))
    rows = np.arange(len(embeddings)).reshape(len(placed), -1)
    placed = _align_tiles(placed, similarity, np.ones(rows.shape, bool), model)
    aligned_quads_px = np.concatenate([each.aligned_quads_px for each in placed])
    patch_quads_px = np.concatenate([each.patch_quads_px for each in placed])
    size = np.sqrt(np.abs(np.linalg.det(patch_quads_px[:, [1, 3]] - patch_quads_px[:, :1])))
    moved = np.abs(aligned_quads_px - patch_quads_px).max(axis=(1, 2)) / size
    if model.grid_format.on_board:  # its plots move together
        moved = np.repeat(median(moved[rows].T), rows.shape[1])
    far = moved > MIN_REEMBEDDED_OFFSET
    if far.any():
        embeddings = embeddings.with_rows(far, embed_quads(pyramid, aligned_quads_px[far]))
        similarity = similarities(embeddings, references, len(placed))
        patch_quads_px = floats(np.where(far[:, None, None], aligned_quads_px, patch_quads_px))
        again = [
            replace(each, patch_quads_px=patch_quads_px[n], embeddings=embeddings.take(n))
            for each, n in zip(placed, rows, strict=True)
        ]
        placed = _align_tiles(again, similarity, far[rows], model)
    return [
        CandidateGrid(each, camera, similarity[n]) for each, n in zip(placed, rows, strict=True)
    ]


def _align_tiles(
    placed: Sequence[PlacedGrid], similarity: Floats, is_selected: Masks, model: Model
) -> list[PlacedGrid]:
    """Shift the selected quads so that each tile lies in its quad as its reference lies in its own.

    A grid of free tiles may turn out wider or more slanted as well, and each tile lies a little off
    it. On a board, thick tiles appear shifted from their plots, all in the same way.

    The offsets of the tiles are fitted by ridge regression as a linear function of their cells:
    shift alone on a board, shift, size and slant of free tiles.

    Args:
        placed: Grids of n tiles each.
        similarity: Shape (grids * n, m, TURNS).
        is_selected: Shape (grids, n).
        model: Model of the edition.
    """
    if not len(model.references.face_index):
        return list(placed)
    shape, free = is_selected.shape, not model.grid_format.on_board
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    offsets, weights = estimate_offsets(embeddings, similarity, model.references)
    offsets, weights = offsets.reshape(*shape, 2), (weights.reshape(shape) * is_selected)[..., None]
    cells = np.stack([each.lattice_grid.cells() for each in placed])
    centred_cells = (cells - cells.mean(axis=1, keepdims=True)) * free
    design = np.concatenate([np.ones((*shape, 1)), centred_cells], axis=2)
    # The millionth of a tile keeps single rows, which have no slant, solvable
    shape_prior = SHAPE_PRIOR_TILES * (centred_cells**2).mean(axis=1) + 1e-6
    prior = np.insert(shape_prior, 0, SHIFT_PRIOR_TILES, axis=1)[..., None] * np.eye(3)
    weighted_design = design * weights
    grid_offsets = design @ np.linalg.solve(
        design.swapaxes(1, 2) @ weighted_design + prior, weighted_design.swapaxes(1, 2) @ offsets
    )
    own_offsets = OWN_OFFSET_SHARE * free * weights * (offsets - grid_offsets)
    patch_quads_px = np.stack([each.patch_quads_px for each in placed])
    right, down = (patch_quads_px[:, :, corner] - patch_quads_px[:, :, 0] for corner in (1, 3))
    # The offsets are those of the patches as cut; ``refine_grids`` has moved the quads since
    quads_px = np.stack([each.tile_quads_px for each in placed])
    aligned_quads_px = np.stack([each.aligned_quads_px for each in placed])
    from_quads = patch_quads_px.mean(axis=2) - quads_px.mean(axis=2)
    starts = [
        median(moves[mine]) if mine.any() else np.zeros(2, np.float32)
        for moves, mine in zip(from_quads, is_selected, strict=True)
    ]
    grid_moves = (
        np.stack(starts)[:, None] - right * grid_offsets[..., :1] - down * grid_offsets[..., 1:]
    )
    tile_moves = grid_moves - right * own_offsets[..., :1] - down * own_offsets[..., 1:]
    grid_moves, tile_moves = (
        np.where(is_selected[..., None], moves, 0)[:, :, None] for moves in (grid_moves, tile_moves)
    )
    quads_px, aligned_quads_px = (
        floats(quads_px + grid_moves),
        floats(aligned_quads_px + tile_moves),
    )
    return [
        replace(each, tile_quads_px=quads_px[n], aligned_quads_px=aligned_quads_px[n])
        for n, each in enumerate(placed)
    ]


def predict_corners(
    cells: Doubles, quads_px: Floats, embeddings: Embeddings, max_offset: float
) -> Correspondences:
    """Return the corners of n tiles that the embedder predicts, with those of their cells.

    Args:
        cells: Shape (n, 2).
        quads_px: Shape (n, 4, 2), outlines of the patches that were embedded.
        embeddings: Embeddings of these.
        max_offset: Most that a corner is moved along either axis, in tile widths.
    """
    offsets = np.clip(embeddings.corner_offsets, -max_offset, max_offset)
    corners_px = points_in_quads(quads_px, UNIT_SQUARE + offsets)
    weights = np.clip(embeddings.whole_probability, MIN_CORNER_WEIGHT, 1)
    return Correspondences.of_corners(cells, corners_px, weights)


def refine_grids(
    camera: TableCamera, placed: list[PlacedGrid], *, fit_camera_too: bool = True
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Fit lattices to the corners of tiles that the embedder predicts, and move the quads there."""
    predicted = [each.predict_corners() for each in placed]
    if fit_camera_too:
        camera, lattices = fit_camera(camera, predicted)
    else:
        lattices = fit_lattices(camera, predicted)
    refined = []
    for each, lattice, corners in zip(placed, lattices, predicted, strict=True):
        predicted_px = floats(corners.points_px).reshape(-1, 4, 2)
        regular_px = cell_quads_px(camera, lattice, each.lattice_grid.cells())
        steps_px = regular_px[:, [1, 3]] - regular_px[:, :1]
        size = np.sqrt(np.abs(np.linalg.det(steps_px)))[:, None, None]
        near = (
            np.abs(predicted_px - regular_px).mean(axis=(1, 2)) < MAX_REFINEMENT / 2 * size[:, 0, 0]
        )
        follows = near & (each.embeddings.whole_probability > MIN_WHOLE)
        target_px = np.where(follows[:, None, None], predicted_px, regular_px)
        moved = np.abs((target_px - each.tile_quads_px) / size).mean(axis=(1, 2)) > MIN_REFINEMENT
        quads_px = np.where(moved[:, None, None], target_px, each.tile_quads_px).astype(np.float32)
        lattice_grid = replace(each.lattice_grid, lattice=lattice)
        refined.append(
            replace(
                each, lattice_grid=lattice_grid, tile_quads_px=quads_px, aligned_quads_px=quads_px
            )
        )
    return camera, refined


class _BoardFit(NamedTuple):
    """Possible position of a board.

    Attributes:
        score: ``rim_similarity``, plus the mean ``drawing_support`` of the cells in this turn.
        step: Step (column, row) to its extent.
        turn: Quarters anticlockwise by which it lies turned.
        rim_similarity: Mean similarity of what lies round it to the taught rim.
        is_complete: True if all of its cells and its rim were embedded.
    """

    score: float
    step: tuple[int, int]
    turn: int
    rim_similarity: float
    is_complete: bool


class _RegisteredBoard(NamedTuple):
    """Printed board, registered by its rim.

    Attributes:
        grid: Grid of its plots.
        step: Step (column, row) to it from the grid that was registered.
        is_certain: True if its position is certain, which takes all of its cells embedded.
        turn: Quarters anticlockwise by which it lies turned; None if the rim is not in sight.
        is_turn_certain: True if no other turn fits nearly as well.
    """

    grid: LatticeGrid
    step: tuple[int, int]
    is_certain: bool
    turn: int | None
    is_turn_certain: bool


def _register_board(
    grid: LatticeGrid, cells: Doubles, embeddings: Embeddings, model: Model
) -> _RegisteredBoard:
    """Find the extent of a printed board near a grid by the rim round its plots."""
    rows, columns = grid.shape
    far = MAX_BOARD_OFFSET
    around = np.zeros(
        (rows + 2 * far + 2, columns + 2 * far + 2, embeddings.vectors.shape[1]), np.float32
    )
    known_scores = np.zeros((*around.shape[:2], TURNS))
    embedded = np.zeros(around.shape[:2], bool)
    at = cells.astype(int) + far + 1
    embedded[at[:, 1], at[:, 0]] = True
    around[at[:, 1], at[:, 0]] = embeddings.vectors
    similarity = cosines(embeddings, model.references).max(axis=1)
    # Where all tiles lie the same way up, they tell how the board lies, too
    similarity = similarity if model.tiles_are_upright else similarity.max(axis=1, keepdims=True)
    known_scores[at[:, 1], at[:, 0]] = similarity * embeddings.whole_probability[:, None]
    fits: list[_BoardFit] = []
    for turn, rim in enumerate(model.rim):
        r, c = rim.shape[0] - 2, rim.shape[1] - 2
        edge = np.ones(rim.shape[:2], bool)
        edge[1:-1, 1:-1] = False
        for x in range(-far, far + columns - c + 1):
            for y in range(-far, far + rows - r + 1):
                here = slice(far + y, far + r + 2 + y), slice(far + x, far + c + 2 + x)
                on_rim, on_plots = edge & embedded[here], ~edge & embedded[here]
                if not on_rim.any() or not on_plots.any():
                    continue
                rim_similarity = float((around[here] * rim).sum(axis=2)[on_rim].mean())
                score = rim_similarity + float(known_scores[here][..., turn][on_plots].mean())
                is_complete = bool(embedded[here].all())
                fits.append(_BoardFit(score, (x, y), turn, rim_similarity, is_complete))
    if len(fits) < 2:
        return _RegisteredBoard(grid, (0, 0), is_certain=False, turn=None, is_turn_certain=False)
    fits.sort(reverse=True)
    best = fits[0]
    # On a symmetric board the rim fits in several turns: only another step is a rival position
    other_step = max((each.score for each in fits if each.step != best.step), default=-1.0)
    other_turn = max((each.score for each in fits if each.turn != best.turn), default=-1.0)
    is_certain = (
        best.score - other_step > MIN_RIM_MARGIN
        and best.rim_similarity > MIN_RIM_SIMILARITY
        and best.is_complete
    )
    is_turn_certain = best.score - other_turn > MIN_RIM_TURN_MARGIN
    matrix = grid.shifted(best.step).lattice.matrix
    r, c = model.rim[best.turn].shape[0] - 2, model.rim[best.turn].shape[1] - 2
    placed = LatticeGrid(Lattice(matrix), (r, c))
    return _RegisteredBoard(placed, best.step, is_certain, best.turn, is_turn_certain)


def _choose_among_rivals(
    grid: LatticeGrid, cells: Doubles, embeddings: Embeddings, references: References
) -> tuple[tuple[int, int], bool, bool]:
    """Choose between a grid's extent and its rivals by whole tiles of known faces.

    Returns:
        The step (column, row) to the best extent, whether it is certain, and
        ``PlacedGrid.has_clear_border``.
    """
    if not grid.rivals:
        return (0, 0), True, True
    rows, columns = grid.shape
    scores = np.zeros((rows + 2, columns + 2))
    at = cells.astype(int) + 1
    knows_faces = bool(len(references.face_index))
    scores[at[:, 1], at[:, 0]] = (
        known_tile_scores(embeddings, references) if knows_faces else embeddings.whole_probability
    )
    steps = [(0, 0), *((x, y) for x, y in grid.rivals if max(abs(x), abs(y)) == 1)]
    sums = np.array([scores[1 + y : 1 + y + rows, 1 + x : 1 + x + columns].sum() for x, y in steps])
    best = int(sums.argmax())
    margin = (sums[best] - np.delete(sums, best).max(initial=-1e3)) / min(rows, columns)
    all_compared = len(steps) == len(grid.rivals) + 1
    around = (scores[0, 1:-1], scores[-1, 1:-1], scores[1:-1, 0], scores[1:-1, -1])
    has_clear_border = best == 0 and max(float(row.mean()) for row in around) < MAX_OUTSIDE_SCORE
    return steps[best], bool(margin > MIN_EXTENT_MARGIN and all_compared), has_clear_border
