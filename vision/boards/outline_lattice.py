"""Lay a lattice of tiles over edges in a photo, and measure what speaks for it.

All is measured in a view from straight above: a tile is ``PITCH_PX`` wide there, and one tile's
width of what lies around is shown as well. Lattice coordinates are in tiles, (0, 0) the outer
corner at the top left. A stretch is one side of one tile: of a line between columns or between
rows.
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
_WINDOWS: Final = (0.35, 0.3, 0.22, 0.16, 0.12, 0.09, 0.07)
"""How far from its place a line is looked for, step by step, in tiles."""
_ENDS: Final = 0.12
"""Left out at both ends of a stretch, in tiles."""
_LEAST_STEEP: Final = 2.0
"""Slope, in levels of lightness or colour per pixel, that is no noise."""
_OUTER_WEIGHT: Final = 2.0

Stretches = NDArray[np.float32]
Tiles = NDArray[np.bool_]
"""Which cells (rows, columns) certainly hold a tile."""


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """A lattice seen from straight above.

    Attributes:
        lab: colours (h, w, 3), L*a*b* as OpenCV scales it in 8 bits.
        upright: how much each pixel (h, w) belongs to an upright edge, 1, or a level one, -1.
        shown: whether each pixel lies in the photo.
        rows: tiles.
        columns: tiles.
    """

    lab: FloatImage
    upright: FloatImage
    shown: NDArray[np.bool_]
    rows: int
    columns: int

    @classmethod
    def of(cls, image_bgr: Image, corners: Corners, rows: int, columns: int) -> "TopView":
        """The view of a picture in which the lattice has these outer corners."""
        wide, high = columns + 2 * AROUND, rows + 2 * AROUND
        size = (wide * PITCH_PX, high * PITCH_PX)
        view = lattice_to_picture(corners, rows, columns) @ _pixels_to_lattice()
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(
            image_bgr, view, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        inside = np.full(image_bgr.shape[:2], 255, np.uint8)
        shown = cv2.warpPerspective(inside, view, size, flags=flags)
        lab = cv2.GaussianBlur(floats(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)), (0, 0), 0.8)
        return cls(floats(lab), _uprightness(floats(lab)), np.asarray(shown > 127), rows, columns)

    @staticmethod
    def warped(values: FloatImage, corners: Corners, rows: int, columns: int) -> FloatImage:
        """Another map (h, w) of the picture as the view shows it."""
        size = ((columns + 2 * AROUND) * PITCH_PX, (rows + 2 * AROUND) * PITCH_PX)
        view = lattice_to_picture(corners, rows, columns) @ _pixels_to_lattice()
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(values, view, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return floats(flat)

    def between_columns(self, offsets: NDArray[np.float32], beyond: int = 0) -> Stretches:
        """Edge along the lines between columns, each moved right by offsets (n,) in tiles.

        Args:
            offsets: of the lines.
            beyond: rows above and below the lattice that are measured as well.

        Returns:
            (rows + 2 beyond, columns + 1, n), from -1 to 1.
        """
        return _measured(self.upright, self.rows, self.columns, offsets, beyond)

    def between_rows(self, offsets: NDArray[np.float32], beyond: int = 0) -> Stretches:
        """The same for lines between rows moved down: (columns + 2 beyond, rows + 1, n)."""
        return _measured(-self.upright.T, self.columns, self.rows, offsets, beyond)


def sides_of(tiles: Tiles) -> NDArray[np.bool_]:
    """Which stretches between columns (rows, columns + 1) are a side of a tile; transpose for rows."""
    padded = np.pad(tiles, ((0, 0), (1, 1)))
    return np.asarray(padded[:, 1:] | padded[:, :-1], bool)


def lattice_to_picture(corners: Corners, rows: int, columns: int) -> Homography:
    """From lattice coordinates to pixels."""
    lattice = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    return np.asarray(cv2.getPerspectiveTransform(lattice, floats(corners)), np.float64)


def fitted_lattice(image_bgr: Image, corners: Corners, tiles: Tiles) -> Corners:
    """Corners moved so that the lines of the lattice lie on edges as well as they can.

    Args:
        image_bgr: picture.
        corners: to start with; off by up to a tile where the lines are plain.
        tiles: that make it up.
    """
    rows, columns = tiles.shape
    for window in _WINDOWS:
        view = TopView.of(image_bgr, corners, rows, columns)
        offsets = floats(np.arange(-round(window * PITCH_PX), round(window * PITCH_PX) + 1))
        offsets = floats(offsets / PITCH_PX)
        moved = _correction(view, tiles, offsets, window)
        outer = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
        new = transformed(transformed(outer, moved), lattice_to_picture(corners, rows, columns))
        if not (np.isfinite(new).all() and cv2.isContourConvex(new)):
            return corners
        corners = new
    return corners


def _correction(
    view: TopView, tiles: Tiles, offsets: NDArray[np.float32], window: float
) -> Homography:
    """The homography near the identity that moves lines of the lattice onto the edges near them."""
    rows, columns = view.rows, view.columns
    equations, wanted, weights = [], [], []
    for upright, strengths, sides in (
        (True, view.between_columns(offsets), sides_of(tiles)),
        (False, view.between_rows(offsets), sides_of(tiles.T)),
    ):
        bands, lines, _ = strengths.shape
        along, line = np.mgrid[0.5 : bands + 0.5, 0:lines]
        x, y = (line, along) if upright else (along, line)
        x, y = x / columns - 0.5, y / rows - 0.5  # in the middle, for numerical sanity
        place, size = (x, columns) if upright else (y, rows)
        zero, one = np.zeros_like(x), np.ones_like(x)
        affine = (x, y, one, zero, zero, zero) if upright else (zero, zero, zero, x, y, one)
        equations.append(np.stack([*affine, -place * x, -place * y], axis=-1).reshape(-1, 8) * size)
        best = strengths.argmax(axis=2)
        wanted.append(offsets[best].ravel())
        weight = np.maximum(strengths.max(axis=2), 0) * sides
        weight[:, [0, -1]] *= _OUTER_WEIGHT
        weights.append(weight.ravel())
    solved = _robust_solution(
        np.concatenate(equations), np.concatenate(wanted), np.concatenate(weights), window
    )
    centred = np.eye(3) + np.append(solved, 0.0).reshape(3, 3)
    to_centred = np.array([[1 / columns, 0, -0.5], [0, 1 / rows, -0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(to_centred) @ centred @ to_centred, np.float64)


def _robust_solution(
    equations: NDArray[np.float64],
    wanted: NDArray[np.float32],
    weights: NDArray[np.float32],
    window: float,
) -> NDArray[np.float64]:
    """Weighted least squares with Cauchy's weights, drawn a little towards no change."""
    hold = 0.02 * np.eye(8) * float(weights.sum())
    solved = np.zeros(8)
    for _ in range(6):
        off = equations @ solved - wanted
        weighted = weights / (1 + (off / (0.35 * window)) ** 2)
        normal = equations.T @ (equations * weighted[:, None])
        solved = np.linalg.solve(normal + 0.01 * hold, equations.T @ (wanted * weighted))
    return solved


def _pixels_to_lattice() -> Homography:
    """From pixels of the top view to lattice coordinates."""
    start = 0.5 / PITCH_PX - AROUND
    return np.array([[1 / PITCH_PX, 0, start], [0, 1 / PITCH_PX, start], [0, 0, 1]])


def _uprightness(lab: FloatImage) -> FloatImage:
    """The structure tensor's difference of upright and level, as a share of its trace."""
    across = floats((cv2.Sobel(lab, -1, 1, 0, scale=1 / 8) ** 2).sum(axis=2))
    down = floats((cv2.Sobel(lab, -1, 0, 1, scale=1 / 8) ** 2).sum(axis=2))
    across, down = (cv2.GaussianBlur(slope, (0, 0), 0.8) for slope in (across, down))
    least = max(float(np.median(across + down)), _LEAST_STEEP**2)
    return floats((across - down) / (across + down + least))


def _measured(
    upright: FloatImage, bands: int, lines: int, offsets: NDArray[np.float32], beyond: int
) -> Stretches:
    ends = round(_ENDS * PITCH_PX)
    places = (np.arange(lines + 1) + AROUND)[:, None] * PITCH_PX + offsets[None] * PITCH_PX - 0.5
    before = np.floor(places).astype(np.intp)
    share = floats(places - before)
    measured = []
    for band in range(AROUND - beyond, AROUND + bands + beyond):
        top = band * PITCH_PX
        profile = upright[top + ends : top + PITCH_PX - ends].mean(axis=0)
        measured.append(profile[before] * (1 - share) + profile[before + 1] * share)
    return floats(np.stack(measured))
