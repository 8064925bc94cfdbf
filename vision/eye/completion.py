"""Completion: search a table for grids that the search by single tiles missed or misplaced.

All grids of free tiles on a table share the camera and the size of a tile. So a further grid has
three unknowns: its position (two) and its turn (one). Positions are chosen here, and each is
searched by ``vision.eye.position_search``.

Frames: ``_px`` pixels of the decoded image; affine and cells, see ``vision.eye.camera``; map cells
of the locator's output, see ``vision.eye.locate``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, floats, median
from vision.editions.model import Model
from vision.eye.acceptance import NO_BACKGROUND, is_background, may_lie_face_down
from vision.eye.camera import (
    Lattice,
    TableGeometry,
    fit_camera,
    fit_lattices,
    nearest_rotations,
)
from vision.eye.grid_grades import (
    MIN_REGISTERED_WHOLE,
    is_confirmed,
    is_registered,
    is_reliable,
    shows_known_faces,
)
from vision.eye.growth import LARGE_BLOCK_ONLY, grow_grid
from vision.eye.lattice import FoundGrids
from vision.eye.leftovers import MIN_GROUP_TILES, DetectionGroup
from vision.eye.locate import LocatorOutput
from vision.eye.placement import CandidateGrid, make_candidates, place_under_camera
from vision.eye.position_search import search_position
from vision.eye.quads import MAX_GRID_OVERLAP, coincides_with_any, overlap_share, overlaps_any
from vision.eye.seed_growth import find_tile_of_missed_grid, grow_from_tiles
from vision.patches.cut import Pyramid

CLEAR_SUPPORT: Final = 0.85
"""Support (``CandidateGrid.support``) above which a reliable grid stays, whatever its size."""
MAX_LONE_SIZE_RATIO: Final = 1.6
"""Maximum ratio, either way, of the sides of a tile detected alone and a tile of the table there,
for a search from it; tiles had 0.8 to 1.2. Larger: fields of score boards are embedded; smaller: a
grid far from the others, where the camera is less exact, is lost."""
MAX_SIZE_DEVIATION: Final = 0.04
"""Difference from the common tile size, as a share, above which a grid with less support than
``CLEAR_SUPPORT`` is fitted again."""
SIZE_SIGMA: Final = 0.02
"""Standard deviation of the tile size over a table, as a share. Larger: undersized lattices count
as grids."""
MIN_RELATIVE_PROBABILITY: Final = 0.07
"""Minimum mean probability of a box of map cells (``BOX_SHARE``) that is searched, relative to that
in the confirmed grid that the locator detected worst. Smaller: bare tables are searched, which
costs more; larger: dim grids are lost."""
MIN_SEARCHED_PROBABILITY: Final = 0.005
"""Lower bound of that limit, which decides where the locator hardly detects even confirmed grids.
Smaller: bare tables are searched box by box; larger: grids that the locator misses are lost."""
BOX_SHARE: Final = 0.75
"""Side of the box of map cells that is rated, as a share of a grid's shorter side."""
MIN_MOVED_SUPPORT: Final = 0.9
"""Minimum support of a grid that is moved off others, as a share of its support before.
Smaller: it is moved over a row of the table; larger: of grids that touch one is lost."""
MASK_GROWTH: Final = 1.15
"""Factor by which the mask over a grid that was found is larger than the grid. Smaller: rims of
grids are searched, which costs more."""


def fit_table_geometry(candidates: Sequence[CandidateGrid]) -> TableGeometry | None:
    """Fit camera and tile size to the corners of whole tiles of known faces; None without any.

    A grid that may lie a row off is used, too: its tiles lie on its lattice all the same. A
    face-down pile is not: where nothing else was placed, a first grid is grown instead.
    """
    fitted = [
        each
        for each in candidates
        if each.mean_whole > MIN_REGISTERED_WHOLE
        and shows_known_faces(each)
        and not may_lie_face_down(each)
    ]
    if not fitted:
        return None
    camera, lattices = fit_camera(
        fitted[0].camera, [each.predicted_corners for each in fitted], size_sigma=SIZE_SIGMA
    )
    gram = np.mean([lattice.gram for lattice in lattices], axis=0)
    if np.linalg.det(gram) <= 1e-18:  # the fit has failed: a tile of one pixel has more
        return None
    return TableGeometry.from_gram(camera, np.asarray(gram))


@dataclass(frozen=True, slots=True, eq=False)
class _FailedPosition:
    """Position that was searched and from which no grid was added.

    Attributes:
        at_px: Shape (2,).
        steps_px: Shape (2, 2), edges of a tile there, by the camera of that time.
    """

    at_px: Doubles
    steps_px: Doubles


@dataclass(slots=True, eq=False)
class _TableSearch:
    """Search of one table for grids, from those that are known.

    Attributes:
        pyramid: Pyramid of the photo.
        geometry: Camera and tile size.
        outputs: Outputs of the locator, that of the finest image last.
        model: Model of the edition.
        candidates: Grids so far; they do not overlap.
        unconfirmed: Further grids that a search found; they are not confirmed, and overlapped no
            other when they were found.
        failed_positions: Positions that were searched and from which no grid was added.
        background: Shape (n, VECTOR_SIZE), squares of mats and cloths found there.
    """

    pyramid: Pyramid
    geometry: TableGeometry
    outputs: Sequence[LocatorOutput]
    model: Model
    candidates: list[CandidateGrid]
    unconfirmed: list[CandidateGrid] = field(default_factory=list)
    failed_positions: list[_FailedPosition] = field(default_factory=list)
    background: Floats = field(default_factory=NO_BACKGROUND.copy)

    @property
    def is_full(self) -> bool:
        """True if as many grids were found as the game has."""
        return len(self.grids_of_game) >= self.model.grid_format.most_grids

    @property
    def grids_of_game(self) -> list[CandidateGrid]:
        """Confirmed grids that are no face-down pile."""
        return [
            each for each in self.candidates if is_confirmed(each) and not may_lie_face_down(each)
        ]

    def refit_weak_grid(self, weak: CandidateGrid, waiting: Sequence[CandidateGrid]) -> None:
        """Fit a weak grid again with the common tile size, and add the best one with room.

        Reliable fits come first, then those with more support, and the weak grid itself last. If it
        is not registered, its middle is searched, too. It is dropped if all of these overlap a grid
        that was added before.

        Args:
            weak: Weak grid.
            waiting: Further weak grids, which are not yet fitted again.
        """
        tried = [_refit_with_common_size(self.pyramid, self.geometry, weak, self.model)]
        if not any(is_registered(each) for each in (weak, *tried) if each is not None):
            middle_px = weak.corners_px.mean(axis=0)
            tried.append(
                search_position(
                    self.pyramid, self.geometry, middle_px, self.outputs[-1], self.model
                )
            )
        better = [each for each in tried if each is not None and _is_better(each, weak, waiting)]
        better.sort(key=lambda found: (is_reliable(found), found.support), reverse=True)
        for each in (*better, weak):
            if not self._is_taken(each):
                self.candidates.append(each)
                return

    def search_at(
        self, at_px: Floats | Doubles, output: LocatorOutput, *, require_agreement: bool = False
    ) -> CandidateGrid | None:
        """Search round a position, and return the grid that was found.

        None if no grid of known faces grows there. ``add_or_set_aside`` says what becomes of the
        grid; if it is added, it is returned as it was added, maybe moved.

        Args:
            at_px: Position in the image.
            output: Output whose map cells predict the turn and offset of the grid.
            require_agreement: See ``search_position``.
        """
        found = search_position(
            self.pyramid,
            self.geometry,
            at_px,
            output,
            self.model,
            require_agreement=require_agreement,
            background=self.background,
        )
        added = None if found is None else self.add_or_set_aside(found)
        if added is None:
            self.failed_positions.append(
                _FailedPosition(np.asarray(at_px, float), _steps_px(self.geometry, at_px))
            )
        return found if added is None else added

    def search_group(self, group: DetectionGroup) -> None:
        """Search round the middle of a group of detected tiles, then from its likeliest tiles.

        The middle of a grid may be hidden, and the camera less exact there.
        """
        found = self.search_at(group.quad_px.mean(axis=0), self.outputs[-1])
        # Whole tiles lie on its lattice: detections there lead to the same grid
        if found is not None and found.mean_whole > MIN_REGISTERED_WHOLE:
            return
        grown = grow_from_tiles(self.pyramid, group.tile_quads_px, self.model, self.background)
        if grown is not None:
            self.add_or_set_aside(grown)

    def add_or_set_aside(self, found: CandidateGrid) -> CandidateGrid | None:
        """Add a confirmed grid, moved if others leave it no room; set another one aside.

        It takes the place of grids that are not confirmed, such as a cloth that resembles tiles. Of
        grids that touch, one may lie a row off: confirmed ones in its way are moved along their
        lattices, or else it is moved along its own; grids whose position is certain stay. If there
        is no room, the found grid is dropped. An unconfirmed one that overlaps others takes their
        place if it has more support than each of them, and none is confirmed, or else is dropped:
        they show the same tiles. Any others that were detected are left over
        (``vision.eye.leftovers``). The squares of one that is no grid but background are
        remembered.

        Returns:
            The grid as it was added; None if it was set aside or dropped.
        """
        overlapped = [each for each in self.candidates if _overlap(found, each)]
        if is_confirmed(found):
            added = self._make_room(found, [each for each in overlapped if is_confirmed(each)])
            if added is not None:
                self.refit_geometry()
                return added
        if is_background(found.placed.embeddings, self.model):
            self.background = np.concatenate([self.background, found.placed.embeddings.vectors])
        elif overlapped and all(
            not is_confirmed(each) and found.support > each.support for each in overlapped
        ):
            stay = [each for each in self.candidates if each not in overlapped]
            self.candidates = [*stay, found]
            return found
        if not overlapped:
            self.unconfirmed.append(found)
        return None

    def _make_room(
        self, found: CandidateGrid, blocking: Sequence[CandidateGrid]
    ) -> CandidateGrid | None:
        """Add a grid in its place, or moved off the confirmed ones that block it, if it can be."""
        moved, added = self._shift_off(blocking, found), found
        if moved is None:
            confirmed = [each for each in self.candidates if is_confirmed(each)]
            shifted = self._shift_to_free_place(found, confirmed)
            if shifted is None:
                return None
            moved, added = list(blocking), shifted
        stay = [
            each for each in self.candidates if each not in blocking and not _overlap(added, each)
        ]
        self.candidates = [*stay, *moved, added]
        return added

    def refit_geometry(self, waiting: Sequence[CandidateGrid] = ()) -> None:
        """Fit the geometry to all grids, and drop failed positions where the tile size changes.

        The camera is less exact far from the grids that it was fitted to, so a position where
        the new fit gives another size may be searched again.

        Args:
            waiting: Weak grids that are not yet fitted again.
        """
        self.geometry = fit_table_geometry([*self.candidates, *waiting]) or self.geometry
        self.failed_positions = [
            each
            for each in self.failed_positions
            if _difference_of_steps(_steps_px(self.geometry, each.at_px), each.steps_px)
            < MAX_SIZE_DEVIATION
        ]

    def _shift_off(
        self, overlapped: Sequence[CandidateGrid], found: CandidateGrid
    ) -> list[CandidateGrid] | None:
        """Move grids along their lattices off one that was found; None if one of them cannot be."""
        moved: list[CandidateGrid] = []
        for candidate in overlapped:
            others = [each for each in self.candidates if each not in overlapped]
            shifted = self._shift_to_free_place(candidate, [found, *moved, *others])
            if shifted is None:
                return None
            moved.append(shifted)
        return moved

    def _shift_to_free_place(
        self, candidate: CandidateGrid, others: Sequence[CandidateGrid]
    ) -> CandidateGrid | None:
        """Move a grid of uncertain position to the nearest place where it is free and confirmed.

        Its position stays uncertain. None if there is no such place.
        """
        if candidate.placed.is_position_certain:
            return None
        lattice_grid = replace(candidate.placed.lattice_grid, rivals=())
        longest = max(lattice_grid.shape)
        for distance in range(1, longest):
            for step in ((0, -distance), (0, distance), (-distance, 0), (distance, 0)):
                shifted = lattice_grid.shifted(step)
                corners_px = shifted.corners_px(candidate.camera)
                if overlaps_any(corners_px, [each.corners_px for each in others], MAX_GRID_OVERLAP):
                    continue
                camera, placed = place_under_camera(
                    self.pyramid, FoundGrids(candidate.camera, (shifted,)), self.model
                )
                placed = [
                    replace(each, is_position_certain=False, has_clear_border=False)
                    for each in placed
                ]
                (moved,) = make_candidates(self.pyramid, camera, placed, self.model)
                if is_confirmed(moved) and moved.support > MIN_MOVED_SUPPORT * candidate.support:
                    return moved
        return None

    def _is_taken(self, candidate: CandidateGrid) -> bool:
        return any(_overlap(candidate, each) for each in self.candidates)


def complete_grids(
    pyramid: Pyramid,
    candidates: Sequence[CandidateGrid],
    outputs: Sequence[LocatorOutput],
    groups: Sequence[DetectionGroup],
    model: Model,
) -> tuple[list[CandidateGrid], list[CandidateGrid]]:
    """Fit weak grids again, and search for further ones where tiles were detected.

    Args:
        pyramid: Pyramid of the photo.
        candidates: Grids that do not overlap.
        outputs: Outputs of the locator, that of the finest image last.
        groups: Groups of detected tiles in no grid.
        model: Model of the edition.

    Returns:
        The grids, and further ones that a search found, which are not confirmed and overlapped none
        of the grids when they were found.
    """
    geometry = fit_table_geometry(candidates)
    if geometry is None:
        detected = [each.tile_quads_px for each in groups]
        first = grow_from_tiles(pyramid, np.concatenate(detected), model) if detected else None
        geometry = fit_table_geometry([first]) if first is not None else None
        if first is None or geometry is None:
            return list(candidates), []
        candidates = [first, *(each for each in candidates if not _overlap(each, first))]
    kept = [
        each
        for each in candidates
        if is_reliable(each)
        and (each.support > CLEAR_SUPPORT or size_deviation(each, geometry) < MAX_SIZE_DEVIATION)
    ]
    search = _TableSearch(pyramid, geometry, outputs, model, kept.copy())
    middles_px = [each.corners_px.mean(axis=0) for each in kept]
    weak = [each for each in candidates if each not in kept]
    # From near to far, as each grid that is fitted makes the camera more exact farther off
    weak.sort(key=lambda each: _distance_px(each, middles_px))
    for number, each in enumerate(weak, start=1):
        search.refit_weak_grid(each, weak[number:])
        search.refit_geometry(weak[number:])
    for group in sorted(groups, key=lambda each: -each.tile_count):
        if group.tile_count < MIN_GROUP_TILES or search.is_full:
            break
        grid_quads_px = [each.corners_px for each in search.candidates]
        if not coincides_with_any(group.quad_px, grid_quads_px):
            search.search_group(group)
    found = True
    while found and not search.is_full:
        found = _search_by_probability(search)
    found = True
    while found and not search.is_full:
        found = _search_from_small_groups(search, groups)
    return search.candidates, search.unconfirmed


def _search_from_small_groups(search: _TableSearch, groups: Sequence[DetectionGroup]) -> bool:
    """Search from the likeliest tile of all groups of less than ``MIN_GROUP_TILES``.

    Most are single tiles, as the others of their grid may have been missed. Far smaller or larger
    ones lie in no grid of this table.

    Returns:
        True if a grid is added.
    """
    of_tile_size = [
        quad_px
        for each in groups
        if each.tile_count < MIN_GROUP_TILES
        for quad_px in each.tile_quads_px
        if _has_tile_size(quad_px, search.geometry)
    ]
    tile_quad_px = find_tile_of_missed_grid(
        search.pyramid,
        floats(of_tile_size).reshape(-1, 4, 2),
        [each.corners_px for each in search.candidates],
        search.model,
        search.background,
    )
    if tile_quad_px is None:
        return False
    grown = grow_from_tiles(search.pyramid, tile_quad_px[None], search.model, search.background)
    # One tile is too little to ask about a grid that is not confirmed
    if grown is None or not is_confirmed(grown):
        return False
    return search.add_or_set_aside(grown) is not None


def _has_tile_size(quad_px: Floats, geometry: TableGeometry) -> bool:
    """Return whether a detected tile (4, 2) is about as large as a tile of the table there."""
    tile_quad_px = geometry.tile_quad_px(quad_px.mean(axis=0))
    side_ratio = np.sqrt(cv2.contourArea(quad_px) / max(cv2.contourArea(tile_quad_px), 1e-6))
    return bool(1 / MAX_LONE_SIZE_RATIO < side_ratio < MAX_LONE_SIZE_RATIO)


def _search_by_probability(search: _TableSearch) -> bool:
    """Search where map cells outside of grids are likely tiles, the likeliest position first.

    The output of the last run comes first. Only those positions are searched whose map cells agree
    on a lattice, which costs less.

    Returns:
        True as soon as a grid is added, as the camera and the positions left change with it.
    """
    probabilities = mean_tile_probabilities(search.grids_of_game, search.outputs, search.model)
    worst_detected = float(probabilities.min(initial=1.0))
    min_mean = max(MIN_RELATIVE_PROBABILITY * worst_detected, MIN_SEARCHED_PROBABILITY)
    searched = [
        *(each for each in search.candidates if is_confirmed(each)),
        *(each for each in search.unconfirmed if each.mean_whole > MIN_REGISTERED_WHOLE),
    ]
    for output in reversed(search.outputs):
        rest = output.probability_map.copy()
        for candidate in searched:
            _mask_grid(rest, output, candidate)
        side = _box_side(output, search.candidates, search.model)
        for failed in search.failed_positions:
            _mask_circle(rest, output.to_map(failed.at_px[None])[0], 0.5 * side)
        while True:
            box = _likeliest_box(rest, side)
            if box.mean < min_mean:
                break
            x, y = np.rint(box.centre).astype(int)
            # The centre of mass may lie in a part that is masked already
            if rest[y, x] > 0:
                at_px = output.to_image_px(box.centre[None])[0]
                if search.search_at(at_px, output, require_agreement=True) in search.candidates:
                    return True
                _mask_circle(rest, box.centre, 0.5 * side)
            else:
                rest[box.map_cells] = 0
    return False


def mean_tile_probabilities(
    candidates: Sequence[CandidateGrid], outputs: Sequence[LocatorOutput], model: Model
) -> Doubles:
    """Return the mean probability of map cells in each grid (n,), by the run that shows most of it.

    Other grids of the same edition are as hard to detect.
    """
    if not candidates:
        return np.zeros(0)
    shown = []
    for output in outputs:
        side = _box_side(output, candidates, model)
        middles = output.to_map(floats([each.corners_px for each in candidates]).reshape(-1, 4, 2))
        means = _box_means(output.probability_map, side)
        at = np.rint(middles.mean(axis=1)).astype(int).clip(0, np.array(means.shape[::-1]) - 1)
        shown.append(means[at[:, 1], at[:, 0]])
    return np.asarray(np.max(shown, axis=0), np.float64)


def _distance_px(candidate: CandidateGrid, places_px: Sequence[Floats]) -> float:
    """Return the distance of a grid from the nearest of some positions."""
    middle_px = candidate.corners_px.mean(axis=0)
    return min((float(np.linalg.norm(middle_px - each)) for each in places_px), default=0.0)


def size_deviation(candidate: CandidateGrid, geometry: TableGeometry) -> float:
    """Return the largest difference of a grid's steps from those of the table, as a share."""
    lattice = fit_lattices(geometry.camera, [candidate.predicted_corners])[0]
    return _difference_of_steps(lattice.matrix[:2], geometry.steps)


def _difference_of_steps(first: Doubles, second: Doubles) -> float:
    """Return the largest difference of two pairs of steps (2, 2) in any direction, as a share."""
    _, stretch, _ = np.linalg.svd(first @ np.linalg.inv(second))
    return float(np.abs(np.log(stretch)).max())


def _steps_px(geometry: TableGeometry, at_px: Floats | Doubles) -> Doubles:
    """Return the edges (2, 2) of a tile at a position of the image."""
    quad_px = geometry.tile_quad_px(at_px)
    return np.asarray(quad_px[[1, 3]] - quad_px[0], np.float64)


def _refit_with_common_size(
    pyramid: Pyramid, geometry: TableGeometry, candidate: CandidateGrid, model: Model
) -> CandidateGrid | None:
    """Fit a grid again with the steps of the table, from its middle."""
    lattice = fit_lattices(geometry.camera, [candidate.predicted_corners])[0]
    rotation, _ = nearest_rotations(lattice.matrix[:2] @ np.linalg.inv(geometry.steps))
    rows, columns = candidate.placed.lattice_grid.shape
    origin = lattice.to_affine(np.array([columns // 2, rows // 2], float))
    start = Lattice(np.vstack([rotation @ geometry.steps, origin[None]]))
    return grow_grid(pyramid, geometry, start, LARGE_BLOCK_ONLY, model)


def _is_better(
    fitted: CandidateGrid, weak: CandidateGrid, waiting: Sequence[CandidateGrid]
) -> bool:
    """Return whether a new fit is to replace a weak grid.

    It needs more support, or must become reliable in the place of the weak grid. A fit may lie on
    the next grid, or a row towards it. Where a confirmed grid waits there to be fitted itself, only
    a reliable fit counts that covers more of the weak grid.
    """
    of_weak = overlap_share(fitted.corners_px, weak.corners_px)
    in_place = of_weak > MAX_GRID_OVERLAP
    becomes_reliable = in_place and is_reliable(fitted) and not is_registered(weak)
    if fitted.support <= weak.support and not becomes_reliable:
        return False
    of_others = [
        overlap_share(fitted.corners_px, other.corners_px)
        for other in waiting
        if is_confirmed(other)
    ]
    if max(of_others, default=0.0) > MAX_GRID_OVERLAP:
        return in_place and is_reliable(fitted) and of_weak > max(of_others)
    return is_confirmed(fitted) or in_place


def _overlap(first: CandidateGrid, second: CandidateGrid) -> bool:
    """Return whether two grids cannot both lie on the table."""
    return overlap_share(first.corners_px, second.corners_px) > MAX_GRID_OVERLAP


def _box_side(output: LocatorOutput, candidates: Sequence[CandidateGrid], model: Model) -> int:
    """Return the side of the box that is rated, in map cells, an odd number."""
    tile = float(median([each.tile_px for each in candidates])) / output.map_cell_px
    return max(
        3, round(BOX_SHARE * min(model.grid_format.rows, model.grid_format.columns) * tile) | 1
    )


def _mask_grid(rest: Floats, output: LocatorOutput, candidate: CandidateGrid) -> None:
    middle = candidate.corners_px.mean(axis=0)
    beyond = middle + (candidate.corners_px - middle) * MASK_GROWTH
    cv2.fillConvexPoly(rest, np.rint(output.to_map(beyond)).astype(np.int32), 0.0)


def _mask_circle(rest: Floats, middle: Doubles, radius: float) -> None:
    cv2.circle(rest, np.rint(middle).astype(int).tolist(), round(radius), 0.0, -1)


def _box_means(probability_map: Floats, side: int) -> Floats:
    """Return the mean over the box round each map cell; beyond the image counts as 0."""
    size = side, side
    return floats(cv2.boxFilter(probability_map, -1, size, borderType=cv2.BORDER_CONSTANT))


class _Box(NamedTuple):
    """Box of map cells, their centre of mass (x, y) and mean probability."""

    map_cells: tuple[slice, slice]
    centre: Doubles
    mean: float


def _likeliest_box(rest: Floats, side: int) -> _Box:
    """Return the box of the greatest mean probability."""
    means = _box_means(rest, side)
    y, x = np.unravel_index(int(means.argmax()), means.shape)
    top, left = max(int(y) - side // 2, 0), max(int(x) - side // 2, 0)
    map_cells = slice(top, top + side), slice(left, left + side)
    inside = rest[map_cells].astype(np.float64)
    total = max(float(inside.sum()), 1e-9)
    across, down = inside.sum(axis=0), inside.sum(axis=1)
    centre = np.array(
        [left + across @ np.arange(len(across)) / total, top + down @ np.arange(len(down)) / total]
    )
    return _Box(map_cells, centre, float(means[y, x]))
