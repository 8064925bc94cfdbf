"""Compare the places of a grid with all that may lie there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points
from vision.boards.known import KnownFaces
from vision.boards.light import Light
from vision.boards.looks import (
    QUARTERS,
    TILE_PX,
    Looks,
    looks_of,
    texture_distances,
)

COARSE_SHIFTS = tuple((y, x) for y in (-4, 0, 4) for x in (-4, 0, 4))
FINE_SHIFTS = tuple((y, x) for y in (-2, 0, 2) for x in (-2, 0, 2))
"""Pixels by which a tile may lie off its place."""

PLAINLY_BETTER = 0.05
"""By so much a picture must be nearer when shifted for a tile to lie off its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Distances of places to pictures.

    Attributes:
        texture: (places, pictures) at the shift in which each picture fits best.
        shifts: (places, 2) y and x in pixels, of the best picture.
        colours: (places, 3) mean colours, unshifted.
        textured: (places,) how full of drawing the places look, see ``Looks``.
    """

    texture: NDArray[np.float32]
    shifts: NDArray[np.intp]
    colours: NDArray[np.float32]
    textured: NDArray[np.float32]

    def total(self, known: KnownFaces, light: Light | None, places: Points) -> NDArray[np.float32]:
        """Distances (places, pictures), with those of the colours if the light is known."""
        if light is None:
            return self.texture
        looks = known.looks
        return self.texture + light.distances(places, self.colours, looks.colour, looks.textured)


def compared(
    flat: FloatImage, middles: Sequence[tuple[float, float]], known: KnownFaces
) -> Comparison:
    """Compare places of a flat, softened picture with all pictures of the faces.

    Args:
        flat: (h, w, 3), TILE_PX pixels a tile.
        middles: (x, y) of the places in its pixels; windows beyond its edge are cut at the edge.
        known: the pictures.
    """
    texture: list[NDArray[np.float32]] = []
    shifts: list[tuple[int, int]] = []
    middle_shift = COARSE_SHIFTS.index((0, 0))
    coarse = [window(flat, middle, shift) for middle in middles for shift in COARSE_SHIFTS]
    rough = looks_of(coarse)
    table = texture_distances(rough, known.looks).reshape(len(middles), len(COARSE_SHIFTS), -1)
    for number, middle in enumerate(middles):
        of_place = table[number]
        best = COARSE_SHIFTS[int(of_place.min(axis=1).argmin())]
        near = [(best[0] + y, best[1] + x) for y, x in FINE_SHIFTS]
        fine: Looks = looks_of([window(flat, middle, shift) for shift in near])
        closer = texture_distances(fine, known.looks)
        row = np.minimum(of_place.min(axis=0), closer.min(axis=0))
        texture.append(row)
        shifts.append(_plain_shift(of_place, closer, near, int(row.argmin())))
    unshifted = slice(middle_shift, None, len(COARSE_SHIFTS))
    return Comparison(
        np.array(texture),
        np.array(shifts, np.intp),
        rough.colour[unshifted],
        rough.textured[unshifted],
    )


def window(flat: FloatImage, middle: tuple[float, float], shift: tuple[int, int]) -> FloatImage:
    """The tile (TILE_PX, TILE_PX, 3) about a place, shifted by y and x pixels."""
    half = TILE_PX // 2
    top = min(max(round(middle[1]) - half + shift[0], 0), flat.shape[0] - TILE_PX)
    left = min(max(round(middle[0]) - half + shift[1], 0), flat.shape[1] - TILE_PX)
    return flat[top : top + TILE_PX, left : left + TILE_PX]


def _plain_shift(
    coarse: NDArray[np.float32],
    fine: NDArray[np.float32],
    near: Sequence[tuple[int, int]],
    picture: int,
) -> tuple[int, int]:
    """The shift in which a picture fits best, or none if it fits nearly as well without."""
    best = int(fine[:, picture].argmin())
    unshifted = float(coarse[COARSE_SHIFTS.index((0, 0)), picture])
    return near[best] if unshifted - float(fine[best, picture]) > PLAINLY_BETTER else (0, 0)


def best_quarters(
    flat: FloatImage, middles: Sequence[tuple[float, float]], known: KnownFaces
) -> NDArray[np.float32]:
    """Distances (places, pictures) of tiles without the quarter that is most unlike each picture.

    Args:
        flat: as for ``compared``.
        middles: (x, y) of the places in its pixels.
        known: the pictures.
    """
    rows: list[NDArray[np.float32]] = []
    for middle in middles:
        windows = [window(flat, middle, shift) for shift in (*COARSE_SHIFTS, *FINE_SHIFTS)]
        parts = np.stack(
            [
                texture_distances(looks_of([w[part] for w in windows]), looks)
                for part, looks in zip(QUARTERS, known.quarters, strict=True)
            ]
        )
        trimmed = (parts.sum(axis=0) - parts.max(axis=0)) / 3
        rows.append(trimmed.min(axis=0))
    return np.array(rows, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class EmptyPlaces:
    """The empty board at some places, as printed.

    Attributes:
        texture: (n,) distances of what the photo shows there, unshifted.
        colours: (n, 3) mean colours of the print.
    """

    texture: NDArray[np.float32]
    colours: NDArray[np.float32]


def empty_places(
    flat: FloatImage,
    middles: Sequence[tuple[float, float]],
    board: FloatImage,
    on_board: Sequence[tuple[float, float]],
) -> EmptyPlaces:
    """How unlike the empty board places are by their texture alone; see ``distances_here``."""
    drawn = looks_of([window(board, middle, (0, 0)) for middle in on_board])
    seen = looks_of([window(flat, middle, (0, 0)) for middle in middles])
    apart = ((seen.texture - drawn.texture) ** 2).sum(axis=1)
    return EmptyPlaces(np.asarray(apart, np.float32), drawn.colour)


def distances_here(
    flat: FloatImage,
    middles: Sequence[tuple[float, float]],
    board: FloatImage,
    on_board: Sequence[tuple[float, float]],
    light: Light | None,
    places: Points,
) -> NDArray[np.float32]:
    """Distances (n,) of places to what the empty board shows there.

    Args:
        flat: as for ``compared``.
        middles: (x, y) of the places in its pixels.
        board: (h, w, 3) softened picture of the board, TILE_PX pixels a tile.
        on_board: (x, y) of the places in its pixels.
        light: on the grid, if known.
        places: (n, 2) the places in grid coordinates.
    """
    drawn = looks_of([window(board, middle, (0, 0)) for middle in on_board])
    nearest = np.full(len(middles), np.inf, np.float32)
    for shift in FINE_SHIFTS:
        seen = looks_of([window(flat, middle, shift) for middle in middles])
        apart = ((seen.texture - drawn.texture) ** 2).sum(axis=1)
        if light is not None:
            colour = drawn.colour[:, None], drawn.textured[:, None]
            apart = apart + light.distances(places, seen.colour, *colour)[:, 0]
        nearest = np.minimum(nearest, apart)
    return nearest
