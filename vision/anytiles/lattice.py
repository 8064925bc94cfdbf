"""Tiles and plots that were seen, put together to grids of an edition's layout.

Neighbours are chained; all chains are fitted together with one plane and one lens
(``vision.anytiles.camera``); each lattice takes up what lies on it. Then the window of the layout's
rows and columns is laid where most is inside, and compared with those beside it.
"""

from collections import deque
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anytiles.camera import Camera, Doubles, Observed, Plane, fitted, planes_through, quads_of
from vision.anytiles.locate import STRIDE_PX, Detections, Floats
from vision.anytiles.parameters import EyeParameters
from vision.arrays import floats

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Layout:
    """What grids an edition's tables have.

    Attributes:
        rows, columns: fields of one grid.
        most_grids: in one photo.
        board: whether the fields are plots printed on a board.
    """

    rows: int
    columns: int
    most_grids: int = 7
    board: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """One grid in the photo.

    Attributes:
        plane: its lattice; cell (0, 0) is at the top left of the window, which way up is open.
        shape: rows and columns of the window.
        seen: (rows, columns) how much the locator saw in each cell, 0 to 1.
        margin: how much less the next best window has, in rows of tiles.
        rivals: windows that have nearly as much, as steps (column, row) from this one.
        fits: whether its steps are those of the other lattices.
    """

    plane: Plane
    shape: tuple[int, int]
    seen: Doubles
    margin: float
    rivals: tuple[tuple[int, int], ...]
    fits: bool

    def cells(self) -> Doubles:
        """All cells (column, row), row by row."""
        rows, columns = self.shape
        return np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2).astype(float)

    def corners_px(self, camera: Camera) -> Floats:
        """Its corners (4, 2)."""
        rows, columns = self.shape
        ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - 0.5
        return floats(camera.photo(self.plane.places(ends)))

    def shifted(self, step: tuple[int, int]) -> "Grid":
        """The same lattice with the window elsewhere."""
        matrix = self.plane.matrix.copy()
        matrix[2] = self.plane.places(np.array(step))
        return replace(self, plane=Plane(matrix))


@dataclass(slots=True, eq=False)
class Chain:
    """Detections that lie on one lattice: their numbers, and cells (n, 2)."""

    numbers: Ints
    cells: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Grids of a photo, and the camera.

    Attributes:
        left: quads (n, 4, 2) round what looks like grids and is none, in pixels of the photo.
    """

    camera: Camera
    grids: tuple[Grid, ...]
    left: tuple[Floats, ...]


def chains_of(d: Detections, p: EyeParameters) -> list[Chain]:
    """Chain neighbours: every chain is a part of one lattice, longest first."""
    n = len(d)
    if not n:
        return []
    a = d.edges.astype(np.float64)  # rows are the steps
    inverse = np.linalg.inv(a)
    way = d.centres[None].astype(np.float64) - d.centres[:, None]
    here = np.einsum("ijk,ikl->ijl", way, inverse)  # (column, row) of j as i sees it
    size = d.sizes
    near = (np.abs(here).max(axis=2) < 1 + p.neighbour_gap) & (np.abs(np.log(size[:, None] / size)) < np.log(p.neighbour_ratio))
    np.fill_diagonal(near, val=False)
    i, j = np.nonzero(near)
    turned = np.einsum("nk,nkl->nl", a[j, 0], inverse[i])
    angle = np.arctan2(turned[:, 1], turned[:, 0])
    quarter = np.rint(angle / (np.pi / 2)).astype(int)
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    back = -here[j, i]
    there = np.stack([back[:, 0] * c - back[:, 1] * s, back[:, 0] * s + back[:, 1] * c], axis=-1)
    both = (here[i, j] + there) / 2
    step = np.rint(both).astype(int)
    along, aside = np.abs(both).max(axis=1), np.abs(both).min(axis=1)
    good = (np.abs(angle - quarter * np.pi / 2) < p.neighbour_turn) & (np.abs(step).sum(axis=1) == 1)
    good &= (aside < p.neighbour_off) & (along > 1 - p.neighbour_off) & (along < 1 + p.neighbour_gap)
    links: list[list[tuple[int, int, int, int]]] = [[] for _ in range(n)]
    for k in np.flatnonzero(good)[np.argsort(aside[good], kind="stable")].tolist():
        links[i[k]].append((int(j[k]), int(step[k, 0]), int(step[k, 1]), int(quarter[k]) % 4))
    free, chains = np.ones(n, bool), []
    for seed in np.argsort(-np.maximum(d.tile, d.plot) + d.error, kind="stable").tolist():
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
        if len(placed) >= p.least_chain:
            chains.append(Chain(np.array(list(placed)), np.array([v[:2] for v in placed.values()])))
    return sorted(chains, key=lambda chain: -len(chain.numbers))


def _observed(d: Detections, points_px: Doubles, chain: Chain) -> Observed:
    weights = np.clip(np.maximum(d.tile, d.plot)[chain.numbers] / (0.3 + 10 * d.error[chain.numbers]), 0.2, 2)
    return Observed(chain.cells.astype(float), points_px[chain.numbers], weights.astype(float))


def _broad(chain: Chain) -> bool:
    """Whether a chain goes both ways, so that it is a lattice and no row."""
    return bool((np.ptp(chain.cells, axis=0) >= 1).all()) and len(chain.numbers) >= 4


def _taken_up(chain: Chain, plane: Plane, flat: Doubles, flat_size: Doubles, free: NDArray[np.bool_], p: EyeParameters) -> Chain:
    """A lattice with all free detections that lie on it, at most one a cell."""
    cells = plane.cells(flat)
    whole = np.rint(cells)
    off = np.abs(cells - whole).max(axis=1)
    size = np.sqrt(abs(np.linalg.det(plane.matrix[:2])))
    low, high = chain.cells.min(axis=0) - 2, chain.cells.max(axis=0) + 2
    fits = free & (off < p.on_lattice) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
    fits &= np.abs(np.log(flat_size / size)) < np.log(p.neighbour_ratio)
    best: dict[tuple[int, int], int] = {}
    for n in np.flatnonzero(fits)[np.argsort(off[fits], kind="stable")].tolist():
        best.setdefault((int(whole[n, 0]), int(whole[n, 1])), n)
    return Chain(np.array(list(best.values()), np.intp), np.array(list(best), np.intp).reshape(-1, 2))


def _flat_sizes(d: Detections, points_px: Doubles, scale: Floats, camera: Camera) -> Doubles:
    """Sizes of detections when made flat."""
    edges = d.edges * scale / 2
    ends = camera.flat(points_px[:, None] + np.concatenate([edges, -edges], axis=1))
    right, down = ends[:, 0] - ends[:, 2], ends[:, 1] - ends[:, 3]
    return np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])) + 1e-9


def find_grids(d: Detections, maps: Floats, scale: Floats, size_px: tuple[int, int], layout: Layout, p: EyeParameters) -> Found:
    """All grids of a layout.

    Args:
        d: in pixels of what the locator saw.
        maps: what it said of every cell of its map.
        scale: pixels of the photo to one of what the locator saw, (x, y).
        size_px: width and height of the photo.
        layout: rows and columns to look for.
        p: the thresholds.
    """
    camera = Camera.of(*size_px)
    points_px = ((d.centres + 0.5) * scale - 0.5).astype(np.float64)
    chains = [chain for chain in chains_of(d, p) if _broad(chain)]
    if not chains:
        return Found(camera, (), ())
    for _ in range(2):
        # Lattices may lie on others' tiles only if the others are smaller
        camera, planes = fitted(camera, [_observed(d, points_px, c) for c in chains if len(c.numbers) >= 6] or [_observed(d, points_px, chains[0])])
        planes = planes_through(camera, [_observed(d, points_px, c) for c in chains])[0]
        flat, flat_size = camera.flat(points_px), _flat_sizes(d, points_px, scale, camera)
        free, kept = np.ones(len(d), bool), []
        for n in np.argsort([-len(c.numbers) for c in chains], kind="stable").tolist():
            more = _taken_up(chains[n], planes[n], flat, flat_size, free, p)
            if len(more.numbers) >= p.least_chain and _broad(more):
                free[more.numbers] = False
                kept.append(more)
        if not kept:
            return Found(camera, (), ())
        chains = kept
    planes = planes_through(camera, [_observed(d, points_px, c) for c in chains])[0]
    metric = _common_metric(planes, chains)
    likely = 1 / (1 + np.exp(-(np.maximum(maps[0], maps[1]) if layout.board else maps[0])))
    grids: list[Grid] = []
    left: list[Floats] = []
    worth: list[float] = []
    for chain, plane in zip(chains, planes, strict=True):
        plane_, fits = _steadied(plane, chain, metric, flat, p)
        windows, rest = _windows(chain, plane_, d, likely, scale, camera, layout, p, fits=fits)
        grids += windows
        worth += [float(g.seen.sum()) for g in windows]
        if rest is not None:
            left.append(rest)
    order = np.argsort([-w - 100 * g.fits for g, w in zip(grids, worth, strict=True)], kind="stable")
    best: list[Grid] = []
    for n in order.tolist():
        if any(_overlap(grids[n].corners_px(camera), other.corners_px(camera)) > 0.15 for other in best):
            continue
        if not grids[n].fits or len(best) >= layout.most_grids:
            left.append(grids[n].corners_px(camera))
            continue
        best.append(grids[n])
    left = [quad for quad in left if all(_overlap(quad, g.corners_px(camera)) < 0.3 for g in best)]
    return Found(camera, tuple(best), tuple(left))


def _common_metric(planes: list[Plane], chains: list[Chain]) -> Doubles:
    """What most tiles say that steps on this table are."""
    weight = np.array([len(c.numbers) for c in chains], float)
    sizes = np.array([np.linalg.det(plane.metric) for plane in planes])
    order = np.argsort(sizes)
    middle = order[np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2)]
    near = np.abs(np.log(sizes / sizes[middle])) < 0.4
    return np.asarray(np.average([plane.metric for plane in planes], axis=0, weights=weight**2 * near))


def _steadied(plane: Plane, chain: Chain, metric: Doubles, flat: Doubles, p: EyeParameters) -> tuple[Plane, bool]:
    """A lattice with the steps of the others where few tiles show its own, and whether these fit."""
    root = np.linalg.cholesky(metric).T
    relative = plane.matrix[:2] @ np.linalg.inv(root)
    u, stretch, v = np.linalg.svd(relative)
    fits = bool((np.abs(np.log(stretch + 1e-9)) < np.log(p.metric_ratio)).all())
    if not fits or len(chain.numbers) >= 8:
        return plane, fits
    steps = u @ v @ root * float(np.sqrt(stretch.prod()))
    shift = np.median(flat[chain.numbers] - chain.cells @ steps, axis=0)
    return Plane(np.vstack([steps, shift])), fits


def _windows(
    chain: Chain, plane: Plane, d: Detections, likely: Floats, scale: Floats, camera: Camera, layout: Layout,
    p: EyeParameters, *, fits: bool,
) -> tuple[list[Grid], Floats | None]:
    """Where the layout lies on a lattice, several times if there is room; and what is left over."""
    most = max(layout.rows, layout.columns)
    low, high = chain.cells.min(axis=0) - most, chain.cells.max(axis=0) + most
    columns, rows = (high - low + 1).tolist()
    every = np.stack(np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)), axis=-1)
    parts = np.array([[x, y] for x in (-0.28, 0, 0.28) for y in (-0.28, 0, 0.28)])
    spots = camera.photo(plane.places(every[:, :, None] + parts))
    at = floats(((spots + 0.5) / scale - 0.5 - (STRIDE_PX - 1) / 2) / STRIDE_PX).reshape(rows * columns, 9, 2)
    shown = cv2.remap(likely, at, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    seen = shown.mean(axis=1).reshape(rows, columns).astype(np.float64)
    hit = np.zeros((rows, columns))
    at_cell = chain.cells - low
    hit[at_cell[:, 1], at_cell[:, 0]] = np.maximum(d.tile, d.plot if layout.board else 0)[chain.numbers]
    worth = 0.5 * seen + 0.5 * hit
    grids: list[Grid] = []
    while len(grids) < layout.most_grids:
        tried = []
        for r, c in {(layout.rows, layout.columns), (layout.columns, layout.rows)}:
            if rows < r or columns < c:
                continue
            tried.append((_sums(worth, r, c), _sums(hit > 0, r, c), r, c))
        best = max(((float(s.max()), s, h, r, c) for s, h, r, c in tried), key=lambda t: t[0], default=None)
        if best is None:
            break
        _, sums, hits, r, c = best
        y, x = (int(v) for v in np.unravel_index(sums.argmax(), sums.shape))
        if hits[y, x] < p.least_seen * r * c:
            break
        others = sums.copy()
        others[y, x] = -1
        lost = (sums[y, x] - others) / min(r, c)
        rivals = [(int(b) - x, int(a) - y) for a, b in np.argwhere(lost < p.window_margin)]
        matrix = plane.matrix.copy()
        matrix[2] = plane.places(low + (x, y))
        grids.append(Grid(Plane(matrix), (r, c), worth[y : y + r, x : x + c].copy(), float(lost.min()), tuple(rivals), fits))
        worth[y : y + r, x : x + c] = 0
        hit[y : y + r, x : x + c] = 0
    rest = np.argwhere(hit > 0)
    if len(rest) < 0.3 * layout.rows * layout.columns:
        return grids, None
    (ya, xa), (yb, xb) = rest.min(axis=0), rest.max(axis=0)
    ends = low + np.array([[xa, ya], [xb + 1, ya], [xb + 1, yb + 1], [xa, yb + 1]]) - 0.5
    return grids, floats(camera.photo(plane.places(ends)))


def _sums(values: NDArray[np.generic], rows: int, columns: int) -> Doubles:
    """Of every window."""
    total = np.pad(values.astype(float).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    return total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns] + total[:-rows, :-columns]


def _overlap(a: Floats, b: Floats) -> float:
    """Common area of two quads as a share of the smaller one's."""
    both = cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))[0]
    return float(both) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1e-6)


__all__ = ["Found", "Grid", "Layout", "find_grids", "quads_of"]
