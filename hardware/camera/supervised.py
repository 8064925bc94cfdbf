"""A camera that is opened again when it fails, and never keeps its caller waiting for ever."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from hardware.camera.frame import Camera, Frame, silent_error
from hardware.errors import N_, CameraError, SystemReason, error_reason
from hardware.timeouts import BackOff, CallWithLimit, NeverReturnedError, call_with_limit

T = TypeVar("T")

OPEN_LIMIT_S: Final = 30.0
"""Longest opening in seconds: import of the driver from a memory card, start, settling."""
CLOSE_LIMIT_S: Final = 5.0
"""Longest closing in seconds."""
GRACE_S: Final = 1.0
"""Seconds beyond the time-out after which a driver that ignores the time-out counts as hanging."""
_TIMEOUT_CODES: Final = frozenset(("camera-silent", "camera-slow"))
"""Errors of a picture that did not come in time."""


class SupervisedCamera:
    """The camera as the appliance uses it; not for several threads at once.

    It is opened at the first use. A capture that does not come in time is cancelled, the camera
    is closed and opened again once, and if that does not help either, the error is
    ``camera-silent`` or ``camera-slow``. After any error the camera is opened anew, but at first
    after one second, then two, four and so on up to a minute; until then the last error is raised
    at once.

    A driver that does not even return from closing holds the camera until the process ends: then
    every call raises ``camera-stuck``, and the process should be restarted.

    Args:
        open_camera: Function that opens the camera, or raises ``CameraError``.
        where: Name of the camera in messages.
        clock: Function that returns monotonic seconds.
        call: Function that calls with a time limit; replaced in tests.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        *,
        where: str = "camera",
        clock: Callable[[], float] = time.monotonic,
        call: CallWithLimit = call_with_limit,
    ) -> None:
        self._open_camera = open_camera
        self._where = where
        self._clock = clock
        self._call = call
        self._camera: Camera | None = None
        self._back_off = BackOff()
        self._problem: CameraError | None = None

    @property
    def is_open(self) -> bool:
        """True if the camera is open."""
        return self._camera is not None

    @property
    def is_stuck(self) -> bool:
        """True if only a new process can use the camera again."""
        return self._problem is not None and self._problem.code == "camera-stuck"

    def prepare(self) -> None:
        """Open the camera if it is not, and if it is time to try.

        Raises:
            CameraError: It cannot be opened, or it is not yet time to try again.
        """
        self._ensure_open()

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call.

        Args:
            timeout_s: Limit of one attempt. With two attempts, each with opening and closing, all
                takes up to 2 (``timeout_s`` + ``GRACE_S`` + ``OPEN_LIMIT_S`` + ``CLOSE_LIMIT_S``).

        Raises:
            CameraError: There is no picture; the code names the reason.
        """
        camera = self._ensure_open()
        try:
            return self._take(camera, timeout_s)
        except CameraError as error:
            if error.code not in _TIMEOUT_CODES:
                self._handle_failure(error)
                raise
        self._release()
        camera = self._ensure_open()
        try:
            return self._take(camera, timeout_s)
        except CameraError as error:
            self._handle_failure(error)
            raise

    def close(self) -> None:
        """Release the camera, within the limit of time; ``capture`` opens it again."""
        with suppress(CameraError):
            self._release()

    def _take(self, camera: Camera, timeout_s: float) -> Frame:
        frame = self._call_driver(lambda: camera.capture(timeout_s), timeout_s + GRACE_S)
        self._problem, self._back_off = None, BackOff()
        return frame

    def _ensure_open(self) -> Camera:
        if self._camera is not None:
            return self._camera
        if self._problem is not None and (
            self.is_stuck or not self._back_off.is_due(self._clock())
        ):
            # An error that is raised again would add to its traceback, and hold ever more frames
            raise self._problem.with_traceback(None)
        try:
            # Unless closed, a camera that opens too late would block the next one
            self._camera = self._call_driver(self._open_camera, OPEN_LIMIT_S, drop=_close)
        except CameraError as error:
            self._handle_failure(error)
            raise
        return self._camera

    def _handle_failure(self, error: CameraError) -> None:
        """Release the camera and wait before the next try."""
        self._problem = error
        self._back_off = self._back_off.after_failure(self._clock())
        with suppress(CameraError):
            self._release()

    def _release(self) -> None:
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            self._call(camera.close, CLOSE_LIMIT_S)
        except NeverReturnedError:
            self._problem = CameraError(
                "camera-stuck",
                "the camera hangs and cannot be let go of: switch the scanner off and on again",
                self._where,
            )
            raise self._problem from None
        except Exception:  # noqa: BLE001 - it is released in any case, and opened again
            return

    def _call_driver(
        self, job: Callable[[], T], limit_s: float, *, drop: Callable[[T], object] | None = None
    ) -> T:
        """Call the driver; turn any exception into a ``CameraError``.

        An error is made anew: by its traceback that of the driver would hold the pictures for which
        the memory was too small, and with them the memory for the next one.
        """
        try:
            return self._call(job, limit_s, drop=drop)
        except NeverReturnedError:
            problem = silent_error(self._where)
        except CameraError as error:
            problem = CameraError(error.code, error.template, error.where, **error.values)
        except Exception as error:  # noqa: BLE001 - reported as a camera error
            reason = error_reason(error)
            if not isinstance(reason, SystemReason):
                reason = " ".join(f"{type(error).__name__} {error}".split())
            template = N_("the camera failed ({reason}): switch off and on again")
            problem = CameraError("camera-broken", template, self._where, reason=reason)
        raise problem


def _close(camera: Camera) -> None:
    camera.close()
