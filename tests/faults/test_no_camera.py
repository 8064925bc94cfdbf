"""Fault: no camera is there, and its driver says so by a bare ``IndexError``.

The scanner starts all the same, says what is wrong, and tries again, ever more rarely.
"""

import numpy as np
import pytest

from firmware.appliance.effects import Log, OpenCamera
from firmware.appliance.events import ButtonPressed, CameraLost, Tick
from firmware.appliance.faults import fault_of
from firmware.screens.views import FaultView, MenuView
from hardware.buttons import Button
from hardware.camera import CameraWiring, SteadyCamera
from hardware.camera.picamera import open_picamera
from hardware.errors import CameraError
from tests.faults.turning import HandClock, after, ready_machine, words_on
from tests.hardware.fake_picamera2 import FakePicamera2

PICTURE = np.full((48, 64, 3), 90, np.uint8)


class Finding:
    """What picamera2 does at each attempt to make a camera: raise, or give one."""

    def __init__(self, *found):
        self.found = list(found)
        self.tries = 0

    def __call__(self, _number):
        self.tries += 1
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        if isinstance(found, Exception):
            raise found
        return found

    def camera(self, clock):
        return SteadyCamera(lambda: open_picamera(CameraWiring(), make=self), clock=clock)


def test_it_is_found_in_the_end_whatever_was_raised_before():
    clock = HandClock()
    finding = Finding(
        IndexError("list index out of range"),
        RuntimeError("Camera __init__ sequence did not complete."),
        FakePicamera2(PICTURE),
    )
    camera = finding.camera(clock)
    codes = []
    for now_s in (0.0, 1.0, 3.0):
        clock.time_s = now_s
        try:
            assert np.array_equal(camera.capture(5.0).image_bgr, PICTURE)
        except CameraError as error:
            codes.append(error.code)
    assert codes == ["camera-missing", "camera-broken"]
    assert finding.tries == 3


def test_it_is_not_looked_for_all_the_time():
    clock, finding = HandClock(), Finding(IndexError())
    camera = finding.camera(clock)
    for second in range(600):
        clock.time_s = float(second)
        with pytest.raises(CameraError, match="no camera was found: switch off, push"):
            camera.capture(5.0)
    assert finding.tries == 15


def missing():
    with pytest.raises(CameraError) as caught:
        Finding(IndexError()).camera(HandClock()).prepare()
    return CameraLost(fault_of(caught.value))


def test_it_starts_to_a_screen_that_says_so_and_the_menu_is_there():
    state, effects = after(ready_machine(), missing(), Tick(0.5))
    assert [effect for effect in effects if isinstance(effect, Log)]
    assert isinstance(state.shown.view, FaultView)
    assert "camera" in words_on(state.shown).lower()
    menu, _ = after(state, ButtonPressed(Button.SCAN, True, 1.0))
    assert isinstance(menu.shown.view, MenuView)


def test_it_is_tried_again_ever_more_rarely_and_logged_once():
    state, effects = after(ready_machine(), missing())
    tried_s, logged = [], sum(isinstance(effect, Log) for effect in effects)
    for now_s in range(1, 200):
        state, effects = after(state, Tick(float(now_s)))
        if any(isinstance(effect, OpenCamera) for effect in effects):
            tried_s.append(now_s)
            state, effects = after(state, missing())
        logged += sum(isinstance(effect, Log) for effect in effects)
    waits_s = [later - earlier for earlier, later in zip([0, *tried_s], tried_s, strict=False)]
    assert tried_s
    assert waits_s == sorted(waits_s)
    assert waits_s[-1] >= 30
    assert logged == 1
