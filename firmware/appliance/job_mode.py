"""Modes that wait for a job in the background, and the events of every job."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from firmware.appliance.base import Effect, JobEvent, Mode, StepResult
from firmware.appliance.problems import CAMERA_SILENT, TOO_SLOW
from firmware.appliance.state import CameraState, State
from firmware.appliance.transitions import (
    continue_with,
    enter,
    go_back,
    handle_problem,
    show_failure,
    take_id,
)
from firmware.base.problem import Problem
from firmware.scan.read_photos import UnusedPhoto
from firmware.screens.device_views import HandsOffView, StageView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, Stage
from hardware.buttons import Button
from vision.photo.load import Photo

PHOTO_TIMEOUT_S: Final = 100.0
"""Longest wait for a photo, in seconds. Opening, two captures and one reopening take less by the
limits of ``camera_service`` and ``supervised``, so it ends only what these miss."""
JOB_TIMEOUT_S: Final = 180.0
"""Longest duration in seconds of every other stage of a job, in case it hangs."""


@dataclass(frozen=True, slots=True)
class JobFailed(JobEvent):
    """A job failed, for example because the photo shows nothing.

    Attributes:
        problem: Cause of the failure.
        photo: Photo that cannot be read, reduced; None if that is not the cause.
        unused: Photos of a series none of which can be used; empty for a single photo.
    """

    problem: Problem
    photo: Photo | None = None
    unused: tuple[UnusedPhoto, ...] = ()


@dataclass(frozen=True, slots=True)
class StageReached(JobEvent):
    """A job has reached its next stage.

    Attributes:
        stage: Stage that has begun.
    """

    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class JobMode(Mode):
    """Mode with a job in the background. While it runs, NEXT cancels it.

    Attributes:
        job_id: Job that the mode waits for; None between two jobs.
        since_s: Time at which the current stage began.
        stage: Stage of the job.
    """

    signals_when_done: ClassVar[bool] = True
    """True if buzzer and lamp signal the end of the job."""

    job_id: int | None = None
    since_s: float = 0.0
    stage: Stage = Stage.CAPTURE

    @property
    def takes_photo(self) -> bool:
        """True while the mode waits for a photo."""
        return self.job_id is not None and self.stage is Stage.CAPTURE

    def idle_view(self, state: State) -> View:
        """Return what the display shows between two jobs; for modes with several jobs."""
        return self.progress_view(state)

    def press_idle(self, state: State, button: Button) -> StepResult:
        """Handle a short press between two jobs; for modes with several jobs."""
        return state, ()

    @abstractmethod
    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        """Handle the result of the job, or its failure."""

    def progress_view(self, state: State) -> View:
        """Return what the display shows while the job runs."""
        if self.stage is Stage.CAPTURE:
            return HandsOffView(is_rescan=False, hints=Hints(next=Hint.CANCEL))
        return StageView(stage=self.stage)

    def cancel(self, state: State) -> StepResult:
        """Cancel the running job."""
        return go_back(state)

    def mode_after_failure(self, state: State, problem: Problem) -> Mode:
        """Return the mode that follows a job which hangs, or lost the camera."""
        return state.standard_modes.failure(problem, can_retry=True)

    def view(self, state: State) -> View:
        return self.idle_view(state) if self.job_id is None else self.progress_view(state)

    def press(self, state: State, button: Button) -> StepResult:
        if self.job_id is None:
            return self.press_idle(state, button)
        return self.cancel(state) if button is Button.NEXT else (state, ())

    def receive(self, state: State, event: JobEvent) -> StepResult:
        if not isinstance(event, StageReached):
            return self.receive_result(state, event)
        if self.stage is Stage.CAPTURE and event.stage is not Stage.CAPTURE:
            state = clear_camera_problem(state)
        mode = replace(self, stage=event.stage, since_s=state.now_s)
        return replace(state, mode=mode), ()

    def handle_tick(self, state: State) -> StepResult:
        if self.job_id is None:
            return state, ()
        timeout_s = PHOTO_TIMEOUT_S if self.takes_photo else JOB_TIMEOUT_S
        if state.now_s - self.since_s < timeout_s:
            return state, ()
        problem = CAMERA_SILENT if self.takes_photo else TOO_SLOW
        return continue_with(
            handle_problem(state, problem),
            lambda state: enter(state, self.mode_after_failure(state, problem)),
        )

    def handle_camera_lost(self, state: State, problem: Problem) -> StepResult:
        return (
            enter(state, self.mode_after_failure(state, problem))
            if self.takes_photo
            else (state, ())
        )

    def after_interruption(self) -> Mode | None:
        return self if self.job_id is None else None


def receive_failure(state: State, event: JobEvent) -> StepResult:
    """Show the failure of a job; ignore other events."""
    return show_failure(state, event.problem) if isinstance(event, JobFailed) else (state, ())


def start_job(state: State, mode: JobMode, make_job: Callable[[int], Effect]) -> StepResult:
    """Enter a mode that waits for a job, and start the job.

    Args:
        state: State before.
        mode: Mode that waits.
        make_job: Function that makes the job from its number.
    """
    state, job_id = take_id(state)
    state, cancelled = enter(state, replace(mode, job_id=job_id, since_s=state.now_s))
    return state, (*cancelled, make_job(job_id))


def clear_camera_problem(state: State) -> State:
    """Return the state after a photo was taken: the camera works."""
    return state if state.camera.problem is None else replace(state, camera=CameraState())
