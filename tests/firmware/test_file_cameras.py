"""Pictures in files as cameras: they are read as all photos are."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.camera.configured_camera import open_camera_of
from hardware.settings import CameraSettings
from tests.refusals import refused

HEIC = Path(__file__).parents[1] / "data" / "corners-turned.heic"


@pytest.fixture
def jpeg():
    noise = np.random.default_rng(3).integers(0, 255, (400, 500, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


def named_camera(path, kind="file"):
    return open_camera_of(CameraSettings(kind=kind, source=str(path)))


def test_heic_photo_of_a_folder_is_upright(tmp_path):
    (tmp_path / "table.HEIC").write_bytes(HEIC.read_bytes())
    assert named_camera(tmp_path, "folder").capture(1.0).image_bgr.shape == (400, 330, 3)


def test_jpeg_without_its_middle_is_refused_and_not_half_grey(tmp_path, jpeg):
    path = tmp_path / "table.jpg"
    path.write_bytes(jpeg[: len(jpeg) // 2] + b"\xff\xd9")
    with refused("camera-picture", "table.jpg cannot be read, the photo is damaged"):
        named_camera(path)


def test_damaged_photo_of_a_folder_is_passed_over(tmp_path, jpeg):
    (tmp_path / "a.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    (tmp_path / "b.jpg").write_bytes(jpeg)
    assert named_camera(tmp_path, "folder").capture(1.0).image_bgr.shape == (400, 500, 3)
