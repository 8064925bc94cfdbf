"""Figures standing on the cells of a grid.

A figure is where the photo has its paint and the tile's picture has not. Seen at a slant, it leans
away from the camera's foot point, so its outline is that of a capsule from its foot to its head;
capsules are fitted one after another, the best first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats, median
from vision.boards.figure_outline import (
    TOKEN_PX,
    Patches,
    Standing,
    lengths,
    painted,
    shape_of,
    squares_apart,
)
from vision.boards.footprint import Mask
from vision.boards.paint_fits import PaintFits, Rooms, fits_elsewhere
from vision.editions.description import Description

UNLIKE_PICTURE = 42.0
"""By so many levels a pixel must differ from the tile's picture."""
THERE = 0.48
"""Share of a figure's outline that must have its paint."""
PERHAPS = 0.3
"""The same for what may be a figure of which something hides the rest."""
TABLE_HAS_PAINT = 0.15
"""Where so much of what surrounds the tiles has a figure's paint, that is the table."""
MOST_PATCH = 1.8
"""So many times its outline the patch of paint may be as large of which a figure is a part."""
TWO_IN_ONE = 1.4, 3.0
"""From and to how many times its outline a patch of paint may be figures in one line of sight."""
BEHIND = 0.6
"""Share of an outline that must lie in such a patch for a second figure to stand there."""
APART = 0.7
"""Feet of two figures are at least so far apart, in diameters of a foot."""
_SPECK = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), np.uint8)
NEAR_EDGE = 0.1
"""A figure whose foot is so near to the edge of its cell, in cells, may stand on the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure that was found, or something that may be one.

    Attributes:
        kind: number of its description.
        foot: (x, y) grid coordinates in tile edges.
        cell: on which it stands.
        share: of its outline that has its paint.
        is_sure: whether it stands there for certain.
        near_edge: whether its foot is near the edge of its cell.
    """

    kind: int
    foot: tuple[float, float]
    cell: Cell
    share: float
    is_sure: bool
    near_edge: bool = False

    def unsure(self) -> Self:
        """The same, not sure."""
        return replace(self, is_sure=False) if self.is_sure else self

    def perhaps(self) -> Self:
        """Something on its cell that may be one."""
        return replace(self, share=0.0, is_sure=False)


@dataclass(frozen=True, slots=True, eq=False)
class FlatGrid:
    """Pictures (h, w, 3) of a grid from above, TOKEN_PX a tile.

    Attributes:
        lit: in the light of the pictures of the edition.
        clear: the same without the veil of glare.
        even: the same with all light of single tiles taken away.
        expected: the grid without any figure; not a number where no tile lies.
        unknown: (h, w) where a tile of the grid belongs, but none is sure.
    """

    lit: FloatImage
    clear: FloatImage
    even: FloatImage
    expected: FloatImage
    unknown: NDArray[np.bool_]


def find_figures(
    grid: FlatGrid, standing: Standing, tiles: tuple[int, int], pitch: tuple[float, float]
) -> list[Figure]:
    """What has the paint and the outline of a figure, where the grid should have other colours.

    Args:
        grid: on which figures may stand.
        standing: how figures are seen in its pictures.
        tiles: rows and columns of the grid.
        pitch: from one tile's middle to the next, to the right and down, in tile edges.
    """
    description = standing.description
    off_tiles = np.isnan(grid.expected[..., 0])
    unlike = squares_apart(grid.clear, grid.expected) > UNLIKE_PICTURE**2
    unlike |= off_tiles
    pixels = np.flatnonzero(unlike)
    if not len(pixels):
        return []
    is_off = off_tiles.ravel().take(pixels)
    lit = grid.lit.reshape(-1, 3).take(pixels, axis=0)[None]
    # The veil is taken off tiles only
    on_tiles = np.flatnonzero(~is_off) if grid.clear is not grid.lit else pixels[:0]
    clear = grid.clear.reshape(-1, 3).take(pixels.take(on_tiles), axis=0)[None]
    corners = [
        ((row + 0.5) * pitch[1] - 0.5, (column + 0.5) * pitch[0] - 0.5)
        for row in range(tiles[0])
        for column in range(tiles[1])
    ]
    lit_lengths, clear_lengths = lengths(lit), lengths(clear)
    off_count = np.count_nonzero(off_tiles)
    rooms: dict[tuple[float, float], Rooms] = {}
    found: list[Figure] = []
    for kind, token in enumerate(description.tokens):
        is_paint = painted(lit, lit_lengths, token.colour_bgr)[0]
        if len(on_tiles):
            is_paint[on_tiles] |= painted(clear, clear_lengths, token.colour_bgr)[0]
        least = PERHAPS * shape_of(token, description, (0.0, 0.0)).area
        if np.count_nonzero(is_paint) < least:
            continue
        mask = np.zeros(unlike.shape, np.bool_)
        mask.ravel()[pixels] = is_paint
        if np.count_nonzero(is_paint & is_off) > TABLE_HAS_PAINT * off_count:
            places = _places(corners, standing.margin, unlike.shape)
            mask &= ~off_tiles | (places & ~grid.unknown)
        paint = np.asarray(cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_OPEN, _SPECK), np.uint8)
        if np.count_nonzero(paint) < least:
            continue
        size = token.foot_mm, token.height_mm
        if size not in rooms:
            rooms[size] = Rooms.of(corners, token, standing)
        found += _of_kind(paint, kind, standing, rooms[size], tiles, pitch)
    return _one_per_place(found, description)


def _places(
    corners: Sequence[tuple[float, float]], margin: float, shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Where (h, w) the places of tiles are.

    What stands at the corner of a tile may make the tile seem to lie off its place, so that it
    seems to stand on the table itself.

    Args:
        corners: top and left of each place, in tile edges.
        margin: what the picture shows around the grid.
        shape: of the picture.
    """
    places = np.zeros(shape, np.bool_)
    for corner in corners:
        top, left = (round((side + margin) * TOKEN_PX) for side in corner)
        places[top : top + TOKEN_PX, left : left + TOKEN_PX] = True
    return places


def perhaps_on(cell: Cell, description: Description, pitch: tuple[float, float]) -> Figure:
    """Perhaps there is a figure on a cell, of no matter which kind."""
    tall, wide = description.tile_cells
    foot = (cell[1] + 0.5) / wide * pitch[0], (cell[0] + 0.5) / tall * pitch[1]
    return Figure(0, foot, cell, 0.0, is_sure=False)


def _of_kind(
    paint: Mask,
    kind: int,
    standing: Standing,
    rooms: Rooms,
    tiles: tuple[int, int],
    pitch: tuple[float, float],
) -> list[Figure]:
    description = standing.description
    token = description.tokens[kind]
    tall, wide = description.tile_cells[0] / pitch[1], description.tile_cells[1] / pitch[0]
    fits = PaintFits(paint, rooms, PERHAPS)
    found: list[Figure] = []
    rows, columns = (tiles[axis] * description.tile_cells[axis] for axis in (0, 1))
    patches: Patches | None = None
    sizes: list[float] = []

    def figure(share: float, foot: tuple[float, float]) -> Figure:
        # The outer tiles may reach beyond their cells
        cell = min(int(foot[1] * tall), rows - 1), min(int(foot[0] * wide), columns - 1)
        near_edge = _near_edge(foot, tall, wide)
        return Figure(kind, foot, cell, share, share >= THERE and not near_edge, near_edge)

    for _ in range(rows * columns):
        share, foot = fits.best()
        if share < PERHAPS:
            break
        one, spot = figure(share, foot), standing.spot(token, foot)
        if share >= THERE:
            patches = Patches.of(paint) if patches is None else patches
            size = patches.largest(spot)
            sizes.append(size)
            one = one if size <= MOST_PATCH else one.unsure()
            if one.near_edge and size <= TWO_IN_ONE[1]:
                found += _across_edges(one, description, tiles, pitch)
        found.append(one)
        fits.take_away(spot)
    if patches is None:
        return found
    # Figures of a set may be slimmer than described
    usual = min(float(median(floats(sizes))), 1.0)
    least, most = TWO_IN_ONE[0] * usual * rooms.least_area, TWO_IN_ONE[1] * rooms.least_area
    is_wide = (patches.sizes >= least) & (patches.sizes <= most)
    if is_wide.any():
        wide_patches = is_wide.take(patches.numbers).view(np.uint8)
        far = APART * token.foot_mm / description.tile_mm
        others = fits_elsewhere(wide_patches, rooms, [one.foot for one in found], far, BEHIND)
        taken = {one.cell for one in found}
        seconds = [figure(share, foot).perhaps() for share, foot in others]
        found += [one for one in seconds if one.cell not in taken]
    return found


def _across_edges(
    figure: Figure, description: Description, tiles: tuple[int, int], pitch: tuple[float, float]
) -> list[Figure]:
    """Perhaps the same figure on each cell to whose edge its foot is so near."""
    tall, wide = description.tile_cells
    rows, columns = tiles[0] * tall, tiles[1] * wide
    x, y = figure.foot[0] * wide / pitch[0], figure.foot[1] * tall / pitch[1]
    cells = {
        (math.floor(y + down), math.floor(x + right))
        for down in (-NEAR_EDGE, NEAR_EDGE)
        for right in (-NEAR_EDGE, NEAR_EDGE)
    }
    return [
        replace(perhaps_on((row, column), description, pitch), kind=figure.kind)
        for row, column in sorted(cells - {figure.cell})
        if 0 <= row < rows and 0 <= column < columns
    ]


def _near_edge(foot: tuple[float, float], tall: float, wide: float) -> bool:
    x, y = foot[0] * wide % 1.0, foot[1] * tall % 1.0
    return min(x, 1 - x, y, 1 - y) < NEAR_EDGE


def _one_per_place(figures: Sequence[Figure], description: Description) -> list[Figure]:
    """Of figures of several kinds in one place the one that fits best.

    Of what may only be one, one for each cell on which none is seen.
    """
    kept: list[Figure] = []
    for figure in sorted(figures, key=lambda f: -f.share):
        if figure.share == 0:
            if all(figure.cell != other.cell for other in kept):
                kept.append(figure)
            continue
        size = description.tokens[figure.kind].foot_mm / description.tile_mm
        if all(
            math.hypot(figure.foot[0] - k.foot[0], figure.foot[1] - k.foot[1]) > APART * size
            for k in kept
        ):
            kept.append(figure)
    return sorted(kept, key=lambda f: f.cell)
