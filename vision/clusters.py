"""Tiles of a table put into groups of one face, for a person to name.

Two tiles are alike as a tile and a reference are (``vision.identify``), less a share of
how little they are alike where they are least. Groups are joined while their tiles are alike in the
mean: rather two groups of one face, which get the same name, than one of two faces.
"""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Doubles, Floats, Ints, floats
from vision.embedding import Embeddings
from vision.model import Model
from vision.parameters import EyeParameters
from vision.patches import Pyramid, rectified
from vision.placement import locate, place_grids
from vision.references import TURNS
from vision.teach import TEACH_SCALES, NoGridError, covered_px, embed_turned, turn_to_photo

WORTH_COMPARING = 0.6
"""Tiles less alike than this are not compared in all their parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The tiles of a photo in groups.

    Attributes:
        quads_px: (n, 4, 2), so that all tiles of a group lie the same way up.
        embeddings: of the tiles.
        groups: numbers of tiles, the largest group first, the most typical tile of each first.
    """

    quads_px: Floats
    embeddings: Embeddings
    groups: tuple[tuple[int, ...], ...]


def cluster_tiles(photo: Pyramid, model: Model, p: EyeParameters) -> Clusters:
    """Find all grids of a game and put their tiles into groups.

    Args:
        photo: of a table.
        model: of the game; it need not know a face.
        p: the thresholds.

    Raises:
        NoGridError: there is none.
    """
    seen = _grids(photo, model, p)
    quads = np.concatenate(seen)
    grid = np.repeat(np.arange(len(seen)), [len(one) for one in seen])
    patches = rectified(photo, quads)
    turned = embed_turned(patches)
    embeddings = turned[0]
    views = np.stack([look.vectors for look in turned], axis=1)
    drawn = np.einsum("nd,mtd->nmt", embeddings.vectors, views).astype(np.float64)
    if model.upright:
        ways = _ways_up(drawn, grid)
        between = (ways[None] - ways[:, None]) % TURNS
    else:
        between = drawn.argmax(axis=2)
    similarity = np.take_along_axis(drawn, between[..., None], axis=2)[..., 0]
    colours = embeddings.colours.astype(np.float64)
    apart = ((colours[:, None] - colours[None]) ** 2).sum(axis=2)
    similarity -= p.colour_weight * np.minimum(apart, p.most_colour)
    parts = np.stack([look.parts for look in turned], axis=1)[np.arange(len(quads))[None], between]
    same = np.einsum("npd,nmpd->nmp", embeddings.parts, parts)
    similarity -= p.parts_weight * (1 - np.sort(same, axis=2)[..., 1])
    similarity = (similarity + similarity.T) / 2
    groups = _joined(similarity, p.same_group)
    turn = np.zeros(len(quads), np.intp)
    for group in groups:
        turn[list(group)] = between[group[0], list(group)]
    if model.upright:
        turn = ways
    upright = floats(
        [np.roll(quad, -t, axis=0) for quad, t in zip(quads, turn.tolist(), strict=True)]
    )
    return Clusters(upright, embeddings, groups)


def _grids(photo: Pyramid, model: Model, p: EyeParameters) -> list[Floats]:
    """Quads of the tiles of each grid, row by row, the way up that is nearest to the photo's."""
    ways: list[tuple[float, list[Floats]]] = []
    for scale in TEACH_SCALES:
        for found in locate(photo, model.layout, p, scale):
            camera, seen = place_grids(photo, found, model, p)
            tiles = [
                np.roll(s.quads_px, turn_to_photo(s.grid.corners_px(camera)), axis=1)[
                    s.embeddings.whole > p.least_whole
                ]
                for s in seen
            ]
            ways.append((sum(map(covered_px, seen)), [quads for quads in tiles if len(quads)]))
    # A part of a tile may look like one, but then the tiles cover more
    best = max(ways, key=lambda way: way[0], default=(0.0, []))[1]
    if not best:
        raise NoGridError("no grid of tiles is seen in the photo")
    return best


def _ways_up(drawn: Doubles, grid: Ints) -> Ints:
    """Quarters by which each tile lies turned from those of the first grid; one for a grid."""
    ways = np.zeros(len(grid), np.intp)
    known = grid == 0
    for number in range(1, int(grid.max()) + 1):
        mine = grid == number
        sums = [
            sum(
                float(
                    np.maximum(
                        drawn[known & (ways == w)][:, mine][..., (t - w) % TURNS] - WORTH_COMPARING,
                        0,
                    ).sum()
                )
                for w in range(TURNS)
            )
            for t in range(TURNS)
        ]
        ways[mine] = int(np.argmax(sums))
        known |= mine
    return ways


def _joined(similarity: Doubles, least: float) -> tuple[tuple[int, ...], ...]:
    """Groups by average linkage: those most alike are joined as long as that is enough."""
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
