"""A grid laid flat, its places compared with all pictures in the light that the grid tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats, percentile
from vision.boards.compare import (
    Comparison,
    Plots,
    compared,
    distances_here,
)
from vision.boards.known import KnownEdition, KnownFaces, kept
from vision.boards.light import Light, fitted_light
from vision.boards.looks import TILE_PX, softened
from vision.boards.places import Places
from vision.boards.view import BRIGHT, View, Window, in_pixels
from vision.boards.windows import Sheet
from vision.pyramid import Pyramid

MARGIN = 0.25
"""What is seen around a grid, in tile edges."""
LIKELY = 0.75
"""Tiles nearer to a picture than this tell of the light."""
FEWEST_FOR_LIGHT = 3
SPARSE_PX = 4
"""Every so many-th pixel tells how bright a grid is."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedGrid:
    """A grid from above, compared with all pictures.

    Attributes:
        view: of the grid.
        taken: (h, w, 3) the grid and MARGIN around it, TILE_PX pixels a tile.
        flat: the same, softened and brightened.
        sheet: ``flat``, for cutting out tiles.
        at: (x, y) of the middles of the places in its pixels.
        middles: (n, 2) the same in grid coordinates.
        comparison: of the places.
        light: on the grid, if enough places tell of it.
        table: distances (places, pictures) of textures, and of colours if the light is known.
        plots: what the empty board shows in the places, if there is a board.
    """

    view: View
    taken: Image
    flat: FloatImage
    sheet: Sheet
    at: list[tuple[float, float]]
    middles: Points
    comparison: Comparison
    light: Light | None
    table: NDArray[np.float32]
    plots: Plots | None

    @property
    def seen_at(self) -> Points:
        """The middles (n, 2) of what lies in the places, in grid coordinates."""
        return floats(self.middles + self.comparison.shifts[:, ::-1] / TILE_PX)

    def on_board(self, known: KnownEdition) -> list[tuple[float, float]]:
        """Where the places lie in the flat picture of the board."""
        return _on_board(self.middles, known)


def compared_grid(picture: Pyramid, places: Places, known: KnownEdition) -> ComparedGrid:
    """Lay a grid flat and compare its places with all that may lie there."""
    window = _window(places)
    taken = places.surface.flat(picture, window, TILE_PX)
    brightness = percentile(taken[::SPARSE_PX, ::SPARSE_PX], 95)
    view = View(picture, places.surface, BRIGHT / max(brightness, 1.0))
    middles = floats([places.middle(cell) for cell in places.cells])
    flat = softened(taken, view.gain)
    sheet = Sheet(flat)
    at = in_pixels(middles, window)
    plots = plots_at(middles, known, known.in_grid)
    comparison = compared(sheet, at, known.in_grid, plots)
    light, table = _light(comparison, known, middles, plots)
    return ComparedGrid(view, taken, flat, sheet, at, middles, comparison, light, table, plots)


def _window(places: Places) -> Window:
    right = places.columns * places.pitch[0] + MARGIN
    bottom = places.rows * places.pitch[1] + MARGIN
    return -MARGIN, -MARGIN, right, bottom


def plots_at(middles: Points, known: KnownEdition, faces: KnownFaces) -> Plots | None:
    """What the empty board shows at places in grid coordinates; None: there is no board."""
    return _plots(known, tuple(_on_board(middles, known)), faces.names)


@kept
def _plots(
    known: KnownEdition, on_board: tuple[tuple[float, float], ...], names: tuple[str, ...]
) -> Plots | None:
    if known.board_sheet is None:
        return None
    faces = known.in_grid if names == known.in_grid.names else known.beside
    return Plots.of(known.board_sheet, on_board, faces)


def _on_board(middles: Points, known: KnownEdition) -> list[tuple[float, float]]:
    """Where places of the grid lie in the flat picture of the board."""
    left, top = known.board_offset[0]
    return in_pixels(middles, (float(left), float(top)))


def _light(
    comparison: Comparison, known: KnownEdition, middles: Points, plots: Plots | None
) -> tuple[Light | None, NDArray[np.float32]]:
    """The light by the places whose texture says plainly what they show; corrected once.

    With it, the distances of the places to the pictures.
    """
    light: Light | None = None
    table = comparison.texture
    before: tuple[NDArray[np.bool_], NDArray[np.float32]] | None = None
    for _ in range(2):
        nearest = table.min(axis=1)
        drawn = known.in_grid.looks.colour[table.argmin(axis=1)]
        if plots is not None:
            is_empty = comparison.empty < nearest
            nearest = np.minimum(nearest, comparison.empty)
            drawn = np.where(is_empty[:, None], plots.looks.colour, drawn)
        likely = nearest < LIKELY
        if likely.sum() < FEWEST_FOR_LIGHT:
            break
        drawn = drawn[likely]
        if before is not None and all(map(np.array_equal, before, (likely, drawn))):
            break
        before = likely, drawn
        light = fitted_light(middles[likely], comparison.seen.colour[likely], drawn)
        table = comparison.total(known.in_grid, light, middles)
    return light, table


def empty_distances(seen: ComparedGrid) -> NDArray[np.float32] | None:
    """How unlike the empty board each place is."""
    if seen.plots is None:
        return None
    return distances_here(
        seen.sheet, seen.at, seen.plots, seen.comparison, seen.light, seen.middles
    )
