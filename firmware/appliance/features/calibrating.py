"""Calibrating: lens and table from photos of the printed sheet."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from firmware.appliance.base import Job, JobEvent, SetupStep, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.job_mode import JobFailed, start_job
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back, handle_problem, to_mode
from firmware.appliance.wizard import WizardCommand, WizardMode
from firmware.base.problem import Problem
from firmware.screens.device_views import CalibratedView, WizardView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, MenuWord, Question, Stage, WizardStep
from hardware.buttons import Button
from vision.photo.load import Photo

LENS_STEPS: Final = (
    WizardStep.CALIBRATE_PRINT,
    WizardStep.CALIBRATE_FLAT,
    WizardStep.CALIBRATE_LIFT_LEFT,
    WizardStep.CALIBRATE_LIFT_RIGHT,
    WizardStep.CALIBRATE_LIFT_NEAR,
    WizardStep.CALIBRATE_LIFT_FAR,
    WizardStep.CALIBRATE_CORNER,
    WizardStep.CALIBRATE_TABLE,
)
"""Steps for lens and table: four tilts determine the lens, the corner its edge, the last photo
the table plane."""
TABLE_STEPS: Final = (WizardStep.CALIBRATE_TABLE,)
"""Steps for the table alone."""

STEP_AFTER_PROBLEM: Final = {
    "calibration-too-few-photos": WizardStep.CALIBRATE_LIFT_LEFT,
    "calibration-one-angle": WizardStep.CALIBRATE_LIFT_LEFT,
    "calibration-low-coverage": WizardStep.CALIBRATE_CORNER,
    "calibration-inexact": WizardStep.CALIBRATE_FLAT,
    "calibration-sizes-differ": WizardStep.CALIBRATE_FLAT,
}
"""Step to go on with, by the code of the problem; any other repeats the same step."""
FRESH_START_PROBLEMS: Final = ("calibration-inexact", "calibration-sizes-differ")
"""Problems after which all photos are dropped, because no further photo helps."""


@dataclass(frozen=True, slots=True)
class TakeCalibrationPhoto(Job):
    """Take a photo and find the sheet in it; a photo without the sheet is not kept.

    Answered by ``CalibrationPhotoTaken`` or ``JobFailed``.

    Attributes:
        drops_earlier: Whether earlier photos are dropped.
        photo: Photo to use; None to take one.
    """

    drops_earlier: bool
    photo: Photo | None = None


@dataclass(frozen=True, slots=True)
class SolveCalibration(Job):
    """Find lens and table from the photos kept; the last one shows the sheet on the table.

    Answered by ``CalibrationSolved`` or ``JobFailed``.

    Attributes:
        table_only: Whether the lens of the stored calibration is kept.
    """

    table_only: bool


@dataclass(frozen=True, slots=True)
class StoreCalibration(Job):
    """Store the calibration found last. Answered by ``CalibrationStored`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class CalibrationPhotoTaken(JobEvent):
    """The sheet was found in the photo."""


@dataclass(frozen=True, slots=True)
class CalibrationSolved(JobEvent):
    """Lens and table are known and can be stored.

    Attributes:
        quality: View with the quality of the calibration.
    """

    quality: CalibratedView


@dataclass(frozen=True, slots=True)
class CalibrationStored(JobEvent):
    """The calibration is stored and in use."""


@dataclass(frozen=True, slots=True)
class CalibratingMode(WizardMode):
    """Step of the calibration.

    Attributes:
        table_only: Whether the lens is known, and only the table is measured.
        step_index: Index in ``steps``.
        fresh: Whether no photo has been kept yet.
        quality: View with the quality of the calibration; None until it is known.
    """

    calibrates: ClassVar[bool] = True

    table_only: bool
    step_index: int = 0
    fresh: bool = True
    quality: CalibratedView | None = None

    @property
    def steps(self) -> tuple[WizardStep, ...]:
        """Steps of the calibration, in order."""
        return TABLE_STEPS if self.table_only else LENS_STEPS

    @property
    def is_printing_step(self) -> bool:
        """True at the step of printing the sheet, which takes no photo."""
        return self.steps[self.step_index] is WizardStep.CALIBRATE_PRINT

    @property
    def can_finish(self) -> bool:
        return self.quality is not None

    def idle_view(self, state: State) -> View:
        if self.quality is not None:
            return self.quality
        step = self.steps[self.step_index]
        ok = Hint.OK if self.is_printing_step else Hint.PHOTO
        hints = Hints(Hint.CANCEL, Hint.MORE, ok)
        view = WizardView(step=step, number=self.step_index + 1, count=len(self.steps), hints=hints)
        return self.with_status(view, worked=not self.fresh)

    def press_idle(self, state: State, button: Button) -> StepResult:
        """OK takes the photo, or keeps the calibration; SCAN leaves, NEXT shows more text."""
        match button:
            case Button.NEXT:
                return self.show_next_part(state)
            case Button.SCAN:
                return go_back(state) if self.fresh else enter(state, ConfirmCancelling(self))
            case Button.OK if self.quality is not None:
                return self.finish(state)
            case Button.OK:
                return self.photograph_sheet(state, None)

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case CalibrationPhotoTaken():
                return self._go_on(state)
            case CalibrationSolved():
                mode = replace(self, job_id=None, quality=event.quality)
                return replace(state, mode=mode), ()
            case CalibrationStored():
                mode = replace(self, job_id=None)
                return go_back(replace(state, calibrated=True, mode=mode, menu=None))
            case JobFailed():
                return self._repeat(state, event.problem)
        return state, ()

    def retry_mode(self, problem: Problem | None) -> "CalibratingMode":
        return replace(self, quality=None, job_id=None, problem=problem, part=0)

    def take_photo(self, state: State, photo: Photo | None) -> StepResult:
        return replace(self, quality=None).photograph_sheet(state, photo)

    def finish(self, state: State) -> StepResult:
        return start_job(state, replace(self, stage=Stage.CALIBRATE), StoreCalibration)

    def photograph_sheet(self, state: State, photo: Photo | None) -> StepResult:
        """Take the photo of the step, or use the one given; the first step is only a text."""
        if self.is_printing_step:
            return enter(state, replace(self, step_index=self.step_index + 1, part=0))
        stage = Stage.CAPTURE if photo is None else Stage.CALIBRATE
        return start_job(
            replace(state, expects_same_table=False),  # the sheet lies where the table was
            replace(self, stage=stage),
            lambda job_id: TakeCalibrationPhoto(job_id, self.fresh, photo),
        )

    def _go_on(self, state: State) -> StepResult:
        """Go to the next step; after the last one solve the calibration."""
        state = self.after_photo(state)
        mode = replace(self, job_id=None, fresh=False, problem=None, part=0)
        if self.step_index + 1 < len(self.steps):
            return replace(state, mode=replace(mode, step_index=self.step_index + 1)), ()
        mode = replace(mode, stage=Stage.CALIBRATE)
        state = replace(state, mode=mode)
        return start_job(state, mode, lambda job_id: SolveCalibration(job_id, self.table_only))

    def _repeat(self, state: State, problem: Problem) -> StepResult:
        """Go back to the step that helps against a problem."""
        step_index = self.step_index
        if not self.table_only:
            step = STEP_AFTER_PROBLEM.get(problem.code, self.steps[step_index])
            step_index = LENS_STEPS.index(step)
        fresh = self.fresh or problem.code in FRESH_START_PROBLEMS or self.table_only
        mode = replace(self, step_index=step_index, fresh=fresh).retry_mode(problem)
        return handle_problem(replace(state, mode=mode), problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPrinted(WizardCommand):
    """Go on from printing the sheet; does nothing at a later step."""

    def fits(self, mode: WizardMode) -> bool:
        return True

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        if not isinstance(mode, CalibratingMode) or not mode.is_printing_step:
            return state, ()
        return mode.take_photo(state, None)


@dataclass(frozen=True, slots=True)
class ConfirmCancelling(ConfirmMode):
    """Question whether to leave the calibration although photos were taken."""

    question: ClassVar[Question] = Question.CANCEL_WIZARD

    def confirm(self, state: State) -> StepResult:
        return go_back(state)


@dataclass(frozen=True, slots=True)
class ConfirmCalibrating(ConfirmMode):
    """Question whether to calibrate now, during the first start."""

    question: ClassVar[Question] = Question.CALIBRATE

    def confirm(self, state: State) -> StepResult:
        return enter(state, CalibratingMode(table_only=False))


@dataclass(frozen=True, slots=True)
class CalibratingStep(SetupStep):
    """Offer of the first start to calibrate."""

    def open(self, state: State) -> StepResult | None:
        return enter(state, ConfirmCalibrating())


@dataclass(frozen=True, slots=True)
class CalibrateMenu(Menu):
    """Choice between calibrating the table alone, or lens and table."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.CALIBRATE

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            menu_item(MenuWord.TABLE_ONLY, to_mode(CalibratingMode(table_only=True))),
            menu_item(MenuWord.LENS_AND_TABLE, to_mode(CalibratingMode(table_only=False))),
        )
