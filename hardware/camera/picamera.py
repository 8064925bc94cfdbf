"""A camera at the ribbon cable, through picamera2 and libcamera.

It is configured once and streams for as long as it is open: each switch of modes costs memory
that the camera's pool does not always give back. A picture is a request of the stream whose
exposure began after it was asked for. Exposure, white balance and focus are found once the
stream runs and then held, so that two pictures of an unmoved table differ by the tiles alone;
they are found anew only when the light has clearly changed.

Names of controls, metadata and pixel formats are libcamera's. A camera advertises which controls
it has; no other is ever set, since that is an error and not all cameras have autofocus or exposure
control. libcamera names a format by the bits of a little-endian number, so the bytes of ``RGB888``
lie in memory as blue, green, red: just what OpenCV expects. Taking the name literally would swap
the colours.
"""

import errno
import time
from collections.abc import Callable, Iterator, Mapping, Set
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera.frame import (
    Frame,
    Image,
    brightness,
    check_open,
    half_turned,
    light_changed,
    silent_error,
)
from hardware.errors import N_, CameraError, error_reason
from hardware.settings import CameraSettings

PIXEL_FORMAT: Final = "RGB888"
"""Pixel format to ask for; any other that the camera gives is converted."""

BUFFERS: Final = 2
"""Frame buffers: one is read while the other fills; each takes 9 MB, of the full sensor 36 MB."""

FRAME_TIMEOUT_S: Final = 5.0
"""Longest wait for one frame while settling; none takes half a second, even of the largest sensors
at full size."""

SETTLE_LIMIT_S: Final = 10.0
"""Longest settling after opening."""

MIN_FRAMES: Final = 8
"""Minimum number of frames before settling is judged; exposure and focus start only after some."""

MAX_FRAMES: Final = 60
SETTLED_FRAMES: Final = 5
"""Similar frames in a row after which exposure and focus have settled."""

MAX_SETTLED_CHANGE: Final = 0.02
"""Largest relative change from frame to frame of a value that has settled."""

LONGEST_FRAME_US: Final = 250_000
"""Maximum exposure: a dim room needs a quarter of a second; with more, everything blurs."""

_FAST_US, _SLOW_US = 33_333, 200_000
"""Shortest time from frame to frame: while exposure and focus settle, and afterwards, which saves
power."""

_AF_MANUAL, _AF_CONTINUOUS = 0, 2

_WATCHED: Final = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")

_FINDING: Final[Mapping[str, object]] = {
    "AeEnable": True,
    "AwbEnable": True,
    "AfMode": _AF_CONTINUOUS,
    "FrameDurationLimits": (_FAST_US, LONGEST_FRAME_US),
}
"""Controls that let the camera find exposure, white balance and focus."""

_HELD: Final[Mapping[tuple[str, object], tuple[str, ...]]] = {
    ("AeEnable", False): ("ExposureTime", "AnalogueGain"),
    ("AwbEnable", False): ("ColourGains",),
    ("AfMode", _AF_MANUAL): ("LensPosition",),
}
"""Controls that switch off automatic exposure, white balance and focus, each with the values to set
in its place."""

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
"""OpenCV conversion by pixel format; MJPEG means an array which picamera2 has decoded."""


_NO_CAMERA: Final = ("No camera number", "Camera(s) not found")
"""Message of picamera2 for a camera that has gone since the cameras were counted."""


class PicameraCamera:
    """A camera behind picamera2; ``open_picamera`` makes one.

    Args:
        picamera2: Open ``Picamera2``, not yet configured.
        settings: Connection of the camera.
        clock: Function that returns monotonic seconds.
    """

    def __init__(
        self, picamera2: Any, settings: CameraSettings, clock: Callable[[], float]
    ) -> None:
        self._picamera2 = picamera2
        self._settings = settings
        self._clock = clock
        self._closed = False
        self._sensor = str(picamera2.camera_properties.get("Model", ""))
        with _as_camera_error(settings.where):
            self._start()
            self._settle(SETTLE_LIMIT_S)

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call."""
        check_open(self._settings.where, closed=self._closed)
        asked_s = self._clock()
        until_s = asked_s + timeout_s
        with _as_camera_error(self._settings.where):
            image_bgr = self._take(timeout_s)
            if not light_changed(self._brightness, brightness(image_bgr)):
                return Frame(image_bgr, asked_s, sensor=self._sensor)
            asked_s = self._clock()
            image_bgr = self._settle((until_s - asked_s) / 2)
            return Frame(image_bgr, asked_s, settled_anew=True, sensor=self._sensor)

    def close(self) -> None:
        """Cancel what is under way, stop the stream and free the camera."""
        if self._closed:
            return
        self._closed = True
        # Errors do not matter: the camera is released in any case
        with suppress(Exception):
            self._picamera2.cancel_all_and_flush()
        with suppress(Exception):
            self._picamera2.close()

    def _start(self) -> None:
        camera = self._picamera2
        camera.configure(
            camera.create_still_configuration(
                main={"size": self._settings.size_wh, "format": PIXEL_FORMAT},
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
            limit_s: Longest search, in seconds; in the dark that takes many seconds, and what has
                been found by then is better than no picture.
        """
        camera = self._picamera2
        known = frozenset(camera.camera_controls)
        camera.set_controls({name: _FINDING[name] for name in _FINDING if name in known})
        until_s = self._clock() + limit_s
        metadata: Mapping[str, Any] = {}
        last: tuple[float, ...] = ()
        frames = settled = 0
        while frames < MAX_FRAMES and (frames < MIN_FRAMES or settled < SETTLED_FRAMES):
            if frames and self._clock() >= until_s:
                break
            metadata = self._wait_for(camera.capture_metadata(wait=False), FRAME_TIMEOUT_S)
            values = _watched_values(metadata)
            frames, settled = frames + 1, settled + 1 if _alike(last, values) else 0
            last = values
        self._reports_exposure = {"SensorTimestamp", "ExposureTime"} <= metadata.keys()
        camera.set_controls(controls_that_hold(known, metadata))
        image_bgr = self._take(FRAME_TIMEOUT_S)
        self._brightness = brightness(image_bgr)
        return image_bgr

    def _take(self, timeout_s: float) -> Image:
        camera = self._picamera2
        if self._reports_exposure:
            request = self._wait_for(camera.capture_request(wait=False, flush=True), timeout_s)
        else:
            # It does not report when an exposure began: skip all that may be under way.
            for _ in range(BUFFERS + 1):
                self._wait_for(camera.capture_request(wait=False), timeout_s).release()
            request = self._wait_for(camera.capture_request(wait=False), timeout_s)
        try:
            array = request.make_array("main")
        finally:
            request.release()
        image_bgr = to_bgr(array, self._format, self._size_wh)
        return half_turned(image_bgr) if self._settings.upside_down else image_bgr

    def _wait_for(self, job: Any, timeout_s: float) -> Any:
        try:
            return self._picamera2.wait(job, timeout=timeout_s)
        except (TimeoutError, CancelledError) as error:
            self._picamera2.cancel_all_and_flush()
            raise silent_error(self._settings.where) from error


def open_picamera(
    settings: CameraSettings,
    *,
    make: Callable[[int], Any] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> PicameraCamera:
    """Open, start and settle a camera at the ribbon cable.

    Args:
        settings: Camera to open, and the size of its pictures.
        make: Function that returns a ``Picamera2`` by number; None for the package's.
        clock: Function that returns monotonic seconds.

    Raises:
        CameraError: There is none, it is used by another program, or it does not start.
    """
    with _as_camera_error(settings.where):
        picamera2 = (make or _make_picamera2)(settings.number)
    try:
        return PicameraCamera(picamera2, settings, clock)
    except CameraError:
        with suppress(Exception):
            picamera2.close()
        raise


def controls_that_hold(known: Set[str], metadata: Mapping[str, Any]) -> dict[str, object]:
    """Return the controls that hold exposure and focus as found.

    An algorithm is switched off only if its values can be set in its place: a camera left without
    both would take black pictures.

    Args:
        known: Names of the controls that the camera advertises.
        metadata: Metadata of the last frame.
    """
    held: dict[str, object] = {}
    for (switch, off), values in _HELD.items():
        if switch in known and all(name in known and name in metadata for name in values):
            held[switch] = off
            held.update({name: metadata[name] for name in values})
    if "FrameDurationLimits" in known:
        held["FrameDurationLimits"] = (_SLOW_US, LONGEST_FRAME_US)
    return held


def to_bgr(array: NDArray[np.uint8], pixel_format: str, size_wh: tuple[int, int]) -> Image:
    """Return the picture of a driver's array, blue first.

    Args:
        array: Pixels as ``picamera2`` gives them for that format: (height, width, 3 or 4) for
            colours, (3/2 height, stride) for the planar ones, (height, stride / 2, 2) for YUYV.
        pixel_format: Name of its format in libcamera.
        size_wh: Width and height in pixels of the picture without the padding of its rows.

    Returns:
        ``uint8`` of shape (height, width, 3), an array of its own.

    Raises:
        CameraError: ``camera-format``: the format is unknown.
    """
    import cv2

    if pixel_format not in _OPENCV_CONVERSIONS:
        raise CameraError(
            "camera-format",
            "the camera gives {format}, which is not understood: use another camera",
            pixel_format,
            format=pixel_format,
        )
    conversion = _OPENCV_CONVERSIONS[pixel_format]
    width, height = size_wh
    if conversion is not None:
        converted = cv2.cvtColor(np.ascontiguousarray(array), getattr(cv2, conversion))
        array = np.asarray(converted, np.uint8)
    return np.array(array[:height, :width], order="C")


def _watched_values(metadata: Mapping[str, Any]) -> tuple[float, ...]:
    found = [metadata[name] for name in _WATCHED if metadata.get(name) is not None]
    return tuple(float(value) for each in found for value in np.atleast_1d(each))


def _alike(before: tuple[float, ...], now: tuple[float, ...]) -> bool:
    if len(before) != len(now):
        return False
    return all(
        abs(a - b) <= MAX_SETTLED_CHANGE * max(abs(a), abs(b))
        for a, b in zip(before, now, strict=True)
    )


def _make_picamera2(number: int) -> Any:
    from picamera2 import Picamera2

    # Each failed attempt to make one leaves a pipe open; a missing camera is tried for ever.
    if number >= len(Picamera2.global_camera_info()):
        raise IndexError(number)
    return Picamera2(number)


@contextmanager
def _as_camera_error(where: str) -> Iterator[None]:
    """Turn errors of picamera2 and libcamera into ``CameraError``."""
    try:
        yield
    except CameraError:
        raise
    except Exception as error:
        raise _camera_error(error, where) from error


def _with_causes(error: BaseException) -> list[BaseException]:
    """Return an error and its causes, the original one last.

    picamera2 puts errors of its own before those of libcamera, up to 0.3.31 without ``from``.
    """
    chain = [error]
    while isinstance(chain[-1], RuntimeError):
        cause = chain[-1].__cause__ or chain[-1].__context__
        if cause is None or isinstance(cause, CameraError) or cause in chain:
            break
        chain.append(cause)
    return chain


def _camera_error(error: Exception, where: str) -> CameraError:
    chain = _with_causes(error)
    message = " ".join(f"{chain[-1]}".split())
    number = getattr(chain[-1], "errno", None)
    if isinstance(error, ImportError):
        code = "camera-driver-missing"
        template = N_(
            "the package '{package}' is missing: sudo apt install python3-picamera2, "
            "or choose another kind of camera"
        )
    elif isinstance(error, IndexError) or any(words in message for words in _NO_CAMERA):
        code = "camera-missing"
        template = N_(
            "no camera was found: switch off, push the ribbon cable in at both ends, contacts "
            "towards the board, then switch on"
        )
    elif isinstance(chain[-1], PermissionError):
        code = "camera-no-permission"
        template = N_("no permission for the camera: sudo adduser $USER video, then log in again")
    elif isinstance(chain[-1], MemoryError) or number == errno.ENOMEM:
        code = "camera-no-memory"
        template = N_(
            "the memory for pictures is used up: set a smaller picture size, then start again"
        )
    elif number == errno.EBUSY or "busy" in message or "acquire" in message:
        code = "camera-busy"
        template = N_("another program uses the camera: end it, then try again")
    else:
        code = "camera-broken"
        template = N_("the camera failed ({reason}): switch off and on again")
    package = getattr(error, "name", None)
    return CameraError(code, template, where, reason=error_reason(chain[-1]), package=str(package))
