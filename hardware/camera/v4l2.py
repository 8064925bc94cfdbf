"""A USB camera, through Video4Linux and OpenCV."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from hardware.camera.frame import CameraWiring, Frame, Image
from hardware.camera.light import brightness, light_changed
from hardware.camera.picamera import silent
from hardware.camera.pixel_formats import half_turned
from hardware.errors import CameraError

BUFFERED: Final = 4
"""Frames that the driver may have ready, where it does not keep to one."""

SETTLE_FRAMES: Final = 20
_AUTO_EXPOSURE, _MANUAL_EXPOSURE = 3, 1
"""Of the control ``auto_exposure``: aperture priority, manual."""


class V4l2Camera:
    """A USB camera behind OpenCV; ``open_v4l2`` makes one.

    Exposure, white balance and focus are found once and then held. Not every USB camera tells
    the exposure that it found: if the picture would change by holding it, it stays automatic.

    Args:
        video: an open ``cv2.VideoCapture`` or anything with its methods.
        wiring: which one, and the size of its pictures.
        clock: gives monotonic seconds.

    Raises:
        CameraError: ``camera-silent``: it sends no picture.
    """

    def __init__(
        self,
        video: Any,
        wiring: CameraWiring,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        import cv2

        self._video = video
        self._wiring = wiring
        self._clock = clock
        self._closed = False
        video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, wiring.size_wh[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, wiring.size_wh[1])
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        first = self._settle()
        self._brightness = brightness(first)
        self._size_wh = first.shape[1], first.shape[0]

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels of its pictures."""
        return self._size_wh

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call.

        The driver waits for a frame as long as it likes: whoever needs the limit kept calls this
        on a thread that can be given up.
        """
        place = self._wiring.place
        if self._closed:
            raise CameraError("camera-closed", "the camera is closed: open it again", place)
        asked_s = self._clock()
        image_bgr = self._fresh(asked_s + timeout_s)
        now = brightness(image_bgr)
        if not light_changed(self._brightness, now):
            return Frame(image_bgr, asked_s)
        self._settle()
        asked_s = self._clock()
        image_bgr = self._fresh(asked_s + timeout_s)
        self._brightness = brightness(image_bgr)
        return Frame(image_bgr, asked_s, settled_anew=True)

    def close(self) -> None:
        """Free the camera."""
        if not self._closed:
            self._closed = True
            self._video.release()

    def _settle(self) -> Image:
        """Find exposure, white balance and focus, and hold them."""
        import cv2

        video = self._video
        video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE)
        video.set(cv2.CAP_PROP_AUTO_WB, 1)
        video.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        for _ in range(SETTLE_FRAMES):
            self._grab()
        found = self._retrieve()
        video.set(cv2.CAP_PROP_AUTO_WB, 0)
        video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        exposure = video.get(cv2.CAP_PROP_EXPOSURE)
        if exposure > 0:
            video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
            video.set(cv2.CAP_PROP_EXPOSURE, exposure)
            for _ in range(BUFFERED + 1):
                self._grab()
            if light_changed(brightness(found), brightness(self._retrieve())):
                video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE)
                for _ in range(SETTLE_FRAMES):
                    self._grab()
        return self._retrieve()

    def _fresh(self, until_s: float) -> Image:
        """The first frame after those that the driver had ready, and the one under way."""
        for _ in range(BUFFERED + 1):
            if self._clock() > until_s:
                raise silent(self._wiring.place)
            self._grab()
        self._grab()
        return self._retrieve()

    def _grab(self) -> None:
        if not self._video.grab():
            raise silent(self._wiring.place)

    def _retrieve(self) -> Image:
        done, image_bgr = self._video.retrieve()
        if not done or image_bgr is None:
            raise CameraError(
                "camera-broken",
                "the camera sent a picture that cannot be decoded: unplug it and plug it in again",
                self._wiring.place,
            )
        own = np.array(image_bgr, dtype=np.uint8, order="C")
        return half_turned(own) if self._wiring.upside_down else own


def open_v4l2(
    wiring: CameraWiring,
    *,
    make: Callable[[int], Any] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> V4l2Camera:
    """Open a USB camera and let it settle.

    Args:
        wiring: which one, and the size of its pictures.
        make: gives what has the methods of ``cv2.VideoCapture`` for a number; None: that.
        clock: gives monotonic seconds.

    Raises:
        CameraError: There is none, no permission, another program uses it, or it is silent.
    """
    video = (make or _video_capture)(wiring.number)
    if not video.isOpened():
        video.release()
        raise CameraError(
            "camera-busy",
            "another program uses the camera, or it gives no pictures: end that, or name another",
            wiring.place,
        )
    try:
        return V4l2Camera(video, wiring, clock=clock)
    except CameraError:
        video.release()
        raise


def _video_capture(number: int) -> Any:
    path = Path(f"/dev/video{number}")
    if not path.exists():
        raise CameraError(
            "camera-missing", "no camera was found: plug the USB camera in", str(path)
        )
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            "camera-no-permission",
            "no permission for the camera: add the user to the group video, then log in again",
            str(path),
        )
    import cv2

    return cv2.VideoCapture(number, cv2.CAP_V4L2)
