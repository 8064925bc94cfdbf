"""Fault: a capture never returns.

It is given up, the camera is opened anew once, and if that does not help it is said. Meanwhile the
buttons are listened to.
"""

import numpy as np
import pytest

from firmware.appliance.effects import Log, StartScan
from firmware.appliance.events import ButtonPressed, CameraLost
from firmware.appliance.faults import Fault, fault_of
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.camera_desk import CameraDesk
from firmware.appliance.runner.crew import Crew
from firmware.screens.views import FaultView, MenuView
from hardware.buttons import Button, StandInButtons
from hardware.camera import CameraWiring, Hang, StandInCamera, SteadyCamera
from hardware.camera.picamera import open_picamera
from hardware.errors import CameraError
from tests.faults.turning import HandClock, Knock, after, ready_machine, words_on
from tests.hardware.fake_picamera2 import FakePicamera2
from tests.hardware.impatience import until_caught

PICTURE = np.full((48, 64, 3), 90, np.uint8)


@pytest.fixture
def hangs():
    made = [Hang(), Hang(), Hang()]
    yield made
    for hang in made:
        hang.release()


def steady(cameras, *hangs):
    found = iter(cameras)
    return SteadyCamera(lambda: next(found), clock=HandClock(), call=until_caught(*hangs))


def test_it_is_given_up_and_the_camera_opened_once_more(hangs):
    first, second = StandInCamera([PICTURE, hangs[0]]), StandInCamera([PICTURE])
    camera = steady([first, second], hangs[0])
    camera.capture(5.0)
    assert np.array_equal(camera.capture(5.0).image_bgr, PICTURE)
    assert first.closed
    assert second.captures == 1


def test_if_that_does_not_help_it_is_said_and_the_camera_closed(hangs):
    cameras = [StandInCamera([hangs[0]]), StandInCamera([hangs[1]])]
    camera = steady(cameras, *hangs)
    with pytest.raises(CameraError, match="the camera does not answer: check") as caught:
        camera.capture(5.0)
    assert caught.value.code == "camera-silent"
    assert all(camera.closed for camera in cameras)


def test_a_camera_that_cannot_even_be_closed_is_not_tried_again(hangs):
    capture, closing = hangs[0], hangs[1]
    camera = steady([StandInCamera([capture], closing=closing)], capture, closing)
    for _ in range(2):
        with pytest.raises(CameraError, match="cannot be let go of: switch") as caught:
            camera.capture(5.0)
        assert caught.value.code == "camera-stuck"
        assert camera.is_stuck


def test_the_job_of_picamera2_is_cancelled_so_that_closing_does_not_wait_for_it():
    fake = FakePicamera2(PICTURE)
    camera = open_picamera(CameraWiring(), make=lambda _number: fake)
    fake.silent = True
    with pytest.raises(CameraError) as caught:
        camera.capture(5.0)
    assert caught.value.code == "camera-silent"
    assert fake.jobs == []
    camera.close()
    assert not fake.is_open


def test_the_buttons_are_listened_to_while_it_hangs(hangs):
    """The capture hangs on its own thread; the loop's thread goes on turning."""
    knock, told, clock = Knock(), [], HandClock()
    crew = Crew(clock, knock)
    cameras = [StandInCamera([hangs[0]]), StandInCamera([hangs[1]])]
    desk = CameraDesk(lambda: steady(cameras, *hangs[:2]), crew, told.append)
    buttons = StandInButtons()
    button_desk = ButtonDesk(lambda: buttons)
    pictured = []
    desk.capture(pictured.append)
    buttons.press(Button.OK)
    assert [event.button for event in button_desk.presses(1.0)] == [Button.OK]
    while not pictured:
        knock.wait()
        crew.turn()
    assert isinstance(pictured[0], Fault)
    assert pictured[0].code == "camera-silent"


def test_the_display_says_so_and_buttons_still_lead_away():
    scanning, effects = after(ready_machine(), ButtonPressed(Button.SCAN, False, 1.0))
    assert any(isinstance(effect, StartScan) for effect in effects)
    silent = CameraError("camera-silent", "the camera does not answer: check its cable", "camera 0")
    failed, effects = after(scanning, CameraLost(fault_of(silent)))
    assert [effect for effect in effects if isinstance(effect, Log)]
    assert isinstance(failed.shown.view, FaultView)
    assert "camera" in words_on(failed.shown).lower()
    home, _ = after(failed, ButtonPressed(Button.OK, False, 2.0))
    menu, _ = after(home, ButtonPressed(Button.SCAN, True, 3.0))
    assert isinstance(menu.shown.view, MenuView)
