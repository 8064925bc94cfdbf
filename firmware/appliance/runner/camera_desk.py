"""The camera, which takes pictures one at a time and is opened anew when it fails."""

from collections.abc import Callable
from typing import Any, Final

import cv2

from firmware.appliance.events import CameraBack, CameraLost
from firmware.appliance.faults import Fault
from firmware.appliance.runner.crew import Crew, Outcome, told
from hardware.camera import Frame, SteadyCamera
from hardware.errors import CameraError
from vision.arrays import Image
from vision.photo.load import MAX_DECODED_PIXELS, Photo

CAPTURE_TIMEOUT_S: Final = 5.0
"""For a picture; a camera that takes longer is opened once more."""

Pictured = Callable[[Frame | Fault], None]
"""Gets the picture that was asked for, or why there is none."""


class CameraDesk:
    """Keeps one camera open and asks it for pictures; all methods belong to the loop's thread.

    Args:
        make: gives a camera that is not open yet.
        crew: waits for it.
        report: is told what came of ``open``.
        timeout_s: for a picture.
    """

    def __init__(
        self,
        make: Callable[[], SteadyCamera],
        crew: Crew,
        report: Callable[[CameraBack | CameraLost], None],
        *,
        timeout_s: float = CAPTURE_TIMEOUT_S,
    ) -> None:
        self._make = make
        self._crew = crew
        self._report = report
        self._timeout_s = timeout_s
        self._camera = make()
        self._is_busy = False
        self._is_doubtful = False
        self._wants_opening = False
        self._waiting: Pictured | None = None
        self._is_stale = False
        self._has_ended = False

    @property
    def stuck(self) -> bool:
        """Whether the camera can only be used again by a new process."""
        return self._camera.is_stuck

    def open(self) -> None:
        """Open the camera, anew if it is open; ``report`` is told what comes of it."""
        self._wants_opening = True
        self._next()

    def capture(self, pictured: Pictured) -> None:
        """Ask for a picture whose exposure begins from now on; one asked for before is dropped."""
        self._waiting = pictured
        self._is_stale = True
        self._next()

    def cancel(self) -> None:
        """Nobody waits for the picture any longer."""
        self._waiting = None

    def close(self) -> None:
        """Let go of the camera for good."""
        self._has_ended = True
        self._waiting, self._wants_opening = None, False
        self._next()

    def _next(self) -> None:
        """Begin what is wanted, if nothing is under way."""
        if self._is_busy:
            return
        camera = self._camera
        if self._has_ended:
            if camera.is_open:
                self._begin("close", camera.close, lambda _outcome: None)
        elif self._wants_opening:
            self._wants_opening = False
            self._begin("open", lambda: self._reopened(camera), self._opened)
        elif self._waiting is not None:
            self._is_stale = False
            self._begin("capture", lambda: camera.capture(self._timeout_s), self._captured)

    def _reopened(self, before: SteadyCamera) -> tuple[SteadyCamera, CameraError | None]:
        """Close the camera and open a fresh one; where the last picture failed, it has to give one.

        Returns:
            The camera to use from now on, and why it does not work.
        """
        before.close()
        camera = before if before.is_stuck else self._make()
        try:
            camera.prepare()
            if self._is_doubtful:
                camera.capture(self._timeout_s)
        except CameraError as error:
            return camera, error
        return camera, None

    def _opened(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._report(CameraLost(told(outcome.error)))
            return
        self._camera, error = outcome.value
        if error is not None:
            self._report(CameraLost(told(error)))
            return
        self._is_doubtful = False
        self._report(CameraBack())

    def _captured(self, outcome: Outcome) -> None:
        self._is_doubtful = outcome.error is not None
        if self._waiting is None or self._is_stale:
            return
        waiting, self._waiting = self._waiting, None
        waiting(outcome.value if outcome.error is None else told(outcome.error))

    def _begin(self, what: str, work: Callable[[], Any], then: Callable[[Outcome], None]) -> None:
        def done(outcome: Outcome) -> None:
            self._is_busy = False
            then(outcome)
            self._next()

        self._is_busy = True
        self._crew.begin(f"camera {what}", work, then=done)


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
