"""Display, buzzer and lamp: what they show or signal after each step of the machine."""

from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Final

from firmware.appliance.base import Effect, Event, Show, StepResult
from firmware.appliance.job_mode import JobMode
from firmware.appliance.state import State
from firmware.appliance.transitions import LogProblem
from firmware.base.language import in_language
from firmware.base.problem import Problem
from firmware.screens.words import Stage
from hardware.signals import Signal

_VISIBLE_FIELDS: Final = attrgetter(
    *(each.name for each in fields(State) if each.name not in ("now_s", "last_use_s"))
)
"""Fields of a state that can change the display; time alone does not."""


@dataclass(frozen=True, slots=True)
class SetBrightness(Effect):
    """Dim the display after a while without use, or brighten it again."""

    dimmed: bool


@dataclass(frozen=True, slots=True)
class GiveSignal(Effect):
    """Sound the buzzer and flash the lamp."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class DisplayFound(Event):
    """The display answers again and is empty."""

    def apply(self, state: State) -> StepResult:
        dim = (SetBrightness(dimmed=True),) if state.dimmed else ()
        return replace(state, display_lost=False, shown=None), dim


@dataclass(frozen=True, slots=True)
class DisplayLost(Event):
    """The display does not answer.

    Attributes:
        problem: Cause of the failure.
    """

    problem: Problem

    def apply(self, state: State) -> StepResult:
        logged = () if state.display_lost else (LogProblem(self.problem),)
        return replace(state, display_lost=True, shown=None), logged


def refresh_display(before: State, after: State) -> StepResult:
    """Show the view of the mode if it differs from what the display shows."""
    is_same = after is before or _VISIBLE_FIELDS(after) == _VISIBLE_FIELDS(before)
    if after.display_lost or (is_same and after.shown is not None):
        return after, ()
    language = after.settings.language
    with in_language(language):  # that of the process follows only after a step that changes it
        show = Show(after.mode.view(after), language)
    return (after, ()) if show == after.shown else (replace(after, shown=show), (show,))


def wake_display(state: State) -> StepResult:
    """Brighten the display, and note that the appliance is in use."""
    awake = replace(state, dimmed=False, last_use_s=state.now_s)
    return awake, (SetBrightness(dimmed=False),) if state.dimmed else ()


def dim_display(state: State) -> StepResult:
    """Dim the display after the time in the settings without use."""
    timeout_s = state.settings.display.dim_after_s
    is_busy = state.mode.job_id is not None
    unused_s = state.now_s - state.last_use_s
    if state.dimmed or is_busy or timeout_s <= 0 or unused_s < timeout_s:
        return state, ()
    return replace(state, dimmed=True), (SetBrightness(dimmed=True),)


def signal_progress(before: State, after: State) -> tuple[Effect, ...]:
    """Return the signal for a photo that was taken or a job that has ended, if there is one."""
    left, now = before.mode, after.mode
    if not after.settings.signals.is_connected or not isinstance(left, JobMode):
        return ()
    if left.job_id is None or not left.signals_when_done:
        return ()
    if now.job_id != left.job_id:
        return (GiveSignal(Signal.LOOK_AT_DISPLAY),)
    if isinstance(now, JobMode) and left.stage is Stage.CAPTURE is not now.stage:
        return (GiveSignal(Signal.PHOTO_TAKEN),)
    return ()
