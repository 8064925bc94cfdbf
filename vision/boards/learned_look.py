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
from vision.arrays import floats, median, transformed
from vision.boards.gaps import USUAL
from vision.boards.known import KnownEdition
from vision.boards.laid_tiles import LaidTiles
from vision.boards.lattice import CERTAIN_SHARE, LIKELY_SHARE
from vision.boards.lattice_growth import Lattice
from vision.boards.one_table import OneTable, of_one_size
from vision.boards.photo_features import size_wh
from vision.boards.surface import Matches, fitted_surfaces
from vision.boards.tile_look import full_grid
from vision.lattice import chains, windows
from vision.locate import Detection, find_tiles, sizes_of
from vision.pyramid import Pyramid

AREA_PX = 200_000.0
"""Size at which the network sees a photo: about 596x336."""
SMALLEST_PX = 14.0
"""Pixels of a tile in that size below which the network may miss it."""
LARGEST_PX, USUAL_PX = 44.0, 28.0
"""Where most tiles are larger, the network knows less well where exactly they lie, and is shown
them as large as they were mostly when it learned."""
FEWEST_AT_END = 2
"""So many tiles in its first and last row and column tell where a grid ends."""
FEWEST_OTHERS = 3
"""So many tiles that lie as in a grid may be one of which the rest is hidden."""
FEATURES_A_TILE = 4
"""As many features that agree tell as much of a tile as the network does."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLook:
    """What the network sees in a photo.

    Attributes:
        whole: grids that lie there for certain, and of which all ends are seen.
        perhaps: others of which at least half is seen.
        least_tile: side of the smallest tiles that may lie somewhere in the photo, in pixels of
            what the network sees.
        has_others: whether other tiles may belong to a grid.
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
    network, tiles = known.edition.locator, full_grid(known)
    if network is None:
        return NOTHING
    seen, area_px = _tiles_seen(picture, network)
    groups = chains(seen)
    squares, others = _told_apart([windows(group, *tiles) for group in groups], tiles)
    if not squares:
        return NOTHING
    grids, size = [_Grid.of(square) for square in squares], size_wh(picture.image)
    if any(grid.is_under(square) for grid in grids for square in others):
        return NOTHING
    alike = of_one_size([grid.lattice for grid in grids])
    table = OneTable.of(alike)
    likely = [square for square in others if len(square) >= LIKELY_SHARE * tiles[0] * tiles[1]]
    perhaps = [_Grid.of(square) for square in likely]
    shrink = math.sqrt(area_px / (size[0] * size[1]))
    return LearnedLook(
        _laid(grids, table, size, certain=alike),
        _laid(perhaps, table, size),
        table.least_width(size, tiles) * shrink,
        bool(perhaps)
        or any(len(square) >= FEWEST_OTHERS and _is_on(table, square) for square in others),
    )


def _tiles_seen(picture: Pyramid, network: str) -> tuple[list[Detection], float]:
    """The tiles that a network sees, and the size of the copy of the photo in which it does.

    That is a smaller one if most tiles are large.
    """
    tiles = find_tiles(picture, AREA_PX, network=network)
    width, height = size_wh(picture.image)
    sides = sizes_of(tiles) * math.sqrt(AREA_PX / (width * height))
    if not tiles or float(median(sides)) <= LARGEST_PX:
        return tiles, AREA_PX
    area_px = AREA_PX * (USUAL_PX / float(median(sides))) ** 2
    return find_tiles(picture, area_px, network=network), area_px


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
        whole = [square for square in squares if _is_whole(square, tiles)]
        rest = [square for square in squares if not _is_whole(square, tiles)]
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
    cells = np.array(list(square))
    ends = (cells[:, axis] == end for axis in (0, 1) for end in (0, tiles[axis] - 1))
    return all(np.count_nonzero(end) >= FEWEST_AT_END for end in ends)


def _is_on(table: OneTable, square: Square) -> bool:
    """Whether tiles are about as large as those of the grids on a table."""
    expected = table.widths(floats([tile.centre for tile in square.values()]))
    off = median(np.log(sizes_of(square.values()) / expected))
    return abs(float(off)) < math.log(table.tolerance)


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """A grid that the network sees.

    Attributes:
        square: its tiles.
        lattice: on which they lie, as features would tell.
        matches: the middles of its tiles, and where they are seen.
    """

    square: Square
    lattice: Lattice
    matches: Matches

    @classmethod
    def of(cls, square: Square) -> "_Grid":
        """From at least four tiles that do not lie in a row."""
        cells = np.array(list(square), np.intp)
        middles = floats(cells[:, ::-1] + 0.5)
        seen = floats([tile.centre for tile in square.values()])
        to_photo, _ = cv2.findHomography(middles, seen, 0)
        if to_photo is None:
            raise ValueError("these tiles lie in a row")
        lattice = Lattice(
            np.asarray(to_photo, np.float64),
            np.arange(FEATURES_A_TILE * len(cells)),
            np.repeat(cells, FEATURES_A_TILE, axis=0),
            np.zeros(FEATURES_A_TILE * len(cells), np.intp),
        )
        return cls(square, lattice, (middles, seen))

    def is_under(self, square: Square) -> bool:
        """Whether several other tiles seem to lie on it, so that nobody knows which do."""
        centres = floats([tile.centre for tile in square.values()])
        at = transformed(centres, np.linalg.inv(self.lattice.to_photo))
        low, high = self.matches[0].min(axis=0), self.matches[0].max(axis=0)
        return int(((at > low) & (at < high)).all(axis=1).sum()) >= FEWEST_OTHERS


def _laid(
    grids: Sequence[_Grid],
    table: OneTable,
    size: tuple[int, int],
    certain: Sequence[Lattice] = (),
) -> list[LaidTiles]:
    """Grids on surfaces that are seen through one lens.

    Args:
        grids: in a photo.
        table: on which grids lie whose tiles are all of one size.
        size: of the photo, (width, height) pixels.
        certain: the lattices by which the table is known.
    """
    surfaces = fitted_surfaces([grid.matches for grid in grids], size)
    return [
        LaidTiles(
            grid.lattice,
            grid.matches,
            surface,
            USUAL,
            is_likely=grid.lattice in certain,
            is_odd=grid.lattice not in certain and not table.holds(grid.lattice),
            is_exact=False,
        )
        for grid, surface in zip(grids, surfaces, strict=True)
    ]
