"""Faults of the camera in the appliance; of its pictures see test_bad_images.py.

- None is there: see tests/hardware/test_supervised_camera.py and test_picamera.py.
- A capture never returns: it is given up, the camera is opened anew once, and if that does not
  help it is said. Meanwhile the buttons are listened to.
- It does not even stop. No heroics: the signs of life to the service manager cease, so that it
  starts the program anew.
- Its memory runs out, from many switches of modes or too many buffers: one configuration for life,
  few buffers; a picture is a request of the running stream that began after it was asked for, with
  exposure, white balance and focus held beforehand.
- Its "RGB888" comes as blue, green, red, and other formats come otherwise: there is one conversion
  at the boundary, and whatever the camera gives, red stays red for the eye.
"""

import threading

import numpy as np
import pytest

from firmware.appliance.camera_recovery import OPENING_TIMEOUT_S
from firmware.appliance.job_mode import PHOTO_TIMEOUT_S
from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.camera_service import CAPTURE_TIMEOUT_S, CameraService
from firmware.appliance.runner.tasks import TaskRunner
from firmware.base.problem import Problem
from hardware.buttons import Button, StandInButtons
from hardware.camera import Hang, StandInCamera, SupervisedCamera
from hardware.camera.picamera import open_picamera
from hardware.camera.supervised import CLOSE_LIMIT_S, GRACE_S, OPEN_LIMIT_S
from hardware.settings import CameraSettings
from tests.appliance.whole_appliance import OK, SCAN, HandClock, WholeAppliance
from tests.hardware.fake_picamera2 import FRAME_NS, FakePicamera2
from tests.hardware.impatience import LONG_S, until_caught
from tests.refusals import refused

PICTURE = np.full((48, 64, 3), 90, np.uint8)
RED_BGR = (10, 20, 210)


@pytest.fixture
def fake():
    return FakePicamera2(PICTURE)


def opened(fake):
    return open_picamera(CameraSettings(), make=lambda _number: fake)


@pytest.fixture
def hangs():
    made = [Hang(), Hang()]
    yield made
    for hang in made:
        hang.release()


def supervised(cameras, hangs):
    found = iter(cameras)
    return SupervisedCamera(lambda: next(found), clock=HandClock(), call=until_caught(*hangs))


class TestCaptureNeverReturns:
    def test_closing_cancels_the_job_of_picamera2(self, fake):
        camera = opened(fake)
        fake.silent = True
        with refused("camera-silent"):
            camera.capture(5.0)
        assert fake.jobs == []
        camera.close()
        assert not fake.is_open

    def test_the_buttons_are_listened_to_while_it_hangs(self, hangs):
        """The capture hangs on its own thread; the loop's thread goes on turning."""
        knock, calls, pictured = threading.Event(), [], []
        tasks = TaskRunner(knock.set, HandClock())
        cameras = [StandInCamera([hang]) for hang in hangs]
        desk = CameraService(lambda: supervised(cameras, hangs), tasks, calls.append)
        buttons = StandInButtons()
        button_desk = ButtonService(lambda: buttons)
        desk.capture(pictured.append)
        buttons.press(Button.OK)
        assert [event.button for event in button_desk.poll(1.0)] == [Button.OK]
        while not pictured:
            assert knock.wait(LONG_S)
            knock.clear()
            tasks.run_due()
        assert isinstance(pictured[0], Problem)
        assert pictured[0].code == "camera-silent"


class TestSlowCapture:
    def test_slow_camera_gives_its_picture_in_another_light_in_time(self):
        """Frames of the largest sensor; a slow board copies each picture, the third frame."""
        fake = FakePicamera2(PICTURE, clock_ns=lambda: fake.frame_ns + FRAME_NS)
        frame_s, copy_s = 0.4, 1.3

        def now_s():
            return fake.frame_ns / FRAME_NS * frame_s + fake.calls["capture_request"] * copy_s

        camera = open_picamera(CameraSettings(), make=lambda _number: fake, clock=now_s)
        fake.light = 3.0
        asked_s = now_s()
        assert camera.capture(CAPTURE_TIMEOUT_S).settled_anew
        assert now_s() - asked_s <= CAPTURE_TIMEOUT_S

    def test_photo_is_waited_for_as_long_as_the_camera_may_take(self):
        attempt_s = CAPTURE_TIMEOUT_S + GRACE_S + OPEN_LIMIT_S + CLOSE_LIMIT_S
        assert 2 * attempt_s < PHOTO_TIMEOUT_S
        assert CLOSE_LIMIT_S + 2 * attempt_s < OPENING_TIMEOUT_S


def pings_in(whole, seconds):
    before = whole.watcher.pings
    whole.advance(seconds)
    return whole.watcher.pings - before


class TestItDoesNotEvenStop:
    def test_stuck_camera_stops_watchdog_and_buttons_work(self, hangs):
        stuck = StandInCamera(hangs[:1], closing=hangs[1])
        whole = WholeAppliance(camera=lambda: supervised([stuck], hangs))
        assert pings_in(whole, 8) > 0
        whole.press(SCAN)
        assert "camera" in whole.words.lower()
        assert pings_in(whole, 60) == 0
        whole.press(SCAN, long=True)
        assert whole.names[-1].startswith("menu")
        whole.press(OK, long=True)
        whole.press(OK)
        assert whole.names[-1] == "notice-shutting-down"

    def test_the_program_ends_all_the_same(self):
        """Closing is waited for, but not for ever: who ends the process is told that it hangs."""
        whole = WholeAppliance()
        whole.launch.hold.add("camera close")
        whole.appliance.close()
        whole.tasks.run_due()
        assert not whole.appliance.is_closed
        assert not whole.tasks.is_free


def test_hundreds_of_pictures_need_one_configuration_one_start_and_few_buffers(fake):
    camera = opened(fake)
    held = dict(fake.set)
    camera.capture(1.0)
    assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (False, False, 0)
    assert fake.set == held, "everything was held before the first picture"
    for count in range(500):
        fake.light = 1.0 + count // 100 % 2  # a lamp that is switched on and off now and then
        camera.capture(1.0)
    assert fake.calls["configure"] == fake.calls["start"] == 1
    assert fake.calls["close"] == 0
    assert fake.held == 0
    assert fake.configuration["buffer_count"] <= 2


@pytest.mark.parametrize("gives_format", [None, "BGR888", "XBGR8888", "NV12", "YUV420"])
def test_red_stays_red_in_every_colour_order_of_the_driver(gives_format):
    scene = np.full((64, 96, 3), RED_BGR, np.uint8)
    frame = opened(FakePicamera2(scene, gives_format=gives_format)).capture(1.0)
    assert np.abs(frame.image_bgr.astype(int) - RED_BGR).max() <= 6
