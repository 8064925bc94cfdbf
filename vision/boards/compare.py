"""Compare the places of a grid with all that may lie there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points
from vision.boards.known import KnownFaces
from vision.boards.light import Light
from vision.boards.looks import (
    Looks,
    apart,
    looks_of,
)
from vision.boards.windows import Corners, Sheet, corners_about

COARSE_SHIFTS = np.array([(y, x) for y in (-4, 0, 4) for x in (-4, 0, 4)], np.intp)
FINE_SHIFTS = np.array([(y, x) for y in (-2, 0, 2) for x in (-2, 0, 2)], np.intp)
"""Pixels by which a tile may lie off its place."""
_UNSHIFTED = 4
"""Place of (0, 0) among either."""

PLAINLY_BETTER = 0.05
"""By so much a picture must be nearer when shifted for a tile to lie off its place."""
KEPT = 24
"""Pictures that are compared in full: those that are most alike when compared roughly."""
PLAINLY_EMPTY = 0.4
"""A place so much nearer to the empty board than roughly to any picture is plainly empty."""
PLACES_AT_ONCE = 16
"""What is cut out for so many places fits into a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Distances of places to pictures.

    Attributes:
        texture: (places, pictures) at the shift in which each picture fits best; of pictures that
            are plainly unlike a place, about.
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
    sheet: Sheet,
    middles: Sequence[tuple[float, float]],
    known: KnownFaces,
    empty: NDArray[np.float32] | None = None,
) -> Comparison:
    """Compare places of a flat picture with all pictures of the faces.

    All pictures are compared roughly, those that are most alike in full; none in full in places
    that are plainly empty.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        known: the pictures.
        empty: (n,) how unlike the empty board each place is by its texture, if there is a board.
    """
    if empty is None:
        empty = np.full(len(middles), np.inf, np.float32)
    parts = [
        _compared(sheet, corners, known, empty[part])
        for part, corners in _parts(corners_about(middles))
    ]
    return Comparison(
        np.concatenate([part.texture for part in parts]),
        np.concatenate([part.shifts for part in parts]),
        np.concatenate([part.colours for part in parts]),
        np.concatenate([part.textured for part in parts]),
    )


def _parts(corners: Corners) -> list[tuple[slice, Corners]]:
    firsts = range(0, len(corners), PLACES_AT_ONCE)
    parts = [slice(first, first + PLACES_AT_ONCE) for first in firsts]
    return [(part, corners[part]) for part in parts]


def _compared(
    sheet: Sheet, corners: Corners, known: KnownFaces, empty: NDArray[np.float32]
) -> Comparison:
    texture = _roughly(sheet, corners, known)
    shifts = np.zeros((len(corners), 2), np.intp)
    closely = np.flatnonzero(texture.min(axis=1) < empty + PLAINLY_EMPTY)
    if len(closely):
        texture[closely], shifts[closely] = _in_full(
            sheet, corners[closely], known.looks, texture[closely]
        )
    unshifted = looks_of(sheet.tiles(corners))
    return Comparison(texture, shifts, unshifted.colour, unshifted.textured)


def roughly_apart(
    sheet: Sheet, middles: Sequence[tuple[float, float]], known: KnownFaces
) -> NDArray[np.float32]:
    """About the distances (places, pictures) of the textures, much quicker than ``compared``.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        known: the pictures.
    """
    return _roughly(sheet, corners_about(middles), known)


def _roughly(sheet: Sheet, corners: Corners, known: KnownFaces) -> NDArray[np.float32]:
    tiles = looks_of(sheet.coarse_tiles(corners[:, None] + COARSE_SHIFTS))
    table = known.coarse.distances(tiles).reshape(len(corners), len(COARSE_SHIFTS), -1)
    return np.asarray(table.min(axis=1), np.float32)


def _in_full(
    sheet: Sheet, corners: Corners, faces: Looks, rough: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Distances (places, pictures), and the shifts (places, 2) of the best pictures.

    Args:
        sheet: the flat picture.
        corners: (places, 2).
        faces: all pictures.
        rough: (places, pictures) distances when compared roughly.
    """
    each = np.arange(len(corners))
    kept = np.argpartition(rough, min(KEPT, rough.shape[1]) - 1, axis=1)[:, :KEPT]
    likely = _Kept(faces.texture[kept], faces.textured[kept])
    here = likely.distances(looks_of(sheet.tiles(corners[:, None] + COARSE_SHIFTS)))
    shifts = COARSE_SHIFTS[here.min(axis=2).argmin(axis=1)][:, None] + FINE_SHIFTS
    closer = likely.distances(looks_of(sheet.tiles(corners[:, None] + shifts)))
    nearest = np.minimum(here.min(axis=1), closer.min(axis=1))
    first = nearest.argmin(axis=1)
    best = closer[each, :, first].argmin(axis=1)
    is_off = here[each, _UNSHIFTED, first] - closer[each, best, first] > PLAINLY_BETTER
    # What was compared roughly only is less alike than what was kept
    texture = np.maximum(rough, nearest.max(axis=1, keepdims=True))
    np.put_along_axis(texture, kept, nearest, axis=1)
    return texture, np.where(is_off[:, None], shifts[each, best], 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """Some pictures for each place.

    Attributes:
        texture: (places, k, d).
        textured: (places, k) see ``Looks``.
    """

    texture: NDArray[np.float32]
    textured: NDArray[np.float32]

    def distances(self, tiles: Looks) -> NDArray[np.float32]:
        """Squared distances (places, shifts, k) of the textures.

        Args:
            tiles: of all shifts of the first place, then of the second, …
        """
        places, _, dimensions = self.texture.shape
        texture = tiles.texture.reshape(places, -1, dimensions)
        # The product of each place is so small (under 2**18) that numpy uses no further threads
        product = texture @ self.texture.transpose(0, 2, 1)
        return apart(tiles.textured.reshape(places, -1), self.textured, product)


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
    sheet: Sheet,
    middles: Sequence[tuple[float, float]],
    board: Sheet,
    on_board: Sequence[tuple[float, float]],
) -> EmptyPlaces:
    """How unlike the empty board places are by their texture alone; see ``distances_here``."""
    drawn = looks_of(board.tiles(corners_about(on_board)))
    seen = looks_of(sheet.tiles(corners_about(middles)))
    return EmptyPlaces(_pairwise(seen, drawn)[:, 0], drawn.colour)


def distances_here(
    sheet: Sheet,
    middles: Sequence[tuple[float, float]],
    board: Sheet,
    on_board: Sequence[tuple[float, float]],
    light: Light | None,
    places: Points,
) -> NDArray[np.float32]:
    """Distances (n,) of places to what the empty board shows there.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        board: picture of the empty board.
        on_board: (x, y) of the places in its pixels.
        light: on the grid, if known.
        places: (n, 2) the places in grid coordinates.
    """
    nearest: list[NDArray[np.float32]] = []
    there = corners_about(on_board)
    for part, here in _parts(corners_about(middles)):
        drawn = looks_of(board.tiles(there[part]))
        seen = looks_of(sheet.tiles(here[:, None] + FINE_SHIFTS))
        table = _pairwise(seen, drawn)
        if light is not None:
            at = np.repeat(places[part], len(FINE_SHIFTS), axis=0)
            own = np.repeat(np.arange(len(here)), len(FINE_SHIFTS))
            colour = drawn.colour[own][:, None], drawn.textured[own][:, None]
            table = table + light.distances(at, seen.colour, *colour).reshape(table.shape)
        nearest.append(table.min(axis=1))
    return np.concatenate(nearest)


def _pairwise(seen: Looks, drawn: Looks) -> NDArray[np.float32]:
    """Squared distances (places, shifts) of the textures of each place to what is drawn there."""
    return _Kept(drawn.texture[:, None], drawn.textured[:, None]).distances(seen)[:, :, 0]
