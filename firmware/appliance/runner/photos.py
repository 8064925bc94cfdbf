"""From a picture of the camera to a photo for the eye."""

from typing import Final

import cv2

from hardware.camera import Frame
from vision.arrays import Image
from vision.photo import MAX_DECODED_PIXELS, Photo

_SHRINKS: Final = (1, 2, 4, 8)


def photo_of(frame: Frame, name: str) -> Photo:
    """The picture as a photo, made as small as a photo from a file would be.

    Args:
        frame: as the camera gives it.
        name: what to call the photo in readings and errors.
    """
    image_bgr = frame.image_bgr
    height, width = image_bgr.shape[:2]
    scale = next(
        (s for s in _SHRINKS if width * height <= MAX_DECODED_PIXELS * s * s), _SHRINKS[-1]
    )
    if scale > 1:
        image_bgr = _shrunk(image_bgr, scale)
    image_bgr.setflags(write=False)
    return Photo(image_bgr, name, (width, height), scale)


def _shrunk(image_bgr: Image, scale: int) -> Image:
    """A pixel for each whole block of ``scale`` x ``scale`` pixels."""
    height, width = (side // scale for side in image_bgr.shape[:2])
    blocks = image_bgr[: height * scale, : width * scale]
    small: Image = cv2.resize(blocks, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return small
