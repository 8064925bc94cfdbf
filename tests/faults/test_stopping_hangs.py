"""Fault: the camera does not even stop.

No heroics: the signs of life to the service manager cease, so that it starts the program anew.
"""

import pytest

from hardware.camera import Hang, StandInCamera, SteadyCamera
from tests.appliance.whole_appliance import OK, PICTURE, SCAN, WholeAppliance
from tests.hardware.impatience import until_caught


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def hangs():
    made = [Hang(), Hang()]
    yield made
    for hang in made:
        hang.release()


def pings_in(whole, seconds):
    before = whole.watcher.pings
    whole.turn(seconds)
    return whole.watcher.pings - before


def test_as_long_as_the_camera_can_be_stopped_there_are_signs_of_life(folder):
    whole = WholeAppliance(folder)
    whole.turn(1)
    assert pings_in(whole, 8) == 4
    whole.press(SCAN)
    assert pings_in(whole, 8) == 4


def test_they_cease_when_neither_a_capture_nor_closing_returns(folder, hangs):
    capture, closing = hangs
    stuck = StandInCamera([capture], closing=closing)
    whole = WholeAppliance(
        folder, camera=lambda: SteadyCamera(lambda: stuck, call=until_caught(capture, closing))
    )
    whole.turn(1)
    assert pings_in(whole, 8) > 0
    whole.press(SCAN)
    assert pings_in(whole, 60) == 0


def test_meanwhile_it_is_said_and_the_buttons_work(folder, hangs):
    capture, closing = hangs
    stuck = StandInCamera([capture], closing=closing)
    whole = WholeAppliance(
        folder, camera=lambda: SteadyCamera(lambda: stuck, call=until_caught(capture, closing))
    )
    whole.turn(1)
    whole.press(SCAN)
    assert "camera" in whole.words.lower()
    whole.press(SCAN, long=True)
    assert whole.names[-1].startswith("menu")
    whole.press(OK, long=True)
    assert whole.names[-1] == "notice-shutting-down"


def test_the_program_ends_all_the_same(folder, hangs):
    """Closing is waited for, but not for ever: who ends the process is told that it hangs."""
    whole = WholeAppliance(folder, camera=lambda: SteadyCamera(lambda: StandInCamera([PICTURE])))
    whole.turn(1)
    whole.launch.hold.add("camera close")
    whole.appliance.close()
    whole.crew.turn()
    assert not whole.appliance.is_closed
    assert not whole.crew.is_free
