"""What stands on the tiles of a grid: compare it with how it would look without figures."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.camera import camera_above
from vision.boards.camouflage import cells_that_may_hide
from vision.boards.figure_doubts import judged
from vision.boards.figure_outline import DARK, TOKEN_PX, Standing, sums
from vision.boards.grid_compared import MARGIN
from vision.boards.known import KnownEdition, cells_turned, kept
from vision.boards.light import Light
from vision.boards.looks import softened
from vision.boards.lying import LyingTile, Part
from vision.boards.places import Places
from vision.boards.tokens import Figure, FlatGrid, find_figures, perhaps_on
from vision.boards.unexplained import (
    A_LITTLE_OTHER,
    OTHER,
    apart_from_drawn,
    apart_from_paints,
    nearer_to_a_paint,
    unexplained_cells,
)
from vision.boards.veil import cleared
from vision.boards.view import View
from vision.editions.description import Description
from vision.exposure import WHITE

LEAST_FOR_FIGURES = 0.2
"""With less contrast than this share left under a veil, a figure may be overlooked."""
LIGHT_STEP_PX = 20
"""The light on a grid is computed at every so many pixels and interpolated between."""
MUCH_CONTRAST = 0.7
"""With less left of a tile, a figure may differ from its drawing by but a little."""
LEAST_VEIL = 18.0
"""Levels by which glare must brighten the dark parts of a tile to be taken off."""


def read_figures(
    view: View,
    taken: Image,
    flat: FloatImage,
    places: Places,
    tiles: Mapping[Cell, LyingTile],
    known: KnownEdition,
    light: Light | None,
) -> list[Figure]:
    """The figures on a grid; those on tiles that are not sure are not sure either.

    Args:
        view: of the grid.
        taken: (h, w, 3) what it shows of the grid and MARGIN around it.
        flat: the same, softened and brightened.
        places: where its tiles lie.
        tiles: those that are there.
        known: the edition.
        light: on the grid.
    """
    description = known.description
    if not description.tokens:
        return []
    lit = flat if light is None else _without_light(flat, light)
    parts = {cell: _part(cell, tile.shift, places) for cell, tile in tiles.items()}
    expected = np.full(lit.shape, np.nan, np.float32)
    for cell, part in parts.items():
        expected[part] = _turned(known, tiles[cell].face, tiles[cell].turn)
    sure = {cell: part for cell, part in parts.items() if tiles[cell].is_sure}
    clear, even, contrast = _clear(lit, expected, flat, WHITE * view.gain, list(sure.values()))
    contrasts = dict(zip(sure, contrast, strict=True))
    height, width = view.picture.image.shape[:2]
    camera = camera_above(view.surface.plane, (width, height), view.surface.lens.focal_px)
    grid = FlatGrid(lit, clear, even, expected, _unknown(lit, places, sure))
    standing = Standing(description, (float(camera[0]), float(camera[1]), float(camera[2])), MARGIN)
    found = find_figures(grid, standing, (places.rows, places.columns), places.pitch)
    apart = apart_from_drawn(even, expected)
    found = [_where_it_may_stand(figure, tiles, known) for figure in found]
    figures = judged(found, grid, apart, standing, contrasts)
    hides = _hides(
        grid, apart, [(tiles[cell], part, contrasts[cell]) for cell, part in sure.items()], known
    )
    figures += [
        perhaps_on(cell, description, places.pitch)
        for cell in unexplained_besides(figures, hides, standing, places)
    ]
    lying = {cell: (tiles[cell], part) for cell, part in sure.items()}
    kinds = _kinds_that_may_hide(figures, description)
    figures += [
        perhaps_on(cell, description, places.pitch)
        for cell in cells_that_may_hide(taken, view.gain, even, expected, lying, kinds, known)
    ]
    hidden = [cell for cell, share in contrasts.items() if share < LEAST_FOR_FIGURES]
    return sorted(
        [*figures, *_perhaps(hidden, description, places.pitch)], key=lambda figure: figure.cell
    )


def _unknown(lit: FloatImage, places: Places, sure: Mapping[Cell, Part]) -> NDArray[np.bool_]:
    """Where (h, w) a tile of the grid belongs, but none is sure."""
    unknown = np.zeros(lit.shape[:2], np.bool_)
    for cell in places.cells:
        if cell not in sure:
            unknown[_part(cell, (0, 0), places)] = True
    return unknown


def _where_it_may_stand(
    figure: Figure, tiles: Mapping[Cell, LyingTile], known: KnownEdition
) -> Figure:
    """A figure, not sure if the rules allow none on what its cell shows."""
    tall, wide = known.description.tile_cells
    tile = tiles.get((figure.cell[0] // tall, figure.cell[1] // wide))
    if tile is None:
        return figure
    shown = cells_turned(known, tile.face, tile.turn)
    is_bare = shown[figure.cell[0] % tall][figure.cell[1] % wide] in known.description.no_tokens_on
    return figure.unsure() if is_bare else figure


def _hides(
    grid: FlatGrid,
    apart: FloatImage,
    tiles: Sequence[tuple[LyingTile, Part, float]],
    known: KnownEdition,
) -> NDArray[np.bool_]:
    """Where (h, w) something may hide the drawing of tiles, or it is too dark to know a paint.

    Where light leaves a tile little contrast, figures differ less from its drawing, too; but they
    still bring its colours nearer to their own.

    Args:
        grid: without figures and as it is.
        apart: (h, w) by how many levels it differs from all that is drawn there.
        tiles: which they are and where they lie, and the share of its contrast that light leaves
            each.
        known: the edition.
    """
    hides: NDArray[np.bool_] = apart > OTHER
    for tile, part, contrast in tiles:
        if contrast < MUCH_CONTRAST:
            hides[part] = apart[part] > A_LITTLE_OTHER
            drawn = picture_apart_from_paints(known, tile.face, tile.turn)
            hides[part] |= nearer_to_a_paint(grid.even[part], drawn, _paints(known))
    hides |= sums(grid.lit) < np.float32(DARK) * sums(grid.expected)
    return hides


def unexplained_besides(
    figures: Sequence[Figure], hides: NDArray[np.bool_], standing: Standing, places: Places
) -> list[Cell]:
    """The cells on which something as large as a figure may hide the drawing and is none.

    Args:
        figures: that were seen; where there may be one of which nothing is seen, it hides nothing.
        hides: (h, w) where something may hide the drawing.
        standing: how figures are seen.
        places: where the tiles lie.
    """
    description = standing.description
    other = floats(hides)
    for figure in figures:
        if figure.share > 0:
            standing.spot(description.tokens[figure.kind], figure.foot).erase(other)
    foot = min(token.foot_mm for token in description.tokens) / description.tile_mm
    return unexplained_cells(other, _corners(description, places), foot, standing.margin)


def _corners(
    description: Description, places: Places
) -> Iterator[tuple[Cell, tuple[float, float], tuple[float, float]]]:
    """Each cell with its top left and bottom right corner (x, y) in tile edges."""
    tall, wide = description.tile_cells
    down, right = places.pitch[1] / tall, places.pitch[0] / wide
    for row in range(places.rows * tall):
        for column in range(places.columns * wide):
            first = column * right, row * down
            yield (row, column), first, ((column + 1) * right, (row + 1) * down)


def _kinds_that_may_hide(figures: Sequence[Figure], description: Description) -> frozenset[int]:
    """The kinds of figures of which more may stand on a grid than are seen."""
    sure = [figure.kind for figure in figures if figure.is_sure]
    if not description.one_kind_of_token or not sure:
        return frozenset(range(len(description.tokens)))
    most = description.most_tokens
    return frozenset() if most is not None and len(sure) >= most else frozenset(sure)


def _clear(
    lit: FloatImage, expected: FloatImage, flat: FloatImage, white: float, parts: Sequence[Part]
) -> tuple[FloatImage, FloatImage, list[float]]:
    """A grid without its plain veil and without any light on these tiles.

    Args:
        lit: (h, w, 3) the grid in the light of the pictures of the edition.
        expected: the same as drawn.
        flat: the same as the photo has it.
        white: the level from which on the photo does not tell how bright a channel is.
        parts: where the tiles lie.

    Returns:
        The grid without the veil of glare, as paint has the colours of the light; without any
        light of single tiles; and what was left of the contrast of each tile.
    """
    clear, even = lit, lit.copy()
    if not parts:
        return clear, even, []
    light = cleared(lit, expected, flat, white, parts)
    veiled = light.veil >= LEAST_VEIL
    if veiled.any():
        clear = lit.copy()
    for part, tile, is_veiled in zip(parts, light.tiles, veiled, strict=True):
        even[part] = tile
        if is_veiled:
            clear[part] = tile
    return clear, even, [float(share) for share in light.contrast]


def _perhaps(
    tiles: Sequence[Cell], description: Description, pitch: tuple[float, float]
) -> list[Figure]:
    """Perhaps a figure on each cell of some tiles."""
    tall, wide = description.tile_cells
    return [
        perhaps_on((row * tall + down, column * wide + right), description, pitch)
        for row, column in tiles
        for down in range(tall)
        for right in range(wide)
    ]


def _part(cell: Cell, shift: tuple[int, int], places: Places) -> Part:
    """Where a tile lies in the flat picture; it is never shifted beyond the margin."""
    x, y = places.middle(cell)
    left = round((x - 0.5 + MARGIN) * TOKEN_PX) + shift[1]
    top = round((y - 0.5 + MARGIN) * TOKEN_PX) + shift[0]
    return slice(top, top + TOKEN_PX), slice(left, left + TOKEN_PX)


def _without_light(flat: FloatImage, light: Light) -> FloatImage:
    """The picture as bright and as coloured as those of the edition."""
    height, width = flat.shape[:2]
    rows, columns = (math.ceil(side / LIGHT_STEP_PX) for side in (height, width))
    coarse = light.factor(_light_places(rows, columns)).reshape(rows, columns, 3)
    factor = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(flat / factor, np.float32)


@lru_cache(maxsize=4)
def _light_places(rows: int, columns: int) -> Points:
    """Where the light on a grid is computed, in tile edges."""
    ys, xs = np.mgrid[0:rows, 0:columns] * LIGHT_STEP_PX
    at = (np.column_stack([xs.ravel(), ys.ravel()]) + LIGHT_STEP_PX / 2) / TOKEN_PX - MARGIN
    return floats(at)


@kept
def _turned(known: KnownEdition, face: str, turn: int) -> FloatImage:
    picture = known.edition.pictures[face][0]
    small = cv2.resize(picture, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(softened(np.asarray(small, np.uint8)), -turn))


@kept
def picture_apart_from_paints(known: KnownEdition, face: str, turn: int) -> NDArray[np.float32]:
    """See ``apart_from_paints``, of a face so many quarters turned clockwise."""
    return apart_from_paints(_turned(known, face, turn), _paints(known))


def _paints(known: KnownEdition) -> list[tuple[int, int, int]]:
    return [token.colour_bgr for token in known.description.tokens]
