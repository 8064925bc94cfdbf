"""Where on the tiles of a grid the outline of a figure fits its paint best."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.description import TokenDescription
from vision.boards.figure_outline import TOKEN_PX, FigureShape, Mask, Standing

NEARLY_AS_WELL = 0.02
"""Places whose share of paint is less by no more than this fit as well as the best one."""

Fit = tuple[float, tuple[float, float]]
"""Which share of a figure's outline is painted, and its foot (x, y) in tile edges."""
NO_FIT: Fit = (0.0, (0.0, 0.0))


@dataclass(frozen=True)
class Rooms:
    """Where figures of one size may stand on the tiles of a grid.

    Attributes:
        corners: top and left of each tile, in tile edges.
        corners_px: (n, 2) the same in pixels of a flat picture.
        shapes: how figures are seen on each.
    """

    corners: Sequence[tuple[float, float]]
    corners_px: NDArray[np.intp]
    shapes: Sequence[FigureShape]

    @classmethod
    def of(
        cls, corners: Sequence[tuple[float, float]], token: TokenDescription, standing: Standing
    ) -> Self:
        """On tiles with these tops and lefts."""
        corners_px = np.rint((np.array(corners) + standing.margin) * TOKEN_PX).astype(np.intp)
        shapes = [standing.shape(token, (left + 0.5, top + 0.5)) for top, left in corners]
        return cls(corners, corners_px, shapes)

    @cached_property
    def border(self) -> int:
        """How far beyond the tiles figures are seen at most, in pixels."""
        return max(shape.reach for shape in self.shapes)

    @cached_property
    def least_area(self) -> float:
        """Of the outlines of figures, in pixels."""
        return min(shape.area for shape in self.shapes)

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Top and bottom (2, n) of what figures on each tile cover, and left and right."""
        reaches = np.array([shape.reach for shape in self.shapes])
        first = self.corners_px.T + self.border - reaches
        last = first + TOKEN_PX + 2 * reaches
        return np.stack([first[0], last[0]]), np.stack([first[1], last[1]])

    def amounts(self, paint: Mask) -> NDArray[np.intp]:
        """How much paint lies where figures on each tile (n,) cover it.

        Args:
            paint: (h, w) a picture that got a border so wide, 1 where it is painted, else 0.
        """
        sums = cv2.integral(paint)
        rows, columns = self._bounds
        at_corners = sums[rows[:, None], columns]
        inside = at_corners[1, 1] - at_corners[1, 0] - at_corners[0, 1] + at_corners[0, 0]
        return np.asarray(inside, np.intp)

    def shares(self, paint: Mask, number: int) -> FloatImage:
        """Which share of a figure's outline is painted whose foot is on each pixel of a tile.

        Args:
            paint: (h, w) a picture that got a border as wide as ``border``.
            number: of the tile.
        """
        shape = self.shapes[number]
        top, left = (self.corners_px[number] + self.border - shape.reach).tolist()
        side = TOKEN_PX + 2 * shape.reach
        around = paint[top : top + side, left : left + side].astype(np.float32)
        return np.asarray(
            cv2.matchTemplate(around, shape.outline, cv2.TM_CCORR) / shape.area, np.float32
        )


class PaintFits:
    """The places where figures of one kind fit their paint, the best first.

    Paint is only taken away. So how well a tile fitted before tells how well it fits at best, and
    only tiles that may be the best are looked at again.
    """

    def __init__(self, paint: Mask, rooms: Rooms, least_share: float) -> None:
        """Of all tiles of a grid.

        Args:
            paint: (h, w) 1 where the grid has the figures' paint, else 0; TOKEN_PX a tile.
            rooms: where they may stand.
            least_share: of its outline that must have its paint.
        """
        self._rooms, self._least = rooms, least_share
        border = rooms.border
        around = cv2.copyMakeBorder(paint, *(border,) * 4, cv2.BORDER_CONSTANT)
        self._wider = np.asarray(around, np.uint8)
        count = len(rooms.corners)
        self._amounts = np.zeros(count, np.intp)
        self._at_most = np.ones(count)
        self._fits: list[Fit | None] = [NO_FIT] * count

    @property
    def paint(self) -> Mask:
        """What is left of it, to be taken away by ``Spot.erase``."""
        border = self._rooms.border
        return self._wider[border:-border, border:-border]

    def best(self) -> Fit:
        """Where a figure fits best with what is left of the paint, or ``NO_FIT``."""
        self._look_for_changes()
        while True:
            number = int(self._at_most.argmax())
            fit = self._fits[number]
            if fit is not None or self._at_most[number] < self._least:
                return fit or NO_FIT
            fit = self._fit_on(number)
            self._fits[number], self._at_most[number] = fit, fit[0]

    def _look_for_changes(self) -> None:
        amounts = self._rooms.amounts(self._wider)
        for number in np.flatnonzero(amounts != self._amounts).tolist():
            self._fits[number] = None
        self._at_most = np.minimum(self._at_most, amounts / self._rooms.least_area)
        self._amounts = amounts

    def _fit_on(self, number: int) -> Fit:
        """Where on a tile a figure fits best."""
        shape, border = self._rooms.shapes[number], self._rooms.border
        top, left = (self._rooms.corners_px[number] + border).tolist()
        if not self._wider[top : top + TOKEN_PX, left : left + TOKEN_PX].any():
            return NO_FIT
        scores = self._rooms.shares(self._wider, number)
        best_y, best_x = divmod(int(scores.argmax()), scores.shape[1])
        best = float(scores[best_y, best_x])
        if best < self._least:
            return best, NO_FIT[1]
        # The middle of all places near by that fit nearly as well
        reach = int(shape.radius)
        first_y, first_x = max(best_y - reach, 0), max(best_x - reach, 0)
        around = scores[first_y : best_y + reach + 1, first_x : best_x + reach + 1]
        ys, xs = np.nonzero(around >= best - NEARLY_AS_WELL)
        near = np.hypot(ys + (first_y - best_y), xs + (first_x - best_x)) <= shape.radius
        count = np.count_nonzero(near)
        x, y = float(xs[near].sum() / count + first_x), float(ys[near].sum() / count + first_y)
        first = self._rooms.corners[number]
        return best, (first[1] + (x + 0.5) / TOKEN_PX, first[0] + (y + 0.5) / TOKEN_PX)


def fits_elsewhere(
    paint: Mask,
    rooms: Rooms,
    feet: Sequence[tuple[float, float]],
    far: float,
    least_share: float,
) -> list[Fit]:
    """Where figures fit that stand apart from those which were found, all that overlap included.

    Args:
        paint: (h, w) 1 where the grid has the figures' paint, else 0; TOKEN_PX a tile.
        rooms: where they may stand.
        feet: (x, y) of those that were found, in tile edges.
        far: from these the feet of others are at least so far away, in tile edges.
        least_share: of its outline that must have its paint.
    """
    border = rooms.border
    wider = np.asarray(cv2.copyMakeBorder(paint, *(border,) * 4, cv2.BORDER_CONSTANT), np.uint8)
    found: list[Fit] = []
    taken = list(feet)
    for number in np.flatnonzero(rooms.amounts(wider) >= least_share * rooms.least_area).tolist():
        (top, left), scores = rooms.corners[number], rooms.shares(wider, number)
        while True:
            for x, y in taken:
                at = round((x - left) * TOKEN_PX), round((y - top) * TOKEN_PX)
                cv2.circle(scores, at, math.ceil(far * TOKEN_PX), 0.0, -1)
            y, x = divmod(int(scores.argmax()), scores.shape[1])
            if scores[y, x] < least_share:
                break
            foot = left + (x + 0.5) / TOKEN_PX, top + (y + 0.5) / TOKEN_PX
            found.append((float(scores[y, x]), foot))
            taken.append(foot)
    return found
