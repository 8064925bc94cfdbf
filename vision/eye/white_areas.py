"""White areas of a photo: tiles in glare, and room in which a whole grid could lie unseen.

For a photo that is too dark, see ``vision.eye.photo_quality``; for the colour of the light, see
``vision.eye.light_fit``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image, darkest_channel, floats
from vision.patches.cut import WHOLE_QUAD, Pyramid, cut_upright
from vision.reading import Note, NoteCode

REDUCED_SIDE_PX: Final = 576
"""Longer side of the reduced image in which white areas are sought."""
WHITE: Final = 250
"""Minimum level of all three channels of a white pixel, in which no print can be seen."""
MAX_SPECK: Final = 0.35
"""Maximum size, in tile widths, of coloured remains of a print within a white area. Larger: white
patterns count as white areas; smaller: remains of a print split a white area."""
WHITE_SHARE_TILE_PX: Final = 24
"""Side of a tile, cut out upright, in which white pixels are counted."""
LIGHT_HIDES_NOTE: Final = Note(NoteCode.LIGHT_HIDES)
"""Note on an unread region: light may hide a grid there."""
MAX_WHITE_SHARE: Final = 0.1
"""Maximum share of white pixels in a well exposed photo, even of white cloth. Smaller: bright
tables get the note; larger: overexposed photos do not."""
MIN_HIDING_RADIUS: Final = 1.5
"""Minimum radius, in tile widths, of a white disc that could hide most of a grid. Smaller: small
reflections raise questions; larger: a grid in glare may be lost silently."""
NEAR_RING: Final = (0.1, 0.5)
FAR_RING: Final = (1.0, 2.0)
"""Two rings round a white area that are compared: inner and outer distance in tile widths."""
MIN_FADING: Final = 14
"""Minimum number of levels by which the far ring of a lamp's reflection is darker than the near
one: light fades slowly. Smaller: bright cloth raises questions; larger: a lamp's reflection is only
noted."""
RING_PERCENTILES: Final = (50, 70)
"""Percentiles of a ring that are compared; the second for tables with a dark pattern."""
MIN_NEAR_LEVEL: Final = 200
"""Minimum level in the near ring of a reflection; a white sheet ends abruptly."""


@dataclass(frozen=True, slots=True, eq=False)
class WhiteArea:
    """White area of a photo in which a grid could lie unseen.

    Attributes:
        outline_px: Shape (4, 2), smallest rectangle round it.
        from_light: True if it fades into its surroundings, as light does; if not, it may be the
            colour of the table.
    """

    outline_px: Corners
    from_light: bool


def white_share(image: Image, quad_px: Corners) -> float:
    """Return the share of a tile (4, 2) in which no print can be seen, as it is white."""
    tile = cut_upright(image, quad_px, WHOLE_QUAD, WHITE_SHARE_TILE_PX)
    return float(np.mean(cv2.inRange(tile, (WHITE,) * 3, (255,) * 3) > 0))


def is_overexposed(pyramid: Pyramid) -> bool:
    """Return whether more of a photo is white than ``MAX_WHITE_SHARE``."""
    white = cv2.inRange(_reduce(pyramid), (WHITE,) * 3, (255,) * 3)
    return cv2.countNonZero(white) / white.size > MAX_WHITE_SHARE


def find_white_areas(
    pyramid: Pyramid, tile_px: float, grid_quads_px: Sequence[Corners]
) -> list[WhiteArea]:
    """Find the white areas large enough to hide a grid.

    Args:
        pyramid: Pyramid of the photo.
        tile_px: Side of a tile in it.
        grid_quads_px: Outlines of grids that were read, which are left out.
    """
    image = _reduce(pyramid)
    shrink = image.shape[1] / pyramid.size_wh[0]
    tile = tile_px * shrink
    white = np.asarray(cv2.inRange(image, (WHITE,) * 3, (255,) * 3) > 0, np.uint8)
    if cv2.countNonZero(white) < (MIN_HIDING_RADIUS * tile) ** 2:
        return []
    side = max(1, round(MAX_SPECK * tile)) | 1
    closed = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    grids = np.zeros_like(closed)
    for quad in grid_quads_px:
        cv2.fillConvexPoly(grids, np.rint(quad * shrink).astype(np.int32), 1)
    closed[grids > 0] = 0
    # Outside the image nothing is known to be white
    framed = cv2.copyMakeBorder(closed, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    depth = cv2.distanceTransform(framed, cv2.DIST_L2, 3)[1:-1, 1:-1]
    wide = (closed > 0) & (depth >= MIN_HIDING_RADIUS * tile)
    if not wide.any():
        return []
    _, labels = cv2.connectedComponents(closed)
    areas = []
    for label in np.unique(labels[wide]):
        area = labels == label
        fades = _fades(area, darkest_channel(image), tile, ignored=grids > 0)
        areas.append(WhiteArea(_rectangle(area, shrink), fades))
    return areas


def _fades(
    area: NDArray[np.bool_],
    darkest: NDArray[np.uint8],
    tile: float,
    ignored: NDArray[np.bool_],
) -> bool:
    """Return whether the surroundings of an area darken slowly with distance."""
    distance = cv2.distanceTransform(np.asarray(~area, np.uint8), cv2.DIST_L2, 3) / tile

    def levels(ring: tuple[float, float]) -> NDArray[np.float64]:
        in_ring = (distance > ring[0]) & (distance <= ring[1]) & ~ignored
        return np.percentile(darkest[in_ring] if in_ring.any() else [WHITE], RING_PERCENTILES)

    near, far = levels(NEAR_RING), levels(FAR_RING)
    return bool(((near >= MIN_NEAR_LEVEL) & (near - far >= MIN_FADING)).any())


def _rectangle(area: NDArray[np.bool_], shrink: float) -> Corners:
    """Return the smallest rectangle round an area, in pixels of the decoded image."""
    rows, columns = np.nonzero(area)
    corners = cv2.boxPoints(cv2.minAreaRect(floats(np.column_stack([columns, rows]))))
    return floats((floats(corners) + 0.5) / shrink - 0.5)


def _reduce(pyramid: Pyramid) -> Image:
    ratio = max(pyramid.size_wh) / REDUCED_SIDE_PX
    level = pyramid.level(int(np.log2(max(ratio, 1.0))))
    shrink = REDUCED_SIDE_PX / max(level.shape[:2])
    if shrink >= 1:
        return level
    small = cv2.resize(level, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
