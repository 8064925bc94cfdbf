"""Votes of a photo's sure tiles on its doubtful ones.

References were photographed in another light and with another camera. The sure tiles of the same
photo show better what a face looks like here. They vote for a tile if it is as similar to sure
tiles of its face as these are to one another, and clearly more similar than to those of any other
face. If a tile that seems sure is hardly more similar, they vote against it. The lead in similarity
is measured as a share of the gap between the two faces: how much more similar their sure tiles are
to their own face than to the other.

A single sure tile of a face can vote for a tile, too. How similar two tiles of one face are in this
photo is then taken from the other faces.
"""

from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, floats
from vision.editions.references import PARTS_WEIGHT, TURNS, discriminative_windows
from vision.eye.confidence import (
    CLEAR_CONFIDENCE,
    CLEAR_MARGIN,
    MIN_EXAMINED_CONFIDENCE,
    SURE_CONFIDENCE,
)
from vision.eye.face_ranking import Embedder, RankedTiles, embed_windows
from vision.eye.light_fit import colour_costs
from vision.patches.cut import embed_quads, embed_quads_averaged, turn_quads
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, Embeddings

MIN_OPPOSING_VOTERS: Final = 2
"""Minimum number of sure tiles of a face for a vote against one that seems sure. Larger: wrong sure
tiles stay sure; smaller: right ones are unsure."""
MIN_RELATIVE_MARGIN: Final = 0.1
"""Minimum ``Ranking.relative_margin`` over a lookalike for the vote of a single tile, or where the
two faces differ in little more than an emblem (``EMBLEM_COSINE``). Larger: more tiles stay unsure;
smaller: wrong votes pass (3 of 28 votes below it were wrong, 2 of 80 up to twice as much)."""
EMBLEM_COSINE: Final = 0.9
"""Cosine of two references above which they differ in little more than an emblem. Smaller: tiles
of faces that voters tell reliably are unsure; larger: wrong votes pass."""
MIN_FACE_GAP: Final = 0.1
"""Minimum gap in similarity between two faces that can be distinguished in this photo; blur makes
the gap smaller. Larger: tiles in blurred photos stay unsure; smaller: noise decides there."""
MAX_ROUNDS: Final = 2
"""Rounds of voting; tiles that got a vote in the first one vote in the second."""
MIN_VOTED_WINDOW: Final = 0.5
"""Minimum ``robust_window_minimum`` of a tile that may get a vote.

Smaller: tiles with an emblem that nobody taught get votes.
"""
MIN_VOTE_LEAD: Final = 0.4
"""Minimum lead over every other face, as a share of the gap between the two, for a vote. Larger:
more tiles stay unsure; smaller: wrong votes pass."""
MIN_VOTE_SIMILARITY: Final = 0.93
"""Minimum similarity to voters of its face, as a share of that among these voters, for a vote.
Larger: more tiles stay unsure; smaller: tiles with untaught emblems get votes."""
MIN_UNOPPOSED_LEAD: Final = 0.2
"""Lead, as a share of the gap, below which other tiles vote against a sure tile."""


def collect_votes(tiles: RankedTiles, confidence: Doubles, window_minimum: Doubles) -> Ints:
    """Let the sure tiles of a photo vote on the others.

    Args:
        tiles: Tiles of one photo.
        confidence: Shape (n,), confidence of each tile by itself; 0 excludes it from voting.
        window_minimum: Shape (n,), see ``windows.WindowVerdict``.

    Returns:
        Shape (n,): 1 for a vote for the tile's face, -1 for one against it, 0 for none.
    """
    is_whole = tiles.embeddings.whole_probability > MIN_WHOLE
    doubtful = (confidence < CLEAR_CONFIDENCE) & (confidence > MIN_EXAMINED_CONFIDENCE) & is_whole
    # A tile with a mismatched window may have an untaught face: it gets only votes against it
    doubtful &= (window_minimum > MIN_VOTED_WINDOW) | (confidence > SURE_CONFIDENCE)
    votes = np.zeros(len(confidence), np.intp)
    sure = (confidence > SURE_CONFIDENCE) & is_whole
    face = tiles.ranking.first
    # Tiles that got a vote may vote for others; none votes for itself
    voters = np.bincount(face[doubtful | sure], minlength=len(tiles.references.faces))
    voted_on = np.flatnonzero(doubtful & (voters[face] > 1))
    if not len(voted_on) or not sure.any():
        return votes
    comparison = _VoterComparison(tiles, voted_on, voters > 0, sure)
    for _ in range(MAX_ROUNDS):
        before = votes.copy()
        may_vote = (sure & (before >= 0)) | (before > 0)
        groups = [np.flatnonzero(may_vote & (face == each)) for each in range(len(voters))]
        for v, tile in enumerate(voted_on.tolist()):
            votes[tile] = comparison.vote(v, groups, confidence[tile])
        if (votes == before).all():
            break
    return votes


class _VoterComparison:
    """Similarities between the tiles voted on and all that may vote; each is embedded once.

    Shapes: n tiles in all, of which v are voted on, each with its k likeliest faces. As indices,
    ``v`` is the number of a tile among those voted on, ``k`` that of one of its faces.

    Args:
        tiles: Tiles of one photo.
        voted_on: Shape (v,), numbers of the tiles to vote on.
        has_voters: Shape (faces,), True for faces of the edition of which some tile may vote.
        sure: Shape (n,), True for tiles that are sure by themselves.
    """

    def __init__(self, tiles: RankedTiles, voted_on: Ints, has_voters: Masks, sure: Masks) -> None:
        self._tiles, self._voted_on = tiles, voted_on
        self._order = tiles.ranking.order[voted_on]
        self._face = tiles.ranking.first
        turn_of_each = tiles.matches.turn[np.arange(len(self._face)), self._face]
        # All voters are compared in the turn of most tiles, so that few must be embedded again
        common_turn = int(np.bincount(turn_of_each).argmax())
        turns_from_common = np.where(
            np.isin(self._face, self._order), (turn_of_each - common_turn) % TURNS, 0
        )
        in_one_turn = _embed_in_one_turn(tiles, turns_from_common)
        self._voter_similarity = _similarities(in_one_turn, in_one_turn)
        np.fill_diagonal(self._voter_similarity, -np.inf)
        # A tile may have another turn for each of its faces; faces without voters are left out
        compared = has_voters[self._order]
        turns_voted_on = np.where(
            compared, np.take_along_axis(tiles.matches.turn[voted_on], self._order, axis=1), -1
        )
        tile_turns, pair_index = np.unique(
            np.column_stack([voted_on[np.nonzero(compared)[0]], turns_voted_on[compared]]),
            axis=0,
            return_inverse=True,
        )
        quads = turn_quads(
            tiles.quads_px[tile_turns[:, 0]], (tile_turns[:, 1] - common_turn) % TURNS
        )
        similarity = _similarities(embed_quads_averaged(tiles.pyramid, quads), in_one_turn)
        similarity[np.arange(len(tile_turns)), tile_turns[:, 0]] = -np.inf
        self._similarity = np.full((*turns_voted_on.shape, similarity.shape[1]), -np.inf)
        self._similarity[compared] = similarity[pair_index.ravel()]
        self._embed_discriminative_windows(turns_voted_on, turn_of_each, sure)

    def _embed_discriminative_windows(
        self, turns_voted_on: Ints, turn_of_each: Ints, sure: Masks
    ) -> None:
        """Embed the window in which a tile's face and each lookalike differ most.

        Args:
            turns_voted_on: Shape (v, k), turn of each tile voted on if it shows this face; -1 for
                a face without voters.
            turn_of_each: Shape (n,), turn of each tile by its likeliest face.
            sure: Shape (n,), True for sure tiles.
        """
        tiles = self._tiles
        references = tiles.references
        reference = np.take_along_axis(tiles.matches.reference[self._voted_on], self._order, axis=1)
        members = {
            face: np.flatnonzero(sure & (self._face == face))
            for face in set(self._order.ravel().tolist())
        }
        self._window: dict[tuple[int, int], int] = {}
        voter_windows: dict[tuple[int, int], None] = {}
        for v, k in np.argwhere(turns_voted_on == turns_voted_on[:, :1]).tolist():
            first, other = int(reference[v, 0]), int(reference[v, k])
            if not k or not references.are_lookalikes(first, other):
                continue
            window = discriminative_windows(references, first, other)[0]
            self._window[v, k] = window
            for face in (self._order[v, 0], self._order[v, k]):
                voter_windows.update(
                    dict.fromkeys((tile, window) for tile in members[int(face)].tolist())
                )
        voted_on_windows = dict.fromkeys((v, window) for (v, _), window in self._window.items())
        quads = tiles.quads_px
        self._voter_vectors = self._embed_windows(
            list(voter_windows), quads, turn_of_each, embed_quads
        )
        self._voted_on_vectors = self._embed_windows(
            list(voted_on_windows),
            quads[self._voted_on],
            turns_voted_on[:, 0],
            embed_quads_averaged,
        )

    def _embed_windows(
        self, tile_windows: list[tuple[int, int]], quads_px: Floats, turn: Ints, embedder: Embedder
    ) -> dict[tuple[int, int], Floats]:
        """Embed windows; return their vectors by the numbers of tile and window."""
        if not tile_windows:
            return {}
        tiles, windows = (list(each) for each in zip(*tile_windows, strict=True))
        vectors = embed_windows(
            self._tiles.pyramid, quads_px[tiles], turn[tiles].tolist(), windows, embedder
        )
        return dict(zip(tile_windows, vectors, strict=True))

    def vote(self, v: int, groups_of_faces: list[Ints], confidence: float) -> int:
        """Return the vote on a tile: 1, -1 or 0.

        Args:
            v: Number of the tile among those voted on.
            groups_of_faces: For each face of the edition, the tiles that may vote for it.
            confidence: Confidence of the tile by itself.
        """
        tile = int(self._voted_on[v])
        groups = [groups_of_faces[face] for face in self._order[v].tolist()]
        groups = [group[group != tile] for group in groups]
        own = groups[0]
        within = self._similarity_within_faces(groups)
        if within is None:
            return 0
        similarity = [
            self._similarity[v, k, group].max(initial=-np.inf) for k, group in enumerate(groups)
        ]
        leads = [
            self._lead(v, k, own, group, similarity[0] - similarity[k], within)
            for k, group in enumerate(groups)
            if k and len(group)
        ]
        if confidence > SURE_CONFIDENCE:
            if len(own) < MIN_OPPOSING_VOTERS:
                return 0
            min_lead = min((lead for lead in leads if lead is not None), default=1)
            return -1 if min_lead < MIN_UNOPPOSED_LEAD else 0
        # With voters for both, it is enough that the references prefer the face at all
        rival_votes = len(groups) > 1 and len(groups[1]) > 0
        is_clear = self._tiles.ranking.margin[tile] > (0 if rival_votes else CLEAR_MARGIN)
        if len(own) == 1 or self._differ_in_emblem(tile, self._order[v, :2]):
            is_clear &= self._tiles.ranking.relative_margin[tile] > MIN_RELATIVE_MARGIN
        is_ahead = bool(leads) and all(lead is not None and lead > MIN_VOTE_LEAD for lead in leads)
        is_similar = similarity[0] > MIN_VOTE_SIMILARITY * within
        return int(is_clear and is_ahead and is_similar)

    def _differ_in_emblem(self, tile: int, faces: Ints) -> bool:
        """Return whether the two likeliest faces of a tile differ in little more than an emblem."""
        if len(faces) < 2:
            return False
        first, second = self._tiles.matches.reference[tile, faces]
        vectors = self._tiles.references.vectors[:, 0, 0]
        return float(vectors[first] @ vectors[second]) > EMBLEM_COSINE

    def _similarity_within_faces(self, groups: list[Ints]) -> float | None:
        """Return how similar the voters of a tile's face, the first group, are to one another.

        A single one has the mean of the other faces; None if that is not known either.
        """
        within = [
            float(self._voter_similarity[np.ix_(group, group)].max(axis=1).mean())
            if len(group) > 1
            else None
            for group in groups
        ]
        known = [each for each in within if each is not None]
        if not len(groups[0]) or not known:
            return None
        return float(np.mean(known)) if within[0] is None else within[0]

    def _lead(
        self, v: int, k: int, own: Ints, rivals: Ints, difference: float, within: float
    ) -> float | None:
        """Return the lead of a tile's face over a rival as a share of the gap between the two.

        Args:
            v: Number of the tile among those voted on.
            k: Number of the rival among its likeliest faces.
            own: Voters of the tile's face.
            rivals: Voters of the rival.
            difference: Lead in similarity of whole tiles.
            within: See ``_similarity_within_faces``.

        Returns:
            Lead; None if the gap is too small in this photo.
        """
        between = float(self._voter_similarity[np.ix_(own, rivals)].max(axis=1).mean())
        gap = max(within - between, 0.0)
        window = self._window.get((v, k))
        if window is not None:
            of_own, of_rivals = (self._windows_of(group, window) for group in (own, rivals))
            if len(of_own) and len(of_rivals) and max(len(of_own), len(of_rivals)) > 1:
                voted_on = self._voted_on_vectors[v, window]
                larger = of_own if len(of_own) > 1 else of_rivals
                same_face = larger @ larger.T
                np.fill_diagonal(same_face, -1)
                other_face = (of_own @ of_rivals.T).max(axis=1).mean()
                difference += float((of_own @ voted_on).max() - (of_rivals @ voted_on).max())
                gap += max(float(same_face.max(axis=1).mean() - other_face), 0.0)
        return difference / gap if gap > MIN_FACE_GAP else None

    def _windows_of(self, group: Ints, window: int) -> Floats:
        """Return the vectors (tiles, VECTOR_SIZE) of a window of those in a group that have it."""
        seen = [self._voter_vectors.get((tile, window)) for tile in group.tolist()]
        return floats([vector for vector in seen if vector is not None])


def _embed_in_one_turn(tiles: RankedTiles, turn: Ints) -> Embeddings:
    """Embed all tiles as if those that are turned lay like the others."""
    turned = turn != 0
    if not turned.any():
        return tiles.embeddings
    quads = turn_quads(tiles.quads_px[turned], turn[turned])
    return tiles.embeddings.with_rows(turned, embed_quads(tiles.pyramid, quads))


def _similarities(tiles: Embeddings, others: Embeddings) -> Doubles:
    """Return the similarities (tiles, others) between tiles of one photo."""
    whole = tiles.vectors @ others.vectors.T
    tile_parts, other_parts = (each.parts.reshape(len(each), -1) for each in (tiles, others))
    parts = tile_parts @ other_parts.T / PART_COUNT
    colours, other_colours = (each.colours.astype(np.float64) for each in (tiles, others))
    return np.asarray(whole + PARTS_WEIGHT * parts - colour_costs(colours, other_colours))
