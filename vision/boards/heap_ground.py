"""The ground on which the pieces of a heap lie, laid flat once for all that is looked for on it."""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.looks import SOFTENED_PX, TILE_PX
from vision.boards.view import View, Window

CLOSE_PX = 60
"""Pixels for each edge of a piece where its features are looked for. With 40, pieces are lost that
anybody can read, under a veil of light that is not dazzling."""
COARSE_PX = 20
"""The same where only its colours on the whole matter."""
MARGIN_PX = 6
"""Around a piece that is cut out."""
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
        sigma = SOFTENED_PX * self.edge_px / TILE_PX
        soft = cv2.GaussianBlur(self.taken.astype(np.float32), (0, 0), sigma)
        return np.asarray(soft * np.float32(self.view.gain), np.float32)

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

    def upright(self, middle: Points, angle: float) -> FloatImage:
        """What lies about a place of the grid, turned back, TILE_PX pixels an edge and a margin."""
        at = (middle - floats(self.window[:2])) * self.edge_px - 0.5
        side = TILE_PX + 2 * MARGIN_PX
        scale = self.edge_px / TILE_PX
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        half = (side - 1) / 2
        matrix = np.array([[c, -s, at[0] - c * half + s * half],
                           [s, c, at[1] - s * half - c * half]])  # fmt: skip
        turned = cv2.warpAffine(
            self.flat,
            matrix,
            (side, side),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(turned, np.float32)

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
