"""Pictures brought to the same brightness and contrast round every pixel, and how unlike they are.

The edge of a shadow and the slope of a lamp's reflection vanish so, and the drawing stays. Of what
remains the normalised correlation is taken: distance 0 for the same drawing, 1 for drawings that
have nothing in common.
"""

from dataclasses import dataclass
from typing import Self, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.looks import Windows, products

T = TypeVar("T", bound=np.generic)

AROUND_PX = 3.5
"""Standard deviation of what counts as round a pixel."""
LEAST_CONTRAST = 4.0
"""Levels: fainter contrast is noise and is not raised to that of drawings."""
NOTHING_ALIKE = 1.0
LEAST_DRAWN = 50.0
"""Strength of what has hardly a line: less is rounding, and like nothing."""
_MEAN = np.full((1, 3), 1 / 3, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class LocalLooks:
    """Evened pictures as they are compared.

    Attributes:
        drawing: (n, 3 * pixels).
        strength: (n, pixels) sums of the squares over the channels.
        total: (n,) the same of all pixels.
    """

    drawing: NDArray[np.float32]
    strength: NDArray[np.float32]
    total: NDArray[np.float32]

    @classmethod
    def of(cls, windows: Windows) -> Self:
        """Of windows (n, 3, h, w) of evened pictures."""
        pixels = windows.reshape(len(windows), 3, -1)
        strength = np.einsum("ncp,ncp->np", pixels, pixels)
        return cls(pixels.reshape(len(windows), -1), strength, strength.sum(axis=1))

    def only(self, some: NDArray[np.intp]) -> Self:
        """Some of them."""
        return type(self)(self.drawing[some], self.strength[some], self.total[some])


@dataclass(frozen=True, slots=True, eq=False)
class LocalFaces:
    """Evened pictures of faces, as they are compared in full and roughly.

    Attributes:
        full: every STRIDE_PX-th pixel.
        rough: means of blocks of BLOCK_PX pixels.
    """

    full: LocalLooks
    rough: LocalLooks

    def __len__(self) -> int:
        return len(self.full.drawing)


def unlike(
    tiles: LocalLooks,
    shown: NDArray[np.float32] | None,
    pictures: LocalLooks,
    least_seen: float,
    least_drawn: float,
) -> NDArray[np.float32]:
    """How unlike pictures tiles (tiles, n) are drawn.

    Args:
        tiles: black where they are not seen.
        shown: (tiles, pixels) 1 where they are seen, else 0; None: they are seen everywhere.
        pictures: n that all are compared with, or (places, n) others for each place, whose tiles
            follow one another.
        least_seen: share of a tile; if less is seen, it is like nothing.
        least_drawn: strength of what has hardly a line.
    """
    if shown is None:
        places = 1 if pictures.total.ndim == 1 else len(pictures.total)
        each = tiles.total.reshape(places, -1, 1) * pictures.total.reshape(places, 1, -1)
        squares = each.reshape(len(tiles.total), -1)
    else:
        squares = _products(shown, pictures.strength)
        squares *= tiles.total[:, None]
    distances = 1 - _products(tiles.drawing, pictures.drawing) / np.sqrt(
        np.maximum(squares, least_drawn**2)
    )
    distances[squares < least_drawn**2] = NOTHING_ALIKE
    if shown is not None:
        distances[shown.mean(axis=1) < least_seen] = NOTHING_ALIKE
    return np.asarray(distances, np.float32)


def _products(tiles: NDArray[np.float32], pictures: NDArray[np.float32]) -> NDArray[np.float32]:
    """The scalar products (tiles, n) with pictures (n, d), or (places, n, d) others for each."""
    if pictures.ndim == 2:
        return products(tiles, pictures)
    places, count, dimensions = pictures.shape
    # The product of each place is so small (under 2**18) that numpy uses no further threads
    each = tiles.reshape(places, -1, dimensions) @ pictures.transpose(0, 2, 1)
    return np.asarray(each.reshape(-1, count), np.float32)


def evened(
    flat: FloatImage,
    around_px: float = AROUND_PX,
    least_contrast: float = LEAST_CONTRAST,
    margin_px: int = 0,
) -> FloatImage:
    """A softened picture (h, w, 3) with the same brightness and contrast round every pixel.

    Args:
        flat: the picture.
        around_px: standard deviation of what counts as round a pixel.
        least_contrast: levels; fainter contrast is not raised to that of drawings.
        margin_px: even, what is left out at each edge; what lies there still tells of the rest.
    """
    away = without_margin(flat - cv2.GaussianBlur(flat, (0, 0), around_px), margin_px // 2)
    squares = cv2.transform(away * away, _MEAN)
    spread = without_margin(cv2.GaussianBlur(squares, (0, 0), around_px), margin_px // 2)
    away = without_margin(away, margin_px // 2)
    factor = 1 / np.sqrt(spread + np.float32(least_contrast**2))
    return np.asarray(cv2.multiply(away, cv2.merge((factor,) * 3)), np.float32)


def without_margin(picture: NDArray[T], margin_px: int) -> NDArray[T]:
    """A picture (h, w, …) without this much at each edge."""
    height, width = picture.shape[:2]
    return picture[margin_px : height - margin_px, margin_px : width - margin_px]
