"""Before the loop runs: the display says so, and nothing can hold it up."""

import subprocess
import sys

import pytest

from firmware.appliance.runner import launch, loop
from firmware.appliance.runner.launch import RunOutcome
from firmware.base.language import use_language
from firmware.cli import main
from firmware.commands import run
from firmware.screens.device_views import StartingView
from firmware.screens.render import render
from firmware.settings import DisplaySettings, Settings, store_settings
from firmware.settings.file import documented_defaults
from firmware.wording.problem_text import problem_line
from hardware.buttons import StandInButtons
from hardware.camera import Hang
from hardware.display import StandInDisplay
from hardware.errors import DisplayError
from tests.appliance.whole_appliance import be_the_appliance
from tests.hardware.impatience import until_caught
from tests.process_lines import LONG_S


@pytest.fixture
def launched(monkeypatch):
    """Starts handed to the loop, which does not run."""
    starts = []

    def keep(start, _open_page, *, emulate):
        starts.append(start)
        return RunOutcome()

    monkeypatch.setattr(launch, "launch", keep)
    return starts


def test_the_display_says_that_the_scanner_starts(launched, monkeypatch):
    display = StandInDisplay()
    monkeypatch.setattr(run, "open_display", lambda _wiring: display)
    assert be_the_appliance(emulate=False, language="hu") == 0
    (shown,) = display.frames
    use_language("hu")
    assert shown.tobytes() == render(StartingView()).image.tobytes()
    assert launched[0].display is display
    assert not display.closed


def test_a_missing_display_is_noted_and_no_end(launched, monkeypatch):
    def missing(_wiring):
        raise DisplayError("display-not-found", "no display answers: check its wires", "I2C")

    monkeypatch.setattr(run, "open_display", missing)
    assert be_the_appliance(emulate=False) == 0
    assert launched[0].display is None
    assert launched[0].display_error.code == "display-not-found"


def test_a_bus_that_hangs_does_not_hold_up_the_start(launched, monkeypatch):
    hang = Hang()
    monkeypatch.setattr(run, "open_display", lambda _wiring: hang.wait())
    monkeypatch.setattr(run, "call_with_limit", until_caught(hang))
    assert be_the_appliance(emulate=False) == 0
    assert launched[0].display_error.code == "display-silent"
    hang.release()


def test_without_a_display_in_the_settings_none_is_looked_for(launched, monkeypatch):
    store_settings(Settings(display=DisplaySettings(kind="none")))
    monkeypatch.setattr(run, "open_display", lambda _wiring: pytest.fail("it was looked for"))
    assert be_the_appliance(emulate=False) == 0
    assert (launched[0].display, launched[0].display_error) == (None, None)


def test_settings_that_cannot_be_used_are_handed_on(launched, folder):
    (folder / "settings.toml").write_text('language = "xx"\ncolour = "red"\n')
    assert be_the_appliance(emulate=True) == 0
    assert {warning.code for warning in launched[0].warnings} == {
        "setting-unknown",
        "setting-not-allowed",
    }


def test_damaged_settings_are_reported_once_in_language_in_use(launched, folder, caplog, capfd):
    (folder / "settings.toml").write_text("level =")
    assert main(["run", "--emulate", "--lang", "de"]) == 0
    assert len(launched) == 1
    printed = caplog.text + capfd.readouterr().err
    assert printed.count("TOML") == printed.count("das ist kein TOML") == 1


def test_damaged_settings_are_read_once_and_set_aside(launched, folder, caplog):
    (folder / "settings.toml").write_text("level =")
    assert main(["run", "--emulate"]) == 0
    (warning,) = launched[0].warnings
    assert warning.code == "settings-not-toml"
    assert warning.message.endswith("the file is now called settings.toml.bad-1")
    assert [record.args for record in caplog.records] == [(warning.code, problem_line(warning))]
    assert (folder / "settings.toml").read_text("utf-8") == documented_defaults()


@pytest.mark.parametrize("emulate", [True, False])
def test_the_first_start_writes_the_documented_settings(launched, folder, monkeypatch, emulate):
    monkeypatch.setattr(run, "open_display", lambda _wiring: StandInDisplay())
    assert be_the_appliance(emulate=emulate) == 0
    assert (folder / "settings.toml").read_text("utf-8") == documented_defaults()


def test_a_folder_that_cannot_be_written_is_no_end(launched, folder, monkeypatch):
    (folder / "file").touch()
    monkeypatch.setenv("STADTBLICK_HOME", str(folder / "file"))
    assert be_the_appliance(emulate=True) == 0
    assert len(launched) == 1


@pytest.mark.parametrize("emulate", [True, False])
def test_only_starts_with_real_devices_are_counted(launched, folder, monkeypatch, emulate):
    monkeypatch.setattr(run, "open_display", lambda _wiring: StandInDisplay())
    be_the_appliance(emulate=emulate)
    assert (folder / "incomplete-boots").exists() is not emulate


def test_the_start_does_not_load_what_only_the_command_line_shows():
    """Each library costs seconds on a slow card."""
    loads = "import sys, firmware.commands.run, firmware.appliance.runner.launch"
    process = subprocess.run(
        [sys.executable, "-c", f"{loads}; print('rich' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONG_S,
    )
    assert process.stdout == "False\n"


@pytest.fixture
def turned(monkeypatch):
    """Gets an entry whenever the loop would begin."""
    seen = []

    def end_at_once(appliance, wake_up, **_more):
        loop.close_all(appliance, wake_up)
        seen.append(1)
        return True

    monkeypatch.setattr(launch, "run_until_stopped", end_at_once)
    return seen


def test_with_buttons_alone_it_starts(monkeypatch, turned):
    store_settings(Settings(display=DisplaySettings(kind="none")))
    monkeypatch.setattr(launch, "open_buttons", lambda _wiring: StandInButtons())
    assert be_the_appliance(emulate=False, camera="none") == 0
    assert turned


def test_camera_of_the_command_line_is_used(monkeypatch, tmp_path):
    cameras = []

    def keep(_parts, _wake_up, camera, *, is_chosen):
        cameras.append((camera.kind, camera.source, is_chosen))
        return RunOutcome()

    monkeypatch.setattr(launch, "_run_emulated", keep)
    (photo := tmp_path / "table.jpg").touch()
    assert main(["run", "--emulate", "--camera", str(photo)]) == 0
    assert cameras == [("file", str(photo), True)]
