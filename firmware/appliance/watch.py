"""What happens by itself: time passes, devices come and go, the computer suffers."""

from dataclasses import replace
from typing import Final

from firmware.appliance import events
from firmware.appliance.calibrating import with_problem
from firmware.appliance.effects import Effect, Log, SetBrightness
from firmware.appliance.faults import CAMERA_SILENT, NOT_OFF, TOO_SLOW, Fault
from firmware.appliance.modes import Calibrating, Failed, Scanning, SwitchingOff, Teaching
from firmware.appliance.moves import Turn, back, fail, go, job_of, keep, note, off, open_camera
from firmware.appliance.state import CameraState, State
from firmware.appliance.teaching import not_learned
from firmware.screens.views import Stage

# Far above what is usual: these limits are for jobs that hang without a word.
PHOTO_LIMIT_S: Final = 90.0
"""A photo takes no longer, the camera being opened anew once on the way."""
READ_LIMIT_S: Final = 180.0
"""No stage of a scan takes longer, nor does calibrating or teaching."""
OPENING_LIMIT_S: Final = 90.0
SAVE_LIMIT_S: Final = 10.0
"""The computer is switched off after that, whether the result is stored or not."""
OFF_LIMIT_S: Final = 90.0
SAVE_AGAIN_S: Final = 30.0
"""A result that could not be stored is tried again so much later."""


def time_passed(state: State, now_s: float) -> Turn:
    """All that is due at a time; one before the last one counts as that."""
    state = replace(state, now_s=max(state.now_s, now_s))
    effects: tuple[Effect, ...] = ()
    for due in (_mode_in_time, _camera_in_time, _save_again, _dim):
        state, more = due(state)
        effects += more
    return state, effects


def _mode_in_time(state: State) -> Turn:
    mode = state.mode
    if isinstance(mode, SwitchingOff):
        return _off_in_time(state, mode)
    if not isinstance(mode, Scanning | Calibrating | Teaching) or mode.job is None:
        return state, ()
    photo = mode.stage is Stage.CAPTURE
    if state.now_s - mode.since_s < (PHOTO_LIMIT_S if photo else READ_LIMIT_S):
        return state, ()
    fault = CAMERA_SILENT if photo else TOO_SLOW
    state, logged = note(state, fault)
    if isinstance(mode, Scanning):
        state, effects = fail(state, fault)
    else:
        state, effects = _given_up(state, mode, fault)
    return state, (*logged, *effects)


def _given_up(state: State, mode: Calibrating | Teaching, fault: Fault) -> Turn:
    """Give up the job of a wizard; the step can be tried again."""
    again = with_problem(mode, fault) if isinstance(mode, Calibrating) else not_learned(mode, fault)
    return go(state, again)


def _off_in_time(state: State, mode: SwitchingOff) -> Turn:
    lasted_s = state.now_s - mode.since_s
    if mode.asked:
        return fail(state, NOT_OFF, scans=False) if lasted_s >= OFF_LIMIT_S else (state, ())
    return off(state) if lasted_s >= SAVE_LIMIT_S else (state, ())


def _camera_in_time(state: State) -> Turn:
    camera = state.camera
    if camera.opening_since_s is not None:
        if state.now_s - camera.opening_since_s < OPENING_LIMIT_S:
            return state, ()
        return note(state, CAMERA_SILENT)
    in_use = job_of(state.mode) is not None or isinstance(state.mode, SwitchingOff)
    if camera.fault is None or in_use or not camera.back_off.due(state.now_s):
        return state, ()
    return open_camera(state)


def _save_again(state: State) -> Turn:
    result = state.result
    if result is None or result.saving is not None or result.save_fault is None:
        return state, ()
    if state.now_s - result.failed_s < SAVE_AGAIN_S:
        return state, ()
    return keep(state, result)


def _dim(state: State) -> Turn:
    limit_s = state.settings.display.dim_after_s
    busy = job_of(state.mode) is not None
    if state.dimmed or busy or limit_s <= 0 or state.now_s - state.used_s < limit_s:
        return state, ()
    return replace(state, dimmed=True), (SetBrightness(dimmed=True),)


def used(state: State) -> Turn:
    """Someone uses the appliance, or waits for it: the display is bright."""
    bright = replace(state, dimmed=False, used_s=state.now_s)
    return bright, (SetBrightness(dimmed=False),) if state.dimmed else ()


def camera_back(state: State, _event: events.CameraBack) -> Turn:
    """The camera works; a fault of it that is on the display goes."""
    state = replace(state, camera=CameraState())
    if isinstance(state.mode, Failed) and state.mode.fault.of_camera:
        return back(state)
    return state, ()


def camera_gone(state: State, event: events.CameraLost) -> Turn:
    """The camera does not work: what waits for a picture is given up."""
    state, logged = note(state, event.fault)
    state, effects = _no_picture(state, event.fault)
    return state, (*logged, *effects)


def _no_picture(state: State, fault: Fault) -> Turn:
    mode = state.mode
    if isinstance(mode, Scanning) and mode.stage is Stage.CAPTURE:
        return fail(state, fault)
    if isinstance(mode, Calibrating | Teaching) and mode.stage is Stage.CAPTURE:
        return (state, ()) if mode.job is None else _given_up(state, mode, fault)
    return state, ()


def display_back(state: State, _event: events.DisplayBack) -> Turn:
    """The display is empty: show everything anew."""
    dim: tuple[Effect, ...] = (SetBrightness(dimmed=True),) if state.dimmed else ()
    return replace(state, display_lost=False, shown=None), dim


def display_gone(state: State, event: events.DisplayLost) -> Turn:
    """Nothing can be shown; all else goes on."""
    effects: tuple[Effect, ...] = () if state.display_lost else (Log(event.fault),)
    return replace(state, display_lost=True, shown=None), effects


def health_changed(state: State, event: events.HealthChanged) -> Turn:
    """The computer suffers from something, or no longer."""
    return replace(state, health=event), ()


def clock_changed(state: State, event: events.ClockChanged) -> Turn:
    """The computer has learned the date, or has lost it."""
    return replace(state, clock_known=event.known), ()
