"""The reference grid: one tile of each face as a square, whose order and way up are checked."""

from dataclasses import replace
from enum import Enum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.editions.edition import FACES, EditionError
from vision.editions.learning import embed_turned
from vision.editions.model import Model
from vision.editions.references import TURNS, References
from vision.errors import Message
from vision.eye.identify import best_matches, rank_faces, similarities
from vision.eye.locate import MIN_TILE_PROBABILITY
from vision.patches.cut import Pyramid, cut_patches, embed_quads
from vision.patches.embedding import PART_COUNT
from vision.photo.load import Photo
from vision.teaching.examples import refuse_if_dark
from vision.teaching.find_layout import LocatedLayout, NoGridError, find_layout
from vision.teaching.layout import Layout

KNOWN = 0.75
"""Tiles at least so similar to those of a known look are of that look."""
MOST_UNREAD = 2
"""Tiles that need not be known in their places to say which way up the grid lies."""
LEAST_ADVANTAGE = 0.15
"""How much further into its corner of the photo than any other tile the first one must lie, as a
share of the grid's size."""
ALIKE_TAVERNS = 0.75
"""Four tiles of such a cosine to one another are the taverns of one print ..."""
CLEARLY_ALIKE = 0.04
"""... if none of the other tiles comes as near to one of them, by so much."""
_TAVERNS = frozenset(face.value for face in FACES if face.is_tavern)

HOW_TO_LAY = Message(
    "lay one single tile of each face as 3 x 3, edge to edge and all upright, in the order "
    "shop, factory, tavern-food / tavern-bed, tavern-music, tavern-drink / office, park, house"
)


class PhotoCorner(Enum):
    """A corner of the photo, and the way there from its middle (x, y)."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_RIGHT = "bottom-right"
    BOTTOM_LEFT = "bottom-left"

    @property
    def way(self) -> NDArray[np.float32]:
        """Unit vector."""
        vertical, horizontal = self.value.split("-")
        steps = [1 if horizontal == "right" else -1, 1 if vertical == "bottom" else -1]
        return floats(steps) / floats(np.sqrt(2))


def find_reference(
    photo: Photo,
    laid: LocatedLayout,
    layout: Layout,
    known: References,
    shop_at: PhotoCorner | None,
    *,
    given: bool = False,
) -> tuple[LocatedLayout, bool, tuple[str, ...]]:
    """Find which way up the grid lies.

    A known look tells which of the four ways to turn the grid is right, and each tile is checked to
    be the one that belongs in its place. Else the user has to say it.

    Args:
        photo: that shows it.
        laid: the grid.
        layout: a square of faces, each once.
        known: looks of its faces.
        shop_at: in which corner of the grid, as the photo shows it, the first face lies; None: as
            read.
        given: whether a person has said where its corners lie, from that of the first face on.

    Returns:
        Where it lies, upright; whether the faces were known, and so their order was checked; and
        those that were not.

    Raises:
        EditionError: ``teach-too-dark``, ``teach-wrong-order`` or ``teach-which-way``.
    """
    name, faces = photo.name, [str(face) for row in layout for face in row]
    quads = laid.quads_px.reshape(-1, 4, 2)
    shown, turns, similarity = _recognised(photo, quads, known, tuple(range(TURNS)))
    orders = [
        np.rot90(np.arange(len(faces)).reshape(len(layout), -1), -t).ravel() for t in range(TURNS)
    ]
    fits = [
        int(((shown[order] == faces) & (turns[order] == turn) & (similarity[order] >= KNOWN)).sum())
        for turn, order in enumerate(orders)
    ]
    turn = int(np.argmax(fits))
    is_known = fits[turn] >= len(faces) - MOST_UNREAD
    middles = quads.mean(axis=1)
    reach = None if shop_at is None else _reach(middles, orders, shop_at)
    if is_known:
        sure = [n for n in range(len(faces)) if similarity[orders[turn][n]] >= KNOWN]
        for expected, place in ((faces[n], orders[turn][n]) for n in sure):
            if turns[place] != turn:
                raise _not_upright(expected, name)
            if shown[place] != expected:
                what = Message(
                    "{face} lies where {expected} belongs", face=shown[place], expected=expected
                )
                raise _wrong_order(what, name)
        if shop_at is not None and reach and reach[turn] < max(reach) - LEAST_ADVANTAGE:
            raise EditionError(
                "teach-which-way",
                "the shop is not the tile at the {corner}: leave out --shop-at",
                name,
                corner=shop_at.value,
            )
    else:
        refuse_if_dark(photo.image_bgr, name)
        if int((similarity >= KNOWN).sum()) >= len(faces) - MOST_UNREAD:
            raise _wrong_order(Message("the tiles do not lie in their order"), name)
        turn = 0 if given and reach is None else _told_turn(reach, name)
    strange = tuple(
        face
        for face, seen in zip(faces, similarity[orders[turn]].tolist(), strict=True)
        if not is_known or seen < KNOWN
    )
    return replace(laid, turn=(laid.turn + turn) % TURNS), is_known, strange


def _told_turn(reach: list[float] | None, name: str) -> int:
    """The turn in which the first tile lies where somebody said."""
    if reach is None:
        raise EditionError(
            "teach-which-way",
            "this look is new, so the way up cannot be read: say in which corner of the grid the "
            "shop lies in the photo, such as --shop-at top-left",
            name,
        )
    first, second = sorted(reach, reverse=True)[:2]
    if first - second < LEAST_ADVANTAGE:
        raise EditionError(
            "teach-which-way",
            "the grid lies so askew that its corners cannot be told apart: "
            "turn it along the edges of the photo",
            name,
        )
    return reach.index(first)


def only_grid(photo: Photo, layout: Layout, model: Model) -> LocatedLayout:
    """The only grid of so many tiles.

    Raises:
        EditionError: ``teach-no-grid``, ``teach-incomplete``, ``teach-ambiguous`` or
            ``teach-too-dark``.
    """
    shape = len(layout), len(layout[0])
    try:
        laid = find_layout(Pyramid(photo.image_bgr), shape, model)
    except NoGridError as error:
        refuse_if_dark(photo.image_bgr, photo.name)
        raise EditionError(
            "teach-no-grid", "no grid of tiles found: {advice}", photo.name, advice=HOW_TO_LAY
        ) from error
    whole = int((laid.placed.grid.seen > MIN_TILE_PROBABILITY).sum())
    if whole < shape[0] * shape[1]:
        raise EditionError(
            "teach-incomplete",
            "only {most} of 9 tiles can be made out as one grid: move them together, light them "
            "evenly and take the photo from above",
            photo.name,
            most=whole,
        )
    if not (laid.placed.certain or laid.placed.alone):
        raise EditionError(
            "teach-ambiguous",
            "more tiles lie together than the nine to learn: take the others away",
            photo.name,
        )
    return laid


def _recognised(
    photo: Photo, quads: Floats, known: References, may_lie: tuple[int, ...]
) -> tuple[NDArray[np.str_], NDArray[np.intp], NDArray[np.float64]]:
    """What tiles are among known ones, how each lies turned anticlockwise, and its similarity."""
    pyramid = Pyramid(photo.image_bgr)
    embeddings = embed_quads(pyramid, quads)
    matches = best_matches(known, similarities(embeddings, known), may_lie)
    bare = np.zeros((len(embeddings), PART_COUNT), bool)
    ranking = rank_faces(pyramid, quads, embeddings, matches, known, bare)
    first = ranking.order[:, 0]
    names = np.array([str(name) for name in known.faces])
    return names[first], matches.turn[np.arange(len(first)), first], ranking.similarity


def _reach(middles: Floats, orders: list[NDArray[np.intp]], corner: PhotoCorner) -> list[float]:
    """How far towards a corner of the photo the shop lies for each turn, in sizes of the grid."""
    ways = [middles[order[0]] - middles.mean(axis=0) for order in orders]
    size = max(float(np.hypot(*way)) for way in ways)
    return [float(way @ corner.way) / size for way in ways]


def check_same_faces(photo: Photo, laid: LocatedLayout, layout: Layout, known: References) -> None:
    """Refuse a grid whose tiles look like others among those that were taught before, if all were.

    Raises:
        EditionError: ``teach-photos-differ``.
    """
    names = [str(name) for row in layout for name in row]
    if not {*names} <= {*known.faces}:
        return
    quads = laid.quads_px.reshape(-1, 4, 2)
    shown, *_ = _recognised(photo, quads, known, (0,))
    if shown.tolist() != names:
        for turn in range(1, TURNS):
            if _recognised(photo, quads, known, (turn,))[0].tolist() == names:
                raise EditionError(
                    "teach-photos-differ",
                    "an earlier photo taught these tiles lying on a side or upside down: learn "
                    "them anew, with --replace",
                    photo.name,
                )
    for name, other in zip(names, shown.tolist(), strict=True):
        if other != name:
            raise EditionError(
                "teach-photos-differ",
                "the tile {face} looks like {other} of an earlier photo: give photos of the same "
                "tiles in the same order",
                photo.name,
                face=name,
                other=other,
            )


def check_taverns(photo: Photo, laid: LocatedLayout, layout: Layout) -> None:
    """Refuse a grid whose taverns lie in wrong places, in a print where they are nearly alike.

    This finds a wrong order, and a wrong way up, of a look that is not known. Prints whose taverns
    differ as much as other faces are let pass.

    Raises:
        EditionError: ``teach-wrong-order``.
    """
    names = [str(name) for row in layout for name in row]
    patches = cut_patches(Pyramid(photo.image_bgr), laid.quads_px.reshape(-1, 4, 2))
    turned = [embeddings.vectors for embeddings in embed_turned(patches)]
    similarity = np.stack([turned[0] @ vectors.T for vectors in turned])
    best = similarity.max(axis=0)
    for four in combinations(range(len(names)), len(_TAVERNS)):
        others = [n for n in range(len(names)) if n not in four]
        least = min(float(best[pair]) for pair in combinations(four, 2))
        if least >= max(ALIKE_TAVERNS, float(best[np.ix_(four, others)].max()) + CLEARLY_ALIKE):
            break
    else:
        return
    if {names[n] for n in four} != _TAVERNS:
        what = Message("the four tiles that look nearly alike do not lie where the taverns belong")
        raise _wrong_order(what, photo.name)
    for tavern in four:
        sisters = [n for n in four if n != tavern]
        if int(similarity[:, sisters, tavern].sum(axis=1).argmax()) != 0:
            raise _not_upright(names[tavern], photo.name)


def _not_upright(face: str, name: str) -> EditionError:
    return _wrong_order(Message("the tile {expected} does not lie upright", expected=face), name)


def _wrong_order(what: str, name: str) -> EditionError:
    return EditionError("teach-wrong-order", "{what}: {advice}", name, what=what, advice=HOW_TO_LAY)
