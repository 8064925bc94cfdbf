"""Place grids: find their lattices, choose their ends, align their tiles with what is known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    fit_camera,
    fit_lattices,
)
from vision.eye.identify import MIN_SIMILARITY, cosines, estimate_offsets, similarities
from vision.eye.lattice import MIN_END_MARGIN, FoundGrids, Grid, find_grids
from vision.eye.locate import MIN_TILE_PROBABILITY, STRIDE_PX, Detections, gather, maps_of, reduced
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import MIN_WHOLE, Embeddings

SEEN_PX = 331_776
"""Area of what the locator sees."""
SCALES = (1.0, 0.3)
"""Areas at which to look, of that; where no tiles are known, large ones may fill the photo."""
FEW_CELLS = 50
"""So few cells on a table are large, and are looked for in few pixels first."""
CLOSER = 1.8
"""Where something is left in doubt, the next pass of the locator sees so many times the pixels."""
CLEAR_PX, MOST_CLOSER = 25.0, 3
"""Hardly any tile is missed that the locator sees as large; and most closer looks at a table."""
BEST_PX = 30.0
"""Side of a tile that the locator sees best."""
LEAST_HALVED = 2.5
FARTHEST = 2
"""A printed board's extent may lie off by so many plots before it is registered."""
MAX_BESIDE: Final = 0.3
"""Most that a row beside a grid may show of known tiles, of 1 for a row of them, where none lies
there."""
MIN_REFINEMENT: Final = 0.03
"""Least mean distance from the corners that are seen beyond which a tile's quad is moved to them,
in tile widths."""
MAX_REFINEMENT: Final = 0.2
"""Most that a corner is moved, in tile widths."""
SHIFT_PRIOR_TILES: Final = 2.0
"""Weight of the prior that tiles lie in their place as taught ones did, in tiles."""
SHAPE_PRIOR_TILES: Final = 8.0
"""Weight of the prior that a grid is laid neither too wide nor askew, in tiles."""
OWN_OFFSET_SHARE: Final = 0.3
"""Share of a tile's own offset from its grid that is followed. Larger: noise moves tiles; smaller:
crooked ones are cut out aside."""
MIN_REEMBEDDED_OFFSET: Final = 0.07
"""Distance of a patch from its tile beyond which it is cut out and embedded again, in tile
widths."""
MIN_RIM_SIMILARITY: Final = 0.48
"""Least mean similarity of what lies round a board to the taught rim, for a place that is
certain."""
MIN_RIM_MARGIN: Final = 0.02
"""Least lead in similarity of a board's place over any beside it, for one that is certain."""
MIN_RIM_TURN_MARGIN: Final = 0.06
"""Least lead in similarity of a board over the board turned, for a turn that is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """Output of the locator for a photo, at one scale.

    Attributes:
        maps: (CHANNELS, h, w) output of the network, see ``vision.eye.locate``.
        likely: (h, w) probability that a cell of the map lies in a free tile, 0 to 1.
        scale: (x, y) photo pixels to one pixel of the reduced picture.
        detections: tiles and plots, in pixels of the reduced picture.
    """

    maps: Floats
    likely: Floats
    scale: Floats
    detections: Detections

    @property
    def detected_px(self) -> Floats:
        """(n, 2) centres of the detected tiles in the photo; plots and chance left out."""
        centres = self.detections.centres[self.detections.tile > MIN_TILE_PROBABILITY]
        return floats((centres + 0.5) * self.scale - 0.5)

    @property
    def map_cell_px(self) -> float:
        """Side of a map cell in photo pixels."""
        return STRIDE_PX * float(self.scale.mean())

    def to_map(self, points_px: NDArray[np.floating]) -> Doubles:
        """Transform photo points (..., 2) to map cells."""
        reduced_px = (np.asarray(points_px, np.float64) + 0.5) / self.scale - 0.5
        return np.asarray((reduced_px - (STRIDE_PX - 1) / 2) / STRIDE_PX)

    def to_photo_px(self, cells: NDArray[np.floating]) -> Doubles:
        """Transform map cells (..., 2) to photo points."""
        reduced_px = np.asarray(cells, np.float64) * STRIDE_PX + (STRIDE_PX - 1) / 2
        return np.asarray((reduced_px + 0.5) * self.scale - 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedGrid:
    """A grid with its n tiles, row by row as they lie in the photo.

    Attributes:
        grid: its lattice and extent.
        certain: whether place, size and ends are.
        alone: whether nothing like a tile of the edition lies beside it in any row.
        quads_px: (n, 4, 2) each tile by itself: its edges and joints.
        aligned_px: (n, 4, 2) where it is most like taught tiles, a little aside of ``quads_px``.
        embedded_px: (n, 4, 2) where its patch was cut out.
        embeddings: of these patches.
        turn: quarters anticlockwise by which the board is seen to lie; None: open.
    """

    grid: Grid
    certain: bool
    alone: bool
    quads_px: Floats
    aligned_px: Floats
    embedded_px: Floats
    embeddings: Embeddings
    turn: int | None = None

    @classmethod
    def given(
        cls, lattice: Lattice, shape: tuple[int, int], quads_px: Floats, embeddings: Embeddings
    ) -> "PlacedGrid":
        """An upright grid whose tiles are known to lie there, and were embedded there."""
        grid = Grid(lattice, shape, np.ones(shape), np.inf, ())
        return cls(
            grid,
            certain=True,
            alone=True,
            quads_px=quads_px,
            aligned_px=quads_px,
            embedded_px=quads_px,
            embeddings=embeddings,
            turn=0,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A grid as it may lie, its n tiles compared with the m references of a model.

    Attributes:
        placed: where it lies.
        camera: that sees it there.
        similarity: (n, m, TURNS).
    """

    placed: PlacedGrid
    camera: TableCamera
    similarity: Floats

    def __len__(self) -> int:
        return len(self.placed.embeddings)

    @property
    def corners_px(self) -> Floats:
        """(4, 2) of the grid."""
        return self.placed.grid.corners_px(self.camera)

    @property
    def mean_similarity(self) -> float:
        """Mean similarity of the tiles to the reference that each is most like."""
        return float(self.similarity.max(axis=(1, 2)).mean())

    @property
    def mean_whole(self) -> float:
        """Mean probability that a cell shows one whole tile in its place."""
        return float(self.placed.embeddings.whole.mean())

    @property
    def support(self) -> float:
        """Mean product of the probability of a whole tile and the similarity to a known face."""
        whole = self.placed.embeddings.whole
        return float((whole * self.similarity.max(axis=(1, 2))).mean())

    @property
    def tile_px(self) -> float:
        """Side of a tile in photo pixels."""
        return float(np.sqrt(cv2.contourArea(self.corners_px) / len(self)))


def look(pyramid: Pyramid, layout: GridLayout, scale: float = 1.0) -> Sight:
    """Run the locator on a photo.

    Args:
        pyramid: the photo.
        layout: of the grids.
        scale: area that the locator sees, of the usual one; small for tiles that fill the photo.
    """
    h, w = pyramid.level(0).shape[:2]
    shrink = reduction(pyramid, scale)
    # Halving is quick, any other reduction is not
    level = pyramid.level(1 if shrink >= LEAST_HALVED else 0)
    small, _ = reduced(level, shrink * level.shape[1] / w)
    px = floats([w / small.shape[1], h / small.shape[0]])
    maps = maps_of(small)
    likely = floats(1 / (1 + np.exp(-np.clip(maps[0], -40, 40))))
    return Sight(maps, likely, px, gather(maps, plots=layout.board))


def grids_in(pyramid: Pyramid, sight: Sight, layout: GridLayout) -> list[FoundGrids]:
    """The grids that a look of the locator shows, in one or several ways to see them."""
    h, w = pyramid.level(0).shape[:2]
    return find_grids(sight.detections, sight.maps, sight.scale, (w, h), layout)


def locate(pyramid: Pyramid, layout: GridLayout, scale: float = 1.0) -> list[FoundGrids]:
    """The grids of a photo, in one or several ways to see them; arguments as of ``look``."""
    return grids_in(pyramid, look(pyramid, layout, scale), layout)


def first_scales(layout: GridLayout) -> tuple[float, ...]:
    """At which scales to look for the grids of a layout, until one is found."""
    few = layout.rows * layout.columns * layout.most_grids <= FEW_CELLS
    return SCALES[::-1] if few else SCALES


def reduction(pyramid: Pyramid, scale: float) -> float:
    """Pixels of the photo to one of what the locator sees at a scale."""
    h, w = pyramid.level(0).shape[:2]
    return float(np.sqrt(h * w / (SEEN_PX * scale)))


def ring(grid: Grid, width: int) -> Doubles:
    """Cells beside a grid, so many on each side."""
    rows, columns = grid.shape
    around = np.stack(
        np.meshgrid(np.arange(-width, columns + width), np.arange(-width, rows + width)), axis=-1
    ).reshape(-1, 2)
    outside = (around < 0).any(axis=1) | (around[:, 0] >= columns) | (around[:, 1] >= rows)
    return around[outside].astype(float)


def place_grids(
    photo: Pyramid, found: FoundGrids, model: Model
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Choose the place of each grid by what its tiles look like, and move them to their corners."""
    if not found.grids:
        return found.camera, []
    # Most boards lie where they seem to or, with pieces along two sides, by one plot aside
    widths = range(1, FARTHEST + 2) if model.rim else (0,)
    for width in widths:
        placed = _placed_within(photo, found, width, model)
        if all(each.certain for each in placed):
            break
    return refined(found.camera, placed)


def placed_alone(
    photo: Pyramid, found: FoundGrids, model: Model
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Place grids as ``place_grids`` does, under a camera that is known."""
    return refined(found.camera, _placed_within(photo, found, 0, model), fit=False)


def _placed_within(photo: Pyramid, found: FoundGrids, width: int, model: Model) -> list[PlacedGrid]:
    """Grids placed by what lies in them and so many cells beside them."""
    wide = [width or int(bool(g.rivals)) for g in found.grids]
    cells = [np.vstack([g.cells(), ring(g, w)]) for g, w in zip(found.grids, wide, strict=True)]
    quads = [
        cell_quads_px(found.camera, g.lattice, c) for g, c in zip(found.grids, cells, strict=True)
    ]
    embeddings = embed_quads(photo, np.concatenate(quads))
    ends = np.cumsum([0, *map(len, cells)])
    placed = []
    for n, grid in enumerate(found.grids):
        mine = embeddings.take(np.arange(ends[n], ends[n + 1]))
        turn = None
        if model.rim:
            moved, step, turn, sure = _registered(grid, cells[n], mine, model)
            alone = False
        else:
            step, sure, alone = _best_placement(grid, cells[n], mine, model.references)
            moved = grid.shifted(step)
        size = np.array(moved.shape[::-1])
        within = ((cells[n] >= step) & (cells[n] < step + size)).all(axis=1)
        order = np.flatnonzero(within)
        order = order[np.lexsort((cells[n][order, 0], cells[n][order, 1]))]
        here = quads[n][order]
        placed.append(PlacedGrid(moved, sure, alone, here, here, here, mine.take(order), turn))
    return placed


def grids_at(photo: Pyramid, quads_px: Sequence[Floats]) -> tuple[TableCamera, list[PlacedGrid]]:
    """Embed the tiles of grids whose places are known.

    Args:
        photo: that shows them.
        quads_px: (rows, columns, 4, 2) of each, as it is read upright.
    """
    height, width = photo.level(0).shape[:2]
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
    embeddings = embed_quads(photo, np.concatenate(flat))
    placed, first = [], 0
    for quads, lattice, shaped in zip(flat, lattices, quads_px, strict=True):
        shape = shaped.shape[0], shaped.shape[1]
        mine = embeddings.take(np.arange(first, first + len(quads)))
        first += len(quads)
        placed.append(PlacedGrid.given(lattice, shape, quads, mine))
    return camera, placed


def aligned(
    photo: Pyramid, camera: TableCamera, placed: Sequence[PlacedGrid], model: Model
) -> list[Candidate]:
    """Compare tiles with references, and embed those anew that lie elsewhere than they seemed to.

    Where in a tile its edges are is not always to be seen; how taught tiles were cut out is known.
    """
    if not placed:
        return []
    references = model.references
    ends = np.cumsum([len(each.embeddings) for each in placed])[:-1]
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    similarity = similarities(embeddings, references, len(placed))
    rows = np.split(np.arange(len(embeddings)), ends)
    placed = [
        _aligned_grid(each, similarity[n], np.ones(len(n), bool), model)
        for each, n in zip(placed, rows, strict=True)
    ]
    now = np.concatenate([each.aligned_px for each in placed])
    before = np.concatenate([each.embedded_px for each in placed])
    size = np.sqrt(np.abs(np.linalg.det(before[:, [1, 3]] - before[:, :1])))
    moved = np.abs(now - before).max(axis=(1, 2)) / size
    if model.layout.board:  # its plots move together
        moved = np.concatenate([np.full(len(n), np.median(moved[n])) for n in rows])
    far = moved > MIN_REEMBEDDED_OFFSET
    if far.any():
        embeddings = embeddings.with_rows(far, embed_quads(photo, now[far]))
        similarity = similarities(embeddings, references, len(placed))
        embedded_px = floats(np.where(far[:, None, None], now, before))
        again = (
            replace(each, embedded_px=embedded_px[n], embeddings=embeddings.take(n))
            for each, n in zip(placed, rows, strict=True)
        )
        placed = [
            _aligned_grid(each, similarity[n], far[n], model)
            for each, n in zip(again, rows, strict=True)
        ]
    return [Candidate(each, camera, similarity[n]) for each, n in zip(placed, rows, strict=True)]


def _aligned_grid(
    one: PlacedGrid, similarity: Floats, which: NDArray[np.bool_], model: Model
) -> PlacedGrid:
    """Move tiles of a grid so that they lie in their quads as taught tiles did.

    Free tiles tell of their grid's width and slant as well, and each lies a little aside of it. On
    a board thick tiles lie aside of their plots as the camera sees them, and bare plots do not.
    """
    if not len(model.references.face) or not which.any():
        return one
    aside, weights = estimate_offsets(one.embeddings, similarity, model.references)
    free, weights = not model.layout.board, (weights * which)[:, None]
    cells = one.grid.cells()
    spread = (cells - cells.mean(axis=0)) * free
    terms = np.column_stack([np.ones(len(aside)), spread])
    # In a single row nothing is askew; a millionth of a tile says so
    even = np.diag([SHIFT_PRIOR_TILES, *(SHAPE_PRIOR_TILES * (spread**2).mean(axis=0) + 1e-6)])
    held = terms * weights
    together = terms @ np.linalg.solve(terms.T @ held + even, held.T @ aside)
    own = OWN_OFFSET_SHARE * free * weights * (aside - together)
    right, down = (one.embedded_px[:, k] - one.embedded_px[:, 0] for k in (1, 3))
    middles = one.embedded_px.mean(axis=1) - one.quads_px.mean(axis=1)
    moved = np.median(middles[which], axis=0) - right * together[:, :1] - down * together[:, 1:]
    beside = moved - right * own[:, :1] - down * own[:, 1:]
    moved, beside = (np.where(which[:, None], v, 0)[:, None] for v in (moved, beside))
    return replace(
        one, quads_px=floats(one.quads_px + moved), aligned_px=floats(one.aligned_px + beside)
    )


def refined(
    camera: TableCamera, placed: list[PlacedGrid], *, fit: bool = True
) -> tuple[TableCamera, list[PlacedGrid]]:
    """Lay lattices and tiles by the corners that were seen; ``fit``: the camera, too."""
    limit = MAX_REFINEMENT
    corners = [
        points_in_quads(s.quads_px, UNIT_SQUARE + np.clip(s.embeddings.corners, -limit, limit))
        for s in placed
    ]
    observed = [
        Correspondences(
            (s.grid.cells()[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
            k.reshape(-1, 2).astype(float),
            np.repeat(np.clip(s.embeddings.whole, 0.02, 1), 4).astype(float),
        )
        for s, k in zip(placed, corners, strict=True)
    ]
    if fit:
        camera, lattices = fit_camera(camera, observed)
    else:
        lattices = fit_lattices(camera, observed)
    new = []
    for s, lattice, k in zip(placed, lattices, corners, strict=True):
        even = cell_quads_px(camera, lattice, s.grid.cells())
        size = np.sqrt(np.abs(np.linalg.det(even[:, [1, 3]] - even[:, :1])))[:, None, None]
        near = np.abs(k - even).mean(axis=(1, 2)) < MAX_REFINEMENT / 2 * size[:, 0, 0]
        target = np.where((near & (s.embeddings.whole > MIN_WHOLE))[:, None, None], k, even)
        moved = np.abs((target - s.quads_px) / size).mean(axis=(1, 2)) > MIN_REFINEMENT
        quads = np.where(moved[:, None, None], target, s.quads_px).astype(np.float32)
        new.append(
            replace(s, grid=replace(s.grid, lattice=lattice), quads_px=quads, aligned_px=quads)
        )
    return camera, new


def _registered(
    grid: Grid, cells: Doubles, embeddings: Embeddings, model: Model
) -> tuple[Grid, tuple[int, int], int | None, bool]:
    """The grid round which a rim is seen, the step to it, its turn, and whether it lies there.

    The turn is None where the rim looks the same in another one. A place is judged by those of its
    cells that were embedded; none is certain without all.
    """
    rows, columns = grid.shape
    far = FARTHEST
    around = np.zeros(
        (rows + 2 * far + 2, columns + 2 * far + 2, embeddings.vectors.shape[1]), np.float32
    )
    known = np.zeros((*around.shape[:2], TURNS))
    embedded = np.zeros(around.shape[:2], bool)
    at = cells.astype(int) + far + 1
    embedded[at[:, 1], at[:, 0]] = True
    around[at[:, 1], at[:, 0]] = embeddings.vectors
    similarity = cosines(embeddings, model.references).max(axis=1)
    # Where all tiles lie the same way up, they tell how the board lies, too
    similarity = similarity if model.upright else similarity.max(axis=1, keepdims=True)
    known[at[:, 1], at[:, 0]] = similarity * embeddings.whole[:, None]
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
                worth = around_it + float(known[here][..., turn][on_it].mean())
                tried.append((worth, (x, y), turn, around_it, bool(embedded[here].all())))
    if len(tried) < 2:
        return grid, (0, 0), None, False
    tried.sort(reverse=True)
    best, step, turn, around_it, whole = tried[0]
    # A board that looks the same from several sides lies there in any turn; its tiles may tell
    beside = max((each[0] for each in tried if each[1] != step), default=-1.0)
    turned = max((each[0] for each in tried if each[2] != turn), default=-1.0)
    certain = best - beside > MIN_RIM_MARGIN and around_it > MIN_RIM_SIMILARITY and whole
    turn_known = best - turned > MIN_RIM_TURN_MARGIN
    matrix = grid.shifted(step).lattice.matrix
    r, c = model.rim[turn].shape[0] - 2, model.rim[turn].shape[1] - 2
    placed = Grid(Lattice(matrix), (r, c), np.ones((r, c)), grid.margin, ())
    return placed, step, turn if turn_known else None, certain


def _best_placement(
    grid: Grid, cells: Doubles, embeddings: Embeddings, references: References
) -> tuple[tuple[int, int], bool, bool]:
    """The step to the best extent near a grid's, whether it is certain, and ``PlacedGrid.alone``.

    What the locator could not tell, whole tiles and known faces do.
    """
    if not grid.rivals:
        return (0, 0), True, True
    rows, columns = grid.shape
    worth = np.zeros((rows + 2, columns + 2))
    at = cells.astype(int) + 1
    worth[at[:, 1], at[:, 0]] = embeddings.whole
    if len(references.face):
        similarity = cosines(embeddings, references).max(axis=(1, 2))
        worth[at[:, 1], at[:, 0]] *= np.clip((similarity - MIN_SIMILARITY) / 0.35, -0.5, 1)
    steps = [(0, 0), *(s for s in grid.rivals if max(abs(s[0]), abs(s[1])) == 1)]
    sums = np.array([worth[1 + y : 1 + y + rows, 1 + x : 1 + x + columns].sum() for x, y in steps])
    best = int(sums.argmax())
    margin = (sums[best] - np.delete(sums, best).max(initial=-1e3)) / min(rows, columns)
    near = len(steps) == len(grid.rivals) + 1
    around = (worth[0, 1:-1], worth[-1, 1:-1], worth[1:-1, 0], worth[1:-1, -1])
    alone = best == 0 and max(float(row.mean()) for row in around) < MAX_BESIDE
    return steps[best], bool(margin > MIN_END_MARGIN and near), alone
