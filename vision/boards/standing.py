"""What stands on the tiles of a grid: compare it with how it would look without figures."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import FloatImage, Image, floats
from vision.boards.camera import camera_above
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, softened
from vision.boards.places import Places
from vision.boards.tokens import TOKEN_PX, Figure, find_figures
from vision.boards.view import View

MARGIN = 0.25
"""What is seen around the grid, in tile edges."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile that was read.

    Attributes:
        face: its name.
        turn: quarters by which it is turned clockwise.
        shift: (y, x) by which it lies off its place, in pixels of TILE_PX a tile.
    """

    face: str
    turn: int
    shift: tuple[int, int]


def read_figures(
    view: View,
    places: Places,
    tiles: Mapping[Cell, LyingTile],
    known: KnownEdition,
    light: Light | None,
) -> list[Figure]:
    """The figures on a grid.

    Args:
        view: of the grid.
        places: where its tiles lie.
        tiles: those that were read; the others are compared with nothing.
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
    height, width = view.picture.image.shape[:2]
    return find_figures(
        lit,
        _expected(lit.shape[:2], places, tiles, known),
        description,
        places.rows,
        places.columns,
        camera_above(view.surface.plane, (width, height), view.surface.lens.focal_px),
        MARGIN,
    )


def _without_light(flat: FloatImage, light: Light) -> FloatImage:
    """The picture as bright and as coloured as those of the edition."""
    height, width = flat.shape[:2]
    ys, xs = np.mgrid[0:height:TILE_PX, 0:width:TILE_PX]
    at = np.column_stack([xs.ravel(), ys.ravel()]) / TOKEN_PX - MARGIN
    coarse = light.factor(floats(at)).reshape(*xs.shape, 3)
    factor = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(flat / factor, np.float32)


def _expected(
    shape: tuple[int, int],
    places: Places,
    tiles: Mapping[Cell, LyingTile],
    known: KnownEdition,
) -> FloatImage:
    """How the grid would look without figures; far from every colour where that is not known."""
    expected = np.full((*shape, 3), -500, np.float32)
    drawn: dict[str, FloatImage] = {}
    for cell, tile in tiles.items():
        if tile.face not in drawn:
            drawn[tile.face] = _drawn(known.edition.pictures[tile.face][0])
        picture = np.rot90(drawn[tile.face], -tile.turn)
        x, y = places.middle(cell)
        scale = TOKEN_PX // TILE_PX
        left = round((x - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[1] * scale
        top = round((y - 0.5 + MARGIN) * TOKEN_PX) + tile.shift[0] * scale
        y0, x0 = max(top, 0), max(left, 0)
        y1, x1 = min(top + TOKEN_PX, shape[0]), min(left + TOKEN_PX, shape[1])
        expected[y0:y1, x0:x1] = picture[y0 - top : y1 - top, x0 - left : x1 - left]
    return expected


def _drawn(picture: Image) -> FloatImage:
    small = cv2.resize(picture, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA)
    return softened(np.asarray(small, np.uint8))
