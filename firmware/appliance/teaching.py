"""The wizard for the look of an own copy: photos of one tile of each face, laid in order."""

from dataclasses import replace
from typing import Final

from firmware.appliance import events, preferences
from firmware.appliance.effects import ShopCorner, StartTeaching
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Teaching, TeachStep, Telling
from firmware.appliance.moves import Turn, back, go, note, take_number, with_picture
from firmware.appliance.state import State
from firmware.screens.views import Notice, Stage
from hardware.buttons import Button

WHICH_WAY: Final = "teach-which-way"
"""The eye cannot tell which way up the grid lies."""
CORNERS: Final = tuple(ShopCorner)


def pressed(state: State, mode: Teaching, button: Button) -> Turn:
    """A short press."""
    if mode.job is not None:
        return _give_up(state, mode) if button is Button.OK else (state, ())
    if mode.step is TeachStep.CORNER:
        return _corner_pressed(state, mode, button)
    if button is Button.NEXT:
        return go(state, replace(mode, page=mode.page + 1))
    if button is Button.SCAN:
        if mode.step is TeachStep.LAY:
            return go(state, replace(mode, step=TeachStep.PHOTO, page=0))
        return _learn(state, mode, same_photo=False)
    return _use_it(state, mode) if mode.step is TeachStep.MORE else back(state)


def _give_up(state: State, mode: Teaching) -> Turn:
    waiting = replace(mode, job=None, step=_waiting_step(mode), corner=None, problem=None, page=0)
    return go(state, waiting)


def _corner_pressed(state: State, mode: Teaching, button: Button) -> Turn:
    corner = mode.corner or CORNERS[0]
    if button is Button.NEXT:
        following = CORNERS[(CORNERS.index(corner) + 1) % len(CORNERS)]
        return go(state, replace(mode, corner=following))
    if button is Button.SCAN:
        return go(state, replace(mode, step=_waiting_step(mode), corner=None, problem=None))
    return _learn(state, replace(mode, corner=corner), same_photo=True)


def _learn(state: State, mode: Teaching, *, same_photo: bool) -> Turn:
    # Other tiles lie where the table was.
    state, job = take_number(replace(state, same_table=False))
    stage = Stage.TEACH if same_photo else Stage.CAPTURE
    state, effects = go(state, replace(mode, job=job, since_s=state.now_s, stage=stage))
    start = StartTeaching(job, state.settings.game, mode.edition, mode.add, same_photo, mode.corner)
    return state, (*effects, start)


def _use_it(state: State, mode: Teaching) -> Turn:
    """The edition is the one to read with from now on."""
    state, effects = preferences.change(state, edition=mode.edition)
    notice = Notice.TAUGHT if mode.order_checked else Notice.TAUGHT_UNCHECKED
    return replace(state, mode=Telling(notice)), effects


def finished(state: State, event: events.TeachingFinished) -> Turn:
    """The photo was learned; more may follow."""
    mode = state.mode
    if not isinstance(mode, Teaching) or mode.job != event.job:
        return state, ()
    state = with_picture(state)
    learned = Teaching(
        mode.edition,
        add=True,
        learned=True,
        step=TeachStep.MORE,
        order_checked=mode.order_checked and event.order_checked,
    )
    return replace(state, mode=learned), ()


def failed(state: State, event: events.TeachingFailed) -> Turn:
    """The photo was not learned: ask for the corner, or take another one."""
    mode = state.mode
    if not isinstance(mode, Teaching) or mode.job != event.job:
        return state, ()
    if event.fault.code == WHICH_WAY and mode.corner is None:
        asking = replace(mode, job=None, step=TeachStep.CORNER, corner=CORNERS[0])
        return replace(state, mode=asking), ()
    return note(replace(state, mode=not_learned(mode, event.fault)), event.fault)


def not_learned(mode: Teaching, fault: Fault) -> Teaching:
    """The photo did not work; what was learned before stays."""
    step = _waiting_step(mode)
    return replace(mode, job=None, step=step, corner=None, problem=fault, page=0)


def _waiting_step(mode: Teaching) -> TeachStep:
    """Where the wizard waits for a photo."""
    return TeachStep.MORE if mode.learned else TeachStep.PHOTO
