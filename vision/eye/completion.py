"""Completion: search a table for grids that the search by single tiles missed or misplaced.

All grids of free tiles on a table share the camera and the size of a tile. So a further grid has
three unknowns: its place (two) and its turn (one). The locator's output votes for them, or they are
tried in steps; then the grid grows from one tile (``vision.eye.growth``).

Frames: ``_px`` photo pixels; affine and cells as of ``vision.eye.camera``; map cells of the
locator's output as of ``vision.eye.locate``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, floats
from vision.editions.model import Model
from vision.eye.camera import (
    Correspondences,
    Lattice,
    TableFrame,
    cell_quads_px,
    fit_camera,
    fit_lattices,
)
from vision.eye.growth import grow_grid
from vision.eye.identify import known_tile_scores
from vision.eye.leftovers import MIN_GROUP_TILES, TileGroup
from vision.eye.locate import STRIDE_PX, UNIT_PX, LocatorOutput, decode_shapes
from vision.eye.placement import MAX_REFINEMENT, Candidate
from vision.eye.quads import MAX_GRID_OVERLAP, overlap_share, overlaps_any
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads

GOOD_WHOLE: Final = 0.9
"""Mean probability of a whole tile above which a grid lies in its place. Smaller: grids that lie
aside spoil the common tile size; larger: dim photos have no grid to learn it from."""
GOOD_SIMILARITY: Final = 0.69
"""Mean similarity to known faces above which a grid in its place is good. Smaller: squared cloth is
taken for tiles; larger: dim photos have no good grid."""
CLEAR_SUPPORT: Final = 0.85
"""Support (``Candidate.support``) above which the size of a grid is not checked."""
MAX_SIZE_DEVIATION: Final = 0.04
"""Difference from the common tile size, as a share, above which any other grid is laid again."""
SIZE_SIGMA: Final = 0.02
"""Standard deviation of the tile size over a table, as a share. Larger: undersized lattices count
as grids."""
MIN_TILE_AREA: Final = 1e-9
"""Affine area of a tile below which a fit has failed; a tile of one pixel has more."""
VOTE_RADIUS_TILES: Final = 1.6
"""Radius within which map cells vote for the turn and offset of a grid, in tiles."""
MIN_AGREEMENT: Final = 0.5
"""Least length of the mean of the votes, which are unit vectors, for a vote that is followed."""
TURN_STEP_RAD: Final = np.deg2rad(8)
"""Step of the turns that are tried; registration bridges half of it."""
MIN_HYPOTHESIS_WHOLE: Final = 0.3
"""Probability of a whole tile above which a hypothesis is followed up."""
MAX_HYPOTHESES: Final = 2
"""Most hypotheses followed up at a place, beside that of the votes."""
MIN_ACCEPTED_WHOLE: Final = 0.85
MIN_ACCEPTED_SIMILARITY: Final = 0.69
"""Least mean probability of whole tiles, and least mean similarity to known faces, of a grid that
is accepted. Smaller: cloth and cards become grids; larger: dim grids stay unread."""
MIN_LIKELY: Final = 0.1
"""Mean probability of map cells over a square of ``SQUARE_SHARE`` from which on a place is
searched."""
SQUARE_SHARE: Final = 0.75
"""Side of that square, as a share of a grid's shorter side."""
MASK_GROWTH: Final = 1.04
"""Factor by which the mask over a grid that was found is larger than the grid. Smaller: rims of
grids are searched, which costs more."""
MAX_PLACES: Final = 8
"""Most places that are searched by probability alone."""
EXPLAINED_SHARE: Final = 0.5
"""Common area, as a share of the smaller quad, above which a grid explains a group of tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """Tile that may lie at a place.

    Attributes:
        lattice: Lattice whose cell (0, 0) it is.
        score: As of ``known_tile_scores``.
    """

    lattice: Lattice
    score: float


def is_in_place(candidate: Candidate) -> bool:
    """Return whether a grid is certain and shows whole tiles in its cells."""
    return candidate.mean_whole > GOOD_WHOLE and candidate.placed.certain


def is_good(candidate: Candidate) -> bool:
    """Return whether a grid lies in its place and shows known faces."""
    return is_in_place(candidate) and candidate.mean_similarity > GOOD_SIMILARITY


def fit_table_frame(candidates: Sequence[Candidate]) -> TableFrame | None:
    """Fit camera and tile size to the corners of good grids; None without a good grid."""
    good = [c for c in candidates if is_good(c)]
    if not good:
        return None
    camera, lattices = fit_camera(
        good[0].camera, [_stated_corners(c) for c in good], size_sigma=SIZE_SIGMA
    )
    gram = np.mean([lattice.gram for lattice in lattices], axis=0)
    if np.linalg.det(gram) <= MIN_TILE_AREA**2:
        return None
    return TableFrame.with_gram(camera, np.asarray(gram))


def _stated_corners(candidate: Candidate) -> Correspondences:
    placed = candidate.placed
    seen = np.clip(placed.embeddings.corners, -MAX_REFINEMENT, MAX_REFINEMENT)
    corners = points_in_quads(placed.embedded_px, UNIT_SQUARE + seen)
    return Correspondences(
        (placed.grid.cells()[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
        corners.reshape(-1, 2).astype(float),
        np.repeat(np.clip(placed.embeddings.whole, 0.02, 1), 4).astype(float),
    )


@dataclass(slots=True, eq=False)
class _Completion:
    """Search of one table.

    Attributes:
        photo: Photo of the table.
        frame: Camera and tile size.
        outputs: Outputs of the locator, the closest look last.
        model: Model of the edition.
        grids: Grids so far; they do not overlap.
        refused: Grids that were found and not accepted.
    """

    photo: Pyramid
    frame: TableFrame
    outputs: Sequence[LocatorOutput]
    model: Model
    grids: list[Candidate]
    refused: list[Candidate] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """True if the game has no further grid."""
        return sum(map(is_accepted, self.grids)) >= self.model.layout.most_grids

    def improve(self, weak: Candidate) -> None:
        """Add a weak grid, laid again with the common tile size if its tiles fit better so."""
        tried = [_lay_with_common_size(self.photo, self.frame, weak, self.model)]
        if not any(is_in_place(each) for each in (weak, *tried) if each is not None):
            middle_px = weak.corners_px.mean(axis=0)
            tried.append(find_grid(self.photo, self.frame, middle_px, self.outputs[-1], self.model))
        better = [
            each
            for each in tried
            if each is not None
            and each.support > weak.support
            and (is_accepted(each) or _overlap(each, weak))
        ]
        for each in (*sorted(better, key=lambda each: -each.support), weak):
            if not self._is_taken(each):
                self.grids.append(each)
                return

    def search_at(
        self, place_px: Floats | Doubles, output: LocatorOutput, *, voted: bool = False
    ) -> Candidate | None:
        """Search round a place, and return the grid that is accepted; None otherwise.

        It takes the place of grids that are not accepted, such as a cloth that resembles tiles.

        Args:
            place_px: Place in the photo.
            output: Output whose map cells vote for the turn and offset of the grid.
            voted: True to search only for a turn that they agree on.
        """
        found = find_grid(self.photo, self.frame, place_px, output, self.model, voted=voted)
        overlapped = [each for each in self.grids if found is not None and _overlap(found, each)]
        if found is None or not is_accepted(found) or any(map(is_accepted, overlapped)):
            if found is not None and not overlapped:
                self.refused.append(found)
            return None
        self.grids = [each for each in self.grids if each not in overlapped]
        self.grids.append(found)
        return found

    def _is_taken(self, grid: Candidate) -> bool:
        return any(_overlap(grid, each) for each in self.grids)


def complete_grids(
    photo: Pyramid,
    candidates: Sequence[Candidate],
    outputs: Sequence[LocatorOutput],
    groups: Sequence[TileGroup],
    model: Model,
) -> tuple[list[Candidate], list[Candidate]]:
    """Lay weak grids again, and search for further ones where tiles were detected.

    Args:
        photo: Photo of the table.
        candidates: Grids that do not overlap.
        outputs: Outputs of the locator, the closest look last.
        groups: Groups of detected tiles in no grid.
        model: Model of the edition.

    Returns:
        All grids, and those that were found and not accepted.
    """
    frame = fit_table_frame(candidates)
    if frame is None:
        return list(candidates), []
    placed = [
        each
        for each in candidates
        if is_good(each)
        and (each.support > CLEAR_SUPPORT or size_deviation(each, frame) < MAX_SIZE_DEVIATION)
    ]
    search = _Completion(photo, frame, outputs, model, placed.copy())
    for each in candidates:
        if each not in placed:
            search.improve(each)
    for group in sorted(groups, key=lambda each: -each.count):
        if group.count < MIN_GROUP_TILES or search.is_full:
            break
        grids_px = [grid.corners_px for grid in search.grids]
        if not overlaps_any(group.quad_px, grids_px, EXPLAINED_SHARE):
            search.search_at(group.quad_px.mean(axis=0), outputs[-1])
    _search_by_probability(search)
    return search.grids, search.refused


def _search_by_probability(search: _Completion) -> None:
    """Search where map cells outside of grids are likely tiles, the likeliest place first.

    The closest look comes first. In the others only those places are searched whose map cells agree
    on a turn, which costs less.
    """
    vain_px: list[Doubles] = []
    for output in reversed(search.outputs):
        rest = output.likely.copy()
        for grid in search.grids:
            _mask_grid(rest, output, grid)
        side = _square_side(output, search.grids, search.model)
        for place_px in vain_px:
            _mask_place(rest, output.to_map(place_px[None])[0], 0.5 * side)
        for _ in range(MAX_PLACES // len(search.outputs)):
            place, mean = _likeliest_square(rest, side)
            if search.is_full or mean < MIN_LIKELY:
                break
            place_px = output.to_photo_px(place[None])[0]
            found = search.search_at(place_px, output, voted=True)
            if found is None:
                vain_px.append(place_px)
            else:
                _mask_grid(rest, output, found)
            _mask_place(rest, place, side * (0.5 if found is None else 0.3))


def size_deviation(candidate: Candidate, frame: TableFrame) -> float:
    """Return the largest difference of a grid's steps from those of the table, as a share."""
    lattice = fit_lattices(frame.camera, [_stated_corners(candidate)])[0]
    _, stretch, _ = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(frame.steps))
    return float(np.abs(np.log(stretch)).max())


def _lay_with_common_size(
    photo: Pyramid, frame: TableFrame, candidate: Candidate, model: Model
) -> Candidate | None:
    """Lay a grid again with the steps of the table, from its middle."""
    lattice = fit_lattices(frame.camera, [_stated_corners(candidate)])[0]
    u, _, v = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(frame.steps))
    rows, columns = candidate.placed.grid.shape
    origin = lattice.to_affine(np.array([columns // 2, rows // 2], float))
    start = Lattice(np.vstack([u @ v @ frame.steps, origin[None]]))
    return grow_grid(photo, frame, start, (2,), model)


def _overlap(first: Candidate, second: Candidate) -> bool:
    """Return whether two grids cannot both lie on the table."""
    return overlap_share(first.corners_px, second.corners_px) > MAX_GRID_OVERLAP


def is_accepted(candidate: Candidate) -> bool:
    """Return whether a grid that was found shows whole tiles of known faces."""
    return (
        candidate.mean_whole >= MIN_ACCEPTED_WHOLE
        and candidate.mean_similarity >= MIN_ACCEPTED_SIMILARITY
    )


def _map_cells_near(
    output: LocatorOutput, frame: TableFrame, at_px: Floats | Doubles
) -> tuple[slice, slice]:
    """Return the rows and columns of the map within ``VOTE_RADIUS_TILES`` of a place."""
    x, y = output.to_map(floats(at_px)[None])[0]
    origin = frame.camera.to_affine(floats(at_px)[None])[0]
    quad = cell_quads_px(frame.camera, frame.make_lattice(0.0, origin), np.zeros((1, 2)))[0]
    radius = VOTE_RADIUS_TILES * float(np.sqrt(cv2.contourArea(quad))) / output.map_cell_px
    rows, columns = output.likely.shape
    return (
        slice(max(int(y - radius), 0), max(min(int(y + radius) + 1, rows), 0)),
        slice(max(int(x - radius), 0), max(min(int(x + radius) + 1, columns), 0)),
    )


def _square_side(output: LocatorOutput, grids: Sequence[Candidate], model: Model) -> int:
    """Return the side of the square that is searched, in map cells, an odd number."""
    tile = float(np.median([c.tile_px for c in grids])) / output.map_cell_px
    return max(3, round(SQUARE_SHARE * min(model.layout.rows, model.layout.columns) * tile) | 1)


def _mask_grid(rest: Floats, output: LocatorOutput, grid: Candidate) -> None:
    middle = grid.corners_px.mean(axis=0)
    beyond = middle + (grid.corners_px - middle) * MASK_GROWTH
    cv2.fillConvexPoly(rest, np.rint(output.to_map(beyond)).astype(np.int32), 0.0)


def _mask_place(rest: Floats, place: Doubles, radius: float) -> None:
    cv2.circle(rest, np.rint(place).astype(int).tolist(), round(radius), 0.0, -1)


def _likeliest_square(rest: Floats, side: int) -> tuple[Doubles, float]:
    """Return the centre of mass (x, y) in the likeliest square of the map, and the mean there."""
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
    output: LocatorOutput,
    model: Model,
    *,
    voted: bool = False,
) -> Candidate | None:
    """Find the grid of known faces round a place; None if no whole tile lies there.

    Args:
        photo: Photo of the table.
        frame: Camera and tile size.
        at_px: Place in the photo.
        output: Output whose map cells vote for the turn and offset of the grid.
        model: Model of the edition.
        voted: True to find only a grid in a turn that they agree on.
    """
    best: Candidate | None = None
    for hypothesis in _hypotheses(photo, frame, at_px, output, model, voted=voted):
        found = grow_grid(photo, frame, hypothesis.lattice, (1, 2), model)
        if found is None:
            continue
        if best is None or found.support > best.support:
            best = found
        if is_accepted(best) and best.placed.certain:
            break
    return best


def _hypotheses(
    photo: Pyramid,
    frame: TableFrame,
    at_px: Floats | Doubles,
    output: LocatorOutput,
    model: Model,
    *,
    voted: bool,
) -> Iterator[Hypothesis]:
    """Yield hypotheses for a tile near a place, the likeliest first."""
    origin = frame.camera.to_affine(floats(at_px)[None])[0]
    turn, offset = _vote_for_lattice(frame, origin, at_px, output)
    if turn is not None and offset is not None:
        yield from _rate_hypotheses(
            photo, frame, [frame.make_lattice(turn, origin + offset)], model
        )
    if turn is None and voted:
        return
    if turn is None:
        turns = np.arange(0, np.pi / 2, TURN_STEP_RAD)
    else:
        turns = np.array([turn, turn - TURN_STEP_RAD, turn + TURN_STEP_RAD])
    thirds = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)]) / 3
    lattices = [
        frame.make_lattice(float(a), frame.make_lattice(float(a), origin).to_affine(step))
        for a in turns
        for step in thirds
    ]
    yield from _rate_hypotheses(photo, frame, lattices, model)[:MAX_HYPOTHESES]


def _rate_hypotheses(
    photo: Pyramid,
    frame: TableFrame,
    lattices: Sequence[Lattice],
    model: Model,
) -> list[Hypothesis]:
    quads = np.concatenate(
        [cell_quads_px(frame.camera, each, np.zeros((1, 2))) for each in lattices]
    )
    embeddings = embed_quads(photo, quads)
    worth = known_tile_scores(embeddings, model.references)
    rated = [
        Hypothesis(lattice, float(value))
        for lattice, value, whole in zip(lattices, worth, embeddings.whole, strict=True)
        if whole > MIN_HYPOTHESIS_WHOLE
    ]
    return sorted(rated, key=lambda each: -each.score)


def _vote_for_lattice(
    frame: TableFrame, origin: Doubles, at_px: Floats | Doubles, output: LocatorOutput
) -> tuple[float | None, Doubles | None]:
    """Let map cells vote for the turn (radians) and the offset (affine) of a lattice.

    Returns:
        Each is None if the votes disagree.
    """
    down, across = _map_cells_near(output, frame, at_px)
    at = np.stack(
        np.meshgrid(np.arange(across.start, across.stop), np.arange(down.start, down.stop)), axis=-1
    ).reshape(-1, 2)
    weight = output.likely[at[:, 1], at[:, 0]].astype(np.float64)
    near = weight > 0.1
    if near.sum() < 4:
        return None, None
    at, weight = at[near], weight[near]
    values = output.maps[:, at[:, 1], at[:, 0]]
    seen = at * float(STRIDE_PX) + (STRIDE_PX - 1) / 2 + values[2:4].T * UNIT_PX
    centres = frame.camera.to_affine((seen + 0.5) * output.scale - 0.5)
    halves = decode_shapes(floats(values[4:9].T)) * output.scale / 2
    sides = np.concatenate([halves, -halves], axis=1)
    ends_px = ((seen + 0.5) * output.scale - 0.5)[:, None] + sides
    ends = frame.camera.to_affine(ends_px)
    edges = np.stack([ends[:, 0] - ends[:, 2], ends[:, 1] - ends[:, 3]], axis=1)
    u, _, v = np.linalg.svd(edges @ np.linalg.inv(frame.steps))
    turned = u @ v
    angle = np.arctan2(turned[:, 0, 1], turned[:, 0, 0])
    mean = (weight * np.exp(4j * angle)).sum() / weight.sum()
    if abs(mean) < MIN_AGREEMENT:
        return None, None
    turn = float(np.angle(mean)) / 4
    cells = frame.make_lattice(turn, origin).to_cells(centres)
    phase = (weight[:, None] * np.exp(2j * np.pi * cells)).sum(axis=0) / weight.sum()
    if (np.abs(phase) < MIN_AGREEMENT).any():
        return turn, None
    lattice = frame.make_lattice(turn, origin)
    return turn, lattice.to_affine(np.angle(phase) / (2 * np.pi)) - origin
