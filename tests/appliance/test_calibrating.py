"""The wizard for calibrating, on the display alone."""

import pytest

from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.features.calibrating import (
    CalibrationPhotoTaken,
    CalibrationSolved,
    CalibrationStored,
    SolveCalibration,
    StoreCalibration,
    TakeCalibrationPhoto,
)
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.job_mode import JobFailed
from firmware.appliance.transitions import CancelJob, LogProblem
from firmware.base.problem import Problem
from firmware.screens.device_views import (
    CalibratedView,
    HandsOffView,
    MenuView,
    ReadyView,
    StageView,
    WizardView,
)
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Hint, Question, Stage, WizardStep
from tests.appliance.appliance_machine import CAMERA_MISSING, at_menu

NO_SHEET = Problem("sheet-not-found", "no sheet: show it whole", "camera")
FOUND = CalibratedView(error_px=0.3, coverage=0.8, height_mm=612.0, photos=7)


def take(machine, *, good=True):
    """Take a photo of the sheet."""
    machine.press("ok")
    job = machine.effect_of(TakeCalibrationPhoto).job_id
    assert isinstance(machine.view, HandsOffView)
    machine.handle(CalibrationPhotoTaken(job) if good else JobFailed(job, NO_SHEET))


def solved(machine):
    return CalibrationSolved(machine.effect_of(SolveCalibration).job_id, FOUND)


def keep(machine):
    """Say that what was found is good enough."""
    machine.press("ok")
    machine.handle(CalibrationStored(machine.effect_of(StoreCalibration).job_id))


def calibrating(photos=0):
    machine = at_menu("calibrate")
    machine.press("ok")
    for _ in range(photos):
        take(machine)
    return machine


POSES = [
    WizardStep.CALIBRATE_FLAT, WizardStep.CALIBRATE_LIFT_LEFT, WizardStep.CALIBRATE_LIFT_RIGHT,
    WizardStep.CALIBRATE_LIFT_NEAR, WizardStep.CALIBRATE_LIFT_FAR, WizardStep.CALIBRATE_CORNER,
    WizardStep.CALIBRATE_TABLE,
]  # fmt: skip


class TestCalibrating:
    def test_calibration_begins_with_the_printed_sheet(self):
        machine = at_menu("calibrate")
        assert machine.view.step is WizardStep.CALIBRATE_PRINT
        assert (machine.view.number, machine.view.count) == (1, 8)
        assert machine.view.hints.ok is Hint.OK
        machine.press("next")
        assert machine.view.part == 1
        machine.press("ok")
        assert machine.effects_of(TakeCalibrationPhoto) == []
        assert machine.view.hints.ok is Hint.PHOTO

    def test_each_pose_says_what_to_do_and_whether_the_last_photo_worked(self):
        machine = calibrating()
        for number, pose in enumerate(POSES):
            assert machine.view.step is pose
            assert machine.view.number == number + 2
            assert machine.view.worked == (number > 0)
            machine.press("ok")
            assert machine.effect_of(TakeCalibrationPhoto).drops_earlier == (number == 0)
            machine.handle(CalibrationPhotoTaken(machine.job_id - (pose is POSES[-1])))
            if pose is not POSES[-1]:
                assert machine.effects_of(SolveCalibration) == []

    def test_after_the_last_pose_it_is_solved(self):
        machine = calibrating(7)
        assert not machine.effect_of(SolveCalibration).table_only
        assert machine.view == StageView(stage=Stage.CALIBRATE)
        machine.handle(solved(machine))
        assert machine.view == FOUND
        keep(machine)
        assert isinstance(machine.view, ReadyView)
        assert machine.state.calibrated

    def test_calibration_is_kept_only_if_a_person_says_so(self):
        machine = calibrating(7)
        machine.handle(solved(machine))
        machine.press("scan")
        assert machine.view == ConfirmView(question=Question.CANCEL_WIZARD)
        machine.press("scan")
        assert machine.view == FOUND
        machine.press("scan", "ok", to=MenuView)
        assert machine.effects_of(StoreCalibration) == []
        assert not machine.state.calibrated

    def test_failure_to_store_is_shown(self):
        machine = calibrating(7)
        machine.handle(solved(machine))
        machine.press("ok")
        machine.handle(JobFailed(machine.job_id, Problem("file-not-writable", "full: room", "")))
        assert machine.view.problem == "file-not-writable"
        assert not machine.state.calibrated

    def test_a_bad_photo_says_why_and_the_pose_is_taken_again(self):
        machine = calibrating(2)
        step = machine.view.step
        take(machine, good=False)
        assert machine.view.step is step
        assert (machine.view.problem, machine.view.detail) == (NO_SHEET.code, NO_SHEET.message)
        assert not machine.view.worked
        assert machine.effect_of(LogProblem).problem == NO_SHEET
        machine.press("next")
        assert machine.view.part == 1
        take(machine)
        assert machine.view.step is not step
        assert machine.view.problem == ""
        assert machine.view.part == 0
        machine = calibrating()
        take(machine, good=False)
        machine.press("ok")
        assert machine.effect_of(TakeCalibrationPhoto).drops_earlier

    @pytest.mark.parametrize(
        ("code", "step", "first"),
        [
            ("calibration-one-angle", WizardStep.CALIBRATE_LIFT_LEFT, False),
            ("calibration-too-few-photos", WizardStep.CALIBRATE_LIFT_LEFT, False),
            ("calibration-low-coverage", WizardStep.CALIBRATE_CORNER, False),
            ("calibration-table-unclear", WizardStep.CALIBRATE_TABLE, False),
            ("file-not-writable", WizardStep.CALIBRATE_TABLE, False),
            ("calibration-inexact", WizardStep.CALIBRATE_FLAT, True),
            ("calibration-sizes-differ", WizardStep.CALIBRATE_FLAT, True),
        ],
    )
    def test_insufficient_photos_lead_to_the_step_that_helps(self, code, step, first):
        machine = calibrating(7)
        problem = Problem(code, "not enough: more", "")
        machine.handle(JobFailed(machine.job_id, problem))
        assert isinstance(machine.view, WizardView)
        assert (machine.view.step, machine.view.problem) == (step, code)
        machine.press("ok")
        assert machine.effect_of(TakeCalibrationPhoto).drops_earlier == first
        machine.handle(CalibrationPhotoTaken(machine.job_id))
        while not machine.effects_of(SolveCalibration):
            take(machine)
        machine.handle(solved(machine))
        assert isinstance(machine.view, CalibratedView)

    def test_next_cancels_a_photo_and_stays_in_the_wizard(self):
        machine = calibrating(1)
        step = machine.view.step
        machine.press("ok")
        job = machine.job_id
        machine.press("scan", "ok")
        assert machine.effects == []
        machine.press("next")
        assert machine.effect_of(CancelJob).job_id == job
        assert machine.view.step is step
        machine.handle(CalibrationPhotoTaken(job))
        assert machine.view.step is step, "nobody waits for it"

    def test_leaving_asks_once_there_is_something_to_lose(self):
        machine = calibrating()
        machine.press("scan", to=MenuView)
        machine = calibrating(1)
        machine.press("scan")
        assert machine.view == ConfirmView(question=Question.CANCEL_WIZARD)
        machine.press("scan", to=WizardView)
        machine.press("scan", "ok", to=MenuView)

    def test_a_known_lens_can_be_kept(self):
        machine = at_menu("calibrate", calibrated=True)
        assert machine.labels() == ["table-only", "lens-and-table"]
        machine.choose("table-only")
        assert (machine.view.step, machine.view.count) == (WizardStep.CALIBRATE_TABLE, 1)
        take(machine)
        assert machine.effect_of(SolveCalibration).table_only
        other_size = Problem("calibration-other-size", "another size: calibrate again", "")
        machine.handle(JobFailed(machine.job_id, other_size))
        assert machine.view.problem == "calibration-other-size"
        machine.press("ok")
        assert machine.effect_of(TakeCalibrationPhoto).drops_earlier
        machine.handle(CalibrationPhotoTaken(machine.job_id))
        machine.handle(solved(machine))
        assert isinstance(machine.view, CalibratedView)
        machine = calibrating(7)
        machine.handle(solved(machine))
        keep(machine)
        machine.press("ok")
        machine.choose("calibrate")
        assert machine.labels() == ["table-only", "lens-and-table"]

    def test_camera_loss_ends_photo_but_not_solving(self):
        machine = calibrating(1)
        machine.press("ok")
        machine.handle(CameraLost(CAMERA_MISSING))
        assert machine.view.problem == "camera-missing"
        machine.press("ok")
        machine.handle(CalibrationPhotoTaken(machine.job_id))
        assert machine.view.worked
        assert machine.state.camera.problem is None
        machine = calibrating(7)
        machine.handle(CameraLost(CAMERA_MISSING))
        assert machine.view == StageView(stage=Stage.CALIBRATE)
        job = machine.job_id
        machine.handle(CalibrationSolved(job, FOUND))
        assert isinstance(machine.view, CalibratedView)

    def test_the_next_scan_is_of_another_table(self, machine):
        machine.scan()
        machine.open_menu("calibrate")
        machine.press("ok", "ok")
        machine.press("next", "scan", "scan", to=ReadyView)
        machine.press("scan")
        assert not machine.effect_of(TakeAndReadPhoto).expects_same_table

    def test_leaving_it_before_a_photo_leads_back_to_the_result(self, machine):
        machine.scan()
        machine.open_menu("calibrate")
        machine.press("scan", "scan", to=WinnerView)
