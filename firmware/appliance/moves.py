"""Moves between modes that more than one part of the machine makes."""

from dataclasses import replace

from firmware.appliance.effects import CancelJob, Effect, Log, OpenCamera, Save, ShutDown, StartScan
from firmware.appliance.faults import Fault, game_not_read
from firmware.appliance.modes import (
    Calibrating,
    Failed,
    InMenu,
    Mode,
    Ready,
    Scanning,
    SwitchingOff,
    Teaching,
    Viewing,
)
from firmware.appliance.result import Result
from firmware.appliance.state import CameraState, State

Turn = tuple[State, tuple[Effect, ...]]
"""The state after an event, and what is to be done."""


def go(state: State, mode: Mode) -> Turn:
    """Change to another mode; a job that is left behind is cancelled."""
    job = job_of(state.mode)
    left = job is not None and job_of(mode) != job
    return replace(state, mode=mode), (CancelJob(job),) if job is not None and left else ()


def job_of(mode: Mode) -> int | None:
    """The job that a mode waits for."""
    return mode.job if isinstance(mode, Scanning | Calibrating | Teaching) else None


def home(state: State) -> Turn:
    """Be ready; the next scan is of another table."""
    return go(replace(state, same_table=False), Ready())


def back(state: State) -> Turn:
    """To the result of the table that lies there, or else be ready."""
    if state.same_table and state.result is not None:
        return go(state, Viewing())
    return home(state)


def up(state: State, mode: InMenu) -> Turn:
    """To the menu before, or out of the menus."""
    return go(state, InMenu(mode.levels[:-1])) if len(mode.levels) > 1 else back(state)


def switch_off(state: State) -> Turn:
    """Switch the computer off as soon as the last result is stored."""
    state, effects = go(state, SwitchingOff(state.now_s))
    state, more = off_if_stored(state)
    return state, (*effects, *more)


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


def fail(state: State, fault: Fault, *, scans: bool = True) -> Turn:
    """Say that something did not work; ``scans``: that another scan may help."""
    return go(state, Failed(fault, scans))


def take_number(state: State) -> tuple[State, int]:
    """A number for a new job."""
    return replace(state, next_job=state.next_job + 1), state.next_job


def scan(state: State) -> Turn:
    """Take a photo and read it."""
    settings, result = state.settings, state.result
    if state.choices.game(settings.game) is None:
        return fail(state, game_not_read(settings.game), scans=False)
    state, job = take_number(state)
    again = state.same_table and result is not None and result.game == settings.game
    start = StartScan(job, settings.game, settings.edition, again)
    state, effects = go(state, Scanning(job, state.now_s))
    return state, (*effects, start)


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
    save = Save(
        job,
        result.table,
        result.seen,
        result.scan,
        result.corrections,
        result.photo,
        state.health,
        result.earlier,
    )
    return replace(state, result=replace(result, saving=job)), (save,)
