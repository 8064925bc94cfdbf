"""Grids that lie on one table and are seen by one camera: all their surfaces at once.

Method: bundle adjustment (B. Triggs et al., "Bundle Adjustment - A Modern Synthesis", 2000) with
Gauss-Newton steps and weights that leave out what fits badly. What a camera sees of a table is the
same homography for all grids, after each was turned, moved and sized on the table; with the lens,
five numbers for the photo and four for each grid, where a homography of each has eight.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    weights = np.ones(len(points.grid))
    for number in range(_MOST_ROUNDS):
        errors, slopes = points.errors(shared, points.on_table(each))
        if number > 0:
            off = np.hypot(*errors)
            usual = max(float(median(off)), _LEAST_ERROR)
            weights = 1 / (1 + (off / (_WIDE * usual)) ** 2)
        step = _step(errors, slopes, weights, float(shared[-1]))
        shared += step[:_SHARED]
        each += step[_SHARED:].reshape(-1, _EACH)
        if number > 0 and np.abs(slopes @ step).max() < _EXACT:
            break
    strength = float(np.clip(shared[-1], -MOST_LENS, MOST_LENS))
    lens = replace(lens, strength=strength)
    planes = points.planes(shared, each, lens)
    if not all(_lies_on(plane, grid, lens) for plane, grid in zip(planes, grids, strict=True)):
        return fitted_surfaces(grids, size_wh)
    lens = replace(lens, focal_px=focal_of(planes, size_wh))
    return [Surface(plane, lens) for plane in planes]


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Matched points of several grids, one grid after the other.

    Attributes:
        grid: (n, 2) about the middle of the points of each grid.
        seen: (n, 2) in half diagonals of the photo from its middle.
        moved: (2, n) by how much a lens of strength 1 moves these.
        own: (n,) the number of the grid.
        middles: (grids, 2) the middle of the points of each, in grid coordinates.
    """

    grid: Numbers
    seen: Numbers
    moved: Numbers
    own: NDArray[np.intp]
    middles: Numbers

    @classmethod
    def of(cls, grids: Sequence[Matches], lens: Lens) -> "_Points":
        """Of points of each grid and their pixels in a photo that such a lens shows."""
        own = np.repeat(np.arange(len(grids)), [len(points) for points, _ in grids])
        middles = np.array([points.mean(axis=0) for points, _ in grids], np.float64)
        flat = np.concatenate([points for points, _ in grids]) - middles[own]
        pixels = np.concatenate([pixels for _, pixels in grids]).astype(np.float64)
        seen = (pixels - lens.middle) / lens.radius
        moved = (seen * (seen * seen).sum(axis=1, keepdims=True)).T
        return cls(flat, seen, moved, own, middles)

    def similarities(self) -> Numbers:
        """How each grid lies if the camera looks straight down: (grids, _EACH).

        These are the products of its size with the cosine and the sine of its turn, x and y.
        """
        found = []
        for number in range(len(self.middles)):
            x, y = self.grid[self.own == number].T
            at = self.seen[self.own == number].mean(axis=0)
            across, down = (self.seen[self.own == number] - at).T
            size = (x * x + y * y).sum()
            turned = (x * across + y * down).sum() / size, (x * down - y * across).sum() / size
            found.append([*turned, *at])
        return np.array(found, np.float64)

    def on_table(self, each: Numbers) -> Numbers:
        """Where the points (2, n) lie on the table.

        Args:
            each: (grids, _EACH) see ``similarities``.
        """
        x, y = self.grid.T
        cosine, sine, left, top = each[self.own].T
        return np.stack([cosine * x - sine * y + left, sine * x + cosine * y + top])

    def errors(self, shared: Numbers, table: Numbers) -> tuple[Numbers, Numbers]:
        """How far points are seen from where they should be, and how that changes.

        Args:
            shared: (_SHARED,) by how much the table is stretched, upright and along a diagonal,
                how fast it recedes to the right and down, and the strength of the lens.
            table: (2, n) where they lie on it.

        Returns:
            (2, n) across and down; and (2, n, numbers) the slopes of where they should be, for the
            shared numbers and then those of each grid; few points tell nothing of the lens.
        """
        stretch, skew, right, down, lens = shared
        camera = np.array([[1 + stretch, skew], [skew, 1 - stretch]])
        away = 1 + right * table[0] + down * table[1]
        at = camera @ table / away
        (x, y), count, grids = self.grid.T, len(self.grid), len(self.middles)
        slopes = np.zeros((2, count, _SHARED + grids * _EACH))
        slopes[:, :, 0] = table[0] / away, -table[1] / away
        slopes[:, :, 1] = table[::-1] / away
        slopes[:, :, 2:4] = -at[:, :, None] * (table / away).T
        if count >= FEWEST_FOR_LENS:
            slopes[:, :, 4] = -self.moved
        # (2, 2, n) by a move on the table to the right and down
        by_move = (camera[:, :, None] - at[:, None] * shared[2:4, None]) / away
        turns = np.stack([np.stack([x, y]), np.stack([-y, x])])
        own = np.zeros((2, count, _EACH))
        own[:, :, 0] = (by_move * turns[0]).sum(axis=1)
        own[:, :, 1] = (by_move * turns[1]).sum(axis=1)
        own[:, :, 2:] = by_move.transpose(0, 2, 1)
        columns = _SHARED + _EACH * self.own[:, None] + np.arange(_EACH)
        slopes[:, np.arange(count)[:, None], columns] = own
        return self.seen.T + lens * self.moved - at, slopes

    def planes(self, shared: Numbers, each: Numbers, lens: Lens) -> list[Homography]:
        """From the coordinates of each grid to pixels without distortion."""
        stretch, skew, right, down, _ = shared
        camera = np.array([[1 + stretch, skew, 0], [skew, 1 - stretch, 0], [right, down, 1]])
        x, y = lens.middle
        photo = np.array([[lens.radius, 0, x], [0, lens.radius, y], [0, 0, 1]])
        planes = []
        for (cosine, sine, left, top), (a, b) in zip(each, self.middles, strict=True):
            table = np.array([[cosine, -sine, left], [sine, cosine, top], [0, 0, 1]])
            about = np.array([[1, 0, -a], [0, 1, -b], [0, 0, 1]])
            planes.append(photo @ camera @ table @ about)
        return planes


def _step(errors: Numbers, slopes: Numbers, weights: Numbers, lens: float) -> Numbers:
    """By how much to change all numbers so that errors, (2, n), become least.

    Args:
        errors: see ``_Points.errors``.
        slopes: the same.
        weights: (n,) of the points.
        lens: the strength of the lens.
    """
    flat = slopes.reshape(-1, slopes.shape[2])
    both = np.tile(weights, 2)
    weighted = flat.T * both
    normal = weighted @ flat + np.eye(flat.shape[1]) * _RIDGE
    wanted = weighted @ errors.ravel()
    # Strong lenses are rare: as much as the points leave open, theirs is a usual one
    variance = max(float(weights @ (errors * errors).sum(axis=0) / both.sum()), _LEAST_ERROR**2)
    normal[_SHARED - 1, _SHARED - 1] += variance / USUAL_LENS**2
    wanted[_SHARED - 1] -= variance / USUAL_LENS**2 * lens
    return np.asarray(np.linalg.solve(normal, wanted), np.float64)


def _lies_on(plane: Homography, grid: Matches, lens: Lens) -> bool:
    """Whether a plane is that of a grid."""
    points, pixels = grid
    off = Surface(plane, lens).inverse(pixels) - points
    return float(median(np.hypot(*off.T))) <= OFF_TABLE
