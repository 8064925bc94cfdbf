"""Tiles examined through nine windows, which lie over all of them but their edges.

What makes a tile look strange as a whole, such as a reflection, its colour or a figure that stands
on it, leaves some of its windows as they should be; and a figure leaves none under it so.
"""

from dataclasses import replace
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, Masks, floats
from vision.editions.references import WINDOW, WINDOWS, References, consistency
from vision.eye.confidence import (
    CLEAR_CONFIDENCE,
    CLEAR_LEAD,
    CLEAR_MARGIN,
    FEWEST_WINDOWS,
    MIN_EXAMINED_CONFIDENCE,
    MOST_IF_STRANGE,
    SURE_CONFIDENCE,
    confidence_by_windows,
    least_windows,
    mean_of_parts,
    tile_confidence,
)
from vision.eye.consensus import PhotoTiles
from vision.eye.identify import MAX_RIVAL_GAP, Ranking, embed_windows
from vision.patches.cut import Pyramid, embed_quads
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, PARTS_ACROSS, VECTOR_SIZE

WHOLE_SLACK = 0.01
"""A tile this much less similar to its face than any taught one is to the others is examined,"""
WINDOW_SLACK = 0.12
"""and in doubt if its second least similar window is this much less similar than theirs. Smaller:
light makes doubts; larger: a small emblem passes."""
WEAK_SIMILARITY: Final = 0.7
"""Similarity to its face below which a tile is sure by its windows alone."""
MIN_WINDOW_LEAD: Final = 0.1
"""Least lead in mean similarity of windows over the next face, for a tile with little margin to
become surer, and for another face to be shown by a tile on which something stands."""
MAX_ODD_PART: Final = 0.84
"""Similarity of a part of a tile to its face below which the window over it is examined."""
MAX_ODD_WINDOW: Final = 0.72
"""Similarity of such a window below which a figure may stand there unseen. Larger: more cells are
asked about; smaller: figures are missed."""
Kind = TypeVar("Kind", bound=np.generic)
_MIDDLES = WINDOWS + WINDOW / 2


def judge_by_windows(
    tiles: PhotoTiles, evidence: Doubles, covered: Masks, ours: Masks
) -> tuple[Ranking, Doubles, Floats, Doubles]:
    """Judge tiles, those in doubt by all their windows.

    A drawing that is right all over tells its face whatever is odd about the tile. A tile that is
    little like its face, if more than like any other, is sure by its windows alone. One that
    figures hide in part shows the face to which the rest of it is most similar.

    Args:
        tiles: of one photo.
        evidence: (n, 5) of them.
        covered: (n, PART_COUNT) which parts something hides, as the photo lies.
        ours: (n,) whether they lie in a grid of the edition's tiles.

    Returns:
        Their ranking; confidences (n,); similarity of each window of those in doubt to their face,
        upright (n, PART_COUNT), else 1; and ``vision.eye.confidence.least_windows`` of these (n,).
    """
    confidence, ranking = tile_confidence(evidence), tiles.ranking
    windows = np.ones((len(confidence), PART_COUNT), np.float32)
    least = np.ones(len(confidence))
    unclear = confidence < CLEAR_CONFIDENCE
    figured = unclear & covered.any(axis=1)
    strange = (ranking.similarity < WEAK_SIMILARITY) | figured
    doubtful = (confidence > MIN_EXAMINED_CONFIDENCE) & (unclear | strange)
    # Faces that look alike but for a part look right nearly all over
    doubtful &= evidence[:, -1] >= CLEAR_LEAD
    doubtful |= figured
    doubtful &= ours & (tiles.embeddings.whole > MIN_WHOLE)
    which = np.flatnonzero(doubtful)
    judged = np.zeros(len(confidence), bool)
    if len(which):
        # Some faces look right all over when they are turned, such as 6 and 9; and what stands on
        # a tile may put its face behind any other
        order = _by_similarity(tiles, which)
        rivals = np.where(figured, order.shape[1], evidence[:, 1] < CLEAR_MARGIN)[which]
        similarity, hidden = _through_windows(tiles, which, order, rivals, covered)
        n, means = np.arange(len(which)), mean_of_parts(similarity.astype(np.float64), hidden)
        best = np.where(figured[which], means.argmax(axis=1), 0)
        others = np.arange(means.shape[1]) != best[:, None]
        ahead = means[n, best] - np.where(others, means, -1).max(axis=1)
        much = (~hidden[n, best]).sum(axis=1) >= FEWEST_WINDOWS
        best = np.where(much & (ahead > MIN_WINDOW_LEAD), best, 0)
        ranking = ranking.with_rows(doubtful, _with_first(tiles, which, order[n, best], ahead))
        windows[which] = similarity[n, best]
        least[which] = least_windows(similarity[n, best], hidden[n, best])
        least[which[ahead < MIN_WINDOW_LEAD]] = 0.0
        judged[which] = least[which] > 0
        before = confidence[which]
        better = confidence_by_windows(before, least[which])
        kept = (before > SURE_CONFIDENCE) & ~strange[which] | ~judged[which]
        confidence[which] = np.where(kept, before, better)
    capped = np.minimum(confidence, MOST_IF_STRANGE)
    confidence = np.where(strange & ~judged, capped, confidence)
    unlike = _unlike_taught(replace(tiles, ranking=ranking), confidence > SURE_CONFIDENCE, covered)
    return (
        ranking,
        np.where(unlike, np.minimum(confidence, MOST_IF_STRANGE), confidence),
        windows,
        least,
    )


def _unlike_taught(tiles: PhotoTiles, which: Masks, covered: Masks) -> Masks:
    """Whether tiles (n,) differ from the taught ones of their face by more than these do.

    So a face that nobody taught is told from a taught one with another emblem. Only tiles that are
    less similar as a whole than any taught one is to the others are examined through windows.
    """
    face = tiles.ranking.order[:, 0]
    limits = [consistency(tiles.references, int(f)) for f in face]
    lower = [
        asked and limit is not None and similarity < limit[0] - WHOLE_SLACK
        for asked, limit, similarity in zip(which, limits, tiles.ranking.similarity, strict=True)
    ]
    unlike = np.zeros(len(face), bool)
    examined = np.flatnonzero(lower)
    if not len(examined):
        return unlike
    order = _by_similarity(tiles, examined)
    similarity, hidden = _through_windows(
        tiles, examined, order, np.zeros(len(examined), np.intp), covered
    )
    second = np.sort(np.where(hidden[:, 0], 1, similarity[:, 0]), axis=1)[:, 1]
    for n, tile in enumerate(examined.tolist()):
        limit = limits[tile]
        unlike[tile] = limit is not None and second[n] < limit[1] - WINDOW_SLACK
    return unlike


def similarity_under_feet(tiles: PhotoTiles, feet: Floats, tile_of: Ints) -> Doubles:
    """(k,) least similarity to their tiles' faces of the windows in which figures may stand.

    Args:
        tiles: of one photo.
        feet: (k, 2) places in the tiles, as the photo lies, 0 to 1.
        tile_of: (k,) in which tile each is.
    """
    face = tiles.ranking.order[tile_of, 0]
    reference, turn = tiles.matches.reference[tile_of, face], tiles.matches.turn[tile_of, face]
    off = np.abs(feet[:, None] - _MIDDLES).max(axis=2)
    over = off <= np.maximum(off.min(axis=1, keepdims=True), WINDOW / 2)
    numbers = np.tile(np.arange(PART_COUNT), (len(feet), 1))
    upright = turned_parts(numbers, turn).reshape(-1, PART_COUNT)
    foot, place = np.nonzero(over)
    seen = _window_similarity(
        tiles.photo,
        tiles.quads_px[tile_of[foot]],
        reference[foot],
        turn[foot],
        upright[foot, place],
        tiles.references,
    )
    out = np.full(over.shape, np.inf)
    out[foot, place] = seen
    return np.asarray(out.min(axis=1, initial=np.inf))


def examine_odd_windows(
    tiles: PhotoTiles,
    windows: Floats,
    which: Masks,
    covered: Masks,
    cells: tuple[int, int],
) -> Floats:
    """Windows (n, PART_COUNT) with those of some tiles over whose cells something may stand unseen.

    Args:
        tiles: of one photo.
        windows: as ``judge_by_windows`` returns them.
        which: (n,) of these tiles.
        covered: (n, PART_COUNT) which parts something hides, as the photo lies.
        cells: rows and columns of cells that a tile shows.
    """
    n = np.arange(len(windows))
    face = tiles.ranking.order[:, 0]
    reference, turn = tiles.matches.reference[n, face], tiles.matches.turn[n, face]
    parts = turned_parts(tiles.ranking.parts, -turn).reshape(windows.shape)
    hidden = turned_parts(covered, -turn).reshape(windows.shape)
    over = np.zeros((PARTS_ACROSS, PARTS_ACROSS), bool)
    for row, column in np.ndindex(*cells):
        over[np.ix_(windows_over(row, cells[0]), windows_over(column, cells[1]))] = True
    asked = over.ravel() & which[:, None] & ~hidden & (parts < MAX_ODD_PART) & (windows == 1)
    tile, window = np.nonzero(asked)
    out = windows.copy()
    out[tile, window] = _window_similarity(
        tiles.photo, tiles.quads_px[tile], reference[tile], turn[tile], window, tiles.references
    )
    return out


def windows_over(cell: int, cells: int) -> list[int]:
    """Return the windows along a tile of so many cells that lie over one cell, or the nearest."""
    middles = np.unique(_MIDDLES[:, 0]) * cells - cell
    over = np.flatnonzero((middles > 0.01) & (middles < 0.99)).tolist()
    return over or [int(np.abs(middles - 0.5).argmin())]


def turned_parts(parts: NDArray[Kind], quarters: Ints) -> NDArray[Kind]:
    """Turn the values of parts of tiles (..., PART_COUNT) anticlockwise; each becomes a square."""
    out = parts.reshape(*quarters.shape, PARTS_ACROSS, PARTS_ACROSS).copy()
    for tile, by in np.ndenumerate(quarters):
        out[tile] = np.rot90(out[tile], int(by))
    return out


def _with_first(tiles: PhotoTiles, which: Ints, face: Ints, ahead: Doubles) -> Ranking:
    """The ranking of tiles with this face (k,) as the first, so much likelier (k,) than others."""
    ranking = tiles.ranking.take(which)
    order, similarity = ranking.order.copy(), ranking.similarity.copy()
    margin, lead, parts = ranking.margin.copy(), ranking.lead.copy(), ranking.parts.copy()
    for n in np.flatnonzero(face != order[:, 0]).tolist():
        new, tile = int(face[n]), int(which[n])
        order[n] = [new, *(each for each in order[n].tolist() if each != new)][: order.shape[1]]
        reference = tiles.matches.reference[tile, new], tiles.matches.turn[tile, new]
        known = tiles.references.parts[reference]
        similarity[n], margin[n], lead[n] = tiles.matches.similarity[tile, new], ahead[n], np.inf
        parts[n] = (tiles.embeddings.parts[tile] * known).sum(axis=1)
    return Ranking(order, similarity, margin, lead, parts)


def _by_similarity(tiles: PhotoTiles, which: Ints) -> Ints:
    """(k, faces) all faces by similarity, but first those that were ranked."""
    first = tiles.ranking.order[which]
    worth = tiles.matches.similarity[which].copy()
    worth[np.arange(len(which))[:, None], first] = np.inf
    order = np.argsort(-worth, axis=1, kind="stable")
    order[:, : first.shape[1]] = first
    return order


def _through_windows(
    tiles: PhotoTiles, which: Ints, order: Ints, rivals: Ints, covered: Masks
) -> tuple[Floats, Masks]:
    """Similarity of windows of k tiles to those of faces (k, faces), and which are hidden.

    Both are (k, faces, PART_COUNT); -1 for faces beyond so many ``rivals`` (k,) of the first, and
    for those that lie far behind it.
    """
    whole = tiles.matches.similarity[which[:, None], order]
    near = whole[:, :1] - whole < MAX_RIVAL_GAP
    places = np.arange(order.shape[1])
    asked = (places == 0) | near & (places <= rivals[:, None])
    k, place = np.nonzero(asked)
    tile, face = which[k], order[k, place]
    reference, turn = tiles.matches.reference[tile, face], tiles.matches.turn[tile, face]
    hidden = np.zeros((*order.shape, PART_COUNT), bool)
    hidden[k, place] = turned_parts(covered[tile], -turn).reshape(-1, PART_COUNT)
    similarity = np.full(hidden.shape, -1, np.float32)
    similarity[k, place] = 1
    n, window = np.nonzero(~hidden[k, place])
    similarity[k[n], place[n], window] = _window_similarity(
        tiles.photo, tiles.quads_px[tile[n]], reference[n], turn[n], window, tiles.references
    )
    return similarity, hidden


def _window_similarity(
    photo: Pyramid,
    quads_px: Floats,
    reference: Ints,
    turn: Ints,
    windows: Ints,
    references: References,
) -> Floats:
    """(n,) of windows of tiles to those of any reference of a face, upright.

    Args:
        photo: that shows them.
        quads_px: (n, 4, 2) of the tiles.
        reference: (n,) one of the face of each,
        turn: (n,) and in which turn the tile shows it.
        windows: (n,) of each tile the one to examine.
        references: of the edition.
    """
    seen = embed_windows(photo, quads_px, turn.tolist(), windows.tolist(), embed_quads)
    similarity, faces = np.empty(len(seen), np.float32), references.face[reference]
    for face, window in np.unique(np.column_stack([faces, windows]), axis=0).tolist():
        mine = np.flatnonzero((faces == face) & (windows == window))
        known = references.details[references.face == face, window].reshape(-1, VECTOR_SIZE)
        similarity[mine] = (seen[mine] @ known.T).max(axis=1)
    return floats(similarity)
