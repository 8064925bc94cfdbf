"""Lay a lattice of tiles over edges in a photo.

All is measured in a view from straight above: a tile is ``PITCH_PX`` wide there, and one tile's
width of what lies around is shown as well. Lattice coordinates are in tiles, (0, 0) the outer
corner at the top left. A stretch is one side of one tile. Functions here measure lines between
columns; the lines between rows are those between columns of the transposed view.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, FloatImage, Homography, Image, floats, transformed

PITCH_PX: Final = 32
AROUND: Final = 1
"""Tiles shown on each side of the lattice."""
Steps = tuple[tuple[float, float], ...]
"""How far from its place a line is looked for, in tiles, and the weight of outer lines against that
of inner ones, which many pictures accompany with lines of their own."""
ROUGH: Final[Steps] = ((0.35, 2.0), (0.3, 2.0), (0.22, 2.0))
FINE: Final[Steps] = ((0.16, 2.0), (0.12, 3.0), (0.09, 4.0), (0.07, 4.0))
_ENDS: Final = 0.12
"""Left out at both ends of a stretch, in tiles."""
_LEAST_STEEP: Final = 2.0
"""Slope, in levels of lightness or colour per pixel, that is no noise."""
_BESIDE_PX: Final = 4
"""Width of what is compared on both sides of the outer lines."""
_PLAIN_STEP: Final = 3.0
"""Difference in unlikeness to the table that makes an outer edge certain."""
_LEAST_TRUST: Final = 0.2
"""Of outer edges that do not look like the end of the tiles."""
_HOLD: Final = 2e-4
"""How strongly the lattice is held where no edges say otherwise, as a share of all weights."""

Stretches = NDArray[np.float32]
"""A value for each line between columns in each row of tiles: (rows, columns + 1, ...)."""
Tiles = NDArray[np.bool_]
"""Which cells (rows, columns) certainly hold a tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A photo with a map of what is no table.

    Attributes:
        image_bgr: (h, w, 3).
        unlike: how unlike the table each pixel (h, w) is.
    """

    image_bgr: Image
    unlike: FloatImage


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """A lattice seen from straight above.

    Attributes:
        lab: colours (h, w, 3), L*a*b* as OpenCV scales it in 8 bits.
        upright: how much each pixel (h, w) belongs to an upright edge, 1, or a level one, -1.
        unlike: the map of the scene.
        tiles: that make up the lattice.
    """

    lab: FloatImage
    upright: FloatImage
    unlike: FloatImage
    tiles: Tiles

    @classmethod
    def of(cls, scene: Scene, corners: Corners, tiles: Tiles) -> "TopView":
        """The view in which the lattice has these outer corners."""
        rows, columns = tiles.shape
        size = ((columns + 2 * AROUND) * PITCH_PX, (rows + 2 * AROUND) * PITCH_PX)
        view = _lattice_to_picture(corners, tiles) @ _pixels_to_lattice()
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat, unlike = (
            cv2.warpPerspective(seen, view, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for seen in (scene.image_bgr, scene.unlike)
        )
        lab = floats(cv2.GaussianBlur(floats(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)), (0, 0), 0.8))
        return cls(lab, _uprightness(lab), floats(unlike), tiles)

    @property
    def transposed(self) -> "TopView":
        """The view mirrored so that rows become columns."""
        lab = floats(self.lab.transpose(1, 0, 2))
        return TopView(lab, floats(-self.upright.T), floats(self.unlike.T), self.tiles.T)

    @property
    def sides(self) -> NDArray[np.bool_]:
        """Which stretches are a side of a tile."""
        padded = np.pad(self.tiles, ((0, 0), (1, 1)))
        return np.asarray(padded[:, 1:] | padded[:, :-1], bool)

    def edges(self, offsets: NDArray[np.float32], beyond: int = 0) -> Stretches:
        """How much of an edge lies along each stretch if it is moved right by offsets (n,), tiles.

        Args:
            offsets: of the lines.
            beyond: rows above and below the lattice that are measured as well.

        Returns:
            (rows + 2 beyond, columns + 1, n), from -1 to 1.
        """
        ends = round(_ENDS * PITCH_PX)
        bands = self._bands(self.upright, beyond)[:, ends : PITCH_PX - ends].mean(axis=1)
        return _at(floats(bands), self._places(offsets))

    def beside(
        self, values: FloatImage, offsets: NDArray[np.float32], near_px: int, far_px: int
    ) -> tuple[Stretches, Stretches]:
        """Mean of values (h, w, ...) left and right of each stretch if it is moved right.

        Args:
            values: a map of the view.
            offsets: of the lines (n,), tiles.
            near_px: where what is measured begins, from the line.
            far_px: where it ends.

        Returns:
            Two arrays (rows, columns + 1, n, ...).
        """
        bands = self._bands(values, 0).mean(axis=1)
        places = self._places(offsets)
        steps = np.arange(near_px, far_px) + 0.5
        left = np.mean([_at(floats(bands), places - step) for step in steps], axis=0)
        right = np.mean([_at(floats(bands), places + step) for step in steps], axis=0)
        return floats(left), floats(right)

    def _bands(self, values: FloatImage, beyond: int) -> FloatImage:
        """Values (rows + 2 beyond, ``PITCH_PX``, w, ...) of each row of tiles."""
        first, last = AROUND - beyond, AROUND + self.tiles.shape[0] + beyond
        rows = values[first * PITCH_PX : last * PITCH_PX]
        return rows.reshape(-1, PITCH_PX, *values.shape[1:])

    def _places(self, offsets: NDArray[np.float32]) -> NDArray[np.float32]:
        """Where the lines are (columns + 1, n), pixels."""
        lines = np.arange(self.tiles.shape[1] + 1) + AROUND
        return floats((lines[:, None] + offsets[None]) * PITCH_PX - 0.5)


def fitted_lattice(scene: Scene, corners: Corners, tiles: Tiles, steps: Steps) -> Corners:
    """Corners moved so that the lines of the lattice lie on edges as well as they can.

    Args:
        scene: that shows the tiles.
        corners: to start with; they may be off by up to a tile where the lines are plain.
        tiles: that make it up.
        steps: ``ROUGH`` and then ``FINE``.
    """
    rows, columns = tiles.shape
    outer = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    for window, outer_weight in steps:
        moved = _correction(TopView.of(scene, corners, tiles), window, outer_weight)
        now = transformed(transformed(outer, moved), _lattice_to_picture(corners, tiles))
        if not (np.isfinite(now).all() and cv2.isContourConvex(now)):
            return corners
        corners = now
    return corners


def _correction(view: TopView, window: float, outer_weight: float) -> Homography:
    """The homography near the identity that moves lines of the lattice onto the edges near them."""
    rows, columns = view.tiles.shape
    parts = [
        _equations(view, window, outer_weight, upright=True),
        _equations(view.transposed, window, outer_weight, upright=False),
    ]
    equations, wanted, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    solved = _robust_solution(equations, wanted, weights, 0.35 * window)
    centred = np.eye(3) + np.append(solved, 0.0).reshape(3, 3)
    to_centred = np.array([[1 / columns, 0, -0.5], [0, 1 / rows, -0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(to_centred) @ centred @ to_centred, np.float64)


def _equations(
    view: TopView, window: float, outer_weight: float, *, upright: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What the edges near each stretch say of the correction.

    Returns:
        By how many tiles each entry (8) of the correction moves each of n stretches (n, 8), by how
        many the edge is off (n,), and its weight (n,). The correction is of coordinates from -1/2
        to 1/2, which keeps the equations well conditioned.
    """
    reach = round(window * PITCH_PX)
    offsets = floats(np.arange(-reach, reach + 1) / PITCH_PX)
    edges = np.maximum(view.edges(offsets), 0)
    edges[:, [0, -1]] *= outer_weight * _trust(view, offsets)
    bands, size = view.tiles.shape
    across, along = np.meshgrid(np.arange(size + 1) / size, (np.arange(bands) + 0.5) / bands)
    across, along = across - 0.5, along - 0.5
    none, one = np.zeros_like(across), np.ones_like(across)
    x, y = (across, along) if upright else (along, across)
    affine = (x, y, one, none, none, none) if upright else (none, none, none, x, y, one)
    terms = np.stack([*affine, -across * x, -across * y], axis=-1).reshape(-1, 8)
    wanted = offsets[edges.argmax(axis=2)].astype(np.float64)
    weights = (edges.max(axis=2) * view.sides).astype(np.float64)
    return terms * size, wanted.ravel(), weights.ravel()


def _trust(view: TopView, offsets: NDArray[np.float32]) -> Stretches:
    """How much the first and the last line look like the end of the tiles: (rows, 2, n)."""
    left, right = view.beside(view.unlike, offsets, 0, _BESIDE_PX)
    step = np.stack([(right - left)[:, 0], (left - right)[:, -1]], axis=1)
    return floats(np.clip(step / _PLAIN_STEP, _LEAST_TRUST, 1))


def _robust_solution(
    equations: NDArray[np.float64],
    wanted: NDArray[np.float64],
    weights: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.float64]:
    """Weighted least squares with Cauchy's weights, held a little at no change."""
    hold = (_HOLD * float(weights.sum()) + 1e-9) * np.eye(8)
    solved: NDArray[np.float64] = np.zeros(8)
    for _ in range(6):
        off = equations @ solved - wanted
        weighted = weights / (1 + (off / tolerance) ** 2)
        normal = equations.T @ (equations * weighted[:, None])
        solution = np.linalg.solve(normal + hold, equations.T @ (wanted * weighted))
        solved = np.asarray(solution, np.float64)
    return solved


def _lattice_to_picture(corners: Corners, tiles: Tiles) -> Homography:
    """From lattice coordinates to pixels."""
    rows, columns = tiles.shape
    lattice = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    return np.asarray(cv2.getPerspectiveTransform(lattice, floats(corners)), np.float64)


def _pixels_to_lattice() -> Homography:
    """From pixels of the top view to lattice coordinates."""
    start = 0.5 / PITCH_PX - AROUND
    return np.array([[1 / PITCH_PX, 0, start], [0, 1 / PITCH_PX, start], [0, 0, 1]])


def _uprightness(lab: FloatImage) -> FloatImage:
    """The structure tensor's difference of upright and level, as a share of its trace."""
    across = floats((cv2.Sobel(lab, -1, 1, 0, scale=1 / 8) ** 2).sum(axis=2))
    down = floats((cv2.Sobel(lab, -1, 0, 1, scale=1 / 8) ** 2).sum(axis=2))
    across, down = (floats(cv2.GaussianBlur(slope, (0, 0), 0.8)) for slope in (across, down))
    least = max(float(np.median(across + down)), _LEAST_STEEP**2)
    return floats((across - down) / (across + down + least))


def _at(bands: FloatImage, places: NDArray[np.float32]) -> Stretches:
    """Values (rows, w, ...) at places (lines, n) between pixels."""
    before = np.floor(places).astype(np.intp)
    share = (places - before).reshape(*places.shape, *([1] * (bands.ndim - 2)))
    return floats(bands[:, before] * (1 - share) + bands[:, before + 1] * share)
