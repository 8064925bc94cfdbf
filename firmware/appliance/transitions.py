"""Transitions between modes that many features share."""

from dataclasses import dataclass, replace
from functools import partial

from firmware.appliance.base import Effect, Mode, SetupStep, StepResult, Transition
from firmware.appliance.problems import is_camera_problem
from firmware.appliance.state import CameraState, State
from firmware.base.problem import Problem


@dataclass(frozen=True, slots=True)
class CancelJob(Effect):
    """Stop a job, or ignore its result."""

    job_id: int


@dataclass(frozen=True, slots=True)
class LogProblem(Effect):
    """Write a problem to the log."""

    problem: Problem


def continue_with(so_far: StepResult, *transitions: Transition) -> StepResult:
    """Apply further transitions to the result of a step; return the last state and all effects."""
    state, effects = so_far
    for transition in transitions:
        state, more = transition(state)
        effects += more
    return state, effects


def enter(state: State, mode: Mode) -> StepResult:
    """Change the mode; a job that nobody waits for any longer is cancelled.

    Where it has just ended, as in ``JobMode.receive_result``, ``replace(state, mode=…)`` is enough.
    """
    job_id = state.mode.job_id
    is_left = job_id is not None and mode.job_id != job_id
    cancelled = (CancelJob(job_id),) if job_id is not None and is_left else ()
    return replace(state, mode=mode), cancelled


def to_mode(mode: Mode) -> Transition:
    """Return the transition to a mode."""
    return partial(enter, mode=mode)


def go_home(state: State) -> StepResult:
    """Go to *ready*; the next scan counts as another table unless its tiles are the same."""
    ready = state.standard_modes.ready()
    return enter(replace(state, expects_same_table=False, setup_steps=()), ready)


def go_back(state: State) -> StepResult:
    """Leave this screen for the first of these: next setup question, menu, result, or *ready*.

    During a setup this goes forward. The result is shown only while its table probably lies there.
    """
    if state.setup_steps:
        return ask_setup_steps(state, state.setup_steps[1:])
    if state.menu is not None:
        return enter(replace(state, menu=None), state.menu)
    if state.expects_same_table and state.result is not None:
        return enter(state, state.standard_modes.result())
    return go_home(state)


def show_result(state: State) -> StepResult:
    """Show the first view of the last result; *ready* if there is none."""
    if state.result is None:
        return go_home(state)
    return enter(replace(state, expects_same_table=True), state.standard_modes.result())


def ask_setup_steps(state: State, steps: tuple[SetupStep, ...]) -> StepResult:
    """Ask these setup questions one after the other, without those that leave no choice."""
    for index, step in enumerate(steps):
        must_ask_players = state.must_ask_players and not step.is_about_players
        opened = step.open(
            replace(state, setup_steps=steps[index:], must_ask_players=must_ask_players)
        )
        if opened is not None:
            return opened
    return go_back(replace(state, setup_steps=(), menu=None))


def take_id(state: State) -> tuple[State, int]:
    """Return the state and an identifier unique in this run, for a job, a save or a result."""
    return replace(state, next_id=state.next_id + 1), state.next_id


def handle_problem(state: State, problem: Problem) -> StepResult:
    """Log a problem; if it is the camera's, keep it and schedule reopening."""
    if is_camera_problem(problem):
        return retry_camera_later(state, problem)
    return state, (LogProblem(problem),)


def retry_camera_later(state: State, problem: Problem) -> StepResult:
    """Keep a problem of the camera and open it again after a time; log only a new problem."""
    known = state.camera.problem
    back_off = state.camera.back_off.after_failure(state.now_s)
    state = replace(state, camera=CameraState(problem, None, back_off))
    return state, () if known is not None and known.code == problem.code else (LogProblem(problem),)


def show_failure(state: State, problem: Problem) -> StepResult:
    """Show why a job failed."""
    mode = state.standard_modes.failure(problem, can_retry=False)
    return handle_problem(replace(state, mode=mode), problem)
