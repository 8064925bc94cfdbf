"""Where on the tiles of a grid the outline of a figure fits its paint best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.description import TokenDescription
from vision.boards.figure_outline import TOKEN_PX, Standing

NEARLY_AS_WELL = 0.02
"""Places whose share of paint is less by no more than this fit as well as the best one."""

Fit = tuple[float, tuple[float, float]]
"""Which share of a figure's outline is painted, and its foot (x, y) in tile edges."""
NO_FIT: Fit = (0.0, (0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Room:
    """Where a figure may stand on a tile.

    Attributes:
        tile: top and left of the tile, in tile edges.
        corner: the same in pixels of a flat picture.
        reach: from a figure's foot to the edge of the mask of its outline, in pixels.
    """

    tile: tuple[float, float]
    corner: tuple[int, int]
    reach: int

    @classmethod
    def of(cls, tile: tuple[float, float], token: TokenDescription, standing: Standing) -> Self:
        """On a tile with this top and left."""
        top, left = (round((first + standing.margin) * TOKEN_PX) for first in tile)
        return cls(tile, (top, left), standing.reach(token, _middle(tile)))

    def amount(self, sums: NDArray[np.intp], border: int) -> float:
        """How much paint lies where figures on the tile cover it.

        Args:
            sums: integral of a picture (h, w) of paint that got a border so wide.
            border: in pixels.
        """
        top, left = (first + border - self.reach for first in self.corner)
        side = TOKEN_PX + 2 * self.reach
        above, below = sums[top], sums[top + side]
        return float(below[left + side] - below[left] - above[left + side] + above[left])


class PaintFits:
    """The places where figures of one kind fit their paint, the best first.

    Paint is only taken away. So how well a tile fitted before tells how well it fits at best, and
    only tiles that may be the best are looked at again.
    """

    def __init__(
        self,
        paint: FloatImage,
        token: TokenDescription,
        corners: Sequence[tuple[float, float]],
        standing: Standing,
        least_share: float,
    ) -> None:
        """Of all tiles of a grid.

        Args:
            paint: (h, w) 1 where the grid has the figures' paint, else 0; TOKEN_PX a tile.
            token: the kind of figure.
            corners: top and left of each tile, in tile edges.
            standing: how figures are seen in the picture.
            least_share: of its outline that must have its paint.
        """
        self._token, self._standing, self._least = token, standing, least_share
        self._rooms = [_Room.of(corner, token, standing) for corner in corners]
        self._border = max(room.reach for room in self._rooms)
        self._wider = np.pad(paint, self._border)
        self._foot_area = float(standing.foot(token).sum())
        self._amounts = np.zeros(len(corners))
        self._at_most = np.ones(len(corners))
        self._fits: list[Fit | None] = [NO_FIT] * len(corners)

    @property
    def paint(self) -> FloatImage:
        """What is left of it, to be taken away by ``Standing.erase``."""
        return self._wider[self._border : -self._border, self._border : -self._border]

    def best(self) -> Fit:
        """Where a figure fits best with what is left of the paint."""
        self._look_for_changes()
        while True:
            number = int(self._at_most.argmax())
            fit = self._fits[number]
            if fit is not None or self._at_most[number] < self._least:
                return fit or NO_FIT
            fit = self._fit_on(self._rooms[number])
            self._fits[number], self._at_most[number] = fit, fit[0]

    def _look_for_changes(self) -> None:
        sums = np.asarray(cv2.integral(self._wider.astype(np.uint8)), np.intp)
        amounts = np.array([room.amount(sums, self._border) for room in self._rooms])
        for number in np.flatnonzero(amounts != self._amounts).tolist():
            self._fits[number] = None
        # An outline is nowhere smaller than the foot
        self._at_most = np.minimum(self._at_most, amounts / self._foot_area)
        self._amounts = amounts

    def _fit_on(self, room: _Room) -> Fit:
        """Where on a tile a figure fits best."""
        outline, _foot = self._standing.outline(self._token, _middle(room.tile))
        top, left = (first + self._border for first in room.corner)
        if not self._wider[top : top + TOKEN_PX, left : left + TOKEN_PX].any():
            return NO_FIT
        top, left, side = top - room.reach, left - room.reach, TOKEN_PX + 2 * room.reach
        paint = np.ascontiguousarray(self._wider[top : top + side, left : left + side])
        scores = cv2.matchTemplate(paint, outline, cv2.TM_CCORR) / float(outline.sum())
        best = np.unravel_index(int(scores.argmax()), scores.shape)
        # The middle of all places near by that fit nearly as well
        ys, xs = np.nonzero(scores >= scores[best] - NEARLY_AS_WELL)
        near = np.hypot(ys - best[0], xs - best[1]) <= self._standing.foot_radius(self._token)
        x, y = float(xs[near].mean()), float(ys[near].mean())
        foot = room.tile[1] + (x + 0.5) / TOKEN_PX, room.tile[0] + (y + 0.5) / TOKEN_PX
        return float(scores[best]), foot


def _middle(tile: tuple[float, float]) -> tuple[float, float]:
    """The middle (x, y) of a tile with this top and left."""
    return tile[1] + 0.5, tile[0] + 0.5
