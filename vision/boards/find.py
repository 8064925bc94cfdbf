"""Find the grids of an edition in a photo: where they lie, not yet what lies on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Image, Points, floats, transformed
from vision.boards.agreement import Agreement, Likeness
from vision.boards.features import (
    Features,
    Votes,
    features_of,
    is_brought_to,
    turned,
    votes_for,
)
from vision.boards.gaps import tile_share
from vision.boards.known import KnownEdition
from vision.boards.lattice import find_lattices, is_certain
from vision.boards.lattice_growth import FLATTEST, Lattice
from vision.boards.settle import BoardMarks, settled
from vision.boards.surface import Matches, Surface, fitted_surfaces
from vision.exposure import white_share
from vision.pyramid import Pyramid

WORK_AREA_PX = 600_000.0
"""Photos are brought to about so many pixels, in which tiles are some 40 to 75 wide."""
OTHER_AREAS_PX = (200_000.0, 1_500_000.0)
MOST_FEATURES = 3600
BOARD_AT_ONCE_PX = 180_000.0
FEATURES_FOR_BOARD = 700
"""A board is one large picture, so that few features of a small copy of the photo mostly do."""
TILES_AT_ONCE_PX = 330_000.0
FEATURES_FOR_TILES = 2000
"""Free tiles that are plain to see need no more, either."""
WHITE_AT_FIRST_LOOK = 0.02
"""Share of a photo that is white with light from which on a city may lie there unseen."""
BLEACHED = 235
"""Grey level from which on light has drowned most of a tile's contrast."""
MOST_BLEACHED = 0.08
"""Share of a photo with such light up to which a second look at its brightest parts is idle."""
_DARKENED = np.rint(255 * (np.arange(256) / 255.0) ** 6).astype(np.uint8)
"""What cameras squeeze into the highest levels, spread over all."""
SAME_POINT = 0.06
"""Votes for the same picture from points no further apart, in its widths, are one."""
PLAINLY_FOLLOWED = 0.25
"""Share of the drawing's marks that are seen where they belong only if the board lies there."""
FEWEST_FOR_GRID = 10
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
    """

    surface: Surface
    support: int
    tiles: int = 0
    cells: tuple[int, int, int, int] = (0, 0, 0, 0)
    votes: Mapping[Cell, int] = field(default_factory=dict)
    tile_share: float = 1.0


def find_grids(picture: Pyramid, known: KnownEdition) -> list[Found]:
    """The grids in a photo, the best supported first."""
    marks = known.board_marks
    if marks is None:
        return _plain_tiles(picture, known) or _looked_for(picture, known)
    at_once = _plain_board(picture, known, marks)
    if at_once is not None:
        return [at_once]
    found = _looked_for(picture, known)
    return [replace(each, surface=settled(each.surface, picture, marks).surface) for each in found]


def _plain_board(picture: Pyramid, known: KnownEdition, marks: BoardMarks) -> Found | None:
    """The board, if a few features of a small copy of the photo are enough to be certain of it.

    They tell but roughly where it lies; that its drawing is then seen there leaves no doubt.
    """
    if known.small_board_index is None:
        return None
    features = _features(picture, BOARD_AT_ONCE_PX, FEATURES_FOR_BOARD)
    board = _board(known, votes_for(known.small_board_index, features), _size_wh(picture.image))
    if board is None:
        return None
    laid = settled(board.surface, picture, marks)
    if laid.followed >= PLAINLY_FOLLOWED:
        agreeing = board.support + round(laid.followed * len(marks.pixels))
        return replace(board, surface=laid.surface, support=agreeing)
    if board.support >= PLENTY_FOR_BOARD:
        return replace(board, surface=laid.surface)
    return None


def _plain_tiles(picture: Pyramid, known: KnownEdition) -> list[Found]:
    """The grids of free tiles, if a small copy of the photo shows all of them plainly.

    Where light or something else hides tiles of one, another may be hidden even more.
    """
    if known.small_tile_index is None or white_share(picture) > WHITE_AT_FIRST_LOOK:
        return []
    features = _features(picture, TILES_AT_ONCE_PX, FEATURES_FOR_TILES)
    votes = votes_for(known.small_tile_index, features)
    lattices = _lattices(known, votes)
    if not all(is_certain(lattice, _tiles(known)) for lattice in lattices):
        return []
    return _laid(lattices, votes, _size_wh(picture.image))


def _features(
    picture: Pyramid, area_px: float, most: int, *, is_darkened: bool = False
) -> Features:
    """The strongest features of a photo brought to about so many pixels."""
    enough = [n for n, copy in enumerate(picture.levels) if _area(copy) >= area_px]
    level = max(enough, default=0)
    image = picture.levels[level]
    if is_darkened:
        image = np.asarray(cv2.LUT(image, _DARKENED), np.uint8)
    return features_of(image, most, area_px).enlarged(2**level)


def _size_wh(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _area(image: Image) -> int:
    return int(image.shape[0] * image.shape[1])


def _looked_for(picture: Pyramid, known: KnownEdition) -> list[Found]:
    """The grids, as exactly as features tell.

    If there are none, the photo is looked at in other sizes too: a blurred one tells more when it
    is small, a distant table when it is large.
    """
    size_wh = _size_wh(picture.image)
    for area_px in _areas_px(*size_wh):
        found = _found_at(area_px, picture, known)
        if found:
            return found
    return []


def _areas_px(width: int, height: int) -> list[float]:
    """The sizes in which a photo is looked at; one that is small already, only once as it is."""
    every = (WORK_AREA_PX, *OTHER_AREAS_PX)
    smaller = [area_px for area_px in every if is_brought_to(area_px, (width, height))]
    as_it_is = [area_px for area_px in every if area_px not in smaller][:1]
    return sorted((*smaller, *as_it_is), key=every.index)


def _found_at(area_px: float, picture: Pyramid, known: KnownEdition) -> list[Found]:
    """The grids that a photo shows when it is brought to about so many pixels."""
    size_wh = _size_wh(picture.image)
    features = _features(picture, area_px, MOST_FEATURES)
    if known.board_index is not None:
        board = _board(known, votes_for(known.board_index, features), size_wh)
        return [] if board is None else [board]
    if known.tile_index is None:
        return []
    votes = votes_for(known.tile_index, features)
    if _bleached_share(picture) > MOST_BLEACHED:
        features = _features(picture, area_px, MOST_FEATURES, is_darkened=True)
        votes = _with_new(votes, votes_for(known.tile_index, features))
    return _laid(_lattices(known, votes), votes, size_wh)


def _bleached_share(picture: Pyramid) -> float:
    """How much of the photo is so bright that tiles lose their contrast, 0 to 1."""
    grey = cv2.cvtColor(picture.levels[-1], cv2.COLOR_BGR2GRAY)
    return float((grey >= BLEACHED).mean())


def _with_new(votes: Votes, more: Votes) -> Votes:
    """The votes and those of the others that are not among them yet."""
    reach = SAME_POINT * votes.widths
    x, y = (np.abs(more.points[:, None, n] - votes.points[:, n]) <= reach for n in (0, 1))
    known = (x & y & (more.pictures[:, None] == votes.pictures)).any(axis=1)
    return Votes.joined([votes, more.only(~known)])


def _tiles(known: KnownEdition) -> tuple[int, int]:
    """Rows and columns of a full grid."""
    return known.description.tile_rows, known.description.tile_columns


def _lattices(known: KnownEdition, votes: Votes) -> list[Lattice]:
    return find_lattices(votes, known.description.most_grids, _tiles(known), FEWEST_FOR_GRID)


def _laid(lattices: Sequence[Lattice], votes: Votes, size_wh: tuple[int, int]) -> list[Found]:
    shares = [_tile_share(lattice, votes) for lattice in lattices]
    matches = [_matches(*each, votes) for each in zip(lattices, shares, strict=True)]
    surfaces = fitted_surfaces(matches, size_wh)
    return [
        Found(surface, len(lattice.votes), lattice.tiles, lattice.extent, lattice.support, share)
        for surface, lattice, share in zip(surfaces, lattices, shares, strict=True)
    ]


def _matches(lattice: Lattice, share: float, votes: Votes) -> Matches:
    own = votes.only(lattice.votes)
    return lattice.middles + np.float32(share) * _drawn(lattice, own), own.points


def _drawn(lattice: Lattice, own: Votes) -> Points:
    """Where the tiles have the features that agree with a lattice, from their middles (n, 2)."""
    return turned(own.offsets, floats(lattice.turns * np.pi / 2))


def _tile_share(lattice: Lattice, votes: Votes) -> float:
    own = votes.only(lattice.votes)
    _, tiles = np.unique(lattice.cells, axis=0, return_inverse=True)
    seen = transformed(own.points, np.linalg.inv(lattice.to_photo)) - lattice.middles
    return tile_share(tiles.ravel(), floats(seen), _drawn(lattice, own))


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
