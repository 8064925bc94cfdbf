"""Tiles and plots that were seen, put together to grids of a model's layout.

Neighbours are chained; all chains are fitted together with one lattice and one lens
(``vision.eye.camera``); each lattice takes up what lies on it. Then the extent of the layout's
rows and columns is laid where most is inside, and compared with those beside it.
"""

from collections import deque
from collections.abc import Sequence
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
    fit_camera,
    fit_lattices,
)
from vision.eye.locate import MIN_TILE_PROBABILITY, STRIDE_PX, Detections

HYPOTHESES = 3
ENOUGH, ODD = 8, 0.12
"""A lattice of so many tiles may have steps of its own, up to exp(ODD) from the common ones."""
MAX_NEIGHBOUR_SIZE_RATIO: Final = 1.35
"""Ratio up to which the sizes of two detections may be those of neighbours, and of one table."""
MAX_NEIGHBOUR_TURN: Final = 0.25
"""Difference in direction up to which tiles are neighbours, in radians."""
MAX_NEIGHBOUR_OFFSET: Final = 0.25
"""Distance of a neighbour from its place up to which it is one, aside and towards the tile, in tile
widths. Larger: chains jump to another row; smaller: crooked rows fall apart."""
MAX_NEIGHBOUR_GAP: Final = 0.3
"""Gap up to which tiles are neighbours, in tile widths."""
MIN_CHAIN_TILES: Final = 3
"""Least number of tiles that lie on one lattice by more than chance."""
MAX_LATTICE_OFFSET: Final = 0.25
"""Distance from its cell up to which a detection is taken up by a lattice, in tile widths."""
MIN_SHARED_TILES: Final = 0.5
"""Least share of the tiles of another lattice that make it a part of this one."""
MIN_SEEN_SHARE: Final = 0.45
"""Least share of the cells of a grid in which a tile was detected. Larger: grids in dim light or
under a hand are lost; smaller: other things become grids."""
MIN_END_MARGIN: Final = 0.4
"""Least lead of an extent over those a row or column aside, in rows of tiles, that makes its place
certain. Larger: more grids are asked about; smaller: some lie a row aside unnoticed."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Grid in a photo.

    Attributes:
        lattice: its lattice; cell (0, 0) is at the top left of the extent, which way up is open.
        shape: rows and columns of the extent.
        seen: (rows, columns) how much the locator saw in each cell, 0 to 1.
        margin: how much less the next best extent has, in rows of tiles.
        rivals: extents that have nearly as much, as steps (column, row) from this one.
    """

    lattice: Lattice
    shape: tuple[int, int]
    seen: Doubles
    margin: float
    rivals: tuple[tuple[int, int], ...]

    def cells(self) -> Doubles:
        """All cells (column, row), row by row."""
        rows, columns = self.shape
        return (
            np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
            .reshape(-1, 2)
            .astype(float)
        )

    def corners_px(self, camera: TableCamera) -> Floats:
        """Its corners (4, 2)."""
        rows, columns = self.shape
        ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - 0.5
        return floats(camera.to_photo_px(self.lattice.to_affine(ends)))

    def doubled(self) -> "Grid":
        """The same place with cells of 2x2 of these."""
        rows, columns = (n // 2 for n in self.shape)
        steps = 2 * self.lattice.matrix[:2]
        matrix = np.vstack([steps, self.lattice.to_affine(np.array([0.5, 0.5]))])
        seen = self.seen.reshape(rows, 2, columns, 2).mean(axis=(1, 3))
        rivals = {(round(x / 2), round(y / 2)) for x, y in self.rivals} - {(0, 0)}
        return Grid(Lattice(matrix), (rows, columns), seen, self.margin, tuple(sorted(rivals)))

    def shifted(self, step: tuple[int, int]) -> "Grid":
        """The same lattice with the extent elsewhere."""
        matrix = self.lattice.matrix.copy()
        matrix[2] = self.lattice.to_affine(np.array(step))
        return replace(self, lattice=Lattice(matrix))


@dataclass(slots=True, eq=False)
class Chain:
    """Detections that lie on one lattice: their numbers, and cells (n, 2)."""

    numbers: Ints
    cells: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Unexplained:
    """Tiles that lie together, and in no grid.

    Attributes:
        quad_px: (4, 2) round them.
        tile_px: side of one.
        count: how many tiles they amount to, by area and probability.
    """

    quad_px: Floats
    tile_px: float
    count: float


@dataclass(frozen=True, slots=True, eq=False)
class FoundGrids:
    """Grids of a photo, and the camera."""

    camera: TableCamera
    grids: tuple[Grid, ...]


def _links(centres: Doubles, edges: Doubles) -> list[list[tuple[int, int, int, int]]]:
    """For each tile its neighbours: number, step (column, row), quarters that it is turned by."""
    n = len(centres)
    inverse = np.linalg.inv(edges)
    size = np.sqrt(np.abs(np.linalg.det(edges)))
    x, y = centres.T
    # As far as a neighbour along the longer edge of the flattest tile may be
    reach = (1 + MAX_NEIGHBOUR_GAP) * np.sqrt((edges**2).sum(axis=2).max(axis=1))
    close = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < 2 * reach[:, None] ** 2
    np.fill_diagonal(close, val=False)
    i, j = np.nonzero(close & close.T)
    here = np.einsum("nk,nkl->nl", centres[j] - centres[i], inverse[i])  # (column, row) of j for i
    near = (np.abs(here).max(axis=1) < 1 + MAX_NEIGHBOUR_GAP) & (
        np.abs(np.log(size[i] / size[j])) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    )
    i, j, here = i[near], j[near], here[near]
    back = -np.einsum("nk,nkl->nl", centres[i] - centres[j], inverse[j])
    turned = np.einsum("nk,nkl->nl", edges[j, 0], inverse[i])
    angle = np.arctan2(turned[:, 1], turned[:, 0])
    quarter = np.rint(angle / (np.pi / 2)).astype(int)
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    there = np.stack([back[:, 0] * c - back[:, 1] * s, back[:, 0] * s + back[:, 1] * c], axis=-1)
    both = (here + there) / 2
    step = np.rint(both).astype(int)
    along, aside = np.abs(both).max(axis=1), np.abs(both).min(axis=1)
    good = (np.abs(angle - quarter * np.pi / 2) < MAX_NEIGHBOUR_TURN) & (
        np.abs(step).sum(axis=1) == 1
    )
    good &= (
        (aside < MAX_NEIGHBOUR_OFFSET)
        & (along > 1 - MAX_NEIGHBOUR_OFFSET)
        & (along < 1 + MAX_NEIGHBOUR_GAP)
    )
    links: list[list[tuple[int, int, int, int]]] = [[] for _ in range(n)]
    for k in np.flatnonzero(good)[np.argsort(aside[good], kind="stable")].tolist():
        links[i[k]].append((int(j[k]), int(step[k, 0]), int(step[k, 1]), int(quarter[k]) % 4))
    return links


def chains_of(centres: Doubles, edges: Doubles, worth: Doubles) -> list[Chain]:
    """Chain neighbours: every chain is a part of one lattice, longest first.

    Args:
        centres: (n, 2) of tiles, in the photo or flat.
        edges: (n, 2, 2) as ``Detections`` has them.
        worth: (n,) the best begin chains.
    """
    n = len(centres)
    if not n:
        return []
    links = _links(centres, edges)
    free, chains = np.ones(n, bool), []
    for seed in np.argsort(-worth, kind="stable").tolist():
        if not free[seed]:
            continue
        free[seed] = False
        placed = {seed: (0, 0, 0)}
        taken, ahead = {(0, 0)}, deque([seed])
        while ahead:
            one = ahead.popleft()
            x, y, turn = placed[one]
            for other, dx, dy, quarters in links[one]:
                if not free[other]:
                    continue
                for _ in range(turn):
                    dx, dy = -dy, dx  # noqa: PLW2901
                cell = (x + dx, y + dy)
                if cell not in taken:
                    taken.add(cell)
                    free[other] = False
                    placed[other] = (*cell, (turn + quarters) % 4)
                    ahead.append(other)
        if len(placed) >= MIN_CHAIN_TILES:
            chains.append(Chain(np.array(list(placed)), np.array([v[:2] for v in placed.values()])))
    return sorted(chains, key=lambda chain: -len(chain.numbers))


def _observed(d: Detections, points_px: Doubles, chain: Chain) -> Correspondences:
    weights = np.clip(
        np.maximum(d.tile, d.plot)[chain.numbers] / (0.3 + 10 * d.error[chain.numbers]), 0.2, 2
    )
    return Correspondences(
        chain.cells.astype(float), points_px[chain.numbers], weights.astype(float)
    )


def _broad(chain: Chain) -> bool:
    """Whether a chain goes both ways, so that it is a lattice and no row."""
    return bool((np.ptp(chain.cells, axis=0) >= 1).all()) and len(chain.numbers) >= 4


def _taken_up(
    chain: Chain,
    lattice: Lattice,
    flat: Doubles,
    free: NDArray[np.bool_],
    others: Sequence[Chain],
) -> Chain:
    """A lattice with all free detections that lie on it, at most one a cell.

    Some tiles of any other lattice lie on it by chance: these are left to that one, unless most do.
    """
    cells = lattice.to_cells(flat)
    whole = np.rint(cells)
    off = np.abs(cells - whole).max(axis=1)
    low, high = chain.cells.min(axis=0) - 2, chain.cells.max(axis=0) + 2
    fits = (
        free & (off < MAX_LATTICE_OFFSET) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
    )
    for other in others:
        if fits[other.numbers].mean() < MIN_SHARED_TILES:
            fits[other.numbers] = False
    best: dict[tuple[int, int], int] = {}
    for n in np.flatnonzero(fits)[np.argsort(off[fits], kind="stable")].tolist():
        best.setdefault((int(whole[n, 0]), int(whole[n, 1])), n)
    return Chain(
        np.array(list(best.values()), np.intp), np.array(list(best), np.intp).reshape(-1, 2)
    )


def _flat_edges(d: Detections, points_px: Doubles, scale: Floats, camera: TableCamera) -> Doubles:
    """Edges (n, 2, 2) of detections when made flat."""
    edges = d.edges * scale / 2
    ends = camera.to_affine(points_px[:, None] + np.concatenate([edges, -edges], axis=1))
    return np.stack([ends[:, 0] - ends[:, 2], ends[:, 1] - ends[:, 3]], axis=1)


def find_grids(
    d: Detections,
    maps: Floats,
    scale: Floats,
    size_px: tuple[int, int],
    layout: GridLayout,
) -> list[FoundGrids]:
    """All grids of a layout; several ways to see them if it is not clear how large tiles are.

    Args:
        d: in pixels of what the locator saw.
        maps: what it said of every cell of its map.
        scale: pixels of the photo to one of what the locator saw, (x, y).
        size_px: width and height of the photo.
        layout: rows and columns to look for.
    """
    camera = TableCamera.looking_down(*size_px)
    points_px = ((d.centres + 0.5) * scale - 0.5).astype(np.float64)
    worth = (np.maximum(d.tile, d.plot) - d.error).astype(np.float64)
    chains = [
        c for c in chains_of(points_px, (d.edges * scale).astype(np.float64), worth) if _broad(c)
    ]
    if not chains:
        return [FoundGrids(camera, ())]
    camera, _ = fit_camera(
        camera,
        [_observed(d, points_px, c) for c in chains if len(c.numbers) >= 6]
        or [_observed(d, points_px, chains[0])],
    )
    lattices = fit_lattices(camera, [_observed(d, points_px, c) for c in chains])
    logits = np.maximum(maps[0], maps[1]) if layout.board else maps[0]
    likely = 1 / (1 + np.exp(-np.clip(logits, -40, 40)))
    metrics = _metrics(lattices, chains)
    found = []
    for metric in metrics:
        found.append(_with_steps(metric, camera, d, points_px, likely, scale, layout))
        seen = sum(float(g.seen.sum()) for g in found[-1].grids)
        clear = sum(float(g.seen.sum()) * (g.margin > MIN_END_MARGIN) for g in found[-1].grids)
        # Steps that lay most tiles into clear grids are right
        if clear > 0.5 * max(seen, float(d.tile.sum())):
            break
    best = max(found, key=_quality)
    several = [best]
    if layout.quartered or clear < 0.5 * seen:
        finer = replace(layout, rows=2 * layout.rows, columns=2 * layout.columns)
        found = [_with_steps(m, camera, d, points_px, likely, scale, finer) for m in metrics]
        several += [replace(f, grids=tuple(g.doubled() for g in f.grids)) for f in found if f.grids]
        several = sorted(several, key=_quality, reverse=True)[:HYPOTHESES]
    return several


def leftovers(
    d: Detections,
    scale: Floats,
    quads_px: Sequence[Floats],
    tile_px: float,
    parts: float = 1.0,
    aside: float = 0.5,
) -> tuple[Unexplained, ...]:
    """Group the detected tiles that lie in none of some quads.

    Args:
        d: detections, in pixels of what the locator saw.
        scale: (x, y) photo pixels to one of these.
        quads_px: (4, 2) of each thing that is known, in the photo.
        tile_px: least side of a tile on this table in the photo; smaller detections are parts of
            one. 0: none was found to measure it by.
        parts: detections along a side of a tile, where a tile shows several squares.
        aside: how far beyond a quad its own tiles may be seen, in sides of the detection.
    """
    points_px = ((d.centres + 0.5) * scale - 0.5).astype(np.float64)
    sizes_px = d.sizes * float(scale.mean())
    free = d.tile > MIN_TILE_PROBABILITY
    for quad in quads_px:
        free &= _distances(quad, points_px) > aside * sizes_px
    numbers = np.flatnonzero(free)
    points, sizes = points_px[numbers], sizes_px[numbers]
    far = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) / np.sqrt(
        sizes[:, None] * sizes
    )
    near = (far < 1 + MAX_NEIGHBOUR_GAP) & (far > 1 - MAX_NEIGHBOUR_OFFSET)
    near &= np.abs(np.log(sizes[:, None] / sizes)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    left, open_ = [], np.ones(len(numbers), bool)
    for seed in range(len(numbers)):
        if not open_[seed]:
            continue
        group = np.zeros(len(numbers), bool)
        group[seed] = True
        while True:
            grown = (near[group].any(axis=0) & open_) | group
            if (grown == group).all():
                break
            group = grown
        open_ &= ~group
        tile = max(tile_px, parts * float(np.median(sizes[group])))
        many = float((d.tile[numbers] * sizes**2)[group].sum()) / tile**2
        corners = (
            points[group][:, None]
            + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sizes[group][:, None, None] / 2
        )
        quad = floats(cv2.boxPoints(cv2.minAreaRect(floats(corners.reshape(-1, 2)))))
        left.append(Unexplained(quad, tile, many))
    return tuple(left)


def _distances(quad: Floats, points: Doubles) -> Doubles:
    """(n,) distance of points (n, 2) from a convex quad (4, 2), negative or 0 inside."""
    following = np.roll(quad, -1, axis=0)
    orientation = np.sign((quad[:, 0] * following[:, 1] - following[:, 0] * quad[:, 1]).sum())
    sides = following - quad
    outward = np.stack([sides[:, 1], -sides[:, 0]], axis=1) * orientation
    outward = outward / np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    return np.asarray(((points[:, None] - quad) * outward).sum(axis=2).max(axis=1), np.float64)


def _quality(found: FoundGrids) -> float:
    """Return how much is seen in grids; those whose place is clear count most."""
    return sum(float(g.seen.sum()) * min(1.0, max(0.0, g.margin) + 0.05) for g in found.grids)


def _metrics(lattices: list[Lattice], chains: list[Chain]) -> list[Doubles]:
    """Return likely Gram matrices of the steps: that of most tiles first, then others far off."""
    weight = np.array([len(c.numbers) for c in chains], float)
    sizes = np.log([max(np.linalg.det(lattice.gram), 1e-12) for lattice in lattices]) / 2
    metrics: list[Doubles] = []
    while weight.sum() > 0.15 * sum(len(c.numbers) for c in chains) and len(metrics) < HYPOTHESES:
        near = np.abs(sizes[:, None] - sizes[None]) < np.log(MAX_CELL_AREA_RATIO) / 2
        middle = int((near @ weight).argmax())
        metrics.append(
            np.asarray(
                np.average(
                    [q.gram for q in lattices], axis=0, weights=weight**2 * near[middle] + 1e-9
                )
            )
        )
        weight[np.abs(sizes - sizes[middle]) < np.log(MAX_CELL_AREA_RATIO)] = 0
    return metrics


def _with_steps(
    metric: Doubles,
    camera: TableCamera,
    d: Detections,
    points_px: Doubles,
    likely: Floats,
    scale: Floats,
    layout: GridLayout,
) -> FoundGrids:
    """All grids whose steps are these."""
    root = np.asarray(np.linalg.cholesky(metric).T, np.float64)
    flat, edges = camera.to_affine(points_px), _flat_edges(d, points_px, scale, camera)
    u, stretch, v = np.linalg.svd(edges @ np.linalg.inv(root))
    right_size = (np.abs(np.log(stretch + 1e-9)) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)).all(axis=1)
    turns = u @ v
    numbers = np.flatnonzero(right_size & (np.linalg.det(turns) > 0))
    worth = (np.maximum(d.tile, d.plot) - d.error)[numbers].astype(np.float64)
    found = chains_of(flat[numbers], turns[numbers] @ root, worth)
    kept = [Chain(numbers[c.numbers], c.cells) for c in found if _broad(c)]
    fewest = MIN_SEEN_SHARE * layout.rows * layout.columns
    for last in (False, True):
        kept = [c for c in kept if len(c.numbers) > fewest * (0.9 if last else 0.4)]
        if not kept:
            return FoundGrids(camera, ())
        free, chains, kept = np.zeros(len(d), bool), kept, []
        free[numbers] = True
        lattices = fit_lattices(camera, [_observed(d, points_px, c) for c in chains])
        grown = [chain for chain in chains if len(chain.numbers) > fewest]
        for chain, lattice in zip(chains, lattices, strict=True):
            others = [other for other in grown if other is not chain]
            more = _taken_up(chain, _steadied(lattice, chain, root, flat), flat, free, others)
            if len(more.numbers) >= MIN_CHAIN_TILES and _broad(more):
                free[more.numbers] = False
                kept.append(more)
        if kept and not last:
            camera, lattices = fit_camera(camera, [_observed(d, points_px, c) for c in kept])
            weights = [float(len(c.numbers)) ** 2 for c in kept]
            mean = np.average([q.gram for q in lattices], axis=0, weights=weights)
            root = np.asarray(np.linalg.cholesky(mean).T, np.float64)
            flat = camera.to_affine(points_px)
    if not kept:
        return FoundGrids(camera, ())
    grids: list[Grid] = []
    lattices = fit_lattices(camera, [_observed(d, points_px, c) for c in kept])
    for chain, lattice in zip(kept, lattices, strict=True):
        grids += _extents(
            chain, _steadied(lattice, chain, root, flat), d, likely, scale, camera, layout
        )
    best: list[Grid] = []
    for grid in sorted(grids, key=lambda g: -float(g.seen.sum())):
        corners = grid.corners_px(camera)
        if len(best) < layout.most_grids and all(
            overlap(corners, other.corners_px(camera)) < 0.15 for other in best
        ):
            best.append(grid)
    return FoundGrids(camera, tuple(best))


def _steadied(lattice: Lattice, chain: Chain, root: Doubles, flat: Doubles) -> Lattice:
    """A lattice with the steps of the others where few tiles show its own, or these are odd."""
    u, stretch, v = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(root))
    if len(chain.numbers) >= ENOUGH and (np.abs(np.log(stretch)) < ODD).all():
        return lattice
    steps = u @ v @ root * float(np.exp(np.clip(np.log(stretch).mean(), -0.05, 0.1)))
    return Lattice(np.vstack([steps, np.median(flat[chain.numbers] - chain.cells @ steps, axis=0)]))


def _extents(
    chain: Chain,
    lattice: Lattice,
    d: Detections,
    likely: Floats,
    scale: Floats,
    camera: TableCamera,
    layout: GridLayout,
) -> list[Grid]:
    """Lay the layout on a lattice where most is seen, several times if there is room."""
    most = max(layout.rows, layout.columns)
    low, high = chain.cells.min(axis=0) - most, chain.cells.max(axis=0) + most
    columns, rows = (high - low + 1).tolist()
    every = np.stack(
        np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)), axis=-1
    )
    parts = np.array([[x, y] for x in (-0.28, 0, 0.28) for y in (-0.28, 0, 0.28)])
    spots = camera.to_photo_px(lattice.to_affine(every[:, :, None] + parts))
    at = floats(((spots + 0.5) / scale - 0.5 - (STRIDE_PX - 1) / 2) / STRIDE_PX).reshape(
        rows * columns, 9, 2
    )
    x_map, y_map = (np.ascontiguousarray(at[..., n]) for n in (0, 1))
    shown = cv2.remap(
        likely, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0
    )
    seen = shown.mean(axis=1).reshape(rows, columns).astype(np.float64)
    hit = np.zeros((rows, columns))
    at_cell = chain.cells - low
    hit[at_cell[:, 1], at_cell[:, 0]] = np.maximum(d.tile, d.plot if layout.board else 0)[
        chain.numbers
    ]
    worth = 0.5 * seen + 0.5 * hit
    grids: list[Grid] = []
    while len(grids) < layout.most_grids:
        tried = []
        for r, c in {(layout.rows, layout.columns), (layout.columns, layout.rows)}:
            if rows < r or columns < c:
                continue
            tried.append((_sums(worth, r, c), _sums(hit > 0, r, c), r, c))
        best = max(
            ((float(s.max()), s, h, r, c) for s, h, r, c in tried), key=lambda t: t[0], default=None
        )
        if best is None:
            break
        _, sums, hits, r, c = best
        y, x = (int(v) for v in np.unravel_index(sums.argmax(), sums.shape))
        if hits[y, x] < MIN_SEEN_SHARE * r * c:
            break
        others = sums.copy()
        others[y, x] = -1
        lost = (sums[y, x] - others) / min(r, c)
        rivals = [(int(b) - x, int(a) - y) for a, b in np.argwhere(lost < MIN_END_MARGIN)]
        matrix = lattice.matrix.copy()
        matrix[2] = lattice.to_affine(low + np.array([x, y]))
        grids.append(
            Grid(
                Lattice(matrix),
                (r, c),
                worth[y : y + r, x : x + c].copy(),
                float(lost.min()),
                tuple(rivals),
            )
        )
        worth[y : y + r, x : x + c] = 0
        hit[y : y + r, x : x + c] = 0
    return grids


def _sums(values: NDArray[np.generic], rows: int, columns: int) -> Doubles:
    """Return the sum over each extent of rows x columns."""
    total = np.pad(values.astype(float).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    extents = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns]
    return np.asarray(extents + total[:-rows, :-columns])


def overlap(a: Floats, b: Floats) -> float:
    """Common area of two quads as a share of the smaller one's."""
    both = cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))[0]
    return float(both) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1e-6)
