"""Figures standing on the cells of a grid.

A figure is where the photo has its paint and the tile's picture has not. Seen at a slant, it leans
away from the camera's foot point, so its outline is that of a capsule from its foot to its head;
capsules are fitted one after another, the best first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import FloatImage
from vision.boards.description import Description
from vision.boards.figure_outline import (
    Standing,
    outline_area,
    painted,
    squares,
)
from vision.boards.paint_fits import PaintFits
from vision.boards.unexplained import (
    A_LITTLE_OTHER,
    OTHER,
    apart_from_drawn,
    unexplained_cells,
)

UNLIKE_PICTURE = 42.0
"""By so many levels a pixel must differ from the tile's picture."""
THERE = 0.5
"""Share of a figure's outline that must have its paint."""
FEWEST_PLAIN = 2
"""So many plain figures tell the colour of the player to whom a grid belongs."""
FOREIGN = 0.72
"""Share of the outline of a figure of another colour."""
TABLE_HAS_PAINT = 0.15
"""Where so much of what surrounds the tiles has a figure's paint, that is the table."""
MOST_AROUND = 0.5
"""Share of what surrounds a figure that may have its paint."""
HIDES = 0.5
"""Share of its outline in which a figure hides what is drawn there."""
MOST_OTHER_AROUND = 0.2
"""The same of what surrounds it, where something larger than a figure may lie."""
_SPECK = np.ones((5, 5), np.uint8)
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


def find_figures(
    flat: FloatImage,
    clear: FloatImage,
    even: FloatImage,
    expected: FloatImage,
    standing: Standing,
    tiles: tuple[int, int],
    pitch: tuple[float, float],
) -> list[Figure]:
    """The figures on a grid.

    Args:
        flat: (h, w, 3) the grid from above in the light of the pictures, TOKEN_PX a tile.
        clear: the same without the veil of glare.
        even: the same with all light of single tiles taken away.
        expected: the grid without any figure; not a number where no tile lies.
        standing: how figures are seen in all of these.
        tiles: rows and columns of the grid.
        pitch: from one tile's middle to the next, to the right and down, in tile edges.
    """
    description = standing.description
    off_tiles = np.isnan(expected[..., 0])
    unlike = off_tiles | (squares(clear - expected) > UNLIKE_PICTURE**2)
    pixels = np.flatnonzero(unlike)
    pictures = [flat] if clear is flat else [flat, clear]
    seen = [picture.reshape(-1, 3).take(pixels, axis=0)[None] for picture in pictures]
    found: list[Figure] = []
    for kind, token in enumerate(description.tokens):
        mask = np.zeros(unlike.shape, np.bool_)
        is_paint = np.any([painted(colours, token.colour_bgr) for colours in seen], axis=0)
        mask.ravel()[pixels] = is_paint[0]
        if off_tiles.any() and float(mask[off_tiles].mean()) > TABLE_HAS_PAINT:
            mask &= ~off_tiles
        paint = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _SPECK)
        found += _of_kind(paint.astype(np.float32), kind, standing, tiles, pitch)
    figures = _one_per_place(found, description)
    if description.one_kind_a_grid:
        figures = _of_one_player(figures)
    apart = apart_from_drawn(even, expected)
    other = (apart > OTHER).astype(np.float32)
    hides = (apart > A_LITTLE_OTHER).astype(np.float32)
    checked: list[Figure] = []
    for figure in figures:
        token = description.tokens[figure.kind]
        hides_drawing = standing.painted_share(hides, token, figure.foot) >= HIDES
        is_larger = standing.painted_around(other, token, figure.foot) > MOST_OTHER_AROUND
        is_sure = figure.is_sure and hides_drawing and not is_larger
        checked.append(replace(figure, is_sure=is_sure))
    for figure in figures:
        standing.erase(other, description.tokens[figure.kind], figure.foot)
    foot = min(token.foot_mm for token in description.tokens) / description.tile_mm
    strange = unexplained_cells(other, _corners(description, tiles, pitch), foot, standing.margin)
    return sorted(
        [*checked, *(perhaps_on(cell, description, pitch) for cell in strange)],
        key=lambda figure: figure.cell,
    )


def perhaps_on(cell: Cell, description: Description, pitch: tuple[float, float]) -> Figure:
    """Perhaps there is a figure on a cell, of no matter which kind."""
    tall, wide = description.tile_cells
    foot = (cell[1] + 0.5) / wide * pitch[0], (cell[0] + 0.5) / tall * pitch[1]
    return Figure(0, foot, cell, 0.0, is_sure=False)


def _corners(
    description: Description, tiles: tuple[int, int], pitch: tuple[float, float]
) -> list[tuple[Cell, tuple[float, float], tuple[float, float]]]:
    """Each cell with its top left and bottom right corner (x, y) in tile edges."""
    tall, wide = description.tile_cells
    down, right = pitch[1] / tall, pitch[0] / wide
    return [
        ((row, column), (column * right, row * down), ((column + 1) * right, (row + 1) * down))
        for row in range(tiles[0] * tall)
        for column in range(tiles[1] * wide)
    ]


def _of_one_player(figures: Sequence[Figure]) -> list[Figure]:
    """Figures of a grid on which all should be of one kind.

    Of another kind than most of them only what looks just like a figure is mentioned, and never as
    sure.
    """
    shares: dict[int, list[float]] = {}
    for figure in figures:
        if not figure.near_edge:
            shares.setdefault(figure.kind, []).append(figure.share)
    several = {kind: sum(found) for kind, found in shares.items() if len(found) >= FEWEST_PLAIN}
    if not several:
        return list(figures)
    main = max(several, key=lambda kind: several[kind])
    own = [figure for figure in figures if figure.kind == main]
    foreign = [
        replace(figure, is_sure=False)
        for figure in figures
        if figure.kind != main and figure.share >= FOREIGN
    ]
    return sorted([*own, *foreign], key=lambda figure: figure.cell)


def _of_kind(
    paint: FloatImage,
    kind: int,
    standing: Standing,
    tiles: tuple[int, int],
    pitch: tuple[float, float],
) -> list[Figure]:
    description = standing.description
    token = description.tokens[kind]
    tall, wide = description.tile_cells[0] / pitch[1], description.tile_cells[1] / pitch[0]
    corners = [
        ((row + 0.5) * pitch[1] - 0.5, (column + 0.5) * pitch[0] - 0.5)
        for row in range(tiles[0])
        for column in range(tiles[1])
    ]
    enough = THERE * outline_area(token, description)
    if float(paint.sum()) < enough:
        return []
    fits = PaintFits(paint, token, corners, standing, THERE)
    found: list[Figure] = []
    rows, columns = (tiles[axis] * description.tile_cells[axis] for axis in (0, 1))
    for _ in range(rows * columns):
        share, foot = fits.best()
        if share < THERE:
            break
        # The outer tiles may reach beyond their cells
        cell = min(int(foot[1] * tall), rows - 1), min(int(foot[0] * wide), columns - 1)
        near_edge = _near_edge(foot, tall, wide)
        around = standing.painted_around(fits.paint, token, foot)
        is_sure = not near_edge and around <= MOST_AROUND
        found.append(Figure(kind, foot, cell, share, is_sure, near_edge))
        standing.erase(fits.paint, token, foot)
    return found


def _near_edge(foot: tuple[float, float], tall: float, wide: float) -> bool:
    x, y = foot[0] * wide % 1.0, foot[1] * tall % 1.0
    return min(x, 1 - x, y, 1 - y) < NEAR_EDGE


def _one_per_place(figures: Sequence[Figure], description: Description) -> list[Figure]:
    """Of figures of several kinds in one place the one that fits best."""
    kept: list[Figure] = []
    for figure in sorted(figures, key=lambda f: -f.share):
        size = description.tokens[figure.kind].foot_mm / description.tile_mm
        if all(
            np.hypot(figure.foot[0] - k.foot[0], figure.foot[1] - k.foot[1]) > 0.7 * size
            for k in kept
        ):
            kept.append(figure)
    return sorted(kept, key=lambda f: f.cell)
