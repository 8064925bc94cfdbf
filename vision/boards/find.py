"""Find the grids of an edition in a photo: where they lie, not yet what lies on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Points, floats, transformed
from vision.boards.agreement import Agreement, Likeness
from vision.boards.features import PictureIndex, Votes, votes_for
from vision.boards.free_tiles import find_free_tiles, find_more_tiles
from vision.boards.known import KnownEdition
from vision.boards.laid_tiles import LaidTiles
from vision.boards.lattice_growth import FLATTEST
from vision.boards.photo_features import looked_at_closely, photo_features, size_wh
from vision.boards.settle import BoardMarks, settled
from vision.boards.surface import Surface, fitted_surfaces
from vision.pyramid import Pyramid

BOARD_AT_ONCE_PX = 180_000.0
FEATURES_FOR_BOARD = 700
"""A board is one large picture, so that few features of a small copy of the photo mostly do."""
PLAINLY_FOLLOWED = 0.25
"""Share of the drawing's marks that are seen where they belong only if the board lies there."""
FEWEST_FOR_BOARD = 14
BOARD_TRIES = 4
PLENTY_FOR_BOARD = 40
"""With so many features a board is found for certain; what merely resembles it has fewer."""
NEAR = 0.3
"""How far from its place on the board a feature may lie, in tile edges."""
SPOT = 1.0
FEWEST_SPOTS = 8
"""The features of a board lie in so many squares of this size at least, in tile edges."""
ALIKE = Likeness(apart=0.25, turn=np.deg2rad(30), size=1.6)
"""How much the votes for a board seen at a slant may differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A grid in the photo.

    Attributes:
        surface: grid coordinates, in tile edges, to pixels; where up and left are is not yet known
            for free tiles.
        support: number of features, and of marks of the drawing, that agree.
        tiles: free tiles: for how many of them several features speak.
        cells: free tiles: the lowest row and column that features speak for, and the highest.
        votes: free tiles: how many features speak for each place.
        tile_share: free tiles: the edge of a tile as a share of the way from one to the next.
        is_likely: free tiles: whether many of them are as large as those of other grids.
        is_odd: free tiles: whether they are larger or smaller than those of other grids tell.
        laid: free tiles: what all this was taken from.
    """

    surface: Surface
    support: int
    tiles: int = 0
    cells: tuple[int, int, int, int] = (0, 0, 0, 0)
    votes: Mapping[Cell, int] = field(default_factory=dict)
    tile_share: float = 1.0
    is_likely: bool = False
    is_odd: bool = False
    laid: LaidTiles | None = None

    @property
    def is_whole(self) -> bool:
        """Whether a network takes this for a whole grid, of which it sees all ends."""
        return self.laid is not None and self.is_likely and not self.laid.is_exact

    @property
    def is_certain(self) -> bool:
        """Whether this is a grid, or a part of one, for certain."""
        return self.is_likely or (self.laid is not None and self.laid.is_plain_part)

    @property
    def is_perhaps(self) -> bool:
        """Whether a network alone takes this for a part of a grid."""
        return self.laid is not None and not self.is_likely and not self.laid.is_exact


def find_grids(picture: Pyramid, known: KnownEdition) -> list[Found]:
    """The grids in a photo, the best supported first."""
    marks, index = known.board_marks, known.board_index
    if marks is None or index is None:
        return [_of_tiles(laid) for laid in find_free_tiles(picture, known)]
    at_once = _plain_board(picture, known, marks)
    if at_once is not None:
        return [at_once]
    board = _looked_for(picture, known, index)
    if board is None:
        return []
    return [replace(board, surface=settled(board.surface, picture, marks).surface)]


def find_more_grids(
    picture: Pyramid,
    known: KnownEdition,
    others: Sequence[Found],
    outlines: Sequence[Corners],
) -> list[Found]:
    """Grids of free tiles besides others, the best supported first, looked for most closely.

    Args:
        picture: the photo.
        known: the edition.
        others: grids of free tiles that lie there for certain.
        outlines: of these, pixels.
    """
    laid = [other.laid for other in others if other.laid is not None]
    return [_of_tiles(more) for more in find_more_tiles(picture, known, laid, outlines)]


def _of_tiles(laid: LaidTiles) -> Found:
    return Found(
        laid.surface,
        len(laid.lattice.votes),
        laid.lattice.tiles,
        laid.lattice.extent,
        laid.lattice.support,
        laid.tile_share,
        laid.is_likely,
        laid.is_odd,
        laid,
    )


def _plain_board(picture: Pyramid, known: KnownEdition, marks: BoardMarks) -> Found | None:
    """The board, if a few features of a small copy of the photo are enough to be certain of it.

    They tell but roughly where it lies; that its drawing is then seen there leaves no doubt.
    """
    if known.small_board_index is None:
        return None
    features = photo_features(picture, BOARD_AT_ONCE_PX, FEATURES_FOR_BOARD)
    board = _board(known, votes_for(known.small_board_index, features), size_wh(picture.image))
    if board is None:
        return None
    laid = settled(board.surface, picture, marks)
    if laid.followed >= PLAINLY_FOLLOWED:
        agreeing = board.support + round(laid.followed * len(marks.pixels))
        return replace(board, surface=laid.surface, support=agreeing)
    if board.support >= PLENTY_FOR_BOARD:
        return replace(board, surface=laid.surface)
    return None


def _looked_for(picture: Pyramid, known: KnownEdition, index: PictureIndex) -> Found | None:
    """The board, as exactly as features tell.

    If there is none, the photo is looked at in other sizes too: a blurred one tells more when it
    is small, a distant table when it is large. At last all features are taken.
    """
    for features in looked_at_closely(picture):
        votes = votes_for(index, features)
        board = _board(known, votes, size_wh(picture.image))
        if board is not None:
            return board
    return None


def _board(known: KnownEdition, votes: Votes, size_wh: tuple[int, int]) -> Found | None:
    """The only board, from votes that agree on how it lies."""
    if len(votes) < FEWEST_FOR_BOARD:
        return None
    board = known.description.board
    if board is None:
        return None
    tile = known.description.tile_mm
    width = board.size_mm[0] / tile
    middle = known.board_offset + floats([[width / 2, board.size_mm[1] / tile / 2]])
    places = floats(middle + votes.offsets * np.float32(width))
    agree = Agreement.of(votes, ALIKE)
    left = np.ones(len(votes), bool)
    best: NDArray[np.bool_] | None = None
    for _ in range(BOARD_TRIES):
        chosen = agree.largest(left)
        near = _on_one_board(places, votes, chosen, width)
        if near is not None and (best is None or near.sum() > best.sum()):
            best = near
            if best.sum() >= PLENTY_FOR_BOARD:
                break
        left[chosen] = False
    if best is None:
        return None
    (surface,) = fitted_surfaces([(places[best], votes.points[best])], size_wh)
    return Found(surface, int(best.sum()))


def _on_one_board(
    places: Points, votes: Votes, chosen: NDArray[np.intp], width: float
) -> NDArray[np.bool_] | None:
    """Which votes lie on the board of which some agree; None if these lie on none.

    The pattern of a cloth may be taken for one spot of the board again and again, so the votes
    must be spread over the board.
    """
    if len(chosen) < FEWEST_FOR_BOARD or _spots(places[chosen]) < FEWEST_SPOTS:
        return None
    tile_px = float(np.median(votes.widths[chosen])) / width
    plane, _ = cv2.findHomography(
        places[chosen], votes.points[chosen], cv2.RANSAC, 0.15 * tile_px, maxIters=2000
    )
    if plane is None:
        return None
    if abs(np.linalg.det(plane)) < FLATTEST:
        return None
    seen = transformed(votes.points, np.linalg.inv(plane))
    near: NDArray[np.bool_] = np.linalg.norm(seen - places, axis=1) < NEAR
    if near.sum() < FEWEST_FOR_BOARD or _spots(places[near]) < FEWEST_SPOTS:
        return None
    return near


def _spots(places: Points) -> int:
    """In how many squares of the board places (n, 2) lie."""
    return len({*map(tuple, np.floor(places / SPOT).tolist())})
