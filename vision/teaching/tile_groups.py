"""Group the tiles of a table by face, for a person to name the groups.

Clustering by average linkage. The similarity of two tiles is that of a tile and a reference
(``vision.eye.reference_similarity``), less a share of the dissimilarity of their least
similar parts. The threshold is chosen so that a face is split into two groups, which get one name,
rather than two faces mixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints
from vision.editions.learning import embed_turned, embed_window_views
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.quads import MAX_GRID_OVERLAP, overlaps_any
from vision.patches.cut import Pyramid, cut_patches, turn_quads
from vision.patches.embedding import Embeddings
from vision.teaching.find_layout import NoGridError
from vision.teaching.grids_of_any_face import (
    GridOfAnyFace,
    detect_grids_of_any_face,
    find_grids_by_faces,
)
from vision.teaching.tile_similarity import compare_turned, tile_similarity

MIN_OUTWARD_LEAD: Final = 0.3
"""Minimum lead of the turn in which grids face away from the middle of the table most; with less,
the tiles stay as they lie in the photo."""
MIN_WINDOW_SIMILARITY: Final = 0.6
"""Minimum cosine of a window of two tiles of a group that is not mixed. Tiles that differ by a
letter fall below it, and so do one in ten of 105 groups of one face in path-traced photos."""
MAX_COMPARED_TILES: Final = 12
"""Tiles of a group that are compared window by window, the most typical first."""
MIN_INFORMATIVE_COSINE: Final = 0.6
"""Cosine of two tiles above which they count for the turn of their grids to one another. Larger:
too few pairs decide; smaller: unlike tiles do."""
MIN_GROUP_SIMILARITY: Final = 0.6
"""Minimum mean similarity of tiles that are put into one group. Smaller: two faces in one group;
larger: more groups to name."""


@dataclass(frozen=True, slots=True, eq=False)
class TileGroups:
    """Tiles of a photo in groups of one face.

    Attributes:
        quads_px: Shape (n, 4, 2); all tiles of a group lie the same way up.
        embeddings: Embeddings of the n tiles.
        groups: Indices of tiles, the largest group first, the most typical tile of each first.
        mixed: Indices of groups whose tiles differ in a detail and may show several faces.
        is_size_confirmed: Whether a grid of any face was seen whole, with as many rows and columns
            as the game has.
    """

    quads_px: Floats
    embeddings: Embeddings
    groups: tuple[tuple[int, ...], ...]
    mixed: tuple[int, ...] = ()
    is_size_confirmed: bool = True


def group_tiles(pyramid: Pyramid, model: Model) -> TileGroups:
    """Find all grids of a game and group their tiles.

    The photo is searched twice: for grids of tiles of any face, then for those of the faces that
    these show, as any photo of a known edition is.

    Args:
        pyramid: Pyramid of the photo of a table.
        model: Model of the game; it need not know a face.

    Raises:
        NoGridError: No grid is found.
    """
    detected = detect_grids_of_any_face(pyramid, model)
    if not detected:
        raise NoGridError("no grid of tiles is seen in the photo")
    first = _group(pyramid, detected, model)
    numbers = [(tile, str(n)) for n, group in enumerate(first.groups) for tile in group]
    tiles = np.array([tile for tile, _ in numbers])
    names = [name for _, name in numbers]
    grids = find_grids_by_faces(
        pyramid, first.quads_px[tiles], first.embeddings.take(tiles), names, model
    )
    corners_px = [each.corners_px for each in grids]
    grids += [
        each
        for each in detected
        if each.is_seen_whole and not overlaps_any(each.corners_px, corners_px, MAX_GRID_OVERLAP)
    ]
    from_left = sorted(grids or detected, key=lambda each: float(each.corners_px[:, 0].mean()))
    found = _group(pyramid, from_left, model)
    quads_of_groups = [found.quads_px[list(group)] for group in found.groups]
    return replace(
        found,
        mixed=tuple(n for n, quads in enumerate(quads_of_groups) if _is_mixed(pyramid, quads)),
        is_size_confirmed=any(each.is_seen_whole for each in detected),
    )


def _group(pyramid: Pyramid, grids: Sequence[GridOfAnyFace], model: Model) -> TileGroups:
    """Group the tiles of grids, and align those of a group; none is said to be mixed."""
    quads = np.concatenate([each.quads_px for each in grids])
    grid_of = np.repeat(np.arange(len(grids)), [len(each.quads_px) for each in grids])
    turned = embed_turned(cut_patches(pyramid, quads))
    embeddings = turned[0]
    cosine = compare_turned(turned)
    if model.tiles_are_upright:
        grid_turns = _find_grid_turns(cosine, grid_of)
        turns_apart = (grid_turns[None] - grid_turns[:, None]) % TURNS
    else:
        turns_apart = cosine.argmax(axis=2)
    similarity = tile_similarity(turned, cosine, turns_apart)
    groups = _link_by_average(similarity, MIN_GROUP_SIMILARITY)
    if model.tiles_are_upright:
        in_one_turn = turn_quads(quads, -grid_turns)
        aligned = turn_quads(in_one_turn, _find_outward_turns(in_one_turn, grid_of))
    else:
        tile_turns = np.zeros(len(quads), np.intp)
        for group in groups:
            tile_turns[list(group)] = turns_apart[group[0], list(group)]
        aligned = turn_quads(quads, -tile_turns)
    return TileGroups(aligned, embeddings, groups)


def _is_mixed(pyramid: Pyramid, quads: Floats) -> bool:
    """Return whether tiles of a group differ in a window as those of two faces do."""
    if len(quads) == 1:
        return False
    windows = embed_window_views(pyramid, quads[:MAX_COMPARED_TILES])
    similarity = np.einsum("nwd,mwvd->nmwv", windows[:, :, 0], windows).max(axis=3)
    return bool(np.maximum(similarity, similarity.swapaxes(0, 1)).min() < MIN_WINDOW_SIMILARITY)


def _find_grid_turns(cosine: Doubles, grid_of: Ints) -> Ints:
    """Return the quarters clockwise (n,) by which each tile's grid is turned from the first grid.

    Args:
        cosine: Shape (n, n, TURNS), from ``compare_turned``.
        grid_of: Shape (n,), index of the grid of each tile.
    """
    turns = np.zeros(len(grid_of), np.intp)
    known = grid_of == 0
    for number in range(1, int(grid_of.max()) + 1):
        mine = grid_of == number
        sums = np.zeros(TURNS)
        for turn, other in np.ndindex(TURNS, TURNS):
            each = cosine[known & (turns == other)][:, mine][..., (turn - other) % TURNS]
            sums[turn] += float(np.maximum(each - MIN_INFORMATIVE_COSINE, 0).sum())
        turns[mine] = int(sums.argmax())
        known |= mine
    return turns


def _find_outward_turns(quads: Floats, grid_of: Ints) -> Ints:
    """Return the quarters anticlockwise (n,) by which tiles of one orientation are turned.

    People sit round the table, so the lower edges of their grids face away from its middle. For a
    single grid, or without a clear lead, 0.

    Args:
        quads: Shape (n, 4, 2).
        grid_of: Shape (n,), index of the grid of each tile.
    """
    tiles = [quads[grid_of == number].mean(axis=0) for number in range(int(grid_of.max()) + 1)]
    middles = np.array([quad.mean(axis=0) for quad in tiles], np.float64)
    # The direction of a grid near the middle is hardly known, so its length weighs it
    away = middles - middles.mean(axis=0)
    away /= max(float(np.linalg.norm(away, axis=1).sum()), 1e-9)
    # Vectors from the upper to the lower edge, for each turn that the tiles may have
    turned = [np.roll(quad, turn, axis=0) for quad in tiles for turn in range(TURNS)]
    downward = np.array([q[3] + q[2] - q[0] - q[1] for q in turned], np.float64)
    downward /= np.maximum(np.linalg.norm(downward, axis=1, keepdims=True), 1e-9)
    facing = (downward.reshape(len(tiles), TURNS, 2) * away[:, None]).sum(axis=(0, 2))
    second, best = np.sort(facing)[-2:].tolist()
    turn = int(facing.argmax()) if best - second > MIN_OUTWARD_LEAD else 0
    return np.full(len(quads), turn)


def _link_by_average(similarity: Doubles, least: float) -> tuple[tuple[int, ...], ...]:
    """Join the most similar groups, by mean similarity, down to ``least``."""
    mean = similarity.copy()
    np.fill_diagonal(mean, -np.inf)
    groups = [[n] for n in range(len(similarity))]
    while len(groups) > 1:
        a, b = (int(n) for n in np.unravel_index(int(mean.argmax()), mean.shape))
        if mean[a, b] < least:
            break
        first, second = len(groups[a]), len(groups[b])
        both = (mean[a] * first + mean[b] * second) / (first + second)
        mean[a], mean[:, a], mean[a, a] = both, both, -np.inf
        mean[b], mean[:, b] = -np.inf, -np.inf
        groups[a] += groups[b]
        groups[b] = []
    found = [
        tuple(sorted(group, key=lambda n: -float(similarity[n, group].sum())))
        for group in groups
        if group
    ]
    return tuple(sorted(found, key=lambda group: (-len(group), group[0])))
