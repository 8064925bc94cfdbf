"""The wizard for lens and table: photos of the printed sheet, one pose after the other."""

from dataclasses import replace
from typing import Final

from firmware.appliance import events
from firmware.appliance.effects import SolveCalibration, TakeCalibrationPhoto
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Asking, Calibrating, Telling
from firmware.appliance.moves import Turn, back, go, note, take_number, with_picture
from firmware.appliance.state import State
from firmware.screens.views import Question, Stage, WizardStep
from hardware.buttons import Button

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
"""The four tilts fix the lens, the corner its rim, the last photo the table."""
TABLE_STEPS: Final = (WizardStep.CALIBRATE_TABLE,)

MORE_TILTS: Final = ("calibration-too-few-photos", "calibration-one-angle")
MORE_OF_THE_PICTURE: Final = ("calibration-low-coverage",)
ALL_ANEW: Final = ("calibration-inexact", "calibration-sizes-differ")
"""After these no further photo helps."""


def steps(mode: Calibrating) -> tuple[WizardStep, ...]:
    """The steps of the wizard, in order."""
    return TABLE_STEPS if mode.table_only else LENS_STEPS


def pressed(state: State, mode: Calibrating, button: Button) -> Turn:
    """A short press."""
    if mode.job is not None:
        return go(state, replace(mode, job=None)) if button is Button.OK else (state, ())
    if button is Button.NEXT:
        return go(state, replace(mode, page=mode.page + 1))
    if button is Button.OK:
        return back(state) if mode.fresh else go(state, Asking(Question.CANCEL_WIZARD, mode))
    if steps(mode)[mode.step] is WizardStep.CALIBRATE_PRINT:
        return go(state, replace(mode, step=mode.step + 1, page=0))
    # The sheet lies where the table was.
    state, job = take_number(replace(state, same_table=False))
    waiting = replace(mode, job=job, since_s=state.now_s, stage=Stage.CAPTURE)
    state, effects = go(state, waiting)
    return state, (*effects, TakeCalibrationPhoto(job, mode.fresh))


def photo_taken(state: State, event: events.CalibrationPhotoTaken) -> Turn:
    """The sheet was found: on to the next pose, or to the result."""
    mode = state.mode
    if not isinstance(mode, Calibrating) or mode.job != event.job:
        return state, ()
    state = with_picture(state)
    good = replace(mode, job=None, fresh=False, worked=True, problem=None, page=0)
    if mode.step + 1 < len(steps(mode)):
        return replace(state, mode=replace(good, step=mode.step + 1)), ()
    state, job = take_number(state)
    solving = replace(good, job=job, since_s=state.now_s, stage=Stage.CALIBRATE)
    return replace(state, mode=solving), (SolveCalibration(job, mode.table_only),)


def photo_failed(state: State, event: events.CalibrationPhotoFailed) -> Turn:
    """The photo is of no use: the same pose once more."""
    mode = state.mode
    if not isinstance(mode, Calibrating) or mode.job != event.job:
        return state, ()
    return note(replace(state, mode=with_problem(mode, event.fault)), event.fault)


def with_problem(mode: Calibrating, fault: Fault) -> Calibrating:
    """The step did not work and can be tried again."""
    return replace(mode, job=None, worked=False, problem=fault, page=0)


def finished(state: State, event: events.CalibrationFinished) -> Turn:
    """Lens and table are known."""
    if not isinstance(state.mode, Calibrating) or state.mode.job != event.job:
        return state, ()
    return replace(state, calibrated=True, mode=Telling(event)), ()


def failed(state: State, event: events.CalibrationFailed) -> Turn:
    """The photos are not enough: back to the first step that helps."""
    mode = state.mode
    if not isinstance(mode, Calibrating) or mode.job != event.job:
        return state, ()
    again = replace(mode, step=_step_after(mode, event.fault.code))
    if event.fault.code in ALL_ANEW or mode.table_only:
        again = replace(again, fresh=True)
    return note(replace(state, mode=with_problem(again, event.fault)), event.fault)


def _step_after(mode: Calibrating, code: str) -> int:
    """The step to go back to, after which the others follow once more."""
    if mode.table_only:
        return 0
    if code in MORE_TILTS:
        return LENS_STEPS.index(WizardStep.CALIBRATE_LIFT_LEFT)
    if code in MORE_OF_THE_PICTURE:
        return LENS_STEPS.index(WizardStep.CALIBRATE_CORNER)
    if code in ALL_ANEW:
        return LENS_STEPS.index(WizardStep.CALIBRATE_FLAT)
    return len(LENS_STEPS) - 1
