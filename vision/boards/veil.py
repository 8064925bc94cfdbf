"""The light on single tiles: what glare lays over their drawing, and what contrast it leaves.

What a camera sees of a tile is its picture, each channel multiplied by a factor, and a veil that
grows evenly across the tile: fitted by iteratively reweighted least squares, so that a figure or
whatever else hides a part of the tile tells nothing of the light.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats, median
from vision.boards.looks import brightest
from vision.boards.lying import Part

LEAST_CONTRAST = 0.2
"""Light that leaves less than this share of the contrast hides all."""
_STEP_PX = 3
_SPARSE = slice(_STEP_PX // 2, None, _STEP_PX)
"""The rows and columns of a tile that tell of the light on it."""
_VEIL, _PICTURE, _TARGET = slice(3), slice(3, 6), slice(6, 9)
"""Rows of the matrix of all that is fitted: level and slopes, and the channels as they are drawn
and as they are seen."""
_EACH = np.arange(3)
_DESIGN = np.array([[3 + channel, 0, 1, 2] for channel in range(3)])
"""Which of these rows together explain each channel (3, 4)."""
_EQUATIONS = 9 * _DESIGN[:, :, None] + np.insert(_DESIGN, 4, _EACH + 6, axis=1)[:, None]
"""Where in the products (9, 9) of all rows the normal equations of each channel stand (3, 4, 5)."""
_ROUNDS = 4
"""Three are not enough where figures, seen at a slant, hide much of a tile."""
_LEAST_ERROR = 4.0
"""Levels by which pixels are always off."""
_RIDGE = 1e-3

Values = NDArray[np.float64]
"""(n, rows, pixels)."""


@dataclass(frozen=True, slots=True, eq=False)
class Cleared:
    """Tiles without what light lays over them.

    Attributes:
        tiles: (n, h, w, 3) as bright and as rich in contrast as their pictures.
        contrast: (n,) share that was left of it.
        veil: (n,) levels by which light brightens what is black.
    """

    tiles: FloatImage
    contrast: NDArray[np.float32]
    veil: NDArray[np.float32]


def cleared(
    seen: FloatImage, drawn: FloatImage, bright: FloatImage, white: float, parts: Sequence[Part]
) -> Cleared:
    """Take away the light on tiles of one size.

    Args:
        seen: (h, w, 3) the grid as the photo shows it, in the light that is usual on it.
        drawn: the same as drawn.
        bright: the same as bright as the photo has it.
        white: the level from which on the photo does not tell how bright a channel is.
        parts: where the tiles lie, at least one.
    """
    tiles = np.stack([seen[part] for part in parts])
    count, height, width, _ = tiles.shape
    at = _sparse_pixels(parts, seen.shape[1])
    veil = _even_slopes(height, width)
    both = np.empty((count, 9, veil.shape[1]))
    both[:, _VEIL] = veil
    for rows, picture in ((_PICTURE, drawn), (_TARGET, seen)):
        both[:, rows] = picture.reshape(-1, 3).take(at, axis=0).transpose(0, 2, 1)
    is_known = brightest(bright.reshape(-1, 3).take(at, axis=0)) < white
    known = is_known[:, None].astype(np.float64)
    medians = _Medians(known)
    weighted = both * known
    products = weighted @ both.swapaxes(1, 2)
    left_over = np.zeros((count, 3, 9))
    left_over[:, :, _TARGET] = np.eye(3)
    for _ in range(_ROUNDS):
        # The normal equations of all channels are parts of one matrix
        normal = products.reshape(count, -1).take(_EQUATIONS, axis=1)
        solved = np.linalg.solve(normal[..., :4] + np.eye(4) * _RIDGE, normal[..., 4:])
        left_over[:, _EACH[:, None], _DESIGN] = -solved[..., 0]
        off = left_over @ both
        error = (off * off).sum(axis=1, keepdims=True)
        usual = np.maximum(medians.of(error), _LEAST_ERROR**2)
        weights = known / (1 + error / (4 * usual)) ** 2
        products = np.multiply(both, weights, out=weighted) @ both.swapaxes(1, 2)
    # A regression takes drawings that are blurred or a little off their place for pale ones, so the
    # contrast is that of the spread
    slopes = -left_over[:, :, 1:3]
    left_over[:, :, 0] = left_over[:, :, _PICTURE] = 0
    seen_mean, seen_spread = _spread(left_over, products)
    drawn_mean, drawn_spread = _spread(np.eye(9)[_PICTURE], products)
    contrast = seen_spread / np.maximum(drawn_spread, 1.0)
    level = seen_mean - contrast * drawn_mean
    kept = contrast.astype(np.float32)
    _take_off(tiles, np.concatenate([level[..., None], slopes], axis=2), kept)
    return Cleared(tiles, kept.min(axis=1), floats(median(level.T)))


def _take_off(tiles: FloatImage, veil: Values, contrast: NDArray[np.float32]) -> None:
    """Take a veil off tiles (n, h, w, 3), and give them the contrast that they had.

    Args:
        tiles: that are changed.
        veil: (n, 3, 3) of each channel its level in the middle of the tile, and by how much it
            grows from there to the right edge and to the lower one.
        contrast: (n, 3) what is left of that of each channel.
    """
    count, height, width, channels = tiles.shape
    rows = tiles.reshape(count, height, width * channels)
    # Whole rows, as numpy takes its time where an axis is but three numbers long
    each, across, below = _ramps(height, width, channels)
    level, right, down = floats(veil.transpose(2, 0, 1))
    rows -= below @ np.stack([level @ each + right @ across, down @ each], axis=1)
    rows /= (np.maximum(contrast, np.float32(LEAST_CONTRAST)) @ each)[:, None]
    np.clip(rows, 0, 255, out=rows)


@lru_cache(maxsize=2)
def _even_slopes(height: int, width: int) -> NDArray[np.float64]:
    """A level, and slopes to the right and down (3, pixels), at every _STEP_PX-th pixel."""
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slopes = np.stack([np.ones_like(across), across, down])[:, _SPARSE, _SPARSE]
    return np.asarray(slopes.reshape(3, -1), np.float64)


@lru_cache(maxsize=2)
def _ramps(height: int, width: int, channels: int) -> tuple[FloatImage, FloatImage, FloatImage]:
    """What terms are multiplied by to give the pixels of a tile.

    Returns:
        1 for each channel in a row of pixels (channels, width * channels), else 0; the same from -1
        to 1 to the right; and 1, and from -1 to 1 down, in each row (height, 2).
    """
    across, down = (np.linspace(-1, 1, side, dtype=np.float32) for side in (width, height))
    each = np.tile(np.eye(channels, dtype=np.float32), width)
    return each, each * np.repeat(across, channels), np.column_stack([np.ones_like(down), down])


def _sparse_pixels(parts: Sequence[Part], width: int) -> NDArray[np.intp]:
    """Numbers (n, pixels) of every _STEP_PX-th pixel of tiles in a picture that is so wide."""
    rows, columns = parts[0]
    first = np.array([part[0].start * width + part[1].start for part in parts])
    inside = _sparse_inside(rows.stop - rows.start, columns.stop - columns.start, width)
    return np.asarray(first[:, None] + inside, np.intp)


@lru_cache(maxsize=2)
def _sparse_inside(height: int, width: int, picture_width: int) -> NDArray[np.intp]:
    """The same (pixels,) counted from the first pixel of a tile."""
    rows, columns = (np.arange(side)[_SPARSE] for side in (height, width))
    return np.asarray((rows[:, None] * picture_width + columns).ravel(), np.intp)


def _spread(rows: Values, products: Values) -> tuple[Values, Values]:
    """The mean and the standard deviation (n, k) of weighted values.

    Args:
        rows: (n, k, 9) or (k, 9) how all that is fitted makes up the values.
        products: (n, 9, 9) weighted, of all that is fitted.
    """
    total = np.maximum(products[:, :1, 0], _RIDGE)
    sums = rows @ products
    mean = sums[..., 0] / total
    return mean, np.sqrt(np.maximum((sums * rows).sum(axis=2) / total - mean * mean, 0))


class _Medians:
    """Medians of errors of which some are known."""

    def __init__(self, known: Values) -> None:
        """Of errors (n, 1, k) that are known where this is not 0."""
        self._unknown = known == 0
        counts = known.sum(axis=2).astype(np.intp).ravel()
        self._each, self._middles = np.arange(len(known)), np.maximum(counts - 1, 0) // 2
        self._none = counts == 0

    def of(self, error: Values) -> Values:
        """The median (n, 1, 1) of the known errors of each; 0 if there are none."""
        ordered = np.where(self._unknown, np.inf, error)[:, 0]
        ordered.sort(axis=1)
        medians = ordered[self._each, self._middles]
        medians[self._none] = 0.0
        return np.asarray(medians[:, None, None], np.float64)
