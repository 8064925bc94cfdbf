"""Which face each tile shows: the nearest reference of the edition, light and its colour taken out.

The similarity of a tile and a reference is the cosine of their vectors less what their colours
differ by once the light is taken out. Light is an affine map of log colours, one for a table and
from it one for each grid, found from the tiles themselves: from those whose drawing is known, at
first, then from all. Faces that are nearly as likely are told apart by the parts of the tile, and
by those windows of the tile in which their references differ most.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, ParallelArrays, floats
from vision.editions.references import (
    PARTS_WEIGHT,
    TELLING,
    TURNS,
    VIEWS,
    WINDOW,
    WINDOW_WEIGHT,
    WINDOWS,
    References,
    apart,
    lookalikes_of,
    telling_windows,
)
from vision.eye.confidence import (
    CLEAR_CONFIDENCE,
    CLEAR_LEAD,
    evidence_of,
    mean_of_parts,
    tile_confidence,
)
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads, turn_quads
from vision.patches.embedding import VECTOR_SIZE, Embeddings

Embedder = Callable[[Pyramid, Floats], Embeddings]
SHIFT_GAIN = 1.3
"""A patch cut out so far aside of its place, in tile widths, is by one more similar to the view of
a reference that lies aside to that side than to the one to the other."""
RIVALS = 4
"""So many faces of a tile are compared at most."""
MIN_SIMILARITY: Final = 0.5
"""Least similarity of a tile to a reference that is more than chance: a tile with less is unknown.
Weights of tiles in fits rise from here."""
COLOUR_WEIGHT: Final = 1.5
"""Similarity lost by a unit of squared difference of log colours, brightness apart. Larger: faces
of one drawing are told by colour, and coloured light misleads; smaller: the reverse."""
GREY_WEIGHT: Final = 0.05
"""The same for brightness alone, which depends on light the most."""
MAX_COLOUR_COST: Final = 0.3
"""Most similarity that a difference of colours costs; a shadow may have made it."""
COLOUR_SPREAD: Final = 0.15
"""Spread of the colours of one face in one photo, in logarithms; outliers of a fit of light lie
farther off."""
MAX_RIVAL_GAP: Final = 0.25
"""Lag in similarity up to which a face is compared by windows with the most similar one."""
MIN_FACE_DISTANCE: Final = 0.03
"""Least margin between taught tiles of two faces that can be told apart at all."""
MAX_FACE_DISTANCE: Final = 0.8
"""Most margin between taught tiles of two faces of which a lead is a share; with more, a part
tells."""
MIN_UPRIGHT_MARGIN: Final = 0.03
"""Least lead of a way up over any other, in similarity for each tile, that makes it certain."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches(ParallelArrays):
    """The best view of each face for each of n tiles.

    Attributes:
        similarity: (n, faces) of the tile to it.
        turn: (n, faces) its turn.
        reference: (n, faces) whose view it is.
    """

    similarity: Doubles
    turn: Ints
    reference: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(ParallelArrays):
    """The likeliest faces of each of n tiles.

    Attributes:
        order: (n, k) faces, the likeliest first.
        similarity: (n,) of the tile to the first one.
        margin: (n,) by how much it is likelier than the next face, all together.
        lead: (n,) the same as a share of what a taught tile of that face would be likelier, of
            ``most_apart`` at most, where the two look alike but for a part; infinite for others.
        parts: (n, PART_COUNT) similarity of the tile's parts to those of that face.
    """

    order: Ints
    similarity: Doubles
    margin: Doubles
    lead: Doubles
    parts: Doubles

    def evidence(self, covered: Masks) -> Doubles:
        """(n, 5) see ``vision.eye.confidence``; of half hidden tiles (n, PART_COUNT)."""
        return evidence_of(self.similarity, self.margin, self.lead, self.parts, covered)


@dataclass(frozen=True, slots=True)
class Light:
    """What light makes of log colours: affine maps, one for a table or one for each grid.

    Attributes:
        matrix: (..., 3, 3).
        shift: (..., 1, 3).
    """

    matrix: Doubles
    shift: Doubles

    @classmethod
    def none(cls) -> "Light":
        """The light by which all was taught."""
        return cls(np.eye(3), np.zeros((1, 3)))

    def on(self, colours: Doubles) -> Doubles:
        """Colours (..., n, 3) as they look in it."""
        return np.asarray(colours @ self.matrix + self.shift)


def fit_light(before: Doubles, after: Doubles, weights: Doubles, like: Light) -> Light:
    """The light that makes colours (..., n, 3) others, robustly; with few of them, one like it."""
    light, used = like, weights
    for step in range(5):
        total = used.sum(axis=-1)[..., None, None]
        share = used[..., None, :] / (total + 1e-9)
        a, b = share @ before, share @ after
        x, y = before - a, after - b
        held = (x * used[..., None]).swapaxes(-1, -2)
        matrix = like.matrix + np.linalg.solve(held @ x + np.eye(3), held @ (y - x @ like.matrix))
        few = 2 / (2 + total)
        shift = b * (1 - few) + like.on(a) * few - a @ matrix
        light = Light(matrix, shift)
        off = ((after - light.on(before)) ** 2).sum(axis=-1)
        # What is far off at first may be so by the light
        spread = max(COLOUR_SPREAD, 0.6 / 2**step)
        used = weights / (1 + off / spread**2)
    return light


def cosines(embeddings: Embeddings, references: References) -> Floats:
    """(n, m, TURNS): of tiles and references, by the best view."""
    many, _, views, _ = references.vectors.shape
    if not many or not len(embeddings):
        return np.full((len(embeddings), many, TURNS), -1.0, np.float32)
    similarity = np.empty((len(embeddings), many, TURNS), np.float32)
    for turn in range(TURNS):  # one after the other, which takes less memory
        flat = references.vectors[:, turn].reshape(-1, VECTOR_SIZE)
        of_views = (flat @ embeddings.vectors.T).reshape(many, views, len(embeddings))
        similarity[:, :, turn] = of_views.max(axis=1).T
    return similarity


def similarities(embeddings: Embeddings, references: References, grids: int = 1) -> Floats:
    """(n, m, TURNS): of the tiles of one photo to the references.

    Args:
        embeddings: of the tiles, grid by grid: a lamp's reflection may lie on one of them.
        references: of the edition.
        grids: how many, with as many tiles each.
    """
    drawn = cosines(embeddings, references)
    seen, own = embeddings.colours.astype(np.float64), references.colours.astype(np.float64)
    best = np.maximum.reduce([drawn[:, :, turn] for turn in range(TURNS)])
    whole = np.clip(embeddings.whole, 0.1, 1).astype(np.float64)
    cost = np.zeros(best.shape)
    for last in (False, False, True):
        similarity = best - cost
        weights = np.clip((similarity.max(axis=1) - MIN_SIMILARITY) / 0.3, 0.02, 1) * whole
        nearest = own[similarity.argmax(axis=1)]
        light = fit_light(nearest, seen, weights, Light.none())
        if last and grids > 1:
            before, after = (v.reshape(grids, -1, 3) for v in (nearest, seen))
            light = fit_light(before, after, weights.reshape(grids, -1), light)
        lit = light.on(own).reshape(-1, len(own), 3)
        cost = colour_costs(seen.reshape(len(lit), -1, 3), lit).reshape(cost.shape)
    return drawn - floats(cost)[..., None]


def colour_costs(some: Doubles, others: Doubles) -> Doubles:
    """(..., n, m) what differences of log colours (..., n, 3), (..., m, 3) cost in similarity."""
    grey, colour = np.sqrt([GREY_WEIGHT, COLOUR_WEIGHT])
    weigh = np.eye(3) * colour + (grey - colour) / 3
    a, b = some @ weigh, others @ weigh
    squares = (a**2).sum(axis=-1)[..., None] + (b**2).sum(axis=-1)[..., None, :]
    off = squares - 2 * a @ b.swapaxes(-1, -2)
    return np.asarray(np.clip(off, 0, MAX_COLOUR_COST))


def offsets_by_views(
    embeddings: Embeddings, similarity: Floats, references: References
) -> tuple[Doubles, Doubles]:
    """How far right and down of their place patches were cut out, each by itself.

    Args:
        embeddings: n tiles.
        similarity: (n, m, TURNS) of them.
        references: of the edition, each in its place and aside of it.

    Returns:
        (n, 2) in tile widths, and (n,) how much each of these tells, 0 to 1.
    """
    tile, turn = np.divmod(similarity.reshape(len(similarity), -1).argmax(axis=1), TURNS)
    views = references.vectors[tile, turn]
    each = np.einsum("nd,nvd->nv", embeddings.vectors, views).astype(np.float64)
    away = SHIFT_GAIN * (each[:, 1:] @ np.sign(VIEWS[1:])) / 2
    for n, quarters in enumerate(turn.tolist()):
        for _ in range(quarters):
            away[n] = away[n, 1], -away[n, 0]
    return np.asarray(away), np.clip((each.max(axis=1) - MIN_SIMILARITY) / 0.3, 0, 1)


def best_matches(references: References, similarity: Floats, turns: tuple[int, ...]) -> Matches:
    """The best reference of each face in one of these turns."""
    count, tiles = len(references.faces), np.arange(len(similarity))
    best, turn_of = similarity[:, :, turns[0]], np.full(similarity.shape[:2], turns[0])
    for turn in turns[1:]:
        better = similarity[:, :, turn] > best
        best = np.where(better, similarity[:, :, turn], best)
        turn_of[better] = turn
    out = Matches(
        np.full((len(tiles), count), -1.0),
        np.zeros((len(tiles), count), np.intp),
        np.zeros((len(tiles), count), np.intp),
    )
    for face in range(count):
        own = np.flatnonzero(references.face == face)
        if len(own):
            nearest = own[best[:, own].argmax(axis=1)]
            out.similarity[:, face] = best[tiles, nearest]
            out.turn[:, face] = turn_of[tiles, nearest]
            out.reference[:, face] = nearest
    return out


def turn_scores(similarity: Floats, whole: Floats) -> Doubles:
    """(TURNS,) the sum over tiles of their similarity to references, weighted by ``whole``."""
    return np.asarray((similarity.max(axis=1) * whole[:, None]).sum(axis=0), np.float64)


def rank_faces(
    photo: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    matches: Matches,
    references: References,
    covered: Masks,
    *,
    embedder: Embedder = embed_quads,
) -> Ranking:
    """The likeliest faces of tiles, parts and windows considered.

    Faces that look alike but for a part are told apart by the windows in which they differ
    most, one after the other until it is clear which face it is.

    Args:
        photo: that shows them.
        quads_px: (n, 4, 2).
        embeddings: of them.
        matches: of them to each face.
        references: of the edition.
        covered: (n, PART_COUNT) which parts of them something hides.
        embedder: of the windows.
    """
    n = np.arange(len(embeddings))[:, None]
    order = np.argsort(-matches.similarity, axis=1, kind="stable")[:, :RIVALS]
    reference, turn = matches.reference[n, order], matches.turn[n, order]
    parts = np.einsum("npd,nkpd->nkp", embeddings.parts, references.parts[reference, turn])
    similarity = matches.similarity[n, order]
    rivals = _Rivals(order, similarity, reference, turn, np.asarray(parts, np.float64))
    score = rivals.similarity + PARTS_WEIGHT * mean_of_parts(rivals.parts, covered[:, None])
    whole = score[:, :, None] - score[:, None]
    by_windows = np.zeros(whole.shape)
    lookalikes = _lookalikes(rivals, score, references)
    for step in range(TELLING):
        ranking = _ranked(rivals, whole, by_windows, references)
        evidence = ranking.evidence(covered)
        clear = (tile_confidence(evidence) > CLEAR_CONFIDENCE) & (evidence[:, -1] > CLEAR_LEAD)
        lookalikes = {n: faces for n, faces in lookalikes.items() if not clear[n]}
        if not lookalikes:
            return ranking
        by_windows += WINDOW_WEIGHT * _window_scores(
            photo, quads_px, rivals, lookalikes, step, references, embedder
        )
    return _ranked(rivals, whole, by_windows, references)


@dataclass(frozen=True, slots=True, eq=False)
class _Rivals:
    """The k likeliest faces of n tiles as a whole.

    Attributes:
        order: (n, k) faces.
        similarity: (n, k) of the tiles to them.
        reference: (n, k) that has it,
        turn: (n, k) in which turn.
        parts: (n, k, PART_COUNT) similarity of the tiles' parts to those of these.
    """

    order: Ints
    similarity: Doubles
    reference: Ints
    turn: Ints
    parts: Doubles


def _ranked(
    rivals: _Rivals, whole: Doubles, by_windows: Doubles, references: References
) -> Ranking:
    """The ranking by how much each face is likelier than each other one (n, k, k).

    As a whole, and by windows.
    """
    tiles, count = np.arange(len(whole)), whole.shape[1]
    better = whole + by_windows
    # What speaks against a face counts twice where whole and windows disagree
    against = np.where(whole * by_windows < 0, np.minimum(np.abs(whole), np.abs(by_windows)), 0.0)
    some = np.arange(count)
    better[:, some, some] = np.inf
    worth = better.min(axis=2)
    first = worth.argmax(axis=1)
    rest = np.argsort(-worth, axis=1, kind="stable")
    ahead = (better - against)[tiles, first]
    margin = ahead.min(axis=1) if count > 1 else np.ones(len(whole))
    two = tiles[:, None], np.stack([first, ahead.argmin(axis=1)], axis=1)
    return Ranking(
        rivals.order[tiles[:, None], rest],
        rivals.similarity[tiles, first],
        np.asarray(margin, np.float64),
        _lead(margin, rivals.reference[two], rivals.turn[two], references),
        rivals.parts[tiles, first],
    )


def _lead(margin: Doubles, reference: Ints, turn: Ints, references: References) -> Doubles:
    """See ``Ranking``; of the references (n, 2) of the face and its rival, in these turns."""
    lead = np.full(len(margin), np.inf)
    two_in_one_turn = (turn[:, 0] == turn[:, 1]) & (reference[:, 0] != reference[:, 1])
    for n in np.flatnonzero(two_in_one_turn).tolist():
        first, second = reference[n].tolist()
        if references.are_lookalikes(first, second):
            most = apart(references, first, second)
            lead[n] = margin[n] / min(most, MAX_FACE_DISTANCE) if most > MIN_FACE_DISTANCE else 0.0
    return lead


def _lookalikes(rivals: _Rivals, score: Doubles, references: References) -> dict[int, list[int]]:
    """Of each tile that may show one of several faces that look alike but for a part: these faces.

    They are places in ``_Rivals.order``, the likeliest first.
    """
    near = score.max(axis=1, keepdims=True) - score < MAX_RIVAL_GAP
    lookalikes: dict[int, list[int]] = {}
    for n in np.flatnonzero(near.sum(axis=1) > 1).tolist():
        first = int(score[n].argmax())
        reference, turn = rivals.reference[n].tolist(), rivals.turn[n].tolist()
        faces = [
            k
            for k in np.argsort(-score[n], kind="stable").tolist()
            if near[n, k]
            and turn[k] == turn[first]
            and references.are_lookalikes(reference[first], reference[k])
        ]
        if len(faces) > 1:
            lookalikes[n] = faces
    return lookalikes


def embed_windows(
    photo: Pyramid,
    quads_px: Floats,
    turns: Sequence[int],
    windows: Sequence[int],
    embedder: Embedder,
) -> Floats:
    """(n, VECTOR_SIZE) of one of the windows of each tile (n, 4, 2) that lies turned so."""
    where = floats(UNIT_SQUARE * WINDOW + WINDOWS[list(windows)][:, None])
    return embedder(photo, points_in_quads(turn_quads(quads_px, turns), where)).vectors


def _window_scores(
    photo: Pyramid,
    quads_px: Floats,
    rivals: _Rivals,
    lookalikes: Mapping[int, list[int]],
    step: int,
    references: References,
    embedder: Embedder,
) -> Doubles:
    """(n, k, k) by how much a window favours each of a tile's faces over each other one.

    Of those in which the two likeliest differ most, it is that whose turn it is.
    """
    out = np.zeros((*rivals.reference.shape, rivals.reference.shape[1]))
    tiles = list(lookalikes)
    asked = {n: [int(rivals.reference[n, k]) for k in faces] for n, faces in lookalikes.items()}
    windows = [
        telling_windows(references, first, second)[step] for first, second, *_ in asked.values()
    ]
    turns = [int(rivals.turn[n, faces[0]]) for n, faces in lookalikes.items()]
    vectors = embed_windows(photo, quads_px[tiles], turns, windows, embedder)
    for n, window, vector in zip(tiles, windows, vectors, strict=True):
        known = (lookalikes_of(references, one) for one in asked[n])
        seen = np.array([(references.details[some, window] @ vector).max() for some in known])
        out[n, np.array(lookalikes[n])[:, None], lookalikes[n]] = seen[:, None] - seen
    return out
