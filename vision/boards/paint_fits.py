"""Where on the tiles of a grid the outline of a figure fits its paint best."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.figure_outline import TOKEN_PX, FigureShape, Spot, Standing
from vision.boards.footprint import Mask
from vision.boards.lying import Part
from vision.editions.description import TokenDescription

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
    def least_area(self) -> int:
        """Of the outlines of figures, in pixels."""
        return min(shape.area for shape in self.shapes)

    @cached_property
    def parts(self) -> list[Part]:
        """What figures on each tile (n,) cover of a picture that got a border so wide."""
        return [
            (
                slice(top + first[0], top + TOKEN_PX + last[0]),
                slice(left + first[1], left + TOKEN_PX + last[1]),
            )
            for shape, (top, left) in zip(
                self.shapes, (self.corners_px + self.border).tolist(), strict=True
            )
            for first, last in [(shape.under.first, shape.under.last)]
        ]

    def shares(self, paint: Mask, number: int) -> FloatImage:
        """Which share of a figure's outline is painted whose foot is on each pixel of a tile.

        Args:
            paint: (h, w) a picture that got a border as wide as ``border``, 1 where it is painted,
                else 0.
            number: of the tile.
        """
        shape = self.shapes[number]
        amounts = cv2.matchTemplate(paint[self.parts[number]], shape.tight, cv2.TM_CCORR)
        # What was found by way of frequencies is not quite whole
        np.rint(amounts, out=amounts)
        return np.asarray(np.divide(amounts, shape.area, out=amounts), np.float32)


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
        self._fits: list[Fit | None] = [None] * len(rooms.corners)
        self._at_most = [1.0] * len(rooms.corners)
        self._look_again(range(len(rooms.corners)))

    def best(self) -> Fit:
        """Where a figure fits best with what is left of the paint, or ``NO_FIT``."""
        while True:
            at_most = max(self._at_most)
            number = self._at_most.index(at_most)
            fit = self._fits[number]
            if fit is not None or at_most < self._least:
                return fit or NO_FIT
            fit = self._fit_on(number)
            self._fits[number], self._at_most[number] = fit, fit[0]

    def take_away(self, spot: Spot) -> None:
        """Take away the paint that a figure explains."""
        border = self._rooms.border
        x, y = spot.foot_px[0] + border, spot.foot_px[1] + border
        grown = spot.shape.grown
        self._wider.put(grown.pixels((x, y), self._wider.shape), 0)
        (top, left), (bottom, right) = grown.first, grown.last
        self._look_again(
            number
            for number, (rows, columns) in enumerate(self._rooms.parts)
            if rows.start <= y + bottom and y + top < rows.stop
            if columns.start <= x + right and x + left < columns.stop
        )

    def _look_again(self, numbers: Iterable[int]) -> None:
        """Of tiles whose paint may have changed, tell how well figures may fit there at most."""
        parts, shapes = self._rooms.parts, self._rooms.shapes
        for number in numbers:
            share = cv2.countNonZero(self._wider[parts[number]]) / shapes[number].area
            self._fits[number] = None
            self._at_most[number] = min(self._at_most[number], share)

    def _fit_on(self, number: int) -> Fit:
        """Where on a tile a figure fits best."""
        shape, border = self._rooms.shapes[number], self._rooms.border
        top, left = (self._rooms.corners_px[number] + border).tolist()
        if not cv2.countNonZero(self._wider[top : top + TOKEN_PX, left : left + TOKEN_PX]):
            return NO_FIT
        shares = self._rooms.shares(self._wider, number)
        best_y, best_x = divmod(int(shares.argmax()), TOKEN_PX)
        best = float(shares[best_y, best_x])
        if best < self._least:
            return best, NO_FIT[1]
        # The middle of all places near by that fit nearly as well
        reach = int(shape.radius)
        first_y, first_x = max(best_y - reach, 0), max(best_x - reach, 0)
        around = shares[first_y : best_y + reach + 1, first_x : best_x + reach + 1]
        near = shape.foot[first_y - best_y + reach :, first_x - best_x + reach :]
        near = near[: around.shape[0], : around.shape[1]]
        ys, xs = np.nonzero(near & (around >= best - NEARLY_AS_WELL))
        y, x = first_y + int(ys.sum()) / len(ys), first_x + int(xs.sum()) / len(xs)
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
    for number, part in enumerate(rooms.parts):
        if cv2.countNonZero(wider[part]) < least_share * rooms.shapes[number].area:
            continue
        (top, left), shares = rooms.corners[number], rooms.shares(wider, number)
        while True:
            for x, y in taken:
                at = round((x - left) * TOKEN_PX), round((y - top) * TOKEN_PX)
                cv2.circle(shares, at, math.ceil(far * TOKEN_PX), 0.0, -1)
            y, x = divmod(int(shares.argmax()), TOKEN_PX)
            if shares[y, x] < least_share:
                break
            foot = left + (x + 0.5) / TOKEN_PX, top + (y + 0.5) / TOKEN_PX
            found.append((float(shares[y, x]), foot))
            taken.append(foot)
    return found
