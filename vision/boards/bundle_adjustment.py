"""Grids that lie on one table and are seen by one camera: all their surfaces at once.

Method: bundle adjustment (B. Triggs et al., "Bundle Adjustment - A Modern Synthesis", 2000) with
Gauss-Newton steps and weights that leave out what fits badly. What a camera sees of a table is the
same homography for all grids, after each was turned, moved and sized on the table; with the lens,
five numbers for the photo and four for each grid, where a homography of each has eight.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Homography, median
from vision.boards.camera import focal_of
from vision.boards.surface import MOST_LENS, Lens, Matches, Surface, fitted_surfaces

FEWEST_FOR_LENS = 30
"""Fewer points than the tiles of two cities do not tell of it."""
USUAL_LENS = 0.12
"""Standard deviation of the strength of lenses."""
OFF_TABLE = 0.06
"""Tile widths by which half of the points of a grid must lie off for it not to lie on the table."""
_MOST_ROUNDS = 7
_EXACT = 2e-4
"""Of the half diagonal of the photo; when no point moves further, all are as exact as can be."""
_WIDE = 3.0
"""Points this many times as far off as usual count half."""
_SHARED = 5
_EACH = 4
_LEAST_ERROR = 1e-5
"""Of the half diagonal of the photo; smaller ones are rounding."""
_RIDGE = 1e-9

Numbers = NDArray[np.float64]


def surfaces_on_one_table(grids: Sequence[Matches], size_wh: tuple[int, int]) -> list[Surface]:
    """The surfaces of grids through matched points that are mostly right.

    If one does not lie on the table of the others, each has a plane of its own.

    Args:
        grids: the points of each, not all on a line.
        size_wh: of the photo.
    """
    if not grids:
        return []
    lens = Lens.of(size_wh)
    points = _Points.of(grids, lens)
    shared, each = np.zeros(_SHARED), points.similarities()
    weights = np.ones(points.grid.shape[1])
    for number in range(_MOST_ROUNDS):
        errors, slopes = points.errors(shared, points.on_table(each))
        if number > 0:
            off = np.hypot(*errors)
            usual = max(float(median(off)), _LEAST_ERROR)
            weights = 1 / (1 + (off / (_WIDE * usual)) ** 2)
        step = _step(errors, slopes, weights, float(shared[-1]))
        shared += step[:_SHARED]
        each += step[_SHARED:].reshape(-1, _EACH)
        if number > 0 and np.abs(step @ slopes.reshape(len(step), -1)).max() < _EXACT:
            break
    shared[-1] = min(max(float(shared[-1]), -MOST_LENS), MOST_LENS)
    if not points.are_on_table(shared, each):
        return fitted_surfaces(grids, size_wh)
    planes = points.planes(shared, each, lens)
    lens = replace(lens, strength=float(shared[-1]), focal_px=focal_of(planes, size_wh))
    return [Surface(plane, lens) for plane in planes]


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Matched points of several grids, one grid after the other.

    Attributes:
        grid: (2, n) about the middle of the points of each grid.
        seen: (2, n) in half diagonals of the photo from its middle.
        moved: (2, n) by how much a lens of strength 1 moves these.
        ends: (grids + 1,) the numbers of the first point of each grid, and n.
        member: (grids, n) 1 for the points of each grid, else 0.
        middles: (grids, 2) the middle of the points of each, in grid coordinates.
    """

    grid: Numbers
    seen: Numbers
    moved: Numbers
    ends: list[int]
    member: Numbers
    middles: Numbers

    @classmethod
    def of(cls, grids: Sequence[Matches], lens: Lens) -> "_Points":
        """Of points of each grid and their pixels in a photo that such a lens shows."""
        ends = [0, *accumulate(len(points) for points, _ in grids)]
        member = np.zeros((len(grids), ends[-1]))
        for row, start, end in zip(member, ends, ends[1:], strict=False):
            row[start:end] = 1
        points = np.concatenate([points for points, _ in grids], dtype=np.float64)
        pixels = np.concatenate([pixels for _, pixels in grids], dtype=np.float64)
        middles = member @ points / member.sum(axis=1)[:, None]
        seen = ((pixels - lens.middle) / lens.radius).T
        moved = seen * (seen * seen).sum(axis=0)
        return cls(points.T - middles.T @ member, seen, moved, ends, member, middles)

    def similarities(self) -> Numbers:
        """How each grid lies if the camera looks straight down: (grids, _EACH).

        These are the products of its size with the cosine and the sine of its turn, x and y.
        """
        (x, y), (across, down) = self.grid, self.seen
        # The points lie about the middle of their grid, so that where this is seen drops out
        turned = np.stack([x * across + y * down, x * down - y * across])
        size = self.member @ (x * x + y * y)
        at = self.member @ self.seen.T / self.member.sum(axis=1)[:, None]
        return np.concatenate([(self.member @ turned.T) / size[:, None], at], axis=1)

    def on_table(self, each: Numbers) -> Numbers:
        """Where the points (2, n) lie on the table.

        Args:
            each: (grids, _EACH) see ``similarities``.
        """
        x, y = self.grid
        cosine, sine, left, top = each.T @ self.member
        return np.stack([cosine * x - sine * y + left, sine * x + cosine * y + top])

    def errors(self, shared: Numbers, table: Numbers) -> tuple[Numbers, Numbers]:
        """How far points are seen from where they should be, and how that changes.

        Args:
            shared: (_SHARED,) by how much the table is stretched, upright and along a diagonal,
                how fast it recedes to the right and down, and the strength of the lens.
            table: (2, n) where they lie on it.

        Returns:
            (2, n) across and down; and (numbers, 2, n) the slopes of where they should be, for the
            shared numbers and then those of each grid; few points tell nothing of the lens.
        """
        camera = _camera(shared)
        away = camera[2, :2] @ table + 1
        shrunk = table / away
        at = camera[:2, :2] @ shrunk
        (x, y), grids = self.grid, len(self.member)
        slopes = np.empty((_SHARED + grids * _EACH, *table.shape))
        slopes[0] = shrunk
        np.negative(shrunk[1], out=slopes[0, 1])
        slopes[1] = shrunk[::-1]
        np.multiply(-shrunk[:, None], at, out=slopes[2:4])
        slopes[4] = -self.moved if table.shape[1] >= FEWEST_FOR_LENS else 0
        # (2, 2, n) by a move on the table to the right and down
        by_move = (camera[:2, :2].T[:, :, None] - camera[2, :2, None, None] * at) / away
        own = np.empty((_EACH, *table.shape))
        own[0] = by_move[0] * x + by_move[1] * y
        own[1] = by_move[1] * x - by_move[0] * y
        own[2:] = by_move
        of_each = slopes[_SHARED:].reshape(grids, *own.shape)
        np.multiply(self.member[:, None, None], own, out=of_each)
        return self.seen + shared[-1] * self.moved - at, slopes

    def are_on_table(self, shared: Numbers, each: Numbers) -> bool:
        """Whether at least half of the points of each grid lie where it has them on the table."""
        back = np.linalg.inv(_camera(shared))
        straight = self.seen + shared[-1] * self.moved
        across, down, away = back[:, :2] @ straight + back[:, 2:]
        x, y = self.on_table(each)
        off = np.hypot(across / away - x, down / away - y)
        sizes = np.hypot(each[:, 0], each[:, 1]).tolist()
        return all(
            size > _LEAST_ERROR and float(median(off[start:end])) <= OFF_TABLE * size
            for start, end, size in zip(self.ends, self.ends[1:], sizes, strict=False)
        )

    def planes(self, shared: Numbers, each: Numbers, lens: Lens) -> list[Homography]:
        """From the coordinates of each grid to pixels without distortion."""
        x, y = lens.middle
        photo = np.array([[lens.radius, 0, x], [0, lens.radius, y], [0, 0, 1]])
        from_table = photo @ _camera(shared)
        planes = []
        for (cosine, sine, left, top), (a, b) in zip(
            each.tolist(), self.middles.tolist(), strict=True
        ):
            begin = left - cosine * a + sine * b, top - sine * a - cosine * b
            table = np.array([[cosine, -sine, begin[0]], [sine, cosine, begin[1]], [0, 0, 1]])
            planes.append(from_table @ table)
        return planes


def _camera(shared: Numbers) -> Homography:
    """From the table to half diagonals of the photo from its middle, without distortion.

    Args:
        shared: see ``_Points.errors``.
    """
    stretch, skew, right, down, _ = shared.tolist()
    return np.array([[1 + stretch, skew, 0], [skew, 1 - stretch, 0], [right, down, 1]])


def _step(errors: Numbers, slopes: Numbers, weights: Numbers, lens: float) -> Numbers:
    """By how much to change all numbers so that errors, (2, n), become least.

    Args:
        errors: see ``_Points.errors``.
        slopes: the same.
        weights: (n,) of the points.
        lens: the strength of the lens.
    """
    count = len(slopes)
    weighted = (slopes * weights).reshape(count, -1)
    normal = weighted @ slopes.reshape(count, -1).T
    normal.ravel()[:: count + 1] += _RIDGE
    wanted = weighted @ errors.ravel()
    # Strong lenses are rare: as much as the points leave open, theirs is a usual one
    squares = float((errors * errors @ weights).sum())
    variance = max(squares / (2 * float(weights.sum())), _LEAST_ERROR**2)
    normal[_SHARED - 1, _SHARED - 1] += variance / USUAL_LENS**2
    wanted[_SHARED - 1] -= variance / USUAL_LENS**2 * lens
    # Of a matrix as small as this one, numpy takes longer
    _, step = cv2.solve(normal, wanted[:, None], flags=cv2.DECOMP_CHOLESKY)
    return np.asarray(step, np.float64).ravel()
