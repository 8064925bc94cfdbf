"""Read a photo of a table: all stages, in the order in which they run.

1. Detect: the locator network shows single tiles and plots (``locate``).
2. Fit: neighbours are connected on lattices, and one camera is fitted to all (``components``,
   ``lattice``, ``camera``).
3. Place: each tile is embedded; its grid is placed where its tiles are whole and known
   (``placement``).
4. Complete: weak grids are fitted again, and missing ones searched for (``completion``,
   ``position_search``, ``growth``, ``seed_growth``).
5. Recognise: likeliest faces (``reference_similarity`` of each tile and reference, ``face_ranking``
   of each tile, ``grid_faces`` of each grid), figures, and how sure each is; only grids of the
   edition are read (``acceptance``), upright (``recognise``).
6. Account: all other detections stay unread, or are rejected with a reason (``leftovers``,
   ``ledger``).

``recognise_image`` runs these six in one image, for boards without the fourth, and
``recognise_table`` once more in a sharpened photo if the camera moved (``motion_blur``); both
return a ``RecognisedTable``. ``read_tiles`` makes a ``Reading`` of what they found, with names,
notes and coordinates in the photo (``grid_reading``).

The types follow the stages: ``LatticeGrid`` (an extent on a lattice, in ``FoundGrids``),
``PlacedGrid`` (with its tiles embedded), ``CandidateGrid`` (these compared with references),
``GridFaces`` (likeliest faces of a candidate), ``RecognisedGrid`` (upright, with sure and unsure
tiles), ``vision.reading.GridReading`` (in pixels of the photo, with notes).

Measures of how well a tile matches a face (functions in ``reference_similarity``):

- cosine (``cosines``): of the vectors alone, so of the drawings, without colours;
- similarity (``CandidateGrid.similarity``): the cosine less a cost of other colours;
- support (``CandidateGrid.support``): similarity times the probability of a whole tile;
- drawing support (``drawing_support``): cosine times the probability of a whole tile;
- ``known_tile_scores``: score of a known tile, for extents and searches, from -0.5 to 1.

``vision.eye.grid_grades`` lists the tests that a grid passes.

The locator runs on reduced images of several scales (``locator_runs``). The detections of all runs
count; none replaces another. One exception: a finer run after which no grid is reliable, neither
one of its own nor an earlier one, raises no question unless a grid is read in the end; else its
detections are only listed as rejected (``NO_RELIABLE_GRID``).

Frames: ``_px`` pixels of the decoded image; a reading states pixels of the photo.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, floats, median
from vision.editions.edition import Edition, unreadable_note
from vision.editions.learning import model_of
from vision.editions.model import Model
from vision.eye.acceptance import (
    MIN_TYPICAL_SIMILARITY,
    find_rejection_reason,
    find_whole_cells,
    is_like_no_face,
)
from vision.eye.completion import complete_grids
from vision.eye.grid_grades import is_reliable
from vision.eye.grid_reading import make_grid_reading
from vision.eye.ledger import Ledger, RejectedRegion, RejectionReason
from vision.eye.leftovers import account_for_leftovers, find_leftovers
from vision.eye.locator_runs import MAX_FINER_BOARD_RUNS, LocatorRuns
from vision.eye.motion_blur import is_motion_blurred, sharpen_grids, shows_movement
from vision.eye.photo_quality import photo_notes, refuse_if_colourless, refuse_if_poor
from vision.eye.placement import CandidateGrid
from vision.eye.quads import coincides_with_any, overlaps_any, to_photo_quad
from vision.eye.recognise import RecognisedGrid, recognise_grids
from vision.eye.supply import face_probabilities, limit_to_supply
from vision.eye.white_areas import (
    LIGHT_HIDES_NOTE,
    WhiteArea,
    find_white_areas,
    is_overexposed,
)
from vision.patches.cut import Pyramid
from vision.photo.load import Photo
from vision.reading import GridReading, Note, NoteCode, Reading, Unread, note, sort_clockwise

MAX_TILE_SIZE_RATIO: Final = 1.3
"""Maximum ratio of a grid's tile size to the median one, for a grid that is read. Larger: other
squares are read as grids; smaller: grids at a slant are not read."""
MAX_UNSURE_WITHOUT_QUALITY_NOTE: Final = 8
"""Number of unsure tiles of a grid up to which a photo of which all was read has no note that it is
dark or blurred."""
MIN_REPLACED_OVERLAP: Final = 0.7
"""Minimum common area of a grid that was read in the photo as it is with one of the sharpened photo
that replaces it, as a share of the smaller one. Larger: a grid that is placed a little better
becomes unread as well; smaller: one that lies a row off replaces it."""
TILES_ACROSS: Final = 20
"""Assumed side of a photo in tiles, where no tile was found to measure by."""


@dataclass(frozen=True, slots=True, eq=False)
class RecognisedTable:
    """Result of all six stages: the grids of a photo, and all other regions that look like tiles.

    Attributes:
        grids: Grids that were read.
        unread: Quads (4, 2) of regions that may be grids and could not be read.
        rejected: Regions that look like tiles and are no grid.
        median_similarities: Median similarity of the tiles to their faces, for each grid that was
            read, and for each that stage 5 left unread.
        motion_blurred: True if the camera moved while it took the photo.
        detected_px: Shape (n, 2), centres of all tiles that the locator detected in any run.
        locating_ms: Time of stages 1 to 4.
        sharpened: Pyramid of the sharpened photo that shows its tiles; None if it shows them as it
            was taken.
    """

    grids: tuple[RecognisedGrid, ...]
    unread: tuple[Floats, ...] = ()
    rejected: tuple[RejectedRegion, ...] = ()
    median_similarities: tuple[float, ...] = ()
    motion_blurred: bool = False
    detected_px: Floats = field(default_factory=lambda: np.empty((0, 2), np.float32))
    locating_ms: float = 0.0
    sharpened: Pyramid | None = None

    @property
    def sure_count(self) -> int:
        """Number of tiles whose face is sure."""
        return sum(grid.confidence.size - len(grid.unsure) for grid in self.grids)

    @property
    def is_all_sure(self) -> bool:
        """True if nothing is unread, and no tile unsure."""
        return not self.unread and not any(grid.unsure for grid in self.grids)


def read_tiles(
    photo: Photo,
    edition: Edition,
    *,
    area_factor: float = 1.0,
    supply: Mapping[str, int] | None = None,
) -> Reading:
    """Read the table in a photo, of any game.

    Args:
        photo: Photo as loaded by ``vision.photo.load``.
        edition: Edition of the tiles on the table.
        area_factor: Factor on the areas of all reduced images that the locator sees.
        supply: Number of tiles of each face in the box; None if it is not known.

    Raises:
        PhotoError: No tile is sure, and the photo is too dark, too blurred or without colours; or
            it has no colours, though the edition's tiles have.
    """
    start = perf_counter()
    model = model_of(edition)
    pyramid = Pyramid(photo.image_bgr)
    table = recognise_table(pyramid, model, area_factor)
    grids = _read_grids(table, edition, model, photo, pyramid, supply)
    edition_notes = _edition_notes(table, edition, photo)
    hidden_by_light, light_notes = _examine_light(table, edition, photo, pyramid)
    unread = [
        *_unread_regions(table, photo, edition, hidden_by_light, edition_notes),
        *hidden_by_light,
    ]
    if not table.sure_count:
        refuse_if_poor(photo.image_bgr, photo.name)
    elif model.is_colourful:
        refuse_if_colourless(photo.image_bgr, photo.name)
    needs_quality_notes = (
        bool(unread)
        or not grids
        or any(len(grid.unsure) > MAX_UNSURE_WITHOUT_QUALITY_NOTE for grid in grids)
    )
    return Reading(
        photo_name=photo.name,
        game=edition.description.game,
        edition=edition.name,
        size_wh=photo.size_wh,
        grids=tuple(sort_clockwise(grids)),
        unread=tuple(unread),
        notes=(
            *edition_notes,
            *light_notes,
            *([Note(NoteCode.MOTION_BLURRED)] if table.motion_blurred else ()),
            *([Note(NoteCode.FILE_END_MISSING)] if photo.is_end_missing else ()),
            *(photo_notes(photo.image_bgr) if needs_quality_notes else ()),
        ),
        timings_ms={
            "locate": table.locating_ms,
            "recognise": (perf_counter() - start) * 1000 - table.locating_ms,
        },
    )


def recognise_table(pyramid: Pyramid, model: Model, area_factor: float = 1.0) -> RecognisedTable:
    """Find and recognise all grids of a photo; if the camera moved, again in a sharpened photo.

    Args:
        pyramid: Pyramid of the photo.
        model: Model of the edition; one that knows no face finds no grid.
        area_factor: Factor on the areas of all reduced images that the locator sees.
    """
    table = recognise_image(pyramid, model, area_factor)
    if not table.grids or not (
        table.motion_blurred or (not table.is_all_sure and shows_movement(pyramid, table.grids))
    ):
        return table
    table = replace(table, motion_blurred=True)
    sharp_image = sharpen_grids(pyramid, table.grids, model.references)
    if sharp_image is None:
        return table
    sharpened = Pyramid(sharp_image, is_sharpened=True)
    sharp = recognise_image(sharpened, model, area_factor)
    if sharp.sure_count < table.sure_count:
        return table
    united = unite_sharp_and_blurred(sharp, table, model.grid_format.most_grids)
    return replace(united, sharpened=sharpened)


def recognise_image(pyramid: Pyramid, model: Model, area_factor: float = 1.0) -> RecognisedTable:
    """Find and recognise all grids in one image, without sharpening it.

    Args:
        pyramid: Pyramid of the photo, as it was taken or sharpened.
        model: Model of the edition; one that knows no face finds no grid.
        area_factor: Factor on the areas of all reduced images that the locator sees.
    """
    if not len(model.references.face_index):
        return RecognisedTable(())
    runs = LocatorRuns(pyramid, model, area_factor)
    return _recognise_boards(runs) if model.grid_format.on_board else _recognise_free_grids(runs)


def unite_sharp_and_blurred(
    sharp: RecognisedTable, blurred: RecognisedTable, most_grids: int
) -> RecognisedTable:
    """Unite the tables of a sharpened photo and of the photo as it was taken.

    All grids of the sharpened photo stay. A grid of the other photo is dropped if one of these lies
    in its place (``MIN_REPLACED_OVERLAP``), and added if none overlaps it and there are fewer than
    ``most_grids``; any other becomes unread.
    """
    sharp_quads_px = [grid.corners_px for grid in sharp.grids]
    kept: list[RecognisedGrid] = []
    unread: list[Floats] = []
    for grid in blurred.grids:
        quad_px = grid.corners_px
        if overlaps_any(quad_px, sharp_quads_px, MIN_REPLACED_OVERLAP):
            continue
        lies_elsewhere = not coincides_with_any(quad_px, sharp_quads_px)
        if lies_elsewhere and len(sharp.grids) + len(kept) < most_grids:
            kept.append(grid)
        else:
            unread.append(quad_px)
    kept_px = [grid.corners_px for grid in kept]
    unread += [each for each in sharp.unread if not coincides_with_any(each, kept_px)]
    known_px = [*sharp_quads_px, *kept_px, *unread]
    return replace(
        sharp,
        grids=(*sharp.grids, *kept),
        unread=(*unread, *(q for q in blurred.unread if not coincides_with_any(q, known_px))),
        rejected=(*sharp.rejected, *blurred.rejected),
        median_similarities=(
            *sharp.median_similarities,
            *(blurred.median_similarities if kept else ()),
        ),
        motion_blurred=True,
        detected_px=np.concatenate([sharp.detected_px, blurred.detected_px]),
        locating_ms=sharp.locating_ms + blurred.locating_ms,
    )


def _recognise_free_grids(runs: LocatorRuns) -> RecognisedTable:
    """Find and recognise grids of free tiles."""
    start = perf_counter()
    pyramid, model = runs.pyramid, runs.model
    runs.find_first_grids()
    runs.search_coarser_image()
    runs.search_finer_images()
    groups = find_leftovers(runs.outputs, [each.corners_px for each in runs.candidates], model)
    candidates, unconfirmed = complete_grids(pyramid, runs.candidates, runs.outputs, groups, model)
    locating_ms = (perf_counter() - start) * 1000
    ledger = Ledger()
    table = _recognise_candidates(pyramid, candidates, model, ledger)
    return _account_for_rest(runs, table, unconfirmed, ledger, locating_ms)


def _recognise_boards(runs: LocatorRuns) -> RecognisedTable:
    """Find and recognise printed boards; use finer images until the position of all is certain."""
    start = perf_counter()
    pyramid, model = runs.pyramid, runs.model
    runs.find_first_grids()
    locating_ms = (perf_counter() - start) * 1000
    ledger = Ledger()
    table = _recognise_candidates(pyramid, runs.candidates, model, ledger)
    for _ in range(MAX_FINER_BOARD_RUNS):
        all_certain = bool(table.grids) and all(grid.is_position_certain for grid in table.grids)
        if all_certain or runs.reduction <= 1:
            break
        start = perf_counter()
        runs.search_boards_in_finer_image()
        locating_ms += (perf_counter() - start) * 1000
        finer_ledger = Ledger()
        finer = _recognise_candidates(pyramid, runs.candidates, model, finer_ledger)
        table, ledger = unite_board_runs((table, ledger), (finer, finer_ledger))
    return _account_for_rest(runs, table, (), ledger, locating_ms)


def _account_for_rest(
    runs: LocatorRuns,
    table: RecognisedTable,
    unconfirmed: Sequence[CandidateGrid],
    ledger: Ledger,
    locating_ms: float,
) -> RecognisedTable:
    """Enter all other detections in the ledger, and return the table with its entries."""
    grid_quads_px = [grid.corners_px for grid in table.grids]
    # Cloth resembles tiles at many sizes: where nothing is read, fruitless runs raise no question
    outputs = [*runs.outputs, *(runs.fruitless_outputs if grid_quads_px else ())]
    account_for_leftovers(runs.pyramid, outputs, grid_quads_px, unconfirmed, runs.model, ledger)
    accounted_quads_px = [*grid_quads_px, *ledger.quads_px]
    for group in find_leftovers(
        runs.fruitless_outputs, accounted_quads_px, runs.model, own_tile_distance=0.0
    ):
        ledger.reject(group.quad_px, RejectionReason.NO_RELIABLE_GRID)
    return replace(
        table,
        unread=tuple(ledger.unread),
        rejected=tuple(ledger.rejected),
        detected_px=np.concatenate(
            [output.detected_px for output in (*runs.outputs, *runs.fruitless_outputs)]
        ),
        locating_ms=locating_ms,
    )


def _recognise_candidates(
    pyramid: Pyramid, candidates: Sequence[CandidateGrid], model: Model, ledger: Ledger
) -> RecognisedTable:
    """Recognise grids; of overlapping ones, the one most like known faces counts.

    Grids of another tile size, and those beyond the number that the game has, are entered in the
    ledger instead.
    """
    kept: list[CandidateGrid] = []
    seen_quads_px: list[Floats] = []
    candidates = sorted(candidates, key=lambda each: -each.mean_similarity)
    reliable = [each for each in candidates if is_reliable(each)]
    median_size = float(
        median(
            [each.placed.lattice_grid.lattice.cell_size for each in reliable or candidates[:1]]
            or [1]
        )
    )
    for each in candidates:
        corners_px = each.corners_px
        if coincides_with_any(corners_px, seen_quads_px):
            continue
        seen_quads_px.append(corners_px)
        size_ratio = each.placed.lattice_grid.lattice.cell_size / median_size
        if abs(np.log(size_ratio)) > np.log(MAX_TILE_SIZE_RATIO):
            if is_like_no_face(each):
                ledger.reject(corners_px, RejectionReason.DIFFERENT_TILE_SIZE)
            else:
                ledger.leave_unread(corners_px)
        elif len(kept) >= model.grid_format.most_grids:
            is_whole = find_whole_cells(pyramid, each)
            reason = find_rejection_reason(pyramid, each, is_whole, each.mean_similarity)
            if reason is None:
                ledger.leave_unread(corners_px)
            else:
                ledger.reject(corners_px, reason)
        else:
            kept.append(each)
    motion_blurred = is_motion_blurred(pyramid, kept)
    grids, median_similarities = recognise_grids(
        pyramid, kept, model, ledger=ledger, motion_blurred=motion_blurred
    )
    return RecognisedTable(
        grids, median_similarities=median_similarities, motion_blurred=motion_blurred
    )


def unite_board_runs(
    first: tuple[RecognisedTable, Ledger], second: tuple[RecognisedTable, Ledger]
) -> tuple[RecognisedTable, Ledger]:
    """Unite the boards of two runs of the locator: the surer table, with further boards unread."""
    # The first is better if both are equally good
    (worse, worse_ledger), (better, better_ledger) = sorted(
        (second, first), key=lambda each: _quality_key(*each)
    )
    ledger = Ledger([*better_ledger.unread], [*better_ledger.rejected])
    grid_quads_px = [grid.corners_px for grid in better.grids]
    for quad in (*(grid.corners_px for grid in worse.grids), *worse_ledger.unread):
        if not coincides_with_any(quad, grid_quads_px):
            ledger.leave_unread(quad)
    ledger.rejected += worse_ledger.rejected
    return better, ledger


def _quality_key(table: RecognisedTable, ledger: Ledger) -> tuple[float, ...]:
    """Return the sort key of a table; that of a better one is greater."""
    # Without a sure tile, the similarity to known faces decides
    similarity = 0.0 if table.sure_count else sum(table.median_similarities)
    return table.sure_count, len(table.grids), -len(ledger.unread), similarity


def _edition_notes(table: RecognisedTable, edition: Edition, photo: Photo) -> tuple[Note, ...]:
    """Return a note if typical tiles of most grids of a good photo are unlike the edition's."""
    if (
        not table.median_similarities
        or float(median(table.median_similarities)) >= MIN_TYPICAL_SIMILARITY
    ):
        return ()
    # In the dark and out of focus even the edition's own tiles are unlike its references
    if photo_notes(photo.image_bgr):
        return ()
    return (note(NoteCode.OTHER_EDITION, name=edition.name),)


def _read_grids(
    table: RecognisedTable,
    edition: Edition,
    model: Model,
    photo: Photo,
    pyramid: Pyramid,
    supply: Mapping[str, int] | None,
) -> list[GridReading]:
    """Make the readings of the grids of a table, limited to the supply of tiles if it is known."""
    sharpest = table.sharpened or pyramid
    grids = [
        make_grid_reading(
            grid, edition, model, photo, sharpest, figures_are_sure=not table.motion_blurred
        )
        for grid in table.grids
    ]
    if supply is None:
        return grids
    probabilities = [face_probabilities(grid) for grid in table.grids]
    return limit_to_supply(grids, probabilities, supply, model.references.faces)


def _are_all_grids_read(table: RecognisedTable, edition: Edition) -> bool:
    """Return whether as many grids were read as the game has, or a printed board."""
    return len(table.grids) == edition.description.most_grids or bool(
        edition.description.board and table.grids
    )


def _unread_regions(
    table: RecognisedTable,
    photo: Photo,
    edition: Edition,
    hidden_by_light: Sequence[Unread],
    edition_notes: Sequence[Note],
) -> list[Unread]:
    """Return the regions that may be grids, apart from those that light hides."""
    reason = (
        Note(NoteCode.UNKNOWN_EDITION) if edition_notes else unreadable_note(edition.description)
    )
    hidden_quads_px = [floats(each.corners_px) for each in hidden_by_light]
    quads = [to_photo_quad(quad, photo) for quad in table.unread]
    return [Unread(q, reason) for q in quads if not coincides_with_any(floats(q), hidden_quads_px)]


def _examine_light(
    table: RecognisedTable, edition: Edition, photo: Photo, pyramid: Pyramid
) -> tuple[list[Unread], tuple[Note, ...]]:
    """Return the regions in which light may hide a grid, and a note on the light of the photo.

    There are none if all grids of the game were read.
    """
    if _are_all_grids_read(table, edition):
        return [], ()
    white_areas = _find_white_areas(photo, pyramid, table.grids)
    hidden = [
        Unread(to_photo_quad(area.outline_px, photo), LIGHT_HIDES_NOTE)
        for area in white_areas
        if area.from_light
    ]
    return hidden, _light_notes(white_areas, pyramid, edition)


def _find_white_areas(
    photo: Photo, pyramid: Pyramid, grids: Sequence[RecognisedGrid]
) -> list[WhiteArea]:
    """Find the white areas outside grids in which another grid could lie unseen."""
    quads: list[Floats] = [quad for grid in grids for quad in grid.quads_px.reshape(-1, 4, 2)]
    height, width = photo.image_bgr.shape[:2]
    sides = [float(np.sqrt(cv2.contourArea(quad))) for quad in quads]
    tile_px = float(median(sides)) if sides else float(np.sqrt(width * height)) / TILES_ACROSS
    return find_white_areas(pyramid, tile_px, [grid.corners_px for grid in grids])


def _light_notes(
    white_areas: Sequence[WhiteArea], pyramid: Pyramid, edition: Edition
) -> tuple[Note, ...]:
    """Return a note if much of a photo of free tiles is white, from light or a white table."""
    if edition.description.board is not None:
        return ()
    has_white_table = not all(area.from_light for area in white_areas)
    has_much_light = has_white_table or is_overexposed(pyramid)
    return (Note(NoteCode.MUCH_LIGHT),) if has_much_light else ()
