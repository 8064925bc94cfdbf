"""Examination of doubtful tiles by nine windows, which cover all of a tile but its edges.

A window is cut out of the tile and embedded by itself, finer than the part of a tile under it, of
which the network makes a vector together with the whole tile. Both are numbered row by row.

A reflection, an odd colour or a figure changes the similarity of a tile as a whole, but leaves some
of its windows as they are on the references. A figure changes all windows that it stands on.
"""

from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, Masks, floats
from vision.editions.references import (
    WINDOW,
    WINDOW_COUNT,
    WINDOWS,
    References,
    drawing_consistency,
)
from vision.eye.confidence import (
    CLEAR_CONFIDENCE,
    CLEAR_MARGIN,
    CLEAR_RELATIVE_MARGIN,
    MAX_SURE_WHITE_SHARE,
    MIN_EXAMINED_CONFIDENCE,
    MIN_WINDOWS,
    SURE_CONFIDENCE,
    TileEvidence,
    confidence_from_windows,
    limit_confidence,
    mean_uncovered,
    robust_window_minimum,
    tile_confidence,
)
from vision.eye.confusable_faces import find_undistinguished_tiles
from vision.eye.face_ranking import MAX_RIVAL_GAP, RankedTiles, Ranking, embed_windows
from vision.eye.white_areas import white_share
from vision.patches.cut import Pyramid, embed_quads
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, PARTS_ACROSS, VECTOR_SIZE

ROUNDING_MARGIN: Final = 0.01
"""Distance from the edge of a cell, in cells, within which a centre counts as on the edge."""
WINDOW_SLACK: Final = 0.12
"""Slack of a tile's second lowest window below that of all taught tiles of its face
(``drawing_consistency``) before the tile is in doubt.

Smaller: light makes doubts. Larger: a small emblem that nobody taught passes.
"""
WEAK_SIMILARITY: Final = 0.7
"""Similarity to its face below which a tile can be made sure only by its windows."""
MIN_WINDOW_LEAD: Final = 0.1
"""Minimum lead over the next face in mean similarity of windows.

With less, windows do not make a tile with a small margin surer, and a tile that figures hide in
part keeps its face.
"""
MIN_MATCHING_PART: Final = 0.84
"""Similarity to its face below which a part of a tile does not match it, and the window over it is
examined."""
Scalar = TypeVar("Scalar", bound=np.generic)
_WINDOW_CENTRES = WINDOWS + WINDOW / 2
_NUMBERS = np.arange(PART_COUNT).reshape(PARTS_ACROSS, PARTS_ACROSS)
_TURNED_NUMBERS = np.stack([np.rot90(_NUMBERS, quarters).ravel() for quarters in range(4)])


class WindowVerdict(NamedTuple):
    """Faces and confidences of n tiles after doubtful ones were examined by windows.

    Attributes:
        ranking: Ranking, changed where windows favour another face.
        confidence: Shape (n,).
        window_similarity: Shape (n, WINDOW_COUNT), similarity of each window to those of the face,
            as the tile is read upright; 1, as for a perfect match, where none was examined.
        window_minimum: Shape (n,), ``confidence.robust_window_minimum``; 1, as if all windows
            matched perfectly, for tiles not examined; 0, as if none could be compared, for those
            unlike the taught tiles of their face, for those of faces that the photo does not
            distinguish, and for white ones.
    """

    ranking: Ranking
    confidence: Doubles
    window_similarity: Floats
    window_minimum: Doubles


def verify_by_windows(
    tiles: RankedTiles, evidence: TileEvidence, covered: Masks, of_edition: Masks
) -> WindowVerdict:
    """Compute the confidence of tiles, examining doubtful ones by all their windows.

    If all windows look like the face, the tile shows it, however odd it is as a whole. A tile with
    little similarity to its face can be made sure only by its windows. A tile that figures hide in
    part gets the face that the rest of it is most similar to.

    Args:
        tiles: Tiles of one photo.
        evidence: Evidence about the n tiles.
        covered: Shape (n, PART_COUNT), True for parts that a figure hides, as seen in the photo.
        of_edition: Shape (n,), whether the tile lies in a grid of the edition's tiles.
    """
    confidence, ranking = tile_confidence(evidence), tiles.ranking
    window_similarity = np.ones((len(confidence), WINDOW_COUNT), np.float32)
    window_minimum = np.ones(len(confidence))
    unclear = confidence < CLEAR_CONFIDENCE
    partly_covered = unclear & covered.any(axis=1)
    needs_proof = (ranking.similarity < WEAK_SIMILARITY) | partly_covered
    examined = (confidence > MIN_EXAMINED_CONFIDENCE) & (unclear | needs_proof)
    # Lookalikes agree in nearly all windows
    examined &= evidence.relative_margin >= CLEAR_RELATIVE_MARGIN
    examined |= partly_covered
    examined &= of_edition & (tiles.embeddings.whole_probability > MIN_WHOLE)
    indices = np.flatnonzero(examined)
    if len(indices):
        found = _examine_windows(tiles, indices, evidence.margin, partly_covered, covered)
        ranking = ranking.with_rows(examined, found.ranking)
        window_similarity[indices] = found.window_similarity
        window_minimum[indices] = found.window_minimum
        before = confidence[indices]
        kept = (before > SURE_CONFIDENCE) & ~needs_proof[indices] | (found.window_minimum <= 0)
        by_windows = confidence_from_windows(before, found.window_minimum)
        confidence[indices] = np.where(kept, before, by_windows)
    is_proven = examined & (window_minimum > 0)
    confidence = limit_confidence(confidence, needs_proof & ~is_proven)
    seems_sure = confidence > SURE_CONFIDENCE
    tiles = replace(tiles, ranking=ranking)
    in_doubt = _find_unlike_taught(tiles, seems_sure, covered) | find_undistinguished_tiles(tiles)
    in_doubt |= _find_white_tiles(tiles)
    window_minimum[in_doubt] = 0.0
    confidence = limit_confidence(confidence, in_doubt)
    return WindowVerdict(ranking, confidence, window_similarity, window_minimum)


class _ExaminedTiles(NamedTuple):
    """Ranking, and similarity and minimum of windows as in ``WindowVerdict``, of k tiles."""

    ranking: Ranking
    window_similarity: Floats
    window_minimum: Doubles


def _examine_windows(
    tiles: RankedTiles, indices: Ints, margin: Doubles, partly_covered: Masks, covered: Masks
) -> _ExaminedTiles:
    """Compare the windows of some tiles with those of all faces.

    Two faces can match in all windows after rotation, such as 6 and 9, and a tile that a figure
    hides in part may rank any other face first.

    Args:
        tiles: Tiles of one photo.
        indices: Shape (k,), tiles to examine.
        margin: Shape (n,), see ``Ranking``.
        partly_covered: Shape (n,), True for tiles that get the face of their uncovered windows.
        covered: Shape (n, PART_COUNT), True for parts that a figure hides, as seen in the photo.
    """
    order = _order_by_similarity(tiles, indices)
    one_rival_or_none = np.where(margin < CLEAR_MARGIN, 1, 0)
    rivals = np.where(partly_covered, order.shape[1], one_rival_or_none)[indices]
    similarity, hidden = _compare_windows(tiles, indices, order, rivals, covered)
    n, means = np.arange(len(indices)), mean_uncovered(similarity.astype(np.float64), hidden)
    best = np.where(partly_covered[indices], means.argmax(axis=1), 0)
    is_other = np.arange(means.shape[1]) != best[:, None]
    lead = means[n, best] - np.where(is_other, means, -1).max(axis=1)
    has_windows = (~hidden[n, best]).sum(axis=1) >= MIN_WINDOWS
    best = np.where(has_windows & (lead > MIN_WINDOW_LEAD), best, 0)
    window_minimum = robust_window_minimum(similarity[n, best], hidden[n, best])
    window_minimum[lead < MIN_WINDOW_LEAD] = 0.0
    ranking = _promote_faces(tiles, indices, order[n, best], lead)
    return _ExaminedTiles(ranking, similarity[n, best], window_minimum)


def _find_white_tiles(tiles: RankedTiles) -> Masks:
    """Return which tiles (n,) are so white that any may resemble a plain face."""
    image = tiles.pyramid.level(0)
    white = [white_share(image, each) > MAX_SURE_WHITE_SHARE for each in tiles.quads_px]
    return np.array(white, bool)


def _find_unlike_taught(tiles: RankedTiles, is_selected: Masks, covered: Masks) -> Masks:
    """Return which selected tiles (n,) differ from taught ones of their face more than these do.

    Such a tile may have an untaught face, like a taught one except for its emblem. Windows are
    compared only if the tile as a whole is less similar than every taught one is to the others.
    """
    limits = [drawing_consistency(tiles.references, int(f)) for f in tiles.ranking.first]
    lower = [
        selected and limit is not None and similarity < limit.whole
        for selected, limit, similarity in zip(
            is_selected, limits, tiles.ranking.similarity, strict=True
        )
    ]
    unlike = np.zeros(len(limits), bool)
    examined = np.flatnonzero(lower)
    if not len(examined):
        return unlike
    order = _order_by_similarity(tiles, examined)
    similarity, hidden = _compare_windows(
        tiles, examined, order, np.zeros(len(examined), np.intp), covered
    )
    second = np.sort(np.where(hidden[:, 0], 1, similarity[:, 0]), axis=1)[:, 1]
    for n, tile in enumerate(examined.tolist()):
        limit = limits[tile]
        unlike[tile] = limit is not None and second[n] < limit.window - WINDOW_SLACK
    return unlike


def similarity_under_feet(tiles: RankedTiles, feet: Floats, tile_of: Ints) -> Doubles:
    """Return the lowest similarity (k,) to the tile's face of the windows around each foot.

    Args:
        tiles: Tiles of one photo.
        feet: Shape (k, 2), position in the tile as seen in the photo, 0 to 1.
        tile_of: Shape (k,), index of the tile of each foot.
    """
    face = tiles.ranking.order[tile_of, 0]
    reference, turn = tiles.matches.reference[tile_of, face], tiles.matches.turn[tile_of, face]
    distance = np.abs(feet[:, None] - _WINDOW_CENTRES).max(axis=2)
    over = distance <= np.maximum(distance.min(axis=1, keepdims=True), WINDOW / 2)
    numbers = np.tile(np.arange(WINDOW_COUNT), (len(feet), 1))
    upright = rotate_in_tiles(numbers, turn).reshape(-1, WINDOW_COUNT)
    foot, window = np.nonzero(over)
    seen = _window_similarity(
        tiles.pyramid,
        tiles.quads_px[tile_of[foot]],
        reference[foot],
        turn[foot],
        upright[foot, window],
        tiles.references,
    )
    out = np.full(over.shape, np.inf)
    out[foot, window] = seen
    return np.asarray(out.min(axis=1, initial=np.inf))


def examine_mismatched_windows(
    tiles: RankedTiles,
    window_similarity: Floats,
    is_selected: Masks,
    covered: Masks,
    cells: tuple[int, int],
) -> Floats:
    """Examine windows over parts that do not match the face, where a figure may stand undetected.

    Args:
        tiles: Tiles of one photo.
        window_similarity: Shape (n, WINDOW_COUNT), see ``WindowVerdict``.
        is_selected: Shape (n,), True for tiles to examine.
        covered: Shape (n, PART_COUNT), True for parts that a figure hides, as seen in the photo.
        cells: Rows and columns of cells on a tile.

    Returns:
        ``window_similarity`` with that of the examined ones.
    """
    n = np.arange(len(window_similarity))
    face = tiles.ranking.first
    reference, turn = tiles.matches.reference[n, face], tiles.matches.turn[n, face]
    shape = window_similarity.shape
    parts = rotate_in_tiles(tiles.ranking.part_similarity, -turn).reshape(shape)
    hidden = rotate_in_tiles(covered, -turn).reshape(shape)
    over = np.zeros((PARTS_ACROSS, PARTS_ACROSS), bool)
    for row, column in np.ndindex(*cells):
        over[np.ix_(windows_over_cell(row, cells[0]), windows_over_cell(column, cells[1]))] = True
    mismatched = over.ravel() & is_selected[:, None] & ~hidden & (parts < MIN_MATCHING_PART)
    tile, window = np.nonzero(mismatched & (window_similarity == 1))
    out = window_similarity.copy()
    out[tile, window] = _window_similarity(
        tiles.pyramid, tiles.quads_px[tile], reference[tile], turn[tile], window, tiles.references
    )
    return out


def windows_over_cell(cell: int, cells: int) -> list[int]:
    """Return the windows along one side of a tile that lie over a cell, or the nearest one.

    Args:
        cell: Index of the cell along this side.
        cells: Number of cells along this side.
    """
    centres = np.unique(_WINDOW_CENTRES[:, 0]) * cells - cell
    is_over = (centres > ROUNDING_MARGIN) & (centres < 1 - ROUNDING_MARGIN)
    over = np.flatnonzero(is_over).tolist()
    return over or [int(np.abs(centres - 0.5).argmin())]


def rotate_in_tiles(values: NDArray[Scalar], quarters: Ints) -> NDArray[Scalar]:
    """Rotate values of the parts or windows of tiles by quarter turns anticlockwise.

    Args:
        values: Shape (..., PART_COUNT).
        quarters: Quarter turns of each tile, shape (...).

    Returns:
        Shape (..., PARTS_ACROSS, PARTS_ACROSS).
    """
    flat = values.reshape(*quarters.shape, PART_COUNT)
    turned = np.take_along_axis(flat, _TURNED_NUMBERS[quarters % 4], axis=-1)
    return turned.reshape(*quarters.shape, PARTS_ACROSS, PARTS_ACROSS)


def _promote_faces(
    tiles: RankedTiles, indices: Ints, face: Ints, margin_by_windows: Doubles
) -> Ranking:
    """Return the ranking of k tiles with the given faces (k,) and their margins (k,) first."""
    ranking = tiles.ranking.take(indices)
    order, similarity = ranking.order.copy(), ranking.similarity.copy()
    margin, relative_margin = ranking.margin.copy(), ranking.relative_margin.copy()
    part_similarity = ranking.part_similarity.copy()
    for n in np.flatnonzero(face != order[:, 0]).tolist():
        new, tile = int(face[n]), int(indices[n])
        order[n] = [new, *(each for each in order[n].tolist() if each != new)][: order.shape[1]]
        reference = tiles.matches.reference[tile, new], tiles.matches.turn[tile, new]
        known = tiles.references.parts[reference]
        similarity[n] = tiles.matches.similarity[tile, new]
        margin[n], relative_margin[n] = margin_by_windows[n], np.inf
        part_similarity[n] = (tiles.embeddings.parts[tile] * known).sum(axis=1)
    return Ranking(order, similarity, margin, relative_margin, part_similarity)


def _order_by_similarity(tiles: RankedTiles, indices: Ints) -> Ints:
    """Return all faces (k, faces) of k tiles by similarity, but first those that were ranked."""
    first = tiles.ranking.order[indices]
    similarity = tiles.matches.similarity[indices].copy()
    similarity[np.arange(len(indices))[:, None], first] = np.inf
    order = np.argsort(-similarity, axis=1, kind="stable")
    order[:, : first.shape[1]] = first
    return order


def _compare_windows(
    tiles: RankedTiles, indices: Ints, order: Ints, rivals: Ints, covered: Masks
) -> tuple[Floats, Masks]:
    """Compare the windows of tiles with those of faces.

    Args:
        tiles: Tiles of one photo.
        indices: Shape (k,), tiles to examine.
        order: Shape (k, faces), faces of each, likeliest first.
        rivals: Shape (k,), number of faces to compare besides the first.
        covered: Shape (n, PART_COUNT), True for parts that a figure hides, as seen in the photo.

    Returns:
        Similarities (k, faces, WINDOW_COUNT), 1 for hidden windows and -1 for faces not compared;
        and a mask of the hidden windows (k, faces, WINDOW_COUNT).
    """
    tile_similarity = tiles.matches.similarity[indices[:, None], order]
    near = tile_similarity[:, :1] - tile_similarity < MAX_RIVAL_GAP
    ranks = np.arange(order.shape[1])
    compared = (ranks == 0) | near & (ranks <= rivals[:, None])
    k, rank = np.nonzero(compared)
    tile, face = indices[k], order[k, rank]
    reference, turn = tiles.matches.reference[tile, face], tiles.matches.turn[tile, face]
    hidden = np.zeros((*order.shape, WINDOW_COUNT), bool)
    hidden[k, rank] = rotate_in_tiles(covered[tile], -turn).reshape(-1, WINDOW_COUNT)
    similarity = np.full(hidden.shape, -1, np.float32)
    similarity[k, rank] = 1
    n, window = np.nonzero(~hidden[k, rank])
    similarity[k[n], rank[n], window] = _window_similarity(
        tiles.pyramid, tiles.quads_px[tile[n]], reference[n], turn[n], window, tiles.references
    )
    return similarity, hidden


def _window_similarity(
    pyramid: Pyramid,
    quads_px: Floats,
    reference: Ints,
    turn: Ints,
    windows: Ints,
    references: References,
) -> Floats:
    """Return the highest similarity (n,) of a window to the same one of any reference of the face.

    Args:
        pyramid: Pyramid of the photo that shows the tiles.
        quads_px: Shape (n, 4, 2), outlines of the tiles.
        reference: Shape (n,), one reference of each tile's face.
        turn: Shape (n,), quarters anticlockwise by which the tile shows it turned.
        windows: Shape (n,), number of the window.
        references: References of the edition.
    """
    seen = embed_windows(pyramid, quads_px, turn.tolist(), windows.tolist(), embed_quads)
    similarity, faces = np.empty(len(seen), np.float32), references.face_index[reference]
    for face, window in np.unique(np.column_stack([faces, windows]), axis=0).tolist():
        same = np.flatnonzero((faces == face) & (windows == window))
        of_face = references.face_index == face
        known = references.window_vectors[of_face, window].reshape(-1, VECTOR_SIZE)
        similarity[same] = (seen[same] @ known.T).max(axis=1)
    return floats(similarity)
