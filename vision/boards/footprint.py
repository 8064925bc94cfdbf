"""The pixels that a figure covers in a picture, counted from where it has its foot."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
"""(h, w) 1 or 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """Pixels about a foot.

    Attributes:
        rows: (n,) how far below the foot each is.
        columns: (n,) how far to the right of it.
        first: the least of these (y, x).
        last: the greatest.
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    first: tuple[int, int]
    last: tuple[int, int]

    @classmethod
    def of(cls, mask: Mask) -> Self:
        """Those that a mask has, its middle on the foot; at least one."""
        rows, columns = np.nonzero(mask)
        rows, columns = rows - mask.shape[0] // 2, columns - mask.shape[1] // 2
        first = int(rows[0]), int(columns.min())
        return cls(rows, columns, first, (int(rows[-1]), int(columns.max())))

    def __len__(self) -> int:
        return len(self.rows)

    def pixels(self, foot: tuple[int, int], size: tuple[int, ...]) -> NDArray[np.intp]:
        """Their numbers (n,) in a picture (h, w) that shows the foot at a pixel (x, y)."""
        (x, y), (height, width) = foot, size[:2]
        (top, left), (bottom, right) = self.first, self.last
        if y + top < 0 or x + left < 0 or y + bottom >= height or x + right >= width:
            rows, columns = self.rows + y, self.columns + x
            inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
            return np.asarray((rows * width + columns)[inside], np.intp)
        return _numbers(self, width) + (y * width + x)


@lru_cache(maxsize=512)
def _numbers(footprint: Footprint, width: int) -> NDArray[np.intp]:
    """By how much the numbers (n,) of its pixels differ from that of the foot's own pixel."""
    return np.asarray(footprint.rows * width + footprint.columns, np.intp)
