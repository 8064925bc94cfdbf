"""A camera at the ribbon cable, through picamera2 and libcamera.

It is configured once and streams for as long as it is open: each switch of modes costs memory
that the camera's pool does not always give back. A picture is a request of the stream whose
exposure began after it was asked for. Exposure, white balance and focus are found once the
stream runs and then held, so that two pictures of an unmoved table differ by the tiles alone;
they are found anew only when the light has clearly changed.
"""

import errno
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Final

from hardware.camera.frame import CameraWiring, Frame, Image
from hardware.camera.light import brightness, light_changed
from hardware.camera.pixel_formats import half_turned, to_bgr
from hardware.camera.settling import Settling, controls_that_find, controls_that_hold
from hardware.errors import CameraError

PIXEL_FORMAT: Final = "RGB888"
"""Blue, green, red in memory. What the camera gives instead, if it cannot, is converted."""

BUFFERS: Final = 2
"""One is looked at while the other is filled; each takes 9 MB, of the full sensor 36 MB."""

FRAME_TIMEOUT_S: Final = 5.0
"""For one frame while it settles; none takes longer than a quarter of a second."""

SETTLE_LIMIT_S: Final = 10.0
"""After opening."""


class PicameraCamera:
    """A camera behind picamera2; ``open_picamera`` makes one.

    Args:
        picamera2: an open ``Picamera2``, not yet configured.
        wiring: how it is connected.
        clock: gives monotonic seconds.
    """

    def __init__(
        self,
        picamera2: Any,
        wiring: CameraWiring,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._picamera2 = picamera2
        self._wiring = wiring
        self._clock = clock
        self._closed = False
        with _as_camera_error(wiring.place):
            self._start()
            self._settle(SETTLE_LIMIT_S)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels of its pictures."""
        return self._size_wh

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call."""
        place = self._wiring.place
        if self._closed:
            raise CameraError("camera-closed", "the camera is closed: open it again", place)
        asked_s = self._clock()
        until_s = asked_s + timeout_s
        with _as_camera_error(place):
            image_bgr = self._take(timeout_s)
            if not light_changed(self._brightness, brightness(image_bgr)):
                return Frame(image_bgr, asked_s)
            asked_s = self._clock()
            image_bgr = self._settle((until_s - asked_s) / 2)
            return Frame(image_bgr, asked_s, settled_anew=True)

    def close(self) -> None:
        """Cancel what is under way, stop the stream and free the camera."""
        if self._closed:
            return
        self._closed = True
        # Whatever it complains of, it is let go of
        with suppress(Exception):
            self._picamera2.cancel_all_and_flush()
        with suppress(Exception):
            self._picamera2.close()

    def _start(self) -> None:
        camera = self._picamera2
        camera.configure(
            camera.create_still_configuration(
                main={"size": self._wiring.size_wh, "format": PIXEL_FORMAT},
                raw=None,
                buffer_count=BUFFERS,
            )
        )
        # The camera may have changed what was asked for.
        given = camera.camera_configuration()["main"]
        self._size_wh: tuple[int, int] = tuple(given["size"])
        self._format = str(given["format"])
        camera.start()

    def _settle(self, limit_s: float) -> Image:
        """Find exposure, white balance and focus, hold them, and take a picture with them.

        Args:
            limit_s: how long to look for them; in the dark that takes many seconds, and what has
                been found by then is better than no picture.
        """
        camera = self._picamera2
        known = frozenset(camera.camera_controls)
        camera.set_controls(controls_that_find(known))
        until_s = self._clock() + limit_s
        settling = Settling()
        metadata: Mapping[str, Any] = {}
        while not settling.done and (self._clock() < until_s or not metadata):
            metadata = self._finished(camera.capture_metadata(wait=False), FRAME_TIMEOUT_S)
            settling = settling.after(metadata)
        self._tells_exposure = {"SensorTimestamp", "ExposureTime"} <= metadata.keys()
        camera.set_controls(controls_that_hold(known, metadata))
        image_bgr = self._take(FRAME_TIMEOUT_S)
        self._brightness = brightness(image_bgr)
        return image_bgr

    def _take(self, timeout_s: float) -> Image:
        camera = self._picamera2
        if self._tells_exposure:
            request = self._finished(camera.capture_request(wait=False, flush=True), timeout_s)
        else:
            # It does not say when an exposure began: pass over all that may be under way.
            for _ in range(BUFFERS + 1):
                self._finished(camera.capture_request(wait=False), timeout_s).release()
            request = self._finished(camera.capture_request(wait=False), timeout_s)
        try:
            array = request.make_array("main")
        finally:
            request.release()
        image_bgr = to_bgr(array, self._format, self._size_wh)
        return half_turned(image_bgr) if self._wiring.upside_down else image_bgr

    def _finished(self, job: Any, timeout_s: float) -> Any:
        try:
            return self._picamera2.wait(job, timeout=timeout_s)
        except (TimeoutError, CancelledError) as error:
            self._picamera2.cancel_all_and_flush()
            raise silent(self._wiring.place) from error


def open_picamera(
    wiring: CameraWiring,
    *,
    make: Callable[[int], Any] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> PicameraCamera:
    """Open, start and settle a camera at the ribbon cable.

    Args:
        wiring: which one, and the size of its pictures.
        make: gives the ``Picamera2`` of a number; None: that of the package.
        clock: gives monotonic seconds.

    Raises:
        CameraError: There is none, it is used by another program, or it does not start.
    """
    with _as_camera_error(wiring.place):
        picamera2 = (make or _make_picamera2)(wiring.number)
    try:
        return PicameraCamera(picamera2, wiring, clock=clock)
    except CameraError:
        with suppress(Exception):
            picamera2.close()
        raise


def silent(place: str) -> CameraError:
    """The error of a camera that sends no picture."""
    return CameraError(
        "camera-silent",
        "the camera does not answer: check both ends of its cable, then press SCAN again",
        place,
    )


def _make_picamera2(number: int) -> Any:
    from picamera2 import Picamera2

    # Each failed attempt to make one leaves a pipe open; a missing camera is tried for ever.
    if number >= len(Picamera2.global_camera_info()):
        raise IndexError(number)
    return Picamera2(number)


class _as_camera_error:  # noqa: N801 - reads as what it does, like contextlib.suppress
    """Inside, errors of picamera2 and libcamera become ``CameraError``."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, CameraError):
            raise _camera_error(error, self._place) from error


def _camera_error(error: Exception, place: str) -> CameraError:
    said = " ".join(f"{error.__cause__ or error}".split())
    if isinstance(error, ImportError):
        what = (
            f"the package '{error.name}' is missing: install python3-picamera2 with apt, "
            "or choose another kind of camera"
        )
        return CameraError("camera-driver-missing", what, place)
    if isinstance(error, IndexError):
        what = (
            "no camera was found: switch off, push the ribbon cable in at both ends, contacts "
            "towards the board, then switch on"
        )
        return CameraError("camera-missing", what, place)
    if isinstance(error, PermissionError):
        what = "no permission for the camera: add the user to the group video, then log in again"
        return CameraError("camera-no-permission", what, place)
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        what = "the memory for pictures is used up: set a smaller picture size, then start again"
        return CameraError("camera-no-memory", what, place)
    if getattr(error, "errno", None) == errno.EBUSY or "busy" in said or "acquire" in said:
        what = "another program uses the camera: end it, then try again"
        return CameraError("camera-busy", what, place)
    what = f"the camera failed ({said or type(error).__name__}): switch off and on again"
    return CameraError("camera-broken", what, place)
