"""What the sure tiles of a photo say of the others: they lie in the same light.

Taught tiles were seen in another light, by another camera, from elsewhere. The sure tiles of the
photo itself were not, so they tell better what a face looks like here. They vote for a tile if it
is as similar to those of its face as these are to one another, and clearly more so than to those of
any other face; where it is hardly more so, they vote against it. How much more is measured by how
much more similar sure tiles of the two faces are to their own than to each other.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, floats
from vision.editions.references import PARTS_WEIGHT, TURNS, References, telling_windows
from vision.eye.confidence import (
    CLEAR_CONFIDENCE,
    CLEAR_MARGIN,
    MIN_EXAMINED_CONFIDENCE,
    SURE_CONFIDENCE,
)
from vision.eye.identify import Embedder, Matches, Ranking, colour_costs, embed_windows
from vision.patches.cut import Pyramid, embed_quads, embed_quads_averaged, turn_quads
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, Embeddings

FEWEST = 2
"""Fewer sure tiles of a face say nothing."""
LEAST_APART = 0.1
"""Faces that are less far apart in similarity look the same in this photo: it is blurred."""
ROUNDS = 2
"""A tile that was voted for may vote for others once."""
MIN_VOTED_WINDOW: Final = 0.5
"""Least similarity of the third least similar window of a tile that may be voted for. Smaller: an
emblem that nobody taught is voted for."""
MIN_VOTE_LEAD: Final = 0.4
"""Least lead in similarity to voters of its face over those of any other, as a share of how far
apart the two faces are, for a vote for a tile."""
MIN_VOTE_SIMILARITY: Final = 0.93
"""Least similarity to voters of its face for a vote for a tile, as a share of how similar these are
to one another."""
MIN_VOTE_MARGIN: Final = 0.02
"""Least margin (``Ranking.margin``) by itself of a tile that is voted for."""
MIN_UNOPPOSED_LEAD: Final = 0.2
"""Lead below which other tiles vote against a tile that is sure by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoTiles:
    """The n tiles of a photo, and what they are taken for.

    Attributes:
        photo: that shows them.
        quads_px: (n, 4, 2) where they were embedded.
        embeddings: of them there.
        matches: of each to each face.
        ranking: their likeliest faces.
        references: of the edition.
    """

    photo: Pyramid
    quads_px: Floats
    embeddings: Embeddings
    matches: Matches
    ranking: Ranking
    references: References


def consensus(tiles: PhotoTiles, confidence: Doubles, least: Doubles) -> Ints:
    """(n,) 1 where sure tiles vote for a tile, -1 where they vote against it, else 0.

    Args:
        tiles: of one photo.
        confidence: (n,) how likely each face is right by the tile alone; 0: it has no vote.
        least: (n,) see ``vision.eye.confidence.least_windows``; 1 where none was examined.
    """
    whole = tiles.embeddings.whole > MIN_WHOLE
    doubtful = (confidence < CLEAR_CONFIDENCE) & (confidence > MIN_EXAMINED_CONFIDENCE) & whole
    # What is drawn otherwise may be a face that nobody taught: against it they may vote
    doubtful &= (least > MIN_VOTED_WINDOW) | (confidence > SURE_CONFIDENCE)
    votes = np.zeros(len(confidence), np.intp)
    sure = (confidence > SURE_CONFIDENCE) & whole
    face = tiles.ranking.order[:, 0]
    # What was voted for may vote for others; none votes for itself
    voters = np.bincount(face[doubtful | sure], minlength=len(tiles.references.faces))
    asked = np.flatnonzero(doubtful & (voters[face] > FEWEST))
    if not len(asked) or not sure.any():
        return votes
    electorate = _Electorate(tiles, asked, voters > 0, sure)
    for _ in range(ROUNDS):
        before = votes.copy()
        for n, tile in enumerate(asked.tolist()):
            may_vote = sure & (before >= 0) | (before > 0)
            votes[tile] = electorate.vote(n, may_vote, confidence[tile])
        if (votes == before).all():
            break
    return votes


class _Electorate:
    """The tiles of a photo compared with those that are asked about; each is embedded once."""

    def __init__(self, tiles: PhotoTiles, asked: Ints, has_voters: Masks, sure: Masks) -> None:
        self._tiles, self._asked = tiles, asked
        self._order = tiles.ranking.order[asked]
        self._face = tiles.ranking.order[:, 0]
        turn = tiles.matches.turn[np.arange(len(self._face)), self._face]
        # All that may vote in the turn of most tiles, so that few have to be embedded anew
        usual = int(np.bincount(turn).argmax())
        off = np.where(np.isin(self._face, self._order), (turn - usual) % TURNS, 0)
        in_one_turn = _embedded_turned(tiles, off)
        self._among = _similarities(in_one_turn, in_one_turn)
        np.fill_diagonal(self._among, -np.inf)
        # As each of the faces that it may show, an asked tile may lie otherwise; faces that no
        # other tile of the photo may show are left out
        compared = has_voters[self._order]
        turns = np.where(
            compared, np.take_along_axis(tiles.matches.turn[asked], self._order, axis=1), -1
        )
        pairs, which = np.unique(
            np.column_stack([asked[np.nonzero(compared)[0]], turns[compared]]),
            axis=0,
            return_inverse=True,
        )
        quads = turn_quads(tiles.quads_px[pairs[:, 0]], (pairs[:, 1] - usual) % TURNS)
        each = _similarities(embed_quads_averaged(tiles.photo, quads), in_one_turn)
        each[np.arange(len(pairs)), pairs[:, 0]] = -np.inf
        self._similarity = np.full((*turns.shape, each.shape[1]), -np.inf)
        self._similarity[compared] = each[which.ravel()]
        self._embed_telling_windows(turns, turn, sure)

    def _embed_telling_windows(self, turns: Ints, turn: Ints, sure: Masks) -> None:
        """Embed the window in which a tile's face and each rival differ most."""
        tiles = self._tiles
        known = tiles.references
        reference = np.take_along_axis(tiles.matches.reference[self._asked], self._order, axis=1)
        members = {
            face: np.flatnonzero(sure & (self._face == face))
            for face in set(self._order.ravel().tolist())
        }
        self._window: dict[tuple[int, int], int] = {}
        wanted: dict[tuple[int, int], None] = {}
        for n, k in np.argwhere(turns == turns[:, :1]).tolist():
            first, other = int(reference[n, 0]), int(reference[n, k])
            if not k or not known.are_lookalikes(first, other):
                continue
            window = telling_windows(known, first, other)[0]
            self._window[n, k] = window
            for face in (self._order[n, 0], self._order[n, k]):
                wanted.update(dict.fromkeys((tile, window) for tile in members[int(face)].tolist()))
        asked = dict.fromkeys((n, window) for (n, _), window in self._window.items())
        quads = tiles.quads_px
        self._of_voters = self._embedded(list(wanted), quads, turn, embed_quads)
        self._of_asked = self._embedded(
            list(asked), quads[self._asked], turns[:, 0], embed_quads_averaged
        )

    def _embedded(
        self, places: list[tuple[int, int]], quads_px: Floats, turn: Ints, embedder: Embedder
    ) -> dict[tuple[int, int], Floats]:
        """Vectors by number of a tile and of its window."""
        if not places:
            return {}
        some, windows = (list(each) for each in zip(*places, strict=True))
        vectors = embed_windows(
            self._tiles.photo, quads_px[some], turn[some].tolist(), windows, embedder
        )
        return dict(zip(places, vectors, strict=True))

    def vote(self, n: int, may_vote: Masks, confidence: float) -> int:
        """What those of all tiles that may vote say of the asked one with this number."""
        tile = int(self._asked[n])
        groups = [
            np.flatnonzero(may_vote & (self._face == face)) for face in self._order[n].tolist()
        ]
        groups = [group[group != tile] for group in groups]
        own = groups[0]
        if len(own) < FEWEST:
            return 0
        similarity = [
            self._similarity[n, k, group].max(initial=-np.inf) for k, group in enumerate(groups)
        ]
        usual = float(self._among[np.ix_(own, own)].max(axis=1).mean())
        leads = [
            self._lead(n, k, own, group, similarity[0] - similarity[k], usual)
            for k, group in enumerate(groups)
            if k and len(group)
        ]
        if confidence > SURE_CONFIDENCE:
            least = min((lead for lead in leads if lead is not None), default=1)
            return -1 if least < MIN_UNOPPOSED_LEAD else 0
        margin = self._tiles.ranking.margin[tile]
        rival_votes = len(groups) > 1 and len(groups[1]) > 0
        clear = rival_votes or margin > CLEAR_MARGIN
        ahead = bool(leads) and all(lead is not None and lead > MIN_VOTE_LEAD for lead in leads)
        near = similarity[0] > MIN_VOTE_SIMILARITY * usual
        return int(clear and ahead and near and margin > MIN_VOTE_MARGIN)

    def _lead(
        self, n: int, k: int, own: Ints, rivals: Ints, ahead: float, usual: float
    ) -> float | None:
        """How far ahead of a rival a tile's face is, as a share of how far apart the two are.

        None: they look too much alike in this photo to tell.
        """
        apart = max(usual - float(self._among[np.ix_(own, rivals)].max(axis=1).mean()), 0.0)
        window = self._window.get((n, k))
        if window is not None:
            ours, theirs = (self._windows_of(group, window) for group in (own, rivals))
            if len(ours) >= FEWEST and len(theirs):
                seen = self._of_asked[n, window]
                within = ours @ ours.T
                np.fill_diagonal(within, -1)
                between = (ours @ theirs.T).max(axis=1).mean()
                ahead += float((ours @ seen).max() - (theirs @ seen).max())
                apart += max(float(within.max(axis=1).mean() - between), 0.0)
        return ahead / apart if apart > LEAST_APART else None

    def _windows_of(self, group: Ints, window: int) -> Floats:
        """(k, VECTOR_SIZE) of those of a group of which this one was embedded."""
        seen = [self._of_voters.get((tile, window)) for tile in group.tolist()]
        return floats([vector for vector in seen if vector is not None])


def _embedded_turned(tiles: PhotoTiles, turn: Ints) -> Embeddings:
    """Embeddings of all tiles, of those that lie turned as if they lay as the others."""
    turned = turn != 0
    if not turned.any():
        return tiles.embeddings
    quads = turn_quads(tiles.quads_px[turned], turn[turned])
    return tiles.embeddings.with_rows(turned, embed_quads(tiles.photo, quads))


def _similarities(some: Embeddings, others: Embeddings) -> Doubles:
    """(n, m) of tiles of one photo to one another."""
    whole = some.vectors @ others.vectors.T
    parts = some.parts.reshape(len(some), -1) @ others.parts.reshape(len(others), -1).T / PART_COUNT
    ours, theirs = (each.colours.astype(np.float64) for each in (some, others))
    return np.asarray(whole + PARTS_WEIGHT * parts - colour_costs(ours, theirs))
