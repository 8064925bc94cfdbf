"""Confusable faces: those that only good photos distinguish, such as cards that differ by an index.

Three degrees of likeness: the windows of a tile distinguish lookalikes, alike except for a part, in
any photo (``References.are_lookalikes``); confusable faces differ by even less; indistinguishable
ones are refused when they are taught (``vision.teaching.indistinguishable_faces``).

Their difference is of the size of the noise of a comparison, so a tile that seems clear may be
wrong. Whether a photo distinguishes such faces shows in all of its tiles of these faces together:
if they are seen well, nearly every one is far more like one of the faces than like the next.
"""

from typing import Final

import numpy as np

from vision.arrays import Doubles, Ints, Masks
from vision.editions.model import Model
from vision.editions.references import (
    DISCRIMINATIVE_WINDOWS,
    PARTS_WEIGHT,
    References,
    cached_by_references,
    discriminative_windows,
    ranking_margin,
    windows_of_same_drawing,
)
from vision.eye.face_ranking import RankedTiles, embed_windows
from vision.eye.light_fit import colour_costs
from vision.patches.cut import embed_quads
from vision.patches.embedding import PART_COUNT, VECTOR_SIZE

MAX_CONFUSABLE_MARGIN: Final = 0.3
"""Margin below which two faces are so similar that only good photos distinguish them. It is 0.24 at
most between playing cards of one suit, 0.25 between two letters, and 0.36 between faces that differ
by an emblem. Larger: more faces are examined; smaller: noise decides between them unnoticed."""
MIN_MEAN_LEAD_SHARE: Final = 0.48
"""Minimum mean share of the possible lead (0 to 1) that tiles of confusable faces have over the
next of these, less its standard error, for a photo that distinguishes them. In 93 photos of faces
that differ by more, and were all read right, the mean was 0.51 or more, with two exceptions in
noise; in 14 photos of playing cards, of which four in ten were read wrong, 0.41 at most over all
cards; in eight of tiny letters 0.47 at most, less the error. Larger: right tiles are asked about;
smaller: wrong ones are sure."""
LEAD_SHARE_SPREAD: Final = 0.3
"""Standard deviation of this share between tiles of a photo, by which the mean of few is surer or
less sure. Larger: the only tile of such a face is asked about even if it is seen well; smaller: a
few wrong ones that agree by chance are sure."""


@cached_by_references
def confusable_face_groups(references: References) -> tuple[frozenset[int], ...]:
    """Return the groups of faces that are linked by margins below ``MAX_CONFUSABLE_MARGIN``.

    The margin between two faces is that of a typical tile of the first, a median, over the tile of
    the second that it is most similar to, by ``ranking_margin`` and by colour. Empty places count
    as no face.
    """
    colours = references.colours.astype(np.float64)
    colour_margins = colour_costs(colours, colours)
    without_windows = _margins_of_whole_tiles(references) + colour_margins
    near = references.face_index[np.argwhere(without_windows < MAX_CONFUSABLE_MARGIN)]
    groups: list[set[int]] = []
    for first, second in np.unique(near, axis=0).tolist():
        if first == second or None in (references.faces[first], references.faces[second]):
            continue
        ours, theirs = (np.flatnonzero(references.face_index == face) for face in (first, second))
        margins = without_windows[np.ix_(ours, theirs)]
        nearest = margins.min(axis=1)
        typical = int(np.argsort(nearest, kind="stable")[len(nearest) // 2])
        pair = int(ours[typical]), int(theirs[margins[typical].argmin()])
        if nearest[typical] >= MAX_CONFUSABLE_MARGIN:
            continue
        margin = ranking_margin(references, *pair, DISCRIMINATIVE_WINDOWS)
        if margin + colour_margins[pair] < MAX_CONFUSABLE_MARGIN:
            linked = [group for group in groups if group & {first, second}]
            groups = [group for group in groups if group not in linked]
            groups.append({first, second}.union(*linked))
    return tuple(frozenset(group) for group in groups)


def list_confusable_faces(model: Model) -> list[tuple[str, ...]]:
    """List the groups of confusable faces of a model, by name."""
    faces = model.references.faces
    groups = confusable_face_groups(model.references)
    return sorted(tuple(sorted(str(faces[face]) for face in group)) for group in groups)


def _margins_of_whole_tiles(references: References) -> Doubles:
    """Return the part (m, m) of ``ranking_margin`` that whole tiles and their parts contribute."""
    count = len(references.face_index)
    views = references.vectors[:, 0].reshape(-1, VECTOR_SIZE)
    cosine = (references.vectors[:, 0, 0] @ views.T).reshape(count, count, -1).max(axis=2)
    flat = references.parts[:, 0].reshape(count, -1)
    return np.asarray(1 - cosine + PARTS_WEIGHT * (1 - flat @ flat.T / PART_COUNT), np.float64)


def find_undistinguished_tiles(tiles: RankedTiles) -> Masks:
    """Return which tiles (n,) show faces that the photo does not distinguish.

    Each tile of a group of confusable faces is compared with its own face and with the next of the
    group, in the window in which these two differ most.
    """
    undistinguished = np.zeros(len(tiles.embeddings), bool)
    for group in confusable_face_groups(tiles.references):
        mine = np.flatnonzero(np.isin(tiles.ranking.first, list(group)))
        if not len(mine):
            continue
        error = LEAD_SHARE_SPREAD / np.sqrt(len(mine))
        if _mean_lead_share(tiles, mine, group) - error < MIN_MEAN_LEAD_SHARE:
            undistinguished[mine] = True
    return undistinguished


def _mean_lead_share(tiles: RankedTiles, of_group: Ints, group: frozenset[int]) -> float:
    """Return the mean lead of tiles' own faces over the next of a group, as a share of 1.

    The share is 1 where a window is the same as on the tile's face, and 0 where it is as similar to
    the other face.
    """
    matches, references = tiles.matches, tiles.references
    faces = np.array(sorted(group))
    own = tiles.ranking.first[of_group]
    similarity = matches.similarity[np.ix_(of_group, faces)]
    similarity[faces == own[:, None]] = -np.inf
    other = faces[similarity.argmax(axis=1)]
    pairs = [
        (int(matches.reference[tile, first]), int(matches.reference[tile, second]))
        for tile, first, second in zip(of_group, own, other, strict=True)
    ]
    windows = [discriminative_windows(references, *pair)[0] for pair in pairs]
    turns = matches.turn[of_group, own].tolist()
    seen = embed_windows(tiles.pyramid, tiles.quads_px[of_group], turns, windows, embed_quads)
    shares = []
    for pair, window, vector in zip(pairs, windows, seen, strict=True):
        to_own, to_other = (
            float((windows_of_same_drawing(references, reference, window) @ vector).max())
            for reference in pair
        )
        shares.append((to_own - to_other) / max(1 - to_other, 1e-6))
    return float(np.mean(shares))
