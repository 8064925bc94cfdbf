"""Compare the places of a grid with all that may lie there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points
from vision.boards.in_full import Kept, Near, in_full
from vision.boards.known import KnownFaces
from vision.boards.light import Light
from vision.boards.looks import (
    Looks,
    looks_of,
)
from vision.boards.windows import COARSE_SHIFTS, FINE_SHIFTS, Corners, Sheet, corners_about

KEPT = 24
"""Pictures that are compared in full: those that are most alike when compared roughly."""
KEPT_OF_PLAIN = 4
"""So many are enough where all others are plainly less alike."""
PLAINLY_ALIKE = 0.5
"""Roughly so near to a picture a place is plainly like it, unless others are nearly as near."""
PLAINLY_LESS = 0.4
"""Pictures roughly so much further away than the nearest are plainly less alike."""
PLAINLY_EMPTY = 0.4
"""A place so much nearer to the empty board than roughly to any picture is plainly empty."""
BARE = 0.25
"""Nearer to the empty board than this share of what the nearest picture is away from the board, a
place is nearer to the board than to any picture (by the triangle inequality, as the distances are
squared)."""
PLAINLY_A_PIECE = 0.6
"""A place so much nearer to a picture than to the empty board is plainly not empty."""
PLACES_AT_ONCE = 16
"""What is cut out for so many places fits into a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Plots:
    """What the empty board shows at some places.

    Attributes:
        looks: of the print.
        unlike: (places, pictures) about the distances of its texture to all pictures.
    """

    looks: Looks
    unlike: NDArray[np.float32]

    @classmethod
    def of(
        cls, board: Sheet, on_board: Sequence[tuple[float, float]], known: KnownFaces
    ) -> "Plots":
        """Of places.

        Args:
            board: picture of the empty board.
            on_board: (x, y) of the places in its pixels.
            known: the pictures.
        """
        corners = corners_about(on_board)
        unlike = [
            _roughly(board, corners[part], known).min(axis=1)
            for part in _parts(np.arange(len(corners)))
        ]
        return cls(looks_of(board.tiles(corners)), np.concatenate(unlike))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Distances of places to pictures.

    Attributes:
        texture: (places, pictures) at the shift in which each picture fits best; of pictures that
            are plainly unlike a place, about; where it is bare, those of the print.
        shifts: (places, 2) y and x in pixels, of the best picture.
        seen: what the photo shows, unshifted.
        empty: (places,) distances of the texture to that of the empty board, unshifted; infinite
            without a board.
        bare: (places,) where the empty board plainly shows.
    """

    texture: NDArray[np.float32]
    shifts: NDArray[np.intp]
    seen: Looks
    empty: NDArray[np.float32]
    bare: NDArray[np.bool_]

    def total(self, known: KnownFaces, light: Light | None, places: Points) -> NDArray[np.float32]:
        """Distances (places, pictures), with those of the colours if the light is known."""
        if light is None:
            return self.texture
        looks = known.looks
        return self.texture + light.distances(
            places, self.seen.colour, looks.colour, looks.textured
        )


def compared(
    sheet: Sheet,
    middles: Sequence[tuple[float, float]],
    known: KnownFaces,
    plots: Plots | None = None,
) -> Comparison:
    """Compare places of a flat picture with all pictures of the faces.

    Places that are plainly bare are compared with none. Elsewhere all pictures are compared
    roughly, those that are most alike in full; none in full in places that are plainly empty.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        known: the pictures.
        plots: what the empty board shows there, if there is a board.
    """
    corners = corners_about(middles)
    seen = looks_of(sheet.tiles(corners))
    shifts = np.zeros((len(corners), 2), np.intp)
    if plots is None:
        texture = np.empty((len(corners), len(known.looks)), np.float32)
        empty = np.full(len(corners), np.inf, np.float32)
        bare = np.zeros(len(corners), np.bool_)
    else:
        texture = plots.unlike.copy()
        empty = _pairwise(seen, plots.looks)[:, 0]
        bare = empty < BARE * texture.min(axis=1, initial=np.inf)
    for part in _parts(np.flatnonzero(~bare)):
        texture[part], shifts[part] = _compared(
            sheet, corners[part], known, seen.only(part), empty[part]
        )
    return Comparison(texture, shifts, seen, empty, bare)


def _parts(places: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    firsts = range(0, len(places), PLACES_AT_ONCE)
    return [places[first : first + PLACES_AT_ONCE] for first in firsts]


def _compared(
    sheet: Sheet, corners: Corners, known: KnownFaces, seen: Looks, empty: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Distances (places, pictures), and the shifts (places, 2) of the best pictures."""
    at_shifts = _roughly(sheet, corners, known)
    texture = np.asarray(at_shifts.min(axis=1), np.float32)
    shifts = np.zeros((len(corners), 2), np.intp)
    nearest = texture.min(axis=1, initial=np.inf)
    closely = nearest < empty + PLAINLY_EMPTY
    likely = np.count_nonzero(texture < nearest[:, None] + PLAINLY_LESS, axis=1)
    is_plain = (nearest < PLAINLY_ALIKE) & (likely <= KEPT_OF_PLAIN)
    plain = np.flatnonzero(closely & is_plain)
    if len(plain):
        about = COARSE_SHIFTS[at_shifts[plain].min(axis=2).argmin(axis=1)]
        near = Near(sheet, corners[plain], seen.only(plain), about)
        kept = Kept.of(known.looks, texture[plain], KEPT_OF_PLAIN)
        texture[plain], shifts[plain] = in_full(near, kept, texture[plain])
    others = np.flatnonzero(closely & ~is_plain)
    if len(others):
        near = Near(sheet, corners[others], seen.only(others), None)
        kept = Kept.of(known.looks, texture[others], KEPT)
        texture[others], shifts[others] = in_full(near, kept, texture[others])
    return texture, shifts


def roughly_apart(
    sheet: Sheet, middles: Sequence[tuple[float, float]], known: KnownFaces
) -> NDArray[np.float32]:
    """About the distances (places, pictures) of the textures, much quicker than ``compared``.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        known: the pictures.
    """
    return np.asarray(_roughly(sheet, corners_about(middles), known).min(axis=1), np.float32)


def _roughly(sheet: Sheet, corners: Corners, known: KnownFaces) -> NDArray[np.float32]:
    """About the distances (places, COARSE_SHIFTS, pictures) of the textures."""
    tiles = looks_of(sheet.coarse_tiles_around(corners))
    table = known.coarse.distances(tiles)
    return table.reshape(len(corners), len(COARSE_SHIFTS), -1)


def distances_here(
    sheet: Sheet,
    middles: Sequence[tuple[float, float]],
    plots: Plots,
    comparison: Comparison,
    light: Light | None,
    places: Points,
) -> NDArray[np.float32]:
    """Distances (n,) of places to what the empty board shows there.

    They are compared in small shifts unless it is plain what lies there.

    Args:
        sheet: the flat picture.
        middles: (x, y) of the places in its pixels.
        plots: what the empty board shows there.
        comparison: of the places with the pictures.
        light: on the grid, if known.
        places: (n, 2) the places in grid coordinates.
    """
    colours = np.zeros((len(places), 1), np.float32)
    drawn = plots.looks
    if light is not None:
        seen = comparison.seen.colour
        colours = light.distances(places, seen, drawn.colour[:, None], drawn.textured[:, None])
    nearest = comparison.empty.copy()
    ahead = nearest - comparison.texture.min(axis=1, initial=np.inf)
    unclear = np.flatnonzero(~comparison.bare & (ahead < PLAINLY_A_PIECE))
    corners = corners_about(middles)
    for part in _parts(unclear):
        seen_near = looks_of(sheet.tiles(corners[part][:, None] + FINE_SHIFTS))
        nearest[part] = _pairwise(seen_near, drawn.only(part)).min(axis=1)
    return nearest + colours[:, 0]


def _pairwise(seen: Looks, drawn: Looks) -> NDArray[np.float32]:
    """Squared distances (places, shifts) of the textures of each place to what is drawn there."""
    own = np.arange(len(drawn))[:, None]
    return Kept(own, drawn.texture[:, None], drawn.textured[:, None]).distances(seen)[:, :, 0]
