"""The one place where pixels of a driver become blue, green, red.

libcamera names a format by the bits of a little-endian number, so the bytes of ``RGB888`` lie in
memory as blue, green, red: just what OpenCV expects. Whoever believes the name swaps the colours.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera.frame import Image
from hardware.errors import CameraError

_OPENCV_CONVERSIONS: Final[Mapping[str, str | None]] = {
    "RGB888": None,
    "BGR888": "COLOR_RGB2BGR",
    "XRGB8888": "COLOR_BGRA2BGR",
    "XBGR8888": "COLOR_RGBA2BGR",
    "YUV420": "COLOR_YUV2BGR_I420",
    "YVU420": "COLOR_YUV2BGR_YV12",
    "NV12": "COLOR_YUV2BGR_NV12",
    "NV21": "COLOR_YUV2BGR_NV21",
    "YUYV": "COLOR_YUV2BGR_YUYV",
    "UYVY": "COLOR_YUV2BGR_UYVY",
    "MJPEG": "COLOR_RGB2BGR",
}
"""By libcamera's name of a format; MJPEG is that of an array which picamera2 has decoded."""


def to_bgr(array: NDArray[np.uint8], pixel_format: str, size_wh: tuple[int, int]) -> Image:
    """The picture of a driver's array, blue first.

    Args:
        array: as ``picamera2`` gives it for that format: (height, width, 3 or 4) for colours,
            (3/2 height, stride) for the planar ones, (height, stride / 2, 2) for YUYV.
        pixel_format: libcamera's name of its format.
        size_wh: width and height in pixels of the picture without the padding of its rows.

    Returns:
        ``uint8`` of shape (height, width, 3), an array of its own.

    Raises:
        CameraError: ``camera-format``: nobody knows this format.
    """
    import cv2

    if pixel_format not in _OPENCV_CONVERSIONS:
        raise CameraError(
            "camera-format",
            f"the camera gives {pixel_format}, which is not understood: use another camera",
            pixel_format,
        )
    conversion = _OPENCV_CONVERSIONS[pixel_format]
    width, height = size_wh
    if conversion is None:
        return np.array(array[:height, :width], order="C")
    converted = cv2.cvtColor(np.ascontiguousarray(array), getattr(cv2, conversion))
    return np.array(converted[:height, :width], dtype=np.uint8, order="C")


def half_turned(image_bgr: Image) -> Image:
    """The picture turned by 180 degrees."""
    return np.array(image_bgr[::-1, ::-1], order="C")
