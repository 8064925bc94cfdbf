"""Places of a grid compared in full with a few pictures each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boards.looks import Looks, Windows, apart, scales_of
from vision.boards.windows import COARSE_SHIFTS, FINE_SHIFTS, Corners, Sheet

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

    def at(self, shifts: NDArray[np.intp]) -> Windows:
        """What it shows at (places, n, 2) or at (n, 2) shifts."""
        return self.sheet.tiles(self.corners[:, None] + shifts)


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

    def distances_to(self, windows: Windows) -> NDArray[np.float32]:
        """The same of windows (places * shifts, 3, h, w), which need not be made textures.

        As the mean of each channel of the pictures is 0, that of the windows changes no product.
        """
        places, count, _ = self.texture.shape
        scales, textured = scales_of(windows)
        channels = windows.reshape(places, -1, 3, windows.shape[2] * windows.shape[3])
        pictures = self.texture.reshape(places, count, *channels.shape[2:])
        by_channel = channels.transpose(0, 2, 1, 3) @ pictures.transpose(0, 2, 3, 1)
        by_channel *= scales.reshape(places, -1, 3).transpose(0, 2, 1)[..., None]
        return apart(textured.reshape(places, -1), self.textured, by_channel.sum(axis=1))


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
        coarse = kept.distances_to(places.at(COARSE_SHIFTS))
        nearest = coarse.min(axis=1)
        about = COARSE_SHIFTS[coarse.min(axis=2).argmin(axis=1)]
    shifts = about[:, None] + FINE_SHIFTS
    closer = kept.distances_to(places.at(shifts))
    nearest = np.minimum(nearest, closer.min(axis=1))
    first = nearest.argmin(axis=1)
    best = closer[each, :, first].argmin(axis=1)
    is_off = here[each, first] - closer[each, best, first] > PLAINLY_BETTER
    # What was compared roughly only is less alike than what was kept
    texture = np.maximum(rough, nearest.max(axis=1, keepdims=True))
    texture[each[:, None], kept.which] = nearest
    return texture, np.where(is_off[:, None], shifts[each, best], 0)
