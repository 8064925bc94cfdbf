"""What the photo shows at a place, as a picture of one bit for the display.

The greys are dithered as Bill Atkinson did it: of the error of a pixel six eighths alone are given
to its neighbours, so that light grounds stay clean and emblems stand out. Floyd and Steinberg give
away all of it, which covers a picture as small as this with an even grain.
"""

import cv2
import numpy as np
import numpy.typing as npt

from firmware.base.quads import enlarge, mean_side_px
from firmware.games import Scan
from firmware.scan.outlines import place_quad
from firmware.screens.draw_result import CROP_SIDE
from firmware.screens.views import Bitmap
from vision.patches.comparison import Patch, cut_patch
from vision.patches.cut import WHOLE_TILE, crop_window
from vision.photo.load import Photo
from vision.reading import Place, PlaceKind, Quad

Grey = npt.NDArray[np.float32]
"""Shape (height, width), 0 is dark, 255 light."""

MARGIN = 1.4
"""A field is shown so much larger than it is: a figure is higher than its field."""

_LEAST_SIDE_PX = 2.0
"""A piece that the eye has not seen has no extent."""

SUPERSAMPLING = 3
"""The tile is rectified so many times larger and reduced by averaging: thin lines stay."""

DARKEST, LIGHTEST = 2, 98
"""Percentiles of the grey levels that become black and white."""

SHAPE_SIGMA_PX, DETAIL_SIGMA_PX = 4.0, 1.2
"""What is finer than each of them is made twice as strong, or dithering would swallow it."""

LOCAL_CONTRAST = 2.0
"""Clip limit of the adaptive equalisation of the histogram."""

MIDDLE = 128
"""Grey from here on becomes lit."""


def place_picture(photo: Photo, scan: Scan, place: Place | Quad) -> Bitmap | None:
    """What a photo shows of a place, upright as its grid is read.

    And of what was not read, by its corners.

    Args:
        photo: which was read.
        scan: of that photo.
        place: which one.

    Returns:
        A square of ``CROP_SIDE`` pixels; None: it is not known where the place is.
    """
    quad = _quad(place, scan) if isinstance(place, Place) else place
    is_somewhere = quad is not None and mean_side_px(quad) >= _LEAST_SIDE_PX
    return tile_crop(photo, quad) if quad is not None and is_somewhere else None


def place_patch(photo: Photo, scan: Scan, place: Place) -> Patch | None:
    """Cut the tile at a place out of a photo, to compare it later; the arguments are the same."""
    quad = _quad(place, scan)
    if quad is None:
        return None
    return cut_patch(photo.image_bgr, photo.to_decoded_px(quad).astype(np.float32))


def _quad(place: Place, scan: Scan) -> Quad | None:
    quad = place_quad(scan, place)
    is_whole_tile = place.kind is PlaceKind.TILE and scan.description.tile_cells == (1, 1)
    if quad is None or is_whole_tile or place.kind is PlaceKind.LOOSE:
        return quad
    return enlarge(quad, MARGIN)


def tile_crop(photo: Photo, quad: Quad) -> Bitmap:
    """The picture of one tile.

    Args:
        photo: which shows it.
        quad: its corners as read upright, in pixels of the full photo.

    Returns:
        A square of ``CROP_SIDE`` pixels.
    """
    return decoded_crop(photo.image_bgr, photo.to_decoded_px(quad).astype(np.float32))


def decoded_crop(image_bgr: npt.NDArray[np.uint8], corners_px: Grey) -> Bitmap:
    """The same with the corners in pixels of the decoded picture, shape (4, 2)."""
    square = crop_window(image_bgr, corners_px, WHOLE_TILE, SUPERSAMPLING * CROP_SIDE)
    return one_bit(square, (CROP_SIDE, CROP_SIDE))


def one_bit(image_bgr: npt.NDArray[np.uint8], size_wh: tuple[int, int]) -> Bitmap:
    """A picture in lit and dark pixels that looks like a photo of few colours.

    Args:
        image_bgr: uint8, shape (height, width, 3), at least as large as the result.
        size_wh: of the result.
    """
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA)
    even = cv2.createCLAHE(clipLimit=LOCAL_CONTRAST, tileGridSize=(2, 2)).apply(small)
    shapes = _sharpened(_stretched(even.astype(np.float32)), SHAPE_SIGMA_PX)
    lit = _dithered(np.clip(_sharpened(shapes, DETAIL_SIGMA_PX), 0, 255))
    return Bitmap(size_wh, np.packbits(lit, axis=1).tobytes())


def _stretched(grey: Grey) -> Grey:
    dark, light = np.percentile(grey, (DARKEST, LIGHTEST))
    spread = max(float(light - dark), 1.0)
    return np.asarray(np.clip((grey - dark) * 255 / spread, 0, 255), np.float32)


def _sharpened(grey: Grey, sigma_px: float) -> Grey:
    return 2 * grey - np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma_px), np.float32)


def _dithered(grey: Grey) -> npt.NDArray[np.bool_]:
    """Lit pixels whose density is the lightness; the error of each goes to its neighbours."""
    height, width = grey.shape
    # Lists: going through an array pixel by pixel takes five times as long
    rest = np.pad(grey, ((0, 2), (1, 2))).tolist()
    for y in range(height):
        row, below, second = rest[y : y + 3]
        for x in range(1, width + 1):
            value = row[x]
            row[x] = 255.0 if value >= MIDDLE else 0.0
            error = (value - row[x]) / 8
            row[x + 1] += error
            row[x + 2] += error
            below[x - 1] += error
            below[x] += error
            below[x + 1] += error
            second[x] += error
    return np.array(rest)[:height, 1 : width + 1] >= MIDDLE
