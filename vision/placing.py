"""Where grids and their tiles lie: locate them, settle their windows, look at each tile there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats
from vision.camera import Camera, Observed, Plane, fitted, quads_of
from vision.embedding import Looks, looks_of
from vision.identify import (
    TURNS,
    References,
    drawn_alike,
    likeness,
    looked_aside,
)
from vision.lattice import Found, Grid, Layout, find_grids
from vision.locate import Floats, gather, maps_of, reduced
from vision.model import Model
from vision.parameters import EyeParameters
from vision.patches import CORNERS, Pyramid, inside, look_at, rectified

SEEN_PX = 331_776
"""Area of what the locator sees."""
SCALES = (1.0, 0.3)
"""Areas at which to look, of that; where no tiles are known, large ones may fill the photo."""
FEW_CELLS = 50
"""So few cells on a table are large, and are looked for in few pixels first."""
CLOSER = 1.8
"""Where something is left in doubt, the locator looks closer."""
LEAST_HALVED = 2.5
FARTHEST = 2
"""A printed board's window may lie off by so many plots before it is registered."""
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A grid whose place is settled, and its cells row by row as they lie in the photo.

    Attributes:
        certain: whether place, size and ends are.
        alone: whether nothing like a tile of the edition lies beside it in any row.
        quads_px: (n, 4, 2) each tile by itself: its edges and joints.
        alike_px: (n, 4, 2) where it is most like taught tiles, a little aside of that: to look at.
        looked_px: (n, 4, 2) where it was looked at.
        looks: of the cells there.
        turn: quarters anticlockwise by which the board is seen to lie; None: open.
    """

    grid: Grid
    certain: bool
    alone: bool
    quads_px: Floats
    alike_px: Floats
    looked_px: Floats
    looks: Looks
    turn: int | None = None

    @classmethod
    def given(cls, plane: Plane, shape: tuple[int, int], quads_px: Floats, looks: Looks) -> "Seen":
        """An upright grid whose tiles are known to lie there, and were looked at there."""
        grid = Grid(plane, shape, np.ones(shape), np.inf, ())
        return cls(
            grid,
            certain=True,
            alone=True,
            quads_px=quads_px,
            alike_px=quads_px,
            looked_px=quads_px,
            looks=looks,
            turn=0,
        )


def locate(pyramid: Pyramid, layout: Layout, p: EyeParameters, scale: float = 1.0) -> list[Found]:
    """The grids of a photo, in one or several ways to see them.

    Args:
        pyramid: the photo.
        layout: of the grids.
        p: the thresholds.
        scale: area that the locator sees, of the usual one; small for tiles that fill the photo.
    """
    photo = pyramid.level(0)
    h, w = photo.shape[:2]
    shrink = float(np.sqrt(h * w / (SEEN_PX * scale)))
    # Halving is quick, any other reduction is not
    level = pyramid.level(1 if shrink >= LEAST_HALVED else 0)
    small, _ = reduced(level, shrink * level.shape[1] / w)
    px = floats([w / small.shape[1], h / small.shape[0]])
    maps = maps_of(small)
    return find_grids(gather(maps, p, plots=layout.board), maps, px, (w, h), layout, p)


def first_scales(layout: Layout) -> tuple[float, ...]:
    """At which scales to look for the grids of a layout, until one is found."""
    few = layout.rows * layout.columns * layout.most_grids <= FEW_CELLS
    return SCALES[::-1] if few else SCALES


def closer_scale(scale: float) -> float:
    """At which scale to look closer."""
    return max(scale * CLOSER, SCALES[0])


def ring(grid: Grid, width: int) -> Doubles:
    """Cells beside a window, so many on each side."""
    rows, columns = grid.shape
    around = np.stack(
        np.meshgrid(np.arange(-width, columns + width), np.arange(-width, rows + width)), axis=-1
    ).reshape(-1, 2)
    outside = (around < 0).any(axis=1) | (around[:, 0] >= columns) | (around[:, 1] >= rows)
    return around[outside].astype(float)


def see(photo: Pyramid, found: Found, model: Model, p: EyeParameters) -> tuple[Camera, list[Seen]]:
    """Settle where the windows and tiles of grids lie, and look at them."""
    if not found.grids:
        return found.camera, []
    # Most boards lie where they seem to, and are not looked for farther away
    widths = (1, FARTHEST + 1) if model.rim else (0,)
    for width in widths:
        seen = _seen_within(photo, found, width, model, p)
        if all(one.certain for one in seen):
            break
    return refined(found.camera, seen, p)


def _seen_within(
    photo: Pyramid, found: Found, width: int, model: Model, p: EyeParameters
) -> list[Seen]:
    """Grids settled by what lies in them and so many cells beside them."""
    wide = [width or int(bool(g.rivals)) for g in found.grids]
    cells = [np.vstack([g.cells(), ring(g, w)]) for g, w in zip(found.grids, wide, strict=True)]
    quads = [quads_of(found.camera, g.plane, c) for g, c in zip(found.grids, cells, strict=True)]
    looks = looks_of(np.concatenate([rectified(photo, q) for q in quads]))
    ends = np.cumsum([0, *map(len, cells)])
    seen = []
    for n, grid in enumerate(found.grids):
        mine = looks.chosen(np.arange(ends[n], ends[n + 1]))
        turn = None
        if model.rim:
            moved, step, turn, sure = _registered(grid, cells[n], mine, model, p)
            alone = False
        else:
            step, sure, alone = _settled(grid, cells[n], mine, model.references, p)
            moved = grid.shifted(step)
        size = np.array(moved.shape[::-1])
        within = ((cells[n] >= step) & (cells[n] < step + size)).all(axis=1)
        order = np.flatnonzero(within)
        order = order[np.lexsort((cells[n][order, 0], cells[n][order, 1]))]
        here = quads[n][order]
        seen.append(Seen(moved, sure, alone, here, here, here, mine.chosen(order), turn))
    return seen


def seen_at(photo: Pyramid, quads_px: Sequence[Floats]) -> tuple[Camera, list[Seen]]:
    """Look at grids whose places are known.

    Args:
        photo: that shows them.
        quads_px: (rows, columns, 4, 2) of each, as it is read upright.
    """
    height, width = photo.level(0).shape[:2]
    cells = [np.argwhere(np.ones(quads.shape[:2]))[:, ::-1] for quads in quads_px]
    flat = [quads.reshape(-1, 4, 2) for quads in quads_px]
    observed = [
        Observed(
            (places[:, None] + CORNERS - 0.5).reshape(-1, 2).astype(float),
            quads.reshape(-1, 2).astype(float),
            np.ones(4 * len(quads)),
        )
        for places, quads in zip(cells, flat, strict=True)
    ]
    camera, planes = fitted(Camera.of(width, height), observed)
    looks = looks_of(np.concatenate([rectified(photo, quads) for quads in flat]))
    seen, first = [], 0
    for quads, plane, shaped in zip(flat, planes, quads_px, strict=True):
        shape = shaped.shape[0], shaped.shape[1]
        mine = looks.chosen(np.arange(first, first + len(quads)))
        first += len(quads)
        seen.append(Seen.given(plane, shape, quads, mine))
    return camera, seen


def looked_again(
    photo: Pyramid, seen: list[Seen], model: Model, p: EyeParameters
) -> tuple[list[Seen], list[Floats]]:
    """Look at tiles where they lie, if that is elsewhere, and say how alike to references they are.

    Where in a tile its edges are is not always to be seen; where taught tiles were looked at is.
    """
    references = model.references
    ends = np.cumsum([len(s.looks) for s in seen])[:-1]
    looks = Looks.joined([s.looks for s in seen])
    alike = likeness(looks, references, p, len(seen))
    parts = np.split(np.arange(len(looks)), ends)
    placed = [
        _in_place(s, alike[n], np.ones(len(n), bool), model, p)
        for s, n in zip(seen, parts, strict=True)
    ]
    now, before = (
        np.concatenate(v) for v in zip(*((s.alike_px, s.looked_px) for s in placed), strict=True)
    )
    size = np.sqrt(np.abs(np.linalg.det(before[:, [1, 3]] - before[:, :1])))
    moved = np.abs(now - before).max(axis=(1, 2)) / size
    if model.layout.board:  # its plots move together
        moved = np.concatenate([np.full(len(n), np.median(moved[n])) for n in parts])
    far = moved > p.replace_beyond
    if not far.any():
        return placed, [alike[n] for n in parts]
    looks = looks.with_new(far, look_at(photo, now[far]))
    alike = likeness(looks, references, p, len(seen))
    looked_px = floats(np.where(far[:, None, None], now, before))
    again = [
        replace(s, looked_px=looked_px[n], looks=looks.chosen(n))
        for s, n in zip(placed, parts, strict=True)
    ]
    placed = [_in_place(s, alike[n], far[n], model, p) for s, n in zip(again, parts, strict=True)]
    return placed, [alike[n] for n in parts]


def _in_place(
    one: Seen, alike: Floats, which: NDArray[np.bool_], model: Model, p: EyeParameters
) -> Seen:
    """Some tiles of a grid moved so that they lie in their quads as taught tiles did.

    Free tiles tell of their grid's width and slant as well, and each lies a little aside of it. On
    a board thick tiles lie aside of their plots as the camera sees them, and bare plots do not.
    """
    if not len(model.references.face) or not which.any():
        return one
    aside, weights = looked_aside(one.looks, alike, model.references, p)
    free, weights = not model.layout.board, (weights * which)[:, None]
    cells = one.grid.cells()
    spread = (cells - cells.mean(axis=0)) * free
    terms = np.column_stack([np.ones(len(aside)), spread])
    # In a single row nothing is askew; a millionth of a tile says so
    even = np.diag([p.placed_tiles, *(p.even_tiles * (spread**2).mean(axis=0) + 1e-6)])
    held = terms * weights
    together = terms @ np.linalg.solve(terms.T @ held + even, held.T @ aside)
    own = p.own_share * free * weights * (aside - together)
    right, down = (one.looked_px[:, k] - one.looked_px[:, 0] for k in (1, 3))
    middles = one.looked_px.mean(axis=1) - one.quads_px.mean(axis=1)
    moved = np.median(middles[which], axis=0) - right * together[:, :1] - down * together[:, 1:]
    beside = moved - right * own[:, :1] - down * own[:, 1:]
    moved, beside = (np.where(which[:, None], v, 0)[:, None] for v in (moved, beside))
    return replace(
        one, quads_px=floats(one.quads_px + moved), alike_px=floats(one.alike_px + beside)
    )


def refined(camera: Camera, seen: list[Seen], p: EyeParameters) -> tuple[Camera, list[Seen]]:
    """Lay lattices and tiles by the corners that were seen."""
    limit = p.most_refined
    corners = [inside(s.quads_px, CORNERS + np.clip(s.looks.corners, -limit, limit)) for s in seen]
    observed = [
        Observed(
            (s.grid.cells()[:, None] + CORNERS - 0.5).reshape(-1, 2),
            k.reshape(-1, 2).astype(float),
            np.repeat(np.clip(s.looks.whole, 0.02, 1), 4).astype(float),
        )
        for s, k in zip(seen, corners, strict=True)
    ]
    camera, planes = fitted(camera, observed)
    new = []
    for s, plane, k in zip(seen, planes, corners, strict=True):
        even = quads_of(camera, plane, s.grid.cells())
        size = np.sqrt(np.abs(np.linalg.det(even[:, [1, 3]] - even[:, :1])))[:, None, None]
        near = np.abs(k - even).mean(axis=(1, 2)) < p.most_refined / 2 * size[:, 0, 0]
        target = np.where((near & (s.looks.whole > p.least_whole))[:, None, None], k, even)
        moved = np.abs((target - s.quads_px) / size).mean(axis=(1, 2)) > p.refine_beyond
        quads = np.where(moved[:, None, None], target, s.quads_px).astype(np.float32)
        new.append(replace(s, grid=replace(s.grid, plane=plane), quads_px=quads, alike_px=quads))
    return camera, new


def _registered(
    grid: Grid, cells: Doubles, looks: Looks, model: Model, p: EyeParameters
) -> tuple[Grid, tuple[int, int], int, bool]:
    """The grid round which a rim is seen, the step to it, its turn, and whether all is certain.

    A place is judged by those of its cells that were looked at; none is certain without all.
    """
    rows, columns = grid.shape
    far = FARTHEST
    around = np.zeros(
        (rows + 2 * far + 2, columns + 2 * far + 2, looks.vectors.shape[1]), np.float32
    )
    known = np.zeros((*around.shape[:2], TURNS))
    looked = np.zeros(around.shape[:2], bool)
    at = cells.astype(int) + far + 1
    looked[at[:, 1], at[:, 0]] = True
    around[at[:, 1], at[:, 0]] = looks.vectors
    alike = drawn_alike(looks, model.references).max(axis=1)
    # Where all tiles lie the same way up, they tell how the board lies, too
    alike = alike if model.upright else alike.max(axis=1, keepdims=True)
    known[at[:, 1], at[:, 0]] = alike * looks.whole[:, None]
    tried = []
    for turn, rim in enumerate(model.rim):
        r, c = rim.shape[0] - 2, rim.shape[1] - 2
        edge = np.ones(rim.shape[:2], bool)
        edge[1:-1, 1:-1] = False
        for x in range(-far, far + columns - c + 1):
            for y in range(-far, far + rows - r + 1):
                here = slice(far + y, far + r + 2 + y), slice(far + x, far + c + 2 + x)
                on_edge, on_it = edge & looked[here], ~edge & looked[here]
                if not on_edge.any() or not on_it.any():
                    continue
                around_it = float((around[here] * rim).sum(axis=2)[on_edge].mean())
                worth = around_it + float(known[here][..., turn][on_it].mean())
                tried.append((worth, (x, y), turn, around_it, bool(looked[here].all())))
    if len(tried) < 2:
        return grid, (0, 0), 0, False
    tried.sort(reverse=True)
    best, step, turn, around_it, whole = tried[0]
    others = max((each[0] for each in tried if each[2] != turn), default=-1.0)
    certain = best - tried[1][0] > p.rim_margin and best - others > p.rim_turn_margin
    certain &= around_it > p.least_rim and whole
    matrix = grid.shifted(step).plane.matrix
    r, c = model.rim[turn].shape[0] - 2, model.rim[turn].shape[1] - 2
    return Grid(Plane(matrix), (r, c), np.ones((r, c)), grid.margin, ()), step, turn, certain


def _settled(
    grid: Grid, cells: Doubles, looks: Looks, references: References, p: EyeParameters
) -> tuple[tuple[int, int], bool, bool]:
    """The step to the best window near a grid's, whether it is certain, and ``Seen.alone``.

    What the locator could not tell, whole tiles and known faces do.
    """
    if not grid.rivals:
        return (0, 0), True, True
    rows, columns = grid.shape
    worth = np.zeros((rows + 2, columns + 2))
    at = cells.astype(int) + 1
    worth[at[:, 1], at[:, 0]] = looks.whole
    if len(references.face):
        alike = drawn_alike(looks, references).max(axis=(1, 2))
        worth[at[:, 1], at[:, 0]] *= np.clip((alike - p.least_alike) / 0.35, -0.5, 1)
    steps = [(0, 0), *(s for s in grid.rivals if max(abs(s[0]), abs(s[1])) == 1)]
    sums = np.array([worth[1 + y : 1 + y + rows, 1 + x : 1 + x + columns].sum() for x, y in steps])
    best = int(sums.argmax())
    margin = (sums[best] - np.delete(sums, best).max(initial=-1e3)) / min(rows, columns)
    near = len(steps) == len(grid.rivals) + 1
    around = (worth[0, 1:-1], worth[-1, 1:-1], worth[1:-1, 0], worth[1:-1, -1])
    alone = best == 0 and max(float(row.mean()) for row in around) < p.most_beside
    return steps[best], bool(margin > p.window_margin and near), alone
