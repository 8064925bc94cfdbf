"""What the sure tiles of a photo say of the others: they lie in the same light.

Taught tiles were seen in another light, by another camera, from elsewhere. The sure tiles of the
photo itself were not, so they tell better what a face looks like here. They vouch for a tile if it
is as alike to those of its face as these are to one another, and clearly more so than to those of
any other face; where it is hardly more so, they speak against it. How much more is measured by how
much more alike sure tiles of the two faces are to their own than to each other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats
from vision.embedding import PARTS, Looks
from vision.identify import (
    TURNS,
    Chosen,
    Identified,
    References,
    colour_cost,
    looked_closer,
    windows_between,
)
from vision.locate import Floats
from vision.parameters import EyeParameters
from vision.patches import Pyramid, look_at, look_steadily

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
FEWEST = 2
"""Fewer sure tiles of a face say nothing."""
LEAST_APART = 0.1
"""Faces that are less far apart in likeness look the same in this photo: it is blurred."""
ROUNDS = 2
"""Who was vouched for may vouch for others once."""


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """The n tiles of a photo, and what they are taken for.

    Attributes:
        photo: that shows them.
        quads_px: (n, 4, 2) where they were looked at.
        looks: of them there.
        said: how alike each is to each face.
        chosen: the likeliest faces.
        references: of the edition.
    """

    photo: Pyramid
    quads_px: Floats
    looks: Looks
    said: Identified
    chosen: Chosen
    references: References


def witnessed(tiles: Tiles, confidence: Doubles, least: Doubles, p: EyeParameters) -> Ints:
    """(n,) 1 where sure tiles vouch for a tile, -1 where they speak against it, else 0.

    Args:
        tiles: of one photo.
        confidence: (n,) how likely each face is right, as it looks by itself.
        least: (n,) see ``vision.confidence.least_windows``; 1 where nobody looked.
        p: the thresholds.
    """
    whole = tiles.looks.whole > p.least_whole
    doubtful = (confidence < p.clearly_sure) & (confidence > p.least_vouched) & whole
    # What is drawn otherwise may be a face that nobody taught: against it they may speak
    doubtful &= (least > p.least_drawn) | (confidence > p.sure)
    told = np.zeros(len(confidence), np.intp)
    sure = (confidence > p.sure) & whole
    face = tiles.chosen.order[:, 0]
    # Who was vouched for may vouch for others; none is asked about itself
    voices = np.bincount(face[doubtful | sure], minlength=len(tiles.references.faces))
    asked = np.flatnonzero(doubtful & (voices[face] > FEWEST))
    if not len(asked) or not sure.any():
        return told
    court = _Court(tiles, asked, voices > 0, sure, p)
    for _ in range(ROUNDS):
        before = told.copy()
        for n, tile in enumerate(asked.tolist()):
            told[tile] = court.verdict(n, sure & (before >= 0) | (before > 0), confidence[tile])
        if (told == before).all():
            break
    return told


class _Court:
    """Hears tiles about others; all that is looked at is looked at once."""

    def __init__(
        self,
        tiles: Tiles,
        asked: Ints,
        have_voices: NDArray[np.bool_],
        sure: NDArray[np.bool_],
        p: EyeParameters,
    ) -> None:
        self._tiles, self._asked, self._p = tiles, asked, p
        self._order = tiles.chosen.order[asked]
        self._face = tiles.chosen.order[:, 0]
        turn = tiles.said.turn[np.arange(len(self._face)), self._face]
        # All that may be heard as most tiles lie, so that few have to be looked at anew
        usual = int(np.bincount(turn).argmax())
        other_way = np.where(np.isin(self._face, self._order), (turn - usual) % TURNS, 0)
        lying = _lying_so(tiles.looks, tiles.photo, tiles.quads_px, other_way)
        self._among = _alike(lying, lying, p)
        np.fill_diagonal(self._among, -np.inf)
        # As each of the faces that it may show, an asked tile may lie otherwise; those that no
        # other tile of the photo may show are not looked at
        heard = have_voices[self._order]
        ways = np.where(heard, np.take_along_axis(tiles.said.turn[asked], self._order, axis=1), -1)
        pairs, which = np.unique(
            np.column_stack([asked[np.nonzero(heard)[0]], ways[heard]]), axis=0, return_inverse=True
        )
        quads = _turned(tiles.quads_px[pairs[:, 0]], (pairs[:, 1] - usual) % TURNS)
        each = _alike(look_steadily(tiles.photo, quads), lying, p)
        each[np.arange(len(pairs)), pairs[:, 0]] = -np.inf
        self._alike = np.full((*ways.shape, each.shape[1]), -np.inf)
        self._alike[heard] = each[which.ravel()]
        self._look_closer(ways, turn, sure)

    def _look_closer(self, ways: Ints, turn: Ints, sure: NDArray[np.bool_]) -> None:
        """At the window in which a tile's face and each rival differ most."""
        tiles, p = self._tiles, self._p
        known = tiles.references
        reference = np.take_along_axis(tiles.said.tile[self._asked], self._order, axis=1)
        members = {
            face: np.flatnonzero(sure & (self._face == face))
            for face in set(self._order.ravel().tolist())
        }
        self._window: dict[tuple[int, int], int] = {}
        wanted: dict[tuple[int, int], None] = {}
        for n, k in np.argwhere(ways == ways[:, :1]).tolist():
            first, other = int(reference[n, 0]), int(reference[n, k])
            if not k or not known.are_kin(first, other, p.kin):
                continue
            window = windows_between(known, first, other, p.kin)[0]
            self._window[n, k] = window
            for face in (self._order[n, 0], self._order[n, k]):
                wanted.update(dict.fromkeys((tile, window) for tile in members[int(face)].tolist()))
        asked = dict.fromkeys((n, window) for (n, _), window in self._window.items())
        quads = tiles.quads_px
        self._closer = self._looked(list(wanted), quads, turn, look_at)
        self._steady = self._looked(list(asked), quads[self._asked], ways[:, 0], look_steadily)

    def _looked(
        self,
        places: list[tuple[int, int]],
        quads: Floats,
        turn: Ints,
        look: Callable[[Pyramid, Floats], Looks],
    ) -> dict[tuple[int, int], Floats]:
        """Closer looks at windows of tiles."""
        if not places:
            return {}
        some, windows = (list(each) for each in zip(*places, strict=True))
        vectors = looked_closer(self._tiles.photo, quads[some], turn[some].tolist(), windows, look)
        return dict(zip(places, vectors, strict=True))

    def verdict(self, n: int, sure: NDArray[np.bool_], confidence: float) -> int:
        """What sure tiles (of all, a mask) say of the asked one with this number."""
        p, tile = self._p, int(self._asked[n])
        groups = [np.flatnonzero(sure & (self._face == face)) for face in self._order[n].tolist()]
        groups = [group[group != tile] for group in groups]
        mine = groups[0]
        if len(mine) < FEWEST:
            return 0
        alike = [self._alike[n, k, group].max(initial=-np.inf) for k, group in enumerate(groups)]
        usual = self._own(mine)
        leads = [
            self._lead(n, k, mine, group, alike[0] - alike[k], usual)
            for k, group in enumerate(groups)
            if k and len(group)
        ]
        if confidence > p.sure:
            return (
                -1 if min((x for x in leads if x is not None), default=1) < p.spoken_against else 0
            )
        known_rival = len(groups) > 1 and len(groups[1]) > 0
        clear = known_rival or self._tiles.chosen.margin[tile] > p.clear_margin
        ahead = bool(leads) and all(lead is not None and lead > p.vouched_lead for lead in leads)
        near = alike[0] > p.vouched_alike * usual
        return int(clear and ahead and near and self._tiles.chosen.margin[tile] > p.vouched_margin)

    def _own(self, group: Ints) -> float:
        """How alike tiles of a face are to the next of it."""
        return float(self._among[np.ix_(group, group)].max(axis=1).mean())

    def _lead(
        self, n: int, k: int, mine: Ints, theirs: Ints, ahead: float, usual: float
    ) -> float | None:
        """How far ahead of a rival a tile's face is, as a share of how far apart the two are.

        None: they look too much alike in this photo to tell.
        """
        apart = max(usual - float(self._among[np.ix_(mine, theirs)].max(axis=1).mean()), 0.0)
        window = self._window.get((n, k))
        if window is not None:
            own, others = (self._closer_at(group, window) for group in (mine, theirs))
            if len(own) >= FEWEST and len(others):
                steady = self._steady[n, window]
                within = own @ own.T
                np.fill_diagonal(within, -1)
                between = (own @ others.T).max(axis=1).mean()
                ahead += float((own @ steady).max() - (others @ steady).max())
                apart += max(float(within.max(axis=1).mean() - between), 0.0)
        return ahead / apart if apart > LEAST_APART else None

    def _closer_at(self, group: Ints, window: int) -> Floats:
        """(k, VECTOR) of those of a group that were looked at there."""
        seen = [self._closer.get((tile, window)) for tile in group.tolist()]
        return floats([vector for vector in seen if vector is not None])


def _turned(quads: Floats, ways: Ints) -> Floats:
    """Quads (n, 4, 2) of tiles that lie turned, each in its way, as if these lay as the others."""
    return floats(
        [np.roll(quad, way, axis=0) for quad, way in zip(quads, ways.tolist(), strict=True)]
    )


def _lying_so(looks: Looks, photo: Pyramid, quads_px: Floats, turn: Ints) -> Looks:
    """Looks at tiles with those that lie turned seen as the others lie."""
    turned = turn != 0
    if not turned.any():
        return looks
    return looks.with_new(turned, look_at(photo, _turned(quads_px[turned], turn[turned])))


def _alike(some: Looks, others: Looks, p: EyeParameters) -> Doubles:
    """(n, m) how alike tiles of one photo look."""
    drawn = some.vectors @ others.vectors.T
    parts = some.parts.reshape(len(some), -1) @ others.parts.reshape(len(others), -1).T / PARTS
    off = some.colours[:, None].astype(np.float64) - others.colours[None]
    return np.asarray(drawn + p.parts_weight * parts - colour_cost(off, p))
