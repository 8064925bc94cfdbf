"""What stands on the tiles of a grid: compare it with how it would look without figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.camera import camera_above
from vision.boards.camouflage import cells_that_may_hide
from vision.boards.description import Description
from vision.boards.figure_outline import TOKEN_PX, Standing
from vision.boards.known import KnownEdition, kept
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, brightest, softened
from vision.boards.lying import LyingTile, Part
from vision.boards.places import Places
from vision.boards.tokens import Figure, find_figures, perhaps_on
from vision.boards.veil import cleared
from vision.boards.view import View
from vision.exposure import WHITE

MARGIN = 0.25
"""What is seen around the grid, in tile edges."""
LEAST_FOR_FIGURES = 0.2
"""With less contrast than this share left under a veil, a figure may be overlooked."""
GOOD_CONTRAST = 0.4
"""With less, what looks like a figure may be something else."""
LEAST_VEIL = 18.0
"""Levels by which glare must brighten the dark parts of a tile to be taken off."""


def read_figures(
    view: View,
    places: Places,
    tiles: Mapping[Cell, LyingTile],
    known: KnownEdition,
    light: Light | None,
) -> list[Figure]:
    """The figures on a grid; those on tiles that are not sure are not sure either.

    Args:
        view: of the grid.
        places: where its tiles lie.
        tiles: those that are there.
        known: the edition.
        light: on the grid.
    """
    description = known.description
    if not description.tokens:
        return []
    right = places.columns * places.pitch[0] + MARGIN
    bottom = places.rows * places.pitch[1] + MARGIN
    window = (-MARGIN, -MARGIN, right, bottom)
    flat = view.softened(window, TOKEN_PX)
    lit = flat if light is None else _without_light(flat, light)
    expected = np.full(lit.shape, np.nan, np.float32)
    for cell, tile in tiles.items():
        expected[_part(cell, tile, places)] = _drawn(known, tile)
    sure = {cell: _part(cell, tile, places) for cell, tile in tiles.items() if tile.is_sure}
    burnt = brightest(flat) >= WHITE * view.gain
    clear, even, contrast = _clear(lit, expected, burnt, list(sure.values()))
    contrasts = dict(zip(sure, contrast, strict=True))
    height, width = view.picture.image.shape[:2]
    camera = camera_above(view.surface.plane, (width, height), view.surface.lens.focal_px)
    figures = find_figures(
        lit,
        clear,
        even,
        expected,
        Standing(description, camera, MARGIN),
        (places.rows, places.columns),
        places.pitch,
    )
    tall, wide = description.tile_cells
    plain = {cell for cell, share in contrasts.items() if share >= GOOD_CONTRAST}
    figures = [
        replace(
            figure,
            is_sure=figure.is_sure and (figure.cell[0] // tall, figure.cell[1] // wide) in plain,
        )
        for figure in figures
    ]
    lying = {cell: (tiles[cell], part) for cell, part in sure.items()}
    kinds = _kinds_that_may_hide(figures, description)
    figures += [
        perhaps_on(cell, description, places.pitch)
        for cell in cells_that_may_hide(view, window, even, expected, lying, kinds, known)
    ]
    hidden = [cell for cell, share in contrasts.items() if share < LEAST_FOR_FIGURES]
    return sorted(
        [*figures, *_perhaps(hidden, description, places.pitch)], key=lambda figure: figure.cell
    )


def _kinds_that_may_hide(figures: Sequence[Figure], description: Description) -> frozenset[int]:
    """The kinds of figures of which more may stand on a grid than are seen."""
    sure = [figure.kind for figure in figures if figure.is_sure]
    if not description.one_kind_a_grid or not sure:
        return frozenset(range(len(description.tokens)))
    most = description.most_tokens_a_grid
    return frozenset() if most is not None and len(sure) >= most else frozenset(sure)


def _clear(
    lit: FloatImage, expected: FloatImage, burnt: NDArray[np.bool_], parts: Sequence[Part]
) -> tuple[FloatImage, FloatImage, list[float]]:
    """A grid without its plain veil and without any light on these tiles.

    Returns:
        The grid without the veil of glare, as paint has the colours of the light; without any
        light of single tiles; and what was left of the contrast of each tile.
    """
    clear, even = lit, lit.copy()
    if not parts:
        return clear, even, []
    light = cleared(
        np.stack([lit[part] for part in parts]),
        np.stack([expected[part] for part in parts]),
        np.stack([burnt[part] for part in parts]),
    )
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


def _part(cell: Cell, tile: LyingTile, places: Places) -> Part:
    """Where a tile lies in the flat picture; it is never shifted beyond the margin."""
    x, y = places.middle(cell)
    scale = TOKEN_PX // TILE_PX
    left = round((x - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[1] * scale
    top = round((y - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[0] * scale
    return slice(top, top + TOKEN_PX), slice(left, left + TOKEN_PX)


def _without_light(flat: FloatImage, light: Light) -> FloatImage:
    """The picture as bright and as coloured as those of the edition."""
    height, width = flat.shape[:2]
    ys, xs = np.mgrid[0:height:TILE_PX, 0:width:TILE_PX]
    at = (np.column_stack([xs.ravel(), ys.ravel()]) + TILE_PX / 2) / TOKEN_PX - MARGIN
    coarse = light.factor(floats(at)).reshape(*xs.shape, 3)
    factor = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(flat / factor, np.float32)


def _drawn(known: KnownEdition, tile: LyingTile) -> FloatImage:
    return np.rot90(_upright(known, tile.face), -tile.turn)


@kept
def _upright(known: KnownEdition, face: str) -> FloatImage:
    picture = known.edition.pictures[face][0]
    small = cv2.resize(picture, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA)
    return softened(np.asarray(small, np.uint8))
