"""Pictures of a result: its annotated photo, each grid and each place upright; cached as JPEG."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import cv2
import numpy as np

from firmware.appliance.base import FailedPhoto
from firmware.appliance.result import Result
from firmware.base.photo_quads import mean_side_px
from firmware.report.annotate import annotate_photo, at_decoded_size
from firmware.scan.outlines import place_outline
from vision.arrays import Image
from vision.joining.picture import cut_part
from vision.photo.load import Photo
from vision.reading import Place, Quad, Reading

MAX_PX: Final = 1600
"""Longer side of a photo on the page."""
SINGLE_PHOTO_PX: Final = 800
"""Longer side of one of several photos."""
GRID_PX: Final = 560
"""Longer side of a grid."""
PLACE_PX: Final = 320
"""Side of a place."""
THUMBNAIL_PX: Final = 240
"""Longer side of a city in the list of past games."""
AIM_PX: Final = 800
"""Longer side of the live picture while the camera is aimed."""
JPEG_QUALITY: Final = 82
MARGIN: Final = 0.2
"""Margin around a place, as a share of its side."""

_KEPT: Final = 32
"""Number of pictures in the cache."""


def annotated_photo(result: Result) -> Image | None:
    """Return the photo with all that was read; None if there is no photo."""
    if result.photo is None:
        return None
    return shrink(annotate_photo(result.photo, result.corrected_scan), MAX_PX)


def failed_photo(failed: FailedPhoto) -> Image:
    """Return a photo that failed, with what was seen in it."""
    scan, photo = failed.scan, failed.photo
    return shrink(photo.image_bgr if scan is None else annotate_photo(photo, scan), MAX_PX)


def annotated_single_photo(result: Result, index: int) -> Image | None:
    """Return one of several photos with all that was read; None if there is no photo."""
    photo = result.photo
    join = None if photo is None else at_decoded_size(result.reading_to_correct, photo).join
    if photo is None or join is None:
        return None
    return shrink(
        cut_part(annotate_photo(photo, result.corrected_scan), join.photos[index]), SINGLE_PHOTO_PX
    )


def grid_picture(result: Result, index: int) -> Image | None:
    """Return a grid upright; None if there is no photo."""
    if result.photo is None:
        return None
    found = result.corrected_scan.reading.grids[index]
    rows, columns = found.size
    cell_px = GRID_PX / max(rows, columns)
    return _upright(result.photo, found.corners_px, (columns * cell_px, rows * cell_px))


def thumbnail(photo: Photo, reading: Reading, index: int) -> bytes:
    """Return a grid of a photo upright and small, as JPEG; the whole photo if there is no grid."""
    if index >= len(reading.grids):
        return encode_jpeg(shrink(photo.image_bgr, THUMBNAIL_PX))
    found = reading.grids[index]
    rows, columns = found.size
    cell_px = THUMBNAIL_PX / max(rows, columns)
    size_wh = (columns * cell_px, rows * cell_px)
    return encode_jpeg(_upright(photo, found.corners_px, size_wh))


def place_close_up(result: Result, place: Place) -> Image | None:
    """Return a place with a margin; None without a photo, or if its corners are not known."""
    photo, quad = (
        result.photo,
        place_outline(result.corrected_scan.reading, result.description, place),
    )
    if photo is None or quad is None or mean_side_px(quad) < 1:
        return None
    return _upright(photo, quad, (PLACE_PX, PLACE_PX), MARGIN)


def _upright(photo: Photo, quad: Quad, size_wh: tuple[float, float], margin: float = 0.0) -> Image:
    """Rectify what lies between four corners, in pixels of the full photo."""
    width, height = (max(round(side), 1) for side in size_wh)
    corners = photo.to_decoded_px(quad).astype(np.float32)
    left, top = (side * margin / (1 + 2 * margin) for side in (width, height))
    right, bottom = width - left, height - top
    to = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, to)
    upright: Image = cv2.warpPerspective(photo.image_bgr, matrix, (width, height))  # type: ignore[assignment]
    return upright


def shrink(image_bgr: Image, max_px: int) -> Image:
    """Return a picture whose longer side has at most ``max_px`` pixels."""
    height, width = image_bgr.shape[:2]
    share = max_px / max(height, width)
    if share >= 1:
        return image_bgr
    size_wh = round(width * share), round(height * share)
    small: Image = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return small


def encode_jpeg(image_bgr: Image) -> bytes:
    """Encode a picture as JPEG."""
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


class PictureCache:
    """Cache of the last pictures, so that each is made once for several phones.

    One is made at a time: reading a photo needs the processor more.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, bytes | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Image | None]) -> bytes | None:
        """Return the picture of a key as JPEG, made if need be; None if there is none."""
        with self._lock:
            if key not in self._kept:
                made = make()
                self._kept[key] = None if made is None else encode_jpeg(made)
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
