"""Places of a grid compared in full with a few pictures each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boards.looks import Looks, apart, looks_of
from vision.boards.windows import Corners, Sheet

COARSE_SHIFTS = np.array([(y, x) for y in (-4, 0, 4) for x in (-4, 0, 4)], np.intp)
FINE_SHIFTS = np.array([(y, x) for y in (-2, 0, 2) for x in (-2, 0, 2)], np.intp)
"""Pixels by which a tile may lie off its place."""

PLAINLY_BETTER = 0.05
"""By so much a picture must be nearer when shifted for a tile to lie off its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Places to be compared in full.

    Attributes:
        sheet: the flat picture.
        corners: (places, 2).
        seen: what it shows there.
        about: (places, 2) coarse shifts at which they fit; None: these are to be found.
    """

    sheet: Sheet
    corners: Corners
    seen: Looks
    about: NDArray[np.intp] | None

    def at(self, shifts: NDArray[np.intp]) -> Looks:
        """What it shows at (places, n, 2) or at (n, 2) shifts."""
        return looks_of(self.sheet.tiles(self.corners[:, None] + shifts))


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Some pictures for each place.

    Attributes:
        which: (places, k) their numbers.
        texture: (places, k, d).
        textured: (places, k) see ``Looks``.
    """

    which: NDArray[np.intp]
    texture: NDArray[np.float32]
    textured: NDArray[np.float32]

    @classmethod
    def of(cls, faces: Looks, rough: NDArray[np.float32], most: int) -> "Kept":
        """Of each place the pictures that are nearest, of (places, pictures) rough distances."""
        which = np.argpartition(rough, min(most, rough.shape[1]) - 1, axis=1)[:, :most]
        return cls(which, faces.texture[which], faces.textured[which])

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


def in_full(
    places: Near, kept: Kept, rough: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Distances (places, pictures), and the shifts (places, 2) of the best pictures.

    Args:
        places: which.
        kept: the pictures that are most alike.
        rough: (places, pictures) distances when compared roughly.
    """
    each = np.arange(len(rough))
    here = kept.distances(places.seen)[:, 0]
    nearest, about = here, places.about
    if about is None:
        coarse = kept.distances(places.at(COARSE_SHIFTS))
        nearest = coarse.min(axis=1)
        about = COARSE_SHIFTS[coarse.min(axis=2).argmin(axis=1)]
    shifts = about[:, None] + FINE_SHIFTS
    closer = kept.distances(places.at(shifts))
    nearest = np.minimum(nearest, closer.min(axis=1))
    first = nearest.argmin(axis=1)
    best = closer[each, :, first].argmin(axis=1)
    is_off = here[each, first] - closer[each, best, first] > PLAINLY_BETTER
    # What was compared roughly only is less alike than what was kept
    texture = np.maximum(rough, nearest.max(axis=1, keepdims=True))
    np.put_along_axis(texture, kept.which, nearest, axis=1)
    return texture, np.where(is_off[:, None], shifts[each, best], 0)
