"""Wizards: setting something up photo by photo, with the buttons or on the web page."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Command, Mode, StepResult
from firmware.appliance.job_mode import JobMode, clear_camera_problem
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with, enter, go_back, to_mode
from firmware.base.problem import Problem
from firmware.screens.device_views import WizardView
from firmware.screens.words import Stage
from firmware.wording.problem_text import translate
from vision.photo.load import Photo


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardMode(JobMode):
    """Wizard that takes photos. A photo that fails can be taken again.

    Attributes:
        problem: Problem of the last photo; None without one.
        part: Index of the shown part of a long text.
    """

    calibrates: ClassVar[bool] = False
    """True if the wizard calibrates; False if it teaches an edition."""

    problem: Problem | None = None
    part: int = 0

    @property
    def can_finish(self) -> bool:
        """True once the wizard has a result that can be used."""
        return False

    @abstractmethod
    def retry_mode(self, problem: Problem | None) -> "WizardMode":
        """Return the mode that waits for another photo, with everything that is known so far.

        Args:
            problem: Problem of the last photo; None without one.
        """

    @abstractmethod
    def take_photo(self, state: State, photo: Photo | None) -> StepResult:
        """Use a photo from the web page; None to take one with the camera."""

    def finish(self, state: State) -> StepResult:
        """Use the result of the wizard. Called only if ``can_finish``."""
        return state, ()

    def cancel(self, state: State) -> StepResult:
        return enter(state, self.retry_mode(None))

    def mode_after_failure(self, state: State, problem: Problem) -> Mode:
        return self.retry_mode(problem)

    def after_interruption(self) -> Mode | None:
        return self if self.job_id is None else self.retry_mode(None)

    def after_photo(self, state: State) -> State:
        """Return the state after the job.

        A result that comes in the stage of the photo shows that the camera works.
        """
        return clear_camera_problem(state) if self.stage is Stage.CAPTURE else state

    def show_next_part(self, state: State) -> StepResult:
        """Show the next part of a long text."""
        return enter(state, replace(self, part=self.part + 1))

    def with_status(self, view: WizardView, *, worked: bool) -> WizardView:
        """Return a view with its part and the result of the last photo.

        Args:
            view: View of the step.
            worked: Whether the last photo could be used.
        """
        if self.problem is None:
            return replace(view, part=self.part, worked=worked)
        detail = translate(self.problem.message)
        return replace(view, part=self.part, problem=self.problem.code, detail=detail)


@dataclass(frozen=True, slots=True)
class StartWizard(Command):
    """Start a wizard.

    Attributes:
        mode: First step of the wizard.
    """

    mode: WizardMode

    def run(self, state: State) -> StepResult:
        return continue_with(enter(state, state.standard_modes.ready()), to_mode(self.mode))


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardCommand(Command):
    """Command to the wizard that is running.

    Attributes:
        calibrates: Whether it is meant for the calibration; else for a wizard that teaches.
    """

    calibrates: bool = False

    def is_allowed(self, state: State) -> bool:
        mode = state.mode
        if not isinstance(mode, WizardMode) or mode.calibrates != self.calibrates:
            return False  # sent from the page of a wizard that has ended
        return self.fits(mode)

    def fits(self, mode: WizardMode) -> bool:
        """Return whether the wizard is at a step where the command makes sense."""
        return mode.job_id is None

    def run(self, state: State) -> StepResult:
        mode = state.mode
        return self.run_in(mode, state) if isinstance(mode, WizardMode) else (state, ())

    @abstractmethod
    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        """Run the command in the wizard."""


@dataclass(frozen=True, slots=True, eq=False)
class TakeWizardPhoto(WizardCommand):
    """Take the photo of the step; go on if the step needs none.

    Attributes:
        photo: Photo from the web page; None to take one with the camera.
    """

    photo: Photo | None = None

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        return mode.take_photo(state, self.photo)


@dataclass(frozen=True, slots=True)
class FinishWizard(WizardCommand):
    """Use the result of the wizard: keep the calibration, or read with the edition."""

    def fits(self, mode: WizardMode) -> bool:
        return mode.job_id is None and mode.can_finish

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        return mode.finish(state)


@dataclass(frozen=True, slots=True)
class LeaveWizard(WizardCommand):
    """Leave the wizard, also while it works."""

    def fits(self, mode: WizardMode) -> bool:
        return True

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        return go_back(state)
