"""Lattices: detected tiles and plots put together to the grids of a game.

Method: neighbours are connected (``vision.eye.components``); one camera is fitted to all of these
components (``vision.eye.camera``); each lattice takes up the other detections that lie on it. Then
the extent of a grid's rows and columns is placed where most of it was detected, and compared
with the extents around it.

Frames: image, affine and cells, see ``vision.eye.camera``; detections are in pixels of the reduced
image, see ``vision.eye.locate``. Offsets and gaps are in tile widths.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, floats, median
from vision.editions.model import GridFormat
from vision.eye.camera import (
    MAX_CELL_AREA_RATIO,
    Lattice,
    TableCamera,
    TableGeometry,
    cells_between,
    fit_camera,
    fit_lattices,
    nearest_rotations,
)
from vision.eye.components import (
    MAX_LATTICE_OFFSET,
    MAX_NEIGHBOUR_SIZE_RATIO,
    MIN_COMPONENT_TILES,
    Component,
    connect_neighbours,
)
from vision.eye.detected_tiles import DetectedTiles
from vision.eye.locate import MIN_TILE_PROBABILITY, LocatorOutput
from vision.eye.quads import MAX_GRID_OVERLAP, overlap_share

MAX_GRID_SETS: Final = 3
"""Maximum number of alternative sets of grids of a photo. Larger: each photo costs more; smaller:
grids of the right size may not be among them."""
MAX_TILE_SIZES: Final = 3
"""Maximum number of tile sizes that are tried. Larger: each photo costs more; smaller: the right
size may not be among them."""
MIN_TRIED_SHARE: Final = 0.15
"""Share of the connected tiles, of sizes not tried yet, above which a further size is tried."""
MIN_TILES_FOR_OWN_STEPS: Final = 8
"""Minimum number of tiles of a lattice that may keep the steps fitted to it alone; others get the
common steps. Smaller: noise of few tiles changes the steps; larger: far grids get steps that do not
fit."""
MAX_OWN_STEP_CHANGE: Final = 0.12
"""Maximum logarithm of the ratio of a lattice's own steps to the common ones, for one that keeps
them. Larger: wrong steps are kept; smaller: far grids get steps that do not fit."""
OWN_SIZE_RANGE: Final = (-0.05, 0.1)
"""Range of the logarithm of a tile's size, relative to the common one, on lattices that get the
common steps."""
MIN_FITTED_TILES: Final = 6
"""Minimum number of tiles of a component that the camera is fitted to; if none is as large, it is
the largest. Larger: the camera is fitted to fewer components; smaller: small ones of chance bend
it."""
DETECTION_WEIGHT: Final = 0.5
"""Weight of the detection in a cell's score; the rest is that of the locator's map."""
MIN_PLACED_SHARE: Final = 0.5
"""Share of the tiles in grids with a clear extent above which no other size of tiles is tried, and
quarters of tiles are not."""
UNCLEAR_EXTENT_WEIGHT: Final = 0.05
"""Weight of a grid without a margin in the comparison of sets of grids; with a margin of a row of
tiles or more it is 1 at most."""
MAX_GAP_CELLS: Final = 2
"""Maximum number of cells beyond the extent of a component at which a detection is taken up.
Larger: tiles of other grids are taken up; smaller: tiles behind an empty row are left out."""
MIN_SHARED_TILES: Final = 0.5
"""Minimum share of the tiles of another lattice that make it a part of this one. Larger: parts of
one grid stay apart; smaller: neighbouring grids become one."""
MIN_SEEN_SHARE: Final = 0.45
"""Minimum share of the cells of a grid in which a tile was detected. Larger: grids in dim light or
under a hand are lost; smaller: other things become grids."""
MIN_FIRST_COMPONENT: Final = 0.4
"""Minimum size of a component before it takes up other detections, as a share of the cells that a
grid needs (``MIN_SEEN_SHARE``). Larger: grids whose joints hardly show are lost; smaller: more
components are fitted that show no grid."""
MIN_EXTENDED_COMPONENT: Final = 0.9
"""Minimum size of a component after it has taken up detections once, as a share like
``MIN_FIRST_COMPONENT``; it takes up further ones on a lattice with the common steps."""
MIN_EXTENT_MARGIN: Final = 0.4
"""Minimum lead of an extent over those a row or column off, in rows of tiles, that makes its
position certain. Larger: more grids are asked about; smaller: some lie a row off unnoticed."""
_SPOTS: Final = np.array([[x, y] for x in (-0.28, 0, 0.28) for y in (-0.28, 0, 0.28)])
"""Points (9, 2) of a cell at which the locator's map is sampled, in cells from its centre."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticeGrid:
    """Grid in a photo: an extent of rows and columns on a lattice.

    Attributes:
        lattice: Lattice with cell (0, 0) at the top left of the extent, whatever way up it is read.
        shape: Rows and columns of the extent.
        rivals: Steps (column, row) to the extents over which this one leads by less than
            ``MIN_EXTENT_MARGIN``.
        detected_count: Number of cells in which ``fit_grids`` saw a tile; 0 for a grid that another
            function found.
    """

    lattice: Lattice
    shape: tuple[int, int]
    rivals: tuple[tuple[int, int], ...] = ()
    detected_count: int = 0

    def cells(self) -> Doubles:
        """Return all cells (n, 2), row by row."""
        return cells_between((0, 0), self.shape[::-1])

    def corners_px(self, camera: TableCamera) -> Floats:
        """Return the corners (4, 2)."""
        rows, columns = self.shape
        corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - 0.5
        return floats(camera.to_image_px(self.lattice.to_affine(corners)))

    def shifted(self, step: tuple[int, int]) -> "LatticeGrid":
        """Return the grid with its extent moved by a step (column, row)."""
        matrix = self.lattice.matrix.copy()
        matrix[2] = self.lattice.to_affine(np.array(step))
        return replace(self, lattice=Lattice(matrix))


@dataclass(frozen=True, slots=True, eq=False)
class FoundGrids:
    """Grids of a photo, and its camera."""

    camera: TableCamera
    grids: tuple[LatticeGrid, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _ScoredGrid:
    """Grid with the evidence for its tiles and its extent.

    Attributes:
        grid: Grid.
        cell_scores: Shape (rows, columns), mean of the probabilities of a tile in each cell by
            detections and by the locator's map.
        margin: Lead in the sum of scores over the next best extent, divided by the grid's shorter
            side.
    """

    grid: LatticeGrid
    cell_scores: Doubles
    margin: float

    @property
    def score(self) -> float:
        """Sum of the cells' scores."""
        return float(self.cell_scores.sum())

    def with_detected_count(self) -> LatticeGrid:
        """Return the grid with its ``detected_count``."""
        return replace(
            self.grid, detected_count=int((self.cell_scores > MIN_TILE_PROBABILITY).sum())
        )

    def doubled(self) -> "_ScoredGrid":
        """Return a grid in the same position whose cells are 2 x 2 of these."""
        rows, columns = (n // 2 for n in self.grid.shape)
        lattice = self.grid.lattice
        matrix = np.vstack([2 * lattice.matrix[:2], lattice.to_affine(np.array([0.5, 0.5]))])
        rivals = {(round(x / 2), round(y / 2)) for x, y in self.grid.rivals} - {(0, 0)}
        grid = LatticeGrid(Lattice(matrix), (rows, columns), tuple(sorted(rivals)))
        scores = self.cell_scores.reshape(rows, 2, columns, 2).mean(axis=(1, 3))
        return _ScoredGrid(grid, scores, self.margin)


@dataclass(frozen=True, slots=True, eq=False)
class _GridSet:
    """Grids of one tile size, and the camera under which they were fitted."""

    camera: TableCamera
    grids: tuple[_ScoredGrid, ...]

    @property
    def score(self) -> float:
        """Sum of the scores of all cells."""
        return sum(each.score for each in self.grids)

    @property
    def clear_score(self) -> float:
        """Sum of the scores in grids that clearly lead over those a row or column off."""
        return sum(each.score for each in self.grids if each.margin > MIN_EXTENT_MARGIN)

    @property
    def quality(self) -> float:
        """Sum of the scores; those of grids whose extent is clear count most."""
        return sum(
            each.score * min(1.0, max(0.0, each.margin) + UNCLEAR_EXTENT_WEIGHT)
            for each in self.grids
        )


def _is_broad(component: Component) -> bool:
    """Return whether a component has rows and columns, so that it fixes a lattice."""
    return bool((np.ptp(component.cells, axis=0) >= 1).all()) and len(component.indices) >= 4


def _detections_on_lattice(
    component: Component,
    lattice: Lattice,
    affine: Doubles,
    free: NDArray[np.bool_],
    others: Sequence[Component],
) -> Component:
    """Return the free detections that lie on a lattice, at most one for each cell.

    Tiles of other lattices that lie on it by chance are left to those.
    """
    cells = lattice.to_cells(affine)
    rounded = np.rint(cells)
    off = np.abs(cells - rounded).max(axis=1)
    low = component.cells.min(axis=0) - MAX_GAP_CELLS
    high = component.cells.max(axis=0) + MAX_GAP_CELLS
    fits = (
        free
        & (off < MAX_LATTICE_OFFSET)
        & (rounded >= low).all(axis=1)
        & (rounded <= high).all(axis=1)
    )
    for other in others:
        if np.count_nonzero(fits[other.indices]) < MIN_SHARED_TILES * len(other):
            fits[other.indices] = False
    best: dict[tuple[float, ...], int] = {}
    order = np.flatnonzero(fits)[np.argsort(off[fits], kind="stable")]
    for n, cell in zip(order.tolist(), rounded[order].tolist(), strict=True):
        best.setdefault(tuple(cell), n)
    return Component(
        np.array(list(best.values()), np.intp), np.array(list(best), np.intp).reshape(-1, 2)
    )


def fit_grids(
    output: LocatorOutput, size_wh: tuple[int, int], grid_format: GridFormat
) -> list[FoundGrids]:
    """Fit the grids of a game to detections.

    Args:
        output: Output of the locator.
        size_wh: Size of the decoded image.
        grid_format: Format of the grids.

    Returns:
        Alternative sets of grids, the best first; more than one only if quarters of a tile may look
        like tiles, or if the extents are unclear.
    """
    camera = TableCamera.looking_down(*size_wh)
    tiles = DetectedTiles.of(output, grid_format)
    edges_px = (tiles.detections.edges * output.reduction_xy).astype(np.float64)
    found = connect_neighbours(tiles.points_px, edges_px, tiles.seed_scores)
    components = [each for each in found if _is_broad(each)]
    if not components:
        return [FoundGrids(camera, ())]
    large = [each for each in components if len(each) >= MIN_FITTED_TILES] or components[:1]
    camera, _ = fit_camera(camera, [tiles.correspondences(component) for component in large])
    lattices = fit_lattices(camera, [tiles.correspondences(component) for component in components])
    grams = _likely_tile_sizes(lattices, components)
    sets: list[_GridSet] = []
    for gram in grams:
        sets.append(_fit_grids_with_steps(tiles, camera, gram, grid_format))
        # Steps are right if they put most tiles into grids with a clear extent
        all_tiles = max(sets[-1].score, float(tiles.detections.tile_probability.sum()))
        if sets[-1].clear_score > MIN_PLACED_SHARE * all_tiles:
            break
    sets = [max(sets, key=lambda each: each.quality)]
    if (
        grid_format.quarters_look_like_tiles
        or sets[0].clear_score < MIN_PLACED_SHARE * sets[0].score
    ):
        of_quarters = replace(
            grid_format, rows=2 * grid_format.rows, columns=2 * grid_format.columns
        )
        quarters = [_fit_grids_with_steps(tiles, camera, gram, of_quarters) for gram in grams]
        sets += [
            replace(each, grids=tuple(grid.doubled() for grid in each.grids))
            for each in quarters
            if each.grids
        ]
        sets = sorted(sets, key=lambda each: each.quality, reverse=True)[:MAX_GRID_SETS]
    return [
        FoundGrids(each.camera, tuple(grid.with_detected_count() for grid in each.grids))
        for each in sets
    ]


def _likely_tile_sizes(lattices: list[Lattice], components: list[Component]) -> list[Doubles]:
    """Return the Gram matrices of likely steps: that of most tiles first, then of other sizes."""
    weight = np.array([len(each) for each in components], float)
    sizes = np.log([max(np.linalg.det(lattice.gram), 1e-12) for lattice in lattices]) / 2
    grams: list[Doubles] = []
    while (
        weight.sum() > MIN_TRIED_SHARE * sum(len(each) for each in components)
        and len(grams) < MAX_TILE_SIZES
    ):
        is_near = np.abs(sizes[:, None] - sizes[None]) < np.log(MAX_CELL_AREA_RATIO) / 2
        middle = int((is_near @ weight).argmax())
        grams.append(
            np.asarray(
                np.average(
                    [q.gram for q in lattices], axis=0, weights=weight**2 * is_near[middle] + 1e-9
                )
            )
        )
        weight[np.abs(sizes - sizes[middle]) < np.log(MAX_CELL_AREA_RATIO)] = 0
    return grams


def _fit_grids_with_steps(
    tiles: DetectedTiles, camera: TableCamera, gram: Doubles, grid_format: GridFormat
) -> _GridSet:
    """Find all grids with the steps that this Gram matrix (2, 2) describes."""
    geometry = TableGeometry.from_gram(camera, gram)
    turns, stretch = nearest_rotations(tiles.affine_edges(camera) @ np.linalg.inv(geometry.steps))
    right_size = (np.abs(np.log(stretch + 1e-9)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)).all(axis=1)
    indices = np.flatnonzero(right_size & (np.linalg.det(turns) > 0))
    centres = camera.to_affine(tiles.points_px)[indices]
    found = connect_neighbours(centres, turns[indices] @ geometry.steps, tiles.seed_scores[indices])
    components = [Component(indices[c.indices], c.cells) for c in found if _is_broad(c)]
    min_seen = MIN_SEEN_SHARE * grid_format.rows * grid_format.columns
    components = [each for each in components if len(each) > MIN_FIRST_COMPONENT * min_seen]
    components = _extend_components(tiles, geometry, components, indices, min_seen)
    if components:
        geometry = _fit_common_steps(tiles, camera, components)
        components = [each for each in components if len(each) > MIN_EXTENDED_COMPONENT * min_seen]
        components = _extend_components(tiles, geometry, components, indices, min_seen)
    camera = geometry.camera
    grids: list[_ScoredGrid] = []
    for component, lattice in zip(
        components, _regularise_lattices(tiles, geometry, components), strict=True
    ):
        grids += _find_detected_extents(tiles, camera, component, lattice, grid_format)
    best: list[_ScoredGrid] = []
    best_px: list[Floats] = []
    for each in sorted(grids, key=lambda scored: -scored.score):
        corners_px = each.grid.corners_px(camera)
        if len(best) < grid_format.most_grids and all(
            overlap_share(corners_px, other_px) < MAX_GRID_OVERLAP for other_px in best_px
        ):
            best.append(each)
            best_px.append(corners_px)
    return _GridSet(camera, tuple(best))


def _extend_components(
    tiles: DetectedTiles,
    geometry: TableGeometry,
    components: list[Component],
    usable: Ints,
    min_large: float,
) -> list[Component]:
    """Let components take up the detections on their lattices; return those that still fix one.

    Args:
        tiles: Detected tiles.
        geometry: Camera, and the steps of a tile.
        components: Components, the largest first.
        usable: Indices of the detections that may be taken up.
        min_large: Number of tiles above which a component is large, and others leave it its tiles.
    """
    free = np.zeros(len(tiles.detections), bool)
    free[usable] = True
    affine = geometry.camera.to_affine(tiles.points_px)
    large = [each for each in components if len(each) > min_large]
    extended: list[Component] = []
    for component, lattice in zip(
        components, _regularise_lattices(tiles, geometry, components), strict=True
    ):
        others = [other for other in large if other is not component]
        more = _detections_on_lattice(component, lattice, affine, free, others)
        if len(more.indices) >= MIN_COMPONENT_TILES and _is_broad(more):
            free[more.indices] = False
            extended.append(more)
    return extended


def _fit_common_steps(
    tiles: DetectedTiles, camera: TableCamera, components: list[Component]
) -> TableGeometry:
    """Fit the camera to components, and take the mean steps of their lattices."""
    camera, lattices = fit_camera(
        camera, [tiles.correspondences(component) for component in components]
    )
    weights = [float(len(component.indices)) ** 2 for component in components]
    mean = np.average([lattice.gram for lattice in lattices], axis=0, weights=weights)
    return TableGeometry.from_gram(camera, np.asarray(mean))


def _regularise_lattices(
    tiles: DetectedTiles, geometry: TableGeometry, components: list[Component]
) -> list[Lattice]:
    """Fit the lattices of components; few tiles or unlikely steps give them the common steps."""
    if not components:
        return []
    affine = geometry.camera.to_affine(tiles.points_px)
    lattices = fit_lattices(
        geometry.camera, [tiles.correspondences(component) for component in components]
    )
    own_steps = np.stack([lattice.matrix[:2] for lattice in lattices])
    rotations, stretches = nearest_rotations(own_steps @ np.linalg.inv(geometry.steps))
    log_sizes = np.log(stretches)
    has_likely_steps = np.all(np.abs(log_sizes) < MAX_OWN_STEP_CHANGE, axis=1)
    for n, component in enumerate(components):
        if len(component) < MIN_TILES_FOR_OWN_STEPS or not has_likely_steps[n]:
            size = float(np.exp(np.clip(log_sizes[n].mean(), *OWN_SIZE_RANGE)))
            steps = rotations[n] @ geometry.steps * size
            origins = affine[component.indices] - component.cells @ steps
            lattices[n] = Lattice(np.vstack([steps, median(origins)]))
    return lattices


def _find_detected_extents(
    tiles: DetectedTiles,
    camera: TableCamera,
    component: Component,
    lattice: Lattice,
    grid_format: GridFormat,
) -> list[_ScoredGrid]:
    """Find the extents on a lattice with most detected tiles, several if there is room.

    What the tiles show is not known yet: ``placement`` chooses between an extent and its rivals,
    ``growth`` searches extents again by known faces.
    """
    first, cell_scores, detected = _score_cells(tiles, camera, component, lattice, grid_format)
    grids: list[_ScoredGrid] = []
    while len(grids) < grid_format.most_grids:
        extent = _most_detected_extent(cell_scores, detected, grid_format)
        if extent is None:
            break
        (y, x), (rows, columns), leads = extent
        within = slice(y, y + rows), slice(x, x + columns)
        rivals = [(int(b) - x, int(a) - y) for a, b in np.argwhere(leads < MIN_EXTENT_MARGIN)]
        matrix = lattice.matrix.copy()
        matrix[2] = lattice.to_affine(first + np.array([x, y]))
        grid = LatticeGrid(Lattice(matrix), (rows, columns), tuple(rivals))
        grids.append(_ScoredGrid(grid, cell_scores[within].copy(), float(leads.min())))
        cell_scores[within] = detected[within] = 0
    return grids


def _score_cells(
    tiles: DetectedTiles,
    camera: TableCamera,
    component: Component,
    lattice: Lattice,
    grid_format: GridFormat,
) -> tuple[Ints, Doubles, Doubles]:
    """Score the cells of a lattice in which a grid may lie that has tiles of a component.

    Returns:
        The first cell (column, row); scores (rows, columns), see ``_ScoredGrid.cell_scores``; and
        the probabilities (rows, columns) of the detections in the cells, 0 in those without any.
    """
    longest = max(grid_format.rows, grid_format.columns)
    low, high = component.cells.min(axis=0) - longest, component.cells.max(axis=0) + longest
    columns, rows = (high - low + 1).tolist()
    spots = cells_between(low, high + 1)[:, None] + _SPOTS
    seen = tiles.sample_map(camera.to_image_px(lattice.to_affine(spots))).reshape(rows, columns)
    detected = np.zeros((rows, columns))
    at_cell = component.cells - low
    detected[at_cell[:, 1], at_cell[:, 0]] = np.maximum(
        tiles.detections.tile_probability,
        tiles.detections.plot_probability if grid_format.on_board else 0,
    )[component.indices]
    scores = (1 - DETECTION_WEIGHT) * seen + DETECTION_WEIGHT * detected
    return low, scores, detected


def _most_detected_extent(
    cell_scores: Doubles, detected: Doubles, grid_format: GridFormat
) -> tuple[tuple[int, int], tuple[int, int], Doubles] | None:
    """Return the extent with the greatest score; None if tiles were detected in too few cells.

    Args:
        cell_scores: Shape (rows, columns), see ``_score_cells``.
        detected: Shape (rows, columns), see ``_score_cells``.
        grid_format: Format of the grids.

    Returns:
        Its first row and column; its shape; and its leads over all extents of this shape, in rows
        of tiles, by their first row and column.
    """
    best: tuple[tuple[int, int], Doubles] | None = None
    for shape in {(grid_format.rows, grid_format.columns), (grid_format.columns, grid_format.rows)}:
        if cell_scores.shape[0] < shape[0] or cell_scores.shape[1] < shape[1]:
            continue
        sums = _extent_sums(cell_scores, *shape)
        if best is None or sums.max() > best[1].max():
            best = shape, sums
    if best is None:
        return None
    shape, sums = best
    y, x = (int(v) for v in np.unravel_index(sums.argmax(), sums.shape))
    if _extent_sums(detected > 0, *shape)[y, x] < MIN_SEEN_SHARE * shape[0] * shape[1]:
        return None
    others = sums.copy()
    others[y, x] = -1
    return (y, x), shape, np.asarray((sums[y, x] - others) / min(shape))


def _extent_sums(values: NDArray[np.generic], rows: int, columns: int) -> Doubles:
    """Return the sum over each extent of rows x columns."""
    height, width = values.shape
    total = np.zeros((height + 1, width + 1))
    total[1:, 1:] = values.astype(float).cumsum(axis=0).cumsum(axis=1)
    extents = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns]
    return np.asarray(extents + total[:-rows, :-columns])
