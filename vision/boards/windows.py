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
        self._channels = np.ascontiguousarray(np.atleast_3d(flat).transpose(2, 0, 1))

    @cached_property
    def _full(self) -> Windows:
        return _tiles_at_all_pixels(self._channels, STRIDE_PX)

    @cached_property
    def _coarse(self) -> Windows:
        # Each pixel the mean of the block that begins there
        block = (BLOCK_PX, BLOCK_PX)
        means = [cv2.blur(channel, block, anchor=(0, 0)) for channel in self._channels]
        return _tiles_at_all_pixels(np.asarray(means, np.float32), BLOCK_PX)

    def tiles(self, corners: Corners) -> Windows:
        """The tiles (n, 3, …) at these corners (…, 2), every STRIDE_PX-th pixel."""
        return _cut_out(self._full, corners)

    def coarse_tiles(self, corners: Corners) -> Windows:
        """The same as means of blocks of BLOCK_PX pixels."""
        return _cut_out(self._coarse, corners)


def _tiles_at_all_pixels(channels: NDArray[np.float32], stride: int) -> Windows:
    """A view (h, w, 3, …) of the tiles that begin at each pixel, every so many-th of theirs."""
    tiles = sliding_window_view(channels, (TILE_PX, TILE_PX), axis=(1, 2))
    return tiles[..., ::stride, ::stride].transpose(1, 2, 0, 3, 4)


def _cut_out(tiles: Windows, corners: Corners) -> Windows:
    last = np.array(tiles.shape[:2]) - 1
    rows, columns = np.clip(corners.reshape(-1, 2), 0, last).T
    return np.ascontiguousarray(tiles[rows, columns])
