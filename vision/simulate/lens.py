"""The distortion of a lens, which bends straight lines.

One coefficient k (the division of labour of the usual radial model): a point at the radius r from
the middle of the ideal picture, in half diagonals, is seen at the radius s with
r = s (1 + k s²) / (1 + k). The corners of the picture stay where they are; k over 0 bends lines
outwards (barrel), as wide lenses do, k under 0 inwards.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Image, Points, floats

MOST_BARREL = 0.3
MOST_PINCUSHION = -0.15
_STEPS = 12


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens for pictures of one size.

    Attributes:
        size_wh: of the picture, pixels.
        k: ``MOST_PINCUSHION`` to ``MOST_BARREL``; 0: no distortion.
    """

    size_wh: tuple[int, int]
    k: float = 0.0

    def __post_init__(self) -> None:
        if not MOST_PINCUSHION <= self.k <= MOST_BARREL:
            raise ValueError(f"k is {self.k}; it runs from {MOST_PINCUSHION} to {MOST_BARREL}")

    def seen(self, points_px: ArrayLike) -> Points:
        """Where points (n, 2) of the ideal picture are seen."""
        away = (np.asarray(points_px, np.float64) - self._middle) / self._half_diagonal
        radius = np.hypot(away[..., 0], away[..., 1])
        bent = radius.copy()
        for _ in range(_STEPS):  # Newton
            error = bent * (1 + self.k * bent**2) / (1 + self.k) - radius
            bent -= error * (1 + self.k) / (1 + 3 * self.k * bent**2)
        ratio = np.divide(bent, radius, out=np.ones_like(radius), where=radius > 0)
        return floats(away * ratio[..., None] * self._half_diagonal + self._middle)

    def photographed(self, ideal: Image) -> Image:
        """The picture (h, w, 3) as this lens shows it."""
        if self.k == 0:
            return ideal
        width, height = self.size_wh
        xs = (np.arange(width, dtype=np.float32) - self._middle[0]) / self._half_diagonal
        ys = (np.arange(height, dtype=np.float32) - self._middle[1]) / self._half_diagonal
        ratio = (1 + self.k * (xs[None, :] ** 2 + ys[:, None] ** 2)) / (1 + self.k)
        from_x = floats(xs[None, :] * ratio * self._half_diagonal + self._middle[0])
        from_y = floats(ys[:, None] * ratio * self._half_diagonal + self._middle[1])
        seen = cv2.remap(ideal, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(seen, np.uint8)

    @property
    def _middle(self) -> NDArray[np.float64]:
        return (np.array(self.size_wh, np.float64) - 1) / 2

    @property
    def _half_diagonal(self) -> float:
        return float(np.hypot(*self.size_wh)) / 2
