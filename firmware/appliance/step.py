"""The machine: what an event makes of a state, and what is to be done because of it.

``step`` is pure: no clock, no device, no file. The same state and event give the same result.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware.appliance import (
    events,
    menus,
    modes,
    picking,
    scanning,
    spelling,
    watch,
    wizards,
)
from firmware.appliance.effects import Effect, Log, Show
from firmware.appliance.look import view_of
from firmware.appliance.moves import (
    Move,
    Turn,
    back,
    change,
    go,
    home,
    job_of,
    open_camera,
    reset,
    scan,
    switch_off,
    then,
    to,
)
from firmware.appliance.state import State
from firmware.screens.words import Notice, Question
from hardware.buttons import Button


def step(state: State, event: events.Event) -> Turn:
    """Take an event.

    Args:
        state: before.
        event: what happened.

    Returns:
        The state after it, and what is to be done, in this order. ``Show`` comes last, and only
        if the display has to show something else.
    """
    after, effects = _HANDLERS.get(type(event), _answered)(state, event)
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


def _started(state: State, _event: events.Started) -> Turn:
    fault = state.settings_fault
    logged: tuple[Effect, ...] = () if fault is None else (Log(fault),)
    turn = replace(state, used_s=state.now_s), logged
    return then(turn, to(modes.Telling(Notice.SAFE_MODE)) if state.safe_mode else open_camera)


def _pressed(state: State, event: events.ButtonPressed) -> Turn:
    turn = then(watch.time_passed(state, event.now_s), watch.used)
    mode = turn[0].mode
    if isinstance(mode, modes.SwitchingOff):
        return turn
    runs = _RUNS.get(type(mode), _does_not_run)
    left = runs(turn[0], mode, event.button)
    if event.kind == "repeat":
        acts = left is not None and left > 0
    else:
        # What has run while the button was held is done
        acts = left is None or not event.repeats
    if not acts:
        return turn
    if event.kind == "long":
        return then(turn, _HELD[event.button])
    return then(turn, lambda state: _PRESSED[type(mode)](state, mode, event.button))


def _does_not_run(_state: State, _mode: modes.Mode, _button: Button) -> None:
    """In this mode no button does."""


def _answered(state: State, event: Any) -> Turn:
    """What a job gave; if nobody waits for it any longer, it changes nothing."""
    saving = None if state.result is None else state.result.saving
    if isinstance(event, events.JobFailed) and event.job == saving:
        return watch.not_saved(state, event)
    answer = _ANSWERS.get((type(state.mode), type(event)))
    if answer is None or event.job != job_of(state.mode):
        return state, ()
    return answer(state, state.mode, event)


def _ready_pressed(state: State, mode: modes.Ready, button: Button) -> Turn:
    """SCAN scans another table, NEXT shows the last result or more of the fault, OK the menu."""
    if button is Button.SCAN:
        return scan(state)
    if button is Button.OK:
        return menus.open_menu(state)
    if state.camera.fault is not None:
        return go(state, modes.Ready(mode.page + 1))
    return scanning.show_last(state)


def _failed_pressed(state: State, mode: modes.Failed, button: Button) -> Turn:
    """SCAN tries again, NEXT shows more of the text, OK goes back."""
    if button is Button.SCAN:
        return scan(state) if mode.scans else (state, ())
    return back(state) if button is Button.OK else go(state, replace(mode, page=mode.page + 1))


def _telling_pressed(state: State, mode: modes.Telling, button: Button) -> Turn:
    if button is not Button.OK:
        return state, ()
    if mode.notice is Notice.SAFE_MODE:
        return go(state, modes.InMenu((modes.MenuLevel(modes.MenuKind.SAFE),)))
    return back(state)


def _asking_pressed(state: State, mode: modes.Asking, button: Button) -> Turn:
    """OK is a yes, SCAN a no."""
    if button is Button.SCAN:
        return go(state, mode.before)
    return _yes(state, mode) if button is Button.OK else (state, ())


def _yes(state: State, mode: modes.Asking) -> Turn:
    before = mode.before
    if mode.question is Question.CANCEL_WIZARD:
        return back(state)
    if mode.question is Question.REPLACE_EDITION and isinstance(before, modes.InMenu):
        return go(state, modes.Teaching(before.levels[-1].subject, add=False))
    done = reset(state) if mode.question is Question.RESET_SETTINGS else change(state, players=())
    return then(done, to(before))


_HELD: Final[Mapping[Button, Move]] = {
    Button.SCAN: menus.open_menu,
    Button.NEXT: home,
    Button.OK: switch_off,
}
"""What holding a button does, where it does not run."""

_RUNS: Final[Mapping[type, Callable[[State, Any, Button], int | None]]] = {
    modes.InMenu: menus.steps_left,
    modes.Picking: picking.steps_left,
    modes.Checking: scanning.steps_left,
}
"""How far a button that is held may run; None: it does not."""

_PRESSED: Final[Mapping[type, Callable[[State, Any, Button], Turn]]] = {
    modes.Ready: _ready_pressed,
    modes.Scanning: scanning.scanning_pressed,
    modes.Viewing: scanning.viewing_pressed,
    modes.Picking: picking.pressed,
    modes.Checking: scanning.checking_pressed,
    modes.SharingOut: scanning.sharing_pressed,
    modes.InMenu: menus.pressed,
    modes.Writing: spelling.pressed,
    modes.Calibrating: wizards.calibrating_pressed,
    modes.Teaching: wizards.teaching_pressed,
    modes.Asking: _asking_pressed,
    modes.Telling: _telling_pressed,
    modes.Failed: _failed_pressed,
}
"""What a short press does in each mode."""

_ANSWERS: Final[Mapping[tuple[type, type], Callable[[State, Any, Any], Turn]]] = {
    (modes.Scanning, events.ScanFinished): scanning.finished,
    (modes.Scanning, events.JobFailed): scanning.failed,
    (modes.Calibrating, events.CalibrationPhotoTaken): wizards.photo_taken,
    (modes.Calibrating, events.CalibrationFinished): wizards.calibrated,
    (modes.Calibrating, events.JobFailed): wizards.not_calibrated,
    (modes.Teaching, events.TeachingFinished): wizards.taught,
    (modes.Teaching, events.JobFailed): wizards.not_taught,
}
"""What the answer to the job that a mode waits for does."""

_HANDLERS: Final[Mapping[type, Callable[[State, Any], Turn]]] = {
    events.Started: _started,
    events.ButtonPressed: _pressed,
    events.Tick: lambda state, event: watch.time_passed(state, event.now_s),
    events.StageReached: watch.stage_reached,
    events.CameraBack: watch.camera_back,
    events.CameraLost: watch.camera_gone,
    events.DisplayBack: watch.display_back,
    events.DisplayLost: watch.display_gone,
    events.HealthChanged: lambda state, event: (replace(state, health=event.suffers), ()),
    events.ClockChanged: lambda state, event: (replace(state, clock_known=event.known), ()),
    events.Saved: watch.saved,
    events.SettingsStored: lambda state, _event: (
        replace(state, settings_fault=None, settings_unsaved=False),
        (),
    ),
    events.SettingsNotStored: lambda state, event: (
        replace(state, settings_unsaved=True),
        (Log(event.fault),),
    ),
    events.EditionsChanged: lambda state, event: (
        replace(state, choices=replace(state.choices, games=event.games)),
        (),
    ),
    events.ShutDownFailed: watch.shut_down_failed,
}
"""What each event does, but for the answers to jobs."""
