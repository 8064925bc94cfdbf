"""A ``Picamera2`` as its source describes it, as far as the scanner uses it."""

from collections import Counter
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError

import cv2
import numpy as np

MODULE_3_CONTROLS = (
    "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "AfMode",
    "LensPosition", "FrameDurationLimits", "NoiseReductionMode",
)  # fmt: skip
"""Some of those that a Camera Module 3 advertises; one with a fixed lens lacks the ``Af`` ones."""

FRAME_NS = 33_000_000


def memory_of(image_bgr, pixel_format):
    """The array that picamera2's ``make_array`` gives for a picture in a format.

    libcamera names formats by little-endian numbers: ``RGB888`` is blue, green, red in memory.
    """
    height, width = image_bgr.shape[:2]
    image_rgb = image_bgr[:, :, ::-1]
    padding = np.zeros((height, width, 1), np.uint8)
    match pixel_format:
        case "RGB888":
            return image_bgr.copy()
        case "BGR888" | "MJPEG":
            return image_rgb.copy()
        case "XRGB8888" | "XBGR8888":
            colours = image_bgr if pixel_format == "XRGB8888" else image_rgb
            return np.concatenate([colours, padding], axis=2)
        case "YUV420":
            return cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_I420)
        case "YVU420":
            return cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_YV12)
        case "NV12" | "NV21":
            planar = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_I420).reshape(-1)
            luma, chroma = np.split(planar, [width * height])
            first, second = np.split(chroma, 2)
            pair = (first, second) if pixel_format == "NV12" else (second, first)
            return np.concatenate([luma, np.stack(pair, axis=1).reshape(-1)]).reshape(-1, width)
    return image_bgr[:, :, 0].copy()  # that of a sensor, which nobody else understands


class FakeRequest:
    """A completed request: a picture and what is known about it."""

    def __init__(self, camera, array, metadata):
        self._camera = camera
        self._array = array
        self._metadata = metadata
        self.released = False

    def make_array(self, name):
        assert name == "main"
        assert not self.released
        return self._array

    def get_metadata(self):
        return self._metadata

    def release(self):
        assert not self.released
        self.released = True
        self._camera.held -= 1


class FakePicamera2:
    """Camera that looks at a picture, in a light that may change.

    Args:
        scene_bgr: Picture with exposure and gain found.
        controls: Names of the controls that it advertises.
        gives_format: Pixel format that it gives; None for the one that was asked for.
        tells_exposure: True if metadata have the time of the exposure.
        clock_ns: Monotonic clock in nanoseconds; each frame comes after it.
    """

    def __init__(
        self,
        scene_bgr,
        *,
        controls=MODULE_3_CONTROLS,
        gives_format=None,
        tells_exposure=True,
        clock_ns=lambda: 0,
    ):
        self.scene_bgr = scene_bgr
        self.camera_controls = dict.fromkeys(controls, (0, 1, 0))
        self.camera_properties = {"Model": "imx708"}
        self.gives_format = gives_format
        self.tells_exposure = tells_exposure
        self.clock_ns = clock_ns
        self.calls = Counter()
        self.set = {}
        self.light = 1.0
        self.exposed_for = 1.0
        self.configuration = None
        self.streaming = False
        self.is_open = True
        self.silent = False
        self.fails = {}
        self.held = 0
        self.frame_ns = 0
        self.jobs = []

    def create_still_configuration(self, main, raw, buffer_count):
        assert raw is None
        self.asked = main
        return {"main": dict(main), "buffer_count": buffer_count}

    def configure(self, configuration):
        self._call("configure")
        self.configuration = configuration
        main = configuration["main"]
        height, width = self.scene_bgr.shape[:2]
        main["size"] = (width, height)
        main["format"] = self.gives_format or main["format"]

    def camera_configuration(self):
        return self.configuration

    def start(self):
        self._call("start")
        self.streaming = True

    def set_controls(self, controls):
        for name, value in controls.items():
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self.set[name] = value

    def capture_metadata(self, wait):
        self._call("capture_metadata")
        return self._job(lambda: self._next_frame().get_metadata(), wait, holds=False)

    def capture_request(self, wait, flush=None):
        self._call("capture_request")

        def take():
            request = self._next_frame()
            if flush:
                after_ns = self.clock_ns()
                metadata = request.get_metadata()
                while metadata["SensorTimestamp"] - 1000 * metadata["ExposureTime"] < after_ns:
                    request = self._next_frame()
                    metadata = request.get_metadata()
            self.last_request_ns = self.frame_ns
            return request

        return self._job(take, wait, holds=True)

    def wait(self, job, timeout):
        assert timeout is not None
        if not job.done():
            raise FutureTimeoutError
        return job.result()

    def cancel_all_and_flush(self):
        self._call("cancel")
        self.jobs.clear()

    def close(self):
        self._call("close")
        self.streaming = self.is_open = False

    def _call(self, name):
        self.calls[name] += 1
        if name in self.fails:
            raise self.fails[name]

    def _job(self, work, wait, *, holds):
        assert wait is False, "a call that may wait for ever"
        assert self.streaming
        if self.held >= self.configuration["buffer_count"]:
            raise AssertionError("all buffers are held: the stream stands still")
        job = Future()
        self.jobs.append(job)
        if self.silent:
            return job
        try:
            job.set_result(work())
            self.held += holds
        except Exception as error:  # noqa: BLE001 - as Picamera2 does
            job.set_exception(error)
        return job

    def _next_frame(self):
        self.frame_ns += FRAME_NS
        if self.set.get("AeEnable", True):
            # Exposure follows the light over some frames
            self.exposed_for += (self.light - self.exposed_for) * 0.5
        factor = self.light / self.exposed_for
        picture = np.clip(self.scene_bgr * factor, 0, 255).astype(np.uint8)
        array = memory_of(picture, self.configuration["main"]["format"])
        metadata = {"AnalogueGain": 1.0, "ColourGains": (1.8, 1.5), "LensPosition": 2.0}
        if self.tells_exposure:
            metadata |= {
                "SensorTimestamp": self.frame_ns,
                "ExposureTime": int(10_000 / self.exposed_for),
            }
        return FakeRequest(self, array, metadata)
