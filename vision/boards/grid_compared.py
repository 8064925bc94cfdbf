"""A grid laid flat, its places compared with all pictures in the light that the grid tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points, floats
from vision.boards.compare import (
    Comparison,
    EmptyPlaces,
    compared,
    distances_here,
    empty_places,
)
from vision.boards.known import KnownEdition
from vision.boards.light import Light, fitted_light
from vision.boards.places import Places
from vision.boards.view import View, Window, in_pixels
from vision.boards.windows import Sheet
from vision.pyramid import Pyramid

MARGIN = 0.25
"""What is seen around a grid, in tile edges."""
LIKELY = 0.75
"""Tiles nearer to a picture than this tell of the light."""
FEWEST_FOR_LIGHT = 3


@dataclass(frozen=True, slots=True, eq=False)
class ComparedGrid:
    """A grid from above, compared with all pictures.

    Attributes:
        view: of the grid.
        flat: (h, w, 3) softened, TILE_PX pixels a tile.
        sheet: the same, for cutting out tiles.
        at: (x, y) of the middles of the places in its pixels.
        middles: (n, 2) the same in grid coordinates.
        comparison: of the places.
        light: on the grid, if enough places tell of it.
    """

    view: View
    flat: FloatImage
    sheet: Sheet
    at: list[tuple[float, float]]
    middles: Points
    comparison: Comparison
    light: Light | None

    def table(self, known: KnownEdition) -> NDArray[np.float32]:
        """Distances (places, pictures) of textures, and of colours if the light is known."""
        return self.comparison.total(known.in_grid, self.light, self.middles)

    def on_board(self, known: KnownEdition) -> list[tuple[float, float]]:
        """Where the places lie in the flat picture of the board."""
        return _on_board(self.middles, known)


def compared_grid(picture: Pyramid, places: Places, known: KnownEdition) -> ComparedGrid:
    """Lay a grid flat and compare its places with all that may lie there."""
    window = _window(places)
    view = View.of(picture, places.surface, window)
    middles = floats([places.middle(cell) for cell in places.cells])
    flat = view.softened(window)
    sheet = Sheet(flat)
    at = in_pixels(middles, window)
    empty = None
    if known.board_sheet is not None:
        empty = empty_places(sheet, at, known.board_sheet, _on_board(middles, known))
    comparison = compared(sheet, at, known.in_grid, None if empty is None else empty.texture)
    light = _light(comparison, known, middles, empty)
    return ComparedGrid(view, flat, sheet, at, middles, comparison, light)


def _window(places: Places) -> Window:
    right = places.columns * places.pitch[0] + MARGIN
    bottom = places.rows * places.pitch[1] + MARGIN
    return -MARGIN, -MARGIN, right, bottom


def _on_board(middles: Points, known: KnownEdition) -> list[tuple[float, float]]:
    """Where places of the grid lie in the flat picture of the board."""
    left, top = known.board_offset[0]
    return in_pixels(middles, (float(left), float(top)))


def _light(
    comparison: Comparison, known: KnownEdition, middles: Points, empty: EmptyPlaces | None
) -> Light | None:
    """The light by the places whose texture says plainly what they show; corrected once."""
    light: Light | None = None
    for _ in range(2):
        table = comparison.total(known.in_grid, light, middles)
        nearest = table.min(axis=1)
        drawn = known.in_grid.looks.colour[table.argmin(axis=1)]
        if empty is not None:
            is_empty = empty.texture < nearest
            nearest = np.minimum(nearest, empty.texture)
            drawn = np.where(is_empty[:, None], empty.colours, drawn)
        likely = nearest < LIKELY
        if likely.sum() < FEWEST_FOR_LIGHT:
            return light
        light = fitted_light(middles[likely], comparison.colours[likely], drawn[likely])
    return light


def empty_distances(seen: ComparedGrid, known: KnownEdition) -> NDArray[np.float32] | None:
    """How unlike the empty board each place is."""
    if known.board_sheet is None:
        return None
    on_board = _on_board(seen.middles, known)
    return distances_here(
        seen.sheet, seen.at, known.board_sheet, on_board, seen.light, seen.middles
    )
