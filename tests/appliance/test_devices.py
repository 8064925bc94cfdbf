"""Camera, display and computer come and go; what is stored; dimming; switching off."""

from dataclasses import replace

import pytest

from firmware.appliance.base import Show
from firmware.appliance.camera_recovery import CameraLost, CameraOpened, OpenCamera
from firmware.appliance.display_transitions import DisplayFound, DisplayLost, SetBrightness
from firmware.appliance.features.alerts import ClockKnownChanged, HealthChanged
from firmware.appliance.features.calibrating import TakeCalibrationPhoto
from firmware.appliance.features.power import ShutDown, ShutDownFailed
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.features.teaching import LearnLayout
from firmware.appliance.inputs import Tick
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.saving import (
    LoadLastResult,
    ResultNotSaved,
    ResultSaved,
    ResultSavedLater,
    SaveResult,
)
from firmware.appliance.stored_settings import SettingsNotStored, SettingsStored
from firmware.appliance.transitions import CancelJob, LogProblem
from firmware.base.problem import Problem
from firmware.screens.device_views import (
    HandsOffView,
    NoticeView,
    PageView,
    ProblemView,
    ReadyView,
    WizardView,
)
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import StandingsView, WinnerView
from firmware.screens.words import Alert, Hint, Question, Stage, WizardStep
from firmware.settings import DisplaySettings
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CAMERA_MISSING,
    DISK_FULL,
    EXAMPLE,
    SETTINGS,
    MachineDriver,
    finished,
    label_text,
    read,
    shows,
)

BROKEN = Problem("camera-broken", "the camera is broken: replace it", "camera")
DISPLAY_LOST = Problem("display-lost", "it does not answer: check the cable", "I2C")
NOT_ALLOWED = Problem("shut-down-refused", "no permission: install it again", "")
UNSURE = {(0, (0, 0)): (Face.HOUSE,), (2, (1, 1)): (Face.SHOP,)}


class TestStarting:
    def test_ready_is_shown_while_the_camera_is_still_being_opened(self):
        machine = MachineDriver(camera=False)
        assert [type(effect) for effect in machine.effects] == [
            LoadLastResult,
            OpenCamera,
            Show,
        ]
        assert isinstance(machine.view, ReadyView)
        assert machine.handle(CameraOpened()) == []

    def test_scan_begins_while_the_camera_opens(self):
        machine = MachineDriver(camera=False)
        machine.press("scan")
        assert machine.effect_of(TakeAndReadPhoto)
        machine.handle(CameraOpened())
        assert isinstance(machine.view, HandsOffView)

    def test_settings_that_are_of_no_use_are_told(self):
        damaged = Problem("settings-not-toml", "no TOML: defaults are used", "settings.toml")
        machine = MachineDriver(settings_problem=damaged)
        assert machine.alerts == ["settings-reset"]
        assert not any(isinstance(e, LogProblem) for e in machine.all_effects), "logged before"
        machine.handle(SettingsStored())
        assert machine.alerts == [], "there are good ones on the disk now"

    def test_one_sign_is_enough_for_all_that_is_not_saved(self, machine):
        machine.scan()
        unsaved = Problem("not-saved", "no: do", "")
        machine.handle(ResultNotSaved(machine.job_id, unsaved), SettingsNotStored(unsaved))
        assert machine.alerts == ["not-saved"]


class TestCamera:
    def test_without_a_camera_ready_says_so_and_the_buttons_live(self):
        machine = MachineDriver(camera=False)
        machine.handle(CameraLost(CAMERA_MISSING))
        assert machine.view.code == "camera-missing"
        assert machine.view.retrying
        assert machine.view.hints.ok is Hint.MENU
        assert machine.effect_of(LogProblem).problem == CAMERA_MISSING
        machine.press("next")
        assert machine.view.part == 1
        machine.press("ok")
        assert "settings" in machine.labels()
        machine = MachineDriver(camera=False)
        machine.handle(CameraLost(CAMERA_MISSING))
        machine.handle(CameraLost(BROKEN))
        assert machine.effect_of(LogProblem).problem == BROKEN
        assert machine.view.code == "camera-broken"

    def test_lost_camera_is_tried_again_ever_more_rarely(self):
        machine = MachineDriver(camera=False)
        waits = []
        for _ in range(9):
            machine.handle(CameraLost(CAMERA_MISSING))
            waited = 0
            while not machine.effects_of(OpenCamera):
                machine.wait(1)
                waited += 1
            waits.append(waited)
        assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
        assert [e for e in machine.all_effects if isinstance(e, LogProblem)] == [
            LogProblem(CAMERA_MISSING)
        ]

    def test_once_it_is_back_all_is_well_and_the_waits_begin_anew(self):
        machine = MachineDriver(camera=False)
        for _ in range(5):
            machine.handle(CameraLost(CAMERA_MISSING))
        machine.handle(CameraOpened())
        assert isinstance(machine.view, ReadyView)
        assert machine.wait(70) == []
        machine.handle(CameraLost(CAMERA_MISSING))
        assert machine.effect_of(LogProblem)
        assert [type(effect) for effect in machine.wait(1)] == [OpenCamera]

    @pytest.mark.parametrize(
        "event",
        [lambda job: StageReached(job, Stage.LOCATE), lambda job: finished(job, read())],
    )
    def test_a_picture_shows_that_it_works_again(self, event):
        machine = MachineDriver(camera=False)
        machine.handle(CameraLost(CAMERA_MISSING))
        machine.press("scan")
        machine.handle(event(machine.job_id))
        machine.press("next")
        machine.hold("next", to=ReadyView)

    def test_a_scan_that_has_just_begun_says_nothing_about_the_camera(self):
        machine = MachineDriver(camera=False)
        machine.handle(CameraLost(CAMERA_MISSING))
        machine.press("scan")
        machine.handle(StageReached(machine.job_id, Stage.CAPTURE))
        machine.press("next")
        assert machine.view.code == "camera-missing"

    def test_a_result_can_be_read_without_a_camera(self, machine):
        machine.scan()
        machine.handle(CameraLost(CAMERA_MISSING))
        assert isinstance(machine.view, WinnerView)
        assert "camera" in machine.alerts
        machine.press("next", to=StandingsView)

    def test_a_failed_scan_leads_back_by_itself_once_the_camera_is_back(self, machine):
        machine.press("scan")
        machine.handle(CameraLost(CAMERA_MISSING))
        assert machine.effect_of(CancelJob)
        assert machine.view.code == "camera-missing"
        machine.handle(CameraOpened())
        assert isinstance(machine.view, ReadyView)

    def test_camera_that_is_back_leads_to_the_result(self, machine):
        machine.scan()
        winner = machine.view
        machine.fail(CAMERA_MISSING)
        assert isinstance(machine.view, ProblemView)
        assert machine.view.retrying
        machine.handle(CameraOpened())
        assert machine.view == winner

    def test_another_fault_stays_when_the_camera_is_back(self, machine):
        machine.fail(Problem("photo-too-dark", "dark: light"))
        machine.handle(CameraOpened())
        assert machine.view.code == "photo-too-dark"

    def test_camera_is_not_opened_during_a_scan(self):
        machine = MachineDriver(camera=False)
        for _ in range(4):
            machine.handle(CameraLost(CAMERA_MISSING))
        machine.press("scan")
        assert machine.wait(50) == []
        machine.press("next")
        assert machine.wait(1) == [OpenCamera()]

    def test_camera_is_not_opened_during_shutdown(self):
        machine = MachineDriver(camera=False)
        for _ in range(4):
            machine.handle(CameraLost(CAMERA_MISSING))
        machine.switch_off()
        assert machine.wait(50) == []

    def test_a_camera_that_never_opens_is_given_up_and_tried_again(self):
        machine = MachineDriver(camera=False)
        machine.wait(99)
        assert isinstance(machine.view, ReadyView)
        machine.wait(1)
        assert machine.view.code == "camera-silent"
        assert machine.wait(1) == [OpenCamera()]

    def test_a_photo_that_never_comes_ends_in_the_same_fault(self, machine):
        machine.press("scan")
        job = machine.job_id
        assert machine.wait(99) == []
        machine.wait(1)
        assert machine.effect_of(CancelJob).job_id == job
        assert machine.effect_of(LogProblem).problem.code == "camera-silent"
        assert machine.view.code == "camera-silent"
        assert machine.wait(1)[0] == OpenCamera()


class TestJobsThatHang:
    def test_reading_that_never_ends_is_given_up(self, machine):
        machine.press("scan")
        job = machine.job_id
        machine.wait(80)
        machine.handle(StageReached(job, Stage.LOCATE))
        assert machine.wait(179) == []
        machine.wait(1)
        assert machine.view.code == "job-too-slow"
        assert machine.effect_of(CancelJob).job_id == job
        assert machine.effect_of(LogProblem)

    def test_press_ends_a_job_that_hangs(self, machine):
        machine.press("scan")
        machine.now_s += 1000
        machine.press("next")
        assert machine.view.code == "camera-silent"

    def test_the_clock_of_the_machine_never_runs_back(self, machine):
        machine.press("scan")
        machine.wait(50)
        machine.handle(Tick(0.0))
        assert machine.wait(49) == []
        machine.wait(1)
        assert machine.view.code == "camera-silent"

    def test_late_tick_does_not_abort_job(self, machine):
        machine.wait(400)
        machine.press("scan")
        machine.handle(Tick(0.0), StageReached(machine.job_id, Stage.LOCATE))
        assert machine.wait(100) == []

    @pytest.mark.parametrize("labels", [("calibrate",), ("teach", "grandma", "add-examples")])
    def test_wizard_gives_up_a_silent_camera(self, machine, labels):
        machine.open_menu(*labels)
        machine.press("ok", "ok")
        assert machine.effects_of(TakeCalibrationPhoto) or machine.effects_of(LearnLayout)
        job = machine.job_id
        machine.wait(99)
        assert isinstance(machine.view, HandsOffView)
        machine.wait(1)
        assert isinstance(machine.view, WizardView)
        assert machine.view.problem == "camera-silent"
        assert machine.effect_of(CancelJob).job_id == job

    def test_a_wizard_that_waits_for_a_person_waits_for_ever(self, machine):
        machine.open_menu("calibrate")
        machine.wait(400)
        assert machine.view.problem == ""

    def test_solving_has_more_time_than_a_photo(self, machine):
        machine.open_menu("teach", "grandma", "add-examples")
        machine.press("ok", "ok")
        machine.handle(StageReached(machine.job_id, Stage.TEACH))
        assert machine.wait(179) == []
        machine.wait(1)
        assert machine.view.problem == "job-too-slow"


class TestDisplay:
    def test_lost_display_is_logged_once_and_stops_nothing(self, machine):
        machine.handle(DisplayLost(DISPLAY_LOST), DisplayLost(DISPLAY_LOST))
        assert machine.effects == [LogProblem(DISPLAY_LOST)]
        machine.press("scan")
        assert [type(effect) for effect in machine.effects] == [TakeAndReadPhoto]
        machine.handle(finished(machine.job_id, read()))
        assert machine.effects_of(Show) == []
        assert machine.effect_of(SaveResult)

    def test_returned_display_shows_the_current_view(self, machine):
        machine.handle(DisplayLost(DISPLAY_LOST))
        machine.press("ok", "next")
        machine.handle(DisplayFound())
        assert shows(machine.effects) == [machine.view]
        assert machine.view.selected == 1

    def test_unchanged_view_is_redrawn_on_returned_display(self, machine):
        view = machine.view
        machine.handle(DisplayLost(DISPLAY_LOST))
        machine.handle(DisplayFound())
        assert shows(machine.effects) == [view]
        machine.handle(DisplayFound())
        assert shows(machine.effects) == [view], "it may have been empty for a moment"

    def test_nothing_is_drawn_that_is_on_it_already(self, machine):
        machine.scan()
        machine.finish_saving()
        assert shows(machine.wait(20)) == []
        assert machine.handle(HealthChanged(), ClockKnownChanged(known=True)) == []


class TestDimming:
    def test_display_dims_unused_and_brightens_with_a_press(self, machine):
        assert machine.wait(119) == []
        assert machine.wait(1) == [SetBrightness(dimmed=True)]
        assert machine.wait(300) == []
        machine.press("scan")
        assert machine.effects_of(SetBrightness) == [SetBrightness(dimmed=False)]
        assert machine.effect_of(TakeAndReadPhoto), "the press counts"
        never = replace(SETTINGS, display=DisplaySettings(dim_after_s=0))
        assert MachineDriver(settings=never).wait(1000) == []

    def test_a_press_begins_the_time_anew(self, machine):
        machine.wait(100)
        machine.press("ok")
        assert machine.wait(119) == []
        assert machine.wait(1) == [SetBrightness(dimmed=True)]

    def test_display_stays_bright_during_a_scan_and_its_result(self, machine):
        machine.press("scan")
        machine.handle(StageReached(machine.job_id, Stage.LOCATE))
        assert machine.wait(150) == []
        machine.handle(finished(machine.job_id, read()))
        machine.finish_saving()
        assert machine.wait(119) == []
        assert machine.wait(1) == [SetBrightness(dimmed=True)]

    def test_a_display_that_comes_back_is_dimmed_if_it_was(self, machine):
        machine.wait(120)
        machine.handle(DisplayLost(DISPLAY_LOST), DisplayFound())
        assert machine.effects_of(SetBrightness) == [SetBrightness(dimmed=True)]
        machine = MachineDriver()
        machine.handle(DisplayLost(DISPLAY_LOST), DisplayFound())
        assert machine.effects_of(SetBrightness) == []


class TestHealth:
    @pytest.mark.parametrize("alert", [Alert.UNDER_VOLTAGE, Alert.TOO_HOT, Alert.THROTTLED])
    def test_health_alert_shows_on_ready_and_winner_until_it_ends(self, machine, alert):
        machine.handle(HealthChanged((alert,)))
        assert machine.view.alerts == (alert,)
        machine.scan()
        assert machine.view.alerts == (alert,)
        assert machine.effect_of(SaveResult).health == (alert,)
        machine.handle(HealthChanged())
        assert machine.alerts == []

    def test_an_unknown_date_is_told_where_one_asks_how_the_scanner_is(self):
        machine = MachineDriver(clock_known=False, version="1.2")
        assert machine.alerts == []
        machine.open_menu("settings", "device")
        facts = {label_text(entry.label): label_text(entry.value) for entry in machine.view.entries}
        assert facts == {
            "camera-works": "yes", "calibrated": "no", "time-known": "no", "version": "1.2",
        }  # fmt: skip
        machine.choose("time-known")
        assert isinstance(machine.view, PageView), "a phone sets the clock"

    def test_entry_without_a_fault_leads_back_from_device_menu(self, machine):
        machine.open_menu("settings", "device", "camera-works")
        assert machine.labels()[-1] == "device"

    def test_missing_calibration_is_made_from_how_the_scanner_is(self, machine):
        machine.open_menu("settings", "device", "calibrated")
        assert machine.view.step is WizardStep.CALIBRATE_PRINT

    def test_safe_mode_shows_alerts(self):
        machine = MachineDriver(safe_mode=True)
        machine.press("ok", "scan")
        machine.handle(HealthChanged((Alert.UNDER_VOLTAGE, Alert.TOO_HOT, Alert.THROTTLED)))
        assert machine.alerts == ["safe-mode", "under-voltage", "too-hot", "throttled"]


class TestStoring:
    def test_every_answer_is_stored_in_the_place_of_the_result_before(self, machine):
        machine.scan(unsure=UNSURE)
        first = machine.saved_result
        machine.press("ok", "ok")
        second = machine.saved_result
        assert second.result_id == first.result_id
        assert second.save_id != first.save_id
        machine.press("ok", "scan")
        machine.handle(finished(machine.job_id, read()))
        again = machine.saved_result
        assert again.result_id != first.result_id
        assert (first.earlier, again.earlier.result_id) == (None, first.result_id)
        machine.press("scan")
        machine.handle(finished(machine.job_id, read(*EXAMPLE[:2])))
        machine.press("scan")
        machine.handle(finished(machine.job_id, read()))
        assert machine.saved_result.earlier.result_id == again.result_id, (
            "what was refused is not stored"
        )

    def test_reading_is_stored_as_seen_and_as_corrected(self, machine):
        machine.scan(unsure={(0, (0, 0)): (Face.HOUSE,)})
        machine.press("ok", "next", "ok")
        save = machine.saved_result
        assert save.eye_reading.grids[0].face((0, 0)) == Face.SHOP
        assert save.scan.reading.grids[0].face((0, 0)) == Face.HOUSE
        machine.press("scan")
        machine.scan(unsure={(0, (0, 0)): (Face.HOUSE,)})
        assert machine.saved_result.eye_reading.grids[0].face((0, 0)) == Face.SHOP

    @pytest.mark.parametrize(
        ("code", "alert"),
        [
            ("not-saved-disk-full", "storage-full"),
            ("not-saved-read-only", "read-only"),
            ("not-saved", "not-saved"),
        ],
    )
    def test_a_result_that_cannot_be_stored_is_shown_and_marked(self, machine, code, alert):
        machine.scan()
        assert not machine.view.unsaved
        machine.handle(ResultNotSaved(machine.job_id, Problem(code, "no: do", "")))
        assert isinstance(machine.view, WinnerView)
        assert machine.view.unsaved
        assert machine.alerts == [alert]
        machine.press("next")
        assert machine.view.unsaved
        machine.press("ok")
        assert machine.alerts == [alert]

    def test_failure_is_logged_once(self, machine):
        machine.scan(unsure=UNSURE)
        machine.handle(ResultNotSaved(machine.job_id, DISK_FULL))
        assert machine.effect_of(LogProblem).problem == DISK_FULL
        machine.press("ok", "ok")
        machine.handle(ResultNotSaved(machine.state.result.save_id, DISK_FULL))
        assert machine.effects_of(LogProblem) == []

    def test_mark_goes_when_the_result_is_stored_later(self, machine):
        machine.scan()
        machine.handle(ResultNotSaved(machine.job_id, DISK_FULL))
        machine.handle(ResultSavedLater(machine.state.result.result_id, seq=1))
        assert not machine.view.unsaved

    def test_an_earlier_result_stored_later_leaves_the_mark(self, machine):
        machine.scan()
        machine.handle(ResultNotSaved(machine.job_id, DISK_FULL))
        machine.handle(ResultSavedLater(machine.state.result.result_id - 1, seq=1))
        assert machine.view.unsaved

    def test_an_older_answer_does_not_count(self, machine):
        machine.scan(unsure=UNSURE)
        first = machine.effect_of(SaveResult).save_id
        machine.press("ok", "ok")
        machine.handle(JobFailed(first, DISK_FULL))
        assert machine.effects == []
        machine.handle(ResultNotSaved(machine.job_id, DISK_FULL))
        machine.handle(ResultSaved(first))
        machine.press("scan", "scan")
        assert machine.view.unsaved


class TestSwitchingOff:
    def test_shutdown_is_asked_once_and_no_leads_back(self, machine):
        machine.open_menu("settings")
        before = machine.view
        machine.hold("ok")
        assert machine.view == ConfirmView(question=Question.SHUT_DOWN)
        assert machine.hold("ok") == []
        machine.press("scan")
        assert machine.view == before
        machine.go_to_ready()
        machine.press("scan")
        machine.hold("ok")
        machine.press("scan", to=ReadyView)  # the scan was given up

    def test_result_is_stored_before_shutdown(self, machine):
        machine.scan()
        machine.switch_off()
        assert machine.effects_of(ShutDown) == []
        machine.wait(2)
        machine.finish_saving()
        assert machine.effects == [ShutDown()]

    def test_unsaved_result_does_not_block_shutdown(self, machine):
        machine.scan()
        machine.switch_off()
        machine.handle(ResultNotSaved(machine.state.result.save_id, DISK_FULL))
        assert machine.effects_of(ShutDown) == [ShutDown()]

    def test_slow_saving_does_not_block_shutdown(self, machine):
        machine.scan()
        machine.switch_off()
        assert machine.wait(9) == []
        assert machine.wait(1) == [ShutDown()]
        machine.finish_saving()
        assert machine.effects == [], "it is told once"

    def test_buttons_do_nothing_during_shutdown(self, machine):
        machine.switch_off()
        for button in ("scan", "next", "ok"):
            assert machine.press(button) == []
            assert machine.hold(button) == []

    def test_refused_shutdown_is_shown(self, machine):
        machine.switch_off()
        machine.handle(ShutDownFailed(NOT_ALLOWED))
        assert machine.view.code == "shut-down-refused"
        assert machine.effect_of(LogProblem).problem == NOT_ALLOWED
        assert machine.view.hints.scan is Hint.NOTHING, "a scan is no help"
        assert machine.press("scan") == []
        machine.press("ok", to=ReadyView)

    def test_shutdown_timeout_is_shown(self, machine):
        machine.switch_off()
        machine.wait(89)
        assert isinstance(machine.view, NoticeView)
        machine.wait(1)
        assert machine.view.code == "shut-down-failed"
        machine.switch_off()
        assert machine.effect_of(ShutDown)

    def test_unexpected_refusal_of_shutdown_is_only_logged(self, machine):
        view = machine.view
        assert machine.handle(ShutDownFailed(NOT_ALLOWED)) == [LogProblem(NOT_ALLOWED)]
        assert machine.view == view
