"""What stands on the tiles of a grid: compare it with how it would look without figures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.camera import camera_above
from vision.boards.description import Description
from vision.boards.figure_outline import TOKEN_PX
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, softened
from vision.boards.places import Places
from vision.boards.tokens import Figure, find_figures
from vision.boards.view import View

MARGIN = 0.25
"""What is seen around the grid, in tile edges."""
LEAST_CONTRAST = 0.2
"""Light that leaves less than this share of the contrast hides all."""
LEAST_FOR_FIGURES = 0.45
"""With less contrast than this share left under a veil, a figure may be overlooked."""
GOOD_CONTRAST = 0.6
"""With less, what looks like a figure may be something else."""
LEAST_VEIL = 18.0
"""Levels by which glare must brighten the dark parts of a tile to be taken off."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile that was read.

    Attributes:
        face: its name.
        turn: quarters by which it is turned clockwise.
        shift: (y, x) by which it lies off its place, in pixels of TILE_PX a tile.
        is_sure: whether it is certain what it shows.
    """

    face: str
    turn: int
    shift: tuple[int, int]
    is_sure: bool


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
    flat = view.softened((-MARGIN, -MARGIN, right, bottom), TOKEN_PX)
    lit = flat if light is None else _without_light(flat, light)
    expected = np.full(lit.shape, np.nan, np.float32)
    hidden: list[Figure] = []
    plain: set[Cell] = set()
    for cell, tile in tiles.items():
        at = _part(cell, tile, places, lit.shape[:2])
        picture = np.rot90(_drawn(known, tile.face), -tile.turn)
        expected[at.flat] = picture[at.picture]
        if tile.is_sure:
            lit[at.flat], contrast = cleared(lit[at.flat], picture[at.picture])
            if contrast >= GOOD_CONTRAST:
                plain.add(cell)
            if contrast < LEAST_FOR_FIGURES:
                hidden += _hidden_cells(cell, description)
    height, width = view.picture.image.shape[:2]
    figures = find_figures(
        lit,
        expected,
        description,
        (places.rows, places.columns),
        places.pitch,
        camera_above(view.surface.plane, (width, height), view.surface.lens.focal_px),
        MARGIN,
    )
    tall, wide = description.tile_cells
    kept: list[Figure] = []
    for figure in figures:
        on = figure.cell[0] // tall, figure.cell[1] // wide
        is_sure = figure.is_sure and on in plain
        kept.append(replace(figure, is_sure=is_sure))
    return sorted([*kept, *hidden], key=lambda figure: figure.cell)


def _hidden_cells(cell: Cell, description: Description) -> list[Figure]:
    """Perhaps a figure on each cell of a tile on which light would hide it."""
    tall, wide = description.tile_cells
    return [
        Figure(
            0,
            (cell[1] + (column + 0.5) / wide, cell[0] + (row + 0.5) / tall),
            (cell[0] * tall + row, cell[1] * wide + column),
            0.0,
            is_sure=False,
        )
        for row in range(tall)
        for column in range(wide)
    ]


def cleared(seen: FloatImage, drawn: FloatImage) -> tuple[FloatImage, float]:
    """A tile (h, w, 3) without the veil that glare lays over it, and what is left of its contrast.

    Args:
        seen: the tile in the light of the pictures.
        drawn: its picture.
    """
    low = np.percentile(seen[::2, ::2], 15, axis=(0, 1))
    high = np.percentile(seen[::2, ::2], 85, axis=(0, 1))
    drawn_low = np.percentile(drawn[::2, ::2], 15, axis=(0, 1))
    drawn_high = np.percentile(drawn[::2, ::2], 85, axis=(0, 1))
    contrast = (high - low) / np.maximum(drawn_high - drawn_low, 1.0)
    veil = low - contrast * drawn_low
    left = float(contrast.min())
    if float(np.median(veil)) < LEAST_VEIL:
        return seen, 1.0
    clear = (seen - veil) / np.maximum(contrast, LEAST_CONTRAST)
    return np.asarray(np.clip(clear, 0, 255), np.float32), left


@dataclass(frozen=True, slots=True)
class _Part:
    """Where a tile lies in a flat picture, and which part of its own picture that is."""

    flat: tuple[slice, slice]
    picture: tuple[slice, slice]


def _part(cell: Cell, tile: LyingTile, places: Places, shape: tuple[int, int]) -> _Part:
    x, y = places.middle(cell)
    scale = TOKEN_PX // TILE_PX
    left = round((x - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[1] * scale
    top = round((y - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[0] * scale
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + TOKEN_PX, shape[0]), min(left + TOKEN_PX, shape[1])
    return _Part(
        (slice(y0, y1), slice(x0, x1)), (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    )


def _without_light(flat: FloatImage, light: Light) -> FloatImage:
    """The picture as bright and as coloured as those of the edition."""
    height, width = flat.shape[:2]
    ys, xs = np.mgrid[0:height:TILE_PX, 0:width:TILE_PX]
    at = (np.column_stack([xs.ravel(), ys.ravel()]) + TILE_PX / 2) / TOKEN_PX - MARGIN
    coarse = light.factor(floats(at)).reshape(*xs.shape, 3)
    factor = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(flat / factor, np.float32)


def _drawn(known: KnownEdition, face: str) -> FloatImage:
    picture = known.edition.pictures[face][0]
    small = cv2.resize(picture, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA)
    return softened(np.asarray(small, np.uint8))
