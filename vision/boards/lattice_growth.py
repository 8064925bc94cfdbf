"""A lattice of free tiles, grown from the votes for one of them.

Tile (row, column) covers x from column to column + 1 and y from row to row + 1; which tile is
(0, 0) and which way is up is decided later.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Homography, Points, floats, median
from vision.boards.features import Votes, turned, wrapped
from vision.boards.gaps import USUAL

FEWEST_IN_SEED = 3
LOOSE, TIGHT = 0.3, 0.15
"""How far a vote may lie from where its tile's place says, in tile widths."""
MOST_TURN = np.deg2rad(25)
MOST_SIZE = 1.5
REACH = (1, 1, 2)
"""How many tiles further a growing grid may take in another one, round by round; then the last."""
BEYOND = 0.75
"""No feature lies further outside the tile that its vote is for, in tile widths."""
ROUNDS = 14
LOOSE_ROUNDS = 3
FEWEST_AFTER = (2, 2, 3)
"""With fewer tiles in the first loose rounds it is one that lies alone."""
FEWEST_IN_TILE = 3
"""Votes that make a tile more than an accident."""
FLATTEST = 1e-6
"""Determinant below which a homography maps all to a line."""
FEWEST_FOR_PLANE = 24
FEWEST_TILES_FOR_PLANE = 5
FEWEST_FOR_AFFINE = 6
SAMPLES = 500
"""So many planes through four votes are tried at most."""
_LEAST_NEAR = 1e-9
_QUARTER_TURNS = np.array([1, 1j, -1, -1j], np.complex64)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Tiles that lie edge to edge.

    Attributes:
        to_photo: homography from lattice coordinates to pixels.
        votes: those that agree with it, by their numbers.
        cells: (n, 2) row and column of each of these.
        turns: (n,) quarter turns clockwise of the picture against the lattice.
    """

    to_photo: Homography
    votes: NDArray[np.intp]
    cells: NDArray[np.intp]
    turns: NDArray[np.intp]

    @property
    def middles(self) -> Points:
        """Lattice coordinates (n, 2) of the middle of the tile of each vote."""
        return floats(self.cells[:, ::-1] + 0.5)

    @property
    def extent(self) -> tuple[int, int, int, int]:
        """Lowest row and column, highest row and column of tiles with several votes."""
        support = self.support
        several = [cell for cell, count in support.items() if count >= FEWEST_IN_TILE]
        cells = np.array(several or list(support))
        low, high = cells.min(axis=0), cells.max(axis=0)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    @property
    def tiles(self) -> int:
        """How many tiles have several votes."""
        return sum(count >= FEWEST_IN_TILE for count in self.support.values())

    @cached_property
    def support(self) -> Mapping[Cell, int]:
        """How many votes each tile has."""
        return Counter(map(tuple, self.cells.tolist()))


def grown(votes: Votes, seed: NDArray[np.intp], tiles: tuple[int, int]) -> Lattice | None:
    """The lattice round a seed, grown until nothing more belongs to it."""
    to_photo = _similarity(votes, seed)
    cells = np.zeros((1, 2), np.intp)
    lattice: Lattice | None = None
    fitted: Homography | None = None
    kept = np.zeros(0, np.intp)
    asked: tuple[bytes, ...] = ()
    before: set[tuple[int, ...]] = set()
    for number in range(ROUNDS):
        tolerance = LOOSE if number < LOOSE_ROUNDS else TIGHT
        reach = REACH[min(number, len(REACH) - 1)]
        chosen, where, turns = _belonging(votes, to_photo, cells, tolerance, reach)
        if len(chosen) < FEWEST_IN_SEED:
            return lattice
        # Most seeds are such; what tells so needs no fit
        if number == 0 and len(distinct(where)) < FEWEST_AFTER[0]:
            return None
        # The same votes are fitted in the same way
        if asked != (asked := tuple(each.tobytes() for each in (chosen, where, turns))):
            fitted, kept = _fitted(votes, chosen, where, turns)
        if fitted is None or len(kept) == 0:
            return lattice
        if abs(cv2.determinant(fitted)) < FLATTEST:
            return lattice
        to_photo = fitted
        own = kept[_in_best_window(where[kept], tiles)]
        lattice = Lattice(to_photo, chosen[own], where[own], turns[own])
        cells = distinct(lattice.cells)
        now = tuple(lattice.votes.tolist())
        if now in before or len(cells) < FEWEST_AFTER[min(number, LOOSE_ROUNDS - 1)]:
            break
        if number >= LOOSE_ROUNDS:
            before.add(now)
    return lattice


def _in_best_window(cells: NDArray[np.intp], tiles: tuple[int, int]) -> NDArray[np.bool_]:
    """Which votes lie on the full grid that holds most of them; beside it may lie another one."""
    lowest = cells.min(axis=0)
    height, width = cells.max(axis=0) - lowest + 1
    if any(height <= rows and width <= columns for rows, columns in (tiles, tiles[::-1])):
        return np.ones(len(cells), bool)
    votes = np.zeros((height + 1, width + 1), np.intp)
    np.add.at(votes, tuple((cells - lowest + 1).T), 1)
    before = votes.cumsum(axis=0).cumsum(axis=1)
    best, most = np.zeros(len(cells), bool), 0
    for rows, columns in dict.fromkeys((tiles, tiles[::-1])):
        bottom = np.minimum(np.arange(height) + rows, height)
        right = np.minimum(np.arange(width) + columns, width)
        within = (
            before[np.ix_(bottom, right)]
            - before[bottom, :-1]
            - before[:-1, right]
            + before[:-1, :-1]
        )
        begin = lowest + np.unravel_index(within.argmax(), within.shape)
        if within.max() > most:
            most = int(within.max())
            end = begin + np.array((rows, columns))
            best = np.all((cells >= begin) & (cells < end), axis=1)
    return best


def _similarity(votes: Votes, seed: NDArray[np.intp]) -> Homography:
    """Lattice to photo from the votes for the tile (0, 0) alone."""
    own = votes.only(seed)
    width = float(median(own.widths))
    first = float(own.angles[0])
    angle = first + float(median(wrapped(own.angles - own.angles[0])))
    x, y = median(own.centres).tolist()
    c, s = width * np.cos(angle), width * np.sin(angle)
    to_middle = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    return np.asarray(np.array([[c, -s, x], [s, c, y], [0, 0, 1]]) @ to_middle, np.float64)


def _belonging(
    votes: Votes, to_photo: Homography, cells: NDArray[np.intp], tolerance: float, reach: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The votes that fit the lattice, with their cells (n, 2) and quarter turns (n,)."""
    # Of single small matrices OpenCV's are several times as quick as numpy's
    inverse = np.asarray(cv2.invert(to_photo)[1], np.float64)
    across, down, nearness = inverse[:, :2] @ votes.points.T + inverse[:, 2:]
    # What lies behind the camera is far from all tiles
    nearness = np.maximum(nearness, _LEAST_NEAR)
    x, y = across / nearness, down / nearness
    margin = reach + BEYOND
    (top, left), (bottom, right) = cells.min(axis=0) - margin, cells.max(axis=0) + 1 + margin
    around = np.flatnonzero((x > left) & (x < right) & (y > top) & (y < bottom))
    at = x[around] + 1j * y[around]
    headings = _headings(_as_complex(votes.points[around]), to_photo)
    sizes = np.sqrt(abs(cv2.determinant(to_photo)) * nearness[around] ** 3)
    relative = votes.angles[around] - headings
    quarters = np.rint(relative * (2 / np.pi))
    turns = quarters.astype(np.intp) % 4
    centres = at - USUAL * _as_complex(votes.offsets[around]) * _QUARTER_TURNS[turns]
    columns, rows = np.floor(centres.real), np.floor(centres.imag)
    off = np.abs(centres - columns - 1j * rows - (0.5 + 0.5j))
    ratio = votes.widths[around] / sizes
    good = np.flatnonzero(
        (off < tolerance)
        & (np.abs(relative - quarters * (np.pi / 2)) < MOST_TURN)
        & (ratio < MOST_SIZE)
        & (ratio > 1 / MOST_SIZE)
    )
    places = np.stack([rows[good], columns[good]], axis=1).astype(np.intp)
    steps = [np.abs(places[:, None, axis] - cells[:, axis]) for axis in (0, 1)]
    near = np.maximum(*steps).min(axis=1) <= reach
    good = good[near]
    return around[good], places[near], turns[good]


def _as_complex(points: Points) -> NDArray[np.complex64]:
    """Points (n, 2) as numbers x + iy, which i turns clockwise by a quarter."""
    return np.asarray(points[:, 0] + 1j * points[:, 1], np.complex64)


def _headings(pixels: NDArray[np.complex64], to_photo: Homography) -> NDArray[np.float64]:
    """The directions in the photo, at pixels x + iy, of the x axis of a lattice, radians.

    It is the mean of both axes, so that a slanted view favours neither.
    """
    # The derivatives of the homography but for a factor
    (right_x, down_x, _), (right_y, down_y, _), (right, down, _) = to_photo.tolist()
    along = complex(right_x + down_y, right_y - down_x) - complex(right, -down) * pixels
    return np.asarray(np.angle(along), np.float64)


def distinct(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Each of some cells (n, 2) once, in reading order."""
    return np.array(sorted(set(map(tuple, cells.tolist()))), np.intp)


def _fitted(
    votes: Votes,
    chosen: NDArray[np.intp],
    cells: NDArray[np.intp],
    turns: NDArray[np.intp],
) -> tuple[Homography | None, NDArray[np.intp]]:
    """The lattice through the chosen votes, and which of them (as positions) agree."""
    middles = cells[:, ::-1].astype(np.float32) + np.float32(0.5)
    lattice_xy = middles + turned(floats(USUAL * votes.offsets[chosen]), floats(turns * np.pi / 2))
    pixels = votes.points[chosen]
    tile_px = float(median(votes.widths[chosen]))
    if len(chosen) >= FEWEST_FOR_PLANE and len(distinct(cells)) >= FEWEST_TILES_FOR_PLANE:
        found, mask = cv2.findHomography(
            lattice_xy, pixels, cv2.USAC_FAST, 0.08 * tile_px, maxIters=SAMPLES
        )
        if found is not None:
            return np.asarray(found, np.float64), np.flatnonzero(mask.ravel())
    fit = cv2.estimateAffine2D if len(chosen) >= FEWEST_FOR_AFFINE else cv2.estimateAffinePartial2D
    affine, mask = fit(lattice_xy, pixels, method=cv2.RANSAC, ransacReprojThreshold=0.1 * tile_px)
    if affine is None:
        return None, np.zeros(0, np.intp)
    return np.vstack([affine, [0, 0, 1]]).astype(np.float64), np.flatnonzero(mask.ravel())
