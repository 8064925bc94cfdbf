"""The light on single tiles: what glare lays over their drawing, and what contrast it leaves.

What a camera sees of a tile is its picture, each channel multiplied by a factor, and a veil that
grows evenly across the tile: fitted by iteratively reweighted least squares, so that a figure or
whatever else hides a part of the tile tells nothing of the light.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage

LEAST_CONTRAST = 0.2
"""Light that leaves less than this share of the contrast hides all."""
_STEP_PX = 3
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


def cleared(seen: FloatImage, drawn: FloatImage, burnt: NDArray[np.bool_]) -> Cleared:
    """Take away the light on tiles (n, h, w, 3).

    Args:
        seen: the tiles as the photo shows them, in the light that is usual on the grid.
        drawn: (n, h, w, 3) their pictures.
        burnt: (n, h, w) what is so bright in a channel that the photo does not tell how bright.
    """
    count, height, width, _ = seen.shape
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    ground = np.stack([np.ones_like(across), across, down])
    sparse = slice(_STEP_PX // 2, None, _STEP_PX), slice(_STEP_PX // 2, None, _STEP_PX)
    target = seen[:, *sparse].transpose(0, 3, 1, 2).reshape(count, 3, -1).astype(np.float64)
    picture = drawn[:, *sparse].transpose(0, 3, 1, 2).reshape(count, 3, -1).astype(np.float64)
    veil = ground[:, *sparse].reshape(3, -1)
    design = np.concatenate(
        [picture[:, :, None], np.broadcast_to(veil, (count, 3, *veil.shape))], axis=2
    )
    known = (~burnt[:, *sparse]).reshape(count, 1, -1).astype(np.float64)
    weights = known
    terms = np.zeros((count, 3, 1, 4))
    for _ in range(_ROUNDS):
        weighted = design * weights[:, :, None]
        normal = weighted @ design.swapaxes(2, 3) + np.eye(4) * _RIDGE
        terms = np.linalg.solve(normal, weighted @ target[..., None]).swapaxes(2, 3)
        off = target - (terms @ design)[:, :, 0]
        error = np.sqrt((off * off).sum(axis=1, keepdims=True))
        usual = np.maximum(_medians(error, known), _LEAST_ERROR)
        weights = known / (1 + (error / (2 * usual)) ** 2) ** 2
    # A regression takes drawings that are blurred or a little off their place for pale ones, so the
    # contrast is that of the spread
    slope = terms[:, :, 0, 2:] @ veil[1:]
    contrast = _spread(target - slope, weights) / np.maximum(_spread(picture, weights), 1.0)
    level = _mean(target - slope, weights) - contrast * _mean(picture, weights)
    kept = contrast.astype(np.float32)
    tiles = _without(seen, np.concatenate([level[..., None], terms[:, :, 0, 2:]], axis=2), kept)
    return Cleared(tiles, kept.min(axis=1), np.median(level, axis=1).astype(np.float32))


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
    level, right, down, scale = (
        np.tile(each.astype(np.float32), (1, width))[:, None]
        for each in (*veil.transpose(2, 0, 1), np.maximum(contrast, LEAST_CONTRAST))
    )
    across = np.repeat(np.linspace(-1, 1, width, dtype=np.float32), channels)
    tiles = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * down
    tiles += level + across * right
    np.subtract(rows, tiles, out=tiles)
    tiles /= scale
    return np.asarray(np.clip(tiles, 0, 255, out=tiles), np.float32).reshape(seen.shape)


def _mean(values: Values, weights: Values) -> Values:
    total = np.maximum(weights.sum(axis=2), _RIDGE)
    return np.asarray((values * weights).sum(axis=2) / total, np.float64)


def _spread(values: Values, weights: Values) -> Values:
    away = values - _mean(values, weights)[..., None]
    return np.asarray(np.sqrt(_mean(away**2, weights)), np.float64)


def _medians(error: Values, known: Values) -> Values:
    """The median (n, 1, 1) of the errors (n, 1, k) that are known."""
    ordered = np.sort(np.where(known > 0, error, np.inf), axis=2)
    middle = np.maximum(known.sum(axis=2, keepdims=True).astype(np.intp) - 1, 0) // 2
    median = np.take_along_axis(ordered, middle, axis=2)
    return np.where(np.isfinite(median), median, 0.0)
