"""Pictures of single places, cut out of the photo of a scan."""

import numpy as np
import numpy.typing as npt

from firmware.base.photo_quads import enlarge, mean_side_px
from firmware.scan.outlines import place_outline
from firmware.screens.dithering import to_bitmap
from firmware.screens.view import CROP_SIDE, Bitmap
from vision.editions.description import Description
from vision.patches.comparison import Patch, cut_patch
from vision.patches.cut import WHOLE_QUAD, cut_upright
from vision.photo.load import Photo
from vision.reading import Place, PlaceKind, Quad, Reading

FIELD_ENLARGEMENT = 1.4
"""Side of the picture of a field, in sides of the field: a figure is higher than its field."""

_MIN_SIDE_PX = 2.0
"""Smallest mean side of a quad that is shown; a piece that only a person named has no extent."""

SUPERSAMPLING = 3
"""Factor by which a tile is rectified larger than shown, then averaged, so that thin lines stay."""


def place_bitmap(
    photo: Photo, reading: Reading, description: Description, place: Place | Quad
) -> Bitmap | None:
    """Return what a photo shows at a place, upright as its grid is read, for the display.

    Args:
        photo: Photo that was read.
        reading: Reading of that photo.
        description: Description of its game.
        place: Place of the reading, or the corners of a region that was not read.

    Returns:
        Square of ``CROP_SIDE`` pixels; None if the position in the photo is not known.
    """
    quad = _quad_to_show(reading, description, place) if isinstance(place, Place) else place
    if quad is None or mean_side_px(quad) < _MIN_SIDE_PX:
        return None
    return quad_bitmap(photo, quad)


def place_patch(
    photo: Photo, reading: Reading, description: Description, place: Place
) -> Patch | None:
    """Cut a place out of a photo to compare it with later photos.

    Returns:
        Patch of the place; None if its position in the photo is not known.
    """
    quad = _quad_to_show(reading, description, place)
    if quad is None:
        return None
    return cut_patch(photo.image_bgr, photo.to_decoded_px(quad).astype(np.float32))


def _quad_to_show(reading: Reading, description: Description, place: Place) -> Quad | None:
    quad = place_outline(reading, description, place)
    is_whole_tile = place.kind is PlaceKind.TILE and description.tile_cells == (1, 1)
    if quad is None or is_whole_tile or place.kind is PlaceKind.LOOSE:
        return quad
    return enlarge(quad, FIELD_ENLARGEMENT)


def quad_bitmap(photo: Photo, quad: Quad) -> Bitmap:
    """Return what a photo shows within a quad.

    Args:
        photo: Photo that shows it.
        quad: Corners as read upright, in pixels of the full photo.

    Returns:
        Square of ``CROP_SIDE`` pixels.
    """
    return decoded_quad_bitmap(photo.image_bgr, photo.to_decoded_px(quad).astype(np.float32))


def decoded_quad_bitmap(
    image_bgr: npt.NDArray[np.uint8], corners_px: npt.NDArray[np.float32]
) -> Bitmap:
    """Return what a decoded photo shows within corners (4, 2) in its pixels, as ``quad_bitmap``."""
    square = cut_upright(image_bgr, corners_px, WHOLE_QUAD, SUPERSAMPLING * CROP_SIDE)
    return to_bitmap(square, (CROP_SIDE, CROP_SIDE))
