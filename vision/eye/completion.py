"""Completion: search a table for grids that the search by single tiles missed or misplaced.

All grids of free tiles on a table share the camera and the size of a tile. So a further grid has
three unknowns: its place (two) and its turn (one). The locator's output votes for them, or they are
tried in steps; then the grid grows from one tile (``vision.eye.growth``).

Frames: ``_px`` photo pixels; affine and cells as of ``vision.eye.camera``; map cells of the
locator's output as of ``vision.eye.locate``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, floats
from vision.editions.model import Model
from vision.eye.acceptance import may_lie_face_down
from vision.eye.camera import (
    Correspondences,
    Lattice,
    TableFrame,
    cell_quads_px,
    fit_camera,
    fit_lattices,
)
from vision.eye.growth import block_of_cells, grow_grid
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
MIN_HYPOTHESIS_SCORE: Final = 0.2
"""Mean score (``known_tile_scores``) of a block of four tiles above which a hypothesis is followed
up, but for the one that votes agree on. Blocks of grids have 0.3 or more. Smaller: each place costs
more; larger: grids in glare are not left unread."""
TURN_STEP_RAD: Final = np.deg2rad(8)
"""Step of the turns that are tried; registration bridges half of it."""
MIN_HYPOTHESIS_WHOLE: Final = 0.3
"""Mean probability of whole tiles in the cells that are embedded, above which a hypothesis is
followed up."""
MAX_FOLLOWED: Final = 2
"""Most hypotheses followed up at a place of each group of turns, beside that of the votes."""
MAX_BLOCKS: Final = 6
"""Most hypotheses of which a block of four tiles is embedded to choose those, where no vote tells
the turn. Smaller: where tiles are blurred the right one is not followed up; larger: each place
costs more."""
MIN_CONFIRMED_WHOLE: Final = 0.85
MIN_CONFIRMED_SIMILARITY: Final = 0.69
"""Least mean probability of whole tiles, and least mean similarity to known faces, of a searched
grid that is confirmed: kept as a candidate. Smaller: cloth and cards become grids; larger: dim
grids stay unread."""
MIN_LIKELY: Final = 0.1
"""Mean probability of map cells over a square of ``SQUARE_SHARE`` from which on a place is
searched. Smaller: bare tables are searched, which costs more."""
MIN_LIKELY_SHARE: Final = 0.1
"""The same as a share of what the locator states where it states least of a grid that certainly
lies on the table: one that it missed may be as much harder to detect. Smaller: tables of which
the locator is not sure cost more; larger: grids are lost there."""
NOT_LIKELY: Final = 0.005
"""Mean probability below which no place is searched, however hard a grid was to detect. Smaller:
bare tables are searched square by square; larger: grids that the locator misses are lost."""
SQUARE_SHARE: Final = 0.75
"""Side of that square, as a share of a grid's shorter side."""
MASK_GROWTH: Final = 1.15
"""Factor by which the mask over a grid that was found is larger than the grid. Smaller: rims of
grids are searched, which costs more."""
TILE_CELL: Final = np.zeros((1, 2))
"""Cell by which many hypotheses are rated quickly: the tile at the place."""
BLOCK_CELLS: Final = block_of_cells(1)
"""Cells by which fewer hypotheses are rated more surely: a block of four round its corner."""
GROUP_IN_GRID_SHARE: Final = 0.5
"""Common area, as a share of the smaller quad, above which a group of tiles belongs to a grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """Tile that may lie at a place.

    Attributes:
        lattice: Lattice whose cell (0, 0) it is.
        score: As of ``known_tile_scores``.
    """

    lattice: Lattice
    score: float


def fits_its_tiles(candidate: Candidate) -> bool:
    """Return whether the place of a grid is certain and its cells show whole tiles."""
    return candidate.mean_whole > GOOD_WHOLE and candidate.placed.place_certain


def is_good(candidate: Candidate) -> bool:
    """Return whether a grid lies in its place and shows known faces."""
    return fits_its_tiles(candidate) and candidate.mean_similarity > GOOD_SIMILARITY


def fit_table_frame(candidates: Sequence[Candidate]) -> TableFrame | None:
    """Fit camera and tile size to the corners of whole tiles of known faces; None without any.

    A grid that may lie a row aside is used, too: its tiles lie on its lattice all the same. A
    face-down supply is not: on a table with nothing else no grid is missing.
    """
    fitted = [
        each
        for each in candidates
        if each.mean_whole > GOOD_WHOLE
        and each.mean_similarity > GOOD_SIMILARITY
        and not may_lie_face_down(each)
    ]
    if not fitted:
        return None
    camera, lattices = fit_camera(
        fitted[0].camera, [_stated_corners(each) for each in fitted], size_sigma=SIZE_SIGMA
    )
    gram = np.mean([lattice.gram for lattice in lattices], axis=0)
    if np.linalg.det(gram) <= MIN_TILE_AREA**2:
        return None
    return TableFrame.with_gram(camera, np.asarray(gram))


def _stated_corners(candidate: Candidate) -> Correspondences:
    """Return the corners of tiles that the embedder states, with the cells that they belong to."""
    placed = candidate.placed
    seen = np.clip(placed.embeddings.corners, -MAX_REFINEMENT, MAX_REFINEMENT)
    corners = points_in_quads(placed.embedded_px, UNIT_SQUARE + seen)
    return Correspondences(
        (placed.lattice_grid.cells()[:, None] + UNIT_SQUARE - 0.5).reshape(-1, 2),
        corners.reshape(-1, 2).astype(float),
        np.repeat(np.clip(placed.embeddings.whole, 0.02, 1), 4).astype(float),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _VainPlace:
    """Place that was searched in vain.

    Attributes:
        at_px: Shape (2,).
        steps_px: Shape (2, 2), edges of a tile there, by the camera of that time.
    """

    at_px: Doubles
    steps_px: Doubles


@dataclass(slots=True, eq=False)
class _Completion:
    """Search of one table.

    Attributes:
        pyramid: Pyramid of the photo.
        frame: Camera and tile size.
        outputs: Outputs of the locator in the order of its runs, the finest last.
        model: Model of the edition.
        grids: Grids so far; they do not overlap.
        unconfirmed: Grids that were found and not confirmed.
        vain: Places that were searched in vain.
    """

    pyramid: Pyramid
    frame: TableFrame
    outputs: Sequence[LocatorOutput]
    model: Model
    grids: list[Candidate]
    unconfirmed: list[Candidate] = field(default_factory=list)
    vain: list[_VainPlace] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """True if the game has no further grid."""
        return len(self.certain_grids) >= self.model.layout.most_grids

    @property
    def certain_grids(self) -> list[Candidate]:
        """Grids that certainly are of the game."""
        return [each for each in self.grids if is_confirmed(each) and not may_lie_face_down(each)]

    def add_improved(self, weak: Candidate) -> None:
        """Add a weak grid, laid again with the common tile size if its tiles fit better so."""
        tried = [_lay_with_common_size(self.pyramid, self.frame, weak, self.model)]
        if not any(fits_its_tiles(each) for each in (weak, *tried) if each is not None):
            middle_px = weak.corners_px.mean(axis=0)
            tried.append(
                find_grid(self.pyramid, self.frame, middle_px, self.outputs[-1], self.model)
            )
        better = [
            each
            for each in tried
            if each is not None
            and each.support > weak.support
            and (is_confirmed(each) or _overlap(each, weak))
        ]
        better.sort(key=lambda found: -found.support)
        for each in (*better, weak):
            if not self._is_taken(each):
                self.grids.append(each)
                return

    def search_at(
        self, at_px: Floats | Doubles, output: LocatorOutput, *, voted: bool = False
    ) -> Candidate | None:
        """Search round a place, and return the grid that is confirmed; None otherwise.

        It takes the place of grids that are not confirmed, such as a cloth that resembles tiles.

        Args:
            at_px: Place in the photo.
            output: Output whose map cells vote for the turn and offset of the grid.
            voted: True to search only for a turn that they agree on.
        """
        found = find_grid(self.pyramid, self.frame, at_px, output, self.model, voted=voted)
        overlapped = [each for each in self.grids if found is not None and _overlap(found, each)]
        if found is None or not is_confirmed(found) or any(map(is_confirmed, overlapped)):
            if found is not None and not overlapped:
                self.unconfirmed.append(found)
            self.vain.append(_VainPlace(np.asarray(at_px, float), _steps_px(self.frame, at_px)))
            return None
        self.grids = [each for each in self.grids if each not in overlapped]
        self.grids.append(found)
        self.refit()
        return found

    def refit(self, waiting: Sequence[Candidate] = ()) -> None:
        """Fit the frame to all grids, and forget the vain places where tiles turn out different.

        The camera is less exact far from the grids that it was fitted to.

        Args:
            waiting: Grids that are still to be laid again.
        """
        self.frame = fit_table_frame([*self.grids, *waiting]) or self.frame
        self.vain = [
            each
            for each in self.vain
            if _difference_of_steps(_steps_px(self.frame, each.at_px), each.steps_px)
            < MAX_SIZE_DEVIATION
        ]

    def _is_taken(self, grid: Candidate) -> bool:
        return any(_overlap(grid, each) for each in self.grids)


def complete_grids(
    pyramid: Pyramid,
    candidates: Sequence[Candidate],
    outputs: Sequence[LocatorOutput],
    groups: Sequence[TileGroup],
    model: Model,
) -> tuple[list[Candidate], list[Candidate]]:
    """Lay weak grids again, and search for further ones where tiles were detected.

    Args:
        pyramid: Pyramid of the photo.
        candidates: Grids that do not overlap.
        outputs: Outputs of the locator in the order of its runs, the finest last.
        groups: Groups of detected tiles in no grid.
        model: Model of the edition.

    Returns:
        All grids, and those that were found and not confirmed.
    """
    frame = fit_table_frame(candidates)
    if frame is None:
        return list(candidates), []
    settled = [
        each
        for each in candidates
        if is_good(each)
        and (each.support > CLEAR_SUPPORT or size_deviation(each, frame) < MAX_SIZE_DEVIATION)
    ]
    search = _Completion(pyramid, frame, outputs, model, settled.copy())
    middles_px = [each.corners_px.mean(axis=0) for each in settled]
    weak = [each for each in candidates if each not in settled]
    # From near to far, as each grid that is laid makes the camera more exact farther off
    weak.sort(key=lambda each: _distance_px(each, middles_px))
    for number, each in enumerate(weak, start=1):
        search.add_improved(each)
        search.refit(weak[number:])
    for group in sorted(groups, key=lambda each: -each.count):
        if group.count < MIN_GROUP_TILES or search.is_full:
            break
        grids_px = [grid.corners_px for grid in search.grids]
        if not overlaps_any(group.quad_px, grids_px, GROUP_IN_GRID_SHARE):
            search.search_at(group.quad_px.mean(axis=0), outputs[-1])
    while not search.is_full and _search_by_probability(search):
        pass
    return search.grids, search.unconfirmed


def _search_by_probability(search: _Completion) -> bool:
    """Search where map cells outside of grids are likely tiles, the likeliest place first.

    The output of the last run comes first. Only those places are searched whose map cells agree on
    a turn, which costs less.

    Returns:
        True as soon as a grid is confirmed, as the camera and the places left change with it.
    """
    weakest = _likely_of_weakest(search.certain_grids, search)
    least = min(MIN_LIKELY, max(MIN_LIKELY_SHARE * weakest, NOT_LIKELY))
    confirmed = [each for each in search.grids if is_confirmed(each)]
    for output in reversed(search.outputs):
        rest = output.likely.copy()
        for grid in confirmed:
            _mask_grid(rest, output, grid)
        side = _square_side(output, search.grids, search.model)
        for vain in search.vain:
            _mask_place(rest, output.to_map(vain.at_px[None])[0], 0.5 * side)
        while True:
            square = _likeliest_square(rest, side)
            if square.mean < least:
                break
            x, y = np.rint(square.mass).astype(int)
            # What is left round a place that was searched may have its centre of mass there
            if rest[y, x] > 0:
                at_px = output.to_photo_px(square.mass[None])[0]
                if search.search_at(at_px, output, voted=True):
                    return True
                _mask_place(rest, square.mass, 0.5 * side)
            else:
                rest[square.cells] = 0
    return False


def _likely_of_weakest(grids: Sequence[Candidate], search: _Completion) -> float:
    """Return the mean probability of map cells in the grid of which least was detected.

    For each grid the run of the locator counts that shows most of it.
    """
    shown = []
    for output in search.outputs:
        side = _square_side(output, search.grids, search.model)
        middles = output.to_map(floats([each.corners_px for each in grids]).reshape(-1, 4, 2))
        means = cv2.boxFilter(output.likely, -1, (side, side), borderType=cv2.BORDER_CONSTANT)
        at = np.rint(middles.mean(axis=1)).astype(int).clip(0, np.array(means.shape[::-1]) - 1)
        shown.append(means[at[:, 1], at[:, 0]])
    return float(np.max(shown, axis=0).min(initial=1.0))


def _distance_px(grid: Candidate, places_px: Sequence[Floats]) -> float:
    """Return the distance of a grid from the nearest of some places."""
    middle_px = grid.corners_px.mean(axis=0)
    return min((float(np.linalg.norm(middle_px - each)) for each in places_px), default=0.0)


def size_deviation(candidate: Candidate, frame: TableFrame) -> float:
    """Return the largest difference of a grid's steps from those of the table, as a share."""
    lattice = fit_lattices(frame.camera, [_stated_corners(candidate)])[0]
    return _difference_of_steps(lattice.matrix[:2], frame.steps)


def _difference_of_steps(first: Doubles, second: Doubles) -> float:
    """Return the largest difference of two pairs of steps (2, 2) in any direction, as a share."""
    _, stretch, _ = np.linalg.svd(first @ np.linalg.inv(second))
    return float(np.abs(np.log(stretch)).max())


def _steps_px(frame: TableFrame, at_px: Floats | Doubles) -> Doubles:
    """Return the edges (2, 2) of a tile at a place of the photo."""
    origin = frame.camera.to_affine(floats(at_px)[None])[0]
    quad = cell_quads_px(frame.camera, frame.make_lattice(0.0, origin), np.zeros((1, 2)))[0]
    return np.asarray(quad[[1, 3]] - quad[0], np.float64)


def _lay_with_common_size(
    pyramid: Pyramid, frame: TableFrame, candidate: Candidate, model: Model
) -> Candidate | None:
    """Lay a grid again with the steps of the table, from its middle."""
    lattice = fit_lattices(frame.camera, [_stated_corners(candidate)])[0]
    u, _, v = np.linalg.svd(lattice.matrix[:2] @ np.linalg.inv(frame.steps))
    rows, columns = candidate.placed.lattice_grid.shape
    origin = lattice.to_affine(np.array([columns // 2, rows // 2], float))
    start = Lattice(np.vstack([u @ v @ frame.steps, origin[None]]))
    return grow_grid(pyramid, frame, start, (2,), model)


def _overlap(first: Candidate, second: Candidate) -> bool:
    """Return whether two grids cannot both lie on the table."""
    return overlap_share(first.corners_px, second.corners_px) > MAX_GRID_OVERLAP


def is_confirmed(candidate: Candidate) -> bool:
    """Return whether a grid shows whole tiles of known faces, as a searched one has to."""
    return (
        candidate.mean_whole >= MIN_CONFIRMED_WHOLE
        and candidate.mean_similarity >= MIN_CONFIRMED_SIMILARITY
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


class _Square(NamedTuple):
    """Square of the map: its cells, their centre of mass (x, y) and mean probability."""

    cells: tuple[slice, slice]
    mass: Doubles
    mean: float


def _likeliest_square(rest: Floats, side: int) -> _Square:
    """Return the likeliest square of the map."""
    means = cv2.boxFilter(rest, -1, (side, side), borderType=cv2.BORDER_CONSTANT)
    y, x = np.unravel_index(int(means.argmax()), means.shape)
    top, left = max(int(y) - side // 2, 0), max(int(x) - side // 2, 0)
    cells = slice(top, top + side), slice(left, left + side)
    part = rest[cells].astype(np.float64)
    total = max(float(part.sum()), 1e-9)
    across, down = part.sum(axis=0), part.sum(axis=1)
    mass = np.array(
        [left + across @ np.arange(len(across)) / total, top + down @ np.arange(len(down)) / total]
    )
    return _Square(cells, mass, float(means[y, x]))


def find_grid(
    pyramid: Pyramid,
    frame: TableFrame,
    at_px: Floats | Doubles,
    output: LocatorOutput,
    model: Model,
    *,
    voted: bool = False,
) -> Candidate | None:
    """Find the grid of known faces round a place; None if no whole tile lies there.

    Args:
        pyramid: Pyramid of the photo.
        frame: Camera and tile size.
        at_px: Place in the photo.
        output: Output whose map cells vote for the turn and offset of the grid.
        model: Model of the edition.
        voted: True to find only a grid in a turn that they agree on.
    """
    best: Candidate | None = None
    for hypothesis in _hypotheses(pyramid, frame, at_px, output, model, voted=voted):
        found = grow_grid(pyramid, frame, hypothesis.lattice, (1, 2), model)
        if found is None:
            continue
        if best is None or found.support > best.support:
            best = found
        # Whole tiles lie on the lattice: the other hypotheses lead to the same grid
        if best.mean_whole > GOOD_WHOLE:
            break
    return best


def _hypotheses(
    pyramid: Pyramid,
    frame: TableFrame,
    at_px: Floats | Doubles,
    output: LocatorOutput,
    model: Model,
    *,
    voted: bool,
) -> Iterator[Hypothesis]:
    """Yield hypotheses for a tile near a place, the likeliest first."""
    origin = frame.camera.to_affine(floats(at_px)[None])[0]
    turn_rad, offset = _vote_for_lattice(frame, origin, at_px, output)
    if turn_rad is not None and offset is not None:
        yield from _rate_hypotheses(
            pyramid, frame, [frame.make_lattice(turn_rad, origin + offset)], model
        )
    if turn_rad is not None:
        for turns_rad in ((turn_rad,), (turn_rad - TURN_STEP_RAD, turn_rad + TURN_STEP_RAD)):
            lattices = _lattices_near(frame, origin, turns_rad)
            likely = _rate_blocks(pyramid, frame, lattices, model)
            yield from likely[:MAX_FOLLOWED]
            if voted and not likely:
                return
    elif not voted:
        lattices = _lattices_near(frame, origin, np.arange(0, np.pi / 2, TURN_STEP_RAD))
        likely = _rate_hypotheses(pyramid, frame, lattices, model)[:MAX_BLOCKS]
        if likely:
            likely = _rate_blocks(pyramid, frame, [each.lattice for each in likely], model)
        yield from likely[:MAX_FOLLOWED]


def _lattices_near(
    frame: TableFrame, origin: Doubles, turns_rad: Sequence[float] | Doubles
) -> list[Lattice]:
    """Return lattices in some turns, a third of a tile apart round a place (affine)."""
    thirds = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)]) / 3
    centred = [frame.make_lattice(float(turn_rad), origin) for turn_rad in turns_rad]
    return [
        frame.make_lattice(float(turn_rad), lattice.to_affine(step))
        for turn_rad, lattice in zip(turns_rad, centred, strict=True)
        for step in thirds
    ]


def _rate_blocks(
    pyramid: Pyramid, frame: TableFrame, lattices: Sequence[Lattice], model: Model
) -> list[Hypothesis]:
    """Rate lattices by a block of four cells, and return those that may show known faces."""
    rated = _rate_hypotheses(pyramid, frame, lattices, model, BLOCK_CELLS)
    return [each for each in rated if each.score > MIN_HYPOTHESIS_SCORE]


def _rate_hypotheses(
    pyramid: Pyramid,
    frame: TableFrame,
    lattices: Sequence[Lattice],
    model: Model,
    cells: Doubles = TILE_CELL,
) -> list[Hypothesis]:
    """Rate lattices by what some of their cells show, and return those that may show tiles."""
    quads = np.concatenate([cell_quads_px(frame.camera, each, cells) for each in lattices])
    embeddings = embed_quads(pyramid, quads)
    worth = known_tile_scores(embeddings, model.references).reshape(len(lattices), -1)
    whole = embeddings.whole.reshape(len(lattices), -1).mean(axis=1)
    rated = [
        Hypothesis(lattice, float(values.mean()))
        for lattice, values, mean in zip(lattices, worth, whole, strict=True)
        if mean > MIN_HYPOTHESIS_WHOLE
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
    if len(at) < 4 or not weight.any():
        return None, None
    values = output.maps[:, at[:, 1], at[:, 0]]
    seen = at * float(STRIDE_PX) + (STRIDE_PX - 1) / 2 + values[2:4].T * UNIT_PX
    centres = frame.camera.to_affine((seen + 0.5) * output.reduction_xy - 0.5)
    halves = decode_shapes(floats(values[4:9].T)) * output.reduction_xy / 2
    sides = np.concatenate([halves, -halves], axis=1)
    tips_px = ((seen + 0.5) * output.reduction_xy - 0.5)[:, None] + sides
    tips = frame.camera.to_affine(tips_px)
    edges = np.stack([tips[:, 0] - tips[:, 2], tips[:, 1] - tips[:, 3]], axis=1)
    u, _, v = np.linalg.svd(edges @ np.linalg.inv(frame.steps))
    turned = u @ v
    angle = np.arctan2(turned[:, 0, 1], turned[:, 0, 0])
    mean = (weight * np.exp(4j * angle)).sum() / weight.sum()
    if abs(mean) < MIN_AGREEMENT:
        return None, None
    turn_rad = float(np.angle(mean)) / 4
    cells = frame.make_lattice(turn_rad, origin).to_cells(centres)
    phase = (weight[:, None] * np.exp(2j * np.pi * cells)).sum(axis=0) / weight.sum()
    if (np.abs(phase) < MIN_AGREEMENT).any():
        return turn_rad, None
    lattice = frame.make_lattice(turn_rad, origin)
    return turn_rad, lattice.to_affine(np.angle(phase) / (2 * np.pi)) - origin
