"""Aiming the camera from the menu, picture after picture."""

from dataclasses import replace

from appliance_machine import CAMERA_MISSING, at_menu
from appliance_walk import AIMED

from firmware.appliance import effects, events
from firmware.appliance.aiming import LONGEST_S
from firmware.screens import views
from firmware.screens.views import AimPage
from firmware.screens.words import Advice
from hardware.camera import StandInCamera, SteadyCamera
from tests.appliance.whole_appliance import NEXT, OK, SCAN, WholeAppliance
from tests.vision.calibration_scene import Camera, Pose, photograph


def aiming():
    machine = at_menu("aim")
    machine.tell(events.Aimed(machine.one(effects.LookToAim).job, AIMED))
    return machine


def test_each_picture_is_shown_and_the_next_one_taken():
    machine = aiming()
    assert machine.view == AIMED
    job = machine.one(effects.LookToAim).job
    nearer = replace(AIMED, advice=Advice.TOO_NEAR)
    machine.tell(events.Aimed(job, nearer))
    assert machine.view == nearer
    assert machine.one(effects.LookToAim).job == job + 1


def test_scan_focuses_anew_next_shows_figures_and_heights_and_ok_leaves():
    machine = aiming()
    assert machine.view.page is AimPage.PICTURE
    machine.press("next")
    assert machine.view.page is AimPage.FIGURES
    machine.press("next")
    assert machine.view.page is AimPage.HEIGHTS
    machine.press("scan")
    assert machine.done(effects.OpenCamera)
    machine.tell(events.Aimed(machine.job, AIMED))
    assert machine.view.page is AimPage.HEIGHTS
    machine.press("ok")
    assert isinstance(machine.view, views.ReadyView)
    # Where the camera hangs now, it needs another focus than where it was opened
    assert machine.done(effects.OpenCamera)


def test_without_a_picture_it_says_why():
    machine = at_menu("aim")
    machine.tell(events.JobFailed(machine.one(effects.LookToAim).job, CAMERA_MISSING))
    assert machine.view.code == CAMERA_MISSING.code


def test_it_does_not_go_on_for_ever():
    machine = aiming()
    for _ in range(round(LONGEST_S / 60)):
        assert machine.view == AIMED
        machine.wait(60)
        machine.tell(events.Aimed(machine.job, AIMED))
    assert isinstance(machine.view, views.ReadyView)


def test_it_looks_through_the_camera_of_the_appliance():
    camera = Camera(887.0, (575.5, 323.5), (0,) * 5, (1152, 648))
    low, high = (photograph(camera, Pose(0, 0, 0, (0, 0, mm))) for mm in (450, 720))
    whole = WholeAppliance(camera=lambda: SteadyCamera(lambda: StandInCamera([low, high])))
    whole.into("Aim")
    assert any("Too near" in words for words in whole.seen)
    assert "Good" in whole.words
    assert "2-6" in whole.words
    whole.press(NEXT)
    assert "2-6 players" in whole.words
    whole.press(NEXT)
    assert "lens is not known" in whole.words.replace(" | ", " ")
    whole.press(SCAN, OK)
    assert whole.names[-1] == "ready"
