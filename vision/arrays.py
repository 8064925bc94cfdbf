"""The arrays that the modules of the eye hand to one another.

Points are (x, y), x to the right and y down. In pictures (0, 0) is the centre of the top left
pixel; on the plane of a simulated table the unit is the width of a tile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
"""A picture (h, w, 3) BGR or (h, w, 4) BGRA, 0 to 255."""

FloatImage = NDArray[np.float32]
"""A picture (h, w, 3) BGR, or one channel (h, w)."""

Points = NDArray[np.float32]
"""Shape (n, 2)."""

Corners = NDArray[np.float32]
"""A quad (4, 2): top left, top right, bottom right, bottom left as read upright."""

Homography = NDArray[np.float64]
"""Shape (3, 3); maps columns (x, y, 1)."""

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Masks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Base of data classes whose fields are arrays with a row for each of the same things."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Self:
        """Some of them."""
        return type(self)(*(getattr(self, f.name)[which] for f in fields(self)))

    def with_rows(self, which: NDArray[np.bool_], others: Self) -> Self:
        """The same with some replaced."""
        arrays = [getattr(self, f.name).copy() for f in fields(self)]
        for mine, f in zip(arrays, fields(self), strict=True):
            mine[which] = getattr(others, f.name)
        return type(self)(*arrays)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of several, one after the other."""
        return cls(
            *(np.concatenate([getattr(one, f.name) for one in several]) for f in fields(cls))
        )


def floats(values: ArrayLike) -> NDArray[np.float32]:
    """A new float32 array of these values."""
    return np.array(values, np.float32)


def transformed(points: ArrayLike, homography: ArrayLike) -> Points:
    """Points of shape (n, 2) through a homography (3, 3)."""
    columns = np.asarray(points, np.float32).reshape(-1, 1, 2)
    moved = cv2.perspectiveTransform(columns, np.asarray(homography, np.float64))
    return np.asarray(moved, np.float32).reshape(-1, 2)


def percentile(levels: NDArray[np.uint8], percent: float) -> float:
    """A percentile of levels from 0 to 255, as numpy's, which takes several times as long.

    Args:
        levels: at least one.
        percent: from 0 to 100.

    Raises:
        ValueError: there are no levels.
    """
    if levels.size == 0:
        raise ValueError("a percentile of no levels")
    counts = cv2.calcHist([levels.reshape(1, -1)], [0], None, [256], [0, 256])
    up_to = np.cumsum(counts.ravel(), dtype=np.float64)
    at = percent / 100 * (levels.size - 1)
    below = int(at)
    ends = below, min(below + 1, levels.size - 1)
    low, high = np.searchsorted(up_to, ends, side="right").tolist()
    return float(low + (high - low) * (at - below))
