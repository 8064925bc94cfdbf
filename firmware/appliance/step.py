"""The machine: what an event makes of a state, and what is to be done because of it.

``step`` is pure: no clock, no device, no file. The same state and event give the same result.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final

from firmware.appliance import (
    aiming,
    events,
    menus,
    modes,
    past,
    picking,
    scanning,
    seating,
    spelling,
    watch,
    wishes,
    wizards,
)
from firmware.appliance.effects import Effect, Give, Log, RecallLast, Show
from firmware.appliance.look import view_of
from firmware.appliance.moves import (
    Move,
    Turn,
    ask,
    back,
    go,
    has_players,
    home,
    job_failed,
    job_of,
    open_camera,
    reset,
    scan,
    switch_off,
    then,
    to,
)
from firmware.appliance.state import State
from firmware.screens.words import Notice, Question, Stage
from hardware.buttons import Button
from hardware.signals import Signal


def step(state: State, event: events.Event) -> Turn:
    """Take an event.

    Args:
        state: before.
        event: what happened.

    Returns:
        The state after it, and what is to be done, in this order. ``Show`` comes only if the
        display has to show something else, behind all but a signal.
    """
    after, effects = _HANDLERS.get(type(event), _answered)(state, event)
    if job_of(after.mode) != job_of(state.mode):
        after = replace(after, used_s=after.now_s)
    after, shown = _show(state, after)
    return after, (*effects, *shown, *_signals(state, after, event))


def _signals(before: State, after: State, event: events.Event) -> tuple[Effect, ...]:
    """A photo was taken, or what somebody waits for by itself has come."""
    if not after.settings.signals.are_there or isinstance(event, events.ButtonPressed):
        return ()
    was, now = before.mode, after.mode
    if isinstance(was, modes.Aiming):  # one picture after the other
        return ()
    if isinstance(was, modes.Working) and was.job is not None:
        if job_of(now) != was.job:
            return (Give(Signal.LOOK),)
        if isinstance(now, modes.Working) and was.stage is Stage.CAPTURE is not now.stage:
            return (Give(Signal.PHOTO_TAKEN),)
    return ()


_TOLD: Final = attrgetter(
    *(each.name for each in fields(State) if each.name not in ("now_s", "used_s"))
)
"""All of a state but what time alone changes."""


def _show(before: State, after: State) -> Turn:
    """Show what has changed; nothing can have if only time has passed."""
    same = after is before or _TOLD(after) == _TOLD(before)
    if after.display_lost or (same and after.shown is not None):
        return after, ()
    show = Show(view_of(after), after.settings.language)
    return (after, ()) if show == after.shown else (replace(after, shown=show), (show,))


def _started(state: State, _event: events.Started) -> Turn:
    fault = state.settings_fault
    logged: tuple[Effect, ...] = () if fault is None else (Log(fault),)
    state = replace(state, used_s=state.now_s)
    if state.safe_mode:
        return then((state, logged), to(modes.Telling(Notice.SAFE_MODE)))
    turn = then((state, (*logged, RecallLast())), open_camera)
    return then(turn, partial(ask, steps=state.steps)) if state.steps else turn


def _pressed(state: State, event: events.ButtonPressed) -> Turn:
    turn = then(watch.time_passed(state, event.now_s), watch.used)
    mode = turn[0].mode
    if isinstance(mode, modes.SwitchingOff):
        return turn
    left = steps_left(turn[0], mode, event.button)
    if event.kind == "repeat":
        acts = left is not None and left > 0
    else:
        # What has run while the button was held is done
        acts = left is None or not event.repeats
    if not acts:
        return turn
    if event.kind == "long":
        return then(turn, _HELD[event.button])
    return then(turn, lambda state: _pressed_short(state, mode, event.button))


def _pressed_short(state: State, mode: modes.Mode, button: Button) -> Turn:
    """What a button does in a mode; while somebody waits for a job, NEXT gives it up."""
    if job_of(mode) is None or isinstance(mode, modes.Aiming):
        return _PRESSED[type(mode)](state, mode, button)
    if button is not Button.NEXT:
        return state, ()
    if isinstance(mode, modes.Wizard):
        return go(state, wizards.to_try_again(mode, None))
    return go(state, mode.after) if isinstance(mode, modes.Learning) else back(state)


def steps_left(state: State, mode: modes.Mode, button: Button) -> int | None:
    """How far a button that is held may run; None: it does not."""
    match mode:
        case modes.Writing(problem=None) if button is not Button.OK:
            return 1  # round and round
        case _ if button is not Button.NEXT:
            return None
        case modes.InMenu():
            return menus.steps_left(state, mode)
        case modes.Picking():
            return picking.steps_left(state, mode)
        case modes.Checking():
            return scanning.steps_left(state, mode)
        case modes.Seating():
            return len(seating.items(state, mode)) - 1 - mode.selected
        case modes.Grouping(job=None, pictures=(_, *_)):
            return len(mode.faces) - mode.option
    return None


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
    """SCAN scans another table, NEXT shows the last result or more of the fault, OK the menu.

    While it is open who plays, OK says that they are those of the last time, NEXT that not.
    """
    if button is Button.SCAN:
        return scan(state)
    if state.camera.fault is not None:
        more = modes.Ready(mode.page + 1)
        return menus.open_menu(state) if button is Button.OK else go(state, more)
    if state.evening and has_players(state):
        is_so = button is Button.OK
        return home(replace(state, evening=False)) if is_so else ask(state, modes.EVENING)
    return menus.open_menu(state) if button is Button.OK else scanning.show_last(state)


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
        return back(state) if mode.before is None else go(state, mode.before)
    return _yes(state, mode) if button is Button.OK else (state, ())


def _yes(state: State, mode: modes.Asking) -> Turn:
    before = mode.before
    if isinstance(before, modes.LeafingBack) and mode.question is Question.DELETE_GAME:
        return past.delete(state, before)
    match mode.question:
        case Question.SHUT_DOWN:
            return switch_off(state)
        case Question.HOTSPOT:
            return menus.make_hotspot(state)
        case Question.DELETE_PHOTOS:
            return past.delete_photos(state)
        case Question.CALIBRATE:
            return go(state, modes.Calibrating(table_only=False))
        case Question.LEARN_TILES if before is not None:
            return scanning.learn(state, before)
        case Question.RESET_SETTINGS:
            return then(reset(state), back if before is None else to(before))
    if mode.question is Question.REPLACE_EDITION and isinstance(before, modes.InMenu):
        return go(state, modes.Teaching(before.levels[-1].subject, add=False))
    return back(state)


def _ask_to_switch_off(state: State) -> Turn:
    """Ask once; what waits for a job is given up by that."""
    mode = state.mode
    if isinstance(mode, modes.Asking) and mode.question is Question.SHUT_DOWN:
        return state, ()
    before: modes.Mode | None = mode
    if isinstance(mode, modes.Wizard) and mode.job is not None:
        before = wizards.to_try_again(mode, None)
    elif isinstance(mode, modes.Working) and mode.job is not None:
        before = None
    return go(state, modes.Asking(Question.SHUT_DOWN, before))


_HELD: Final[Mapping[Button, Move]] = {
    Button.SCAN: menus.open_menu,
    Button.NEXT: home,
    Button.OK: _ask_to_switch_off,
}
"""What holding a button does, where it does not run."""

_PRESSED: Final[Mapping[type, Callable[[State, Any, Button], Turn]]] = {
    modes.Ready: _ready_pressed,
    modes.Viewing: scanning.viewing_pressed,
    modes.Picking: picking.pressed,
    modes.Checking: scanning.checking_pressed,
    modes.SharingOut: scanning.sharing_pressed,
    modes.LeafingBack: past.pressed,
    modes.InFigures: past.figures_pressed,
    modes.InMenu: menus.pressed,
    modes.Seating: seating.pressed,
    modes.Writing: spelling.pressed,
    modes.Aiming: aiming.pressed,
    modes.Calibrating: wizards.calibrating_pressed,
    modes.Teaching: wizards.teaching_pressed,
    modes.Grouping: wizards.grouping_pressed,
    modes.OnPhone: menus.on_phone_pressed,
    modes.InHotspot: menus.hotspot_pressed,
    modes.Asking: _asking_pressed,
    modes.Telling: _telling_pressed,
    modes.Failed: _failed_pressed,
}
"""What a short press does in each mode while nobody waits for a job."""

_ANSWERS: Final[Mapping[tuple[type, type], Callable[[State, Any, Any], Turn]]] = {
    (modes.Scanning, events.ScanFinished): scanning.finished,
    (modes.Scanning, events.JobFailed): scanning.failed,
    (modes.Aiming, events.Aimed): aiming.aimed,
    (modes.Aiming, events.JobFailed): job_failed,
    (modes.Grouping, events.GroupsFound): wizards.groups_found,
    (modes.Grouping, events.TilesLearned): wizards.groups_learned,
    (modes.Grouping, events.JobFailed): wizards.failed,
    (modes.Learning, events.TilesLearned): scanning.learned,
    (modes.Learning, events.JobFailed): job_failed,
    (modes.LeafingBack, events.HistoryRead): past.listed,
    (modes.LeafingBack, events.PhotosDeleted): past.photos_deleted,
    (modes.LeafingBack, events.GameOpened): past.opened,
    (modes.LeafingBack, events.JobFailed): job_failed,
    (modes.InFigures, events.GamesCounted): past.counted,
    (modes.InFigures, events.JobFailed): job_failed,
    (modes.Calibrating, events.CalibrationPhotoTaken): wizards.photo_taken,
    (modes.Calibrating, events.CalibrationFinished): wizards.calibrated,
    (modes.Calibrating, events.CalibrationKept): wizards.calibration_kept,
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
    events.LastRecalled: past.last_recalled,
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
    events.NamesKnown: lambda state, event: (
        replace(state, choices=replace(state.choices, names=event.names)),
        (),
    ),
    events.HistoryRead: lambda state, event: then(
        past.forgotten(state, event), lambda state: _answered(state, event)
    ),
    events.PhotosDeleted: lambda state, event: then(
        past.photos_forgotten(state), lambda state: _answered(state, event)
    ),
    events.Asked: wishes.asked,
    events.PageOpened: lambda state, event: (
        replace(state, page=event),
        () if event.fault is None else (Log(event.fault),),
    ),
    events.HotspotChanged: menus.hotspot_changed,
    events.ShutDownFailed: watch.shut_down_failed,
}
"""What each event does, but for the answers to jobs."""
