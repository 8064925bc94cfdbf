"""The machine: what an event makes of a state, and what is to be done because of it.

``step`` is pure: no clock, no device, no file. The same state and event give the same result.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware.appliance import (
    calibrating,
    events,
    preferences,
    scanning,
    spelling,
    storing,
    teaching,
    viewing,
    watch,
)
from firmware.appliance.effects import Log, Show
from firmware.appliance.look import view_of
from firmware.appliance.menu import open_menu
from firmware.appliance.menu_items import items
from firmware.appliance.modes import (
    Asking,
    Calibrating,
    Checking,
    Failed,
    InMenu,
    MenuKind,
    MenuLevel,
    Ready,
    Scanning,
    SharingOut,
    Starting,
    SwitchingOff,
    Teaching,
    Telling,
    Viewing,
    Writing,
)
from firmware.appliance.moves import Turn, back, go, home, job_of, open_camera, scan, switch_off, up
from firmware.appliance.state import State
from firmware.screens.views import Notice, Question
from hardware.buttons import Button


def step(state: State, event: events.Event) -> Turn:
    """Take an event.

    Args:
        state: before; ``first_state()`` at the very beginning.
        event: what happened.

    Returns:
        The state after it, and what is to be done, in this order. ``Show`` comes last, and only
        if the display has to show something else.
    """
    after, effects = _HANDLERS[type(event)](state, event)
    if job_of(after.mode) != job_of(state.mode):
        after = replace(after, used_s=after.now_s)
    after, shown = _show(state, after)
    return after, (*effects, *shown)


def _show(before: State, after: State) -> Turn:
    """Show what has changed; nothing can have if only time has passed."""
    same = after == replace(before, now_s=after.now_s, used_s=after.used_s)
    if after.display_lost or (same and after.shown is not None):
        return after, ()
    show = Show(view_of(after), after.settings.language)
    return (after, ()) if show == after.shown else (replace(after, shown=show), (show,))


def _started(state: State, event: events.Started) -> Turn:
    if not isinstance(state.mode, Starting):
        return state, ()
    state = replace(
        state,
        settings=event.settings,
        choices=event.choices,
        now_s=event.now_s,
        used_s=event.now_s,
        calibrated=event.calibrated,
        clock_known=event.clock_known,
        safe_mode=event.safe_mode,
        settings_reset=event.settings_fault is not None,
    )
    faults = () if event.settings_fault is None else (Log(event.settings_fault),)
    if event.safe_mode:
        return replace(state, mode=Telling(Notice.SAFE_MODE)), faults
    state, effects = open_camera(replace(state, mode=Ready()))
    return state, (*faults, *effects)


def _ticked(state: State, event: events.Tick) -> Turn:
    return watch.time_passed(state, event.now_s)


def _pressed(state: State, event: events.ButtonPressed) -> Turn:
    state, due = watch.time_passed(state, event.now_s)
    state, bright = watch.used(state)
    if isinstance(state.mode, Starting | SwitchingOff):
        return state, (*due, *bright)
    if event.long:
        state, effects = _HELD[event.button](state)
    else:
        state, effects = _PRESSED[type(state.mode)](state, state.mode, event.button)
    return state, (*due, *bright, *effects)


def _ready_pressed(state: State, mode: Ready, button: Button) -> Turn:
    """SCAN scans another table, NEXT shows the last result or more of the fault, OK the menu."""
    if button is Button.SCAN:
        return scan(state)
    if button is Button.OK:
        return open_menu(state)
    if state.camera.fault is not None:
        return go(state, Ready(mode.page + 1))
    return viewing.show_last(state)


def _failed_pressed(state: State, mode: Failed, button: Button) -> Turn:
    """SCAN tries again, NEXT shows more of the text, OK goes back."""
    if button is Button.SCAN:
        return scan(state) if mode.scans else (state, ())
    return back(state) if button is Button.OK else go(state, replace(mode, page=mode.page + 1))


def _telling_pressed(state: State, mode: Telling, button: Button) -> Turn:
    if button is not Button.OK:
        return state, ()
    if mode.notice is Notice.SAFE_MODE:
        return go(state, InMenu((MenuLevel(MenuKind.SAFE),)))
    return back(state)


def _menu_pressed(state: State, mode: InMenu, button: Button) -> Turn:
    """NEXT marks the next entry, OK chooses the marked one, SCAN goes back."""
    level = mode.levels[-1]
    entries = items(state, mode)
    if button is Button.SCAN:
        return up(state, mode)
    if button is Button.OK:
        return entries[min(level.selected, len(entries) - 1)].choose(state)
    marked = replace(level, selected=(level.selected + 1) % len(entries))
    return go(state, InMenu((*mode.levels[:-1], marked)))


def _asking_pressed(state: State, mode: Asking, button: Button) -> Turn:
    """OK is a yes, SCAN a no."""
    if button is Button.SCAN:
        return go(state, mode.before)
    return _yes(state, mode) if button is Button.OK else (state, ())


def _yes(state: State, mode: Asking) -> Turn:
    if mode.question is Question.CANCEL_WIZARD:
        return back(state)
    if mode.question is Question.REPLACE_EDITION and isinstance(mode.before, InMenu):
        return go(state, Teaching(mode.before.levels[-1].subject, add=False))
    if mode.question is Question.RESET_SETTINGS:
        state, effects = preferences.reset(state)
    elif mode.question is Question.CLEAR_NAMES:
        state, effects = preferences.change(state, players=())
    else:
        effects = ()
    state, more = go(state, mode.before)
    return state, (*effects, *more)


_HELD: Final[Mapping[Button, Callable[[State], Turn]]] = {
    Button.SCAN: open_menu,
    Button.NEXT: home,
    Button.OK: switch_off,
}
"""What holding a button does, in every mode."""

_PRESSED: Final[Mapping[type, Callable[[State, Any, Button], Turn]]] = {
    Ready: _ready_pressed,
    Scanning: scanning.pressed,
    Viewing: viewing.viewing_pressed,
    Checking: viewing.checking_pressed,
    SharingOut: viewing.sharing_pressed,
    InMenu: _menu_pressed,
    Writing: spelling.pressed,
    Calibrating: calibrating.pressed,
    Teaching: teaching.pressed,
    Asking: _asking_pressed,
    Telling: _telling_pressed,
    Failed: _failed_pressed,
}
"""What a short press does in each mode."""

_HANDLERS: Final[Mapping[type, Callable[[State, Any], Turn]]] = {
    events.Started: _started,
    events.ButtonPressed: _pressed,
    events.Tick: _ticked,
    events.StageReached: scanning.stage_reached,
    events.ScanFinished: scanning.finished,
    events.ScanFailed: scanning.failed,
    events.CameraBack: watch.camera_back,
    events.CameraLost: watch.camera_gone,
    events.DisplayBack: watch.display_back,
    events.DisplayLost: watch.display_gone,
    events.HealthChanged: watch.health_changed,
    events.ClockChanged: watch.clock_changed,
    events.Saved: storing.saved,
    events.SaveFailed: storing.save_failed,
    events.SettingsStored: storing.settings_stored,
    events.SettingsNotStored: storing.settings_not_stored,
    events.EditionsChanged: storing.editions_changed,
    events.CalibrationPhotoTaken: calibrating.photo_taken,
    events.CalibrationPhotoFailed: calibrating.photo_failed,
    events.CalibrationFinished: calibrating.finished,
    events.CalibrationFailed: calibrating.failed,
    events.TeachingFinished: teaching.finished,
    events.TeachingFailed: teaching.failed,
    events.ShutDownFailed: storing.shut_down_failed,
}
"""What each event does."""
