"""The parts of the runner one by one: camera option, buttons, power, restart, storage."""

import os
import sys

import numpy as np
import pytest

from firmware.appliance.base import Effect, Job
from firmware.appliance.runner import launch, loop
from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.camera_service import photo_from_frame
from firmware.appliance.runner.launch import supervised_camera
from firmware.appliance.runner.power_off import power_off
from firmware.appliance.runner.storage_service import StorageService
from firmware.appliance.runner.tasks import SerialQueue, TaskRunner
from firmware.appliance.stored_settings import RestartProgram, SettingsStored, UseSettings
from firmware.base.errors import UsageError
from firmware.camera.configured_camera import named_camera
from firmware.data import SAMPLE
from firmware.history import History
from firmware.settings import CameraSettings, Settings
from hardware.buttons import Button, StandInButtons
from hardware.camera import Frame, StandInCamera, SupervisedCamera
from hardware.errors import ButtonsError
from scoring.faces import Face
from tests.appliance.whole_appliance import (
    PICTURE,
    SCAN,
    HandClock,
    Launch,
    WholeAppliance,
    be_the_appliance,
    kept_scans,
)
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.refusals import refused
from vision.photo.load import MAX_DECODED_PIXELS


class TestCameraOption:
    USUAL = CameraSettings(kind="v4l2", number=2)

    @pytest.mark.parametrize(
        ("given", "kind", "number"),
        [
            ("picamera", "picamera", 0), ("picamera:1", "picamera", 1), ("v4l2", "v4l2", 2),
            ("v4l2:0", "v4l2", 0), ("v4l2:/dev/video3", "v4l2", 3),
        ],
    )  # fmt: skip
    def test_a_kind_and_its_number(self, given, kind, number):
        wiring = named_camera(given, self.USUAL)
        assert (wiring.kind, wiring.number) == (kind, number)

    def test_no_camera_a_photo_and_a_folder_of_photos(self, folder):
        assert named_camera("none", self.USUAL).kind == "none"
        photo = write_photo(folder / "table.jpg")
        assert named_camera(str(photo), self.USUAL).kind == "file"
        wiring = named_camera(str(folder), self.USUAL)
        assert (wiring.kind, wiring.source) == ("folder", str(folder))

    @pytest.mark.parametrize("given", ["webcam", "v4l2:x", "picamera:", "/nowhere/table.jpg"])
    def test_anything_else_is_refused(self, given, folder, monkeypatch):
        monkeypatch.chdir(folder)
        with pytest.raises(UsageError) as caught:
            named_camera(given, self.USUAL)
        assert caught.value.code == "unknown-camera"
        assert given in caught.value.where


class TestSample:
    def test_emulation_without_a_camera_gives_the_sample_photo(self, folder):
        camera = supervised_camera(CameraSettings(kind="none"), or_sample=True)
        height, width = camera.capture(5.0).image_bgr.shape[:2]
        assert min(height, width) > 500
        assert SAMPLE.exists()
        gone = CameraSettings(kind="file", source=str(folder / "gone.jpg"))
        camera = supervised_camera(gone, or_sample=True)
        with refused("camera-picture"):
            camera.prepare()


class TestPhoto:
    def test_a_picture_of_usual_size_is_taken_as_it_is(self):
        photo = photo_from_frame(Frame(np.zeros((1296, 2304, 3), np.uint8), 0.0), "camera")
        assert (photo.size_wh, photo.scale) == ((2304, 1296), 1)
        image = np.zeros((2592, 4608, 3), np.uint8)
        image[1000:1002, 3000:3002] = 255
        photo = photo_from_frame(Frame(image, 0.0), "camera")
        (row,), (column,) = np.nonzero(photo.image_bgr[:, :, 0])
        assert photo.to_photo_px((column, row)) == pytest.approx((3000.5, 1000.5))

    @pytest.mark.parametrize(("size_wh", "scale"), [((4608, 2592), 2), ((9248, 6944), 4)])
    def test_larger_photo_is_reduced_like_one_from_a_file(self, size_wh, scale):
        width, height = size_wh
        photo = photo_from_frame(Frame(np.zeros((height, width, 3), np.uint8), 0.0), "camera")
        assert (photo.size_wh, photo.scale) == (size_wh, scale)
        assert photo.image_bgr.shape[0] * photo.image_bgr.shape[1] <= MAX_DECODED_PIXELS


class TestButtons:
    def test_held_button_is_long_and_pressed_one_is_no_event_yet(self):
        buttons = StandInButtons()
        desk = ButtonService(lambda: buttons)
        buttons.press(Button.SCAN)
        buttons.press(Button.OK, long=True)
        pressed = desk.poll(1.0)
        assert [(one.button, one.kind) for one in pressed if one.kind != "repeat"] == [
            (Button.SCAN, "short"),
            (Button.OK, "long"),
        ]
        first, second = StandInButtons(), StandInButtons()
        opened = iter([first, second])
        desk = ButtonService(lambda: next(opened))
        desk.poll(1.0)
        first.fail(ButtonsError("buttons-broken", "the buttons failed: check their wires", "GPIO"))
        assert desk.poll(2.0) == []
        assert first.closed
        second.press(Button.NEXT)
        assert desk.poll(2.5) == []
        assert [one.button for one in desk.poll(desk.next_due_s(2.5))] == [Button.NEXT]
        assert desk.problem is None

    def test_meanwhile_the_display_says_why(self):
        whole = WholeAppliance()
        whole.buttons.fail(ButtonsError("buttons-broken", "they failed: check wires", "GPIO"))
        whole.advance(1)
        assert whole.names[-1].startswith("problem")
        whole.buttons.fail(None)
        whole.advance(5)
        assert whole.names[-1] == "ready"


class TestPower:
    def switched(self, command):
        calls = []
        tasks = TaskRunner(lambda: None, HandClock(), Launch())
        power_off(tasks, calls.append, command)
        tasks.run_due()
        return calls

    def test_failing_power_off_gives_the_reason(self):
        (failed,) = self.switched((sys.executable, "-c", "import sys; sys.exit('not allowed')"))
        assert failed.problem.code == "shut-down-failed"
        assert "not allowed" in failed.problem.where
        assert self.switched((sys.executable, "-c", "")) == []
        (failed,) = self.switched(("/nowhere/systemctl",))
        assert failed.problem.code == "shut-down-failed"


class TestRestart:
    def test_the_effect_ends_the_program_and_asks_for_a_new_start(self):
        whole = WholeAppliance()
        whole.appliance.perform(RestartProgram())
        assert (whole.stop.wanted, whole.stop.restart) == (True, True)

    @pytest.mark.parametrize("is_managed", [True, False])
    def test_program_restarts_itself_only_without_a_service_manager(
        self, monkeypatch, folder, is_managed
    ):
        started_anew = []
        monkeypatch.setattr(os, "execv", lambda *command: started_anew.append(command))
        monkeypatch.setattr(launch, "open_buttons", lambda _wiring: StandInButtons())
        if is_managed:
            monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "nobody"))

        def ask_for_it(appliance, wake_up, **_more):
            loop.close_all(appliance, wake_up)
            appliance.parts.stop(restart=True)
            return True

        monkeypatch.setattr(launch, "run_until_stopped", ask_for_it)
        assert be_the_appliance(emulate=False, camera="none") == 0
        assert started_anew == ([] if is_managed else [(sys.executable, sys.orig_argv)])


def test_a_picture_asked_for_before_the_press_is_not_used():
    """The exposure has to begin after the press, or hands may be in the picture."""
    early, late = PICTURE, PICTURE + 50
    whole = WholeAppliance(camera=lambda: SupervisedCamera(lambda: StandInCamera([early, late])))
    whole.launch.hold.add("camera capture")
    whole.press(SCAN)
    whole.press(Button.NEXT)
    whole.press(SCAN)
    whole.launch.release("camera capture")
    whole.advance()
    assert whole.names[-1] == "winner"
    assert [photo.image_bgr[0, 0, 0] for photo in whole.eye.photos] == [late[0, 0, 0]]


def test_the_same_scan_is_stored_once_however_often_it_is_corrected():
    unsure = {(0, (0, 0)): [Face.PARK], (1, (1, 1)): [Face.SHOP]}
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=unsure))
    whole.press(SCAN, *[Button.OK] * 4)
    (stored,) = kept_scans()
    assert len(stored.record.corrections) == 2


@pytest.mark.parametrize("is_stored", [False, True])
def test_settings_for_now_alone_are_neither_stored_nor_answered(folder, is_stored):
    tasks = TaskRunner(lambda: None, HandClock(), Launch())
    calls = []
    storage = StorageService(SerialQueue(tasks, "storing"), History(folder), calls.append)
    storage.store_settings(UseSettings(Settings(language="hu"), is_stored=is_stored))
    tasks.run_due()
    assert calls == ([SettingsStored()] if is_stored else [])
    assert (folder / "settings.toml").exists() is is_stored


def test_every_effect_is_done_by_somebody():
    done = {effect.__name__ for effect in WholeAppliance().appliance.handlers.kinds}
    kinds = (*Effect.__subclasses__(), *Job.__subclasses__())
    assert done == {effect.__name__ for effect in kinds} - {"Job"}
