"""What happens by itself: time passes, devices come and go, things are stored or not."""

from dataclasses import replace
from typing import Final

from firmware.appliance import events
from firmware.appliance.effects import (
    Effect,
    Log,
    LookForEditions,
    SetBrightness,
    StoreSettings,
)
from firmware.appliance.faults import CAMERA_SILENT, NOT_OFF, TOO_SLOW, Fault
from firmware.appliance.menus import game_changes
from firmware.appliance.modes import Failed, Mode, SwitchingOff, Wizard, Working
from firmware.appliance.moves import (
    Turn,
    back,
    go,
    job_of,
    note,
    off,
    off_if_stored,
    open_camera,
    then,
    to,
    with_picture,
)
from firmware.appliance.state import CameraState, State
from firmware.appliance.wizards import to_try_again
from firmware.screens.words import Stage
from firmware.settings.model import STANDARD_EDITION

# Far above what is usual: these limits are for jobs that hang without a word.
PHOTO_LIMIT_S: Final = 90.0
"""A photo takes no longer, the camera being opened anew once on the way."""
READ_LIMIT_S: Final = 180.0
"""No stage of a scan takes longer, nor does calibrating or teaching."""
OPENING_LIMIT_S: Final = 90.0
SAVE_LIMIT_S: Final = 10.0
"""The computer is switched off after that, whether the result is stored or not."""
OFF_LIMIT_S: Final = 90.0


def time_passed(state: State, now_s: float) -> Turn:
    """All that is due at a time; one before the last one counts as that."""
    state = replace(state, now_s=max(state.now_s, now_s))
    return then((state, ()), _mode_in_time, _camera_in_time, _dim)


def _mode_in_time(state: State) -> Turn:
    mode = state.mode
    if isinstance(mode, SwitchingOff):
        return _off_in_time(state, mode)
    if not isinstance(mode, Working) or mode.job is None:
        return state, ()
    photo = mode.stage is Stage.CAPTURE
    if state.now_s - mode.since_s < (PHOTO_LIMIT_S if photo else READ_LIMIT_S):
        return state, ()
    fault = CAMERA_SILENT if photo else TOO_SLOW
    return then(note(state, fault), to(_given_up(mode, fault)))


def _given_up(mode: Working, fault: Fault) -> Mode:
    """What a job that is given up leads to; the step of a wizard can be tried again."""
    return to_try_again(mode, fault) if isinstance(mode, Wizard) else Failed(fault)


def _off_in_time(state: State, mode: SwitchingOff) -> Turn:
    lasted_s = state.now_s - mode.since_s
    if mode.asked:
        return go(state, Failed(NOT_OFF, scans=False)) if lasted_s >= OFF_LIMIT_S else (state, ())
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


def stage_reached(state: State, event: events.StageReached) -> Turn:
    """A job has come to another stage."""
    mode = state.mode
    if not isinstance(mode, Working) or mode.job != event.job:
        return state, ()
    if mode.stage is Stage.CAPTURE is not event.stage:
        state = with_picture(state)
    return replace(state, mode=replace(mode, stage=event.stage, since_s=state.now_s)), ()


def camera_back(state: State, _event: events.CameraBack) -> Turn:
    """The camera works; a fault of it that is on the display goes."""
    state = replace(state, camera=CameraState())
    is_told = isinstance(state.mode, Failed) and state.mode.fault.of_camera
    return back(state) if is_told else (state, ())


def camera_gone(state: State, event: events.CameraLost) -> Turn:
    """The camera does not work: what waits for a picture is given up."""
    noted, mode = note(state, event.fault), state.mode
    if not isinstance(mode, Working) or mode.job is None or mode.stage is not Stage.CAPTURE:
        return noted
    return then(noted, to(_given_up(mode, event.fault)))


def edition_lost(state: State, event: events.EditionLost) -> Turn:
    """The built-in edition is used from now on, unless another one was chosen meanwhile.

    The settings on the disk stay as they are until somebody chooses something: the edition may be
    put right.
    """
    settings = state.settings
    if (settings.game, settings.edition) != (event.game, event.edition):
        return state, ()
    game = state.choices.game(event.usual) or state.choices.games[0]
    changes = {**game_changes(settings, game), "edition": STANDARD_EDITION}
    settings = replace(settings, **changes)
    state = replace(state, settings=settings, edition_fault=event.fault)
    store = StoreSettings(settings, only_now=True)
    return state, (Log(event.fault), store, LookForEditions())


def display_back(state: State, _event: events.DisplayBack) -> Turn:
    """The display is empty: show everything anew."""
    dim: tuple[Effect, ...] = (SetBrightness(dimmed=True),) if state.dimmed else ()
    return replace(state, display_lost=False, shown=None), dim


def display_gone(state: State, event: events.DisplayLost) -> Turn:
    """Nothing can be shown; all else goes on."""
    effects: tuple[Effect, ...] = () if state.display_lost else (Log(event.fault),)
    return replace(state, display_lost=True, shown=None), effects


def saved(state: State, event: events.Saved) -> Turn:
    """The result is stored, unless it has changed since or is another."""
    result = state.result
    if result is None or result.saving != event.job:
        return state, ()
    stored = replace(
        result,
        saving=None,
        save_fault=None,
        seq=event.seq,
        beaten=event.beaten,
        perhaps=result.perhaps or event.perhaps,
    )
    return off_if_stored(replace(state, result=stored))


def saved_later(state: State, event: events.SavedLater) -> Turn:
    """A result that had to wait is stored; it need not be the last one any longer."""
    result = state.result
    if result is None or result.table != event.table or result.saving is not None:
        return state, ()
    stored = replace(result, save_fault=None, seq=event.seq, beaten=event.beaten)
    return replace(state, result=stored), ()


def not_saved(state: State, event: events.JobFailed) -> Turn:
    """The result is shown but not stored; the recorder tries again by itself."""
    result = state.last_result
    known = result.save_fault is not None and result.save_fault.code == event.fault.code
    logged: tuple[Effect, ...] = () if known else (Log(event.fault),)
    failed = replace(result, saving=None, save_fault=event.fault)
    return then((replace(state, result=failed), logged), off_if_stored)


def shut_down_failed(state: State, event: events.ShutDownFailed) -> Turn:
    """The computer is still on."""
    logged: Turn = state, (Log(event.fault),)
    is_told = isinstance(state.mode, SwitchingOff)
    return then(logged, to(Failed(event.fault, scans=False))) if is_told else logged
