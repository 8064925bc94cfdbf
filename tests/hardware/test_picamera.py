"""The camera at the ribbon cable, on a fake that refuses what picamera2 refuses."""

import sys

import numpy as np
import pytest

from hardware.camera import CameraWiring
from hardware.camera.picamera import open_picamera
from hardware.camera.settling import MOST_FRAMES
from hardware.errors import CameraError
from tests.hardware.fake_picamera2 import FRAME_NS, MODULE_3_CONTROLS, FakePicamera2

FIXED_FOCUS = tuple(name for name in MODULE_3_CONTROLS if name not in {"AfMode", "LensPosition"})


def scene():
    """Blue at the left, red at the right, brighter at the top."""
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[:, :48, 0] = 90
    picture[:, 48:, 2] = 90
    picture[:32] += 20
    return picture


def opened(fake, **wiring):
    return open_picamera(CameraWiring(**wiring), make=lambda _number: fake, clock=lambda: 5.0)


def mean_error(one, other):
    return np.abs(one.astype(int) - other.astype(int)).mean()


def test_a_picture_is_what_the_camera_sees_blue_first():
    camera = opened(FakePicamera2(scene()))
    frame = camera.capture(1.0)
    assert np.array_equal(frame.image_bgr, scene())
    assert frame.taken_s == 5.0
    assert not frame.settled_anew
    assert camera.size_wh == (96, 64)


def test_it_asks_for_the_size_of_the_wiring_and_takes_what_it_is_given():
    fake = FakePicamera2(scene())
    asked = []
    create = fake.create_still_configuration

    def noted(main, **others):
        asked.append(main["size"])
        return create(main=main, **others)

    fake.create_still_configuration = noted
    camera = opened(fake, size_wh=(4608, 2592))
    assert asked == [(4608, 2592)]
    assert camera.size_wh == (96, 64)


def test_the_exposure_begins_after_the_call():
    now_ns = [0]
    fake = FakePicamera2(scene(), clock_ns=lambda: now_ns[0])
    camera = opened(fake)
    now_ns[0] = fake.frame_ns + 10 * FRAME_NS
    camera.capture(1.0)
    assert fake.last_request_ns - FRAME_NS < now_ns[0] + 2 * FRAME_NS
    assert fake.last_request_ns > now_ns[0]


def test_a_camera_that_does_not_tell_exposures_still_gives_a_later_frame():
    fake = FakePicamera2(scene(), tells_exposure=False)
    camera = opened(fake)
    before_ns = fake.frame_ns
    camera.capture(1.0)
    buffers = fake.configuration["buffer_count"]
    assert fake.frame_ns - before_ns > buffers * FRAME_NS


def test_upside_down_turns_the_picture_by_half():
    camera = opened(FakePicamera2(scene()), upside_down=True)
    assert np.array_equal(camera.capture(1.0).image_bgr, scene()[::-1, ::-1])


def test_a_picture_belongs_to_whoever_asked_for_it():
    fake = FakePicamera2(scene())
    camera = opened(fake)
    first = camera.capture(1.0).image_bgr
    first[:] = 0
    assert np.array_equal(camera.capture(1.0).image_bgr, scene())
    assert fake.held == 0


class TestSettling:
    def test_everything_is_held_once_it_was_found(self):
        fake = FakePicamera2(scene())
        fake.light = 4.0
        opened(fake)
        assert fake.set["AeEnable"] is False
        assert fake.set["AwbEnable"] is False
        assert fake.set["AfMode"] == 0
        assert fake.set["ColourGains"] == (1.8, 1.5)
        assert fake.set["LensPosition"] == 2.0
        assert fake.set["ExposureTime"] == pytest.approx(10_000 / 4, rel=0.05)

    @pytest.mark.parametrize(
        "controls",
        [FIXED_FOCUS, ("AwbEnable", "FrameDurationLimits"), ("ExposureTime", "AnalogueGain"), ()],
    )
    def test_a_control_that_is_not_advertised_is_left_alone(self, controls):
        fake = FakePicamera2(scene(), controls=controls)
        camera = opened(fake)
        assert set(fake.set) <= set(controls)
        assert np.array_equal(camera.capture(1.0).image_bgr, scene())

    def test_exposure_stays_automatic_where_it_cannot_be_set(self):
        fake = FakePicamera2(scene(), controls=("AeEnable", "AnalogueGain"))
        opened(fake)
        assert fake.set["AeEnable"] is True

    def test_it_does_not_settle_for_ever(self):
        fake = FakePicamera2(scene())
        flickering = iter(range(10_000))
        take = fake._next_frame

        def flicker():
            request = take()
            request._metadata["LensPosition"] = float(1 + next(flickering) % 7)
            return request

        fake._next_frame = flicker
        opened(fake)
        assert fake.calls["capture_metadata"] == MOST_FRAMES

    def test_the_same_light_is_the_same_exposure_for_every_picture(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        frames = [camera.capture(1.0) for _ in range(20)]
        assert not any(frame.settled_anew for frame in frames)
        assert fake.calls["configure"] == 1

    @pytest.mark.parametrize("light", [0.3, 2.5])
    def test_in_another_light_it_settles_anew_and_says_so(self, light):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        camera.capture(1.0)
        fake.light = light
        frame = camera.capture(1.0)
        assert frame.settled_anew
        assert mean_error(frame.image_bgr, scene()) < 3
        assert not camera.capture(1.0).settled_anew
        assert fake.calls["configure"] == 1

    def test_a_light_that_never_settles_does_not_hold_up_the_picture(self):
        fake = FakePicamera2(scene())
        frame_s = 0.25

        def now_s():
            return fake.frame_ns / FRAME_NS * frame_s

        camera = open_picamera(CameraWiring(), make=lambda _number: fake, clock=now_s)
        take, count = fake._next_frame, iter(range(10_000))

        def flicker():
            request = take()
            request._metadata["ExposureTime"] = 5_000 + 700 * (next(count) % 5)
            return request

        fake._next_frame = flicker
        fake.light = 3.0
        asked_s = now_s()
        assert camera.capture(5.0).settled_anew
        assert now_s() - asked_s <= 5.0

    def test_a_little_more_light_changes_nothing(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        fake.light = 1.2
        assert not camera.capture(1.0).settled_anew


class TestWhatCanGoWrong:
    def test_a_silent_camera_is_given_up_and_its_job_cancelled(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        fake.silent = True
        with pytest.raises(CameraError, match="does not answer: check both ends") as caught:
            camera.capture(0.5)
        assert caught.value.code == "camera-silent"
        assert fake.jobs == []

    def test_a_camera_that_is_silent_from_the_start_is_closed(self):
        fake = FakePicamera2(scene())
        fake.silent = True
        with pytest.raises(CameraError) as caught:
            opened(fake)
        assert caught.value.code == "camera-silent"
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
    def test_each_error_of_the_driver_says_what_to_do(self, error, code):
        def make(_number):
            raise error

        with pytest.raises(CameraError) as caught:
            open_picamera(CameraWiring(number=1), make=make)
        assert caught.value.code == code
        assert caught.value.where == "camera 1"
        assert ": " in caught.value.message
        assert "\n" not in caught.value.message

    def test_a_cause_is_told_rather_than_its_wrapping(self):
        def make(_number):
            cause = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause

        with pytest.raises(CameraError) as caught:
            open_picamera(CameraWiring(), make=make)
        assert caught.value.code == "camera-busy"

    def test_a_buffer_is_given_back_even_if_its_picture_is_of_no_use(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        fake.configuration["main"]["format"] = "RGB888"
        camera._format = "R10_CSI2P"
        with pytest.raises(CameraError, match="which is not understood") as caught:
            camera.capture(1.0)
        assert caught.value.code == "camera-format"
        assert fake.held == 0

    def test_closing_twice_closes_once_and_then_it_says_so(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        camera.close()
        camera.close()
        assert fake.calls["close"] == 1
        with pytest.raises(CameraError, match="open it again") as caught:
            camera.capture(1.0)
        assert caught.value.code == "camera-closed"

    def test_closing_a_broken_camera_says_nothing(self):
        fake = FakePicamera2(scene())
        camera = opened(fake)
        fake.fails["close"] = RuntimeError("Camera in Running state trying acquire()")
        camera.close()

    def test_without_the_package_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "picamera2", None)
        with pytest.raises(CameraError, match="'picamera2' is missing: install") as caught:
            open_picamera(CameraWiring())
        assert caught.value.code == "camera-driver-missing"

    def test_no_camera_is_looked_for_without_leaving_anything_open(self, monkeypatch):
        class Picamera2:
            def __init__(self, number):
                raise AssertionError("made without need")

            @staticmethod
            def global_camera_info():
                return []

        monkeypatch.setitem(sys.modules, "picamera2", type(sys)("picamera2"))
        monkeypatch.setattr(sys.modules["picamera2"], "Picamera2", Picamera2, raising=False)
        with pytest.raises(CameraError, match="no camera was found: switch off") as caught:
            open_picamera(CameraWiring())
        assert caught.value.code == "camera-missing"
