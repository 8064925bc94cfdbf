"""``stadtblick doctor`` with devices that work, that fail, and with a person who answers."""

import argparse
import io
import json
import shutil
import socket
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import ImageChops

from firmware.base.errors import UsageError
from firmware.commands import doctor
from firmware.doctor import readiness, system_checks
from firmware.doctor.check_results import Devices, Service
from firmware.doctor.device_checks import frame_picture
from firmware.settings import load_settings
from firmware.teaching.user_editions import save_edition
from hardware.buttons import Button, StandInButtons
from hardware.camera import StandInCamera
from hardware.display import StandInDisplay
from hardware.errors import ButtonsError, CameraError, DisplayError
from hardware.health import Health, StandInHealth
from hardware.signals import Signal, StandInSignals
from scoring.faces import Face
from tests.refusals import refused
from tests.vision.taught_cities import cities_edition
from vision.calibration import Calibration, Lens, TablePlane, calibration_to_bytes
from vision.editions.folder import built_in_edition

PICTURE = np.full((48, 64, 3), 120, np.uint8)
NO_CAMERA = CameraError("camera-missing", "no camera was found: push the cable in", "camera 0")
NO_DISPLAY = DisplayError("display-not-found", "no display answers: check its wires", "I2C bus 1")
NO_BUTTONS = ButtonsError("buttons-busy", "a line is in use already: end the other", "GPIO")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


class Bench:
    """Devices of one appliance; what is set here is what the doctor finds."""

    def __init__(self):
        self.camera = StandInCamera([PICTURE])
        self.display = StandInDisplay()
        self.buttons = StandInButtons()
        self.signals = StandInSignals()
        self.health = StandInHealth()
        self.service = Service()
        self.opened = []
        self.now_s = 0.0
        self.while_waiting = lambda: None

    def examine(self, *, out=None, replace=False, interactive=False, json=False, bundle=None):
        """``stadtblick doctor`` with these devices; the exit code."""
        devices = Devices(
            open_camera=lambda wiring: self._opened(self.camera, wiring),
            open_display=lambda wiring: self._opened(self.display, wiring),
            open_buttons=lambda wiring: self._opened(self.buttons, wiring),
            open_signals=lambda wiring: self._opened(self.signals, wiring),
            health=self.health,
            query_service=lambda: self.service,
            clock=lambda: self.now_s,
            sleep=self.sleep,
        )
        options = {"out": out, "replace": replace, "interactive": interactive, "json": json}
        options |= {"bundle": bundle, "photo": False}
        options["settings"], options["setting_warnings"] = load_settings()
        return doctor.run(argparse.Namespace(**options), devices)

    def sleep(self, seconds):
        self.now_s += seconds
        self.while_waiting()

    def _opened(self, device, wiring):
        if isinstance(device, Exception):
            raise device
        device.closed = False
        self.opened.append(wiring)
        return device


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def found(bench, capsys):
    """Run the examination, check its exit code and return the finding of each part."""

    def examine(code=0):
        assert bench.examine(json=True) == code
        findings = json.loads(capsys.readouterr().out)["findings"]
        return {finding["part"]: finding for finding in findings}

    return examine


@pytest.fixture
def report_lines(bench, capsys):
    """The same as lines for people."""

    def examine(code=0, **options):
        assert bench.examine(**options) == code
        return capsys.readouterr().out.splitlines()

    return examine


@pytest.fixture
def settings(home):
    def write(text):
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(text)

    return write


@pytest.fixture
def calibration(home):
    """Stores a calibration for photos of 640 x 480, the camera one metre above the table."""
    matrix = np.array([[640, 0, 320], [0, 640, 240], [0, 0, 1]], float)
    lens = Lens(matrix, np.zeros(5), (640, 480))
    plane = TablePlane(np.eye(3), np.array([0.0, 0.0, 1000.0]))
    home.mkdir()
    stored = calibration_to_bytes(Calibration(lens, plane, 0.1, 0.1, 0.5, 8))
    (home / "calibration.json").write_bytes(stored)


class TestEverything:
    def test_a_new_appliance_is_fine_and_its_devices_are_let_go_of(self, bench, found):
        findings = found()
        assert {part: finding["state"] for part, finding in findings.items()} == {
            "service": "unused", "settings": "unused",
            "camera": "fine", "display": "fine", "buttons": "fine", "signals": "unused",
            "disk": "fine", "computer": "fine", "calibration": "unused", "editions": "unused",
        }  # fmt: skip
        assert not any("code" in finding for finding in findings.values())
        assert bench.camera.closed
        assert bench.display.closed
        assert bench.buttons.closed

    def test_text_has_a_line_for_each_part(self, bench, report_lines):
        lines = report_lines()
        assert lines[2] == "Camera: fine. The camera took a photo of 64 x 48 pixels (camera 0)."
        assert lines[4] == "Buttons: fine. SCAN is on GPIO 17, NEXT on GPIO 27, OK on GPIO 22."
        assert len(lines) == 11
        bench.camera = NO_CAMERA
        broken = "Camera: BROKEN! no camera was found (camera 0): push the cable in"
        assert broken in report_lines(code=3)

    @pytest.mark.parametrize(
        ("device", "error"),
        [("camera", NO_CAMERA), ("display", NO_DISPLAY), ("buttons", NO_BUTTONS)],
    )
    def test_a_missing_device_is_exit_code_3_and_the_others_are_examined(
        self, bench, found, device, error
    ):
        setattr(bench, device, error)
        findings = found(code=3)
        broken = [part for part, finding in findings.items() if finding["state"] == "broken"]
        assert broken == [device]
        assert findings[device]["code"] == error.code
        assert findings[device]["message"] == error.message

    def test_a_running_scanner_keeps_its_devices(self, bench, found, monkeypatch, home, settings):
        settings("[signals]\nbuzzer_gpio = 12\n")
        monkeypatch.setattr(system_checks, "SERVICE_FOLDER", home)
        bench.service = Service("active", enabled=True)
        findings = found()
        assert findings["service"]["state"] == "fine"
        assert {"camera", "display", "buttons", "signals"}.isdisjoint(findings)
        assert bench.opened == []
        with refused("doctor-service-runs"):
            bench.examine(out=home / "seen.jpg")

    @pytest.mark.parametrize(
        ("service", "code", "command"),
        [
            (Service("failed", enabled=True), "service-failed", "journalctl -u stadtblick"),
            (Service("inactive"), "service-not-enabled", "sudo systemctl enable stadtblick"),
            (Service("inactive", enabled=True), "other-data", "/usr/local/bin/stadtblick"),
        ],
    )
    def test_fault_of_service_comes_with_command_that_mends_it(
        self, bench, found, monkeypatch, home, service, code, command
    ):
        if code != "other-data":
            monkeypatch.setattr(system_checks, "SERVICE_FOLDER", home)
        bench.service = service
        finding = found(code=3 if service.state == "failed" else 1)["service"]
        assert finding["code"] == code
        assert command in finding["message"]

    def test_a_device_that_fails_while_it_is_examined_is_broken(self, bench, found):
        bench.camera = StandInCamera([CameraError("camera-silent", "no answer: look", "camera 0")])
        bench.buttons.fail(NO_BUTTONS)
        findings = found(code=3)
        assert findings["camera"]["code"] == "camera-silent"
        assert findings["buttons"]["code"] == "buttons-busy"

    def test_devices_that_the_settings_switch_off_are_not_missed(self, bench, found, settings):
        settings('[camera]\nkind = "none"\n[display]\nkind = "none"\n')
        bench.camera, bench.display = NO_CAMERA, NO_DISPLAY
        findings = found()
        assert findings["camera"]["state"] == findings["display"]["state"] == "unused"

    def test_devices_are_opened_as_the_settings_say(self, bench, report_lines, settings):
        settings("[buttons]\nok_gpio = 5\n[display]\ni2c_address = 0x3D\n")
        assert "0x3D" in report_lines()[3]
        _camera, display, buttons = bench.opened
        assert (display.i2c_address, buttons.ok_gpio) == (0x3D, 5)

    @pytest.mark.parametrize(("level", "word"), [(2, "black"), (250, "white")])
    def test_a_picture_without_contrast_is_worth_a_look(self, bench, found, level, word):
        bench.camera = StandInCamera([np.full((48, 64, 3), level, np.uint8)])
        camera = found(code=1)["camera"]
        assert camera["code"] == "camera-light"
        assert word in camera["message"]

    @pytest.mark.parametrize(
        ("health", "code"),
        [
            (Health(under_voltage=True, known=True), "under-voltage"),
            (Health(under_voltage_before=True, known=True), "under-voltage"),
            (Health(too_hot=True, under_voltage=True, known=True), "too-hot"),
            (Health(), None),
        ],
    )
    def test_supply_and_heat(self, bench, found, report_lines, health, code):
        bench.health.health = health
        assert found(code=1 if code else 0)["computer"].get("code") == code
        lines = [
            line for line in report_lines(code=1 if code else 0) if line.startswith("Computer: ")
        ]
        assert len(lines) == (2 if code == "too-hot" else 1), "both are told"


class TestReadiness:
    @pytest.fixture
    def last_line(self, report_lines):
        return lambda code=0: report_lines(code=code)[-1]

    @pytest.fixture
    def running(self, bench, monkeypatch, home):
        monkeypatch.setattr(system_checks, "SERVICE_FOLDER", home)
        bench.service = Service("active", enabled=True)

    def test_working_box_is_ready(self, last_line):
        assert last_line() == "Tonight: ready. Lay out a finished game and press SCAN."

    def test_broken_parts_are_named(self, bench, last_line):
        bench.camera, bench.buttons = NO_CAMERA, NO_BUTTONS
        assert last_line(3) == "Tonight: NOT READY! Put right first: Camera, Buttons"

    def test_phone_replaces_missing_camera_and_display(self, bench, last_line, settings):
        settings("[page]\non = true\n")
        bench.camera = NO_CAMERA
        assert last_line(3) == (
            "Tonight: ready with your phone alone. Not working or not there: Camera"
        )

    def test_phone_does_not_replace_the_disk(self, bench, last_line, settings, monkeypatch):
        settings("[page]\non = true\n")
        monkeypatch.setattr(system_checks.shutil, "disk_usage", _read_only_disk)
        assert last_line(3) == "Tonight: NOT READY! Put right first: Disk"

    def test_camera_that_the_settings_leave_out_is_missed(self, last_line, settings):
        settings('[camera]\nkind = "none"\n')
        assert last_line() == "Tonight: NOT READY! Put right first: Camera"

    def test_doubtful_part_is_named(self, bench, last_line):
        bench.health.health = Health(under_voltage=True, known=True)
        assert last_line(1) == "Tonight: ready, but please look at: Computer"

    @pytest.mark.usefixtures("running")
    @pytest.mark.parametrize(
        ("fault", "line"),
        [
            (None, "Tonight: ready. The running scanner reports no problem."),
            (
                "no camera was found",
                "Tonight: please look! The running scanner reports: no camera was found",
            ),
        ],
    )
    def test_running_scanner_is_asked(self, last_line, monkeypatch, fault, line):
        monkeypatch.setattr(readiness, "problem_of_running_scanner", lambda _path: fault)
        assert last_line() == line

    @pytest.mark.usefixtures("running")
    def test_scanner_that_does_not_answer_is_said(self, last_line):
        assert last_line().startswith("Tonight: not known, the running scanner does not answer")

    def test_fault_is_read_from_the_socket_of_programs(self, tmp_path):
        answer = b'{"fault": "no camera was found"}'
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(str(tmp_path / "programs.socket"))
            door.listen()
            with ThreadPoolExecutor() as threads:
                threads.submit(_answer_once, door, answer)
                fault = readiness.problem_of_running_scanner(tmp_path / "programs.socket")
        assert fault == "no camera was found"

    def test_program_gets_state_and_message(self, bench, capsys):
        bench.camera = NO_CAMERA
        bench.examine(json=True)
        assert json.loads(capsys.readouterr().out)["readiness"] == {
            "state": "broken", "message": "Tonight: NOT READY! Put right first: Camera",
        }  # fmt: skip


def _read_only_disk(_path):
    raise OSError(30, "Read-only file system")


def _answer_once(door, body):
    line, _address = door.accept()
    with line:
        line.recv(4096)
        line.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + body)


class TestStored:
    @pytest.mark.parametrize(
        ("text", "code"),
        [("colour = 'blue'\n", "setting-unknown"), ("[camera\n", "settings-not-toml")],
    )
    def test_settings_that_cannot_be_used_are_worth_a_look_and_stay(
        self, found, settings, home, text, code
    ):
        settings(text)
        finding = found(code=1)["settings"]
        assert (finding["state"], finding["code"]) == ("look", code)
        assert (home / "settings.toml").read_text() == text

    def test_a_folder_that_cannot_be_written_is_broken(self, found, home):
        home.write_text("a file is in the way")
        assert found(code=3)["disk"]["code"] == "disk-not-writable"

    def test_a_disk_that_is_almost_full_is_worth_a_look(self, found, monkeypatch):
        full = shutil.disk_usage("/")._replace(free=30_000_000)
        monkeypatch.setattr(system_checks.shutil, "disk_usage", lambda _path: full)
        assert "only 30 MB are free" in found(code=1)["disk"]["message"]

    def test_a_damaged_calibration_is_worth_a_look(self, found, home):
        home.mkdir()
        (home / "calibration.json").write_text("{}")
        assert found(code=1)["calibration"]["code"] == "calibration-damaged"

    @pytest.mark.usefixtures("calibration")
    def test_a_calibration_of_another_size_is_worth_a_look(self, bench, found):
        bench.camera = StandInCamera([np.full((480, 640, 3), 120, np.uint8)])
        assert found()["calibration"]["state"] == "fine"
        bench.camera = StandInCamera([np.full((960, 1280, 3), 120, np.uint8)])
        assert found(code=1)["calibration"]["code"] == "calibration-other-size"
        bench.camera = NO_CAMERA  # without a picture the size is not judged
        assert found(code=3)["calibration"]["state"] == "fine"

    def test_editions_are_tried(self, found):
        rng = np.random.default_rng(1)
        faces = {face: (rng.integers(0, 255, (96, 96, 3), dtype=np.uint8),) for face in Face}
        folder = save_edition(cities_edition("my-copy", faces))
        assert found()["editions"]["state"] == "fine"
        for text, code in (
            ("rubbish", "description-not-toml"),
            ('format = 2\nname = "my-copy"\n', "description-missing-key"),
        ):
            (folder / "edition.toml").write_text(text)
            edition = found(code=1)["editions"]
            assert edition["code"] == code
            assert str(folder) in edition["where"]

    def test_a_chosen_edition_has_to_be_there_and_of_the_game(self, found, settings):
        settings('edition = "my-cities"\n')
        assert found(code=1)["editions"]["code"] == "unknown-edition"
        usual = built_in_edition("cities")
        mine = replace(usual, description=replace(usual.description, name="my-cities"))
        folder = save_edition(mine)
        settings('game = "cities"\nedition = "my-cities"\n')
        assert found()["editions"]["state"] == "fine"
        for game in ("", 'game = "city-blocks"\n'):
            settings(f'{game}edition = "my-cities"\n')
            assert found(code=1)["editions"]["code"] == "edition-other-game"
        settings("")
        next(folder.glob("tile-1-*.png")).unlink()
        assert found(code=1)["editions"]["state"] == "look"


class TestPicture:
    def test_the_picture_is_kept_but_not_written_over_another(self, bench, tmp_path):
        path = tmp_path / "aim.jpg"
        assert bench.examine(out=path) == 0
        assert np.abs(cv2.imread(str(path)).astype(int) - PICTURE).max() <= 3
        path.write_text("mine")
        with refused("photo-exists"):
            bench.examine(out=path)
        assert bench.camera.captures == 1
        assert bench.examine(out=path, replace=True) == 0
        assert path.read_bytes()[:2] == b"\xff\xd8"

    def test_without_a_picture_none_is_written(self, bench, tmp_path):
        bench.camera = NO_CAMERA
        assert bench.examine(out=tmp_path / "aim.jpg") == 3
        assert list(tmp_path.glob("aim*")) == []

    def test_a_place_that_cannot_be_written_is_said(self, bench, tmp_path):
        (tmp_path / "file").touch()
        with refused("file-not-writable", "cannot be written"):
            bench.examine(out=tmp_path / "file" / "aim.jpg")


def test_one_file_for_helpers_has_what_was_found_and_no_secret(bench, home, tmp_path):
    home.mkdir()
    (home / "settings.toml").write_text('players = ["Ann"]\n')
    (home / "page.key").write_bytes(b"k" * 32)
    path = tmp_path / "support.zip"
    bench.camera = NO_CAMERA
    assert bench.examine(bundle=path) == 3
    with zipfile.ZipFile(path) as archive:
        files = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert b"BROKEN! no camera was found" in files["doctor.txt"]
    assert b'players = ["Ann"]' in files["settings.txt"]
    assert b"k" * 32 not in b"".join(files.values())
    with refused("archive-exists"):
        bench.examine(bundle=path)
    assert bench.examine(bundle=path, replace=True) == 3


def test_photo_and_bundle_in_one_file_are_refused(bench, tmp_path):
    with refused("usage"):
        bench.examine(out=tmp_path / "one", bundle=tmp_path / "one")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestInteractive:
    """A person answers on the terminal and presses the buttons."""

    @pytest.fixture
    def interactive_lines(self, bench, monkeypatch, capsys):
        def play(answers="y\ny\n", presses=(Button.SCAN, Button.NEXT, Button.OK), code=0):
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
            assert bench.examine(interactive=True) == code
            return capsys.readouterr().out

        return play

    def test_all_is_well(self, interactive_lines, bench):
        result = interactive_lines()
        assert "Press NEXT briefly." in result
        assert "Display: fine. The display shows the test pictures." in result
        assert "Buttons: fine. All three buttons responded." in result
        assert len(bench.display.frames) == 6

    @pytest.mark.parametrize("answers", ["n\n", "y\nNo\n", "y\n", ""])
    def test_a_display_that_is_not_as_it_should_be_is_broken(self, interactive_lines, answers):
        assert "Display: BROKEN!" in interactive_lines(answers, code=3)

    @pytest.mark.parametrize(
        ("answer", "line"),
        [
            ("y\n", "Buzzer and lamp: fine. The buzzer is on GPIO 12, the lamp on GPIO -1"),
            ("n\n", "Buzzer and lamp: please look! no signal came"),
            ("", "Buzzer and lamp: please look! no signal came"),
        ],
    )
    def test_buzzer_and_lamp_are_tried_where_they_are_set(
        self, interactive_lines, bench, home, answer, line
    ):
        home.mkdir()
        (home / "settings.toml").write_text("[signals]\nbuzzer_gpio = 12\n", "utf-8")
        assert line in interactive_lines(f"y\ny\n{answer}", code=int(answer != "y\n"))
        assert bench.signals.given == [Signal.LOOK_AT_DISPLAY]
        assert bench.signals.closed

    def test_swapped_buttons_and_those_not_heard_are_named(self, interactive_lines):
        result = interactive_lines(presses=(Button.NEXT, Button.SCAN, Button.OK), code=3)
        assert "SCAN was asked for and NEXT was heard (GPIO): swap their wires" in result
        assert "OK was asked for" not in result
        result = interactive_lines(presses=(Button.SCAN, None, Button.OK), code=3)
        assert "NEXT was not heard (GPIO): check its two wires" in result
        assert "OK was not heard" not in result

    def test_a_display_that_is_lost_meanwhile_or_missing_keeps_nobody_from_pressing(
        self, interactive_lines, bench
    ):
        def lost(_image):
            raise DisplayError("display-lost", "it stopped answering: check its wires", "I2C bus 1")

        bench.display.show = lost
        result = interactive_lines(code=3)
        assert "Display: BROKEN! it stopped answering" in result
        assert "Buttons: fine." in result
        bench.display = NO_DISPLAY
        assert "Buttons: fine. All three buttons responded." in interactive_lines(code=3)

    def test_interactive_checks_without_a_terminal_open_nothing(self, bench, monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        with refused("doctor-nobody-there"):
            bench.examine(interactive=True)
        assert bench.opened == []
        with pytest.raises(UsageError, match="does not go with --json"):
            bench.examine(interactive=True, json=True)

    def test_the_frame_shows_all_four_edges_and_which_way_is_up(self):
        picture = frame_picture((128, 64))
        corners = [(0, 0), (127, 0), (0, 63), (127, 63), (64, 0), (64, 63), (0, 32), (127, 32)]
        assert all(picture.getpixel(corner) for corner in corners)
        turned = picture.rotate(180)
        assert ImageChops.logical_xor(picture, turned).getbbox() is not None
