"""Status of the appliance for the templates, in the language that is spoken."""

from typing import Any, Final

from firmware.appliance.base import Mode, is_interruptible
from firmware.appliance.features.aiming import AimingMode
from firmware.appliance.features.alerts import active_alerts
from firmware.appliance.features.calibrating import CalibratingMode
from firmware.appliance.features.failure import FailureMode
from firmware.appliance.jobs import JobMode
from firmware.appliance.state import State
from firmware.appliance.wizard import WizardMode
from firmware.screens import words
from firmware.wording.problems import translate

_SAVE_ALERTS: Final = {words.Alert.NOT_SAVED, words.Alert.READ_ONLY, words.Alert.STORAGE_FULL}


def is_waiting(state: State) -> bool:
    """Return whether a photo is being taken or read."""
    mode = state.mode
    waits = isinstance(mode, JobMode) and mode.job_id is not None
    return waits and not isinstance(mode, AimingMode)


def status_values(state: State, *, takes_photos: bool) -> dict[str, Any]:
    """Return the status on all pages: stage, problem, alerts, whether commands are taken."""
    mode = state.mode
    is_busy = isinstance(mode, JobMode) and mode.job_id is not None
    problem = mode.problem if isinstance(mode, FailureMode) else None
    if problem is None and not takes_photos:
        problem = state.camera.problem
    hidden = {words.Alert.CAMERA} if takes_photos else set()
    return {
        "stage": str(mode.stage) if isinstance(mode, JobMode) and is_busy else "",
        "is_free": is_interruptible(state),
        "fault": None if problem is None else translate(problem.message),
        "is_new_look": problem is not None and problem.code == "tiles-differ",
        "alerts": [
            _alert_words(state, each) for each in active_alerts(state) if each not in hidden
        ],
        "aiming": isinstance(mode, AimingMode),
        "guide": _wizard_path(mode),
    }


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
