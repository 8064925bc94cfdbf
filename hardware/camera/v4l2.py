"""A USB camera, through Video4Linux and OpenCV."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from hardware.camera.frame import (
    Frame,
    Image,
    brightness,
    check_open,
    half_turned,
    light_changed,
    silent_error,
)
from hardware.errors import CameraError
from hardware.settings import CameraSettings

MAX_BUFFERED_FRAMES: Final = 4
"""Frames that a driver may buffer although only one was requested; they are skipped."""

SETTLE_FRAMES: Final = 20
"""Frames in which exposure, white balance and focus are found."""

SETTLE_LIMIT_S: Final = 10.0
"""Longest settling after opening; a slow camera then settles in fewer frames."""

_AUTO_EXPOSURE, _MANUAL_EXPOSURE = 3, 1
"""Values of the control ``auto_exposure``: aperture priority, manual."""


class V4l2Camera:
    """A USB camera behind OpenCV; ``open_v4l2`` makes one.

    Exposure, white balance and focus are found once and then held. Not every USB camera reports
    the exposure that it found: if the picture would change by holding it, it stays automatic.

    Args:
        video: Open ``cv2.VideoCapture`` or anything with its methods.
        settings: Camera to open, and the size of its pictures.
        clock: Function that returns monotonic seconds.

    Raises:
        CameraError: ``camera-silent``: it sends no picture.
    """

    def __init__(self, video: Any, settings: CameraSettings, clock: Callable[[], float]) -> None:
        import cv2

        self._video = video
        self._where = settings.where
        self._upside_down = settings.upside_down
        self._clock = clock
        self._closed = False
        video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, settings.size_wh[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.size_wh[1])
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._brightness = brightness(self._settle(SETTLE_LIMIT_S))

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call.

        The driver may wait for a frame without limit: call this on a thread that can be given up
        if the limit has to hold.

        Raises:
            CameraError: ``camera-slow``: it sends pictures, but too few within the limit.
        """
        check_open(self._where, closed=self._closed)
        asked_s = self._clock()
        until_s = asked_s + timeout_s
        image_bgr = self._fresh(until_s)
        if not light_changed(self._brightness, brightness(image_bgr)):
            return Frame(image_bgr, asked_s)
        self._settle((until_s - self._clock()) / 2)
        asked_s = self._clock()
        image_bgr = self._fresh(until_s)
        self._brightness = brightness(image_bgr)
        return Frame(image_bgr, asked_s, settled_anew=True)

    def close(self) -> None:
        """Free the camera."""
        if not self._closed:
            self._closed = True
            self._video.release()

    def _settle(self, limit_s: float) -> Image:
        """Find exposure, white balance and focus, and hold them.

        Args:
            limit_s: Longest search, in seconds.
        """
        import cv2

        video, until_s = self._video, self._clock() + limit_s
        video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE)
        video.set(cv2.CAP_PROP_AUTO_WB, 1)
        video.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        self._grab_to_settle(until_s)
        found = self._retrieve()
        video.set(cv2.CAP_PROP_AUTO_WB, 0)
        video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        exposure = video.get(cv2.CAP_PROP_EXPOSURE)
        if exposure > 0:
            video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
            video.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._grab(MAX_BUFFERED_FRAMES + 1)
            if light_changed(brightness(found), brightness(self._retrieve())):
                video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE)
                self._grab_to_settle(until_s)
        return self._retrieve()

    def _fresh(self, until_s: float) -> Image:
        """Return the first frame after those that the driver had buffered and the one under way."""
        for _ in range(MAX_BUFFERED_FRAMES + 1):
            if self._clock() > until_s:
                raise CameraError(
                    "camera-slow",
                    "the camera sends its pictures too slowly: set a smaller picture size",
                    self._where,
                )
            self._grab()
        self._grab()
        return self._retrieve()

    def _grab_to_settle(self, until_s: float) -> None:
        self._grab()
        for _ in range(SETTLE_FRAMES - 1):
            if self._clock() < until_s:
                self._grab()

    def _grab(self, frames: int = 1) -> None:
        for _ in range(frames):
            if not self._video.grab():
                raise silent_error(self._where)

    def _retrieve(self) -> Image:
        done, image_bgr = self._video.retrieve()
        if not done or image_bgr is None:
            raise CameraError(
                "camera-broken",
                "the camera sent a picture that cannot be decoded: unplug it and plug it in again",
                self._where,
            )
        own = np.array(image_bgr, dtype=np.uint8, order="C")
        return half_turned(own) if self._upside_down else own


def open_v4l2(
    settings: CameraSettings,
    *,
    make: Callable[[int], Any] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> V4l2Camera:
    """Open a USB camera and let it settle.

    Args:
        settings: Camera to open, and the size of its pictures.
        make: Function that returns a ``cv2.VideoCapture`` by number; replaced in tests.
        clock: Function that returns monotonic seconds.

    Raises:
        CameraError: There is none, no permission, another program uses it, or it is silent.
    """
    video = (make or _video_capture)(settings.number)
    if not video.isOpened():
        video.release()
        raise CameraError(
            "camera-busy",
            "another program uses the camera, or it gives no pictures: close the other program, "
            "or set another camera number",
            settings.where,
        )
    try:
        return V4l2Camera(video, settings, clock)
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
            "no permission for the camera: sudo adduser $USER video, then log in again",
            str(path),
        )
    import cv2

    return cv2.VideoCapture(number, cv2.CAP_V4L2)
