"""How alike a tile and the pictures of an edition look.

Each picture becomes a vector: its texture, every colour channel brought to mean 0 and, unless it is
nearly flat, to length 1; and its mean colour, which decides between faces without any drawing.
Squared distances of such vectors are compared: 0 for the same picture, about 2 for two pictures
that have nothing in common.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, floats

TILE_PX = 40
"""Side to which tiles are brought."""
SOFTENED_PX = 1.2
STRIDE_PX = 2
"""Of a tile every so many-th pixel is compared."""
BLOCK_PX = 4
"""Compared roughly, a tile is no more than the means of blocks with this edge."""
_DARKEST = 12.0
"""Levels added to colours, lest the noise of dark ones counts for much."""
_BRIGHTER_THAN_ALL = 1e6
FLAT_LEVELS = 8.0
"""Standard deviation of a channel from which on its texture counts for much."""
_SUMS = np.ones((3, 3), np.float32)
"""Gives each channel the sum of all."""
_FEWEST_ROWS = 100
"""For the product of matrices of which the first has fewer, OpenCV takes ten times as long."""
_SMALL, _FEW_PARTS = 2**18, 16
"""Multiplications for which numpy uses no further threads, and how many such products take less
time than one with more rows."""

Windows = NDArray[np.float32]
"""(n, 3, h, w) pictures, channel by channel."""
Vectors = NDArray[np.float32]
"""(n, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Pictures as they are compared.

    Attributes:
        texture: (n, d).
        colour: (n, 3) mean colours, levels.
        textured: (n,) how full of drawing each picture is: 0 if flat, near 1 usually.
    """

    texture: Vectors
    colour: Vectors
    textured: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.colour)

    def only(self, some: NDArray[np.intp]) -> "Looks":
        """Some of them."""
        return Looks(self.texture[some], self.colour[some], self.textured[some])


def softened(picture: Image, gain: float = 1.0, tile_px: int = TILE_PX) -> FloatImage:
    """A picture in which fine lines that lie a little apart do not seem unlike.

    Args:
        picture: (h, w, 3).
        gain: by which it is brightened.
        tile_px: pixels for each edge of a tile.
    """
    kernel = _softening(tile_px)
    # OpenCV's function for both at once would need a copy of the picture with float32 levels
    soft = cv2.sepFilter2D(picture, cv2.CV_32F, kernel, kernel * np.float32(gain))
    return np.asarray(soft, np.float32)


@cache
def _softening(tile_px: int) -> NDArray[np.float32]:
    """Not to be written to."""
    sigma = SOFTENED_PX * tile_px / TILE_PX
    return floats(cv2.getGaussianKernel(2 * round(4 * sigma) + 1, sigma, cv2.CV_32F))


def brightest(picture: FloatImage) -> FloatImage:
    """The brightest channel of each pixel (h, w)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def darkest(picture: FloatImage) -> FloatImage:
    """The darkest channel of each pixel (h, w)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.float32)


def reaching(picture: Image | FloatImage, level: float) -> Image:
    """255 where all channels of a picture (h, w, 3) reach a level, else 0 (h, w)."""
    return np.asarray(cv2.inRange(picture, (level,) * 3, (_BRIGHTER_THAN_ALL,) * 3), np.uint8)


def colour_shares(colours: FloatImage) -> FloatImage:
    """Each channel of colours (…, 3) as a share of all three; of dark ones, nearly a third."""
    _, bright = cv2.threshold(colours.reshape(-1, 1, 3), 0, 0, cv2.THRESH_TOZERO)
    bright += np.float32(_DARKEST)
    bright /= cv2.transform(bright, _SUMS)
    return np.asarray(bright, np.float32).reshape(colours.shape)


def looks_of(windows: Windows) -> Looks:
    """Windows (n, 3, h, w) of softened pictures as they are compared."""
    if not len(windows):
        dimensions = int(np.prod(windows.shape[1:]))
        nothing = np.zeros((0, dimensions), np.float32)
        return Looks(nothing, np.zeros((0, 3), np.float32), np.zeros(0, np.float32))
    pixels = windows.shape[2] * windows.shape[3]
    channels = windows.reshape(-1, pixels)  # one row for each channel of each window
    means = cv2.reduce(channels, 1, cv2.REDUCE_AVG)
    centred = channels - means
    squares = cv2.reduce(centred, 1, cv2.REDUCE_SUM2)
    scales, textured = _scaled(np.asarray(squares, np.float32), pixels)
    centred *= scales
    return Looks(
        centred.reshape(len(windows), -1), np.asarray(means, np.float32).reshape(-1, 3), textured
    )


def scales_of(windows: Windows) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """By what the channels (n, 3) of windows are multiplied, and how textured they are (n,)."""
    pixels = windows.shape[2] * windows.shape[3]
    channels = windows.reshape(-1, pixels)
    # With twice the digits, of which plain bright channels leave few
    means = cv2.reduce(channels, 1, cv2.REDUCE_AVG, dtype=cv2.CV_64F)
    squares = cv2.reduce(channels, 1, cv2.REDUCE_SUM2, dtype=cv2.CV_64F) - pixels * means * means
    scales, textured = _scaled(np.asarray(np.maximum(squares, 0), np.float32), pixels)
    return scales.reshape(-1, 3), textured


def _scaled(
    squares: NDArray[np.float32], pixels: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The same of channels (n * 3, 1) of which the squares of what is off the mean are known."""
    scales = 1 / np.sqrt(3 * (squares + np.float32(pixels * FLAT_LEVELS**2)))
    textured = (squares * scales * scales).reshape(-1, 3).sum(axis=1)
    return np.asarray(scales, np.float32), np.asarray(textured, np.float32)


def products(first: Vectors, second: Vectors) -> NDArray[np.float32]:
    """The scalar products (n, m) of vectors (n, d) and (m, d), of which there may be many."""
    if not (len(first) and len(second)):
        return np.zeros((len(first), len(second)), np.float32)
    if len(first) >= _FEWEST_ROWS:
        return _product(first, second)
    if len(second) >= _FEWEST_ROWS:
        return np.ascontiguousarray(_product(second, first).T)
    # Of single vectors numpy makes another product, which is quicker to use threads
    rows = min(_SMALL // second.size, max(len(first), 2))
    if min(rows, len(second)) >= 2 and len(first) <= _FEW_PARTS * rows:
        parts = -(-len(first) // rows)
        each = _padded(first, parts * rows).reshape(parts, rows, -1) @ second.T
        return np.asarray(each.reshape(-1, len(second))[: len(first)], np.float32)
    return _product(_padded(first, _FEWEST_ROWS), second)[: len(first)]


def _padded(vectors: Vectors, count: int) -> Vectors:
    """So many vectors, the last ones 0."""
    padded = np.zeros((count, vectors.shape[1]), np.float32)
    padded[: len(vectors)] = vectors
    return padded


def _product(first: Vectors, second: Vectors) -> NDArray[np.float32]:
    # OpenCV's product, not numpy's: the threads of the two get in each other's way for 0.1 s a call
    return np.asarray(
        cv2.gemm(first, second, 1, None, 0, flags=cv2.GEMM_2_T),  # type: ignore[call-overload] # None: nothing is added
        np.float32,
    )


def apart(
    first: NDArray[np.float32], second: NDArray[np.float32], product: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Squared distances of vectors.

    Args:
        first: (…, n) squares of the vectors.
        second: (…, m) squares of others.
        product: (…, n, m) of the former with the latter.
    """
    distances = product * np.float32(-2)
    distances += first[..., :, None]
    distances += second[..., None, :]
    return np.asarray(np.maximum(distances, 0, out=distances), np.float32)
