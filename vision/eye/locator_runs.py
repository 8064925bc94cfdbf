"""Runs of the locator: on images of which scales it searches a photo for first grids.

It runs on a reduced image of the photo, again on a coarser one if tiles are larger than
``LARGE_TILE_PX`` there, and on finer ones while they are smaller than ``CLEAR_TILE_PX``, or no grid
is reliable. For an edition whose tiles it detects weakly even in a grid, the limit is
``CLEAR_HARD_EDITION_TILE_PX``.

Frames: ``_px`` pixels of the decoded image, or of a reduced one where a constant says so. Relative
areas of reduced images are factors on ``locate.UNIT_AREA_PX``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from vision.arrays import median
from vision.editions.model import GridFormat, Model
from vision.eye.acceptance import MIN_TYPICAL_SIMILARITY
from vision.eye.completion import mean_tile_probabilities
from vision.eye.grid_grades import is_reliable, shows_known_faces
from vision.eye.lattice import fit_grids
from vision.eye.locate import LocatorOutput, reduction_at, run_locator
from vision.eye.placement import CandidateGrid, make_candidates, place_grids
from vision.eye.quads import coincides_with_any
from vision.patches.cut import Pyramid

FIRST_AREA: Final = 1.8
"""Relative area of the reduced image in which free tiles are detected first. Larger: photos of few
large grids cost more; smaller: most photos need a second, finer run, and together both cost more
and find less."""
LARGE_TILES_AREA: Final = 0.3
"""Relative area of the reduced image in which tiles that fill the photo are detected."""
FEW_CELLS: Final = 50
"""Number of cells on a table up to which tiles are taken to be large in the photo, and are detected
in a small image first. Larger: photos of small tiles cost a run more; smaller: photos of large
tiles do."""
FINER_TILE_PX: Final = 30.0
"""Side that tiles get in a finer image, in its pixels. Larger: a finer run costs more; smaller: the
locator misses more of them."""
CLEAR_TILE_PX: Final = 23.5
"""Side of a tile in pixels of the reduced image above which the locator misses hardly any. Larger:
more photos cost a finer run; smaller: far grids are missed."""
HARD_EDITION_PROBABILITY: Final = 0.5
"""Median detection probability in the grids found so far below which the edition counts as hard to
detect: the locator may miss further grids. Larger: editions that are easy to detect, with 0.66 or
more, cost a finer run; smaller: grids of signs on plain tiles are lost."""
HARD_EDITION_TILE_PX: Final = 60.0
"""``FINER_TILE_PX`` for an edition that is hard to detect, once its tiles are larger than
``CLEAR_TILE_PX``."""
CLEAR_HARD_EDITION_TILE_PX: Final = 45.0
"""``CLEAR_TILE_PX`` for an edition that is hard to detect."""
LARGE_TILE_PX: Final = 64.0
"""Side of a tile in pixels of the reduced image above which the locator may miss whole grids: it
sees what is drawn on a tile, not the tile. Larger: such grids are lost; smaller: more photos cost a
coarser run."""
MAX_FINER_BOARD_RUNS: Final = 3
"""Maximum number of further runs of the locator, on finer images of printed boards, whose first
image is coarser than that of free tiles. Larger: photos without a board cost more; smaller: far
boards stay uncertain."""
MAX_FINER_RUNS: Final = 2
"""Maximum number of further runs of the locator, on finer images of free tiles. Larger: tables
without a grid cost more; smaller: far grids are missed."""
AREA_STEP: Final = 1.8
"""Factor on the relative area from run to run where no grid shows how large tiles are."""
MAX_AREA_STEP: Final = 4.0
"""Maximum factor on the relative area from run to run. Larger: one wrong size of tiles makes an
image far too large; smaller: small tiles cost further runs."""


@dataclass(slots=True, eq=False)
class LocatorRuns:
    """Runs of the locator on one photo, and the grids that they show.

    Attributes:
        pyramid: Pyramid of the photo.
        model: Model of the edition.
        area_factor: Factor on all relative areas.
        outputs: Outputs of the locator so far, without ``fruitless_outputs``.
        fruitless_outputs: Outputs of finer runs that showed no reliable grid while none was known;
            they count only if a grid is read.
        candidates: Grids so far; those of free tiles do not overlap.
        relative_area: Relative area, without ``area_factor``, of the run from which the next finer
            one starts.
    """

    pyramid: Pyramid
    model: Model
    area_factor: float
    outputs: list[LocatorOutput] = field(default_factory=list)
    fruitless_outputs: list[LocatorOutput] = field(default_factory=list)
    candidates: list[CandidateGrid] = field(default_factory=list)
    relative_area: float = 1.0

    @property
    def reduction(self) -> float:
        """Pixels of the decoded image to one of the reduced image at ``relative_area``."""
        return reduction_at(self.pyramid, self.area_factor * self.relative_area)

    def detect(self, relative_area: float) -> LocatorOutput:
        """Run the locator on an image of this relative area, and keep its output."""
        output = run_locator(self.pyramid, self.model.grid_format, self.area_factor * relative_area)
        self.outputs.append(output)
        self.outputs.sort(key=lambda each: -each.map_cell_px)
        return output

    def find_first_grids(self) -> None:
        """Run the locator at ``first_areas`` until one shows a grid that resembles known faces."""
        grid_format = self.model.grid_format
        best: tuple[list[CandidateGrid], float] = ([], 0.0)
        for relative_area in first_areas(grid_format):
            candidates = _fit_new_grids(self.pyramid, self.detect(relative_area), (), self.model)
            # Grids of cloth that resembles tiles are no reason to stop
            if any(each.mean_similarity > MIN_TYPICAL_SIMILARITY for each in candidates):
                best = candidates, relative_area
                break
            # Any grid is better than none, a finer image than a coarser one
            best = max(best, (candidates, relative_area), key=lambda each: (bool(each[0]), each[1]))
        candidates, self.relative_area = best
        self.candidates = candidates if grid_format.on_board else _drop_overlapping(candidates)

    def search_coarser_image(self) -> None:
        """Run the locator on a coarser image if tiles of known faces are large.

        It does not if as many grids show known faces as the game has, or if they were found in an
        image as coarse as that.
        """
        if self.relative_area <= LARGE_TILES_AREA:
            return
        known = [each for each in self.candidates if shows_known_faces(each)]
        largest_px = max((each.tile_px for each in known), default=0.0) / self.reduction
        if largest_px <= LARGE_TILE_PX or len(known) >= self.model.grid_format.most_grids:
            return
        found = _fit_new_grids(self.pyramid, self.detect(LARGE_TILES_AREA), (), self.model)
        self.candidates = _drop_overlapping([*self.candidates, *found])

    def search_finer_images(self) -> None:
        """Run the locator on images finer than that of the best grids, ``MAX_FINER_RUNS`` at most.

        It stops at the full size of the image, once as many grids are reliable as the game has, or
        once the smallest tiles of these, far from the camera, are so large that hardly any is
        missed.
        """
        for _ in range(MAX_FINER_RUNS):
            reliable = [each for each in self.candidates if is_reliable(each)]
            if self.reduction <= 1 or len(reliable) >= self.model.grid_format.most_grids:
                return
            if reliable:
                tile_px = min(each.tile_px for each in reliable) / self.reduction
                probabilities = mean_tile_probabilities(reliable, self.outputs, self.model)
                is_hard = float(median(probabilities)) < HARD_EDITION_PROBABILITY
                if tile_px > (CLEAR_HARD_EDITION_TILE_PX if is_hard else CLEAR_TILE_PX):
                    return
                # Tiles above the limit for others are of an edition that is hard to detect
                best_px = HARD_EDITION_TILE_PX if tile_px > CLEAR_TILE_PX else FINER_TILE_PX
                self.relative_area *= min((best_px / tile_px) ** 2, MAX_AREA_STEP)
            else:
                self.relative_area = max(self.relative_area * AREA_STEP, 1.0)
            output = self.detect(self.relative_area)
            found = _fit_new_grids(self.pyramid, output, reliable, self.model)
            if any(is_reliable(each) for each in (*reliable, *found)):
                self.candidates = _drop_overlapping([*self.candidates, *found])
            else:
                self.outputs = [each for each in self.outputs if each is not output]
                self.fruitless_outputs.append(output)

    def search_boards_in_finer_image(self) -> None:
        """Run the locator on the next finer image, and add the boards there to the candidates."""
        self.relative_area = max(self.relative_area * AREA_STEP, 1.0)
        output = self.detect(self.relative_area)
        self.candidates += _fit_new_grids(self.pyramid, output, (), self.model)


def first_areas(grid_format: GridFormat) -> tuple[float, ...]:
    """Return the relative areas at which to run the locator, in order, until one shows a grid."""
    few = grid_format.rows * grid_format.columns * grid_format.most_grids <= FEW_CELLS
    area = 1.0 if grid_format.on_board else FIRST_AREA
    return (LARGE_TILES_AREA, area) if few else (area, LARGE_TILES_AREA)


def _fit_new_grids(
    pyramid: Pyramid, output: LocatorOutput, known_grids: Sequence[CandidateGrid], model: Model
) -> list[CandidateGrid]:
    """Fit and align the grids of an output that are not known yet; alternatives may overlap."""
    known_quads_px = [each.corners_px for each in known_grids]
    candidates: list[CandidateGrid] = []
    for found in fit_grids(output, pyramid.size_wh, model.grid_format):
        new = tuple(
            grid
            for grid in found.grids
            if not coincides_with_any(grid.corners_px(found.camera), known_quads_px)
        )
        camera, placed = place_grids(pyramid, replace(found, grids=new), model)
        candidates += make_candidates(pyramid, camera, placed, model)
    return candidates


def _drop_overlapping(candidates: Sequence[CandidateGrid]) -> list[CandidateGrid]:
    """Keep the grid with most support of those that overlap."""
    kept: list[CandidateGrid] = []
    for each in sorted(candidates, key=lambda candidate: -candidate.support):
        if not coincides_with_any(each.corners_px, [other.corners_px for other in kept]):
            kept.append(each)
    return kept
