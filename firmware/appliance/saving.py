"""Results in the history: storing them, and loading the last one after a start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware.appliance.base import Effect, Event, StepResult
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import LogProblem, continue_with, take_id
from firmware.base.problem import Problem
from firmware.history.stats import BestResult
from firmware.screens.words import Alert


@dataclass(frozen=True, slots=True, eq=False)
class SaveResult(Effect):
    """Store a result. Answered by ``ResultSaved`` or ``ResultNotSaved``.

    Attributes:
        save_id: Number of this attempt to store it, unique since the start.
        result: Result with its score; one of the same table replaces an earlier one.
        health: Problems of the computer when the photo was taken.
        superseded_ids: ``Result.result_id`` of the results that this one supersedes, the latest
            first; empty for most results. They are of the same photo, before a person assigned it
            to another game; of fewer photos of this table; or of the scan before, if the table was
            scanned again while that question was open. Their saves are undone: a game that such a
            save had updated is restored; a game that it had added is taken over by this result, or
            deleted if this result updates another game. If both update the same game, this result
            takes the place of the other.
    """

    save_id: int
    result: Result
    health: tuple[Alert, ...]
    superseded_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetPossibleEarlier(Effect):
    """Forget which earlier game a result may belong to: a person has said that it is another game.

    Attributes:
        result_id: ``Result.result_id`` of the result.
    """

    result_id: int


@dataclass(frozen=True, slots=True)
class LoadLastResult(Effect):
    """Load the latest result of the history. Answered by ``LastResultLoaded`` if there is one."""


@dataclass(frozen=True, slots=True)
class ResultSaved(Event):
    """A result is stored.

    Attributes:
        save_id: Number of this attempt to store it, unique since the start.
        seq: Number in the history; None if it is not in there.
        new_bests: Bests of all games so far that it has set.
        game_with_same_cities: Recent game of the history with all cities of the result; None if
            there is none, or if the result has updated one. It becomes its ``possible_earlier``.
            The result is on the display already, so no question interrupts: the main menu and the
            page offer to update that game.
        result_id: ``Result.result_id`` of the result; None if unknown.
    """

    save_id: int
    seq: int | None = None
    new_bests: tuple[BestResult, ...] = ()
    game_with_same_cities: Result | None = None
    result_id: int | None = None

    def apply(self, state: State) -> StepResult:
        state = _with_seq(state, self.seq, lambda each: each.save_id == self.save_id)
        result = state.result
        if result is None:
            return state, ()
        possible_earlier = result.possible_earlier or self.game_with_same_cities
        if result.save_id != self.save_id:
            scans = result, result.earlier
            if all(each is None or each.result_id != self.result_id for each in scans):
                return state, ()
            # It was corrected or scanned again meanwhile, and is being stored again
            return replace(state, result=replace(result, possible_earlier=possible_earlier)), ()
        saved = replace(
            result,
            save_id=None,
            save_problem=None,
            seq=self.seq,
            new_bests=self.new_bests,
            possible_earlier=possible_earlier,
        )
        state = replace(state, result=saved)
        return state.mode.handle_saving_ended(state)


@dataclass(frozen=True, slots=True)
class ResultNotSaved(Event):
    """A result could not be stored; the runner tries again by itself.

    Attributes:
        save_id: Number of this attempt to store it, unique since the start.
        problem: Cause of the failure.
    """

    save_id: int
    problem: Problem

    def apply(self, state: State) -> StepResult:
        result = state.result
        if result is None or result.save_id != self.save_id:
            return state, ()
        known = result.save_problem is not None and result.save_problem.code == self.problem.code
        logged = () if known else (LogProblem(self.problem),)
        state = replace(state, result=replace(result, save_id=None, save_problem=self.problem))
        return continue_with((state, logged), lambda state: state.mode.handle_saving_ended(state))


@dataclass(frozen=True, slots=True)
class ResultSavedLater(Event):
    """A result that could not be stored at first is stored; it may no longer be the last one.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        seq: Number in the history.
        new_bests: Bests of all games so far that it has set.
    """

    result_id: int
    seq: int
    new_bests: tuple[BestResult, ...] = ()

    def apply(self, state: State) -> StepResult:
        state = _with_seq(state, self.seq, lambda each: each.result_id == self.result_id)
        result = state.result
        if result is None or result.result_id != self.result_id or result.save_id is not None:
            return state, ()
        saved = replace(result, save_problem=None, seq=self.seq, new_bests=self.new_bests)
        return replace(state, result=saved), ()


@dataclass(frozen=True, slots=True, eq=False)
class LastResultLoaded(Event):
    """The latest result of the history was loaded; a newer one stays.

    Attributes:
        result: Result with all corrections.
    """

    result: Result

    def apply(self, state: State) -> StepResult:
        return (state if state.result is not None else replace(state, result=self.result)), ()


def with_compared_results(state: State, change: Callable[[Result], Result]) -> State:
    """Return the state with a change of the results that the last or next one is compared with.

    Those are the result before a trial, and ``possible_earlier`` of the last result.
    """
    if state.result_before_trial is not None:
        state = replace(state, result_before_trial=change(state.result_before_trial))
    result = state.result
    if result is None or result.possible_earlier is None:
        return state
    changed = change(result.possible_earlier)
    return replace(state, result=replace(result, possible_earlier=changed))


def _with_seq(state: State, seq: int | None, is_stored: Callable[[Result], bool]) -> State:
    """Give copies of a stored result their number in the history; the last result stays as it is.

    Copies are the earlier result, the one before a trial, and ``possible_earlier``.

    Args:
        state: State before.
        seq: Number in the history.
        is_stored: Function that returns whether a result is the stored one.
    """

    def numbered(result: Result) -> Result:
        return replace(result, save_id=None, seq=seq) if is_stored(result) else result

    state = with_compared_results(state, numbered)
    if state.result is None or state.result.earlier is None:
        return state
    return replace(state, result=replace(state.result, earlier=numbered(state.result.earlier)))


def save_result(state: State, result: Result, superseded_ids: Sequence[int] = ()) -> StepResult:
    """Make a result the last one, and store it unless it is a trial or cannot be scored.

    A game without rules is stored without a score.

    Args:
        state: State before.
        result: Result to keep.
        superseded_ids: ``SaveResult.superseded_ids``.
    """
    if result.scan is None or result.trial:
        return replace(state, result=result), ()
    state, save_id = take_id(state)
    result = replace(result, save_id=save_id)
    return replace(state, result=result), (
        SaveResult(save_id, result, state.health, tuple(superseded_ids)),
    )
