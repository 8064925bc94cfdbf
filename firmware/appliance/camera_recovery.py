"""Opening the camera, and opening it again after a problem, at growing intervals."""

from dataclasses import dataclass, replace
from typing import Final

from firmware.appliance.base import Effect, Event, StepResult
from firmware.appliance.problems import CAMERA_SILENT
from firmware.appliance.state import CameraState, State
from firmware.appliance.transitions import continue_with, handle_problem, retry_camera_later
from firmware.base.problem import Problem

OPENING_TIMEOUT_S: Final = 100.0
"""Longest wait for the camera to open and give a picture, in seconds. A safeguard: the limits of
``supervised``, which are less together, normally end it first."""


@dataclass(frozen=True, slots=True)
class OpenCamera(Effect):
    """Open the camera, or reopen it. Answered by ``CameraOpened`` or ``CameraLost``."""


@dataclass(frozen=True, slots=True)
class CameraOpened(Event):
    """The camera is open and gives pictures."""

    def apply(self, state: State) -> StepResult:
        state = replace(state, camera=CameraState())
        return state.mode.handle_camera_opened(state)


@dataclass(frozen=True, slots=True)
class CameraLost(Event):
    """The camera could not be opened, or reopened so that it gives pictures.

    A picture that fails while a job waits for it is answered by ``JobFailed``.

    Attributes:
        problem: Cause of the failure.
    """

    problem: Problem

    def apply(self, state: State) -> StepResult:
        return continue_with(
            handle_problem(state, self.problem),
            lambda state: state.mode.handle_camera_lost(state, self.problem),
        )


def start_opening_camera(state: State) -> StepResult:
    """Start to open the camera, and remember since when."""
    camera = replace(state.camera, opening_since_s=state.now_s)
    return replace(state, camera=camera), (OpenCamera(),)


def recover_camera(state: State) -> StepResult:
    """Open a camera with a problem again once its waiting time is over and nothing runs."""
    camera = state.camera
    if camera.opening_since_s is not None:
        if state.now_s - camera.opening_since_s < OPENING_TIMEOUT_S:
            return state, ()
        return retry_camera_later(state, CAMERA_SILENT)
    is_in_use = state.mode.job_id is not None or not state.mode.takes_buttons
    if camera.problem is None or is_in_use or not camera.back_off.is_due(state.now_s):
        return state, ()
    return start_opening_camera(state)
