"""Take pictures one at a time, and open the camera again after a failure."""

from collections.abc import Callable
from typing import Any, Final

import cv2

from firmware.appliance.camera_recovery import CameraLost, CameraOpened
from firmware.appliance.runner.tasks import TaskResult, TaskRunner, problem_from
from firmware.base.problem import Problem
from hardware.camera import Frame, SupervisedCamera
from hardware.errors import CameraError
from vision.arrays import Image
from vision.photo.load import MAX_DECODED_PIXELS, Photo

CAPTURE_TIMEOUT_S: Final = 10.0
"""Longest time for a picture in seconds; a camera that takes longer is opened again.

A sensor of 64 megapixels with 0.4 seconds a frame, at full size on a slow board, needs 8 seconds
where the light has changed: two pictures of three frames, each copied, and between them the search
for the exposure.
"""

FrameReceiver = Callable[[Frame | Problem], None]
"""Receives the requested picture, or the problem because of which there is none."""


class CameraService:
    """Camera that is kept open; all methods belong to the loop's thread.

    Args:
        make: Function that makes a camera that is not open yet.
        tasks: Runner of slow tasks.
        report: Receiver of the result of ``open``.
        timeout_s: Longest time for a picture in seconds.
    """

    def __init__(
        self,
        make: Callable[[], SupervisedCamera],
        tasks: TaskRunner,
        report: Callable[[CameraOpened | CameraLost], None],
        *,
        timeout_s: float = CAPTURE_TIMEOUT_S,
    ) -> None:
        self._make = make
        self._tasks = tasks
        self._report = report
        self._timeout_s = timeout_s
        self._camera = make()
        self._is_busy = False
        self._last_capture_failed = False
        self._wants_opening = False
        self._waiting: FrameReceiver | None = None
        self._running_capture_is_stale = False
        self._has_ended = False

    @property
    def is_stuck(self) -> bool:
        """True if only a new process can use the camera again."""
        return self._camera.is_stuck

    def open(self) -> None:
        """Open the camera, or close it and open it again; ``report`` gets the result."""
        self._wants_opening = True
        self._start_next()

    def capture(self, receive: FrameReceiver) -> None:
        """Request a picture whose exposure begins from now on; an earlier request is dropped."""
        self._waiting = receive
        self._running_capture_is_stale = True
        self._start_next()

    def cancel(self) -> None:
        """Drop the request for a picture."""
        self._waiting = None

    def close(self) -> None:
        """Close the camera for good."""
        self._has_ended = True
        self._waiting, self._wants_opening = None, False
        self._start_next()

    def _start_next(self) -> None:
        if self._is_busy:
            return
        camera = self._camera
        if self._has_ended:
            if camera.is_open:
                self._start("close", camera.close, lambda _result: None)
        elif self._wants_opening:
            self._wants_opening = False
            self._start("open", lambda: self._reopen(camera), self._on_opened)
        elif self._waiting is not None:
            self._running_capture_is_stale = False
            self._start("capture", lambda: camera.capture(self._timeout_s), self._on_captured)

    def _reopen(self, before: SupervisedCamera) -> tuple[SupervisedCamera, CameraError | None]:
        """Close the camera and open a fresh one; after a failed picture it has to give one.

        Returns:
            Camera to use from now on, and its error; None if it works.
        """
        before.close()
        camera = before if before.is_stuck else self._make()
        try:
            camera.prepare()
            if self._last_capture_failed:
                camera.capture(self._timeout_s)
        except CameraError as error:
            return camera, error
        return camera, None

    def _on_opened(self, result: TaskResult) -> None:
        if result.error is not None:
            self._report(CameraLost(problem_from(result.error)))
            return
        self._camera, error = result.value
        if error is not None:
            self._report(CameraLost(problem_from(error)))
            return
        self._last_capture_failed = False
        self._report(CameraOpened())

    def _on_captured(self, result: TaskResult) -> None:
        """Hand the picture on; drop one begun before the request.

        ``_start_next`` then takes another.
        """
        self._last_capture_failed = result.error is not None
        if self._waiting is None or self._running_capture_is_stale:
            return
        waiting, self._waiting = self._waiting, None
        waiting(result.value if result.error is None else problem_from(result.error))

    def _start(
        self, action: str, work: Callable[[], Any], on_result: Callable[[TaskResult], None]
    ) -> None:
        def finish(result: TaskResult) -> None:
            self._is_busy = False
            on_result(result)
            self._start_next()

        self._is_busy = True
        self._tasks.start(f"camera {action}", work, on_result=finish)


_SCALES: Final = (1, 2, 4, 8)
"""Factors by which the decoder of files reduces a large photo."""


def photo_from_frame(frame: Frame, name: str) -> Photo:
    """Return a picture of the camera as a photo, reduced like a photo from a file.

    Args:
        frame: Picture of the camera.
        name: Name of the photo in readings and errors.
    """
    image_bgr = frame.image_bgr
    height, width = image_bgr.shape[:2]
    scale = next((s for s in _SCALES if width * height <= MAX_DECODED_PIXELS * s * s), _SCALES[-1])
    if scale > 1:
        image_bgr = _shrink(image_bgr, scale)
    image_bgr.setflags(write=False)
    return Photo(image_bgr, name, (width, height), scale)


def _shrink(image_bgr: Image, scale: int) -> Image:
    """Average each whole block of ``scale`` x ``scale`` pixels."""
    height, width = (side // scale for side in image_bgr.shape[:2])
    blocks = image_bgr[: height * scale, : width * scale]
    small: Image = cv2.resize(blocks, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return small
