"""Ranking of faces: the likeliest faces of each tile.

Faces are ranked by the similarity of a tile and its parts to their references
(``reference_similarity``); lookalikes of nearly equal score are distinguished by those windows of
the tile in which their references differ most.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, ParallelArrays, floats
from vision.editions.references import (
    DISCRIMINATIVE_WINDOWS,
    PARTS_WEIGHT,
    WINDOW,
    WINDOW_WEIGHT,
    WINDOWS,
    References,
    discriminative_windows,
    ranking_margin,
    windows_of_same_drawing,
)
from vision.eye.confidence import (
    SURE_CONFIDENCE_MOTION_BLURRED,
    TileEvidence,
    mean_uncovered,
    tile_confidence,
    tile_evidence,
)
from vision.eye.reference_similarity import similarities
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads, turn_quads
from vision.patches.embedding import PART_COUNT, Embeddings

Embedder = Callable[[Pyramid, Floats], Embeddings]
"""Function that embeds the quads (n, 4, 2) of a photo."""
MAX_RIVALS: Final = 4
"""Maximum number of faces that are compared for a tile. Larger: more windows are embedded; smaller:
the right face may not be compared."""
MAX_RIVAL_GAP: Final = 0.25
"""Maximum lag in similarity of a face that is compared with the most similar one by windows.
Larger: more windows are embedded; smaller: a face that light has dimmed is not compared."""
MIN_CLEAR_CONFIDENCE: Final = SURE_CONFIDENCE_MOTION_BLURRED
"""Minimum confidence of a tile of which no further window is compared with its lookalikes; at least
that of a sure one in any photo. Larger: more windows are embedded; smaller: overexposed tiles are
surely taken for a lookalike."""
MIN_CLEAR_RELATIVE_MARGIN: Final = 0.5
"""Minimum relative margin of such a tile over a lookalike. Larger: more windows are embedded;
smaller: an emblem that differs is not looked at."""
MIN_FACE_MARGIN: Final = 0.03
"""Minimum margin between the references of two faces that can be distinguished at all. Larger:
faces with small differences stay in doubt; smaller: noise decides between them."""
MAX_FACE_MARGIN: Final = 0.8
"""Upper bound of the references' margin in ``Ranking.relative_margin``."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches(ParallelArrays):
    """Best reference of each face for each of n tiles.

    Attributes:
        similarity: Shape (n, faces), similarity of the tile to the reference.
        turn: Shape (n, faces), quarter turns anticlockwise of the reference.
        reference: Shape (n, faces), index of the reference.
    """

    similarity: Doubles
    turn: Ints
    reference: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(ParallelArrays):
    """Likeliest faces of each of n tiles.

    Attributes:
        order: Shape (n, k), indices of faces, likeliest first.
        similarity: Shape (n,), similarity of the tile to the first face.
        margin: Shape (n,), least lead of the first face over any other that was compared, less what
            tile and windows say against it where they disagree.
        relative_margin: Shape (n,), ``margin`` as a share of the margin that the first face's own
            reference has over the next face (``references.ranking_margin``, ``MAX_FACE_MARGIN``
            at most) in as many windows, if the two look alike in one turn; 0 if that is
            ``MIN_FACE_MARGIN`` or less; infinite for other faces.
        part_similarity: Shape (n, PART_COUNT), similarity of the tile's parts to those of the first
            face.
    """

    order: Ints
    similarity: Doubles
    margin: Doubles
    relative_margin: Doubles
    part_similarity: Doubles

    @property
    def first(self) -> Ints:
        """Index of the likeliest face (n,)."""
        return self.order[:, 0]

    def evidence(self, covered: Masks) -> TileEvidence:
        """Return the evidence about the likeliest faces, given covered parts (n, PART_COUNT)."""
        return tile_evidence(
            self.similarity, self.margin, self.relative_margin, self.part_similarity, covered
        )


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTiles:
    """The n tiles of a photo, matched with the references of an edition.

    Attributes:
        pyramid: Pyramid of the photo that shows the tiles.
        quads_px: Shape (n, 4, 2), the tiles aligned with their references; their windows are cut
            out there.
        embeddings: Embeddings of the tiles.
        matches: Matches of each tile with each face.
        references: References of the edition.
    """

    pyramid: Pyramid
    quads_px: Floats
    embeddings: Embeddings
    matches: Matches
    references: References

    def ranked(self, ranking: Ranking) -> "RankedTiles":
        """Return the tiles with their likeliest faces."""
        return RankedTiles(
            self.pyramid, self.quads_px, self.embeddings, self.matches, self.references, ranking
        )


@dataclass(frozen=True, slots=True, eq=False)
class RankedTiles(MatchedTiles):
    """The n tiles of a photo with their likeliest faces.

    Attributes:
        ranking: Likeliest faces.
    """

    ranking: Ranking


def match_in_any_turn(
    references: References, similarity: Floats, turns: tuple[int, ...]
) -> Matches:
    """Match each tile with the best reference of each face in any of some turns."""
    best, turn_of = similarity[:, :, turns[0]], np.full(similarity.shape[:2], turns[0])
    for turn in turns[1:]:
        better = similarity[:, :, turn] > best
        best = np.where(better, similarity[:, :, turn], best)
        turn_of[better] = turn
    return _best_of_faces(references, best, turn_of)


def match_in_given_turns(references: References, similarity: Floats, turns: Ints) -> Matches:
    """Match each tile with the best reference of each face in a turn that is given for it (n,)."""
    in_turn = similarity[np.arange(len(turns)), :, turns]
    return _best_of_faces(references, in_turn, np.repeat(turns[:, None], in_turn.shape[1], axis=1))


def _best_of_faces(references: References, similarity: Floats, turn: Ints) -> Matches:
    """Return the best reference of each face, given similarities and turns (n, m)."""
    shape, tiles = (len(similarity), len(references.faces)), np.arange(len(similarity))
    out = Matches(np.full(shape, -1.0), np.zeros(shape, np.intp), np.zeros(shape, np.intp))
    for face in range(len(references.faces)):
        own = np.flatnonzero(references.face_index == face)
        if len(own):
            nearest = own[similarity[:, own].argmax(axis=1)]
            out.similarity[:, face] = similarity[tiles, nearest]
            out.turn[:, face] = turn[tiles, nearest]
            out.reference[:, face] = nearest
    return out


def rank_faces(tiles: MatchedTiles, covered: Masks, *, embedder: Embedder = embed_quads) -> Ranking:
    """Rank the faces of tiles by whole tiles, parts and windows.

    Lookalikes are distinguished by the windows in which they differ most, one after the other
    until one face is clear.

    Args:
        tiles: Tiles of one photo.
        covered: Shape (n, PART_COUNT), True for parts that a figure hides.
        embedder: Function that embeds windows.
    """
    matches, references = tiles.matches, tiles.references
    n = np.arange(len(tiles.embeddings))[:, None]
    order = np.argsort(-matches.similarity, axis=1, kind="stable")[:, :MAX_RIVALS]
    reference, turn = matches.reference[n, order], matches.turn[n, order]
    parts = np.einsum("npd,nkpd->nkp", tiles.embeddings.parts, references.parts[reference, turn])
    similarity = matches.similarity[n, order]
    rivals = _Rivals(order, similarity, reference, turn, np.asarray(parts, np.float64))
    score = rivals.similarity + PARTS_WEIGHT * mean_uncovered(
        rivals.part_similarity, covered[:, None]
    )
    tile_leads = score[:, :, None] - score[:, None]
    window_leads = np.zeros(tile_leads.shape)
    window_counts = np.zeros(len(score), np.intp)
    lookalikes = _lookalikes(rivals, score, references)
    for step in range(DISCRIMINATIVE_WINDOWS):
        ranking = _ranked(rivals, tile_leads, window_leads, window_counts, references)
        evidence = ranking.evidence(covered)
        is_confident = tile_confidence(evidence) > MIN_CLEAR_CONFIDENCE
        clear = is_confident & (evidence.relative_margin > MIN_CLEAR_RELATIVE_MARGIN)
        lookalikes = {n: faces for n, faces in lookalikes.items() if not clear[n]}
        if not lookalikes:
            return ranking
        window_leads += WINDOW_WEIGHT * _leads_in_window(tiles, rivals, lookalikes, step, embedder)
        window_counts[list(lookalikes)] += 1
    return _ranked(rivals, tile_leads, window_leads, window_counts, references)


def rank_pieces(
    pyramid: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    references: References,
    turns: Sequence[int],
) -> RankedTiles:
    """Match n single tiles or pieces with references in some turns, and rank their faces."""
    matches = match_in_any_turn(references, similarities(embeddings, references), tuple(turns))
    matched = MatchedTiles(pyramid, quads_px, embeddings, matches, references)
    return matched.ranked(rank_faces(matched, np.zeros((len(embeddings), PART_COUNT), bool)))


@dataclass(frozen=True, slots=True, eq=False)
class _Rivals:
    """The k faces most similar to each of n tiles as a whole.

    Attributes:
        order: Shape (n, k), faces.
        similarity: Shape (n, k), similarity of the tile to the face.
        reference: Shape (n, k), the face's best reference.
        turn: Shape (n, k), quarters anticlockwise of that reference.
        part_similarity: Shape (n, k, PART_COUNT), similarity of the tile's parts to those of the
            reference.
    """

    order: Ints
    similarity: Doubles
    reference: Ints
    turn: Ints
    part_similarity: Doubles


def _ranked(
    rivals: _Rivals,
    tile_leads: Doubles,
    window_leads: Doubles,
    window_counts: Ints,
    references: References,
) -> Ranking:
    """Rank faces by their leads over each other.

    Args:
        rivals: Faces.
        tile_leads: Shape (n, k, k), lead of a face over another one by tile and parts.
        window_leads: Shape (n, k, k), the same by windows.
        window_counts: Shape (n,), number of windows of each tile that were compared.
        references: References of the edition.
    """
    tiles, count = np.arange(len(tile_leads)), tile_leads.shape[1]
    leads = tile_leads + window_leads
    # Evidence against a face counts twice where tile and windows disagree
    contradiction = np.where(
        tile_leads * window_leads < 0,
        np.minimum(np.abs(tile_leads), np.abs(window_leads)),
        0.0,
    )
    itself = np.arange(count)
    leads[:, itself, itself] = np.inf
    least_lead = leads.min(axis=2)
    first = least_lead.argmax(axis=1)
    order = np.argsort(-least_lead, axis=1, kind="stable")
    leads_of_first = (leads - contradiction)[tiles, first]
    margin = leads_of_first.min(axis=1) if count > 1 else np.ones(len(tile_leads))
    pair = tiles[:, None], np.stack([first, leads_of_first.argmin(axis=1)], axis=1)
    return Ranking(
        rivals.order[tiles[:, None], order],
        rivals.similarity[tiles, first],
        np.asarray(margin, np.float64),
        _relative_margin(
            margin, rivals.reference[pair], rivals.turn[pair], window_counts, references
        ),
        rivals.part_similarity[tiles, first],
    )


def _relative_margin(
    margin: Doubles, reference: Ints, turn: Ints, window_counts: Ints, references: References
) -> Doubles:
    """Compute ``Ranking.relative_margin`` for references (n, 2) of the first face and its rival."""
    relative = np.full(len(margin), np.inf)
    is_comparable = (turn[:, 0] == turn[:, 1]) & (reference[:, 0] != reference[:, 1])
    for n in np.flatnonzero(is_comparable).tolist():
        first, second = reference[n].tolist()
        if references.are_lookalikes(first, second):
            distance = ranking_margin(references, first, second, int(window_counts[n]))
            is_distinct = distance > MIN_FACE_MARGIN
            relative[n] = margin[n] / min(distance, MAX_FACE_MARGIN) if is_distinct else 0.0
    return relative


def _lookalikes(rivals: _Rivals, score: Doubles, references: References) -> dict[int, list[int]]:
    """Return the lookalikes among the rivals of each tile that has any.

    Faces are columns of ``_Rivals.order``, likeliest first.
    """
    near = score.max(axis=1, keepdims=True) - score < MAX_RIVAL_GAP
    lookalikes: dict[int, list[int]] = {}
    for n in np.flatnonzero(near.sum(axis=1) > 1).tolist():
        first = int(score[n].argmax())
        reference, turn = rivals.reference[n].tolist(), rivals.turn[n].tolist()
        faces = [
            column
            for column in np.argsort(-score[n], kind="stable").tolist()
            if near[n, column]
            and turn[column] == turn[first]
            and references.are_lookalikes(reference[first], reference[column])
        ]
        if len(faces) > 1:
            lookalikes[n] = faces
    return lookalikes


def embed_windows(
    pyramid: Pyramid,
    quads_px: Floats,
    turns: Sequence[int],
    windows: Sequence[int],
    embedder: Embedder,
) -> Floats:
    """Embed one window of each tile.

    Args:
        pyramid: Pyramid of the photo that shows the tiles.
        quads_px: Shape (n, 4, 2).
        turns: Quarters anticlockwise by which each tile lies turned.
        windows: Number of the window of each upright tile.
        embedder: Function that embeds the windows.

    Returns:
        Vectors (n, VECTOR_SIZE).
    """
    corners = floats(UNIT_SQUARE * WINDOW + WINDOWS[list(windows)][:, None])
    return embedder(pyramid, points_in_quads(turn_quads(quads_px, turns), corners)).vectors


def _leads_in_window(
    tiles: MatchedTiles,
    rivals: _Rivals,
    lookalikes: Mapping[int, list[int]],
    step: int,
    embedder: Embedder,
) -> Doubles:
    """Return the leads (n, k, k) of a tile's lookalikes over each other in one window.

    ``step`` counts through the windows in which the two likeliest faces differ most.
    """
    out = np.zeros((*rivals.reference.shape, rivals.reference.shape[1]))
    references, which = tiles.references, list(lookalikes)
    references_of = {
        n: [int(rivals.reference[n, column]) for column in columns]
        for n, columns in lookalikes.items()
    }
    windows = [
        discriminative_windows(references, first, second)[step]
        for first, second, *_ in references_of.values()
    ]
    turns = [int(rivals.turn[n, columns[0]]) for n, columns in lookalikes.items()]
    vectors = embed_windows(tiles.pyramid, tiles.quads_px[which], turns, windows, embedder)
    for n, window, vector in zip(which, windows, vectors, strict=True):
        similarity = np.array(
            [
                (windows_of_same_drawing(references, each, window) @ vector).max()
                for each in references_of[n]
            ]
        )
        out[n, np.array(lookalikes[n])[:, None], lookalikes[n]] = similarity[:, None] - similarity
    return out
