"""Moves between modes that more than one part of the machine makes, and changes of settings."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

from firmware.appliance.effects import (
    CancelJob,
    Effect,
    Log,
    LookToAim,
    OpenCamera,
    Restart,
    Save,
    ShutDown,
    StartScan,
    StoreSettings,
)
from firmware.appliance.events import GameChoice, JobFailed
from firmware.appliance.faults import Fault, game_not_read
from firmware.appliance.modes import (
    EVENING,
    Aiming,
    Asking,
    Failed,
    InMenu,
    MenuKind,
    MenuLevel,
    Mode,
    Ready,
    Scanning,
    Seating,
    Step,
    SwitchingOff,
    Viewing,
    Working,
)
from firmware.appliance.result import Result, with_settings
from firmware.appliance.state import CameraState, State
from firmware.screens.words import Question
from firmware.settings import Settings
from vision.photo import Photo

Turn = tuple[State, tuple[Effect, ...]]
"""The state after an event, and what is to be done."""

Move = Callable[[State], Turn]

_EDITION: Final = {"game", "edition"}
"""The settings that say which edition is used."""
_SCORED_BY: Final = {"variant", "level", "players"}
"""The settings that the score of a table depends on."""


def job_failed(state: State, _mode: Mode, event: JobFailed) -> Turn:
    """Say why; nothing else has changed."""
    return note(replace(state, mode=Failed(event.fault, scans=False)), event.fault)


def then(turn: Turn, *moves: Move) -> Turn:
    """A turn and further moves, each from the state that the one before has led to."""
    state, effects = turn
    for move in moves:
        state, more = move(state)
        effects += more
    return state, effects


def go(state: State, mode: Mode) -> Turn:
    """Change to another mode; a job that is left behind is cancelled."""
    job = job_of(state.mode)
    left = job is not None and job_of(mode) != job
    return replace(state, mode=mode), (CancelJob(job),) if job is not None and left else ()


def to(mode: Mode) -> Move:
    """The move that changes to another mode."""
    return partial(go, mode=mode)


def job_of(mode: Mode) -> int | None:
    """The job that a mode waits for."""
    return mode.job if isinstance(mode, Working) else None


def home(state: State) -> Turn:
    """Be ready; the next scan is of another table."""
    return go(replace(state, same_table=False, steps=()), Ready())


def back(state: State) -> Turn:
    """To what is asked next, or to the result of the table that lies there, or else be ready."""
    if state.steps:
        return ask(state, state.steps[1:])
    return go(state, Viewing()) if state.same_table and state.result is not None else home(state)


def ask(state: State, steps: tuple[Step, ...]) -> Turn:
    """Ask what these steps ask, one after the other; what the game does not have is left out."""
    for index, step in enumerate(steps):
        if step is Step.CAMERA:
            return aim(replace(state, steps=steps[index:]))
        mode = _mode_of(state, step)
        if mode is not None:
            evening = state.evening and step not in EVENING
            return go(replace(state, steps=steps[index:], evening=evening), mode)
    return back(replace(state, steps=()))


def has_players(state: State) -> bool:
    """Whether there is anything to ask about the players of the game that is set."""
    return any(_mode_of(state, step) is not None for step in EVENING)


def _mode_of(state: State, step: Step) -> Mode | None:
    """What asks it; None: there is nothing to choose."""
    game, choices = game_of(state), state.choices
    match step:
        case Step.NAMES:
            return Seating() if game.seats else None
        case Step.CALIBRATE:
            return Asking(Question.CALIBRATE, None)
    offered: dict[Step, tuple[object, ...]] = {
        Step.LANGUAGE: choices.languages,
        Step.GAME: choices.games,
        Step.VARIANT: game.variants,
        Step.LEVEL: game.levels,
    }
    kind = MenuKind(step.value)
    return InMenu((MenuLevel(kind),)) if len(offered[step]) > 1 else None


def game_of(state: State) -> GameChoice:
    """What there is to choose from in the game that is set."""
    return state.choices.game(state.settings.game) or state.choices.games[0]


def aim(state: State) -> Turn:
    """Show the first picture to aim the camera by."""
    return look_to_aim(state, Aiming(used_s=state.now_s))


def look_to_aim(state: State, mode: Aiming) -> Turn:
    """Take the next picture to aim the camera by."""
    return begin(state, mode, LookToAim)


def switch_off(state: State) -> Turn:
    """Switch the computer off as soon as the last result is stored."""
    return then(go(state, SwitchingOff(state.now_s)), off_if_stored)


def off_if_stored(state: State) -> Turn:
    """Tell the computer to switch itself off, if that is wanted and nothing is to be stored."""
    mode = state.mode
    storing = state.result is not None and state.result.saving is not None
    if not isinstance(mode, SwitchingOff) or mode.asked or storing:
        return state, ()
    return off(state)


def off(state: State) -> Turn:
    """Tell the computer to switch itself off."""
    return replace(state, mode=SwitchingOff(state.now_s, asked=True)), (ShutDown(),)


def take_number(state: State) -> tuple[State, int]:
    """A number for a new job."""
    return replace(state, next_job=state.next_job + 1), state.next_job


def begin(state: State, mode: Working, effect: Callable[[int], Effect]) -> Turn:
    """Change to a mode that waits for a job, and begin that.

    Args:
        state: before.
        mode: which waits.
        effect: makes the job of its number.
    """
    state, job = take_number(state)
    state, left = go(state, replace(mode, job=job, since_s=state.now_s))
    return state, (*left, effect(job))


def scan(state: State, photo: Photo | None = None) -> Turn:
    """Take a photo and read it; or read one that was given, which is of another table."""
    settings, result = state.settings, state.result
    if state.choices.game(settings.game) is None:
        return go(state, Failed(game_not_read(settings.game), scans=False))
    state = replace(state, same_table=state.same_table and photo is None)
    again = state.same_table and result is not None and result.game == settings.game
    state = replace(state, evening=False)
    game, edition = settings.game, settings.edition
    return begin(state, Scanning(), lambda job: StartScan(job, game, edition, again, photo))


def open_camera(state: State) -> Turn:
    """Try to open the camera."""
    camera = replace(state.camera, opening_since_s=state.now_s)
    return replace(state, camera=camera), (OpenCamera(),)


def note(state: State, fault: Fault) -> Turn:
    """Write down what went wrong; if it was the camera, open it again later, ever more rarely."""
    if not fault.of_camera:
        return state, (Log(fault),)
    known = state.camera.fault
    back_off = state.camera.back_off.after_failure(state.now_s)
    state = replace(state, camera=CameraState(fault, None, back_off))
    return state, () if known is not None and known.code == fault.code else (Log(fault),)


def with_picture(state: State) -> State:
    """The camera has given a picture, so it works."""
    return state if state.camera.fault is None else replace(state, camera=CameraState())


def keep(state: State, result: Result) -> Turn:
    """Take a result as the last one, and store it if it has a score."""
    if result.scan is None:
        return replace(state, result=result), ()
    state, job = take_number(state)
    result = replace(result, saving=job)
    return replace(state, result=result), (Save(job, result, state.health),)


def change(state: State, **changes: Any) -> Turn:
    """Use settings with some changes from now on, and store them.

    The result of a table that still lies there follows; an earlier one was played as it is.
    In safe mode they are not stored: the settings in use are not those on the disk, which would
    be lost.

    Args:
        state: before.
        **changes: fields of ``Settings`` with their new values.
    """
    settings = replace(state.settings, **changes)
    is_choice = state.edition_fault is not None and not _EDITION.isdisjoint(changes)
    if settings == state.settings and not is_choice:
        return state, ()
    state = replace(state, settings=settings, edition_fault=None)
    store = StoreSettings(settings, only_now=state.safe_mode)
    result = state.result
    follows = state.same_table and bool(_SCORED_BY & changes.keys())
    if result is None or result.game != settings.game or not follows:
        return state, (store,)
    state, effects = keep(state, with_settings(result, settings))
    return state, (store, *effects)


def reset(state: State) -> Turn:
    """All settings as they were at first, except how the devices are connected.

    In safe mode those too: they may be what keeps the appliance from starting. It starts anew.
    """
    if state.safe_mode:
        return state, (StoreSettings(Settings()), Restart())
    usual = Settings()
    wired = {"camera", "display", "buttons", "signals"}
    names = {field.name for field in fields(usual)} - wired
    return change(state, **{name: getattr(usual, name) for name in names})
