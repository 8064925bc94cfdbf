"""Scanning a table: what becomes of the job."""

from dataclasses import replace

from firmware.appliance import events
from firmware.appliance.effects import Effect, Log
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Calibrating, Failed, Scanning, Teaching, Viewing
from firmware.appliance.moves import Turn, back, keep, note, with_picture
from firmware.appliance.result import Result, of_one_table, outcome_of, with_earlier_answers
from firmware.appliance.state import State
from firmware.screens import remark_views
from firmware.screens.views import Stage
from firmware.settings import Settings
from hardware.buttons import Button


def pressed(state: State, _mode: Scanning, button: Button) -> Turn:
    """OK gives the scan up; the other buttons have nothing to do."""
    return back(state) if button is Button.OK else (state, ())


def stage_reached(state: State, event: events.StageReached) -> Turn:
    """A job has come to another stage."""
    mode = state.mode
    if not isinstance(mode, Scanning | Calibrating | Teaching) or mode.job != event.job:
        return state, ()
    if event.stage is not Stage.CAPTURE:
        state = with_picture(state)
    return replace(state, mode=replace(mode, stage=event.stage, since_s=state.now_s)), ()


def failed(state: State, event: events.ScanFailed) -> Turn:
    """There is no photo, or it shows nothing; an earlier result stays."""
    if not isinstance(state.mode, Scanning) or state.mode.job != event.job:
        return state, ()
    return note(replace(state, mode=Failed(event.fault)), event.fault)


def finished(state: State, event: events.ScanFinished) -> Turn:
    """The photo was read: score it, and compare it with the scan before.

    A photo in which nothing was found takes no earlier result away: a hand may have been in front.
    """
    if not isinstance(state.mode, Scanning) or state.mode.job != event.job:
        return state, ()
    state = with_picture(state)
    result = _result_of(event, state.result if state.same_table else None, state.settings)
    effects: tuple[Effect, ...] = ()
    if isinstance(result.outcome, Fault):
        effects = (Log(result.outcome),)
        if not event.reading.grids:
            failed = Failed(result.outcome, remarks=remark_views(result.checked))
            return replace(state, mode=failed), effects
    state, saving = keep(replace(state, mode=Viewing(), same_table=True), result)
    return state, (*effects, *saving)


def _result_of(event: events.ScanFinished, earlier: Result | None, settings: Settings) -> Result:
    """The score of what was read; what is known of the same table is taken over."""
    seen = read = event.reading
    if earlier is not None and not of_one_table(earlier.seen, seen, event.description):
        earlier = None
    owners = None
    # With another number of grids each may have another letter
    if earlier is not None and len(earlier.seen.grids) == len(seen.grids):
        corrections, owners = earlier.corrections, earlier.owners
        read = with_earlier_answers(seen, earlier.seen, corrections, event.description)
    result = Result(
        table=event.job,
        seen=seen,
        read=read,
        description=event.description,
        outcome=outcome_of(read, event.description, settings, owners=owners),
        crops=event.crops,
        photo=event.photo,
        owners=owners,
    )
    if earlier is None:
        return result
    if earlier.scan is None:
        return replace(result, before=earlier.before, earlier=earlier.earlier)
    return replace(result, before=earlier.scan, earlier=earlier.table)
