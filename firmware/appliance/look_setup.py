"""What the display says in the wizards, in lists, and while something is being done."""

from dataclasses import replace
from typing import Final

from firmware.appliance import calibrating
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Calibrating, Teaching, TeachStep
from firmware.appliance.state import State
from firmware.appliance.teaching import CORNERS
from firmware.screens.views import (
    Hint,
    Hints,
    HoldStillView,
    MenuEntry,
    MenuView,
    MenuWord,
    Stage,
    StageView,
    View,
    WizardStep,
    WizardView,
)


def busy_view(stage: Stage, *, again: bool = False) -> View:
    """A job is going on; ``again``: it scans the same table once more."""
    if stage is Stage.CAPTURE:
        return HoldStillView(again=again, hints=Hints(ok=Hint.CANCEL))
    return StageView(stage=stage)


def list_of(
    heading: MenuWord | str, entries: tuple[MenuEntry, ...], selected: int, scan: Hint
) -> MenuView:
    """A list to choose from; ``scan`` is what SCAN does."""
    return MenuView(
        title=heading,
        entries=entries,
        selected=min(selected, len(entries) - 1),
        hints=Hints(scan, Hint.NEXT if len(entries) > 1 else Hint.NOTHING, Hint.CHOOSE),
    )


def calibrating_view(_state: State, mode: Calibrating) -> View:
    """A step of the wizard for lens and table."""
    if mode.job is not None:
        return busy_view(mode.stage)
    steps = calibrating.steps(mode)
    step = steps[mode.step]
    reads = step is WizardStep.CALIBRATE_PRINT
    view = WizardView(
        step=step,
        number=mode.step + 1,
        of=len(steps),
        worked=mode.worked is True,
        page=mode.page,
        hints=Hints(Hint.OK if reads else Hint.PHOTO, Hint.MORE, Hint.CANCEL),
    )
    return _with_problem(view, mode.problem)


def teaching_view(_state: State, mode: Teaching) -> View:
    """A step of the wizard for the look of an own copy."""
    if mode.job is not None:
        return busy_view(mode.stage)
    if mode.step is TeachStep.CORNER:
        corners = tuple(MenuEntry(label=MenuWord(corner.value)) for corner in CORNERS)
        selected = CORNERS.index(mode.corner or CORNERS[0])
        return list_of(MenuWord.SHOP_CORNER, corners, selected, Hint.BACK)
    step, scan_hint, ok_hint = _TEACH_STEPS[mode.step]
    view = WizardView(
        step=step,
        number=list(_TEACH_STEPS).index(mode.step) + 1,
        of=len(_TEACH_STEPS),
        worked=mode.learned and mode.problem is None,
        page=mode.page,
        hints=Hints(scan_hint, Hint.MORE, ok_hint),
    )
    return _with_problem(view, mode.problem)


_TEACH_STEPS: Final = {
    TeachStep.LAY: (WizardStep.TEACH_LAY, Hint.OK, Hint.CANCEL),
    TeachStep.PHOTO: (WizardStep.TEACH_PHOTO, Hint.PHOTO, Hint.CANCEL),
    TeachStep.MORE: (WizardStep.TEACH_TURN, Hint.PHOTO, Hint.DONE),
}


def _with_problem(view: WizardView, problem: Fault | None) -> WizardView:
    if problem is None:
        return view
    return replace(view, problem=problem.code, detail=problem.message)
