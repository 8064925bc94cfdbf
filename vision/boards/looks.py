"""How alike a tile and the pictures of an edition look.

Each picture becomes a vector: its texture, every colour channel brought to mean 0 and, unless it is
nearly flat, to length 1; and its mean colour, which decides between faces without any drawing.
Squared distances of such vectors are compared: 0 for the same picture, about 2 for two pictures
that have nothing in common.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image

TILE_PX = 40
"""Side to which tiles are brought."""
SOFTENED_PX = 1.2
STRIDE_PX = 2
FLAT_LEVELS = 8.0
"""Standard deviation of a channel from which on its texture counts for much."""


_HALF = TILE_PX // 2
QUARTERS = tuple(
    (slice(top, top + _HALF), slice(left, left + _HALF))
    for top in (0, _HALF)
    for left in (0, _HALF)
)
"""The four quarters of a tile, in reading order."""

Vectors = NDArray[np.float32]
"""(n, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Pictures as they are compared.

    Attributes:
        texture: (n, d).
        colour: (n, 3) mean colours, levels.
        textured: (n,) how full of drawing each picture is: 0 if flat, near 1 usually.
        columns: (d, n) the textures once more, as they are multiplied.
    """

    texture: Vectors
    colour: Vectors
    textured: NDArray[np.float32]
    columns: Vectors

    @classmethod
    def of(cls, texture: Vectors, colour: Vectors, *, for_many: bool = False) -> "Looks":
        """Looks of these textures and colours.

        Args:
            texture: (n, d).
            colour: (n, 3).
            for_many: whether they are multiplied so often that a copy of the columns pays.
        """
        columns = np.ascontiguousarray(texture.T) if for_many else texture.T
        textured = np.asarray((texture**2).sum(axis=1), np.float32)
        return cls(texture, colour, textured, columns)

    def __len__(self) -> int:
        return len(self.colour)


def softened(picture: Image) -> FloatImage:
    """A picture in which fine lines that lie a little apart do not seem unlike."""
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), SOFTENED_PX), np.float32)


def looks_of(windows: Sequence[FloatImage], *, for_many: bool = False) -> Looks:
    """Windows (TILE_PX, TILE_PX, 3) of softened pictures as they are compared; see ``Looks.of``."""
    stack = np.array([window[::STRIDE_PX, ::STRIDE_PX] for window in windows], np.float32)
    channels = stack.reshape(len(stack), -1, 3).transpose(0, 2, 1)
    means = channels.mean(axis=2, keepdims=True)
    centred = channels - means
    spread = np.sqrt((centred**2).mean(axis=2, keepdims=True))
    scale = 1 / np.sqrt(spread**2 + FLAT_LEVELS**2)
    texture = (centred * scale / np.sqrt(3 * channels.shape[2])).reshape(len(stack), -1)
    return Looks.of(
        np.ascontiguousarray(texture, np.float32),
        np.ascontiguousarray(means[:, :, 0], np.float32),
        for_many=for_many,
    )


def texture_distances(tiles: Looks, faces: Looks) -> NDArray[np.float32]:
    """Squared distances (tiles, faces) of the textures."""
    products = cv2.gemm(tiles.texture, np.ascontiguousarray(faces.columns), 1, None, 0)  # type: ignore[call-overload] # None: nothing is added
    first, second = tiles.textured[:, None], faces.textured[None]
    return np.asarray(np.maximum(first + second - 2 * products, 0), np.float32)
