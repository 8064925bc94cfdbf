"""Lattices: detected tiles and plots put together to grids of a layout.

Method: neighbours are chained; one camera is fitted to all chains (``vision.eye.camera``); each
lattice takes up the other detections that lie on it. Then the extent of the layout's rows and
columns is placed where most of it was detected, and compared with the extents around it.

Frames: photo, affine and cells, see ``vision.eye.camera``; detections are in pixels of the reduced
image, see ``vision.eye.locate``. Offsets and gaps are in tile widths.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, floats
from vision.editions.model import GridLayout
from vision.eye.camera import (
    MAX_CELL_AREA_RATIO,
    Correspondences,
    Lattice,
    TableCamera,
    TableGeometry,
    cells_between,
    fit_camera,
    fit_lattices,
)
from vision.eye.chains import MAX_NEIGHBOUR_SIZE_RATIO, MIN_CHAIN_TILES, Chain, chain_neighbours
from vision.eye.locate import STRIDE_PX, Detections
from vision.eye.quads import MAX_GRID_OVERLAP, overlap_share

MAX_GRID_SETS: Final = 3
"""Most alternative sets of grids of a photo, and most sizes of tiles that are tried for them.
Larger: each photo costs more; smaller: grids of the right size may not be among them."""
MIN_OWN_STEP_TILES: Final = 8
MAX_OWN_STEP_CHANGE: Final = 0.12
"""Least tiles of a lattice with steps of its own, and largest difference of these from the common
ones, in logarithms. Other lattices get the common steps."""
MIN_FITTED_TILES: Final = 6
"""Least tiles of a chain that the camera is fitted to; if none is so long, it is the longest.
Larger: the camera is fitted to fewer chains; smaller: short chains of chance bend it."""
MAX_LATTICE_OFFSET: Final = 0.25
"""Distance from its cell up to which a detection is taken up by a lattice, in tile widths. Larger:
tiles of other grids are taken up; smaller: crooked tiles are left out."""
MIN_SHARED_TILES: Final = 0.5
"""Least share of the tiles of another lattice that make it a part of this one. Larger: parts of one
grid stay apart; smaller: neighbouring grids become one."""
MIN_SEEN_SHARE: Final = 0.45
"""Least share of the cells of a grid in which a tile was detected. Larger: grids in dim light or
under a hand are lost; smaller: other things become grids."""
MIN_FIRST_CHAIN: Final = 0.4
"""Least tiles of a chain that is extended, as a share of those that a grid needs
(``MIN_SEEN_SHARE``). Larger: grids whose joints hardly show are lost; smaller: more chains are
fitted that show no grid."""
MIN_SECOND_CHAIN: Final = 0.9
"""The same for a chain that was extended, and is so once more with the common steps."""
MIN_EXTENT_MARGIN: Final = 0.4
"""Least lead of an extent over those a row or column off, in rows of tiles, that makes its place
certain. Larger: more grids are asked about; smaller: some lie a row off unnoticed."""
_SPOTS: Final = np.array([[x, y] for x in (-0.28, 0, 0.28) for y in (-0.28, 0, 0.28)])
"""Points (9, 2) of a cell at which the locator's map is sampled, in cells from its centre."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticeGrid:
    """Grid in a photo: an extent of rows and columns on a lattice.

    Attributes:
        lattice: Lattice with cell (0, 0) at the top left of the extent, whatever way up it is read.
        shape: Rows and columns of the extent.
        cell_scores: Shape (rows, columns), evidence for a tile in each cell. From ``fit_grids`` the
            mean of the probabilities of detection and locator map, 0 to 1; from ``grow_grid``
            ``known_tile_scores``, -0.5 to 1; else ones, as no cell was scored.
        margin: Lead over the next best extent, in rows of tiles.
        rivals: Steps (column, row) to the extents over which this one leads by less than
            ``MIN_EXTENT_MARGIN``.
    """

    lattice: Lattice
    shape: tuple[int, int]
    cell_scores: Doubles
    margin: float
    rivals: tuple[tuple[int, int], ...]

    def cells(self) -> Doubles:
        """Return all cells (n, 2), row by row."""
        return cells_between((0, 0), self.shape[::-1])

    def corners_px(self, camera: TableCamera) -> Floats:
        """Return the corners (4, 2)."""
        rows, columns = self.shape
        corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - 0.5
        return floats(camera.to_photo_px(self.lattice.to_affine(corners)))

    def doubled(self) -> "LatticeGrid":
        """Return a grid of the same place whose cells are 2 x 2 of these."""
        rows, columns = (n // 2 for n in self.shape)
        steps = 2 * self.lattice.matrix[:2]
        matrix = np.vstack([steps, self.lattice.to_affine(np.array([0.5, 0.5]))])
        scores = self.cell_scores.reshape(rows, 2, columns, 2).mean(axis=(1, 3))
        rivals = {(round(x / 2), round(y / 2)) for x, y in self.rivals} - {(0, 0)}
        return LatticeGrid(
            Lattice(matrix), (rows, columns), scores, self.margin, tuple(sorted(rivals))
        )

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
class _DetectedTiles:
    """Tiles and plots that the locator detected, n of them, in the photo.

    Attributes:
        detections: Detections in pixels of the reduced image.
        probability_map: Shape (h, w), probability that a map cell lies in a tile or, for boards, a
            plot.
        reduction_xy: Photo pixels to one reduced pixel, along x and y.
        points_px: Shape (n, 2), centres.
    """

    detections: Detections
    probability_map: Floats
    reduction_xy: Floats
    points_px: Doubles

    @classmethod
    def of(
        cls, detections: Detections, maps: Floats, reduction_xy: Floats, layout: GridLayout
    ) -> "_DetectedTiles":
        logits = np.maximum(maps[0], maps[1]) if layout.board else maps[0]
        probability_map = 1 / (1 + np.exp(-np.clip(logits, -40, 40)))
        points_px = ((detections.centres + 0.5) * reduction_xy - 0.5).astype(np.float64)
        return cls(detections, probability_map, reduction_xy, points_px)

    @property
    def seed_scores(self) -> Doubles:
        """Scores (n,) by which tiles begin chains, the highest first."""
        either = np.maximum(self.detections.tile, self.detections.plot)
        return (either - self.detections.error).astype(np.float64)

    def correspondences(self, chain: Chain) -> Correspondences:
        """Return the cells of a chain and where the photo shows them."""
        detections = self.detections
        weights = np.clip(
            np.maximum(detections.tile, detections.plot)[chain.indices]
            / (0.3 + 10 * detections.error[chain.indices]),
            0.2,
            2,
        )
        return Correspondences(
            chain.cells.astype(float), self.points_px[chain.indices], weights.astype(float)
        )

    def affine_edges(self, camera: TableCamera) -> Doubles:
        """Return the edges (n, 2, 2) in the affine frame."""
        edges = self.detections.edges * self.reduction_xy / 2
        tips_px = self.points_px[:, None] + np.concatenate([edges, -edges], axis=1)
        tips = camera.to_affine(tips_px)
        return np.stack([tips[:, 0] - tips[:, 2], tips[:, 1] - tips[:, 3]], axis=1)

    def seen_in(self, points_px: Doubles) -> Doubles:
        """Return the probabilities (k,) of tiles in cells, means over their spots (k, m, 2)."""
        on_map = ((points_px + 0.5) / self.reduction_xy - 0.5 - (STRIDE_PX - 1) / 2) / STRIDE_PX
        x, y = (np.ascontiguousarray(floats(on_map)[..., n]) for n in (0, 1))
        shown = cv2.remap(
            self.probability_map,
            x,
            y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=0,
        )
        return np.asarray(shown.mean(axis=1).astype(np.float64))


def _is_broad(chain: Chain) -> bool:
    """Return whether a chain has rows and columns, so that it fixes a lattice."""
    return bool((np.ptp(chain.cells, axis=0) >= 1).all()) and len(chain.indices) >= 4


def _take_up(
    chain: Chain,
    lattice: Lattice,
    affine: Doubles,
    free: NDArray[np.bool_],
    others: Sequence[Chain],
) -> Chain:
    """Return the free detections that lie on a lattice, at most one for each cell.

    Tiles of other lattices that lie on it by chance are left to those.
    """
    cells = lattice.to_cells(affine)
    rounded = np.rint(cells)
    off = np.abs(cells - rounded).max(axis=1)
    low, high = chain.cells.min(axis=0) - 2, chain.cells.max(axis=0) + 2
    fits = (
        free
        & (off < MAX_LATTICE_OFFSET)
        & (rounded >= low).all(axis=1)
        & (rounded <= high).all(axis=1)
    )
    for other in others:
        if fits[other.indices].mean() < MIN_SHARED_TILES:
            fits[other.indices] = False
    best: dict[tuple[int, int], int] = {}
    for n in np.flatnonzero(fits)[np.argsort(off[fits], kind="stable")].tolist():
        best.setdefault((int(rounded[n, 0]), int(rounded[n, 1])), n)
    return Chain(
        np.array(list(best.values()), np.intp), np.array(list(best), np.intp).reshape(-1, 2)
    )


def fit_grids(
    detections: Detections,
    maps: Floats,
    reduction_xy: Floats,
    size_px: tuple[int, int],
    layout: GridLayout,
) -> list[FoundGrids]:
    """Fit grids of a layout to detections; alternatives, the best first, if their size is unclear.

    Args:
        detections: Detections.
        maps: Output of the locator, see ``vision.eye.locate``.
        reduction_xy: Photo pixels to one reduced pixel, along x and y.
        size_px: Width and height of the photo.
        layout: Layout of the grids.
    """
    camera = TableCamera.looking_down(*size_px)
    tiles = _DetectedTiles.of(detections, maps, reduction_xy, layout)
    edges_px = (detections.edges * reduction_xy).astype(np.float64)
    chains = [
        c for c in chain_neighbours(tiles.points_px, edges_px, tiles.seed_scores) if _is_broad(c)
    ]
    if not chains:
        return [FoundGrids(camera, ())]
    long = [chain for chain in chains if len(chain.indices) >= MIN_FITTED_TILES] or chains[:1]
    camera, _ = fit_camera(camera, [tiles.correspondences(chain) for chain in long])
    lattices = fit_lattices(camera, [tiles.correspondences(chain) for chain in chains])
    grams = _likely_grams(lattices, chains)
    found = []
    for gram in grams:
        found.append(_fit_grids_with_steps(tiles, camera, gram, layout))
        # Steps are right if they put most tiles into grids with a clear place
        most = max(_score(found[-1].grids), float(detections.tile.sum()))
        if _score(_clear_grids(found[-1])) > 0.5 * most:
            break
    best = max(found, key=_quality)
    several = [best]
    if layout.quartered or _score(_clear_grids(best)) < 0.5 * _score(best.grids):
        finer = replace(layout, rows=2 * layout.rows, columns=2 * layout.columns)
        found = [_fit_grids_with_steps(tiles, camera, gram, finer) for gram in grams]
        several += [replace(f, grids=tuple(g.doubled() for g in f.grids)) for f in found if f.grids]
        several = sorted(several, key=_quality, reverse=True)[:MAX_GRID_SETS]
    return several


def _clear_grids(found: FoundGrids) -> list[LatticeGrid]:
    """Return the grids that clearly lead over those a row or column off."""
    return [grid for grid in found.grids if grid.margin > MIN_EXTENT_MARGIN]


def _score(grids: Iterable[LatticeGrid]) -> float:
    """Return the sum of the cells' scores of grids."""
    return sum(float(grid.cell_scores.sum()) for grid in grids)


def _quality(found: FoundGrids) -> float:
    """Return the sum of the cells' scores; those of grids whose place is clear count most."""
    return sum(
        float(g.cell_scores.sum()) * min(1.0, max(0.0, g.margin) + 0.05) for g in found.grids
    )


def _likely_grams(lattices: list[Lattice], chains: list[Chain]) -> list[Doubles]:
    """Return likely Gram matrices of the steps: that of most tiles first, then of other sizes."""
    weight = np.array([len(c.indices) for c in chains], float)
    sizes = np.log([max(np.linalg.det(lattice.gram), 1e-12) for lattice in lattices]) / 2
    grams: list[Doubles] = []
    while weight.sum() > 0.15 * sum(len(c.indices) for c in chains) and len(grams) < MAX_GRID_SETS:
        near = np.abs(sizes[:, None] - sizes[None]) < np.log(MAX_CELL_AREA_RATIO) / 2
        middle = int((near @ weight).argmax())
        grams.append(
            np.asarray(
                np.average(
                    [q.gram for q in lattices], axis=0, weights=weight**2 * near[middle] + 1e-9
                )
            )
        )
        weight[np.abs(sizes - sizes[middle]) < np.log(MAX_CELL_AREA_RATIO)] = 0
    return grams


def _fit_grids_with_steps(
    tiles: _DetectedTiles, camera: TableCamera, gram: Doubles, layout: GridLayout
) -> FoundGrids:
    """Find all grids with the steps that this Gram matrix (2, 2) describes."""
    geometry = TableGeometry.with_gram(camera, gram)
    u, stretch, v = np.linalg.svd(tiles.affine_edges(camera) @ np.linalg.inv(geometry.steps))
    right_size = (np.abs(np.log(stretch + 1e-9)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)).all(axis=1)
    turns = u @ v
    indices = np.flatnonzero(right_size & (np.linalg.det(turns) > 0))
    centres = camera.to_affine(tiles.points_px)[indices]
    found = chain_neighbours(centres, turns[indices] @ geometry.steps, tiles.seed_scores[indices])
    chains = [Chain(indices[c.indices], c.cells) for c in found if _is_broad(c)]
    least = MIN_SEEN_SHARE * layout.rows * layout.columns
    chains = [c for c in chains if len(c.indices) > MIN_FIRST_CHAIN * least]
    chains = _extend_chains(tiles, geometry, chains, indices, least)
    if chains:
        geometry = _fit_common_steps(tiles, camera, chains)
        chains = [c for c in chains if len(c.indices) > MIN_SECOND_CHAIN * least]
        chains = _extend_chains(tiles, geometry, chains, indices, least)
    camera = geometry.camera
    grids: list[LatticeGrid] = []
    for chain, lattice in zip(chains, _steady_lattices(tiles, geometry, chains), strict=True):
        grids += _place_extents(tiles, camera, chain, lattice, layout)
    best: list[LatticeGrid] = []
    for grid in sorted(grids, key=lambda g: -float(g.cell_scores.sum())):
        corners = grid.corners_px(camera)
        if len(best) < layout.most_grids and all(
            overlap_share(corners, other.corners_px(camera)) < MAX_GRID_OVERLAP for other in best
        ):
            best.append(grid)
    return FoundGrids(camera, tuple(best))


def _extend_chains(
    tiles: _DetectedTiles, geometry: TableGeometry, chains: list[Chain], usable: Ints, least: float
) -> list[Chain]:
    """Let each chain take up the detections on its lattice, and return those that still fix one.

    Args:
        tiles: Detected tiles.
        geometry: Camera, and the steps of a tile.
        chains: Chains, the longest first.
        usable: Indices of the detections that may be taken up.
        least: Number of tiles above which other chains take no tile of a chain.
    """
    free = np.zeros(len(tiles.detections), bool)
    free[usable] = True
    affine = geometry.camera.to_affine(tiles.points_px)
    long = [chain for chain in chains if len(chain.indices) > least]
    extended: list[Chain] = []
    for chain, lattice in zip(chains, _steady_lattices(tiles, geometry, chains), strict=True):
        others = [other for other in long if other is not chain]
        more = _take_up(chain, lattice, affine, free, others)
        if len(more.indices) >= MIN_CHAIN_TILES and _is_broad(more):
            free[more.indices] = False
            extended.append(more)
    return extended


def _fit_common_steps(
    tiles: _DetectedTiles, camera: TableCamera, chains: list[Chain]
) -> TableGeometry:
    """Fit the camera to chains, and take the mean steps of their lattices."""
    camera, lattices = fit_camera(camera, [tiles.correspondences(chain) for chain in chains])
    weights = [float(len(chain.indices)) ** 2 for chain in chains]
    mean = np.average([lattice.gram for lattice in lattices], axis=0, weights=weights)
    return TableGeometry.with_gram(camera, np.asarray(mean))


def _steady_lattices(
    tiles: _DetectedTiles, geometry: TableGeometry, chains: list[Chain]
) -> list[Lattice]:
    """Fit the lattices of chains; those with few tiles or unlikely steps get the common ones."""
    if not chains:
        return []
    affine = geometry.camera.to_affine(tiles.points_px)
    lattices = fit_lattices(geometry.camera, [tiles.correspondences(chain) for chain in chains])
    return [
        _steady_lattice(lattice, chain, geometry.steps, affine)
        for chain, lattice in zip(chains, lattices, strict=True)
    ]


def _steady_lattice(
    lattice: Lattice, chain: Chain, common_steps: Doubles, affine: Doubles
) -> Lattice:
    """Return a lattice with nearly the common steps if it has few tiles or unlikely steps.

    Args:
        lattice: Lattice as fitted to the chain alone.
        chain: Tiles on the lattice.
        common_steps: Shape (2, 2), see ``TableGeometry.steps``.
        affine: Shape (n, 2), centres of all detections in the affine frame.
    """
    u, stretch, v = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(common_steps))
    if (
        len(chain.indices) >= MIN_OWN_STEP_TILES
        and (np.abs(np.log(stretch)) < MAX_OWN_STEP_CHANGE).all()
    ):
        return lattice
    steps = u @ v @ common_steps * float(np.exp(np.clip(np.log(stretch).mean(), -0.05, 0.1)))
    return Lattice(
        np.vstack([steps, np.median(affine[chain.indices] - chain.cells @ steps, axis=0)])
    )


def _place_extents(
    tiles: _DetectedTiles,
    camera: TableCamera,
    chain: Chain,
    lattice: Lattice,
    layout: GridLayout,
) -> list[LatticeGrid]:
    """Place the layout on a lattice where most was detected, several times if there is room."""
    first, cell_scores, detected = _score_cells(tiles, camera, chain, lattice, layout)
    grids: list[LatticeGrid] = []
    while len(grids) < layout.most_grids:
        extent = _best_extent(cell_scores, detected, layout)
        if extent is None:
            break
        (y, x), (rows, columns), leads = extent
        within = slice(y, y + rows), slice(x, x + columns)
        rivals = [(int(b) - x, int(a) - y) for a, b in np.argwhere(leads < MIN_EXTENT_MARGIN)]
        matrix = lattice.matrix.copy()
        matrix[2] = lattice.to_affine(first + np.array([x, y]))
        grids.append(
            LatticeGrid(
                Lattice(matrix),
                (rows, columns),
                cell_scores[within].copy(),
                float(leads.min()),
                tuple(rivals),
            )
        )
        cell_scores[within] = detected[within] = 0
    return grids


def _score_cells(
    tiles: _DetectedTiles,
    camera: TableCamera,
    chain: Chain,
    lattice: Lattice,
    layout: GridLayout,
) -> tuple[Ints, Doubles, Doubles]:
    """Score the cells of a lattice in which a grid may lie that has tiles of a chain.

    Returns:
        The first cell (column, row); scores (rows, columns), see ``LatticeGrid.cell_scores``; and
        the probabilities (rows, columns) of the detections in the cells, 0 in those without any.
    """
    most = max(layout.rows, layout.columns)
    low, high = chain.cells.min(axis=0) - most, chain.cells.max(axis=0) + most
    columns, rows = (high - low + 1).tolist()
    spots = cells_between(low, high + 1)[:, None] + _SPOTS
    seen = tiles.seen_in(camera.to_photo_px(lattice.to_affine(spots))).reshape(rows, columns)
    detected = np.zeros((rows, columns))
    at_cell = chain.cells - low
    detected[at_cell[:, 1], at_cell[:, 0]] = np.maximum(
        tiles.detections.tile, tiles.detections.plot if layout.board else 0
    )[chain.indices]
    return low, 0.5 * seen + 0.5 * detected, detected


def _best_extent(
    cell_scores: Doubles, detected: Doubles, layout: GridLayout
) -> tuple[tuple[int, int], tuple[int, int], Doubles] | None:
    """Return the extent with the greatest score; None if tiles were detected in too few cells.

    Args:
        cell_scores: Shape (rows, columns), see ``_score_cells``.
        detected: Shape (rows, columns), see ``_score_cells``.
        layout: Layout of the grids.

    Returns:
        Its first row and column; its shape; and its leads over all extents of this shape, in rows
        of tiles, by their first row and column.
    """
    best: tuple[tuple[int, int], Doubles] | None = None
    for shape in {(layout.rows, layout.columns), (layout.columns, layout.rows)}:
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
