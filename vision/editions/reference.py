"""Find the reference grid in a photo: one tile of each face, three by three, in a known order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.anytiles.lattice import Layout
from vision.anytiles.parameters import PARAMETERS
from vision.anytiles.rectify import Pyramid
from vision.anytiles.teach import Laid, NoGridError, find_layout, untaught
from vision.arrays import Corners, Image, floats
from vision.editions.edition import FACES, TEACH_COLUMNS, TEACH_ROWS, EditionError
from vision.errors import Message
from vision.recognise import look_at, turned_cell
from vision.tile_quality import LEAST_BRIGHT

READ = 0.5
"""A face is read if it is more likely than not."""
CERTAIN = 0.8
FEWEST_READ = 7
"""Tiles that must be read in their places for the networks to say which way up the grid lies."""
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
        known_look: whether the networks read the faces, and so checked their order.
        laid: where it lies, upright.
    """

    quads_px: tuple[Corners, ...]
    known_look: bool
    laid: Laid


def find_reference(image: Image, name: str, shop_at: PhotoCorner | None = None) -> ReferenceGrid:
    """Find the grid and which way up it lies.

    Where the networks know the look, they say which of the four ways to turn the grid is right,
    and check that each tile is the one that belongs in its place. Else the user has to say it.

    Args:
        image: the photo.
        name: of the photo, for errors.
        shop_at: in which corner of the grid, as the photo shows it, the shop lies; None: as read.

    Raises:
        EditionError: ``teach-no-grid``, ``teach-incomplete``, ``teach-ambiguous``,
            ``teach-too-dark``, ``teach-too-small``, ``teach-wrong-order`` or ``teach-which-way``.
    """
    laid = _grid(image, name)
    quads = laid.quads_px
    located = {(r, c): floats(quads[r, c]) for r in range(TEACH_ROWS) for c in range(TEACH_COLUMNS)}
    _check_size(located, name)
    cells = sorted(located)
    looks = look_at(image, [located[cell] for cell in cells])
    # What is compared with it later can lie no more exactly than this
    looks = look_at(image, [look.quad_px for look in looks])
    chances = floats([look.chances for look in looks])
    fits = [_chances_in_place(chances, cells, turns) for turns in range(4)]
    turns = int(np.argmax([fit.sum() for fit in fits]))
    known = int((fits[turns] >= READ).sum()) >= FEWEST_READ
    if known:
        _check_order(chances, cells, turns, name)
        _check_corner(located, turns, shop_at, name)
    else:
        _refuse_if_dark(image, name)
        if int((chances[:, :-1].max(axis=1) >= CERTAIN).sum()) >= FEWEST_READ:
            raise EditionError(
                "teach-wrong-order",
                "the tiles do not lie in their order: {advice}",
                name,
                advice=HOW_TO_LAY,
            )
        turns = _turns_by_corner(located, shop_at, name)
    in_place = {
        turned_cell(cell, TEACH_ROWS, TEACH_COLUMNS, turns): n for n, cell in enumerate(cells)
    }
    upright = [
        np.roll(looks[n].quad_px if known else located[cells[n]], -turns, axis=0)
        for _, n in sorted(in_place.items())
    ]
    laid = replace(laid, turn=(laid.turn - turns) % 4)
    return ReferenceGrid(tuple(floats(quad) for quad in upright), known, laid)


def _grid(image: Image, name: str) -> Laid:
    """The only grid of nine."""
    model = untaught(Layout(TEACH_ROWS, TEACH_COLUMNS, 1), upright=True)
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


def _check_size(located: Mapping[Cell, Corners], name: str) -> None:
    smallest = min(side_px(quad) for quad in located.values())
    if smallest < LEAST_TILE_PX:
        raise EditionError(
            "teach-too-small",
            "the tiles are only {smallest} pixels wide, {least} are needed: go closer",
            name,
            smallest=round(smallest),
            least=LEAST_TILE_PX,
        )


def side_px(quad_px: Corners) -> float:
    """Side of a square of the area of this quad."""
    return float(np.sqrt(cv2.contourArea(quad_px)))


def _face_at(cell: Cell, turns: int) -> int:
    """Number of the face that belongs in a cell of a lattice that appears turned."""
    row, column = turned_cell(cell, TEACH_ROWS, TEACH_COLUMNS, turns)
    return row * TEACH_COLUMNS + column


def _chances_in_place(
    chances: NDArray[np.float32], cells: Sequence[Cell], turns: int
) -> NDArray[np.float32]:
    """How likely each tile is the one that belongs in its place, if the grid is turned so."""
    return floats(
        [row[turns * 9 + _face_at(c, turns)] for row, c in zip(chances, cells, strict=True)]
    )


def _check_order(
    chances: NDArray[np.float32], cells: Sequence[Cell], turns: int, name: str
) -> None:
    for row, cell in zip(chances, cells, strict=True):
        expected, seen = _face_at(cell, turns), int(row[:-1].argmax())
        if row[seen] < CERTAIN or seen == turns * 9 + expected:
            continue
        turn, face = divmod(seen, 9)
        if turn != turns:
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


def _shop_cell(turns: int) -> Cell:
    corners = [
        (0, 0),
        (0, TEACH_COLUMNS - 1),
        (TEACH_ROWS - 1, TEACH_COLUMNS - 1),
        (TEACH_ROWS - 1, 0),
    ]
    return next(cell for cell in corners if _face_at(cell, turns) == 0)


def _reach(located: Mapping[Cell, Corners], corner: PhotoCorner) -> list[float]:
    """How far towards a corner of the photo the shop lies for each turn, in sizes of the grid."""
    middles = {cell: quad.mean(axis=0) for cell, quad in located.items()}
    centre = floats(list(middles.values())).mean(axis=0)
    ways = [middles[_shop_cell(turns)] - centre for turns in range(4)]
    size = max(float(np.hypot(*way)) for way in ways)
    return [float(way @ corner.way) / size for way in ways]


def _turns_by_corner(located: Mapping[Cell, Corners], corner: PhotoCorner | None, name: str) -> int:
    if corner is None:
        raise EditionError(
            "teach-which-way",
            "this look is new, so the way up cannot be read: say in which corner of the grid the "
            "shop lies in the photo, such as --shop-at top-left",
            name,
        )
    reach = _reach(located, corner)
    first, second = sorted(reach, reverse=True)[:2]
    if first - second < LEAST_ADVANTAGE:
        raise EditionError(
            "teach-which-way",
            "the grid lies so askew that its corners cannot be told apart: "
            "turn it along the edges of the photo",
            name,
        )
    return reach.index(first)


def _check_corner(
    located: Mapping[Cell, Corners], turns: int, corner: PhotoCorner | None, name: str
) -> None:
    if corner is None:
        return
    reach = _reach(located, corner)
    if reach[turns] < max(reach) - LEAST_ADVANTAGE:
        raise EditionError(
            "teach-which-way",
            "the shop is not the tile at the {corner}: leave out --shop-at",
            name,
            corner=corner.value,
        )
