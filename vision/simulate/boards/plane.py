"""Where flat things lie on a simulated table.

The plane's unit is 60 mm, about the tile for which props are drawn; x runs to the right and y down
as seen from above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners, Points, floats
from vision.simulate.scene import rectangle, rotated

UNIT_MM: Final = 60.0

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """The lie of a board or city: its own millimetres on the plane.

    Attributes:
        middle_mm: the point of it about which it is turned.
        centre: where that point lies on the plane.
        angle: clockwise turn as seen from above, radians.
    """

    middle_mm: Spot
    centre: Spot
    angle: float

    def placed(self, points_mm: ArrayLike) -> Points:
        """Points (n, 2) of its own on the plane."""
        away = (floats(points_mm).reshape(-1, 2) - floats(self.middle_mm)) / np.float32(UNIT_MM)
        return rotated(away, self.angle) + floats(self.centre)

    def rectangle(self, centre_mm: Spot, size_mm: Spot, twist: float = 0.0) -> Corners:
        """The corners on the plane of a rectangle about a point of its own.

        Args:
            centre_mm: that point.
            size_mm: width and height.
            twist: clockwise turn away from the frame's own axes, radians.
        """
        return self.placed(rectangle(centre_mm, twist, size_mm))


def apart(first: Corners, second: Corners) -> bool:
    """Whether two convex quads share no area."""
    shared, _ = cv2.intersectConvexConvex(floats(first), floats(second))
    return shared <= 0


def widened(corners: Corners, room: float) -> Corners:
    """A rectangle with ``room`` more on every side."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    right = across / np.float32(np.hypot(*across)) * np.float32(room)
    below = down / np.float32(np.hypot(*down)) * np.float32(room)
    return corners + floats([-right - below, right - below, right + below, below - right])


class Occupied:
    """The places on the plane where something lies already."""

    def __init__(self, taken: Sequence[Corners] = ()) -> None:
        self._taken = list(taken)

    def is_free(self, corners: Corners) -> bool:
        """Whether nothing lies on this quad."""
        return all(apart(corners, other) for other in self._taken)

    def take(self, corners: Corners) -> None:
        """Lay something there."""
        self._taken.append(corners)
