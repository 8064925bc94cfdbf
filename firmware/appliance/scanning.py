"""Scanning a table: what becomes of the job."""

from dataclasses import replace

from firmware.appliance import events
from firmware.appliance.any_result import AnyResult
from firmware.appliance.board_answers import with_earlier_board_answers
from firmware.appliance.board_result import BoardResult, board_outcome, of_one_board
from firmware.appliance.effects import Effect, Log
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Calibrating, Failed, Scanning, Teaching, Viewing
from firmware.appliance.moves import Turn, back, keep, note, with_picture
from firmware.appliance.pages import remarks_of
from firmware.appliance.result import Owners, Result, of_one_table, outcome_of, with_earlier_answers
from firmware.appliance.state import State
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

    A photo without any city takes no earlier result away: a hand may have been in front.
    """
    if not isinstance(state.mode, Scanning) or state.mode.job != event.job:
        return state, ()
    state = with_picture(state)
    earlier = state.result if state.same_table else None
    known = earlier if isinstance(earlier, Result) else None
    result = _result_of(event, known, state.settings)
    return _shown(state, result, is_empty=not event.reading.cities)


def board_finished(state: State, event: events.BoardScanFinished) -> Turn:
    """The same for a game known by pictures."""
    if not isinstance(state.mode, Scanning) or state.mode.job != event.job:
        return state, ()
    state = with_picture(state)
    earlier = state.result if state.same_table else None
    known = earlier if isinstance(earlier, BoardResult) else None
    result = _board_result_of(event, known, state.settings)
    return _shown(state, result, is_empty=not event.reading.grids)


def _board_result_of(
    event: events.BoardScanFinished, earlier: BoardResult | None, settings: Settings
) -> BoardResult:
    """The score of what was read; what is known of the same table is taken over."""
    seen = read = event.reading
    if earlier is not None and not of_one_board(earlier.seen, seen):
        earlier = None
    if earlier is not None:
        corrections, description = earlier.corrections, event.description
        read = with_earlier_board_answers(seen, earlier.seen, corrections, description)
    result = BoardResult(
        table=event.job,
        seen=seen,
        read=read,
        description=event.description,
        outcome=board_outcome(read, event.description, (), settings),
        crops=event.crops,
        photo=event.photo,
    )
    if earlier is None:
        return result
    is_stored = earlier.scan is not None
    return replace(result, earlier=earlier.table if is_stored else earlier.earlier)


def _shown(state: State, result: AnyResult, *, is_empty: bool) -> Turn:
    """Show and store a result; an empty photo takes the place of none."""
    effects: tuple[Effect, ...] = ()
    if isinstance(result.outcome, Fault):
        effects = (Log(result.outcome),)
        if is_empty:
            failed = Failed(result.outcome, remarks=remarks_of(result))
            return replace(state, mode=failed), effects
    state, saving = keep(replace(state, mode=Viewing(), same_table=True), result)
    return state, (*effects, *saving)


def _result_of(event: events.ScanFinished, earlier: Result | None, settings: Settings) -> Result:
    """The score of what was read; what is known of the same table is taken over."""
    seen = read = event.reading
    if earlier is not None and not of_one_table(earlier.seen, seen):
        earlier = None
    owners: Owners | None = None
    # With another number of cities each may have another letter.
    if earlier is not None and len(earlier.seen.cities) == len(seen.cities):
        read, owners = with_earlier_answers(seen, earlier), earlier.owners
    result = Result(
        table=event.job,
        seen=seen,
        read=read,
        outcome=outcome_of(read, owners, settings),
        crops=event.crops,
        photo=event.photo,
        owners=owners,
    )
    if earlier is None:
        return result
    if earlier.scan is None:
        return replace(result, before=earlier.before, earlier=earlier.earlier)
    return replace(result, before=earlier.scan, earlier=earlier.table)
