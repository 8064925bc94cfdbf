"""Switching the computer off."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from firmware.appliance.base import Effect, Event, Mode, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.problems import SHUT_DOWN_FAILED
from firmware.appliance.state import State
from firmware.appliance.transitions import LogProblem, continue_with, enter
from firmware.base.problem import Problem
from firmware.screens.device_views import NoticeView
from firmware.screens.view import Hints, View
from firmware.screens.words import Notice, Question
from hardware.buttons import Button

SAVE_TIMEOUT_S: Final = 10.0
"""Longest wait in seconds for the last result to be stored before the computer is switched off."""
OFF_TIMEOUT_S: Final = 90.0
"""Longest wait in seconds for the computer to switch off; then the display shows a failure."""


@dataclass(frozen=True, slots=True)
class ShutDown(Effect):
    """Switch the computer off. Answered by ``ShutDownFailed`` if that fails."""


@dataclass(frozen=True, slots=True)
class ShutDownFailed(Event):
    """The computer refuses to switch itself off.

    Attributes:
        problem: Cause of the failure.
    """

    problem: Problem

    def apply(self, state: State) -> StepResult:
        logged: StepResult = state, (LogProblem(self.problem),)
        if not isinstance(state.mode, SwitchingOffMode):
            return logged
        return continue_with(logged, lambda state: _show_failure(state, self.problem))


@dataclass(frozen=True, slots=True)
class SwitchingOffMode(Mode):
    """The computer is being switched off, as soon as the last result is stored.

    Attributes:
        since_s: Time at which the mode, or switching off the computer, began.
        requested: Whether the system was asked to power off.
    """

    takes_buttons: ClassVar[bool] = False

    since_s: float
    requested: bool = False

    def view(self, state: State) -> View:
        return NoticeView(notice=Notice.SHUTTING_DOWN, hints=Hints())

    def press(self, state: State, button: Button) -> StepResult:
        return state, ()

    def handle_tick(self, state: State) -> StepResult:
        elapsed_s = state.now_s - self.since_s
        if not self.requested:
            return _request(state) if elapsed_s >= SAVE_TIMEOUT_S else (state, ())
        return _show_failure(state, SHUT_DOWN_FAILED) if elapsed_s >= OFF_TIMEOUT_S else (state, ())

    def handle_saving_ended(self, state: State) -> StepResult:
        is_saving = state.result is not None and state.result.save_id is not None
        return (state, ()) if self.requested or is_saving else _request(state)


@dataclass(frozen=True, slots=True)
class ConfirmShutDown(ConfirmMode):
    """Question whether to switch the computer off."""

    question: ClassVar[Question] = Question.SHUT_DOWN

    def confirm(self, state: State) -> StepResult:
        return switch_off(state)


def switch_off(state: State) -> StepResult:
    """Switch the computer off as soon as the last result is stored."""
    so_far = enter(state, SwitchingOffMode(state.now_s))
    return continue_with(so_far, lambda state: state.mode.handle_saving_ended(state))


def ask_to_shut_down(state: State) -> StepResult:
    """Ask once whether to switch off; a running job is cancelled by that."""
    if isinstance(state.mode, ConfirmShutDown):
        return state, ()
    return enter(state, ConfirmShutDown(state.mode.after_interruption()))


def _request(state: State) -> StepResult:
    mode = SwitchingOffMode(state.now_s, requested=True)
    return replace(state, mode=mode), (ShutDown(),)


def _show_failure(state: State, problem: Problem) -> StepResult:
    return enter(state, state.standard_modes.failure(problem, can_retry=False))
