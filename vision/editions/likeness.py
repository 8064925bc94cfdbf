"""How alike two tiles look: correlation of whole faces, whatever the light.

Each colour channel of a picture is brought to mean 0 and length 1, so neither brightness nor the
colour of the light counts. Small shifts are searched by comparing the middle of a tile with all
windows of that size in a taught picture; all comparisons are one matrix product.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, Images

Vectors = NDArray[np.float32]
"""Shape (n, DIMENSIONS), each of length 1."""

COMPARED_PX = 48
"""Side to which tiles are brought."""
SHIFT_PX = 2
"""How far a tile may lie from where its corners say, in pixels of COMPARED_PX: 4 % of its width."""
WINDOW_PX = COMPARED_PX - 2 * SHIFT_PX
SHIFTS = tuple((y, x) for y in (0, SHIFT_PX, 2 * SHIFT_PX) for x in (0, SHIFT_PX, 2 * SHIFT_PX))
"""Top left corners (row, column) of all windows; the middle one is no shift."""
SOFTENED_PX = 1.2
"""Both pictures are blurred by so much, lest fine lines that lie a little apart seem unlike."""
STRIDE_PX = 2
"""Of softened pictures so few pixels tell as much as all."""
FEWEST_LEVELS = 0.5
"""Standard deviation of grey levels below which a channel shows nothing and counts nothing."""


def compared(picture: Image) -> Image:
    """A picture of a tile (n, n, 3), n at least COMPARED_PX, brought to COMPARED_PX."""
    if picture.shape[0] == COMPARED_PX:
        return picture
    size = (COMPARED_PX, COMPARED_PX)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def middles(tiles: Images) -> Vectors:
    """The unshifted windows of tiles (COMPARED_PX, COMPARED_PX, 3), softened."""
    inside = slice(SHIFT_PX, SHIFT_PX + WINDOW_PX, STRIDE_PX)
    return _normalised(np.array([_softened(tile)[inside, inside] for tile in tiles]))


def all_windows(tile: Image) -> Vectors:
    """All windows of one tile (COMPARED_PX, COMPARED_PX, 3), softened, in order of ``SHIFTS``."""
    return _all_windows(_softened(tile), STRIDE_PX)


def likeness(first: Image, second: Image) -> float:
    """How alike two tiles (COMPARED_PX, COMPARED_PX, 3) are down to their finest lines: -1 to 1."""
    inside = slice(SHIFT_PX, SHIFT_PX + WINDOW_PX)
    middle = _normalised(first[None, inside, inside])
    return float((middle @ _all_windows(second, 1).T).max())


def _all_windows(tile: Image, stride: int) -> Vectors:
    windows = [tile[y : y + WINDOW_PX : stride, x : x + WINDOW_PX : stride] for y, x in SHIFTS]
    return _normalised(np.array(windows))


def _softened(tile: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(tile, (0, 0), SOFTENED_PX), np.uint8)


def _normalised(windows: NDArray[np.uint8]) -> Vectors:
    """Windows (n, side, side, 3) as vectors of length 1, channel by channel."""
    channels = windows.reshape(len(windows), -1, 3).transpose(0, 2, 1).astype(np.float32, order="C")
    channels -= channels.mean(axis=2, keepdims=True)
    lengths = np.sqrt(np.einsum("ncp,ncp->nc", channels, channels))
    empty = lengths < FEWEST_LEVELS * windows.shape[1]
    channels *= np.where(empty, 0, 1 / np.maximum(lengths * np.sqrt(3), 1e-6))[..., None]
    return np.asarray(channels.reshape(len(windows), -1), np.float32)
