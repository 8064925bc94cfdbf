"""Tiles cut out of a flat picture, many at once."""

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.looks import BLOCK_PX, STRIDE_PX, TILE_PX, Windows

Corners = NDArray[np.intp]
"""(…, 2) row and column of the first pixel of each window."""

COARSE_SHIFTS = np.array([(y, x) for y in (-4, 0, 4) for x in (-4, 0, 4)], np.intp)
FINE_SHIFTS = np.array([(y, x) for y in (-2, 0, 2) for x in (-2, 0, 2)], np.intp)
"""Pixels by which a tile may lie off its place."""
_COARSELY_AROUND_PX = TILE_PX + 2 * BLOCK_PX
"""Side of what holds the tiles of all coarse shifts, each of them a block further."""


def corners_about(middles: Sequence[tuple[float, float]]) -> Corners:
    """The first pixels (n, 2) of the tiles whose middles lie at these places (x, y)."""
    rows_columns = np.array(middles, np.float64).reshape(-1, 2)[:, ::-1]
    return np.asarray(np.rint(rows_columns) - TILE_PX // 2, np.intp)


class Sheet:
    """A flat, softened picture from which tiles are cut out.

    A tile that goes beyond the edge of the picture is moved inside.
    """

    def __init__(self, flat: FloatImage) -> None:
        """Of a picture (h, w, 3) or (h, w), TILE_PX pixels a tile."""
        # What is split into given arrays must be of their type
        self._flat = np.ascontiguousarray(np.atleast_3d(flat), np.float32)

    @cached_property
    def _thinned(self) -> Windows:
        """A view (STRIDE_PX, h, w, 3, …) of tiles from the first column on, from the second, ….

        The pixels of a tile that are compared lie side by side, so that they are copied quickly.
        """
        count, height, width = self._channels.shape
        across = width // STRIDE_PX
        columns = np.empty((STRIDE_PX, count * height, across), np.float32)
        cv2.split(self._channels.reshape(-1, across, STRIDE_PX), list(columns))
        columns = columns.reshape(STRIDE_PX, count, height, across)
        tiles = windows_of(columns, TILE_PX, TILE_PX // STRIDE_PX)
        return tiles[..., ::STRIDE_PX, :].transpose(0, 2, 3, 1, 4, 5)

    @cached_property
    def _channels(self) -> NDArray[np.float32]:
        """The channels (3, h, w), w made a multiple of STRIDE_PX; what is added has no value."""
        height, width, count = self._flat.shape
        channels = np.empty((count, height, -(-width // STRIDE_PX) * STRIDE_PX), np.float32)
        cv2.split(self._flat, list(channels[..., :width]))
        return channels

    def tiles(self, corners: Corners) -> Windows:
        """The tiles (n, 3, …) at these corners (…, 2), every STRIDE_PX-th pixel."""
        rows, columns = self._inside(corners).T
        tiles: Windows = self._thinned[columns % STRIDE_PX, rows, columns // STRIDE_PX]
        return tiles

    def coarse_tiles(self, corners: Corners) -> Windows:
        """The same as means of blocks of BLOCK_PX pixels."""
        return _block_means(self._cut_out(self._inside(corners), TILE_PX))

    def coarse_tiles_around(self, corners: Corners) -> Windows:
        """The same (n * 9, 3, …) at all COARSE_SHIFTS from these corners (n, 2)."""
        around = corners + COARSE_SHIFTS[0]
        beyond = around + _COARSELY_AROUND_PX > self._flat.shape[:2]
        if beyond.any() or (around < 0).any():
            return self.coarse_tiles(corners[:, None] + COARSE_SHIFTS)
        means = _block_means(self._cut_out(around, _COARSELY_AROUND_PX))
        side = TILE_PX // BLOCK_PX
        tiles = np.ascontiguousarray(windows_of(means, side, side).transpose(0, 2, 3, 1, 4, 5))
        return tiles.reshape(-1, *tiles.shape[3:])

    def _inside(self, corners: Corners) -> Corners:
        """The corners (n, 2) of tiles that are moved inside."""
        height, width = self._flat.shape[:2]
        last = np.array([height - TILE_PX, width - TILE_PX])
        # numpy's function for both at once takes several times as long for a few corners
        return np.asarray(np.minimum(np.maximum(corners.reshape(-1, 2), 0), last), np.intp)

    def _cut_out(self, corners: Corners, side: int) -> Windows:
        """All pixels of squares with these corners (n, 2)."""
        everywhere = windows_of(self._channels, side, side).transpose(1, 2, 0, 3, 4)
        rows, columns = corners.T
        squares: Windows = everywhere[rows, columns]
        return squares


def windows_of(pictures: NDArray[np.float32], tall: int, wide: int) -> Windows:
    """A view (…, h, w, tall, wide) of the windows at the pixels of pictures (…, h, w)."""
    return sliding_window_view(pictures, (tall, wide), axis=(-2, -1))


def _block_means(windows: Windows) -> Windows:
    """Windows whose pixels are the means of blocks of BLOCK_PX pixels of others."""
    *shape, height, width = windows.shape
    means = windows.reshape(-1, width)
    for _ in range(int(np.log2(BLOCK_PX))):
        # OpenCV halves pictures much more quickly than it makes them smaller still
        half = means.shape[1] // 2, means.shape[0] // 2
        means = np.asarray(cv2.resize(means, half, interpolation=cv2.INTER_AREA), np.float32)
    return means.reshape(*shape, height // BLOCK_PX, width // BLOCK_PX)
