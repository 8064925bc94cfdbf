"""``stadtblick doctor`` with devices that work, that fail, and with a person who answers."""

import argparse
import io
import json
import shutil
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import ImageChops

from firmware.commands import doctor
from firmware.editions import save_edition
from firmware.errors import OutputError, UsageError
from hardware.buttons import Button, StandInButtons
from hardware.camera import StandInCamera
from hardware.display import EmulatedDisplay
from hardware.errors import ButtonsError, CameraError, DisplayError
from hardware.health import Health, StandInHealth
from scoring.faces import Face
from tests.vision.taught_cities import cities_edition
from vision.calibration import Calibration, Lens, TablePlane, calibration_to_bytes
from vision.editions.folder import own_edition

PICTURE = np.full((48, 64, 3), 120, np.uint8)
NO_CAMERA = CameraError("camera-missing", "no camera was found: push the cable in", "camera 0")
NO_DISPLAY = DisplayError("display-not-found", "no display answers: check its wires", "I2C bus 1")
NO_BUTTONS = ButtonsError("buttons-busy", "a line is in use already: end the other", "GPIO")


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path / "home"))


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


class Bench:
    """Devices of one appliance; what is set here is what the doctor finds."""

    def __init__(self):
        self.camera = StandInCamera([PICTURE])
        self.display = EmulatedDisplay()
        self.buttons = StandInButtons()
        self.health = StandInHealth()
        self.now_s = 0.0
        self.while_waiting = lambda: None

    def devices(self):
        return doctor.Devices(
            open_camera=lambda _wiring: self._opened(self.camera),
            open_display=lambda _wiring: self._opened(self.display),
            open_buttons=lambda _wiring: self._opened(self.buttons),
            health=self.health,
            clock=lambda: self.now_s,
            sleep=self.sleep,
        )

    def sleep(self, seconds):
        self.now_s += seconds
        self.while_waiting()

    @staticmethod
    def _opened(device):
        if isinstance(device, Exception):
            raise device
        device.closed = False
        return device

    def examine(self, capsys, **options):
        """The findings as JSON, and the exit code."""
        code = examine(as_json=True, devices=self.devices(), **options)
        return json.loads(capsys.readouterr().out)["findings"], code


def examine(devices, *, out=None, replace=False, interactive=False, as_json=False):
    """``stadtblick doctor`` with these devices."""
    options = argparse.Namespace(out=out, replace=replace, interactive=interactive, json=as_json)
    return doctor.run(options, devices)


@pytest.fixture
def bench():
    return Bench()


def settings(home, text):
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(text)


def states(findings):
    return {finding["part"]: finding["state"] for finding in findings}


def finding_of(findings, part):
    (found,) = [finding for finding in findings if finding["part"] == part]
    return found


@pytest.fixture
def calibration(home):
    """Stores a calibration for photos of a size, the camera one metre above the table."""

    def store(size_wh):
        width, height = size_wh
        matrix = np.array([[width, 0, width / 2], [0, width, height / 2], [0, 0, 1]], float)
        lens = Lens(matrix, np.zeros(5), size_wh)
        plane = TablePlane(np.eye(3), np.array([0.0, 0.0, 1000.0]))
        home.mkdir(exist_ok=True)
        stored = calibration_to_bytes(Calibration(lens, plane, 0.1, 0.1, 0.5, 8))
        (home / "calibration.json").write_bytes(stored)

    return store


class TestEverything:
    def test_a_new_appliance_is_fine(self, bench, capsys):
        findings, code = bench.examine(capsys)
        assert code == 0
        assert states(findings) == {
            "settings": "unused",
            "camera": "fine",
            "display": "fine",
            "buttons": "fine",
            "disk": "fine",
            "computer": "fine",
            "calibration": "unused",
            "editions": "unused",
        }
        assert not any("code" in finding for finding in findings)

    def test_text_has_a_line_for_each_part(self, bench, capsys):
        assert examine(devices=bench.devices()) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1] == "Camera: fine. It took a picture of 64 x 48 pixels (camera 0)."
        assert lines[3] == "Buttons: fine. SCAN is on GPIO 17, NEXT on GPIO 27, OK on GPIO 22."
        assert len(lines) == 8

    def test_all_devices_are_let_go_of(self, bench, capsys):
        bench.examine(capsys)
        assert bench.camera.closed
        assert bench.display.closed
        assert bench.buttons.closed

    @pytest.mark.parametrize(
        ("device", "error"),
        [("camera", NO_CAMERA), ("display", NO_DISPLAY), ("buttons", NO_BUTTONS)],
    )
    def test_a_missing_device_is_exit_code_3_and_the_others_are_examined(
        self, bench, capsys, device, error
    ):
        setattr(bench, device, error)
        findings, code = bench.examine(capsys)
        assert code == 3
        assert {part for part, state in states(findings).items() if state == "broken"} == {device}
        found = finding_of(findings, device)
        assert (found["code"], found["message"]) == (error.code, error.message)

    def test_what_is_broken_says_where_and_what_to_do(self, bench, capsys):
        bench.camera = NO_CAMERA
        assert examine(devices=bench.devices()) == 3
        said = "Camera: BROKEN! no camera was found (camera 0): push the cable in"
        assert said in capsys.readouterr().out.splitlines()

    def test_a_device_that_fails_while_it_is_examined_is_broken(self, bench, capsys):
        bench.camera = StandInCamera([CameraError("camera-silent", "no answer: look", "camera 0")])
        bench.buttons.fail(NO_BUTTONS)
        findings, code = bench.examine(capsys)
        assert code == 3
        assert finding_of(findings, "camera")["code"] == "camera-silent"
        assert finding_of(findings, "buttons")["code"] == "buttons-busy"

    def test_devices_that_the_settings_switch_off_are_not_missed(self, bench, capsys, home):
        settings(home, '[camera]\nkind = "none"\n[display]\nkind = "none"\n')
        bench.camera, bench.display = NO_CAMERA, NO_DISPLAY
        findings, code = bench.examine(capsys)
        assert code == 0
        assert states(findings)["camera"] == states(findings)["display"] == "unused"

    def test_devices_are_opened_as_the_settings_say(self, bench, capsys, home):
        settings(home, "[buttons]\nok_gpio = 5\n[display]\ni2c_address = 0x3D\n")
        opened = []
        devices = bench.devices()
        noting = doctor.Devices(
            open_camera=devices.open_camera,
            open_display=lambda wiring: opened.append(wiring) or bench.display,
            open_buttons=lambda wiring: opened.append(wiring) or bench.buttons,
            health=bench.health,
        )
        assert examine(devices=noting) == 0
        assert [opened[0].i2c_address, opened[1].ok_gpio] == [0x3D, 5]
        assert "0x3D" in capsys.readouterr().out

    @pytest.mark.parametrize(("level", "word"), [(2, "black"), (250, "white")])
    def test_a_picture_without_contrast_is_worth_a_look(self, bench, capsys, level, word):
        bench.camera = StandInCamera([np.full((48, 64, 3), level, np.uint8)])
        findings, code = bench.examine(capsys)
        assert code == 1
        assert finding_of(findings, "camera")["code"] == "camera-light"
        assert word in finding_of(findings, "camera")["message"]

    @pytest.mark.parametrize(
        ("health", "codes"),
        [
            (Health(under_voltage=True, known=True), ["under-voltage"]),
            (Health(under_voltage_before=True, known=True), ["under-voltage"]),
            (Health(too_hot=True, under_voltage=True, known=True), ["under-voltage", "too-hot"]),
            (Health(), []),
        ],
    )
    def test_supply_and_heat(self, bench, capsys, health, codes):
        bench.health.health = health
        findings, code = bench.examine(capsys)
        found = [finding for finding in findings if finding["part"] == "computer"]
        assert [finding["code"] for finding in found if "code" in finding] == codes
        assert code == (1 if codes else 0)


class TestStored:
    def test_a_setting_that_cannot_be_used_is_worth_a_look_and_stays(self, bench, capsys, home):
        settings(home, "colour = 'blue'\n")
        findings, code = bench.examine(capsys)
        assert code == 1
        assert finding_of(findings, "settings")["state"] == "look"
        assert (home / "settings.toml").read_text() == "colour = 'blue'\n"

    def test_settings_that_are_no_toml_are_worth_a_look_and_stay(self, bench, capsys, home):
        settings(home, "[camera\n")
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "settings")["code"]) == (1, "settings-not-toml")
        assert (home / "settings.toml").read_text() == "[camera\n"

    def test_a_folder_that_cannot_be_written_is_broken(self, bench, capsys, home):
        home.write_text("a file is in the way")
        findings, code = bench.examine(capsys)
        assert code == 3
        assert finding_of(findings, "disk")["code"] == "disk-not-writable"

    def test_a_disk_that_is_almost_full_is_worth_a_look(self, bench, capsys, monkeypatch):
        full = shutil.disk_usage("/")._replace(free=30_000_000)
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: full)
        findings, code = bench.examine(capsys)
        assert code == 1
        assert "only 30 MB are free" in finding_of(findings, "disk")["message"]

    def test_a_damaged_calibration_is_worth_a_look(self, bench, capsys, home):
        home.mkdir()
        (home / "calibration.json").write_text("{}")
        findings, code = bench.examine(capsys)
        assert code == 1
        assert finding_of(findings, "calibration")["code"] == "calibration-damaged"

    def test_a_calibration_of_another_size_is_worth_a_look(self, bench, capsys, calibration):
        calibration(size_wh=(640, 480))
        bench.camera = StandInCamera([np.full((480, 640, 3), 120, np.uint8)])
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "calibration")["state"]) == (0, "fine")
        bench.camera = StandInCamera([np.full((960, 1280, 3), 120, np.uint8)])
        findings, code = bench.examine(capsys)
        assert code == 1
        assert finding_of(findings, "calibration")["code"] == "calibration-other-size"

    def test_without_a_picture_the_size_is_not_judged(self, bench, capsys, calibration):
        calibration(size_wh=(640, 480))
        bench.camera = NO_CAMERA
        findings, _ = bench.examine(capsys)
        assert finding_of(findings, "calibration")["state"] == "fine"

    def test_editions_are_tried(self, bench, capsys):
        rng = np.random.default_rng(1)
        faces = {face: (rng.integers(0, 255, (96, 96, 3), dtype=np.uint8),) for face in Face}
        folder = save_edition(cities_edition("my-copy", faces))
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["state"]) == (0, "fine")
        (folder / "edition.toml").write_text("rubbish")
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["code"]) == (1, "description-not-toml")

    def test_editions_of_other_games_are_tried(self, bench, capsys):
        standard = own_edition("city-blocks")
        named = replace(standard.description, name="my-blocks")
        folder = save_edition(replace(standard, description=named))
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["state"]) == (0, "fine")
        (folder / "edition.toml").write_text('format = 2\nname = "my-blocks"\n')
        findings, code = bench.examine(capsys)
        found = finding_of(findings, "editions")
        assert (code, found["code"]) == (1, "description-missing-key")
        assert str(folder) in found["where"]

    def test_editions_of_games_known_by_pictures_are_tried_too(self, bench, capsys, home):
        usual = own_edition("cities")
        mine = replace(usual, description=replace(usual.description, name="my-cities"))
        folder = save_edition(mine)
        settings(home, 'game = "cities"\nedition = "my-cities"\n')
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["state"]) == (0, "fine")
        settings(home, 'game = "city-blocks"\nedition = "my-cities"\n')
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["code"]) == (1, "edition-other-game")
        settings(home, 'edition = "my-cities"\n')
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["code"]) == (1, "edition-other-game")
        settings(home, "")
        next(folder.glob("tile-1-*.png")).unlink()
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["state"]) == (1, "look")

    def test_an_edition_that_is_chosen_and_not_there_is_worth_a_look(self, bench, capsys, home):
        settings(home, 'edition = "lost-copy"\n')
        findings, code = bench.examine(capsys)
        assert (code, finding_of(findings, "editions")["code"]) == (1, "unknown-edition")


class TestPicture:
    def test_the_picture_is_kept(self, bench, capsys, tmp_path):
        path = tmp_path / "aim.jpg"
        assert examine(out=path, devices=bench.devices()) == 0
        assert np.abs(cv2.imread(str(path)).astype(int) - PICTURE).max() <= 3

    def test_nothing_is_written_over_unless_asked_to(self, bench, capsys, tmp_path):
        path = tmp_path / "aim.jpg"
        path.write_text("mine")
        with pytest.raises(UsageError) as caught:
            examine(out=path, devices=bench.devices())
        assert caught.value.code == "photo-exists"
        assert bench.camera.captures == 0
        assert examine(out=path, replace=True, devices=bench.devices()) == 0
        assert path.read_bytes()[:2] == b"\xff\xd8"

    def test_without_a_picture_none_is_written(self, bench, capsys, tmp_path):
        bench.camera = NO_CAMERA
        assert examine(out=tmp_path / "aim.jpg", devices=bench.devices()) == 3
        assert list(tmp_path.glob("aim*")) == []

    def test_a_place_that_cannot_be_written_is_said(self, bench, capsys, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(OutputError, match="cannot be written"):
            examine(out=tmp_path / "file" / "aim.jpg", devices=bench.devices())


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestInteractive:
    """A person answers on the terminal and presses the buttons."""

    @pytest.fixture
    def person(self, bench, monkeypatch):
        def play(answers="y\ny\n", presses=(Button.SCAN, Button.NEXT, Button.OK)):
            monkeypatch.setattr("sys.stdin", Terminal(answers))
            left = list(presses)

            def wait():
                if left and round(bench.now_s / 0.02) % 50 == 0:
                    button = left.pop(0)
                    if button is not None:
                        bench.buttons.press(button)
                    else:
                        bench.now_s += 60.0

            bench.while_waiting = wait
            return examine(interactive=True, devices=bench.devices())

        return play

    def test_all_is_well(self, person, bench, capsys):
        assert person() == 0
        said = capsys.readouterr().out
        assert "Press NEXT shortly." in said
        assert "Display: fine. It shows the test pictures." in said
        assert "Buttons: fine. All three were heard." in said
        assert len(bench.display.frames) == 6

    @pytest.mark.parametrize("answers", ["n\n", "y\nNo\n", "y\n", ""])
    def test_a_display_that_is_not_as_it_should_be_is_broken(self, person, capsys, answers):
        assert person(answers) == 3
        assert "Display: BROKEN!" in capsys.readouterr().out

    def test_swapped_buttons_are_named(self, person, capsys):
        assert person(presses=(Button.NEXT, Button.SCAN, Button.OK)) == 3
        said = capsys.readouterr().out
        assert "SCAN was asked for and NEXT was heard (GPIO): swap their wires" in said
        assert "OK was asked for" not in said

    def test_a_button_that_is_not_heard_is_named_and_the_next_one_asked_for(self, person, capsys):
        assert person(presses=(Button.SCAN, None, Button.OK)) == 3
        said = capsys.readouterr().out
        assert "NEXT was not heard (GPIO): check its two wires" in said
        assert "OK was not heard" not in said

    def test_a_display_that_is_lost_meanwhile_is_told(self, person, bench, capsys):
        def lost(_image):
            raise DisplayError("display-lost", "it stopped answering: check its wires", "I2C bus 1")

        bench.display.show = lost
        assert person() == 3
        said = capsys.readouterr().out
        assert "Display: BROKEN! it stopped answering" in said
        assert "Buttons: fine." in said

    def test_without_a_display_the_buttons_can_be_tested(self, person, bench, capsys):
        bench.display = NO_DISPLAY
        assert person() == 3
        assert "Buttons: fine. All three were heard." in capsys.readouterr().out

    def test_where_nobody_can_be_asked_nothing_is_opened(self, bench, monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        with pytest.raises(UsageError) as caught:
            examine(interactive=True, devices=bench.devices())
        assert caught.value.code == "doctor-nobody-there"
        assert bench.camera.captures == 0

    def test_json_is_not_interactive(self, bench):
        with pytest.raises(UsageError, match="does not go with --json"):
            examine(interactive=True, as_json=True, devices=bench.devices())

    def test_the_frame_shows_all_four_edges_and_which_way_is_up(self):
        picture = doctor.frame_picture((128, 64))
        corners = [(0, 0), (127, 0), (0, 63), (127, 63), (64, 0), (64, 63), (0, 32), (127, 32)]
        assert all(picture.getpixel(corner) for corner in corners)
        turned = picture.rotate(180)
        assert ImageChops.logical_xor(picture, turned).getbbox() is not None
