"""Lay a printed board exactly: its drawing is followed from the picture into the photo.

Features tell where a board lies to about half a pixel of the photo, and those beside long lines
lean to one side. Method: corners of the drawing (J. Shi and C. Tomasi, "Good features to track",
CVPR 1994) are followed from the picture into the board laid flat (B. Lucas and T. Kanade, IJCAI
1981).
"""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.surface import Surface, fitted_surfaces
from vision.pyramid import Pyramid

MARK_PX = 24
"""Pixels for each edge of a tile at which marks are followed."""
MOST_MARKS = 300
FEWEST_MARKS = 40
"""With fewer a board is left where its features put it."""
FARTHEST = 0.25
"""A mark is not looked for further away, in tile edges."""
_UNLIKE = 14.0
"""Mean difference in grey levels from which on something else lies on a mark."""
_APART = 0.5
_QUALITY = 0.02
_WINDOW_PX = 17
_STEPS = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 8, 0.02)
_FINE_PX = 1.0
_COARSE_PX = 15
"""Side of the box over which light and contrast are evened, twice."""
_CONTRAST = 40.0
_LEAST_CONTRAST = 4.0
_EDGE_PX = 2


@dataclass(frozen=True, slots=True, eq=False)
class BoardMarks:
    """Where the drawing of a board has corners.

    Attributes:
        drawing: (h, w) the board's picture, ``MARK_PX`` pixels for each edge of a tile, with equal
            contrast everywhere.
        window: left, top, right, bottom of what it shows, in grid coordinates.
        pixels: (n, 2) of marks in the drawing.
        places: (n, 2) of these marks, in grid coordinates.
    """

    drawing: NDArray[np.uint8]
    window: tuple[float, float, float, float]
    pixels: Points
    places: Points

    @classmethod
    def of(
        cls, picture: Image, top_left: tuple[float, float], size: tuple[float, float]
    ) -> "BoardMarks":
        """Of a board's picture from edge to edge; its place and size in grid coordinates."""
        (left, top), (width, height) = top_left, size
        window = left, top, left + width, top + height
        # As Surface.flat rounds it, which matters where half a pixel is left
        size_wh = (
            round((window[2] - window[0]) * MARK_PX),
            round((window[3] - window[1]) * MARK_PX),
        )
        small = cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA)
        drawing = _evened(np.asarray(small, np.uint8))
        corners = cast(
            "Points | None",
            cv2.goodFeaturesToTrack(drawing, MOST_MARKS, _QUALITY, _APART * MARK_PX),
        )
        pixels = floats(np.reshape([] if corners is None else corners, (-1, 2)))
        places = (pixels + 0.5) / floats(size_wh) * floats(size) + floats(top_left)
        return cls(drawing, window, pixels, floats(places))


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A board laid exactly.

    Attributes:
        surface: on which its drawing lies exactly where the photo shows it.
        followed: share of the marks of its drawing inside the photo that are seen there; 0 if so
            few that the surface is as it was.
    """

    surface: Surface
    followed: float = 0.0


def settled(surface: Surface, picture: Pyramid, marks: BoardMarks) -> Settled:
    """Lay a board exactly.

    Args:
        surface: right but for a fraction of a tile.
        picture: the photo.
        marks: of the board.
    """
    if len(marks.pixels) < FEWEST_MARKS:
        return Settled(surface)
    flat = _evened(surface.flat(picture, marks.window, MARK_PX))
    # The drawing has whole pixels, so its scale is not quite that of the flat board
    corner = floats(marks.window[:2])
    expected = floats((marks.places - corner) * MARK_PX - 0.5)
    found, status, unlike = cv2.calcOpticalFlowPyrLK(
        marks.drawing, flat, marks.pixels[:, None], expected[:, None].copy(),
        winSize=(_WINDOW_PX, _WINDOW_PX), maxLevel=1, criteria=_STEPS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )  # fmt: skip
    followed = floats(found).reshape(-1, 2)
    near = np.linalg.norm(followed - expected, axis=1) < FARTHEST * MARK_PX
    seen = surface.at((followed + 0.5) / MARK_PX + corner)
    size_wh = picture.image.shape[1], picture.image.shape[0]
    good = near & _inside(seen, size_wh) & (status.ravel() > 0) & (unlike.ravel() < _UNLIKE)
    if good.sum() < FEWEST_MARKS:
        return Settled(surface)
    to_be_seen = good | _inside(surface.at(marks.places), size_wh)
    matches = marks.places[good], seen[good]
    return Settled(fitted_surfaces([matches], size_wh)[0], float(good.sum() / to_be_seen.sum()))


def _inside(pixels: Points, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Which pixels (n, 2) of a photo are not at its edge or beyond."""
    limits = np.array(size_wh) - 1 - _EDGE_PX
    inside: NDArray[np.bool_] = np.all((pixels > _EDGE_PX) & (pixels < limits), axis=1)
    return inside


def _evened(picture: Image) -> NDArray[np.uint8]:
    """The drawing of a picture, with neither light nor shade and of equal contrast everywhere."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    drawn = cv2.GaussianBlur(grey, (0, 0), _FINE_PX) - _around(grey)
    # Of nothing at all a running sum may leave a little less
    contrast = np.sqrt(np.maximum(_around(drawn * drawn), 0))
    evened = 128 + _CONTRAST * drawn / np.maximum(contrast, _LEAST_CONTRAST)
    return np.asarray(np.clip(np.rint(evened), 0, 255), np.uint8)


def _around(picture: FloatImage) -> FloatImage:
    """The mean round each pixel, the nearer the more: two boxes are nearly a Gaussian."""
    side = (_COARSE_PX, _COARSE_PX)
    return np.asarray(cv2.blur(cv2.blur(picture, side), side), np.float32)
