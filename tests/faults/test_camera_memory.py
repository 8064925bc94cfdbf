"""Fault: the camera's memory runs out, from many switches of modes or too many buffers.

One configuration for life, few buffers; a picture is a request of the running stream that began
after it was asked for, with exposure, white balance and focus held beforehand.
"""

import numpy as np
import pytest

from hardware.camera import CameraWiring, SteadyCamera
from hardware.camera.picamera import open_picamera
from hardware.errors import CameraError
from tests.faults.turning import HandClock
from tests.hardware.fake_picamera2 import NO_MEMORY, FakePicamera2

PICTURE = np.full((48, 64, 3), 90, np.uint8)


def opened(fake):
    return open_picamera(CameraWiring(), make=lambda _number: fake)


def test_hundreds_of_pictures_need_one_configuration_and_one_start():
    fake = FakePicamera2(PICTURE)
    camera = opened(fake)
    for count in range(500):
        fake.light = 1.0 + count // 100 % 2  # a lamp that is switched on and off now and then
        camera.capture(1.0)
    assert fake.calls["configure"] == fake.calls["start"] == 1
    assert fake.calls["close"] == 0
    assert fake.held == 0


def test_few_buffers_are_enough():
    fake = FakePicamera2(PICTURE)
    camera = opened(fake)
    assert fake.configuration["buffer_count"] <= 2
    camera.capture(1.0)


def test_everything_is_held_before_the_first_picture():
    fake = FakePicamera2(PICTURE)
    camera = opened(fake)
    held = dict(fake.set)
    camera.capture(1.0)
    assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (False, False, 0)
    assert fake.set == held


def test_memory_that_has_run_out_is_said_and_the_camera_let_go_of():
    fake = FakePicamera2(PICTURE)
    fake.fails["configure"] = NO_MEMORY
    with pytest.raises(CameraError, match="set a smaller picture size") as caught:
        opened(fake)
    assert caught.value.code == "camera-no-memory"
    assert not fake.is_open


def test_it_is_tried_again_with_memory_that_is_free_again():
    clock = HandClock()
    full, free = FakePicamera2(PICTURE), FakePicamera2(PICTURE)
    full.fails["start"] = NO_MEMORY
    found = iter([full, free])
    camera = SteadyCamera(lambda: opened(next(found)), clock=clock)
    with pytest.raises(CameraError) as caught:
        camera.capture(1.0)
    assert caught.value.code == "camera-no-memory"
    clock.time_s = 1.0
    assert np.array_equal(camera.capture(1.0).image_bgr, PICTURE)
