"""The camera at the ribbon cable, on a fake that refuses what picamera2 refuses."""

import sys
from itertools import pairwise

import cv2
import numpy as np
import pytest

from hardware.camera.picamera import MAX_FRAMES, open_picamera, to_bgr
from hardware.errors import CameraError
from hardware.settings import CameraSettings
from tests.hardware.fake_picamera2 import FRAME_NS, MODULE_3_CONTROLS, FakePicamera2, memory_of
from tests.refusals import refused

FIXED_FOCUS = tuple(name for name in MODULE_3_CONTROLS if name not in {"AfMode", "LensPosition"})


def scene():
    """Blue at the left, red at the right, brighter at the top."""
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[:, :48, 0] = 90
    picture[:, 48:, 2] = 90
    picture[:32] += 20
    return picture


@pytest.fixture
def fake():
    return FakePicamera2(scene())


def opened(fake, clock=lambda: 5.0, **settings):
    return open_picamera(CameraSettings(**settings), make=lambda _number: fake, clock=clock)


def flickers(fake, name, values):
    """Give each further frame the next one of these values."""
    take, count = fake._next_frame, iter(range(10_000))

    def flicker():
        request = take()
        request._metadata[name] = values[next(count) % len(values)]
        return request

    fake._next_frame = flicker


def test_picture_is_bgr_and_owned_by_its_caller(fake):
    camera = opened(fake)
    frame = camera.capture(1.0)
    assert np.array_equal(frame.image_bgr, scene())
    assert (frame.taken_s, frame.settled_anew) == (5.0, False)
    frame.image_bgr[:] = 0
    assert np.array_equal(camera.capture(1.0).image_bgr, scene())
    assert camera.capture(1.0).sensor == "imx708"
    fake.light = 4.0
    assert camera.capture(1.0).sensor == "imx708"


def test_camera_asks_for_size_and_takes_what_it_gets(fake):
    camera = opened(fake, size_wh=(4608, 2592))
    assert fake.asked["size"] == (4608, 2592)
    assert camera.capture(1.0).image_bgr.shape == (64, 96, 3)
    camera = opened(fake, upside_down=True)
    assert np.array_equal(camera.capture(1.0).image_bgr, scene()[::-1, ::-1])


def test_the_exposure_begins_after_the_call(fake):
    camera = opened(fake)
    now_ns = fake.frame_ns + 10 * FRAME_NS
    fake.clock_ns = lambda: now_ns
    camera.capture(1.0)
    assert now_ns < fake.last_request_ns < now_ns + 3 * FRAME_NS


def test_a_camera_that_does_not_tell_exposures_still_gives_a_later_frame():
    fake = FakePicamera2(scene(), tells_exposure=False)
    camera = opened(fake)
    before_ns = fake.frame_ns
    camera.capture(1.0)
    assert fake.frame_ns - before_ns > fake.configuration["buffer_count"] * FRAME_NS


def raised(error):
    raise error


def failure(*text, by):
    """An error that has others behind it, each as the cause or context of the one before."""
    errors = [RuntimeError(each) for each in text]
    for error, reason in pairwise(errors):
        setattr(error, by, reason)
    return errors[0]


class TestSettling:
    def test_everything_is_held_once_it_was_found(self, fake):
        fake.light = 4.0
        opened(fake)
        expected = {"AeEnable": False, "AwbEnable": False, "AfMode": 0}
        expected |= {"ColourGains": (1.8, 1.5), "LensPosition": 2.0}
        assert expected.items() <= fake.set.items()
        assert fake.set["ExposureTime"] == pytest.approx(10_000 / 4, rel=0.05)

    @pytest.mark.parametrize(
        "controls",
        [
            FIXED_FOCUS, ("AwbEnable", "FrameDurationLimits"), ("ExposureTime", "AnalogueGain"),
            ("AeEnable", "AnalogueGain"), (),
        ],
    )  # fmt: skip
    def test_unadvertised_or_unholdable_control_is_left_alone(self, controls):
        fake = FakePicamera2(scene(), controls=controls)
        camera = opened(fake)
        assert set(fake.set) <= set(controls)
        assert fake.set.get("AeEnable", True) is (controls != FIXED_FOCUS)
        assert np.array_equal(camera.capture(1.0).image_bgr, scene())

    def test_camera_that_flickers_ends_settling(self, fake):
        flickers(fake, "LensPosition", [float(position) for position in range(1, 8)])
        opened(fake)
        assert fake.calls["capture_metadata"] == MAX_FRAMES

    @pytest.mark.parametrize("light", [0.3, 2.5])
    def test_in_another_light_it_settles_anew_and_says_so(self, fake, light):
        camera = opened(fake)
        assert not camera.capture(1.0).settled_anew
        fake.light = light
        frame = camera.capture(1.0)
        assert frame.settled_anew
        assert np.abs(frame.image_bgr.astype(int) - scene().astype(int)).mean() < 3
        assert not camera.capture(1.0).settled_anew

    def test_a_little_more_light_changes_nothing(self, fake):
        camera = opened(fake)
        fake.light = 1.2
        assert not camera.capture(1.0).settled_anew

    def test_a_light_that_never_settles_does_not_hold_up_the_picture(self, fake):
        frame_s = 0.25

        def now_s():
            return fake.frame_ns / FRAME_NS * frame_s

        camera = opened(fake, clock=now_s)
        flickers(fake, "ExposureTime", range(5_000, 8_500, 700))
        fake.light = 3.0
        asked_s = now_s()
        assert camera.capture(5.0).settled_anew
        assert now_s() - asked_s <= 5.0


class TestWhatCanGoWrong:
    def test_a_camera_that_is_silent_from_the_start_is_closed(self, fake):
        fake.silent = True
        with refused("camera-silent", "does not answer: check both ends"):
            opened(fake)
        assert not fake.is_open

    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (IndexError("list index out of range"), "camera-missing"),
            (RuntimeError("Camera __init__ sequence did not complete."), "camera-broken"),
            (RuntimeError("Failed to acquire camera: Device or resource busy"), "camera-busy"),
            (OSError(16, "Device or resource busy"), "camera-busy"),
            (OSError(12, "Cannot allocate memory"), "camera-no-memory"),
            (MemoryError(), "camera-no-memory"),
            (PermissionError(13, "Permission denied"), "camera-no-permission"),
            (ModuleNotFoundError("No module named 'picamera2'", name="picamera2"),
             "camera-driver-missing"),
            (KeyError("SensorTimestamp"), "camera-broken"),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("is_wrapped", [False, True])
    def test_each_error_of_the_driver_says_what_to_do(self, error, code, is_wrapped):
        def make(_number):
            if is_wrapped and isinstance(error, RuntimeError):
                raise RuntimeError("Camera __init__ sequence did not complete.") from error
            raise error

        with refused(code) as caught:
            open_picamera(CameraSettings(number=1), make=make)
        assert caught.value.where == "camera 1"

    @pytest.mark.parametrize("by", ["__cause__", "__context__"])
    def test_busy_camera_is_told_through_all_errors_before_it(self, by):
        """picamera2 up to 0.3.31 raises without ``from``."""
        error = failure(
            "Camera __init__ sequence did not complete.",
            "Failed to initialize camera",
            "Failed to acquire camera: Device or resource busy",
            by=by,
        )
        with refused("camera-busy"):
            open_picamera(CameraSettings(), make=lambda _number: raised(error))

    def test_earlier_failure_of_ours_is_no_reason_of_the_next(self):
        error = RuntimeError("Camera __init__ sequence did not complete.")
        error.__context__ = CameraError("camera-busy", "device or resource busy", "camera")
        with refused("camera-broken"):
            open_picamera(CameraSettings(), make=lambda _number: raised(error))

    def test_camera_that_went_while_it_was_opened_is_missing(self):
        error = RuntimeError("No camera number 0 found - use rpicam-hello --list-cameras")
        with refused("camera-missing"):
            open_picamera(CameraSettings(), make=lambda _number: raised(error))

    def test_buffer_of_useless_picture_is_given_back(self, fake):
        fake.gives_format = "R10_CSI2P"
        with refused("camera-format", "gives R10_CSI2P, which is not understood"):
            opened(fake)
        assert fake.held == 0

    def test_closing_twice_closes_once_despite_errors(self, fake):
        camera = opened(fake)
        fake.fails["close"] = fake.fails["cancel"] = RuntimeError("Camera in Running state")
        camera.close()
        camera.close()
        assert fake.calls["close"] == 1
        with refused("camera-closed", "open it again"):
            camera.capture(1.0)

    def test_without_the_package_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "picamera2", None)
        with refused("camera-driver-missing", "'picamera2' is missing: sudo apt install"):
            open_picamera(CameraSettings())

        class Picamera2:
            def __init__(self, number):
                raise AssertionError("made without need")

            @staticmethod
            def global_camera_info():
                return []

        module = type(sys)("picamera2")
        module.Picamera2 = Picamera2
        monkeypatch.setitem(sys.modules, "picamera2", module)
        with refused("camera-missing", "no camera was found: switch off"):
            open_picamera(CameraSettings())


COLOURS_BGR = [(0, 0, 220), (0, 200, 0), (230, 0, 0), (60, 140, 220), (255, 255, 255)]


class TestPixelFormats:
    """Vertical stripes of plain colours, 16 pixels each, become blue, green, red."""

    STRIPES = np.repeat(np.repeat(np.array([COLOURS_BGR], np.uint8), 16, axis=1), 32, axis=0)

    @pytest.mark.parametrize(
        ("pixel_format", "padding"),
        [
            ("RGB888", 0), ("BGR888", 0), ("XRGB8888", 0), ("XBGR8888", 0), ("MJPEG", 0),
            ("YUV420", 0), ("YVU420", 0), ("NV12", 0), ("NV21", 0), ("RGB888", 48), ("YUV420", 48),
        ],
    )  # fmt: skip
    def test_a_picture_keeps_its_colours_without_the_padding_of_rows(self, pixel_format, padding):
        padded = np.concatenate([self.STRIPES, np.full((32, padding, 3), 7, np.uint8)], axis=1)
        memory = memory_of(padded, pixel_format)
        back = to_bgr(memory, pixel_format, (80, 32))
        memory[:] = 0  # the picture is no window into the driver
        assert (back.shape, back.dtype) == ((32, 80, 3), np.uint8)
        assert np.abs(back[16, 8::16].astype(int) - np.array(COLOURS_BGR)).max() <= 6

    def test_yuyv_keeps_its_colours(self):
        yuv = cv2.cvtColor(self.STRIPES, cv2.COLOR_BGR2YUV)
        packed = np.empty((32, 80, 2), np.uint8)
        packed[:, :, 0] = yuv[:, :, 0]
        packed[:, 0::2, 1] = yuv[:, 0::2, 1]
        packed[:, 1::2, 1] = yuv[:, 0::2, 2]
        # OpenCV's YUYV has a narrower range than its YUV: colours alone are compared
        back = to_bgr(packed, "YUYV", (80, 32))
        assert [int(np.argmax(colour)) for colour in back[16, 8:48:16]] == [2, 1, 0]
