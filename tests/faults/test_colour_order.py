"""Fault: the camera's "RGB888" comes as blue, green, red, and other formats come otherwise.

One conversion at the boundary: whatever the camera gives, the eye sees the same tiles.
"""

from importlib import resources

import cv2
import numpy as np
import pytest

from firmware.appliance.runner.photos import photo_of
from hardware.camera import CameraWiring
from hardware.camera.picamera import open_picamera
from tests.hardware.fake_picamera2 import FakePicamera2
from vision.eye import read_photo

RED_BGR = (10, 20, 210)


def taken(scene_bgr, gives_format):
    fake = FakePicamera2(scene_bgr, gives_format=gives_format)
    camera = open_picamera(CameraWiring(), make=lambda _number: fake)
    return camera.capture(1.0)


@pytest.mark.parametrize("gives_format", [None, "BGR888", "XBGR8888", "NV12", "YUV420"])
def test_red_stays_red(gives_format):
    scene = np.full((64, 96, 3), RED_BGR, np.uint8)
    frame = taken(scene, gives_format)
    assert np.abs(frame.image_bgr.astype(int) - RED_BGR).max() <= 6


def faces(reading):
    return [face for city in reading.cities for row in city.grid for face in row]


def test_the_eye_reads_the_same_tiles_from_the_camera_as_from_the_file():
    path = resources.files("firmware") / "data" / "sample-table.jpg"
    scene = cv2.imread(str(path))
    from_file = read_photo(photo_of(taken(scene, None), "as the driver calls it"))
    from_other = read_photo(photo_of(taken(scene, "BGR888"), "the other way round"))
    assert len(faces(from_file)) >= 16
    assert faces(from_other) == faces(from_file)
