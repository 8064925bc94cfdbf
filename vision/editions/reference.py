"""Find the reference grid in a photo: one tile of each face, three by three, in a known order."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Face
from vision.arrays import Corners, Image, floats
from vision.editions.edition import FACES, GAME, TEACH_COLUMNS, TEACH_ROWS, EditionError
from vision.editions.examples import check_tile_size
from vision.editions.folder import own_edition
from vision.embedding import PARTS
from vision.errors import Message
from vision.eye import model_of
from vision.identify import TURNS, References, choose, identify, likeness
from vision.lattice import Layout
from vision.model import Model
from vision.parameters import PARAMETERS
from vision.patches import Pyramid, look_at
from vision.teach import Laid, NoGridError, find_layout
from vision.tile_quality import LEAST_BRIGHT

KNOWN = 0.75
"""Tiles at least so much alike to those of a known look are of that look."""
FEWEST_READ = 7
"""Tiles that must be known in their places to say which way up the grid lies."""
LEAST_ADVANTAGE = 0.15
"""How much further into its corner of the photo than any other tile the shop must lie, as a share
of the grid's size."""

LEAST_TILE_PX = 44
"""Side of a tile in the photo as decoded."""

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


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceGrid:
    """The nine tiles of the reference grid.

    Attributes:
        quads_px: corners of each tile as read upright, in the order of ``FACES``.
        known_look: whether the faces were known, and so their order was checked.
        laid: where it lies, upright.
    """

    quads_px: tuple[Corners, ...]
    known_look: bool
    laid: Laid


def find_reference(image: Image, name: str, shop_at: PhotoCorner | None = None) -> ReferenceGrid:
    """Find the grid and which way up it lies.

    A known look tells which of the four ways to turn the grid is right, and each tile is checked to
    be the one that belongs in its place. Else the user has to say it.

    Args:
        image: the photo.
        name: of the photo, for errors.
        shop_at: in which corner of the grid, as the photo shows it, the shop lies; None: as read.

    Raises:
        EditionError: ``teach-no-grid``, ``teach-incomplete``, ``teach-ambiguous``,
            ``teach-too-dark``, ``teach-too-small``, ``teach-wrong-order`` or ``teach-which-way``.
    """
    laid = _grid(image, name)
    check_tile_size(laid.quads_px.reshape(-1, 4, 2), LEAST_TILE_PX, name)
    seen = _recognised(image, laid)
    fits = [seen.in_place(turn) for turn in range(TURNS)]
    turn = int(np.argmax([fit.sum() for fit in fits]))
    known = int(fits[turn].sum()) >= FEWEST_READ
    if known:
        _check_order(seen, turn, name)
        _check_corner(laid, turn, shop_at, name)
    else:
        _refuse_if_dark(image, name)
        if int((seen.alike >= KNOWN).sum()) >= FEWEST_READ:
            raise EditionError(
                "teach-wrong-order",
                "the tiles do not lie in their order: {advice}",
                name,
                advice=HOW_TO_LAY,
            )
        turn = _turn_by_corner(laid, shop_at, name)
    laid = replace(laid, turn=(laid.turn + turn) % TURNS)
    quads = laid.quads_px.reshape(-1, 4, 2)
    return ReferenceGrid(tuple(floats(quad) for quad in quads), known, laid)


def _upright(turn: int) -> NDArray[np.intp]:
    """Numbers of the places, row by row as the photo shows them, in their order if turned back."""
    places = np.arange(len(FACES)).reshape(TEACH_ROWS, TEACH_COLUMNS)
    return np.asarray(np.rot90(places, -turn).ravel(), np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class _Recognised:
    """What the nine tiles, row by row as the photo shows them, are in the known looks.

    Attributes:
        face: (9,) number into ``FACES``.
        turn: (9,) quarters anticlockwise by which each lies turned.
        alike: (9,) how alike they are.
    """

    face: NDArray[np.intp]
    turn: NDArray[np.intp]
    alike: NDArray[np.float64]

    def in_place(self, turn: int) -> NDArray[np.bool_]:
        """(9,) in their order whether tiles are those that belong there, if turned so."""
        order = _upright(turn)
        right = (self.face[order] == np.arange(len(FACES))) & (self.turn[order] == turn)
        return np.asarray(right & (self.alike[order] >= KNOWN))


def _recognised(image: Image, laid: Laid) -> _Recognised:
    known = model_of(own_edition(GAME)).references
    number = np.array([FACES.index(Face(str(name))) for name in known.faces])
    quads = laid.quads_px.reshape(-1, 4, 2)
    photo = Pyramid(image)
    looks = look_at(photo, quads)
    alike = likeness(looks, known, PARAMETERS)
    said = identify(known, alike, tuple(range(TURNS)))
    bare = np.zeros((len(looks), PARTS), bool)
    chosen = choose(photo, quads, looks, said, known, PARAMETERS, bare)
    first = chosen.order[:, 0]
    return _Recognised(number[first], said.turn[np.arange(len(first)), first], chosen.alike)


def _grid(image: Image, name: str) -> Laid:
    """The only grid of nine."""
    model = Model(Layout(TEACH_ROWS, TEACH_COLUMNS, 1), upright=True, references=References.none())
    try:
        laid = find_layout(Pyramid(image), (TEACH_ROWS, TEACH_COLUMNS), model, PARAMETERS)
    except NoGridError as error:
        _refuse_if_dark(image, name)
        raise EditionError(
            "teach-no-grid", "no grid of tiles found: {advice}", name, advice=HOW_TO_LAY
        ) from error
    whole = int((laid.seen.grid.seen > PARAMETERS.likely).sum())
    if whole < len(FACES):
        raise EditionError(
            "teach-incomplete",
            "only {most} of 9 tiles can be made out as one grid: move them together, light them "
            "evenly and take the photo from above",
            name,
            most=whole,
        )
    if not (laid.seen.certain or laid.seen.alone):
        raise EditionError(
            "teach-ambiguous",
            "more tiles lie together than the nine to learn: take the others away",
            name,
        )
    return laid


def _refuse_if_dark(image: Image, name: str) -> None:
    if float(np.percentile(image, 95)) < LEAST_BRIGHT:
        raise EditionError("teach-too-dark", "too dark to see the tiles: use more light", name)


def _check_order(seen: _Recognised, turn: int, name: str) -> None:
    for expected, place in enumerate(_upright(turn).tolist()):
        face, its_turn = int(seen.face[place]), int(seen.turn[place])
        if seen.alike[place] < KNOWN or (face, its_turn) == (expected, turn):
            continue
        if its_turn != turn:
            what = Message(
                "the tile {expected} does not lie upright", expected=FACES[expected].value
            )
        else:
            what = Message(
                "{face} lies where {expected} belongs",
                face=FACES[face].value,
                expected=FACES[expected].value,
            )
        raise EditionError(
            "teach-wrong-order", "{what}: {advice}", name, what=what, advice=HOW_TO_LAY
        )


def _reach(laid: Laid, corner: PhotoCorner) -> list[float]:
    """How far towards a corner of the photo the shop lies for each turn, in sizes of the grid."""
    middles = laid.quads_px.reshape(-1, 4, 2).mean(axis=1)
    ways = [middles[_upright(turn)[0]] - middles.mean(axis=0) for turn in range(TURNS)]
    size = max(float(np.hypot(*way)) for way in ways)
    return [float(way @ corner.way) / size for way in ways]


def _turn_by_corner(laid: Laid, corner: PhotoCorner | None, name: str) -> int:
    if corner is None:
        raise EditionError(
            "teach-which-way",
            "this look is new, so the way up cannot be read: say in which corner of the grid the "
            "shop lies in the photo, such as --shop-at top-left",
            name,
        )
    reach = _reach(laid, corner)
    first, second = sorted(reach, reverse=True)[:2]
    if first - second < LEAST_ADVANTAGE:
        raise EditionError(
            "teach-which-way",
            "the grid lies so askew that its corners cannot be told apart: "
            "turn it along the edges of the photo",
            name,
        )
    return reach.index(first)


def _check_corner(laid: Laid, turn: int, corner: PhotoCorner | None, name: str) -> None:
    if corner is None:
        return
    reach = _reach(laid, corner)
    if reach[turn] < max(reach) - LEAST_ADVANTAGE:
        raise EditionError(
            "teach-which-way",
            "the shop is not the tile at the {corner}: leave out --shop-at",
            name,
            corner=corner.value,
        )
