"""Find grids of free tiles by a network that was taught to see the tiles of the edition.

It takes a third of the time of a look at features, but tells only where tiles lie, and only those
of the edition that it knows. So what it is not certain of is looked at by features.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Points, floats, median, transformed
from vision.boards.bundle_adjustment import surfaces_on_one_table
from vision.boards.chains import chains, windows
from vision.boards.gaps import USUAL
from vision.boards.known import KnownEdition
from vision.boards.laid_tiles import LaidTiles
from vision.boards.lattice import CERTAIN_SHARE, LIKELY_SHARE
from vision.boards.lattice_growth import Lattice
from vision.boards.leftovers import may_be_a_grid
from vision.boards.one_table import OneTable, of_one_size
from vision.boards.photo_features import size_wh
from vision.boards.surface import Matches
from vision.boards.tile_locator import Detection, find_tiles, sizes_of
from vision.boards.tile_look import full_grid
from vision.pyramid import Pyramid

AREAS_PX = (200_000.0, 45_000.0)
"""Sizes at which the network sees a photo: about 596x336, and if it sees no grid there, 283x159, as
it knows no tiles as large as those of a city that fills the photo."""
SMALLEST_PX = 14.0
"""Side of a tile, in pixels of what it sees, below which the network may miss it."""
LARGEST_PX, USUAL_PX = 44.0, 28.0
"""Where most tiles are larger, the network knows less well where exactly they lie, and is shown
them as large as they were mostly when it learned."""
FEWEST_AT_END = 3
"""So many tiles in its first and last row and column tell where a grid ends; two may be strays."""
FEWEST_BEYOND = 2
"""So many other tiles beyond one side of a grid may be a row of it."""
BEYOND, IN_PLACE = 1.0, 0.3
"""So near to it, and so far at most from where tiles of such a row would lie, in tile widths."""
LIKELY = 0.68
"""Less likely tiles are mostly patterns of a table."""
FEWEST_OTHERS = 3
"""So many tiles that lie as in a grid may be one of which the rest is hidden."""
FEATURES_A_TILE = 5
"""As many features that agree tell as much of a tile as the network does."""
IN_LINE = 0.1
"""Tile widths by which a tile of a part of a grid may lie off its place; strays lie further off."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLook:
    """What the network sees in a photo.

    Attributes:
        whole: grids that lie there for certain, and of which all ends are seen.
        perhaps: others of which at least half is seen.
        least_tile: side of the smallest tiles that may lie somewhere in the photo, in pixels of
            what the network sees.
        has_others: whether other tiles may belong to a grid, or to one of these in another place.
    """

    whole: Sequence[LaidTiles]
    perhaps: Sequence[LaidTiles]
    least_tile: float
    has_others: bool

    @property
    def is_plain(self) -> bool:
        """Whether nothing that it sees leaves room for another grid."""
        return bool(self.whole) and not self.has_others and self.least_tile >= SMALLEST_PX


NOTHING = LearnedLook((), (), 0.0, has_others=True)

Square = Mapping[Cell, Detection]
"""Tiles that lie as in a grid."""


def learned_look(picture: Pyramid, known: KnownEdition) -> LearnedLook:
    """What the network of an edition sees, nothing if it has none."""
    network = known.edition.locator
    if network is None:
        return NOTHING
    looks = (_look(picture, network, full_grid(known), area_px) for area_px in AREAS_PX)
    return next((look for look in looks if look.whole), NOTHING)


def _look(picture: Pyramid, network: str, tiles: tuple[int, int], area_px: float) -> LearnedLook:
    """What a network sees in a copy of a photo of about this size."""
    seen, area_px = _tiles_seen(picture, network, area_px)
    groups = chains(seen)
    squares, others = _told_apart([windows(group, *tiles) for group in groups], tiles)
    if not squares:
        return NOTHING
    grids, size = _grids(squares), size_wh(picture.image)
    if len(grids) < len(squares):
        return NOTHING
    if any(grid.is_under(square) for grid in grids for square in others):
        return NOTHING
    beside = [tile for square in _plain(others) for tile in square]
    unending = [grid for grid in grids if grid.may_go_on(beside)]
    others += [grid.square for grid in unending]
    grids = [grid for grid in grids if grid not in unending]
    if not grids:
        return NOTHING
    alike = of_one_size([grid.lattice for grid in grids])
    table = OneTable.of(alike)
    likely = [square for square in others if len(square) >= LIKELY_SHARE * tiles[0] * tiles[1]]
    strays = [square for square in others if square not in likely]
    perhaps = _grids(likely)
    are_plain = len(perhaps) == len(likely) and _are_plain(perhaps, grids, tiles, table, size)
    # Beside parts of grids, what is hardly likely may be a part of another one
    left = [list(each.values()) for each in strays] if perhaps else _plain(strays)
    has_others = not are_plain or may_be_a_grid(left, table, size)
    shrink = math.sqrt(area_px / (size[0] * size[1]))
    return LearnedLook(
        _laid(grids, table, size, certain=alike),
        _laid(perhaps, table, size, are_plain_parts=not has_others),
        table.least_width(size, tiles) * shrink,
        has_others,
    )


def _tiles_seen(picture: Pyramid, network: str, area_px: float) -> tuple[list[Detection], float]:
    """The tiles that a network sees, and the size of the copy of the photo in which it does.

    That is a smaller one if most tiles are large.
    """
    tiles = find_tiles(picture, area_px, network=network)
    width, height = size_wh(picture.image)
    sides = sizes_of(tiles) * math.sqrt(area_px / (width * height))
    if not tiles or float(median(sides)) <= LARGEST_PX:
        return tiles, area_px
    area_px *= (USUAL_PX / float(median(sides))) ** 2
    return find_tiles(picture, area_px, network=network), area_px


def _plain(squares: Sequence[Square]) -> list[list[Detection]]:
    """The likely tiles of each."""
    return [[tile for tile in each.values() if tile.likelihood >= LIKELY] for each in squares]


def _told_apart(
    groups: Sequence[Sequence[Square]], tiles: tuple[int, int]
) -> tuple[list[Square], list[Square]]:
    """The squares that are whole grids for certain, and all others.

    Args:
        groups: of tiles that lie edge to edge, each cut into squares.
        tiles: rows and columns of a full grid.
    """
    certain: list[Square] = []
    others: list[Square] = []
    for squares in groups:
        whole: list[Square] = []
        rest: list[Square] = []
        for square in squares:
            (whole if _is_whole(square, tiles) else rest).append(square)
        # With other tiles in line with it, a grid may as well lie a row further
        are_full = all(len(square) == tiles[0] * tiles[1] for square in whole)
        is_certain = sum(map(len, rest)) < (FEWEST_OTHERS if are_full else 1)
        certain += whole if is_certain else []
        others += rest if is_certain else squares
    return certain, others


def _is_whole(square: Square, tiles: tuple[int, int]) -> bool:
    """Whether a full grid lies here, and all its ends are seen."""
    if len(square) < CERTAIN_SHARE * tiles[0] * tiles[1]:
        return False
    lines = zip(zip(*square, strict=True), tiles, strict=True)  # rows, columns
    return all(
        of_tiles.count(end) >= FEWEST_AT_END for of_tiles, count in lines for end in (0, count - 1)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """A grid that the network sees.

    Attributes:
        square: its tiles.
        lattice: on which they lie, as if features told of it; the votes are none.
        matches: the middles of its tiles, and where they are seen.
    """

    square: Square
    lattice: Lattice
    matches: Matches

    @classmethod
    def of(cls, square: Square) -> "_Grid | None":
        """None if the tiles lie in a row."""
        cells = np.array(list(square), np.intp)
        if np.ptp(cells, axis=0).min() == 0:
            return None
        middles = floats(cells[:, ::-1] + 0.5)
        seen = floats([tile.centre for tile in square.values()])
        to_photo, _ = cv2.findHomography(middles, seen, 0)
        lattice = Lattice(
            np.asarray(to_photo, np.float64),
            np.arange(FEATURES_A_TILE * len(cells)),
            np.repeat(cells, FEATURES_A_TILE, axis=0),
            np.zeros(FEATURES_A_TILE * len(cells), np.intp),
        )
        return cls(square, lattice, (middles, seen))

    def is_under(self, square: Square) -> bool:
        """Whether several other tiles seem to lie on it, so that nobody knows which do."""
        if len(square) < FEWEST_OTHERS:
            return False
        at, low, high = self._around(list(square.values()))
        return int(((at > low) & (at < high)).all(axis=1).sum()) >= FEWEST_OTHERS

    def may_go_on(self, tiles: Sequence[Detection]) -> bool:
        """Whether several other tiles lie beyond one of its sides, in line with it."""
        if len(tiles) < FEWEST_BEYOND:
            return False
        at, low, high = self._around(tiles)
        inside = (at > low) & (at < high)
        before, behind = at > low - BEYOND, at < high + BEYOND
        off = np.abs(at % 1 - 0.5)
        in_line = inside[:, ::-1] & (off.max(axis=1) < IN_PLACE)[:, None]
        sides = (before & (at < low), behind & (at > high))
        most = max(int((in_line & side).sum(axis=0).max()) for side in sides)
        return most >= FEWEST_BEYOND

    def _around(self, tiles: Sequence[Detection]) -> tuple[Points, Points, Points]:
        """Where tiles lie on it (n, 2), and its top left and bottom right corners."""
        centres = floats([tile.centre for tile in tiles])
        at = transformed(centres, np.linalg.inv(self.lattice.to_photo))
        middles = self.matches[0]
        return at, middles.min(axis=0) - np.float32(0.5), middles.max(axis=0) + np.float32(0.5)


def _grids(squares: Sequence[Square]) -> list[_Grid]:
    """Those of which tiles tell a plane."""
    return [grid for grid in map(_Grid.of, squares) if grid is not None]


def _laid(
    grids: Sequence[_Grid],
    table: OneTable,
    size: tuple[int, int],
    certain: Sequence[Lattice] = (),
    *,
    are_plain_parts: bool = False,
) -> list[LaidTiles]:
    """Grids on surfaces that are seen through one lens.

    Args:
        grids: in a photo.
        table: on which grids lie whose tiles are all of one size.
        size: of the photo, (width, height) pixels.
        certain: the lattices by which the table is known.
        are_plain_parts: see ``LaidTiles``.
    """
    surfaces = surfaces_on_one_table([grid.matches for grid in grids], size)
    return [
        LaidTiles(
            grid.lattice,
            grid.matches,
            surface,
            USUAL,
            is_likely=grid.lattice in certain,
            is_odd=grid.lattice not in certain and not table.holds(grid.lattice),
            is_exact=False,
            is_plain_part=are_plain_parts,
        )
        for grid, surface in zip(grids, surfaces, strict=True)
    ]


def _are_plain(
    parts: Sequence[_Grid],
    grids: Sequence[_Grid],
    tiles: tuple[int, int],
    table: OneTable,
    size: tuple[int, int],
) -> bool:
    """Whether parts of grids reach to all ends, and all their tiles lie where those of grids do.

    Args:
        parts: what may be grids.
        grids: those that are whole.
        tiles: rows and columns of a full grid.
        table: on which grids lie whose tiles are all of one size.
        size: of the photo, (width, height) pixels.
    """
    if not parts:
        return True
    surfaces = surfaces_on_one_table([grid.matches for grid in (*grids, *parts)], size)
    for part, surface in zip(parts, surfaces[len(grids) :], strict=True):
        middles, seen = part.matches
        off = np.hypot(*(surface.inverse(seen) - middles).T)
        reach = tuple(np.rint(np.ptp(middles, axis=0)).astype(int) + 1)[::-1]
        if reach not in (tiles, tiles[::-1]) or off.max() > IN_LINE:
            return False
        if not table.holds(part.lattice):
            return False
    return True
