"""``stadtblick aim`` where there is no terminal: one picture, and what to do."""

import json
from argparse import Namespace

import cv2
import pytest

from firmware.cli import main
from firmware.commands.aim import run
from firmware.settings import Settings
from hardware.camera import StandInCamera
from hardware.errors import CameraError
from tests.vision.calibration_scene import Camera, Pose, photograph

CAMERA = Camera(887.0, (575.5, 323.5), (0,) * 5, (1152, 648))


@pytest.fixture
def aimed(tmp_path, capsys):
    """Look at a picture of the sheet from so far above; gives exit code and output."""

    def look(height_mm, *options):
        path = tmp_path / "seen.png"
        cv2.imwrite(str(path), photograph(CAMERA, Pose(0, 0, 0, (0, 0, height_mm))))
        code = main(["aim", "--camera", str(path), *options])
        return code, capsys.readouterr().out

    return look


def test_aim_prints_what_to_do_or_that_all_is_well(aimed):
    code, output = aimed(450)
    assert code == 1
    assert output.startswith("Too near")
    code, output = aimed(450, "--lang", "de")
    assert output.startswith("Zu nah")
    code, output = aimed(720)
    assert code == 0
    assert output.startswith("All is well")
    assert "Cities of up to 6 players fit." in output
    code, output = aimed(450, "--json")
    parsed = json.loads(output)
    assert (code, parsed["advice"], parsed["players"]) == (1, "too-near", 0)
    assert parsed["tilt_deg"] == pytest.approx(0, abs=0.5)


def test_a_camera_that_does_not_work_is_a_device_that_is_missing(capsys):
    broken = CameraError("camera-busy", "another program uses the camera: end it", "camera 0")
    options = Namespace(camera=None, once=True, json=False, settings=Settings())
    assert run(options, lambda _settings: StandInCamera([broken])) == 3
    assert "another program uses the camera" in capsys.readouterr().err


def test_broken_camera_with_json_is_one_object(capsys):
    broken = CameraError("camera-busy", "another program uses the camera: end it", "camera 0")
    options = Namespace(camera=None, once=True, json=True, settings=Settings())
    assert run(options, lambda _settings: StandInCamera([broken])) == 3
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "camera-busy"
