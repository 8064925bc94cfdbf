"""The first two layers of a network, which see patches of pixels that do not overlap.

So each of them is a product of matrices, and that is how they are computed: OpenCV takes longer to
convolve the same, and pixels can be cut out of a photo in the very order in which they are needed.
"""

from dataclasses import dataclass, field
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Images

Patches = NDArray[np.uint8]
"""Pixels of pictures (n, patches, 3 x patch_px x patch_px), as ``in_patches`` orders them."""

SQUARE = 2
"""The second layer sees as many patches across and down."""
ALONE = 2**17
"""So few multiplications the library of numpy leaves to one thread; for what is computed here it
takes longer to wake the others than to do without them."""


@dataclass(frozen=True, slots=True, eq=False)
class Stem:
    """Patches of pixels to features, squares of patches to features; ReLU after each.

    Attributes:
        first: (3 x patch_px x patch_px, c), rows in the order of ``in_patches``.
        first_bias: (c,).
        second: (4 x c, d).
        second_bias: (d,).
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    _floor: NDArray[np.float32] = field(init=False, repr=False)
    _bias: NDArray[np.float32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Leave the first bias to the second layer: ReLU(x + b) is max(x, -b) + b."""
        left = np.tile(self.first_bias, SQUARE**2) @ self.second
        object.__setattr__(self, "_floor", np.tile(-self.first_bias, SQUARE**2))
        object.__setattr__(self, "_bias", self.second_bias + left)

    @classmethod
    def read(cls, data: bytes) -> "Stem":
        """From the bytes of a file of numpy with an array for each attribute."""
        with np.load(BytesIO(data)) as arrays:
            return cls(**arrays)

    def features(self, patches: Patches) -> NDArray[np.float32]:
        """Features (squares, d) of the squares of all the pictures, row by row."""
        pixels = patches.reshape(-1, len(self.first)).astype(np.float32)
        seen = _product(pixels, self.first).reshape(-1, len(self.second))
        np.maximum(seen, self._floor, out=seen)
        features = _product(seen, self.second)
        features += self._bias
        if features.size:
            # As np.maximum(features, 0), which takes four times as long
            cv2.threshold(features, 0, 0, cv2.THRESH_TOZERO, dst=features)
        return features


def in_patches(pictures: Images, patch_px: int) -> Patches:
    """The pixels of pictures (n, h, w, 3), square by square of patches, patch by patch."""
    pixels = np.ascontiguousarray(pictures)
    count, height, width = pixels.shape[:3]
    side = SQUARE * patch_px
    # A row of pixels of a patch moves as one piece
    rows = pixels.reshape(count, height, 3 * width).view(f"V{pixels.itemsize * 3 * patch_px}")
    places = rows.reshape(count, height // side, SQUARE, patch_px, width // side, SQUARE)
    ordered = np.ascontiguousarray(places.transpose(0, 1, 4, 2, 5, 3))
    patches = height * width // patch_px**2
    return ordered.view(pixels.dtype).reshape(count, patches, 3 * patch_px**2)


def order_of_patches(side_px: int, patch_px: int) -> NDArray[np.intp]:
    """The numbers (side_px²,) of the pixels of a square picture in the order of ``in_patches``."""
    squares = side_px // (SQUARE * patch_px)
    numbers = np.arange(side_px**2).reshape((squares, SQUARE, patch_px) * 2)
    return numbers.transpose(0, 3, 1, 4, 2, 5).ravel()


def _product(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """``rows @ matrix``, some rows at a time."""
    some = max(1, ALONE // matrix.size)
    product = np.empty((len(rows), matrix.shape[1]), np.float32)
    even = len(rows) // some * some
    in_parts = product[:even].reshape(-1, some, product.shape[1])
    np.matmul(rows[:even].reshape(-1, some, rows.shape[1]), matrix, out=in_parts)
    np.matmul(rows[even:], matrix, out=product[even:])
    return product
