"""The stages in order: locate, lattice, rectify, embed, lay windows, refine, identify."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, floats
from vision.camera import Camera, Observed, Plane, fitted, quads_of
from vision.confidence import evidence_of, heard, likely_right
from vision.embedding import PARTS, PARTS_ACROSS, Looks, looks_of
from vision.identify import (
    TURNS,
    Chosen,
    Identified,
    Light,
    References,
    choose,
    drawn_alike,
    identify,
    light_between,
    likeness,
    looked_aside,
    upright,
)
from vision.lattice import Found, Grid, Layout, find_grids, overlap
from vision.locate import Floats, gather, maps_of, reduced
from vision.parameters import EyeParameters
from vision.patches import CORNERS, Pyramid, inside, look_at, look_steadily, rectified
from vision.standing import Standing, figures_standing
from vision.witnesses import Tiles, witnessed

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
class Model:
    """What is to be read.

    Attributes:
        layout: of its grids.
        upright: whether all tiles of a grid lie the same way up.
        references: what its faces look like.
        rim: what lies round the plots of its printed board, if that is known: for each turn of the
            board (rows + 2, columns + 2, VECTOR), of which those on the edge count.
        loose_faces: names of those that lie beside the cells of a board, never in them.
        loose: what these look like, and empty places for them.
        foot: diameter of the feet of figures that may stand on the tiles, in tiles; 0: there are
            none.
        paints: (kinds, 3) logarithms of the colours of figures.
    """

    layout: Layout
    upright: bool
    references: References
    rim: tuple[Floats, ...] = ()
    loose_faces: frozenset[str] = frozenset()
    loose: References = field(default_factory=References.none)
    foot: float = 0.0
    paints: Doubles = field(default_factory=lambda: np.empty((0, 3)))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A grid whose place is settled, and its cells row by row as they lie in the photo.

    Attributes:
        certain: whether place, size and ends are.
        alone: whether nothing like a tile of the edition lies beside it in any row.
        quads_px: (n, 4, 2) each tile by itself.
        looked_px: (n, 4, 2) where it was looked at.
        looks: of the cells there.
        turn: quarters anticlockwise by which the board is seen to lie; None: open.
    """

    grid: Grid
    certain: bool
    alone: bool
    quads_px: Floats
    looked_px: Floats
    looks: Looks
    turn: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GridRead:
    """A grid as read.

    Attributes:
        corners_px: (4, 2), top left first, as read upright.
        quads_px: (rows, columns, 4, 2), of its tiles and empty places.
        faces: rows of names; None is an empty place.
        turns: (rows, columns) by how many quarters each tile is turned clockwise.
        alike: (rows, columns, faces of the model) how alike each is to each face; to the one that
            it is taken for more than to any other, by the margin of all that was looked at.
        rivals: for each cell what else it may show, the likeliest first: names and turns.
        certain: whether its place, size and ends are.
        confidence: (rows, columns) how likely each face is right.
        evidence: (rows, columns, 4) what that was judged by, see ``vision.confidence``.
        unsure: (row, column) of cells that a person has to look at.
        standing: the figures on it; None: the game has none.
    """

    corners_px: Floats
    quads_px: Floats
    faces: tuple[tuple[str | None, ...], ...]
    turns: NDArray[np.intp]
    alike: Doubles
    rivals: dict[tuple[int, int], tuple[tuple[str | None, int], ...]]
    certain: bool
    confidence: Doubles
    evidence: Doubles
    unsure: tuple[tuple[int, int], ...]
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PhotoRead:
    """What was read of a photo.

    Attributes:
        grids: all that were found.
        unread: quads where something may lie that could not be read.
        typical: middle likeness to references of each grid that was seen, also of other looks.
        locating_ms: time that finding them took, without settling where they lie.
    """

    grids: tuple[GridRead, ...]
    unread: tuple[Floats, ...]
    typical: tuple[float, ...]
    locating_ms: float = 0.0

    @property
    def sure(self) -> int:
        """How many tiles are sure."""
        return sum(grid.confidence.size - len(grid.unsure) for grid in self.grids)


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
    wide = [FARTHEST + 1 if model.rim else int(bool(g.rivals)) for g in found.grids]
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
        seen.append(
            Seen(moved, sure, alone, quads[n][order], quads[n][order], mine.chosen(order), turn)
        )
    return refined(found.camera, seen, p)


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
        grid = Grid(plane, shape, np.ones(shape), np.inf, ())
        seen.append(
            Seen(
                grid,
                certain=True,
                alone=True,
                quads_px=quads,
                looked_px=quads,
                looks=mine,
                turn=0,
            )
        )
    return camera, seen


def looked_again(
    photo: Pyramid, seen: list[Seen], references: References, p: EyeParameters
) -> tuple[list[Seen], list[Floats]]:
    """Look at tiles where they lie, if that is elsewhere, and say how alike to references they are.

    Where in a tile its edges are is not always to be seen; where taught tiles were looked at is.
    """
    ends = np.cumsum([len(s.looks) for s in seen])[:-1]
    looks = Looks.joined([s.looks for s in seen])
    alike = likeness(looks, references, p, len(seen))
    parts = np.split(np.arange(len(looks)), ends)
    quads = [_in_place(s, alike[n], references, p) for s, n in zip(seen, parts, strict=True)]
    now, before = np.concatenate(quads), np.concatenate([s.looked_px for s in seen])
    size = np.sqrt(np.abs(np.linalg.det(before[:, [1, 3]] - before[:, :1])))
    far = np.abs(now - before).max(axis=(1, 2)) > p.replace_beyond * size
    if far.any():
        looks = looks.with_new(far, look_at(photo, now[far]))
        alike = likeness(looks, references, p, len(seen))
    new = [
        replace(s, quads_px=q, looked_px=q, looks=looks.chosen(n))
        for s, q, n in zip(seen, quads, parts, strict=True)
    ]
    placed = [
        replace(s, quads_px=_in_place(s, alike[n], references, p))
        for s, n in zip(new, parts, strict=True)
    ]
    return placed, [alike[n] for n in parts]


def _in_place(one: Seen, alike: Floats, references: References, p: EyeParameters) -> Floats:
    """The quads of a grid, moved so that its tiles lie in them as taught tiles did."""
    if not len(references.face):
        return one.quads_px
    aside = looked_aside(one.looks, alike, references, p)
    right, down = (one.looked_px[:, k] - one.looked_px[:, 0] for k in (1, 3))
    want = one.looked_px.mean(axis=1) - floats(right * aside[0] + down * aside[1])
    move = np.median(want - one.quads_px.mean(axis=1), axis=0)
    return floats(one.quads_px + (move if aside.any() else 0))


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
        new.append(replace(s, grid=replace(s.grid, plane=plane), quads_px=quads))
    return camera, new


def _registered(
    grid: Grid, cells: Doubles, looks: Looks, model: Model, p: EyeParameters
) -> tuple[Grid, tuple[int, int], int, bool]:
    """The grid round which a rim is seen, the step to it, its turn, and whether all is certain."""
    rows, columns = grid.shape
    far = FARTHEST
    around = np.zeros(
        (rows + 2 * far + 2, columns + 2 * far + 2, looks.vectors.shape[1]), np.float32
    )
    known = np.zeros((*around.shape[:2], TURNS))
    at = cells.astype(int) + far + 1
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
                part = around[far + y : far + r + 2 + y, far + x : far + c + 2 + x]
                inner = known[far + 1 + y : far + 1 + r + y, far + 1 + x : far + 1 + c + x, turn]
                around_it = float((part * rim).sum(axis=2)[edge].mean())
                tried.append((around_it + float(inner.mean()), (x, y), turn, around_it))
    tried.sort(reverse=True)
    best, step, turn, around_it = tried[0]
    others = max((each[0] for each in tried if each[2] != turn), default=-1.0)
    certain = best - tried[1][0] > p.rim_margin and best - others > p.rim_turn_margin
    certain &= around_it > p.least_rim
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
        worth[at[:, 1], at[:, 0]] *= np.clip((alike - p.least_alike) / 0.2, -0.5, 1)
    steps = [(0, 0), *(s for s in grid.rivals if max(abs(s[0]), abs(s[1])) == 1)]
    sums = np.array([worth[1 + y : 1 + y + rows, 1 + x : 1 + x + columns].sum() for x, y in steps])
    best = int(sums.argmax())
    margin = (sums[best] - np.delete(sums, best).max(initial=-1e3)) / min(rows, columns)
    near = len(steps) == len(grid.rivals) + 1
    around = (worth[0, 1:-1], worth[-1, 1:-1], worth[1:-1, 0], worth[1:-1, -1])
    alone = best == 0 and max(float(row.mean()) for row in around) < p.most_beside
    return steps[best], bool(margin > p.window_margin and near), alone


Way = tuple[float, Seen, Camera, Floats]
"""A grid as it may be: how alike its tiles are in the mean, where it lies, how alike each is."""
Kept = tuple[Seen, Camera, Floats]
"""A grid to be read: where it lies, and how alike each of its tiles is to references."""


def read(photo: Image, model: Model, p: EyeParameters, scale: float = 1.0) -> PhotoRead:
    """Read a photo (h, w, 3); ``scale`` as of ``locate``. A model that knows no face finds none."""
    if not len(model.references.face):
        return PhotoRead((), (), (), 0.0)
    pyramid = Pyramid(photo)
    ways: list[Way] = []
    left: tuple[Floats, ...] = ()
    locating_ms = 0.0
    for share in first_scales(model.layout):
        more, other, spent_ms = _seen_in(pyramid, scale * share, model, p)
        locating_ms += spent_ms
        # A cloth that resembles tiles may hide that there are some
        if any(way[0] > p.least_typical for way in more):
            ways, left = more, other
            break
        ways, left = ways or more, left or other
    seen = _read_ways(pyramid, ways, left, model, p)
    certain = bool(seen.grids) and all(grid.certain for grid in seen.grids)
    if certain and (model.layout.board or not seen.unread):
        return replace(seen, locating_ms=locating_ms)
    # Tiles may be too small, or too few of them seen, to tell where all grids lie
    closer, left, spent_ms = _seen_in(pyramid, scale * closer_scale(share), model, p)
    again = _read_ways(pyramid, [*ways, *closer], left, model, p)
    better = max(seen, again, key=lambda read: (read.sure, -len(read.unread)))
    return replace(better, locating_ms=locating_ms + spent_ms)


def _seen_in(
    pyramid: Pyramid, scale: float, model: Model, p: EyeParameters
) -> tuple[list[Way], tuple[Floats, ...], float]:
    """Grids seen at a scale, in all ways, what is left beside them, and the time for locating."""
    start = perf_counter()
    several = locate(pyramid, model.layout, p, scale)
    spent_ms = (perf_counter() - start) * 1000
    ways: list[Way] = []
    left: tuple[Floats, ...] = ()
    for found in several:
        left = left or found.left
        camera, seen = see(pyramid, found, model, p)
        if not seen:
            continue
        seen, alike = looked_again(pyramid, seen, model.references, p)
        for one, each in zip(seen, alike, strict=True):
            ways.append((float(each.max(axis=(1, 2)).mean()), one, camera, each))
    return ways, left, spent_ms


def _read_ways(
    pyramid: Pyramid, ways: list[Way], left: tuple[Floats, ...], model: Model, p: EyeParameters
) -> PhotoRead:
    """Read grids; where they may be seen in several ways, as the one whose faces are known best."""
    kept: list[Kept] = []
    quads: list[Floats] = []
    unread: list[Floats] = []
    for _, one, camera, alike in sorted(ways, key=lambda way: -way[0]):
        corners = one.grid.corners_px(camera)
        if any(overlap(corners, q) > p.most_overlap for q in quads):
            continue
        quads.append(corners)
        usual = kept[0][0].grid.plane.size if kept else one.grid.plane.size
        other = abs(np.log(one.grid.plane.size / usual)) > np.log(p.metric_ratio)
        if other or len(kept) >= model.layout.most_grids:
            unread.append(corners)
        else:
            kept.append((one, camera, alike))
    unread += [
        quad
        for quad in left
        if all(overlap(quad, other) < p.most_overlap for other in quads)
        and _may_be_known(pyramid, quad, quads, model, p)
    ]
    grids, foreign, typical = identified(pyramid, kept, model, p)
    return PhotoRead(grids, (*unread, *foreign), typical)


def _standing_on(
    photo: Pyramid, one: Seen, camera: Camera, alike: Floats, model: Model, p: EyeParameters
) -> Standing:
    """The figures on a grid; what its tiles are most like tells where something stands on them."""
    known = model.references
    tile, turn = np.divmod(alike.reshape(len(alike), -1).argmax(axis=1), TURNS)
    weights = np.clip((alike.max(axis=(1, 2)) - p.least_alike) / 0.3, 0.02, 1)
    before, after = (v.astype(np.float64) for v in (known.colours[tile], one.looks.colours))
    light = light_between(before, after, weights.astype(np.float64), p, Light.none())
    drawn = (one.looks.parts * known.parts[tile, turn]).sum(axis=2)
    shape = (*one.grid.shape, PARTS_ACROSS, PARTS_ACROSS)
    corners = one.grid.corners_px(camera)
    return figures_standing(
        photo, corners, model.foot, floats(drawn).reshape(shape), light.on(model.paints), p
    )


def _may_be_known(
    photo: Pyramid, quad: Floats, grids: list[Floats], model: Model, p: EyeParameters
) -> bool:
    """Whether anything in a quad, in tiles as large as those of grids, is like a known face."""
    if not grids or not len(model.references.face):
        return True
    tiles = model.layout.rows * model.layout.columns
    side = float(np.sqrt(np.median([cv2.contourArea(grid) for grid in grids]) / tiles))
    wide, high = (float(np.linalg.norm(quad[k] - quad[0])) / side for k in (1, 3))
    steps = [np.linspace(0, max(size - 1, 0), max(int(2 * size) - 1, 1)) for size in (wide, high)]
    places = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 1, 2) + CORNERS
    quads = inside(np.repeat(quad[None], len(places), axis=0), floats(places / [wide, high]))
    alike = drawn_alike(look_at(photo, quads), model.references)
    return bool(alike.max() > p.least_known)


def identified(
    photo: Pyramid, kept: list[Kept], model: Model, p: EyeParameters
) -> tuple[tuple[GridRead, ...], tuple[Floats, ...], tuple[float, ...]]:
    """The faces of grids, the corners of those that seem to be another thing, and likenesses."""
    if not kept:
        return (), (), ()
    turns = [_turn(one, alike, model, p) for one, _, alike in kept]
    said = [
        _lying(alike, turn, model, p) for (_, _, alike), (turn, _) in zip(kept, turns, strict=True)
    ]
    quads = np.concatenate([one.quads_px for one, _, _ in kept])
    every_look = Looks.joined([one.looks for one, _, _ in kept])
    told_all = Identified.joined(said)
    standing = [_standing_on(photo, *each, model, p) if model.foot else None for each in kept]
    covered = np.concatenate(
        [_covered(each, one) for each, (one, _, _) in zip(standing, kept, strict=True)]
    )
    all_chosen = choose(photo, quads, every_look, told_all, model.references, p, covered)
    told_all, all_chosen = _steadier(photo, kept, turns, told_all, all_chosen, covered, model, p)
    evidence = evidence_of(all_chosen.alike, all_chosen.margin, all_chosen.parts, covered)
    places = np.concatenate([one.looked_px for one, _, _ in kept])
    tiles = Tiles(photo, places, every_look, told_all, all_chosen, model.references)
    witnesses = witnessed(tiles, likely_right(evidence), p)
    grids, foreign, seen, first = [], [], [], 0
    for (one, camera, _), (turn, clear), figures in zip(kept, turns, standing, strict=True):
        mine = slice(first, first + len(one.looks))
        told, chosen = told_all.chosen(mine), all_chosen.chosen(mine)
        first += len(one.looks)
        corners = one.grid.corners_px(camera)
        typical = float(np.median(chosen.alike))
        if typical < p.least_typical_same and _all_same(one.looks, p):
            continue  # a supply that lies face down
        seen.append(typical)
        # All tiles of a foreign grid are a little like the nearest face
        if typical < p.least_typical:
            foreign.append(corners)
            continue
        gone = _empty(photo, one, camera, chosen, model, p)
        likely = evidence[mine], witnesses[mine]
        read = _grid_read(
            one, told, chosen, likely, corners, turn, gone, figures, model, p, clear=clear
        )
        if read is None:
            rows, columns = one.grid.shape
            beyond = (CORNERS * 2 - 1) / floats([columns, rows])
            foreign.append(inside(corners[None], (CORNERS + beyond)[None])[0])
        else:
            grids.append(read)
    return tuple(grids), tuple(foreign), tuple(seen)


def _steadier(
    photo: Pyramid,
    kept: Sequence[Kept],
    turns: Sequence[tuple[int, bool]],
    said: Identified,
    chosen: Chosen,
    covered: NDArray[np.bool_],
    model: Model,
    p: EyeParameters,
) -> tuple[Identified, Chosen]:
    """What tiles show, those in doubt looked at once more and more steadily."""
    evidence = evidence_of(chosen.alike, chosen.margin, chosen.parts, covered)
    doubtful = likely_right(evidence) < p.sure
    told, quads, looks, first = [], [], [], 0
    for (one, _, alike), (turn, _) in zip(kept, turns, strict=True):
        mine = slice(first, first + len(one.looks))
        first += len(one.looks)
        if np.median(chosen.alike[mine]) < p.least_typical:
            doubtful[mine] = False
        some = doubtful[mine]
        if some.any():
            before, steady = one.looks.chosen(some), look_steadily(photo, one.looked_px[some])
            better = drawn_alike(steady, model.references) - drawn_alike(before, model.references)
            told.append(_lying(floats(alike[some] + better), turn, model, p))
            quads.append(one.quads_px[some])
            looks.append(steady)
    if not told:
        return said, chosen
    again, steadily = Identified.joined(told), Looks.joined(looks)
    better_chosen = choose(
        photo,
        np.concatenate(quads),
        steadily,
        again,
        model.references,
        p,
        covered[doubtful],
        look=look_steadily,
    )
    return said.with_new(doubtful, again), chosen.with_new(doubtful, better_chosen)


def _covered(standing: Standing | None, one: Seen) -> NDArray[np.bool_]:
    """(tiles, PARTS) which parts figures hide."""
    return np.zeros((len(one.looks), PARTS), bool) if standing is None else standing.covered


def _lying(alike: Floats, turn: int, model: Model, p: EyeParameters) -> Identified:
    """What tiles show in the turn of their grid, or where they clearly lie otherwise, in theirs."""
    anyhow = identify(model.references, alike, tuple(range(TURNS)))
    if not model.upright:
        return anyhow
    upright_ones = identify(model.references, alike, (turn,))
    best = anyhow.alike.max(axis=1)
    turned = (best - upright_ones.alike.max(axis=1) > p.turned_margin) & (best > p.hidden_below)
    # An empty place has no way up
    named = np.array([name is not None for name in model.references.faces], bool)
    turned &= named[anyhow.alike.argmax(axis=1)] & named[upright_ones.alike.argmax(axis=1)]
    return upright_ones.with_new(turned, anyhow.chosen(turned))


def _all_same(looks: Looks, p: EyeParameters) -> bool:
    """Whether tiles look alike, as face-down ones do."""
    middle = looks.vectors.mean(axis=0)
    return float(np.median(looks.vectors @ middle)) > p.same_face * float(np.linalg.norm(middle))


def _empty(
    photo: Pyramid, one: Seen, camera: Camera, chosen: Chosen, model: Model, p: EyeParameters
) -> NDArray[np.bool_]:
    """Which places of free tiles look more like the table beside the grid than like any face."""
    gone = (chosen.alike < p.hidden_below) & (not model.layout.board)
    if not gone.any():
        return gone
    table = look_at(photo, quads_of(camera, one.grid.plane, ring(one.grid, 1)))
    drawn = one.looks.vectors @ table.vectors.T
    far = ((one.looks.colours[:, None] - table.colours[None]) ** 2).sum(axis=2)
    bare = (drawn - p.table_colour * np.minimum(far, p.most_colour / p.table_colour)).max(axis=1)
    return np.asarray(gone & (bare > chosen.alike))


def _turn(one: Seen, alike: Floats, model: Model, p: EyeParameters) -> tuple[int, bool]:
    """Quarters anticlockwise by which a grid lies turned, and whether that is clear."""
    if one.turn is not None and (one.certain or not model.upright):
        return one.turn, True
    if model.upright:
        sums = upright(alike, one.looks.whole)
        best, second = np.sort(sums)[::-1][:2]
        return int(sums.argmax()), float(best - second) > p.upright_margin * len(one.looks)
    return int(one.grid.shape != (model.layout.rows, model.layout.columns)), True


def _grid_read(
    one: Seen,
    said: Identified,
    chosen: Chosen,
    likely: tuple[Doubles, NDArray[np.intp]],
    corners: Floats,
    turn: int,
    gone: NDArray[np.bool_],
    standing: Standing | None,
    model: Model,
    p: EyeParameters,
    *,
    clear: bool,
) -> GridRead | None:
    """A grid as it is read upright; None: it may lie a row aside."""
    whole = one.looks.whole.astype(np.float64)
    evidence, witnesses = likely
    by_itself = likely_right(evidence)
    confidence = heard(by_itself, witnesses)
    here = (whole > p.least_whole) & (chosen.alike > p.least_alike) & ~gone
    sure, placed = here & (confidence > p.sure), here & (by_itself > p.sure)
    confidence = np.where(gone, 1 - chosen.alike, confidence)
    ends, empty = _ends(placed, one.grid.shape), _ends(gone, one.grid.shape)
    if not model.layout.board and not all(
        end.any() or none.all() for end, none in zip(ends, empty, strict=True)
    ):
        return None
    # With nearly all of its outermost rows sure, and none beside them, it lies there
    known = one.alone and all(end.mean() > p.most_unsure for end in ends)
    certain = clear and (one.certain or known) and not any(none.all() for none in empty)
    face = chosen.order[:, 0]
    tiles = np.arange(len(face))
    turns = (turn - said.turn[tiles, face]) % TURNS
    if model.upright:
        sure &= turns == 0
    aside = model.upright and float(((turns != 0) & ~gone).mean()) > p.most_turned
    if not certain or aside or float((~sure).mean()) > p.most_unsure:
        sure[:] = False
    names = np.array([model.references.faces[n] for n in face.tolist()], object)
    names[gone] = None
    alike = said.alike.copy()
    alike[tiles, face] = alike.max(axis=1) + np.maximum(chosen.margin, 0)

    order = np.rot90(tiles.reshape(one.grid.shape), -turn)
    unsure = tuple((int(r), int(c)) for r, c in np.argwhere(~sure[order]))
    return GridRead(
        floats(np.roll(corners, turn, axis=0)),
        floats(np.roll(one.quads_px, turn, axis=1)[order]),
        tuple(tuple(row) for row in names[order].tolist()),
        turns[order],
        alike[order],
        {
            cell: _rivals(said, chosen, int(order[cell]), turn, model)
            for cell in np.ndindex(*order.shape)
        },
        certain,
        confidence[order],
        evidence[order],
        unsure,
        standing and standing.turned(turn),
    )


def _ends(cells: NDArray[np.bool_], shape: tuple[int, int]) -> tuple[NDArray[np.bool_], ...]:
    """The outermost rows and columns of a grid's cells (n,)."""
    lines = cells.reshape(shape)
    return lines[0], lines[-1], lines[:, 0], lines[:, -1]


def _rivals(
    said: Identified, chosen: Chosen, tile: int, turn: int, model: Model
) -> tuple[tuple[str | None, int], ...]:
    """What else a tile may show: the faces that it is most like, and their turns clockwise."""
    return tuple(
        (model.references.faces[face], int(turn - said.turn[tile, face]) % TURNS)
        for face in chosen.order[tile, 1:].tolist()
    )
