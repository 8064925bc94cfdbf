"""Reference grid: one tile of each face as a square, whose order and orientation are checked."""

from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.editions.edition import BETWEEN_TWO_CITIES_FACES, EditionError
from vision.editions.learning import embed_turned
from vision.editions.model import Model
from vision.editions.references import TURNS, References
from vision.eye.face_ranking import rank_pieces
from vision.message import Message
from vision.patches.cut import Pyramid, cut_patches, embed_quads
from vision.photo.load import Photo
from vision.teaching.find_layout import LocatedLayout, NoGridError, count_tiles, find_layout
from vision.teaching.layout import Layout
from vision.teaching.tile_quality import refuse_if_dark

MIN_BUILT_IN_SIMILARITY: Final = 0.75
"""Minimum similarity to a reference of the built-in edition at which a tile is one of that edition.
Larger: tiles of the built-in edition in dim light count as new; smaller: new tiles count as that
edition's."""
MAX_UNRECOGNISED: Final = 2
"""Maximum number of tiles that are not recognised in a grid of the built-in edition; with more, the
tiles are new."""
MIN_CORNER_LEAD: Final = 0.15
"""Minimum lead of the first tile over other corner tiles towards its corner of the photo, in sizes
of the grid."""
MIN_TAVERN_COSINE: Final = 0.75
"""Minimum cosine of four tiles to one another that makes them the taverns. Larger: wrong orders
pass; smaller: other tiles are taken for taverns, and right grids refused."""
MIN_TAVERN_LEAD: Final = 0.04
"""Minimum lead of that cosine over that of any other tile to one of the four."""
_TAVERNS = frozenset(face.value for face in BETWEEN_TWO_CITIES_FACES if face.is_tavern)

HOW_TO_LAY = Message(
    "lay one single tile of each kind as 3 x 3, edge to edge and all upright, in the order shop, "
    "factory, tavern-food / tavern-bed, tavern-music, tavern-drink / office, park, house"
)


class PhotoCorner(Enum):
    """Corner of a photo."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_RIGHT = "bottom-right"
    BOTTOM_LEFT = "bottom-left"

    @property
    def direction(self) -> NDArray[np.float32]:
        """Unit vector (x, y) from the middle of the photo."""
        vertical, horizontal = self.value.split("-")
        steps = [1 if horizontal == "right" else -1, 1 if vertical == "bottom" else -1]
        return floats(steps) / floats(np.sqrt(2))


_CORNER_NAMES: Final = {
    PhotoCorner.TOP_LEFT: Message("top left"),
    PhotoCorner.TOP_RIGHT: Message("top right"),
    PhotoCorner.BOTTOM_RIGHT: Message("bottom right"),
    PhotoCorner.BOTTOM_LEFT: Message("bottom left"),
}


def orient_reference_grid(
    photo: Photo,
    located: LocatedLayout,
    layout: Layout,
    known: References,
    first_face_corner: PhotoCorner | None,
    *,
    corners_given: bool = False,
) -> tuple[LocatedLayout, bool, tuple[str, ...]]:
    """Turn a located reference grid upright.

    Tiles of the built-in edition show which of the four turns is right, and each is checked to be
    the one that belongs in its place. For new tiles a person has to say where the first face lies.

    Args:
        photo: Photo of the grid.
        located: Places of the grid in the photo.
        layout: Square of faces, each once.
        known: References of the built-in edition.
        first_face_corner: Corner of the grid, as the photo shows it, where the first face lies;
            None if nobody has named it.
        corners_given: Whether a person has given the corners, beginning with that of the first
            face.

    Returns:
        Places of the upright grid; whether its tiles are those of the built-in edition, so that
        their order was checked; and the faces whose tiles are not.

    Raises:
        EditionError: ``teach-too-dark``, ``teach-wrong-order`` or ``teach-which-way``.
    """
    name, faces = photo.name, [str(face) for row in layout for face in row]
    quads = located.quads_px.reshape(-1, 4, 2)
    tiles = _recognise(photo, quads, known, tuple(range(TURNS)))
    orders = [
        np.rot90(np.arange(len(faces)).reshape(len(layout), -1), -t).ravel() for t in range(TURNS)
    ]
    fits = [tiles.count_fitting(faces, order, turn) for turn, order in enumerate(orders)]
    turn = int(np.argmax(fits))
    is_known = fits[turn] >= len(faces) - MAX_UNRECOGNISED
    leads = (
        None
        if first_face_corner is None
        else _leads_towards_corner(quads.mean(axis=1), orders, first_face_corner)
    )
    if is_known:
        _refuse_wrong_order(tiles, faces, orders[turn], turn, name)
        if first_face_corner is not None and leads and leads[turn] < max(leads) - MIN_CORNER_LEAD:
            raise EditionError(
                "teach-which-way",
                "the shop is not the tile at the {corner}: leave out --shop-at",
                name,
                corner=_CORNER_NAMES[first_face_corner],
            )
    else:
        refuse_if_dark(photo.image_bgr, name)
        if int(tiles.is_sure.sum()) >= len(faces) - MAX_UNRECOGNISED:
            raise _wrong_order(Message("the tiles do not lie in their order"), name)
        turn = 0 if corners_given and leads is None else _turn_by_corner(leads, name)
    unknown = tuple(
        face
        for face, is_sure in zip(faces, tiles.is_sure[orders[turn]].tolist(), strict=True)
        if not (is_known and is_sure)
    )
    return replace(located, turn=(located.turn + turn) % TURNS), is_known, unknown


def _refuse_wrong_order(
    tiles: "_RecognisedTiles", faces: list[str], order: NDArray[np.intp], turn: int, name: str
) -> None:
    """Refuse a grid with a recognised tile that lies turned, or where another one belongs.

    Args:
        tiles: Tiles of the grid.
        faces: Face that belongs in each place of the upright grid.
        order: Index of the tile in each of these places.
        turn: Quarters anticlockwise by which the grid lies turned.
        name: Name of the photo.

    Raises:
        EditionError: ``teach-wrong-order``.
    """
    for expected, tile in zip(faces, order.tolist(), strict=True):
        if not tiles.is_sure[tile]:
            continue
        if tiles.turns[tile] != turn:
            raise _not_upright(expected, name)
        if tiles.faces[tile] != expected:
            problem = Message(
                "{face} lies where {expected} belongs", face=tiles.faces[tile], expected=expected
            )
            raise _wrong_order(problem, name)


def _turn_by_corner(leads: list[float] | None, name: str) -> int:
    """Return the turn with which the first tile lies in the corner that a person named.

    Args:
        leads: Result of ``_leads_towards_corner``; None if nobody has named a corner.
        name: Name of the photo.

    Raises:
        EditionError: ``teach-which-way``.
    """
    if leads is None:
        raise EditionError(
            "teach-which-way",
            "this look is new, so the way up cannot be read: say in which corner of the grid the "
            "shop lies in the photo, such as --shop-at top-left",
            name,
        )
    first, second = sorted(leads, reverse=True)[:2]
    if first - second < MIN_CORNER_LEAD:
        raise EditionError(
            "teach-which-way",
            "the grid lies so askew that its corners cannot be told apart: "
            "turn it along the edges of the photo",
            name,
        )
    return leads.index(first)


def find_reference_grid(photo: Photo, layout: Layout, model: Model) -> LocatedLayout:
    """Find the only grid with the shape of a layout.

    Raises:
        EditionError: ``teach-no-grid``, ``teach-incomplete``, ``teach-ambiguous`` or
            ``teach-too-dark``.
    """
    shape, pyramid = (len(layout), len(layout[0])), Pyramid(photo.image_bgr)
    try:
        located = find_layout(pyramid, shape, model)
    except NoGridError as error:
        refuse_if_dark(photo.image_bgr, photo.name)
        raise EditionError(
            "teach-no-grid", "no grid of tiles found: {advice}", photo.name, advice=HOW_TO_LAY
        ) from error
    whole = count_tiles(pyramid, located)
    if whole < shape[0] * shape[1]:
        raise EditionError(
            "teach-incomplete",
            "only {most} of 9 tiles can be made out as one grid: move them together, light them "
            "evenly and take the photo from above",
            photo.name,
            most=whole,
        )
    if not (located.placed.is_position_certain or located.placed.has_clear_border):
        raise EditionError(
            "teach-ambiguous",
            "more tiles lie together than the nine to learn: take the others away",
            photo.name,
        )
    return located


@dataclass(frozen=True, slots=True, eq=False)
class _RecognisedTiles:
    """Tiles of a grid with their nearest faces.

    Attributes:
        faces: Shape (n,): face of each tile.
        turns: Shape (n,): turn of each tile in quarters anticlockwise.
        similarity: Shape (n,): similarity of each tile to its face.
    """

    faces: NDArray[np.str_]
    turns: NDArray[np.intp]
    similarity: NDArray[np.float64]

    @property
    def is_sure(self) -> NDArray[np.bool_]:
        """Mask (n,) of the tiles whose nearest face is certainly theirs."""
        return self.similarity >= MIN_BUILT_IN_SIMILARITY

    def count_fitting(self, faces: list[str], order: NDArray[np.intp], turn: int) -> int:
        """Count the tiles that lie in their places if the grid lies in this turn."""
        fits = (self.faces[order] == faces) & (self.turns[order] == turn) & self.is_sure[order]
        return int(fits.sum())


def _recognise(
    photo: Photo, quads: Floats, known: References, turns: tuple[int, ...]
) -> _RecognisedTiles:
    """Recognise the tiles in quads (n, 4, 2), in some turns."""
    pyramid = Pyramid(photo.image_bgr)
    embeddings = embed_quads(pyramid, quads)
    ranked = rank_pieces(pyramid, quads, embeddings, known, turns)
    first = ranked.ranking.first
    names = np.array([str(name) for name in known.faces])
    turn = ranked.matches.turn[np.arange(len(first)), first]
    return _RecognisedTiles(names[first], turn, ranked.ranking.similarity)


def _leads_towards_corner(
    middles: Floats, orders: list[NDArray[np.intp]], corner: PhotoCorner
) -> list[float]:
    """Return how far towards a corner the first tile lies with each turn, in sizes of the grid."""
    ways = [middles[order[0]] - middles.mean(axis=0) for order in orders]
    size = max(float(np.hypot(*way)) for way in ways)
    return [float(way @ corner.direction) / size for way in ways]


def check_same_faces(
    photo: Photo, located: LocatedLayout, layout: Layout, known: References
) -> None:
    """Refuse a grid whose tiles look like other ones that were taught before, if all faces were.

    Raises:
        EditionError: ``teach-photos-differ``.
    """
    names = [str(name) for row in layout for name in row]
    if not {*names} <= {*known.faces}:
        return
    quads = located.quads_px.reshape(-1, 4, 2)
    seen_faces = _recognise(photo, quads, known, (0,)).faces
    if seen_faces.tolist() != names:
        for turn in range(1, TURNS):
            if _recognise(photo, quads, known, (turn,)).faces.tolist() == names:
                raise EditionError(
                    "teach-photos-differ",
                    "in an earlier photo these tiles lay on a side or upside down: teach them "
                    "again, with --replace",
                    photo.name,
                )
    for name, other in zip(names, seen_faces.tolist(), strict=True):
        if other != name:
            raise EditionError(
                "teach-photos-differ",
                "the tile {face} looks like {other} of an earlier photo: give photos of the same "
                "tiles in the same order",
                photo.name,
                face=name,
                other=other,
            )


def check_taverns(photo: Photo, located: LocatedLayout, layout: Layout) -> None:
    """Refuse a grid of new tiles whose taverns lie in wrong places or turned.

    They are found if they are nearly alike and the other tiles are not; else the grid passes.

    Raises:
        EditionError: ``teach-wrong-order``.
    """
    names = [str(name) for row in layout for name in row]
    patches = cut_patches(Pyramid(photo.image_bgr), located.quads_px.reshape(-1, 4, 2))
    turned = [embeddings.vectors for embeddings in embed_turned(patches)]
    similarity = np.stack([turned[0] @ vectors.T for vectors in turned])
    four = _find_taverns(similarity.max(axis=0))
    if four is None:
        return
    if {names[n] for n in four} != _TAVERNS:
        problem = Message(
            "the four tiles that look nearly alike do not lie where the taverns belong"
        )
        raise _wrong_order(problem, photo.name)
    for tavern in four:
        sisters = [n for n in four if n != tavern]
        if int(similarity[:, sisters, tavern].sum(axis=1).argmax()) != 0:
            raise _not_upright(names[tavern], photo.name)


def _find_taverns(similarity: Floats) -> tuple[int, ...] | None:
    """Return the four tiles that are nearly alike, unlike all others; None if there are none.

    Args:
        similarity: Shape (n, n), cosine of tiles in their best turn.
    """
    tiles = range(len(similarity))
    for four in combinations(tiles, len(_TAVERNS)):
        others = [n for n in tiles if n not in four]
        least = min(float(similarity[pair]) for pair in combinations(four, 2))
        to_others = float(similarity[np.ix_(four, others)].max())
        if least >= max(MIN_TAVERN_COSINE, to_others + MIN_TAVERN_LEAD):
            return four
    return None


def _not_upright(face: str, name: str) -> EditionError:
    return _wrong_order(Message("the tile {expected} does not lie upright", expected=face), name)


def _wrong_order(what: str, name: str) -> EditionError:
    return EditionError("teach-wrong-order", "{what}: {advice}", name, what=what, advice=HOW_TO_LAY)
