"""Search a table top-down for grids that the search by single tiles missed or misplaced.

All free grids of a table share the camera and the size of a tile. So a further grid has three
unknowns: where it lies (two) and how it is turned (one). They are read from what the locator says
of the place, or tried in steps; the second network then lays the grid by the corners that it sees.

Frames: ``_px`` photo pixels; affine, that of ``vision.eye.camera``; map, one cell for each output
of the locator.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, floats
from vision.editions.model import Model
from vision.eye.camera import (
    Correspondences,
    Lattice,
    TableCamera,
    cell_quads_px,
    fit_camera,
    fit_lattices,
)
from vision.eye.identify import MIN_SIMILARITY, cosines
from vision.eye.lattice import MIN_END_MARGIN, FoundGrids, Grid, Unexplained, overlap
from vision.eye.locate import STRIDE_PX, UNIT_PX, edges_of
from vision.eye.placement import MAX_REFINEMENT, Candidate, Sight, aligned, placed_alone
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import Embeddings

GOOD_WHOLE: Final = 0.9
"""Mean probability of a whole tile from which on a grid is taken to lie in its place. Lower: grids
that lie aside spoil the common tile size; higher: dim photos have no grid to learn it from."""
GOOD_SIMILARITY: Final = 0.69
"""Mean similarity to known faces from which on a grid in its place is good. Lower: squared cloth is
taken for tiles; higher: dim photos have no good grid."""
CLEAR_SUPPORT: Final = 0.85
"""Mean of whole tiles times similarity from which on a grid needs no second look at its size."""
SIZE_OFF: Final = 0.04
"""Difference from the common tile size, as a share, from which on any other grid is laid anew."""
SAME_SIZE: Final = 0.02
"""Spread of the tile size over a table, as a share. Larger: undersized lattices count as grids."""
LEAST_AREA: Final = 1e-9
"""Affine area of a tile below which a fit has failed; a tile of one pixel has more."""
CAMERA_STEPS: Final = 8
"""Most steps of the fit of camera and tile size."""
ENOUGH_FOR_SIZE: Final = 8
"""Least number of tiles of a grid that may differ from the common tile size."""
SIZE_LOCALLY: Final = 0.06
"""Most difference of a grid from the common tile size, as a share: the frame is less true far from
the grids that it fits."""
VOTE_RADIUS: Final = 1.6
"""Radius round a place within which the locator's output votes for turn and offset, in tiles."""
AGREEMENT: Final = 0.5
"""Length of the mean of votes (unit vectors) from which on a vote is followed."""
TURN_STEP: Final = np.deg2rad(8)
"""Step of the turns that are tried; the corners that are seen bridge half of it."""
FIRST_WHOLE: Final = 0.3
"""Least probability of a whole tile for a hypothesis to be followed up."""
HYPOTHESES: Final = 2
"""Most hypotheses followed up at a place, beside the voted one."""
LEAST_BLOCK: Final = 0.3
"""Least mean probability of whole tiles for a search to go on. Higher: cities under a hand are
given up; lower: cloth costs as much as a city."""
CLEARLY_WHOLE: Final = 0.95
"""Mean probability of whole tiles from which on a block is not registered a second time."""
WIDEST: Final = 0.25
"""Most that a corner is moved in one step, in tiles."""
LEAST_WHOLE, LEAST_KNOWN = 0.85, 0.69
"""Means of a grid's tiles from which on a grid found top-down is accepted: probability of a whole
tile, and similarity to known faces. Lower: cloth and cards become grids; higher: dim ones stay
unread."""
FEWEST: Final = 2.0
"""Tiles that lie together from which on a place is searched. Lower: each left-over tile costs a
search; higher: a city of which little is seen is lost."""
UNEXPLAINED: Final = 0.1
"""Mean output of the locator over three quarters of a grid from which on a place is searched."""
MOST_PLACES: Final = 8
"""Most places that are searched for what is unexplained in a photo."""
MOST_COMMON: Final = 0.15
"""Most that two grids have in common, as a share of the smaller one."""
COVERED: Final = 0.5
"""Common area from which on a grid explains tiles that lie together."""


@dataclass(frozen=True, slots=True, eq=False)
class TableFrame:
    """Camera above a table and the size of its tiles.

    Attributes:
        camera: that took the photo.
        steps: (2, 2) steps along a row and a column of a grid that is not turned, affine.
    """

    camera: TableCamera
    steps: Doubles

    def lattice(self, turn: float, origin: Doubles) -> Lattice:
        """Lattice of a grid turned by ``turn`` radians whose cell (0, 0) lies at ``origin``."""
        c, s = np.cos(turn), np.sin(turn)
        return Lattice(np.vstack([np.array([[c, s], [-s, c]]) @ self.steps, origin[None]]))


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """A tile that may lie at a place: its lattice, and how well it fits there."""

    lattice: Lattice
    worth: float


def is_in_place(candidate: Candidate) -> bool:
    """Whether the tiles of a grid are whole where they are looked for."""
    return candidate.mean_whole > GOOD_WHOLE and candidate.placed.certain


def is_good(candidate: Candidate) -> bool:
    """Whether a grid shows by itself that it lies in its place."""
    return is_in_place(candidate) and candidate.mean_similarity > GOOD_SIMILARITY


def table_frame(candidates: Sequence[Candidate]) -> TableFrame | None:
    """Fit camera and tile size to the corners that were seen of good grids; None without any."""
    good = [c for c in candidates if is_good(c)]
    if not good:
        return None
    camera, lattices = fit_camera(
        good[0].camera,
        [_corners_of(c) for c in good],
        size_sigma=SAME_SIZE,
        max_steps=CAMERA_STEPS,
    )
    gram = np.mean([lattice.gram for lattice in lattices], axis=0)
    if np.linalg.det(gram) <= LEAST_AREA**2:
        return None
    return TableFrame(camera, np.asarray(np.linalg.cholesky(gram).T, np.float64))


def _corners_of(candidate: Candidate) -> Correspondences:
    placed = candidate.placed
    seen = np.clip(placed.embeddings.corners, -MAX_REFINEMENT, MAX_REFINEMENT)
    corners = points_in_quads(placed.embedded_px, UNIT_SQUARE + seen)
    return Correspondences(
        (placed.grid.cells()[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
        corners.reshape(-1, 2).astype(float),
        np.repeat(np.clip(placed.embeddings.whole, 0.02, 1), 4).astype(float),
    )


@dataclass(slots=True, eq=False)
class Search:
    """Search of one table.

    Attributes:
        photo: that shows it.
        frame: camera and tile size.
        sight: closest look of the locator.
        model: of the game.
        grids: found so far; they do not overlap.
        refused: grids that were found and not accepted.
    """

    photo: Pyramid
    frame: TableFrame
    sight: Sight
    model: Model
    grids: list[Candidate]
    refused: list[Candidate] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether the game has no further grid."""
        return len(self.grids) >= self.model.layout.most_grids

    def place_anew(self, weak: Candidate) -> None:
        """Take up a weak grid, laid anew if that shows its tiles better."""
        tried = [laid_anew(self.photo, self.frame, weak, self.model)]
        if not any(is_in_place(each) for each in (weak, *tried) if each is not None):
            tried.append(self._find(weak.corners_px.mean(axis=0)))
        better = [
            each
            for each in tried
            if each is not None
            and each.support > weak.support
            and (is_known(each) or meets([weak], each.corners_px))
        ]
        for each in (*sorted(better, key=lambda each: -each.support), weak):
            if not meets(self.grids, each.corners_px):
                self.grids.append(each)
                return

    def look_at(self, place_px: Floats | Doubles) -> Candidate | None:
        """Search round a place; return the grid if one is accepted."""
        found = self._find(place_px)
        if found is None or meets(self.grids, found.corners_px):
            return None
        if not is_known(found):
            self.refused.append(found)
            return None
        self.grids.append(found)
        return found

    def _find(self, place_px: Floats | Doubles) -> Candidate | None:
        return find_grid(self.photo, self.frame, place_px, self.sight, self.model)


def complete(
    photo: Pyramid,
    candidates: Sequence[Candidate],
    sight: Sight,
    groups: Sequence[Unexplained],
    model: Model,
) -> tuple[list[Candidate], list[Candidate]]:
    """Search for grids where one is weak, and where the locator saw what no grid explains.

    Args:
        photo: that shows the table.
        candidates: grids that do not overlap.
        sight: the closest look of the locator at the table.
        groups: tiles that lie together, and in no grid.
        model: of the game.

    Returns:
        The grids, weak ones laid anew or replaced, and further ones; and those that were found and
        not accepted.
    """
    frame = table_frame(candidates)
    if frame is None:
        return list(candidates), []
    placed = [
        each
        for each in candidates
        if is_good(each)
        and (each.support > CLEAR_SUPPORT or size_deviation(each, frame) < SIZE_OFF)
    ]
    search = Search(photo, frame, sight, model, placed.copy())
    for each in candidates:
        if each not in placed:
            search.place_anew(each)
    for group in sorted(groups, key=lambda each: -each.count):
        explained = any(overlap(group.quad_px, g.corners_px) > COVERED for g in search.grids)
        if group.count >= FEWEST and not explained and not search.is_full:
            search.look_at(group.quad_px.mean(axis=0))
    _search_rest(search)
    return search.grids, search.refused


def _search_rest(search: Search) -> None:
    """Search where the locator's output is high outside of grids, the highest first."""
    sight, rest = search.sight, search.sight.likely.copy()
    for grid in search.grids:
        _blacken(rest, sight, grid)
    side = _side(sight, search.grids, search.model)
    for _ in range(MOST_PLACES):
        place, mean = _heaviest(rest, side)
        if search.is_full or mean < UNEXPLAINED:
            return
        found = search.look_at(sight.to_photo_px(place[None])[0])
        if found is not None:
            _blacken(rest, sight, found)
        radius = round(side * (0.5 if found is None else 0.3))
        cv2.circle(rest, np.rint(place).astype(int).tolist(), radius, 0.0, -1)


def size_deviation(candidate: Candidate, frame: TableFrame) -> float:
    """Largest difference of a grid's steps from those of the table, as a share."""
    lattice = fit_lattices(frame.camera, [_corners_of(candidate)])[0]
    _, stretch, _ = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(frame.steps))
    return float(np.abs(np.log(stretch)).max())


def laid_anew(
    photo: Pyramid, frame: TableFrame, candidate: Candidate, model: Model
) -> Candidate | None:
    """Lay a grid with the steps of the table, from where it lies."""
    lattice = fit_lattices(frame.camera, [_corners_of(candidate)])[0]
    u, _, v = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(frame.steps))
    rows, columns = candidate.placed.grid.shape
    origin = lattice.to_affine(np.array([columns // 2, rows // 2], float))
    start = Lattice(np.vstack([u @ v @ frame.steps, origin[None]]))
    return _grown(photo, frame, start, (2,), model)


def _grown(
    photo: Pyramid,
    frame: TableFrame,
    lattice: Lattice,
    halves: Sequence[int],
    model: Model,
) -> Candidate | None:
    """The grid round cell (0, 0) of a lattice, registered by more and more of its tiles."""
    for half in halves:
        line = np.arange(-half, half)
        cells = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2).astype(float)
        lattice, whole = _registered(photo, frame, lattice, cells)
        if whole < LEAST_BLOCK:
            return None
    if whole < CLEARLY_WHOLE:
        lattice, whole = _registered(photo, frame, lattice, cells)
    grid = _extent(photo, frame, lattice, model)
    lattice, whole = _registered(photo, frame, grid.lattice, grid.cells())
    if whole < LEAST_BLOCK:
        return None
    grid = replace(grid, lattice=lattice)
    camera, placed = placed_alone(photo, FoundGrids(frame.camera, (grid,)), model)
    return aligned(photo, camera, placed, model)[0]


def is_known(candidate: Candidate) -> bool:
    """Whether a grid found top-down is one: whole tiles of known faces."""
    return candidate.mean_whole >= LEAST_WHOLE and candidate.mean_similarity >= LEAST_KNOWN


def meets(grids: Sequence[Candidate], corners_px: Floats) -> bool:
    """Return whether a quad (4, 2) overlaps any of some grids."""
    return any(overlap(corners_px, each.corners_px) > MOST_COMMON for each in grids)


def _side(sight: Sight, grids: Sequence[Candidate], model: Model) -> int:
    """Three quarters of a grid's shorter side in map cells, an odd number."""
    tile = float(np.median([c.tile_px for c in grids])) / sight.map_cell_px
    return max(3, round(0.75 * min(model.layout.rows, model.layout.columns) * tile) | 1)


def _blacken(rest: Floats, sight: Sight, grid: Candidate) -> None:
    middle = grid.corners_px.mean(axis=0)
    beyond = middle + (grid.corners_px - middle) * 1.04
    cv2.fillConvexPoly(rest, np.rint(sight.to_map(beyond)).astype(np.int32), 0.0)


def _heaviest(rest: Floats, side: int) -> tuple[Doubles, float]:
    """Middle of the square with most left, (x, y) on the map, and the mean there."""
    sums = cv2.boxFilter(rest, -1, (side, side), borderType=cv2.BORDER_CONSTANT)
    y, x = np.unravel_index(int(sums.argmax()), sums.shape)
    top, left = max(int(y) - side // 2, 0), max(int(x) - side // 2, 0)
    part = rest[top : top + side, left : left + side].astype(np.float64)
    total = max(float(part.sum()), 1e-9)
    across, down = part.sum(axis=0), part.sum(axis=1)
    middle = np.array(
        [left + across @ np.arange(len(across)) / total, top + down @ np.arange(len(down)) / total]
    )
    return middle, float(sums[y, x])


def find_grid(
    photo: Pyramid,
    frame: TableFrame,
    at_px: Floats | Doubles,
    sight: Sight,
    model: Model,
) -> Candidate | None:
    """The grid of known faces that lies round a place; None where no whole tile lies."""
    best: Candidate | None = None
    for hypothesis in _hypotheses(photo, frame, at_px, sight, model):
        found = _grown(photo, frame, hypothesis.lattice, (1, 2), model)
        if found is None:
            continue
        if best is None or found.support > best.support:
            best = found
        if is_known(best) and best.placed.certain:
            break
    return best


def _hypotheses(
    photo: Pyramid,
    frame: TableFrame,
    at_px: Floats | Doubles,
    sight: Sight,
    model: Model,
) -> Iterator[Hypothesis]:
    """Yield lattices that fit a tile near a place, the likeliest first."""
    origin = frame.camera.to_affine(floats(at_px)[None])[0]
    turn, offset = _voted(frame, origin, at_px, sight)
    if turn is not None and offset is not None:
        yield from _rated(photo, frame, [frame.lattice(turn, origin + offset)], model)
    if turn is None:
        turns = np.arange(0, np.pi / 2, TURN_STEP)
    else:
        turns = np.array([turn, turn - TURN_STEP, turn + TURN_STEP])
    thirds = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)]) / 3
    lattices = [
        frame.lattice(float(a), frame.lattice(float(a), origin).to_affine(step))
        for a in turns
        for step in thirds
    ]
    yield from _rated(photo, frame, lattices, model)[:HYPOTHESES]


def _rated(
    photo: Pyramid,
    frame: TableFrame,
    lattices: Sequence[Lattice],
    model: Model,
) -> list[Hypothesis]:
    quads = np.concatenate(
        [cell_quads_px(frame.camera, each, np.zeros((1, 2))) for each in lattices]
    )
    embeddings = embed_quads(photo, quads)
    worth = _worth(embeddings, model)
    rated = [
        Hypothesis(lattice, float(value))
        for lattice, value, whole in zip(lattices, worth, embeddings.whole, strict=True)
        if whole > FIRST_WHOLE
    ]
    return sorted(rated, key=lambda each: -each.worth)


def _worth(embeddings: Embeddings, model: Model) -> Doubles:
    """(n,) how much each patch is a whole tile of a known face, -0.5 to 1."""
    similarity = cosines(embeddings, model.references).max(axis=(1, 2))
    known = np.clip((similarity - MIN_SIMILARITY) / 0.35, -0.5, 1)
    return np.asarray(embeddings.whole * known, np.float64)


def _voted(
    frame: TableFrame, origin: Doubles, at_px: Floats | Doubles, sight: Sight
) -> tuple[float | None, Doubles | None]:
    """Turn and offset of the lattice near a place, as the locator's output has them."""
    x, y = sight.to_map(floats(at_px)[None])[0]
    quad = cell_quads_px(frame.camera, frame.lattice(0.0, origin), np.zeros((1, 2)))[0]
    radius = VOTE_RADIUS * float(np.sqrt(cv2.contourArea(quad))) / sight.map_cell_px
    rows, columns = sight.likely.shape
    top, bottom = max(int(y - radius), 0), min(int(y + radius) + 1, rows)
    left, right = max(int(x - radius), 0), min(int(x + radius) + 1, columns)
    if top >= bottom or left >= right:
        return None, None
    at = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), axis=-1)
    at = at.reshape(-1, 2)
    weight = sight.likely[at[:, 1], at[:, 0]].astype(np.float64)
    near = weight > 0.1
    if near.sum() < 4:
        return None, None
    at, weight = at[near], weight[near]
    values = sight.maps[:, at[:, 1], at[:, 0]]
    seen = at * float(STRIDE_PX) + (STRIDE_PX - 1) / 2 + values[2:4].T * UNIT_PX
    centres = frame.camera.to_affine((seen + 0.5) * sight.scale - 0.5)
    edges = edges_of(floats(values[4:9].T)) * sight.scale / 2
    ends_px = ((seen + 0.5) * sight.scale - 0.5)[:, None] + np.concatenate([edges, -edges], axis=1)
    ends = frame.camera.to_affine(ends_px)
    across = np.stack([ends[:, 0] - ends[:, 2], ends[:, 1] - ends[:, 3]], axis=1)
    u, _, v = np.linalg.svd(across @ np.linalg.inv(frame.steps))
    turned = u @ v
    angle = np.arctan2(turned[:, 0, 1], turned[:, 0, 0])
    mean = (weight * np.exp(4j * angle)).sum() / weight.sum()
    if abs(mean) < AGREEMENT:
        return None, None
    turn = float(np.angle(mean)) / 4
    cells = frame.lattice(turn, origin).to_cells(centres)
    phase = (weight[:, None] * np.exp(2j * np.pi * cells)).sum(axis=0) / weight.sum()
    if (np.abs(phase) < AGREEMENT).any():
        return turn, None
    lattice = frame.lattice(turn, origin)
    return turn, lattice.to_affine(np.angle(phase) / (2 * np.pi)) - origin


def _registered(
    photo: Pyramid, frame: TableFrame, lattice: Lattice, cells: Doubles
) -> tuple[Lattice, float]:
    """Turn and shift a lattice so that its cells lie in the corners that are seen (Procrustes).

    Returns:
        The lattice, and the mean probability that a cell showed a whole tile before.
    """
    quads = cell_quads_px(frame.camera, lattice, cells)
    embeddings = embed_quads(photo, quads)
    corners = points_in_quads(quads, UNIT_SQUARE + np.clip(embeddings.corners, -WIDEST, WIDEST))
    seen = frame.camera.to_affine(corners.reshape(-1, 2)) @ np.linalg.inv(frame.steps)
    places = (cells[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2)
    weight = np.repeat(np.clip(embeddings.whole, 0.02, 1), 4).astype(np.float64)[:, None]
    middle, seen_middle = (
        (places * weight).sum(0) / weight.sum(),
        (seen * weight).sum(0) / weight.sum(),
    )
    u, _, v = np.linalg.svd(((places - middle) * weight).T @ (seen - seen_middle))
    turn = u @ np.diag([1.0, np.linalg.det(u @ v)]) @ v
    if len(cells) > ENOUGH_FOR_SIZE:
        spread = (((places - middle) ** 2) * weight).sum()
        size = (((places - middle) @ turn) * (seen - seen_middle) * weight).sum() / spread
        turn = turn * float(np.clip(size, 1 - SIZE_LOCALLY, 1 + SIZE_LOCALLY))
    shift = (seen_middle - middle @ turn) @ frame.steps
    return Lattice(np.vstack([turn @ frame.steps, shift[None]])), float(embeddings.whole.mean())


def _extent(photo: Pyramid, frame: TableFrame, lattice: Lattice, model: Model) -> Grid:
    """The extent of the layout that has most whole tiles of known faces, near cell (0, 0)."""
    rows, columns = model.layout.rows, model.layout.columns
    side = max(rows, columns)
    x = y = -(side // 2)
    for _ in range(3):
        line_x, line_y = np.arange(x - 1, x + side + 1), np.arange(y - 1, y + side + 1)
        cells = np.stack(np.meshgrid(line_x, line_y), axis=-1).reshape(-1, 2).astype(float)
        embeddings = embed_quads(photo, cell_quads_px(frame.camera, lattice, cells))
        worth = _worth(embeddings, model).reshape(side + 2, side + 2)
        tried = sorted(
            (
                (float(worth[b : b + r, a : a + c].sum()), a, b, r, c)
                for r, c in {(rows, columns), (columns, rows)}
                for b in range(side + 3 - r)
                for a in range(side + 3 - c)
            ),
            reverse=True,
        )
        best, a, b, r, c = tried[0]
        step = a - 1, b - 1
        if 0 <= step[0] <= side - c and 0 <= step[1] <= side - r:
            break
        x, y = x + step[0], y + step[1]
    x0, y0 = line_x[0] + a, line_y[0] + b
    least = min(r, c)
    rivals = tuple(
        (o[1] - a, o[2] - b)
        for o in tried[1:]
        if (best - o[0]) / least < MIN_END_MARGIN and (o[3], o[4]) == (r, c)
    )
    margin = (best - tried[1][0]) / least
    matrix = lattice.matrix.copy()
    matrix[2] = lattice.to_affine(np.array([x0, y0], float))
    return Grid(Lattice(matrix), (r, c), worth[b : b + r, a : a + c].copy(), margin, rivals)
