"""Recognition of placed grids (stage 5): upright grids, with their sure and unsure tiles.

``grid_faces`` finds the likeliest faces, ``acceptance`` which grids are none of the edition; here
each other grid is turned upright, its empty places are found, and it is decided whether its
position is certain, and which tiles a person has to check.

Frames: ``_px`` pixels of the decoded image. Tiles of a ``GridFaces`` are in the order of their
grid's cells, row by row as they lie in the photo; a ``RecognisedGrid`` is upright. Turns are
quarter turns: in the photo anticlockwise, of grids and of tiles; in a ``RecognisedGrid`` clockwise,
against the upright grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, Masks, floats
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.acceptance import (
    MIN_TYPICAL_SIMILARITY,
    find_rejection_reason,
    find_tile_backs,
    find_whole_cells,
    is_like_no_face,
    is_readable,
    lies_on_face_down_pile,
    may_be_grid,
    shows_tile_backs,
    stands_out_from_surroundings,
)
from vision.eye.camera import cell_quads_px
from vision.eye.confidence import SURE_CONFIDENCE
from vision.eye.face_ranking import Matches, Ranking
from vision.eye.figures import PossibleFigures
from vision.eye.grid_faces import GridFaces, find_grid_faces
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.light_fit import MAX_COLOUR_COST
from vision.eye.placement import CandidateGrid, PlacedGrid, cells_beside
from vision.eye.quads import reach_over_edge
from vision.eye.reference_similarity import CHANCE_SIMILARITY, MAX_HIDDEN_SIMILARITY
from vision.eye.windows import rotate_in_tiles
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads
from vision.patches.embedding import MIN_WHOLE

MIN_CLEARLY_WHOLE: Final = 0.9
"""Probability of a whole tile above which one clearly lies there, whatever its face."""
MAX_UNSURE_SHARE: Final = 0.5
"""Share of unsure cells above which a whole grid is unsure. Larger: single tiles of doubtful grids
are sure; smaller: more grids are unsure as a whole."""
MIN_SURE_OUTER_SHARE: Final = 0.5
"""Share of sure tiles in each outermost row above which a grid with a clear border surely lies
there."""
MAX_TURNED_SHARE: Final = 0.25
"""Share of turned tiles above which a whole grid of upright tiles is unsure. Larger: grids read in
a wrong turn stay sure in part; smaller: careless ones are unsure as a whole."""
TABLE_COLOUR_WEIGHT: Final = 0.5
"""Similarity to the table lost by a unit of squared difference of log colours."""

TilePlace = tuple[int, int]
"""Row and column of a place for one tile, which covers one cell of the rules or several."""


@dataclass(frozen=True, slots=True, eq=False)
class RecognisedGrid:
    """Recognised grid, upright.

    Attributes:
        corners_px: Shape (4, 2), top left first.
        quads_px: Shape (rows, columns, 4, 2), of tiles and empty places.
        faces: Rows of names; None for an empty place.
        turns: Shape (rows, columns), quarters clockwise by which each tile is turned.
        face_scores: Shape (rows, columns, faces of the model), similarities of each tile; of the
            face that is read, the greatest of them plus ``Ranking.margin``, so that it has the
            highest score.
        next_faces: For each place the names and turns (as ``turns``) of the next faces, the
            likeliest first.
        is_position_certain: True if its position is certain, by
            ``PlacedGrid.is_position_certain`` and by the faces of its tiles.
        is_turn_certain: True if the way up is certain, or neither tiles nor a board show one.
        confidence: Shape (rows, columns), probability that each face is right.
        similarity: Shape (rows, columns), similarity of each tile to its face.
        window_similarity: Shape (rows, columns, PARTS_ACROSS, PARTS_ACROSS), similarity of windows
            to those of the face that is read, for tiles in doubt and mismatched windows; 1 if not
            examined.
        unsure: Places that a person has to check.
        figures: Figures on the grid; None if the game has none.
    """

    corners_px: Floats
    quads_px: Floats
    faces: tuple[tuple[str | None, ...], ...]
    turns: NDArray[np.intp]
    face_scores: Doubles
    next_faces: dict[TilePlace, tuple[tuple[str | None, int], ...]]
    is_position_certain: bool
    is_turn_certain: bool
    confidence: Doubles
    similarity: Doubles
    window_similarity: Floats
    unsure: tuple[TilePlace, ...]
    figures: PossibleFigures | None = None

    def __len__(self) -> int:
        return self.confidence.size

    @property
    def tile_px(self) -> float:
        """Side of a tile in pixels of the decoded image."""
        return float(np.sqrt(cv2.contourArea(self.corners_px) / len(self)))


def recognise_grids(
    pyramid: Pyramid,
    candidates: Sequence[CandidateGrid],
    model: Model,
    *,
    ledger: Ledger,
    motion_blurred: bool = False,
) -> tuple[tuple[RecognisedGrid, ...], tuple[float, ...]]:
    """Recognise the tiles of all grids of a photo.

    Args:
        pyramid: Pyramid of the photo.
        candidates: Grids.
        model: Model of the edition.
        ledger: Ledger for the regions that are no grid, and for the grids that cannot be read.
        motion_blurred: True if the camera moved, for which more tiles are unsure.

    Returns:
        The grids, and the median similarities of their tiles to their faces, of those left unread
        here, too.
    """
    if not candidates:
        return (), ()
    all_faces = find_grid_faces(pyramid, candidates, model, motion_blurred=motion_blurred)
    has_known_grid = any(each.typical_similarity >= MIN_TYPICAL_SIMILARITY for each in all_faces)
    whole_masks = [find_whole_cells(pyramid, each.candidate) for each in all_faces]
    reasons = _find_rejection_reasons(
        pyramid, all_faces, whole_masks, model, has_known_grid=has_known_grid
    )
    face_down = [
        each.candidate
        for each, reason in zip(all_faces, reasons, strict=True)
        if reason is RejectionReason.FACE_DOWN
    ]
    backs = find_tile_backs(pyramid, face_down)
    grids, median_similarities = [], []
    for each, is_whole, reason in zip(all_faces, whole_masks, reasons, strict=True):
        corners_px = each.candidate.corners_px
        if reason is not None:
            ledger.reject(corners_px, reason)
            continue
        if shows_tile_backs(each.candidate, is_whole, backs):
            ledger.reject(corners_px, RejectionReason.FACE_DOWN)
            continue
        readable = is_readable(
            pyramid, each.candidate, is_whole, each.ranking, model, has_known_grid=has_known_grid
        )
        if not readable and lies_on_face_down_pile(each.candidate, is_whole, backs):
            ledger.reject(corners_px, RejectionReason.FACE_DOWN)
            continue
        median_similarities.append(each.typical_similarity)
        if not readable:
            ledger.leave_unread(corners_px)
            continue
        grid = make_recognised_grid(pyramid, each, model)
        if grid is None:
            rows, columns = each.candidate.placed.lattice_grid.shape
            # The next row may belong to the grid
            beyond = (UNIT_SQUARE * 2 - 1) / floats([columns, rows])
            ledger.leave_unread(points_in_quads(corners_px[None], (UNIT_SQUARE + beyond)[None])[0])
        else:
            grids.append(grid)
    return tuple(grids), tuple(median_similarities)


def _find_rejection_reasons(
    pyramid: Pyramid,
    all_faces: Sequence[GridFaces],
    whole_masks: Sequence[Masks],
    model: Model,
    *,
    has_known_grid: bool,
) -> list[RejectionReason | None]:
    """Find the reason why each grid is no grid of the game; None if it may be one.

    Beside a grid of known faces, one of few whole tiles may be one that is blurred or dim. Tiles of
    another edition are like no known face either, but of a whole table of them, at least one grid
    has a certain position; the squares of a table top seldom do.

    Args:
        pyramid: Pyramid of the photo.
        all_faces: Likeliest faces of each grid.
        whole_masks: Places with whole tiles of each grid (``find_whole_cells``).
        model: Model of the edition.
        has_known_grid: True if the table shows any grid of known faces.
    """
    reasons = [
        find_rejection_reason(pyramid, each.candidate, is_whole, each.typical_similarity)
        for each, is_whole in zip(all_faces, whole_masks, strict=True)
    ]
    has_certain_grid = any(
        each.candidate.placed.is_position_certain
        for each, reason in zip(all_faces, reasons, strict=True)
        if reason is None
    )
    if model.grid_format.on_board:
        return reasons
    if has_known_grid:
        return [
            None
            if reason is RejectionReason.FEW_WHOLE_TILES
            and may_be_grid(pyramid, each.candidate, is_whole, model)
            else reason
            for each, is_whole, reason in zip(all_faces, whole_masks, reasons, strict=True)
        ]
    if has_certain_grid:
        return reasons
    return [
        RejectionReason.OTHER_SHAPE
        if reason is None and is_like_no_face(each.candidate)
        else reason
        for each, reason in zip(all_faces, reasons, strict=True)
    ]


def make_recognised_grid(
    pyramid: Pyramid, grid_faces: GridFaces, model: Model
) -> RecognisedGrid | None:
    """Make the upright grid; None if its outermost rows are unclear: it may lie a row off.

    Args:
        pyramid: Pyramid of the photo that shows the grid.
        grid_faces: Faces of the grid as it lies there.
        model: Model of the edition.
    """
    candidate, turn = grid_faces.candidate, grid_faces.turn
    matches, ranking = grid_faces.matches, grid_faces.ranking
    confidences = grid_faces.confidences
    placed, shape = candidate.placed, candidate.placed.lattice_grid.shape
    empty_places = _find_empty_places(pyramid, candidate, ranking, model)
    whole = placed.embeddings.whole_probability.astype(np.float64)
    is_known = (whole > MIN_WHOLE) & (ranking.similarity > CHANCE_SIMILARITY) & ~empty_places
    known_by_itself = is_known & (confidences.by_itself > SURE_CONFIDENCE)
    if (
        not model.grid_format.on_board
        and not _are_outer_lines_decided(known_by_itself, empty_places, whole, shape)
        and not stands_out_from_surroundings(pyramid, candidate, model)
    ):
        return None
    is_certain = _is_position_certain(pyramid, placed, known_by_itself, empty_places, model)
    face, tiles = ranking.first, np.arange(len(candidate))
    turns = (turn - matches.turn[tiles, face]) % TURNS
    sure = is_known & confidences.sure
    if not (is_certain and grid_faces.is_turn_certain):
        sure[:] = False
    sure = _limit_sure(sure, turns, empty_places, model)
    names = np.array([model.references.faces[n] for n in face.tolist()], object)
    names[empty_places] = None
    face_scores = matches.similarity.copy()
    face_scores[tiles, face] = face_scores.max(axis=1) + np.maximum(ranking.margin, 0)
    empty_confidence = np.minimum(1 - ranking.similarity, 1.0)

    upright = np.rot90(tiles.reshape(shape), -turn)
    return RecognisedGrid(
        corners_px=floats(np.roll(candidate.corners_px, turn, axis=0)),
        quads_px=floats(np.roll(placed.tile_quads_px, turn, axis=1)[upright]),
        faces=tuple(tuple(row) for row in names[upright].tolist()),
        turns=turns[upright],
        face_scores=face_scores[upright],
        next_faces={
            place: _next_faces(matches, ranking, int(upright[place]), turn, model)
            for place in np.ndindex(*upright.shape)
        },
        is_position_certain=is_certain,
        is_turn_certain=grid_faces.is_turn_certain,
        confidence=np.where(empty_places, empty_confidence, confidences.confidence)[upright],
        similarity=ranking.similarity[upright],
        window_similarity=rotate_in_tiles(confidences.window_similarity[upright], -turns[upright]),
        unsure=tuple((int(r), int(c)) for r, c in np.argwhere(~sure[upright])),
        figures=grid_faces.figures and grid_faces.figures.turned(turn),
    )


def _are_outer_lines_decided(
    known_by_itself: Masks, empty_places: Masks, whole: Doubles, shape: tuple[int, int]
) -> bool:
    """Return whether each outermost row and column has a sure tile, or clearly is full or empty.

    Arguments as in ``_is_position_certain``, and the probabilities (n,) of whole tiles.
    """
    # A reflection may hide the faces of a whole row, but not that tiles lie there
    return all(
        known.any() or empty.all() or tiles.all()
        for known, empty, tiles in zip(
            outer_lines(known_by_itself, shape),
            outer_lines(empty_places, shape),
            outer_lines(whole > MIN_CLEARLY_WHOLE, shape),
            strict=True,
        )
    )


def _is_position_certain(
    pyramid: Pyramid,
    placed: PlacedGrid,
    known_by_itself: Masks,
    empty_places: Masks,
    model: Model,
) -> bool:
    """Return whether the position of a grid is certain.

    Args:
        pyramid: Pyramid of the photo that shows the grid.
        placed: Grid of n tiles.
        known_by_itself: Shape (n,), True for tiles whose face is sure without the others' votes.
        empty_places: Shape (n,), True for places without a tile.
        model: Model of the edition.
    """
    shape = placed.lattice_grid.shape
    # A grid whose outermost rows are mostly sure, with a clear border, surely lies there
    outer_lines_sure = placed.has_clear_border and all(
        line.mean() > MIN_SURE_OUTER_SHARE for line in outer_lines(known_by_itself, shape)
    )
    return (
        (placed.is_position_certain or outer_lines_sure)
        and not any(line.all() for line in outer_lines(empty_places, shape))
        and (
            model.grid_format.on_board
            or not may_lie_further_out(
                placed.tile_quads_px, known_by_itself, shape, pyramid.size_wh
            )
        )
    )


def outer_lines(cells: Masks, shape: tuple[int, int]) -> tuple[Masks, ...]:
    """Return the outermost rows and columns of a grid's cells (n,): top, bottom, left, right."""
    lines = cells.reshape(shape)
    return lines[0], lines[-1], lines[:, 0], lines[:, -1]


def may_lie_further_out(
    quads_px: Floats, sure: Masks, shape: tuple[int, int], size_wh: tuple[int, int]
) -> bool:
    """Return whether a grid at the edge of the image may begin one row beyond where it was placed.

    This is possible if the row (or column) opposite the cut-off one has no sure tile, so that it
    may not belong to the grid. For tiles in no grid see ``leftovers.may_continue_beyond_edge``.

    Args:
        quads_px: Shape (n, 4, 2), tiles in reading order.
        sure: Shape (n,), True for sure tiles.
        shape: Rows and columns of the grid.
        size_wh: Size of the image.
    """
    over = reach_over_edge(quads_px, size_wh)
    if not over.any():
        return False
    top, bottom, left, right = outer_lines(over, shape)
    opposite = zip(outer_lines(sure, shape), (bottom, top, right, left), strict=True)
    return any(not line.any() and over_edge.any() for line, over_edge in opposite)


def _limit_sure(sure: Masks, turns: Ints, empty_places: Masks, model: Model) -> Masks:
    """Return which tiles (n,) of a grid stay sure: none if too many are turned or unsure."""
    if model.tiles_are_upright:
        sure = sure & (turns == 0)
        if float(((turns != 0) & ~empty_places).mean()) > MAX_TURNED_SHARE:
            return np.zeros_like(sure)
    return sure if float((~sure).mean()) <= MAX_UNSURE_SHARE else np.zeros_like(sure)


def _next_faces(
    matches: Matches, ranking: Ranking, tile: int, turn: int, model: Model
) -> tuple[tuple[str | None, int], ...]:
    """Return the next likely faces of a tile, and their turns clockwise."""
    return tuple(
        (model.references.faces[face], int(turn - matches.turn[tile, face]) % TURNS)
        for face in ranking.order[tile, 1:].tolist()
    )


def _find_empty_places(
    pyramid: Pyramid, candidate: CandidateGrid, ranking: Ranking, model: Model
) -> Masks:
    """Return which places of free tiles look more like the table beside the grid than any face."""
    may_be_empty = (ranking.similarity < MAX_HIDDEN_SIMILARITY) & (not model.grid_format.on_board)
    if not may_be_empty.any():
        return may_be_empty
    placed = candidate.placed
    beside = cells_beside(placed.lattice_grid, 1)[::2]
    surface = embed_quads(
        pyramid, cell_quads_px(candidate.camera, placed.lattice_grid.lattice, beside)
    )
    cosine = placed.embeddings.vectors @ surface.vectors.T
    difference = ((placed.embeddings.colours[:, None] - surface.colours[None]) ** 2).sum(axis=2)
    table_similarity = (
        cosine - TABLE_COLOUR_WEIGHT * np.minimum(difference, MAX_COLOUR_COST / TABLE_COLOUR_WEIGHT)
    ).max(axis=1)
    return np.asarray(may_be_empty & (table_similarity > ranking.similarity))
