"""Joined picture: several photos side by side, small enough for one photo's memory.

Frames: ``_px`` pixels of the joined picture; those of a photo are named so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.load import MAX_DECODED_PIXELS, Photo
from vision.reading import JoinedPhoto, Point, Quad

MAX_PHOTOS: Final = 8
"""Maximum number of photos of one table. Each of eight gets an eighth of the joined picture, in
which the tiles of a grid that fills half a photo are 100 pixels wide."""
BACKGROUND: Final = 32
"""Grey value beside photos of different shapes."""


@dataclass(frozen=True, slots=True)
class PicturePart:
    """Place of a photo in the joined picture.

    Attributes:
        left: Column of its first pixel.
        top: Row of its first pixel.
        size_wh: Width and height of the part.
        shrink: Pixels of the joined picture per pixel of the full photo, the inverse of
            ``Photo.scale``.
    """

    left: int
    top: int
    size_wh: tuple[int, int]
    shrink: float

    @property
    def corners_px(self) -> Quad:
        """Outer corners of the part."""
        width, height = self.size_wh
        left, top = self.left - 0.5, self.top - 0.5
        right, bottom = left + width, top + height
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def to_picture(self, points: Sequence[Point]) -> list[Point]:
        """Convert points of the full photo to those of the joined picture."""
        s = self.shrink
        return [
            ((x + 0.5) * s - 0.5 + self.left, (y + 0.5) * s - 0.5 + self.top) for x, y in points
        ]


def reduce_photo(photo: Photo, photo_count: int) -> Photo:
    """Return a photo small enough for its share of a joined picture.

    Args:
        photo: Photo as it was loaded.
        photo_count: Number of photos of the table.
    """
    height, width = photo.image_bgr.shape[:2]
    share = sqrt(MAX_DECODED_PIXELS / photo_count / (width * height))
    if share >= 1:
        return photo
    size_wh = max(round(width * share), 1), max(round(height * share), 1)
    small: Image = cv2.resize(photo.image_bgr, size_wh, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return replace(photo, image_bgr=small, scale=photo.size_wh[0] / size_wh[0])


def place_photos(photos: Sequence[Photo]) -> tuple[list[PicturePart], tuple[int, int]]:
    """Return the places of photos in rows of the same number, and the size of the whole."""
    columns = ceil(sqrt(len(photos)))
    sizes = [(photo.image_bgr.shape[1], photo.image_bgr.shape[0]) for photo in photos]
    widths = [max(w for w, _h in sizes[column::columns]) for column in range(columns)]
    parts, top = [], 0
    for first in range(0, len(sizes), columns):
        row = sizes[first : first + columns]
        for column, size in enumerate(row):
            shrink = size[0] / photos[first + column].size_wh[0]
            parts.append(PicturePart(sum(widths[:column]), top, size, shrink))
        top += max(height for _width, height in row)
    return parts, (sum(widths), top)


def joined_picture(photos: Sequence[Photo], name: str) -> Photo:
    """Return photos side by side as one, in the places of ``place_photos``."""
    parts, (width, height) = place_photos(photos)
    picture = np.full((height, width, 3), BACKGROUND, np.uint8)
    for photo, part in zip(photos, parts, strict=True):
        w, h = part.size_wh
        picture[part.top : part.top + h, part.left : part.left + w] = photo.image_bgr
    picture.flags.writeable = False
    return Photo(picture, name, (width, height))


def cut_photo(picture: Photo, joined: JoinedPhoto) -> Photo:
    """Return a photo of a table again, as small as it is in the joined picture."""
    image = cut_part(picture.image_bgr, joined)
    return Photo(image, joined.name, joined.size_wh, joined.size_wh[0] / image.shape[1])


def cut_part(image_bgr: Image, joined: JoinedPhoto) -> Image:
    """Return the part of a joined picture, or of a drawing on it, that shows one photo."""
    (left, top), _right, (right, bottom), _left = joined.corners_px
    return image_bgr[round(top + 0.5) : round(bottom + 0.5), round(left + 0.5) : round(right + 0.5)]
