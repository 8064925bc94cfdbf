"""Placement: choose the extent of each grid, and align its tiles with references.

Frames: ``_px`` photo pixels; cells (column, row) of a grid's lattice, see ``vision.eye.camera``,
each as large as a tile, which may have several cells of the rules (``scoring.faces.Cell``); places
within a tile in tile widths. Corners are clockwise from the top left of the lattice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, floats
from vision.editions.model import GridLayout, Model
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
from vision.eye.identify import cosines, estimate_offsets, known_tile_scores, similarities
from vision.eye.lattice import MIN_EXTENT_MARGIN, FoundGrids, LatticeGrid, fit_grids
from vision.eye.locate import LocatorOutput, run_locator
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import MIN_WHOLE, Embeddings

MAX_BOARD_OFFSET: Final = 2
"""Most plots by which the lattice of a printed board may be off before it is registered. Larger:
more cells are embedded; smaller: boards farther off stay uncertain."""
MAX_BESIDE: Final = 0.3
"""Mean score of a row outside a grid below which no row of tiles lies there; known whole tiles
score 1. Larger: grids a row off are taken as certain; smaller: more grids are asked about."""
MIN_REFINEMENT: Final = 0.03
"""Mean distance beyond which a tile's quad is moved to the corners that are seen, or to those of
the lattice where these are doubtful, in tile widths. Larger: quads stay inexact; smaller: noise
moves them."""
MAX_REFINEMENT: Final = 0.2
"""Most that a corner is moved, in tile widths. Larger: a corner seen wrongly distorts the quad;
smaller: crooked tiles are cut inexactly."""
SHIFT_PRIOR_TILES: Final = 2.0
"""Weight of the prior that tiles lie in their place as taught ones did, in tiles."""
SHAPE_PRIOR_TILES: Final = 8.0
"""Weight of the prior that a grid is neither too wide nor askew, in tiles."""
OWN_OFFSET_SHARE: Final = 0.3
"""Share of a tile's own offset from its grid that is followed. Larger: noise moves tiles; smaller:
crooked ones are cut out off their middle."""
MIN_REEMBEDDED_OFFSET: Final = 0.07
"""Distance of a patch from its tile beyond which it is cut out and embedded again, in tile
widths. Larger: tiles are compared as cut, off their middle; smaller: more tiles are embedded
twice."""
MIN_RIM_SIMILARITY: Final = 0.48
"""Least mean similarity of what lies round a board to the taught rim, for a place that is
certain. Larger: more boards are uncertain; smaller: boards without a seen rim are certain."""
MIN_RIM_MARGIN: Final = 0.02
"""Least margin in similarity of a board's place over any beside it, for one that is certain.
Larger: more boards are uncertain; smaller: some lie a plot off unnoticed."""
MIN_RIM_TURN_MARGIN: Final = 0.06
"""Least margin in similarity of a board over the board turned, for a turn that is known. Larger:
more boards are asked about; smaller: some are read turned."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedGrid:
    """Grid with its n tiles, row by row as they lie in the photo.

    Attributes:
        lattice_grid: Lattice and extent.
        place_certain: True if its place and size are sure: it lies neither a row off nor in another
            size.
        border_supports_place: True if its border may be used as evidence of its place: no row of
            tiles of the edition seems to lie outside, or no extent rivals this one. Always False
            for boards and for an extent chosen over the first one.
        quads_px: Shape (n, 4, 2), outline of each tile as people are shown it.
        aligned_px: Shape (n, 4, 2), outline by which each tile is most similar to its reference.
        embedded_px: Shape (n, 4, 2), outline of the patch that was embedded.
        embeddings: Embeddings of these patches.
        turn: Quarters anticlockwise by which it lies turned, where its place tells (boards and
            known places); None if unknown.
    """

    lattice_grid: LatticeGrid
    place_certain: bool
    border_supports_place: bool
    quads_px: Floats
    aligned_px: Floats
    embedded_px: Floats
    embeddings: Embeddings
    turn: int | None = None

    @classmethod
    def at_known_place(
        cls, lattice: Lattice, shape: tuple[int, int], quads_px: Floats, embeddings: Embeddings
    ) -> "PlacedGrid":
        """Return an upright grid whose tiles are known to lie there, and were embedded there."""
        return cls(
            LatticeGrid(lattice, shape),
            place_certain=True,
            border_supports_place=True,
            quads_px=quads_px,
            aligned_px=quads_px,
            embedded_px=quads_px,
            embeddings=embeddings,
            turn=0,
        )


@dataclass(frozen=True, eq=False)
class Candidate:
    """Grid as it may lie, its n tiles compared with the m references of a model.

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
    def mean_similarity(self) -> float:
        """Mean similarity of the tiles to the most similar reference of each."""
        return float(self.similarity.max(axis=(1, 2)).mean())

    @cached_property
    def mean_whole(self) -> float:
        """Mean probability that a cell shows one whole tile in its place."""
        return float(self.placed.embeddings.whole.mean())

    @cached_property
    def support(self) -> float:
        """Mean product of the probability of a whole tile and the similarity to a known face."""
        whole = self.placed.embeddings.whole
        return float((whole * self.similarity.max(axis=(1, 2))).mean())

    @property
    def tile_px(self) -> float:
        """Side of a tile in photo pixels."""
        return float(np.sqrt(cv2.contourArea(self.corners_px) / len(self)))


def median_tile_px(grids: Sequence[Candidate]) -> float:
    """Return the side of a tile of median area, in photo pixels; at least one grid."""
    areas = [cv2.contourArea(each.corners_px) / len(each) for each in grids]
    return float(np.sqrt(np.median(areas)))


def fit_grids_in_output(
    pyramid: Pyramid, output: LocatorOutput, layout: GridLayout
) -> list[FoundGrids]:
    """Fit grids to what an output of the locator shows, in one or several ways to see it."""
    h, w = pyramid.level(0).shape[:2]
    return fit_grids(output.detections, output.maps, output.reduction_xy, (w, h), layout)


def locate_grids(
    pyramid: Pyramid, layout: GridLayout, relative_area: float = 1.0
) -> list[FoundGrids]:
    """Run the locator on a photo and find the grids, in one or several ways to see them."""
    return fit_grids_in_output(pyramid, run_locator(pyramid, layout, relative_area), layout)


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
    # Most boards lie in their place or, with pieces along two sides, one plot off
    rings = range(1, MAX_BOARD_OFFSET + 2) if model.rim else (0,)
    for ring in rings:
        placed = _choose_extents(pyramid, found, ring, model)
        if all(each.place_certain for each in placed):
            break
    return refine_grids(found.camera, placed)


def place_under_camera(
    pyramid: Pyramid, found: FoundGrids, model: Model
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Place grids as ``place_grids`` does, under a known camera."""
    return refine_grids(
        found.camera, _choose_extents(pyramid, found, 0, model), fit_camera_too=False
    )


def _choose_extents(
    pyramid: Pyramid, found: FoundGrids, ring: int, model: Model
) -> list[PlacedGrid]:
    """Choose the extent of each grid by what lies in it and in a ring of cells round it.

    The ring is ``ring`` cells wide; if that is 0, one cell round grids with rival extents.
    """
    cells = [
        np.vstack([grid.cells(), cells_beside(grid, ring or int(bool(grid.rivals)))])
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
        mine = embeddings.take(np.arange(splits[n], splits[n + 1]))
        turn = None
        if model.rim:
            moved, step, turn, sure = _register_board(grid, cells[n], mine, model)
            border_supports_place = False
        else:
            step, sure, border_supports_place = _choose_among_rivals(
                grid, cells[n], mine, model.references
            )
            moved = grid.shifted(step)
        size = np.array(moved.shape[::-1])
        within = ((cells[n] >= step) & (cells[n] < step + size)).all(axis=1)
        order = np.flatnonzero(within)
        order = order[np.lexsort((cells[n][order, 0], cells[n][order, 1]))]
        here = quads[n][order]
        placed.append(
            PlacedGrid(moved, sure, border_supports_place, here, here, here, mine.take(order), turn)
        )
    return placed


def grids_at(pyramid: Pyramid, quads_px: Sequence[Floats]) -> tuple[TableCamera, list[PlacedGrid]]:
    """Embed the tiles of grids whose places are known.

    Args:
        pyramid: Pyramid of the photo that shows them.
        quads_px: For each grid (rows, columns, 4, 2), as it is read upright.
    """
    height, width = pyramid.level(0).shape[:2]
    cells = [np.argwhere(np.ones(quads.shape[:2]))[:, ::-1] for quads in quads_px]
    flat = [quads.reshape(-1, 4, 2) for quads in quads_px]
    observed = [
        Correspondences(
            (places[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2).astype(float),
            quads.reshape(-1, 2).astype(float),
            np.ones(4 * len(quads)),
        )
        for places, quads in zip(cells, flat, strict=True)
    ]
    camera, lattices = fit_camera(TableCamera.looking_down(width, height), observed)
    embeddings = embed_quads(pyramid, np.concatenate(flat))
    placed, first = [], 0
    for quads, lattice, shaped in zip(flat, lattices, quads_px, strict=True):
        shape = shaped.shape[0], shaped.shape[1]
        mine = embeddings.take(np.arange(first, first + len(quads)))
        first += len(quads)
        placed.append(PlacedGrid.at_known_place(lattice, shape, quads, mine))
    return camera, placed


def align_grids(
    pyramid: Pyramid, camera: TableCamera, placed: Sequence[PlacedGrid], model: Model
) -> list[Candidate]:
    """Compare tiles with references, and align them with how the references were cut out.

    The edges of a tile are not always visible. Tiles that lie off the middle of their patch are
    embedded again.
    """
    if not placed:
        return []
    references = model.references
    splits = np.cumsum([len(each.embeddings) for each in placed])[:-1]
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    similarity = similarities(embeddings, references, len(placed))
    rows = np.split(np.arange(len(embeddings)), splits)
    placed = [
        _align_grid(each, similarity[n], np.ones(len(n), bool), model)
        for each, n in zip(placed, rows, strict=True)
    ]
    aligned_px = np.concatenate([each.aligned_px for each in placed])
    embedded_px = np.concatenate([each.embedded_px for each in placed])
    size = np.sqrt(np.abs(np.linalg.det(embedded_px[:, [1, 3]] - embedded_px[:, :1])))
    moved = np.abs(aligned_px - embedded_px).max(axis=(1, 2)) / size
    if model.layout.board:  # its plots move together
        moved = np.concatenate([np.full(len(n), np.median(moved[n])) for n in rows])
    far = moved > MIN_REEMBEDDED_OFFSET
    if far.any():
        embeddings = embeddings.with_rows(far, embed_quads(pyramid, aligned_px[far]))
        similarity = similarities(embeddings, references, len(placed))
        embedded_px = floats(np.where(far[:, None, None], aligned_px, embedded_px))
        again = (
            replace(each, embedded_px=embedded_px[n], embeddings=embeddings.take(n))
            for each, n in zip(placed, rows, strict=True)
        )
        placed = [
            _align_grid(each, similarity[n], far[n], model)
            for each, n in zip(again, rows, strict=True)
        ]
    return [Candidate(each, camera, similarity[n]) for each, n in zip(placed, rows, strict=True)]


def _align_grid(
    placed: PlacedGrid, similarity: Floats, which: NDArray[np.bool_], model: Model
) -> PlacedGrid:
    """Move the quads of the tiles in ``which`` (n,) so that each lies in it as its reference does.

    A grid of free tiles may turn out wider or more slanted as well, and each tile lies a little off
    it. On a board, thick tiles appear shifted from their plots, all in the same way.
    """
    if not len(model.references.face_index) or not which.any():
        return placed
    offsets, weights = estimate_offsets(placed.embeddings, similarity, model.references)
    free, weights = not model.layout.board, (weights * which)[:, None]
    cells = placed.lattice_grid.cells()
    spread = (cells - cells.mean(axis=0)) * free
    terms = np.column_stack([np.ones(len(offsets)), spread])
    # The millionth of a tile keeps single rows, which have no slant, solvable
    prior = np.diag([SHIFT_PRIOR_TILES, *(SHAPE_PRIOR_TILES * (spread**2).mean(axis=0) + 1e-6)])
    weighted_terms = terms * weights
    grid_offsets = terms @ np.linalg.solve(
        terms.T @ weighted_terms + prior, weighted_terms.T @ offsets
    )
    own_offsets = OWN_OFFSET_SHARE * free * weights * (offsets - grid_offsets)
    embedded_px = placed.embedded_px
    right, down = (embedded_px[:, corner] - embedded_px[:, 0] for corner in (1, 3))
    middles = embedded_px.mean(axis=1) - placed.quads_px.mean(axis=1)
    grid_move = (
        np.median(middles[which], axis=0) - right * grid_offsets[:, :1] - down * grid_offsets[:, 1:]
    )
    tile_move = grid_move - right * own_offsets[:, :1] - down * own_offsets[:, 1:]
    grid_move, tile_move = (
        np.where(which[:, None], move, 0)[:, None] for move in (grid_move, tile_move)
    )
    return replace(
        placed,
        quads_px=floats(placed.quads_px + grid_move),
        aligned_px=floats(placed.aligned_px + tile_move),
    )


def stated_corners(placed: PlacedGrid) -> Correspondences:
    """Return the corners of tiles that the embedder states, with the cells that they belong to."""
    seen = np.clip(placed.embeddings.corners, -MAX_REFINEMENT, MAX_REFINEMENT)
    corners_px = points_in_quads(placed.embedded_px, UNIT_SQUARE + seen)
    return Correspondences(
        (placed.lattice_grid.cells()[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
        corners_px.reshape(-1, 2).astype(float),
        np.repeat(np.clip(placed.embeddings.whole, 0.02, 1), 4).astype(float),
    )


def refine_grids(
    camera: TableCamera, placed: list[PlacedGrid], *, fit_camera_too: bool = True
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Fit lattices to the corners of tiles that the embedder states, and move the quads there."""
    observed = [stated_corners(each) for each in placed]
    if fit_camera_too:
        camera, lattices = fit_camera(camera, observed)
    else:
        lattices = fit_lattices(camera, observed)
    refined = []
    for each, lattice, stated in zip(placed, lattices, observed, strict=True):
        stated_px = floats(stated.points_px).reshape(-1, 4, 2)
        regular_px = cell_quads_px(camera, lattice, each.lattice_grid.cells())
        steps_px = regular_px[:, [1, 3]] - regular_px[:, :1]
        size = np.sqrt(np.abs(np.linalg.det(steps_px)))[:, None, None]
        near = np.abs(stated_px - regular_px).mean(axis=(1, 2)) < MAX_REFINEMENT / 2 * size[:, 0, 0]
        follows = near & (each.embeddings.whole > MIN_WHOLE)
        target_px = np.where(follows[:, None, None], stated_px, regular_px)
        moved = np.abs((target_px - each.quads_px) / size).mean(axis=(1, 2)) > MIN_REFINEMENT
        quads_px = np.where(moved[:, None, None], target_px, each.quads_px).astype(np.float32)
        lattice_grid = replace(each.lattice_grid, lattice=lattice)
        refined.append(
            replace(each, lattice_grid=lattice_grid, quads_px=quads_px, aligned_px=quads_px)
        )
    return camera, refined


def _register_board(
    grid: LatticeGrid, cells: Doubles, embeddings: Embeddings, model: Model
) -> tuple[LatticeGrid, tuple[int, int], int | None, bool]:
    """Find the extent of a printed board near a grid by the rim round its plots.

    Returns:
        The board's grid; the step (column, row) to it; its turn, None if the rim looks the same in
        another one; and whether its place is certain, which takes all of its cells embedded.
    """
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
    similarity = similarity if model.tiles_share_way_up else similarity.max(axis=1, keepdims=True)
    known_scores[at[:, 1], at[:, 0]] = similarity * embeddings.whole[:, None]
    tried = []
    for turn, rim in enumerate(model.rim):
        r, c = rim.shape[0] - 2, rim.shape[1] - 2
        edge = np.ones(rim.shape[:2], bool)
        edge[1:-1, 1:-1] = False
        for x in range(-far, far + columns - c + 1):
            for y in range(-far, far + rows - r + 1):
                here = slice(far + y, far + r + 2 + y), slice(far + x, far + c + 2 + x)
                on_edge, on_it = edge & embedded[here], ~edge & embedded[here]
                if not on_edge.any() or not on_it.any():
                    continue
                around_it = float((around[here] * rim).sum(axis=2)[on_edge].mean())
                score = around_it + float(known_scores[here][..., turn][on_it].mean())
                tried.append((score, (x, y), turn, around_it, bool(embedded[here].all())))
    if len(tried) < 2:
        return grid, (0, 0), None, False
    tried.sort(reverse=True)
    best, step, turn, around_it, all_embedded = tried[0]
    # A symmetric board lies there in any turn; its tiles may tell which
    beside = max((each[0] for each in tried if each[1] != step), default=-1.0)
    turned = max((each[0] for each in tried if each[2] != turn), default=-1.0)
    certain = best - beside > MIN_RIM_MARGIN and around_it > MIN_RIM_SIMILARITY and all_embedded
    turn_known = best - turned > MIN_RIM_TURN_MARGIN
    matrix = grid.shifted(step).lattice.matrix
    r, c = model.rim[turn].shape[0] - 2, model.rim[turn].shape[1] - 2
    placed = LatticeGrid(Lattice(matrix), (r, c))
    return placed, step, turn if turn_known else None, certain


def _choose_among_rivals(
    grid: LatticeGrid, cells: Doubles, embeddings: Embeddings, references: References
) -> tuple[tuple[int, int], bool, bool]:
    """Choose between a grid's extent and its rivals by whole tiles of known faces.

    Returns:
        The step (column, row) to the best extent, whether it is certain, and
        ``PlacedGrid.border_supports_place``.
    """
    if not grid.rivals:
        return (0, 0), True, True
    rows, columns = grid.shape
    scores = np.zeros((rows + 2, columns + 2))
    at = cells.astype(int) + 1
    knows_faces = bool(len(references.face_index))
    scores[at[:, 1], at[:, 0]] = (
        known_tile_scores(embeddings, references) if knows_faces else embeddings.whole
    )
    steps = [(0, 0), *((x, y) for x, y in grid.rivals if max(abs(x), abs(y)) == 1)]
    sums = np.array([scores[1 + y : 1 + y + rows, 1 + x : 1 + x + columns].sum() for x, y in steps])
    best = int(sums.argmax())
    margin = (sums[best] - np.delete(sums, best).max(initial=-1e3)) / min(rows, columns)
    all_compared = len(steps) == len(grid.rivals) + 1
    around = (scores[0, 1:-1], scores[-1, 1:-1], scores[1:-1, 0], scores[1:-1, -1])
    border_supports_place = best == 0 and max(float(row.mean()) for row in around) < MAX_BESIDE
    return steps[best], bool(margin > MIN_EXTENT_MARGIN and all_compared), border_supports_place
