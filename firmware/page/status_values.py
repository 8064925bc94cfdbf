"""Status of the appliance for the templates, in the language of the response."""

from typing import Any, Final
from zlib import crc32

from firmware.appliance.base import FailedPhoto, Mode, is_interruptible
from firmware.appliance.features.aiming import AimingMode
from firmware.appliance.features.alerts import active_alerts
from firmware.appliance.features.calibrating import CalibratingMode
from firmware.appliance.features.failure import FailureMode
from firmware.appliance.features.photo_series import PhotoSeriesMode
from firmware.appliance.job_mode import JobMode
from firmware.appliance.state import State
from firmware.appliance.wizard import WizardMode
from firmware.base.language import _
from firmware.base.problem import Problem
from firmware.screens import words
from firmware.wording.notes import note_sentence, photo_name
from firmware.wording.places import Naming
from firmware.wording.problem_text import translate

_SAVE_ALERTS: Final = {words.Alert.NOT_SAVED, words.Alert.READ_ONLY, words.Alert.STORAGE_FULL}


def is_job_running(state: State) -> bool:
    """Return whether a job runs, such as a scan; those of aiming do not count."""
    mode = state.mode
    return mode.job_id is not None and not isinstance(mode, AimingMode)


def status_values(state: State, *, has_devices: bool) -> dict[str, Any]:
    """Return the status on all pages: stage, problem, alerts, whether commands are taken."""
    mode = state.mode
    problem = mode.problem if isinstance(mode, FailureMode) else None
    if problem is None and has_devices:
        problem = state.camera.problem
    hidden = set() if has_devices else {words.Alert.CAMERA}
    return {
        "stage": _stage_words(mode),
        "is_free": is_interruptible(state),
        "fault": None if problem is None else _fault_words(problem),
        "has_failed": isinstance(mode, FailureMode),
        "failed_photo": _photo_version(mode.failed) if isinstance(mode, FailureMode) else "",
        "unused_photos": _unused_photos(mode),
        "shows_unknown_tiles": problem is not None and problem.code == "tiles-differ",
        "alerts": [
            _alert_words(state, each) for each in active_alerts(state) if each not in hidden
        ],
        "aiming": isinstance(mode, AimingMode),
        "wizard_path": _wizard_path(mode),
    }


def _unused_photos(mode: Mode) -> list[dict[str, str]]:
    """Return the problem of each of several photos, with ``photo_version``; empty for one photo."""
    if not isinstance(mode, FailureMode):
        return []
    naming = Naming(lettered=False)
    return [
        {
            "reason": note_sentence(each.reason, naming),
            "photo_version": "" if each.photo is None else _photo_version(FailedPhoto(each.photo)),
        }
        for each in mode.unused
    ]


def _photo_version(failed: FailedPhoto | None) -> str:
    """Return a text that differs from photo to photo; empty without one."""
    return "" if failed is None else f"{crc32(failed.photo.image_bgr.tobytes()):x}"


def _stage_words(mode: Mode) -> str:
    """Return the stage of the running job, if any, with the photo's number if there are several."""
    if not isinstance(mode, JobMode) or mode.job_id is None:
        return ""
    if isinstance(mode, PhotoSeriesMode) and mode.photo_count > 1:
        return _("Photo {n} of {count}: {stage}").format(
            n=mode.sent_so_far, count=mode.photo_count, stage=mode.stage
        )
    return str(mode.stage)


def _fault_words(problem: Problem) -> str:
    """Return a problem in words; that of one of several photos names the photo."""
    message = translate(problem.message)
    if not problem.where.isdecimal():
        return message
    return _("{photo}: {note}").format(photo=photo_name(problem.where), note=message)


def _alert_words(state: State, alert: words.Alert) -> str:
    """Return the words of an alert, with its reason, for which the display has no room."""
    if alert is words.Alert.EDITION:
        problem = state.edition_problem
    elif alert in _SAVE_ALERTS:
        problem = None if state.result is None else state.result.save_problem
    else:
        problem = None
    return str(alert) if problem is None else translate(problem.message)


def _wizard_path(mode: Mode) -> str:
    """Return the path of the wizard that is running; empty if none is."""
    if not isinstance(mode, WizardMode):
        return ""
    return "/calibrate" if isinstance(mode, CalibratingMode) else "/teach"
