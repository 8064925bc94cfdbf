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

LEAST_CONTRAST = 0.2
"""Light that leaves less than this share of the contrast hides all."""
_STEP_PX = 3
_SPARSE = slice(_STEP_PX // 2, None, _STEP_PX), slice(_STEP_PX // 2, None, _STEP_PX)
"""The rows and columns of a tile that tell of the light on it."""
_VEIL, _PICTURE, _TARGET = slice(3), slice(3, 6), slice(6, 9)
"""Rows of the matrix of all that is fitted: level and slopes, and the channels as they are drawn
and as they are seen."""
_EACH = np.arange(3)
_DESIGN = np.array([[3 + channel, 0, 1, 2] for channel in range(3)])
"""Which of these rows together explain each channel (3, 4)."""
_TARGETS = _EACH[:, None] + 6
_ROUNDS = 4
_LEAST_ERROR = 4.0
"""Levels by which pixels are always off."""
_RIDGE = 1e-3

Values = NDArray[np.float64]
"""(n, channels, pixels)."""


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
    seen: FloatImage, drawn: Sequence[FloatImage], burnt: Sequence[NDArray[np.bool_]]
) -> Cleared:
    """Take away the light on tiles (n, h, w, 3).

    Args:
        seen: the tiles as the photo shows them, in the light that is usual on the grid.
        drawn: n times (h, w, 3), their pictures.
        burnt: n times (h, w), what is so bright in a channel that the photo does not tell how
            bright.
    """
    count, height, width, _ = seen.shape
    target, picture = (
        np.stack([tile[_SPARSE] for tile in tiles]).transpose(0, 3, 1, 2).reshape(count, 3, -1)
        for tiles in (seen, drawn)
    )
    veil = _even_slopes(height, width)
    both = np.empty((count, 9, veil.shape[1]))
    both[:, _VEIL], both[:, _PICTURE], both[:, _TARGET] = veil, picture, target
    shown = ~np.stack([tile[_SPARSE] for tile in burnt])
    known = shown.reshape(count, 1, -1).astype(np.float64)
    medians = _Medians(known)
    weights = known
    terms: Values = np.zeros((count, 3, 4))
    left_over = np.zeros((count, 3, 9))
    left_over[:, :, _TARGET] = np.eye(3)
    for _ in range(_ROUNDS):
        # The normal equations of all channels are parts of one matrix
        products = (both * weights) @ both.swapaxes(1, 2)
        normal = products[:, _DESIGN[:, :, None], _DESIGN[:, None]] + np.eye(4) * _RIDGE
        solved = np.linalg.solve(normal, products[:, _DESIGN, _TARGETS][..., None])
        terms = np.asarray(solved[..., 0], np.float64)
        left_over[:, _EACH[:, None], _DESIGN] = -terms
        off = left_over @ both
        error = np.sqrt((off * off).sum(axis=1, keepdims=True))
        usual = np.maximum(medians.of(error), _LEAST_ERROR)
        weights = known / (1 + (error / (2 * usual)) ** 2) ** 2
    # A regression takes drawings that are blurred or a little off their place for pale ones, so the
    # contrast is that of the spread
    slope = terms[..., 2:] @ veil[1:]
    seen_mean, seen_spread = _spread(both[:, _TARGET] - slope, weights)
    drawn_mean, drawn_spread = _spread(both[:, _PICTURE], weights)
    contrast = seen_spread / np.maximum(drawn_spread, 1.0)
    level = seen_mean - contrast * drawn_mean
    kept = contrast.astype(np.float32)
    tiles = _without(seen, np.concatenate([level[..., None], terms[..., 2:]], axis=2), kept)
    return Cleared(tiles, kept.min(axis=1), floats(median(level.T)))


def _without(seen: FloatImage, veil: Values, contrast: NDArray[np.float32]) -> FloatImage:
    """Tiles (n, h, w, 3) without a veil, and with the contrast that they had.

    Args:
        seen: the tiles.
        veil: (n, 3, 3) of each channel its level in the middle of the tile, and by how much it
            grows from there to the right edge and to the lower one.
        contrast: (n, 3) what is left of that of each channel.
    """
    count, height, width, channels = seen.shape
    rows = seen.reshape(count, height, width * channels)
    # Whole rows, as numpy takes its time where an axis is but three numbers long
    terms = floats([*veil.transpose(2, 0, 1), np.maximum(contrast, LEAST_CONTRAST)])
    level, right, down, scale = np.tile(terms, (1, 1, width))[:, :, None]
    across, below = _ramps(height, width, channels)
    tiles = below * down
    tiles += level + across * right
    np.subtract(rows, tiles, out=tiles)
    tiles /= scale
    return np.asarray(np.clip(tiles, 0, 255, out=tiles), np.float32).reshape(seen.shape)


@lru_cache(maxsize=2)
def _even_slopes(height: int, width: int) -> NDArray[np.float64]:
    """A level, and slopes to the right and down (3, pixels), at every _STEP_PX-th pixel."""
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slopes = np.stack([np.ones_like(across), across, down])[:, *_SPARSE]
    return np.asarray(slopes.reshape(3, -1), np.float64)


@lru_cache(maxsize=2)
def _ramps(
    height: int, width: int, channels: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """From -1 to 1 to the right (width * channels,), and down (height, 1)."""
    across = np.repeat(np.linspace(-1, 1, width, dtype=np.float32), channels)
    return across, np.linspace(-1, 1, height, dtype=np.float32)[:, None]


def _spread(values: Values, weights: Values) -> tuple[Values, Values]:
    """The mean and the standard deviation (n, channels)."""
    total = np.maximum(weights.sum(axis=2), _RIDGE)
    mean = (values * weights).sum(axis=2) / total
    away = values - mean[..., None]
    return mean, np.sqrt((away * away * weights).sum(axis=2) / total)


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
