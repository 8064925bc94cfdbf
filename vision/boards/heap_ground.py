"""The ground on which the pieces of a heap lie, laid flat once for all that is looked for on it."""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.looks import TILE_PX, softened
from vision.boards.view import View, Window

CLOSE_PX = 60
"""Pixels for each edge of a piece where its features are looked for. With 40, pieces are lost that
anybody can read, under a veil of light that is not dazzling."""
COARSE_PX = 20
"""The same where only its colours on the whole matter."""
MARGIN_PX = 6
"""Around a piece that is cut out."""
UPRIGHT_PX = TILE_PX + 2 * MARGIN_PX
"""Side of what is cut out."""
SAMPLES = 12
MOST_OFF_THE_PHOTO = 0.08
"""Share of a heap's area that may lie outside the photo."""


@dataclass(frozen=True, eq=False)
class HeapGround:
    """A heap seen straight from above.

    Attributes:
        view: of the board.
        window: in grid coordinates.
        edge_px: pixels for each edge of a piece.
    """

    view: View
    window: Window
    edge_px: int = TILE_PX

    @cached_property
    def taken(self) -> Image:
        """As bright as in the photo."""
        return self.view.surface.flat(self.view.picture, self.window, self.edge_px)

    @cached_property
    def coarse(self) -> FloatImage:
        """The same with COARSE_PX pixels for each edge of a piece."""
        size = coarse_wh(self.window)
        small = cv2.resize(self.taken, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)

    @cached_property
    def flat(self) -> FloatImage:
        """As bright as the board, as smooth as pictures are when they are compared."""
        return softened(self.taken, self.view.gain, self.edge_px)

    @property
    def middle(self) -> Points:
        """Its middle (1, 2) in grid coordinates."""
        left, top, right, bottom = self.window
        return floats([[(left + right) / 2, (top + bottom) / 2]])

    def closer(self) -> "HeapGround":
        """The same with more pixels, for features."""
        return replace(self, edge_px=CLOSE_PX)

    def in_grid(self, pixels: Points) -> Points:
        """Grid coordinates (…, 2) of pixels (…, 2)."""
        return floats(floats(self.window[:2]) + (pixels + 0.5) / self.edge_px)

    def upright(self, middles: Points, angles: NDArray[np.floating]) -> FloatImage:
        """What lies about places of the grid, turned back, TILE_PX pixels an edge and a margin.

        Args:
            middles: (n, 2).
            angles: (n,) radians.

        Returns:
            The n squares side by side.
        """
        side = UPRIGHT_PX
        scale = self.edge_px / TILE_PX
        cos, sin = scale * np.cos(angles), scale * np.sin(angles)
        matrices = np.empty((len(middles), 2, 3))
        matrices[:, :, 0] = np.stack([cos, sin], axis=1)
        matrices[:, :, 1] = np.stack([-sin, cos], axis=1)
        at = (middles - floats(self.window[:2])) * self.edge_px - 0.5
        matrices[:, :, 2] = at - (side - 1) / 2 * matrices[:, :, :2].sum(axis=2)
        upright = np.empty((side, len(middles) * side, 3), np.float32)
        for number, matrix in enumerate(matrices):
            cv2.warpAffine(
                self.flat,
                matrix,
                (side, side),
                upright[:, number * side : (number + 1) * side],
                cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                cv2.BORDER_REPLICATE,
            )
        return upright

    def runs_off_the_photo(self) -> bool:
        """Whether pieces in a part of it cannot be seen because the photo ends there."""
        xs = np.linspace(self.window[0], self.window[2], SAMPLES)
        ys = np.linspace(self.window[1], self.window[3], SAMPLES)
        seen = self.view.surface.at(np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2))
        height, width = self.view.picture.image.shape[:2]
        inside = (seen >= 0).all(axis=1) & (seen < (width, height)).all(axis=1)
        return float((~inside).mean()) > MOST_OFF_THE_PHOTO


def coarse_wh(window: Window) -> tuple[int, int]:
    """Width and height of a window, COARSE_PX pixels for each edge of a piece."""
    left, top, right, bottom = window
    return round((right - left) * COARSE_PX), round((bottom - top) * COARSE_PX)
