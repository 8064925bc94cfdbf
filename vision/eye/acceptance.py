"""Acceptance of placed grids: whether one shows the edition's tiles, something else, or neither.

``find_rejection_reason`` and ``is_readable`` are two of the tests that ``vision.eye.grid_grades``
lists. What makes a single tile of a grid unsure: see ``confidence.SURE_CONFIDENCE``.

Frames: ``_px`` pixels of the decoded image. Places, one for each cell of a grid's lattice, are in
the order of these cells.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from vision.arrays import Floats, Masks, floats, median
from vision.editions.model import Model
from vision.editions.references import TURNS, VIEWS
from vision.eye.camera import cell_quads_px
from vision.eye.face_ranking import Ranking
from vision.eye.ledger import RejectionReason
from vision.eye.placement import CandidateGrid, cells_beside
from vision.eye.reference_similarity import CHANCE_SIMILARITY, best_cosines, drawing_support
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads, turn_quads
from vision.patches.embedding import MIN_WHOLE, VECTOR_SIZE, Embeddings

MIN_TYPICAL_SIMILARITY: Final = 0.69
"""Minimum typical similarity of a grid of the edition's tiles to references: a median; a mean
before faces are ranked. Smaller: chequered cloth and cards become grids; larger: dim photos have no
reliable grid (``grid_grades``), and tiles in dim light are taken for those of another edition."""
MIN_BEST_SIMILARITY: Final = 0.8
"""Similarity to references that at least one tile needs, of tiles in no grid or in a doubtful one,
for these to be of the edition. Larger: dim grids are rejected; smaller: other squares are asked
about."""
MIN_ONE_FACE_SIMILARITY: Final = 0.8
"""Minimum typical similarity of a grid that nearly all resembles one face (``MIN_ONE_FACE_SHARE``),
if that is an empty plot or its tiles look the same; with less, it may be cloth or a face-down pile,
and cannot be read."""
MIN_ONE_FACE_SHARE: Final = 0.9
"""Share of tiles with the same nearest face above which a grid may be cloth or lie face down."""
MIN_PILE_WHOLE_SHARE: Final = 0.5
"""Minimum share of places with whole tiles of a grid that may lie face down. Larger: piles in glare
are asked about; smaller: cloth counts as a pile."""
MIN_PILE_SAME_TILE_SHARE: Final = 0.75
"""Share of tiles like the commonest one above which a grid whose position is certain counts as face
down: in a city of another edition fewer are the same."""
MAX_PILE_OTHER_TILE_SHARE: Final = 0.75
"""Maximum share of places with other whole tiles, in a grid that is placed over a face-down pile;
more may be a grid of their own."""
MIN_PILE_COSINE: Final = 0.9
"""Median cosine of tiles, to their mean and to the commonest of them, above which they all look the
same. The mean alone misleads where tiles of another edition have a frame in common, the commonest
alone where few tiles of a city are in the photo."""
MIN_BACK_COSINE: Final = 0.8
"""Cosine to the back of a tile above which a tile lies face down, in a grid placed over a pile."""
MIN_PILE_TILES: Final = 3
"""Minimum number of face-down tiles in a grid placed over a pile."""
MIN_KNOWN_TILES: Final = 3
"""Minimum number of tiles of known faces with which a grid of few whole tiles, or one placed over a
face-down pile, may be a grid of the game. Larger: grids half covered are lost; smaller: score
boards and piles with a left-over tile or two are asked about."""
MIN_UNKNOWN_WHOLE_SHARE: Final = 0.75
"""Share of places with whole tiles above which tiles like no known face may be a grid."""
MIN_UNREAD_SUPPORT: Final = 0.47
"""Share of places with whole tiles, times the mean similarity to the nearest reference, in which
colours count half, above which an unconfirmed grid is left unread: 0.48 to 0.69 in 12 cities that
were not read in dark, dazzled or moved photos; 0.38 to 0.55 on score boards and cloths. Larger:
such cities are lost without a word; smaller: score boards are asked about."""
MIN_WASHED_OUT_WHOLE_SHARE: Final = 0.9
"""Share of places with whole tiles above which a grid may be one that light has washed out."""
MAX_SIDE_SUPPORT: Final = 0.6
"""``drawing_support`` along a side of a grid, as a share of the grid's own, below which it ends
there. Smaller: grids that lie close together are not read; larger: chequered cloth is."""
MIN_CONTINUATION: Final = 0.5
"""Mean product, along a side of a grid, of the probability that a cell shows something whole and
its likeness to the mean of the grid, above which the grid continues there. Larger: keyboards and
chequered cloth are asked about; smaller: a grid of an unknown edition is rejected for what lies
next to it."""
MAX_CONTINUING_SIDES: Final = 2
"""Maximum number of sides beyond which a grid may continue. Two are allowed: a grid that is placed
one row and one column off has tiles of its own there. Larger: chequered cloth and cutting mats are
asked about, whatever lies on them."""
NO_BACKGROUND: Final = np.empty((0, VECTOR_SIZE), np.float32)
"""Vectors of the squares of mats and cloths, before a search has found any."""


def find_whole_cells(pyramid: Pyramid, candidate: CandidateGrid) -> Masks:
    """Return which places (n,) of a grid show whole tiles, with their middle within the image."""
    placed = candidate.placed
    shows_whole = placed.embeddings.whole_probability > MIN_WHOLE
    return np.asarray(_have_middle_in_image(pyramid, placed.tile_quads_px) & shows_whole)


def _have_middle_in_image(pyramid: Pyramid, quads_px: Floats) -> Masks:
    """Return which quads (n, 4, 2) have their middle within the image."""
    middles = quads_px.mean(axis=1)
    return np.asarray(((middles > 0) & (middles < pyramid.size_wh)).all(axis=1))


def may_lie_face_down(candidate: CandidateGrid) -> bool:
    """Return whether the tiles of a grid look the same and hardly like a known face."""
    is_whole = np.asarray(candidate.placed.embeddings.whole_probability > MIN_WHOLE)
    return candidate.mean_similarity < MIN_ONE_FACE_SIMILARITY and _look_the_same(
        candidate, is_whole
    )


def find_rejection_reason(
    pyramid: Pyramid, candidate: CandidateGrid, is_whole: Masks, typical_similarity: float
) -> RejectionReason | None:
    """Find the reason why a candidate is no grid of the game; None if it may be one.

    Args:
        pyramid: Pyramid of the photo.
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles (``find_whole_cells``).
        typical_similarity: Median similarity of its tiles to their likeliest faces
            (``GridFaces.typical_similarity``); before faces are ranked,
            ``CandidateGrid.mean_similarity``. With ``MIN_TYPICAL_SIMILARITY`` or more, there is no
            reason.
    """
    if typical_similarity >= MIN_TYPICAL_SIMILARITY:
        return None
    if _look_the_same(candidate, is_whole, pyramid):
        return RejectionReason.FACE_DOWN
    similarity = candidate.similarity.max(axis=(1, 2))
    has_few_known = (similarity > MIN_BEST_SIMILARITY).sum() < MIN_KNOWN_TILES
    if has_few_known and is_whole.mean() <= MIN_UNKNOWN_WHOLE_SHARE:
        return RejectionReason.FEW_WHOLE_TILES
    continuing_sides = _count_continuing_sides(pyramid, candidate)
    if continuing_sides > MAX_CONTINUING_SIDES:
        return RejectionReason.OTHER_SHAPE
    uncertain = not candidate.placed.is_position_certain or continuing_sides > 0
    if uncertain and is_like_no_face(candidate) and typical_similarity < CHANCE_SIMILARITY:
        return RejectionReason.OTHER_SHAPE
    return None


def is_like_no_face(candidate: CandidateGrid) -> bool:
    """Return whether no tile of a grid is like a known face."""
    return float(candidate.similarity.max()) < MIN_BEST_SIMILARITY


def find_tile_backs(pyramid: Pyramid, face_down: Iterable[CandidateGrid]) -> Floats:
    """Return the vectors (n, VECTOR_SIZE) of the backs of tiles, in four turns, as piles show them.

    Args:
        pyramid: Pyramid of the photo.
        face_down: Grids rejected as face-down. Those count in which more than
            ``MIN_PILE_SAME_TILE_SHARE`` of the whole tiles are the same.
    """
    backs_px = []
    for each in face_down:
        whole = find_whole_cells(pyramid, each)
        alike = _cosines_to_commonest(each.placed.embeddings.vectors[whole])
        if (alike > MIN_PILE_COSINE).mean() > MIN_PILE_SAME_TILE_SHARE:
            backs_px.append(each.placed.aligned_quads_px[whole][int(alike.argmax())])
    if not backs_px:
        return np.empty((0, VECTOR_SIZE), np.float32)
    quads_px = np.repeat(floats(backs_px), TURNS, axis=0)
    turns = np.tile(np.arange(TURNS), len(backs_px))
    return embed_quads(pyramid, turn_quads(quads_px, turns)).vectors


def lies_on_face_down_pile(candidate: CandidateGrid, is_whole: Masks, backs: Floats) -> bool:
    """Return whether a grid that cannot be read is placed over a face-down pile.

    It has some of the face-down tiles, and what is left without them is too little for a grid.

    Args:
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles (``find_whole_cells``).
        backs: Shape (n, VECTOR_SIZE), vectors of the backs of tiles (``find_tile_backs``).
    """
    if not len(backs):
        return False
    face_down = is_whole & (_cosines_to_backs(candidate, backs) > MIN_BACK_COSINE)
    known = candidate.similarity.max(axis=(1, 2)) > MIN_BEST_SIMILARITY
    return bool(
        face_down.sum() >= MIN_PILE_TILES
        and known.sum() < MIN_KNOWN_TILES
        and (is_whole & ~face_down).mean() <= MAX_PILE_OTHER_TILE_SHARE
    )


def shows_tile_backs(candidate: CandidateGrid, is_whole: Masks, backs: Floats) -> bool:
    """Return whether most whole tiles of a grid are more like backs of tiles than like any face.

    Args:
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles (``find_whole_cells``).
        backs: Shape (n, VECTOR_SIZE), vectors of the backs of tiles (``find_tile_backs``).
    """
    if not len(backs) or not is_whole.any():
        return False
    to_backs = _cosines_to_backs(candidate, backs)[is_whole]
    to_faces = candidate.similarity.max(axis=(1, 2))[is_whole]
    return bool(median(to_backs - to_faces) > 0 and median(to_backs) > MIN_BACK_COSINE)


def _cosines_to_backs(candidate: CandidateGrid, backs: Floats) -> Floats:
    """Return the cosines (n,) of the tiles of a grid to the back that each is most like."""
    return floats((candidate.placed.embeddings.vectors @ backs.T).max(axis=1))


def is_background(embeddings: Embeddings, model: Model) -> bool:
    """Return whether cells show background: resemble one another more than known faces.

    The squares of cutting mats and chequered cloth do, and tiles that lie face down; no tiles of
    different faces do in any light.

    Args:
        embeddings: Embeddings of the cells.
        model: Model of the edition.
    """
    n = len(embeddings)
    of_pairs = embeddings.vectors @ embeddings.vectors.T
    mean = float(of_pairs.sum() - np.trace(of_pairs)) / max(n * (n - 1), 1)
    # A cosine is a similarity without colours, so the limit holds for it as well
    to_faces = float(best_cosines(embeddings, model.references).mean())
    return mean > max(MIN_TYPICAL_SIMILARITY, to_faces)


def resembles_known_background(embeddings: Embeddings, background: Floats, model: Model) -> bool:
    """Return whether cells resemble background found before more than known faces.

    Args:
        embeddings: Embeddings of the cells.
        background: Shape (n, VECTOR_SIZE), squares of mats and cloths that earlier searches of this
            photo found (``is_background``).
        model: Model of the edition.
    """
    if not len(background):
        return False
    to_background = (embeddings.vectors @ background.T).max(axis=1)
    to_faces = best_cosines(embeddings, model.references)
    return float(to_background.mean()) > float(to_faces.mean())


def is_readable(
    pyramid: Pyramid,
    candidate: CandidateGrid,
    is_whole: Masks,
    ranking: Ranking,
    model: Model,
    *,
    has_known_grid: bool,
) -> bool:
    """Return whether a grid shows the edition's faces, even if light has washed them out.

    Args:
        pyramid: Pyramid of the photo.
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles (``find_whole_cells``).
        ranking: Ranking of its faces.
        model: Model of the edition.
        has_known_grid: True if the table shows any grid of known faces.
    """
    similarity = float(median(ranking.similarity))
    if similarity >= MIN_TYPICAL_SIMILARITY:
        if similarity >= MIN_ONE_FACE_SIMILARITY:
            return True
        # In a blurred photo, squares of a cutting mat may resemble faces
        if (
            not model.grid_format.on_board
            and is_background(candidate.placed.embeddings, model)
            and not stands_out_from_surroundings(pyramid, candidate, model)
        ):
            return False
        # Places beyond the image show nothing
        shown = np.bincount(ranking.first[is_whole], minlength=1)
        if shown.max() <= MIN_ONE_FACE_SHARE * is_whole.sum():
            return True
        # Cloth may resemble empty plots, in which nobody would look for a game
        is_empty = model.references.faces[int(shown.argmax())] is None
        return not is_empty and not _look_the_same(candidate, is_whole, pyramid)
    # Tiles of another edition resemble some face, too; washed out ones lie among companions
    return bool(
        has_known_grid
        and similarity > CHANCE_SIMILARITY
        and is_whole.mean() > MIN_WASHED_OUT_WHOLE_SHARE
        and stands_out_from_surroundings(pyramid, candidate, model)
    )


def may_be_grid(pyramid: Pyramid, candidate: CandidateGrid, is_whole: Masks, model: Model) -> bool:
    """Return whether a grid that is not confirmed may be real, but too dark or overexposed.

    Args:
        pyramid: Pyramid of the photo.
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles (``find_whole_cells``).
        model: Model of the edition.
    """
    embeddings = candidate.placed.embeddings
    # Light may have changed the colours, so they count half
    drawing = best_cosines(embeddings, model.references).mean()
    support = is_whole.mean() * (drawing + candidate.mean_similarity) / 2
    return bool(
        support > MIN_UNREAD_SUPPORT
        and not is_background(embeddings, model)
        and stands_out_from_surroundings(pyramid, candidate, model)
    )


def stands_out_from_surroundings(pyramid: Pyramid, candidate: CandidateGrid, model: Model) -> bool:
    """Return whether a grid resembles known faces clearly more than each line along its sides does.

    Only the ratio counts, not the similarity itself. Chequered cloth continues beyond the grid, and
    outside a grid that is placed a row off lies a row of its own tiles. Only drawings are
    compared, since light may have changed the colours.
    """
    placed = candidate.placed
    rows, columns = placed.lattice_grid.shape
    cells = cells_beside(placed.lattice_grid, 1)
    beside = embed_quads(
        pyramid, cell_quads_px(candidate.camera, placed.lattice_grid.lattice, cells)
    )
    support = drawing_support(beside, model.references)
    own = float(drawing_support(placed.embeddings, model.references).mean())
    x, y = cells.T
    sides = (y < 0, y == rows, x < 0, x == columns)
    return all(float(support[side].mean()) < MAX_SIDE_SUPPORT * own for side in sides)


def _count_continuing_sides(pyramid: Pyramid, candidate: CandidateGrid) -> int:
    """Count the sides of a grid along which something like its cells continues."""
    placed, cells = candidate.placed, candidate.placed.lattice_grid.cells()
    shifted = [cells + step for step in ((0, -1), (0, 1), (-1, 0), (1, 0))]
    end = placed.lattice_grid.shape[::-1]
    lines = [each[((each < 0) | (each >= end)).any(axis=1)] for each in shifted]
    quads = cell_quads_px(candidate.camera, placed.lattice_grid.lattice, np.concatenate(lines))
    beside = embed_quads(pyramid, quads)
    mean = placed.embeddings.vectors.mean(axis=0)
    alike = (
        _have_middle_in_image(pyramid, quads)
        * beside.whole_probability
        * (beside.vectors @ mean)
        / np.linalg.norm(mean)
    )
    splits = np.cumsum([len(each) for each in lines])[:-1]
    return sum(float(each.mean()) > MIN_CONTINUATION for each in np.split(alike, splits))


def _look_the_same(
    candidate: CandidateGrid, is_whole: Masks, pyramid: Pyramid | None = None
) -> bool:
    """Return whether a grid shows whole tiles that look the same, as face-down ones do.

    Half of the places must show whole tiles, and more than half of these look the same; in a grid
    whose position is certain more than three quarters, as most tiles of a city may show one face,
    too.

    Args:
        candidate: Grid.
        is_whole: Shape (n,), True for places with whole tiles.
        pyramid: Pyramid of the photo, to compare tiles with shifted views of the commonest one as
            well, since nobody laid them exactly; None to compare them as they were cut out.
    """
    if is_whole.mean() < MIN_PILE_WHOLE_SHARE:
        return False
    vectors = candidate.placed.embeddings.vectors[is_whole]
    mean = vectors.mean(axis=0)
    to_commonest, to_mean = _cosines_to_commonest(vectors), vectors @ mean / np.linalg.norm(mean)
    if pyramid is not None:
        quad_px = candidate.placed.patch_quads_px[is_whole][int(to_commonest.argmax())]
        around = UNIT_SQUARE + VIEWS[1:, None]
        shifted_px = points_in_quads(np.repeat(quad_px[None], len(around), axis=0), around)
        to_views = vectors @ embed_quads(pyramid, shifted_px).vectors.T
        to_commonest = np.maximum(to_commonest, to_views.max(axis=1))
    if min(float(median(to_commonest)), float(median(to_mean))) <= MIN_PILE_COSINE:
        return False
    same_share = float((to_commonest > MIN_PILE_COSINE).mean())
    return not candidate.placed.is_position_certain or same_share > MIN_PILE_SAME_TILE_SHARE


def _cosines_to_commonest(vectors: Floats) -> Floats:
    """Return the cosines (n,) of vectors (n, VECTOR_SIZE) to the one that most others are like."""
    of_pairs = vectors @ vectors.T
    return floats(of_pairs[int(median(of_pairs.T).argmax())])
